"""The true danger by views of the rules: every discard of a game, with what the other three players hold.

The truth follows from the rules alone: four views of the game are played side by side, each is shown what its seat may
see, and each answers for its own hand.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from engine.model.events import (
    Discard,
    Disconnected,
    Event,
    Reconnected,
    RiichiDeclared,
    Ryuukyoku,
    RyuukyokuKind,
    StartGame,
    StartKyoku,
    Win,
)
from engine.model.seats import SEATS, four
from engine.model.tiles import RED_FIVES
from engine.scoring import score_win
from engine.state import GameState, Phase, visible_to


@dataclass(frozen=True, slots=True)
class DiscardPoint:
    """A seat is about to discard, or to declare riichi and discard.

    Attributes:
        views: the four seats' views; they change when the next point is requested, so copy what you keep.
        seat: the discarder.
        tile: the ``tile136`` it discarded.
        at: index among the events of the discard, or of the riichi before it.
        won_by: the seats that won on it.
        paid: points it paid to each seat that won on it, honba included, by absolute seat.
    """

    views: tuple[GameState, GameState, GameState, GameState]
    seat: int
    tile: int
    at: int
    won_by: tuple[int, ...]
    paid: tuple[int, int, int, int]

    @property
    def state(self) -> GameState:
        """The discarder's view, which is all that an estimate may use."""
        return self.views[self.seat]


class Held(NamedTuple):
    """What one opponent would do about each tile.

    Attributes:
        waits: ``tile34`` that complete its hand.
        rons: those it could win on now if the discarder discarded them: with a yaku, and not furiten.
        points: what each of ``rons`` would cost, honba included, without ura dora.
    """

    waits: tuple[int, ...]
    rons: tuple[int, ...]
    points: tuple[int, ...]


def discard_points(events: Sequence[Event]) -> Iterator[DiscardPoint]:
    """Yield every discard of a game in which all hands are visible.

    Raises:
        ValueError: a hand is hidden, as in captured sessions.
        StateError: an event cannot happen.
    """
    views = _views(None)
    for at, event in enumerate(events):
        if isinstance(event, StartGame):
            views = _views(event)
        elif isinstance(event, StartKyoku):
            if any(hand is None for hand in event.hands):
                raise ValueError("hands are hidden; use logs, not captured sessions")
        elif isinstance(event, RiichiDeclared) or (
            isinstance(event, Discard) and views[event.seat].phase is not Phase.DECLARED
        ):
            point = _point(events, at, views)
            if point is not None:
                yield point
        for view in views:
            view.apply(visible_to(event, view.seat))


def held_by(view: GameState, discarder: GameState) -> Held:
    """What ``view``'s seat could win on if the seat of ``discarder`` discarded it now."""
    waits = view.waits
    if not waits:
        return Held((), (), ())
    if view.furiten:
        return Held(waits, (), ())
    rons, points = [], []
    for kind in waits:
        tile = _copy_of(kind, view, discarder)
        score = None if tile is None else score_win(view.win_context(tile, discarder.seat))
        if score is not None:
            rons.append(kind)
            points.append(score.points + view.honba * view.rules.honba_points)
    return Held(waits, tuple(rons), tuple(points))


def _views(start: StartGame | None) -> tuple[GameState, GameState, GameState, GameState]:
    return four(GameState(seat, start.rules) if start else GameState(seat) for seat in SEATS)


def _point(
    events: Sequence[Event], at: int, views: tuple[GameState, GameState, GameState, GameState]
) -> DiscardPoint | None:
    """The discard at or after ``at``; None if the log ends before it."""
    ahead = at
    while not isinstance(events[ahead], Discard):
        ahead += 1
        if ahead == len(events):
            return None
    discard = events[ahead]
    assert isinstance(discard, Discard)
    won_by: list[int] = []
    paid = [0, 0, 0, 0]
    for event in events[ahead + 1 :]:
        if isinstance(event, Win):
            won_by.append(event.seat)
            paid[event.seat] = -event.deltas[discard.seat]
        elif isinstance(event, Ryuukyoku):
            if event.kind is RyuukyokuKind.TRIPLE_RON:
                won_by.extend(seat for seat in SEATS if seat != discard.seat)
            break
        elif not isinstance(event, Disconnected | Reconnected):
            break
    return DiscardPoint(views, discard.seat, discard.tile, at, tuple(won_by), four(paid))


def _copy_of(kind: int, view: GameState, discarder: GameState) -> int | None:
    """A tile of the kind for scoring: one that the discarder holds, plain before red; otherwise any unseen one."""
    copies = sorted(range(4 * kind, 4 * kind + 4), key=lambda tile: (tile not in discarder.hand, tile in RED_FIVES))
    taken = {*view.hand, *(tile for meld in view.melds[view.seat] for tile in meld.tiles)}
    return next((tile for tile in copies if tile not in taken), None)
