"""``oshihiki train outcomes``: how a hand ends when we fold, on top of the fitted danger network."""

from __future__ import annotations

import json as json_text
import os
from dataclasses import fields
from pathlib import Path
from typing import Annotated, Any, Final

import numpy as np
import typer

from bot.commands.train.training import Games, JsonCard, Logs, ReadJobs, hands_of, outputs_for, render_card
from bot.machine.errors import InputError
from bot.machine.outlet import error_screen, output_screen
from bot.runs.recordings import read_recordings
from engine.opponents.model import Weights, read_weights, shipped_weights
from engine.opponents.outcomes import OutcomeTables
from engine.tables import WeightsError
from engine.train.outcomes import fit_outcomes, measure_outcomes, moments_of
from engine.train.recordings import Split

HANDS: Final = 30_000
"""Maximum number of hands used for fitting; there are few parameters."""
SHARE: Final = 0.1
"""Share of their moments that is used."""


def outcomes(
    paths: Logs,
    out: Annotated[Path | None, typer.Option("--out", help="File for the tables and their card (.json).")] = None,
    weights: Annotated[
        Path | None, typer.Option("--weights", help="Danger weights to build on; default: those of the package.")
    ] = None,
    games: Games = 0,
    jobs: ReadJobs = 0,
    json: JsonCard = False,
) -> None:
    """Fit how a hand ends if we neither win nor deal in: who wins, from whom, for how much, and who is tenpai.

    Games held back by their log id are never used for fitting; the printed
    figures are computed on them. Fit the danger network first, because this
    builds on it.

    Examples:
      oshihiki train outcomes houou-hanchan-00.tar.xz --out outcomes.json
    """
    screen = error_screen()
    outputs = outputs_for(out, *paths, weights)
    network = _weights(weights)
    recordings = read_recordings(paths, screen, games=games, jobs=jobs or os.cpu_count() or 1).recordings
    random = np.random.default_rng(1)
    parts = {}
    for split in (Split.TRAIN, Split.TEST):
        hands = random.permutation(hands_of(recordings, split))[:HANDS]
        parts[split] = moments_of(recordings, hands, network, SHARE)
    tables = fit_outcomes(parts[Split.TRAIN])
    card: dict[str, Any] = {
        "what": "endings of a hand that the viewer neither wins nor pays: engine.opponents.outcomes.OutcomeTables",
        "made_by": "oshihiki train outcomes",
        "sources": [path.name for path in paths],
        "weights": network.digest(),
        "moments": len(parts[Split.TRAIN].winner),
        "split": "by a hash of the log id (engine.train.recordings)",
        "metrics": measure_outcomes(tables, parts[Split.TEST]),
    }
    if out is not None:
        outputs.write(out, render_tables(card, tables) + "\n")
    if json:
        typer.echo(json_text.dumps(card))
    else:
        _show_card(card)


def render_tables(card: dict[str, Any], tables: OutcomeTables) -> str:
    """The text of the file: the card, then each table with four digits."""
    values = {each.name: getattr(tables, each.name) for each in fields(tables)}
    plain = {name: np.round(value, 4).tolist() for name, value in values.items()}
    return render_card({"card": card, "tables": plain})


def _weights(path: Path | None) -> Weights:
    try:
        return shipped_weights() if path is None else read_weights(path.read_bytes(), str(path))
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror or error}); check the path") from error
    except WeightsError as error:
        raise InputError(str(error)) from error


def _show_card(card: dict[str, Any]) -> None:
    out = output_screen()
    metrics = card["metrics"]
    out.print(f"{card['moments']} moments for fitting, {metrics['moments']} for measuring")
    out.print(
        f"who wins: log loss {metrics['log_loss']:.4f}; with the mean alone {metrics['log_loss_of_the_mean']:.4f}"
    )
    for name, title in (("wins", "an opponent wins"), ("nobody", "nobody wins")):
        found = metrics[name]
        error, auc = found["calibration_error"], found["auc"]
        out.print(f"{title}: AUC {auc:.4f}, calibration error {error:.2%} over {found['n']}")
