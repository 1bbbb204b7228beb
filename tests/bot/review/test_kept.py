"""A review that is kept is shown in the language of whoever asks, and one of an earlier version as it was made."""

from __future__ import annotations

import json

import pytest

from bot.deciding.players import PlayerSpec
from bot.machine.errors import InputError
from bot.review import kept
from bot.review.many import Job, audit_log
from bot.review.report import render_report
from bot.review.wording import Wording
from bot.store import reviews
from bot.wording.languages import Lang
from tests.bot.review.games import log_file, uneven_game


@pytest.fixture(scope="module")
def made():
    """A review as it is kept, and the whole of it."""
    whole = []
    done = audit_log(log_file(uneven_game()), Job(PlayerSpec.parse("simple"), seat=2), on_audit=whole.append)
    return done.fields, whole[0]


@pytest.fixture
def folder(made, tmp_path):
    kept.keep(tmp_path, "game", *made, "{}")
    return tmp_path


@pytest.mark.parametrize("lang", Lang)
def test_its_page_is_that_of_the_whole_review_in_each_language(folder, made, lang):
    assert kept.is_whole(folder, "game")
    assert reviews.heads(folder)["game"].page
    assert kept.page_of(folder, "game", lang) == render_report(made[1], lang, log="{}")


def test_its_rows_are_all_decisions_in_every_language(folder, made):
    rows = kept.rows_of(folder, "game")
    assert [row["number"] for row in rows] == [row["number"] for row in made[1]["decisions"]]
    wordings = {lang: Wording.of(made[1]["policy"], lang) for lang in Lang}
    for row, decision in zip(rows, made[1]["decisions"], strict=True):
        assert row["say"] == {lang.value: wording.decision(decision) for lang, wording in wordings.items()}


def test_a_page_and_rows_of_an_earlier_version_are_shown_as_they_were_made(made, tmp_path):
    reviews.keep(tmp_path, "game", 0, json.dumps(made[0]), '[{"number": 1}]', "<!doctype html><p>あ")
    assert kept.page_of(tmp_path, "game", Lang.EN) == "<!doctype html><p>あ"
    assert kept.rows_of(tmp_path, "game") == [{"number": 1}]
    assert not kept.is_whole(tmp_path, "game")  # it is made anew when the game is reviewed again
    reviews.keep(tmp_path, "game", 0, json.dumps(made[0]), "", "")
    assert kept.page_of(tmp_path, "game", Lang.EN) == ""
    assert kept.page_of(tmp_path, "none", Lang.EN) == ""


@pytest.mark.parametrize("damage", ["{", "{}", '{"log": "", "review": {}}', '{"log": 1}'])
def test_a_damaged_document_is_named(folder, made, damage):
    reviews.keep(folder, "game", 0, json.dumps(made[0]), "", damage)
    for read in (kept.page_of, lambda folder, name, _: kept.rows_of(folder, name)):
        with pytest.raises(InputError, match="game: is damaged"):
            read(folder, "game", Lang.EN)


def test_a_document_with_a_hole_is_named(folder, made):
    review = {**made[1], "decisions": [{**made[1]["decisions"][0], "table": {}}]}
    reviews.keep(folder, "game", 0, json.dumps(made[0]), "", json.dumps({"log": "", "review": review}))
    with pytest.raises(InputError, match="game: is damaged"):
        kept.page_of(folder, "game", Lang.EN)
