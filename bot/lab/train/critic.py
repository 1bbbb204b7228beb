"""``oshihiki train critic``: fit the critic, which sees all hands, and measure how much luck it takes out."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, ClassVar, Final

import numpy as np
import typer

from bot.lab.experiment import print_table, shown
from bot.lab.training import Fitted, Fitting, FittingScreen, StartFrom, hands_of, weights_of
from bot.machine.outlet import error_screen
from bot.machine.preparation import warm_up
from engine.critic.network import CriticShape, CriticWeights, shipped_critic_weights
from engine.critic.worths import ends_of
from engine.model.rules import HANCHAN, TONPU
from engine.policy.batches import PhoenixPlayers
from engine.rules.recordings import Recordings, Split
from engine.train.played import play_hands

DRAWS: Final = 5_000_000
AT_ONCE: Final = 256
"""Tables at which phoenix plays for --played."""
MEASURED: Final = 10_000
"""Number of hands of the test games that are measured."""
ENDS: Final = (
    shown("n", "draws"),
    shown("log_loss", "log loss of the end", ".4f"),
    shown("bare", "of its bare shares", ".4f"),
)
SPREADS: Final = (
    shown("spread", "spread", ","),
    shown("without_luck", "without luck", ","),
    shown("width", "ratio", ".3f"),
    shown("mean_luck", "mean luck", ","),
)


@dataclass(frozen=True, kw_only=True)
class FitCritic(Fitting):
    """Fit the critic of `arena --without-luck`, which sees all hands. Needs torch, which is in the extra "train".

    Games held back by their log id are never used for fitting; the printed figures are computed on them.

    Examples:
      oshihiki train critic houou-tonpu-00.tar.xz --games 300 --draws 60000
      oshihiki train critic *.tar.xz --out critic.npz
      oshihiki train critic *.tar.xz --out critic.npz --played 100000
    """

    fits: ClassVar = "critic"
    what: ClassVar = (
        "how a hand ends when all tiles are known: for each tile that may be drawn, who wins how much of whom"
    )
    module: ClassVar = "engine.train.critic"

    draws: Annotated[int, typer.Option("--draws", min=1, help="Number of draws to fit on.")] = DRAWS
    played: Annotated[
        int, typer.Option("--played", min=0, help="Also learn from this many hands that phoenix plays for it at once.")
    ] = 0
    start_from: StartFrom = None

    @property
    def also_read(self) -> tuple[Path | None, ...]:
        """The weights to start from."""
        return (self.start_from,)

    def fit(self, fitting: Any, recordings: Recordings, shown: FittingScreen) -> Fitted:
        """Fit on the draws of the games for fitting and those played for it, and measure on some of the test games."""
        learned, to_measure = hands_of(recordings, Split.TRAIN), hands_of(recordings, Split.TEST)
        first = weights_of(self.start_from, CriticWeights.read, shipped_critic_weights) if self.start_from else None
        shape = CriticShape() if first is None else first.shape
        settings = fitting.CriticSettings(shape, draws=self.draws, seed=self.seed)
        known = recordings
        if self.played:
            warm_up(error_screen(), ("prior", "prior in batches", "simulator"))
            shown.say("playing")
            rules = (TONPU, HANCHAN)
            own = [play_hands(self.played // 2, PhoenixPlayers(), AT_ONCE, each, self.seed) for each in rules]
            known = Recordings.concatenate([recordings, *own])
            learned = np.append(learned, np.arange(len(recordings.kyoku), len(known.kyoku)))
        fit = fitting.CriticFit(settings, known, ends_of(known), first)
        fit.run(learned, shown.of("draws", settings.draws))
        shown.say("measuring")
        weights = fit.weights()
        some = np.sort(np.random.default_rng(0).permutation(to_measure)[:MEASURED])
        metrics = fitting.measure(weights.critic(), recordings, some)
        facts = {"inputs": weights.inputs, "played": self.played, "start": first.digest() if first else ""}
        return Fitted(weights, settings, {**facts, "metrics": metrics})

    def amount(self, card: dict[str, Any]) -> str:
        """Draws."""
        return f"{card['settings']['draws']} draws"

    def show_metrics(self, metrics: dict[str, Any]) -> None:
        """Print the log loss by the tiles in the wall, and how widely hands spread with and without luck."""
        rows = [{"tiles in the wall": stage, **row} for stage, row in metrics["ends"].items()]
        print_table(rows, ("tiles in the wall",), ENDS, f"{metrics['hands']} hands measured")
        spreads = [{"a hand's": worth, **metrics[worth]} for worth in ("points", "places")]
        print_table(spreads, ("a hand's",), SPREADS)


critic = FitCritic.command()
