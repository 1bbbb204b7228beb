"""A kept review with a field of another type is damaged, and costs no other."""

from __future__ import annotations

import json

import pytest

from bot.deciding.players import PlayerSpec
from bot.home.library import Library
from bot.review.document import READ, Kept, read_review, why_damaged
from bot.review.many import Job, audit_log
from bot.review.measure import Reference
from bot.store import reviews
from bot.wording.languages import Lang
from tests.bot.review.games import log_file, uneven_game

WRONG = (None, 5, [], {"x": None})


@pytest.fixture(scope="module")
def fields():
    job = Job(PlayerSpec.parse("simple"), seat=0)
    return json.loads(json.dumps(audit_log(log_file(uneven_game()), job).fields))


def test_a_document_is_sound_as_it_is_written(fields):
    assert why_damaged(fields) == ""
    assert why_damaged({}) == ""
    assert why_damaged([])


@pytest.mark.parametrize("version", sorted(READ))
def test_reviews_of_earlier_versions_are_read(fields, version):
    assert read_review("older", json.dumps(fields | {"version": version}))["version"] == version


def test_a_review_beside_the_players_of_a_room_is_sound(monkeypatch):
    """Some kinds of decisions were too rare there for a figure."""
    monkeypatch.setattr(Reference, "suits", lambda *_: True)
    fields = audit_log(log_file(uneven_game()), Job(PlayerSpec.parse("simple"), seat=0)).fields
    rooms = fields["reference"].values()
    assert any(figure is None for room in rooms for figure in room["categories"].values())
    assert why_damaged(json.loads(json.dumps(fields))) == ""


@pytest.mark.parametrize("wrong", WRONG)
@pytest.mark.parametrize("name", Kept.__annotations__)
def test_a_damaged_review_costs_no_other(fields, name, wrong, tmp_path):
    damaged = {**fields, name: wrong}
    why = why_damaged(damaged)
    reviews.keep(tmp_path, "sound", 2, json.dumps(fields), "", "<p>")
    reviews.keep(tmp_path, "other", 1, json.dumps(damaged), "", "<p>")
    library = Library(tmp_path, tmp_path / "records")
    library.read()
    library.read()
    assert library.rows()
    assert library.page_of_all(Lang.EN)
    assert not why or library.failed == ["other"]
