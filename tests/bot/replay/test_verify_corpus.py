"""Recorded games and sessions against our rules, and the same games with a fault put in."""

from __future__ import annotations

import re
from itertools import islice

import pytest

from bot.logs.sources import open_logs
from bot.replay.verify import verify_files
from protocol.logs.formats import LogFile
from tests.tiers import mostly_slow

GAMES = ("houou-hanchan-00", "other4-00", "houou-tonpu-01", "tokujou-hanchan-00")

FAULTS = {
    "a yaku swapped": (rb'yaku="1,1,', rb'yaku="21,1,', "wins"),
    "the points of a win": (rb'(<AGARI [^>]*ten="\d+),\d+,', rb"\1,100,", "wins"),
    "the money of a draw": (rb'(<RYUUKYOKU [^>]*sc="\d+),-?\d+,', rb"\1,77,", "payments"),
    "a carried score": (rb'(<INIT seed="1,[^>]*ten=")\d+', rb"\g<1>777", "progress"),
    "the final points": (rb'(owari="-?\d+),-?\d+(\.\d)?,', rb"\1,99.0,", "results"),
    "a shown hand": (rb'(<AGARI [^>]*ba=")\d+,', rb"\g<1>9,", "payments"),
}


def exact(tally):
    kinds = ("wins", "payments", "hands", "draws", "progress", "results", "prompts", "furiten", "round_trips")
    return all(getattr(tally, kind) == getattr(tally, f"{kind}_exact") for kind in kinds)


@pytest.mark.corpus
@mostly_slow("shard", GAMES, quick=2)
def test_recorded_games_agree(corpus, shard):
    tally = verify_files(islice(open_logs([corpus / f"{shard}.tar.xz"]), 40), round_trip=shard == "other4-00")
    assert tally.errors == []
    assert tally.unreadable == []
    assert tally.illegal == 0
    assert tally.kyoku > 100
    assert exact(tally)


@pytest.mark.corpus
def test_recorded_sessions_agree(corpus):
    tally = verify_files(islice(open_logs([corpus / "wire-sessions.tar.xz"]), 60))
    assert tally.errors == []
    assert tally.prompts > 10_000
    assert tally.furiten > 10_000
    assert exact(tally)


@pytest.mark.corpus
@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_put_into_recorded_games_is_found(corpus, fault):
    pattern, replacement, check = FAULTS[fault]
    files = list(islice(open_logs([corpus / "tokujou-hanchan-00.tar.xz"]), 8))
    broken = [LogFile(file.name, file.format, re.sub(pattern, replacement, file.data, count=1)) for file in files]
    assert any(file.data != was.data for file, was in zip(broken, files, strict=True))
    tally = verify_files(broken)
    assert check in {error.check for error in tally.errors}


@pytest.mark.corpus
def test_a_prompt_or_furiten_left_out_is_found(corpus):
    files = list(islice(open_logs([corpus / "wire-sessions.tar.xz"]), 12))
    for pattern, replacement, check in (
        (rb'<([efgEFG]\d+) t="\d+"/>', rb"<\1/>", "prompts"),
        (rb"<(F\d+)/>", rb'<\1 t="1"/>', "prompts"),
        (rb'<FURITEN show="1" />', rb"", "furiten"),
    ):
        broken = [LogFile(file.name, file.format, re.sub(pattern, replacement, file.data, count=1)) for file in files]
        tally = verify_files(broken)
        assert check in {error.check for error in tally.errors}, pattern
