"""Counts the table of :mod:`bot.audit.measure`: how a player fared in each recorded game, as a judge sees it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from statistics import fmean, stdev
from typing import Any, Final, Self

from bot.audit.measure import POINTS, REBUILD, shown_unit
from bot.audit.rating import Score, score, total
from bot.audit.sources import read_recording
from bot.audit.verdicts import Category, Judgement, judge
from bot.deciding.ask import ask
from bot.replay.decisions import Fault
from engine.model.budget import Budget
from engine.model.events import Event, Resume, StartKyoku
from engine.model.rules import Rules
from engine.model.seats import SEATS
from engine.policy.decision import Decider
from protocol.errors import LogError
from protocol.logs.formats import LogFile
from protocol.logs.game_log import LogInfo
from protocol.tenhou.game_type import Room

ROOMS: Final = {Room.UPPER_DAN: "upper", Room.PHOENIX: "phoenix"}
"""The two strongest rooms, by the bits of a game's type."""
DIGITS: Final = 1
"""Decimals with which losses are kept."""
ONE_IN: Final = {"mistake": 20, "blunder": 100}
"""In how many judged decisions a phoenix player loses so much once: what a mistake is, and a blunder."""
STEPS: Final = (30, 50, 100, 200, 300, 500, 700, 1_000, 1_500, 2_000, 3_000, 5_000)
"""Losses in points whose number the table states."""


@dataclass(frozen=True, slots=True)
class PlayerGame:
    """The judged decisions of one seat of one game.

    Attributes:
        log: id of the log.
        table: what was played where, as :func:`table_name` says.
        scores: the score of each category of decisions that occurred.
        losses: what each difference cost, in order of play.
        unit: what the losses count.
    """

    log: str
    table: str
    scores: Mapping[Category, Score]
    losses: tuple[float, ...]
    unit: str

    @property
    def score(self) -> Score:
        """The score of all decisions."""
        return sum(self.scores.values(), Score())

    def fields(self) -> dict[str, Any]:
        """As a journal keeps it."""
        return {
            "log": self.log,
            "table": self.table,
            "unit": self.unit,
            "scores": {
                name.value: [one.decisions, one.judged, one.same, one.equal, round(one.lost, 3), round(one.stake, 3)]
                for name, one in self.scores.items()
            },
            "losses": [round(loss, DIGITS) for loss in self.losses],
        }

    @classmethod
    def of(cls, fields: Mapping[str, Any]) -> Self:
        """The inverse of :meth:`fields`."""
        scores = {Category(name): Score(*parts) for name, parts in fields["scores"].items()}
        losses = tuple(map(float, fields["losses"]))
        return cls(str(fields["log"]), str(fields["table"]), scores, losses, str(fields["unit"]))


def table_name(info: LogInfo, rules: Rules) -> str:
    """What was played where, ``'phoenix hanchan'``; "" if it was in neither of the two rooms."""
    room = ROOMS.get(Room((info.game_type or 0) & Room.PHOENIX))
    return f"{room} {'hanchan' if rules.hanchan else 'tonpu'}" if room else ""


def seat_of(log_id: str) -> int:
    """The seat of a game that is counted: one of four, by a hash of the id, so that all games are independent."""
    return blake2b(log_id.encode(), digest_size=1, salt=b"seat").digest()[0] % len(SEATS)


def player_game(file: LogFile, seat: int, fresh: Callable[[], Decider], nodes: int | None = None) -> PlayerGame | None:
    """Judge every decision of a seat; None if the log cannot be followed to the end of its game.

    Args:
        file: the log.
        seat: absolute seat.
        fresh: creates the judge.
        nodes: bound on its search for each decision; None: its own.
    """
    try:
        recording = read_recording(file)
    except LogError:
        return None
    decider = fresh()

    def hear(event: Event, _seat: int) -> None:
        if isinstance(event, StartKyoku | Resume):
            decider.start_kyoku()

    faults: list[Fault] = []
    judged: list[Judgement] = []
    unit = ""
    for point in recording.points(seat, faults, hear):
        decision = ask(decider, point.state, point.legal, Budget(nodes=nodes)).decision
        judged.append(judge(point, decision))
        unit = unit or decision.unit
    if faults:
        return None
    by_category = {each: score(one for one in judged if one.category is each) for each in Category}
    return PlayerGame(
        recording.info.log_id,
        table_name(recording.info, recording.rules),
        {each: one for each, one in by_category.items() if one.decisions},
        tuple(one.loss for one in judged if one.loss),
        shown_unit(unit),
    )


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
            "what": "ratings of single games by one player, and how often differences cost how much",
            "made_by": REBUILD,
            "sources": list(sources),
            "unit": next((one.unit for one in found if one.unit), POINTS),
            "games": {name: len(games) for name, games in groups.items()},
            "bounds": "losses that phoenix players reach once in so many judged decisions, to one digit",
            "one_in": dict(ONE_IN),
            "judge": dict(judge),
        },
        "bounds": least,
        "tables": {name: _table(games, least) for name, games in groups.items()},
    }


def _bounds(found: Sequence[PlayerGame]) -> dict[str, float]:
    losses = sorted((loss for one in found for loss in one.losses), reverse=True)
    judged = total(one.score for one in found).judged
    return {
        name: float(f"{losses[min(judged // often, len(losses) - 1)]:.0e}") if losses else 0.0
        for name, often in ONE_IN.items()
    }


def _table(games: Sequence[PlayerGame], least: Mapping[str, float]) -> dict[str, Any]:
    ratings = sorted(round(one.score.rating, 1) for one in games if one.score.rating is not None)
    losses = [loss for one in games for loss in one.losses]
    mistakes, blunders = (sum(loss >= bound for loss in losses) for bound in (least["mistake"], least["blunder"]))
    return {
        "games": len(games),
        **_shares(total(one.score for one in games)),
        "grades": {"blunder": blunders, "mistake": mistakes - blunders, "inaccuracy": len(losses) - mistakes},
        "at_least": {str(step): sum(loss >= step for loss in losses) for step in STEPS},
        "mean": round(fmean(ratings), 2),
        "sd": round(stdev(ratings), 2) if len(ratings) > 1 else 0.0,
        "categories": {
            each.value: _shares(total(one.scores[each] for one in games if each in one.scores))
            for each in Category
            if any(each in one.scores and one.scores[each].judged for one in games)
        },
        "ratings": ratings,
    }


def _shares(score: Score) -> dict[str, Any]:
    return {
        "judged": score.judged,
        "same": score.same,
        "differences": score.differences,
        "agreement": None if score.agreement is None else round(score.agreement, 4),
        "rating": None if score.rating is None else round(score.rating, 2),
        "lost": round(score.lost),
    }
