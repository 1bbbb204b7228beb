"""``oshihiki bench dag``: what it draws, what it prints, and what it refuses."""

from __future__ import annotations

import pytest

from bot.lab.bench.dag import FOURTH, PAPER, Hands, Searching, read_hands, sample, size
from bot.machine.errors import InputError
from engine.model.tiles import allocate136, parse_tiles37
from engine.search.position import Sketch
from engine.shanten import shanten, standard_shanten
from tests.games import game_of

NEAR = ["34m234566778p66s1z", "2268m1333p236789s"]


def hand(text):
    return Sketch(allocate136(parse_tiles37(text)), turn=FOURTH + 1).position()


@pytest.fixture(scope="module")
def games():
    return [game_of("tsumogiri", seed).events for seed in range(12)]


@pytest.fixture
def near(tmp_path):
    path = tmp_path / "hands.txt"
    path.write_text("\n".join(NEAR) + "\n\n", encoding="utf-8")
    return path


def test_json_is_the_documented_shape(figures, near):
    found = figures("bench", "dag", "--hands", near)
    assert list(found) == ["model", "sizes", "ns_per_edge_turn", "peak_mib"]
    assert list(found["model"]) == ["draws", "full"]
    assert {far for row in found["model"].values() for far in row} == {"0", "1"}
    assert all(ms > 0 for row in found["model"].values() for ms in row.values())
    assert found["sizes"]
    for row in found["sizes"]:
        assert list(row) == ["shanten", "n", "m_f", "mean", "paper"]
        papers = next(papers for far, n, papers in PAPER if (far, n) == (row["shanten"], row["n"]))
        assert row["paper"] == papers[row["m_f"]]
    assert found["ns_per_edge_turn"] > 0
    assert 20 < found["peak_mib"] < 4_096


def test_the_mean_size_is_that_of_the_hands(near):
    wanted = size(hand(NEAR[1]), 2, 1)
    rows = Searching(hands=near).figures()["sizes"]
    assert [row["mean"] for row in rows if (row["n"], row["m_f"]) == (2, 1)] == [wanted]


def test_people_are_shown_tables(printed, near):
    text = printed("bench", "dag", "--hands", near)
    for words in ("median milliseconds", "draws", "full", "the paper", "5,804", "MiB"):
        assert words in text


def test_hands_are_fourth_discards_of_closed_hands_by_either_shanten(games):
    found = sample(games, 4, 6)
    assert found.timed
    for far, row in found.timed.items():
        assert 0 < len(row) <= 4
        assert all(shanten(position.counts) == far for position in row)
    for far, row in found.sized.items():
        assert 0 < len(row) <= 6
        assert all(standard_shanten(position.counts) == far for position in row)
        for position in row:
            assert position.to_discard
            assert not position.melds
            assert position.drawn in position.concealed


def test_enough_is_enough():
    found = Hands()
    assert not found.full(1, 1)
    for text in (*NEAR, "668m4p11455s25677z", "1346m2344s235p566z", "1369m147p258s1234z"):
        found.add(hand(text), 1, 1)
        found.add(hand(text), 1, 1)
    assert all(len(row) == 1 for rows in (found.timed, found.sized) for row in rows.values())


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("123m", "14 with the one to discard"),
        ("34m234566778p66s", "has 13 tiles"),
        ("hello", "line 2"),
        ("9z", "line 2"),
    ],
)
def test_bad_hands_are_named(tmp_path, line, words):
    path = tmp_path / "hands.txt"
    path.write_text(f"{NEAR[0]}\n{line}\n", encoding="utf-8")
    with pytest.raises(InputError, match="line 2") as caught:
        read_hands(path)
    assert words in str(caught.value)


def test_no_hands_is_an_input_error(refused, tmp_path):
    path = tmp_path / "hands.txt"
    path.write_text("\n", encoding="utf-8")
    assert "no hand to measure" in refused("bench", "dag", "--hands", path)
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(InputError, match="cannot be read"):
        read_hands(path)
