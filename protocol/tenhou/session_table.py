"""A client's session as a transition table: for each state and message, the next state and what is done."""

from enum import Enum, auto
from typing import Final

from protocol.tenhou import server
from protocol.tenhou.schema import Message, Unknown


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


_HAND: Final = (server.Draw, server.Discard, server.Call, server.Dora)
_HAND_END: Final = (server.Agari, server.Ryuukyoku)
ONCE: Final = (*_HAND, *_HAND_END, server.Reach, server.Go, server.Taikyoku, server.Init, server.Reinit)
"""Messages that a server never sends twice in a row."""
_TOLD: Final = (server.Furiten, server.Prof)
_IGNORED: Final = (server.Ln, server.Ranking, server.KeepAlive, server.Echo, server.Kansen)

_ROWS: Final[tuple[tuple[tuple[State, ...], tuple[type[Message], ...], State | None, str | None], ...]] = (
    # states, messages: the next state (None: unchanged), the session's method (None: nothing is done)
    ((State.LOGIN,), (server.Helo,), State.WAITING, "_log_in"),
    ((State.LOGIN, State.WAITING), (server.Err,), State.CLOSED, "_refuse"),
    ((State.WAITING,), (server.Helo,), None, None),
    # a guest was once sent a stranger's hand before its own table was found; hence PLAYING in these two
    ((State.WAITING, State.PLAYING), (server.Rejoin,), State.WAITING, "_wait_on"),
    ((State.LOGIN, State.WAITING, State.PLAYING), (server.Go,), State.SEATED, "_sit"),
    ((State.SEATED,), (server.Un, server.Saikai), None, "_follow"),
    ((State.SEATED,), (server.Taikyoku,), State.BETWEEN, "_begin"),
    ((State.SEATED, State.BETWEEN), (server.Init,), State.PLAYING, "_follow"),
    ((State.WAITING, State.SEATED, State.BETWEEN), (server.Reinit,), State.PLAYING, "_follow"),
    ((State.SEATED, State.BETWEEN), (server.Bye, server.Un), None, "_follow"),
    ((State.PLAYING, State.REACHED), (*_HAND, server.Bye, server.Un), State.PLAYING, "_follow"),
    ((State.PLAYING,), (server.Reach,), None, "_reach"),
    ((State.REACHED,), (server.Reach,), State.PLAYING, "_reach"),
    ((State.PLAYING, State.REACHED, State.BETWEEN), _HAND_END, State.BETWEEN, "_end_hand"),
    ((State.BETWEEN, State.PLAYING, State.REACHED), _TOLD, None, "_tell"),
    (tuple(State), (server.Chat, Unknown), None, "_tell"),
    (tuple(State), _IGNORED, None, None),
)

TRANSITIONS: Final[dict[tuple[State, type[Message]], tuple[State, str | None]]] = {
    (state, message): (after or state, method)
    for states, messages, after, method in _ROWS
    for state in states
    for message in messages
}
"""(state, message) → (next state, method of the session). Anything else is unexpected: a notice says so."""
