"""``oshihiki train phoenix``: fit the network that imitates strong players, and measure it on held-back games."""

from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path
from types import ModuleType
from typing import Annotated, Any, ClassVar, Final

import typer
from numpy.typing import NDArray

from bot.lab.experiment import print_table, shown
from bot.lab.training import (
    Checkpoints,
    Fitted,
    Fitting,
    FittingScreen,
    StartFrom,
    checkpoint_to_resume,
    hands_of,
    weights_of,
)
from bot.machine.errors import InputError
from engine.networks.imitation import ImitationWeights, Network, Shape, shipped_weights
from engine.networks.imitation_layout_kernels import WHO_PHOENIX, WHO_PROGRAM
from engine.rules.recordings import Recordings, Split
from engine.train.scores import measure

DECISIONS: Final = 8_000_000
MEASURED: Final = 60_000
"""Number of decisions of the test games that are measured, for each kind of player."""
LATELY_AFTER_START: Final = 0.2
"""Share of the steps over which the running mean reaches at most in a fit that begins with fitted weights. A guess:
what such a fit learned early misleads less than what one from initial weights did."""
PLAYERS: Final = {"phoenix": WHO_PHOENIX, "program": WHO_PROGRAM}
SCORES: Final = (
    shown("n", "n"),
    shown("top1", "the same", ".2%"),
    shown("top3", "in the first three", ".2%"),
    shown("log_loss", "log loss", ".4f"),
    shown("calibration_error", "calibration", ".2%"),
)
_AS_BEFORE: Final = f"Default: those of --start-from, or {Shape().channels} and {Shape().blocks}."


class Imitated(StrEnum):
    """Whose decisions are fitted on above all; see ``SHARES`` of :mod:`engine.train.phoenix`."""

    PHOENIX = "phoenix"
    PROGRAMS = "programs"


@dataclass(frozen=True, kw_only=True)
class FitPhoenix(Fitting):
    """Fit the network of the policy phoenix, which imitates strong players. Needs torch, which is in the extra "train".

    Games held back by their log id are never used for fitting; the printed figures are computed on them. A checkpoint
    is written beside --out every few minutes.

    Examples:
      oshihiki train phoenix houou-hanchan-00.tar.xz --games 300 --decisions 60000
      oshihiki train phoenix *.tar.xz --out phoenix.npz
      oshihiki train phoenix *.tar.xz --out phoenix.npz --resume --decisions 20000000
      oshihiki train phoenix *.tar.xz --out large.npz --start-from phoenix.npz --channels 128 --blocks 8 --rate 3e-4
      oshihiki train phoenix tokujou-*.tar.xz --imitate programs --start-from phoenix.npz --out programs.npz
    """

    fits: ClassVar = "phoenix"
    what: ClassVar = "what strong players do: chances of each discard, riichi, call, kan and pass"
    module: ClassVar = "engine.train.phoenix"

    decisions: Annotated[
        int,
        typer.Option(
            "--decisions", min=1, help="Total number of decisions to fit on, including those before --resume."
        ),
    ] = DECISIONS
    resume: Annotated[bool, typer.Option("--resume", help="Continue from the checkpoint beside --out.")] = False
    start_from: StartFrom = None
    channels: Annotated[
        int | None,
        typer.Option("--channels", min=8, max=4096, help=f"Number of channels for each kind of tile. {_AS_BEFORE}"),
    ] = None
    blocks: Annotated[
        int | None, typer.Option("--blocks", min=1, max=512, help=f"Number of residual blocks. {_AS_BEFORE}")
    ] = None
    rate: Annotated[
        float | None,
        typer.Option("--rate", min=1e-7, max=1.0, help="Highest learning rate, also with --resume. Default: 0.0015."),
    ] = None
    mean: Annotated[
        float,
        typer.Option("--mean", min=0.5, max=0.999999, help="Factor on the running mean of the weights at each step."),
    ] = 0.999
    imitate: Annotated[
        Imitated, typer.Option("--imitate", help="Whom above all: the phoenix room, or strong programs (accounts ⓝ…).")
    ] = Imitated.PHOENIX

    @property
    def also_read(self) -> tuple[Path | None, ...]:
        """The weights to start from."""
        return (self.start_from,)

    def fit(self, fitting: Any, recordings: Recordings, shown: FittingScreen) -> Fitted:
        """Fit on decisions of the games for fitting, with checkpoints, and measure on some of the test games."""
        to_learn, to_measure = hands_of(recordings, Split.TRAIN), hands_of(recordings, Split.TEST)
        checkpoint = self.out and self.out.with_suffix(".checkpoint")
        fit = self._resumed(fitting, checkpoint) if self.resume else self._begun(fitting)
        checkpoints = Checkpoints(checkpoint, fit.save)

        def report(loss: float) -> None:
            said = f"{fit.done} decisions, {fit.epochs:.2f} epochs, loss {loss:.4f}"
            shown.fitted(fit.done, fit.settings.decisions, said)
            checkpoints.save_if_due()

        fit.run(recordings, to_learn, report)
        checkpoints.save()
        shown.say("measuring")
        weights = fit.weights()
        facts = {"learned_from": {"decisions": fit.done, "epochs": round(fit.epochs, 3)}, "inputs": weights.inputs}
        metrics = measured(weights.network(), recordings, to_measure)
        return Fitted(weights, fit.settings, {**facts, "metrics": metrics})

    def _begun(self, fitting: ModuleType) -> Any:
        """A new fit."""
        start = None
        if self.start_from is not None:
            start = weights_of(self.start_from, ImitationWeights.read, shipped_weights)
        settings = fitting.PhoenixFitSettings(
            shape=_shape(start, self.channels, self.blocks),
            decisions=self.decisions,
            keep=fitting.SHARES[self.imitate.value],
            rate=self.rate or fitting.PhoenixFitSettings.rate,
            mean=self.mean,
            lately=fitting.PhoenixFitSettings.lately if start is None else LATELY_AFTER_START,
            seed=self.seed,
        )
        return fitting.Fit(settings, start)

    def _resumed(self, fitting: ModuleType, checkpoint: Path | None) -> Any:
        """The fit in the checkpoint beside ``--out``."""
        try:
            fit = fitting.Fit.resumed(checkpoint_to_resume(checkpoint), self.decisions, self.rate)
        except fitting.CheckpointError as error:
            raise InputError(str(error)) from error
        kept = fit.settings.shape
        if (self.channels or kept.channels, self.blocks or kept.blocks) != (kept.channels, kept.blocks):
            raise InputError(
                f"--resume: the checkpoint has {kept.channels} channels and {kept.blocks} blocks; to enlarge its "
                "network, begin anew with --start-from"
            )
        return fit

    def amount(self, card: dict[str, Any]) -> str:
        """Decisions."""
        learned = card["learned_from"]
        return f"{learned['decisions']} decisions ({learned['epochs']} epochs)"

    def show_metrics(self, metrics: dict[str, Any]) -> None:
        """Print the scores by players and kind of decision."""
        rows = [
            {"decisions of": who, "head": head, **scores}
            for who, heads in metrics.items()
            for head, scores in heads.items()
            if scores["n"]
        ]
        print_table(rows, ("decisions of", "head"), SCORES)


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


def measured(network: Network, recordings: Recordings, hands: NDArray[Any]) -> dict[str, Any]:
    """Figures by kind of player and head; kinds of players without a decision are left out."""
    figures = {name: measure(network, recordings, hands, who, MEASURED) for name, who in PLAYERS.items()}
    return {name: heads for name, heads in figures.items() if any(head["n"] for head in heads.values())}


phoenix = FitPhoenix.command()
