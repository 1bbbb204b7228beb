"""Text that is not UTF-8 although every log is: what PowerShell and old editors save."""

import codecs
from typing import Final

_MARKS: Final = {codecs.BOM_UTF16_LE: "utf-16-le", codecs.BOM_UTF16_BE: "utf-16-be"}


def utf16_of(data: bytes) -> str:
    """The name of the UTF-16 encoding that text begins in, with or without a byte order mark; empty if it is none."""
    if name := _MARKS.get(data[:2], ""):
        return "" if data[2:4] == b"\0\0" else name
    if len(data) < 2 or (data[0] == 0) == (data[1] == 0):
        return ""
    return "utf-16-be" if data[0] == 0 else "utf-16-le"


def as_utf8(data: bytes) -> bytes:
    """The text of a file as UTF-8; bytes that are not UTF-16 text are returned as they are."""
    encoding = utf16_of(data)
    try:
        return data.decode(encoding).removeprefix("\ufeff").encode() if encoding else data
    except UnicodeError:
        return data
