"""The functions of ``import oshihiki``: text in, typed results out. ``docs/python.md`` shows each at work.

Tiles are text in any notation (:class:`Tiles` converts between the encodings), logs are paths. What cannot be used
raises :class:`InputError`, whose message says what is wrong and how to write it. Functions for many hands at once take
and return numpy arrays.
"""

from bot.api import simulator
from bot.api.extending import forced, make_estimator, make_evaluator, make_policy, shanten_of, ukeire_of
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
from engine.model.actions import PASS, Action, ActionKind
from engine.model.budget import Budget
from engine.model.melds import Meld, MeldKind
from engine.model.notation import Notation
from engine.model.rules import Rules
from engine.model.standing import Standing, StandingWorth
from engine.opponents.danger import Danger, DangerEstimator
from engine.policy.decision import Candidate, Decider, Decision
from engine.policy.grounds import Ground, GroundKind, Note
from engine.search.evaluator import Choice, Evaluation, Evaluator, Stakes, Utility, Worth
from engine.search.position import Position, PositionError
from engine.settings import JSON, Among, Bounds
from engine.shanten import Ukeire
from engine.state import GameState

__all__ = [
    "JSON",
    "PASS",
    "Action",
    "ActionKind",
    "ActionValue",
    "Among",
    "Bounds",
    "Budget",
    "Candidate",
    "Choice",
    "Danger",
    "DangerEstimator",
    "Decider",
    "Decision",
    "DiscardOption",
    "Evaluation",
    "Evaluator",
    "Game",
    "GameState",
    "Ground",
    "GroundKind",
    "Improvement",
    "InputError",
    "LoggedDecision",
    "LoggedPosition",
    "Meld",
    "MeldKind",
    "Notation",
    "Note",
    "Position",
    "PositionError",
    "Rivers",
    "Rows",
    "Rules",
    "Stakes",
    "Standing",
    "StandingWorth",
    "TileDanger",
    "Tiles",
    "Ukeire",
    "Utility",
    "WinValue",
    "WonHand",
    "Worth",
    "Written",
    "YakuValue",
    "columns",
    "counts_of",
    "danger",
    "decisions",
    "discards",
    "evaluate",
    "forced",
    "make_estimator",
    "make_evaluator",
    "make_policy",
    "positions",
    "rank",
    "score",
    "shanten",
    "shanten_many",
    "shanten_of",
    "simulator",
    "table",
    "ukeire",
    "ukeire_of",
    "waits",
]
