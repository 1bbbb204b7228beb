"""Records of live games, one JSON object per line, as described in ``docs/logs.md``.

Their frames are those of a captured session (:func:`read_session`). What the player decided, and with which input, is
in the other lines, which :class:`Record` holds unchanged. An incomplete last line, as a killed process leaves it, is
ignored and reported by :attr:`Record.torn`.
"""

from dataclasses import dataclass
from json import JSONDecodeError
from typing import Any, Final

from protocol.errors import LogError, LogTrouble
from protocol.logs.game_log import GameLog
from protocol.logs.json_text import decode_damaged, decode_text, parse_value
from protocol.logs.wire import WireEntry, WireSession, game_of, session_of
from protocol.tenhou.schema import Sender

FORMAT: Final = "oshihiki-record"
VERSION: Final = 3
"""The version that is written. Version 2 held the reasons of a decision as sentences; version 1 had only frames and
rounded decisions, and is read for its frames."""

KINDS: Final = ("in", "out", "connect", "events", "decision", "overran", "end")
"""Kinds of lines, named after their key. Lines with none of these keys come from a later version and are skipped."""

DAMAGED: Final = "damaged"
"""The kind of a line that cannot be read, where that is no error; its value is what is wrong with it."""

_SENDERS: Final = {"in": Sender.SERVER, "out": Sender.CLIENT, DAMAGED: Sender.SERVER}


@dataclass(frozen=True, slots=True)
class RecordLine:
    """One line after the first."""

    number: int  # number of the line in the file, from 1
    at: float  # seconds since the record began
    kind: str  # one of :data:`KINDS`
    content: dict[str, Any]  # the whole object

    @property
    def value(self) -> Any:
        """The value under the key that gives the line its kind."""
        return self.content[self.kind]

    @property
    def frame(self) -> WireEntry | None:
        """The frame, a damaged one if it cannot be read; None if the line is another thing."""
        sender = _SENDERS.get(self.kind)
        if sender is None:
            return None
        if self.kind == DAMAGED:
            return WireEntry(sender, (), self.number, damaged=self.value)
        if not isinstance(self.value, str):
            return WireEntry(sender, (), self.number, damaged="a frame is not text; the record is damaged")
        return WireEntry.of(sender, self.value, self.number)


@dataclass(frozen=True, slots=True)
class Record:
    """A record."""

    header: dict[str, Any]  # the first line: ``format``, ``version``, ``started``, and the facts of the game
    lines: tuple[RecordLine, ...]  # the other lines
    torn: bool = False  # whether the file ends in the middle of a line, which is then ignored
    source: str = ""  # name of the file, for messages
    size: int = 0  # size of the file in bytes

    @property
    def version(self) -> int:
        """Version of its schema."""
        return int(self.header["version"])

    @property
    def ended(self) -> bool:
        """Whether the record reaches the end of its game."""
        return any(line.kind == "end" for line in self.lines)

    def session(self) -> WireSession:
        """The frames of the record, as a captured session; a line or a frame that cannot be read is a damaged one.

        Raises:
            LogError: no frame can be read.
        """
        entries = [frame for line in self.lines if (frame := line.frame) is not None]
        return session_of(entries, self.source, "contains no frame: the record ends before the first one")


def read_record(data: bytes | str, source: str = "", *, strict: bool = True) -> Record:
    """Read a record.

    Args:
        data: the record.
        source: its name, for messages.
        strict: whether a damaged line is an error; else it is a line of the kind :data:`DAMAGED`.

    Raises:
        LogError: the data are not a record, have an unknown version, or are damaged other than at the very end; the
            message says in which line.
    """
    if isinstance(data, bytes):  # a character cut in half at the end is left out
        end = data.rfind(b"\n") + 1
        data = data[:end] + data[end:].decode("utf-8", "ignore").encode()
    text = decode_text(data) if strict else decode_damaged(data)[0]
    *whole, rest = text.split("\n")
    torn = bool(rest.strip())
    if not whole:
        raise LogError("the record ends in its first line: nothing was recorded", source, "line 1", LogTrouble.NO_GAME)
    header = _parse(whole[0], source, 1)
    version = header.get("version")
    if header.get("format") != FORMAT or type(version) is not int:
        raise LogError(
            f'is not a record: the first line must have "format": "{FORMAT}" and a version',
            *(source, "line 1", LogTrouble.NO_LOG),
        )
    if not 1 <= version <= VERSION:
        why = f"has version {version}; this program reads up to {VERSION}: update it"
        raise LogError(why, source, "line 1", LogTrouble.NEWER)
    lines = []
    for number, line in enumerate(whole[1:], 2):
        if line.strip():
            try:
                lines += _line(line, source, number)
            except LogError as error:
                if strict:
                    raise
                lines.append(RecordLine(number, 0.0, DAMAGED, {DAMAGED: error.message}))
    size = len(data) if isinstance(data, bytes) else len(data.encode())
    return Record(header, tuple(lines), torn, source, size)


def read_session(data: bytes | str, source: str = "") -> WireSession:
    """The frames of a record, as a captured session.

    Raises:
        LogError: see :func:`read_record` and :meth:`Record.session`.
    """
    return read_record(data, source, strict=False).session()


def read(data: bytes | str, source: str = "") -> GameLog:
    """Read the game of a record; see :func:`read_session` and :func:`~protocol.logs.wire.game_of`."""
    return game_of(read_session(data, source))


def _line(line: str, source: str, number: int) -> list[RecordLine]:
    """The line; none of a kind that only a later version writes."""
    content = _parse(line, source, number)
    kind = next((kind for kind in KINDS if kind in content), None)
    if kind is None:
        return []
    at = content.get("at")
    if not isinstance(at, int | float) or isinstance(at, bool):
        raise LogError('"at" is not a number of seconds; the record is damaged', source, f"line {number}")
    return [RecordLine(number, float(at), kind, content)]


def _parse(line: str, source: str, number: int) -> dict[str, Any]:
    where = f"line {number}"
    try:
        content = parse_value(line)
    except (JSONDecodeError, RecursionError):
        content = None
    except ValueError as error:
        raise LogError(f"contains a number that no record has: {error}; it is damaged", source, where) from None
    if not isinstance(content, dict):
        raise LogError("is not a JSON object; the record is damaged at this line", source, where)
    return content
