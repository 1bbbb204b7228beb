"""A client's session as a table: in which state which message leads where, and what is done."""

from __future__ import annotations

from enum import Enum, auto
from typing import Final

from protocol.tenhou.messages import Message, Unknown, server


class State(Enum):
    """Where a session stands."""

    OFFLINE = auto()
    """Nothing was said."""
    LOGIN = auto()
    """HELO was said."""
    WAITING = auto()
    """Logged in; a table is sought."""
    SEATED = auto()
    """A table was found; who sits where is to come."""
    BETWEEN = auto()
    """Ready for the next hand."""
    PLAYING = auto()
    """In a hand."""
    REACHED = auto()
    """In a hand; REACH was said, the discard waits for the server's step 1."""
    OVER = auto()
    """The game is over and BYE was said; the connection can be closed."""
    CLOSED = auto()
    """The server refused; the connection can be closed."""


class Do(Enum):
    """What a transition does."""

    LOG_IN = auto()
    """Say PXR, choose a lobby, JOIN."""
    REFUSE = auto()
    """Tell, and give up."""
    WAIT_ON = auto()
    """Say JOIN again."""
    SIT = auto()
    """Say GOK."""
    FOLLOW = auto()
    """Translate; ask for an answer where one is due."""
    BEGIN = auto()
    """FOLLOW, then say NEXTREADY."""
    END_HAND = auto()
    """FOLLOW, then say NEXTREADY; after the last hand BYE too, and the state is OVER."""
    REACH = auto()
    """FOLLOW; to one's own step 1 say the discard that waits."""
    TELL = auto()
    """A notice, nothing else."""
    NOTHING = auto()
    """Of no use to play."""


_HAND: Final = (server.Draw, server.Discard, server.Call, server.Dora)
_HAND_END: Final = (server.Agari, server.Ryuukyoku)
ONCE: Final = (*_HAND, *_HAND_END, server.Reach, server.Go, server.Taikyoku, server.Init, server.Reinit)
"""Never said twice running."""
_TOLD: Final = (server.Furiten, server.Prof)

_ROWS: Final[tuple[tuple[tuple[State, ...], tuple[type[Message], ...], State | None, Do], ...]] = (
    # in these states, any of these messages: the next state (None: the same), what is done
    ((State.LOGIN,), (server.Helo,), State.WAITING, Do.LOG_IN),
    ((State.LOGIN, State.WAITING), (server.Err,), State.CLOSED, Do.REFUSE),
    ((State.WAITING,), (server.Helo,), None, Do.NOTHING),
    # a guest was once shown a stranger's hand before its own table was found: hence PLAYING in these two
    ((State.WAITING, State.PLAYING), (server.Rejoin,), State.WAITING, Do.WAIT_ON),
    ((State.LOGIN, State.WAITING, State.PLAYING), (server.Go,), State.SEATED, Do.SIT),
    ((State.SEATED,), (server.Un, server.Saikai), None, Do.FOLLOW),
    ((State.SEATED,), (server.Taikyoku,), State.BETWEEN, Do.BEGIN),
    ((State.SEATED, State.BETWEEN), (server.Init,), State.PLAYING, Do.FOLLOW),
    ((State.WAITING, State.SEATED, State.BETWEEN), (server.Reinit,), State.PLAYING, Do.FOLLOW),
    ((State.SEATED, State.BETWEEN), (server.Bye, server.Un), None, Do.FOLLOW),
    ((State.PLAYING, State.REACHED), (*_HAND, server.Bye, server.Un), State.PLAYING, Do.FOLLOW),
    ((State.PLAYING,), (server.Reach,), None, Do.REACH),
    ((State.REACHED,), (server.Reach,), State.PLAYING, Do.REACH),
    ((State.PLAYING, State.REACHED, State.BETWEEN), _HAND_END, State.BETWEEN, Do.END_HAND),
    ((State.BETWEEN, State.PLAYING, State.REACHED), _TOLD, None, Do.TELL),
    (tuple(State), (server.Chat, Unknown), None, Do.TELL),
    (tuple(State), (server.Ln, server.Ranking, server.KeepAlive, server.Echo, server.Kansen), None, Do.NOTHING),
)

TRANSITIONS: Final[dict[tuple[State, type[Message]], tuple[State, Do]]] = {
    (state, message): (after or state, do)
    for states, messages, after, do in _ROWS
    for state in states
    for message in messages
}
"""(state, message) → (next state, what is done). What is not here is unexpected: told, and passed over."""
