"""Between the answers of :mod:`engine.rules.answer_kernels`, which are numbers, and actions."""

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from typing import Final

from engine.model.actions import NINE_TERMINALS, PASS, Action, ActionKind
from engine.model.events import Call
from engine.model.melds import MeldKind
from engine.model.tiles import KINDS, RED_FIVES, TILE34, TILE37, TILES, tile37_of
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
        return numbers.KAN + (tile >> 2) | tile + 1 << numbers.FIRST_TILE
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


# -- one seat's answers ----------------------------------------------------------------------------------------------

# Preallocated, because making one costs as much as the rest of an event.
DISCARD_OF: Final = tuple(Action(ActionKind.DISCARD, tile) for tile in range(TILES))
"""``DISCARD_OF[tile136]``."""
_RIICHI_OF: Final = tuple(Action(ActionKind.RIICHI, tile) for tile in range(TILES))
_CLAIMS: Final = (*range(numbers.OPEN_KAN - 1, numbers.CHI - 1, -1),)
"""A pon before a chi, one with a red five before one without, and a chi of the highest tile first."""


def looks_of(red_fives: bool) -> Sequence[int]:
    """How each ``tile136`` looks: its ``tile37``, or its ``tile34`` at a table without red fives."""
    return TILE37 if red_fives else TILE34


def own_actions(
    words: Sequence[int], hand: Sequence[int], drawn: int | None, pons: Iterable[int], red_fives: bool
) -> tuple[Action, ...]:
    """The legal answers of a seat in its own turn: a win first, the discards last, in the order of the hand.

    Args:
        words: their four bit sets.
        hand: ``tile136``, ascending.
        drawn: the tile that the seat has just drawn, None for none.
        pons: the kinds of its pons, oldest first.
        red_fives: whether the table has red fives.
    """
    discards, riichi, kans, others = words
    first: list[Action] = []
    if others:
        if others >> numbers.WIN - numbers.CHI & 1:
            first.append(Action(ActionKind.TSUMO, -1 if drawn is None else drawn))
        if others >> numbers.NINE - numbers.CHI & 1:
            first.append(NINE_TERMINALS)
    if riichi:
        first += _each_look(riichi, hand, drawn, red_fives, _RIICHI_OF)
    if kans:
        counts = [0] * KINDS
        for tile in hand:
            counts[tile >> 2] += 1
        first += [Action(ActionKind.ANKAN, 4 * kind) for kind in range(KINDS) if kans >> kind & 1 and counts[kind] == 4]
        first += [
            Action(ActionKind.KAKAN, next(tile for tile in hand if tile >> 2 == kind))
            for kind in pons
            if kans >> kind & 1
        ]
    return (*first, *_each_look(discards, hand, drawn, red_fives, DISCARD_OF))


def _each_look(
    word: int, hand: Sequence[int], drawn: int | None, red_fives: bool, action_of_tile: Sequence[Action]
) -> list[Action]:
    """The action with each tile that looks different, of those in a bit set, the drawn tile last and separate."""
    looks = looks_of(red_fives)
    actions = []
    last = -1
    for tile in hand:  # tiles are ascending, so copies that look the same are adjacent
        if tile != drawn and looks[tile] != last:
            last = looks[tile]
            if word >> last & 1:
                actions.append(action_of_tile[tile])
    if drawn is not None and word >> numbers.THE_DRAWN & 1:
        actions.append(action_of_tile[drawn])
    return actions


def has_discard(words: Sequence[int], action: Action, drawn: int | None, red_fives: bool) -> bool:
    """Whether a discard of a tile that the seat holds, with or without riichi, is among the answers of four bit sets.

    Args:
        words: the four bit sets.
        action: the discard; the words say nothing of copies that look like it.
        drawn: the tile that the seat has just drawn, None for none.
        red_fives: whether the table has red fives.
    """
    word = words[0] if action.kind is ActionKind.DISCARD else words[1]
    look = numbers.THE_DRAWN if action.tile == drawn else looks_of(red_fives)[action.tile]
    return word >> look & 1 != 0


def claim_actions(others: int, offered: int, hand: Sequence[int], red_fives: bool) -> tuple[Action, ...]:
    """The legal answers to a tile on offer, of the last of four bit sets; to pass is the last of them."""
    actions = []
    if others >> numbers.WIN - numbers.CHI & 1:
        actions.append(Action(ActionKind.RON, offered))
    if others >> numbers.OPEN_KAN - numbers.CHI & 1:
        actions.append(Action(ActionKind.DAIMINKAN, offered))
    for number in _CLAIMS:
        if others >> number - numbers.CHI & 1:
            kind = ActionKind.CHI if number < numbers.PON else ActionKind.PON
            actions.append(Action(kind, offered, _own_tiles(number, offered, hand, red_fives)))
    return (*actions, PASS)


def _own_tiles(number: int, offered: int, hand: Sequence[int], red_fives: bool) -> tuple[int, ...]:
    """The lowest two tiles of a hand with which a chi or pon is made."""
    looks = looks_of(red_fives)
    kind = offered >> 2
    if number >= numbers.PON:
        wanted, red = [kind, kind], number > numbers.PON
    else:
        place, odd = divmod(number - numbers.CHI, 2)
        wanted, red = [kind + away for away in _PAIRS[place]], odd == 1
    if red:
        five = next(at for at, own in enumerate(wanted) if own < 27 and own % 9 == 4)
        wanted[five] = KINDS + kind // 9
    own: list[int] = []
    for look in wanted:
        own.append(next(tile for tile in hand if looks[tile] == look and tile not in own))
    return tuple(sorted(own))


def canonical(action: Action, hand: Sequence[int], drawn: int | None, red_fives: bool) -> Action:
    """The legal answer of a seat that nobody can tell from an action; the action itself if there is none."""
    kind = action.kind
    looks = looks_of(red_fives)
    if kind is ActionKind.DISCARD or kind is ActionKind.RIICHI:
        if action.tile != drawn and action.tile in hand:
            look = looks[action.tile]
            return Action(kind, next(held for held in hand if looks[held] == look and held != drawn))
    elif kind is ActionKind.CHI or kind is ActionKind.PON:
        if len(set(action.own)) == len(action.own) == 2 and all(tile in hand for tile in action.own):
            own: list[int] = []
            for tile in sorted(action.own):
                own.append(next(held for held in hand if looks[held] == looks[tile] and held not in own))
            return Action(kind, action.tile, tuple(sorted(own)))
    elif kind is ActionKind.ANKAN and 0 <= action.tile < TILES:
        return Action(kind, action.tile & ~3)
    return action


_KINDS: Final = {
    MeldKind.CHI: ActionKind.CHI,
    MeldKind.PON: ActionKind.PON,
    MeldKind.DAIMINKAN: ActionKind.DAIMINKAN,
    MeldKind.ANKAN: ActionKind.ANKAN,
    MeldKind.KAKAN: ActionKind.KAKAN,
}


def call_action(event: Call) -> Action:
    """The action by which a meld was made."""
    meld = event.meld
    kind = _KINDS[meld.kind]
    if meld.kind is MeldKind.ANKAN:
        return Action(kind, meld.tiles[0])
    if meld.kind is MeldKind.KAKAN:
        return Action(kind, -1 if meld.added is None else meld.added)
    own = () if meld.kind is MeldKind.DAIMINKAN else meld.own_tiles
    return Action(kind, -1 if meld.called is None else meld.called, own)
