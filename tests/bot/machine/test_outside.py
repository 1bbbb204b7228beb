"""Policies, evaluators and danger estimators from outside: named as ``module:Class``, or put into a registry.

Those of the documentation play, meet in the arena, judge and evaluate.
"""

from __future__ import annotations

import json
import sys
from importlib import import_module
from pathlib import Path

import pytest

from bot.machine.parallel import end_workers
from engine.policy.registry import POLICIES
from engine.registry import Row
from engine.search.registry import EVALUATORS
from protocol.logs.formats import write_log
from protocol.logs.game_log import GameLog
from tests.bot.commands.program import asking
from tests.games import game_of
from tests.tiers import mostly_slow

EXAMPLES = Path(__file__).parents[3] / "docs" / "examples"
POLICY = "cautious:Cautious"
EVALUATOR = "value:evaluator=widest:Widest"
GUESSING = "flow:evaluator=widest:Widest:win=8000,danger=neighbours:Neighbours"
PLAYERS = [POLICY, f"{POLICY}:afraid_from=0.1", EVALUATOR, GUESSING]


@pytest.fixture(autouse=True)
def _here(monkeypatch):
    """The current directory is that of the examples, and nothing else leads to them."""
    monkeypatch.chdir(EXAMPLES)
    monkeypatch.setattr(sys, "path", [place for place in sys.path if place not in ("", str(EXAMPLES))])
    for name in ("cautious", "neighbours", "widest"):
        monkeypatch.delitem(sys.modules, name, raising=False)


@pytest.fixture
def oshihiki(capsys, monkeypatch):
    return asking(monkeypatch, capsys)


@pytest.fixture(scope="module")
def log(tmp_path_factory):
    path = tmp_path_factory.mktemp("logs") / "game.xml"
    game = game_of("simple", 2)
    path.write_text(write_log(GameLog(game.events), "mjlog"), encoding="utf-8")
    return path


@pytest.mark.slow
def test_it_plays_and_its_record_is_no_program(oshihiki, tmp_path):
    played = json.loads(oshihiki("play", "--policy", POLICY, "--tonpu", "--seed", 3, "--record", tmp_path, "--json"))
    assert played["games"] == 1
    assert played["decisions"] > 20
    assert played["illegal"] == played["failed"] == played["late"] == 0
    assert "everything agrees" in oshihiki("verify", *played["records"])
    said = oshihiki("replay", "--exact", *played["records"], code=2)
    assert "which is not part of this program, and cannot be replayed exactly" in said


@pytest.mark.slow
def test_it_meets_others_in_the_arena(oshihiki):
    figures = json.loads(oshihiki("arena", *PLAYERS, "--games", 4, "--tonpu", "--jobs", 1, "--json"))
    assert [side["player"] for side in figures["sides"]] == PLAYERS
    assert all(side["illegal"] == side["failed"] == 0 for side in figures["sides"])


@pytest.mark.slow
def test_it_meets_others_in_processes_of_their_own(oshihiki):
    end_workers()  # workers of earlier tests were started in another folder
    figures = json.loads(oshihiki("arena", POLICY, PLAYERS[3], "--games", 8, "--tonpu", "--jobs", 2, "--json"))
    assert sum(side["failed"] for side in figures["sides"]) == 0


@mostly_slow("player", [POLICY, EVALUATOR])
def test_it_judges(oshihiki, log, tmp_path, player):
    page = tmp_path / "report.html"
    found = json.loads(oshihiki("audit", log, "--seat", 1, "--policy", player, "--json", "-o", page))
    assert found["policy"]["name"] in ("cautious", "value")
    assert found["score"]["decisions"] > 20
    assert page.stat().st_size > 10_000
    agreed = json.loads(oshihiki("replay", log, "--policy", player, "--seat", 1, "--agree", "--json"))
    assert agreed["failed"] == agreed["illegal"] == 0
    ranked = json.loads(oshihiki("evaluate", "--state", f"{log}#E1/turn6/seat2", "--policy", player, "--json"))
    assert ranked["policy"] == player


def test_its_danger_is_shown(oshihiki):
    table = ("234m33345p45667s9m", "--dora", "4p", "--state", "right=4z1m*4m", "--policy", "simple")
    found = json.loads(oshihiki("evaluate", *table, "--danger", "neighbours:Neighbours", "--json"))
    assert found["estimator"] == "neighbours"
    assert found["danger"]["4m"]["right"] == 0.0 < found["danger"]["3m"]["right"]
    assert "no danger estimator is named 'stars'" in oshihiki("evaluate", *table, "--danger", "stars", code=2)


def test_it_speaks_mjai(oshihiki, monkeypatch, tmp_path):
    start = tmp_path / "in.jsonl"
    start.write_text('{"type":"start_game","id":0,"names":["a","b","c","d"]}\n{"type":"end_game"}\n')
    with start.open("rb") as stream:
        monkeypatch.setattr(sys, "stdin", type("Input", (), {"buffer": stream})())
        lines = oshihiki("mjai", "--policy", POLICY).splitlines()
    assert [json.loads(line)["type"] for line in lines] == ["none", "none"]


@pytest.mark.slow
def test_a_row_is_all_that_a_registry_needs(oshihiki, monkeypatch):
    monkeypatch.syspath_prepend(str(EXAMPLES))
    cautious, widest = import_module("cautious"), import_module("widest")
    monkeypatch.setitem(POLICIES.rows, "careful", Row("cautious:Cautious", cautious.CautiousSettings))
    monkeypatch.setitem(EVALUATORS.rows, "wide", Row("widest:Widest", widest.WidestSettings))
    players = ["value:evaluator=wide:win=4000", "careful:afraid_from=0.2"]
    figures = json.loads(oshihiki("arena", *players, "--games", 4, "--tonpu", "--jobs", 1, "--json"))
    assert [side["player"] for side in figures["sides"]] == players
    found = json.loads(oshihiki("evaluate", "2345m4067p34588s1z", "--evaluator", "wide:step=0.5", "--json"))
    assert found["evaluator"] == "widest"


@pytest.mark.parametrize(
    ("player", "says"),
    [
        ("cautious:Bold", "cautious:Bold: the module cautious has no 'Bold'"),
        (
            "cautious:CautiousSettings",
            "cautious:CautiousSettings is not a policy: it has no settings, no start_kyoku, no decide",
        ),
        ("cautious:Cautious:afraid_from=2", "afraid_from: 2.0 is not allowed; it must be from 0.0 to 1.0"),
        ("flow:danger=neighbours:Strangers", "danger: neighbours:Strangers: the module neighbours has no 'Strangers'"),
    ],
)
def test_a_policy_that_cannot_play_is_reported_in_one_line(oshihiki, player, says):
    for command in (("arena", player), ("play", "--policy", player), ("audit", "x.xml", "--policy", player)):
        said = oshihiki(*command, code=2)
        assert says in said
        assert len(said.strip().splitlines()) == 1
