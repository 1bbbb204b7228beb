"""Words for numbers and modes, in what people read."""

from __future__ import annotations

from bot.machine.text import plural
from bot.wording.grounds import mode_word
from engine.policy.pushfold import Mode


def test_one_is_no_plural():
    assert [plural(number, "hand") for number in (0, 1, 2, 1200)] == ["0 hands", "1 hand", "2 hands", "1,200 hands"]
    assert plural(2, "mismatch", "mismatches") == "2 mismatches"


def test_a_push_is_called_so_at_the_terminal():
    assert [mode_word(mode) for mode in ("attack", Mode.ATTACK, Mode.FOLD)] == ["push", "push", "fold"]
