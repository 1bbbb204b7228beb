"""JSON from untrusted sources: any fault becomes one clear error that says where it is.

In numbers, ``25000.0`` is a whole one too. One that no log has, such as ``1e400`` or ``NaN``, is read as infinite, so
that it costs no more than the place where it stands.
"""

import codecs
import json
import math
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final, NoReturn

from protocol.errors import LogError

_WORDS: Final = ("true", "false", "null", "-1", "\\u0000")
"""Values, besides strings, within which a text may break off."""
_LONGEST_WORD: Final = 8
_LIMIT: Final = 1 << 64
"""Bound of all numbers: whatever they are, 64 bits hold the whole ones, and floats can be added and multiplied."""
_DIGITS: Final = 21
"""Characters of the longest whole number within it."""
_SHOWN: Final = 24
"""Characters of a number that a message quotes."""
_is_not_space: Final = re.compile(r"\S").search


def is_utf16(data: bytes) -> bool:
    """Whether the first characters of a text are in UTF-16, with or without a byte order mark."""
    return data[:2] in (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE) or (len(data) > 1 and data[:2].count(0) == 1)


def _refused(text: str) -> NoReturn:
    raise ValueError(f"{text[:_SHOWN]}…" if len(text) > _SHOWN else text)


class JsonError(LogError):
    """A text is not JSON.

    Attributes:
        at: index from which on the text may be JSON again.
    """

    at = 0


class Doubled(dict[str, Any]):
    """An object of JSON that gives keys twice, with different values; the later ones are in it.

    Attributes:
        faults: what it gives twice, by the key, in words.
    """

    faults: Mapping[str, str]


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object of JSON, a :class:`Doubled` one if it contradicts itself."""
    values = dict(pairs)
    if len(values) == len(pairs):
        return values
    faults = {
        name: f"gives {quoted(name)} twice, as {quoted(value)} and as {quoted(values[name])}"
        for name, value in pairs
        if value != values[name]
    }
    if not faults:
        return values
    doubled = Doubled(values)
    doubled.faults = faults
    return doubled


def _decoder(
    beyond: Callable[[str], float], made_of: Callable[[list[tuple[str, Any]]], dict[str, Any]] | None = None
) -> json.JSONDecoder:
    """A decoder of JSON in which a number beyond the limit, or none, is what ``beyond`` makes of its text.

    ``made_of`` makes an object of its pairs; None: of a key that is repeated the last value counts.
    """

    def whole_number(text: str) -> float:
        value = int(text) if len(text) <= _DIGITS else _LIMIT
        return value if -_LIMIT < value < _LIMIT else beyond(text)

    def fraction(text: str) -> float:
        value = float(text)
        return value if -_LIMIT < value < _LIMIT else beyond(text)

    return json.JSONDecoder(
        object_pairs_hook=made_of, parse_int=whole_number, parse_float=fraction, parse_constant=beyond
    )


_LENIENT: Final = _decoder(lambda _text: math.inf, _object)
_STRICT: Final = _decoder(_refused)


def decode_text(data: bytes | str) -> str:
    """Decode UTF-8 text, without a byte order mark.

    Raises:
        LogError: the data are not UTF-8.
    """
    if isinstance(data, str):
        return data.removeprefix("\ufeff")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise LogError("is not UTF-8 text; fetch it again", position=f"byte {error.start + 1}") from None


def decode_damaged(data: bytes | str) -> tuple[str, LogError | None]:
    """The text, with ``�`` for what is not UTF-8, and the error of that; None if all is UTF-8."""
    try:
        return decode_text(data), None
    except LogError as error:
        return data.decode("utf-8-sig", "replace") if isinstance(data, bytes) else data, error


def read_values(text: str) -> Iterator[tuple[Any, int]]:
    """Yield every JSON value of ``text``, one or several in a row, with the line on which it begins.

    Raises:
        LogError: the text is not JSON, or is nested too deep.
    """
    at, line = 0, 1
    while found := _is_not_space(text, at):
        line += text.count("\n", at, found.start())
        value, end = read_value(text, found.start())
        yield value, line
        line += text.count("\n", found.start(), end)
        at = end


def read_value(text: str, at: int) -> tuple[Any, int]:
    """The JSON value that begins at an index of ``text``, and the index after it.

    Raises:
        JsonError: no value begins there, or it is nested too deep.
    """
    try:
        return _LENIENT.raw_decode(text, at)
    except json.JSONDecodeError as error:
        rest = text[error.pos : error.pos + _LONGEST_WORD].rstrip()
        cut = error.msg.startswith("Unterminated string") or any(word.startswith(rest) for word in _WORDS)
        what = "the text ends in the middle" if cut else error.msg.removesuffix(" (char 0)")
        place = f"line {error.lineno}, column {error.colno}"
        fault = JsonError(f"is not JSON: {what}; fetch the log again", position=place)
        fault.at = error.pos
    except RecursionError:
        fault = JsonError("is nested too deeply to be a log", position=f"line {text.count(chr(10), 0, at) + 1}")
        fault.at = text.find("\n", at) % (len(text) + 1)
    raise fault


def parse_value(text: str) -> Any:
    """The one JSON value of ``text``.

    Raises:
        ValueError: it is not JSON (then it is a ``JSONDecodeError``), or contains a number that no log has.
        RecursionError: it is nested too deep.
    """
    return _STRICT.decode(text)


def quoted(value: Any) -> str:
    """A value as messages quote it, shortened."""
    text = repr(value)
    return text if len(text) <= 40 else f"{text[:36]} ..."


def dump(value: Any) -> str:
    """Compact JSON, with non-ASCII characters unescaped."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    # JSON can spell half a surrogate pair, but UTF-8 cannot encode it.
    return text if can_be_encoded(text) else json.dumps(value, separators=(",", ":"))


def can_be_encoded(text: str) -> bool:
    """Whether a text can be written as UTF-8, as one with half of a surrogate pair cannot."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def whole(value: Any) -> int | None:
    """The whole number that a JSON number is; None if it is not one."""
    if type(value) is int:
        return value
    return int(value) if type(value) is float and value.is_integer() else None


def whole_numbers(value: Any, length: int) -> list[int] | None:
    """The whole numbers that a list of that length has; None if it is not one."""
    numbers = [number for number in map(whole, value) if number is not None] if isinstance(value, list) else []
    return numbers if isinstance(value, list) and len(numbers) == len(value) == length else None
