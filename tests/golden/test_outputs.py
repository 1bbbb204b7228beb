"""Commands print the figures that they printed before, whatever is rebuilt beneath them."""

from __future__ import annotations

import pytest

from tests.golden import outputs

QUICK = {"audit", "export-mjai", "export-mjlog", "export-tenhou6", "stats"}


@pytest.mark.corpus
@pytest.mark.parametrize(
    "case",
    [pytest.param(case, id=case.name, marks=() if case.name in QUICK else pytest.mark.slow) for case in outputs.CASES],
)
def test_figures_stay(corpus, case):
    assert not list(outputs.differences(outputs.printed(case, corpus), outputs.kept(case)))
