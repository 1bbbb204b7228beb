"""Fitting the imitating network on recorded decisions. Only this module and its network need torch.

The learning rate is constant for most of the time and then falls to zero, so that a fit can be stopped, resumed, and
extended by further decisions. The weights that are measured and shipped are a running mean.
"""

from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from pickle import UnpicklingError
from typing import Any, Final

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional

from engine.networks.exchanges import Exchange
from engine.networks.imitation import ImitationWeights, Shape, legal_answers
from engine.networks.imitation_layout_kernels import Q_OFFERED
from engine.rules.recordings import Recordings
from engine.train.decision_kernels import D_ANSWER, D_RED, Decisions
from engine.train.fits import DecisionShares, NothingToLearnError, decision_chunks
from engine.train.nets import Descent, PhoenixNet, in_bfloat16

RED_WEIGHT: Final = 0.2
"""Weight of the loss of the choice between a plain and a red five, relative to that of the answer."""
STEADY: Final = 0.6
"""Share of the decisions after which the learning rate starts to fall."""
SHARES: Final = {
    "phoenix": ((0.05, 0.05), (0.15, 0.08), (1.0, 0.5), (1.0, 0.8)),
    "programs": ((1.0, 1.0), (0.1, 0.1), (0.0, 0.0), (1.0, 1.0)),
}
"""Share of the decisions to fit on, by whom above all to imitate: people of the phoenix room, or strong programs. For
each kind of player, in the order of the WHO_ numbers: in own turns, and in answers. Guesses."""


@dataclass(frozen=True)
class PhoenixFitSettings:
    """Settings of a fit."""

    shape: Shape = field(default_factory=Shape)  # shape of the network
    decisions: int = 4_000_000  # total number of decisions to fit on; hands are repeated as often as necessary
    # (PLAYERS, 2) share of the decisions that are used, by kind of player: in own turns, and in answers
    keep: tuple[tuple[float, float], ...] = SHARES["phoenix"]
    batch: int = 256  # number of decisions in a step
    rate: float = 1.5e-3  # highest learning rate
    decay: float = 1e-2  # weight decay, relative to the learning rate
    mean: float = 0.999  # factor on the running mean of the weights at each step
    # share of the steps over which that mean reaches at most, see :class:`engine.train.nets.Descent`
    lately: float = 0.05
    seed: int = 1  # seed of everything random
    start: str = ""  # digest of the weights from which the fit began; empty if it began from initial ones


class CheckpointError(ValueError):
    """A checkpoint from which the fit cannot continue; the message says why."""


class Fit:
    """A network being fitted.

    Attributes:
        settings: settings of the fit.
        done: number of decisions done.
        epochs: number of passes over the hands, including a fraction for the present one.
        place: the passes before the present chunk of decisions began.
        taken: number of steps done on that chunk.
    """

    def __init__(self, settings: PhoenixFitSettings, start: ImitationWeights | None = None) -> None:
        """Begin a fit.

        Args:
            settings: its settings.
            start: weights to begin with, grown to the shape if they are smaller; None: initial weights.
        """
        torch.manual_seed(settings.seed)
        self.settings = settings if start is None else replace(settings, start=start.digest())
        self.done = 0
        self.epochs = self.place = 0.0
        self.taken = 0
        net = PhoenixNet(settings.shape)
        if start is not None:
            grow(net, start)
        self._descent = Descent(
            net, settings.rate, settings.decay, steady=STEADY, mean=settings.mean, lately=settings.lately
        )

    @classmethod
    def resumed(cls, path: Path, decisions: int, rate: float | None = None) -> "Fit":
        """Continue from the file of :meth:`save`.

        Args:
            path: the file.
            decisions: total number of decisions.
            rate: highest learning rate from now on; None: as before.

        Raises:
            CheckpointError: the file cannot be read, or belongs to another network.
        """
        try:
            kept: dict[str, Any] = torch.load(path, map_location="cpu", weights_only=True)
            fields = kept["settings"] | {"shape": Shape(**kept["settings"]["shape"]), "decisions": decisions}
            taught = fields.pop("teacher", "")  # a setting of earlier versions
            fields["keep"] = tuple(map(tuple, fields["keep"]))
            fields["rate"] = rate or fields["rate"]
            settings = PhoenixFitSettings(**fields)
            fit = cls(settings)
            fit._descent.restore(kept)
            fit.done, fit.epochs = kept["done"], kept["epochs"]
            fit.place, fit.taken = kept.get("place", fit.epochs), kept.get("taken", 0)
        except (OSError, EOFError, RuntimeError, KeyError, TypeError, ValueError, UnpicklingError) as error:
            raise CheckpointError(f"{path} is not a checkpoint of this network ({error}); start without it") from error
        if taught:
            raise CheckpointError(f"{path} was fitted to the chances of other weights; commit 22671543 goes on with it")
        return fit

    def save(self, path: Path) -> None:
        """Write everything needed to continue; the file is complete or not written at all."""
        part = path.with_suffix(".part")
        names = "done", "epochs", "place", "taken"
        own = {"settings": asdict(self.settings)} | {name: getattr(self, name) for name in names}
        torch.save(own | self._descent.state(), part)
        part.replace(path)

    def weights(self) -> ImitationWeights:
        """The running mean of the weights so far."""
        return ImitationWeights.of(self.settings.shape, self._descent.mean_arrays())

    def run(self, recordings: Recordings, hands: NDArray[np.int64], report: Callable[[float], None]) -> None:
        """Fit on the hands (rows of ``recordings.kyoku``) until all decisions are done.

        ``report`` gets the recent mean loss every few steps. It may call :meth:`save`, and raise an exception to stop.

        Raises:
            NothingToLearnError: a whole pass over the hands did not fill one batch.
        """
        settings = self.settings
        keep: DecisionShares = np.array(settings.keep)
        losses: list[Tensor] = []
        while self.done < settings.decisions:
            epoch, steps = int(self.place), self._descent.steps
            order = np.random.default_rng((settings.seed, epoch)).permutation(hands)
            begun = round((self.place - epoch) * len(hands))
            whole = not (begun or self.taken)
            for rows, through in decision_chunks(recordings, order[begun:], keep, settings.seed + epoch):
                for batch in self._batches(rows):
                    losses.append(self._step(batch))
                    self.taken += 1
                    if len(losses) == 100:
                        report(float(torch.stack(losses).mean()))
                        losses.clear()
                    if self.done >= settings.decisions:
                        break
                self.epochs = epoch + (begun + through) / len(hands)
                if self.done >= settings.decisions:
                    return
                self.place, self.taken = self.epochs, 0
            if self._descent.steps == steps and whole:
                raise NothingToLearnError(
                    f"{len(hands)} hands have fewer than the {settings.batch} decisions of one step; fit on more games"
                )
            self.epochs = self.place = epoch + 1.0

    def _batches(self, rows: Decisions) -> Iterator[tuple[Tensor, ...]]:
        """The steps of a chunk that are not done yet."""
        batch = self.settings.batch
        random = np.random.default_rng((self.settings.seed, self._descent.steps - self.taken, 1))
        order = random.permutation(len(rows.planes))
        for _ in range(self.taken):  # so that a fit that was stopped goes on as if it had not been
            Exchange.drawn(random)
        for at in range(self.taken * batch, len(order) - batch + 1, batch):
            arrays = prepared(rows, np.sort(order[at : at + batch]), Exchange.drawn(random))
            yield tuple(torch.from_numpy(array).to(self._descent.device) for array in arrays)

    def _step(self, batch: tuple[Tensor, ...]) -> Tensor:
        settings, descent = self.settings, self._descent
        planes, numbers, legal, answers, offered, reds = batch
        with in_bfloat16(descent.device):
            logits, red = descent.net(planes, numbers, offered)
        logits = logits.masked_fill(~legal, -1e9)
        loss = functional.cross_entropy(logits, answers)
        said = red.gather(1, (answers % 34)[:, None])[:, 0]
        part = functional.binary_cross_entropy_with_logits(said, reds.clamp_min(0.0), reduction="none")
        whole = loss + RED_WEIGHT * (part * (reds >= 0)).sum() / len(reds)
        descent.follow(whole, self.done / settings.decisions)
        self.done += len(planes)
        return loss.detach()


def grow(net: PhoenixNet, start: ImitationWeights) -> None:
    """Put fitted weights into a network with as many or more channels and blocks, which then answers as they do.

    What is new has initial weights, so that it computes something, and nothing that was there reads it yet: the factors
    on it are zero and are learned first. An added block gives nothing yet.
    """
    kept = start.arrays()
    with torch.no_grad():
        for name, weights in net.weights.items():
            if name not in kept:
                if name.startswith("back"):
                    weights.zero_()
                continue
            grown = weights.numpy(force=True).copy()
            fitted = kept[name]
            if name == "places":
                grown[:, : start.shape.channels] = fitted
            elif fitted.ndim == 1 or name in _OF_INPUTS:
                grown[: len(fitted)] = fitted
            else:
                # the columns are channels, two or three times where two or three numbers of each are read
                times = 1 if name == "tail" else fitted.shape[1] // start.shape.channels
                before = np.split(fitted, times, axis=1)
                after = np.split(grown, times, axis=1)  # views
                for some, of in zip(after, before, strict=True):
                    some[: len(of)] = 0.0
                    some[: len(of), : of.shape[1]] = of
            weights.copy_(torch.from_numpy(grown))


_OF_INPUTS: Final = ("planes", "numbers")
"""Weights whose columns are the inputs, of which there are not more in a larger network."""


def prepared(
    rows: Decisions, some: NDArray[np.int64], exchange: Exchange
) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any], NDArray[Any], NDArray[Any], NDArray[Any]]:
    """Some rows as a batch, after an exchange of what the rules treat alike.

    Returns:
        Planes, numbers, legal answers, the answer given, the offered kind (0 for none), the red choice (-1 for none).
    """
    planes, numbers, questions = exchange.inputs(rows.planes[some], rows.numbers[some], rows.questions[some])
    answers = exchange.answers[rows.info[some, D_ANSWER]]
    offered = np.maximum(questions[:, Q_OFFERED], 0)
    return planes, numbers, legal_answers(questions), answers, offered, rows.info[some, D_RED].astype(np.float32)
