"""``oshihiki train danger``, ``train outcomes``: the danger network, and how a hand ends when we fold, on top of it."""

from dataclasses import fields
from pathlib import Path
from typing import Annotated, Any, Final

import numpy as np
import typer

from bot.commands.options import figures_table, print_figures
from bot.lab import training
from bot.lab.recordings import read_recordings
from bot.machine.outlet import error_screen, output_screen
from bot.machine.outputs import Outputs
from engine.opponents.network import read_weights, shipped_weights
from engine.opponents.outcomes import OutcomeTables
from engine.rules.recordings import Split

QUICK_GAMES: Final = 800
"""Number of games that ``--quick`` reads from all archives together: enough to check that everything works."""
QUICK_SHARE, SHARE = 0.3, 0.1
"""Share of the moments of a game that are measured."""
CALIBRATE_ON: Final = (1.0, 0.5, 0.15)
"""Share of the moments of validation games used for calibration, by stance."""
HANDS: Final = 30_000
"""Maximum number of hands used for fitting; there are few parameters."""
MOMENTS: Final = 0.1
"""Share of their moments that is used."""


def danger(
    paths: training.Logs,
    out: training.OutWeights = None,
    quick: training.Quick = False,
    games: training.GamesOfEach = 0,
    seed: training.Seed = 1,
    jobs: training.ReadJobs = 0,
    json: training.JsonCard = False,
) -> None:
    """Fit the danger network: the chance that each kind of tile deals in to each opponent, and what that costs.

    Needs torch, which is in the extra "train". Games held back by their log id are never used for fitting; the printed
    figures are computed on them. What is read is stored on disk for next time.

    Examples:
      oshihiki train danger houou-hanchan-00.tar.xz --quick
      oshihiki train danger *.tar.xz --out danger_net.npz
    """
    run = training.WeightsRun("train danger", paths, out)
    fitting = training.needing_torch("engine.train.danger")
    recordings = run.read(games, jobs, QUICK_GAMES if quick else 0)
    settings = fitting.DangerSettings(seed=seed)
    hands = {split: training.hands_of(recordings, split) for split in Split}
    of = settings.epochs * len(hands[Split.TRAIN])
    with training.FittingScreen(run.screen) as shown:
        weights, log = fitting.fit(
            recordings, hands[Split.TRAIN], settings,
            lambda done, rows, loss: shown.fitted(done, of, f"{rows:,} rows, loss {loss:.4f}"),
        )  # fmt: skip
        shown.say("calibrating")
        weights = fitting.calibrate(weights, recordings, hands[Split.VALIDATION], CALIBRATE_ON)
        shown.say("measuring")
        measured = QUICK_SHARE if quick else SHARE
        metrics = fitting.measure(weights, recordings, hands[Split.TEST], measured)
    card = run.card(
        "per opponent and kind of tile: wait, deal-in, points of the deal-in; per opponent: tenpai",
        settings,
        weights,
        features=weights.features,
        log=log,
        calibration=[[round(float(number), 4) for number in row] for row in weights.calibration],
        metrics=metrics,
        measured=f"{measured:.0%} of the moments of the test games",
    )
    run.finish(weights, card, _show_card, json=json)


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


def outcomes(
    paths: training.Logs,
    out: Annotated[Path | None, typer.Option("--out", help="File for the tables and their card (.json).")] = None,
    weights: Annotated[
        Path | None, typer.Option("--weights", help="Danger weights to build on; default: those of the package.")
    ] = None,
    games: training.Games = 0,
    jobs: training.ReadJobs = 0,
    json: training.JsonCard = False,
) -> None:
    """Fit how a hand ends if we neither win nor deal in: who wins, from whom, for how much, and who is tenpai.

    Needs torch, which is in the extra "train". Games held back by their log id are never used for fitting; the printed
    figures are computed on them. Fit the danger network first, because this
    builds on it.

    Examples:
      oshihiki train outcomes houou-hanchan-00.tar.xz --out outcomes.json
    """
    screen = error_screen()
    outputs = Outputs("--out", [*paths, weights], out)
    fitting = training.needing_torch("engine.train.outcomes")
    network = training.weights_of(weights, read_weights, shipped_weights)
    recordings = read_recordings(paths, screen, games=games, jobs=jobs).recordings
    random = np.random.default_rng(1)
    parts = {}
    for split in (Split.TRAIN, Split.TEST):
        hands = random.permutation(training.hands_of(recordings, split))[:HANDS]
        parts[split] = fitting.moments_of(recordings, hands, network, MOMENTS)
    tables = fitting.fit_outcomes(parts[Split.TRAIN])
    card: dict[str, Any] = {
        "what": "endings of a hand that the viewer neither wins nor pays: engine.opponents.outcomes.OutcomeTables",
        "made_by": "oshihiki train outcomes",
        "sources": [path.name for path in paths],
        "weights": network.digest(),
        "moments": len(parts[Split.TRAIN].winner),
        "split": "by a hash of the log id (engine.rules.recordings)",
        "metrics": fitting.measure_outcomes(tables, parts[Split.TEST]),
    }
    if out is not None:
        outputs.write(out, render_tables(card, tables) + "\n")
    print_figures(card, _show_outcomes, json=json)


def render_tables(card: dict[str, Any], tables: OutcomeTables) -> str:
    """The text of the file: the card, then each table with four digits."""
    values = {each.name: getattr(tables, each.name) for each in fields(tables)}
    plain = {name: np.round(value, 4).tolist() for name, value in values.items()}
    return training.render_card({"card": card, "tables": plain})


def _show_outcomes(card: dict[str, Any]) -> None:
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
