"""Recorded games dealt again under the referee: the same answers give the same events, wins, payments and ends.

The walls are those of the shuffle seed that a log states. Where it states none, a wall is laid out from which the hand
could have come.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import islice, takewhile

import pytest

from bot.logs.sources import open_logs
from engine.arena import IllegalAnswerError, Referee
from engine.arena.playout import RecordedHand
from engine.arena.walls import SHUFFLE_PREFIX, wall_from_order
from engine.model.actions import NINE_TERMINALS, PASS, Action, ActionKind
from engine.model.events import (
    Call,
    Discard,
    Disconnected,
    EndGame,
    NewDora,
    Reconnected,
    RiichiAccepted,
    RiichiDeclared,
    Ryuukyoku,
    RyuukyokuKind,
    StartKyoku,
    Win,
)
from engine.model.standing import Standing
from engine.model.yaku import DORA, RED_FIVE, URA_DORA
from engine.rules.answers import call_action
from protocol.logs.formats import read_log
from tests.recordings import recorded_games
from tests.samples import shuffle_of
from tests.tiers import mostly_slow

pytestmark = pytest.mark.corpus

SHARDS = (
    "houou-hanchan-00",
    "houou-tonpu-00",
    "houou-tonpu-01",
    "houou-tonpu-02",
    "houou-tonpu-03",
    "tokujou-hanchan-00",
)
OTHERWISE = {
    "noid-a67e03f180c225b2": "composed by people: it goes on although its game is over",
    "2009030821gm-00e1-0000-b6b68d37": "in 2009 two games went on when the leading dealer was tenpai in the last hand",
    "noid-87147d6884b8eeed": "a table with house rules, which turns the dora of every kan at once",
}
"""Games that Tenhou's rules of today do not give, and why."""


def plain(event):
    """An event without what logs state otherwise: order of tiles and yaku, dora by kind, fu of a yakuman, dice."""
    if isinstance(event, Win):
        score = event.score
        dora = sum(han for number, han in score.yaku if number in (DORA, RED_FIVE, URA_DORA))
        yaku = sorted(one for one in score.yaku if one[0] not in (DORA, RED_FIVE, URA_DORA))
        fu = 0 if score.limit == 5 else score.fu
        return replace(
            event, score=replace(score, yaku=(*yaku, (DORA, dora)), yakuman=tuple(sorted(score.yakuman)), fu=fu)
        )
    if isinstance(event, StartKyoku):
        return replace(event, hands=tuple(tuple(sorted(hand)) for hand in event.hands), dice=None)
    return event


def own(seat, coming):
    """What the seat to move did."""
    following = (event for event in coming if not isinstance(event, NewDora))
    match next(following):
        case Discard() as discard:
            return {seat: Action(ActionKind.DISCARD, discard.tile)}
        case RiichiDeclared():
            return {seat: Action(ActionKind.RIICHI, next(following).tile)}
        case Call() as call:
            return {seat: Action(call_action(call).kind, call.meld.added)}
        case Win() as win:
            return {seat: Action(ActionKind.TSUMO, win.tile)}
    return {seat: NINE_TERMINALS}


def claims(prompts, coming):
    """What the seats did about another's tile; one that called in vain may as well have passed."""
    given = dict.fromkeys(prompts, PASS)
    following = [event for event in coming[:4] if not isinstance(event, NewDora | RiichiAccepted)]
    for win in takewhile(lambda event: isinstance(event, Win), following):
        given[win.seat] = Action(ActionKind.RON, win.tile)
    first = following[0]
    if isinstance(first, Call) and first.seat in prompts and first.meld.called is not None:
        given[first.seat] = call_action(first)
    if isinstance(first, Ryuukyoku) and first.kind is RyuukyokuKind.TRIPLE_RON:
        given = {seat: next(action for action in prompts[seat] if action.kind is ActionKind.RON) for seat in prompts}
    return given


def wall_for(rules, hand):
    """A wall from which the hand could have come."""
    order = RecordedHand(rules, hand[0], tuple(hand[1:])).wall(0).order()
    for at, tile in enumerate(max((win.ura_indicators for win in hand if isinstance(win, Win)), default=(), key=len)):
        place = order.index(tile)
        order[place], order[4 + 2 * at] = order[4 + 2 * at], tile
    return wall_from_order(order)


def replay_hand(rules, wall, hand, following):
    """Play a recorded hand; the number of questions, and what follows it under the referee."""
    start = hand[0]
    standing = Standing(start.kyoku, start.honba, start.riichi_sticks, start.scores)
    referee = Referee(rules, walls=[wall, wall], standing=standing)
    step = referee.start()
    heard, position, questions = list(step.events[1:]), 0, 0
    while True:
        for event in heard:
            if position == len(hand):
                check_course(event, following)
                return questions
            assert plain(event) == plain(hand[position]), f"{start.kyoku}-{start.honba}, event {position}"
            position += 1
        assert position < len(hand), "the referee goes on after the recorded end"
        questions += len(step.prompts)
        coming = hand[position:]
        asked_of_others = any(PASS in actions for actions in step.prompts.values())
        step = referee.answer(
            claims(step.prompts, coming) if asked_of_others else own(next(iter(step.prompts)), coming)
        )
        heard = step.events


def check_course(event, following):
    """The next hand, or the end of the game, is that of the recording, which may not say."""
    if isinstance(following, StartKyoku):
        assert isinstance(event, StartKyoku)
        for name in ("kyoku", "honba", "riichi_sticks", "scores"):
            assert getattr(event, name) == getattr(following, name)
    elif isinstance(following, EndGame):
        assert isinstance(event, EndGame)
        assert event.scores == following.scores


def replay(log):
    """Play a recorded game again; the number of its questions. The first difference fails."""
    events = [event for event in log.events if not isinstance(event, Disconnected | Reconnected)]
    restarts = [log.events[at] for at in log.restarts]
    stated = log.info.shuffle.startswith(SHUFFLE_PREFIX)  # an older one has another form
    shuffle = shuffle_of(log.info.shuffle) if stated and not restarts else None
    starts = [at for at, event in enumerate(events) if isinstance(event, StartKyoku)]
    questions = 0
    for at, after in zip(starts, [*starts[1:], len(events)], strict=True):
        hand = [event for event in events[at:after] if not isinstance(event, EndGame)]
        if not isinstance(hand[-1], Win | Ryuukyoku):
            break  # the log breaks off
        following = events[min(after, len(events) - 1)]
        wall = wall_for(log.start.rules, hand) if shuffle is None else next(shuffle)
        if shuffle is not None:
            assert hand[0].dice in (None, wall.dice)
        known = not any(following is each for each in restarts)
        questions += replay_hand(log.start.rules, wall, hand, following if known else None)
    return questions


def again(files):
    """Play games again: at least one, with the questions of a game."""
    games = questions = 0
    for file in files:
        log = read_log(file)
        if file.name.rpartition("/")[2].removesuffix(".xml") in OTHERWISE:
            with pytest.raises((AssertionError, IllegalAnswerError)):
                replay(log)
            continue
        try:
            questions += replay(log)
        except (AssertionError, IllegalAnswerError) as error:
            raise AssertionError(f"{file.name}: {error}") from error
        games += 1
    assert questions > 100 * games > 0


@mostly_slow(
    ("shard", "games"),
    [("houou-tonpu-03", 8), ("tokujou-hanchan-00", 6), ("houou-hanchan-00", 6), ("other4-00", 12)],
)
def test_a_sample_of_recordings(corpus, shard, games):
    again(islice(open_logs([corpus / f"{shard}.tar.xz"]), games))


@pytest.mark.slow
@pytest.mark.parametrize("shard", SHARDS)
def test_many_recordings(corpus, shard):
    again(recorded_games(corpus, shard))


@pytest.mark.slow
def test_every_odd_recording(corpus):
    again(open_logs([corpus / "other4-00.tar.xz"]))
