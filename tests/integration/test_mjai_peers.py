"""Programs and a referee that others wrote: majiang-ai at the table, riichienv over it.

``make peers`` installs both; majiang-ai needs Node.js. Without them these are skipped.
"""

from __future__ import annotations

import json
import shlex
import shutil
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from bot.deciding.programs import MjaiPlayer, run_program
from bot.machine.programs import RunningProgram
from engine.arena import play_game
from engine.model.events import EndGame
from engine.model.rules import HANCHAN
from engine.policy.registry import make_policy

pytestmark = pytest.mark.slow

PEER = Path(__file__).parents[1] / "peers" / "majiang"
OURS = shlex.join((sys.executable, "-c", "from bot.cli import program; program()", "mjai", "--policy", "simple"))
PATIENCE = 120.0


@pytest.fixture
def majiang() -> str:
    """The command that runs it."""
    node = shutil.which("node")
    if node is None:
        pytest.skip("Node.js is not installed")
    if not (PEER / "node_modules" / "@kobalab" / "majiang-ai").is_dir():
        pytest.skip("majiang-ai is not installed: make peers")
    return shlex.join((node, str(PEER / "bridge.js")))


def test_majiang_plays_a_hanchan_in_the_arena(majiang: str) -> None:
    """Every answer of three such players is legal by the referee, and by our rules."""
    peers = [MjaiPlayer(majiang) for _ in range(3)]
    try:
        game = play_game([make_policy("simple"), *peers], HANCHAN, seed=1)
    finally:
        for peer in peers:
            peer.close()
    end = game.events[-1]
    assert isinstance(end, EndGame)
    assert sum(end.scores) == 100_000
    assert min(len(decisions) for decisions in game.decisions) > 50


def test_a_hanchan_by_mjai_under_another_referee(majiang: str) -> None:
    """riichienv deals, and finds every line of ours and of majiang's to be one of its legal actions."""
    riichienv: Any = pytest.importorskip("riichienv")
    pipes = [run_program(command) for command in (OURS, majiang, majiang, majiang)]
    env = riichienv.RiichiEnv(game_mode="4p-red-half", seed=1)
    observed = env.reset()
    answers = [0, 0, 0, 0]
    try:
        while not env.done():
            actions = {}
            for seat, view in observed.items():
                reply = ""
                for text in view.new_events():
                    line = json.loads(text)
                    if line["type"] == "start_game":
                        line |= {"id": seat, "names": ["A", "B", "C", "D"]}
                    reply = _tell(pipes[seat], line)
                actions[seat] = view.select_action_from_mjai(reply)
                assert actions[seat] is not None, f"seat {seat}: {reply}; legal: {view.legal_actions()}"
                answers[seat] += 1
            observed = env.step(actions)
    finally:
        for pipe in pipes:
            pipe.close()
    assert sum(env.scores()) == 100_000
    assert min(answers) > 50


def _tell(pipe: RunningProgram, line: dict[str, Any]) -> str:
    pipe.send(json.dumps(line))
    reply = pipe.receive(time.monotonic() + PATIENCE)
    assert reply is not None
    return reply
