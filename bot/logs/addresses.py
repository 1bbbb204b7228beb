"""Addresses of tenhou.net that people copy from a browser: logs written into the address itself, and log ids."""

import re
from dataclasses import dataclass
from typing import Final

from protocol.errors import LogError, LogTrouble
from protocol.logs.game_log import LOG_ID, plain_id
from protocol.logs.tenhou6_text import HOST, LINK, VIEWER_LINK

SHOWN: Final = 60
"""Number of characters of a long address or name that messages show."""

_is_address: Final = re.compile(r"\s*(?:[A-Za-z][A-Za-z0-9+.-]*://|(?:www\.)?tenhou\.net/)").match
_is_tenhou: Final = re.compile(rf"\s*{HOST}", re.IGNORECASE).match
_log_id: Final = re.compile(LOG_ID).search
_bare_id: Final = re.compile(rf"\s*({LOG_ID})(?:&tw=([0-3]))?\s*").fullmatch
_seat: Final = re.compile(r"[?&]tw=([0-3])(?![0-9])").search


@dataclass(frozen=True, slots=True)
class LogAddress:
    """The address of a log on the server: ``https://tenhou.net/0/?log=2017010100gm-00e9-0000-de8eee52&tw=1``."""

    log_id: str  # the log's id
    seat: int | None = None  # the seat from which it is watched, 0 the first dealer; None if the address does not say

    @property
    def advice(self) -> str:
        """How to get the log: nothing is downloaded unless the user says so."""
        return (
            "logs are not downloaded unless you say --fetch, which asks tenhou.net for this one; or "
            f"open https://tenhou.net/0/log/?{self.log_id} in a browser, save the page as "
            f"{self.log_id}.xml in this folder, and run the same command again, or name the file where you saved it"
        )

    def not_here(self, source: str) -> LogError:
        """The error of a log that is not here, with that advice."""
        return LogError(self.advice, source, trouble=LogTrouble.NOT_HERE)


def is_address(text: str) -> bool:
    """Whether a text is an address, or the id of a log, rather than the name of a file."""
    return _is_address(text) is not None or _bare_id(text) is not None


def read_address(text: str) -> LogAddress | bytes:
    """The log id of an address or by itself, or the tenhou.net/6 log that the address contains.

    Raises:
        LogError: the address is neither; the message says what is read.
    """
    if found := LINK.match(text.lstrip()):
        return (VIEWER_LINK + text.lstrip()[found.end() :]).encode("utf-8", "replace")
    log_id = _log_id(text) if _is_tenhou(text) or _bare_id(text) else None
    if log_id is None:
        raise LogError(
            "nothing is downloaded; save the log and name its file. Addresses are read from "
            f"{VIEWER_LINK}…, which contain the log, and https://tenhou.net/0/?log=…, whose log lies in this folder",
            shortened(text),
            trouble=LogTrouble.ADDRESS,
        )
    return LogAddress(plain_id(log_id[0]), seat_in(text))


def seat_in(name: str) -> int | None:
    """The seat ``tw=N`` in an address, or in the name of a file that Tenhou's client saved; None if it has none."""
    found = _seat(name)
    return int(found[1]) if found else None


def shortened(text: str) -> str:
    """A text as messages show it: long ones are cut."""
    return text if len(text) <= 4 * SHOWN else f"{text[:SHOWN]}…"
