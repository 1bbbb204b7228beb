"""Facts that a player sees about an answer: what the hand then waits on, what its tile is, whom it concerns."""

from collections.abc import Sequence
from typing import Final

from bot.deciding.fields import ground_fields
from bot.page.table import copies_text, kinds_text
from bot.review.document import Dealt, Facts
from engine.model.actions import CALLS, DISCARDS, KANS, PASS, Action
from engine.model.rules import RIICHI_STICK
from engine.model.seats import by_score, others, relative
from engine.model.tiles import DORA_AFTER, HONOURS, RED_FIVES
from engine.opponents.danger import Danger
from engine.policy.explaining import safety
from engine.policy.scene import Scene
from engine.rules.course import next_hand
from engine.shanten import shanten, shape_draws
from engine.state import GameState, RiverTile

ONE_SUIT_RIVER: Final = 6
"""Discards in other suits from which a river, beside melds of one suit, suggests that the hand collects that suit. A
choice of style."""
ONE_SUIT_CLOSED: Final = 9
"""Discards in other suits from which a river suggests it where no meld points to a suit. A choice of style."""


def facts_of(scene: Scene, action: Action, danger: Danger | None = None) -> Facts:
    """The facts of an answer; those that do not apply are left out, and ``dealt`` without an estimate of the danger.

    ``draws``: the tiles that bring the hand nearer after it, each with the number left, ``'5p34m2'``; ``shapes``: those
    that only let more tiles do so; ``waits`` and ``left``: what the hand waits on after it, and how many of these are
    unseen; ``shanten`` after a call or a pass; ``dora``: the number of dora that the tile is; ``yakuhai``: that it is
    an honour that pays; ``safety``: by relative seat of each opponent in riichi, what the tile is called; ``suit``: by
    relative seat, the suit that an opponent seems to collect, if the tile is of it; ``dealt``: what it does to the game
    to deal in with the tile; ``kan``: that another indicator is turned for everybody.
    """
    found: Facts = {}
    state = scene.state
    if action.kind in DISCARDS or action == PASS:
        after = scene.improvements if action == PASS else scene.improvements_after(action.tile >> 2)
        if after.shanten == 0 and after.tiles:
            found |= {"waits": kinds_text(kind for kind, _ in after.tiles), "left": after.total}
        elif action == PASS:
            found["shanten"] = after.shanten
        counts = list(state.counts)
        if action.kind in DISCARDS:
            counts[action.tile >> 2] -= 1
        found |= {
            "draws": copies_text(after.tiles),
            "shapes": copies_text(shape_draws(counts, scene.melds, scene.unseen)),
        }
    if action.kind in DISCARDS:
        found |= _of_tile(scene, action.tile)
        if danger is not None and (dealt := _dealt(scene.state, danger, action.tile >> 2)):
            found["dealt"] = dealt
    if action.kind in CALLS:
        counts = list(state.counts)
        for kind in [tile >> 2 for tile in action.own] or [action.tile >> 2] * 3:  # an open kan takes all three
            counts[kind] -= 1
        found |= {"called": True, "shanten": shanten(counts, scene.melds + 1)}
    if action.kind in KANS:
        found["kan"] = len(state.riichi_opponents)
    return found


def _of_tile(scene: Scene, tile: int) -> Facts:
    """The meaning of a discarded tile to the others."""
    state, kind = scene.state, tile >> 2
    found: Facts = {}
    dora = sum(DORA_AFTER[each >> 2] == kind for each in state.dora_indicators)
    if total := dora + (state.rules.red_fives and tile in RED_FIVES):
        found["dora"] = total
    if scene.yakuhai[kind]:
        found["yakuhai"] = True
    names = safety(scene, kind)
    if state.riichi_opponents:
        found["safety"] = {
            str(relative(seat, state.seat)): ground_fields(names[seat]) for seat in state.riichi_opponents
        }
    suits = {str(relative(seat, state.seat)): suit for seat in others(state.seat)
             if (suit := collected(state, seat)) is not None and (kind >= HONOURS or kind // 9 == suit)}  # fmt: skip
    if suits and kind < HONOURS:
        found["suit"] = {seat: "mps"[suit] for seat, suit in suits.items()}
    return found


def _dealt(state: GameState, danger: Danger, kind: int) -> Dealt | None:
    """What it does to the game to deal in to the likeliest winner, for the mean points; None if it only costs points.

    ``to``: relative seat of the winner; ``points``: the points, in hundreds; ``ends``: whether the game is over then;
    ``place``: the player's place then, 1 to 4.
    """
    seat = state.seat
    winner = max(others(seat), key=lambda each: float(danger.p_deal_in[each, kind]))
    if not danger.p_deal_in[winner, kind] > 0.0:
        return None
    points = 100 * round(float(danger.loss[winner, kind]) / 100)
    scores = list(state.scores)
    scores[seat] -= points
    scores[winner] += points + RIICHI_STICK * state.riichi_sticks
    stays = winner == state.dealer
    ends = next_hand(state.rules, state.kyoku, state.honba, scores, dealer_stays=stays, drawn=False) is None
    before, place = (by_score(each).index(seat) + 1 for each in (state.scores, scores))
    if not ends and place == before:
        return None
    return {"to": relative(winner, seat), "points": points, "ends": ends, "place": place}


def collected(state: GameState, seat: int) -> int | None:
    """The suit that a player seems to collect (0 manzu, 1 pinzu, 2 souzu); None if nothing suggests one.

    All melds are of it or of honours, and of the discards, which are many, at most one is of it.
    """
    river: Sequence[RiverTile] = state.rivers[seat]
    kinds = [one.tile >> 2 for one in river]
    melded = {meld.tile34 // 9 for meld in state.melds[seat] if meld.tile34 < HONOURS}
    if len(melded) > 1 or seat in state.riichi_opponents:
        return None
    least = ONE_SUIT_RIVER if state.melds[seat] else ONE_SUIT_CLOSED
    for suit in melded or range(3):
        inside = sum(kind < HONOURS and kind // 9 == suit for kind in kinds)
        outside = sum(kind < HONOURS and kind // 9 != suit for kind in kinds)
        if inside <= bool(melded) and outside >= least:
            return suit
    return None
