"""Bonus tiles and possible discards of a position, for evaluators that do not search."""

from collections.abc import Sequence
from operator import itemgetter
from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine.model.actions import ActionKind
from engine.model.rules import RIICHI_STICK, RIICHI_WALL
from engine.model.tiles import KINDS, RED_FIVES, dora34, dora_among
from engine.scoring import hand_flags, pack_melds
from engine.search.evaluator import Choice, Evaluation, Worth, discarding
from engine.search.position import Position
from engine.search.win_kernels import Circumstances
from engine.shanten import discard_shanten
from engine.shanten.tables import hand_tables

RON: Final = 2.0
"""How much likelier a win becomes because the last tile may be won by ron. A guess: three others discard, but each of
them a tile that completes a hand less often than chance would have it."""

_by_value: Final = itemgetter(Worth._fields.index("value"))


def dora_by_kind(position: Position) -> NDArray[np.int64]:
    """For each ``tile34``, how many dora one tile of it is."""
    return np.array(dora34(position.dora_indicators), np.int64)


def reds_by_kind(position: Position) -> NDArray[np.int64]:
    """For each ``tile34``, 1 if the red five of it is among the concealed tiles."""
    found = np.zeros(KINDS, np.int64)
    if position.rules.red_fives:
        for red in RED_FIVES:
            if red in position.concealed:
                found[red >> 2] = 1
    return found


def melds_bonus(position: Position) -> int:
    """Number of dora and red fives in the melds."""
    tiles = [tile for meld in position.melds for tile in meld.tiles]
    return dora_among(tiles, dora34(position.dora_indicators), position.rules.red_fives)


def circumstances(position: Position) -> Circumstances:
    """The circumstances of a win at the position: everything but its concealed tiles."""
    flags = hand_flags(position.seat_wind, position.round_wind, position.rules)
    return Circumstances(
        pack_melds(position.melds), 4 - len(position.melds), flags, position.closed, melds_bonus(position),
        position.on_the_table, dora_by_kind(position), reds_by_kind(position), hand_tables(),
    )  # fmt: skip


def seed_of(position: Position) -> int:
    """A seed that depends on the tiles alone, so that equal positions draw equal tiles."""
    seed = 0
    for tile in position.concealed:
        seed = seed * 137 + tile + 1
    return (seed ^ sum(position.unseen) << 40) % (1 << 63)


def may_declare_riichi(position: Position) -> bool:
    """Whether the rules allow riichi with a discard that leaves the hand tenpai."""
    return (
        not position.riichi
        and position.points >= RIICHI_STICK
        and position.wall_left >= RIICHI_WALL
        and not position.kuikae
        and position.closed
    )


def furiten_kinds(position: Position) -> int:
    """Bit set of the kinds on which a ron is furiten: the own river, and every wait of a furiten hand of 13 tiles."""
    if position.to_discard or not position.is_furiten():
        return position.river_mask
    return position.river_mask | position.waits()


def discards_of(position: Position) -> list[int]:
    """The kinds that may be discarded, ascending."""
    return [kind for kind, held in enumerate(position.counts) if held and not position.kuikae >> kind & 1]


def discard_choices(position: Position) -> list[Choice]:
    """The discards that the rules allow, each followed by riichi with it if that may be declared."""
    riichi = may_declare_riichi(position)
    after = discard_shanten(position.counts, len(position.melds)) if riichi else []
    found = []
    for kind in discards_of(position):
        found.append(discarding(ActionKind.DISCARD, kind))
        if riichi and after[kind] == 0:
            found.append(discarding(ActionKind.RIICHI, kind))
    return found


def by_discard(evaluator: str, position: Position, values: Sequence[float], riichi: float) -> Evaluation:
    """The evaluation of an evaluator that values hands of 13 tiles.

    Args:
        evaluator: its name.
        position: with or without a tile to discard.
        values: value of the hand without a tile of each ``tile34``, and last of the hand as it is.
        riichi: what a riichi is worth besides the hand that it leaves; more than nothing, as it is always declared.
    """
    if not position.to_discard:
        return Evaluation(evaluator, (Worth(Choice(ActionKind.PASS), values[KINDS]),), shanten=position.shanten)
    found = [
        Worth(choice, values[choice.tile34] + (riichi if choice.kind is ActionKind.RIICHI else 0.0))
        for choice in discard_choices(position)
    ]
    found.sort(key=_by_value, reverse=True)
    return Evaluation(evaluator, tuple(found), shanten=position.shanten, nodes=len(found))
