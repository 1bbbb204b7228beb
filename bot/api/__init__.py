"""What ``import oshihiki`` offers: text in, typed results out. ``docs/python.md`` shows every function at work.

Tiles are text in any notation (:class:`Tiles` converts between the encodings), logs are paths. What cannot be used
raises :class:`InputError`, whose message says what is wrong and how to write it. Functions for many hands at once take
and return numpy arrays.
"""

from bot.api import simulator
from bot.api.game import Game
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
from bot.api.logged import LoggedDecision, LoggedPosition, columns, decisions, positions
from bot.api.rows import Rows
from bot.api.tables import ActionValue, TileDanger, danger, evaluate, rank, table
from bot.api.tiles import Tiles, counts_of
from bot.evaluate.hands import Rivers, Written
from bot.machine.errors import InputError
from engine.model.actions import Action, ActionKind
from engine.model.notation import Notation
from engine.model.rules import Rules
from engine.state import GameState

__all__ = [
    "Action",
    "ActionKind",
    "ActionValue",
    "DiscardOption",
    "Game",
    "GameState",
    "Improvement",
    "InputError",
    "LoggedDecision",
    "LoggedPosition",
    "Notation",
    "Rivers",
    "Rows",
    "Rules",
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
    "positions",
    "rank",
    "score",
    "shanten",
    "shanten_many",
    "simulator",
    "table",
    "ukeire",
    "waits",
]
