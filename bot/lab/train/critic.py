"""``oshihiki train critic``: fit the critic, which sees all hands, and measure how much luck it takes out."""

from pathlib import Path
from typing import Annotated, Any, Final

import numpy as np
import typer

from bot.commands.options import figures_table
from bot.lab import training
from bot.machine.outlet import output_screen
from bot.machine.preparation import warm_up
from engine.critic.network import CriticShape, CriticWeights, shipped_critic_weights
from engine.critic.worths import ends_of
from engine.model.rules import HANCHAN, TONPU
from engine.policy.batches import PhoenixPlayers
from engine.rules.recordings import Recordings, Split
from engine.train.critic_scores import measure
from engine.train.played import play_hands

DRAWS: Final = 5_000_000
QUICK_GAMES: Final = 300
"""Number of games that ``--quick`` reads from all archives together."""
QUICK_DRAWS: Final = 60_000
AT_ONCE: Final = 256
"""Tables at which phoenix plays for --played."""
MEASURED: Final = 10_000
"""Number of hands of the test games that are measured."""
Played = Annotated[
    int, typer.Option("--played", min=0, help="Also learn from this many hands that phoenix plays for it at once.")
]
StartFrom = Annotated[
    Path | None,
    typer.Option("--start-from", exists=True, dir_okay=False, help="Start from these weights (.npz), of their shape."),
]
Draws = Annotated[int, typer.Option("--draws", min=1, help="Number of draws to fit on.")]


def critic(
    paths: training.Logs,
    out: training.OutWeights = None,
    quick: training.Quick = False,
    games: training.GamesOfEach = 0,
    draws: Draws = DRAWS,
    played: Played = 0,
    start_from: StartFrom = None,
    seed: training.Seed = 1,
    jobs: training.ReadJobs = 0,
    json: training.JsonCard = False,
) -> None:
    """Fit the critic of `arena --without-luck`, which sees all hands. Needs torch, which is in the extra "train".

    Games held back by their log id are never used for fitting; the printed figures are computed on them.

    Examples:
      oshihiki train critic houou-tonpu-00.tar.xz --quick
      oshihiki train critic *.tar.xz --out critic.npz
      oshihiki train critic *.tar.xz --out critic.npz --played 100000
    """
    run = training.WeightsRun("train critic", paths, out, start_from)
    fitting = training.needing_torch("engine.train.critic")
    recordings = run.read(games, jobs, QUICK_GAMES if quick else 0)
    to_learn, to_measure = training.hands_of(recordings, Split.TRAIN), training.hands_of(recordings, Split.TEST)
    first = training.weights_of(start_from, CriticWeights.read, shipped_critic_weights) if start_from else None
    shape = CriticShape() if first is None else first.shape
    settings = fitting.CriticSettings(shape, draws=QUICK_DRAWS if quick else draws, seed=seed)
    fit = fitting.CriticFit(settings, first)
    with training.FittingScreen(run.screen) as shown:
        known, learned = recordings, to_learn
        if played:
            warm_up(run.screen, ("prior", "prior in batches", "simulator"))
            shown.say("playing")
            player = PhoenixPlayers()
            own = [play_hands(played // 2, player, AT_ONCE, rules, seed) for rules in (TONPU, HANCHAN)]
            known = Recordings.concatenate([recordings, *own])
            learned = np.append(to_learn, np.arange(len(recordings.kyoku), len(known.kyoku)))
        fit.run(
            known, learned, ends_of(known),
            lambda done, loss: shown.fitted(done, settings.draws, f"{done:,} draws, loss {loss:.4f}"),
        )  # fmt: skip
        shown.say("measuring")
        weights = fit.weights()
        some = np.random.default_rng(0).permutation(to_measure)[:MEASURED]
        metrics = measure(weights.critic(), recordings, np.sort(some))
    card = run.card(
        "how a hand ends when all tiles are known: for each tile that may be drawn, who wins how much of whom",
        settings,
        weights,
        inputs=weights.inputs,
        played=played,
        start=first.digest() if first else "",
        metrics=metrics,
    )
    run.finish(weights, card, _show_card, json=json)


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
