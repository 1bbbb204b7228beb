"""Fitting the network that imitates, on recorded decisions; the only module besides its network that needs torch.

The rate is constant for most of the time and then falls to nothing, so that a fit may be stopped, resumed, or given
more decisions than it was begun with. What is measured and shipped is a running mean of the weights.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path
from pickle import UnpicklingError
from typing import Any, Final

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional

from engine.prior.answer_kernels import A_CALLS
from engine.prior.input_kernels import Q_OFFERED
from engine.prior.network import Shape, legal_answers
from engine.prior.weights import Weights
from engine.train.decision_kernels import D_ANSWER, D_RED, Decisions
from engine.train.decisions import Keep, decision_chunks
from engine.train.phoenix_net import PhoenixNet, arrays_of
from engine.train.recordings import Recordings

RED_WEIGHT: Final = 0.2
"""What the choice between a plain and a red five counts beside the choice of an answer."""
STEADY: Final = 0.6
"""Share of the decisions after which the rate begins to fall."""
WARM: Final = 200
"""Steps in which the rate rises from nothing."""
MEAN: Final = 0.999
"""Share of the running mean of the weights that a step keeps."""


@dataclass(frozen=True)
class Settings:
    """How to fit.

    Attributes:
        shape: of the network.
        decisions: to learn from before the end; hands are played again as often as that takes.
        keep: (WHO, 2) share of the decisions that are kept, by who plays: own turns, answers.
        batch: decisions a step.
        rate: highest step size.
        decay: how much weights are drawn to nothing, as a part of the rate.
        seed: of everything random.
    """

    shape: Shape = field(default_factory=Shape)
    decisions: int = 4_000_000
    keep: tuple[tuple[float, float], ...] = ((0.05, 0.05), (0.15, 0.08), (1.0, 0.5), (1.0, 0.8))
    batch: int = 256
    rate: float = 1.5e-3
    decay: float = 1e-2
    seed: int = 1


@dataclass(frozen=True)
class Progress:
    """How far the fitting is: decisions learned from of all, times that every hand was played, mean loss of late."""

    done: int
    of: int
    epochs: float
    loss: float


class CheckpointError(ValueError):
    """A checkpoint that cannot be gone on from; the message says why."""


class Fit:
    """A network being fitted.

    Attributes:
        settings: how.
        done: decisions learned from.
        epochs: times that every hand was played; the fraction is of the time under way.
    """

    def __init__(self, settings: Settings, start: Weights | None = None) -> None:
        """Begin, from ``start`` (of the same shape) or from nothing."""
        torch.manual_seed(settings.seed)
        self.settings = settings
        self.done = 0
        self.epochs = 0.0
        self._device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        self._net = PhoenixNet(settings.shape)
        if start is not None:
            state = {f"weights.{name}": torch.from_numpy(array.copy()) for name, array in start.arrays().items()}
            self._net.load_state_dict(state)
        self._net.to(self._device)
        self._mean = {name: value.detach().clone() for name, value in self._net.state_dict().items()}
        self._optimiser = torch.optim.AdamW(
            self._net.parameters(), settings.rate, weight_decay=settings.decay, fused=True
        )
        self._steps = 0

    @classmethod
    def resumed(cls, path: Path, decisions: int) -> Fit:
        """Go on from what :meth:`save` wrote, up to so many decisions in all.

        Raises:
            CheckpointError: the file cannot be read, or is of another network.
        """
        try:
            kept: dict[str, Any] = torch.load(path, map_location="cpu", weights_only=True)
            fields = kept["settings"] | {"shape": Shape(**kept["settings"]["shape"]), "decisions": decisions}
            fields["keep"] = tuple(map(tuple, fields["keep"]))
            fit = cls(Settings(**fields))
            fit._net.load_state_dict(kept["net"])
            fit._mean = {name: value.to(fit._device) for name, value in kept["mean"].items()}
            fit._optimiser.load_state_dict(kept["optimiser"])
            fit.done, fit.epochs, fit._steps = kept["done"], kept["epochs"], kept["steps"]
        except (OSError, EOFError, RuntimeError, KeyError, TypeError, ValueError, UnpicklingError) as error:
            raise CheckpointError(f"{path} is no checkpoint of this network ({error}); begin without it") from error
        return fit

    def save(self, path: Path) -> None:
        """Keep all that is needed to go on, whole or not at all."""
        part = path.with_suffix(".part")
        kept = {
            "settings": asdict(self.settings),
            "net": self._net.state_dict(),
            "mean": self._mean,
            "optimiser": self._optimiser.state_dict(),
            "done": self.done,
            "epochs": self.epochs,
            "steps": self._steps,
        }
        torch.save(kept, part)
        part.replace(path)

    def weights(self) -> Weights:
        """The running mean of the weights so far."""
        return Weights.of(self.settings.shape, arrays_of(self._mean))

    def run(self, recordings: Recordings, hands: NDArray[np.int64], tell: Callable[[Progress], None]) -> None:
        """Learn from the hands (rows of ``recordings.kyoku``) until the decisions are done; ``tell`` every few steps.

        Raise in ``tell`` to stop; :meth:`save` may be called there.
        """
        settings = self.settings
        keep: Keep = np.array(settings.keep)
        losses: list[Tensor] = []
        while self.done < settings.decisions:
            epoch = int(self.epochs)
            order = np.random.default_rng((settings.seed, epoch)).permutation(hands)
            begun = round((self.epochs - epoch) * len(hands))
            for rows, through in decision_chunks(recordings, order[begun:], keep, settings.seed + epoch):
                for batch in self._batches(rows):
                    losses.append(self._step(batch))
                    if len(losses) == 100:
                        mean = float(torch.stack(losses).mean())
                        tell(Progress(self.done, settings.decisions, self.epochs, mean))
                        losses.clear()
                    if self.done >= settings.decisions:
                        break
                self.epochs = epoch + (begun + through) / len(hands)
                if self.done >= settings.decisions:
                    return
            self.epochs = epoch + 1.0

    def _batches(self, rows: Decisions) -> Iterator[tuple[Tensor, ...]]:
        random = np.random.default_rng((self.settings.seed, self._steps, 1))
        order = random.permutation(len(rows.planes))
        for at in range(0, len(order) - self.settings.batch + 1, self.settings.batch):
            some = np.sort(order[at : at + self.settings.batch])
            yield tuple(torch.from_numpy(array).to(self._device) for array in prepared(rows, some, random))

    def _step(self, batch: tuple[Tensor, ...]) -> Tensor:
        settings = self.settings
        planes, numbers, legal, answers, offered, reds = batch
        self._steps += 1
        progress = self.done / settings.decisions
        falling = min(1.0, max(0.0, (1.0 - progress) / (1.0 - STEADY)))
        for group in self._optimiser.param_groups:
            group["lr"] = settings.rate * min(1.0, self._steps / WARM) * falling
        self._optimiser.zero_grad(set_to_none=True)
        with torch.autocast(self._device.type, torch.bfloat16, enabled=_has_bfloat16(self._device)):
            logits, red = self._net(planes, numbers, offered)
        logits = logits.masked_fill(~legal, -1e9)
        loss = functional.cross_entropy(logits, answers)
        chosen = red.gather(1, (answers % 34)[:, None])[:, 0]
        asked = reds >= 0
        part = functional.binary_cross_entropy_with_logits(chosen, reds.clamp_min(0.0), reduction="none")
        whole = loss + RED_WEIGHT * (part * asked).sum() / len(reds)
        whole.backward()
        torch.nn.utils.clip_grad_norm_(self._net.parameters(), 1.0)
        self._optimiser.step()
        share = min(MEAN, self._steps / (self._steps + 20))
        with torch.no_grad():
            now = self._net.state_dict()
            torch._foreach_lerp_(list(self._mean.values()), [now[name] for name in self._mean], 1.0 - share)
        self.done += len(planes)
        return loss.detach()


def prepared(
    rows: Decisions, some: NDArray[np.int64], random: np.random.Generator
) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any], NDArray[Any], NDArray[Any], NDArray[Any]]:
    """Some rows as a batch, suits and dragons exchanged at random: to the rules they are all the same.

    Returns:
        Planes, numbers, legal answers, the answer given, kind on offer (0 for none), red choice (-1 for none).
    """
    kinds = exchanged(random)
    back = np.argsort(kinds)
    questions, info = rows.questions[some], rows.info[some]
    legal = legal_answers(questions)
    legal[:, :A_CALLS] = legal[:, :A_CALLS].reshape(-1, 3, 34)[:, :, kinds].reshape(-1, A_CALLS)
    answers = info[:, D_ANSWER].astype(np.int64)
    answers = np.where(answers < A_CALLS, answers // 34 * 34 + back[answers % 34], answers)
    offered = back[np.maximum(questions[:, Q_OFFERED], 0)]
    reds = info[:, D_RED].astype(np.float32)
    return rows.planes[some][:, kinds], rows.numbers[some], legal, answers, offered, reds


def exchanged(random: np.random.Generator) -> NDArray[np.int64]:
    """The 34 kinds, suits and dragons in another order."""
    suits = [np.arange(9 * suit, 9 * suit + 9) for suit in random.permutation(3)]
    return np.concatenate([*suits, np.arange(27, 31), 31 + random.permutation(3)])


def _has_bfloat16(device: torch.device) -> bool:
    """Whether products of bfloat16 are quicker there than of float32."""
    if device.type == "cuda":
        return bool(torch.cuda.is_bf16_supported())
    abilities: dict[str, bool] = getattr(torch.cpu, "get_capabilities", dict)()
    return bool(abilities.get("avx512_bf16", False))
