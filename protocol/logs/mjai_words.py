"""The words of mjai: tiles, kinds of draw, and the value of a win."""

from collections import Counter
from collections.abc import Sequence
from typing import Any, Final

from engine.model.bounds import MOST_CHANGE
from engine.model.events import RyuukyokuKind, WinClaim, WinScore
from engine.model.tiles import EAST, HAKU
from protocol.logs.json_text import whole
from protocol.logs.win_text import limit_of, require_known, with_ura

NAMES: Final = (
    *(f"{number}{suit}" for suit in "mps" for number in range(1, 10)),
    *("E", "S", "W", "N", "P", "F", "C"),
    *("5mr", "5pr", "5sr"),
)
"""Name of each ``tile37``."""

HIDDEN: Final = "?"
FIVES: Final = ("5m", "5p", "5s")
"""The plain fives."""
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


def parse_score(
    fields: dict[str, Any], tiles34: Sequence[int], seat_wind: int, round_wind: int
) -> WinScore | WinClaim | None:
    """Parse the value and the yaku of a win: the score, or what is stated and known of it; None if nothing is.

    Args:
        fields: fields of the ``hora`` line.
        tiles34: every tile of the winning hand, melds included; it shows which dragons ``sangenpai`` means.
        seat_wind: ``tile34`` of the winner's wind.
        round_wind: ``tile34`` of the prevailing wind.
    """
    fu, points, fan = (
        number if number is not None and 0 <= number <= most else None
        for number, most in (
            (whole(fields.get("fu")), _MOST_FU),
            (whole(fields.get("hora_points")), MOST_CHANGE),
            (whole(fields.get("fan")), YAKUMAN_FAN - 1),
        )
    )
    pairs = fields.get("yakus")
    counts = Counter(tiles34)
    dragons = [_DRAGONS[kind] for kind in range(3) if counts[HAKU + kind] >= 3]
    listed: list[tuple[int, int]] = []
    yakuman: list[int] = []
    unknown: list[str] = []
    for pair in pairs if isinstance(pairs, list) else ():
        named = isinstance(pair, list) and len(pair) == 2 and isinstance(pair[0], str)
        name, han = (pair[0], whole(pair[1])) if named else (str(pair), None)
        if han is None or not 0 <= han <= _MOST_HAN:
            unknown.append(name)
        elif name == "sangenpai":
            listed += [(yaku, 1) for yaku in dragons]
        elif name in {"jikaze", "bakaze"}:
            wind = seat_wind if name == "jikaze" else round_wind
            listed.append(((_SEAT_WINDS if name == "jikaze" else _ROUND_WINDS)[wind - EAST], han))
        elif name not in _IDS:
            unknown.append(name)
        elif han >= YAKUMAN_FAN:
            yakuman.append(_IDS[name])
        elif han:
            listed.append((_IDS[name], han))
    if fu is None or points is None or unknown or not (listed or yakuman):
        stated = {fu, points, fan} != {None} or listed or yakuman or unknown
        return WinClaim(fu, fan, points, None, tuple(listed), tuple(yakuman), tuple(unknown)) if stated else None
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
    if fu:
        return limit_of(fu, han)
    return max(limit_of(0, han), int(points >= (12_000 if dealer else 8_000)))
