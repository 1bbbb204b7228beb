"""One seat's view of a game: :class:`~engine.state.game.GameState`."""

from engine.state.facts import Phase, RiverTile, nagashi_seats, visible_to
from engine.state.game import Follower, FourViews, GameState
from engine.state.refuse import StateError
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
    "meld_words",
    "nagashi_seats",
    "tile_words",
    "visible_to",
]
