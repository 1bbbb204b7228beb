"""Games as arrays for all fits: which part each is in, which are refused, and how they are kept on disk."""

from __future__ import annotations

import numpy as np
import pytest

from bot.lab.recordings import Archive, concatenate, digest_of, keep, load
from engine.model.events import Draw, StartGame, StartKyoku
from engine.model.rules import Rules
from engine.rules.codes import HiddenTileError
from engine.rules.recordings import GameColumn, Recordings, Split, UnusableGameError, encode_game, held_back, split_of
from tests.engine.critic.games import simple_games


def test_a_game_held_back_is_for_the_test_and_all_parts_are_there():
    ids = [f"2017010100gm-00a9-0000-{number:08x}" for number in range(4_000)]
    parts = [split_of(name) for name in ids]
    assert all((part is Split.TEST) == held_back(name) for name, part in zip(ids, parts, strict=True))
    assert 0.03 < parts.count(Split.VALIDATION) / len(ids) < 0.06


def deal(hands):
    return StartKyoku(0, 0, 0, 0, 135, (25_000,) * 4, hands)


def test_games_with_hidden_hands_or_rules_of_their_own_are_refused():
    hands = tuple(tuple(range(13 * seat, 13 * seat + 13)) for seat in range(4))
    with pytest.raises(HiddenTileError):
        encode_game("a", [StartGame(Rules()), deal((hands[0], None, None, None))])
    with pytest.raises(HiddenTileError):
        encode_game("a", [StartGame(Rules()), deal(hands), Draw(0, None)])
    with pytest.raises(UnusableGameError):
        encode_game("a", [StartGame(Rules(red_fives=False)), deal(hands)])
    assert len(encode_game("a", [StartGame(Rules()), deal(hands), Draw(0, 60)]).kyoku) == 0  # it does not end


def test_recordings_come_back_from_disk_and_a_double_is_kept_once(tmp_path):
    recordings = Recordings.concatenate(
        [encode_game(f"game{at}", game.events) for at, game in enumerate(simple_games(2))]
    )
    archive = Archive(recordings, ("one.xml: broken",))
    keep("some", archive, tmp_path)
    again = load("some", tmp_path)
    assert again is not None
    assert again.skipped == archive.skipped
    for one, other in zip(vars(recordings).values(), vars(again.recordings).values(), strict=True):
        assert np.array_equal(one, other)
    twice = concatenate([archive, again])
    parts = twice.recordings.games[:, GameColumn.SPLIT]
    assert (parts[: len(recordings.ids)] >= 0).all()
    assert (parts[len(recordings.ids) :] < 0).all()
    (tmp_path / "some.npz").write_bytes(b"PK\x03\x04")
    assert load("some", tmp_path) is None
    assert load("other", tmp_path) is None


def test_the_name_of_a_folder_changes_with_what_is_in_it(tmp_path):
    (tmp_path / "a.xml").write_text("one")
    first = digest_of(tmp_path)
    assert digest_of(tmp_path) == first
    assert digest_of(tmp_path, games=5) != first
    (tmp_path / "a.xml").write_text("two")
    assert digest_of(tmp_path) != first
    with pytest.raises(OSError, match="missing"):
        digest_of(tmp_path / "missing")
