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
from engine.worlds.worlds import Seen, draw_hands

DRAWN: Final = 64
"""Times that the hands of a view are drawn."""
BOUNDS: Final = (0.0, 0.05, 0.1, 0.2, 1.0)
"""Upper bounds of the chances that a kind is waited for, in the bins of which it is counted how often it was."""
_SHARE: Final = 0.02


def measure(network: HiddenHands, recordings: Recordings, hands: NDArray[np.int64], views: int) -> dict[str, Any]:
    """Figures by stance of the hand that is drawn, over so many views at most.

    ``tenpai`` and ``drawn_tenpai``: shares of hands that were held, and drawn. ``waits``: by the chance that an unseen
    kind is waited for, in the first half of the draws (in riichi of those that are tenpai): number of kinds, the chance
    in the second half, and the share that was waited for.
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
        chances, again = (_chances(half, stance == RIICHI) for half in np.split(drawn[which], 2, axis=1))
        here = unseen[which] & ~np.isnan(chances + again)
        true = (rows.waits[which][:, None] >> np.arange(34) & 1).astype(np.float64)
        found[name] = {
            "n": int(which.sum()),
            "tenpai": round(float((rows.waits[which] != 0).mean()), 4),
            "drawn_tenpai": round(float((drawn[which] != 0).mean()), 4),
            "waits": _bins(chances[here], again[here], true[here]),
        }
    return found


def _chances(waits: NDArray[np.int64], of_tenpai: bool) -> NDArray[np.float64]:
    """(n, 34): the share of the hands that wait for each kind; NaN where none counts."""
    counted = (waits != 0) | (not of_tenpai)
    some = ((waits[:, :, None] >> np.arange(34) & 1) * counted[:, :, None]).sum(axis=1)
    with np.errstate(invalid="ignore"):
        found: NDArray[np.float64] = some / counted.sum(axis=1)[:, None]
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
