"""Words for numbers and modes, in what people read."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from bot.machine.text import fill, plural
from bot.wording.grounds import mode_word
from engine.policy.pushfold import Mode


def test_one_is_no_plural():
    assert [plural(number, "hand") for number in (0, 1, 2, 1200)] == ["0 hands", "1 hand", "2 hands", "1,200 hands"]
    assert plural(2, "mismatch", "mismatches") == "2 mismatches"


def test_a_template_makes_nouns_agree():
    template = "{n:game} of {who}, {m:differs/differ}, {loss:point} lost"
    assert fill(template, n=1, who="a", m=1, loss="-1") == "1 game of a, 1 differs, -1 point lost"
    assert fill(template, n=0, who="a", m=2, loss="1,001") == "0 games of a, 2 differ, 1,001 points lost"


BOT = Path(__file__).parents[3] / "bot"
CATALOGUES = sorted(BOT.rglob("*.en.json"))
COUNTED = "tile game hand decision point position log file deal world meld draw turn question answer blunder mistake"
BARE = re.compile(
    rf"(?<!one of )\{{(?!who|tile|room)[^{{}}:]+\}} (?:(?!thousand)[a-z-]+ )?(?:{'|'.join(COUNTED.split())})s\b"
)


@pytest.mark.parametrize("path", CATALOGUES, ids=lambda path: path.relative_to(BOT).as_posix())
def test_no_number_in_the_words_stands_before_a_bare_plural(path):
    def texts(node):
        if isinstance(node, str):
            yield node
        elif isinstance(node, dict):
            for each in node.values():
                yield from texts(each)

    found = [text for text in texts(json.loads(path.read_text(encoding="utf-8"))) if BARE.search(text)]
    assert found == []


def test_a_push_is_called_so_at_the_terminal():
    assert [mode_word(mode) for mode in ("attack", Mode.ATTACK, Mode.FOLD)] == ["push", "push", "fold"]
