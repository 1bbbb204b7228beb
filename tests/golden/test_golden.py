"""Decisions stay as they were, whatever is rebuilt around them."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path

import pytest

_spec = importlib.util.spec_from_file_location("recorded", Path(__file__).with_name("recorded.py"))
recorded = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(recorded)

LINES = recorded.ANSWERS.read_text(encoding="utf-8").splitlines()
QUICK = 10
"""The quick suite asks about every so many games."""


def same(now, then):
    """The same answers; figures within what another machine's floating point may change."""
    assert len(now) == len(then)
    for (action, tile, mode, weighed, best), (was, its_tile, its_mode, as_many, its_best) in zip(
        now, then, strict=True
    ):
        assert (action, tile, mode, weighed) == (was, its_tile, its_mode, as_many)
        assert [name for name, _ in best] == [name for name, _ in its_best]
        assert [value for _, value in best] == pytest.approx([value for _, value in its_best], rel=1e-3, abs=1e-4)


def check(corpus, policy, every):
    kept = {(row["log"], row["seat"], row["hand"]): row[policy] for row in map(json.loads, LINES)}
    for log, seat, hand, decisions in recorded.asked(corpus, every):
        same(recorded.answers(policy, decisions), kept[log, seat, hand])


@pytest.mark.corpus
@pytest.mark.parametrize("policy", recorded.POLICIES)
def test_a_sample_of_answers(corpus, policy):
    check(corpus, policy, QUICK)


@pytest.mark.corpus
@pytest.mark.slow
@pytest.mark.parametrize("policy", recorded.POLICIES)
def test_every_answer(corpus, policy):
    check(corpus, policy, 1)


def test_there_are_two_thousand_decisions():
    assert sum(len(json.loads(line)["simple"]) for line in LINES) >= 2_000
