"""``oshihiki train placement``: how games end, fitted on recorded games."""

import json as json_text
from collections.abc import Iterable
from functools import partial
from types import ModuleType
from typing import Any, Final

import numpy as np
from rich.console import Console
from rich.progress import Progress, TextColumn, TimeElapsedColumn

from bot.lab.recordings import readable
from bot.lab.training import HELD_BACK, Games, JsonCard, Logs, Out, Seed, hand_over, needing_torch
from bot.logs.sources import open_logs
from bot.machine.errors import InputError
from bot.machine.outlet import error_screen
from bot.machine.outputs import Outputs
from engine.rules.recordings import held_back
from engine.train import final_ranks
from engine.worth.placement import rank_chances
from protocol.logs.formats import LogFile

CHECK_OF: Final = 20
"""One in this many of the games for fitting decides when to stop."""
LEAST_GAMES: Final = 40
"""Minimum number of games."""

EPOCHS: Final = 30
"""Number of passes over the games."""


def placement(paths: Logs, out: Out = None, games: Games = 0, seed: Seed = 1, json: JsonCard = False) -> None:
    """Fit the chance of each final rank from scores, round, honba and riichi sticks. Games are held back by log id.

    Needs torch, which is in the extra "train".

    Examples:
      oshihiki train placement houou-hanchan-00.tar.xz houou-tonpu-00.tar.xz --out placement.json
      oshihiki train placement logs/ --json
    """
    outputs = Outputs("--out", paths, out)
    fitting = needing_torch("engine.train.placement")
    sources = [path.name for path in paths]
    with Progress(TextColumn("{task.description}"), TimeElapsedColumn(), console=error_screen()) as progress:
        task = progress.add_task("reading")
        known, judging = collect(open_logs(paths), games, progress.console, progress, task)
        model = fit_placement(
            fitting, known, judging, sources, EPOCHS, seed,
            lambda epoch, own, check: progress.update(
                task, description=f"pass {epoch} of {EPOCHS}: log loss {own:.4f}, on check games {check:.4f}"
            ),
        )  # fmt: skip
    hand_over(model, out, outputs, partial(json_text.dumps, separators=(",", ":"), ensure_ascii=False), json=json)


def collect(
    files: Iterable[LogFile], games: int, screen: Console, progress: Progress, task: Any
) -> tuple[final_ranks.Tables, final_ranks.Tables]:
    """(tables to fit on, tables held back) from the logs that can be read; the others are named.

    Raises:
        InputError: too few games are left.
    """
    known, judging = final_ranks.Collector(), final_ranks.Collector()
    for log in readable(files, screen):
        (judging if held_back(log.info.log_id) else known).observe(log.events)
        progress.update(task, description=f"reading: {known.games} games, {judging.games} held back")
        if games and known.games >= games:
            break
    if known.games < LEAST_GAMES or not judging.games:
        raise InputError(
            f"{known.games} games for fitting and {judging.games} held back; "
            f"give logs of at least {LEAST_GAMES} finished games"
        )
    return known.tables(), judging.tables()


def fit_placement(
    fitting: ModuleType,
    known: final_ranks.Tables,
    judging: final_ranks.Tables,
    sources: list[str],
    epochs: int,
    seed: int,
    progress: Any = None,
) -> dict[str, Any]:
    """The model's file: fitted on ``known``; its card compares it on ``judging`` with the naive table."""
    checks = known.game % CHECK_OF == CHECK_OF - 1
    fitted, check = final_ranks.select(known, ~checks), final_ranks.select(known, checks)
    layers = fitting.fit(*final_ranks.inputs_of(fitted), *final_ranks.inputs_of(check), epochs, seed, progress)
    inputs, ranks = final_ranks.inputs_of(judging)
    chances = rank_chances(layers, inputs)
    naive = final_ranks.baseline(fitted, judging)
    card = {
        "what": "chance of each final rank before a hand is dealt; inputs: engine.worth.placement.features",
        "made_by": "oshihiki train placement",
        "sources": sources,
        "epochs": epochs,
        "seed": seed,
        "hidden": list(fitting.HIDDEN),
        "games": len(np.unique(known.game)),
        "hands": len(known.kyoku),
        "held_back": HELD_BACK,
        "on_held_back": {
            "games": len(np.unique(judging.game)),
            "hands": len(judging.kyoku),
            "log_loss": round(final_ranks.log_loss(chances, ranks), 4),
            "log_loss_naive": round(final_ranks.log_loss(naive, ranks), 4),
            "calibration_error": round(final_ranks.calibration_error(chances, ranks), 4),
            "by_hands_left": _by_hands_left(judging, chances, naive, ranks),
        },
    }
    model: dict[str, Any] = fitting.document(layers, card)
    return model


def _by_hands_left(
    judging: final_ranks.Tables, chances: final_ranks.Floats, naive: final_ranks.Floats, ranks: final_ranks.Numbers
) -> dict[str, Any]:
    left = np.tile(judging.last_kyoku - judging.kyoku, 4)
    found = {}
    for number in range(7, -2, -1):
        rows = left == number if number >= 0 else left < 0
        if rows.any():
            found["extension" if number < 0 else str(number)] = {
                "log_loss": round(final_ranks.log_loss(chances[rows], ranks[rows]), 4),
                "log_loss_naive": round(final_ranks.log_loss(naive[rows], ranks[rows]), 4),
            }
    return found
