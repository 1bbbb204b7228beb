"""Furiten told in the words of the rule: a hand whose waits include one of its own discards cannot win by ron."""

from __future__ import annotations

from engine.model.tiles import KINDS
from tests.oracles.naive_hands import complete


def waits(concealed):
    """The kinds that complete 13 - 3k concealed tiles, those of which four are concealed left out."""
    found = set()
    for kind in range(KINDS):
        if concealed[kind] < 4:
            counts = list(concealed)
            counts[kind] += 1
            if complete(tuple(counts)):
                found.add(kind)
    return found


def furiten(concealed, river, discard=None):
    """Whether the hand of 13 - 3k tiles, or of one more without the discard, is furiten by the kinds of its river."""
    counts, gone = list(concealed), set(river)
    if discard is not None:
        counts[discard] -= 1
        gone.add(discard)
    return bool(waits(counts) & gone)
