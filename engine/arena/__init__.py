"""Games without sockets: an independent referee, and matches played on it."""

from engine.arena.bridge import IllegalAnswerError
from engine.arena.match import Game, play_game
from engine.arena.referee import Referee, Step
from engine.arena.walls import Shuffle, Wall

__all__ = ["Game", "IllegalAnswerError", "Referee", "Shuffle", "Step", "Wall", "play_game"]
