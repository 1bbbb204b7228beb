"""The value of a win in tenhou.net/6 and in mjai: parsed into a score, or into what is stated of one, and written."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final

from engine.model.bounds import MOST_CHANGE
from engine.model.events import WinClaim, WinScore
from engine.model.tiles import EAST, HAKU
from engine.model.yaku import DOUBLE_RIICHI, RIICHI, URA_DORA, YAKU_NAMES
from protocol.errors import LogError
from protocol.logs.json_text import whole
from protocol.logs.words import DRAGONS, LIMITS, MJAI_YAKU, parse_value, yaku_and_han, yaku_of

YAKUMAN_FAN: Final = 100
"""mjai's ``fan`` of a yakuman."""
_MOST_FU, _MOST_HAN = 1_000, 1_000

# ---------------------------------------------------------------------- reading

Entry = tuple[str, str | None, int | None]
"""A yaku in a list: its text, its name (None if it cannot be read), and its han (None for a yakuman)."""
Yaku = list[tuple[int, int]]


def _known(
    entries: Iterable[Entry], seat_wind: int | None, round_wind: int | None
) -> tuple[Yaku, list[int], list[str]]:
    """The yaku of a list with their han, its yakuman, and the texts that are neither."""
    listed: Yaku = []
    yakuman: list[int] = []
    unknown: list[str] = []
    for text, name, han in entries:
        if han == 0:
            continue
        yaku = None if name is None else yaku_of(name, seat_wind, round_wind)
        if yaku is None:
            unknown.append(text)
        elif han is None:
            yakuman.append(yaku)
        else:
            listed.append((yaku, han))
    return listed, yakuman, unknown


def parse_tenhou6(
    value: str, yaku: Sequence[str], *, seat_wind: int | None = None, round_wind: int | None = None
) -> WinScore | WinClaim:
    """Parse the value and the yaku of a win: the score if everything is stated and known, or else what is.

    Limit hands are written without fu, which is then 0. A riichi hand without ura gets its ``(53, 0)``.

    Args:
        value: the value.
        yaku: each yaku with its han.
        seat_wind: ``tile34`` of the winner's wind, for names that do not say which is meant; None if not known.
        round_wind: ``tile34`` of the prevailing wind.
    """
    entries = [(text, *(yaku_and_han(text) or (None, None))) for text in yaku]
    listed, yakuman, unknown = _known(entries, seat_wind, round_wind)
    fu, han, points, limit, rest = parse_value(value)
    if rest:
        unknown.append(value)
    counted = sum(each for _, each in listed)
    if points is not None and bool(yakuman) != bool(listed) and not unknown:
        if yakuman and limit in {None, 5}:
            return WinScore(fu or 0, points, 5, (), tuple(yakuman))
        if listed and han in {None, counted} and (limit is not None or fu is not None):
            return WinScore(fu or 0, points, limit_of(fu or 0, counted) if limit is None else limit, _with_ura(listed))
    return WinClaim(fu, han, points, limit, tuple(listed), tuple(yakuman), tuple(unknown))


def parse_mjai(
    fields: dict[str, Any], tiles34: Sequence[int], seat_wind: int, round_wind: int
) -> WinScore | WinClaim | None:
    """Parse the value and the yaku of a win: the score, or what is stated and known of it; None if nothing is.

    Args:
        fields: fields of the ``hora`` line.
        tiles34: every tile of the winning hand, melds included; it shows which dragons ``sangenpai`` means.
        seat_wind: ``tile34`` of the winner's wind.
        round_wind: ``tile34`` of the prevailing wind.
    """
    fu = _number(fields, "fu", _MOST_FU)
    points = _number(fields, "hora_points", MOST_CHANGE)
    fan = _number(fields, "fan", YAKUMAN_FAN - 1)
    listed, yakuman, unknown = _known(_mjai_entries(fields.get("yakus"), tiles34), seat_wind, round_wind)
    if fu is None or points is None or unknown or not (listed or yakuman):
        stated = {fu, points, fan} != {None} or listed or yakuman or unknown
        return WinClaim(fu, fan, points, None, tuple(listed), tuple(yakuman), tuple(unknown)) if stated else None
    counted = sum(han for _, han in listed)
    if fan not in {None, counted} and not yakuman:  # the line contradicts itself
        return WinClaim(fu, fan, points, None, tuple(listed), (), ())
    # mjai does not name the limit: where it does not state the fu, the points decide on a mangan
    mangan = points >= (12_000 if seat_wind == EAST else 8_000)
    limit = 5 if yakuman else limit_of(fu, counted) if fu else max(limit_of(0, counted), int(mangan))
    return WinScore(fu, points, limit, _with_ura(listed), tuple(yakuman))


def _number(fields: dict[str, Any], key: str, most: int) -> int | None:
    number = whole(fields.get(key))
    return number if number is not None and 0 <= number <= most else None


def _mjai_entries(pairs: Any, tiles34: Sequence[int]) -> Iterator[Entry]:
    counts = Counter(tiles34)
    for pair in pairs if isinstance(pairs, list) else ():
        named = isinstance(pair, list) and len(pair) == 2 and isinstance(pair[0], str)
        name, han = (pair[0], whole(pair[1])) if named else (str(pair), None)
        if han is None or not 0 <= han <= _MOST_HAN:
            yield name, None, None
        elif name == MJAI_YAKU[DRAGONS[0]]:
            triplets = (yaku for kind, yaku in enumerate(DRAGONS) if counts[HAKU + kind] >= 3)
            yield from ((name, YAKU_NAMES[yaku].english, 1) for yaku in triplets)
        else:
            yield name, name, None if han >= YAKUMAN_FAN else han


def limit_of(fu: int, han: int) -> int:
    """The limit of a hand that is no yakuman, see :attr:`WinScore.limit`."""
    for limit, needed in ((5, 13), (4, 11), (3, 8), (2, 6), (1, 5)):
        if han >= needed:
            return limit
    return int(fu << (2 + han) >= 2_000)


def _with_ura(listed: Sequence[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
    """The yaku of a win as :class:`WinScore` holds them: with ura dora, if only of 0 han, where there is a riichi."""
    ids = {yaku for yaku, _ in listed}
    no_ura = URA_DORA not in ids and not ids.isdisjoint((RIICHI, DOUBLE_RIICHI))
    return (*listed, (URA_DORA, 0)) if no_ura else tuple(listed)


# ---------------------------------------------------------------------- writing


def format_points(points: int, *, tsumo: bool, dealer: bool) -> str:
    """``'7700点'``, ``'2600点∀'`` of a dealer's self-draw, ``'500-1000点'`` of another's."""
    if not tsumo:
        return f"{points}点"
    if dealer:
        return f"{points // 3}点∀"
    # The dealer pays twice the base and the others once, each rounded up: the sum is 4 times the base, or 100 less.
    others = (points + 100) // 400 * 100
    return f"{others}-{points - 2 * others}点"


def format_tenhou6(score: WinScore, *, tsumo: bool, dealer: bool) -> list[str]:
    """Return the value, then the yaku.

    Raises:
        LogError: Tenhou has no word for the limit or for a yaku.
    """
    _require_known(score)
    value = LIMITS[score.limit] or f"{score.fu}符{score.han}飜"
    value += format_points(score.points, tsumo=tsumo, dealer=dealer)
    names = [f"{YAKU_NAMES[yaku].tenhou}({han}飜)" for yaku, han in score.yaku if han]
    return [value, *names, *(f"{YAKU_NAMES[yaku].tenhou}(役満)" for yaku in score.yakuman)]


def format_mjai(score: WinScore) -> dict[str, Any]:
    """Return the fields of a ``hora`` line.

    Raises:
        LogError: a yaku or the limit has no name.
    """
    _require_known(score)
    yakus: list[list[str | int]] = []
    dragons: list[str | int] | None = None
    for yaku, han in score.yaku:
        if yaku in DRAGONS and dragons is not None:
            dragons[1] = int(dragons[1]) + han
        elif han:
            yakus.append([MJAI_YAKU[yaku], han])
            dragons = yakus[-1] if yaku in DRAGONS else dragons
    yakus += [[MJAI_YAKU[yaku], YAKUMAN_FAN] for yaku in score.yakuman]
    fan = YAKUMAN_FAN * len(score.yakuman) or score.han
    return {"yakus": yakus, "fu": score.fu, "fan": fan, "hora_points": score.points}


def _require_known(score: WinScore) -> None:
    """Refuse a score that cannot be put in words.

    Raises:
        LogError: Tenhou has no yaku of a number in it, or no such limit.
    """
    for yaku in (*(yaku for yaku, _ in score.yaku), *score.yakuman):
        if not 0 <= yaku < len(YAKU_NAMES):
            raise LogError(f"a win has yaku {yaku}, which Tenhou does not have")
    if not 0 <= score.limit < len(LIMITS):
        raise LogError(f"a win has limit {score.limit}, which Tenhou does not have")
