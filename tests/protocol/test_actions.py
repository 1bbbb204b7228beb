from __future__ import annotations

from dataclasses import replace

import pytest

from engine.model import events as ev
from engine.model.actions import NINE_TERMINALS, PASS, Action, ActionKind
from engine.model.melds import Meld, MeldKind
from protocol.errors import RemoteProtocolError
from protocol.tenhou import client
from protocol.tenhou.actions import PROMPT_FLAGS, Asked, asked_by, hear, offered, prompt_flags, say

DRAWN = Asked(own_turn=True, tile=62)
CALLED = Asked(own_turn=True, tile=None)
OFFERED = Asked(own_turn=False, tile=62)

ROWS = [
    (Action(ActionKind.DISCARD, 5), DRAWN, client.Discard(5)),
    (Action(ActionKind.DISCARD, 5), CALLED, client.Discard(5)),
    (Action(ActionKind.TSUMO, 62), DRAWN, client.N(7)),
    (Action(ActionKind.ANKAN, 60), DRAWN, client.N(4, 60)),
    (Action(ActionKind.KAKAN, 62), DRAWN, client.N(5, 62)),
    (NINE_TERMINALS, DRAWN, client.N(9)),
    (PASS, OFFERED, client.N()),
    (Action(ActionKind.RON, 62), OFFERED, client.N(6)),
    (Action(ActionKind.DAIMINKAN, 62), OFFERED, client.N(2)),
    (Action(ActionKind.PON, 62, (60, 63)), OFFERED, client.N(1, None, 60, 63)),
    (Action(ActionKind.CHI, 62, (55, 64)), OFFERED, client.N(3, None, 55, 64)),
]


@pytest.mark.parametrize(("action", "asked", "message"), ROWS)
def test_said_and_heard(action, asked, message):
    assert say(action) == (message,)
    assert hear(message, asked) == action


def test_every_kind_of_action_can_be_said():
    assert {action.kind for action, _, _ in ROWS} | {ActionKind.RIICHI} == set(ActionKind)


def test_a_prompt_allows_exactly_the_answers_that_can_be_understood():
    for action in (*(action for action, _, _ in ROWS), Action(ActionKind.RIICHI, 62)):
        for own_turn in (True, False):
            for tile in (62, None):
                asked = Asked(own_turn, tile)
                try:
                    for message in say(action):
                        heard = hear(message, asked)
                        asked = replace(asked, reached=heard is None)
                except RemoteProtocolError:
                    heard = None
                assert heard == (action if Asked(own_turn, tile).allows(action) else None), (action, asked)


def test_a_riichi_is_two_messages():
    riichi = Action(ActionKind.RIICHI, 62)
    assert say(riichi) == (client.Reach(), client.Discard(62))
    assert hear(client.Reach(), DRAWN) is None
    assert hear(client.Discard(62), Asked(own_turn=True, tile=62, reached=True)) == riichi


def test_either_order_and_any_copy_is_heard():
    assert hear(client.N(3, None, 64, 55), OFFERED) == Action(ActionKind.CHI, 62, (55, 64))
    assert hear(client.N(4, 63), DRAWN) == Action(ActionKind.ANKAN, 60)


@pytest.mark.parametrize(
    ("message", "asked"),
    [
        (client.N(), DRAWN),
        (client.N(6), DRAWN),
        (client.N(7), OFFERED),
        (client.N(7), CALLED),
        (client.N(9), OFFERED),
        (client.N(4), DRAWN),
        (client.N(5), DRAWN),
        (client.N(1), OFFERED),
        (client.N(3, None, 55), OFFERED),
        (client.N(8), OFFERED),
        (client.N(8), DRAWN),
        (client.N(10), DRAWN),
        (client.Discard(5), OFFERED),
        (client.Reach(), OFFERED),
        (client.Reach(), Asked(own_turn=True, tile=62, reached=True)),
        (client.N(7), Asked(own_turn=True, tile=62, reached=True)),
    ],
)
def test_actions_that_answer_nothing_are_refused(message, asked):
    with pytest.raises(RemoteProtocolError):
        hear(message, asked)


PON = Meld(MeldKind.PON, (60, 61, 62), 61, 1)
KAN = Meld(MeldKind.KAKAN, (60, 61, 62, 63), 61, 1, 63)


@pytest.mark.parametrize(
    ("event", "flags", "asked"),
    [
        (ev.Draw(2, 7), 0, Asked(own_turn=True, tile=7)),
        (ev.Draw(1, None), 0, None),
        (ev.Discard(1, 7, tsumogiri=False), 4, Asked(own_turn=False, tile=7)),
        (ev.Discard(1, 7, tsumogiri=False), 0, None),
        (ev.Discard(2, 7, tsumogiri=False), 0, None),
        (ev.Call(2, PON), 0, Asked(own_turn=True, tile=None)),
        (ev.Call(2, KAN), 0, None),
        (ev.Call(3, PON), 0, None),
        (ev.Call(3, KAN), 8, Asked(own_turn=False, tile=63)),
        (ev.NewDora(4), 0, None),
    ],
)
def test_an_event_asks_whom_it_concerns(event, flags, asked):
    assert asked_by(event, 2, flags) == asked


def test_flags_of_what_may_be_answered():
    assert prompt_flags(action for action, asked, _ in ROWS if asked is OFFERED) == 1 | 2 | 4 | 8
    riichi = Action(ActionKind.RIICHI, 62)
    assert prompt_flags([riichi, *(action for action, asked, _ in ROWS if asked is DRAWN)]) == 16 | 32 | 64
    assert prompt_flags([]) == 0
    assert set(ActionKind) - set(PROMPT_FLAGS) == {
        ActionKind.DISCARD,
        ActionKind.PASS,
        ActionKind.ANKAN,
        ActionKind.KAKAN,
    }


def test_only_what_is_offered_is_open_but_for_what_has_no_bit():
    ron, pon = Action(ActionKind.RON, 62), Action(ActionKind.PON, 62, (60, 63))
    assert offered((ron, pon, PASS), 1) == (pon, PASS)
    assert offered((ron, pon, PASS), 9) == (ron, pon, PASS)
    own = (Action(ActionKind.TSUMO, 62), Action(ActionKind.ANKAN, 60), Action(ActionKind.DISCARD, 62))
    assert offered(own, 0) == own[1:]
    assert offered(own, 16) == own
