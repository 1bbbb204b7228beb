"""Fitting the network that guesses hidden hands, and figures of it. Only this module and its network need torch.

Of each hand that the others hold a random share of the tiles is revealed; the network learns which tile is the next,
each of the others being as likely. The learning rate is constant and then falls to zero.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np
import torch
from numpy.typing import NDArray

from engine.imitation.layout_kernels import GLOBALS, PLANES, UNSEEN
from engine.opponents.facts import STANCES
from engine.rules.moments import games_of, new_moments
from engine.rules.recordings import Recordings
from engine.rules.table_kernels import RIICHI
from engine.shanten.tables import hand_tables
from engine.train.fits import prefetched
from engine.train.hidden_kernels import VIEW_INFO, Views, collect_views, fill_waits
from engine.train.nets import Descent, HiddenNet, in_bfloat16
from engine.train.phoenix import exchanged
from engine.worlds.network import OTHERS, HiddenHands, HiddenShape, HiddenWeights, with_known
from engine.worlds.worlds import ODDS, Seen, draw_hands

STEADY: Final = 0.6
"""Share of the views after which the learning rate starts to fall."""
AT_ONCE: Final = 32_768
"""Views in memory at once."""


def empty_views(n: int) -> Views:
    """Arrays for n views."""
    return Views(
        np.zeros((n, 34, PLANES), np.uint8),
        np.zeros((n, GLOBALS), np.uint8),
        np.zeros((n, OTHERS, 34), np.uint8),
        np.zeros((n, OTHERS), np.int64),
        np.zeros((n, OTHERS), np.int64),
        np.zeros((n, VIEW_INFO), np.int32),
    )


def view_chunks(
    recordings: Recordings, hands: NDArray[np.int64], share: float, seed: int, size: int = AT_ONCE
) -> Iterator[tuple[Views, int]]:
    """Yield views of the hands in this order, about ``size`` at a time, and the number of hands done."""
    games, moments, tables = games_of(recordings), new_moments(), hand_tables()

    def fill(at: int) -> tuple[Views, int]:
        rows = empty_views(size)
        n, done = collect_views(games, hands[at:], round(1_000_000 * share), seed, tables, moments, rows)
        return Views._make(array[:n] for array in rows), at + done

    return prefetched(fill, len(hands))


@dataclass(frozen=True)
class Settings:
    """Settings of a fit.

    Attributes:
        shape: shape of the network.
        views: number of views to fit on.
        share: share of a hand's moments that are used in one pass, so that a step sees many hands.
        batch: number of views in a step.
        rate: highest learning rate.
        decay: weight decay, relative to the learning rate.
        seed: seed of everything random.
    """

    shape: HiddenShape = field(default_factory=HiddenShape)
    views: int = 2_000_000
    share: float = 0.15
    batch: int = 256
    rate: float = 1.5e-3
    decay: float = 1e-2
    seed: int = 1


class HiddenFit:
    """A network being fitted.

    Attributes:
        done: number of views done.
    """

    def __init__(self, settings: Settings) -> None:
        torch.manual_seed(settings.seed)
        self.settings = settings
        self.done = 0
        self._descent = Descent(HiddenNet(settings.shape), settings.rate, settings.decay)

    def weights(self) -> HiddenWeights:
        """The running mean of the weights so far."""
        return HiddenWeights.of(self.settings.shape, self._descent.mean_arrays())

    def run(self, recordings: Recordings, hands: NDArray[np.int64], report: Callable[[int, float], None]) -> None:
        """Fit on the hands until all views are done; ``report`` gets their number and the recent mean loss."""
        settings = self.settings
        random = np.random.default_rng(settings.seed)
        recent = 3.0
        while self.done < settings.views:
            order, seed = random.permutation(hands), int(random.integers(1 << 40))
            for rows, _ in view_chunks(recordings, order, settings.share, seed):
                rows_order = random.permutation(len(rows.planes))
                for at in range(0, len(rows_order) - settings.batch + 1, settings.batch):
                    loss = self._step(rows, rows_order[at : at + settings.batch], random)
                    recent += 0.01 * (loss - recent)
                report(self.done, recent)
                if self.done >= settings.views:
                    return

    def _step(self, rows: Views, some: NDArray[np.int64], random: np.random.Generator) -> float:
        settings, descent = self.settings, self._descent
        arrays = lesson(rows, some, random)
        planes, numbers, targets, legal = (torch.from_numpy(array).to(descent.device) for array in arrays)
        with in_bfloat16(descent.device):
            logits = descent.net(planes, numbers)
        logs = logits.masked_fill(~legal, -1e9).log_softmax(2)
        loss = -(targets * logs).sum() / (OTHERS * len(planes))
        loss.backward()
        descent.step(descent.rate(settings.rate, self.done / settings.views, STEADY))
        self.done += len(planes)
        return float(loss.detach())


def lesson(
    rows: Views, some: NDArray[np.int64], random: np.random.Generator
) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any], NDArray[Any]]:
    """Some rows with a random share of the hidden tiles revealed; suits, dragons and ranks exchanged at random.

    Returns:
        Planes, numbers; (n, OTHERS, 34) how likely each kind is the next; whether one of it is left.
    """
    kinds = exchanged(random, bool(random.integers(2)))
    planes, hidden = rows.planes[some][:, kinds], rows.hidden[some][:, :, kinds]
    known = revealed(hidden, random.random(len(some)), random)
    left = hidden - known
    to_come = left.sum(axis=2)
    targets = left / to_come[:, :, None].astype(np.float32)
    legal = np.repeat((planes[:, None, :, UNSEEN] > known.sum(axis=1, keepdims=True)), OTHERS, axis=1)
    return *with_known(planes, rows.numbers[some], known, to_come), targets, legal


def revealed(hidden: NDArray[np.uint8], shares: NDArray[np.float64], random: np.random.Generator) -> NDArray[np.uint8]:
    """(n, OTHERS, 34): of each hand that share of its tiles, rounded down, which are chosen at random.

    Args:
        hidden: (n, OTHERS, 34), tiles held.
        shares: (n,), below 1.
        random: chooses.
    """
    tiles = np.arange(4) < hidden[..., None]
    keys = np.where(tiles, random.random(tiles.shape), 2.0).reshape(*hidden.shape[:2], -1)
    ranks = np.argsort(np.argsort(keys, axis=2), axis=2)
    number = np.floor(shares[:, None] * hidden.sum(axis=2)).astype(np.int64)
    known: NDArray[np.uint8] = (ranks < number[:, :, None]).reshape(tiles.shape).sum(axis=3).astype(np.uint8)
    return known


# -- whether drawn hands are as likely as those that were held ---------------------------------------------------------

DRAWN: Final = 64
"""Times that the hands of a view are drawn."""
BOUNDS: Final = (0.0, 0.05, 0.1, 0.2, 1.0)
"""Upper bounds of the chances that a kind is waited for, in the bins of which it is counted how often it was."""
_SHARE: Final = 0.02


def measure(network: HiddenHands, recordings: Recordings, hands: NDArray[np.int64], views: int) -> dict[str, Any]:
    """Figures by stance of the hand that is drawn, over so many views at most.

    ``tenpai``: the share of hands that were; ``drawn_tenpai``: of those that were drawn; ``weighed_tenpai``: as worlds
    weigh them (:data:`engine.worlds.worlds.ODDS`). ``waits``: by the chance that an unseen kind is waited for, in the
    first half of the draws as they are weighed: number of kinds, the chance in the second half, and the share that was
    waited for.
    """
    order = np.random.default_rng(0).permutation(hands)
    rows = next(view_chunks(recordings, order, _SHARE, 1, views + 400))[0]
    drawn = _drawn_waits(network, rows)
    unseen = np.broadcast_to(rows.planes[:, None, :, UNSEEN] > 0, (*rows.stances.shape, 34))
    found = {}
    for stance, name in enumerate(STANCES):
        which = rows.stances == stance
        if not which.any():
            continue
        waits = drawn[which]
        weights = np.where(waits != 0, ODDS[stance], stance != RIICHI)
        halves = zip(np.split(waits, 2, axis=1), np.split(weights, 2, axis=1), strict=True)
        chances, again = (_chances(*half) for half in halves)
        here = unseen[which] & ~np.isnan(chances + again)
        true = (rows.waits[which][:, None] >> np.arange(34) & 1).astype(np.float64)
        weighed = (weights * (waits != 0)).sum(axis=1) / np.maximum(weights.sum(axis=1), 1.0)
        found[name] = {
            "n": int(which.sum()),
            "tenpai": round(float((rows.waits[which] != 0).mean()), 4),
            "drawn_tenpai": round(float((waits != 0).mean()), 4),
            "weighed_tenpai": round(float(weighed.mean()), 4),
            "waits": _bins(chances[here], again[here], true[here]),
        }
    return found


def _chances(waits: NDArray[np.int64], weights: NDArray[np.float64]) -> NDArray[np.float64]:
    """(n, 34): the share of the weights that waits for each kind; NaN where nothing weighs anything."""
    some = ((waits[:, :, None] >> np.arange(34) & 1) * weights[:, :, None]).sum(axis=1)
    with np.errstate(invalid="ignore"):
        found: NDArray[np.float64] = some / weights.sum(axis=1)[:, None]
    return found


def _drawn_waits(network: HiddenHands, rows: Views) -> NDArray[np.int64]:
    """(n, OTHERS, DRAWN): waits of drawn hands."""
    random = np.random.default_rng(0)
    sizes = rows.hidden.sum(axis=2).astype(np.int64)
    found = np.empty((*sizes.shape, DRAWN), np.int64)
    seen = Seen(rows.planes, rows.numbers, sizes, np.zeros(sizes.shape, np.bool_))
    waits = np.empty((len(sizes), OTHERS), np.int64)
    for number in range(DRAWN):
        drawn = draw_hands(network, seen, random)
        fill_waits(drawn.hands, hand_tables(), waits)
        found[:, :, number] = waits
    return found


def _bins(
    chances: NDArray[np.float64], again: NDArray[np.float64], true: NDArray[np.float64]
) -> list[dict[str, float]]:
    found, below = [], -1.0
    for bound in BOUNDS:
        here = (chances > below) & (chances <= bound)
        below = bound
        if here.any():
            drawn, held = float(again[here].mean()), float(true[here].mean())
            found.append({"to": bound, "n": int(here.sum()), "drawn": round(drawn, 4), "true": round(held, 4)})
    return found
