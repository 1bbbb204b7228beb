"""What the seats of a simulator see, as arrays for learners: the columns' names, and the arrays filled."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from bot.api.rounds import Ints
from engine._jit import Records
from engine.imitation.batch_kernels import fill_asked
from engine.imitation.inputs import NUMBERS as NETWORK_NUMBERS
from engine.imitation.inputs import PLANES as NETWORK_PLANES
from engine.imitation.layout_kernels import QUESTION, WHO_OTHER
from engine.shanten.tables import hand_tables
from engine.simulator.game_kernels import GameTable
from engine.simulator.observation_kernels import observe
from engine.simulator.play_kernels import Questions

_SIDES: Final = ("own", "right", "across", "left")
_OF_A_SEAT: Final = ("discarded", "discarded from the hand", "number of its last discard", "declared riichi with it")

PLANES: Final[tuple[str, ...]] = (
    *("held", "red five held", "just drawn", "on offer", "times dora", "visible copies"),
    *(f"{side}: {what}" for side in _SIDES for what in (*_OF_A_SEAT, "in its melds")),
)
"""What each column of :attr:`bot.api.rounds.Round.planes` is."""

_EACH: Final = ("score", "riichi, 2 for double", "ippatsu", "melds", "closed")
NUMBERS: Final[tuple[str, ...]] = (
    *("kyoku", "honba", "riichi sticks", "tiles left", "last scheduled kyoku", "dealer"),
    *("asked: 0 after a draw, 1 after a call, 2 about a discard, 3 about an added kan", "whose turn", "shanten"),
    *("furiten", *(f"{side}: {what}" for what in _EACH for side in _SIDES)),
    *(f"red five of {suit} seen by all" for suit in "mps"),
)
"""What each column of :attr:`bot.api.rounds.Round.numbers` is.

A dealer or turn is given relative to the seat, 1 for the right.
"""


def seen_by(games: Records[GameTable], tables: Ints, seats: Ints) -> tuple[NDArray[np.uint8], NDArray[np.int32]]:
    """Planes and numbers of what lies on the table, for any seats: int64 (n,) each."""
    places, viewers = np.ascontiguousarray(tables, np.int64), np.ascontiguousarray(seats, np.int64)
    planes = np.empty((len(places), 34, len(PLANES)), np.uint8)
    numbers = np.empty((len(places), len(NUMBERS)), np.int32)
    observe(games, places, viewers, planes, numbers, hand_tables())
    return planes, numbers


def network_inputs(games: Records[GameTable], asked: Questions) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
    """The inputs of the imitating network for all questions."""
    number = len(asked.tables)
    planes = np.empty((number, 34, len(NETWORK_PLANES)), np.uint8)
    numbers = np.empty((number, len(NETWORK_NUMBERS)), np.uint8)
    questions = np.empty((number, QUESTION), np.int64)
    fill_asked(games, asked, np.arange(number), WHO_OTHER, hand_tables(), planes, numbers, questions)
    return planes, numbers
