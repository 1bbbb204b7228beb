"""From one format to another and back: what survives is the play, as far as each format can say it."""

from __future__ import annotations

import itertools
from dataclasses import replace

import pytest

from bot.logs.sources import open_logs
from bot.replay.verify import verify_logs
from engine.model import events as ev
from engine.model.events import RyuukyokuKind
from engine.model.melds import Meld
from engine.model.tiles import tile37_of
from protocol.errors import UnsupportedGameError
from protocol.logs import mjai, mjlog, tenhou6
from protocol.logs.formats import LogFile, read_log, write_log
from protocol.logs.game_log import GameLog
from tests.games import game_of
from tests.tiers import mostly_slow

SHARDS = {"houou-hanchan-00": 30, "houou-tonpu-00": 40, "tokujou-hanchan-00": 20, "other4-00": 219}
"""Recordings and how many of each are converted."""
EVERY_SHARD = [pytest.param(shard, marks=[pytest.mark.slow] if count > 100 else []) for shard, count in SHARDS.items()]
ODD = ("noid-87147d6884b8eeed.xml",)
"""Turns the indicator of an added kan at once, as no other recording does; read back, it comes as elsewhere."""


def games(corpus, shard):
    for file in itertools.islice(open_logs([corpus / f"{shard}.tar.xz"]), SHARDS[shard]):
        if not file.name.endswith(ODD):
            try:
                yield file.name, read_log(file)
            except UnsupportedGameError:
                continue


def plain(log, *, limit_fu=True):
    """The play of a log without what physical copies and the formats' silences change."""
    red = log.start.rules.red_fives

    def kinds(tiles):
        return None if tiles is None else tuple(sorted(tile37_of(tile, red) for tile in tiles))

    def kind(tile):
        return None if tile is None else tile37_of(tile, red)

    def meld(each: Meld):
        return each.kind, kinds(each.tiles), kind(each.called), each.from_seat

    def score(each):
        if each is None:
            return None
        fu = 0 if each.limit and not limit_fu else each.fu
        listed = tuple(sorted(pair for pair in each.yaku if pair[1]))
        return fu, each.points, each.limit, listed, tuple(sorted(each.yakuman))

    for event in log.events:
        match event:
            case ev.StartGame():
                rules = event.rules
                yield event.names, rules.hanchan, rules.red_fives, rules.open_tanyao, rules.start_points
            case ev.StartKyoku():
                hands = tuple(kinds(hand) for hand in event.hands)
                yield replace(event, dora_indicator=kind(event.dora_indicator), hands=hands, dice=None)
            case ev.Draw() | ev.Discard():
                yield replace(event, tile=kind(event.tile))
            case ev.Call():
                yield event.seat, meld(event.meld)
            case ev.NewDora():
                yield "dora", kind(event.indicator)
            case ev.Win():
                melds = tuple(meld(each) for each in event.melds)
                tiles = [kinds(event.concealed), [kind(tile) for tile in event.dora_indicators]]
                rest = (event.deltas, event.scores_before, event.honba, event.riichi_sticks, event.pao_seat)
                yield event.seat, event.from_seat, melds, tiles, kinds(event.ura_indicators), rest, score(event.score)
            case ev.Ryuukyoku():
                silent = event.kind in {RyuukyokuKind.TRIPLE_RON, RyuukyokuKind.NAGASHI_MANGAN}
                hands = None if silent else tuple(kinds(hand) for hand in event.hands)
                yield event.kind, event.deltas, event.scores_before, hands, event.honba, event.riichi_sticks
            case _:
                yield event


def connected(event):
    return isinstance(event, ev.Disconnected | ev.Reconnected)


UNSAYABLE = {"tenhou6": (ev.RiichiDeclared, ev.RiichiAccepted), "mjai": (ev.RiichiAccepted,), "mjlog": ()}
"""The events that a format shows only by what follows them."""


@mostly_slow("format_name", UNSAYABLE)
def test_a_game_that_is_not_played_to_its_end_is_written_and_read_back(format_name):
    events = game_of("simple", 4).events
    kinds = set()
    for end in (*range(2, 120), *range(120, len(events), 11)):
        text = write_log(GameLog(events[:end]), format_name)
        file = LogFile("game", format_name, text.encode())
        back = read_log(file)
        last = type(events[end - 1])
        kinds.add(last)
        assert len(back.events) == end - (last in UNSAYABLE[format_name])
        assert not back.complete or last is ev.EndGame
        if format_name == "mjlog" and last not in {ev.Win, ev.Ryuukyoku, ev.EndGame}:
            assert back.notes[0].startswith("ends in the middle of ")
        assert verify_logs([file]).errors == []
    assert {ev.StartKyoku, ev.Draw, ev.Discard, ev.RiichiDeclared} <= kinds


def said_in(format_, log):
    """The play of a log as far as a format can say it."""
    for each in plain(log, limit_fu=format_ is mjai):
        if not connected(each):
            yield without_results(each) if format_ is mjai else each


@pytest.mark.corpus
@mostly_slow(
    ("format_", "shard"),
    [pytest.param(format_, *each.values, marks=each.marks) for format_ in (tenhou6, mjai) for each in EVERY_SHARD],
)
def test_mjlog_to_another_format_and_back(corpus, format_, shard):
    count = 0
    for name, game in games(corpus, shard):
        again = format_.read(format_.write(game), name)
        for one, other in zip(said_in(format_, game), said_in(format_, again), strict=True):
            assert one == other, name
        assert format_.read(format_.write(again), name) == again
        assert format_ is mjai or connections(game) == connections(again), name
        count += 1
    assert count > 0.9 * SHARDS[shard]


def connections(game):
    return [event for event in game.events if connected(event)]


def without_results(each):
    """mjai has no word for result points, nor for who is liable."""
    if isinstance(each, ev.EndGame):
        return replace(each, results=None)
    if isinstance(each, tuple) and len(each) == 7:
        return (*each[:5], each[5][:4], each[6])
    return each


@pytest.mark.slow
@pytest.mark.corpus
def test_tenhou6_to_mjlog_and_back(corpus):
    count = 0
    for file in open_logs([corpus / "tenhou6-mjai.tar.xz"]):
        if file.format != "tenhou6":
            continue
        try:
            game = read_log(file)
        except UnsupportedGameError:
            continue
        if not game.info.log_id:
            continue
        again = mjlog.read(mjlog.write(game), file.name)
        for one, other in zip(plain(game), plain(again), strict=True):
            assert one == other, file.name
        count += 1
    assert count > 100
