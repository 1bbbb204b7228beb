"""``oshihiki bench evaluators``: how long evaluators take, how well they keep a time limit, and what it costs them."""

from collections.abc import Sequence
from functools import partial
from time import process_time
from typing import Annotated, Any

import numpy as np
import typer

from bot.commands.options import JsonFigures, figures_table, print_figures
from bot.evaluate.guarded import evaluator_named
from bot.machine.outlet import error_screen, output_screen
from bot.runs.preparation import warm_up
from engine.arena import play_game
from engine.model.actions import Action, ActionKind
from engine.model.budget import Budget
from engine.model.rules import TONPU
from engine.policy.decision import Decider, Decision
from engine.policy.simple.policy import SimplePolicy
from engine.search.evaluator import Evaluation, Evaluator
from engine.search.position import Position
from engine.search.registry import EVALUATORS
from engine.state import GameState


class _Watched(SimplePolicy):
    """``simple``, keeping the positions in which it had a tile to discard and was not in riichi."""

    def __init__(self, positions: list[Position]) -> None:
        super().__init__()
        self._positions = positions

    def decide(self, state: GameState, legal: Sequence[Action], budget: Budget) -> Decision:
        """See :class:`~engine.policy.decision.Decider`."""
        if not state.riichi[state.seat] and sum(action.kind is ActionKind.DISCARD for action in legal) > 1:
            self._positions.append(Position.from_state(state))
        return super().decide(state, legal, budget)


def bench_evaluators(
    evaluator: Annotated[
        list[str] | None,
        typer.Option("--evaluator", help="NAME, with settings NAME:KEY=VALUE; repeatable. Default: every evaluator."),
    ] = None,
    positions: Annotated[int, typer.Option("--positions", min=1, help="Number of positions.")] = 200,
    within: Annotated[
        float, typer.Option("--within", min=0.0, help="Time limit in milliseconds; 0: none, as many nodes as usual.")
    ] = 0.0,
    against: Annotated[
        float, typer.Option("--against", min=0.0, help="Also compare the choices with those within so many ms.")
    ] = 0.0,
    seed: Annotated[int, typer.Option("--seed", help="Seed of the positions.")] = 0,
    json: JsonFigures = False,
) -> None:
    """Measure the processor time of evaluators on discards of games that four simple players play.

    With a time limit, "limited" is the number of positions in which the
    evaluator did not finish before it, and "used" the time it took in these, as
    a share of the limit. With --against, "same" is how often the choice is that
    of the longer time, and "worth" what it is worth by the longer answer, as a
    share of the best choice's worth.

    Examples:
      oshihiki bench evaluators --evaluator handscore --evaluator inversion
      oshihiki bench evaluators --evaluator gametree:hands=1000000 --within 100
      oshihiki bench evaluators --evaluator che:rounds=10000000 --within 20 --against 1000 --positions 50
    """
    names = evaluator or list(EVALUATORS)
    made = {name: evaluator_named(name) for name in names}
    needs = {need for name in names for need in EVALUATORS.needs(*_parsed(name))}
    warm_up(error_screen(), needs)
    asked = _positions(positions, seed)
    rows = [_measured(name, made[name], asked, within, against) for name in names]
    figures = {"positions": len(asked), "seed": seed, "evaluators": rows}
    print_figures(figures, partial(_show, _columns(within, against)), json=json)


def _show(columns: list[tuple[str, Any]], figures: dict[str, Any]) -> None:
    table = figures_table("evaluator", *(title for title, _ in columns))
    for row in figures["evaluators"]:
        table.add_row(row["evaluator"], *(text(row) for _, text in columns))
    output_screen().print(table)


def _parsed(name: str) -> tuple[str, Any]:
    named = EVALUATORS.parse(name)
    return named.name, named.options


def _positions(number: int, seed: int) -> list[Position]:
    """Positions of as many games as are needed, in random order."""
    found: list[Position] = []
    game = 0
    while len(found) < 2 * number:
        deciders: list[Decider] = [_Watched(found) for _ in range(4)]
        play_game(deciders, TONPU, seed + game)
        game += 1
    order = np.random.default_rng(seed).permutation(len(found))[:number]
    return [found[at] for at in order]


def _measured(
    name: str, evaluator: Evaluator, positions: list[Position], within: float, against: float
) -> dict[str, Any]:
    evaluator.evaluate(positions[0], budget=Budget(1))
    found = [_timed(evaluator, position, within) for position in positions]
    ms = np.array([spent for _, spent in found])
    row: dict[str, Any] = {"evaluator": name} | _spread("ms", ms)
    row["nodes"] = float(np.median([evaluation.nodes for evaluation, _ in found]))
    if within:
        limited = np.array([not evaluation.complete for evaluation, _ in found])
        row["limited"] = int(limited.sum())
        row |= _spread("used", ms[limited] / within) if limited.any() else {}
    if against:
        longer = [_timed(evaluator, position, against)[0] for position in positions]
        pairs = [(short, long) for (short, _), long in zip(found, longer, strict=True)]
        row["same"] = sum(short.best.choice == long.best.choice for short, long in pairs) / len(pairs)
        row["worth"] = float(np.mean([_kept(short, long) for short, long in pairs]))
    return row


def _timed(evaluator: Evaluator, position: Position, within: float) -> tuple[Evaluation, float]:
    """The answer, and the milliseconds of processor time that it took."""
    started = process_time()
    until = started + within / 1_000
    budget = Budget(expired=lambda: process_time() > until) if within else None
    evaluation = evaluator.evaluate(position, budget=budget)
    return evaluation, 1_000 * (process_time() - started)


def _spread(name: str, values: np.ndarray[Any, np.dtype[np.float64]]) -> dict[str, float]:
    return {f"{name}_{share}": round(float(np.quantile(values, share / 100)), 4) for share in (50, 90, 99)}


def _kept(short: Evaluation, long: Evaluation) -> float:
    """What the short answer's choice is worth by the long one, as a share of the best choice's worth."""
    values = {worth.choice: worth.value for worth in long.actions}
    best = long.best.value
    return values.get(short.best.choice, 0.0) / best if best > 0 else 1.0


def _columns(within: float, against: float) -> list[tuple[str, Any]]:
    columns: list[tuple[str, Any]] = [
        ("ms 50%", lambda row: f"{row['ms_50']:.3f}"),
        ("90%", lambda row: f"{row['ms_90']:.3f}"),
        ("99%", lambda row: f"{row['ms_99']:.3f}"),
        ("nodes", lambda row: f"{row['nodes']:.0f}"),
    ]
    if within:
        columns += [
            ("limited", lambda row: str(row["limited"])),
            ("used 50%", lambda row: f"{row['used_50']:.1%}" if row["limited"] else ""),
            ("90%", lambda row: f"{row['used_90']:.1%}" if row["limited"] else ""),
        ]
    if against:
        columns += [
            ("same", lambda row: f"{row['same']:.1%}"),
            ("worth", lambda row: f"{row['worth']:.2%}"),
        ]
    return columns
