"""The log formats, one row each, and conversion between any two of them."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Final

from protocol.errors import LocalProtocolError, LogError, reading
from protocol.logs import mjai, mjlog, record, tenhou6, tenhou6_text, wire
from protocol.logs.game_log import GameLog
from protocol.logs.wire import WireSession


@dataclass(frozen=True, slots=True)
class LogFormat:
    """One log format."""

    name: str  # name used in options and messages
    title: str  # description for people
    # file name suffixes; the first is used for writing. Every file of a folder or an archive with one of them, but for
    # ``.json`` and ``.log``, claims to be a log: if its content is none, it is named as one that cannot be read
    suffixes: tuple[str, ...]
    begins: re.Pattern[bytes]  # pattern that the text of such a log, without space before it, matches at its beginning
    read: Callable[[bytes, str], GameLog]  # reads bytes, with a name for messages
    write: Callable[[GameLog], str] | None  # writes text; None for a format that cannot be written
    # reads what one client received and sent, where it is more than a game; None for other formats
    session: Callable[[bytes, str], WireSession] | None = None

    @property
    def writes(self) -> bool:
        """Whether the format can be written."""
        return self.write is not None

    @property
    def suffix(self) -> str:
        """The usual suffix, including its dot."""
        return self.suffixes[0]


FORMATS: Final[Mapping[str, LogFormat]] = {
    row.name: row
    for row in (
        LogFormat(
            "record",
            "record of a live game",
            (".jsonl",),
            re.compile(rb"\{\s*\"format\"\s*:\s*\"oshihiki-record\""),
            record.read,
            None,
            record.read_session,
        ),
        LogFormat(
            "mjlog",
            "Tenhou XML",
            (".xml", ".mjlog"),
            re.compile(rb"(?:<\?xml[^>]*>\s*)?<mjloggm\b"),
            mjlog.read,
            mjlog.write,
        ),
        LogFormat(
            "tenhou6",
            "tenhou.net/6 JSON",
            (".json",),
            tenhou6_text.BEGINS,
            tenhou6.read,
            tenhou6.write,
        ),
        LogFormat(
            "mjai",
            "mjai JSON lines",
            (".mjson", ".jsonl"),
            re.compile(
                rb"\[?\s*\{(?:[^{}\n]*\"type\"\s*:|"
                rb"(?:[^{}]|\{[^{}]*\})*?\"type\"\s*:\s*\"(?:hello|start_game|start_kyoku|tsumo|dahai)\")"
            ),
            mjai.read,
            mjai.write,
        ),
        LogFormat(
            "wire",
            "captured client session",
            (".log",),
            wire.BEGINS,
            wire.read,
            None,
            wire.read_session,
        ),
    )
}
"""Every format by name, in the order in which content is matched against them."""

SNIFFED_BYTES: Final = 65_536
"""Number of bytes at the beginning of a file that decide its format."""


@dataclass(frozen=True, slots=True)
class LogFile:
    """The bytes of one log and their origin. It holds only values and can be sent to another process."""

    name: str  # name for messages and sorting, such as ``'games.tar.xz/2009030701gm-00a9-0000-0dfd07b3.xml'``
    format: str = ""  # key of :data:`FORMATS`; empty when ``error`` is set
    data: bytes = b""  # contents, decompressed
    error: LogError | None = None  # why there are no contents; :func:`read_log` raises it
    named: bool = False  # whether the caller named this very file, not a folder or an archive that contains it
    # seat of the player whose log it is, as a link or a file's name gives it (``tw=1``); None if neither does, and for
    # a client's session, which shows its own seat
    seat: int | None = None
    log_id: str = ""  # id of a log that a list names and that is still to be found; empty for one that is here


_declarations: Final = re.compile(
    rb"(?:\xef\xbb\xbf)?(?:\s{0,200}(?:<\?[^>]{0,2000}>|<!--.{0,60000}?-->|<!DOCTYPE[^<>\[]{0,2000}>)){1,9}", re.DOTALL
).match
_remarks: Final = re.compile(rb"(?:\xef\xbb\xbf)?(?:[^\S\n]{0,200}(?:(?:#|//)[^\n]{0,2000})?\n){1,200}").match
_openings: Final = re.compile(rb"<mjloggm\b|\[?\s{0,20}\{\s{0,20}\"|(?:Send|Get): ?[<{]").finditer
_MOST_OPENINGS: Final = 20
"""Places at which a log is looked for behind other words."""


def without_declarations(data: bytes) -> bytes:
    """A text with blanks for what may stand before XML: declarations, comments, and document types."""
    return _blanked(data, _end(_declarations(data)))


def without_remarks(data: bytes) -> bytes:
    """A text with blanks for the lines of remarks at its beginning, after ``#`` or ``//``."""
    return _blanked(data, _end(_remarks(data)))


def without_words(data: bytes) -> bytes:
    """A text with blanks for the words that a browser, a program or a person has put before a log."""
    head = data[:SNIFFED_BYTES]
    places = (found.start() for found in islice(_openings(head), _MOST_OPENINGS))
    if detect_format(data) is not None:
        return data
    return _blanked(data, next((at for at in places if detect_format(head[at:]) is not None), 0))


def _blanked(data: bytes, end: int) -> bytes:
    """The text with blanks for its beginning, so that lines and columns stay true."""
    return re.sub(rb"[^\n]", b" ", data[:end]) + data[end:]


def _end(found: re.Match[bytes] | None) -> int:
    return 0 if found is None else found.end()


def detect_format(data: bytes) -> str | None:
    """The name of the format whose logs begin like ``data``, or None."""
    head = data[:SNIFFED_BYTES].removeprefix(b"\xef\xbb\xbf").lstrip()
    return next((row.name for row in FORMATS.values() if row.begins.match(head)), None)


def read_log(file: LogFile) -> GameLog:
    """Read a log in any format.

    Args:
        file: the log.

    Raises:
        LogError: the log cannot be read; the message gives file, position and what to do. ``UnsupportedGameError`` if
            it is of a game that is not supported.
    """
    if file.error is not None:
        raise file.error.located()  # a copy: one that is kept would keep all that its traceback leads to, too
    with reading(file.name):
        return FORMATS[file.format].read(file.data, file.name)


def read_session(file: LogFile) -> WireSession | None:
    """The session of one client, from a log that holds one; None for a log of a whole game.

    Raises:
        LogError: the log cannot be read.
    """
    if file.error is not None:
        raise file.error.located()  # a copy: one that is kept would keep all that its traceback leads to, too
    read = FORMATS[file.format].session
    if read is None:
        return None
    with reading(file.name):
        return read(file.data, file.name)


def write_log(game: GameLog, format_name: str) -> str:
    """The text of ``game`` in a format.

    Raises:
        LogError: the format cannot be written, or cannot express this game.
    """
    row = FORMATS.get(format_name)
    if row is None or row.write is None:
        known = ", ".join(name for name, each in FORMATS.items() if each.writes)
        raise LogError(f"logs cannot be written as {format_name!r}; choose one of {known}", game.source)
    try:
        # JSON can spell half a surrogate pair, in a name or an id, but UTF-8 cannot encode it.
        return row.write(game).encode("utf-8", "replace").decode()
    except LocalProtocolError as error:
        raise LogError(f"cannot be written as {format_name}: {error}", game.source) from None
    except LogError as error:
        raise error.located(game.source) from None


def convert(file: LogFile, format_name: str) -> str:
    """The text of a log in another format.

    What the new format cannot express is lost: tenhou.net/6 and mjai do not identify physical copies of a tile.

    Raises:
        LogError: see :func:`read_log` and :func:`write_log`.
    """
    return write_log(read_log(file), format_name)
