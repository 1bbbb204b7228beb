"""How one player fared in one recorded game, as a judge sees it: what the reference is counted from."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any, Final, Self

from bot.audit.rating import Score, score
from bot.audit.sources import read_recording
from bot.audit.units import shown_unit
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
