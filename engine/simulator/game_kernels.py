"""A table in a game: its wall, who is asked, what has happened, and how the hand ended."""

from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray

from engine.rules.answer_kernels import WORDS
from engine.rules.table_kernels import Four, Number, Table

LOG = 192
"""Events that a hand can have at most: 70 draws, 86 discards, 16 calls, 4 added kans, and some ten others."""
LIVE_FROM = 83
"""Place in the shuffled tiles of the first draw; the following draws, and the hands before them, lie side by side."""

DEAD_WALL = 14
"""Tiles of the dead wall, which come first: four to draw after kans, then each ura indicator before its indicator."""

IN_PLAY, TSUMO, RON, EXHAUSTIVE, NAGASHI, NINE_TERMINALS, FOUR_RIICHI, FOUR_KANS, FOUR_WINDS, TRIPLE_RON = range(10)
"""How a hand ended, ``ending`` of a table."""


class GameTable(Table):
    """A table in a game.

    Attributes:
        start_points: of the rules; ``uma``: by place, in thousands.
        tiles: the shuffled tiles as Tenhou orders them: drawn from the end, the dead wall first.
        live_drawn, dead_drawn: tiles drawn from each wall in this hand.
        asked: bit set of the seats that have to answer.
        legal: their legal answers, see :mod:`engine.rules.answer_kernels`.
        log: the hand's events as codes of :mod:`engine.rules.code_kernels`; ``logged``: how many.
        dealt_scores, dealt_sticks: when the hand was dealt.
        ending: how the hand ended; IN_PLAY before.
        deltas: what the hand's end changed, riichi sticks paid during the hand not included.
        wins: how many winners; in order of payment ``win_seats``, ``win_tiles``, ``win_froms`` (the winner's own seat
            for a self-draw), ``win_answers`` (yaku and fu, packed), ``win_bonuses`` (dora, ura and red fives),
            ``win_flags`` (the WIN_ bits and winds), ``win_points``, ``win_paos`` (-1 for nobody), ``win_deltas``.
        shown: bit set of the seats that show their hand at a draw.
        over: 1 when the game has ended; ``results``: in tenths of 1 000 points.
        hands: hands dealt so far in this game; ``next_kyoku``, ``next_honba``: what the next one is.
        random: state of the generator that shuffles, where walls are not given.
    """

    start_points: Number
    uma: Four
    tiles: Annotated[NDArray[np.uint8], (136,)]
    live_drawn: Number
    dead_drawn: Number
    asked: Number
    legal: Annotated[NDArray[np.int64], (4, WORDS)]
    log: Annotated[NDArray[np.uint32], (LOG,)]
    logged: Number
    dealt_scores: Four
    dealt_sticks: Number
    ending: Number
    deltas: Four
    wins: Number
    win_seats: Annotated[NDArray[np.int64], (2,)]
    win_tiles: Annotated[NDArray[np.int64], (2,)]
    win_froms: Annotated[NDArray[np.int64], (2,)]
    win_answers: Annotated[NDArray[np.int64], (2,)]
    win_bonuses: Annotated[NDArray[np.int64], (2,)]
    win_flags: Annotated[NDArray[np.int64], (2,)]
    win_points: Annotated[NDArray[np.int64], (2,)]
    win_paos: Annotated[NDArray[np.int64], (2,)]
    win_deltas: Annotated[NDArray[np.int64], (2, 4)]
    shown: Number
    over: Number
    results: Four
    hands: Number
    next_kyoku: Number
    next_honba: Number
    random: Annotated[Any, np.uint64]
