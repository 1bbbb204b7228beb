"""What is kept survives other programs, kills, full disks and damage, and each fault is one sentence."""

from __future__ import annotations

import os
import random
import resource
import signal
import sqlite3
import stat
import subprocess
import sys
import time

import pytest

from bot.machine.errors import InputError, Trouble
from bot.review.learner import Learner
from bot.store import guests, played, reviews
from bot.store.database import FILE, VERSION, Store, data_folder, store_of
from tests.bot.store.games import GAME
from tests.side_by_side import side_by_side


def test_the_folders_of_the_data_folder_share_one_file_and_another_folder_has_its_own(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    shared = data_folder() / FILE
    assert store_of(data_folder() / "records").path == store_of(data_folder() / "reviews").path == shared
    assert store_of(tmp_path / "games").path == tmp_path / "games" / FILE


def test_only_its_owner_reads_it_and_nothing_else_stays_beside_it(tmp_path):
    played.append(tmp_path / "new", GAME)
    assert [(path.name, stat.S_IMODE(path.stat().st_mode)) for path in (tmp_path / "new").iterdir()] == [(FILE, 0o600)]


def test_reading_creates_nothing(tmp_path):
    assert list(played.read(tmp_path / "none")) == []
    assert list(tmp_path.iterdir()) == []


def _fail_within_a_change(folder):
    with store_of(folder).writing() as database:
        database.execute("DELETE FROM games")
        raise ValueError("inside")


def test_a_change_that_fails_leaves_nothing(tmp_path):
    played.append(tmp_path, GAME)
    with pytest.raises(ValueError, match="inside"):
        _fail_within_a_change(tmp_path)
    assert list(played.read(tmp_path)) == [GAME]


@pytest.mark.parametrize("wrong", [{"placement": 5}, {"dan": -1}, {"score": 10**30}, {"at": "yesterday"}])
def test_results_that_no_game_can_have_are_not_kept(tmp_path, wrong):
    with pytest.raises(InputError, match=f"{FILE}: cannot be written: "):
        played.append(tmp_path, GAME._replace(**wrong))
    assert list(played.read(tmp_path)) == []


# -- several programs --------------------------------------------------------------------------------------------------


def _add(folder, account):
    for number in range(50):
        played.append(folder, GAME._replace(account=account, drops=number))
        guests.keep(folder, account, f"guest {number}", f"{account}{number}")


@pytest.mark.slow
def test_programs_that_write_at_once_lose_nothing(tmp_path):
    side_by_side(_add, [(tmp_path, name) for name in "abc"])
    found = list(played.read(tmp_path))
    assert sorted((one.account, one.drops) for one in found) == [(name, n) for name in "abc" for n in range(50)]
    assert [guests.running(tmp_path, name, f"guest {n}") for name in "abc" for n in range(50)] == [
        f"{name}{n}" for name in "abc" for n in range(50)
    ]


def test_a_program_that_keeps_it_locked_is_waited_for_and_named(tmp_path, monkeypatch):
    monkeypatch.setattr("bot.store.database.WAIT", 0.1)
    with store_of(tmp_path).writing():
        with pytest.raises(InputError, match=r"another program has kept it locked for 0\.1 s; try again") as error:
            played.append(tmp_path, GAME)
        assert list(played.read(tmp_path)) == []  # whoever reads does not wait
    assert error.value.trouble is Trouble.NOT_WRITTEN
    played.append(tmp_path, GAME)


WRITING = """
import sys
from pathlib import Path
from bot.review.learner import Learner
from bot.review.measure import Grade
from bot.store import guests, played, reviews
from tests.bot.store.games import GAME
folder, name = Path(sys.argv[1]), sys.argv[2]
for number in range(100_000):
    played.append(folder, GAME._replace(account=name, drops=number))
    guests.keep(folder, name, "guest", str(number))
    Learner(folder).answer(name, Grade.BEST)
    reviews.keep(folder, f"{name}-{number}", number, "{}", "[]", "<p>" * 20_000)
    print(number + 1, flush=True)
"""
KILLS = int(os.environ.get("OSHIHIKI_KILLS", "6"))


@pytest.mark.slow
def test_entries_kept_before_a_kill_stay(tmp_path):
    chance = random.Random(5)
    told = {}
    for name in map(str, range(KILLS)):
        process = subprocess.Popen(  # noqa: S603
            [sys.executable, "-c", WRITING, str(tmp_path), name], stdout=subprocess.PIPE, text=True
        )
        process.stdout.readline()
        time.sleep(chance.uniform(0, 0.1))
        process.send_signal(signal.SIGKILL)
        told[name] = max([1, *(int(line) for line in process.communicate()[0].split("\n")[:-1])])
    learner = Learner(tmp_path)
    learner.refresh()
    for name, least in told.items():
        kept = [one.drops for one in played.read(tmp_path) if one.account == name]
        assert kept == list(range(len(kept)))
        assert least <= len(kept) <= least + 1
        assert int(guests.running(tmp_path, name, "guest")) in {len(kept) - 2, len(kept) - 1}
        assert least <= learner.learnt[name].asked <= len(kept)
        whole = [each for each in reviews.heads(tmp_path) if each.startswith(f"{name}-")]
        assert least <= len(whole) <= len(kept)
        assert {reviews.text(tmp_path, each, "page") for each in whole} == {"<p>" * 20_000}


# -- the disk ----------------------------------------------------------------------------------------------------------


def _fill(folder):
    for _ in range(1_000):
        played.append(folder, GAME._replace(log="x" * 4_000))


def test_a_full_disk_is_named_and_leaves_what_was_there(tmp_path, monkeypatch):
    played.append(tmp_path, GAME)
    opened = Store._to_write

    def on_a_full_disk(store):
        database = opened(store)
        (pages,) = database.execute("PRAGMA page_count").fetchone()
        database.execute(f"PRAGMA max_page_count = {pages}")
        return database

    with monkeypatch.context() as patch:
        patch.setattr(Store, "_to_write", on_a_full_disk)
        with pytest.raises(InputError, match="cannot be written: the disk is full; what was there") as error:
            _fill(tmp_path)
        assert error.value.trouble is Trouble.DISK_FULL
    count = len(list(played.read(tmp_path)))
    played.append(tmp_path, GAME)
    assert len(list(played.read(tmp_path))) == count + 1


def test_a_file_that_may_not_grow_leaves_what_was_there(tmp_path):
    played.append(tmp_path, GAME)
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (store_of(tmp_path).path.stat().st_size, before[1]))
    try:
        with pytest.raises(InputError, match="cannot be written: "):
            _fill(tmp_path)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert next(iter(played.read(tmp_path))) == GAME


READING = """
import os, sys
from pathlib import Path
from bot.machine.errors import InputError
from bot.store import played
from tests.bot.store.games import GAME
if os.getuid() == 0:
    os.setuid(65534)
folder = Path(sys.argv[1])
print(len(list(played.read(folder))))
try:
    played.append(folder, GAME)
except InputError as error:
    print(error.trouble, error)
"""


def test_a_store_that_may_only_be_read_is_read(tmp_path):
    played.append(tmp_path, GAME)
    store_of(tmp_path).path.chmod(0o444)
    for folder in (tmp_path, *tmp_path.parents[:3]):
        folder.chmod(0o555)
    try:
        done = subprocess.run(  # noqa: S603
            [sys.executable, "-c", READING, str(tmp_path)], capture_output=True, text=True, check=True
        )
    finally:
        for folder in (tmp_path, *tmp_path.parents[:3]):
            folder.chmod(0o755)
    first, second = done.stdout.splitlines()
    assert first == "1"
    assert second.startswith(f"no_right {tmp_path / FILE}: cannot be written: ")


def test_a_file_system_without_shared_memory_gets_another_journal_which_is_said_once(tmp_path, capsys):
    (tmp_path / f"{FILE}-shm").mkdir()  # where SQLite shares memory
    for _ in range(3):
        played.append(tmp_path, GAME)
    assert len(list(played.read(tmp_path))) == 3
    assert capsys.readouterr().err.count("this file system has no write-ahead log") == 1


# -- the file ----------------------------------------------------------------------------------------------------------


def other_program(path):
    with sqlite3.connect(path) as database:
        database.execute("CREATE TABLE games (score)")
    database.close()


def later_version(path):
    played.append(path.parent, GAME)
    with sqlite3.connect(path) as database:
        database.execute(f"PRAGMA user_version = {VERSION + 1}")
    database.close()


def torn(path):
    played.append(path.parent, GAME)
    data = bytearray(path.read_bytes())
    data[4096:] = random.Random(1).randbytes(len(data) - 4096)
    path.write_bytes(data)


@pytest.mark.parametrize(
    ("damage", "complaint"),
    [
        (lambda path: path.write_bytes(b"{}" * 5_000), r"is damaged \(file is not a database\); rename it"),
        (lambda path: path.write_bytes(b"SQLite format 3\0" + b"\1" * 5_000), r"is damaged \(.*\); rename it"),
        (torn, r"is damaged \(database disk image is malformed\); rename it, together with the files beside it"),
        (other_program, r"is damaged \(it is another program's database\); rename it"),
        (later_version, "was written by a later version of Oshihiki .*; update it"),
        (lambda path: path.mkdir(), "cannot be (read|written): it is not a regular file"),
        (os.mkfifo, "cannot be (read|written): it is not a regular file"),
        (lambda path: path.symlink_to(path), "cannot be (read|written): Too many levels of symbolic links"),
    ],
)
def test_a_fault_of_the_file_is_one_sentence_that_says_how_to_mend_it(tmp_path, damage, complaint):
    damage(tmp_path / FILE)
    for attempt in (lambda: list(played.read(tmp_path)), lambda: played.append(tmp_path, GAME)):
        with pytest.raises(InputError, match=complaint) as error:
            attempt()
        assert str(error.value).startswith(f"{tmp_path / FILE}: ")
        assert "\n" not in str(error.value)


def test_a_file_that_was_removed_or_is_empty_is_begun(tmp_path):
    played.append(tmp_path, GAME)
    (tmp_path / FILE).unlink()
    assert list(played.read(tmp_path)) == []
    (tmp_path / FILE).touch()
    assert list(played.read(tmp_path)) == []
    played.append(tmp_path, GAME)
    assert list(played.read(tmp_path)) == [GAME]


def test_a_link_stays_and_what_it_leads_to_is_written(tmp_path):
    (tmp_path / FILE).symlink_to(tmp_path / "elsewhere.db")
    played.append(tmp_path, GAME)
    assert (tmp_path / "elsewhere.db").is_file()
    assert (tmp_path / FILE).is_symlink()
