"""Hands and tables as people write them, read into a position or into one seat's view."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from bot.machine.errors import InputError
from bot.machine.text import plural
from bot.wording.events import SIDES
from engine.model.bounds import HONBA, INDICATORS, SCORE, STICKS, Range, first_fault
from engine.model.events import Draw, Resume
from engine.model.melds import Meld, MeldKind
from engine.model.notation import mpsz, read_tiles37
from engine.model.rules import HANCHAN, Rules
from engine.model.seats import SEATS, WIND_LETTERS, absolute, four, relative
from engine.model.tiles import (
    DORA_AFTER,
    KINDS,
    KINDS37,
    PLAIN37,
    RED_FIVES,
    TileError,
    allocate136,
    format_tile37,
)
from engine.search.position import Position, PositionError, Sketch
from engine.settings import nearest
from engine.state import GameState, StateError

ROUND_WINDS: Final = {wind: 4 * at for at, wind in enumerate(WIND_LETTERS[:3])}
SEAT_WINDS: Final = {wind: at for at, wind in enumerate(WIND_LETTERS)}
OPPONENTS: Final = {side: at for at, side in enumerate(SIDES) if at}
"""Opponents by their sides."""

_MELD: Final = re.compile(r"\[?([0-9]+[mpsz])+\]?")
VARIANTS: Final[Mapping[str, Mapping[str, Any]]] = {
    "tonpu": {"hanchan": False},
    "no-red": {"red_fives": False},
    "no-open-tanyao": {"open_tanyao": False},
}
"""By the words of ``rules``, what is different from a hanchan with red fives and open tanyao."""
STAR: Final = "*"
"""Follows the tile with which riichi was declared."""


@dataclass(frozen=True, slots=True)
class Written:
    """The hand and table as written, in any notation of :mod:`engine.model.notation`.

    Attributes:
        hand: concealed tiles.
        melds: ``123p 555z 5555s [1111m]``: chi, pon, open kan, closed kan.
        dora: the dora themselves.
        indicators: dora indicators.
        visible: tiles visible in others' rivers and melds.
        river: own discards.
        turn: 1-18.
        round, seat: winds.
        offered, source: a tile another player discards, and who it is.
        honba, sticks, against: number of honba, riichi sticks on the table, opponents in riichi.
        points: own score.
        rules: rules of the table.
    """

    hand: str
    melds: str = ""
    dora: str = ""
    indicators: str = ""
    visible: str = ""
    river: str = ""
    turn: int = 1
    round: str = "E"
    seat: str = "E"
    offered: str = ""
    source: str = "left"
    honba: int = 0
    sticks: int = 0
    against: int = 0
    points: int = 25_000
    rules: Rules = HANCHAN


def read_rules(text: str) -> Rules:
    """The rules that differ from a hanchan with red fives and open tanyao by these words of :data:`VARIANTS`.

    Raises:
        InputError: there is no such word.
    """
    rules = HANCHAN
    for word in text.lower().replace(",", " ").split():
        if word not in VARIANTS:
            raise InputError(f"rules {word!r}: choose from {', '.join(VARIANTS)}, separated by commas")
        rules = replace(rules, **VARIANTS[word])
    return rules


def read_position(written: Written) -> Position:
    """The position that was written.

    Raises:
        InputError: something in it is impossible; the message says what.
    """
    _check_numbers(written)
    used, red_fives = set[int](), written.rules.red_fives
    try:
        concealed = take_tiles("hand", read_tiles37(written.hand), used, red_fives)
        if not concealed:
            raise InputError("the hand is empty; write its tiles, such as 123m406p11567s1z")
        melds = tuple(read_meld(text, used, red_fives) for text in meld_texts(written.melds))
        offered = take_tiles("offered", read_tiles37(written.offered), used, red_fives)
        if len(offered) > 1:
            raise InputError(f"offered {written.offered!r}: only one tile can be offered")
        indicators = _indicators(written, used)
        return Sketch(
            concealed,
            melds,
            dora_indicators=indicators,
            own_river=take_tiles("river", read_tiles37(written.river), used, red_fives),
            visible=take_tiles("visible", read_tiles37(written.visible), used, red_fives),
            turn=written.turn,
            kyoku=one_of("round", written.round.upper(), ROUND_WINDS),
            dealer_distance=one_of("seat", written.seat.upper(), SEAT_WINDS),
            offered=offered[0] if offered else -1,
            offered_by=one_of("from", written.source.lower(), OPPONENTS) if offered else 0,
            honba=written.honba,
            riichi_sticks=written.sticks,
            points=written.points,
            riichi_against=written.against,
            rules=written.rules,
        ).position()
    except (TileError, PositionError) as error:
        raise InputError(str(error)) from error


def _check_numbers(written: Written) -> None:
    """Refuse a number that no table has, by its name."""
    fault = first_fault(
        HONBA.fault("honba", written.honba),
        STICKS.fault("sticks", written.sticks),
        Range(0, len(OPPONENTS)).fault("against", written.against),
        SCORE.fault("points", written.points),
    )
    if fault:
        raise InputError(fault)


def one_of(key: str, text: str, table: dict[str, int]) -> int:
    """The value that a word stands for."""
    if text not in table:
        raise InputError(f"{key} {text!r}: choose one of {', '.join(table)}")
    return table[text]


def take_tiles(what: str, tiles37: Sequence[int], used: set[int], red_fives: bool = True) -> tuple[int, ...]:
    """Physical copies that nobody has yet, added to ``used``; raises InputError if there are not enough."""
    tiles = list(tiles37)
    for red in range(KINDS, KINDS37):
        if red in tiles and not red_fives:
            raise InputError(f"{what}: {format_tile37(red)} is a red five, which these rules do not have")
        # one of four is the red one, whether it was written or not
        if tiles.count(PLAIN37[red]) == 4 and red_fives and RED_FIVES[red - KINDS] not in used:
            tiles[tiles.index(PLAIN37[red])] = red
    try:
        found = allocate136(tiles, used, red_fives)
    except TileError as error:
        raise InputError(f"{what}: {error}") from error
    used.update(found)
    return found


def _indicators(written: Written, used: set[int]) -> tuple[int, ...]:
    """The dora indicators that were written, as such or by their dora."""
    red_fives, shown = written.rules.red_fives, read_tiles37(written.indicators)
    return (
        *take_tiles("the dora indicator", shown, used, red_fives),
        *take_indicators("dora", read_tiles37(written.dora), used, red_fives, turned=len(shown)),
    )


def take_indicators(
    what: str, dora37: Sequence[int], used: set[int], red_fives: bool = True, turned: int = 0
) -> tuple[int, ...]:
    """A physical tile for the indicator of each dora, which nobody has yet, added to ``used``.

    A dora does not say whether its indicator is the red five; it is taken for the red one only where no other is left.

    Args:
        what: name of these dora in messages.
        dora37: the dora.
        used: tiles that somebody has.
        red_fives: whether there are any.
        turned: number of other indicators.

    Raises:
        InputError: there are not as many tiles, or not as many indicators.
    """
    if turned + len(dora37) > INDICATORS.high:
        raise InputError(f"{what}: {turned + len(dora37)} are given; at most {INDICATORS.high} indicators are turned")
    found: list[int] = []
    for dora in dora37:
        kind = DORA_AFTER.index(PLAIN37[dora])
        left = [tile for tile in range(4 * kind, 4 * kind + 4) if tile not in used]
        plain = [tile for tile in left if not (red_fives and tile in RED_FIVES)]
        if not left:
            raise InputError(
                f"{what} {format_tile37(dora)}: its indicator would be a fifth {format_tile37(kind)}; "
                "all four copies are in use"
            )
        found.append((plain or left)[0])
        used.add(found[-1])
    return tuple(found)


def meld_texts(text: str) -> list[str]:
    """The melds as written, one text each, in mpsz with the brackets of a closed kan."""
    found = []
    for word in text.replace(",", " ").split():
        inner = word.removeprefix("[").removesuffix("]")
        try:
            written = word.replace(inner, mpsz(inner))
        except TileError:
            written = ""
        if not _MELD.fullmatch(written) or word.startswith("[") != word.endswith("]"):
            raise InputError(
                f"melds {word!r}: write each as 123p (chi), 555z (pon), 5555s (kan) or [1111m] (closed kan)"
            )
        found.append(written)
    return found


def read_meld(text: str, used: set[int], red_fives: bool = True) -> Meld:
    """A meld; ``from_seat`` is relative to its owner."""
    closed = text.startswith("[")
    tiles37 = read_tiles37(text.strip("[]"))
    kinds = sorted(PLAIN37[tile] for tile in tiles37)
    tiles = tuple(sorted(take_tiles(f"melds {text}", tiles37, used, red_fives)))
    if len(set(kinds)) == 1 and len(kinds) == 4:
        if closed:
            return Meld(MeldKind.ANKAN, tiles, None, 0, tiles[0])
        return Meld(MeldKind.DAIMINKAN, tiles, tiles[-1], 1)
    if closed:
        raise InputError(f"melds {text!r}: brackets are for a closed kan of four equal tiles")
    if len(set(kinds)) == 1 and len(kinds) == 3:
        return Meld(MeldKind.PON, tiles, tiles[-1], 1)
    start = kinds[0]
    if kinds == [start, start + 1, start + 2] and start < 27 and start % 9 <= 6:
        return Meld(MeldKind.CHI, tiles, tiles[-1], 3)
    raise InputError(f"melds {text!r} is not a meld: a run of three, or three or four of {format_tile37(start)} …")


@dataclass(frozen=True, slots=True)
class Rivers:
    """Others' discards: ``4z1m*2z``, with a star after the riichi tile. Empty if nothing was discarded."""

    right: str = ""
    across: str = ""
    left: str = ""

    def __bool__(self) -> bool:
        return bool(self.right or self.across or self.left)


KEYS: Final = (
    *("hand", "melds", "dora", "indicators", "visible", "river", *OPPONENTS, "offered", "from", "turn", "round"),
    *("seat", "scores", "honba", "sticks", "against", "rules"),
)
"""The keys of a table in words: ``hand=234m33345p45667s9m dora=4p right=4z1m* scores=21000,33000,25000,21000``."""
_NUMBER: Final = re.compile(r"-?[0-9]{1,40}")


def read_keys(text: str) -> dict[str, str]:
    """The values of a table in words, by the keys of :data:`KEYS`.

    Raises:
        InputError: a word has no key, another key, or a key that another word has.
    """
    found: dict[str, str] = {}
    for word in text.split():
        key, equals, value = word.partition("=")
        if not equals:
            raise InputError(
                f"{word!r} is neither a position in a log, LOG#E3-1/turn9/seat2, nor KEY=VALUE, such as melds=234m,555z"
            )
        if key not in KEYS:
            raise InputError(f"there is no key {key!r}; {nearest(key, KEYS)}there are: {', '.join(KEYS)}")
        if key in found:
            raise InputError(f"{key} is given twice")
        found[key] = value
    return found


def read_table(keys: Mapping[str, str]) -> tuple[Written, Rivers, tuple[int, int, int, int]]:
    """The hand and table that keys and values describe, the others' rivers, and the scores, the own one first.

    Raises:
        InputError: a value is no number where there must be one, or names no rule.
    """
    scores = _scores(keys.get("scores", "25000"))
    written = Written(
        hand=keys.get("hand", ""),
        melds=keys.get("melds", ""),
        dora=keys.get("dora", ""),
        indicators=keys.get("indicators", ""),
        visible=keys.get("visible", ""),
        river=keys.get("river", ""),
        turn=_number("turn", keys.get("turn", "6")),
        round=keys.get("round", "E"),
        seat=keys.get("seat", "S"),
        offered=keys.get("offered", ""),
        source=keys.get("from", "left"),
        honba=_number("honba", keys.get("honba", "0")),
        sticks=_number("sticks", keys.get("sticks", "0")),
        against=_number("against", keys.get("against", "0")),
        points=scores[0],
        rules=read_rules(keys.get("rules", "")),
    )
    return written, Rivers(**{side: keys[side] for side in OPPONENTS if side in keys}), scores


def _number(key: str, text: str) -> int:
    if not _NUMBER.fullmatch(text):
        raise InputError(f"{key} {text!r}: give a whole number")
    return int(text)


def _scores(text: str) -> tuple[int, int, int, int]:
    parts = text.split(",")
    if len(parts) not in {1, 4} or not all(_NUMBER.fullmatch(part) for part in parts):
        raise InputError(f"scores {text!r}: give the own points, or four comma-separated numbers, the own first")
    own, right, across, left = map(int, parts if len(parts) == 4 else parts + ["25000"] * 3)
    return own, right, across, left


def read_view(written: Written, rivers: Rivers, scores: tuple[int, int, int, int]) -> GameState:
    """The view of the seat that holds the hand, after it has drawn the last tile.

    Args:
        written: the hand and the table; ``visible``, ``turn``, ``against`` and offered tiles are ignored.
        rivers: the others' rivers.
        scores: points, the own first, then right, across, left.

    Raises:
        InputError: something in it is impossible; the message says what.
    """
    if written.offered:
        raise InputError("right, across and left require an own turn; leave out offered")
    _check_numbers(written)
    kyoku = one_of("round", written.round.upper(), ROUND_WINDS)
    seat = one_of("seat", written.seat.upper(), SEAT_WINDS)
    used, red_fives = set[int](), written.rules.red_fives
    try:
        concealed = take_tiles("hand", read_tiles37(written.hand), used, red_fives)
        melds = tuple(_of_seat(read_meld(text, used, red_fives), seat) for text in meld_texts(written.melds))
        indicators = _indicators(written, used)
        own = take_tiles("river", read_tiles37(written.river), used, red_fives)
        others = {side: _river(side, getattr(rivers, side), used, red_fives) for side in OPPONENTS}
    except TileError as error:
        raise InputError(str(error)) from error
    if len(concealed) != 14 - 3 * len(melds):
        raise InputError(
            f"the hand has {plural(len(concealed), 'tile')}; it must have {14 - 3 * len(melds)}, "
            "with the one just drawn"
        )
    if not indicators:
        raise InputError("the dora is missing; give dora or indicators")
    by_seat: list[tuple[tuple[int, ...], int | None]] = [(own, None)] * 4
    for side, distance in OPPONENTS.items():
        by_seat[absolute(distance, seat)] = others[side]
    own_melds = [melds if other == seat else () for other in SEATS]
    points = tuple(scores[relative(other, seat)] for other in SEATS)
    state = GameState(seat, written.rules)
    try:
        state.apply(
            Resume(
                kyoku=kyoku,
                honba=written.honba,
                riichi_sticks=written.sticks,
                dealer=0,
                dora_indicators=indicators,
                scores=four(points),
                seat=seat,
                hand=tuple(sorted(concealed[:-1])),
                melds=four(own_melds),
                rivers=four([river for river, _ in by_seat]),
                riichi_at=four([at for _, at in by_seat]),
            )
        )
        state.apply(Draw(seat, concealed[-1]))
    except StateError as error:
        raise InputError(f"this table is impossible: {error}") from error
    return state


def _river(side: str, text: str, used: set[int], red_fives: bool) -> tuple[tuple[int, ...], int | None]:
    before, star, after = text.partition(STAR)
    first = take_tiles(side, read_tiles37(before), used, red_fives)
    if star and not first:
        raise InputError(f"{side} {text!r}: the star must follow the tile with which riichi was declared")
    rest = take_tiles(side, read_tiles37(after), used, red_fives)
    return (*first, *rest), len(first) - 1 if star else None


def _of_seat(meld: Meld, seat: int) -> Meld:
    return Meld(meld.kind, meld.tiles, meld.called, absolute(meld.from_seat, seat), meld.added)
