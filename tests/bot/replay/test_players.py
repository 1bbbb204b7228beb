from __future__ import annotations

import re
from pathlib import Path

import pytest

from bot.replay.games import seat_of, seats_of
from protocol.errors import LogError
from tests.bot.commands.program import oshihiki

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


@pytest.mark.parametrize("command", [("audit",), ("audit", "--json"), ("replay", "--agree")], ids=" ".join)
def test_commands_that_take_a_name_refuse_it_too(monkeypatch, capsys, tmp_path, command):
    log = tmp_path / "game.xml"
    named = re.sub(r'\bn1="[^"]*"', 'n1="Anna"', re.sub(r'\bn[023]="[^"]*"', lambda n: f'{n[0][:2]}="NoName"', GAME))
    log.write_text(named)
    words = [command[0], log, *command[1:], "--policy", "tsumogiri", "--seat"]
    code, _, err = oshihiki(monkeypatch, capsys, *words, "NoName")
    assert code == 2
    assert "the players of seats 0, 2 and 3 are named 'NoName'; choose one with --seat" in err
    code, _, err = oshihiki(monkeypatch, capsys, *words, "ANNA")
    assert code == 0, err
