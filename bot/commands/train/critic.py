"""``oshihiki train critic``: fit the critic, which sees all hands, and measure how much luck it takes out."""

from __future__ import annotations

import json as json_text
import os
from dataclasses import asdict
from pathlib import Path
from time import perf_counter
from types import ModuleType
from typing import Annotated, Any, Final

import numpy as np
import typer

from bot.commands.options import figures_table
from bot.commands.train.training import (
    FittingScreen,
    JsonCard,
    Logs,
    ReadJobs,
    data_of,
    hands_of,
    needing_torch,
    outputs_for_weights,
    write_weights,
)
from bot.machine.errors import InputError
from bot.machine.outlet import error_screen, output_screen
from bot.runs.preparation import warm_up
from bot.runs.recordings import read_recordings
from engine.critic.network import CriticShape, CriticWeights, read_critic
from engine.model.rules import HANCHAN, TONPU
from engine.policy.batches import PhoenixPlayers
from engine.tables import WeightsError
from engine.train.critic_scores import measure
from engine.train.played import play_hands
from engine.train.recordings import Recordings, Split
from engine.train.worths import ends_of

DRAWS: Final = 5_000_000
QUICK_GAMES: Final = 300
"""Number of games that ``--quick`` reads from all archives together."""
QUICK_DRAWS: Final = 60_000
AT_ONCE: Final = 256
"""Tables at which phoenix plays for --played."""
MEASURED: Final = 10_000
"""Number of hands of the test games that are measured."""


Played = Annotated[
    int, typer.Option("--played", min=0, help="Also learn from so many hands that phoenix plays for it at once.")
]
StartFrom = Annotated[
    Path | None,
    typer.Option("--start-from", exists=True, dir_okay=False, help="Start from these weights (.npz), of their shape."),
]


Out = Annotated[
    Path | None, typer.Option("--out", help="File for the weights (.npz); the card (.json) is written beside it.")
]
Quick = Annotated[
    bool, typer.Option("--quick", help=f"Use {QUICK_GAMES} games and few draws, to finish within minutes.")
]
GamesOfEach = Annotated[int, typer.Option("--games", min=0, help="Number of games to read from each path; 0: all.")]
Draws = Annotated[int, typer.Option("--draws", min=1, help="Number of draws to fit on.")]
Channels = Annotated[int, typer.Option("--channels", min=8, help="Number of channels for each kind of tile.")]
Blocks = Annotated[int, typer.Option("--blocks", min=1, help="Number of residual blocks.")]
Seed = Annotated[int, typer.Option("--seed", min=0, help="Seed of initial weights, order, and hands played.")]


def critic(
    paths: Logs,
    out: Out = None,
    quick: Quick = False,
    games: GamesOfEach = 0,
    draws: Draws = DRAWS,
    channels: Channels = 48,
    blocks: Blocks = 5,
    played: Played = 0,
    start_from: StartFrom = None,
    seed: Seed = 1,
    jobs: ReadJobs = 0,
    json: JsonCard = False,
) -> None:
    """Fit the critic of `arena --without-luck`, which sees all hands. Needs torch, which is in the extra "train".

    Games held back by their log id are never used for fitting; the printed figures are computed on them.

    Examples:
      oshihiki train critic houou-tonpu-00.tar.xz --quick
      oshihiki train critic *.tar.xz --out critic.npz
      oshihiki train critic *.tar.xz --out critic.npz --played 100000
    """
    outputs = outputs_for_weights(out, *paths, start_from)
    fitting = _fitting()
    screen, started = error_screen(), perf_counter()
    limit = -(-QUICK_GAMES // len(paths)) if quick else games
    recordings = read_recordings(paths, screen, games=limit, jobs=jobs or os.cpu_count() or 1).recordings
    to_learn, to_measure = hands_of(recordings, Split.TRAIN), hands_of(recordings, Split.TEST)
    first = None if start_from is None else _first(start_from)
    shape = CriticShape(channels, blocks) if first is None else first.shape
    settings = fitting.Settings(shape, draws=QUICK_DRAWS if quick else draws, seed=seed)
    fit = fitting.CriticFit(settings, first)
    with FittingScreen(screen) as shown:
        known, learned = recordings, to_learn
        if played:
            warm_up(screen, ("prior", "prior in batches", "simulator"))
            shown.say("playing")
            known = Recordings.concatenate([recordings, _played(played, seed)])
            learned = np.append(to_learn, np.arange(len(recordings.kyoku), len(known.kyoku)))
        fit.run(
            known, learned, ends_of(known),
            lambda done, loss: shown.fitted(done, settings.draws, f"{done:,} draws, loss {loss:.4f}"),
        )  # fmt: skip
        shown.say("measuring")
        weights = fit.weights()
        some = np.random.default_rng(0).permutation(to_measure)[:MEASURED]
        metrics = measure(weights.critic(), recordings, np.sort(some))
    card = _card(paths, limit, recordings, fit, weights) | {"played": played, "start": first.digest() if first else ""}
    card |= {"metrics": metrics, "seconds": round(perf_counter() - started)}
    if out is not None:
        write_weights(out, weights.to_bytes(), card, outputs)
    if json:
        typer.echo(json_text.dumps(card))
    else:
        _show_card(card)


def _played(hands: int, seed: int) -> Recordings:
    """Hands of `phoenix`, half of them of hanchan."""
    player = PhoenixPlayers()
    tables = [[player] * 4] * AT_ONCE
    return Recordings.concatenate([play_hands(hands // 2, tables, rules, seed) for rules in (TONPU, HANCHAN)])


def _first(path: Path) -> CriticWeights:
    try:
        return read_critic(path.read_bytes(), str(path))
    except (OSError, WeightsError) as error:
        raise InputError(str(error)) from error


def _fitting() -> ModuleType:
    """The module that fits; it needs torch."""
    return needing_torch("engine.train.critic")


def _card(paths: list[Path], limit: int, recordings: Recordings, fit: Any, weights: CriticWeights) -> dict[str, Any]:
    """The card of the weights, without the metrics."""
    return {
        "what": "how a hand ends when all tiles are known: for each tile that may be drawn, who wins how much of whom",
        "made_by": "oshihiki train critic",
        **data_of(paths, limit, recordings),
        "settings": asdict(fit.settings),
        "inputs": weights.inputs,
        "parameters": weights.shape.size,
        "digest": weights.digest(),
        "numpy": np.__version__,
    }


def _show_card(card: dict[str, Any]) -> None:
    out = output_screen()
    metrics = card["metrics"]
    out.print(
        f"{card['games']['train']} games for fitting, {card['games']['test']} for measuring, of these "
        f"{metrics['hands']} hands; {card['parameters']} weights, {card['settings']['draws']} draws, "
        f"{card['seconds']} s"
    )
    ends = figures_table("tiles in the wall", "draws", "log loss of the end", "of its bare shares")
    for stage, row in metrics["ends"].items():
        ends.add_row(stage, str(row["n"]), f"{row['log_loss']:.4f}", f"{row['bare']:.4f}")
    out.print(ends)
    spread = figures_table("a hand's", "spread", "without luck", "ratio", "mean luck")
    for worth in ("points", "places"):
        row = metrics[worth]
        spread.add_row(
            worth, f"{row['spread']:,}", f"{row['without_luck']:,}", f"{row['width']:.3f}", f"{row['mean_luck']:,}"
        )
    out.print(spread)
