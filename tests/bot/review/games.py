"""Games to audit."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from bot.review.examine import examine
from bot.review.recording import Recording
from engine.arena import play_game
from engine.model.rules import TONPU
from engine.policy.registry import make_policy
from engine.policy.simple.policy import SimplePolicy
from engine.policy.tsumogiri import TsumogiriPolicy
from protocol.logs.formats import LogFile, read_log, write_log
from protocol.logs.game_log import GameLog

SAMPLE = Path(__file__).parents[3] / "docs" / "examples" / "sample.xml"


def uneven_game():
    """A game of three simple players and one, seat 2, that discards what it draws."""
    players = [SimplePolicy(), SimplePolicy(), TsumogiriPolicy(), SimplePolicy()]
    return GameLog(play_game(players, TONPU, 11).events, source="game.xml")


def recording(log):
    return Recording(log, tuple(enumerate(log.events)), log.start.rules, log.start.names, log.info, notes=log.notes)


def audit_of(log, seat, policy="simple"):
    return examine(recording(log), seat, partial(make_policy, policy))


def log_file(log, name="game.xml"):
    return LogFile(name, "mjlog", write_log(log, "mjlog").encode())


def sample():
    """The game of the sample report."""
    return read_log(LogFile("sample.xml", "mjlog", SAMPLE.read_bytes()))
