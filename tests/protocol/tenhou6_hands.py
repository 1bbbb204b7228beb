"""Logs of tenhou.net/6 with one hand, as Python's lists."""

from __future__ import annotations

import json

EAST_HAND = [11, 12, 13, 21, 22, 23, 31, 32, 33, 41, 41, 42, 42]
OTHERS = (
    [11, 14, 17, 21, 24, 27, 31, 34, 37, 43, 43, 44, 45],
    [12, 15, 18, 22, 51, 28, 32, 35, 38, 44, 45, 46, 47],
    [13, 16, 19, 23, 26, 29, 33, 36, 39, 46, 46, 47, 47],
)


def hand(columns, result, *, kyoku=(0, 0, 0), dora=(43,), ura=(), scores=(25000, 25000, 25000, 25000)):
    lists = [list(kyoku), list(scores), list(dora), list(ura)]
    for haipai, (draws, discards) in zip((EAST_HAND, *OTHERS), columns, strict=True):
        lists += [list(haipai), list(draws), list(discards)]
    return [*lists, result]


def log(*hands, **fields):
    return json.dumps({"name": ["A", "B", "C", "D"], "rule": {"disp": "般南喰赤", "aka": 1}, "log": hands, **fields})


GOOD = hand([([19], [60]), ([18], [60]), ([], []), ([], [])], ["四風連打"])
"""A hand of two turns."""
