"""How a hand ends when we fold: chances and points of every ending in which we neither win nor pay for a discard.

A small logistic model on top of a danger estimate, fitted with the network on recorded games: which opponent wins (or
nobody, and who is tenpai then), by self-draw or from whom, for how many points.
"""

import json
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from engine.model.rules import RIICHI_STICK
from engine.model.seats import SEATS, others
from engine.opponents.danger import Danger
from engine.opponents.facts import opponents
from engine.rules.table_kernels import RIICHI
from engine.scoring.payments import noten_deltas
from engine.state import GameState
from engine.tables import ShippedFile, numbers

Doubles = NDArray[np.float64]
FILE: Final = ShippedFile("engine.opponents", "outcomes.json", "oshihiki train outcomes LOG…")

WALLS: Final = 10
"""Steps of the wall: tiles left // 7, where 70 counts as 69."""
SCENARIOS: Final = 17
"""Three self-draws, six rons among the others, eight exhaustive draws."""


@dataclass(frozen=True)
class OutcomeTables:
    """The fitted figures; the first axis is the opponent's stance: riichi, open, closed."""

    win: Doubles  # (3, WALLS) log-odds of winning, relative to nobody winning, for an opponent that is certainly tenpai
    tenpai: Doubles  # (3,) added for each unit of the log-odds of being tenpai; 0 for riichi
    dealer: float  # added for the dealer
    rivals: Doubles  # (3,) added for each of the two others in riichi
    tsumo: Doubles  # (3, WALLS) share of self-draws among the wins
    pays: Doubles  # (3,) weight of a player as the one who deals in to another opponent
    points: Doubles  # (3, 2) mean points of a self-draw and of a ron, relative to the danger estimate's mean loss
    end_tenpai: Doubles  # (3, WALLS) log-odds of being tenpai at the exhaustive draw
    end_slope: Doubles  # (3,) added to it for each unit of the log-odds of being tenpai now


@dataclass(frozen=True)
class Outcomes:
    """The endings and their chances."""

    chances: Doubles  # (SCENARIOS,), summing to 1
    # (SCENARIOS, 4) change of points by absolute seat, including honba and the riichi sticks on the table
    deltas: Doubles


@cache
def outcome_tables() -> OutcomeTables:
    """The tables shipped with the package."""
    with FILE.reading():
        return tables_of(json.loads(FILE.contents())["tables"])


def outcomes_digest() -> str:
    """The digest of their file."""
    return FILE.digest()


def tables_of(values: dict[str, Any]) -> OutcomeTables:
    """Create tables from plain values."""
    arrays = {name: numbers(value) for name, value in values.items() if name != "dealer"}
    return OutcomeTables(dealer=float(values["dealer"]), **arrays)


def log_odds(chance: Any) -> Any:
    """Log-odds of a chance, which is clipped to a thousandth from 0 and 1."""
    held = np.clip(np.asarray(chance, np.float64), 1e-3, 1 - 1e-3)
    return np.log(held / (1 - held))


def wall_step(wall_left: int) -> int:
    """The step of the wall with that many tiles left."""
    return min(wall_left // 7, WALLS - 1)


def fold_outcomes(state: GameState, danger: Danger) -> Outcomes:
    """How the hand ends from here if the viewer folds.

    Args:
        state: the viewer's state at any moment of a hand.
        danger: estimate for that state.
    """
    t = outcome_tables()
    found = opponents(state)
    wall = wall_step(state.wall_left)
    riichi = [each.stance == RIICHI for each in found]
    tenpai = log_odds(danger.p_tenpai)
    scores = [0.0]
    at_end = []
    for at, each in enumerate(found):
        sure = 0.0 if riichi[at] else float(tenpai[each.seat])
        score = t.win[each.stance, wall] + t.tenpai[each.stance] * sure + t.dealer * each.dealer
        scores.append(float(score + t.rivals[each.stance] * (sum(riichi) - riichi[at])))
        end = t.end_tenpai[each.stance, wall] + t.end_slope[each.stance] * sure
        at_end.append(1.0 if riichi[at] else float(1.0 / (1.0 + np.exp(-end))))
    shares = np.exp(np.array(scores) - max(scores))
    shares /= shares.sum()
    chances, deltas = np.zeros(SCENARIOS), np.zeros((SCENARIOS, 4))
    honba = state.honba * state.rules.honba_points
    sticks = RIICHI_STICK * state.riichi_sticks
    worth = mean_losses(danger, honba)
    row = 0
    for at, each in enumerate(found):
        rate, winner = t.tsumo[each.stance, wall], each.seat
        chances[row] = shares[1 + at] * rate
        deltas[row] = _tsumo(state, winner, float(worth[winner] * t.points[each.stance, 0]))
        row += 1
        first, second = payers = found[:at] + found[at + 1 :]
        paid = float(worth[winner] * t.points[each.stance, 1]) + honba
        total = t.pays[first.stance] + t.pays[second.stance]
        for payer in payers:
            chances[row] = shares[1 + at] * (1.0 - rate) * (t.pays[payer.stance] / total)
            deltas[row, payer.seat], deltas[row, winner] = -paid, paid + sticks
            row += 1
    np.rint(deltas[:row], out=deltas[:row])
    chances[row:] = shares[0] * np.where(_READY, at_end, 1.0 - np.array(at_end)).prod(axis=1)
    deltas[row:] = noten_deltas()[_READY @ (1 << np.array(others(state.seat)))]
    return Outcomes(chances, deltas + 0.0)  # no negative zeros


_READY: Final = np.array([[some >> at & 1 for at in range(3)] for some in range(8)], np.bool_)
"""(8, 3): which of the opponents are tenpai at each of the exhaustive draws."""


def mean_losses(danger: Danger, honba: int) -> Doubles:
    """(4,) mean points of a ron by each seat, without honba; 0 if none is possible."""
    total = danger.p_deal_in.sum(axis=1)
    whole = (danger.p_deal_in * (danger.loss - honba)).sum(axis=1)
    found: Doubles = np.divide(whole, total, out=np.zeros(4), where=total > 0)
    return found


def _tsumo(state: GameState, winner: int, points: float) -> list[float]:
    """Payments of a self-draw worth ``points``, not rounded because it is a mean."""
    gains = [0.0] * 4
    for seat in SEATS:
        if seat != winner:
            share = 1 / 3 if winner == state.dealer else 0.5 if seat == state.dealer else 0.25
            gains[seat] = -points * share - state.honba * state.rules.honba_points / 3
    gains[winner] = -sum(gains) + RIICHI_STICK * state.riichi_sticks
    return gains
