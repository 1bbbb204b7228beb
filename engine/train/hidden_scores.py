"""Whether drawn hands are as likely as those that were held: tenpai, waits, and how often a riichi is drawn as one."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from engine.imitation.layout_kernels import UNSEEN
from engine.opponents.facts import STANCES
from engine.rules.table_kernels import RIICHI
from engine.shanten.tables import hand_tables
from engine.train.hidden import view_chunks
from engine.train.hidden_kernels import Views, fill_waits
from engine.train.recordings import Recordings
from engine.worlds.network import OTHERS, HiddenHands
from engine.worlds.worlds import draw_hands

DRAWN: Final = 32
"""Times that the hands of a view are drawn."""
BOUNDS: Final = (0.01, 0.02, 0.05, 0.1, 0.2, 1.0)
"""Upper bounds of the chances that a kind is waited for, in the bins of which it is counted how often it was."""
_SHARE: Final = 0.02


def measure(network: HiddenHands, recordings: Recordings, hands: NDArray[np.int64], views: int) -> dict[str, Any]:
    """Figures by stance of the hand that is drawn, over so many views at most.

    ``tenpai`` and ``drawn_tenpai``: shares of hands; ``of_riichi`` of the drawn ones is the share that can be used.
    ``waits``: by chance that an unseen kind is waited for, among drawn hands, in riichi among those that are tenpai:
    number of kinds, mean chance, and share that was waited for.
    """
    order = np.random.default_rng(0).permutation(hands)
    rows = next(view_chunks(recordings, order, _SHARE, 1, views + 400))[0]
    drawn = _drawn_waits(network, rows)
    unseen = rows.planes[:, None, :, UNSEEN] > 0
    kinds = np.arange(34)
    found = {}
    for stance, name in enumerate(STANCES):
        which = rows.stances == stance
        if not which.any():
            continue
        waits = drawn[which]
        tenpai = waits != 0
        counted = tenpai if stance == RIICHI else np.ones_like(tenpai)
        usable = counted.any(axis=1)
        chances = ((waits[:, :, None] >> kinds & 1) * counted[:, :, None]).sum(axis=1)[usable]
        chances = chances / counted.sum(axis=1)[usable, None]
        true = (rows.waits[which][usable, None] >> kinds & 1).astype(np.float64)
        here = np.broadcast_to(unseen, (*rows.stances.shape, 34))[which][usable]
        found[name] = {
            "n": int(which.sum()),
            "tenpai": round(float((rows.waits[which] != 0).mean()), 4),
            "drawn_tenpai": round(float(tenpai.mean()), 4),
            "unusable": round(float(1.0 - usable.mean()), 4),
            "waits": _bins(chances[here], true[here]),
        }
    return found


def _drawn_waits(network: HiddenHands, rows: Views) -> NDArray[np.int64]:
    """(n, OTHERS, DRAWN): waits of drawn hands."""
    random = np.random.default_rng(0)
    sizes = rows.hidden.sum(axis=2).astype(np.int64)
    found = np.empty((*sizes.shape, DRAWN), np.int64)
    waits, nobody = np.empty((len(sizes), OTHERS), np.int64), np.zeros(sizes.shape, np.bool_)
    for number in range(DRAWN):
        drawn = draw_hands(network, rows.planes, rows.numbers, sizes, nobody, random)
        fill_waits(drawn.hands, hand_tables(), waits)
        found[:, :, number] = waits
    return found


def _bins(chances: NDArray[np.float64], true: NDArray[np.float64]) -> list[dict[str, float]]:
    found, below = [], 0.0
    for bound in BOUNDS:
        here = (chances >= below) & (chances < bound) if bound < 1.0 else chances >= below
        below = bound
        if here.any():
            found.append(
                {
                    "below": bound,
                    "n": int(here.sum()),
                    "drawn": round(float(chances[here].mean()), 4),
                    "true": round(float(true[here].mean()), 4),
                }
            )
    return found
