"""One seat's view of a game: :class:`~engine.state.game.GameState`."""

from engine.state.game import GameState, RiverTile, StateError

__all__ = ["GameState", "RiverTile", "StateError"]
