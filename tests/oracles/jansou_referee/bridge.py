"""Conversion between the referee library's vocabulary and ours: tiles, rules, yaku, limits, and a seat's answers.

The library's tiles are kinds with a mark for red fives, without identity; ``Kyoku`` follows the physical tiles.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import fields, replace
from typing import Any, Final

from jansou.analysis import waits as library_waits
from jansou.core.hand import Hand
from jansou.core.rules import Rules as JansouRules
from jansou.core.rules import preset
from jansou.core.tiles import Tile, TileKind, Wind
from jansou.game import actions as lib
from jansou.game.events import RyuukyokuKind as JansouRyuukyoku
from jansou.scoring.score import LimitTier, ScoreResult
from jansou.scoring.yaku import Yaku

from engine.model.actions import NINE_TERMINALS, PASS, Action, ActionKind
from engine.model.events import RyuukyokuKind, WinScore
from engine.model.rules import HANCHAN, Rules
from engine.model.tiles import KINDS, RED_FIVES, TERMINALS_AND_HONOURS, TILE34, TILE37, TILES
from engine.model.yaku import DORA, RED_FIVE, URA_DORA
from engine.scoring import YAKU

_RULES: Final[Mapping[str, str]] = {
    "red_fives": "aka_dora",
    "open_tanyao": "kuitan",
    "ura_dora": "ura_dora",
    "ippatsu": "ippatsu",
    "kiriage": "kiriage_mangan",
    "start_points": "starting_points",
    "return_points": "sudden_death_target",
}
"""The library's name of each rule of ours that it has as it is."""
_OURS: Final = frozenset(("hanchan", "uma"))
"""Rules that the library has otherwise, or that it need not know."""
_PLAIN: Final = tuple(Tile(TileKind(tile // 4)) for tile in range(TILES))
_RED: Final = tuple(Tile(TileKind(tile // 4), red=tile in RED_FIVES) for tile in range(TILES))


def library_tiles(rules: Rules) -> tuple[Tile, ...]:
    """The library's tile for each ``tile136``."""
    return _RED if rules.red_fives else _PLAIN


def library_rules(rules: Rules) -> JansouRules:
    """The library's Tenhou rules with the table's choices.

    Raises:
        ValueError: a rule that the library does not have is another than at the usual tables.
    """
    for name in (each.name for each in fields(Rules)):
        value, usual = getattr(rules, name), getattr(HANCHAN, name)
        if name not in _RULES and name not in _OURS and value != usual:
            raise ValueError(f"{name} = {value}: the referee supports only {usual}")
    known: dict[str, Any] = {theirs: getattr(rules, ours) for ours, theirs in _RULES.items()}
    return replace(preset("tenhou"), game_length=Wind.SOUTH if rules.hanchan else Wind.EAST, **known)


def forget_hands() -> None:
    """Clear the library's cache of which tiles complete which hand; to be called between hands.

    The cache would keep 65,536 hands, about 75 MB, which a long run fills in 300 games. Only hands of the current deal
    are looked up again.
    """
    memory = getattr(library_waits, "_cached_waits", None)  # not part of its interface; another version may not have it
    if memory is not None:
        memory.cache_clear()


RYUUKYOKU_KINDS: Final = {
    JansouRyuukyoku.EXHAUSTIVE: RyuukyokuKind.EXHAUSTIVE,
    JansouRyuukyoku.NAGASHI: RyuukyokuKind.NAGASHI_MANGAN,
    JansouRyuukyoku.NINE_TERMINALS: RyuukyokuKind.NINE_TERMINALS,
    JansouRyuukyoku.FOUR_WINDS: RyuukyokuKind.FOUR_WINDS,
    JansouRyuukyoku.FOUR_RIICHI: RyuukyokuKind.FOUR_RIICHI,
    JansouRyuukyoku.FOUR_KANS: RyuukyokuKind.FOUR_KANS,
    JansouRyuukyoku.TRIPLE_RON: RyuukyokuKind.TRIPLE_RON,
}

LIMITS: Final = {
    LimitTier.NONE: 0,
    LimitTier.MANGAN: 1,
    LimitTier.HANEMAN: 2,
    LimitTier.BAIMAN: 3,
    LimitTier.SANBAIMAN: 4,
    LimitTier.KAZOE_YAKUMAN: 5,
    LimitTier.YAKUMAN: 5,
}

YAKU_IDS: Final = {
    Yaku.MENZEN_TSUMO: 0,
    Yaku.RIICHI: 1,
    Yaku.IPPATSU: 2,
    Yaku.CHANKAN: 3,
    Yaku.RINSHAN: 4,
    Yaku.HAITEI: 5,
    Yaku.HOUTEI: 6,
    Yaku.PINFU: 7,
    Yaku.TANYAO: 8,
    Yaku.IIPEIKOU: 9,
    Yaku.YAKUHAI_SEAT: 10,
    Yaku.YAKUHAI_ROUND: 14,
    Yaku.YAKUHAI_HAKU: 18,
    Yaku.YAKUHAI_HATSU: 19,
    Yaku.YAKUHAI_CHUN: 20,
    Yaku.DOUBLE_RIICHI: 21,
    Yaku.CHIITOITSU: 22,
    Yaku.CHANTA: 23,
    Yaku.ITTSU: 24,
    Yaku.SANSHOKU_DOUJUN: 25,
    Yaku.SANSHOKU_DOUKOU: 26,
    Yaku.SANKANTSU: 27,
    Yaku.TOITOI: 28,
    Yaku.SANANKOU: 29,
    Yaku.SHOUSANGEN: 30,
    Yaku.HONROUTOU: 31,
    Yaku.RYANPEIKOU: 32,
    Yaku.JUNCHAN: 33,
    Yaku.HONITSU: 34,
    Yaku.CHINITSU: 35,
    Yaku.TENHOU: 37,
    Yaku.CHIIHOU: 38,
    Yaku.DAISANGEN: 39,
    Yaku.SUUANKOU: 40,
    Yaku.TSUUIISOU: 42,
    Yaku.RYUUIISOU: 43,
    Yaku.CHINROUTOU: 44,
    Yaku.CHUUREN: 45,
    Yaku.KOKUSHI: 47,
    Yaku.DAISUUSHI: 49,
    Yaku.SHOUSUUSHI: 50,
    Yaku.SUUKANTSU: 51,
}
"""Tenhou's id of each yaku; for winds that of east, for a yakuman with a purer form that of the common form."""


def win_score(result: ScoreResult, hand: Hand, tile: Tile, winds: tuple[int, int], ura: bool, tsumo: bool) -> WinScore:
    """The library's score of a win as a ``WinScore``, without honba and riichi sticks.

    From our own scoring it uses only the order in which Tenhou lists yaku.

    Args:
        result: the library's result.
        hand: the winner's hand, with the winning tile among the concealed ones.
        tile: the winning tile.
        winds: seat and round wind, 0 east to 3 north.
        ura: whether ura dora were turned; they are then listed even if there are none.
        tsumo: whether the win is a self-draw.
    """
    payment = result.payment
    points = 2 * payment.tsumo_non_dealer + (payment.tsumo_dealer or payment.tsumo_non_dealer) if tsumo else payment.ron
    if result.is_yakuman:
        ids = sorted(_yakuman_id(value.yaku, hand, tile) for value in result.yaku)
        orphans = any(value.yaku is Yaku.KOKUSHI for value in result.yaku)
        fu = 0 if orphans else result.fu.total  # thirteen orphans have no sets to count; so Tenhou states it
        return WinScore(fu, points, 5, (), tuple(ids))
    wind_of = {Yaku.YAKUHAI_SEAT: winds[0], Yaku.YAKUHAI_ROUND: winds[1]}
    yaku = {YAKU_IDS[value.yaku] + wind_of.get(value.yaku, 0): value.value for value in result.yaku}
    yaku |= {key: han for key, han in ((DORA, result.dora.dora), (RED_FIVE, result.dora.aka)) if han}
    if ura:
        yaku[URA_DORA] = result.dora.ura
    listed = sorted(yaku.items(), key=lambda each: (YAKU[each[0]].place, each[0]))
    return WinScore(result.fu.total, points, LIMITS[result.limit], tuple(listed))


def _yakuman_id(yaku: Yaku, hand: Hand, tile: Tile) -> int:
    """Tenhou's id of a yakuman; what the winning tile completed distinguishes the purer form from the common one."""
    counts = Counter(int(held.kind) for held in hand.concealed)
    counts[int(tile.kind)] -= 1
    before = +counts
    completed_pair = before[int(tile.kind)] == 1
    pure = (
        (yaku is Yaku.SUUANKOU and completed_pair)
        or (yaku is Yaku.KOKUSHI and len(before) == len(TERMINALS_AND_HONOURS))
        or (yaku is Yaku.CHUUREN and sorted(before.values()) == [1] * 7 + [3, 3])
    )
    return YAKU_IDS[yaku] + pure


class Offers:
    """The legal answers of one seat.

    Attributes:
        actions: answers that nobody can tell apart (copies of a plain tile, none just drawn) appear once, with the
            lowest copies.
        ron: whether a win on another player's tile is among them.
    """

    __slots__ = ("_drawn", "_hand", "_library", "_looks", "_offered", "actions", "ron")

    def __init__(
        self, actions: Sequence[lib.Action], hand: Sequence[int], drawn: int | None, offered: int, rules: Rules
    ) -> None:
        """Translate the library's actions.

        Args:
            actions: the library's actions for this seat.
            hand: concealed ``tile136``, without the drawn one.
            drawn: the tile just drawn.
            offered: another player's tile that may be claimed, or -1.
            rules: rules of the table.
        """
        self._looks = TILE37 if rules.red_fives else TILE34
        self._hand = sorted(hand)
        self._drawn = drawn
        self._offered = offered
        self._library = tuple(actions)
        self.actions = tuple(self._read(action) for action in actions)
        self.ron = any(action.kind is ActionKind.RON for action in self.actions)

    def choose(self, answer: Action) -> lib.Action:
        """The library's action for one of the answers."""
        return self._library[self.actions.index(answer)]

    def _lowest(self, *looks: int) -> tuple[int, ...]:
        """The lowest held tiles of these looks, ascending."""
        chosen: list[int] = []
        for look in looks:
            chosen.append(next(held for held in self._hand if self._looks[held] == look and held not in chosen))
        return tuple(sorted(chosen))

    def _read(self, action: lib.Action) -> Action:
        """The library's action with its physical tiles: the lowest copies, or the tile just drawn."""
        drawn = -1 if self._drawn is None else self._drawn
        match action:
            case lib.Discard() | lib.Riichi():
                kind = ActionKind.DISCARD if isinstance(action, lib.Discard) else ActionKind.RIICHI
                return Action(kind, drawn if action.tsumogiri else self._lowest(_look(action.tile))[0])
            case lib.Chii() | lib.Pon():
                kind = ActionKind.CHI if isinstance(action, lib.Chii) else ActionKind.PON
                return Action(kind, self._offered, self._lowest(*map(_look, action.tiles)))
            case lib.AddedKan(tile):
                added = drawn >= 0 and self._looks[drawn] == _look(tile)
                return Action(ActionKind.KAKAN, drawn if added else self._lowest(_look(tile))[0])
            case lib.ClosedKan(kind34):
                return Action(ActionKind.ANKAN, 4 * int(kind34))
            case lib.OpenKan():
                return Action(ActionKind.DAIMINKAN, self._offered)
            case lib.Tsumo():
                return Action(ActionKind.TSUMO, drawn)
            case lib.Ron():
                return Action(ActionKind.RON, self._offered)
            case lib.NineTerminals():
                return NINE_TERMINALS
            case lib.Pass():
                return PASS
        raise RuntimeError(f"the library offers {action!r}, which does not exist in four-player games")


def _look(tile: Tile) -> int:
    """The ``tile37`` of a tile, as the library sees it."""
    return KINDS + int(tile.kind) // 9 if tile.red else int(tile.kind)
