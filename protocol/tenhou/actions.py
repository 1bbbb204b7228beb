"""Conversion between actions and the client's messages.

A riichi takes two messages: REACH, then the discard. Over websocket the discard is sent after the server's step 1.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from engine.model import events as ev
from engine.model.actions import NINE_TERMINALS, PASS, Action, ActionKind
from protocol.errors import RemoteProtocolError
from protocol.tenhou import client
from protocol.tenhou.client import NType
from protocol.tenhou.schema import Message

_TYPES: Final = {
    kind: NType[kind.name]
    for kind in ActionKind
    if kind not in {ActionKind.DISCARD, ActionKind.RIICHI, ActionKind.PASS}
}
"""The type of the N that says each kind of answer but a discard, a riichi and a pass."""
_WITH_TILE: Final = frozenset((ActionKind.ANKAN, ActionKind.KAKAN))
"""What names its tile."""
_WITH_OWN: Final = frozenset((ActionKind.CHI, ActionKind.PON))
"""What names the tiles of its own that it takes."""

_AT_OWN_TURN: Final = frozenset(
    (ActionKind.DISCARD, ActionKind.RIICHI, ActionKind.ANKAN, ActionKind.KAKAN, ActionKind.NINE_TERMINALS)
)
"""What answers an own turn whatever tile was drawn."""
_CLAIMS: Final = frozenset((ActionKind.RON, ActionKind.CHI, ActionKind.PON, ActionKind.DAIMINKAN))
"""What claims another player's tile."""
_OF_TYPE: Final[dict[bool, dict[int, ActionKind]]] = {
    own_turn: {number: kind for kind, number in _TYPES.items() if (kind in _CLAIMS) is not own_turn}
    for own_turn in (True, False)
}
"""The kind of answer that each type says, in the client's own turn (True) and to another's tile."""

PROMPT_FLAGS: Final = {
    ActionKind.PON: 1,
    ActionKind.DAIMINKAN: 2,
    ActionKind.CHI: 4,
    ActionKind.RON: 8,
    ActionKind.TSUMO: 16,
    ActionKind.RIICHI: 32,
    ActionKind.NINE_TERMINALS: 64,
}
"""The bit of ``t`` for each kind of answer. Other kinds, such as closed and added kans, have no bit."""


@dataclass(frozen=True, slots=True)
class Asked:
    """The context of an answer, which the answer itself does not contain."""

    own_turn: bool  # the client has drawn or called and must discard or declare; otherwise it may claim another's tile
    # the ``tile136`` drawn, discarded or added to a pon; None after an own call, also one before a snapshot
    tile: int | None
    reached: bool = False  # REACH was sent in this turn; the discard follows

    def allows(self, action: Action) -> bool:
        """Whether an action is an answer to this, as :func:`hear` would understand what :func:`say` says of it."""
        if self.own_turn:
            return action.kind in _AT_OWN_TURN or (action.kind is ActionKind.TSUMO and self.tile is not None)
        return action.kind is ActionKind.PASS or (action.kind in _CLAIMS and self.tile is not None)


def asked_by(event: ev.Event, seat: int, flags: int = 0) -> Asked | None:
    """The question that ``seat`` must answer after an event with these flags; None if there is none."""
    if isinstance(event, ev.Draw):
        return Asked(own_turn=True, tile=event.tile) if event.seat == seat else None
    if isinstance(event, ev.Discard):
        return Asked(own_turn=False, tile=event.tile) if flags and event.seat != seat else None
    if isinstance(event, ev.Call):
        if event.seat != seat:
            return Asked(own_turn=False, tile=event.meld.added) if flags else None
        return None if event.meld.kind.is_kan else Asked(own_turn=True, tile=None)
    if isinstance(event, ev.Resume):
        return Asked(own_turn=True, tile=None) if event.called else None
    return None


def prompt_flags(legal: Iterable[Action]) -> int:
    """The ``t`` with which a server prompts a player who has these legal answers."""
    flags = 0
    for action in legal:
        flags |= PROMPT_FLAGS.get(action.kind, 0)
    return flags


def offered(legal: Iterable[Action], flags: int) -> tuple[Action, ...]:
    """The legal answers that a prompt with this ``t`` allows: kinds that have a bit need it to be set.

    In a resumed hand our own rules may allow too much (a ron in furiten that a snapshot does not show), and a server
    does not accept what it did not offer.
    """
    return tuple(
        action for action in legal if flags & PROMPT_FLAGS.get(action.kind, 0) or action.kind not in PROMPT_FLAGS
    )


def say(action: Action) -> tuple[Message, ...]:
    """The messages for an action: one, or REACH and the discard for a riichi."""
    kind = action.kind
    if kind is ActionKind.DISCARD:
        return (client.Discard(action.tile),)
    if kind is ActionKind.RIICHI:
        return client.Reach(), client.Discard(action.tile)
    if kind is ActionKind.PASS:
        return (client.N(),)
    if kind in _WITH_OWN:
        return (client.N(_TYPES[kind], None, *action.own),)
    return (client.N(_TYPES[kind], action.tile if kind in _WITH_TILE else None),)


def hear(message: client.Discard | client.N | client.Reach, asked: Asked) -> Action | None:
    """The action that a client's answer means; None for REACH, whose discard is still to come (``asked.reached``).

    The action is not checked for legality.

    Raises:
        RemoteProtocolError: the message does not answer what was asked.
    """
    if isinstance(message, client.N):
        return _hear_n(message, asked)
    if not asked.own_turn:
        raise RemoteProtocolError(f"{message} during another player's turn")
    if isinstance(message, client.Discard):
        return Action(ActionKind.RIICHI if asked.reached else ActionKind.DISCARD, message.p)
    if asked.reached:
        raise RemoteProtocolError("REACH twice in a turn")
    return None


def _hear_n(message: client.N, asked: Asked) -> Action:
    wrong = RemoteProtocolError(f"{message} {'in its own turn' if asked.own_turn else 'as an answer to a discard'}")
    if message.type is None and not asked.own_turn:
        return PASS
    kind = None if message.type is None else _OF_TYPE[asked.own_turn].get(message.type)
    if kind is None or asked.reached:
        raise wrong
    if kind is ActionKind.NINE_TERMINALS:
        return NINE_TERMINALS
    if kind in _WITH_TILE:
        if message.hai is None:
            raise wrong
        return Action(kind, message.hai & ~3 if kind is ActionKind.ANKAN else message.hai)
    if asked.tile is None:
        raise wrong
    if kind not in _WITH_OWN:
        return Action(kind, asked.tile)
    if message.hai0 is None or message.hai1 is None:
        raise wrong
    low, high = sorted((message.hai0, message.hai1))
    return Action(kind, asked.tile, (low, high))
