r"""Hides credentials in every text that may reach a log, a record, an error or a ``repr``.

An account key is the whole credential of a Tenhou account; a ``gpid`` is that of one game. Both are found in every
spelling that text takes on its way: plain, percent-encoded, escaped for JSON (``\u0049``) or for XML (``&#73;``), and
each of these within another.
"""

import re
from collections.abc import Iterable
from typing import Final

ACCOUNT_KEY: Final = re.compile("ID[0-9A-Za-z]{8}-[0-9A-Za-z]{8}")
"""The form of an account key."""
HIDDEN: Final = "ID********-********"
"""What stands in the place of an account key."""
GPID_HIDDEN: Final = "********"

_GPID: Final = re.compile(r"""(\bgpid\\{0,16}["']?\s{0,4}[:=]\s{0,4}\\{0,16}["'])[^"'\\]*""")
_CODED: Final = re.compile(
    r"%([0-9A-Fa-f]{2})|\\{1,16}u00([0-9A-Fa-f]{2})|&#0{0,8}([0-9]{2,3});|&#[xX]0{0,8}([0-9A-Fa-f]{2});|&amp;"
)
"""One character in a coded spelling."""
_TOKEN: Final = re.compile(r"""(?:[^\s"'<>\\]|\\{1,16}u[0-9A-Fa-f]{4})+""")
"""Characters between spaces, quotes and brackets, in whatever spelling."""
_LAYERS: Final = 4
"""How many codings within one another are undone."""
_LOWER: Final = {code: code + 32 for code in range(ord("A"), ord("Z") + 1)}


def redact(text: str, secrets: Iterable[str] = ()) -> str:
    """``text`` with every account key (``IDxxxxxxxx-xxxxxxxx``), ``gpid`` and secret replaced.

    Args:
        text: any; the time it takes is linear in its length.
        secrets: values to hide beside, lower case; found in either case.
    """
    values = tuple(secrets)
    shown = _hidden(text, values)
    if _CODED.search(shown):  # what holds a secret in a coded spelling is hidden whole
        shown = _TOKEN.sub(lambda token: HIDDEN if _is_coded_secret(token[0], values) else token[0], shown)
    return _GPID.sub(rf"\1{GPID_HIDDEN}", shown) if "gpid" in shown else shown


def _is_coded_secret(text: str, values: tuple[str, ...]) -> bool:
    for _ in range(_LAYERS):
        plain = _CODED.sub(_character, text)
        if plain == text:
            return False
        if _hidden(plain, values) != plain:
            return True
        text = plain
    return False


def _character(coded: re.Match[str]) -> str:
    percent, escaped, decimal, entity = coded.groups()
    code = percent or escaped or entity
    return chr(int(code, 16)) if code else chr(int(decimal)) if decimal else "&"


def _hidden(text: str, values: tuple[str, ...]) -> str:
    """The text with each key and value replaced that stands in it as it is spelled; those that overlap together."""
    low = text.lower() if text.isascii() else text.translate(_LOWER)
    spans = [match.span() for match in ACCOUNT_KEY.finditer(text)]
    spans += [match.span() for value in values if value in low for match in re.finditer(re.escape(value), low)]
    parts: list[str] = []
    done = 0
    for first, last in sorted(spans):
        if first >= done:
            parts += [text[done:first], HIDDEN]
        done = max(done, last)
    return "".join([*parts, text[done:]])
