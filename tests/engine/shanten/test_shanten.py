"""Shanten, waits, ukeire and discards on known hands, and what is refused."""

from __future__ import annotations

import threading

import numpy as np
import pytest

from engine import kept
from engine.model.tiles import KINDS, PLAIN37, parse_tiles37
from engine.shanten import (
    NOT_HELD,
    HandError,
    discard_shanten,
    is_agari,
    seven_pairs_shanten,
    shanten,
    shanten_batch,
    shape_draws,
    standard_shanten,
    tables,
    thirteen_orphans_shanten,
    ukeire,
    waits,
)


def counts(text):
    result = [0] * 34
    for tile in parse_tiles37(text):
        result[PLAIN37[tile]] += 1
    return result


def kinds(text):
    return tuple(PLAIN37[tile] for tile in parse_tiles37(text))


@pytest.mark.parametrize(
    ("hand", "melds", "expected"),
    [
        ("123456789m12344p", 0, -1),
        ("123456789m1234p", 0, 0),
        ("123m456p789s1122z", 0, 0),
        ("1122334455667z", 0, 0),
        ("19m19p19s1234567z", 0, 0),
        ("119m19p19s123456z", 0, 0),
        ("147m258p369s1234z", 0, 6),
        ("147m258p369s12345z", 0, 6),
        ("11m", 4, -1),
        ("1m", 4, 0),
        ("12m4p7z", 3, 1),
        ("1111m123p456s789s", 0, 1),  # would need a fifth 1m
        ("1111222233334z", 0, 3),
        ("1111m", 3, 1),
        ("11112222m", 2, 0),
        ("1111222m", 2, 0),
    ],
)
def test_shanten(hand, melds, expected):
    assert shanten(counts(hand), melds) == expected


@pytest.mark.parametrize(
    ("hand", "standard", "pairs", "orphans"),
    [
        ("1122334455667m1z", 0, 0, 10),
        ("19m19p19s12345677z", 7, 5, -1),
        ("11m22p33s44556677z", 3, -1, 7),
        ("1111222233334m", 0, 6, 11),
    ],
)
def test_each_form(hand, standard, pairs, orphans):
    hand = counts(hand)
    assert standard_shanten(hand) == standard
    assert seven_pairs_shanten(hand) == pairs
    assert thirteen_orphans_shanten(hand) == orphans


@pytest.mark.parametrize(
    ("hand", "melds", "expected"),
    [
        ("1112345678999m", 0, "123456789m"),
        ("19m19p19s1234567z", 0, "19m19p19s1234567z"),
        ("119m19p19s123456z", 0, "7z"),
        ("123m456p789s1122z", 0, "12z"),
        ("1122334455667z", 0, "7z"),
        ("2345m", 3, "25m"),
        ("1m", 4, "1m"),
        ("1112m", 3, "23m"),
        ("1111m", 3, ""),  # four concealed: a fifth does not exist
        ("2223m", 3, "134m"),
        ("123456789m12p13z", 0, ""),  # not tenpai
    ],
)
def test_waits(hand, melds, expected):
    assert waits(counts(hand), melds) == kinds(expected)


def test_a_wait_of_which_four_are_concealed_is_none():
    """As recorded at an exhaustive draw: this hand was noten, for a fifth 8p does not exist."""
    assert waits(counts("333m8888p"), 2) == ()
    assert shanten(counts("333m8888p"), 2) == 1


def test_discard_shanten_marks_what_is_not_held():
    after = discard_shanten(counts("123456789m1234p1z"))
    assert after[27] == 0
    assert after[0] == 1
    assert after[33] == NOT_HELD
    assert len(after) == 34


def test_ukeire_counts_what_is_unseen():
    hand = counts("123456789m1134p")
    found = ukeire(hand)
    assert (found.shanten, found.tiles, found.total) == (0, ((10, 4), (13, 4)), 8)
    unseen = [4] * 34
    unseen[10] = 1
    unseen[13] = 0
    assert ukeire(hand, 0, unseen).tiles == ((10, 1), (13, 0))
    assert ukeire(hand, 0, unseen).total == 1


def test_is_agari():
    assert is_agari(counts("11m"), 4)
    assert not is_agari(counts("12m"), 4)


def test_lists_tuples_and_arrays_are_alike_and_unchanged():
    hand = counts("123456789m1234p")
    array = np.array(hand, np.uint8)
    assert waits(hand) == waits(tuple(hand)) == waits(array)
    assert array.tolist() == hand


def test_batch_agrees_with_single():
    hands = np.array([counts("123456789m1234p"), counts("19m19p19s1234567z")], np.uint8)
    assert shanten_batch(hands).tolist() == [0, 0]
    melded = np.array([counts("1m"), counts("12m4p7z")], np.uint8)
    assert shanten_batch(melded, np.array([4, 3], np.uint8)).tolist() == [0, 1]
    assert shanten_batch(np.zeros((0, 34), np.uint8)).shape == (0,)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: shanten(counts("123m")), r"3 concealed tiles with 0 melds; it must be 13 or 14"),
        (lambda: shanten(counts("123m"), 5), r"5 melds; a hand has 0 to 4"),
        (lambda: shanten(counts("123m"), -1), r"-1 melds"),
        (lambda: shanten([5, 8] + [0] * 32), r"5 tiles of 1m; there are four"),
        (lambda: shanten([1] * 13), r"34 counts"),
        (lambda: shanten([-1] * 34), r"whole numbers from 0 to 4"),
        (lambda: waits(counts("123456789m12344p")), r"14 concealed tiles with 0 melds; it must be 13"),
        (lambda: discard_shanten(counts("123456789m1234p")), r"13 concealed tiles with 0 melds; it must be 14"),
        (lambda: shanten_batch(np.zeros((2, 34), np.uint8)), r"hand 0: 0 concealed tiles"),
        (lambda: shanten_batch(np.zeros((2, 34), np.int64)), r"must be uint8 of shape"),
        (lambda: shanten_batch(np.zeros((2, 34), np.uint8), np.zeros(3, np.uint8)), r"melds must be uint8"),
    ],
)
def test_bad_hands_are_refused_in_words(call, message):
    with pytest.raises(HandError, match=message):
        call()


def test_tables_on_disk_equal_freshly_built_ones(tmp_path, monkeypatch):
    monkeypatch.setattr(tables, "CACHE_DIR", tmp_path)
    monkeypatch.setattr(tables, "_loaded", {})
    fresh = tables.cached("hands", tables.build_hand_tables)
    tables._loaded.clear()
    stored = tables.cached("hands", lambda: pytest.fail("it was on disk"))
    record = tables.hand_tables()[0]
    used = (record.words, record.merge, record.firsts, record.readings)
    for one, two, three in zip(fresh, stored, used, strict=True):
        assert np.array_equal(one, two)
        assert np.array_equal(one, three)


@pytest.mark.slow
def test_a_damaged_table_is_built_again_and_said_once(tmp_path, monkeypatch, capsys):
    """Above all near the end of the file, where numpy's own format names what is in it."""
    monkeypatch.setattr(tables, "CACHE_DIR", tmp_path)
    monkeypatch.setattr(kept, "_said", [])
    monkeypatch.setattr(tables, "_loaded", {})
    build = lambda: (np.arange(3), np.arange(5), np.arange(7))  # noqa: E731
    tables.cached("small", build)
    file = tmp_path / "small.arrays"
    data = file.read_bytes()
    for place in range(len(data)):
        file.write_bytes(data[:place] + bytes([data[place] ^ 255]) + data[place + 1 :])
        tables._loaded.clear()
        found = tables.cached("small", build)
        assert [array.tolist() for array in found] == [list(range(size)) for size in (3, 5, 7)]
        assert file.read_bytes() == data
    assert capsys.readouterr().err == f"oshihiki: {file} is damaged; it is made again, as all that is damaged\n"


@pytest.mark.parametrize("nonsense", [b"", b"nonsense", b"PK\x03\x04 nonsense"])
def test_a_broken_or_unwritable_cache_costs_only_time(tmp_path, monkeypatch, nonsense):
    monkeypatch.setattr(tables, "CACHE_DIR", tmp_path)
    monkeypatch.setattr(tables, "_loaded", {})
    (tmp_path / "small.arrays").write_bytes(nonsense)
    assert tables.cached("small", lambda: (np.arange(3),))[0].tolist() == [0, 1, 2]
    blocked = tmp_path / "file"
    blocked.write_bytes(b"")
    monkeypatch.setattr(tables, "CACHE_DIR", blocked / "below")
    assert tables.cached("other", lambda: (np.arange(2),))[0].tolist() == [0, 1]


def test_tables_are_built_once_by_many_threads(tmp_path, monkeypatch):
    monkeypatch.setattr(tables, "CACHE_DIR", tmp_path)
    monkeypatch.setattr(tables, "_loaded", {})
    built = []

    def build():
        built.append(1)
        return (np.arange(3),)

    threads = [threading.Thread(target=tables.cached, args=("t", build)) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(built) == 1


def test_the_tiles_that_improve_a_hand_without_bringing_it_nearer_leave_more_tiles_that_do():
    for seed in range(60):
        counts, unseen = hand_and_unseen(seed)
        now = ukeire(counts, 0, unseen)
        wanted = []
        for kind in range(KINDS):
            if unseen[kind] == 0 or counts[kind] == 4 or kind in {each for each, _ in now.tiles}:
                continue
            held = [count + (at == kind) for at, count in enumerate(counts)]
            left = [count - (at == kind) for at, count in enumerate(unseen)]
            after = [ukeire([count - (at == gone) for at, count in enumerate(held)], 0, left)
                     for gone in range(KINDS) if held[gone]]  # fmt: skip
            if any(each.shanten == now.shanten and each.total > now.total for each in after):
                wanted.append((kind, unseen[kind]))
        assert shape_draws(counts, 0, unseen) == tuple(wanted)


def hand_and_unseen(seed):
    """A hand of 13 tiles, and the copies of each kind that it and 40 other tiles leave."""
    tiles = np.random.default_rng(seed).permutation(136)[:53] >> 2
    counts, seen = (np.bincount(part, minlength=KINDS).tolist() for part in (tiles[:13], tiles))
    return counts, [4 - each for each in seen]
