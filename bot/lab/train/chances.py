"""``oshihiki train chances``: fit the network that states the chances of the tiles to come, and measure it."""

from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, Final

import typer

from bot.lab.experiment import print_table, shown
from bot.lab.training import Fitted, Fitting, FittingScreen, hands_of
from engine.rules.recordings import Recordings, Split

MEASURED: Final = 4_000
"""Number of views of the test games that are measured."""
BINS: Final = (
    shown("to", "chance up to", ".1%"),
    shown("n", "n"),
    shown("stated", "stated", ".2%"),
    shown("came", "came", ".2%"),
)


@dataclass(frozen=True, kw_only=True)
class FitChances(Fitting):
    """Fit when and by whom each kind of tile is discarded or drawn next. Needs torch, which is in the extra "train".

    Games held back by their log id are never used for fitting; the printed figures are computed on them.

    Examples:
      oshihiki train chances houou-tonpu-00.tar.xz --games 300 --views 60000
      oshihiki train chances houou-*.tar.xz --out chances.npz
    """

    fits: ClassVar = "chances"
    what: ClassVar = "the tiles to come: when each kind is discarded by each opponent, or drawn by the viewer"
    module: ClassVar = "engine.train.chances"

    views: Annotated[int, typer.Option("--views", min=1, help="Number of views to fit on.")] = 3_500_000

    def fit(self, fitting: Any, recordings: Recordings, shown: FittingScreen) -> Fitted:
        """Fit on the views of the games for fitting, and measure on some of the test games."""
        to_learn, to_measure = hands_of(recordings, Split.TRAIN), hands_of(recordings, Split.TEST)
        settings = fitting.Settings(rows=self.views, seed=self.seed)
        fit = fitting.ChanceFit(settings, recordings)
        fit.run(to_learn, shown.of("views", settings.rows))
        shown.say("measuring")
        weights = fit.weights()
        metrics = fitting.measure(weights.network(), recordings, to_measure, MEASURED)
        return Fitted(weights, settings, {"inputs": weights.inputs, "metrics": metrics})

    def amount(self, card: dict[str, Any]) -> str:
        """Views."""
        return f"{card['settings']['rows']} views"

    def show_metrics(self, metrics: dict[str, Any]) -> None:
        """Print the losses, and what came by what was stated."""
        rows = [{"by": name, **row} for name, some in metrics["bins"].items() for row in some]
        title = f"loss {metrics['loss']} (of the shares of unseen tiles {metrics['loss_of_shares']})"
        print_table(rows, ("by",), BINS, title)


chances = FitChances.command()
