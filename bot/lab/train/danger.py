"""``oshihiki train danger``, ``train outcomes``: the danger network, and how a hand ends when we fold, on top of it."""

from dataclasses import dataclass, fields
from pathlib import Path
from typing import Annotated, Any, ClassVar, Final

import numpy as np
import typer

from bot.lab.experiment import Experiment, print_table, shown
from bot.lab.recordings import read_recordings
from bot.lab.training import (
    Fitted,
    Fitting,
    FittingScreen,
    GamesOfEach,
    Logs,
    ReadJobs,
    card_of,
    hands_of,
    needing_torch,
    rendered,
    weights_of,
)
from bot.machine.outlet import error_screen, output_screen
from bot.machine.outputs import Outputs
from engine.opponents.network import read_weights, shipped_weights
from engine.opponents.outcomes import OutcomeTables
from engine.rules.recordings import Recordings, Split

SHARE: Final = 0.1
"""Share of the moments of a game that are measured."""
CALIBRATE_ON: Final = (1.0, 0.5, 0.15)
"""Share of the moments of validation games used for calibration, by stance."""
HANDS: Final = 30_000
"""Maximum number of hands used for fitting; there are few parameters."""
MOMENTS: Final = 0.1
"""Share of their moments that is used."""
CHANCES: Final = {"held": "a deal-in, kinds held", "discarded": "a deal-in, the discard", "tenpai": "tenpai"}
SCORES: Final = (
    shown("n", "rows"),
    shown("rate", "happened", ".2%"),
    shown("log_loss", "log loss", ".5f"),
    shown("auc", "AUC", ".4f"),
    shown("calibration_error", "calibration error", ".2%"),
)


@dataclass(frozen=True, kw_only=True)
class FitDanger(Fitting):
    """Fit the danger network: the chance that each kind of tile deals in to each opponent, and what that costs.

    Needs torch, which is in the extra "train". Games held back by their log id are never used for fitting; the printed
    figures are computed on them. What is read is stored on disk for next time.

    Examples:
      oshihiki train danger houou-hanchan-00.tar.xz --games 800
      oshihiki train danger *.tar.xz --out danger_net.npz
    """

    fits: ClassVar = "danger"
    what: ClassVar = "per opponent and kind of tile: wait, deal-in, points of the deal-in; per opponent: tenpai"
    module: ClassVar = "engine.train.danger"

    def fit(self, fitting: Any, recordings: Recordings, shown: FittingScreen) -> Fitted:
        """Fit on the games for fitting, calibrate on those of validation, measure on the test games."""
        settings = fitting.DangerSettings(seed=self.seed)
        hands = {split: hands_of(recordings, split) for split in Split}
        of = settings.epochs * len(hands[Split.TRAIN])
        weights, log = fitting.fit(
            recordings, hands[Split.TRAIN], settings,
            lambda done, rows, loss: shown.fitted(done, of, f"{rows:,} rows, loss {loss:.4f}"),
        )  # fmt: skip
        shown.say("calibrating")
        weights = fitting.calibrate(weights, recordings, hands[Split.VALIDATION], CALIBRATE_ON)
        shown.say("measuring")
        facts = {
            "features": weights.features,
            "log": log,
            "calibration": [[round(float(number), 4) for number in row] for row in weights.calibration],
            "metrics": fitting.measure(weights, recordings, hands[Split.TEST], SHARE),
            "measured": f"{SHARE:.0%} of the moments of the test games",
        }
        return Fitted(weights, settings, facts)

    def amount(self, card: dict[str, Any]) -> str:
        """Rows, and games for calibration."""
        return f"{card['log'][-1]['rows']:.0f} rows seen, {card['games']['validation']} games for calibration"

    def show_metrics(self, metrics: dict[str, Any]) -> None:
        """Print the scores of each chance by opponent, and the points of deal-ins."""
        rows = [
            {"chance of": title, "opponent": who, **scores, "rate": scores["events"] / max(1, scores["n"])}
            for what, title in CHANCES.items()
            for who, scores in metrics[what].items()
        ]
        print_table(rows, ("chance of", "opponent"), SCORES)
        for who, points in metrics["points"].items():
            output_screen().print(
                f"a deal-in to {who}: {points['said']} points predicted, {points['true']} paid, {points['n']} deal-ins"
            )


@dataclass(frozen=True, kw_only=True)
class FitOutcomes(Experiment):
    """Fit how a hand ends if we neither win nor deal in: who wins, from whom, for how much, and who is tenpai.

    Needs torch, which is in the extra "train". Games held back by their log id are never used for fitting; the printed
    figures are computed on them. Fit the danger network first, because this builds on it.

    Examples:
      oshihiki train outcomes houou-hanchan-00.tar.xz --out outcomes.json
    """

    paths: Logs
    out: Annotated[Path | None, typer.Option("--out", help="File for the tables and their card (.json).")] = None
    games: GamesOfEach = 0
    jobs: ReadJobs = 0
    weights: Annotated[
        Path | None, typer.Option("--weights", help="Danger weights to build on; default: those of the package.")
    ] = None

    def figures(self) -> dict[str, Any]:
        """Fit, and write the tables, if a file is named; the card."""
        outputs = Outputs("--out", [*self.paths, self.weights], self.out)
        fitting = needing_torch("engine.train.outcomes")
        network = weights_of(self.weights, read_weights, shipped_weights)
        recordings = read_recordings(self.paths, error_screen(), games=self.games, jobs=self.jobs).recordings
        random = np.random.default_rng(1)
        parts = {}
        for split in (Split.TRAIN, Split.TEST):
            hands = random.permutation(hands_of(recordings, split))[:HANDS]
            parts[split] = fitting.moments_of(recordings, hands, network, MOMENTS)
        tables = fitting.fit_outcomes(parts[Split.TRAIN])
        what = "endings of a hand that the viewer neither wins nor pays: engine.opponents.outcomes.OutcomeTables"
        card = card_of("train outcomes", what, self.paths) | {
            "weights": network.digest(),
            "moments": len(parts[Split.TRAIN].winner),
            "split": "by a hash of the log id (engine.rules.recordings)",
            "metrics": fitting.measure_outcomes(tables, parts[Split.TEST]),
        }
        if self.out is not None:
            outputs.write(self.out, render_tables(card, tables) + "\n")
        return card

    def show(self, figures: dict[str, Any]) -> None:
        """Print how well the tables state who wins."""
        metrics = figures["metrics"]
        output_screen().print(
            f"{figures['moments']} moments for fitting, {metrics['moments']} for measuring; who wins: log loss "
            f"{metrics['log_loss']:.4f}, with the mean alone {metrics['log_loss_of_the_mean']:.4f}"
        )
        rows = []
        for name, title in (("wins", "an opponent wins"), ("nobody", "nobody wins")):
            scores = metrics[name]
            rows.append({"chance": title, **scores, "rate": scores["events"] / max(1, scores["n"])})
        print_table(rows, ("chance",), SCORES)


def render_tables(card: dict[str, Any], tables: OutcomeTables) -> str:
    """The text of the file: the card, then each table with four digits."""
    values = {each.name: getattr(tables, each.name) for each in fields(tables)}
    plain = {name: np.round(value, 4).tolist() for name, value in values.items()}
    return rendered({"card": card, "tables": plain})


danger = FitDanger.command()
outcomes = FitOutcomes.command()
