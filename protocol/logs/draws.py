"""Hands that end without a win: the kind by the word that a program writes, or by what the hand shows."""

from collections.abc import Sequence
from typing import Final

from engine.model import events as ev
from engine.model.events import RyuukyokuKind
from engine.model.rules import NOTEN_POINTS
from engine.model.seats import SEATS
from engine.model.tiles import EAST, HAKU, HONOURS, KINDS
from protocol.logs.game_builder import GameBuilder
from protocol.logs.hands import NOBODY_PAYS
from protocol.logs.json_text import quoted
from protocol.logs.words import DRAWS, kind_of_word, says_all_tenpai, says_any_draw, says_draw, says_no_end

_NINE: Final = 9
_TERMINALS: Final = frozenset((*(9 * suit + at for suit in range(3) for at in (0, 8)), *range(HONOURS, KINDS)))
"""The ``tile34`` of terminals and honours."""


def end_without_win(
    builder: GameBuilder,
    word: str,
    paid: ev.Points4 | None,
    tenpai: Sequence[int] | None = None,
    *,
    is_drawn: bool,
) -> None:
    """End the hand by a draw; where that or its kind is not certain, the hand is left without an end.

    Args:
        builder: the game.
        word: the word for the draw.
        paid: the payments; None if they are not stated.
        tenpai: the seats that are tenpai; None if that is not stated.
        is_drawn: whether the log says that the hand is drawn; otherwise only the end of the wall ends it.
    """
    deltas = paid or NOBODY_PAYS
    kind, is_stated = _kind_of_draw(builder, word, deltas, is_drawn=is_drawn)
    if kind is None:
        builder.hands.over = True
        return
    unstated = ev.NOTHING if is_stated else ev.Unstated.KIND
    all_tenpai = says_all_tenpai(word)
    unpaid = kind is RyuukyokuKind.EXHAUSTIVE and not any(deltas) and all_tenpai is None
    if tenpai is None and (unpaid or kind is RyuukyokuKind.NAGASHI_MANGAN):
        unstated |= ev.Unstated.TENPAI
    played_out = kind in {RyuukyokuKind.EXHAUSTIVE, RyuukyokuKind.NAGASHI_MANGAN}
    if paid is None and played_out and all_tenpai is None:
        unstated |= ev.Unstated.PAYMENTS
    shown = _seats_shown(builder, kind, deltas, all_tenpai) if tenpai is None else tenpai
    builder.ryuukyoku(kind, deltas, shown, unstated)


def _kind_of_draw(
    builder: GameBuilder, word: str, deltas: Sequence[int], *, is_drawn: bool
) -> tuple[RyuukyokuKind | None, bool]:
    """The kind of a draw by its word, or else by the play, and whether the word says it; None if it is not certain.

    A word for the end of the wall stands for any draw where the wall is not exhausted and nobody pays, or where a
    nagashi mangan is paid. An unknown word is noted.
    """
    stated = kind_of_word(word)
    shown = _kind_shown(builder, deltas) if is_drawn or builder.wall_exhausted else None
    if says_any_draw(word):
        stated = shown if shown is RyuukyokuKind.EXHAUSTIVE else None
    if stated is not None and not (stated is RyuukyokuKind.EXHAUSTIVE and shown is not None):
        return stated, True
    if stated is None:
        meant = "how the hand ended is left open" if shown is None else f"by the play it is {DRAWS[shown].title}"
        if not says_draw(word) and not says_no_end(word):
            builder.notes.add(f"the end {quoted(word)} of a hand is not known; {meant}", builder.position)
        elif shown is None:
            builder.notes.add(f"the draw {quoted(word)} names no kind; {meant}", builder.position)
    return shown, shown is stated


def _kind_shown(builder: GameBuilder, deltas: Sequence[int]) -> RyuukyokuKind | None:
    """The one kind of draw that the rules allow after the play so far, by its payments; None if that is not certain.

    Three rons cannot be told from a hand that breaks off after a discard.
    """
    hands = builder.hands
    paid = sum(delta for delta in deltas if delta > 0)
    if builder.wall_exhausted:
        return RyuukyokuKind.EXHAUSTIVE if paid in {0, NOTEN_POINTS} else RyuukyokuKind.NAGASHI_MANGAN
    if paid:
        return None
    if isinstance(hands.last, ev.Draw):
        seat = hands.last.seat
        held = {tile >> 2 for tile in hands.concealed[seat] or ()}
        first = hands.draws <= len(SEATS) and not any(hands.melds)
        return RyuukyokuKind.NINE_TERMINALS if first and len(held & _TERMINALS) >= _NINE else None
    kans = [sum(meld.kind.is_kan for meld in melds) for melds in hands.melds]
    if len(hands.riichi) == len(SEATS):
        return RyuukyokuKind.FOUR_RIICHI
    if sum(kans) == 4 and max(kans) < 4:
        return RyuukyokuKind.FOUR_KANS
    discards = [event.tile >> 2 for event in builder.hand_events if isinstance(event, ev.Discard)]
    if len(discards) == 4 and len(set(discards)) == 1 and EAST <= discards[0] < HAKU and not any(hands.melds):
        return RyuukyokuKind.FOUR_WINDS
    return None


def _seats_shown(
    builder: GameBuilder, kind: RyuukyokuKind, deltas: ev.Points4, all_tenpai: bool | None
) -> Sequence[int]:
    """The seats that certainly show their hands at a draw.

    At the end of the wall the payments say it. Nobody pays when all or none are tenpai: then what is said of it (see
    :func:`says_all_tenpai`); a seat in riichi is tenpai, so with one all are.
    """
    hands = builder.hands
    if kind is RyuukyokuKind.NINE_TERMINALS:
        return (hands.last.seat,) if isinstance(hands.last, ev.Draw) else ()
    if kind is RyuukyokuKind.FOUR_RIICHI:
        return SEATS
    if kind is RyuukyokuKind.NAGASHI_MANGAN:
        return sorted(hands.riichi)
    if kind is not RyuukyokuKind.EXHAUSTIVE:
        return ()
    if all_tenpai is not None and not any(deltas):
        return SEATS if all_tenpai else ()
    return hands.tenpai_by(deltas)
