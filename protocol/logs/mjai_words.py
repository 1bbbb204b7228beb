"""The words of mjai: tiles, kinds of draw, and the value of a win."""

from collections import Counter
from collections.abc import Sequence
from typing import Any, Final

from engine.model.events import RyuukyokuKind, WinScore
from engine.model.tiles import EAST, HAKU
from protocol.logs.numbers import MAX_POINTS, whole
from protocol.logs.win_text import require_known, with_ura

NAMES: Final = (
    *(f"{number}{suit}" for suit in "mps" for number in range(1, 10)),
    *("E", "S", "W", "N", "P", "F", "C"),
    *("5mr", "5pr", "5sr"),
)
"""Name of each ``tile37``."""

HIDDEN: Final = "?"
REASONS: Final = {
    RyuukyokuKind.EXHAUSTIVE: "fanpai",
    RyuukyokuKind.NINE_TERMINALS: "kyushukyuhai",
    RyuukyokuKind.FOUR_RIICHI: "suchareach",
    RyuukyokuKind.TRIPLE_RON: "sanchaho",
    RyuukyokuKind.FOUR_KANS: "sukaikan",
    RyuukyokuKind.FOUR_WINDS: "sufonrenta",
    RyuukyokuKind.NAGASHI_MANGAN: "nagashimangan",
}

YAKUMAN_FAN: Final = 100
"""The ``fan`` of a yakuman."""
_MOST_FU, _MOST_HAN = 1_000, 1_000

_SEAT_WINDS, _ROUND_WINDS, _DRAGONS = range(10, 14), range(14, 18), range(18, 21)
_YAKU: Final = (
    *("menzenchin_tsumoho", "reach", "ippatsu", "chankan", "rinshankaiho", "haiteiraoyue", "hoteiraoyui"),
    *("pinfu", "tanyaochu", "ipeko", *["jikaze"] * 4, *["bakaze"] * 4, *["sangenpai"] * 3, "double_reach"),
    *("chitoitsu", "honchantaiyao", "ikkitsukan", "sanshokudojun", "sanshokudoko", "sankantsu", "toitoiho"),
    *("sananko", "shosangen", "honroto", "ryanpeko", "junchantaiyao", "honiso", "chiniso", "renho", "tenho"),
    *("chiho", "daisangen", "suanko", "suanko_tanki", "tsuiso", "ryuiso", "chinroto", "churenpoton"),
    *("junsei_churenpoton", "kokushimuso", "kokushimuso_jusanmen", "daisushi", "shosushi", "sukantsu"),
    *("dora", "uradora", "akadora"),
)
"""Names by Tenhou's yaku id. Winds and dragons share a name, and dragons are counted in one entry."""

_IDS: Final = {name: yaku for yaku, name in enumerate(_YAKU) if yaku not in {*_SEAT_WINDS, *_ROUND_WINDS, *_DRAGONS}}


def parse_score(fields: dict[str, Any], tiles34: Sequence[int], seat_wind: int, round_wind: int) -> WinScore | None:
    """Parse the value and the yaku of a win; None if they are incomplete or not in mjai's words.

    Args:
        fields: fields of the ``hora`` line.
        tiles34: every tile of the winning hand, melds included; it shows which dragons ``sangenpai`` means.
        seat_wind: ``tile34`` of the winner's wind.
        round_wind: ``tile34`` of the prevailing wind.
    """
    fu, points, pairs = whole(fields.get("fu")), whole(fields.get("hora_points")), fields.get("yakus")
    if fu is None or points is None or not isinstance(pairs, list):
        return None
    if not 0 <= fu <= _MOST_FU or not 0 <= points <= MAX_POINTS:
        return None
    counts = Counter(tiles34)
    dragons = [_DRAGONS[kind] for kind in range(3) if counts[HAKU + kind] >= 3]
    listed: list[tuple[int, int]] = []
    yakuman: list[int] = []
    for pair in pairs:
        if not (isinstance(pair, list) and len(pair) == 2 and isinstance(pair[0], str)):
            return None
        name, han = pair[0], whole(pair[1])
        if han is None or not 0 <= han <= _MOST_HAN:
            return None
        if name == "sangenpai":
            listed += [(yaku, 1) for yaku in dragons]
        elif name in {"jikaze", "bakaze"}:
            wind = seat_wind if name == "jikaze" else round_wind
            listed.append(((_SEAT_WINDS if name == "jikaze" else _ROUND_WINDS)[wind - EAST], han))
        elif name not in _IDS:
            return None
        elif han >= YAKUMAN_FAN:
            yakuman.append(_IDS[name])
        elif han:
            listed.append((_IDS[name], han))
    return WinScore(
        fu,
        points,
        _limit(fu, points, sum(han for _, han in listed), yakuman=bool(yakuman), dealer=seat_wind == EAST),
        with_ura(listed),
        tuple(yakuman),
    )


def format_score(score: WinScore) -> dict[str, Any]:
    """Return the fields of a ``hora`` line.

    Raises:
        LogError: a yaku or the limit has no name.
    """
    require_known(score)
    yakus: list[list[str | int]] = []
    dragons: list[str | int] | None = None
    for yaku, han in score.yaku:
        if yaku in _DRAGONS and dragons is not None:
            dragons[1] = int(dragons[1]) + han
        elif han:
            yakus.append([_YAKU[yaku], han])
            dragons = yakus[-1] if yaku in _DRAGONS else dragons
    yakus += [[_YAKU[yaku], YAKUMAN_FAN] for yaku in score.yakuman]
    fan = YAKUMAN_FAN * len(score.yakuman) or score.han
    return {"yakus": yakus, "fu": score.fu, "fan": fan, "hora_points": score.points}


def _limit(fu: int, points: int, han: int, *, yakuman: bool, dealer: bool) -> int:
    """The limit of a win, see :attr:`WinScore.limit`. mjai does not name it; if the fu is 0, the points decide."""
    if yakuman:
        return 5
    for limit, needed in ((5, 13), (4, 11), (3, 8), (2, 6), (1, 5)):
        if han >= needed:
            return limit
    return int(fu << (2 + han) >= 2_000 if fu else points >= (12_000 if dealer else 8_000))
