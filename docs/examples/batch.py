"""How often do players push into a riichi, by shanten? Reads logs, prints a table; the columns suit pandas as they are.

python batch.py LOG...
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable

import oshihiki


def pushes(logs: Iterable[str]) -> dict[int, tuple[int, int]]:
    """For each shanten: decisions against a riichi, and how many of them kept the shanten or declared riichi."""
    seen: Counter[int] = Counter()
    kept: Counter[int] = Counter()
    for row in oshihiki.decisions(*logs):
        kind, _, tile = row.played.partition(" ")
        if not (row.own_turn and row.riichi_against and kind in {"discard", "riichi"}):
            continue
        after = min(option.after.shanten for option in _options(row) if option.tile == tile.replace("0", "5"))
        seen[row.shanten] += 1
        kept[row.shanten] += after <= row.shanten
    return {shanten: (seen[shanten], kept[shanten]) for shanten in sorted(seen)}


def _options(row: oshihiki.LoggedDecision) -> list[oshihiki.DiscardOption]:
    return oshihiki.discards(row.tiles, row.melds)


def main() -> None:
    """Print the table."""
    logs = sys.argv[1:]
    columns = oshihiki.columns(oshihiki.decisions(*logs))  # pandas.DataFrame(columns) makes a data frame of it
    print(f"{len(columns['played'])} decisions")
    for shanten, (seen, kept) in pushes(logs).items():
        print(f"{shanten}-shanten: {kept} of {seen} kept the shanten")


if __name__ == "__main__":
    main()
