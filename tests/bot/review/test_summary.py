"""What a terminal shows of an audit: ten lines that say how much was lost and where."""

from __future__ import annotations

import pytest
from rich.cells import cell_len

from bot.review.report import render_summary
from bot.wording.languages import Lang, number


@pytest.mark.parametrize("lang", list(Lang))
def test_ten_lines_name_the_score_and_the_five_that_cost_most(fields, lang):
    lines = render_summary(fields, lang).splitlines()
    assert len(lines) == 10
    assert number(fields["score"]["per_hundred"]) in lines[1]
    rows = {row["number"]: row for row in fields["decisions"]}
    worst = [rows[each] for each in fields["turning_points"]]
    assert len({cell_len(line) - cell_len(line[2:].split("  ")[-1]) for line in lines[5:]}) == 1  # below each other
    for line, row in zip(lines[5:], worst, strict=True):
        assert number(row["loss"]) in line


def test_a_player_who_lost_nothing_is_told_so(reviews):
    assert render_summary(reviews[0]).splitlines()[-1] == "No decision cost anything against this policy."
