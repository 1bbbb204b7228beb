"""The physical tiles that an answer names, or leaves to be chosen."""

from engine._jit import part
from engine.rules.answer_kernels import CHI, FIRST_TILE, KAN, NUMBER, OPEN_KAN, PON, RIICHI, SECOND_TILE, THE_DRAWN
from engine.rules.table_kernels import is_red
from engine.simulator.game_kernels import GameTable


@part
def holds_named(table: GameTable, seat: int, answer: int) -> bool:
    """Whether the tiles that a legal answer names are held and look as it says."""
    number = answer & NUMBER
    first = (answer >> FIRST_TILE & 255) - 1
    second = (answer >> SECOND_TILE & 255) - 1
    if number < KAN:
        look = number if number < RIICHI else number - RIICHI
        return second < 0 and holds(table, seat, first) and _look(table, first) == look
    if number < CHI:
        return second < 0 and holds(table, seat, first) and first >> 2 == number - KAN
    if number < OPEN_KAN:
        chosen = pair_of(table, seat, number, first, second)
        return first != second and chosen == (min(first, second) | max(first, second) << 8)
    return False


@part
def holds(table: GameTable, seat: int, tile: int) -> bool:
    """Whether a tile is one of those that a seat holds concealed."""
    return 0 <= tile < 136 and table.copies[seat, tile >> 2] >> (tile & 3) & 1 != 0


@part
def _look(table: GameTable, tile: int) -> int:
    """The discard that a held tile is: its ``tile37``, or THE_DRAWN."""
    if tile == table.drawn:
        return THE_DRAWN
    return 34 + tile // 36 if is_red(table, tile) else tile >> 2


@part
def lowest(table: GameTable, seat: int, kind: int, red: bool, besides: int) -> int:
    """The lowest copy held of a kind that is (or is not) the red five and not the tile ``besides``."""
    for tile in range(4 * kind, 4 * kind + 4):
        if tile != besides and holds(table, seat, tile) and is_red(table, tile) == red:
            return tile
    return -1


@part
def _of_look(table: GameTable, seat: int, kind: int, tile: int, red: bool, besides: int) -> int:
    """``tile`` if it is a held copy of the look asked for, else the lowest one."""
    if tile >= 0 and tile >> 2 == kind and tile != besides and holds(table, seat, tile) and is_red(table, tile) == red:
        return tile
    return lowest(table, seat, kind, red, besides)


@part
def pair_of(table: GameTable, seat: int, number: int, first: int, second: int) -> int:
    """The two tiles from the hand that a chi or pon uses: the lower one, and the higher one from bit 8."""
    kind = table.offered >> 2
    if number < PON:
        place = (number - CHI) >> 1
        red = (number - CHI) & 1 != 0
        low_kind = kind - place + int(place == 0)
        high_kind = kind - place + (1 if place == 2 else 2)
        low = _of_look(table, seat, low_kind, first, red and low_kind % 9 == 4, -1)
        high = _of_look(table, seat, high_kind, second, red and high_kind % 9 == 4, -1)
        return low | high << 8
    low = _of_look(table, seat, kind, first, number > PON, -1)
    high = _of_look(table, seat, kind, second, False, low)
    return min(low, high) | max(low, high) << 8
