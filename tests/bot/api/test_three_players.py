"""Logs of three players among others are passed by, also from Python."""

from __future__ import annotations

import warnings

import pytest

from bot import api
from bot.machine.errors import InputError
from tests.protocol.tenhou6_hands import hand, log

THREE = log(hand([([19], [60]), ([18], [60]), ([], []), ([], [])], ["四風連打"]), name=["A", "B", "C"])
GAME = log(hand([([19], [60]), ([18], [60]), ([], []), ([], [])], ["不明"]), sc=[25000, 0.0] * 4)


@pytest.fixture
def folder(tmp_path):
    mixed = tmp_path / "mixed"
    mixed.mkdir()
    (mixed / "a.json").write_text(THREE)
    (mixed / "b.json").write_text(GAME)
    (mixed / "c.json").write_text(THREE)
    return mixed


def by_file(folder):
    return sorted(str(path) for path in folder.iterdir())


@pytest.mark.parametrize("walk", [api.positions, api.decisions])
@pytest.mark.parametrize("named", [False, True])
def test_a_mixed_data_set_gives_its_games_of_four(folder, walk, named):
    with pytest.warns(UserWarning, match=r"a\.json.*three-player mahjong is not supported") as said:
        rows = list(walk(*(by_file(folder) if named else [folder])))
    assert {row.game.rpartition("/")[2] for row in rows} == {"b.json"}
    assert len(said) == 1


def test_nothing_but_three_players_is_an_error(folder):
    (folder / "b.json").unlink()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with pytest.raises(InputError, match=r"a\.json.*three-player"):
            list(api.decisions(folder))
