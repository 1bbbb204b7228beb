from __future__ import annotations

import shlex
from pathlib import Path

import pytest

from bot.commands.options import command_lines, path_word


@pytest.mark.parametrize("width", [20, 40, 60, 80, 200])
def test_a_command_breaks_at_words_and_can_be_copied(width):
    words = ["oshihiki", "audit", "~/.local/share/oshihiki/records/20261126-101608-1.jsonl", "-o", "review.html"]
    lines = command_lines(words, width, "    ")
    assert shlex.split(" ".join(line.removesuffix("\\") for line in lines)) == words
    longest = max(len(word) for word in words)
    assert all(len(line) <= max(width, longest + 8) for line in lines)
    assert all(line.endswith(" \\") for line in lines[:-1])


def test_a_path_at_home_is_short_and_any_other_is_a_word(monkeypatch, tmp_path):
    monkeypatch.setattr(Path, "home", lambda: tmp_path)
    assert path_word(tmp_path / "records" / "a.jsonl") == "~/records/a.jsonl"
    assert path_word(tmp_path / "my records" / "a.jsonl") == shlex.quote(str(tmp_path / "my records" / "a.jsonl"))
    assert path_word(Path("/elsewhere/a.jsonl")) == "/elsewhere/a.jsonl"
