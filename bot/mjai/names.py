"""How a program is named in place of a policy."""

from __future__ import annotations

from typing import Final

EVERY_LINE: Final = "mjai:"
"""Followed by the command of a program that answers every line, with ``none`` if there is nothing to decide."""
WHERE_ASKED: Final = "mjai-asked:"
"""The same for a program that writes a line only where there is a choice, as those that follow Mortal do."""
PREFIXES: Final = (EVERY_LINE, WHERE_ASKED)
