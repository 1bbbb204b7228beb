"""``oshihiki bench policy``: agreement of policies with strong players, on games that nothing was fitted on."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from time import process_time
from typing import Annotated, Any, ClassVar, Final, NamedTuple

import numpy as np
import typer
from numpy.typing import NDArray

from bot.commands import names
from bot.commands.options import WHO
from bot.deciding.ask import ask
from bot.deciding.players import PlayerSpec, needs_of
from bot.lab.experiment import COUNT, Column, Grouped, Rows, figures_of, mean, print_table, rows_of
from bot.lab.recordings import room_of
from bot.lab.seats import (
    NONE_HELD_BACK,
    CorpusLogs,
    EveryGame,
    Games,
    SearchNodes,
    Seat,
    games_to_judge_by,
    is_open,
    recording_paths,
)
from bot.machine.outlet import error_screen, output_screen
from bot.machine.preparation import warm_up
from bot.replay.agreement import Compared, Head, compare
from bot.replay.decisions import DecisionPoint, appearance
from bot.replay.steps import decision_points
from engine.model.actions import CALLS, DISCARDS, KANS, Action, ActionKind
from engine.model.budget import Budget
from engine.networks.imitation_layout_kernels import WHO_PHOENIX
from engine.policy.decision import Decision
from engine.rules.recordings import PROGRAM, Split

HEADS: Final = (Head.DISCARD, Head.RIICHI, Head.CALL, Head.KAN, Head.PUSH_FOLD)
RATES: Final = {Head.CALL: "call", Head.RIICHI: "riichi", Head.PUSH_FOLD: "fold"}
"""What is counted, by name, among the decisions of which kind."""
UNIT: Final = "chance"
"""Unit of a decision whose candidates' values are the chances of each answer."""
LEAST: Final = 1e-9
BINS: Final = 10
ASKED: Final = ("phoenix", "value")


class Answer(NamedTuple):
    """The answer of a policy to a decision, as one of its kinds counts it."""

    seat: str  # the game and the seat
    policy: str
    program: bool  # whether the strongest program made the decision, not a player of the phoenix room
    head: str  # the kind; empty for the decision as a whole, of which only the time counts
    ms: float | None  # processor time, of the decision as a whole; None where there was nothing to choose
    same: bool = False  # whether policy and player agree
    top3: bool = False  # whether what was played is among the first three answers of the policy
    # the chances that it gives what was played and its own first answer; None where it gives none
    chance: float | None = None
    first: float | None = None
    # of calls, riichi and folds, whether each did it; None for other kinds
    ours: bool | None = None
    played: bool | None = None


def believed(point: DecisionPoint, decision: Decision, head: Head) -> tuple[float, float] | None:
    """The probabilities that the policy assigned to the action played, as the head sees it, and to its own answer.

    None where its candidates have no chances, or none of them is what the head is about.
    """
    played = point.played
    if decision.unit != UNIT or played is None:
        return None
    red = point.state.rules.red_fives
    groups: dict[Any, float] = {}
    for candidate in decision.candidates:
        key = _seen(candidate.action, head, red=red)
        if key is not None:
            groups[key] = groups.get(key, 0.0) + candidate.value
    total, mine = sum(groups.values()), _seen(played, head, red=red)
    if total <= 0.0 or mine is None:
        return None
    return groups.get(mine, 0.0) / total, max(groups.values()) / total


def _seen(action: Action, head: Head, *, red: bool) -> Any:
    """An action as a head distinguishes it; None if it does not, or if that depends on the table, as safety does."""
    if head is Head.PUSH_FOLD:
        return None
    if head is Head.KAN:
        return action.kind in KANS
    if head is Head.RIICHI:
        return action.kind is ActionKind.RIICHI
    if head is Head.DISCARD:
        return appearance(Action(ActionKind.DISCARD, action.tile), red_fives=red) if action.kind in DISCARDS else None
    return appearance(action, red_fives=red)


def did(head: Head, played: Action, ours: Action, compared: Compared) -> tuple[bool, bool] | None:
    """Whether the player and the policy called, declared riichi or folded; None where the kind counts nothing."""
    if head is Head.PUSH_FOLD:  # a fold is a discard that is safe from everyone in riichi
        return compared.safe
    if head is Head.CALL:
        return played.kind in CALLS, ours.kind in CALLS
    return (played.kind is ActionKind.RIICHI, ours.kind is ActionKind.RIICHI) if head is Head.RIICHI else None


# -- columns -----------------------------------------------------------------------------------------------------------


def _log_loss(rows: Rows) -> float | None:
    known = rows.chance[~np.isnan(rows.chance)]
    return round(float(-np.log(np.maximum(known, LEAST)).mean()), 5) if len(known) else None


def _calibration(rows: Rows) -> float | None:
    """Mean distance between the chance of the first answer and how often it was played, by tenths."""
    known = rows[~np.isnan(rows.chance)]
    if not len(known):
        return None
    tenths = np.minimum((known["first"] * BINS).astype(np.int64), BINS - 1)
    off = np.bincount(tenths, known["first"] - known.same, BINS)
    return round(float(np.abs(off).sum() / len(known)), 5)


COLUMNS: Final = (
    COUNT,
    mean("top1", "the same", "same"),
    mean("top3", "in its first three", "top3"),
    Column("log_loss", ("log loss",), _log_loss, lambda loss: (f"{loss:.3f}",)),
    Column("calibration_error", ("calibration",), _calibration, lambda error: (f"{error:.1%}",)),
)
RATE_COLUMNS: Final = (
    COUNT,
    mean("ours", "the policy", "ours", digits=17),
    mean("played", "the players", "played", digits=17),
)


@dataclass(frozen=True, kw_only=True)
class Agreement(Grouped[Seat]):
    """Measure how often policies choose what strong players chose: players of the phoenix room, and the program LuckyJ.

    One seat of each game is replayed from its first decision to its last; --games counts those of either kind of
    player. Decisions count under discard, riichi, call, kan and push/fold; log loss and calibration are given for
    policies that give each action a chance. The rates say how often a policy and the players call, declare riichi, and
    discard a safe tile against a riichi.

    Examples:
      oshihiki bench policy --json
      oshihiki bench policy --logs houou-hanchan-00.tar.xz --policy phoenix --games 100
    """

    row: ClassVar = Answer
    journal_of: ClassVar = "agreement"
    nothing: ClassVar = NONE_HELD_BACK
    groups: ClassVar = {}
    columns: ClassVar = COLUMNS

    logs: CorpusLogs = None
    every_game: EveryGame = False
    games: Games = 40
    policy: Annotated[
        list[str] | None,
        typer.Option("--policy", help=f"{WHO} Default: phoenix, value.", autocompletion=names.policies),
    ] = None
    nodes: SearchNodes = 15_000

    @property
    def players(self) -> list[PlayerSpec]:
        """The policies that are asked."""
        return [PlayerSpec.parse(text) for text in self.policy or ASKED]

    def source(self) -> Iterator[Seat]:
        """One seat of each phoenix-room game and the program's seats, at most ``games`` of each kind."""
        counts = {False: 0, True: 0}
        for log, split in games_to_judge_by(recording_paths(self.logs), error_screen(), every_game=self.every_game):
            if split is not Split.TEST or not is_open(log):
                continue
            program = PROGRAM in log.start.names
            if counts[program] == self.games or not (program or room_of(log.info.game_type) == WHO_PHOENIX):
                continue
            number = log.start.names.index(PROGRAM) if program else counts[program] % 4
            yield Seat(log, number, PROGRAM if program else "")
            counts[program] += 1
            if min(counts.values()) == self.games:
                return

    def key(self, work: Seat) -> Any:
        """By which the journal knows a seat."""
        return work.key

    def order(self) -> dict[str, Any]:
        """What the results depend on."""
        settings = {player.text: dict(player.make(0).settings()) for player in self.players}
        return {"policies": settings, "nodes": self.nodes}

    def measure(self, work: Seat) -> Rows:
        """The answers of all policies for a seat."""
        return rows_of(Answer, (row for player in self.players for row in self._answers(work, player)))

    def _answers(self, seat: Seat, player: PlayerSpec) -> Iterator[Answer]:
        decider = player.make(0)
        program = bool(seat.side)
        for point in decision_points(seat.log, seat.number, [], decider):
            began = process_time()
            decision = ask(decider, point.state, point.legal, Budget(self.nodes)).decision
            ms = 1000.0 * (process_time() - began)
            yield Answer(seat.key, player.text, program, "", ms if len(point.legal) > 1 else None)
            compared = compare(point, decision)
            if compared is None or point.played is None:
                continue
            top3 = compared.rank is not None and compared.rank <= 3
            for head in HEADS:
                if head not in compared.same:
                    continue
                chance, first = believed(point, decision, head) or (None, None)
                played, ours = did(head, point.played, decision.action, compared) or (None, None)
                what = seat.key, player.text, program, str(head), None, compared.same[head], top3
                yield Answer(*what, chance, first, ours, played)

    def figures(self) -> dict[str, Any]:
        """Agreement and rates of each policy with either kind of player, and the time of a decision."""
        self.plot_output(recording_paths(self.logs))
        warm_up(error_screen(), {*needs_of(self.players), "prior"})
        every = self.every_row()
        found: dict[bool, dict[str, Any]] = {}
        for program in (False, True):
            here = every[every.program == program]
            of = {player.text: here[here.policy == player.text] for player in self.players}
            found[program] = {name: _heads(rows) for name, rows in of.items()}
            found[program]["rates"] = {name: _rates(rows) for name, rows in of.items()}
        seats = {program: len(set(every.seat[every.program == program])) for program in (False, True)}
        asked = {player.text: every.ms[every.policy == player.text] for player in self.players}
        return {
            **found[False],
            "lucky": found[True],
            "ms": {name: _times(ms[~np.isnan(ms)]) for name, ms in asked.items()},
            "seats": {"phoenix_room": seats[False], "lucky": seats[True]},
            "nodes": self.nodes,
        }

    def show(self, figures: dict[str, Any]) -> None:
        """Print agreement and rates, and the time of a decision."""
        names = [player.text for player in self.players]
        sides = (("phoenix room", figures), (PROGRAM, figures["lucky"]))
        words = ("players", "policy", "decision")
        for columns, tables in ((COLUMNS, sides), (RATE_COLUMNS, [(who, side["rates"]) for who, side in sides])):
            rows = [
                {**dict(zip(words, (who, name, head), strict=True)), **row}
                for who, side in tables
                for name in names
                for head, row in side[name].items()
                if row["n"]
            ]
            print_table(rows, words, columns)
        for name in names:
            ms = figures["ms"][name]
            output_screen().print(f"{name}: {ms['mean']} ms per decision, 99% within {ms['p99']} ms")


def _heads(rows: Rows) -> dict[str, Any]:
    return {str(head): _all_figures(rows[rows["head"] == str(head)], COLUMNS) for head in HEADS}


def _rates(rows: Rows) -> dict[str, Any]:
    counted = rows[~np.isnan(rows.ours)]
    return {name: _all_figures(counted[counted["head"] == str(head)], RATE_COLUMNS) for head, name in RATES.items()}


def _all_figures(rows: Rows, columns: Sequence[Column]) -> dict[str, Any]:
    """The figures of a group; None where there is nothing to share, or the policy gives no chances."""
    found = figures_of(rows, columns) if len(rows) else {"n": 0}
    return {column.name: found.get(column.name) for column in columns}


def _times(ms: NDArray[np.float64]) -> dict[str, float | None]:
    if not len(ms):
        return {"mean": None, "p99": None}
    return {"mean": round(float(np.mean(ms)), 3), "p99": round(float(np.quantile(ms, 0.99)), 3)}


bench_policy = Agreement.command()
