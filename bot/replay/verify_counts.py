"""The counts and the mismatches of a verification."""

from dataclasses import dataclass, field, fields


@dataclass(frozen=True, slots=True)
class Mismatch:
    """One difference from our rules."""

    file: str  # where the log was read from
    kyoku: str  # the hand, such as ``'S3-2'``; empty outside hands
    event: int  # index into the log's events
    check: str  # the check that failed, such as ``'action'`` or ``'payments'``
    message: str  # what differs

    def __str__(self) -> str:
        return f"{self.file}: {self.kyoku or 'game'}, event {self.event}: {self.check}: {self.message}"


@dataclass(frozen=True, slots=True)
class Note:
    """What is said of a file: why it cannot be read, or what was read otherwise than it says or filled in."""

    file: str
    message: str

    def __str__(self) -> str:
        return f"{self.file}: {self.message}"


@dataclass(slots=True)
class VerifyCounts:
    """The figures of a verification.

    ``x_exact`` counts those of ``x`` that the log states and that agree. ``x_unstated`` counts those that the log does
    not state, or states only in part or in words that are not known, and where nothing that it states differs. What is
    left of ``x`` differs.
    """

    files: int = 0  # logs and captured sessions checked
    games: int = 0  # games in them
    kyoku: int = 0  # hands played
    # moments at which a player had an answer to give, including passing: of all four players in a log, of the client
    # alone in a captured session
    decisions: int = 0
    actions: int = 0  # recorded actions of players
    illegal: int = 0  # those not among our legal actions
    wins: int = 0  # wins: yaku, han, fu, points and limit
    wins_exact: int = 0
    wins_unstated: int = 0
    payments: int = 0  # ends of hands: every player's gain, honba, riichi sticks, liability and the scores before
    payments_exact: int = 0
    payments_unstated: int = 0
    # hands shown at a win or a draw, compared with the tiles in our view. tenhou.net/6 and mjai do not state them.
    hands: int = 0
    hands_exact: int = 0
    hands_unstated: int = 0
    draws: int = 0  # hands without a win: why they ended, and who was tenpai
    draws_exact: int = 0
    draws_unstated: int = 0
    progress: int = 0  # beginnings of hands and ends of games: dealer, honba, riichi sticks, carried scores
    progress_exact: int = 0
    progress_unstated: int = 0  # those where the table's own rules say when the game ends
    results: int = 0  # final points and result points
    results_exact: int = 0
    results_unstated: int = 0
    prompts: int = 0  # moments at which a captured session's server prompted, or did not prompt, the player
    prompts_exact: int = 0
    furiten: int = 0  # discards at which a captured session's announced furiten was compared
    furiten_exact: int = 0
    # frames between hands that could not be read: the next deal is not compared with what came before. A hand with
    # such a frame is left out.
    damaged: int = 0
    round_trips: int = 0  # logs written and read again
    round_trips_exact: int = 0
    # logs found in folders and archives that have neither id, version nor end: hands composed by people, as test data
    # or for discussion. They are checked, but do not count in any other figure.
    excerpts: int = 0
    in_excerpts: list[Mismatch] = field(default_factory=list)  # what differs in those; they may contradict themselves
    left_out: int = 0  # hands that could not be followed; the notes name them
    skipped: dict[str, int] = field(default_factory=dict)  # files skipped, by reason
    # known departures that are allowed. Kuikae, the discard of a tile that the call just made could have used: Tenhou's
    # server accepts it, its own client does not offer it. Another uma than Tenhou's own: its 10, 5, -5, -10 until March
    # 2009, and at tables with house rules whatever uma their result points imply, because logs do not state it. Before
    # April 2009 a leading dealer who was tenpai played on.
    tolerated: list[Mismatch] = field(default_factory=list)
    errors: list[Mismatch] = field(default_factory=list)  # everything that differs
    unreadable: list[Note] = field(default_factory=list)  # files that could not be read
    notes: list[Note] = field(default_factory=list)  # what was read otherwise than the files say

    def skip(self, reason: str) -> None:
        """Count a skipped file."""
        self.skipped[reason] = self.skipped.get(reason, 0) + 1

    def count(self, kind: str, *, agrees: bool, stated: bool = True) -> None:
        """Count one of a kind, such as ``'wins'``."""
        setattr(self, kind, getattr(self, kind) + 1)
        if agrees:
            name = f"{kind}_exact" if stated else f"{kind}_unstated"
            setattr(self, name, getattr(self, name) + 1)

    def add(self, other: "VerifyCounts") -> None:
        """Add another's figures to these."""
        for each in fields(self):
            mine, others = getattr(self, each.name), getattr(other, each.name)
            if isinstance(mine, dict):
                for reason, count in others.items():
                    mine[reason] = mine.get(reason, 0) + count
            else:
                setattr(self, each.name, mine + others)
