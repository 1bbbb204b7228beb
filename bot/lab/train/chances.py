"""``oshihiki train chances``: fit the network that states the chances of the tiles to come, and measure it."""

from types import ModuleType
from typing import Annotated, Any, Final

import typer

from bot.commands.options import figures_table
from bot.lab import training
from bot.machine.errors import InputError
from bot.machine.outlet import output_screen
from engine.rules.recordings import Split

QUICK_GAMES: Final = 300
"""Number of games that ``--quick`` reads from all archives together."""
QUICK_ROWS: Final = 60_000
MEASURED: Final = 4_000
"""Number of views of the test games that are measured."""


def chances(
    paths: training.Logs,
    out: training.OutWeights = None,
    quick: training.Quick = False,
    games: training.GamesOfEach = 0,
    views: Annotated[int, typer.Option("--views", min=1, help="Number of views to fit on.")] = 3_500_000,
    seed: training.Seed = 1,
    jobs: training.ReadJobs = 0,
    json: training.JsonCard = False,
) -> None:
    """Fit when and by whom each kind of tile is discarded or drawn next. Needs torch, which is in the extra "train".

    Games held back by their log id are never used for fitting; the printed figures are computed on them.

    Examples:
      oshihiki train chances houou-tonpu-00.tar.xz --quick
      oshihiki train chances houou-*.tar.xz --out chances.npz
    """
    run = training.WeightsRun("train chances", paths, out)
    fitting = _fitting()
    recordings = run.read(games, jobs, QUICK_GAMES if quick else 0)
    to_learn, to_measure = training.hands_of(recordings, Split.TRAIN), training.hands_of(recordings, Split.TEST)
    settings = fitting.Settings(rows=QUICK_ROWS if quick else views, seed=seed)
    fit = fitting.ChanceFit(settings)
    with training.FittingScreen(run.screen) as shown:
        try:
            fit.run(
                recordings, to_learn,
                lambda done, loss: shown.fitted(done, settings.rows, f"{done:,} views, loss {loss:.3f}"),
            )  # fmt: skip
        except fitting.NoViewsError as error:
            raise InputError(str(error)) from error
        shown.say("measuring")
        weights = fit.weights()
        metrics = fitting.measure(weights.network(), recordings, to_measure, MEASURED)
    card = run.card(
        "the tiles to come: when each kind is discarded by each opponent, or drawn by the viewer",
        settings,
        weights,
        inputs=weights.inputs,
        metrics=metrics,
    )
    run.finish(weights, card, _show_card, json=json)


def _fitting() -> ModuleType:
    """The module that fits and measures; it needs torch."""
    return training.needing_torch("engine.train.chances")


def _show_card(card: dict[str, Any]) -> None:
    out = output_screen()
    metrics = card["metrics"]
    out.print(
        f"{card['games']['train']} games for fitting, {card['games']['test']} for measuring; {card['parameters']} "
        f"weights, {card['settings']['rows']} views, {card['seconds']} s; loss {metrics['loss']} "
        f"(of the shares of unseen tiles {metrics['loss_of_shares']})"
    )
    table = figures_table("by", "chance up to", "n", "stated", "came")
    for name, rows in metrics["bins"].items():
        for each in rows:
            table.add_row(name, f"{each['to']:.1%}", str(each["n"]), f"{each['stated']:.2%}", f"{each['came']:.2%}")
    out.print(table)
