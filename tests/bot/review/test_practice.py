"""Practice: questions from a review, answers by clicks, and a learner who is remembered."""

from __future__ import annotations

import asyncio
import errno
import json
import resource
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta

import pytest

from bot.deciding.players import PlayerSpec
from bot.machine.errors import InputError
from bot.review.folder import write_folder
from bot.review.learner import AHEAD, Learner
from bot.review.many import Job, audit_logs
from bot.review.measure import COSTLY, Grade
from bot.review.practice import WORDS, Session
from bot.review.questions import read_questions
from bot.store.database import FILE, Store, store_of
from bot.wording.languages import Lang
from tests.bot.accessible import faults
from tests.bot.browser import browser, needs_browser
from tests.bot.commands.program import oshihiki
from tests.bot.entering import fetch, line
from tests.bot.geometry import PHONE, SIDE, meeting, missed, outside, shown
from tests.bot.review.games import log_file, uneven_game
from tests.bot.review.practising import practising

NOW = datetime(2026, 1, 1, 12, tzinfo=UTC)


@pytest.fixture(scope="module")
def review(tmp_path_factory):
    folder = tmp_path_factory.mktemp("review")
    job = Job(PlayerSpec.parse("simple"), seat=2, folder=folder)
    write_folder(folder, audit_logs([log_file(uneven_game())], job), "")
    return folder


@pytest.fixture
def questions(review):
    return read_questions([review], Grade.INACCURACY)[0]


def read(folder):
    learner = Learner(folder)
    learner.refresh()
    return learner


def best(question):
    return question.choices.index(question.row["chosen"])


def worst(question):
    return question.choices.index(question.row["played"])


def test_every_costly_decision_is_a_question_the_costliest_first(review, questions):
    rows = json.loads(next((review / "data").glob("*.json")).read_text(encoding="utf-8"))["differences"]
    assert len(questions) == len(rows) > 20
    assert [one.loss for one in questions] == sorted((row["loss"] for row in rows), reverse=True)
    graver, _ = read_questions([review, review], Grade.BLUNDER)
    assert {one.row["grade"] for one in graver} == {"blunder"}
    assert len(graver) == sum(row["grade"] == "blunder" for row in rows)


@pytest.mark.parametrize("lang", list(Lang))
def test_an_answer_is_judged_as_the_review_judges(questions, lang):
    for one in questions:
        asked = one.asked(lang)
        assert "value" not in json.dumps(asked["choices"])
        right, wrong = one.answered(best(one), lang), one.answered(worst(one), lang)
        assert (right["row"]["grade"], right["row"]["loss"]) == ("best", 0.0)
        assert wrong["row"]["grade"] == one.row["grade"]
        assert wrong["row"]["loss"] == pytest.approx(one.loss, rel=1e-3)
        assert wrong["played_so"]
        assert one.judged(one.row["played"]) == one.row
        assert wrong["row"]["say"][lang]


def test_missed_questions_come_again_and_right_ones_do_not(tmp_path, questions):
    learner = Learner(tmp_path)
    first = learner.next(questions, now=NOW)
    assert first is questions[0]
    assert learner.answer(first.key, Grade.BLUNDER, NOW) <= NOW + timedelta(minutes=10)
    second = learner.next(questions, first.key, NOW)
    assert second is questions[1]
    assert learner.answer(second.key, Grade.BEST, NOW) > NOW + timedelta(minutes=1)
    later = NOW + timedelta(minutes=5)
    assert learner.next(questions, second.key, later) is first
    learner.answer(first.key, Grade.BEST, later)
    assert learner.next(questions, first.key, later) is questions[2]


def test_only_what_is_due_soon_comes_where_nothing_is_new(tmp_path, questions):
    learner = Learner(tmp_path)
    few = questions[:2]
    for one in few:
        due = learner.answer(one.key, Grade.BLUNDER, NOW)
    assert learner.next(few, few[1].key, NOW) is few[0]
    assert due - NOW < AHEAD
    for _ in range(3):
        for one in few:
            learner.answer(one.key, Grade.BEST, NOW + timedelta(hours=1))
    assert learner.next(few, "", NOW + timedelta(hours=1)) is None
    assert learner.summary(few, NOW + timedelta(hours=1))["next_due"] > NOW.isoformat()


def test_a_round_takes_only_answers_to_the_open_question(tmp_path, questions):
    session = Session(questions, Learner(tmp_path), 2, Lang.EN)
    first = session.next()["question"]
    assert session.next()["question"]["key"] == first["key"]  # a page that is opened again
    assert session.answer("another", 0) is None
    assert session.answer(first["key"], len(first["choices"])) is None
    assert session.answer(first["key"], -1) is None
    assert session.answer(first["key"], worst(questions[0]))["result"]["row"]["grade"] in set(COSTLY)
    assert session.answer(first["key"], 0) is None
    second = session.next()["question"]
    assert session.answer(second["key"], best(questions[1]))["result"]["row"]["grade"] == "best"
    done = session.next()["done"]
    assert (done["round"], done["right"], done["asked"]) == (2, 1, 2)
    assert "question" in session.again()


def test_a_set_asks_about_one_kind_of_decision_and_counts_right_answers_in_a_row(tmp_path, questions):
    session = Session(questions, Learner(tmp_path), 3, Lang.EN)
    offered = session.next()["question"]["sets"]
    about = max((name for name in offered if name), key=offered.get)
    inside = [one for one in questions if one.row["category"] == about]
    assert offered[""] == len(questions) == sum(count for name, count in offered.items() if name)
    assert session.choose("no such thing") is None
    for at, one in enumerate(inside[:2], 1):
        asked = (session.choose(about) if at == 1 else session.next())["question"]
        assert (asked["key"], asked["about"], offered[about]) == (one.key, about, len(inside))
        assert session.answer(one.key, best(one))["result"]["streak"] == at
    later = session.choose("")["question"]
    assert later["streak"] == len(inside[:2])
    (missed,) = [one for one in questions if one.key == later["key"]]
    assert session.answer(missed.key, worst(missed))["result"]["streak"] == 0


def change(fields, name, value, of_the_last=None):
    """The fields with another value in each difference, or in the last candidate of each."""
    for row in fields["differences"]:
        (row if of_the_last is None else row[name][-1])[of_the_last or name] = value
    return fields


@pytest.mark.parametrize(
    ("damage", "complaint"),
    [
        (lambda fields: fields | {"version": 1}, "was written by another version"),
        (lambda fields: fields | {"differences": [{}]}, "is damaged"),
        (lambda _: [1], "is damaged"),
        (lambda fields: fields | {"differences": []}, "there is no mistake to practise"),
        (lambda fields: change(fields, "loss", float("inf")), "is damaged.*Infinity"),
        (lambda fields: change(fields, "candidates", 1e308, "value"), "is damaged.*1e.308"),
        (lambda fields: change(fields, "candidates", "1", "parts"), "is damaged"),
    ],
)
def test_a_damaged_review_is_named(tmp_path, review, damage, complaint):
    (tmp_path / "data").mkdir()
    fields = json.loads(next((review / "data").glob("*.json")).read_text(encoding="utf-8"))
    (tmp_path / "data" / "a.json").write_text(json.dumps(damage(fields)), encoding="utf-8")
    with pytest.raises(InputError, match=complaint):
        read_questions([tmp_path], Grade.MISTAKE)


def test_a_review_of_version_7_is_asked_about_as_it_was(tmp_path, review, questions):
    """It has several judges and a ledger of expected luck, and of each answer but that of the game only its value."""
    (tmp_path / "data").mkdir()
    fields = json.loads(next((review / "data").glob("*.json")).read_text(encoding="utf-8"))
    judge = {"name": "flow", "chosen": {"kind": "pass"}, "verdict": "same", "loss": 0.0, "agrees": True}
    older = {
        "version": 7,
        "judges": [{"name": "simple"}, {"name": "flow"}],
        "confirmed": {"all": 1},
        "luck": {"luck": 1},
    }
    rows = [{**row, "judges": [{**judge, "candidates": []}]} for row in fields["differences"]]
    for row in rows:
        del row["clauses"]
        row["candidates"] = [
            {name: one[name] for name in one if name not in {"judged", "facts"}} for one in row["candidates"]
        ]
    (tmp_path / "data" / "a.json").write_text(json.dumps({**fields, **older, "differences": rows}), encoding="utf-8")
    found, passed_over = read_questions([tmp_path], Grade.INACCURACY)
    assert [one.key for one in found] == [one.key for one in questions]
    for one, now in zip(found, questions, strict=True):
        for choice in range(len(now.choices)):
            known, anew = (each.answered(choice, Lang.EN)["row"] for each in (one, now))
            assert known["say"]["en"]
            assert known["grade"] == anew["grade"] or now.judged(now.choices[choice])["disputed"]
            assert known["loss"] == pytest.approx(anew["loss"], rel=1e-4, abs=0.01)
    assert not passed_over


def test_a_review_that_cannot_be_read_is_named_in_one_line_and_passed_over(monkeypatch, capsys, tmp_path, review):
    whole = next((review / "data").glob("*.json")).read_text(encoding="utf-8")
    (tmp_path / "data").mkdir()
    older = json.dumps({**json.loads(whole), "version": 1})
    for name, text in (("a", older), ("b", older), ("c", whole[:100]), ("d", "[" * 100_000), ("e", whole)):
        (tmp_path / "data" / f"{name}.json").write_text(text, encoding="utf-8")
    (tmp_path / "data" / "f.json").mkdir()
    code, said, _ = oshihiki(monkeypatch, capsys, "practice", tmp_path, "--json")
    assert code == 0
    found = json.loads(said)
    assert found["questions"] > 0
    assert {one["file"][-6:]: one["reason"].partition(";")[0].partition(":")[0] for one in found["passed_over"]} == {
        "a.json": "was written by another version", "b.json": "was written by another version",
        "c.json": "is damaged", "d.json": "is damaged", "f.json": "cannot be read",
    }  # fmt: skip
    monkeypatch.setattr("bot.commands.practice._practise", lambda *_: asyncio.sleep(0))
    code, said, noted = oshihiki(monkeypatch, capsys, "practice", tmp_path)
    assert code == 0
    assert "positions" in said
    assert "passed over: " in noted
    assert len(noted.strip().splitlines()) == 1
    assert "a.json, " in noted
    assert "(was written by another version; run oshihiki audit with the same folder again)" in noted
    (tmp_path / "data" / "e.json").unlink()
    code, _, refused = oshihiki(monkeypatch, capsys, "practice", tmp_path, "--json")
    assert code == 2
    assert "no review can be read; passed over: " in refused


def test_the_command_says_how_far_one_is(monkeypatch, capsys, tmp_path, review):
    code, said, _ = oshihiki(monkeypatch, capsys, "practice", review, "--json")
    found = json.loads(said)
    assert code == 0
    assert found["questions"] == found["new"] > 0
    assert not store_of(review).path.exists()
    for arguments, complaint in (
        ([tmp_path / "none"], "is no folder of reviews; make one with: oshihiki audit"),
        ([review, "--count", "0"], "0 is not in the range"),
        ([review, "--grade", "slip"], "slip"),
    ):
        code, _, refused = oshihiki(monkeypatch, capsys, "practice", *arguments)
        assert code == 2
        assert complaint in refused


def test_a_folder_that_may_not_be_written_is_one_sentence_that_says_what_to_do(monkeypatch, capsys, review):
    def refuse(_store):
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr(Store, "_to_write", refuse)
    code, said, refused = oshihiki(monkeypatch, capsys, "practice", review)
    assert (code, said) == (2, "")
    (why,) = refused.splitlines()
    assert why.startswith(f"oshihiki: {store_of(review).path}: cannot be written: Permission denied; answers are kept")
    assert why.endswith("copy the folder to a place that you may write, and practise there")
    code, said, _ = oshihiki(monkeypatch, capsys, "practice", review, "--json")
    assert (code, json.loads(said)["asked"]) == (0, 0)


def test_the_page_has_all_its_words():
    assert list(WORDS(Lang.EN)) == list(WORDS(Lang.JA))


async def test_the_pages_of_games_are_served_and_junk_is_passed_over(tmp_path, review, questions):
    learner = Learner(tmp_path)
    async with practising(questions, learner, 5) as server:
        page = next((review / "games").glob("*.html")).name
        for wanted, status in (("", 200), (f"games/{page}", 200), ("games/../data", 404)):
            assert (await fetch(server.link, wanted))[0] == status
        async with line(server.link) as socket:
            question = json.loads(await socket.recv())["question"]
            for junk in ("", "{", "[]", '{"do": "answer"}', '{"do": "answer", "key": 1, "choice": 0}', "x" * 500):
                await socket.send(junk)
            await socket.send(json.dumps({"do": "answer", "key": question["key"], "choice": 0}))
            assert json.loads(await socket.recv())["result"]["key"] == question["key"]


@contextmanager
def no_room(_):
    """A disk on which nothing can be written."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


@contextmanager
def damaged(path):
    """A file that somebody else has overwritten."""
    kept = path.read_bytes()
    path.write_bytes(b"{}")
    yield
    assert path.read_bytes() == b"{}"
    path.write_bytes(kept)


@contextmanager
def locked_by_another(path):
    """A file that another program is writing."""
    with Store(path).writing():
        yield


@pytest.mark.parametrize("obstacle", [no_room, damaged, pytest.param(locked_by_another, marks=pytest.mark.slow)])
async def test_an_answer_that_cannot_be_kept_does_not_count_until_it_is_repeated(tmp_path, questions, obstacle):
    path = store_of(tmp_path).path
    learner = Learner(tmp_path)
    learner.answer(questions[1].key, Grade.BEST)
    async with practising(questions, learner, 5) as server, line(server.link) as socket:
        question = json.loads(await socket.recv())["question"]
        answer = json.dumps({"do": "answer", "key": question["key"], "choice": worst(questions[0])})
        with obstacle(path):
            for _ in range(2):
                await socket.send(answer)
                assert str(path) in json.loads(await socket.recv())["failed"]["en"]
            assert learner.summary(questions)["asked"] == 1
            await socket.send('{"do": "next"}')
            assert json.loads(await socket.recv())["question"] == question
        assert read(tmp_path).summary(questions)["asked"] == 1
        await socket.send(answer)
        assert "result" in json.loads(await socket.recv())
    for one in (learner, read(tmp_path)):
        assert (one.summary(questions)["asked"], one.summary(questions)["missed"]) == (2, 1)
    assert [each.name for each in tmp_path.iterdir()] == [FILE]


@needs_browser
async def test_the_page_says_that_an_answer_was_not_kept_and_takes_it_again(tmp_path, questions):
    learner = Learner(tmp_path)
    async with (
        practising(questions, learner, 5) as server,
        browser() as page,
    ):
        (tmp_path / FILE).mkdir()
        await page.open(server.link, 1280)
        await page.until("document.querySelector('[data-choice]') !== null")
        said = await page.ask("document.querySelector('#unread').textContent")
        assert said.startswith("Earlier answers cannot be read, and their positions count as new: ")
        await page.click("[data-choice]")
        await page.until("document.querySelector('#refused') !== null")
        said = await page.ask("document.querySelector('#refused').textContent")
        assert said.startswith("This answer was not kept and does not count: ")
        (tmp_path / FILE).rmdir()
        await page.click("[data-choice]")
        await page.until("document.querySelector('#verdict') !== null")
        assert await page.ask("document.querySelector('#refused') === null")
    assert read(tmp_path).summary(questions)["asked"] == 1


@pytest.mark.slow
@needs_browser
async def test_twenty_questions_answered_by_clicks_and_resumed(tmp_path, questions):
    width = 375
    learner = Learner(tmp_path)
    async with (
        practising(questions, learner, 20) as server,
        browser() as page,
    ):
        await page.open(server.link, width)
        for number in range(1, 21):
            await page.until(f"document.querySelector('#facts').textContent === 'Question {number} of 20'")
            await page.click("[data-choice]")
            await page.until("document.querySelector('#verdict') !== null")
            assert await page.ask("document.querySelectorAll('.ranking tbody tr').length") > 1
            assert await page.ask("document.documentElement.scrollWidth") <= width
            await page.click("#next")
        await page.until("document.querySelector('.done') !== null")
        assert page.complaints == []
    assert learner.summary(questions)["asked"] == 20
    again = read(tmp_path)
    assert again.summary(questions)["asked"] == 20
    async with (
        practising(questions, again, 20) as server,
        browser() as page,
    ):
        await page.open(server.link, width)
        await page.until("document.querySelector('[data-choice]') !== null")
        await page.click("[data-choice]")
        await page.until("document.querySelector('#verdict') !== null")
    assert read(tmp_path).summary(questions)["asked"] == 21


@needs_browser
@pytest.mark.slow
@pytest.mark.parametrize("size", [SIDE, PHONE])
async def test_a_finger_meets_each_tile_that_is_asked_about(tmp_path, questions, size):
    async with practising(questions, Learner(tmp_path), 5) as server, browser() as page:
        await page.open(server.link, *size)
        await page.until("document.querySelector('.asking [data-choice]')")
        asked = ".asking [data-choice], .answers button"
        assert await shown(page, asked) > 8
        assert await missed(page, asked) == []
        assert await meeting(page, asked, asked) == []
        assert await outside(page, f"{asked}, .board, .ask") == []
        assert await meeting(page, asked, ".board .lying use, .ask, .said") == []
        assert page.complaints == []


@needs_browser
async def test_a_set_is_chosen_on_the_page_and_the_streak_is_shown(tmp_path, questions):
    chosen = questions[0].row["category"]
    async with practising(questions, Learner(tmp_path), 5) as server, browser() as page:
        await page.open(server.link, 390, 844)
        await page.until("document.querySelector('#about option')")
        await page.ask(f"about.value = '{chosen}'; about.dispatchEvent(new Event('change', {{ bubbles: true }}))")
        await page.until(f"document.querySelector('#about').value === '{chosen}'")
        inside = [one for one in questions if one.row["category"] == chosen]
        for count, question in enumerate(inside[:2], 1):
            await page.until("document.querySelector('.ask')")
            await page.ask(f"document.querySelector('[data-choice=\"{best(question)}\"]').click()")
            await page.until("document.querySelector('#verdict')")
            assert await page.ask("document.querySelector('#streak').textContent") == (
                f"{count} in a row" if count > 1 else ""
            )
            assert await faults(page) == []
            await page.click("#next")
        assert await page.ask("document.documentElement.scrollWidth") <= 390
        assert page.complaints == []
