"""The push/fold tables that ``flow`` knows: the paper's, and two variants of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from engine.policy.pushfold import ALWAYS, PAPER, PushFoldTable

OPEN: Final = PushFoldTable(limits=(ALWAYS, 1, 0), open_melds=3, flush_melds=2)
"""Three called melds are usually tenpai, two in one suit cost much. A guess."""
PLACEMENT: Final = PushFoldTable(limits=(ALWAYS, 1, 0), last_round=(-1, 0, 0, 1))
"""In the last round the first has nothing to win and the last nothing to lose. A guess."""

TABLES: Final[Mapping[str, PushFoldTable]] = {"paper": PAPER, "open": OPEN, "placement": PLACEMENT}
"""By the name that the setting ``table`` of ``flow`` takes."""
