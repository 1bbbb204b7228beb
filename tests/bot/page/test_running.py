"""The note of the pages that are being served, and the commands that open them in place of their own."""

from __future__ import annotations

import asyncio
import json
import signal
import subprocess
import sys
from contextlib import asynccontextmanager
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from bot.commands import watch as watching
from bot.home.place import Home
from bot.page.loopback import kept_key, listen
from bot.page.running import NOTE, Running, noted, running
from bot.page.server import PageServer
from bot.store.database import data_folder
from tests.bot.commands.program import oshihiki
from tests.bot.entering import fetch, line
from tests.bot.home.homes import GAME, config_for

KEY = bytes(range(32))


@pytest.fixture(autouse=True)
def patient(monkeypatch):
    """However busy the machine is, a page that answers is there."""
    monkeypatch.setattr("bot.page.running.SECONDS", 100.0)


@asynccontextmanager
async def served(folder, records="records", key=KEY):
    with listen(0) as listening:
        async with asyncio.timeout(100), PageServer({}, listening, key).serve() as server:
            found = Running(server.link, server.address, records)
            with noted(folder, found):
                yield found


async def look(folder, key=KEY):
    return await asyncio.to_thread(running, folder, key)


async def test_the_pages_are_found_while_they_are_served_by_their_owner_alone(tmp_path):
    folder = tmp_path / "reviews"
    assert await look(folder) is None
    async with served(folder) as found:
        assert await look(folder) == found
        assert (folder / NOTE).stat().st_mode & 0o077 == 0
        assert await look(folder, bytes(32)) is None  # of another user
        assert await look(tmp_path) is None
    assert await look(folder) is None
    assert not (folder / NOTE).exists()


async def test_a_note_that_was_left_behind_leads_nowhere_and_another_programs_note_stays(tmp_path):
    async with served(tmp_path):
        left = (tmp_path / NOTE).read_bytes()
    (tmp_path / NOTE).write_bytes(left)
    assert await look(tmp_path) is None  # nothing listens
    port = urlsplit(json.loads(left)["address"]).port

    async def impostor(reading, writing):
        await reading.readline()
        writing.write(b'HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n{"nonce": "n", "proof": "p"}')
        writing.close()

    async with await asyncio.start_server(impostor, "127.0.0.1", port):
        assert await look(tmp_path) is None
    async with served(tmp_path) as first:
        async with served(tmp_path) as second:
            assert await look(tmp_path) == second
        (tmp_path / NOTE).write_text(json.dumps(first._asdict()))
        assert await look(tmp_path) == first


@pytest.mark.parametrize("text", [b"", b"{", b"[]", b'{"link": 1}', b"\xff", b"[" * 5000])
async def test_a_note_that_is_none_is_none(tmp_path, text):
    (tmp_path / NOTE).write_bytes(text)
    assert await look(tmp_path) is None
    note = Running("http://evil.example/x/enter/y/", "http://evil.example/x/", "")
    (tmp_path / NOTE).write_text(json.dumps(note._asdict()))
    assert await look(tmp_path) is None


@pytest.fixture
async def opened(tmp_path, monkeypatch):
    """The page of a user's data folder, as ``oshihiki open`` serves it: ``(home, running)``."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    folder, config = data_folder() / "reviews", config_for(data_folder())
    home = Home(config, folder)
    with listen(0) as listening:
        async with asyncio.timeout(100), home.serve(listening, kept_key(data_folder())) as server:
            found = Running(server.link, server.address, str((data_folder() / "records").absolute()))
            with noted(folder, found):
                yield home, found


def add_record(folder, name):
    folder.mkdir(exist_ok=True)
    (folder / name).write_text('{"format": "oshihiki-record"}\n')


async def test_open_watch_and_play_show_the_page_that_is_running_at_their_place(opened, tmp_path, monkeypatch, capsys):
    home, found = opened

    async def run(*words):
        code, _, err = await asyncio.to_thread(oshihiki, monkeypatch, capsys, *words)
        assert code == 0, err
        return err.replace("\n", "")

    log = tmp_path / "game.xml"
    log.write_bytes(GAME)

    said = await run("watch", str(log), "--seat", "2")
    assert f"watch: {found.link}watch/#show=game_" in said
    key, _, rest = said.partition("#show=")[2].partition("&")
    assert rest.startswith("seat=2a place of")
    async with line(found.link, "watch/") as socket:
        await socket.send(json.dumps({"do": "show", "kept": key, "seat": 2}))
        while '"dealt"' not in await socket.recv():
            pass
    assert [one.view.seat for one in home.watching.stage.games] == [2]
    assert (await fetch(found.link, "watch/"))[0] == 200
    for at, place in ((1, "watch/#show=1"), (2, "#watch")):
        add_record(Path(found.records), f"{at}.jsonl")
        assert f"watch: {found.link}{place}a place of" in await run("watch", found.records)
    said = await run("play", "--policy", "human", "--against", "flow", "--tonpu", "--name", "Anna")
    assert f"play: {found.link}?against=flow&length=tonpu&clock=slow&name=Anna#play" in said
    said = await run("open", "--no-browser", "--lang", "ja")
    assert f"open: {found.link}?lang=ja" in said
    assert home.library.log(key) is not None


@pytest.mark.slow
async def test_a_second_page_at_a_port_of_its_own_leaves_the_first_the_one_that_is_shown(opened):
    _, found = opened
    folder = data_folder() / "reviews"
    other = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "bot", "open", "--json", "--port", "0", stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    )
    link = json.loads(await other.stdout.readline())["link"]
    assert link != found.link
    other.send_signal(signal.SIGINT)
    await other.wait()
    assert await asyncio.to_thread(running, folder, kept_key(data_folder())) == found


async def test_a_log_that_cannot_be_kept_beside_the_page_is_shown_by_itself(opened, tmp_path, monkeypatch, capsys):
    home, _ = opened
    (home.library.folder / "logs").write_bytes(b"")
    served = []

    def serve(work):
        served.append(work.__name__)
        work.close()

    monkeypatch.setattr(watching, "run_until_stopped", serve)
    log = tmp_path / "game.xml"
    log.write_bytes(GAME)
    code, _, err = await asyncio.to_thread(oshihiki, monkeypatch, capsys, "watch", str(log))
    assert (code, served) == (0, ["_watch"]), err
