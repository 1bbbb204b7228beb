"""What earlier versions kept in files is brought in once, counted, and their files stay as they are."""

from __future__ import annotations

import gzip
import json
import os

import pytest

from bot.machine.errors import InputError, Trouble
from bot.store import guests, played, reviews
from bot.store.database import Store, store_of
from bot.store.importing import bring_in
from bot.store.played import Entry
from tests.bot.commands.program import oshihiki
from tests.side_by_side import side_by_side

GAME = Entry("2026-03-01T23:10:00+09:00", "a", "x", 0, 0xA9, 1, 40_000, 60.0, 16, 1_200, 2_100.5)


def line(**changes):
    fields = {**GAME._asdict(), **changes}
    return json.dumps({name: value for name, value in fields.items() if value is not ...})


WRONG = [
    (line(account=["a"]), 'account is ["a"]: Input should be a valid string'),
    (line(account=...), "account "),
    (line(policy=None), "policy is null: Input should be a valid string"),
    (line(placement=94), "placement is 94: Input should be less than or equal to 4"),
    (line(placement=True), "placement is true: Input should be a valid integer"),
    (line(placement=1.5), "placement is 1.5: Input should be a valid integer"),
    (line(result=10**400), "result is 1000"),
    (line(result=float("nan")), "result is NaN: Input should be "),
    (line(result=1).replace('"result": 1', '"result": 1' + "0" * 5_000), "not JSON"),
    (line(drops=-1), "drops is -1: Input should be greater than or equal to 0"),
    (line(at="never"), 'at is "never": it is no time such as 2026-03-01T23:10:00'),
    (line(at="10000-01-01T00:00:00+00:00"), "it is no time such as"),
    ("[1]", "is not an object with the fields of a game"),
    ("null", "is not an object with the fields of a game"),
    ("{", "is not JSON"),
    ("[" * 60_000, "is not JSON"),
    (b'{"account": "\xff"}', "is not JSON"),
]


@pytest.mark.parametrize(("wrong", "why"), WRONG)
def test_a_line_that_is_no_game_is_left_out_and_the_first_is_named(monkeypatch, capsys, tmp_path, wrong, why):
    wrong = wrong if isinstance(wrong, bytes) else wrong.encode()
    good = line().encode()
    (tmp_path / played.RESULTS).write_bytes(b"\n".join((good, wrong, good, wrong, good, b"")))
    code, said, complaint = oshihiki(monkeypatch, capsys, "stats", "--folder", tmp_path, "--json")
    assert code == 0
    assert json.loads(said)["days"][0]["games"] == 3
    first, second = complaint.splitlines()
    assert first.endswith(": brought in 3 games of an earlier version; its files stay")
    assert f"not brought in: {tmp_path / played.RESULTS}: line 2" in second
    assert why in second
    assert second.endswith(", and 1 more")


def test_results_in_a_folder_that_cannot_be_written_are_read_and_it_stays_as_it_is(monkeypatch, capsys, tmp_path):
    (tmp_path / played.RESULTS).write_text(line() + "\n" + line(account="b") + "\n")
    (tmp_path / guests.GUESTS).mkdir()
    as_it_is = Store.writing

    def refused(store):
        if store.path.parent == tmp_path:
            raise InputError("cannot be written", Trouble.NO_RIGHT)
        return as_it_is(store)

    monkeypatch.setattr(Store, "writing", refused)
    code, said, complaint = oshihiki(monkeypatch, capsys, "stats", "--folder", tmp_path, "--json")
    assert code == 0
    found = json.loads(said)
    assert [day["account"] for day in found["days"]] == [one["account"] for one in found["games"]] == ["a", "b"]
    said, left_out = complaint.splitlines()
    assert said == f"oshihiki: {tmp_path}: cannot be written; read 2 games of an earlier version"
    assert left_out.startswith(f"oshihiki: not brought in: {tmp_path / guests.GUESTS}: cannot be read: ")
    assert {file.name for file in tmp_path.iterdir()} == {played.RESULTS, guests.GUESTS}


@pytest.mark.parametrize(
    "text",
    [
        line(drops=..., log=..., policy=...),
        line(placement=None, score=None, result=None, dan=None, points=None, rate=None),
        line(result=60, rate=2100),
        line(extra=[1, 2]),
        line(log="\ud800"),
        line(at="2026-03-01T23:10:00"),
        line(at="2999-12-31T23:10:00+09:18:59"),
        line(game_type=1 << 20),
        line(account="あ\n\x1b[31m"),
        "\ufeff" + line(),
        line() + "\r",
        line() + "\n\n   ",
    ],
)
def test_a_game_written_by_another_version_or_hand_is_brought_in(tmp_path, capsys, text):
    (tmp_path / played.RESULTS).write_text(text, encoding="utf-8")
    bring_in(tmp_path)
    assert len(list(played.read(tmp_path))) == 1
    assert "not brought in" not in capsys.readouterr().err


def test_a_file_is_brought_in_once_and_only_what_was_added_to_it_later(tmp_path, capsys):
    file = tmp_path / played.RESULTS
    file.write_text(f"{line()}\n{line(account='b')}\n{line()}\n{line()[:50]}", encoding="utf-8")
    before = file.read_bytes()
    bring_in(tmp_path)
    assert "brought in 3 games" in capsys.readouterr().err
    bring_in(tmp_path)
    assert capsys.readouterr().err == ""
    with store_of(tmp_path).writing() as database:
        database.execute("DELETE FROM imported")  # as if it had never been read
    bring_in(tmp_path)
    assert [one.account for one in played.read(tmp_path)] == ["a", "b", "a"]
    assert file.read_bytes() == before
    played.append(tmp_path, GAME._replace(account="c"))
    file.write_text(f"{line()}\n{line(account='b')}\n{line()}\n{line(account='d')}\n{line()}\n", encoding="utf-8")
    bring_in(tmp_path)
    assert [one.account for one in played.read(tmp_path)] == ["a", "b", "a", "c", "d", "a"]


def test_a_copy_of_a_file_adds_nothing(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    for name in ("records", "reviews"):
        (tmp_path / "oshihiki" / name).mkdir(parents=True)
        (tmp_path / "oshihiki" / name / played.RESULTS).write_text(f"{line()}\n", encoding="utf-8")
    bring_in(tmp_path / "oshihiki" / "records", tmp_path / "oshihiki" / "reviews")
    assert list(played.read(tmp_path / "oshihiki" / "records")) == [GAME]


def test_the_games_of_guests_are_brought_in(tmp_path, capsys):
    (tmp_path / guests.GUESTS).write_text('{"ws://here/": {"first": "a-secret", "second": 3}}')
    bring_in(tmp_path)
    assert guests.running(tmp_path, "ws://here/", "first") == "a-secret"
    assert guests.running(tmp_path, "ws://here/", "second") is None
    said = capsys.readouterr().err
    assert "brought in 1 guest's running game" in said
    assert "a-secret" not in said
    guests.keep(tmp_path, "ws://here/", "first", None)  # the game is over, and its file is not read again
    bring_in(tmp_path)
    assert guests.running(tmp_path, "ws://here/", "first") is None


@pytest.mark.parametrize("text", ["", "[]", '{"ws://here/": 3}', "[" * 100_000, "\xff"])
def test_a_file_that_is_damaged_is_named_once_and_the_others_are_brought_in(tmp_path, capsys, text):
    (tmp_path / guests.GUESTS).write_text(text, encoding="latin-1")
    (tmp_path / played.RESULTS).write_text(f"{line()}\n", encoding="utf-8")
    bring_in(tmp_path)
    assert f"not brought in: {tmp_path / guests.GUESTS}: is damaged" in capsys.readouterr().err
    assert list(played.read(tmp_path)) == [GAME]
    bring_in(tmp_path)
    assert capsys.readouterr().err == ""


def test_a_review_is_brought_in_with_its_rows_and_its_page(tmp_path, capsys):
    for name in ("data", "rows", "games"):
        (tmp_path / name).mkdir()
    fields = '{"format": "oshihiki-audit", "version": 7, "names": ["あ"]}'
    (tmp_path / "data" / "a.json").write_text(fields, encoding="utf-8")
    (tmp_path / "rows" / "a.json.gz").write_bytes(gzip.compress(b"[1]"))
    (tmp_path / "games" / "a.html").write_text("<p>あ", encoding="utf-8")
    (tmp_path / "data" / "alone.json").write_text(fields, encoding="utf-8")
    (tmp_path / "data" / "nobody.json").write_text("{}", encoding="utf-8")
    (tmp_path / "data" / "other.json").write_text('{"a": 1}', encoding="utf-8")
    (tmp_path / "data" / "torn.json").write_text(fields[:-9], encoding="utf-8")
    bring_in(tmp_path)
    assert reviews.heads(tmp_path) == {}
    bring_in(tmp_path, with_reviews=True)
    said = capsys.readouterr().err
    assert "brought in 2 reviews" in said
    assert f"not brought in: {tmp_path / 'data' / 'other.json'}: is no review, and 1 more" in said
    assert [reviews.text(tmp_path, "a", part) for part in ("fields", "rows", "page")] == [fields, "[1]", "<p>あ"]
    assert [reviews.text(tmp_path, "alone", part) for part in ("fields", "rows", "page")] == [fields, "", ""]
    assert {name: head.page for name, head in reviews.heads(tmp_path).items()} == {"a": True, "alone": False}
    reviews.delete(tmp_path, ["a"])
    bring_in(tmp_path, with_reviews=True)  # what was deleted stays so
    assert list(reviews.heads(tmp_path)) == ["alone"]
    assert (tmp_path / "games" / "a.html").is_file()


def test_a_folder_in_the_place_of_a_file_is_named(tmp_path, capsys):
    os.mkfifo(tmp_path / played.RESULTS)
    (tmp_path / guests.GUESTS).mkdir()
    bring_in(tmp_path)
    assert "not brought in: " in (said := capsys.readouterr().err)
    assert "is not a regular file, and 1 more" in said


def test_programs_that_bring_in_at_once_add_everything_once(tmp_path):
    lines = [line(drops=number) for number in range(200)]
    (tmp_path / played.RESULTS).write_text("\n".join(lines), encoding="utf-8")
    side_by_side(bring_in, [(tmp_path,) for _ in range(3)])
    assert [one.drops for one in played.read(tmp_path)] == list(range(200))


def test_a_folder_without_old_files_is_left_alone(tmp_path):
    bring_in(tmp_path, tmp_path / "none")
    assert list(tmp_path.iterdir()) == []
