from __future__ import annotations

import pytest

from engine.model import events as ev
from engine.model.melds import Meld, MeldKind
from engine.model.rules import TONPU, Rules
from protocol.errors import LocalProtocolError, RemoteProtocolError
from protocol.tenhou import server
from protocol.tenhou.codec import parse_frame
from protocol.tenhou.events import Announcer, TableFacts, Translator
from protocol.tenhou.schema import Sender

OPENING = """
<GO type="9" lobby="0" gpid="714C07EB-F559C911"/>
<UN n0="me" n1="right" n2="across" n3="left" dan="8,8,6,11" rate="1478.50,1652.76,1520.54,1802.91" sx="M,M,M,F"/>
<TAIKYOKU oya="3" log="2018020315gm-0009-0000-b7c81568"/>
"""
DEAL = """
<INIT seed="0,0,0,3,4,61" ten="250,250,250,250" oya="3" hai="117,2,89,110,118,68,92,67,33,125,34,122,113"/>
"""
HAND = (117, 2, 89, 110, 118, 68, 92, 67, 33, 125, 34, 122, 113)


def heard(text, translator=None):
    """The events of a text of tags, said to the client whose absolute seat is 1."""
    translator = translator or Translator()
    return [event for message in parse_frame(text, Sender.SERVER) for event in translator.translate(message)]


def in_hand(text):
    return heard(OPENING + DEAL + text)[2:]


def test_start_of_a_game():
    start, kyoku = heard(OPENING + DEAL)
    assert start == ev.StartGame(Rules(), ("left", "me", "right", "across"))
    assert kyoku == ev.StartKyoku(0, 0, 0, 0, 61, (25000,) * 4, (None, HAND, None, None), (4, 5))


def test_rules_come_from_type_and_first_scores():
    text = OPENING.replace('type="9"', 'type="71"') + DEAL.replace("250", "300")
    start, _ = heard(text)
    assert start.rules == Rules(hanchan=False, red_fives=False, open_tanyao=False, start_points=30_000)


def test_seats_and_hidden_draws():
    assert in_hand("<W/><g5/><T7/><U/><V/>") == [
        ev.Draw(0, None),
        ev.Discard(0, 5, tsumogiri=True),
        ev.Draw(1, 7),
        ev.Draw(2, None),
        ev.Draw(3, None),
    ]


def test_tsumogiri_of_ones_own_is_recognised_by_the_tile():
    assert in_hand("<T7/><D7/><T8/><D2/>")[1::2] == [
        ev.Discard(1, 7, tsumogiri=True),
        ev.Discard(1, 2, tsumogiri=False),
    ]


def test_a_discard_after_a_call_is_from_hand():
    # the pon of what the left player threw; had the tile been drawn before, it would not count
    _, _, call, discard = in_hand('<W/><G88/><N who="0" m="34315"/><D2/>')
    assert call == ev.Call(1, Meld(MeldKind.PON, (89, 90, 91), 90, 0))
    assert discard == ev.Discard(1, 2, tsumogiri=False)


def test_riichi_is_three_events():
    text = '<REACH who="2" step="1"/><F95/><REACH who="2" ten="250,250,240,250" step="2"/>'
    assert in_hand(text) == [
        ev.RiichiDeclared(3),
        ev.Discard(3, 95, tsumogiri=False),
        ev.RiichiAccepted(3),
    ]


def test_coming_and_going():
    assert in_hand('<BYE who="3"/><UN n3="left"/>') == [ev.Disconnected(0), ev.Reconnected(0)]
    start, left, back, _ = heard(OPENING + '<BYE who="3"/><UN n3="left"/>' + DEAL)
    assert start.names == ("left", "me", "right", "across")
    assert (left, back) == (ev.Disconnected(0), ev.Reconnected(0))


def test_a_win():
    win, end = in_hand(
        '<AGARI ba="2,1" hai="36,41,46,50,53,56,84,85,94,96,103" m="7168,34314" machi="36" ten="50,12000,1" '
        'yaku="1,1,52,4,53,0" doraHai="134,25" doraHaiUra="72,111" who="1" fromWho="3" paoWho="2" '
        'sc="325,0,225,130,260,0,180,-120" owari="325,13.0,355,45.0,260,-14.0,60,-44.0"/>'
    )
    assert win == ev.Win(
        seat=2,
        from_seat=0,
        tile=36,
        deltas=(-12000, 0, 13000, 0),
        scores_before=(18000, 32500, 22500, 26000),
        concealed=(36, 41, 46, 50, 53, 56, 84, 85, 94, 96, 103),
        melds=(Meld(MeldKind.PON, (89, 90, 91), 90, 0), Meld(MeldKind.ANKAN, (28, 29, 30, 31), None, 2, 28)),
        dora_indicators=(134, 25),
        ura_indicators=(72, 111),
        pao_seat=3,
        honba=2,
        riichi_sticks=1,
        score=ev.WinScore(50, 12000, 1, ((1, 1), (52, 4), (53, 0))),
    )
    assert end == ev.EndGame((6000, 32500, 35500, 26000), (-44.0, 13.0, 45.0, -14.0))


def test_a_yakuman():
    (win,) = in_hand(
        '<AGARI ba="0,0" hai="1,2" machi="1" ten="0,64000,5" yakuman="39,42" doraHai="2" who="0" fromWho="0" '
        'sc="250,640,250,-320,250,-160,250,-160"/>'
    )
    assert win.score == ev.WinScore(0, 64000, 5, (), (39, 42))
    assert (win.seat, win.from_seat, win.pao_seat) == (1, 1, None)


@pytest.mark.parametrize("kind", list(ev.RyuukyokuKind))
def test_draws(kind):
    attribute = f'type="{kind.value}" ' if kind.value else ""
    (draw,) = in_hand(f'<RYUUKYOKU {attribute}ba="1,2" sc="247,30,165,-10,175,-10,403,-10" hai0="4,5" hai3="1,2"/>')
    assert draw == ev.Ryuukyoku(
        kind, (-1000, 3000, -1000, -1000), (40300, 24700, 16500, 17500), ((1, 2), (4, 5), None, None), 1, 2
    )


def test_coming_back():
    text = """
    <GO type="1" lobby="0" gpid="27366D0D-75200A39"/> <UN n0="me" n1="a" n2="b" n3="c" dan="1,1,1,1"/>
    <SAIKAI ba="0,1" oya="3" sc="157,0,278,0,179,0,376,0"/>
    <REINIT seed="2,0,1,5,3,46,99" ten="157,278,179,376" oya="3" hai="23,28,36,41,44,47,51" m0="48650,34314"
     kawa0="48,37,255,73,118" kawa1="112" kawa2="0,255"/>
    <W/>
    """
    start, resume, draw = heard(text)
    assert start == ev.StartGame(TONPU, ("a", "b", "c", "me"))
    assert resume == ev.Resume(
        kyoku=2,
        honba=0,
        riichi_sticks=1,
        dealer=2,
        dora_indicators=(46, 99),
        scores=(27800, 17900, 37600, 15700),
        seat=3,
        hand=(23, 28, 36, 41, 44, 47, 51),
        melds=((), (), (), (Meld(MeldKind.PON, (89, 90, 91), 90, 1), Meld(MeldKind.PON, (125, 126, 127), 127, 1))),
        rivers=((112,), (0,), (), (48, 37, 73, 118)),
        riichi_at=(None, 0, None, 2),
    )
    assert draw == ev.Draw(2, None)


def test_a_log_is_in_absolute_seats():
    translator = Translator(log=True)
    text = """
    <GO type="9"/><UN n0="a" n1="b" n2="c" n3="d"/><TAIKYOKU oya="0"/>
    <INIT seed="1,0,0,1,1,61" ten="250,250,250,250" oya="1" hai0="1" hai1="2" hai2="3" hai3="4"/>
    <U7/><E7/><V8/><F9/>
    """
    start, kyoku, *play = heard(text, translator)
    assert start.names == ("a", "b", "c", "d")
    assert kyoku.hands == ((1,), (2,), (3,), (4,))
    assert kyoku.dealer == 1
    assert play == [
        ev.Draw(1, 7),
        ev.Discard(1, 7, tsumogiri=True),
        ev.Draw(2, 8),
        ev.Discard(2, 9, tsumogiri=False),
    ]


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("<T5/>", "before TAIKYOKU"),
        (OPENING + DEAL.replace('oya="3"', 'oya="2"'), "kyoku 0 with seat 3 as dealer"),
        (OPENING + DEAL.replace('"0,0,0', '"16,0,0'), "kyoku 16 does not exist; 0 is E1, 15 is N4"),
        (OPENING + DEAL.replace("<INIT", "<REINIT").replace('"0,0,0', '"64,0,0'), "kyoku 64 does not exist"),
        (OPENING + DEAL.replace("3,4,61", "3,9,61"), "dice"),
        (OPENING + DEAL.replace("3,4,61", "3,4,140"), "dora indicator"),
        (OPENING + '<INIT seed="0,0,0,3,4,61" ten="250,250,250,250" oya="3"/>', "lacks a hand"),
        (OPENING + DEAL + '<N who="1" m="65535"/>', "meld code 65535"),
        (OPENING + DEAL + '<RYUUKYOKU type="none" ba="0,0" sc="1,0,1,0,1,0,1,0"/>', "type='none'"),
        (OPENING + DEAL + '<RYUUKYOKU ba="0,0" sc="1,0,1,0,1,0,1,0" owari="1,2.0"/>', "owari has 2 numbers"),
        (OPENING.replace('"9"', '"99999"'), "16 bits"),
        (
            OPENING + '<REINIT seed="0,0,0,0,0,1" ten="1,2,3,4" oya="3" hai="1" kawa0="140"/>',
            "river with tile 140",
        ),
        (
            OPENING + DEAL + '<AGARI ba="0,0" hai="1" machi="1" ten="1,2,3" yaku="1" who="0" fromWho="0" '
            'sc="1,0,1,0,1,0,1,0"/>',
            "not pairs",
        ),
    ],
)
def test_messages_that_make_no_sense_are_refused(text, complaint):
    with pytest.raises(RemoteProtocolError, match=complaint):
        heard(text)


TABLE = TableFacts(9, ("left", "me", "right", "across"), "0", (11, 8, 8, 6), log="2018020315gm-0009-0000-b7c81568")
PLAY = """
<W/><G75 t="4"/><T7 t="32"/><FURITEN show="1"/><REACH who="0" step="1"/><D7/>
<REACH who="0" ten="240,250,250,250" step="2"/><U/><e5 t="8"/><V/><N who="2" m="15872"/><DORA hai="61"/><V/><F9/>
<BYE who="3"/><UN n3="left"/><N who="2" m="18547" t="8"/>
<RYUUKYOKU ba="0,1" sc="240,30,250,-10,250,-10,250,-10" hai0="4,5" hai3="1,2"/>
"""


def announced(text, viewer, *, log=False):
    """What is said again of what was heard."""
    translator = Translator(log=log)
    announcer = Announcer(viewer)
    said = []
    for message in parse_frame(text, Sender.SERVER):
        events = translator.translate(message)
        end = next((event for event in events if isinstance(event, ev.EndGame)), None)
        for event in events:
            again = announcer.announce(event, flags=getattr(message, "t", 0), end=None if event is end else end)
            said += [] if again is None else [again]
    return said


def test_a_message_that_is_heard_is_said_alike():
    expected = [
        message for message in parse_frame(DEAL + PLAY, Sender.SERVER) if not isinstance(message, server.Furiten)
    ]
    assert announced(OPENING + DEAL + PLAY, 1) == expected


def test_opening():
    announcer = Announcer(1)
    go, un, taikyoku = announcer.opening(TABLE, gpid="714C07EB-F559C911")
    assert go == server.Go(9, "0", "714C07EB-F559C911")
    assert un.names == ("me", "right", "across", "left")
    assert un.dan == (8, 8, 6, 11)
    assert taikyoku == server.Taikyoku(3, TABLE.log)
    assert announcer.announce(ev.Reconnected(0)) == server.Un((None, None, None, "left"))


def test_one_sees_ones_own_tiles_alone():
    deal = ev.StartKyoku(1, 2, 3, 1, 61, (1000, 2000, 3000, 4000), ((1,), (2,), (3,), (4,)), (4, 5))
    init = Announcer(2).announce(deal)
    assert init == server.Init(seed=(1, 2, 3, 3, 4, 61), ten=(30, 40, 10, 20), oya=3, hai=(3,))
    assert Announcer(2).announce(ev.Draw(2, 9)) == server.Draw(0, 9)
    assert Announcer(2).announce(ev.Draw(3, 9)) == server.Draw(1, None)
    assert Announcer().announce(deal).hands == deal.hands


def test_small_letters_are_for_others_tsumogiri():
    tsumogiri = ev.Discard(2, 9, tsumogiri=True)
    assert Announcer(2).announce(tsumogiri) == server.Discard(0, 9)
    assert Announcer(1).announce(tsumogiri) == server.Discard(1, 9, lower=True)
    assert Announcer().announce(tsumogiri) == server.Discard(2, 9)


def test_coming_back_is_said():
    resume = ev.Resume(
        2, 0, 1, 2, (46, 99), (27800, 17900, 37600, 15700), 3, (28, 23), ((), (), (), ()), ((), (5, 6), (), ()),
        (None, 1, None, None),
    )  # fmt: skip
    announcer = Announcer(3)
    assert announcer.saikai(resume) == server.Saikai((0, 1), 3, (157, 0, 278, 0, 179, 0, 376, 0))
    reinit = announcer.announce(resume)
    assert reinit.hai == (23, 28)
    assert reinit.rivers == (None, None, (5, 255, 6), None)
    assert heard('<GO type="9"/>', translator := Translator()) == []
    assert translator.translate(reinit)[1].riichi_at == resume.riichi_at


def test_a_win_without_a_score_still_has_its_points():
    win = ev.Win(1, 0, 5, (-3900 - 300, 3900 + 300 + 1000, 0, 0), honba=1, riichi_sticks=1)
    agari = Announcer().announce(win)
    assert agari.ten == (0, 3900, 0)
    assert agari.sc == (0, -42, 0, 52, 0, 0, 0, 0)


def test_events_that_cannot_be_said_are_refused():
    with pytest.raises(LocalProtocolError, match="hidden"):
        Announcer().announce(ev.Draw(0, None))
    with pytest.raises(LocalProtocolError, match="hides"):
        Announcer().announce(ev.StartKyoku(0, 0, 0, 0, 1, (0,) * 4, ((1,), None, None, None)))
    with pytest.raises(LocalProtocolError, match="cannot carry t"):
        Announcer().announce(ev.NewDora(1), flags=8)
