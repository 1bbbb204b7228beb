"""The length of a game by its course, for logs that do not state it."""

from collections.abc import Sequence

from engine.model import events as ev

_E4, _S4 = 3, 7


def is_east_only(events: Sequence[ev.Event]) -> bool:
    """Whether a whole game can only have been an east-only game.

    One that ends in E4 is, and one that goes into the south round because nobody has the return points and ends before
    S4. A game that ends with somebody below zero, or is not there to its end, may be a hanchan, which is the default.
    """
    start, end = events[0], events[-1]
    hands = [event for event in events if isinstance(event, ev.StartKyoku)]
    if not (isinstance(start, ev.StartGame) and isinstance(end, ev.EndGame) and hands) or min(end.scores) < 0:
        return False
    extra = [hand for hand in hands if hand.kyoku > _E4]
    return _E4 <= hands[-1].kyoku < _S4 and all(max(hand.scores) < start.rules.return_points for hand in extra)
