"""Games through ``oshihiki mjai`` in which each hand has one line that cannot be: all are played to their end."""

from __future__ import annotations

import asyncio
import json
import random
from typing import Any

import pytest

from bot.commands.mjai import Program
from bot.deciding.programs import MjaiPlayer
from bot.deciding.thinker import Thinker
from engine.arena.match import play_game
from engine.model.events import EndGame
from engine.model.rules import TONPU
from engine.policy.registry import make_policy

WILD = [10**9, -(10**9), 0, 0]
HIDDEN = [["?"] * 13] * 4


def inserted(rng: random.Random, me: int) -> Any:
    """A line that cannot be, whatever has been played."""
    other, tile = (me + rng.randrange(1, 4)) % 4, rng.choice(["1m", "5pr", "9s", "E", "C"])
    return rng.choice(
        [
            "{",
            7,
            {"type": "fly"},
            {"type": "tsumo", "actor": 7, "pai": "?"},
            {"type": "tsumo", "actor": me},
            {"type": "tsumo", "pai": tile},
            {"type": "tsumo", "actor": me, "pai": "10m"},
            {"type": "dahai", "actor": other},
            {"type": "dahai", "actor": other, "pai": "?", "tsumogiri": False},
            {"type": "dahai", "actor": me, "pai": "xx", "tsumogiri": True},
            {"type": "dora", "dora_marker": tile},
            {"type": "dora"},
            {"type": "pon", "actor": other, "target": me, "pai": tile, "consumed": ["1m", "2m"]},
            {"type": "chi", "actor": me, "target": other, "pai": tile, "consumed": ["C", "C"]},
            {"type": "daiminkan", "actor": me, "target": me, "pai": tile, "consumed": [tile] * 3},
            {"type": "ankan", "actor": other, "consumed": ["1m", "2m", "3m", "4m"]},
            {"type": "kakan", "actor": other, "pai": "C", "consumed": ["C"] * 3},
            {"type": "reach", "actor": "x"},
            {"type": "hora", "actor": other, "target": other, "deltas": WILD},
            {"type": "hora", "actor": me, "target": me},
            {"type": "ryukyoku", "deltas": [10**400] * 4},
            {"type": "ryukyoku"},
            {"type": "end_kyoku"},
            {"type": "end_game"},
            {"type": "start_game", "id": me},
            {"type": "start_game"},
            {"type": "start_game", "id": me, "names": ["a", "b", "c"]},
            {"type": "start_kyoku"},
            {"type": "start_kyoku", "bakaze": "E", "dora_marker": tile, "kyoku": 1, "scores": WILD, "tehais": HIDDEN},
            {"type": "start_kyoku", "scores": [35_000] * 3, "tehais": HIDDEN[:3]},
            {"type": "kita", "actor": other, "pai": "N"},
            {"type": "error", "message": "no"},
        ]
    )


def damaged(rng: random.Random, line: dict[str, Any], me: int, *, riichi: bool) -> Any:
    """A line as it came, with something in it that cannot be; None for one that says what nobody else could know.

    The tile that is drawn in riichi is such a thing: only that can be discarded.
    """
    kind = line["type"]
    if kind == "start_kyoku":
        beyond = {"kyotaku": 100_000, "honba": 3_000, "scores": WILD, "kyoku": 9, "dora_marker": "x", "bakaze": 4}
        key = rng.choice(list(beyond))
        return line | {key: beyond[key]}
    if kind == "tsumo" and line["actor"] == me and not riichi:
        return rng.choice([line | {"pai": "xx"}, {key: line[key] for key in ("type", "actor")}])
    if kind in {"dahai", "pon", "chi"} and line["actor"] == me:
        return {key: value for key, value in line.items() if key not in {"pai", "consumed"}}
    if kind == "tsumo" and line["actor"] != me:
        return line | {"actor": 9}
    return None


class InProcess:
    """A program without a process."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.command = "hostile"
        self.replies: list[str] = []

    def send(self, line: str) -> None:
        self.replies.append(self.program.hear(line) or asyncio.run(self.program.answer()))

    def receive(self, _until: float) -> str:
        return self.replies.pop(0)

    def close(self) -> None:
        """Nothing runs."""


class Hostile(MjaiPlayer):
    """A server's side of our program that puts one line that cannot be into each hand."""

    def __init__(self, seed: int) -> None:
        self.notes: list[str] = []
        self.thinker = Thinker(make_policy("simple"))
        program = Program(self.thinker, "tester", 60.0, on_note=self.notes.append)
        super().__init__("true")
        self._pipe.close()
        self._pipe = InProcess(program)  # type: ignore[assignment]
        self.rng = random.Random(seed)
        self.hands = self.faults = self.lines = 0
        self.due = 0
        self.me = 0
        self.riichi = False

    def _send(self, line: dict[str, Any]) -> None:
        if line["type"] == "start_game":
            self.me = line["id"]
        if line["type"] == "start_kyoku":
            self.riichi = False
            self.hands, self.lines, self.due = self.hands + 1, 0, self.rng.choice([0, *range(1, 60)])
        self.riichi |= line["type"] == "reach" and line["actor"] == self.me
        self.lines += 1
        if self.due is not None and self.lines > self.due and line["type"] not in {"start_game", "end_game"}:
            spoiled = damaged(self.rng, line, self.me, riichi=self.riichi) if self.rng.random() < 0.5 else None
            if spoiled is not None:
                self.due, self.faults = None, self.faults + 1
                super()._send(spoiled)
                return
            if self.lines > 1:
                self.due, self.faults = None, self.faults + 1
                self._pipe.send(json.dumps(inserted(self.rng, self.me)))
                self._pipe.receive(0.0)
        super()._send(line)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(20))
def test_a_game_with_an_impossible_line_in_each_hand_is_played_to_its_end(seed: int) -> None:
    hostile = Hostile(seed)
    game = play_game([make_policy("simple"), hostile, make_policy("simple"), make_policy("simple")], TONPU, seed)
    assert isinstance(game.events[-1], EndGame)
    assert hostile.faults > hostile.hands / 2
    hostile.thinker.close()
