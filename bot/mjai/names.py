"""How a program is named where a policy could be."""

from __future__ import annotations

from typing import Final

EVERY_LINE: Final = "mjai:"
"""What follows is the command of a program that answers every line, ``none`` where there is nothing to say."""
WHERE_ASKED: Final = "mjai-asked:"
"""The same of one that writes a line only where there is a choice, as those that follow Mortal do."""
PREFIXES: Final = (EVERY_LINE, WHERE_ASKED)
