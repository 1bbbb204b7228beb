"""What a win was worth, in the words of mjai: ``"yakus": [["reach", 1], ["sangenpai", 2]], "fu": 40, ...``."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any, Final

from engine.model.events import WinScore
from engine.model.tiles import EAST, HAKU

YAKUMAN_FAN: Final = 100
"""A yakuman's fan."""

_WINDS, _ROUNDS, _DRAGONS = range(10, 14), range(14, 18), range(18, 21)
_NAMES: Final = (
    *("menzenchin_tsumoho", "reach", "ippatsu", "chankan", "rinshankaiho", "haiteiraoyue", "hoteiraoyui"),
    *("pinfu", "tanyaochu", "ipeko", *["jikaze"] * 4, *["bakaze"] * 4, *["sangenpai"] * 3, "double_reach"),
    *("chitoitsu", "honchantaiyao", "ikkitsukan", "sanshokudojun", "sanshokudoko", "sankantsu", "toitoiho"),
    *("sananko", "shosangen", "honroto", "ryanpeko", "junchantaiyao", "honiso", "chiniso", "renho", "tenho"),
    *("chiho", "daisangen", "suanko", "suanko_tanki", "tsuiso", "ryuiso", "chinroto", "churenpoton"),
    *("junsei_churenpoton", "kokushimuso", "kokushimuso_jusanmen", "daisushi", "shosushi", "sukantsu"),
    *("dora", "uradora", "akadora"),
)
"""By Tenhou's yaku id. Winds and dragons share a name, and dragons are counted in one entry."""

_IDS: Final = {name: yaku for yaku, name in enumerate(_NAMES) if yaku not in {*_WINDS, *_ROUNDS, *_DRAGONS}}
_URA: Final = 53
_RIICHI: Final = frozenset((1, 21))


def parse_score(fields: dict[str, Any], tiles34: Sequence[int], seat_wind: int, round_wind: int) -> WinScore | None:
    """Read the value and the yaku of a win; None when they are not all there or not in mjai's words.

    Args:
        fields: of the ``hora`` line.
        tiles34: every tile of the winning hand, melds included: tells which dragons ``sangenpai`` were.
        seat_wind: ``tile34`` of the winner's wind.
        round_wind: ``tile34`` of the prevailing wind.
    """
    fu, points, pairs = fields.get("fu"), fields.get("hora_points"), fields.get("yakus")
    if type(fu) is not int or type(points) is not int or not isinstance(pairs, list):
        return None
    counts = Counter(tiles34)
    dragons = [_DRAGONS[kind] for kind in range(3) if counts[HAKU + kind] >= 3]
    listed: list[tuple[int, int]] = []
    yakuman: list[int] = []
    for pair in pairs:
        if not (isinstance(pair, list) and len(pair) == 2 and isinstance(pair[0], str) and type(pair[1]) is int):
            return None
        name, han = pair
        if name == "sangenpai":
            listed += [(yaku, 1) for yaku in dragons]
        elif name in {"jikaze", "bakaze"}:
            wind = seat_wind if name == "jikaze" else round_wind
            listed.append(((_WINDS if name == "jikaze" else _ROUNDS)[wind - EAST], han))
        elif name not in _IDS:
            return None
        elif han >= YAKUMAN_FAN:
            yakuman.append(_IDS[name])
        else:
            listed.append((_IDS[name], han))
    ids = {yaku for yaku, _ in listed}
    if ids & _RIICHI and _URA not in ids:
        listed.append((_URA, 0))
    return WinScore(fu, points, _limit(fu, sum(han for _, han in listed), yakuman), tuple(listed), tuple(yakuman))


def format_score(score: WinScore) -> dict[str, Any]:
    """The fields of a ``hora`` line."""
    yakus: list[list[str | int]] = []
    dragons: list[str | int] | None = None
    for yaku, han in score.yaku:
        if yaku in _DRAGONS and dragons is not None:
            dragons[1] = int(dragons[1]) + han
        elif han:
            yakus.append([_NAMES[yaku], han])
            dragons = yakus[-1] if yaku in _DRAGONS else dragons
    yakus += [[_NAMES[yaku], YAKUMAN_FAN] for yaku in score.yakuman]
    fan = YAKUMAN_FAN * len(score.yakuman) or score.han
    return {"yakus": yakus, "fu": score.fu, "fan": fan, "hora_points": score.points}


def _limit(fu: int, han: int, yakuman: Sequence[int]) -> int:
    """Limit of a win: see :attr:`WinScore.limit`. mjai does not name it."""
    if yakuman:
        return 5
    for limit, needed in ((5, 13), (4, 11), (3, 8), (2, 6), (1, 5)):
        if han >= needed:
            return limit
    return int(fu << (2 + han) >= 2_000)
