"""``oshihiki train danger``: fit the danger network on recorded games, calibrate it, measure it on held-back games."""

from __future__ import annotations

import json as json_text
import os
from dataclasses import asdict, replace
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import Annotated, Any, Final

import numpy as np
import typer

from bot.commands.tables import figures_table
from bot.commands.train.training import (
    FittingScreen,
    JsonCard,
    Logs,
    ReadJobs,
    data_of,
    hands_of,
    outputs_for_weights,
    write_weights,
)
from bot.machine.outlet import error_screen, output_screen
from bot.runs.recordings import read_recordings
from engine.opponents.model import Weights
from engine.train import danger as fitting
from engine.train.danger import Settings
from engine.train.recordings import Recordings, Split

QUICK_GAMES: Final = 800
"""Number of games that ``--quick`` reads from all archives together: enough to check that everything works."""
QUICK_SHARE, SHARE = 0.3, 0.1
"""Share of the moments of a game that are measured."""
CALIBRATE_ON: Final = (1.0, 0.5, 0.15)
"""Share of the moments of validation games used for calibration, by stance."""


def danger(
    paths: Logs,
    out: Annotated[
        Path | None, typer.Option("--out", help="File for the weights (.npz); the card is written beside it (.json).")
    ] = None,
    quick: Annotated[
        bool, typer.Option("--quick", help=f"Read only {QUICK_GAMES} games, to finish within minutes.")
    ] = False,
    games: Annotated[int, typer.Option("--games", min=0, help="Number of games to read from each path; 0: all.")] = 0,
    epochs: Annotated[int, typer.Option("--epochs", min=1, help="Number of passes over all games.")] = 2,
    share: Annotated[
        float, typer.Option("--share", min=0.01, max=1.4, help="Share of the usual number of moments that is kept.")
    ] = 1.0,
    seed: Annotated[int, typer.Option("--seed", help="Seed of the initial weights and of the choice of moments.")] = 1,
    jobs: ReadJobs = 0,
    json: JsonCard = False,
) -> None:
    """Fit the danger network: the chance that each kind of tile deals in to each opponent, and what that costs.

    Games held back by their log id are never used for fitting; the printed
    figures are computed on them. What is read is stored on disk for next time.

    Examples:
      oshihiki train danger houou-hanchan-00.tar.xz --quick
      oshihiki train danger *.tar.xz --out danger_net.npz
    """
    outputs = outputs_for_weights(out, *paths)
    screen = error_screen()
    started = perf_counter()
    limit = -(-QUICK_GAMES // len(paths)) if quick else games
    archive = read_recordings(paths, screen, games=limit, jobs=jobs or os.cpu_count() or 1)
    recordings = archive.recordings
    settings = Settings(epochs=2 if quick else epochs, seed=seed)
    riichi, opened, closed = settings.keep
    settings = replace(settings, keep=(share * riichi, share * opened, share * closed))
    hands = {split: hands_of(recordings, split) for split in Split}
    with FittingScreen(screen) as shown:
        weights, log = fitting.fit(recordings, hands[Split.TRAIN], settings, partial(_show_progress, shown))
        shown.say("calibrating")
        weights = fitting.calibrate(weights, recordings, hands[Split.VALIDATION], CALIBRATE_ON)
        shown.say("measuring")
        measured = QUICK_SHARE if quick else SHARE
        metrics = fitting.measure(weights, recordings, hands[Split.TEST], measured)
    card = _card(paths, limit, recordings, settings, weights, log, metrics)
    card["measured"] = f"{measured:.0%} of the moments of the test games"
    card["seconds"] = round(perf_counter() - started)
    if out is not None:
        write_weights(out, weights.to_bytes(), card, outputs)
    if json:
        typer.echo(json_text.dumps(card))
    else:
        _show_card(card)


def _show_progress(shown: FittingScreen, now: fitting.Progress) -> None:
    shown.fitted(now.hands, now.of, f"{now.rows} rows, loss {now.loss:.4f}")


def _card(
    paths: list[Path],
    limit: int,
    recordings: Recordings,
    settings: Settings,
    weights: Weights,
    log: list[dict[str, float]],
    metrics: dict[str, Any],
) -> dict[str, Any]:
    return {
        "what": "per opponent and kind of tile: wait, deal-in, points of the deal-in; per opponent: tenpai",
        "made_by": "oshihiki train danger",
        **data_of(paths, limit, recordings),
        "settings": asdict(settings),
        "features": weights.features,
        "parameters": weights.shape.size,
        "digest": weights.digest(),
        "numpy": np.__version__,
        "log": log,
        "calibration": [[round(float(number), 4) for number in row] for row in weights.calibration],
        "metrics": metrics,
    }


def _show_card(card: dict[str, Any]) -> None:
    out = output_screen()
    games = card["games"]
    out.print(
        f"{games['train']} games for fitting, {games['validation']} for calibration, {games['test']} for measuring; "
        f"{card['parameters']} weights, {card['log'][-1]['rows']:.0f} rows seen, {card['seconds']} s"
    )
    columns = ("chance of", "opponent", "rows", "happened", "log loss", "AUC", "calibration error")
    table = figures_table(*columns, words=2)
    titles = {"held": "a deal-in, kinds held", "discarded": "a deal-in, the discard", "tenpai": "tenpai"}
    for what, title in titles.items():
        for who, scores in card["metrics"][what].items():
            rate = scores["events"] / max(1, scores["n"])
            figures = f"{rate:.2%}", f"{scores['log_loss']:.5f}", f"{scores['auc']:.4f}"
            table.add_row(title, who, str(scores["n"]), *figures, f"{scores['calibration_error']:.2%}")
            title = ""  # noqa: PLW2901 - said once
    out.print(table)
    for who, points in card["metrics"]["points"].items():
        out.print(
            f"a deal-in to {who}: {points['said']} points predicted, {points['true']} paid, {points['n']} deal-ins"
        )
