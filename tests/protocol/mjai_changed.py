"""Games of our own in mjai, and lines from which something is left out."""

from __future__ import annotations

import json
from functools import cache

from engine.model import events as ev
from engine.model.rules import TONPU
from protocol.logs import mjai
from protocol.logs.game_log import GameLog
from tests.games import game_of


def read(lines):
    return mjai.read("\n".join(map(json.dumps, lines)))


def unpaid(log):
    """The positions of events whose payments the log does not state."""
    ends = ((at, event) for at, event in enumerate(log.events) if isinstance(event, ev.Win | ev.Ryuukyoku))
    return [at for at, event in ends if ev.Unstated.PAYMENTS in event.unstated]


@cache
def played(seed, rules=TONPU):
    """A game of our own as lines."""
    return tuple(map(json.loads, mjai.write(GameLog(game_of("simple", seed, rules).events)).splitlines()))


def without(lines, *keys, of=()):
    return [
        {key: value for key, value in line.items() if key not in keys} if not of or line["type"] in of else line
        for line in lines
    ]
