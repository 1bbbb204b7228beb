"""Grounds carry the figures of their kind, from every policy."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import engine
from engine.arena.match import play_game
from engine.model.budget import Budget
from engine.model.rules import TONPU
from engine.policy.grounds import FIGURES, Ground, GroundKind, Unit
from engine.policy.registry import POLICIES, make_policy
from tests.tiers import mostly_slow

ROOT = Path(engine.__file__).parents[1]
TYPES = {
    Unit.TILES: str,
    Unit.TEXT: str,
    Unit.GROUND: Ground,
    Unit.GROUNDS: tuple,
    Unit.COUNT: int,
    Unit.SHANTEN: int,
    Unit.SEAT: int,
    Unit.CHANCE: float,
    Unit.RISK: float,
    Unit.POINTS: (int, float),
    Unit.AMOUNT: float,
}


@pytest.fixture(scope="module")
def calls():
    """Every call of ``ground(…)`` with its place."""
    texts = {
        path: path.read_text(encoding="utf-8")
        for package in ("engine", "bot")
        for path in (ROOT / package).rglob("*.py")
    }
    return {
        f"{path.relative_to(ROOT).as_posix()}:{node.lineno}": node
        for path, text in texts.items()
        if "ground(" in text
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "ground"
    }


def kinds_named(node):
    """The kinds that an expression names."""
    return {each.attr for each in ast.walk(node) if isinstance(each, ast.Attribute) and each.attr.isupper()}


def check(found):
    """Check that a ground, and all grounds in it, have their figures, of the right types."""
    assert type(found.kind) is GroundKind
    assert set(found.figures) == set(FIGURES[found.kind]), found
    for name, unit in FIGURES[found.kind].items():
        figure = found.figures[name]
        assert type(figure) in (TYPES[unit] if isinstance(TYPES[unit], tuple) else (TYPES[unit],)), (found, name)
        if unit in (Unit.CHANCE, Unit.RISK):
            assert 0.0 <= figure <= 1.0 + 1e-6
        for inner in figure if isinstance(figure, tuple) else (figure,):
            if isinstance(inner, Ground):
                check(inner)


def test_every_kind_has_its_row():
    assert list(FIGURES) == list(GroundKind)


def test_producers_give_the_figures_of_the_kind(calls):
    """The figures of a kind are those in the table, also in code that no test runs."""
    assert len(calls) > 50
    for place, call in calls.items():
        given = {keyword.arg for keyword in call.keywords}
        for name in kinds_named(call.args[0]):
            assert given == set(FIGURES[GroundKind[name]]), f"{place}: {name}"


def test_every_kind_is_made_somewhere(calls):
    made = {name for call in calls.values() for name in kinds_named(call)}
    elsewhere = {
        name
        for path in sorted((ROOT / "engine/policy").rglob("*.py"))
        if path.name != "grounds.py" or path.parent.name == "quick"
        for name in kinds_named(ast.parse(path.read_text(encoding="utf-8")))
    }
    actions = {"DISCARD", "RIICHI", "TSUMO", "RON", "CHI", "PON", "DAIMINKAN", "ANKAN", "KAKAN", "PASS"}
    for_others = {"REMARK"}
    assert {kind.name for kind in GroundKind} - made - elsewhere - actions == for_others


class Bounded:
    """A policy on few nodes."""

    def __init__(self, name):
        self.name = name
        self.policy = make_policy(name)
        self.settings = self.policy.settings
        self.start_kyoku = self.policy.start_kyoku

    def decide(self, state, legal, budget):  # noqa: ARG002
        return self.policy.decide(state, legal, Budget(nodes=300))


@mostly_slow("policy", sorted(POLICIES, key=lambda name: name != "value"))
def test_grounds_of_whole_games(policy):
    """Every decision has grounds with the figures of their kinds."""
    game = play_game([Bounded(policy), *(make_policy("simple") for _ in range(3))], TONPU, seed=5)
    assert len(game.decisions[0]) > 20
    for decision in game.decisions[0]:
        assert decision.grounds
        for each in decision.grounds:
            check(each)
