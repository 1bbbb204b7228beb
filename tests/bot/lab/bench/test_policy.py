"""What a policy gave to the answer that was played, head by head."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from bot.lab.bench.policy import COLUMNS, Answer, believed
from bot.lab.experiment import rows_of
from bot.replay.agreement import Head
from engine.model.actions import Action, ActionKind
from engine.model.rules import HANCHAN
from engine.policy.decision import Candidate, Decision

FIVE, RED, WEST = 17, 16, 116


def point(kind, tile):
    return SimpleNamespace(played=Action(kind, tile), state=SimpleNamespace(rules=HANCHAN))


def decision(*chances, unit="chance"):
    candidates = tuple(Candidate(Action(kind, tile), chance) for kind, tile, chance in chances)
    return Decision(candidates[0].action, candidates, unit=unit)


OWN = decision(
    (ActionKind.RIICHI, WEST, 0.4),
    (ActionKind.DISCARD, WEST, 0.2),
    (ActionKind.DISCARD, FIVE, 0.2),
    (ActionKind.DISCARD, RED, 0.1),
    (ActionKind.ANKAN, 0, 0.1),
)


@pytest.mark.parametrize(
    ("head", "kind", "tile", "expected"),
    [
        (Head.DISCARD, ActionKind.DISCARD, WEST, (0.6 / 0.9, 0.6 / 0.9)),
        (Head.DISCARD, ActionKind.RIICHI, RED, (0.1 / 0.9, 0.6 / 0.9)),
        (Head.RIICHI, ActionKind.DISCARD, FIVE, (0.6, 0.6)),
        (Head.KAN, ActionKind.ANKAN, 0, (0.1, 0.9)),
    ],
)
def test_a_played_action_has_the_chance_of_all_that_the_head_takes_for_it(head, kind, tile, expected):
    assert believed(point(kind, tile), OWN, head) == pytest.approx(expected)


def test_a_policy_without_chances_has_none():
    values = decision((ActionKind.DISCARD, WEST, 300.0), unit="points")
    assert believed(point(ActionKind.DISCARD, WEST), values, Head.DISCARD) is None


def test_figures():
    answers = [
        Answer("a", "phoenix", False, "discard", None, same=same, top3=True, chance=0.75 if same else 0.25, first=0.75)
        for same in (True, True, True, False)
    ]
    found = {column.name: column.figure(rows_of(Answer, answers)) for column in COLUMNS}
    assert found["top1"] == 0.75
    assert found["top3"] == 1.0
    assert found["calibration_error"] == 0.0
    assert found["log_loss"] == pytest.approx(0.56234, abs=1e-5)
