"""The JSON of a tenhou.net/6 log, in a file or in a viewer's address; of a damaged text, the hands that are whole."""

import re
from itertools import pairwise
from typing import Any, Final
from urllib.parse import unquote

from protocol.errors import LogError, LogTrouble
from protocol.logs.json_text import Doubled, read_value, read_values

HOST: Final = r"(?:https?://)?(?:www\.)?tenhou\.net/"
"""The beginning of every address of Tenhou's, as a pattern."""
VIEWER_LINK: Final = "https://tenhou.net/6/#json="
"""The beginning of an address that contains a whole log."""
LINK: Final = re.compile(rf"{HOST}[0-9]/?#json=", re.IGNORECASE)
"""Every spelling of that beginning."""
BEGINS: Final = re.compile(
    rb"(?:(?i:" + LINK.pattern.encode() + rb")|\{(?:(?!\"type\"\s*:).)*?\"log\"\s*:\s*\[)", re.DOTALL
)
"""The beginning of such a log."""
SEVERAL: Final = 'contains several logs; write each on a line of its own, or their hands into the list "log" of one'
"""The error of a text with more than one log."""
_more_fields: Final = re.compile(r"(?:&\w+=\w*)+$")
_hands_begin: Final = re.compile(r'"log"\s*:\s*\[').search
_each_hand: Final = re.compile(r"\[\s*\[(?!\s*\[)").finditer
_MOST_HANDS: Final = 500
"""Hands that are looked for in a text that is not JSON; a game has some twenty."""
_hands_end: Final = re.compile(r'\]\s*,\s*(?="\w+"\s*:)').search


def parse_document(text: str) -> tuple[dict[str, Any], LogError | None]:
    """The log as a JSON object, and why the text is not all of it; a hand that is not JSON is its :class:`LogError`.

    Raises:
        LogError: the text is no log, or holds several.
    """
    damage: LogError | None = None
    if address := LINK.match(text.lstrip()):
        text = unquote(_more_fields.sub("", text.strip()[address.end() :]))
    values: list[tuple[Any, int]] = []
    try:
        values.extend(read_values(text))
    except LogError as error:
        damage, values = error, values or [(_whole_part(text, error), 1)]
    documents = [_object(value, line) for value, line in values]
    if not documents:
        raise LogError("the file is empty", trouble=LogTrouble.EMPTY)
    if len(documents) > 1:
        raise LogError(SEVERAL, trouble=LogTrouble.SEVERAL_GAMES)
    return documents[0], damage


def _object(value: Any, line: int) -> dict[str, Any]:
    if isinstance(value, Doubled) and "log" in value.faults:
        raise LogError(f"{value.faults['log']}; remove the wrong one", position=f"line {line}")
    if not isinstance(value, dict) or not isinstance(value.get("log"), list):
        raise LogError(
            'is not a tenhou.net/6 log: it has no list "log" of hands', "", f"line {line}", LogTrouble.NO_LOG
        )
    return value


def _whole_part(text: str, error: LogError) -> dict[str, Any]:
    """The fields and the hands of a text that is not JSON, as far as they are.

    Raises:
        LogError: no hand is; the error of the whole text.
    """
    opening = _hands_begin(text)
    begins = [found.start() for found in _each_hand(text, opening.end())] if opening else []
    if len(begins) > _MOST_HANDS:
        raise error
    hands = [_hand(text[:end], at) for at, end in pairwise([*begins, len(text)])]
    if opening is None or all(isinstance(hand, LogError) for hand in hands):
        raise error
    closing = _hands_end(text, begins[-1])
    after = _fields(f"{{{text[closing.end() :]}") if closing else {}
    return {**_fields(f"{text[: opening.start()].rstrip().rstrip(',')}}}"), **after, "log": hands}


def _hand(text: str, at: int) -> Any:
    try:
        return read_value(text, at)[0]
    except LogError as error:
        return error


def _fields(text: str) -> dict[str, Any]:
    """The fields of a JSON object whose text may break off; those at its end are lost then."""
    while text:
        try:
            fields, _ = read_value(text, 0)
        except LogError:
            rest = text.rpartition(',"')[0]
            text = f"{rest}}}" if rest else ""
        else:
            return fields if isinstance(fields, dict) else {}
    return {}
