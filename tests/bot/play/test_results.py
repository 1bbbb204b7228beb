"""The file of results: what is in it is read whatever else is in it, and what is added stays."""

from __future__ import annotations

import json
import multiprocessing
import os
import resource
import stat
import tracemalloc

import pytest

from bot.play import results
from bot.play.results import Entry, LeftOut
from tests.bot.commands.program import oshihiki

GAME = Entry("2026-03-01T23:10:00+09:00", "a", "x", 0, 0xA9, 1, 40_000, 60.0, 16, 1_200, 2_100.5)


def line(**changes):
    fields = {**GAME._asdict(), **changes}
    return json.dumps({name: value for name, value in fields.items() if value is not ...})


WRONG = [
    (line(account=["a"]), 'account is ["a"]: Input should be a valid string'),
    (line(account=...), "account is missing"),
    (line(policy=None), "policy is null: "),
    (line(log="\ud800"), "Invalid JSON: "),
    (line(placement=94), "placement is 94: Input should be less than or equal to 4"),
    (line(placement=True), "placement is true: Input should be a valid integer"),
    (line(placement="1"), 'placement is "1": '),
    (line(placement=1.5), "placement is 1.5: "),
    (line(result=10**400), "result is 1000"),
    (line(result=1).replace('"result": 1', '"result": 1e400'), "result is Infinity: Input should be a finite number"),
    (line(result=float("nan")), "result is NaN: "),
    (line(result=1).replace('"result": 1', '"result": 1' + "0" * 5_000), "Invalid JSON: number out of range"),
    (line(score=10**400), "score is 1000"),
    (line(drops=None), "drops is null: "),
    (line(drops=-1), "drops is -1: Input should be greater than or equal to 0"),
    (line(at="never"), 'at is "never": it is no time such as 2026-03-01T23:10:00+09:00'),
    (line(at="10000-01-01T00:00:00+00:00"), "it is no time such as"),
    ("[1]", "Input should be an object"),
    ("\0" * 100, "Invalid JSON: "),
    ("[" * 60_000, "Invalid JSON: recursion limit exceeded"),
    (f'{{"at": "{"x" * 70_000}"}}', "is longer than 65,536 bytes"),
    (b'{"account": "\xff"}', "Invalid JSON: "),
]


@pytest.mark.parametrize(("wrong", "why"), WRONG)
def test_a_line_that_is_no_game_is_left_out_and_named_once(monkeypatch, capsys, tmp_path, wrong, why):
    wrong = wrong if isinstance(wrong, bytes) else wrong.encode()
    good = line().encode()
    (tmp_path / results.FILE).write_bytes(b"\n".join((good, wrong, good, wrong, good, b"")))
    left_out = LeftOut()
    assert list(results.read(tmp_path, left_out)) == [GAME] * 3
    assert (left_out.lines, left_out.where) == (2, 2)
    assert why in left_out.why
    code, said, complaint = oshihiki(monkeypatch, capsys, "stats", "--folder", tmp_path, "--json")
    found = json.loads(said, parse_constant=pytest.fail)
    assert code == 0
    assert found["days"][0]["games"] == 3
    assert found["left_out"]["lines"] == 2
    assert complaint.count("\n") == 1
    assert f"{results.FILE}: 2 lines that are no games left out; line 2 {left_out.why}" in complaint
    code, said, complaint = oshihiki(monkeypatch, capsys, "stats", "--folder", tmp_path)
    assert (code, "line 2" in complaint) == (0, True)
    assert "2026-03-01" in said


@pytest.mark.parametrize(
    "text",
    [
        line(drops=..., log=..., policy=...),
        line(placement=None, score=None, result=None, dan=None, points=None, rate=None),
        line(result=60, rate=2100),
        line(extra=[1, 2]),
        line(at="2026-03-01T23:10:00"),
        line(at="2999-12-31T23:10:00+00:00"),
        line(game_type=0x19),
        line(game_type=1 << 20),
        line(account="あ\n\x1b[31m"),
        "\ufeff" + line(),
        line() + "\r",
        line() + "\n\n   ",
    ],
)
def test_a_game_written_by_another_version_or_hand_is_read(monkeypatch, capsys, tmp_path, text):
    (tmp_path / results.FILE).write_text(text, encoding="utf-8")
    left_out = LeftOut()
    assert len(list(results.read(tmp_path, left_out))) == 1
    assert left_out == LeftOut()
    code, said, complaint = oshihiki(monkeypatch, capsys, "stats", "--folder", tmp_path)
    assert (code, complaint) == (0, "")
    assert "\x1b[31m" not in said


def test_half_a_last_line_is_said_to_be_cut_off(tmp_path):
    (tmp_path / results.FILE).write_text(f"{line()}\n{line()[:50]}", encoding="utf-8")
    left_out = LeftOut()
    assert list(results.read(tmp_path, left_out)) == [GAME]
    assert (left_out.where, left_out.why) == (2, "is cut off")
    results.append(tmp_path, GAME)
    assert list(results.read(tmp_path)) == [GAME, GAME]


def test_what_stands_in_the_place_of_the_file_is_named(monkeypatch, capsys, tmp_path):
    (tmp_path / "folder" / results.FILE).mkdir(parents=True)
    (tmp_path / "pipe").mkdir()
    os.mkfifo(tmp_path / "pipe" / results.FILE)
    (tmp_path / "loop").mkdir()
    (tmp_path / "loop" / results.FILE).symlink_to(tmp_path / "loop" / results.FILE)
    (tmp_path / "file").write_text("")
    for name, why in (
        ("folder", "Is a directory|it is not a regular file"),
        ("pipe", "it is not a regular file"),
        ("loop", "Too many levels of symbolic links"),
        ("file", "Not a directory"),
    ):
        code, said, complaint = oshihiki(monkeypatch, capsys, "stats", "--folder", tmp_path / name)
        assert (code, said) == (2, "")
        assert "results.ndjson: cannot be read: " in complaint
        assert any(each in complaint for each in why.split("|"))
        with pytest.raises(OSError, match=r"."):
            results.append(tmp_path / name, GAME)
    (tmp_path / "none").mkdir()
    (tmp_path / "none" / results.FILE).symlink_to(tmp_path / "elsewhere")
    assert list(results.read(tmp_path / "none")) == []
    results.append(tmp_path / "none", GAME)
    assert (tmp_path / "elsewhere").is_file()
    assert stat.S_IMODE((tmp_path / "elsewhere").stat().st_mode) == 0o600


def _add(folder, account):
    for number in range(100):
        results.append(folder, GAME._replace(account=account, drops=number))


def test_programs_that_add_at_once_lose_nothing(tmp_path):
    (tmp_path / results.FILE).write_text('{"at": "2026', encoding="utf-8")
    context = multiprocessing.get_context("spawn")
    adding = [context.Process(target=_add, args=(tmp_path, name)) for name in "abc"]
    for each in adding:
        each.start()
    for each in adding:
        each.join()
    left_out = LeftOut()
    found = list(results.read(tmp_path, left_out))
    assert sorted((one.account, one.drops) for one in found) == [(name, n) for name in "abc" for n in range(100)]
    assert (left_out.lines, left_out.where) == (1, 1)


def test_a_full_disk_leaves_what_was_there(tmp_path):
    results.append(tmp_path, GAME)
    size = (tmp_path / results.FILE).stat().st_size
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size + 100, before[1]))
    try:
        with pytest.raises(OSError, match="File too large"):
            results.append(tmp_path, GAME)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert list(results.read(tmp_path)) == [GAME]
    assert (tmp_path / results.FILE).stat().st_size == size


def test_a_long_file_costs_no_memory(tmp_path):
    (tmp_path / results.FILE).write_text((line() + "\n") * 20_000, encoding="utf-8")
    tracemalloc.start()
    try:
        (day,) = results.days(results.read(tmp_path))
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert day.games == 20_000
    assert most < 1_000_000


def test_games_of_unknown_place_are_counted_apart(monkeypatch, capsys, tmp_path):
    lost = GAME._replace(placement=None, score=None, result=None, drops=3)
    for one in (GAME, lost, GAME._replace(placement=4, result=-50.0), lost):
        results.append(tmp_path, one)
    results.append(tmp_path, lost._replace(account="b", result=25.0))
    _, said, _ = oshihiki(monkeypatch, capsys, "stats", "--folder", tmp_path, "--json")
    first, second = json.loads(said)["days"]
    assert (first["games"], first["placements"], first["mean_placement"]) == (2, [1, 0, 0, 1], 2.5)
    assert (first["result"], first["unknown_place"], first["drops"]) == (10.0, 2, 6)
    assert (second["games"], second["mean_placement"], second["result"], second["unknown_place"]) == (0, None, 0.0, 1)
    monkeypatch.setenv("COLUMNS", "120")
    _, said, _ = oshihiki(monkeypatch, capsys, "stats", "--folder", tmp_path)
    assert "place unknown" in said
    (tmp_path / results.FILE).unlink()
    results.append(tmp_path, GAME)
    _, said, _ = oshihiki(monkeypatch, capsys, "stats", "--folder", tmp_path)
    assert "place unknown" not in said
