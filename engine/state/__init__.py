"""One seat's view of a game: :class:`~engine.state.game.GameState`."""

from engine.state.endings import nagashi_seats
from engine.state.errors import StateError
from engine.state.game import GameState
from engine.state.parts import Phase, RiverTile
from engine.state.progress import final_scores, next_hand
from engine.state.view import visible_to
from engine.state.words import draw_words, event_words, meld_words, tile_words

__all__ = [
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
