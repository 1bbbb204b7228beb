"""``oshihiki evaluate --state``: a position of a recorded game, ranked by a policy, with the danger of each tile."""

from __future__ import annotations

import json as json_text
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter

import typer

from bot.deciding.players import PlayerSpec
from bot.evaluate.guarded import estimator_named
from bot.evaluate.hand_table import TileWriter
from bot.evaluate.hands import Rivers, Written, read_view
from bot.evaluate.log_place import find_decision, parse_place
from bot.evaluate.picture import save_picture, state_picture
from bot.evaluate.state_table import Judged, fields, render
from bot.machine.errors import InputError
from bot.machine.outlet import output_screen
from bot.machine.outside import find_here_too
from engine.model.actions import Action
from engine.model.budget import Budget
from engine.model.notation import Notation
from engine.opponents.registry import NamesEstimator
from engine.state import GameState


@dataclass(frozen=True, slots=True)
class Asked:
    """Who evaluates, and how the result is shown.

    Attributes:
        player: the policy.
        danger: name of the estimator of the danger columns.
        nodes: bound on search nodes; None: the policy's own.
        json: whether to print everything as JSON.
        tiles: how tiles are written.
        image: file into which the table is drawn; None: none.
    """

    player: PlayerSpec
    danger: str = "model"
    nodes: int | None = None
    json: bool = False
    tiles: Notation = Notation.MPSZ
    image: Path | None = None

    def __post_init__(self) -> None:
        find_here_too(self.danger)
        fault = NamesEstimator().fault(self.danger)
        if fault:
            raise InputError(f"--danger: {fault}")


def show_place(place: str, asked: Asked) -> None:
    """Print a policy's evaluation of a position in a log, ``LOG#E3-1/turn9/seat2``; see :mod:`bot.evaluate.log_place`.

    Raises:
        InputError: the position does not exist.
    """
    point = find_decision(parse_place(place))
    _show(_judge(point.state, point.legal, str(point.place), point.played, asked), asked)


def show_view(written: Written, rivers: Rivers, scores: tuple[int, int, int, int], asked: Asked) -> None:
    """Print a policy's evaluation of a table given by options.

    Raises:
        InputError: the table is impossible.
    """
    state = read_view(written, rivers, scores)
    _show(_judge(state, state.legal_actions(), state.place(), None, asked), asked)


def _judge(state: GameState, legal: Sequence[Action], title: str, played: Action | None, asked: Asked) -> Judged:
    player = asked.player.make(0)
    started = perf_counter()
    decision = player.decide(state, legal, Budget(asked.nodes))
    milliseconds = 1_000 * (perf_counter() - started)
    estimator, instead = estimator_named(asked.danger)
    if instead:
        typer.echo(instead, err=True)
    return Judged(
        state, title, played, asked.player.text, decision, estimator.name, estimator.estimate(state), milliseconds
    )


def _show(judged: Judged, asked: Asked) -> None:
    if asked.image is not None:
        save_picture(asked.image, state_picture(judged.state, judged.title))
    if asked.json:
        typer.echo(json_text.dumps(fields(judged)))
        return
    out = output_screen()
    out.print(render(judged, out.width, TileWriter(asked.tiles)))
