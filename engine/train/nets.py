"""The networks over the 34 kinds in torch: their trunk, the critic and the imitating network, to be fitted and asked.

Asked through torch, which has bfloat16 and GPUs, they are faster where thousands of questions come at once, and answer
as in numpy to two or three digits of a logarithm.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from typing import Any, ClassVar, Final

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from engine.critic.network import Critic, CriticInputs, CriticWeights
from engine.networks.imitation import ImitationWeights, Network
from engine.networks.trunk import Floats, Scales, TrunkShape
from engine.networks.weights import NetworkWeights
from engine.train.fits import NothingToLearnError

WARM: Final = 200
"""Usual number of steps in which the learning rate of a fit rises from zero."""


class TrunkNet(nn.Module):  # type: ignore[misc]
    """A network on the trunk; its parameters have the names and shapes that ``shape.parameters()`` states.

    Attributes:
        weights: the parameters by name.
    """

    scales: ClassVar[Scales]  # of the inputs

    def __init__(self, shape: TrunkShape) -> None:
        super().__init__()
        scales = self.scales
        self.shape = shape
        self.weights = nn.ParameterDict(
            {name: nn.Parameter(_first(name, dims)) for name, dims in shape.parameters().items()}
        )
        self.register_buffer("plane_scales", torch.from_numpy(scales.planes), persistent=False)
        self.register_buffer("number_scales", torch.from_numpy(scales.numbers), persistent=False)
        self.register_buffer("number_zeros", torch.from_numpy(scales.zeros), persistent=False)

    def rows(self, planes: Tensor, numbers: Tensor) -> Tensor:
        """(n, PLACES, channels): what is known of each place.

        Args:
            planes: (n, 34, planes) uint8.
            numbers: (n, numbers) uint8.
        """
        w = self.weights
        n = len(planes)
        whole = functional.linear((numbers.float() - self.number_zeros) * self.number_scales, w["numbers"], w["bias"])
        at_kinds = functional.linear(planes.float() * self.plane_scales, w["planes"])
        gap = at_kinds.new_zeros(n, 1, at_kinds.shape[2])
        suits = [part for suit in range(3) for part in (at_kinds[:, 9 * suit : 9 * suit + 9], gap)]
        rows = torch.cat([*suits, at_kinds[:, 27:]], 1) + w["places"] + whole[:, None]
        for block in range(self.shape.blocks):
            inner = functional.relu(rows)
            pool = functional.linear(pooled(inner), w[f"pool{block}"], w[f"bias{block}"])
            mixed = functional.relu(_near(inner, w[f"near{block}"]) + pool[:, None])
            rows = rows + functional.linear(mixed, w[f"back{block}"], w[f"back_bias{block}"])
        return functional.relu(rows)

    def summary(self, rows: Tensor) -> Tensor:
        """(n, summary): what is known of the whole table."""
        return functional.relu(functional.linear(pooled(rows), self.weights["summary"], self.weights["summary_bias"]))


def _near(inner: Tensor, weights: Tensor) -> Tensor:
    """(n, PLACES, channels): the products of each place and its two neighbours with (channels, 3 * channels) weights.

    A convolution whose channels lie last in memory: in bfloat16 a CPU computes it a quarter faster than the product of
    three places side by side.
    """
    taps = weights.unflatten(1, (3, -1)).transpose(1, 2)[:, :, None]
    found: Tensor = functional.conv2d(inner.transpose(1, 2)[:, :, None], taps, padding=(0, 1))
    return found[:, :, 0].transpose(1, 2)


def pooled(rows: Tensor) -> Tensor:
    """Mean and maximum over the places, side by side."""
    return torch.cat([rows.mean(1), rows.amax(1)], 1)


def of_kinds(places: Tensor) -> Tensor:
    """(n, 34, …) from (n, PLACES, …)."""
    return torch.cat([places[:, :9], places[:, 10:19], places[:, 20:29], places[:, 30:]], 1)


def _first(name: str, dims: tuple[int, ...]) -> Tensor:
    """Initial weights: residual branches and outputs are small, so that the network starts near the identity."""
    if len(dims) == 1:
        return torch.zeros(dims)
    if name == "places":
        return torch.randn(dims) * 0.02
    spread = (2.0 / dims[1]) ** 0.5
    if name.startswith(("back", "answer", "tail", "whole", "kind")):
        spread *= 0.3
    return torch.randn(dims) * spread


def load_weights(net: TrunkNet, weights: NetworkWeights[Any]) -> None:
    """Put fitted weights of its shape into a network."""
    state = {f"weights.{name}": torch.from_numpy(array.copy()) for name, array in weights.arrays().items()}
    net.load_state_dict(net.state_dict() | state)


def device_here() -> torch.device:
    """The GPU, or the CPU where there is none."""
    return torch.device("cuda" if torch.cuda.is_available() else "cpu")


def has_bfloat16(device: torch.device) -> bool:
    """Whether products of bfloat16 are faster on the device than those of float32."""
    if device.type == "cuda":
        return bool(torch.cuda.is_bf16_supported())
    abilities: dict[str, bool] = getattr(torch.cpu, "get_capabilities", dict)()
    return bool(abilities.get("avx512_bf16", False))


def in_bfloat16(device: torch.device) -> torch.autocast:
    """A block in which products are of bfloat16, where the device is faster with them."""
    return torch.autocast(device.type, torch.bfloat16, enabled=has_bfloat16(device))


class Descent:
    """A network on its way down a loss by Adam, and the running mean of its weights.

    The learning rate rises from zero in the first steps, stays, and falls to zero.

    Attributes:
        net: the network.
        device: where it is computed.
        steps: number of steps done.
    """

    def __init__(
        self,
        net: nn.Module,
        rate: float,
        decay: float = 0.0,
        *,
        steady: float,
        warm: int = WARM,
        mean: float = 0.999,
        lately: float = 0.05,
    ) -> None:
        """Begin with the weights of the network.

        Args:
            net: the network.
            rate: learning rate while it stays.
            decay: weight decay, relative to the learning rate.
            steady: share of the fit after which the rate starts to fall.
            warm: number of steps in which it rises.
            mean: factor on the running mean of the weights at each step.
            lately: until so many steps are done that ``mean`` holds more of them, the mean is over about this share of
                all steps, the last.
        """
        self.device = device_here()
        self.net = net.to(self.device)
        self.steps = 0
        self._rate, self._steady, self._warm = rate, steady, warm
        self._mean_factor = mean
        self._mean_delay = 1.0 / lately
        self._mean = {name: value.detach().clone() for name, value in net.state_dict().items()}
        self._optimiser = torch.optim.AdamW(net.parameters(), rate, weight_decay=decay, fused=True)

    def mean_arrays(self) -> dict[str, NDArray[np.float32]]:
        """The running mean of the weights, by name: it follows what is learned, not each step."""
        return {name.removeprefix("weights."): value.float().cpu().numpy() for name, value in self._mean.items()}

    def follow(self, loss: Tensor, progress: float) -> Tensor:
        """Make a step down a loss, when ``progress`` of the fit (0 to 1) is done; the loss, without what it came of."""
        falling = min(1.0, max(0.0, (1.0 - progress) / (1.0 - self._steady)))
        for group in self._optimiser.param_groups:
            group["lr"] = self._rate * min(1.0, (self.steps + 1) / self._warm) * falling
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.net.parameters(), 1.0)
        self._optimiser.step()
        self._optimiser.zero_grad(set_to_none=True)
        self.steps += 1
        share = min(self._mean_factor, self.steps / (self.steps + self._mean_delay))
        with torch.no_grad():
            now = self.net.state_dict()
            torch._foreach_lerp_(list(self._mean.values()), [now[name] for name in self._mean], 1.0 - share)
        return loss.detach()

    def state(self) -> dict[str, Any]:
        """The state from which :meth:`restore` continues."""
        return {
            "net": self.net.state_dict(),
            "mean": self._mean,
            "optimiser": self._optimiser.state_dict(),
            "steps": self.steps,
        }

    def restore(self, state: dict[str, Any]) -> None:
        """Go on from a state."""
        self.net.load_state_dict(state["net"])
        self._mean = {name: value.to(self.device) for name, value in state["mean"].items()}
        self._optimiser.load_state_dict(state["optimiser"])
        self.steps = state["steps"]


class RowsFit(ABC):
    """A network being fitted on rows of hands: pass after pass, in another order each, until enough rows are done.

    Attributes:
        done: number of rows done.
    """

    def __init__(self, descent: Descent, rows: int, seed: int) -> None:
        self.done = 0
        self._descent, self._rows, self._seed = descent, rows, seed

    @abstractmethod
    def _chunks(self, hands: NDArray[np.int64], random: np.random.Generator) -> Iterator[Any]:
        """Yield the rows of a pass over these hands, many at a time."""

    @abstractmethod
    def _losses(self, chunk: Any, random: np.random.Generator) -> Iterator[Tensor]:
        """Yield the loss of each step on some rows; a step follows it and counts its rows as done."""

    def _nothing_done(self) -> None:
        """Called after a pass without a single step.

        Raises:
            NothingToLearnError: another pass would have none either.
        """
        raise NothingToLearnError("the games for fitting show nothing to learn from; name more of them")

    def _follow(self, loss: Tensor, rows: int) -> Tensor:
        """Make a step on so many rows."""
        loss = self._descent.follow(loss, self.done / self._rows)
        self.done += rows
        return loss

    def run(self, hands: NDArray[np.int64], report: Callable[[int, float], None]) -> None:
        """Fit on the hands until all rows are done; ``report`` gets their number and the recent mean loss.

        Raises:
            NothingToLearnError: the hands have no row.
        """
        random = np.random.default_rng(self._seed)
        recent: float | None = None
        while self.done < self._rows:
            before = self.done
            for chunk in self._chunks(random.permutation(hands), random):
                for each in self._losses(chunk, random):
                    loss = float(each)
                    recent = loss if recent is None else recent + 0.01 * (loss - recent)
                report(self.done, recent or 0.0)
                if self.done >= self._rows:
                    return
            if self.done == before:
                self._nothing_done()


class CriticNet(TrunkNet):
    """The critic."""

    scales = Critic.scales

    def forward(self, planes: Tensor, numbers: Tensor) -> Tensor:
        """(n, 34, OUTPUTS): logits of the ends and what each seat would win, after each kind was drawn.

        Args:
            planes: (n, 34, PLANES) uint8.
            numbers: (n, GLOBALS) uint8.
        """
        w = self.weights
        rows = self.rows(planes, numbers)
        whole = functional.linear(self.summary(rows), w["whole"], w["whole_bias"])
        kinds: Tensor = of_kinds(functional.linear(rows, w["kind"])) + whole[:, None]
        return kinds.float()


class PhoenixNet(TrunkNet):
    """The imitating network."""

    scales = Network.scales

    def forward(self, planes: Tensor, numbers: Tensor, offered: Tensor) -> tuple[Tensor, Tensor]:
        """Logits of all answers, (n, ANSWERS), and of the red five of each kind, (n, 34).

        Args:
            planes: (n, 34, PLANES) uint8.
            numbers: (n, GLOBALS) uint8.
            offered: (n,) the offered kind; any kind if there is none.
        """
        w = self.weights
        rows = self.rows(planes, numbers)
        tail = functional.linear(self.summary(rows), w["tail"], w["tail_bias"])
        kinds = of_kinds(functional.linear(rows, w["answer"], w["answer_bias"]))
        calls = kinds[torch.arange(len(planes)), offered, 4:] + tail[:, 2:]
        logits = torch.cat([kinds[:, :, 0], kinds[:, :, 1], kinds[:, :, 2], calls, tail[:, :2]], 1)
        return logits.float(), kinds[:, :, 3].float()


_ON_CPU: Final = 64
_ON_GPU: Final = 8_192
"""Questions asked together: what fits into a core's cache, and what fills a GPU."""


class _TorchNetwork:
    """A network of torch with fitted weights, to be asked.

    Attributes:
        at_once: questions asked together.
    """

    def __init__(self, net: TrunkNet, weights: NetworkWeights[Any]) -> None:
        load_weights(net, weights)
        self._device = device_here()
        self._net = net.to(self._device).eval()
        self.at_once = _ON_CPU if self._device.type == "cpu" else _ON_GPU

    def __call__(self, *arrays: NDArray[Any]) -> Any:
        sent = [torch.from_numpy(np.ascontiguousarray(each)).to(self._device) for each in arrays]
        with torch.inference_mode(), in_bfloat16(self._device):
            return self._net(*sent)


class TorchNetwork(Network):
    """The imitating network."""

    def __init__(self, weights: ImitationWeights) -> None:
        """Take fitted weights."""
        super().__init__(weights.shape, weights.arrays())
        self._asked = _TorchNetwork(PhoenixNet(weights.shape), weights)
        self.at_once = self._asked.at_once

    def _logits(
        self,
        planes: NDArray[np.uint8],
        numbers: NDArray[np.uint8],
        offered: NDArray[np.int64],
        answers: Floats,
        reds: Floats,
    ) -> None:
        # an offered kind of -1 means that none is offered; the answers to it are not legal then
        found, found_reds = self._asked(planes, numbers, np.maximum(offered, 0))
        answers[:] = found.cpu().numpy()
        reds[:] = found_reds.cpu().numpy()


class TorchCritic(Critic):
    """The critic."""

    def __init__(self, weights: CriticWeights) -> None:
        """Take fitted weights."""
        super().__init__(weights.shape, weights.arrays())
        self._asked = _TorchNetwork(CriticNet(weights.shape), weights)
        self.at_once = self._asked.at_once

    def _logits(self, inputs: CriticInputs) -> Floats:
        found: Floats = self._asked(inputs.planes, inputs.numbers).cpu().numpy()
        return found
