"""Text files with a log in each line, as people keep them: addresses of tenhou.net, ids, logs written in one line.

Blank lines and comments are passed over, and so is what stands before an address: a number, a date, a mark.
"""

import json
import re
from dataclasses import dataclass
from typing import Final

from bot.logs.addresses import seat_in
from protocol.logs.game_log import LOG_ID, plain_id
from protocol.logs.tenhou6_text import HOST, LINK, VIEWER_LINK

_is_json_list: Final = re.compile(
    rb"(?:\xef\xbb\xbf)?\s*\[\s*\{(?:(?!\"type\"\s*:).)*?\"log\"\s*:\s*\[", re.DOTALL
).match
_is_named: Final = re.compile(rf"{HOST}\S*?{LOG_ID}", re.IGNORECASE).search
_OF_ADDRESS: Final = "[!-+.-:<-{}~-]"
"""A character of an address. Any other ends it, such as a comma or a Japanese word between two addresses."""
_is_bare_id: Final = re.compile(rf"(?:(?:log|file)=)?{LOG_ID}(?:&{_OF_ADDRESS}*)?(?=$|[\s,;|/]|[^ -~])").match
_each_id: Final = re.compile(
    rf"{_OF_ADDRESS}*?({LOG_ID})(?:(?!https?:|tenhou\.net|/{LOG_ID}){_OF_ADDRESS})*", re.IGNORECASE
).finditer
_is_comment: Final = re.compile(r"#(?!json=)|//|;|--|%").match
_mark: Final = re.compile(r"^(?:[-*+\u2022]\s+|[0-9]{1,5}[.):]\s+|[\"'(\[`]+|<(?![A-Za-z?])|<(?=http|www|tenhou))+")
_FIRST_LINES: Final = 1 << 16
"""Bytes among which the first line of a list must begin."""
_HEADING: Final = 3
"""Lines among which the first address of a list stands; before it may be a title, or the names of columns."""
_NAMING: Final = 500
"""Characters of a line among which an address with an id stands."""


@dataclass(frozen=True, slots=True)
class Entry:
    """An entry of a list."""

    line: int  # number of its line
    text: str = ""  # the log; empty if there is only its id
    log_id: str = ""  # the id of a log that must be found elsewhere
    seat: int | None = None  # the seat that its address names
    error: str = ""  # why the line is neither a log nor an id


def entries_of(data: bytes) -> list[Entry] | None:
    """The entries of a list; None if the text is not a list, or is a single log."""
    if _is_json_list(data):
        return _elements(data)
    if not _begins_as_list(data):
        return None
    lines = enumerate(data.decode("utf-8-sig", "replace").split("\n"), 1)
    found: list[Entry] = []
    for number, line in lines:
        if not _is_empty(line):
            found += _entries(number, line)
    if 2 * sum(bool(entry.error) for entry in found) > len(found):
        return None
    read = [entry for entry in found if not entry.error]
    return None if len(read) == 1 and _is_log(read[0].text) else found


def _begins_as_list(data: bytes) -> bool:
    head = data[:_FIRST_LINES].removeprefix(b"\xef\xbb\xbf").decode("utf-8", "replace")
    lines = [_mark.sub("", line.strip()) for line in head.split("\n") if not _is_empty(line)]
    if any(LINK.search(line) or _is_named(line[:_NAMING]) or _is_bare_id(line) for line in lines[:_HEADING]):
        return True
    plain = lines[0] if lines else ""
    if plain.startswith("<?xml"):
        return "<mjloggm" in plain  # a declaration on a line of its own begins one log
    return plain.startswith(("{", "<mjloggm")) and '"type"' not in plain[:200]


def _elements(data: bytes) -> list[Entry] | None:
    """The logs of one JSON list of them; ``line`` is the place in the list. None if it is something else."""
    try:
        values = json.loads(data.decode("utf-8-sig"))
    except (ValueError, RecursionError):
        return None
    if not all(isinstance(value, dict) and isinstance(value.get("log"), list) for value in values):
        return None
    return [Entry(place, json.dumps(value, ensure_ascii=False)) for place, value in enumerate(values, 1)]


def _is_log(line: str) -> bool:
    """Whether a line holds a whole log."""
    if line.startswith("{"):
        return line.endswith("}") and '"log"' in line
    return line.startswith(("<mjloggm", "<?xml")) and line.endswith("</mjloggm>")


def _is_empty(line: str) -> bool:
    plain = line.strip("\ufeff \t\r\f\v\0")
    return not plain or _is_comment(plain) is not None


def _entries(number: int, line: str) -> list[Entry]:
    """The log or the ids that a line names; a line may hold several addresses."""
    plain = _mark.sub("", line.strip("\ufeff \t\r\0"))
    whole = plain.rstrip(" \"'`,;") if plain.startswith("{") else plain
    if _is_log(whole):
        return [Entry(number, whole)]
    if "#json=" in plain.lower() and LINK.search(plain):  # the first is fast on a long line
        texts = [text.rstrip(" \t\"'>)`,;") for text in LINK.split(plain)[1:]]
        return [Entry(number, VIEWER_LINK + text, seat=seat_in(text[-_NAMING:])) for text in texts]
    if _is_named(plain[:_NAMING]) or _is_bare_id(plain):
        return [Entry(number, log_id=plain_id(found[1]), seat=seat_in(found[0])) for found in _each_id(plain)]
    shown = plain if len(plain) <= 40 else f"{plain[:40]}…"
    return [Entry(number, error=f"{shown!r} is neither an address of tenhou.net nor a log; put # before a remark")]
