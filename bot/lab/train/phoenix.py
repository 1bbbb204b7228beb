"""``oshihiki train phoenix``: fit the network that imitates strong players, and measure it on held-back games."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from enum import StrEnum
from pathlib import Path
from types import ModuleType
from typing import Annotated, Any, Final

import numpy as np
import typer
from numpy.typing import NDArray

from bot.commands.options import figures_table
from bot.lab import training
from bot.machine.errors import InputError
from bot.machine.outlet import output_screen
from engine.networks.imitation import ImitationWeights, Network, Shape, shipped_weights
from engine.networks.imitation_layout_kernels import WHO_PHOENIX, WHO_PROGRAM
from engine.rules.recordings import Recordings, Split
from engine.train.scores import HEADS, measure

QUICK_GAMES: Final = 300
"""Number of games that ``--quick`` reads from all archives together."""
QUICK_DECISIONS: Final = 60_000
DECISIONS: Final = 8_000_000
MEASURED: Final = 60_000
"""Number of decisions of the test games that are measured, for each kind of player."""
LATELY_AFTER_START: Final = 0.2
"""Share of the steps over which the running mean reaches at most in a fit that begins with fitted weights. A guess:
what such a fit learned early misleads less than what one from initial weights did."""
PLAYERS: Final = {"phoenix": WHO_PHOENIX, "program": WHO_PROGRAM}
StartFrom = Annotated[
    Path | None,
    typer.Option(
        "--start-from",
        exists=True,
        dir_okay=False,
        help="Start from these weights (.npz). With more --channels or --blocks the larger network begins as the same "
        "function.",
    ),
]


_AS_BEFORE: Final = f"Default: those of --start-from, or {Shape().channels} and {Shape().blocks}."


class Imitated(StrEnum):
    """Whose decisions are fitted on above all; see ``SHARES`` of :mod:`engine.train.phoenix`."""

    PHOENIX = "phoenix"
    PROGRAMS = "programs"


Whom = Annotated[
    Imitated, typer.Option("--imitate", help="Whom above all: the phoenix room, or strong programs (accounts ⓝ…).")
]


def phoenix(
    paths: training.Logs,
    out: Annotated[
        Path | None,
        typer.Option("--out", help="File for the weights (.npz); the card (.json) and the checkpoint are beside it."),
    ] = None,
    quick: training.Quick = False,
    games: training.GamesOfEach = 0,
    decisions: Annotated[
        int,
        typer.Option(
            "--decisions", min=1, help="Total number of decisions to fit on, including those before --resume."
        ),
    ] = DECISIONS,
    resume: Annotated[bool, typer.Option("--resume", help="Continue from the checkpoint beside --out.")] = False,
    start_from: StartFrom = None,
    channels: Annotated[
        int | None,
        typer.Option("--channels", min=8, max=4096, help=f"Number of channels for each kind of tile. {_AS_BEFORE}"),
    ] = None,
    blocks: Annotated[
        int | None, typer.Option("--blocks", min=1, max=512, help=f"Number of residual blocks. {_AS_BEFORE}")
    ] = None,
    batch: Annotated[int, typer.Option("--batch", min=1, help="Number of decisions in a step.")] = 256,
    rate: Annotated[
        float | None,
        typer.Option("--rate", min=1e-7, max=1.0, help="Highest learning rate, also with --resume. Default: 0.0015."),
    ] = None,
    mean: Annotated[
        float,
        typer.Option("--mean", min=0.5, max=0.999999, help="Factor on the running mean of the weights at each step."),
    ] = 0.999,
    imitate: Whom = Imitated.PHOENIX,
    teacher: Annotated[
        Path | None,
        typer.Option(
            "--teacher",
            exists=True,
            dir_okay=False,
            help="Fit to the chances that these weights (.npz) give all answers, instead of to the answers given.",
        ),
    ] = None,
    seed: training.Seed = 1,
    jobs: training.ReadJobs = 0,
    json: training.JsonCard = False,
) -> None:
    """Fit the network of the policy phoenix, which imitates strong players. Needs torch, which is in the extra "train".

    Games held back by their log id are never used for fitting; the printed figures are computed on them. A checkpoint
    is written beside --out every few minutes.

    Examples:
      oshihiki train phoenix houou-hanchan-00.tar.xz --quick
      oshihiki train phoenix *.tar.xz --out phoenix.npz
      oshihiki train phoenix *.tar.xz --out phoenix.npz --resume --decisions 20000000
      oshihiki train phoenix *.tar.xz --out large.npz --start-from phoenix.npz --channels 128 --blocks 8 --rate 3e-4
      oshihiki train phoenix *.tar.xz --out small.npz --start-from phoenix.npz --teacher large.npz
      oshihiki train phoenix tokujou-*.tar.xz --imitate programs --start-from phoenix.npz --out programs.npz
    """
    run = training.WeightsRun("train phoenix", paths, out, start_from, teacher)
    fitting = training.needing_torch("engine.train.phoenix")
    recordings = run.read(games, jobs, QUICK_GAMES if quick else 0)
    to_learn, to_measure = training.hands_of(recordings, Split.TRAIN), training.hands_of(recordings, Split.TEST)
    checkpoint = out and out.with_suffix(".checkpoint")
    decisions = QUICK_DECISIONS if quick else decisions
    keep = fitting.SHARES[imitate.value]
    taught_by = None if teacher is None else training.weights_of(teacher, ImitationWeights.read, shipped_weights)
    if resume:
        fit = _resumed(fitting, checkpoint, decisions, rate, taught_by)
        kept = fit.settings.shape
        if (channels or kept.channels, blocks or kept.blocks) != (kept.channels, kept.blocks):
            raise InputError(
                f"--resume: the checkpoint has {kept.channels} channels and {kept.blocks} blocks; to enlarge its "
                "network, begin anew with --start-from"
            )
    else:
        start = None if start_from is None else training.weights_of(start_from, ImitationWeights.read, shipped_weights)
        settings = fitting.PhoenixFitSettings(
            shape=_shape(start, channels, blocks),
            decisions=decisions,
            keep=keep,
            batch=batch,
            rate=rate or fitting.PhoenixFitSettings.rate,
            mean=mean,
            lately=fitting.PhoenixFitSettings.lately if start is None else LATELY_AFTER_START,
            seed=seed,
        )
        fit = fitting.Fit(settings, start, taught_by)
    with training.FittingScreen(run.screen) as shown, _few_decisions_are_bad_input(fitting):
        checkpoints = training.Checkpoints(checkpoint, fit.save)

        def report(now: Any) -> None:
            shown.fitted(now.done, now.of, f"{now.done} decisions, {now.epochs:.2f} epochs, loss {now.loss:.4f}")
            checkpoints.save_if_due()

        fit.run(recordings, to_learn, report)
        checkpoints.save()
        shown.say("measuring")
        weights = fit.weights()
        metrics = measured(weights.network(), recordings, to_measure)
    card = run.card(
        "what strong players do: chances of each discard, riichi, call, kan and pass",
        fit.settings,
        weights,
        learned_from={"decisions": fit.done, "epochs": round(fit.epochs, 3)},
        inputs=weights.inputs,
        metrics=metrics,
    )
    run.finish(weights, card, _show_card, json=json)


@contextmanager
def _few_decisions_are_bad_input(fitting: ModuleType) -> Iterator[None]:
    try:
        yield
    except fitting.TooFewDecisionsError as error:
        raise InputError(f"{error}; fit on more games") from error


def _resumed(
    fitting: ModuleType, checkpoint: Path | None, total: int, rate: float | None, teacher: ImitationWeights | None
) -> Any:
    """The fit in the checkpoint beside ``--out``."""
    try:
        return fitting.Fit.resumed(training.checkpoint_to_resume(checkpoint), total, rate, teacher)
    except fitting.CheckpointError as error:
        raise InputError(str(error)) from error


def _shape(start: ImitationWeights | None, channels: int | None, blocks: int | None) -> Shape:
    """The shape that is asked for, which has at least the channels and blocks of the weights to start from."""
    least = Shape() if start is None else start.shape
    shape = replace(least, channels=channels or least.channels, blocks=blocks or least.blocks)
    if start is not None:
        for name in ("channels", "blocks"):
            if getattr(shape, name) < getattr(least, name):
                raise InputError(
                    f"--{name} {getattr(shape, name)}: the weights to start from have {getattr(least, name)} already; "
                    "give as many or more"
                )
    return shape


def measured(network: Network, recordings: Recordings, hands: NDArray[np.int64]) -> dict[str, Any]:
    """Figures by kind of player and head; kinds of players without a decision are left out."""
    figures = {name: measure(network, recordings, hands, who, MEASURED) for name, who in PLAYERS.items()}
    return {name: heads for name, heads in figures.items() if any(head["n"] for head in heads.values())}


def _show_card(card: dict[str, Any]) -> None:
    out = output_screen()
    learned = card["learned_from"]
    out.print(
        f"{card['games']['train']} games for fitting, {card['games']['test']} for measuring; {card['parameters']} "
        f"weights, {learned['decisions']} decisions ({learned['epochs']} epochs), {card['seconds']} s"
    )
    columns = ("decisions of", "head", "n", "the same", "in the first three", "log loss", "calibration")
    table = figures_table(*columns, words=2)
    for who, heads in card["metrics"].items():
        for head in HEADS:
            scores = heads[head]
            if scores["n"]:
                shares = f"{scores['top1']:.2%}", f"{scores['top3']:.2%}", f"{scores['log_loss']:.4f}"
                table.add_row(who, head, str(scores["n"]), *shares, f"{scores['calibration_error']:.2%}")
    out.print(table)
