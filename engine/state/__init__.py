"""One seat's view of a game: :class:`~engine.state.game.GameState`."""

from engine.state.changes import StateError
from engine.state.endings import final_scores, nagashi_seats, next_hand
from engine.state.game import Follower, FourViews, GameState
from engine.state.seat_view import Phase, RiverTile, visible_to
from engine.state.words import draw_words, event_words, meld_words, tile_words

__all__ = [
    "Follower",
    "FourViews",
    "GameState",
    "Phase",
    "RiverTile",
    "StateError",
    "draw_words",
    "event_words",
    "final_scores",
    "meld_words",
    "nagashi_seats",
    "next_hand",
    "tile_words",
    "visible_to",
]
