"""The tiles to come around an average table, of whose players nothing is known but that they read a wait."""

from typing import Final

import numpy as np

from engine.search.discard_tables import (
    DRAWS,
    SORT_OF,
    STANCES,
    discard_tables,
    group_of,
    is_dora,
    kind_classes,
    safety,
)
from engine.search.evaluator import TileChances
from engine.search.position import Position

OPENED: Final = 0.5
"""Share of the closed hands, neither tenpai nor in riichi later, that are open once they are tenpai. A guess."""


def read_waits(position: Position) -> TileChances:
    """The chances of the tiles to come for a hand without a table around it, from the counted tables.

    Every kind comes as rarely as one that the hand waits for: those are what a hand is won on. Own draws that only
    bring a hand nearer are as frequent as their share. Each opponent is like the others; nobody gives the hand up.
    """
    tables, draws = discard_tables(), position.draws_left
    turns = np.clip(draws - np.arange(DRAWS), 0, DRAWS - 1)  # own draws left, by turn from now on
    unseen = np.array(position.unseen)
    copies = np.clip(unseen, 1, 4) - 1
    against = int(position.riichi_against > 0)
    waited = tables.waited[:, :, against, SORT_OF, copies][..., group_of(turns)].swapaxes(2, 3)
    silent, opened, riichi = (waited[:, at] for at in range(len(STANCES)))
    ready = position.shanten <= 0
    share = float(not position.closed) or (0.0 if ready else OPENED)
    stands = riichi if position.riichi else (1.0 - share) * silent + share * opened
    classes, dora = kind_classes(position.round_wind), is_dora(position.dora_indicators)
    rates = np.stack(
        [
            tables.open_rates[classes, dora, copies][:, turns].T,
            tables.riichi_rates[classes, dora, safety(position.river_mask)][:, turns].T,
        ]
    )
    rates /= rates @ (unseen / unseen.sum())[:, None]  # some tile is discarded
    in_riichi = int(position.riichi > 0)
    discards = np.stack([rates[in_riichi] * stands[0], rates[1] * riichi[0], rates[0] * opened[0]])
    drawn = np.stack([stands[1] if ready or in_riichi else np.ones_like(stands[1]), riichi[1], np.ones_like(stands[1])])
    by_draws = tables.survival_by_draws(position, draws)[:, np.clip(turns, 0, draws)]
    survive = np.stack([by_draws[in_riichi], by_draws[1], by_draws[0]])
    nothing = np.zeros_like(survive)
    return TileChances(np.repeat(discards[:, None], 3, axis=1), drawn, survive, nothing, nothing)
