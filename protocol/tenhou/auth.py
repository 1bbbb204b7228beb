"""The reply to the token in HELO, which only the older transport requires."""

from __future__ import annotations

import re
from typing import Final

from protocol.errors import RemoteProtocolError

_TABLE: Final = (
    *(63006, 9570, 49216, 45888, 9822, 23121, 59830, 51114, 54831, 4189, 580, 5203, 42174),
    *(59972, 55457, 59009, 59347, 64456, 8673, 52710, 49975, 2006, 62677, 3463, 17754, 5357),
)
_is_token: Final = re.compile(r"([0-9]{8})-([0-9a-fA-F]{4})([0-9a-fA-F]{4})").fullmatch


def answer(token: str) -> str:
    """``val`` of AUTH for ``auth`` of HELO: ``'20180117-e7b5e83e'`` → ``'20180117-c1ebb26f'``.

    Raises:
        RemoteProtocolError: the text is not a token.
    """
    match = _is_token(token)
    if match is None:
        raise RemoteProtocolError(f"auth={token[:40]!r} is not eight digits, '-' and eight hex digits", token)
    date, *halves = match.groups()
    first = int("2" + date[2:]) % (12 - int(date[7])) * 2
    words = (_TABLE[first + place] ^ int(half, 16) for place, half in enumerate(halves))
    return f"{date}-" + "".join(f"{word:04x}" for word in words)
