"""A client's session as a transition table: for each state and message, the next state and what is done."""

from __future__ import annotations

from enum import Enum, auto
from typing import Final

from protocol.tenhou.messages import Message, Unknown, server


class State(Enum):
    """The state of a session."""

    OFFLINE = auto()
    """Nothing was sent."""
    LOGIN = auto()
    """HELO was sent."""
    WAITING = auto()
    """Logged in and waiting for a table."""
    SEATED = auto()
    """A table was found; the seats are not known yet."""
    BETWEEN = auto()
    """Ready for the next hand."""
    PLAYING = auto()
    """In a hand."""
    REACHED = auto()
    """In a hand; REACH was sent, the discard waits for the server's step 1."""
    OVER = auto()
    """The game is over and BYE was sent; the connection can be closed."""
    CLOSED = auto()
    """The server refused; the connection can be closed."""


class Do(Enum):
    """What a transition does."""

    LOG_IN = auto()
    """Send PXR, choose a lobby, send JOIN."""
    REFUSE = auto()
    """Give a notice and end the session."""
    WAIT_ON = auto()
    """Send JOIN again."""
    SIT = auto()
    """Send GOK."""
    FOLLOW = auto()
    """Translate, and prompt for an answer where one is due."""
    BEGIN = auto()
    """FOLLOW, then send NEXTREADY."""
    END_HAND = auto()
    """FOLLOW, then send NEXTREADY; after the last hand also BYE, and the state is OVER."""
    REACH = auto()
    """FOLLOW; after one's own step 1 send the waiting discard."""
    TELL = auto()
    """Give a notice, nothing else."""
    NOTHING = auto()
    """Ignore: the message does not affect play."""


_HAND: Final = (server.Draw, server.Discard, server.Call, server.Dora)
_HAND_END: Final = (server.Agari, server.Ryuukyoku)
ONCE: Final = (*_HAND, *_HAND_END, server.Reach, server.Go, server.Taikyoku, server.Init, server.Reinit)
"""Messages that a server never sends twice in a row."""
_TOLD: Final = (server.Furiten, server.Prof)

_ROWS: Final[tuple[tuple[tuple[State, ...], tuple[type[Message], ...], State | None, Do], ...]] = (
    # states, messages: the next state (None: unchanged), what is done
    ((State.LOGIN,), (server.Helo,), State.WAITING, Do.LOG_IN),
    ((State.LOGIN, State.WAITING), (server.Err,), State.CLOSED, Do.REFUSE),
    ((State.WAITING,), (server.Helo,), None, Do.NOTHING),
    # a guest was once sent a stranger's hand before its own table was found; hence PLAYING in these two
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
"""(state, message) → (next state, what is done). Anything else is unexpected: it gives a notice and is ignored."""
