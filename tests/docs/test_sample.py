"""The sample report in the documentation is a page as it is made today, of the log beside it."""

from __future__ import annotations

import base64
import json
import re
import zlib
from pathlib import Path

import pytest

from bot.deciding.players import PlayerSpec
from bot.review.many import Job
from bot.review.recording import read_recording
from bot.review.report import render_report
from protocol.logs.formats import LogFile

DOCS = Path(__file__).parents[2] / "docs"
AGAIN = "run python -m tests.docs.pictures sample"
SEAT = 1


def data_of(page):
    packed = re.search(r'<script type="application/zlib" id="data">([A-Za-z0-9+/=]+)</script>', page)[1]
    return json.loads(zlib.decompress(base64.b64decode(packed)))


@pytest.fixture(scope="module")
def sample():
    return (DOCS / "sample-report.html").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def made_today():
    """The report of the same seat by a judge that is quick."""
    log = DOCS / "examples" / "sample.xml"
    recording = read_recording(LogFile(log.name, "mjlog", log.read_bytes()))
    return render_report(Job(PlayerSpec.parse("simple")).audit(recording, SEAT))


@pytest.mark.parametrize("tag", ["style", "script"])
def test_it_draws_as_the_program_does(sample, made_today, tag):
    inside = re.compile(rf"<{tag}>.*?</{tag}>", re.DOTALL)
    assert inside.findall(sample) == inside.findall(made_today), AGAIN


def test_it_has_every_part_of_a_page(sample, made_today):
    ids = re.compile(r' id="(?!opinion")([^"]+)"')  # a tick for judges that count strong play
    assert ids.findall(sample) == ids.findall(made_today), AGAIN
    old, new = data_of(sample), data_of(made_today)
    assert old.keys() == new.keys(), AGAIN
    assert [old[name] for name in ("words", "columns")] == [new[name] for name in ("words", "columns")], AGAIN


def test_it_shows_the_game_beside_it(sample, made_today):
    (old,), (new,) = data_of(sample)["seats"], data_of(made_today)["seats"]
    assert old["names"] == new["names"]
    assert old["decisions"].keys() == new["decisions"].keys(), AGAIN
    for name in ("number", "event", "played"):
        assert old["decisions"][name] == new["decisions"][name], AGAIN
    assert old["tables"] == new["tables"], AGAIN


def test_it_is_small_and_loads_nothing(sample):
    assert len(sample.encode()) < 350_000
    assert not re.search(r'(?:src|href)="(?!#|data:)', sample)
