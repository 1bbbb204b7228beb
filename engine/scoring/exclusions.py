"""Circumstances of a win that exclude each other by the rules of Tenhou.

Circumstances are words, as messages show them. Whoever lets people state them asks :func:`contradiction`. The scoring
itself does not: what a game leads to is consistent, and scores a thousand times as often.
"""

from collections.abc import Collection
from typing import Final

TSUMO, RON = "tsumo", "ron"
RIICHI, NO_RIICHI, DOUBLE_RIICHI = "riichi", "no riichi", "double riichi"
IPPATSU, URA_DORA = "ippatsu", "ura dora"
RINSHAN, CHANKAN, HAITEI, HOUTEI, TENHOU, CHIHOU = "rinshan", "chankan", "haitei", "houtei", "tenhou", "chihou"
OPEN_HAND, MELDS, NO_KAN = "an open hand", "melds", "a hand without a kan"
DEALER, NOT_DEALER = "the dealer's seat", "a seat that is not the dealer's"
ANOTHER_COPY = "another copy of the winning tile in the hand"

_FIRST_DRAW: Final = "it is a win with the first draw, before any call or discard of the winner's"
_TOO_EARLY: Final = "made before it prevents double riichi, and one made after it ends ippatsu"
_BY_DRAW: Final = "it is a win by self-draw"

EXCLUSIONS: Final[tuple[tuple[tuple[str, ...], str], ...]] = (
    ((HAITEI, HOUTEI), "one is the last draw, the other the last discard"),
    ((TENHOU, CHIHOU), "one is the dealer's, the other another seat's"),
    ((IPPATSU, NO_RIICHI), "it is a win within one go-around of the own riichi"),
    ((URA_DORA, NO_RIICHI), "only a hand in riichi turns them"),
    ((DOUBLE_RIICHI, OPEN_HAND), "only a closed hand can declare it; a closed kan, [1111m], leaves the hand closed"),
    ((RIICHI, OPEN_HAND), "only a closed hand can declare it; a closed kan, [1111m], leaves the hand closed"),
    ((IPPATSU, RINSHAN), "a kan ends ippatsu"),
    ((RINSHAN, RON), "it is a win by self-draw on the replacement tile of a kan"),
    ((RINSHAN, NO_KAN), "it is a win on the replacement tile of an own kan"),
    ((RINSHAN, CHANKAN), "one is a win on the replacement tile of an own kan, the other robs another player's"),
    ((RINSHAN, HAITEI), "the replacement tile of a kan is not the last tile of the wall"),
    ((RINSHAN, HOUTEI), "one is a win by self-draw, the other a ron"),
    ((CHANKAN, TSUMO), "it is a ron on the tile that another player adds to a pon"),
    ((CHANKAN, HAITEI), "one is a ron, the other a win by self-draw"),
    ((CHANKAN, HOUTEI), "no kan can be made once the wall is empty"),
    ((CHANKAN, ANOTHER_COPY), "the other three copies are in the pon that becomes a kan"),
    ((HAITEI, RON), f"{_BY_DRAW}; a ron on the last discard is houtei"),
    ((HOUTEI, TSUMO), "it is a ron on the last discard; a win by self-draw on the last tile is haitei"),
    ((IPPATSU, HOUTEI), "riichi needs four tiles in the wall, so its first go-around ends before the last discard"),
    ((DOUBLE_RIICHI, IPPATSU, HAITEI), "the first go-around of a hand does not reach the last tile"),
    ((DOUBLE_RIICHI, IPPATSU, CHANKAN), f"a pon {_TOO_EARLY}"),
    ((DOUBLE_RIICHI, IPPATSU, MELDS), f"a kan {_TOO_EARLY}"),
    ((TENHOU, RON), _BY_DRAW),
    ((CHIHOU, RON), _BY_DRAW),
    ((TENHOU, NOT_DEALER), "it is the dealer's; another seat's is chihou"),
    ((CHIHOU, DEALER), "it is another seat's; the dealer's is tenhou"),
    *(
        ((first, other), _FIRST_DRAW)
        for first in (TENHOU, CHIHOU)
        for other in (MELDS, DOUBLE_RIICHI, RIICHI, RINSHAN, CHANKAN, HAITEI, HOUTEI)
    ),
)
"""Circumstances that cannot all hold of one win, and why; the first that applies is the one to report."""


def contradiction(circumstances: Collection[str]) -> str:
    """Which of a win's circumstances exclude each other, and why; empty if they can all hold."""
    for together, why in EXCLUSIONS:
        if all(each in circumstances for each in together):
            *most, last = together
            return f"{', '.join(most)} and {last} exclude each other: {why}"
    return ""
