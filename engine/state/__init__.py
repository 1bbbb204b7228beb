"""One seat's view of a game: :class:`~engine.state.game.GameState`."""

from engine.state.errors import StateError
from engine.state.game import GameState
from engine.state.parts import Phase, RiverTile

__all__ = ["GameState", "Phase", "RiverTile", "StateError"]
