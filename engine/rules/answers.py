"""Between the answers of :mod:`engine.rules.answer_kernels`, which are numbers, and actions."""

from bisect import bisect_right
from collections.abc import Iterable
from typing import Final

from engine.model.actions import NINE_TERMINALS, PASS, Action, ActionKind
from engine.model.tiles import KINDS, RED_FIVES, tile37_of
from engine.rules import answer_kernels as numbers
from engine.rules.table_kernels import DRAWN, Table

_PAIRS: Final = ((1, 2), (-1, 1), (-2, -1))
"""What a chi needs beside the called kind, which is its lowest, middle or highest."""


def number_of(action: Action, drawn: int | None, red_fives: bool = True) -> int:
    """The answer that an action is, physical tiles included.

    Args:
        action: the action.
        drawn: the tile that the seat has just drawn, None for none.
        red_fives: whether the table has red fives.
    """
    kind, tile = action.kind, action.tile
    if kind in _DISCARDS:
        if tile == drawn:
            return _DISCARDS[kind] + numbers.THE_DRAWN
        return _DISCARDS[kind] + tile37_of(tile, red_fives) | tile + 1 << numbers.FIRST_TILE
    if kind is ActionKind.CHI or kind is ActionKind.PON:
        red = red_fives and any(own in RED_FIVES for own in action.own)
        place = sum(own >> 2 < tile >> 2 for own in action.own)
        first = numbers.CHI + 2 * place if kind is ActionKind.CHI else numbers.PON
        low, high = action.own
        return first + red | low + 1 << numbers.FIRST_TILE | high + 1 << numbers.SECOND_TILE
    if kind is ActionKind.ANKAN or kind is ActionKind.KAKAN:
        return numbers.KAN + (tile >> 2)
    return _ALONE[kind]


_DISCARDS: Final = {ActionKind.DISCARD: numbers.DISCARD, ActionKind.RIICHI: numbers.RIICHI}
_ALONE: Final = {
    ActionKind.DAIMINKAN: numbers.OPEN_KAN,
    ActionKind.PASS: numbers.PASS,
    ActionKind.NINE_TERMINALS: numbers.NINE,
    ActionKind.TSUMO: numbers.WIN,
    ActionKind.RON: numbers.WIN,
}


def legal_numbers(legal: Iterable[int]) -> list[int]:
    """The answers of four bit sets, ascending."""
    return [
        first + bit
        for first, word in zip(numbers.WORD_FIRST, map(int, legal), strict=True)
        for bit in range(word.bit_length())
        if word >> bit & 1
    ]


def words_of(answers: Iterable[int]) -> list[int]:
    """The four bit sets of some answers."""
    words = [0] * numbers.WORDS
    for answer in answers:
        at = bisect_right(numbers.WORD_FIRST, answer) - 1
        words[at] |= 1 << answer - numbers.WORD_FIRST[at]
    return words


def action_of(table: Table, seat: int, number: int) -> Action:
    """The action that a legal answer without physical tiles is, with the lowest copies that look like it."""
    if number < numbers.KAN:
        kind = ActionKind.DISCARD if number < numbers.RIICHI else ActionKind.RIICHI
        return Action(kind, _tile_of(table, seat, number % numbers.RIICHI))
    if number < numbers.CHI:
        of_kind = number - numbers.KAN
        if table.counts[seat, of_kind] == 4:
            return Action(ActionKind.ANKAN, 4 * of_kind)
        return Action(ActionKind.KAKAN, _copies(table, seat, of_kind)[0])
    tile = int(table.offered)
    if number < numbers.OPEN_KAN:
        return Action(ActionKind.CHI if number < numbers.PON else ActionKind.PON, tile, _own_pair(table, seat, number))
    if number == numbers.WIN:
        return Action(ActionKind.TSUMO, int(table.drawn)) if table.phase == DRAWN else Action(ActionKind.RON, tile)
    if number == numbers.OPEN_KAN:
        return Action(ActionKind.DAIMINKAN, tile)
    return PASS if number == numbers.PASS else NINE_TERMINALS


def _copies(table: Table, seat: int, kind: int) -> list[int]:
    return [4 * kind + copy for copy in range(4) if table.copies[seat, kind] >> copy & 1]


def _of_look(table: Table, seat: int, tile37: int) -> list[int]:
    """Held tiles that look so, lowest first."""
    if tile37 >= KINDS:
        return [RED_FIVES[tile37 - KINDS]]
    reds = RED_FIVES if table.red_fives else ()
    return [tile for tile in _copies(table, seat, tile37) if tile not in reds]


def _tile_of(table: Table, seat: int, look: int) -> int:
    if look == numbers.THE_DRAWN:
        return int(table.drawn)
    return next(tile for tile in _of_look(table, seat, look) if tile != table.drawn)


def _own_pair(table: Table, seat: int, number: int) -> tuple[int, ...]:
    kind = int(table.offered) >> 2
    if number >= numbers.PON:
        plain = _of_look(table, seat, kind)
        return (RED_FIVES[kind // 9], plain[0]) if number > numbers.PON else (plain[0], plain[1])
    place, red = divmod(number - numbers.CHI, 2)
    return tuple(
        RED_FIVES[own // 9] if red and own % 9 == 4 else _of_look(table, seat, own)[0]
        for own in (kind + away for away in _PAIRS[place])
    )
