"""``oshihiki evaluate --state``: a position of a recorded game, judged by a policy, with the danger of each tile."""

from __future__ import annotations

import json as json_text
from time import perf_counter
from typing import Final

import typer
from rich.console import Console

from bot.errors import InputError
from bot.log_place import find_decision, parse_place
from bot.state_table import Judged, fields, render
from engine.model.budget import Budget
from engine.opponents.registry import ESTIMATORS, make_estimator
from engine.policy.registry import POLICIES, make_policy

WIDTH: Final = 120
"""Columns of the tables where the output is no terminal."""


def evaluate_state(place: str, policy: str = "value", danger: str = "suji", *, json: bool = False) -> None:
    """Print what a policy makes of a position.

    Args:
        place: ``LOG#E3-1/turn9/seat2``; see :mod:`bot.log_place`.
        policy: name of the policy.
        danger: name of the estimator of the danger columns.
        json: print everything as JSON.

    Raises:
        InputError: no such position, policy or estimator.
    """
    if policy not in POLICIES:
        raise InputError(f"--policy {policy!r}: there are {', '.join(POLICIES)}")
    if danger not in ESTIMATORS:
        raise InputError(f"--danger {danger!r}: there are {', '.join(ESTIMATORS)}")
    point = find_decision(parse_place(place))
    player = make_policy(policy)
    started = perf_counter()
    decision = player.decide(point.state, point.legal, Budget())
    milliseconds = 1_000 * (perf_counter() - started)
    estimate = make_estimator(danger).estimate(point.state)
    judged = Judged(point, policy, decision, danger, estimate, milliseconds)
    if json:
        typer.echo(json_text.dumps(fields(judged)))
        return
    out = Console(highlight=False)
    if not out.is_terminal:
        out.width = WIDTH
    out.print(render(judged))
