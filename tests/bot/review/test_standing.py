from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from bot.review.measure import played_on
from bot.review.wording import Wording
from bot.wording.languages import Lang, number


@pytest.mark.parametrize("lang", list(Lang))
def test_nothing_is_better_than_none(lang):
    rooms = {"phoenix": {"percentile": 0, "mean": 96.0}, "upper": {"percentile": 3, "mean": 95.0}}
    said = Wording(lang).standing({"reference": rooms})
    assert "0%" not in said
    rooms["phoenix"]["percentile"] = 40
    assert "40%" in Wording(lang).standing({"reference": rooms})


@pytest.mark.parametrize("lang", list(Lang))
def test_the_method_says_what_the_grades_were_worth(lang):
    judged = {"reference": {"phoenix": {"percentile": 40, "mean": 7_000.0}}}
    said = Wording(lang).came(judged)
    found = played_on()
    assert len(said) == 2 + len(found["programs"])
    mean, within = found["came"]["blunder"]
    assert f"{number(mean)} ± {number(within)}" in said[0]
    for program, sentence in zip(found["programs"], said[2:], strict=True):
        for words in (program["name"], number(program["lost_per_hundred"][0]), number(program["others"][0])):
            assert words in sentence
    assert Wording(lang).came({"reference": {}}) == []  # of another judge nothing is known


ROOT = Path(__file__).parents[3]
FAILS = """
from oshihiki import Decider

class Fails(Decider):
    name = "fails"

    def decide(self, state, legal, budget):
        raise RuntimeError("no answer")
"""


@pytest.mark.slow
def test_an_audit_in_which_nothing_was_judged_says_so(tmp_path):
    (tmp_path / "failing.py").write_text(FAILS)
    log = ROOT / "docs" / "examples" / "game.xml"
    words = [sys.executable, "-m", "bot", "audit", str(log), "--seat", "1", "--policy", "failing:Fails"]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(map(str, (ROOT, ROOT / "bot" / "library", tmp_path)))}
    page = tmp_path / "report.html"
    for options in ((), ("-o", str(page))):
        done = subprocess.run([*words, *options], env=environment, capture_output=True, text=True)  # noqa: S603, PLW1510
        assert done.returncode == 1
        assert "of which none was judged" in done.stderr if options else "in none of 102 decisions" in done.stdout
    assert "Nothing was judged" in page.read_text(encoding="utf-8")
