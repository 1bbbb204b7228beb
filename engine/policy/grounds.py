"""The grounds of a decision as data: the kind of each ground, and its figures.

There are no sentences here. ``bot.wording`` words the grounds in the reader's language; :data:`FIGURES` lists the
figures of every kind and the unit of each, so that both sides can be checked against one table.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final, TypeAlias

Figure: TypeAlias = "int | float | str | Ground | tuple[Ground, ...]"
"""A number, a text, or grounds that are part of this one."""


class Unit(StrEnum):
    """Unit of a figure, which decides how it is written."""

    TILES = "tiles"
    """Tiles as mpsz text, ``'5p'`` or ``'36p1z'``."""
    CHANCE = "chance"
    """A chance, 0-1, of something that happens now and then, such as a win."""
    RISK = "risk"
    """A chance, 0-1, that is usually small, such as a deal-in."""
    POINTS = "points"
    """Points of the game."""
    AMOUNT = "amount"
    """A value in another unit, which is given as a figure of its own."""
    COUNT = "count"
    """A number of things."""
    SHANTEN = "shanten"
    """Shanten of a hand, 0 for tenpai."""
    SEAT = "seat"
    """A seat relative to the decider: 1 right, 2 across, 3 left."""
    TEXT = "text"
    """Free text."""
    GROUND = "ground"
    """A ground."""
    GROUNDS = "grounds"
    """Any number of grounds, possibly none."""


class GroundKind(StrEnum):
    """Kinds of grounds. :data:`FIGURES` lists the figures of each."""

    # answers that needed no comparison
    WIN = "win"
    ONLY_ANSWER = "only_answer"
    NINE_TERMINALS_FAR = "nine_terminals_far"
    """The first hand is too far from a win and has too few terminals and honours for thirteen orphans."""
    TOO_FAR_TO_CALL = "too_far_to_call"
    DRAWN_TILE = "drawn_tile"
    """The policy always discards the drawn tile."""
    FALLBACK_PASSES = "fallback_passes"
    FALLBACK_ANY = "fallback_any"
    FALLBACK_GENBUTSU = "fallback_genbutsu"
    FALLBACK_NEAREST = "fallback_nearest"
    NOT_FOLLOWED = "not_followed"
    """By our rules nothing is legal here, because the state no longer matches the game."""
    PROGRAM = "program"
    """An external program gave the answer."""
    PROGRAM_RESUMED = "program_resumed"
    """An external program cannot answer in a hand that was joined in progress."""
    REMARK = "remark"
    """Free text of a policy."""

    # the action
    DISCARD = "discard"
    RIICHI = "riichi"
    TSUMO = "tsumo"
    RON = "ron"
    CHI = "chi"
    PON = "pon"
    DAIMINKAN = "daiminkan"
    ANKAN = "ankan"
    KAKAN = "kakan"
    NINE_TERMINALS = "nine_terminals"
    PASS = "pass"  # noqa: S105 - no password
    CALL_AND_DISCARD = "call_and_discard"

    # the decision and its prospects
    PLAY = "play"
    FOLD = "fold"
    FOLD_SAFEST = "fold_safest"
    POINTS = "points"
    AMOUNT = "amount"
    """A value in another unit than points, such as dan points."""
    WORTH = "worth"
    DISTANCE = "distance"
    WAITS = "waits"
    NO_WAITS = "no_waits"
    WINS = "wins"
    WINS_OF = "wins_of"
    """The chance to win with the mean value of a win."""
    REDEAL = "redeal"

    # the yaku that an open hand goes for
    CLOSED_HAND = "closed_hand"
    NO_YAKU = "no_yaku"
    YAKUHAI = "yakuhai"
    TANYAO = "tanyao"
    TOITOI = "toitoi"
    HONITSU_MANZU = "honitsu_manzu"
    HONITSU_PINZU = "honitsu_pinzu"
    HONITSU_SOUZU = "honitsu_souzu"

    # push or fold
    FOLDED_BEFORE = "folded_before"
    FOLDS_AGAINST = "folds_against"
    FOLDS_AGAINST_THREATS = "folds_against_threats"
    PUSHES_AGAINST = "pushes_against"
    PUSH_WORTH = "push_worth"
    """The worth of pushing and of folding, when pushing is chosen."""
    FOLD_WORTH = "fold_worth"
    """The same when folding is chosen."""
    PUSH_STRONG_PLAY = "push_strong_play"
    """Pushing is chosen because strong players do; the search alone values folding more."""
    FOLD_STRONG_PLAY = "fold_strong_play"
    """The same when folding is chosen."""
    FOLD_CLOSE = "fold_close"
    """Pushing is worth more than folding, by less than the lead that a push needs."""
    FOLD_KEPT = "fold_kept"
    """The same in a hand that has folded before, and needs a larger lead to push again."""
    FOLD_HOPELESS = "fold_hopeless"
    """Pushing is worth more than folding, but can neither win nor end tenpai."""

    # danger of a tile
    DEAL_IN = "deal_in"
    SAFE = "safe"
    AGAINST_RIICHI = "against_riichi"
    AGAINST_OPEN = "against_open"
    AGAINST_CLOSED = "against_closed"
    GENBUTSU = "genbutsu"
    HONOUR = "honour"
    SUJI = "suji"
    HALF_SUJI = "half_suji"
    NO_SUJI = "no_suji"
    NO_CHANCE = "no_chance"
    ONE_CHANCE = "one_chance"

    # the other answers
    NEXT_BEST = "next_best"
    IMITATES = "imitates"
    """The likeliest action of the players who are imitated."""
    OR_ELSE = "or_else"
    """Another action that is likely."""
    PRIOR = "prior"
    """Strong players choose the action; the search alone values another one more."""
    RIICHI_BETTER = "riichi_better"
    SILENT_BETTER = "silent_better"
    LOCKED = "locked"
    """The chances to deal in later: in riichi, which discards whatever it draws, and with a silent tenpai hand."""
    KAN_KEEPS = "kan_keeps"
    CALL_BETTER = "call_better"
    CALL_WORSE = "call_worse"
    NO_CALL_NEARER = "no_call_nearer"
    NO_CALL_YAKU = "no_call_yaku"

    # the standing of the game
    LAST_HAND = "last_hand"
    NEXT_TO_LAST_HAND = "next_to_last_hand"
    PLACE = "place"
    BEHIND = "behind"
    AHEAD = "ahead"


_TILE: Final = {"tile": Unit.TILES}
_AGAINST_SILENT: Final = {"seat": Unit.SEAT, "chance": Unit.RISK, "tenpai": Unit.CHANCE, "safety": Unit.GROUND}
_TWO_WAYS: Final = {"riichi": Unit.GROUND, "silent": Unit.GROUND, "gap": Unit.GROUND}
_TWO_SIDES: Final = {"push": Unit.GROUND, "fold": Unit.GROUND}
_TO_PLACE: Final = {"points": Unit.POINTS, "place": Unit.COUNT}

FIGURES: Final[Mapping[GroundKind, Mapping[str, Unit]]] = {kind: {} for kind in GroundKind} | {
    GroundKind.NINE_TERMINALS_FAR: {"kinds": Unit.COUNT, "shanten": Unit.SHANTEN},
    GroundKind.TOO_FAR_TO_CALL: {"shanten": Unit.SHANTEN},
    GroundKind.FALLBACK_GENBUTSU: _TILE,
    GroundKind.FALLBACK_NEAREST: _TILE,
    GroundKind.PROGRAM: {"name": Unit.TEXT},
    GroundKind.PROGRAM_RESUMED: {"name": Unit.TEXT},
    GroundKind.REMARK: {"text": Unit.TEXT},
    GroundKind.DISCARD: _TILE,
    GroundKind.RIICHI: _TILE,
    GroundKind.RON: _TILE,
    GroundKind.CHI: {"tile": Unit.TILES, "own": Unit.TILES},
    GroundKind.PON: _TILE,
    GroundKind.DAIMINKAN: _TILE,
    GroundKind.ANKAN: _TILE,
    GroundKind.KAKAN: _TILE,
    GroundKind.CALL_AND_DISCARD: {"call": Unit.GROUND, "tile": Unit.TILES},
    GroundKind.PLAY: {"does": Unit.GROUND, "prospects": Unit.GROUNDS},
    GroundKind.FOLD: {"does": Unit.GROUND},
    GroundKind.FOLD_SAFEST: {"does": Unit.GROUND},
    GroundKind.POINTS: {"points": Unit.POINTS},
    GroundKind.AMOUNT: {"amount": Unit.AMOUNT, "unit": Unit.TEXT},
    GroundKind.WORTH: {"value": Unit.GROUND},
    GroundKind.DISTANCE: {"shanten": Unit.SHANTEN, "ukeire": Unit.COUNT},
    GroundKind.WAITS: {"waits": Unit.TILES, "left": Unit.COUNT},
    GroundKind.WINS: {"chance": Unit.CHANCE},
    GroundKind.WINS_OF: {"chance": Unit.CHANCE, "points": Unit.POINTS},
    GroundKind.FOLDS_AGAINST: {"riichi": Unit.COUNT, "shanten": Unit.SHANTEN},
    GroundKind.FOLDS_AGAINST_THREATS: {"threats": Unit.COUNT, "shanten": Unit.SHANTEN},
    GroundKind.PUSHES_AGAINST: {"riichi": Unit.COUNT, "shanten": Unit.SHANTEN},
    GroundKind.PUSH_WORTH: _TWO_SIDES,
    GroundKind.FOLD_WORTH: _TWO_SIDES,
    GroundKind.PUSH_STRONG_PLAY: {**_TWO_SIDES, "gap": Unit.GROUND},
    GroundKind.FOLD_STRONG_PLAY: {**_TWO_SIDES, "gap": Unit.GROUND},
    GroundKind.FOLD_CLOSE: {**_TWO_SIDES, "lead": Unit.GROUND},
    GroundKind.FOLD_KEPT: {**_TWO_SIDES, "lead": Unit.GROUND},
    GroundKind.FOLD_HOPELESS: _TWO_SIDES,
    GroundKind.DEAL_IN: {"tile": Unit.TILES, "chance": Unit.RISK, "points": Unit.POINTS, "against": Unit.GROUNDS},
    GroundKind.SAFE: {"tile": Unit.TILES, "against": Unit.GROUNDS},
    GroundKind.AGAINST_RIICHI: {"seat": Unit.SEAT, "chance": Unit.RISK, "safety": Unit.GROUND},
    GroundKind.AGAINST_OPEN: {**_AGAINST_SILENT, "melds": Unit.COUNT},
    GroundKind.AGAINST_CLOSED: _AGAINST_SILENT,
    GroundKind.HONOUR: {"unseen": Unit.COUNT},
    GroundKind.NEXT_BEST: {"does": Unit.GROUND, "gap": Unit.GROUND},
    GroundKind.IMITATES: {"does": Unit.GROUND, "chance": Unit.CHANCE},
    GroundKind.OR_ELSE: {"does": Unit.GROUND, "chance": Unit.CHANCE},
    GroundKind.PRIOR: {"chance": Unit.CHANCE, "does": Unit.GROUND, "gap": Unit.GROUND, "other": Unit.CHANCE},
    GroundKind.RIICHI_BETTER: _TWO_WAYS,
    GroundKind.SILENT_BETTER: _TWO_WAYS,
    GroundKind.LOCKED: {"riichi": Unit.RISK, "silent": Unit.RISK},
    GroundKind.KAN_KEEPS: _TILE,
    GroundKind.CALL_BETTER: {
        "plan": Unit.GROUND,
        "shanten": Unit.SHANTEN,
        "before": Unit.SHANTEN,
        "call": Unit.POINTS,
        "passing": Unit.POINTS,
    },
    GroundKind.CALL_WORSE: {"call": Unit.POINTS, "passing": Unit.POINTS},
    GroundKind.LAST_HAND: {"standing": Unit.GROUNDS},
    GroundKind.NEXT_TO_LAST_HAND: {"standing": Unit.GROUNDS},
    GroundKind.PLACE: {"place": Unit.COUNT, "points": Unit.POINTS},
    GroundKind.BEHIND: _TO_PLACE,
    GroundKind.AHEAD: _TO_PLACE,
}
"""By kind, the names of its figures and their units. A kind that is not listed has none."""


@dataclass(frozen=True, slots=True)
class Ground:
    """One ground of a decision.

    Attributes:
        kind: the kind of ground.
        figures: figures by their names in :data:`FIGURES`; plain Python numbers, so that JSON can represent them. Must
            not be changed.
    """

    kind: GroundKind
    figures: Mapping[str, Figure] = field(default_factory=dict)


class Note(StrEnum):
    """A remark on a candidate in addition to its figures."""

    FOLD = "fold"
    """The hand folds after it."""
    SILENT = "silent"
    """Tenpai with a closed hand without riichi."""
    REDEAL = "redeal"
    """The hand is aborted and dealt again."""


def ground(kind: GroundKind, **figures: Figure) -> Ground:
    """The ground of that kind with these figures."""
    return Ground(kind, figures)
