"""``oshihiki train hidden``: fit the network that guesses hidden hands, and measure what it draws."""

from types import ModuleType
from typing import Annotated, Any, Final

import typer

from bot.commands.options import figures_table
from bot.lab.train import training
from bot.machine.outlet import output_screen
from engine.rules.recordings import Split
from engine.worlds.network import HiddenShape

QUICK_GAMES: Final = 300
"""Number of games that ``--quick`` reads from all archives together."""
QUICK_VIEWS: Final = 60_000
MEASURED: Final = 2_000
"""Number of views of the test games that are measured."""


def hidden(
    paths: training.Logs,
    out: training.OutWeights = None,
    quick: Annotated[
        bool, typer.Option("--quick", help=f"Use {QUICK_GAMES} games and few views, to finish within minutes.")
    ] = False,
    games: training.GamesOfEach = 0,
    views: Annotated[int, typer.Option("--views", min=1, help="Number of views to fit on.")] = 8_000_000,
    channels: Annotated[int, typer.Option("--channels", min=8, help="Number of channels for each kind of tile.")] = 48,
    blocks: Annotated[int, typer.Option("--blocks", min=1, help="Number of residual blocks.")] = 5,
    seed: Annotated[int, typer.Option("--seed", min=0, help="Seed of initial weights and of the order.")] = 1,
    jobs: training.ReadJobs = 0,
    json: training.JsonCard = False,
) -> None:
    """Fit the network that guesses what the others hold, for `value:worlds=64`. Needs torch, of the extra "train".

    Games held back by their log id are never used for fitting; the printed figures are computed on them.

    Examples:
      oshihiki train hidden houou-tonpu-00.tar.xz --quick
      oshihiki train hidden *.tar.xz --out hidden.npz
    """
    run = training.WeightsRun("train hidden", paths, out)
    fitting = _fitting()
    recordings = run.read(games, jobs, QUICK_GAMES if quick else 0)
    to_learn, to_measure = training.hands_of(recordings, Split.TRAIN), training.hands_of(recordings, Split.TEST)
    settings = fitting.Settings(HiddenShape(channels, blocks), views=QUICK_VIEWS if quick else views, seed=seed)
    fit = fitting.HiddenFit(settings)
    with training.FittingScreen(run.screen) as shown:
        fit.run(
            recordings, to_learn,
            lambda done, loss: shown.fitted(done, settings.views, f"{done:,} views, loss {loss:.4f}"),
        )  # fmt: skip
        shown.say("measuring")
        weights = fit.weights()
        metrics = fitting.measure(weights.network(), recordings, to_measure, MEASURED)
    card = run.card(
        "what the others hold: the chance of each kind to be the next of their tiles, revealed in random order",
        settings,
        weights,
        inputs=weights.inputs,
        metrics=metrics,
    )
    run.finish(weights, card, _show_card, json=json)


def _fitting() -> ModuleType:
    """The module that fits and measures; it needs torch."""
    return training.needing_torch("engine.train.hidden")


def _show_card(card: dict[str, Any]) -> None:
    out = output_screen()
    out.print(
        f"{card['games']['train']} games for fitting, {card['games']['test']} for measuring; {card['parameters']} "
        f"weights, {card['settings']['views']} views, {card['seconds']} s"
    )
    hands = figures_table("hands", "n", "tenpai", "drawn tenpai", "weighed")
    waits = figures_table("waits of", "chance up to", "kinds", "drawn", "true")
    for stance, row in card["metrics"].items():
        shares = (f"{row[name]:.2%}" for name in ("tenpai", "drawn_tenpai", "weighed_tenpai"))
        hands.add_row(stance, str(row["n"]), *shares)
        for each in row["waits"]:
            waits.add_row(stance, f"{each['to']:.0%}", str(each["n"]), f"{each['drawn']:.2%}", f"{each['true']:.2%}")
    out.print(hands)
    out.print(waits)
