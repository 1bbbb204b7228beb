"""The doorway for programmers: text in, typed results out. ``docs/python.md`` shows every function at work.

Tiles are text in any notation (:class:`Tiles` converts between the encodings), logs are paths. What cannot be used
raises :class:`InputError`, whose message says what is wrong and how to write it. Functions for many hands at once take
and return numpy arrays.
"""

from bot.api.games import LoggedDecision, columns, decisions
from bot.api.hands import (
    DiscardOption,
    Improvement,
    WinValue,
    WonHand,
    YakuValue,
    discards,
    score,
    shanten,
    shanten_many,
    ukeire,
    waits,
)
from bot.api.positions import ActionValue, TileDanger, danger, evaluate, rank, table
from bot.api.tiles import Tiles, counts_of
from bot.errors import InputError
from bot.evaluate.hands import Written
from bot.evaluate.written_view import Rivers
from engine.model.notation import Notation

__all__ = [
    "ActionValue",
    "DiscardOption",
    "Improvement",
    "InputError",
    "LoggedDecision",
    "Notation",
    "Rivers",
    "TileDanger",
    "Tiles",
    "WinValue",
    "WonHand",
    "Written",
    "YakuValue",
    "columns",
    "counts_of",
    "danger",
    "decisions",
    "discards",
    "evaluate",
    "rank",
    "score",
    "shanten",
    "shanten_many",
    "table",
    "ukeire",
    "waits",
]
