"""The chances of the tiles to come at a decision, as the search takes them."""

import numpy as np

from engine.chances.layout_kernels import CALLS, DECLARES, PLAIN, VIEWER
from engine.chances.network import Chances, with_choice
from engine.imitation.layout_kernels import UNSEEN
from engine.imitation.network import view_inputs
from engine.model.actions import CALLS as CALL_KINDS
from engine.model.actions import DISCARDS, ActionKind
from engine.policy.scene import Scene
from engine.search.evaluator import TileChances

MOST_WAITS = 3
"""Discards to tenpai that the network is asked about one by one, those with the most tiles first. A guess."""


def tile_chances(network: Chances, scene: Scene) -> TileChances:
    """The chances of the tiles to come, asked once for all actions.

    What a hand waits for is let go less often than any other tile, for the others read it and the hand goes on only as
    long as it has not come. So the network is asked for each discard to tenpai, and each kind is taken from the first
    of them that waits for it.

    Args:
        network: states them.
        scene: scene of the decision.
    """
    position = scene.position
    ready = _ready(scene)
    asked = [(PLAIN, tile34) for tile34 in ready or (-1,)]
    if position.closed and not position.riichi:
        may_declare = ActionKind.RIICHI in scene.kinds
        asked += [(DECLARES, tile34) for tile34 in (ready if may_declare else ()) or (-1,)]
    if scene.kinds & CALL_KINDS:
        asked.append((CALLS, position.offered >> 2))
    how, tile34 = np.array(asked).T
    planes, numbers = view_inputs(scene.state)
    before = np.where(how == CALLS, 3, 3 if position.to_discard else position.before_draw)
    inputs = with_choice(
        np.repeat(planes[None], len(asked), axis=0), np.repeat(numbers[None], len(asked), axis=0), how, tile34, before
    )
    kinds, ends = network.chances(*inputs)
    stated = kinds.astype(np.float64)
    unseen = planes[:, UNSEEN].astype(np.float64)
    share = unseen / max(float(unseen.sum()), 1.0)
    rates = np.divide(stated, share, out=np.zeros_like(stated), where=share > 0)
    for which in (PLAIN, DECLARES):
        first, *others = np.flatnonzero(how == which) if (how == which).any() else (0,)
        told = set(_waits(scene, tile34[first]))
        for row in others:
            own = [kind for kind in _waits(scene, tile34[row]) if kind not in told]
            rates[first][..., own] = rates[row][..., own]
            told.update(own)
    rows = [int(np.argmax(how == which)) for which in range(3)]  # what is not asked is as the hand stands
    found = rates[rows]
    others_win, deal_in, give_up = ends[rows].astype(np.float64).transpose(1, 0, 2)
    # the search begins with the opponent on the left, the network with the one on the right
    discards = np.ascontiguousarray(found[:, :VIEWER][:, ::-1])
    return TileChances(discards, np.ascontiguousarray(found[:, VIEWER]), 1.0 - others_win, deal_in, give_up)


def _ready(scene: Scene) -> list[int]:
    """The kinds whose discard leaves the hand tenpai, those with the most tiles first; none in riichi."""
    if not scene.position.to_discard or scene.position.riichi:
        return []
    kinds = sorted({action.tile >> 2 for action in scene.legal if action.kind in DISCARDS})
    ready = [kind for kind in kinds if scene.discards.shanten[kind] == 0]
    return sorted(ready, key=lambda kind: -scene.discards.ukeire[kind])[:MOST_WAITS]


def _waits(scene: Scene, tile34: int) -> list[int]:
    """The kinds that the hand waits for after a discard to tenpai; none for -1."""
    return [kind for kind, _ in scene.improvements_after(tile34).tiles] if tile34 >= 0 else []
