"""Logs that are fetched: one form of address, one at a time, kept, and a server that misbehaves."""

from __future__ import annotations

import threading
import time
from itertools import pairwise

import pytest

from bot.commands import verify
from bot.logs.sources import MAX_GAME_BYTES
from bot.machine import fetch as fetching
from bot.machine.fetch import EVERY, Archive, fetch
from bot.machine.inputs import Inputs
from protocol.errors import LogError
from tests.bot.machine.misbehaving import ID, LOG, StandingClock, answer, certificate, drip, says, serving
from tests.tiers import mostly_slow


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    return certificate(tmp_path_factory.mktemp("tls"))


@pytest.fixture(autouse=True)
def patient(monkeypatch):
    """However busy the machine is, a server that answers is not late."""
    monkeypatch.setattr(fetching, "SECONDS", 100.0)


def test_a_log_is_asked_for_in_the_form_that_is_wanted_once_and_kept(tmp_path, files):
    with serving(files, says(answer())) as (archive, asked):
        path = fetch(ID, tmp_path, archive)
        assert path.read_bytes() == LOG
        assert fetch(ID, tmp_path, archive) == path
    assert asked == [f"/0/log/?{ID}"]
    assert fetch(ID, tmp_path, archive) == path  # and nobody is there any more


def test_one_request_a_second_and_one_at_a_time(tmp_path, files):
    times = []

    def respond(secure, _ended):
        times.append(time.monotonic())
        secure.sendall(answer())

    with serving(files, respond) as (archive, _):
        names = [ID[:-1] + digit for digit in "012"]
        asking = [threading.Thread(target=fetch, args=(name, tmp_path, archive)) for name in [*names, names[0]]]
        for each in asking:
            each.start()
        for each in asking:
            each.join()
    assert len(times) == 3
    ticks = 0.05  # the clock of files goes by steps
    assert min(after - before for before, after in pairwise(times)) > EVERY - ticks


@pytest.mark.parametrize("wrong", ["", "../../etc/passwd", f"{ID}&x=1", ID + "\n", f"{ID}/..", "x" * 1000, "\0"])
def test_only_ids_of_logs_are_asked_for(tmp_path, wrong):
    with pytest.raises(LogError, match="is not the id of a log"):
        fetch(wrong, tmp_path, Archive("localhost", 1))
    assert not list(tmp_path.iterdir())


CLOCK = StandingClock()


def silence(_secure, ended):
    CLOCK.turn()
    ended.wait(100)


ELSEWHERE = "Location: https://elsewhere.example/"
MISBEHAVIOUR = {
    "a redirect": (says(answer("302 Found", b"", ELSEWHERE)), "wants to lead elsewhere"),
    "too large, as it says": (says(answer(length=MAX_GAME_BYTES + 1)), "more than 2 MiB"),
    "too large, unsaid": (
        says(b"HTTP/1.1 200 OK\r\n\r\n" + b" " * (MAX_GAME_BYTES + 9)),
        "more than 2 MiB",
    ),
    "a slow drip of the log": (drip(answer(), CLOCK), "has not sent the log within"),
    "a slow drip of the head": (drip(b"HTTP/1.1 200 OK\r\n" + b"X: y\r\n" * 900, CLOCK), "has not sent the log within"),
    "silence": (silence, "has not sent the log within"),
    "cut off": (says(answer()[:-20]), "only a part"),
    "cut off, unsaid": (says(b"HTTP/1.1 200 OK\r\n\r\n" + LOG[:-20]), "not a whole log"),
    "no answer": (says(b""), "broke off"),
    "a page": (says(answer(body=b"<!doctype html><p>Welcome", length=None)), "not a whole log"),
    "no HTTP": (says(b"220 mail.example ESMTP\r\n"), "broke off"),
    "an endless head": (says(b"HTTP/1.1 200 OK\r\n" + b"X: y\r\n" * 5_000), "broke off"),
    "404": (says(answer("404 Not Found", b"")), "not written yet.*or too old"),
    "403": (says(answer("403 Forbidden", b"")), "refuses to give"),
    "429": (says(answer("429 Too Many Requests", b"")), "busy or being mended"),
    "418": (says(answer("418 I'm a teapot", b"")), "does not give the log"),
}


@mostly_slow("name", MISBEHAVIOUR, quick=4)
def test_a_server_that_misbehaves_gets_a_clear_word_and_leaves_nothing(tmp_path, files, monkeypatch, name):
    monkeypatch.setattr(fetching.threading, "Timer", CLOCK.timer)
    respond, complaint = MISBEHAVIOUR[name]
    with serving(files, respond) as (archive, asked), pytest.raises(LogError, match=complaint):
        fetch(ID, tmp_path, archive)
    assert len(asked) == 1
    assert [each.name for each in tmp_path.iterdir()] == ["asked"]


def test_a_certificate_of_somebody_else_is_asked_nothing(tmp_path, tmp_path_factory, files):
    other = certificate(tmp_path_factory.mktemp("other"), "elsewhere.example")
    for trusted in (files[0], other[0], None):  # not signed by whom we trust; of another name; by nobody
        with serving(other, says(answer())) as (archive, asked):
            with pytest.raises(LogError, match="the certificate is not that of localhost"):
                fetch(ID, tmp_path, Archive("localhost", archive.port, trusted and str(trusted)))
            assert asked == []


def test_without_a_network_it_says_so(tmp_path):
    with pytest.raises(LogError, match="there is no network here"):
        fetch(ID, tmp_path, Archive("nowhere.invalid"))
    with pytest.raises(LogError, match="there is no network here"):
        fetch(ID, tmp_path, Archive("localhost", 1))


def test_a_folder_that_cannot_be_written_says_so(tmp_path):
    (tmp_path / "file").touch()
    with pytest.raises(LogError, match="cannot be written"):
        fetch(ID, tmp_path / "file" / "folder", Archive("localhost", 1))


def test_commands_ask_only_if_they_are_told_to_and_once(tmp_path, files, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "list.txt").write_text(f"https://tenhou.net/0/?log={ID}&tw=2\n{ID}\n")
    with serving(files, says(answer("404 Not Found", b""))) as (archive, asked):
        monkeypatch.setattr(fetching, "TENHOU", archive)
        monkeypatch.setattr(fetching, "kept_logs", lambda: tmp_path / "kept")
        for places in ([f"https://tenhou.net/0/?log={ID}"], ["list.txt"]):
            assert all("--fetch" in str(file.error) for file in Inputs(places).every_file())
        assert asked == []
        inputs = Inputs([f"https://tenhou.net/0/?log={ID}", "list.txt"], fetch=True)
        for _ in range(2):
            assert all("no such log" in str(file.error) for file in inputs.every_file())
        assert len(asked) == 1
    with serving(files, says(answer())) as (archive, asked):
        monkeypatch.setattr(fetching, "TENHOU", archive)
        found = list(Inputs([f"https://tenhou.net/0/?log={ID}&tw=2"], fetch=True).every_file())
        assert [(file.seat, file.error, file.data) for file in found] == [(2, None, LOG)]
    assert "fetch" in verify.verify.__annotations__
