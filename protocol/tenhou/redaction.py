"""Removal of credentials from text, so that they never reach a log, a record, an error or a ``repr``.

An account key is the only credential of a Tenhou account; a ``gpid`` is that of one game.
"""

from __future__ import annotations

import re
from typing import Final

HIDDEN: Final = "ID********-********"
"""Replaces an account key."""

_CHARACTER: Final = "(?:[0-9A-Za-z]|%[3-7][0-9A-Fa-f])"
_KEY: Final = re.compile(f"(?:I|%49)(?:D|%44){_CHARACTER}{{8}}(?:-|%2[Dd]){_CHARACTER}{{8}}")


_GPID: Final = re.compile(r"""(\bgpid\\?["']?\s*[:=]\s*\\?["'])[^"'\\]*""")


def redact(text: str) -> str:
    """``text`` with every account key (``IDxxxxxxxx-xxxxxxxx``, percent-encoded or not) and every ``gpid`` replaced."""
    return _GPID.sub(r"\1********", _KEY.sub(HIDDEN, text)) if "gpid" in text else _KEY.sub(HIDDEN, text)
