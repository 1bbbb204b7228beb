"""JSON from strangers: whatever is wrong with it, one clear error that says where."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any, Final, NoReturn

from protocol.errors import LogError

_is_not_space: Final = re.compile(r"\S").search


def decode_text(data: bytes | str) -> str:
    """UTF-8 text, without a byte order mark.

    Raises:
        LogError: it is not UTF-8.
    """
    if isinstance(data, str):
        return data.removeprefix("\ufeff")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise LogError("is not UTF-8 text; fetch it again", position=f"byte {error.start + 1}") from None


def read_values(text: str) -> Iterator[tuple[Any, int]]:
    """Every JSON value of ``text`` with the line it begins on: one, or several one after the other.

    Raises:
        LogError: the text is not JSON, or is nested absurdly deep.
    """
    at, line = 0, 1
    while found := _is_not_space(text, at):
        line += text.count("\n", at, found.start())
        try:
            value, end = _DECODER.raw_decode(text, found.start())
        except json.JSONDecodeError as error:
            cut = error.pos >= len(text.rstrip())
            what = "the text ends in the middle" if cut else error.msg.removesuffix(" (char 0)")
            raise LogError(
                f"is not JSON: {what}; fetch the log again", position=f"line {error.lineno}, column {error.colno}"
            ) from None
        except RecursionError:
            raise LogError("is nested too deep to be a log", position=f"line {line}") from None
        except ValueError as error:
            raise LogError(f"holds a number that no log has: {error}", position=f"line {line}") from None
        yield value, line
        line += text.count("\n", found.start(), end)
        at = end


def dump(value: Any) -> str:
    """Compact JSON, with names as they are."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    # Half a surrogate pair is text that JSON can spell and UTF-8 cannot.
    return text if _is_encodable(text) else json.dumps(value, separators=(",", ":"))


def _is_encodable(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _no_constant(name: str) -> NoReturn:
    raise ValueError(name)


_DECODER: Final = json.JSONDecoder(parse_constant=_no_constant)
