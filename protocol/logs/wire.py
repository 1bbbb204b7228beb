"""Captured client sessions: lines ``Send: …`` and ``Get: …`` with frames in either text form.

A session is one seat's view. It may hold several games, part of one, or none; :func:`game_of` makes a game of one that
holds one, and :func:`play` says everything that happens in it::

    session = read_session(data, name)
    for step in play(session):
        match step:
            case Seen(event, flags): ...   # StartGame: a new GameState; then apply(event), compare flags
            case Furiten(on): ...          # comes before the discard that causes it
            case Said(action): ...         # the client's answer to the last prompt
            case Damaged(): ...            # a frame that cannot be read: an event may be missing
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Final

from engine.model import events as ev
from engine.model.actions import Action
from engine.model.seats import kyoku_name
from protocol.errors import LogError, LogTrouble, ProtocolError, UnsupportedGameError
from protocol.logs.game_log import GameLog, LeftOut, LogInfo
from protocol.tenhou import client, server
from protocol.tenhou.actions import Asked, asked_by, hear
from protocol.tenhou.codec import parse_frame
from protocol.tenhou.schema import Message, Sender
from protocol.tenhou.session import Connection, NoticeKind, State

_SENDERS: Final = {
    **dict.fromkeys(("send", "sent"), Sender.CLIENT),
    **dict.fromkeys(("get", "got", "recv", "receive", "received"), Sender.SERVER),
}
_WORDS: Final = "|".join(_SENDERS)
_line: Final = re.compile(
    # at once, or behind whatever a program's own log puts before it, if a frame follows
    rf"(?:(?i:({_WORDS})): ?(.*)|.{{1,200}}?(?<![^\W_])(?i:({_WORDS})) ?: ?(<[A-Za-z].*|\{{\s*\"tag\".*))"
).fullmatch
BEGINS: Final = re.compile(
    rf"(?i:{_WORDS}): ?[<{{]"
    # lines of a program's log, which tell the time, and then a frame
    rf"|(?:(?>[^\n]*[0-9]:[0-9][0-9][^\n]*\n|[^\S\n]*\n)){{0,200}}?"
    rf"[^\n]{{1,200}}?(?<![^\W_])(?i:{_WORDS}) ?: ?(?:<[A-Z]|\{{\s*\"tag\")"
    # anything that a program says when it starts, and then a frame behind a time
    rf"|(?:(?>[^\n]*\n)){{0,50}}?[^\n]{{0,50}}?[0-9]:[0-9][0-9][^\n]{{0,150}}?"
    rf"(?<![^\W_])(?i:{_WORDS}) ?: ?<[A-Z]".encode()
)
"""The beginning of a capture: lines ``Send: …`` and ``Get: …``, or a program's log with such lines."""
OUTSIDE: Final = (ev.StartGame, ev.Disconnected, ev.Reconnected, ev.EndGame)
"""Events that belong to no hand, and stay where a hand is left out."""
_IN_HAND: Final = (ev.Draw, ev.Discard, ev.Call, ev.Win, ev.Ryuukyoku)
_TURNS: Final = (server.Draw, server.Discard)
_PLAY: Final = (ev.Discard, ev.Call, ev.Win, ev.Ryuukyoku, ev.StartKyoku, ev.Draw, ev.Resume)


@dataclass(frozen=True, slots=True)
class WireEntry:
    """One frame."""

    sender: Sender
    messages: tuple[Message, ...]  # none if the frame cannot be read
    line: int  # line of the capture, from 1
    damaged: str = ""  # why the frame cannot be read; empty if it can

    @classmethod
    def of(cls, sender: Sender, frame: str, line: int) -> "WireEntry":
        """The frame of a line; a damaged one if it cannot be read."""
        try:
            return cls(sender, parse_frame(frame, sender), line)
        except ProtocolError as error:
            return cls(sender, (), line, damaged=str(error))


@dataclass(frozen=True, slots=True)
class WireSession:
    """A capture, from the login on. ``source`` is its name, for messages."""

    entries: tuple[WireEntry, ...]
    source: str = ""


@dataclass(frozen=True, slots=True)
class Seen:
    """Something happened, as the client could see it."""

    # the event; absolute seats, others' draws hidden. A :class:`~.events.StartGame` begins each game or resumed part of
    # one; :class:`~.events.Resume` marks where a reconnected client resumed the play.
    event: ev.Event
    # the ``t`` that came with it: 1 pon, 2 kan, 4 chi, 8 ron (on a discard, or on a kan that can be robbed); 16 tsumo,
    # 32 riichi, 64 nine terminals (on one's own draw). 0 if there was none: nothing of this kind could be declared.
    # One's own kans are never flagged.
    flags: int
    viewer: int  # the client's absolute seat
    line: int  # line of the capture


@dataclass(frozen=True, slots=True)
class Furiten:
    """The server says that the client's furiten begins or ends; this precedes the discard that causes it."""

    on: bool
    line: int


@dataclass(frozen=True, slots=True)
class Said:
    """The client's answer to the prompt of the last :class:`Seen`. A riichi includes its discard."""

    action: Action
    line: int


@dataclass(frozen=True, slots=True)
class Damaged:
    """A frame cannot be read, or is impossible: an event may be missing until the server sends its state again."""

    line: int
    why: str
    hand: str = ""  # the hand that is left out for it; empty if none is


Step = Seen | Furiten | Said | Damaged


def read(data: bytes | str, source: str = "") -> GameLog:
    """Read the game of a capture; see :func:`read_session` and :func:`game_of`."""
    return game_of(read_session(data, source))


def read_session(data: bytes | str, source: str = "") -> WireSession:
    """Read a capture, also where a time and a level stand before each line. Lines of other things are skipped.

    Raises:
        LogError: no frame can be read.
    """
    text = data.decode(errors="replace") if isinstance(data, bytes) else data
    entries = []
    for number, line in enumerate(text.split("\n"), 1):
        match = _line(line.strip("\ufeff\r"))
        if match is None:
            continue
        word, frame = (match[1], match[2]) if match[1] else (match[3], match[4])
        entries.append(WireEntry.of(_SENDERS[word.lower()], frame, number))
    return session_of(entries, source, "contains no frame; a capture has lines 'Send: …' and 'Get: …'")


def session_of(entries: Sequence[WireEntry], source: str, empty: str) -> WireSession:
    """The session of some frames.

    Raises:
        LogError: no frame can be read. The message is ``empty`` if there is none, and else names the first.
    """
    if not entries:
        raise LogError(empty, source, trouble=LogTrouble.NO_GAME)
    if all(entry.damaged for entry in entries):
        raise LogError(entries[0].damaged, source, f"line {entries[0].line}")
    return WireSession(tuple(entries), source)


def play(session: WireSession) -> Iterator[Step]:
    """Yield what one client received and sent, in order.

    What means nothing to a client is left out, as :class:`~protocol.tenhou.session.Session` leaves it out: messages
    that are not play, that a faulty server repeats at once, or that come before the client knows its seat.

    Raises:
        UnsupportedGameError: a three-player game begins.
    """
    playing = Playing()
    for entry in session.entries:
        try:
            yield from playing.take(entry)
        except UnsupportedGameError as error:
            raise error.located(session.source, f"line {entry.line}") from None


class Playing:
    """What one client receives and sends, frame by frame, as :func:`play` has it of a whole session."""

    def __init__(self) -> None:
        self._connection = Connection()
        self._connection.opened()
        self._asked: Asked | None = None
        self._damaged = False  # whether a frame since the last deal cannot be read

    def take(self, entry: WireEntry) -> Iterator[Step]:
        """Yield what the next frame means.

        Raises:
            UnsupportedGameError: a three-player game begins.
        """
        if entry.damaged:
            self._damaged = True
            yield Damaged(entry.line, entry.damaged)
        try:
            for message in entry.messages:
                yield from (self._received if entry.sender is Sender.SERVER else self._sent)(message, entry.line)
        except UnsupportedGameError:
            raise
        except ProtocolError as error:
            self._damaged = True
            yield Damaged(entry.line, str(error))

    def _received(self, message: Message, line: int) -> Iterator[Step]:
        connection = self._connection
        if self._damaged and isinstance(message, server.Init | server.Reinit):
            # what was to come before it may be what cannot be read
            connection.state, self._damaged = State.BETWEEN, False
        fault = connection.fault_of(message)
        if fault is NoticeKind.UNEXPECTED and isinstance(message, server.Init) and connection.state is State.PLAYING:
            yield Damaged(line, "its end is missing")
            connection.state, fault = State.BETWEEN, None
        elif fault is NoticeKind.UNEXPECTED and isinstance(message, _TURNS) and connection.state is State.BETWEEN:
            if not self._damaged:
                yield Damaged(line, "it is missing")
            self._damaged = True
        if fault is not None:
            return
        connection.follow(message)
        if isinstance(message, server.Furiten):
            yield Furiten(bool(message.show), line)
        flags = getattr(message, "t", 0)
        for event in connection.translate(message):
            viewer = connection.seat or 0
            if isinstance(event, _PLAY):
                self._asked = asked_by(event, viewer, flags)
            yield Seen(event, flags, viewer, line)

    def _sent(self, message: Message, line: int) -> Iterator[Step]:
        if isinstance(message, client.Helo):
            self._connection.opened()
        elif isinstance(message, client.Join):
            self._connection.state = State.WAITING
        elif self._asked is not None and isinstance(message, client.Discard | client.N | client.Reach):
            # an answer without a prompt happens (clients repeat themselves) and means nothing
            action = hear(message, self._asked)
            self._asked = replace(self._asked, reached=True) if action is None else None
            if action is not None:
                yield Said(action, line)


def play_whole(session: WireSession) -> list[Step]:
    """What one client received and sent, without the hands of which a frame is damaged.

    In place of such a hand stands a :class:`Damaged` with its name. A damaged frame between two hands stays.

    Raises:
        UnsupportedGameError: a three-player game begins.
    """
    steps: list[Step] = []
    # the hand that was begun last, by its name (empty before the first), the index of its first step, whether it has
    # ended, and whether it is left out
    hand, first, over, lost = "", 0, True, False
    damage: Damaged | None = None  # the first damaged frame since that hand ended
    hands = 0
    for step in play(session):
        event = step.event if isinstance(step, Seen) else None
        if isinstance(event, ev.StartKyoku | ev.Resume):
            name = kyoku_name(event.kyoku, event.honba)
            if over or name != hand or isinstance(event, ev.StartKyoku):
                hand, first, over, lost, damage = name, len(steps), False, False, None
                hands += 1
        elif over and damage is not None and isinstance(event, _IN_HAND):
            hands += 1
            hand, first, over, lost = f"hand {hands}", len(steps), False, True
            steps.append(Damaged(damage.line, f"its deal is damaged: {damage.why}", hand))
        elif isinstance(step, Damaged) and not (over or lost):
            leave_out(steps, first, Damaged(step.line, f"a frame of it is damaged: {step.why}", hand))
            lost = True
        elif isinstance(step, Damaged) and over:
            damage = damage or step
            steps.append(step)
        over = over or isinstance(event, ev.Win | ev.Ryuukyoku | ev.EndGame)
        if not isinstance(step, Damaged) and (not lost or isinstance(event, OUTSIDE)):
            steps.append(step)
    return steps


def leave_out(steps: list[Step], first: int, damage: Damaged) -> None:
    """Put ``damage`` in the place of a hand that begins at ``first``; what belongs to no hand stays."""
    steps[first:] = [each for each in steps[first:] if isinstance(each, Seen) and isinstance(each.event, OUTSIDE)]
    steps.append(damage)


def game_of(session: WireSession, steps: Iterable[Step] | None = None) -> GameLog:
    """The game of a session that contains one, as its client saw it.

    A hand that was not seen from its deal to its end is left out: the connection was lost during it, a frame of it
    cannot be read, or the session ends before it does.

    Args:
        session: the session.
        steps: what happened in it, if more hands are left out than those of :func:`play_whole`.

    Raises:
        LogError: the session contains no game, or several.
    """
    start: ev.StartGame | None = None
    viewer, done, over = 0, False, False
    events: list[ev.Event] = []
    left_out: dict[str, LeftOut] = {}
    hand, first = "", 0  # the hand that is followed, by its name, and the index of its deal; no name where none is

    def lose(name: str, line: int, why: str) -> None:
        if name == hand:
            del events[first:]
        left_out.setdefault(name, LeftOut(name, f"line {line}", why, len(events) + 1))

    why = "contains more than one game: split the capture"
    several = LogError(why, session.source, trouble=LogTrouble.SEVERAL_GAMES)
    for step in play_whole(session) if steps is None else steps:
        if isinstance(step, Damaged):
            hand = ""
            if step.hand and not done:
                lose(step.hand, step.line, step.why)
        if not isinstance(step, Seen):
            continue
        event = step.event
        match event:
            case ev.StartGame():
                if done:
                    raise several
                start, viewer = start or event, step.viewer
            case ev.StartKyoku():
                if hand and not over:
                    lose(hand, step.line, "the next hand is dealt before it ends")
                hand, first, over = kyoku_name(event.kyoku, event.honba), len(events), False
                events.append(event)
            case ev.Resume():
                lose(kyoku_name(event.kyoku, event.honba), step.line, "the connection was lost during it")
                hand = ""
            case ev.EndGame():
                events.append(event)
                done = True
            case _ if hand:
                events.append(event)
                over = over or isinstance(event, ev.Win | ev.Ryuukyoku)
    if hand and not (over or done):
        lose(hand, session.entries[-1].line, "the session ends before it does")
    # a game that was not played to its end, before another
    taikyoku = (message for entry in session.entries for message in entry.messages)
    if len({message.log for message in taikyoku if isinstance(message, server.Taikyoku) and message.log}) > 1:
        raise several
    if start is None or not any(isinstance(event, ev.StartKyoku) for event in events):
        why = "contains no hand that could be followed from its deal"
        why += "".join(f"; {each}" for each in islice(left_out.values(), 1))
        raise LogError(why, session.source, trouble=LogTrouble.NO_GAME)
    lost = tuple(left_out.values())
    return GameLog((start, *events), _info(session), session.source, tuple(map(str, lost)), lost, viewer)


def _info(session: WireSession) -> LogInfo:
    messages = [message for entry in session.entries for message in entry.messages]
    log_id = next((each.log for each in messages if isinstance(each, server.Taikyoku) and each.log), "")
    go = next((each for each in messages if isinstance(each, server.Go)), None)
    return LogInfo(log_id=log_id, game_type=go.type, lobby=go.lobby or "") if go else LogInfo(log_id=log_id)
