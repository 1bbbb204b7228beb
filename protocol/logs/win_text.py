"""The value of a win in the words of tenhou.net/6: ``'30符4飜7700点'``, ``'立直(1飜)'``, ``'役満16000点∀'``."""

import re
from collections.abc import Sequence
from typing import Final

from engine.model.events import WinScore
from engine.model.yaku import DOUBLE_RIICHI, RIICHI, URA_DORA, YAKU_NAMES
from protocol.errors import LogError

LIMITS: Final = ("", "満貫", "跳満", "倍満", "三倍満", "役満")
"""Names of limits, indexed by :attr:`WinScore.limit`."""

_YAKU_IDS: Final = {name.tenhou: yaku for yaku, name in enumerate(YAKU_NAMES)} | {
    name.english: yaku for yaku, name in enumerate(YAKU_NAMES)
}
_is_value: Final = re.compile(
    r"(?:(?P<fu>\d{1,3})符(?P<han>\d{1,2})飜|(?P<limit>満貫|跳満|倍満|三倍満|役満))"
    r"(?P<points>\d{1,6})(?:-(?P<dealer>\d{1,6}))?点(?P<all>∀)?"
).fullmatch
_is_yaku: Final = re.compile(r"(?P<name>.+)\((?:(?P<han>\d{1,2})飜|役満)\)").fullmatch


def parse_score(value: str, yaku: Sequence[str]) -> WinScore | None:
    """Parse the value and the yaku of a win; None if they are not in Tenhou's words.

    Limit hands are written without fu, which is then 0. A riichi hand without ura gets its ``(53, 0)``.
    """
    found = _is_value(value)
    if found is None:
        return None
    points = int(found["points"])
    if found["dealer"]:
        points = 2 * points + int(found["dealer"])
    elif found["all"]:
        points = 3 * points
    listed: list[tuple[int, int]] = []
    yakuman: list[int] = []
    for text in yaku:
        named = _is_yaku(text)
        if named is None:
            return None
        yaku_id = _YAKU_IDS.get(named["name"], _YAKU_IDS.get(named["name"].lower()))
        if yaku_id is None:
            return None
        if named["han"] is None:
            yakuman.append(yaku_id)
        elif int(named["han"]):
            listed.append((yaku_id, int(named["han"])))
    limit = LIMITS.index(found["limit"] or "")
    return WinScore(int(found["fu"] or 0), points, limit, with_ura(listed), tuple(yakuman))


def with_ura(listed: Sequence[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
    """The yaku of a win as :class:`WinScore` holds them: with ura dora, if only of 0 han, where there is a riichi."""
    ids = {yaku for yaku, _ in listed}
    no_ura = URA_DORA not in ids and not ids.isdisjoint((RIICHI, DOUBLE_RIICHI))
    return (*listed, (URA_DORA, 0)) if no_ura else tuple(listed)


def require_known(score: WinScore) -> None:
    """Refuse a score that cannot be put in words.

    Raises:
        LogError: Tenhou has no yaku of a number in it, or no such limit.
    """
    for yaku in (*(yaku for yaku, _ in score.yaku), *score.yakuman):
        if not 0 <= yaku < len(YAKU_NAMES):
            raise LogError(f"a win has yaku {yaku}, which Tenhou does not have")
    if not 0 <= score.limit < len(LIMITS):
        raise LogError(f"a win has limit {score.limit}, which Tenhou does not have")


def format_score(score: WinScore, *, tsumo: bool, dealer: bool) -> list[str]:
    """Return the value, then the yaku.

    Raises:
        LogError: Tenhou has no word for the limit or for a yaku.
    """
    require_known(score)
    value = LIMITS[score.limit] or f"{score.fu}符{score.han}飜"
    if not tsumo:
        value += f"{score.points}点"
    elif dealer:
        value += f"{score.points // 3}点∀"
    else:
        # The dealer pays twice the base and the others once, each rounded up: the sum is 4 times the base, or 100 less.
        others = (score.points + 100) // 400 * 100
        value += f"{others}-{score.points - 2 * others}点"
    names = [f"{YAKU_NAMES[yaku].tenhou}({han}飜)" for yaku, han in score.yaku if han]
    return [value, *names, *(f"{YAKU_NAMES[yaku].tenhou}(役満)" for yaku in score.yakuman)]
