from __future__ import annotations

import json
import tarfile

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.model import events as ev
from engine.model.actions import PASS, Action, ActionKind
from protocol.errors import LocalProtocolError, UnsupportedGameError
from protocol.logs import wire
from protocol.tenhou import client, server
from protocol.tenhou.actions import Asked
from protocol.tenhou.codec import format_message, format_tag, parse_frame
from protocol.tenhou.schema import Sender
from protocol.tenhou.session import (
    KEEP_ALIVE_SECONDS,
    TRANSITIONS,
    Login,
    Notice,
    NoticeKind,
    Prompt,
    Send,
    Session,
    State,
)

KEY = "IDDEADBEAF-xxxxxxxx"


def frames(outputs):
    return [output.frame for output in outputs if isinstance(output, Send)]


def events(outputs):
    return [output for output in outputs if not isinstance(output, Send | Prompt | Notice)]


def notices(outputs):
    return [output.kind for output in outputs if isinstance(output, Notice)]


def receive(session, frame):
    """All that a frame leads to: events, notices, what is sent, the prompt last."""
    received = session.receive(frame)
    return [*received.events, *received.notices, *received.sends, *filter(None, [received.prompt])]


def hear(session, *messages):
    """Outputs of messages in the tag text, each sent in a JSON frame of its own."""
    outputs = []
    for text in messages:
        for message in parse_frame(text, Sender.SERVER):
            outputs += receive(session, format_message(message))
    return outputs


OPENING = '<GO type="9" lobby="0" gpid="A-B"/><UN n0="me" n1="b" n2="c" n3="d"/><TAIKYOKU oya="0" log="the-log"/>'
DEAL = '<INIT seed="0,0,0,3,4,61" ten="250,250,250,250" oya="0" hai="0,4,8,12,17,20,24,28,32,36,40,44,48"/>'


@pytest.fixture
def seated():
    session = Session(Login(9))
    session.connect()
    hear(session, '<HELO uname="me"/>', OPENING, DEAL)
    return session


def test_login_and_seek():
    session = Session(Login(9, KEY))
    assert session.state is State.OFFLINE
    assert json.loads(session.connect()[0].frame) == {"tag": "HELO", "name": KEY, "sx": "M"}
    assert session.state is State.LOGIN
    outputs = hear(session, '<HELO uname="me" auth="20180117-e7b5e83e"/>')
    assert frames(outputs) == ['<PXR V="9"/>', '{"tag":"JOIN","t":"0,9"}']
    assert notices(outputs) == [NoticeKind.LOGGED_IN]
    assert session.state is State.WAITING
    assert hear(session, '<LN n="1"/><RANKING v2="1"/>') == []
    assert frames(hear(session, '<REJOIN t="0,9,r"/>')) == ['{"tag":"JOIN","t":"0,9,r"}']


@pytest.mark.parametrize(
    ("lobby", "said"),
    [
        ("1717", ['{"tag":"LOBBY","id":1717}', '{"tag":"JOIN","t":"1717,1"}']),
        ("C12345678", ['{"tag":"CS","lobby":"C12345678"}']),
    ],
)
def test_lobbies(lobby, said):
    session = Session(Login(1, lobby=lobby))
    session.connect()
    assert frames(receive(session, '<HELO uname="me"/>'))[1:] == said


def test_refused_login():
    session = Session(Login(9))
    session.connect()
    assert receive(session, '{"tag":"ERR","code":"1003"}') == [Notice(NoticeKind.REFUSED, "error 1003")]
    assert session.state is State.CLOSED


@pytest.mark.parametrize(("game_type", "lobby"), [(1 << 16, "0"), (-1, "0"), (9, "x"), (9, "")])
def test_no_such_table(game_type, lobby):
    with pytest.raises(LocalProtocolError, match="cannot log in"):
        Login(game_type, lobby=lobby)


def test_three_players_are_refused_on_either_side():
    with pytest.raises(UnsupportedGameError, match="three-player"):
        Login(185)
    session = Session(Login(9))
    session.connect()
    outputs = hear(session, '<GO type="185"/>')
    assert notices(outputs) == [NoticeKind.UNSUPPORTED]
    assert frames(outputs) == ["<BYE/>"]
    assert session.state is State.CLOSED


def test_seat_and_first_hand():
    session = Session(Login(9))
    session.connect()
    outputs = hear(session, '<HELO uname="me"/>', OPENING)
    assert frames(outputs)[2:] == ['{"tag":"GOK"}', '{"tag":"NEXTREADY"}']
    assert (session.seat, session.log_id, session.gpid) == (0, "the-log", "A-B")
    assert session.state is State.BETWEEN
    start, kyoku = events(hear(session, DEAL))
    assert start.names == ("me", "b", "c", "d")
    assert isinstance(kyoku, ev.StartKyoku)
    assert session.state is State.PLAYING


def test_own_turn(seated):
    draw, prompt = hear(seated, '<T52 t="48"/>')
    assert draw == ev.Draw(0, 52)
    assert prompt == Prompt(1, Asked(own_turn=True, tile=52), 48)
    assert frames(seated.act(prompt, Action(ActionKind.DISCARD, 52))) == ['{"tag":"D","p":52}']
    assert seated.act(prompt, Action(ActionKind.DISCARD, 52)) == []
    assert events(hear(seated, "<D52/><U/>")) == [ev.Discard(0, 52, tsumogiri=True), ev.Draw(1, None)]


def test_offered_tile(seated):
    hear(seated, "<W/>")
    discard, prompt = hear(seated, '<G49 t="7"/>')
    assert discard == ev.Discard(3, 49, tsumogiri=False)
    assert prompt.flags == 7
    assert frames(seated.act(prompt, PASS)) == ['{"tag":"N"}']


def test_a_call_of_ones_own_asks_for_a_discard(seated):
    hear(seated, '<W/><G88 t="1"/>')
    call, prompt = hear(seated, '<N who="0" m="34315"/>')
    assert isinstance(call, ev.Call)
    assert prompt.asked == Asked(own_turn=True, tile=None)


def test_a_prompt_that_has_passed_is_not_answered(seated):
    *_, prompt = hear(seated, '<W/><G88 t="4"/>')
    (call,) = hear(seated, '<N who="2" m="34313"/>')
    assert isinstance(call, ev.Call)
    assert seated.prompt is None
    assert seated.act(prompt, PASS) == []


def test_a_prompt_overtaken_in_its_own_frame_is_not_made(seated):
    outputs = receive(seated, '<W/><G88 t="4"/><N who="2" m="34313"/>')
    assert not [output for output in outputs if isinstance(output, Prompt)]


def test_an_action_that_is_no_answer_is_our_bug(seated):
    *_, prompt = hear(seated, "<T52/>")
    with pytest.raises(LocalProtocolError, match="does not answer"):
        seated.act(prompt, PASS)
    assert frames(seated.act(prompt, Action(ActionKind.DISCARD, 52)))


def test_riichi_waits_for_step_one(seated):
    *_, prompt = hear(seated, '<T52 t="32"/>')
    assert frames(seated.act(prompt, Action(ActionKind.RIICHI, 4))) == ['{"tag":"REACH"}']
    assert seated.state is State.REACHED
    outputs = hear(seated, '<REACH who="0" step="1"/>')
    assert events(outputs) == [ev.RiichiDeclared(0)]
    assert frames(outputs) == ['{"tag":"D","p":4}']
    assert seated.state is State.PLAYING
    outputs = hear(seated, '<D4/><REACH who="0" ten="240,250,250,250" step="2"/>')
    assert frames(outputs) == []
    assert events(outputs)[-1] == ev.RiichiAccepted(0)


def test_riichi_that_the_server_did_not_hear(seated):
    *_, prompt = hear(seated, '<T52 t="32"/>')
    seated.act(prompt, Action(ActionKind.RIICHI, 4))
    hear(seated, "<D52/>")
    assert seated.state is State.PLAYING
    assert frames(hear(seated, '<W/><REACH who="0" step="1"/>')) == []


WIN = (
    '<AGARI ba="0,0" hai="1" machi="1" ten="30,1000,0" yaku="1,1" doraHai="61" who="0" fromWho="1" '
    'sc="250,10,250,-10,250,0,250,0"'
)


def test_end_of_a_hand_and_of_the_game(seated):
    outputs = hear(seated, WIN + "/>")
    assert frames(outputs) == ['{"tag":"NEXTREADY"}']
    assert seated.state is State.BETWEEN
    outputs = hear(seated, WIN + "/>")
    assert notices(outputs) == [NoticeKind.REPEATED]
    outputs = hear(seated, WIN.replace('who="0"', 'who="2"') + "/>")
    assert frames(outputs) == ['{"tag":"NEXTREADY"}']
    outputs = hear(
        seated,
        '<PROF lobby="0" type="9" add="50.0,1,0,0,0,0,9,2,0,0,1"/>',
        WIN + ' owari="260,30.0,240,1.0,250,-10.0,250,-20.0"/>',
    )
    assert frames(outputs) == ['{"tag":"NEXTREADY"}', "<BYE/>"]
    assert isinstance(events(outputs)[-1], ev.EndGame)
    assert notices(outputs) == [NoticeKind.RECORD]
    assert seated.state is State.OVER


def test_reconnection_takes_up_the_game(seated):
    assert json.loads(seated.connect()[0].frame)["gpid"] == "A-B"
    outputs = hear(
        seated,
        '<GO type="9" lobby="0" gpid="A-B"/><UN n0="me" n1="b" n2="c" n3="d"/>'
        '<SAIKAI ba="0,0" oya="0" sc="250,0,250,0,250,0,250,0"/>',
    )
    assert frames(outputs) == ['{"tag":"GOK"}']
    outputs = hear(
        seated, '<REINIT seed="0,0,0,0,0,61" ten="250,250,250,250" oya="0" hai="0,4,8,12" kawa0="44"/>', "<T5/>"
    )
    assert [type(event) for event in events(outputs)] == [ev.StartGame, ev.Resume, ev.Draw]
    assert isinstance(outputs[-1], Prompt)


def test_furiten_chat_and_the_unknown_are_reported(seated):
    outputs = hear(seated, '<FURITEN show="1"/><FURITEN show="0"/><CHAT uname="b" text="hi"/><NEW a="1"/>')
    assert outputs == [
        Notice(NoticeKind.FURITEN, "on"),
        Notice(NoticeKind.FURITEN, "off"),
        Notice(NoticeKind.CHAT, "b: hi"),
        Notice(NoticeKind.UNKNOWN, "Unknown(<NEW a='1'>)"),
    ]


def test_leaving_and_keeping_alive(seated):
    assert frames(seated.keep_alive()) == ["<Z/>"]
    assert KEEP_ALIVE_SECONDS == 10
    assert frames(seated.leave()) == ["<BYE/>"]
    assert seated.state is State.OVER


def test_account_keys_do_not_show():
    session = Session(Login(9, KEY))
    assert KEY not in repr(session.login)
    assert KEY not in repr(session.connect())
    outputs = receive(session, f'<HELO nome="{KEY}"/>')
    assert notices(outputs) == [NoticeKind.MALFORMED]
    assert KEY not in repr(outputs)


def test_every_state_and_message_of_the_table_is_handled():
    messages = {row.cls for row in server.ATTRIBUTES.values()} | {server.Draw, server.Discard}
    in_table = {message for _, message in TRANSITIONS}
    # these two are found in logs alone
    assert messages - in_table == {server.Shuffle, server.Mjloggm}
    assert {state for state, _ in TRANSITIONS} == set(State)
    assert all(method is None or callable(getattr(Session, method)) for _, method in TRANSITIONS.values())
    assert {state for state, _ in TRANSITIONS.values()} >= set(State) - {State.OFFLINE}


SAID = st.sampled_from(
    [
        OPENING, DEAL, WIN + "/>", "<T5/>", '<T52 t="48"/>', "<U/>", "<D5/>", '<e9 t="15"/>', '<G88 t="1"/>',
        '<N who="0" m="34315"/>', '<N who="2" m="18547" t="8"/>', '<REACH who="0" step="1"/>', '<DORA hai="9"/>',
        '<REACH who="0" step="2"/>', '<HELO uname="x" auth="bad"/>', '<HELO uname="x"/>', '<GO type="16"/>',
        '<GO type="1"/>', '<BYE who="2"/>', '<UN n1="b"/>', "<UN/>", '<REJOIN t="x"/>', "<Z/>", "nonsense", "{}", "",
        '<REINIT seed="0,0,0,0,0,61" ten="250,250,250,250" oya="2" hai="0,4,8,12" kawa0="255"/>', "<SHUFFLE/>",
        WIN + ' owari="1"/>', WIN + ' owari="1,1,1,1,1,1,1,1"/>', '<RYUUKYOKU ba="0,0" sc="1,0,1,0,1,0,1,0"/>',
        '<INIT seed="3,0,0,3,4,61" ten="1,2,3,4" oya="1"/>', '<N who="1" m="65535"/>', "<KANSEN/>", "<ERR/>",
    ]
)  # fmt: skip


@given(st.lists(SAID, max_size=25))
def test_nonsense_never_raises(said):
    session = Session(Login(9))
    session.connect()
    for frame in said:
        for output in receive(session, frame):
            assert isinstance(output, Send | Prompt | Notice | ev.Event)
            if isinstance(output, Prompt):
                assert output == session.prompt
                own = Action(ActionKind.RIICHI if output.flags & 32 else ActionKind.DISCARD, 5)
                assert session.act(output, own if output.asked.own_turn else PASS)


PLAYED = (client.Gok, client.NextReady, client.Discard, client.N, client.Reach, client.Bye)


def settled(message):
    """Two own tiles in ascending order; of a closed kan the lowest copy; of a riichi the tile in its discard alone."""
    if isinstance(message, client.N) and message.hai0 is not None:
        return client.N(message.type, None, *sorted((message.hai0, message.hai1)))
    if isinstance(message, client.N) and message.type == client.NType.ANKAN:
        return client.N(message.type, message.hai & ~3)
    return client.Reach() if isinstance(message, client.Reach) else message


def replay(recorded):
    """What a session says, tells and sees when it gets what was got and acts as the recorded player did."""
    session = Session(Login(9, KEY))
    actions = {step.line: step.action for step in wire.play(recorded) if isinstance(step, wire.Said)}
    outputs = [*session.connect()]
    prompt = None
    for entry in recorded.entries:
        if entry.sender is Sender.SERVER:
            outputs += receive(session, "".join(format_tag(message) for message in entry.messages))
            if isinstance(outputs[-1], Prompt):
                prompt = outputs[-1]
        elif entry.line in actions:
            outputs += session.act(prompt, actions[entry.line])
    return outputs, actions


@pytest.mark.corpus
def test_recorded_sessions_are_answered_as_recorded(corpus):
    """Every tenth, and each with a reconnection."""
    games = reconnected = 0
    with tarfile.open(corpus / "wire-sessions.tar.xz") as archive:
        for number, member in enumerate(archive):
            text = archive.extractfile(member).read().decode()
            wanted = number % 10 == 0 or "REINIT" in text
            if not wanted or "INIT" not in text or 'type="1552"' in text:
                continue
            recorded = wire.read_session(text, member.name)
            outputs, actions = replay(recorded)
            assert set(notices(outputs)) <= {
                NoticeKind.LOGGED_IN,
                NoticeKind.SEATED,
                NoticeKind.FURITEN,
                NoticeKind.RECORD,
                NoticeKind.CHAT,
            }
            happened = events(outputs)
            assert happened == [step.event for step in wire.play(recorded) if isinstance(step, wire.Seen)]
            games += isinstance(happened[-1], ev.EndGame)
            reconnected += any(isinstance(event, ev.Resume) for event in happened)
            said = [message for frame in frames(outputs) for message in parse_frame(frame, Sender.CLIENT)]
            meant = [
                settled(message)
                for entry in recorded.entries
                for message in entry.messages
                # recorded clients said N once more after a ron, which answers nothing
                if isinstance(message, PLAYED)
                and (entry.line in actions or not isinstance(message, client.N | client.Discard))
            ]
            said = [settled(message) for message in said if isinstance(message, PLAYED)]
            assert said[: len(meant)] == meant, member.name
    assert games > 45
    assert reconnected == 10
