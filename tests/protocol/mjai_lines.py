"""Lines of mjai from which tests make logs."""

from __future__ import annotations

import json

HANDS = [
    ["1m", "2m", "3m", "1p", "2p", "3p", "1s", "2s", "3s", "E", "E", "S", "S"],
    ["1m", "4m", "7m", "1p", "4p", "7p", "1s", "4s", "7s", "W", "W", "N", "P"],
    ["2m", "5mr", "8m", "2p", "5p", "8p", "2s", "5s", "8s", "N", "P", "F", "C"],
    ["3m", "6m", "9m", "3p", "6p", "9p", "3s", "6s", "9s", "F", "F", "C", "C"],
]
START = [
    {"type": "start_game", "names": ["A", "B", "C", "D"], "kyoku_first": 4, "aka_flag": True},
    {
        "type": "start_kyoku", "bakaze": "E", "dora_marker": "W", "kyoku": 1, "honba": 0, "kyotaku": 0, "oya": 0,
        "scores": [25000] * 4, "tehais": HANDS,
    },
]  # fmt: skip
RIICHI = [
    {"type": "tsumo", "actor": 0, "pai": "9m"},
    {"type": "reach", "actor": 0},
    {"type": "dahai", "actor": 0, "pai": "9m", "tsumogiri": True},
    {"type": "reach_accepted", "actor": 0},
    {"type": "tsumo", "actor": 1, "pai": "S"},
    {"type": "dahai", "actor": 1, "pai": "S", "tsumogiri": True},
]
HORA = {"type": "hora", "actor": 0, "target": 1, "deltas": [13000, -12000, 0, 0], "ura_markers": ["N"]}
SCORE = {"yakus": [["reach", 1], ["ippatsu", 1], ["dora", 2]], "fu": 40, "fan": 4, "hora_points": 12000}
END = [{"type": "end_kyoku"}, {"type": "end_game"}]


def text(*lines):
    return "\n".join(map(json.dumps, lines))


GAME = text(*START, *RIICHI, HORA | SCORE, *END)
"""A whole game of one hand."""
