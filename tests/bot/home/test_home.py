"""The page with five places: who gets in, what it is told, and attempts to make it do something else."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import signal
import sys
from contextlib import suppress
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from websockets.exceptions import ConnectionClosed

from bot.commands.browser import leading_to
from bot.home.library import Library
from bot.home.place import WORDS, home_page
from bot.machine import fetch as fetching
from bot.machine.errors import InputError, Trouble
from bot.machine.files import locked_folder
from bot.review.learner import Learner
from bot.store import reviews
from bot.store.database import FILE, store_of
from bot.watch.reviews import Made, Reviews
from bot.wording.languages import Lang
from tests.bot.commands.program import oshihiki
from tests.bot.entering import address_of, cookie_of, fetch, line
from tests.bot.home.homes import at_home, drop, game, until
from tests.bot.home.reviews import PLAYERS, reviewed
from tests.bot.machine.misbehaving import ID, answer, certificate, says, serving
from tests.tiers import mostly_slow


def test_both_languages_say_everything():
    assert list(WORDS(Lang.EN)) == list(WORDS(Lang.JA))
    for lang in Lang:
        assert f'<html lang="{lang}">' in home_page(lang)


@pytest.mark.slow
async def test_the_process_that_reviews_begins_when_a_log_is_dropped(tmp_path):
    async with at_home(tmp_path) as (home, link):
        await drop(link, ("notes.txt", b"no log"))
        assert home._reviews._process is None
        await drop(link, ("game.xml", game(*PLAYERS)))
        await until(home, lambda _: home._reviews._process is not None)
        began = home._reviews._process
        assert (await reviewed(home, link, 1))["state"] == "ready"
        assert home._reviews._process is began


async def test_a_review_is_made_kept_and_found_again(tmp_path):
    async with at_home(tmp_path) as (home, link):
        job = await reviewed(home, link, 2)
        assert job["state"] == "ready"
        assert (job["at"], job["of"]) == (job["of"], job["of"])
        (row,) = home.history.run["reviews"]
        assert row["names"] == ["Cleo", "Dan", "Anna", "Ben"]
        assert row["place"] in {1, 2, 3, 4}
        assert row["date"] == ""  # nothing says when it was played
        assert (job["called"], job["seat"]) == ([*PLAYERS], 2)
        assert job["places"][2] == row["place"]
        assert row["worst"]["loss"] > 0
        status, page, _ = await fetch(link, f"review/{row['page']}")
        assert status == 200
        assert "Cleo" in page
        assert "#d" in page  # the address of a decision opens it
        assert '<a href="../?lang=en#review">Oshihiki</a>' in page  # and leads back
        japanese = (await fetch(link, f"review/{row['page']}?lang=ja"))[1]
        assert '<html lang="ja">' in japanese
        assert '<a href="../?lang=ja#review">Oshihiki</a>' in japanese
        async with line(link) as socket:  # without a language in its address it is in the one that is remembered
            await socket.send('{"do": "speak", "lang": "ja"}')
            await until(home, lambda run: run["choices"]["lang"] == "ja")
            assert (await fetch(link, f"review/{row['page']}"))[1] == japanese
            assert (await fetch(link, f"review/{row['page']}?lang=en"))[1] == page
            await socket.send('{"do": "theme", "wanted": "dark"}')
            await until(home, lambda run: run["choices"]["theme"] == "dark")
            assert 'content="dark"' in (await fetch(link, f"review/{row['page']}"))[1]
        fields = json.loads(reviews.text(tmp_path / "reviews", row["page"], "fields"))
        assert fields["policy"]["name"] == "simple"  # of the configuration given
        assert home.history.run["sums"]["games"] == 1
        questions = home.history.run["practice"]["questions"]
        assert questions == len(home.library.questions()) > 0
        assert (await fetch(link, "practice/"))[0] == 200
        async with line(link) as socket:
            await socket.send('{"do": "all", "lang": "ja"}')
            while not isinstance(said := json.loads(await socket.recv()), dict):
                pass
            status, page, _ = await fetch(link, said["go"])
            assert status == 200
        assert "Cleo" in page
        assert '<a href="./?lang=ja#review">Oshihiki</a>' in page
    async with at_home(tmp_path) as (home, link), line(link, "practice/"):  # and on another day
        await until(home, lambda run: run.get("reviews"))  # whichever page is opened first
    async with at_home(tmp_path) as (home, link), line(link):
        run = await until(home, lambda run: run.get("reviews"))
        assert run["reviews"] == [row]
        assert (await fetch(link, f"review/{row['page']}"))[0] == 200


@pytest.mark.slow
async def test_a_game_that_is_reviewed_again_counts_once(tmp_path):
    async with at_home(tmp_path) as (home, link):
        await reviewed(home, link)
        await reviewed(home, link, 2)
        await reviewed(home, link)
        assert sorted(one["names"][0] for one in home.history.run["reviews"]) == ["Anna", "Cleo"]


@pytest.mark.slow
async def test_all_games_of_one_name_are_reviewed_by_one_click(tmp_path):
    async with at_home(tmp_path) as (home, link), line(link) as socket:
        games = [("a.xml", game(*PLAYERS)), ("b.xml", game("Ben", "Anna", "Cleo", "Dan")), ("c.xml", game(*"EFGH"))]
        await drop(link, *games)
        await socket.send('{"do": "review", "name": "Anna"}')
        run = await until(home, lambda run: len(run.get("reviews", ())) == 2)
        assert {one["names"][0] for one in run["reviews"]} == {"Anna"}
        assert len(run["jobs"]) == 2


@pytest.mark.slow
async def test_a_review_that_is_deleted_is_gone_with_its_log_unless_another_needs_it(tmp_path):
    async with at_home(tmp_path) as (home, link):

        async def delete(page):
            left = [one["page"] for one in home.history.run["reviews"] if one["page"] != page]
            async with line(link) as socket:
                await socket.send(json.dumps({"do": "delete", "page": page}))
                await until(home, lambda run: [one["page"] for one in run["reviews"]] == left)
                await until(home, lambda run: page not in {job["page"] for job in run["jobs"]})
            assert (await fetch(link, f"review/{page}"))[0] == 404

        first, second = await reviewed(home, link), await reviewed(home, link, 2)
        (log,) = (tmp_path / "reviews" / "logs").iterdir()
        again = f"again-{first['page']}"  # the same review by another name
        reviews.keep(
            tmp_path / "reviews", again, 0, reviews.text(tmp_path / "reviews", first["page"], "fields"), "", ""
        )
        await delete(first["page"])
        assert list(reviews.heads(tmp_path / "reviews")) == [second["page"]]
        assert log.exists()  # the other review needs it
        await delete(second["page"])
        assert log.exists()  # it can still be chosen on the page
        third = await reviewed(home, link, 1)
        async with line(link) as socket:
            await socket.send('{"do": "clear"}')
            await until(home, lambda run: not run["dropped"]["games"])
        await delete(third["page"])
        assert {path.name for path in (tmp_path / "reviews").rglob("*") if path.is_file()} == {FILE}
        assert reviews.heads(tmp_path / "reviews") == {}
        assert home.history.run["sums"] is None


@mostly_slow("needs", ["a review of another version", "one that is being made", "one that waits", "a table"])
async def test_a_log_is_not_deleted_while_a_review_needs_it(tmp_path, monkeypatch, needs):
    async with at_home(tmp_path) as (home, link), line(link) as socket:
        job = await reviewed(home, link)
        (log,) = (tmp_path / "reviews" / "logs").iterdir()
        held = asyncio.Event()

        async def made(*_):
            await held.wait()
            return Made("")

        monkeypatch.setattr(Reviews, "_made", made)
        if needs == "a review of another version":
            older = '{"format": "oshihiki-audit", "version": 1}'
            reviews.keep(tmp_path / "reviews", f"{log.stem}-0123abcd", 0, older, "", "")
        elif needs == "a table":
            asyncio.ensure_future(home._reviews.make(log, 1, Lang.EN))  # noqa: RUF006 - it waits for the event alone
        for seat in {"one that is being made": [1], "one that waits": [1, 2]}.get(needs, ()):
            await socket.send(json.dumps({"do": "review", "key": log.stem, "seat": seat}))
        await socket.send('{"do": "clear"}')
        await socket.send(json.dumps({"do": "delete", "page": job["page"]}))
        await until(home, lambda run: not run["reviews"])
        assert log.is_file()
        held.set()


@pytest.mark.slow
async def test_a_review_that_cannot_be_deleted_says_why(tmp_path, monkeypatch):
    def refused(*_):
        raise InputError("the disk is full", Trouble.DISK_FULL)

    async with at_home(tmp_path) as (home, link):
        job = await reviewed(home, link)
        monkeypatch.setattr(reviews, "delete", refused)
        async with line(link) as socket:
            for name, why in ((job["page"], "cannot be deleted"), ("../records/x", "no such review")):
                await socket.send(json.dumps({"do": "delete", "page": name}))
                while not isinstance(said := json.loads(await socket.recv()), dict):
                    pass
                assert why in said["trouble"]["en"]
        assert len(home.library.rows()) == 1


@pytest.mark.slow
async def test_a_review_of_version_7_is_listed(tmp_path):
    async with at_home(tmp_path) as (home, link):
        await reviewed(home, link, 2)
    (name,) = reviews.heads(tmp_path / "reviews")
    fields = json.loads(reviews.text(tmp_path / "reviews", name, "fields"))
    older = json.dumps({**fields, "version": 7, "judges": [], "luck": {"luck": 1.0}})
    reviews.keep(tmp_path / "reviews", name, 0, older, "", "")
    library = Library(tmp_path / "reviews", tmp_path / "records")
    library.read()
    assert (len(library.rows()), library.failed) == (1, [])
    assert "Cleo" in library.page_of_all(Lang.EN)


async def test_reviews_that_cannot_be_read_cost_no_others(tmp_path):
    async with at_home(tmp_path) as (home, link):
        await reviewed(home, link, 2)
    (whole,) = (reviews.text(tmp_path / "reviews", name, "fields") for name in reviews.heads(tmp_path / "reviews"))
    fields = json.loads(whole)
    wrong = {
        "cut": whole[:1000],
        "list": "[]",
        "version": json.dumps({**fields, "version": 1}),
        "nobody": json.dumps({**fields, "names": []}),
        "nan": json.dumps({**fields, "score": {**fields["score"], "per_hundred": float("nan")}}),
        "digits": whole.replace('"seat": 2', f'"seat": 2{"0" * 400}'),
        "hands": json.dumps({**fields, "hands": [{}]}),
        "ends": json.dumps({**fields, "ends": [{"placement": "first"}]}),
        "loss": json.dumps({**fields, "differences": [{**one, "loss": 1e308} for one in fields["differences"]]}),
        "deep": "[" * 100_000,
    }
    for name, text in wrong.items():
        reviews.keep(tmp_path / "reviews", name, 0, text, "", "")
    with store_of(tmp_path / "reviews").writing() as database:
        database.execute("INSERT INTO reviews VALUES ('bytes', 0, x'ffff', x'', x'')")
    library = Library(tmp_path / "reviews", tmp_path / "records")
    library.read()
    assert len(library.rows()) == 1
    assert sorted(library.failed) == sorted([*wrong, "bytes"])
    assert library.sums()["games"] == 1


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    return certificate(tmp_path_factory.mktemp("tls"))


async def test_a_log_that_is_named_is_asked_for_only_by_a_click(tmp_path, files):
    text = game(*PLAYERS)
    with serving(files, says(answer(body=text))) as (archive, asked):
        async with at_home(tmp_path, archive=archive) as (home, link), line(link) as socket:
            await drop(link, ("text", f"https://tenhou.net/0/?log={ID}&tw=1".encode()))
            assert home.history.run["dropped"]["missing"] == [ID]
            assert asked == []
            await socket.send('{"do": "fetch"}')
            run = await until(home, lambda run: run["dropped"]["games"])
            assert [(one["names"], one["seat"]) for one in run["dropped"]["games"]] == [([*PLAYERS], 1)]
            assert asked == [f"/0/log/?{ID}"]


async def test_a_job_that_was_cleared_is_not_asked_for_when_its_turn_comes(tmp_path, files):
    (tmp_path / "fetched").mkdir()
    with serving(files, says(answer(body=game(*PLAYERS)))) as (archive, asked):
        async with at_home(tmp_path, archive=archive) as (home, link), line(link) as socket:
            with locked_folder(tmp_path / "fetched"):  # another program is asking
                await drop(link, ("text", f"https://tenhou.net/0/?log={ID}".encode()))
                await socket.send('{"do": "fetch"}')
                await until(home, lambda run: ID in run["reading"])
                await socket.send('{"do": "clear"}')
                await until(home, lambda run: not run["reading"])
            await asyncio.gather(*home.dropping.tasks)
            assert asked == []
            assert home.history.run["dropped"]["errors"] == []


async def test_two_clicks_ask_for_each_log_once(tmp_path, files, monkeypatch):
    monkeypatch.setattr(fetching, "EVERY", 0.01)
    with serving(files, says(answer("404 Not Found", b""))) as (archive, asked):
        async with at_home(tmp_path, archive=archive) as (home, link), line(link) as socket:
            ids = [f"{ID[:-1]}{digit}" for digit in "123"]
            await drop(link, ("text", "\n".join(f"https://tenhou.net/0/?log={each}" for each in ids).encode()))
            await socket.send('{"do": "fetch"}')
            await socket.send('{"do": "fetch"}')
            await until(home, lambda run: len(run["dropped"]["errors"]) == 3)
            await asyncio.gather(*home.dropping.tasks)
            assert sorted(asked) == [f"/0/log/?{each}" for each in ids]


async def test_all_games_of_a_name_are_reviewed_while_others_are_dropped(tmp_path, monkeypatch):
    asked = []
    async with at_home(tmp_path) as (home, link), line(link) as socket:
        await drop(link, ("a.xml", game(*PLAYERS)))
        games = home.dropping.dropped.games

        def ask(key, *_):
            asked.append(key)
            games[f"{key}-too"] = games[key]  # as the thread that reads a drop adds to them

        monkeypatch.setattr(home, "_ask", ask)
        await socket.send('{"do": "review", "name": "Anna"}')
        await socket.send('{"do": "clear"}')
        await until(home, lambda run: not run["dropped"]["games"])
        assert len(asked) == 1


async def test_a_log_that_does_not_come_says_why(tmp_path, files):
    with serving(files, says(answer("404 Not Found", b""))) as (archive, _):
        async with at_home(tmp_path, archive=archive) as (home, link), line(link) as socket:
            await drop(link, ("text", ID.encode()))
            await socket.send('{"do": "fetch"}')
            run = await until(home, lambda run: run["dropped"]["errors"])
            assert "not written yet" in run["dropped"]["errors"][0]["en"]
            await socket.send('{"do": "clear"}')
            await until(home, lambda run: not run["dropped"]["errors"])


# -- hostile attempts ------------------------------------------------------------------------------------------------


PLACES = ("", "watch/", "practice/", "drop/")


PATHS = (
    "review/", "review/..", "review/../data", "review/%2e%2e/x", "review/" + "a" * 5000, "review/a%00b", "review//x",
    "watch/review/../../oshihiki.db", "practice/games/../oshihiki.db", "practice/games/..", "drop/", "drop",
    "watch", "all", "data/", "logs/", "oshihiki.db", "review/..\\..\\x", "all?lang=../../x", "x/y/z", "review/.html",
)  # fmt: skip


async def test_no_path_leads_to_a_file_that_is_no_page(tmp_path):
    (tmp_path / "reviews").mkdir()
    Learner(tmp_path / "reviews").check()
    async with at_home(tmp_path) as (_, link):
        for path in PATHS:
            try:
                status, text, _ = await fetch(link, path)
            except (ValueError, ConnectionError, OSError):  # not even sent, or refused at once
                continue
            assert status in {400, 404, 414}, path
            assert "SQLite" not in text, path


SAID = (
    "", "{", "[]", "1", "null", '"go"', "[" * 4000, '{"do": 1}', '{"do": ["play"]}', '{"do": "play"}',
    '{"do": "leave"}', '{"do": "watch", "key": "' + "k" * 3000 + '"}',
    '{"do": "play", "against": "os:system", "length": "tonpu", "clock": "slow", "name": "", "hints": true}',
    '{"do": "play", "against": "mjai:touch x", "length": "tonpu", "clock": "slow", "name": "", "hints": true}',
    '{"do": "play", "against": "simple", "length": "x", "clock": "slow", "name": "", "hints": true}',
    '{"do": "play", "against": "simple", "length": "tonpu", "clock": "slow", "name": "\\u001b[31m", "hints": true}',
    '{"do": "play", "against": "simple", "length": "tonpu", "clock": "fast", "name": "' + 9 * "xxx" + '", "hints": 1}',
    '{"do": "review", "key": "../../etc/passwd", "seat": 0}',
    '{"do": "review", "key": "/etc/passwd", "seat": 0}',
    '{"do": "review", "key": "game", "seat": 4}',
    '{"do": "review", "key": "game", "seat": -1}',
    '{"do": "review", "key": "", "seat": null}',
    '{"do": "review", "name": "nobody"}',
    '{"do": "me", "name": "", "wanted": true}', '{"do": "me", "name": "' + 25 * "x" + '", "wanted": true}',
    '{"do": "me", "name": ["a"], "wanted": true}', '{"do": "me", "name": "a", "wanted": 1}',
    '{"do": "theme", "wanted": "</style>"}', '{"do": "theme", "wanted": null}', '{"do": "everyone", "wanted": "x"}',
    '{"do": "all", "lang": "xx"}', '{"do": "all", "lang": "en"}', '{"do": "fetch", "ids": ["../x"]}', '{"do": "fetch"}',
    '{"do": "delete", "page": "../x"}', '{"do": "delete", "page": ""}', '{"do": "delete", "page": "a\\u0000b"}',
    '{"do": "delete", "page": 1}', '{"do": "delete"}', '{"do": "clear", "path": "/"}',
    "\ud83d\ude00", '{"do": "open", "log": 0, "seat": null}',
)  # fmt: skip


async def test_messages_of_a_browser_do_nothing_that_is_not_meant(tmp_path, monkeypatch):
    monkeypatch.setattr(fetching, "fetch", None)  # nothing asks
    before = set(tmp_path.rglob("*"))
    async with at_home(tmp_path) as (home, link), line(link) as socket:
        for said in SAID:
            await socket.send(said.encode("utf-8", "replace").decode())
        await socket.send(b"bytes")
        await socket.send('{"do": "delete", "page": "the last"}')
        while True:
            found = json.loads(await socket.recv())
            if isinstance(found, dict) and "the last" in found.get("trouble", {}).get("en", ""):
                break
            assert "go" not in found
        assert not home.history.run.get("jobs")
        assert home.history.run["table"] == {"state": "", "why": {}}
    assert {path.name for path in set(tmp_path.rglob("*")) - before} <= {"reviews", "records"}


async def test_too_long_a_message_ends_the_connection_and_not_the_program(tmp_path):
    async with at_home(tmp_path) as (_, link):
        for place in PLACES:
            async with line(link, place) as socket:
                await socket.send("x" * (1 << 18))
                async with asyncio.timeout(100):
                    await socket.wait_closed()
                assert socket.close_code in {1006, 1008, 1009}
        assert (await fetch(link))[0] == 200


async def test_a_flood_is_cut_off(tmp_path):
    async with at_home(tmp_path) as (_, link):
        async with line(link) as socket:
            with suppress(ConnectionClosed):
                for _ in range(100_000):
                    await socket.send("x" * 4000)
            await socket.wait_closed()
        assert (await fetch(link))[0] == 200


async def test_pages_are_only_read(tmp_path):
    async with at_home(tmp_path) as (_, link):
        parts = urlsplit(link)
        for method in ("POST", "PUT", "DELETE", "OPTIONS", "TRACE", "HEAD", "PROPFIND"):
            reading, writing = await asyncio.open_connection(parts.hostname, parts.port)
            path = urlsplit(address_of(link)).path
            asking = f"{method} {path} HTTP/1.1\r\nHost: {parts.netloc}\r\nCookie: {await cookie_of(link)}\r\n\r\n"
            writing.write(asking.encode())
            assert (await reading.read()).startswith((b"HTTP/1.1 405 ", b"HTTP/1.1 400 ")), method
            writing.close()
            await writing.wait_closed()


@pytest.mark.slow
async def test_a_seat_that_is_true_is_the_seat_of_that_number(tmp_path):
    async with at_home(tmp_path) as (home, link), line(link) as socket:
        await drop(link, ("a.xml", game(*PLAYERS)))
        (one,) = home.history.run["dropped"]["games"]
        for seat in ("true", "1"):
            await socket.send(f'{{"do": "review", "key": "{one["key"]}", "seat": {seat}}}')
        run = await until(home, lambda run: run.get("jobs") and run["jobs"][-1]["state"] in {"ready", "failed"})
        assert [(job["seat"], job["state"]) for job in run["jobs"]] == [(1, "ready")]


@pytest.mark.slow
async def test_a_review_deleted_under_the_server_is_gone_and_the_next_is_kept(tmp_path):
    async with at_home(tmp_path) as (home, link):
        before = await reviewed(home, link, 0)
        shutil.rmtree(tmp_path / "reviews")
        assert (await fetch(link, f"review/{before['page']}"))[0] == 404
        async with line(link) as socket:
            await socket.send(json.dumps({"do": "delete", "page": before["page"]}))
            await socket.send('{"do": "all", "lang": "en"}')
            await until(home, lambda run: not run["jobs"])
        after = await reviewed(home, link, 1, ("Eva", "Finn", "Gwen", "Hugo"))
        assert (await fetch(link, f"review/{after['page']}"))[0] == 200


async def test_slow_requests_keep_nobody_waiting(tmp_path):
    async with at_home(tmp_path) as (_, link):
        parts = urlsplit(link)
        slow = [await asyncio.open_connection(parts.hostname, parts.port) for _ in range(90)]
        for _, writing in slow:
            writing.write(b"GET / HT")
        async with asyncio.timeout(10):
            assert (await fetch(link))[0] == 200
        for _, writing in slow:
            writing.close()


@pytest.mark.slow
async def test_names_with_markup_are_text_everywhere(tmp_path):
    names = ("<img src=x>", "&quot;&lt;b", "</script>", "{{ 7*7 }}")
    async with at_home(tmp_path) as (home, link):
        job = await reviewed(home, link, 0, [name.replace("&quot;", '"').replace("&lt;", "<") for name in names])
        async with line(link) as socket:
            await socket.send('{"do": "all", "lang": "en"}')
            while not isinstance(json.loads(await socket.recv()), dict):
                pass
        for path in (f"review/{job['page']}", "all", "practice/", ""):
            text = (await fetch(link, path))[1]
            assert "<img src=x>" not in text
            assert text.count("</script>") == text.count("<script")
            assert "49" not in text or "{{ 7*7 }}" in text or "7*7" not in text


@pytest.mark.slow
async def test_two_pages_at_once_see_one_state(tmp_path):
    async with at_home(tmp_path) as (home, link), line(link) as one, line(link) as two:
        await asyncio.gather(drop(link, ("a.xml", game("Anna"))), drop(link, ("b.xml", game("Ben"))))
        assert len(home.history.run["dropped"]["games"]) == 2
        key = home.history.run["dropped"]["games"][0]["key"]
        asked = json.dumps({"do": "review", "key": key, "seat": 0})
        await asyncio.gather(one.send(asked), two.send(asked), one.send('{"do": "clear"}'), two.send('{"do": "clear"}'))
        await until(home, lambda run: run.get("reviews"))
        assert len(home.history.run["jobs"]) == 1
        for socket in (one, two):
            told = {}
            while not told.get("reviews"):
                for message in json.loads(await socket.recv()):
                    told |= message.get("run", {})
            assert told["reviews"] == home.history.run["reviews"]


async def test_a_folder_that_cannot_be_written_is_named(tmp_path):
    (tmp_path / "reviews").write_text("in the way")
    async with at_home(tmp_path) as (home, link):
        await drop(link, ("a.xml", game("Anna")))
        assert "cannot be written" in home.history.run["dropped"]["errors"][0]["en"]


def test_the_command_has_help_names_what_is_wrong_and_starts_no_browser(monkeypatch, capsys, tmp_path):
    code, out, _ = oshihiki(monkeypatch, capsys, "open", "--help")
    assert code == 0
    assert "Examples:" in out
    assert "--no-browser" in out
    code, _, refused = oshihiki(monkeypatch, capsys, "open", "--config", tmp_path / "none.toml")
    assert code == 2
    assert "none.toml" in refused


async def test_the_command_prints_its_address_as_json_and_ends_with_ctrl_c(tmp_path):
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "bot", "open", "--json", "--folder", str(tmp_path / "reviews")),
        stdout=asyncio.subprocess.PIPE, env={**os.environ, "XDG_DATA_HOME": str(tmp_path)},
    )  # fmt: skip
    async with asyncio.timeout(120):
        said = json.loads(await process.stdout.readline())
        assert Path(said["folder"]) == tmp_path / "reviews"
        assert (await fetch(said["link"]))[0] == 200
        process.send_signal(signal.SIGINT)
        await process.communicate()
    assert process.returncode == 0


async def test_a_fault_of_the_store_is_said_and_the_rest_works(tmp_path):
    kept = tmp_path / "reviews" / FILE
    kept.parent.mkdir()
    kept.write_text("{" * 5_000, encoding="utf-8")
    async with at_home(tmp_path) as (home, link), line(link):
        run = await until(home, lambda run: "practice" in run)
        assert f"{FILE}: is damaged" in run["practice"]["why"]["en"]
        assert (await fetch(link))[0] == 200
        assert kept.read_text(encoding="utf-8") == "{" * 5_000
        kept.unlink()
        await until(home, lambda run: not run["practice"]["why"])


async def test_how_the_browser_is_started_lets_nobody_in(tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    link = "http://127.0.0.1:1/secret/?lang=ja&x"
    with leading_to(link) as address:
        assert "secret" not in address
        (file,) = tmp_path.iterdir()
        assert address == file.as_uri()
        assert file.stat().st_mode & 0o077 == 0
        assert "url=http://127.0.0.1:1/secret/?lang=ja&amp;x" in file.read_text(encoding="utf-8")
    assert list(tmp_path.iterdir()) == []


async def test_logs_that_are_kept_are_their_owners_alone(tmp_path):
    async with at_home(tmp_path) as (_, link):
        await drop(link, ("a.xml", game(*PLAYERS)))
    (log,) = (tmp_path / "reviews" / "logs").iterdir()
    assert log.stat().st_mode & 0o077 == 0
