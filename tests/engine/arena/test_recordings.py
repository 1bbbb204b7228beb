"""Recorded games dealt again on the referee, from the shuffle seed they state: the same answers give the same game."""

from __future__ import annotations

import tarfile
from dataclasses import replace

import pytest

from engine.arena import Referee
from engine.arena.walls import SHUFFLE_PREFIX
from engine.model.actions import NINE_TERMINALS, PASS, Action, ActionKind
from engine.model.events import (
    Call,
    Discard,
    Disconnected,
    Draw,
    EndGame,
    NewDora,
    Reconnected,
    RiichiAccepted,
    RiichiDeclared,
    Ryuukyoku,
    RyuukyokuKind,
    StartGame,
    StartKyoku,
    Win,
)
from engine.model.melds import MeldKind
from protocol.logs import mjlog
from tests.samples import shuffle_of

GAMES_A_SHARD = 12
SHARDS = ("houou-hanchan-00", "tokujou-hanchan-00", "houou-tonpu-00", "houou-tonpu-03")

KINDS = {
    MeldKind.CHI: ActionKind.CHI,
    MeldKind.PON: ActionKind.PON,
    MeldKind.DAIMINKAN: ActionKind.DAIMINKAN,
    MeldKind.ANKAN: ActionKind.ANKAN,
    MeldKind.KAKAN: ActionKind.KAKAN,
}


def games(path, limit, skip=0):
    with tarfile.open(path) as archive:
        for member in archive:
            if not member.isfile():
                continue
            text = archive.extractfile(member).read()
            if SHUFFLE_PREFIX.encode() not in text[:400]:
                continue
            if skip:
                skip -= 1
                continue
            yield mjlog.read(text, member.name)
            limit -= 1
            if not limit:
                return


def plain(event):
    """What both sides state: the order of yaku and fu of a yakuman are the recording's own, results a table's."""
    if isinstance(event, Win):
        score = event.score
        score = replace(
            score,
            yaku=tuple(sorted(score.yaku)),
            yakuman=tuple(sorted(score.yakuman)),
            fu=0 if score.limit == 5 else score.fu,
        )
        return replace(event, score=score)
    if isinstance(event, StartGame):
        return StartGame(event.rules)
    if isinstance(event, EndGame):
        return EndGame(event.scores)
    if isinstance(event, StartKyoku):
        return replace(event, hands=tuple(tuple(sorted(hand)) for hand in event.hands))
    return event


def call_action(meld):
    kind = KINDS[meld.kind]
    if kind in (ActionKind.CHI, ActionKind.PON):
        return Action(kind, meld.called, tuple(sorted(meld.own_tiles)))
    return Action(kind, meld.called if kind is ActionKind.DAIMINKAN else meld.added)


def answers(prompts, coming):
    """What the seats asked must have answered for ``coming`` to happen."""
    own_turn = all(PASS not in actions for actions in prompts.values())
    while isinstance(coming[0], NewDora) or (isinstance(coming[0], RiichiAccepted) and not own_turn):
        coming = coming[1:]
    first = coming[0]
    if own_turn:
        (seat,) = prompts
        match first:
            case Discard():
                action = Action(ActionKind.DISCARD, first.tile)
            case RiichiDeclared():
                tile = next(event.tile for event in coming if isinstance(event, Discard))
                action = Action(ActionKind.RIICHI, tile)
            case Call():
                action = call_action(first.meld)
            case Win():
                action = Action(ActionKind.TSUMO, first.tile)
            case Ryuukyoku():
                action = NINE_TERMINALS
        return {seat: action}
    given = dict.fromkeys(prompts, PASS)
    if isinstance(first, Call) and first.meld.called is not None and first.meld.kind is not MeldKind.KAKAN:
        given[first.seat] = call_action(first.meld)
    for event in coming[:2]:
        if isinstance(event, Win) and event.seat != event.from_seat:
            given[event.seat] = Action(ActionKind.RON, event.tile)
    if isinstance(first, Ryuukyoku) and first.kind is RyuukyokuKind.TRIPLE_RON:
        given = {seat: next(action for action in prompts[seat] if action.kind is ActionKind.RON) for seat in prompts}
    return given


def replay(log):
    """Play the recorded game on the referee; the first difference fails."""
    events = [event for event in log.events if not isinstance(event, Disconnected | Reconnected)]
    referee = Referee(log.start.rules, walls=shuffle_of(log.info.shuffle))
    step = referee.start()
    position = 0
    while True:
        for event in step.events:
            assert plain(event) == plain(events[position]), (log.source, position)
            position += 1
        if step.over:
            break
        step = referee.answer(answers(step.prompts, events[position:]))
    assert position == len(events)


@pytest.mark.corpus
@pytest.mark.parametrize("shard", SHARDS)
def test_recorded_game_again(corpus, shard):
    count = 0
    for log in games(corpus / f"{shard}.tar.xz", GAMES_A_SHARD):
        replay(log)
        count += 1
    assert count == GAMES_A_SHARD


def test_the_draw_events_are_compared():
    assert plain(Draw(1, 5)) != plain(Draw(1, 6))
