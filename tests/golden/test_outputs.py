"""Commands print the figures that they printed before, whatever is rebuilt beneath them."""

from __future__ import annotations

import pytest

from tests.golden import outputs

QUICK = {"audit", "export-mjai", "export-mjlog", "export-tenhou6", "practice", "stats", "replay"}


@pytest.mark.corpus
@pytest.mark.parametrize(
    "case",
    [pytest.param(case, id=case.name, marks=() if case.name in QUICK else pytest.mark.slow) for case in outputs.CASES],
)
def test_figures_stay(corpus, case):
    assert not list(outputs.differences(outputs.printed(case, corpus), outputs.kept(case)))


def test_differences_are_named_with_their_place():
    then = {"score": {"lost": 100.0, "same": 4}, "hands": [1, 2], "name": "E1"}
    now = {"score": {"lost": 101.0, "more": 4}, "hands": [1], "name": "E2"}
    assert list(outputs.differences(now, then)) == [
        "hands has 1 entries, not 2",
        "name is 'E2', not 'E1'",
        "score.lost is 101.0, not 100.0",
        "score.more has come",
        "score.same has left",
    ]
    assert not list(outputs.differences({"lost": 100.01}, {"lost": 100.0}))
