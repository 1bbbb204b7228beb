"""``oshihiki train perceptron``: fit the perceptron of the CHE paper, and measure it on held-back games."""

from dataclasses import dataclass
from typing import Any, ClassVar, Final

from bot.lab.experiment import print_table, shown
from bot.lab.training import Fitted, Fitting, FittingScreen, hands_of
from bot.machine.errors import InputError
from engine.papers.che.training import FIRST
from engine.rules.recordings import Recordings, Split

SAMPLES: Final = {
    "paper": "the paper's sampling",
    "quiet": "the same, hands without a win or riichi too",
    "all": "all, not in riichi",
}
TOPS: Final = (shown("n", "n"), *(shown(f"top{first}", f"top {first}", ".2%") for first in range(1, FIRST + 1)))


@dataclass(frozen=True, kw_only=True)
class FitPerceptron(Fitting):
    """Fit the averaged perceptron of the CHE paper on discards of phoenix-room players. It takes about a minute.

    Games held back by their log id are never used for fitting; the printed figures are computed on them. What is read
    is stored on disk for next time.

    Examples:
      oshihiki train perceptron houou-hanchan-00.tar.xz --games 300
      oshihiki train perceptron houou-*.tar.xz --out perceptron.npz
    """

    fits: ClassVar = "perceptron"
    what: ClassVar = "a linear score of hands: which of its hands a phoenix-room player keeps"
    module: ClassVar = "engine.papers.che.training"

    def fit(self, fitting: Any, recordings: Recordings, shown: FittingScreen) -> Fitted:
        """Fit on the discards that the paper samples, and measure on three samples."""
        to_learn, to_measure = hands_of(recordings, Split.TRAIN), hands_of(recordings, Split.TEST)
        settings = fitting.PerceptronSettings(seed=self.seed)
        shown.say("collecting discards")
        rows = fitting.paper_rows(recordings, to_learn)
        if not len(rows.discards):
            raise InputError("none of the games is of the phoenix room; give logs of it")
        shown.say("fitting")
        weights = fitting.fit(
            rows, settings, lambda done, of, wrong: shown.fitted(done, of, f"{done} discards, {wrong:.1%} mistaken")
        )
        shown.say("measuring")
        samples = {"paper": fitting.paper_rows, "quiet": fitting.quiet_rows, "all": fitting.all_rows}
        metrics = {name: fitting.measure(weights, chosen(recordings, to_measure)) for name, chosen in samples.items()}
        return Fitted(weights, settings, {"learned_from": {"discards": len(rows.discards)}, "metrics": metrics})

    def amount(self, card: dict[str, Any]) -> str:
        """Discards."""
        return f"{card['learned_from']['discards']} discards"

    def show_metrics(self, metrics: dict[str, Any]) -> None:
        """Print how often what was discarded is among the first."""
        rows = [{"held-back discards": title, **metrics[name]} for name, title in SAMPLES.items()]
        print_table(rows, ("held-back discards",), TOPS)


perceptron = FitPerceptron.command()
