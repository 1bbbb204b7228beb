"""Games without sockets: the referee of one, matches of many, and the walls that both deal from."""

from engine.arena.match import Game, play_game
from engine.arena.referee import IllegalAnswerError, Referee, Step
from engine.arena.walls import Shuffle, Wall

__all__ = ["Game", "IllegalAnswerError", "Referee", "Shuffle", "Step", "Wall", "play_game"]
