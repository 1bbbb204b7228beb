"""The result of ``oshihiki evaluate`` as plain values: the actions, or what a hand of 13 tiles draws and waits for."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import isnan
from typing import TYPE_CHECKING, Any

from bot.wording.events import limit_words
from engine.model.actions import CALLS, DISCARDS, KANS, Action, ActionKind
from engine.model.events import WinScore
from engine.model.tiles import KINDS, RED_FIVES, TILE37, format_tile37, format_tiles
from engine.scoring import WinContext, score_win
from engine.search.calls import after_call_of
from engine.search.evaluator import Choice, Evaluation, Worth
from engine.search.position import Position
from engine.shanten import Ukeire, shanten, shape_draws, ukeire

if TYPE_CHECKING:
    from engine.state import GameState


@dataclass(frozen=True, slots=True)
class Next:
    """One kind whose draw lowers the shanten of a hand."""

    tile34: int  # the kind drawn
    copies: int  # its unseen copies
    # the discards after it that leave the lowest shanten and then the most copies; empty at tenpai
    discards34: tuple[int, ...] = ()
    after: Ukeire | None = None  # the hand after one of them; None at tenpai
    # ron, tsumo: value of a win on the kind without riichi; None without a yaku, before tenpai, or if the hand and its
    # melds hold all four copies. ``ron`` is also None in furiten.
    ron: WinScore | None = None
    tsumo: WinScore | None = None
    riichi: WinScore | None = None  # value of a ron with riichi; None for an open hand, before tenpai, and in furiten
    gone: bool = False  # whether the hand and its melds hold all four copies of a wait


@dataclass(frozen=True, slots=True)
class Draws:
    """A hand of 13 tiles and its next draws."""

    hand: Ukeire  # its shanten and ukeire; at tenpai the ukeire are its waits
    each: tuple[Next, ...]  # the draws, in order of kinds
    furiten: bool = False  # whether the hand is tenpai and cannot win by ron
    furiten34: tuple[int, ...] = ()  # the waits in the own river; empty in furiten by a win that was passed


def draws_of(position: Position) -> Draws | None:
    """The next draws of a hand of 13 tiles; None for one with a tile to discard."""
    if position.to_discard:
        return None
    hand = ukeire(position.counts, len(position.melds), position.unseen)
    follow = _win if hand.shanten == 0 else _discard
    each = tuple(follow(position, kind, copies) for kind, copies in hand.tiles)
    waits = position.waits() & position.river_mask
    return Draws(hand, each, position.is_furiten(), tuple(kind for kind in range(KINDS) if waits >> kind & 1))


def furiten_after(position: Position, choice: Choice, then34: int = -1) -> bool | None:
    """Whether the hand that an action leaves is tenpai and cannot win by ron; None after a win or an abortive draw.

    A pass of a tile that completes the hand makes it furiten. After a chi or pon the hand is the one that the discard
    of ``then34`` leaves; None if that is not known.
    """
    kind, tile34 = choice.kind, choice.tile34
    if kind in DISCARDS:
        return position.is_furiten(tile34)
    if kind in CALLS:
        position = after_call_of(position, kind, choice.own34 or (tile34,) * (3 if kind is ActionKind.DAIMINKAN else 2))
    elif kind in KANS:
        position = position.after_call(kind, [tile for tile in position.concealed if tile >> 2 == tile34])
    elif kind is not ActionKind.PASS:
        return None
    if position.to_discard:
        return position.is_furiten(then34) if then34 >= 0 else None
    return position.is_furiten() or position.passes_win


def furiten_after_action(state: "GameState", action: Action) -> bool | None:
    """As :func:`furiten_after`, for an action of a seat in a game; None if it is not legal."""
    if action not in state.legal_actions():
        return None
    own34 = tuple(sorted(tile >> 2 for tile in action.own))
    return furiten_after(Position.from_state(state), Choice(action.kind, action.tile >> 2, own34))


def _discard(position: Position, drawn: int, copies: int) -> Next:
    counts, unseen = list(position.counts), list(position.unseen)
    counts[drawn] += 1
    unseen[drawn] = max(0, unseen[drawn] - 1)
    found: dict[int, Ukeire] = {}
    for kind, held in enumerate(counts):
        if held:
            counts[kind] -= 1
            found[kind] = ukeire(counts, len(position.melds), unseen)
            counts[kind] += 1
    best = min(found.values(), key=lambda one: (one.shanten, -one.total))
    alike = tuple(kind for kind, one in found.items() if (one.shanten, one.total) == (best.shanten, best.total))
    return Next(drawn, copies, alike, best)


def _win(position: Position, drawn: int, copies: int) -> Next:
    tile = _copy_to_win(position, drawn, copies)
    if tile is None:
        return Next(drawn, copies, gone=True)

    def value(*, tsumo: bool = False, riichi: int = position.riichi) -> WinScore | None:
        return score_win(
            WinContext(
                concealed=(*position.concealed, tile),
                win_tile=tile,
                tsumo=tsumo,
                seat_wind=position.seat_wind,
                round_wind=position.round_wind,
                melds=position.melds,
                riichi=riichi,
                dora_indicators=position.dora_indicators,
                rules=position.rules,
            )
        )

    if position.is_furiten():
        return Next(drawn, copies, tsumo=value(tsumo=True))
    riichi = value(riichi=max(1, position.riichi)) if position.closed else None
    return Next(drawn, copies, ron=value(), tsumo=value(tsumo=True), riichi=riichi)


def _copy_to_win(position: Position, kind: int, copies: int) -> int | None:
    """A copy of a wait: a plain one unless only the red five is left; None if the hand and its melds hold all four."""
    held = {*position.concealed, *(tile for meld in position.melds for tile in meld.tiles)}
    left = [tile for tile in range(4 * kind, 4 * kind + 4) if tile not in held]
    reds = [tile for tile in left if position.rules.red_fives and tile in RED_FIVES]
    only_red = copies == 1 and any(position.red_unseen[RED_FIVES.index(red)] for red in reds)
    return min(left, key=lambda tile: (tile in reds) != only_red, default=None)


def value_words(score: WinScore | None) -> str:
    """``'2 han 40 fu 2,600'``, ``'mangan 8,000'``; ``'no yaku'`` for a hand without one."""
    if score is None:
        return "no yaku"
    return f"{limit_words(score.limit) or f'{score.han} han {score.fu} fu'} {score.points:,}"


def draws_fields(draws: Draws) -> dict[str, Any]:
    """The draws as plain values, for ``--json``."""
    return {
        "ukeire": _ukeire_fields(draws.hand),
        "furiten": draws.furiten,
        "draws": [
            {
                "tile": format_tile37(one.tile34),
                "copies": one.copies,
                "discards": [format_tile37(kind) for kind in one.discards34],
                "shanten": draws.hand.shanten - 1 if one.after is None else one.after.shanten,
                "ukeire": None if one.after is None else _ukeire_fields(one.after),
                "ron": None if one.ron is None else one.ron.points,
                "tsumo": None if one.tsumo is None else one.tsumo.points,
                "riichi_ron": None if one.riichi is None else one.riichi.points,
            }
            for one in draws.each
        ],
    }


def _ukeire_fields(found: Ukeire) -> dict[str, Any]:
    return {"total": found.total, "tiles": {format_tile37(kind): copies for kind, copies in found.tiles}}


def improves(position: Position, choice: Choice) -> Ukeire | None:
    """The tiles that improve the hand after a discard; None for other actions."""
    if choice.kind not in DISCARDS:
        return None
    counts = list(position.counts)
    counts[choice.tile34] -= 1
    return ukeire(counts, len(position.melds), position.unseen)


def shapes_after(position: Position, choice: Choice) -> Ukeire:
    """The tiles that improve the hand after a discard without lowering its shanten."""
    counts = list(position.counts)
    counts[choice.tile34] -= 1
    melds = len(position.melds)
    found = shape_draws(counts, melds, position.unseen)
    return Ukeire(shanten(counts, melds), found, sum(copies for _, copies in found))


def tile_of(position: Position, choice: Choice) -> int:
    """``tile37`` of the action, -1 if it has none; a red five is discarded only if there is no plain one."""
    if choice.kind not in DISCARDS or not position.rules.red_fives:
        return choice.tile34
    copies = [tile for tile in position.concealed if tile >> 2 == choice.tile34]
    return TILE37[copies[0]] if copies and all(tile in RED_FIVES for tile in copies) else choice.tile34


def fields(position: Position, evaluation: Evaluation, milliseconds: float) -> dict[str, Any]:
    """The result as plain values, for ``--json``."""
    red = position.rules.red_fives
    draws = draws_of(position)
    return {
        "hand": format_tiles(position.concealed, red),
        "melds": [format_tiles(meld.tiles, red) for meld in position.melds],
        "offered": format_tiles([position.offered], red) if position.offered >= 0 else None,
        "draws_left": position.draws_left,
        "evaluator": evaluation.evaluator,
        "unit": evaluation.unit,
        "shanten": evaluation.shanten,
        "exchanges": evaluation.exchanges,
        "calls": evaluation.calls,
        "complete": evaluation.complete,
        "hands": evaluation.nodes,
        "nodes": evaluation.nodes,
        "edges": evaluation.edges,
        "ms": round(milliseconds, 3),
        "actions": [_worth_fields(position, worth) for worth in evaluation.actions],
        **({} if draws is None else draws_fields(draws)),
    }


def _worth_fields(position: Position, worth: Worth) -> dict[str, Any]:
    choice = worth.choice
    found = improves(position, choice)
    tile = tile_of(position, choice)
    return {
        "action": str(choice),
        "kind": choice.kind.name.lower(),
        "tile": format_tile37(tile) if tile >= 0 else None,
        "own": [format_tile37(kind) for kind in choice.own34],
        "then": format_tile37(worth.then34) if worth.then34 >= 0 else None,
        "value": worth.value,
        "p_win": worth.p_win,
        "p_tenpai": worth.p_tenpai,
        "win_points": worth.win_points,
        "furiten": furiten_after(position, choice, worth.then34),
        "value_by_draws": _plain(worth.value_by_draws),
        "p_win_by_draws": _plain(worth.p_win_by_draws),
        "shanten": None if found is None else found.shanten,
        "ukeire": None if found is None else _ukeire_fields(found),
        "shapes": None if found is None else _ukeire_fields(shapes_after(position, choice)),
    }


def _plain(values: Sequence[float]) -> list[float | None]:
    return [None if isnan(value) else value for value in values]
