"""The actions that events show."""

from __future__ import annotations

from typing import Final

from engine.model.actions import Action, ActionKind
from engine.model.events import Call
from engine.model.melds import MeldKind

_KINDS: Final = {
    MeldKind.CHI: ActionKind.CHI,
    MeldKind.PON: ActionKind.PON,
    MeldKind.DAIMINKAN: ActionKind.DAIMINKAN,
    MeldKind.ANKAN: ActionKind.ANKAN,
    MeldKind.KAKAN: ActionKind.KAKAN,
}


def call_action(event: Call) -> Action:
    """The action by which a meld was made."""
    meld = event.meld
    kind = _KINDS[meld.kind]
    if meld.kind is MeldKind.ANKAN:
        return Action(kind, meld.tiles[0])
    if meld.kind is MeldKind.KAKAN:
        return Action(kind, -1 if meld.added is None else meld.added)
    own = () if meld.kind is MeldKind.DAIMINKAN else meld.own_tiles
    return Action(kind, -1 if meld.called is None else meld.called, own)
