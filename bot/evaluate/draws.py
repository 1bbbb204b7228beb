"""What a hand of 13 tiles waits for or is improved by, and what each of these draws leads to."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from bot.wording.events import limit_words
from engine.model.events import WinScore
from engine.model.tiles import TileError, allocate136, format_tile37
from engine.scoring import WinContext, score_win
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
