"""The chances of the tiles to come at a decision, as the search takes them."""

import numpy as np

from engine.chances.layout_kernels import CALLS, DECLARES, PLAIN, VIEWER
from engine.chances.network import Chances, with_choice
from engine.imitation.layout_kernels import UNSEEN
from engine.imitation.network import view_inputs
from engine.model.actions import CALLS as CALL_KINDS
from engine.policy.scene import Scene
from engine.search.evaluator import TileChances


def tile_chances(network: Chances, scene: Scene) -> TileChances:
    """The chances of the tiles to come, asked once for all actions.

    Args:
        network: states them.
        scene: scene of the decision.
    """
    position = scene.position
    hows = [PLAIN]
    if position.closed and not position.riichi:
        hows.append(DECLARES)
    if scene.kinds & CALL_KINDS:
        hows.append(CALLS)
    planes, numbers = view_inputs(scene.state)
    how = np.array(hows)
    offered = position.offered >> 2 if position.offered >= 0 else -1
    before = np.where(how == CALLS, 3, 3 if position.to_discard else position.before_draw)
    inputs = with_choice(
        np.repeat(planes[None], len(hows), axis=0),
        np.repeat(numbers[None], len(hows), axis=0),
        how,
        np.where(how == CALLS, offered, -1),
        before,
    )
    kinds, ends = network.chances(*inputs)
    stated = kinds.astype(np.float64)
    unseen = planes[:, UNSEEN].astype(np.float64)
    share = unseen / max(float(unseen.sum()), 1.0)
    rates = np.divide(stated, share, out=np.zeros_like(stated), where=share > 0)
    rows = np.zeros(3, np.intp)  # what is not asked is as the hand stands
    rows[how] = np.arange(len(how))
    found = rates[rows]
    others, deal_in = ends[rows].astype(np.float64).transpose(1, 0, 2)
    # the search begins with the opponent on the left, the network with the one on the right
    discards = np.ascontiguousarray(found[:, :VIEWER][:, ::-1])
    return TileChances(discards, np.ascontiguousarray(found[:, VIEWER]), 1.0 - others, deal_in)
