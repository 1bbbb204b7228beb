"""The result of ``oshihiki evaluate`` as plain values: the actions, or what a hand of 13 tiles draws and waits for."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import isnan
from typing import Any

from bot.wording.events import limit_words
from engine.model.actions import DISCARDS
from engine.model.events import WinScore
from engine.model.tiles import RED_FIVES, TILE37, TileError, allocate136, format_tile37, format_tiles
from engine.scoring import WinContext, score_win
from engine.search.evaluator import Choice, Evaluation, Worth
from engine.search.position import Position
from engine.shanten import Ukeire, ukeire


@dataclass(frozen=True, slots=True)
class Next:
    """One kind whose draw lowers the shanten of a hand.

    Attributes:
        tile34: the kind drawn.
        copies: its unseen copies.
        discards34: the discards after it that leave the lowest shanten and then the most copies; empty at tenpai.
        after: the hand after one of them; None at tenpai.
        ron, tsumo: value of a win on the kind without riichi; None without a yaku, or before tenpai.
        riichi: value of a ron with riichi; None for an open hand, or before tenpai.
    """

    tile34: int
    copies: int
    discards34: tuple[int, ...] = ()
    after: Ukeire | None = None
    ron: WinScore | None = None
    tsumo: WinScore | None = None
    riichi: WinScore | None = None


@dataclass(frozen=True, slots=True)
class Draws:
    """A hand of 13 tiles and its next draws.

    Attributes:
        hand: its shanten and ukeire; at tenpai the ukeire are its waits.
        each: the draws, in order of kinds.
    """

    hand: Ukeire
    each: tuple[Next, ...]


def draws_of(position: Position) -> Draws | None:
    """What a hand of 13 tiles leads to; None for one with a tile to discard."""
    if position.to_discard:
        return None
    hand = ukeire(position.counts, len(position.melds), position.unseen)
    follow = _win if hand.shanten == 0 else _discard
    return Draws(hand, tuple(follow(position, kind, copies) for kind, copies in hand.tiles))


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
    used = {*position.concealed, *(tile for meld in position.melds for tile in meld.tiles)}
    try:
        (tile,) = allocate136([drawn], used, position.rules.red_fives)
    except TileError:
        tile = next(tile for tile in range(4 * drawn, 4 * drawn + 4) if tile not in used)

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

    riichi = value(riichi=max(1, position.riichi)) if position.closed else None
    return Next(drawn, copies, ron=value(), tsumo=value(tsumo=True), riichi=riichi)


def value_words(score: WinScore | None) -> str:
    """``'2 han 40 fu 2,600'``, ``'mangan 8,000'``; a dash for a hand without a yaku."""
    if score is None:
        return "no yaku"
    return f"{limit_words(score.limit) or f'{score.han} han {score.fu} fu'} {score.points:,}"


def draws_fields(draws: Draws) -> dict[str, Any]:
    """The draws as plain values, for ``--json``."""
    return {
        "ukeire": _ukeire_fields(draws.hand),
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
        "value_by_draws": _plain(worth.value_by_draws),
        "p_win_by_draws": _plain(worth.p_win_by_draws),
        "shanten": None if found is None else found.shanten,
        "ukeire": None
        if found is None
        else {"total": found.total, "tiles": {format_tile37(kind): copies for kind, copies in found.tiles}},
    }


def _plain(values: Sequence[float]) -> list[float | None]:
    return [None if isnan(value) else value for value in values]
