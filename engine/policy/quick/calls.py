"""Chi, pon and kan: the prospects of a hand after each."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from engine.model.actions import Action, ActionKind
from engine.model.melds import Meld, MeldKind, kuikae_after
from engine.policy.quick.efficiency import Outlook, outlook
from engine.policy.quick.facts import Facts
from engine.policy.quick.threats import total_danger
from engine.policy.scene import Scene

MELDS: Final = {
    ActionKind.CHI: MeldKind.CHI,
    ActionKind.PON: MeldKind.PON,
    ActionKind.ANKAN: MeldKind.ANKAN,
    ActionKind.KAKAN: MeldKind.KAKAN,
}


@dataclass(frozen=True, slots=True)
class Called:
    """A call with the best discard after it.

    Attributes:
        action: the call.
        after: prospects of the hand after the discard.
        discard: the ``tile136`` discarded; -1 after a kan.
        value: expected points, less the danger of the discard.
    """

    action: Action
    after: Outlook
    discard: int
    value: float


def after_call(scene: Scene, action: Action, shanten: int) -> Called | None:
    """The prospects after a chi or pon and its best discard; None if no yaku is in sight afterwards.

    Discards after which the hand is nearer to a win than ``shanten`` are preferred to all others.
    """
    state, facts = scene.state, scene.facts
    meld = Meld(MELDS[action.kind], tuple(sorted((*action.own, action.tile))), action.tile, state.turn)
    melds = (*facts.melds, meld)
    rest = [tile for tile in state.hand if tile not in action.own]
    forbidden = kuikae_after(meld)
    best: Called | None = None
    for discarded in _one_of_each(rest, facts):
        if forbidden >> (discarded >> 2) & 1:
            continue
        after = outlook(facts, [tile for tile in rest if tile != discarded], melds)
        if after.points == 0.0:
            continue
        chance, loss = total_danger(scene.threats, discarded >> 2)
        one = Called(action, after, discarded, after.value - chance * loss)
        if best is None or (one.after.shanten < shanten, one.value) > (best.after.shanten < shanten, best.value):
            best = one
    return best


def after_kan(scene: Scene, action: Action) -> Outlook:
    """Prospects of the hand after its own closed or added kan, before the replacement draw."""
    state, facts = scene.state, scene.facts
    if action.kind is ActionKind.ANKAN:
        kind = action.tile >> 2
        kan = Meld(MeldKind.ANKAN, tuple(range(4 * kind, 4 * kind + 4)), None, state.seat, action.tile)
        return outlook(facts, [tile for tile in state.hand if tile >> 2 != kind], (*facts.melds, kan))
    kind = action.tile >> 2
    melds = tuple(
        Meld(MeldKind.KAKAN, tuple(range(4 * kind, 4 * kind + 4)), meld.called, meld.from_seat, action.tile)
        if meld.kind is MeldKind.PON and meld.tile34 == kind
        else meld
        for meld in facts.melds
    )
    return outlook(facts, [tile for tile in state.hand if tile != action.tile], melds)


def _one_of_each(tiles: list[int], facts: Facts) -> list[int]:
    """One of the tiles that look the same, a plain five rather than a red one."""
    chosen: dict[tuple[int, int], int] = {}
    for tile in tiles:
        chosen.setdefault((tile >> 2, facts.dora_of(tile)), tile)
    return list(chosen.values())
