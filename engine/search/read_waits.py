"""The tiles to come at an average table: nothing is known of the other players but that they read waits."""

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
    """The chances of the tiles to come, from the counted tables, for a hand without a table around it.

    Every kind is taken to come as rarely as one that the hand waits for, because on those a hand is won. Own draws that
    only bring a hand nearer are as frequent as their share. All opponents are alike, and nobody gives the hand up.
    """
    tables, draws, unseen = discard_tables(), position.draws_left, np.array(position.unseen)
    turns = np.clip(draws - np.arange(DRAWS), 0, DRAWS - 1)  # own draws left, by turn from now on
    copies = np.clip(unseen, 1, 4) - 1

    # how often the others discard any tile, by turn and kind, while the hand is not in riichi, and once it is
    classes, dora = kind_classes(position.round_wind), is_dora(position.dora_indicators)
    plain = tables.open_rates[classes, dora, copies][:, turns].T
    wary = tables.riichi_rates[classes, dora, safety(position.river_mask)][:, turns].T
    share = unseen / max(int(unseen.sum()), 1)  # over all kinds the chances sum to 1
    plain, wary = (rates / np.maximum(rates @ share, 1e-9)[:, None] for rates in (plain, wary))

    # factors for a kind that is waited for: how often it is discarded, and how often drawn, by stance of the hand
    against = int(position.riichi_against > 0)
    waited = tables.waited[:, :, against, SORT_OF, copies][..., group_of(turns)].swapaxes(2, 3)
    silent, opened, riichi = (waited[:, at] for at in range(len(STANCES)))
    survive = tables.survival_by_draws(position, draws)[:, np.clip(turns, 0, draws)]
    in_riichi, ready = position.riichi > 0, position.shanten <= 0
    if in_riichi:
        stands, rates, lasts = riichi, wary, survive[1]
    else:
        open_later = float(not position.closed) or (0.0 if ready else OPENED)
        stands, rates, lasts = (1.0 - open_later) * silent + open_later * opened, plain, survive[0]
    any_draw = np.ones_like(plain)
    discards = np.stack([rates * stands[0], wary * riichi[0], plain * opened[0]])
    drawn = np.stack([stands[1] if ready or in_riichi else any_draw, riichi[1], any_draw])
    lasting = np.stack([lasts, survive[1], survive[0]])
    never = np.zeros_like(lasting)
    return TileChances(np.repeat(discards[:, None], 3, axis=1), drawn, lasting, never, never)
