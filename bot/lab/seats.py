"""Seats of recorded games to measure on: which logs, which games of them, what a policy answers there, what came."""

import os
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Annotated, Any, ClassVar, Final, NamedTuple
from zlib import crc32

import typer
from rich.console import Console

from bot.commands import names
from bot.commands.options import WHO
from bot.deciding.ask import ask
from bot.deciding.players import PlayerSpec, needs_of
from bot.lab.experiment import Grouped, Measured, Piece, Rows, groups_of
from bot.lab.recordings import in_turn
from bot.machine.errors import InputError
from bot.machine.outlet import error_screen
from bot.machine.outputs import Outputs
from bot.machine.preparation import warm_up
from bot.machine.text import brief
from bot.replay.decisions import DecisionPoint, Fault
from bot.replay.steps import decision_points
from engine.arena import play_game
from engine.model.actions import WINS
from engine.model.budget import Budget
from engine.model.events import Discard, StartKyoku
from engine.model.hands import hands_of
from engine.model.rules import HANCHAN
from engine.model.seats import SEATS, four
from engine.model.standing import Standing, StandingWorth
from engine.policy.decision import Decider, Decision
from engine.policy.registry import make_policy
from engine.rules.recordings import Split, split_of
from protocol.errors import LogError, UnsupportedGameError
from protocol.logs.formats import LogFile, read_log, write_log
from protocol.logs.game_log import LOG_ID, GameLog

CorpusLogs = Annotated[
    list[Path] | None,
    typer.Option("--logs", help="Logs, folders or archives; default: the folder in OSHIHIKI_CORPUS."),
]
EveryGame = Annotated[
    bool, typer.Option("--every-game", help="Use all games, because none was used for fitting, whatever its id.")
]
Games = Annotated[int, typer.Option("--games", min=1, help="Number of games.")]
Share = Annotated[float, typer.Option("--share", min=0.0, max=1.0, help="Share of the decisions that are measured.")]
SearchNodes = Annotated[
    int | None,
    typer.Option("--nodes", min=100, help="Bound on search nodes per decision; if none, the policy's own."),
]
NONE_HELD_BACK: Final = (
    "there is no game to measure on: only a tenth of all games, by log id, is held back; see --every-game"
)
OWN_GAMES: Final = 8
"""Number of games played where there are no recordings."""
_LOG_ID: Final = re.compile(LOG_ID).search


class Seat(NamedTuple):
    """A seat of a recorded game."""

    log: GameLog
    number: int
    side: str = ""  # whose seat it is, where several kinds of players are measured

    @property
    def key(self) -> str:
        """The game and the seat; the same text in every run."""
        return f"{self.log.info.log_id or self.log.source}/{self.number}"

    def drawn(self, event: int, share: float) -> bool:
        """Whether the decision at an event belongs to a share that a hash of their places selects."""
        return crc32(f"{self.key}/{event}".encode()) < share * 2**32

    def decisions(
        self,
        decider: Decider,
        nodes: int | None,
        wanted: Callable[[DecisionPoint], bool] = lambda _: True,
        faults: list[Fault] | None = None,
    ) -> Iterator[tuple[DecisionPoint, Decision]]:
        """Yield what the seat was asked, and what a policy answers within a bound on search nodes.

        States are live: copy what has to be kept. Where the log cannot be followed is added to ``faults``.
        """
        for point in decision_points(self.log, self.number, [] if faults is None else faults, decider):
            if wanted(point):
                yield point, ask(decider, point.state, point.legal, Budget(nodes)).decision


class Outcome(NamedTuple):
    """How a hand went on after a decision, for one seat."""

    won: bool  # whether it won the hand
    dealt_in: bool  # whether it dealt in, with this discard or later
    dealt_in_now: bool  # whether it dealt in with this discard
    tenpai: bool  # whether the hand ended in an exhaustive draw and it was tenpai
    after: Standing  # the standing after the hand

    def result(self, point: DecisionPoint, worth: StandingWorth) -> float:
        """What the hand brought, relative to its abortion at the decision."""
        state = point.state
        before = Standing(state.kyoku, state.honba, state.riichi_sticks, four(state.scores)).aborted
        return worth(self.after) - worth(before)


def outcome_of(game: GameLog, at: int, seat: int) -> Outcome | None:
    """How the hand went on after ``events[at]``, which asks the question; None if the log ends before the hand does."""
    played = hands_of(enumerate(game.events))
    index = played.index_at(at)
    hand, after = played.hands[index], played.after(index)
    if after is None:
        return None
    discards = sum(isinstance(event, Discard) for event in hand.events[at - hand.start :])
    return Outcome(
        won=seat in hand.winners,
        dealt_in=hand.dealt_in == seat,
        dealt_in_now=hand.dealt_in == seat and discards == 1,
        tenpai=seat in hand.tenpai,
        after=after,
    )


def sampled_decisions(
    seat: Seat, decider: Decider, nodes: int | None, share: float
) -> Iterator[tuple[DecisionPoint, Decision]]:
    """Yield a share of a seat's decisions, as :meth:`Seat.decisions` does.

    Decisions with a single answer, and those in which a win is possible, are left out; so are those of which the policy
    states no worth of a point, or weighs a single action.
    """

    def wanted(point: DecisionPoint) -> bool:
        several = len(point.legal) > 1 and not any(action.kind in WINS for action in point.legal)
        return several and seat.drawn(point.place.event, share)

    for point, decision in seat.decisions(decider, nodes, wanted):
        if decision.per_point > 0 and len(decision.candidates) > 1:
            yield point, decision


@dataclass(frozen=True, kw_only=True)
class OverSeats(Measured[Seat, Piece]):
    """An experiment over seats of recorded games that nothing was fitted on, for a policy that values standings."""

    needs: ClassVar[Sequence[str]] = ()
    """Names of further warm-up steps."""
    all_seats: ClassVar[bool] = False
    """Whether all seats of a game are measured, not one in turns."""

    logs: CorpusLogs = None
    every_game: EveryGame = False
    validation: Annotated[
        bool, typer.Option("--validation", help="Use the games on which constants are chosen, not the test games.")
    ] = False
    name: Annotated[
        str, typer.Option("--name", help="Only seats of this player, in every game; default: one seat of each game.")
    ] = ""
    games: Games = 100
    policy: Annotated[
        str,
        typer.Option("--policy", help=f"{WHO} Its values must be worths of standings.", autocompletion=names.policies),
    ] = "value"
    nodes: SearchNodes = 15_000
    share: Share = 0.2

    @property
    def player(self) -> PlayerSpec:
        """The policy that is measured."""
        return PlayerSpec.parse(self.policy)

    def prepare(self, plot: Path | None = None) -> Outputs:
        """Refuse what cannot be measured, and compile what the policy needs; what writes the plot.

        Raises:
            InputError: there are no recordings, the values of the policy cannot be compared with results, or a file
                to write is one that is read.
        """
        output = self.plot_output(recording_paths(self.logs), plot)
        if self.player.make(0).standing(HANCHAN, 0) is None:
            raise InputError(
                f"the values of {self.player.text} are not worths of standings, so they cannot be compared with results"
            )
        warm_up(error_screen(), {*needs_of([self.player]), *self.needs})
        return output

    def source(self) -> Iterator[Seat]:
        """The seats: one of each game in turns, all of them, or those of the player that is named."""
        split = Split.VALIDATION if self.validation else Split.TEST
        logs = games_to_judge_by(recording_paths(self.logs), error_screen(), every_game=self.every_game)
        shown = (log for log, part in logs if part is split and is_open(log))
        seats = (
            Seat(log, seat)
            for number, log in enumerate(shown)
            for seat in SEATS
            if (log.start.names[seat] == self.name if self.name else self.all_seats or seat == number % len(SEATS))
        )
        return islice(seats, self.most)

    @property
    def most(self) -> int:
        """Number of seats at most."""
        return self.games * (len(SEATS) if self.all_seats and not self.name else 1)

    def key(self, work: Seat) -> Any:
        """By which the journal knows a seat."""
        return work.key

    def order(self) -> dict[str, Any]:
        """What the results depend on."""
        settings = dict(self.player.make(0).settings())
        return {"policy": self.player.text, "settings": settings, "nodes": self.nodes, "share": self.share}


@dataclass(frozen=True, kw_only=True)
class SeatRows(OverSeats[Any], Grouped[Seat]):
    """Rows of the decisions at seats of recorded games."""

    def figures(self) -> dict[str, Any]:
        """The figures of each group."""
        self.prepare()
        return self.grouped(self.every_row(self.most))

    def grouped(self, every: Rows) -> dict[str, Any]:
        """The figures of all rows, as JSON shows them."""
        return {
            "policy": self.player.text,
            "nodes": self.nodes,
            self.counted: len(every),
            "groups": groups_of(every, self.groups, self.columns),
        }


def recording_paths(logs: list[Path] | None) -> list[Path]:
    """The files of these folders or, without any, the archives of four-player games that OSHIHIKI_CORPUS names.

    Raises:
        InputError: none are named at all.
    """
    if logs:
        return sorted(file for path in logs for file in (path.iterdir() if path.is_dir() else [path]))
    named = os.environ.get("OSHIHIKI_CORPUS", "")
    if not named or not Path(named).is_dir():
        raise InputError(
            "there are no recordings to measure on; name them with --logs, or set OSHIHIKI_CORPUS to their folder"
        )
    return sorted(file for file in Path(named).iterdir() if file.name.partition("-")[0] in {"houou", "tokujou"})


def games_to_judge_by(paths: list[Path], screen: Console, *, every_game: bool) -> Iterator[tuple[GameLog, Split]]:
    """Games of the test and the validation split, the archives in turns.

    Args:
        paths: logs, folders or archives.
        screen: where a log that cannot be read is named.
        every_game: all games count as test games, whatever their id.
    """
    wanted = (Split.TEST, Split.VALIDATION)
    for file in in_turn(paths):
        if not (every_game or split_by_name(file) in {*wanted, None}):
            continue
        try:
            log = read_log(file)
        except UnsupportedGameError:
            continue  # three players
        except LogError as error:
            screen.print(brief(str(error), 300), style="yellow", markup=False, highlight=False)
            continue
        split = Split.TEST if every_game else split_of(log.info.log_id)
        if split in wanted:
            yield log, split


def is_open(log: GameLog) -> bool:
    """Whether all hands are known."""
    return all(None not in event.hands for event in log.events if isinstance(event, StartKyoku))


def split_by_name(file: LogFile) -> Split | None:
    """The split by the file's name, without reading the log; None where the name does not tell."""
    found = _LOG_ID(file.name)
    return split_of(found[0]) if found else None


def best_recordings() -> list[Path]:
    """The phoenix room's hanchan in the folder that OSHIHIKI_CORPUS names, or everything in it."""
    named = os.environ.get("OSHIHIKI_CORPUS")
    folder = Path(named) if named else None
    return (sorted(folder.glob("houou-hanchan*")) or [folder]) if folder is not None and folder.is_dir() else []


def own_games(number: int = OWN_GAMES) -> list[GameLog]:
    """Hanchan that four simple players play."""
    games = (play_game([make_policy("simple") for _ in SEATS], HANCHAN, at) for at in range(number))
    return [GameLog(game.events) for game in games]


def own_logs(number: int = OWN_GAMES) -> list[LogFile]:
    """The logs of :func:`own_games`."""
    logs = (write_log(game, "mjlog").encode() for game in own_games(number))
    return [LogFile(f"game-{at}.xml", "mjlog", log) for at, log in enumerate(logs, 1)]
