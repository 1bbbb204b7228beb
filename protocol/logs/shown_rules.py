"""Rules as the hands and the course of a log show them: they decide where they contradict what the log states."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Final

from engine.model import events as ev
from engine.model.melds import MeldKind
from engine.model.rules import HANCHAN, RIICHI_STICK, TONPU, Rules
from engine.model.tiles import KINDS, KINDS37, PLAIN37, RED_FIVES
from engine.model.yaku import RED_FIVE, TANYAO

_MANGAN: Final = frozenset((8_000, 12_000))
"""Points of a mangan."""
_ROUNDED: Final = frozenset(((30, 4), (60, 3)))
"""Fu and han of the hands that some tables pay as a mangan."""


def shown_rules(rules: Rules, events: Sequence[ev.Event]) -> Rules:
    """The rules with what the deals and the wins of a log show otherwise.

    The first deal gives the start points. Most of the wins that show it decide on red fives, on open tanyao, and on
    whether a win just below a mangan is one.
    """
    first = next((event for event in events if isinstance(event, ev.StartKyoku)), None)
    if first is not None:
        rules = rules.begun_with(first.scores, first.riichi_sticks)
    wins = [event for event in events if isinstance(event, ev.Win)]
    return replace(
        rules,
        red_fives=_most(map(_red_fives, wins), rules.red_fives),
        open_tanyao=_most(map(_open_tanyao, wins), rules.open_tanyao),
        kiriage=_most(map(_kiriage, wins), rules.kiriage),
    )


def shows_red_fives(hands: Iterable[Iterable[int]]) -> bool | None:
    """Whether there are red fives (True) or none (False), by the ``tile37`` that come from the wall in each hand.

    There are none where four plain fives of a suit do in one hand; None if the tiles show neither.
    """
    found = None
    for hand in hands:
        counts = Counter(hand)
        if any(counts[red] for red in range(KINDS, KINDS37)):
            return True
        if any(counts[PLAIN37[red]] == 4 for red in range(KINDS, KINDS37)):
            found = False
    return found


def _most(shown: Iterable[bool | None], stated: bool) -> bool:
    """What most wins show; what is stated where none shows it, or as many show either."""
    found = [each for each in shown if each is not None]
    return stated if 2 * sum(found) == len(found) else 2 * sum(found) > len(found)


def _red_fives(win: ev.Win) -> bool | None:
    """Whether red fives are worth a han: a win lists them, or has one and lists none."""
    if win.score is None or win.score.yakuman:
        return None
    if any(yaku == RED_FIVE and han for yaku, han in win.score.yaku):
        return True
    tiles = {*win.concealed, *(tile for meld in win.melds for tile in meld.tiles)}
    return None if tiles.isdisjoint(RED_FIVES) else False


def _open_tanyao(win: ev.Win) -> bool | None:
    """Whether an open hand may be worth tanyao: one is."""
    listed = win.score is not None and any(yaku == TANYAO for yaku, _ in win.score.yaku)
    return True if listed and any(meld.kind is not MeldKind.ANKAN for meld in win.melds) else None


def _kiriage(win: ev.Win) -> bool | None:
    """Whether a win of 4 han 30 fu, or of 3 han 60 fu, was paid as a mangan."""
    score = win.score
    return None if score is None or (score.fu, score.han) not in _ROUNDED else score.points in _MANGAN


def length_of_course(events: Sequence[ev.Event], points: ev.Points4) -> bool | None:
    """Whether a game can only have been a hanchan (True) or an east-only game (False); None if it may be either.

    An east-only game goes on into the south round only while nobody has the points to return, and a hanchan ends
    before its last hand only when somebody falls below zero.

    Args:
        events: the game.
        points: the points after its last hand.
    """
    deals = [event for event in events if isinstance(event, ev.StartKyoku)]
    if not deals:
        return None
    last = deals[-1].kyoku
    usual = sum(deals[0].scores) + RIICHI_STICK * deals[0].riichi_sticks == 4 * HANCHAN.start_points
    reached = usual and any(
        deal.kyoku > TONPU.last_kyoku and deal.kyoku > before and max(deal.scores) >= HANCHAN.return_points
        for deal, before in zip(deals, (-1, *(deal.kyoku for deal in deals)), strict=False)
    )
    if last > HANCHAN.last_kyoku or reached:
        return True
    ended = isinstance(events[-1], ev.EndGame) and min(points) >= 0
    return False if ended and TONPU.last_kyoku <= last < HANCHAN.last_kyoku else None


def ends_as_east_only(events: Sequence[ev.Event], points: ev.Points4) -> bool:
    """Whether a log without an end of the game begins with its first hand and ends where an east-only game must.

    That is after E4, which the dealer lost, with somebody at the points to return and nobody below zero.
    """
    deals = [event for event in events if isinstance(event, ev.StartKyoku)]
    if len(deals) <= TONPU.last_kyoku or (deals[0].kyoku, deals[0].honba, deals[-1].kyoku) != (0, 0, TONPU.last_kyoku):
        return False
    dealer = deals[-1].dealer
    stays = any(
        event.seat == dealer if isinstance(event, ev.Win) else event.hands[dealer] is not None
        for event in events[-3:]
        if isinstance(event, ev.Win | ev.Ryuukyoku)
    )
    return not stays and max(points) >= HANCHAN.return_points and min(points) >= 0
