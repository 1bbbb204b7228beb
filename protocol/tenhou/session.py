"""One client's session, sans-I/O: frames in, frames, events and prompts out.

The caller owns the socket and the clocks::

    session = Session(Login(name, game_type=9))
    send(session.connect())
    for frame in socket:
        received = session.receive(frame)          # events, notices, what is to be sent, and a prompt
        send(received.sends)
    send(session.act(prompt, action))              # the answer to a Prompt, whenever it is ready
    send(session.keep_alive())                     # every KEEP_ALIVE_SECONDS

After a lost connection, call ``connect()`` again for the new one. The server hands back a running game, and the events
continue with StartGame and Resume, or with StartKyoku between hands. If it sends a greeting instead, the game has ended
in the meantime: a Notice says so and the session is over; it does not look for another table. ``repeat()`` resends an
answer that had no effect. A server is never trusted: invalid messages become a :class:`Notice`, not an exception.
"""

from dataclasses import dataclass, field
from enum import Enum, auto
from typing import Final

from engine.model import events as ev
from engine.model.actions import Action
from protocol.errors import LocalProtocolError, RemoteProtocolError, UnsupportedGameError
from protocol.tenhou import client, server
from protocol.tenhou.actions import Asked, asked_by, say
from protocol.tenhou.codec import format_message, parse_frame
from protocol.tenhou.events import Translator
from protocol.tenhou.game_type import FAST, GameType, Seek, format_seek, parse_game_type, parse_seek
from protocol.tenhou.schema import Message, Sender, Unknown
from protocol.tenhou.server import AccountRecord, parse_standing

KEEP_ALIVE_SECONDS: Final = 10.0
GUEST: Final = "NoName"
MOST_DOUBTS: Final = 4
"""Number of logins at which a greeting in place of a running game is not believed."""


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
    ((State.SEATED,), (server.Un, server.Saikai), None, "_hear"),
    ((State.SEATED,), (server.Taikyoku,), State.BETWEEN, "_begin"),
    ((State.SEATED, State.BETWEEN), (server.Init,), State.PLAYING, "_hear"),
    ((State.WAITING, State.SEATED, State.BETWEEN), (server.Reinit,), State.PLAYING, "_hear"),
    ((State.SEATED, State.BETWEEN), (server.Bye, server.Un), None, "_hear"),
    ((State.PLAYING, State.REACHED), (*_HAND, server.Bye, server.Un), State.PLAYING, "_hear"),
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
"""(state, message) → (next state, method of the session). Anything else is unexpected: a notice says so.

A client's session follows it, and so does whoever reads what such a client received."""


class Connection:
    """What a client knows of its connections to a server, one after another.

    Attributes:
        state: where it stands.
    """

    def __init__(self) -> None:
        self.state = State.OFFLINE
        self._translator = Translator()
        self._last: Message | None = None
        """The server's last message about the game."""

    @property
    def seat(self) -> int | None:
        """The client's absolute seat; None until a game has begun."""
        return self._translator.viewer

    def opened(self) -> None:
        """A connection was opened and HELO sent: nothing has been said on it yet."""
        self.state, self._translator, self._last = State.LOGIN, Translator(), None

    def fault_of(self, message: Message) -> "NoticeKind | None":
        """Why a message means nothing here: it is repeated at once, or unexpected; None if it means something."""
        if isinstance(message, ONCE):
            if message == self._last:
                return NoticeKind.REPEATED
            self._last = message
        return None if (self.state, type(message)) in TRANSITIONS else NoticeKind.UNEXPECTED

    def follow(self, message: Message) -> str | None:
        """Go to the state to which a message leads; returns the session's method for it."""
        self.state, method = TRANSITIONS[self.state, type(message)]
        return method

    def translate(self, message: Message) -> tuple[ev.Event, ...]:
        """The events that a message means; see :meth:`Translator.translate`."""
        return self._translator.translate(message)


@dataclass(frozen=True, slots=True)
class Login:
    """The account that logs in, and the kind of table that it wants."""

    game_type: int  # Tenhou's type bits of the requested table
    name: str = GUEST  # ``NoName`` or an account's key; never part of a ``repr``
    # ``'0'`` is the public lobby, a number from 1000 a private one, ``C`` and eight digits a tournament
    lobby: str = "0"
    sex: str = "M"  # ``M``, ``F`` or ``C``

    def __post_init__(self) -> None:
        """Check the game type and the lobby.

        Raises:
            UnsupportedGameError: the game is for three players.
            LocalProtocolError: the game type or the lobby does not exist.
        """
        try:
            parse_game_type(self.game_type)
            parse_seek(format_seek(Seek(self.lobby, self.game_type)))
        except RemoteProtocolError as error:
            raise LocalProtocolError(f"cannot log in: {error}") from None

    def __repr__(self) -> str:
        return f"Login(game_type={self.game_type}, lobby={self.lobby!r}, guest={self.name == GUEST})"


class NoticeKind(Enum):
    """The kinds of notices. The last five report a fault of the server, or something new to us."""

    LOGGED_IN = auto()
    REFUSED = auto()
    SEATED = auto()
    CHAT = auto()
    FURITEN = auto()
    RECORD = auto()
    GONE = auto()
    """The game ended while the client was away."""
    DOUBTED = auto()
    """The server greets as if there were no running game, but there must be one: log in again a little later."""
    REPEATED = auto()
    """The server sent a message twice."""
    UNSUPPORTED = auto()
    UNEXPECTED = auto()
    UNKNOWN = auto()
    """A tag that we do not know."""
    MALFORMED = auto()


@dataclass(frozen=True, slots=True)
class Send:
    """A frame to send."""

    frame: str

    def __repr__(self) -> str:
        return "Send(...)"  # a HELO frame holds the account's key


@dataclass(frozen=True, slots=True)
class Prompt:
    """The client must answer with :meth:`Session.act`."""

    number: int  # number of the prompt within the session
    asked: Asked  # what is asked: the client's turn, or a claim on another's tile
    flags: int  # ``t`` as the server sent it; 0 on most own turns


@dataclass(frozen=True, slots=True)
class Notice:
    """A notice for people and logs; play does not depend on it. ``text`` is untrusted and contains no account key."""

    kind: NoticeKind
    text: str = ""


@dataclass(slots=True)
class Received:
    """The results of a received frame."""

    events: list[ev.Event] = field(default_factory=list)  # what happened at the table, in order
    notices: list[Notice] = field(default_factory=list)  # what there is to tell
    sends: list[Send] = field(default_factory=list)  # what is to be sent now
    prompt: Prompt | None = None  # what the client must answer; None if nothing


class Session(Connection):
    """The client's side of one login, through at most one game. See the module for its use.

    Attributes:
        gpid: lets a guest resume the game; None at practice tables.
        log_id: log id of the game; empty until it is known.
        prompt: the prompt to be answered now, or None.
        answered: the prompt answered last, as long as the answer had no effect; otherwise None.
        playing: whether a table was found and its game has not ended.
        game_type: game type of that table; None before there is one.
        standing: the account's record at the last login; None for a guest.
    """

    def __init__(self, login: Login, gpid: str | None = None) -> None:
        """Create a session that has not connected yet.

        Args:
            login: who logs in, and for which table.
            gpid: that of a game which a guest left running and wants to resume; if it is over, a new table is found.
        """
        super().__init__()
        self.login = login
        self.gpid = gpid
        self.log_id = ""
        self.prompt: Prompt | None = None
        self.answered: Prompt | None = None
        self.playing = False
        self.game_type: GameType | None = None
        self.standing: AccountRecord | None = None
        self._doubts = 0
        self._said: Message | None = None
        """The answer to :attr:`answered`."""
        self._prompts = 0
        self._riichi: Message | None = None
        """The discard that belongs to a REACH already sent."""

    def connect(self) -> list[Send]:
        """The messages that open a new connection, the first or one after a loss."""
        self.opened()
        self.prompt = self.answered = self._riichi = None
        return self._sends(client.Helo(self.login.name, sx=self.login.sex, gpid=self.gpid))

    def keep_alive(self) -> list[Send]:
        """The messages to send every :data:`KEEP_ALIVE_SECONDS`."""
        return self._sends(client.KeepAlive())

    @property
    def resumable(self) -> bool:
        """Whether the server can recognise the client: an account by its name, a guest by the game's ``gpid``."""
        return self.playing and (self.login.name != GUEST or self.gpid is not None)

    def repeat(self) -> list[Send]:
        """Resend the last answer, which had no effect."""
        return self._sends(self._said) if self.answered is not None and self._said is not None else []

    def leave(self) -> list[Send]:
        """Send BYE, whatever the state."""
        self.prompt = self.answered = self._riichi = None
        self.state = State.OVER
        return self._sends(client.Bye())

    def receive(self, frame: str) -> Received:
        """Process one frame. Raises nothing."""
        received = Received()
        try:
            messages = parse_frame(frame, Sender.SERVER)
        except RemoteProtocolError as error:
            received.notices.append(Notice(NoticeKind.MALFORMED, f"{error}: {error.raw[:200]}"))
            return received
        before = self._prompts
        for message in messages:
            self._receive(message, received)
        if self.prompt is not None and self.prompt.number > before:
            received.prompt = self.prompt
        return received

    def act(self, prompt: Prompt, action: Action) -> list[Send]:
        """Answer a prompt. Returns nothing to send if the prompt has expired because the server did not wait.

        Raises:
            LocalProtocolError: the action does not answer the prompt.
        """
        if self.prompt is None or self.prompt.number != prompt.number:
            return []
        if not prompt.asked.allows(action):
            raise LocalProtocolError(f"{action} does not answer {prompt}")
        said, *later = say(action)
        if later:  # the discard of a riichi
            self.state, self._riichi = State.REACHED, later[0]
        self.prompt, self.answered, self._said = None, prompt, said
        return self._sends(said)

    def _receive(self, message: Message, received: Received) -> None:
        """Process one message: the table says how, and in which state the session is then."""
        fault, state = self.fault_of(message), self.state
        if fault is not None:
            where = f" in state {state.name}" if fault is NoticeKind.UNEXPECTED else ""
            received.notices.append(Notice(fault, f"{message}{where}"))
            return
        method = self.follow(message)
        try:
            if method is not None:
                getattr(self, method)(message, received)
        except UnsupportedGameError as error:
            self.state = State.CLOSED
            received.notices.append(Notice(NoticeKind.UNSUPPORTED, str(error)))
            received.sends += self._sends(client.Bye())
        except RemoteProtocolError as error:
            self.state = state
            received.notices.append(Notice(NoticeKind.MALFORMED, f"{error}: {message}"))

    def _sends(self, *messages: Message) -> list[Send]:
        return [Send(format_message(message)) for message in messages]

    def _log_in(self, message: server.Helo, received: Received) -> None:
        """Choose a lobby and ask for a table: PXR, JOIN; or, after a loss, see that the game is over."""
        login = self.login
        before, now = self.standing, parse_standing(message.pf4)
        if self.playing and self._not_counted(before, now):
            self._doubts += 1
            received.notices.append(
                Notice(
                    NoticeKind.DOUBTED,
                    "the server greets as if no game were running: it has not noticed that the connection was lost, "
                    "or was restarted and has forgotten the game",
                )
            )
            return
        self.standing = now or before
        if self.playing:
            self.playing, self.gpid = False, None
            self.state = State.OVER
            received.notices.append(Notice(NoticeKind.GONE, "no game is running any more"))
            received.sends += self._sends(client.Bye())
            return
        self.gpid = None
        received.notices.append(Notice(NoticeKind.LOGGED_IN, message.uname))
        received.sends += self._sends(client.Pxr(first=1 if login.name == GUEST else login.game_type & ~FAST))
        if login.lobby.startswith("C"):  # a tournament assigns its players to tables itself
            received.sends += self._sends(client.Cs(login.lobby))
            return
        if login.lobby != "0":
            received.sends += self._sends(client.Lobby(int(login.lobby)))
        received.sends += self._sends(client.Join(format_seek(Seek(login.lobby, login.game_type))))

    def _not_counted(self, before: AccountRecord | None, now: AccountRecord | None) -> bool:
        """Whether the account's record does not count the game yet, although the server greets as if it had ended.

        A server that considers the lost connection still alive greets like that. A ranked game that has ended is in
        the account's record; after :data:`MOST_DOUBTS` logins the greeting is believed anyway.
        """
        counts = self.game_type is not None and self.game_type.people and self._doubts < MOST_DOUBTS
        return counts and before is not None and now is not None and before.games == now.games

    @property
    def logins_left(self) -> int:
        """Number of logins after which a greeting in place of a running game is believed."""
        return MOST_DOUBTS + 1 - self._doubts

    def _refuse(self, message: server.Err, received: Received) -> None:
        """Say that the server refuses."""
        received.notices.append(Notice(NoticeKind.REFUSED, f"error {message.code}"))

    def _wait_on(self, message: server.Rejoin, received: Received) -> None:
        """Send JOIN again."""
        self.prompt = self._riichi = None
        received.sends += self._sends(client.Join(message.t))

    def _sit(self, message: server.Go, received: Received) -> None:
        """Send GOK: a table was found."""
        self.prompt = self.answered = self._riichi = None
        self.translate(message)
        self.gpid = message.gpid
        self.playing = True
        self.game_type = parse_game_type(message.type)
        received.notices.append(Notice(NoticeKind.SEATED, f"type {message.type}, lobby {message.lobby}"))
        received.sends += self._sends(client.Gok())

    def _begin(self, message: server.Taikyoku, received: Received) -> None:
        """Follow, then ask for the first hand."""
        self.log_id = message.log or ""
        self._hear(message, received)
        received.sends += self._sends(client.NextReady())

    def _hear(self, message: Message, received: Received) -> None:
        """Translate, and prompt for an answer where one is due."""
        if isinstance(message, server.Draw | server.Discard | server.Call):
            self.prompt = self._riichi = None
        if isinstance(message, ONCE):
            self.answered = None
        flags = getattr(message, "t", 0)
        events = self.translate(message)
        received.events += events
        for event in events:
            asked = asked_by(event, self.seat or 0, flags)
            if asked is not None:
                self._prompts += 1
                self.prompt = Prompt(self._prompts, asked, flags)

    def _reach(self, message: server.Reach, received: Received) -> None:
        """Follow; after one's own step 1 send the waiting discard."""
        answered = self.answered
        self._hear(message, received)
        if self._riichi is not None and message.who == 0 and message.step == 1:
            self.answered, self._said = answered, self._riichi
            received.sends += self._sends(self._riichi)
        self._riichi = None

    def _end_hand(self, message: server.Agari | server.Ryuukyoku, received: Received) -> None:
        """Follow, then ask for the next hand; after the last one say BYE."""
        self.prompt = self._riichi = None
        self._hear(message, received)
        received.sends += self._sends(client.NextReady())
        if message.owari is not None:
            self.state = State.OVER
            self.gpid, self.playing = None, False
            received.sends += self._sends(client.Bye())

    def _tell(self, message: Message, received: Received) -> None:
        """Give a notice, nothing else."""
        if isinstance(message, server.Furiten):
            received.notices.append(Notice(NoticeKind.FURITEN, "on" if message.show else "off"))
        elif isinstance(message, server.Prof):
            received.notices.append(Notice(NoticeKind.RECORD, ",".join(map(str, message.add))))
        elif isinstance(message, server.Chat):
            received.notices.append(Notice(NoticeKind.CHAT, f"{message.uname}: {message.text}"))
        else:
            received.notices.append(Notice(NoticeKind.UNKNOWN, str(message)))
