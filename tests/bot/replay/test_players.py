from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from bot.replay.games import seat_of, seats_of
from protocol.errors import LogError

ROOT = Path(__file__).parents[3]
GAME = (ROOT / "docs" / "examples" / "game.xml").read_text(encoding="utf-8")
WIDE = "".join(chr(ord(letter) - ord("!") + 0xFF01) for letter in "TANAKA")


@pytest.mark.parametrize(
    ("names", "wanted", "seats"),
    [
        (("Anna", "b", "c", "d"), "anna", [0]),
        (("Anna", "anna", "c", "d"), "anna", [1]),
        (("Anna", "ANNA", "c", "d"), "anna", [0, 1]),
        (("a", WIDE, "c", "d"), "tanaka", [1]),
        (("a", "b", "Straße", "d"), "STRASSE", [2]),
        (("a", "b", "ｶﾅ", "d"), "カナ", [2]),
        (("NoName", "b", "NoName", "NoName"), "NoName", [0, 2, 3]),
        (("a", "b", "c", "d"), "e", []),
    ],
)
def test_names_are_found_whatever_their_case_and_width(names, wanted, seats):
    assert seats_of(names, wanted) == seats


def test_a_name_that_several_bear_is_refused_with_their_seats():
    assert seat_of(("a", "b", "c", "d"), "B", "x.xml") == 1
    assert seat_of(("a", "b", "c", "d"), "e", "x.xml") is None
    with pytest.raises(LogError, match="the players of seats 0, 2 and 3 are named 'noname'; choose one with --seat"):
        seat_of(("NoName", "b", "NoName", "NoName"), "noname", "x.xml")


@pytest.mark.parametrize("command", [("audit", "--text"), ("audit", "--json"), ("replay", "--agree")], ids=" ".join)
def test_commands_that_take_a_name_refuse_it_too(tmp_path, command):
    log = tmp_path / "game.xml"
    named = re.sub(r'\bn1="[^"]*"', 'n1="Anna"', re.sub(r'\bn[023]="[^"]*"', lambda n: f'{n[0][:2]}="NoName"', GAME))
    log.write_text(named)
    words = [sys.executable, "-m", "bot", command[0], str(log), *command[1:], "--policy", "tsumogiri", "--seat-name"]
    refused = subprocess.run([*words, "NoName"], cwd=ROOT, capture_output=True, text=True)  # noqa: S603, PLW1510
    assert refused.returncode == 2, refused.stdout
    assert "the players of seats 0, 2 and 3 are named 'NoName'; choose one with --seat" in refused.stderr
    found = subprocess.run([*words, "ANNA"], cwd=ROOT, capture_output=True, text=True)  # noqa: S603, PLW1510
    assert found.returncode == 0, found.stderr
