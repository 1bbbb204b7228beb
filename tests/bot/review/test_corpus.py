"""Audits of recorded games of every kind: no decision is missing, and the report can be made."""

from __future__ import annotations

from functools import partial

import pytest

from bot.logs.sources import open_logs
from bot.replay.verify import verify_files
from bot.review.examine import examine
from bot.review.fields import audit_fields
from bot.review.recording import read_recording, shared_log
from bot.review.report import render_report, render_summary
from bot.review.wording import Lang
from engine.policy.registry import make_policy
from protocol.errors import LogError

KINDS = {
    "ry_yao9": "nine_terminals", "ry_reach4": "four_riichi", "ry_ron3": "triple_ron", "ry_kan4": "four_kans",
    "ry_kaze4": "four_winds", "ry_nm": "nagashi_mangan",
}  # fmt: skip
"""Draws by how the manifest names them, and how an audit does."""
WANTED = ("double_ron", "pao", "rejoin", "west_round", "chankan", "kokushi", "yakuman", "bye", *KINDS)


def audits(file):
    """An audit of every seat that the log shows."""
    recording = read_recording(file)
    seats = range(4) if recording.viewer is None else (recording.viewer,)
    return [examine(recording, seat, partial(make_policy, "tsumogiri")) for seat in seats]


def assert_complete(file, found):
    tally = verify_files([file])
    assert sum(len(audit.rows) for audit in found) == tally.decisions > 0, file.name
    if not tally.illegal:
        assert all(not audit.faults for audit in found), file.name


def features(corpus, shard):
    rows = [line.rstrip("\n").split("\t") for line in (corpus / "MANIFEST.tsv").read_text().splitlines()]
    return {row[1]: set(row[10].split(",")) for row in rows[1:] if row[0].startswith(shard)}


@pytest.mark.slow
@pytest.mark.corpus
@pytest.mark.parametrize(
    ("shard", "absent"),
    [
        ("other4-00", {"chankan", "ry_kan4", "ry_nm"}),
        pytest.param("houou-hanchan-00", set(), marks=pytest.mark.slow),
    ],
)
def test_games_of_every_kind(corpus, shard, absent):
    """One game of each kind: those that others of the kind could go wrong like."""
    known = features(corpus, shard)
    missing = set(WANTED) - absent
    draws = set()
    for file in open_logs([corpus / f"{shard}.tar.xz"]):
        name = file.name.rsplit("/", 1)[-1].removesuffix(".xml")
        fresh = known.get(name, set()) & missing
        if not fresh:
            continue
        missing -= fresh
        found = audits(file)
        assert_complete(file, found)
        for audit in found:
            fields = audit_fields(audit)
            draws |= {hand["draw"] for hand in fields["hands"]}
        assert "<h1" in render_report(fields, Lang.JA)
        assert render_summary(fields)
        if not missing:
            break
    assert not missing
    assert draws >= {ours for theirs, ours in KINDS.items() if theirs not in absent}


@pytest.mark.slow
@pytest.mark.corpus
def test_sessions_with_reconnections(corpus):
    """A few sessions, and those in which the client was sent a snapshot in the middle of a hand."""
    resumed = plain = 0
    for file in open_logs([corpus / "wire-sessions.tar.xz"]):
        snapshot = b"REINIT" in file.data
        if not snapshot and plain >= 3:
            continue
        try:
            found = audits(file)
        except LogError:
            continue  # no game in it
        assert_complete(file, found)
        fields = audit_fields(found[0])
        plain += not snapshot
        resumed += any(row["table"].get("resumed", False) for row in fields["decisions"])
        assert "<h1" in render_report(fields)
        if resumed >= 3:
            break
    assert resumed >= 1


@pytest.mark.corpus
@pytest.mark.slow
def test_the_other_formats_give_the_same_audit(corpus):
    """The games that exist as tenhou.net/6 and as mjai: the same decisions, the same answers."""
    found = {}
    for file in open_logs([corpus / "tenhou6-mjai.tar.xz"]):
        stem = file.name.rsplit("/", 1)[-1].split(".")[0]
        found.setdefault(stem, []).append(file)
    pairs = [files for files in found.values() if len({file.format for file in files}) == 2]
    assert len(pairs) >= 5
    for one, other in pairs[:3]:
        for mine, theirs in zip(audits(one), audits(other), strict=True):
            answers = [[(row.fields["played"], row.fields["known"]) for row in each.rows] for each in (mine, theirs)]
            assert answers[0] == answers[1]


LONGEST = "tokujou-hanchan-00", "2021021004gm-0029-0000-b122a238", 1
"""Archive and name of the hanchan with the most decisions, and the seat that has most of them."""


@pytest.mark.corpus
@pytest.mark.slow
def test_the_page_of_the_longest_hanchan_is_small(corpus):
    shard, name, seat = LONGEST
    file = next(file for file in open_logs([corpus / f"{shard}.tar.xz"]) if name in file.name)
    fields = audit_fields(examine(read_recording(file), seat, partial(make_policy, "value")))
    assert len(fields["decisions"]) > 360
    for lang in Lang:
        assert len(render_report(fields, lang, log=shared_log(file)).encode()) <= 350_000
