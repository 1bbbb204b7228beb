"""Where public sources on the protocol disagree: each choice made, pinned with the evidence that decides it."""

from __future__ import annotations

import json

import pytest

from engine.model import events as ev
from engine.model.actions import Action, ActionKind
from engine.model.melds import MeldKind
from engine.model.seats import kyoku_name
from protocol.tenhou import client, server
from protocol.tenhou.actions import prompt_flags, say
from protocol.tenhou.codec import parse_frame
from protocol.tenhou.events import Announcer, Translator
from protocol.tenhou.schema import Sender
from protocol.tenhou.session import KEEP_ALIVE_SECONDS, Login, Prompt, Send, Session

OPENING = '<GO type="9"/><UN n0="me" n1="b" n2="c" n3="d"/><TAIKYOKU oya="0"/>'
DEAL = '<INIT seed="5,0,0,3,4,61" ten="250,250,250,250" oya="1" hai="0,4,8,12,17,20,24,28,32,36,40,44,48"/>'


def translated(text):
    translator = Translator()
    return [
        event
        for message in parse_frame(OPENING + DEAL + text, Sender.SERVER)
        for event in translator.translate(message)
    ]


@pytest.fixture
def session():
    session = Session(Login(9))
    session.connect()
    return session


def receive(session, frame):
    """All that a frame leads to: events, notices, what is sent, the prompt last."""
    received = session.receive(frame)
    return [*received.events, *received.notices, *received.sends, *filter(None, [received.prompt])]


def said(outputs):
    return [output.frame for output in outputs if isinstance(output, Send)]


def test_a_capital_letter_is_a_discard_from_hand_and_a_small_one_a_tsumogiri():
    *_, capital, small = translated("<E5/><f9/>")
    assert capital == ev.Discard(1, 5, tsumogiri=False)
    assert small == ev.Discard(2, 9, tsumogiri=True)


def test_prompt_bit_1_is_pon_and_2_is_kan():
    # 424 recorded prompts of 3 came where three of the tile were held, 6984 of 1 where two were
    assert prompt_flags([Action(ActionKind.PON, 62, (60, 63))]) == 1
    assert prompt_flags([Action(ActionKind.DAIMINKAN, 62)]) == 2
    assert client.NType.PON == 1
    assert client.NType.DAIMINKAN == 2
    assert say(Action(ActionKind.PON, 62, (60, 63))) == (client.N(1, None, 60, 63),)
    assert say(Action(ActionKind.DAIMINKAN, 62)) == (client.N(2),)


def test_keep_alive_is_a_tag_every_ten_seconds_even_over_websocket(session):
    assert said(session.keep_alive()) == ["<Z/>"]
    assert KEEP_ALIVE_SECONDS == 10


def test_riichi_over_websocket_names_no_tile_and_waits_for_step_one(session):
    *_, prompt = receive(session, f'<HELO uname="me"/>{OPENING}{DEAL}<T52 t="32"/>')
    assert isinstance(prompt, Prompt)
    assert said(session.act(prompt, Action(ActionKind.RIICHI, 4))) == ['{"tag":"REACH"}']
    assert said(receive(session, '{"tag":"REACH","who":"0","step":"1"}')) == ['{"tag":"D","p":4}']


def test_ready_is_said_after_taikyoku_not_after_go(session):
    receive(session, '{"tag":"HELO","uname":"me"}')
    assert said(receive(session, '{"tag":"GO","type":"9","lobby":"0"}')) == ['{"tag":"GOK"}']
    assert said(receive(session, '{"tag":"UN","n0":"me","n1":"b","n2":"c","n3":"d"}')) == []
    assert said(receive(session, '{"tag":"TAIKYOKU","oya":"0"}')) == ['{"tag":"NEXTREADY"}']


def test_a_self_drawn_win_is_n_of_type_7():
    (message,) = say(Action(ActionKind.TSUMO, 52))
    assert message == client.N(7)
    session = Session(Login(9))
    session.connect()
    *_, prompt = receive(session, f'<HELO uname="me"/>{OPENING}{DEAL}<T52 t="16"/>')
    (send,) = session.act(prompt, Action(ActionKind.TSUMO, 52))
    assert json.loads(send.frame) == {"tag": "N", "type": 7}


def test_melds_are_listed_newest_first():
    text = (
        '<AGARI ba="0,0" hai="1,2" m="34314,15872" machi="1" ten="30,1000,0" yaku="18,1" doraHai="2" who="0" '
        'fromWho="1" sc="250,10,250,-10,250,0,250,0"/>'
    )
    win = translated(text)[-1]
    assert [meld.kind for meld in win.melds] == [MeldKind.ANKAN, MeldKind.PON]
    assert Announcer(0).announce(win).m == (34314, 15872)
    *_, resume = translated('<REINIT seed="5,0,0,0,0,61" ten="1,2,3,4" oya="1" hai="0,4" m0="34314,15872"/>')
    assert [meld.kind for meld in resume.melds[0]] == [MeldKind.ANKAN, MeldKind.PON]


def test_the_hand_is_counted_by_the_seed_modulo_four():
    deal = translated("")[-1]
    assert deal.kyoku == 5
    assert deal.dealer == deal.kyoku % 4 == 1
    assert kyoku_name(deal.kyoku) == "S2"


def test_both_forms_of_a_message_are_one_message():
    assert parse_frame('{"tag":"e107","t":"4"}', Sender.SERVER) == parse_frame('<e107 t="4"/>', Sender.SERVER)
    assert parse_frame('{"tag":"e107","t":"4"}', Sender.SERVER) == (server.Discard(1, 107, lower=True, t=4),)
