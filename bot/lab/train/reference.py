"""``oshihiki train reference``: how players of the two strongest rooms fare in audits, counted on recorded games."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from statistics import fmean, stdev
from typing import Annotated, Any, ClassVar, Final

import numpy as np
import typer

from bot.commands import names
from bot.commands.options import WHO, Nodes
from bot.deciding.players import PlayerSpec
from bot.lab.experiment import Measured
from bot.lab.grading import KeptScore
from bot.lab.seats import Seat, games_to_judge_by
from bot.lab.training import JsonCard, Logs, Out, hand_over, rendered
from bot.machine.errors import InputError
from bot.machine.outlet import error_screen
from bot.machine.outputs import Outputs
from bot.machine.preparation import warm_up
from bot.machine.values import from_json, to_json
from bot.replay.decisions import Fault
from bot.review.measure import MEASURE, POINTS, percentile, shown_unit
from bot.review.verdicts import Category, Judge, Judgement, Score, score, total
from engine.model.rules import Rules
from engine.model.seats import SEATS
from engine.rules.recordings import Split
from protocol.logs.game_log import LogInfo
from protocol.tenhou.game_type import Room

ROOMS: Final = {Room.UPPER_DAN: "upper", Room.PHOENIX: "phoenix"}
"""The two strongest rooms, by the bits of a game's type."""
ONE_IN: Final = {"mistake": 20, "blunder": 250}
"""In how many judged decisions a phoenix player loses so much once: what a mistake is, and a blunder. Measured with
``bench grades``: with one in a hundred, what blunders cost was not certainly more than what mistakes did."""
STEPS: Final = (30, 50, 100, 200, 300, 500, 700, 1_000, 1_500, 2_000, 3_000, 5_000)
"""Losses in points whose number the table states."""


@dataclass(frozen=True, kw_only=True)
class CountReference(Measured[Seat, "PlayerGame"]):
    """Count how players of the phoenix and the upper-dan room fare in audits: what they lose, and how often how much.

    One seat of each game is judged as `oshihiki audit` does it, in games held back by their log id, on which no table or
    network was fitted. Audits show the percentiles and grade differences by the bounds that come of it.

    Examples:
      oshihiki train reference houou-hanchan-00.tar.xz tokujou-hanchan-00.tar.xz --journal reference.journal --out reference.json
      oshihiki train reference logs/ --games 20 --nodes 2000 --json
    """  # noqa: E501 - an example is one line

    journal_of: ClassVar = "reference"

    paths: Logs
    out: Out = None
    games: Annotated[int, typer.Option("--games", min=1, help="Number of games of each room and length.")] = 200
    policy: Annotated[str, typer.Option("--policy", help=WHO, autocompletion=names.policies)] = "value"
    nodes: Nodes = None
    json: JsonCard = False

    @property
    def judge(self) -> PlayerSpec:
        """The policy that judges."""
        return PlayerSpec.parse(self.policy)

    def source(self) -> Iterator[Seat]:
        """One seat of each of the first games of each room and length that are held back and whole."""
        taken: Counter[str] = Counter()
        for log, split in games_to_judge_by(self.paths, error_screen(), every_game=False):
            table = table_name(log.info, log.start.rules)
            whole = log.viewer is None and log.complete and split is Split.TEST
            if table and whole and taken[table] < self.games:
                taken[table] += 1
                yield Seat(log, seat_of(log.info.log_id), table)

    def key(self, work: Seat) -> str:
        """The id of the log."""
        return work.log.info.log_id

    def order(self) -> dict[str, Any]:
        """The judge."""
        settings = dict(self.judge.make(0).settings())
        return {"policy": self.judge.name, "settings": settings, "nodes": self.nodes, "measure": MEASURE}

    def read(self, line: dict[str, Any]) -> tuple[str, PlayerGame]:
        """A game of the journal."""
        return str(line["log"]), from_json(PlayerGame, line)

    def line(self, key: Any, piece: PlayerGame) -> Mapping[str, Any]:  # noqa: ARG002 - it is in the fields
        """A game as the journal keeps it."""
        return to_json(piece)

    def measure(self, work: Seat) -> PlayerGame | None:
        """The judged game; None if its log cannot be followed to the end."""
        decider, judge = self.judge.make(0), Judge()
        faults: list[Fault] = []
        judged: list[Judgement] = []
        unit = ""
        for point, decision in work.decisions(decider, self.nodes, faults=faults):
            judged.append(judge.judge(point, decision))
            unit = unit or decision.unit
        if faults:
            return None
        by_category = {each: score(one for one in judged if one.category is each) for each in Category}
        return PlayerGame(
            self.key(work),
            work.side,
            {each: one for each, one in by_category.items() if one.decisions},
            tuple(one.loss for one in judged if one.loss and one.disputed is None),
            tuple(one.loss for one in judged if one.loss and one.disputed is not None),
            shown_unit(unit),
        )

    def run(self) -> None:
        """Judge, and write or print the table."""
        Outputs("--journal", self.paths, self.journal)
        outputs = Outputs("--out", [*self.paths, self.journal], self.out)
        hand_over(self.figures(), self.out, outputs, json=self.json)

    def figures(self) -> dict[str, Any]:
        """The table's card, bounds and rooms."""
        if self.judge.program:
            raise InputError("--policy: a program values no actions; name a policy")
        warm_up(error_screen(), self.judge.needs)
        found = self.measure_all()
        if not found:
            raise InputError("none of these games is held back and from the phoenix or the upper-dan room")
        found.sort(key=lambda one: one.log)
        return reference_of(found, self.order(), [path.name for path in self.paths])

    def show(self, figures: dict[str, Any]) -> None:
        """Print the table's text."""
        typer.echo(rendered(figures))


@dataclass(frozen=True, slots=True)
class PlayerGame:
    """The judged decisions of one seat of one game."""

    log: str  # id of the log
    table: str  # what was played where, as :func:`table_name` says
    scores: Mapping[Category, KeptScore]  # the score of each category of decisions that occurred
    losses: tuple[float, ...]  # what each difference cost that search and network agree on, in order of play
    disputed: tuple[float, ...]  # what the others cost
    unit: str  # what the losses count

    @property
    def score(self) -> Score:
        """The score of all decisions."""
        return sum(self.scores.values(), Score())


def table_name(info: LogInfo, rules: Rules) -> str:
    """The room and the length, ``'phoenix hanchan'``; "" for other rooms."""
    room = ROOMS.get(Room((info.game_type or 0) & Room.PHOENIX))
    return f"{room} {'hanchan' if rules.hanchan else 'tonpu'}" if room else ""


def seat_of(log_id: str) -> int:
    """The seat of a game that is counted: one of four, by a hash of the id, so that all games are independent."""
    return blake2b(log_id.encode(), digest_size=1, salt=b"seat").digest()[0] % len(SEATS)


def reference_of(found: Sequence[PlayerGame], judge: Mapping[str, Any], sources: Sequence[str]) -> dict[str, Any]:
    """The table's file.

    Args:
        found: the judged games.
        judge: the judge: policy, settings, nodes.
        sources: names of the archives.
    """
    groups = {name: [one for one in found if one.table == name] for name in sorted({one.table for one in found})}
    least = _bounds([one for one in found if one.table.startswith("phoenix")] or found)
    return {
        "card": {
            "what": "losses of single games by one player, and how often differences cost how much",
            "made_by": "oshihiki train reference",
            "sources": list(sources),
            "unit": next((one.unit for one in found if one.unit), POINTS),
            "games": {name: len(games) for name, games in groups.items()},
            "bounds": "undisputed losses that phoenix players reach once in so many judged decisions, in tens",
            "one_in": dict(ONE_IN),
            "ranks_as_losses": _ranks(groups, least),
            "judge": dict(judge),
        },
        "bounds": least,
        "tables": {name: _table(games, least) for name, games in groups.items()},
    }


def _ranks(groups: Mapping[str, Sequence[PlayerGame]], least: Mapping[str, float]) -> dict[str, float]:
    """How other figures of a seat rank the seats, as correlations with the ranks by what was lost in 100 decisions."""
    seats = [(one, one.score.per_hundred or 0.0) for games in groups.values() for one in games]
    among = {name: sorted(one.score.per_hundred or 0.0 for one in games) for name, games in groups.items()}
    figures: dict[str, list[float]] = {
        "percentile": [percentile(among[one.table], lost) for one, lost in seats],
        "agreement": [one.score.agreement or 0.0 for one, _ in seats],
        "mistakes and blunders in 100 decisions": [
            sum(loss >= least["mistake"] for loss in one.losses) / max(1, one.score.judged) for one, _ in seats
        ],
    }
    losses = [lost for _, lost in seats]
    return {name: round(rank_correlation(figure, losses), 3) for name, figure in figures.items()}


def rank_correlation(one: Sequence[float], other: Sequence[float]) -> float:
    """Spearman's correlation of ranks; equal values share the mean of their ranks. 0 where all values are equal."""
    ranks = []
    for values in (one, other):
        ordered = np.sort(values)
        both = np.searchsorted(ordered, values, "left") + np.searchsorted(ordered, values, "right")
        ranks.append(both - both.mean())
    spread = float(np.sqrt((ranks[0] ** 2).sum() * (ranks[1] ** 2).sum()))
    return float((ranks[0] * ranks[1]).sum()) / spread if spread else 0.0


def _bounds(found: Sequence[PlayerGame]) -> dict[str, float]:
    losses = sorted((loss for one in found for loss in one.losses), reverse=True)
    judged = total(one.score for one in found).judged
    reached = {name: losses[min(judged // often, len(losses) - 1)] if losses else 0.0 for name, often in ONE_IN.items()}
    return {name: _bound(loss) for name, loss in reached.items()}


def _bound(loss: float) -> float:
    """A loss in tens that is no multiple of 50, as the policy's constants are: none of them makes a grade by itself."""
    found = 10.0 * round(loss / 10.0)
    return found + 10.0 if found % 50.0 == 0.0 else found


def _table(games: Sequence[PlayerGame], least: Mapping[str, float]) -> dict[str, Any]:
    each_lost = sorted(round(one.score.per_hundred) for one in games if one.score.per_hundred is not None)
    losses = [loss for one in games for loss in one.losses]
    mistakes, blunders = (sum(loss >= bound for loss in losses) for bound in (least["mistake"], least["blunder"]))
    return {
        "games": len(games),
        **_shares(total(one.score for one in games)),
        "grades": {
            "blunder": blunders,
            "mistake": mistakes - blunders,
            "inaccuracy": len(losses) - mistakes + sum(len(one.disputed) for one in games),
        },
        "at_least": {str(step): sum(loss >= step for loss in losses) for step in STEPS},
        "mean": round(fmean(each_lost), 1),
        "sd": round(stdev(each_lost), 1) if len(each_lost) > 1 else 0.0,
        "categories": {
            each.value: _shares(total(one.scores[each] for one in games if each in one.scores))
            for each in Category
            if any(each in one.scores and one.scores[each].judged for one in games)
        },
        "per_hundred": each_lost,
    }


def _shares(score: Score) -> dict[str, Any]:
    return {
        "judged": score.judged,
        "same": score.same,
        "differences": score.differences,
        "agreement": None if score.agreement is None else round(score.agreement, 4),
        "per_hundred": None if score.per_hundred is None else round(score.per_hundred, 1),
        "lost": round(score.lost),
    }


reference = CountReference.command()
