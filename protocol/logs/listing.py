"""Text files with a log in each line, as people keep them: addresses of tenhou.net, ids, logs written in one line.

Blank lines and comments are passed over, and so is what stands before an address: a number, a date, a mark. Several
lines that hold one hand each of a game, as viewers and converters write them, are one log.
"""

import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import unquote

from engine.model.rules import RIICHI_STICK
from protocol.logs.addresses import VIEWER_LINK, seat_in
from protocol.logs.game_log import LOG_ID

_is_json_list: Final = re.compile(
    rb"(?:\xef\xbb\xbf)?\s*\[\s*\{(?:(?!\"type\"\s*:).)*?\"log\"\s*:\s*\[", re.DOTALL
).match
_link: Final = re.compile(r"(?:https?://)?(?:www\.)?tenhou\.net/[0-9]/?#json=", re.IGNORECASE).search
_named: Final = re.compile(rf"(?:https?://)?(?:www\.)?tenhou\.net/\S*?({LOG_ID})\S*", re.IGNORECASE).search
_bare_id: Final = re.compile(rf"({LOG_ID})(?:&tw=[0-3])?(?=$|[\s,;|])").match
_is_comment: Final = re.compile(r"#(?!json=)|//|;|--|%").match
_mark: Final = re.compile(r"^(?:[-*+\u2022]\s+|[0-9]{1,5}[.):]\s+|[\"'(\[`]+|<(?![A-Za-z?])|<(?=http|www|tenhou))+")
_more_fields: Final = re.compile(r"(?:&\w+=\w*)+$")
_FIRST_LINES: Final = 1 << 16
"""Bytes among which the first line of a list must begin."""
_HEADING: Final = 3
"""Lines among which the first address of a list stands; before it may be a title, or the names of columns."""
_NAMING: Final = 500
"""Characters of a line among which an address with an id stands."""


@dataclass(frozen=True, slots=True)
class Entry:
    """An entry of a list: one line, or several that are one log."""

    line: int  # number of the first line
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
            found.append(_entry(number, line))
    if 2 * sum(bool(entry.error) for entry in found) > len(found):
        return None
    joined = _joined(found) if len(found) > 1 else found
    as_it_is = (
        len(joined) == 1
        and all(_is_log(entry.text) for entry in found)
        and len(found) == sum(bool(line.strip()) for line in data.split(b"\n"))
    )
    return None if as_it_is else joined


def _begins_as_list(data: bytes) -> bool:
    head = data[:_FIRST_LINES].removeprefix(b"\xef\xbb\xbf").decode("utf-8", "replace")
    lines = [_mark.sub("", line.strip()) for line in head.split("\n") if not _is_empty(line)]
    if any(_link(line) or _named(line[:_NAMING]) or _bare_id(line) for line in lines[:_HEADING]):
        return True
    plain = lines[0] if lines else ""
    return plain.startswith(("{", "<mjloggm", "<?xml")) and '"type"' not in plain[:200]


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


def _entry(number: int, line: str) -> Entry:
    plain = _mark.sub("", line.strip("\ufeff \t\r\0"))
    whole = plain.rstrip(" \"'`,;") if plain.startswith("{") else plain
    if _is_log(whole):
        return Entry(number, whole)
    if found := _link(plain):
        text = plain[found.end() :].rstrip(" \t\"'>)`,;")
        return Entry(number, VIEWER_LINK + text, seat=seat_in(text[-_NAMING:]))
    if found := _named(plain[:_NAMING]) or _bare_id(plain):
        return Entry(number, log_id=found[1], seat=seat_in(found[0]))
    shown = plain if len(plain) <= 40 else f"{plain[:40]}…"
    return Entry(number, error=f"{shown!r} is neither an address of tenhou.net nor a log; put # before a remark")


def _joined(found: Iterable[Entry]) -> list[Entry]:
    """The entries, with those in a row that hold the hands of one game as one."""
    joined: list[Entry] = []
    before: dict[str, Any] | None = None
    for entry in found:
        document = _document(entry.text)
        if before is not None and document is not None and _follows(before, document):
            last = joined[-1]
            text = "\n".join(_plain_json(each) for each in (last.text, entry.text))
            joined[-1] = Entry(last.line, text, seat=last.seat)
        else:
            joined.append(entry)
        before = document
    return joined


def _plain_json(text: str) -> str:
    if not text.startswith(VIEWER_LINK):
        return text
    text = text.removeprefix(VIEWER_LINK)
    return unquote(text[:-_NAMING] + _more_fields.sub("", text[-_NAMING:]))


def _document(text: str) -> dict[str, Any] | None:
    """The tenhou.net/6 log of an entry; None if it is something else."""
    if not text or text.startswith("<"):
        return None
    try:
        value = json.loads(_plain_json(text))
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) and isinstance(value.get("log"), list) and value["log"] else None


def _follows(before: dict[str, Any], after: dict[str, Any]) -> bool:
    """Whether a log begins where another ends: with these players, at a later hand, and with the scores after it."""
    try:
        last, first = before["log"][-1], after["log"][0]
        same = before.get("name") == after.get("name") and last[0][:2] < first[0][:2]
        return same and list(first[1]) == _scores_after(last)
    except (LookupError, TypeError, ValueError):
        return False


def _scores_after(hand: Sequence[Any]) -> list[int]:
    """The scores after a hand of tenhou.net/6: its payments, and the riichi sticks that were laid down."""
    scores = list(hand[1])
    result = hand[16]
    for payments in result[1::2]:
        scores = [score + delta for score, delta in zip(scores, payments, strict=True)]
    won_on = result[2][1] if len(result) > 2 and result[2][0] != result[2][1] else None
    for seat in range(4):
        discards = hand[6 + 3 * seat]
        declared = [at for at, each in enumerate(discards) if isinstance(each, str) and each.startswith("r")]
        if declared and not (seat == won_on and declared[-1] == len(discards) - 1):
            scores[seat] -= RIICHI_STICK
    return scores
