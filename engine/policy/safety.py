"""Safety of a tile: what players call it, and the grounds that state it.

What a tile is called (genbutsu, suji, no chance, …) follows from the table. The chances are those of the danger
estimator, or of the plain tables, by which the decision is made.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from engine.model.seats import others, relative
from engine.model.tiles import HONOURS
from engine.opponents.danger import Danger
from engine.opponents.facts import Opponent
from engine.policy.grounds import Figure, Ground, GroundKind, ground
from engine.policy.scene import Scene
from engine.rules.table_kernels import OPEN, RIICHI

LIKELY_TENPAI: Final = 0.25
"""Chance to be tenpai from which an opponent not in riichi is named among those that a tile may deal in to. A guess; it
changes no decision."""


class Risk(NamedTuple):
    """The risk of a tile against one opponent.

    Attributes:
        seat: absolute seat of the opponent.
        tenpai: chance that the opponent is tenpai, 0-1.
        chance: chance that the tile deals in to this opponent, 0-1.
    """

    seat: int
    tenpai: float
    chance: float


def safety(scene: Scene, tile34: int) -> dict[int, Ground]:
    """By absolute seat of the opponents, what players call the safety of the kind against them."""
    return {seat: _safety(scene.genbutsu[seat], scene.facts.unseen, tile34) for seat in others(scene.state.seat)}


def risks_of(danger: Danger, viewer: int, tile34: int) -> list[Risk]:
    """The risk of a kind against each opponent, from a danger estimate."""
    return [Risk(seat, float(danger.p_tenpai[seat]), float(danger.p_deal_in[seat, tile34])) for seat in others(viewer)]


def deal_in(scene: Scene, tile34: int, tile: str, chance: float, points: float, risks: Iterable[Risk]) -> Ground | None:
    """The danger of a tile, with the share of each opponent in riichi or likely to be tenpai; None if there is none.

    Args:
        scene: scene of the decision.
        tile34: the kind.
        tile: the tile as text; a red five is ``'0m'``.
        chance: chance that it deals in to anyone, 0-1.
        points: mean points lost if it does.
        risks: risk against each opponent.
    """
    viewer = scene.state.seat
    stances = {each.seat: each for each in scene.opponents}
    names = safety(scene, tile34)
    named = [one for one in risks if stances[one.seat].stance == RIICHI or one.tenpai >= LIKELY_TENPAI]
    named.sort(key=lambda one: (-one.chance, stances[one.seat].stance, relative(one.seat, viewer)))
    against = tuple(_against(one, stances[one.seat], relative(one.seat, viewer), names[one.seat]) for one in named)
    if not against:
        return None
    if chance <= 0.0:
        return ground(GroundKind.SAFE, tile=tile, against=against)
    return ground(GroundKind.DEAL_IN, tile=tile, chance=float(chance), points=float(points), against=against)


def _against(risk: Risk, opponent: Opponent, seat: int, called: Ground) -> Ground:
    if opponent.stance == RIICHI:
        return ground(GroundKind.AGAINST_RIICHI, seat=seat, chance=risk.chance, safety=called)
    figures: dict[str, Figure] = {"seat": seat, "chance": risk.chance, "tenpai": risk.tenpai, "safety": called}
    if opponent.stance == OPEN:
        return Ground(GroundKind.AGAINST_OPEN, {**figures, "melds": opponent.called})
    return Ground(GroundKind.AGAINST_CLOSED, figures)


def _safety(safe: int, unseen: Sequence[int], tile34: int) -> Ground:
    """The safety of a kind against an opponent; ``safe`` is the bit set of the opponent's genbutsu."""
    if safe >> tile34 & 1:
        return ground(GroundKind.GENBUTSU)
    if tile34 >= HONOURS:
        return ground(GroundKind.HONOUR, unseen=unseen[tile34])
    number = tile34 % 9
    sides = []  # the two-sided waits that could win on it: (furiten tile, the two tiles held)
    if number >= 3:
        sides.append((tile34 - 3, (tile34 - 1, tile34 - 2)))
    if number <= 5:
        sides.append((tile34 + 3, (tile34 + 1, tile34 + 2)))
    live = [held for partner, held in sides if not safe >> partner & 1]
    if not live:
        return ground(GroundKind.SUJI)
    fewest = max(min(unseen[kind] for kind in held) for held in live)
    if fewest == 0:
        return ground(GroundKind.NO_CHANCE)
    if fewest == 1:
        return ground(GroundKind.ONE_CHANCE)
    return ground(GroundKind.HALF_SUJI if len(live) < len(sides) else GroundKind.NO_SUJI)
