"""A sample of a seat's decisions, for measuring what a policy states about them."""

from __future__ import annotations

from collections.abc import Iterator
from zlib import crc32

from bot.deciding.ask import ask
from bot.replay.decisions import DecisionPoint, decision_points
from engine.model.actions import WINS
from engine.model.budget import Budget
from engine.policy.decision import Decider, Decision
from protocol.logs.game_log import GameLog


def sampled_decisions(
    game: GameLog, seat: int, decider: Decider, nodes: int, share: float
) -> Iterator[tuple[DecisionPoint, Decision]]:
    """Yield a share of a seat's decisions, selected by a hash of the game's id and their place.

    Decisions with a single answer, and those in which a win is possible, are left out; so are those of which the policy
    states no worth of a point, or weighs a single action. States are live: copy what has to be kept.
    """
    hand = -1
    for point in decision_points(game, seat, faults=[]):
        if point.place.hand != hand:
            decider.start_kyoku()
            hand = point.place.hand
        place = f"{game.info.log_id or game.source}/{seat}/{point.place.event}"
        if len(point.legal) < 2 or crc32(place.encode()) >= share * 2**32:
            continue
        if any(action.kind in WINS for action in point.legal):
            continue
        decision = ask(decider, point.state, point.legal, Budget(nodes)).decision
        if decision.per_point > 0 and len(decision.candidates) > 1:
            yield point, decision
