"""The counts and the mismatches of a verification."""

from dataclasses import dataclass, field, fields
from typing import Any


@dataclass(frozen=True, slots=True)
class Mismatch:
    """One difference from our rules.

    Attributes:
        file: where the log was read from.
        kyoku: the hand, such as ``'S3-2'``; empty outside hands.
        event: index into the log's events.
        check: the check that failed, such as ``'action'`` or ``'payments'``.
        message: what differs.
    """

    file: str
    kyoku: str
    event: int
    check: str
    message: str

    def __str__(self) -> str:
        return f"{self.file}: {self.kyoku or 'game'}, event {self.event}: {self.check}: {self.message}"


@dataclass(frozen=True, slots=True)
class Unreadable:
    """A file that is not a log, or is incomplete."""

    file: str
    message: str


@dataclass(frozen=True, slots=True)
class Note:
    """What was read otherwise than a file says, or was put in because it says nothing."""

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

    Attributes:
        files: logs and captured sessions checked.
        games: games in them.
        kyoku: hands played.
        decisions: moments at which a player had an answer to give, including passing: of all four players in a log, of
            the client alone in a captured session.
        actions: recorded actions of players.
        illegal: those not among our legal actions.
        wins: wins: yaku, han, fu, points and limit.
        payments: ends of hands: every player's gain, honba, riichi sticks, liability and the scores before.
        hands: hands shown at a win or a draw, compared with the tiles in our view. tenhou.net/6 and mjai do not state
            them.
        draws: hands without a win: why they ended, and who was tenpai.
        progress: beginnings of hands and ends of games: dealer, honba, riichi sticks, carried scores.
        results: final points and result points.
        prompts: moments at which a captured session's server prompted, or did not prompt, the player.
        furiten: discards at which a captured session's announced furiten was compared.
        damaged: frames of a record that could not be read. From each of them on, nothing is checked until the server
            sends the state of the hand, or deals.
        round_trips: logs written and read again.
        excerpts: logs found in folders and archives that have neither id, version nor end: hands composed by people, as
            test data or for discussion. They are checked, but do not count in any other figure.
        in_excerpts: what differs in those; they may contradict themselves.
        skipped: files skipped, by reason.
        tolerated: known departures that are allowed. Kuikae, the discard of a tile that the call just made could have
            used: Tenhou's server accepts it, its own client does not offer it. Another uma than Tenhou's own: its 10,
            5, -5, -10 until March 2009, and at tables with house rules whatever uma their result points imply, because
            logs do not state it. Before April 2009 a leading dealer who was tenpai played on.
        errors: everything that differs.
        unreadable: files that could not be read.
        notes: what was read otherwise than the files say.
    """

    files: int = 0
    games: int = 0
    kyoku: int = 0
    decisions: int = 0
    actions: int = 0
    illegal: int = 0
    wins: int = 0
    wins_exact: int = 0
    wins_unstated: int = 0
    payments: int = 0
    payments_exact: int = 0
    payments_unstated: int = 0
    hands: int = 0
    hands_exact: int = 0
    hands_unstated: int = 0
    draws: int = 0
    draws_exact: int = 0
    draws_unstated: int = 0
    progress: int = 0
    progress_exact: int = 0
    results: int = 0
    results_exact: int = 0
    results_unstated: int = 0
    prompts: int = 0
    prompts_exact: int = 0
    furiten: int = 0
    furiten_exact: int = 0
    damaged: int = 0
    round_trips: int = 0
    round_trips_exact: int = 0
    excerpts: int = 0
    in_excerpts: list[Mismatch] = field(default_factory=list)
    skipped: dict[str, int] = field(default_factory=dict)
    tolerated: list[Mismatch] = field(default_factory=list)
    errors: list[Mismatch] = field(default_factory=list)
    unreadable: list[Unreadable] = field(default_factory=list)
    notes: list[Note] = field(default_factory=list)

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

    def to_dict(self) -> dict[str, Any]:
        """The figures as plain values for JSON, in the order of the fields."""
        return {each.name: _plain(getattr(self, each.name)) for each in fields(self)}


def _plain(value: Any) -> Any:
    if isinstance(value, list):
        return [{each.name: getattr(item, each.name) for each in fields(item)} for item in value]
    return value
