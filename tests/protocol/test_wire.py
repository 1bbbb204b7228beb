from __future__ import annotations

import pytest

from engine.model import events as ev
from engine.model.actions import PASS, Action, ActionKind
from protocol.errors import LogError, UnsupportedGameError
from protocol.logs import wire
from protocol.logs.formats import detect_format, without_words
from protocol.tenhou import client
from protocol.tenhou.schema import Sender

CAPTURE = """\
Send: <HELO name="NoName" tid="f0" sx="M" />
Get: <HELO uname="%4E%6F%4E%61%6D%65" auth="20180202-1fe20d7e"/>
Send: <JOIN t="0,9" />
Get: <GO type="9" lobby="0"/> <UN n0="me" n1="b" n2="c" n3="d"/> <TAIKYOKU oya="1"/>
Send: <GOK />
Send: <NEXTREADY />
Get: <INIT seed="0,0,0,3,4,61" ten="250,250,250,250" oya="1" hai="0,4,8,12,17,20,24,28,32,36,40,44,48"/> <U/>
a remark
Get: <e88 t="1"/>
Send: <N type="1" hai0="91" hai1="90" />
Get: <N who="0" m="34313" />
Send: <D p="48" />
Get: <D48/> <U/>
Get: <E109 t="8"/>
Send: <N type="6" />
Send: <N />
Get: <FURITEN show="1" />
Get: <V/> <f2/> <W/> <g3/> <T52 t="32"/>
Send: <REACH hai="36" />
Send: <Z />
Send: <D p="36" />
Get: <REACH who="0" step="1"/> <D36/> <REACH who="0" ten="240,250,250,250" step="2"/>
"""


def test_entries():
    session = wire.read_session(CAPTURE.encode(), "a.log")
    assert session.source == "a.log"
    assert len(session.entries) == 21
    last = session.entries[-1]
    assert (last.sender, last.line, len(last.messages)) == (Sender.SERVER, 22, 3)
    assert session.entries[2] == wire.WireEntry(Sender.CLIENT, (client.Join("0,9"),), 3)
    assert wire.read_session(CAPTURE.replace("\n", "\r\n"), "a.log") == session


def test_json_captures_read_alike():
    capture = 'Send: {"tag":"JOIN","t":"0,9"}\nGet: {"tag":"T5","t":"4"}\nSend: <Z/>\n'
    assert [type(entry.messages[0]).__name__ for entry in wire.read_session(capture).entries] == [
        "Join",
        "Draw",
        "KeepAlive",
    ]


def test_steps():
    steps = list(wire.play(wire.read_session(CAPTURE)))
    start, deal, *rest = steps
    assert start.event.names == ("b", "c", "d", "me")
    assert isinstance(deal.event, ev.StartKyoku)
    assert deal.viewer == 3
    pon = Action(ActionKind.PON, 88, (90, 91))
    assert [step for step in rest if not isinstance(step, wire.Seen)] == [
        wire.Said(pon, 10),
        wire.Said(Action(ActionKind.DISCARD, 48), 12),
        wire.Said(Action(ActionKind.RON, 109), 15),
        wire.Furiten(on=True, line=17),
        wire.Said(Action(ActionKind.RIICHI, 36), 21),
    ]
    assert [(step.event, step.flags) for step in rest if isinstance(step, wire.Seen) and step.flags] == [
        (ev.Discard(0, 88, tsumogiri=True), 1),
        (ev.Discard(0, 109, tsumogiri=False), 8),
        (ev.Draw(3, 52), 32),
    ]
    assert rest.index(wire.Said(pon, 10)) == rest.index(wire.Seen(ev.Discard(0, 88, tsumogiri=True), 1, 3, 9)) + 1
    assert isinstance(rest[-1].event, ev.RiichiAccepted)


def test_a_declined_offer():
    capture = CAPTURE.replace('<N type="6" />', "<N />")
    assert wire.Said(PASS, 15) in list(wire.play(wire.read_session(capture)))


@pytest.mark.parametrize(
    ("capture", "complaint"),
    [
        ("", "a.log: contains no frame"),
        ("nothing\nof the kind\n", "a.log: contains no frame"),
        ("a remark\nGet: <T5", "a.log: line 2: no tag"),
    ],
)
def test_a_capture_that_cannot_be_read(capture, complaint):
    with pytest.raises(LogError) as caught:
        wire.read_session(capture, "a.log")
    assert str(caught.value).startswith(complaint)


@pytest.mark.parametrize(
    ("old", "new", "line", "why"),
    [
        ("<T52", "<T5", 18, "no tag"),
        ("<e88 ", "<e888 ", 9, "<e888> does not name a tile"),
        ('<N type="6" />', '{"tag":', 15, "not JSON"),
        ('oya="1" hai', 'oya="2" hai', 7, "<INIT> kyoku 0 with seat 1 as dealer"),
        ('m="34313"', 'm="65535"', 11, "meld code 65535"),
        ('m="34313"', f'm="{"9" * 5000}"', 11, "<N> m="),
        ('<D p="48" />', '<N type="7" />', 12, "N(type=7"),
    ],
)
def test_a_frame_that_makes_no_sense_is_a_damaged_one(old, new, line, why):
    cut = new == "<T5"
    capture = CAPTURE.replace('<T52 t="32"/>', new) if cut else CAPTURE.replace(old, new, 1)
    (damaged,) = (step for step in wire.play(wire.read_session(capture)) if isinstance(step, wire.Damaged))
    assert damaged.line == line
    assert damaged.why.startswith(why)


def test_play_before_the_seat_is_known_is_passed_over():
    """Who comes back may hear of play before being told how the hand stands."""
    early = 'Get: <GO type="9" lobby="0"/>\nGet: <U/>\nGet: <E5/>\nGet: <REACH who="1" step="1"/>\n'
    assert list(wire.play(wire.read_session(early))) == []
    steps = list(wire.play(wire.read_session(CAPTURE)))
    assert steps
    assert [type(step) for step in wire.play(wire.read_session(early + CAPTURE))] == [type(step) for step in steps]


def test_three_players_are_refused():
    with pytest.raises(UnsupportedGameError, match="three-player") as caught:
        list(wire.play(wire.read_session(CAPTURE.replace('type="9"', 'type="1552"'), "a.log")))
    assert str(caught.value).startswith("a.log: line 4")


def test_a_capture_is_read_as_the_game_that_its_client_saw():
    game = wire.read(f'{CAPTURE}Get: <RYUUKYOKU type="reach4" ba="0,1" sc="250,0,250,0,250,0,240,0"/>\n', "a.log")
    assert (game.viewer, game.source, game.left_out) == (3, "a.log", ())
    deal = next(event for event in game.events if isinstance(event, ev.StartKyoku))
    assert [hand is None for hand in deal.hands] == [True, True, True, False]
    with pytest.raises(LogError, match="no hand that could be followed"):
        wire.read(CAPTURE, "a.log")


def test_two_games_are_told_apart_where_the_first_was_not_played_to_its_end():
    first, second = (
        f'{CAPTURE}Get: <RYUUKYOKU type="reach4" ba="0,1" sc="250,0,250,0,250,0,240,0"/>\n'.replace(
            '<TAIKYOKU oya="1"/>', f'<TAIKYOKU oya="1" log="2026112909gm-0008-0000-92d6f65{last}"/>'
        )
        for last in "de"
    )
    assert wire.read(first + first).left_out == (), "the same game, after a connection was lost"
    with pytest.raises(LogError, match="contains more than one game: split the capture"):
        wire.read(first + second)


def test_a_hand_that_the_next_deal_cuts_off_is_left_out():
    drawn = '<RYUUKYOKU type="reach4" ba="0,1" sc="250,0,250,0,250,0,240,0"/>'
    again = CAPTURE.replace('seed="0,0,', 'seed="0,1,')
    game = wire.read(f"{CAPTURE}{again}Get: {drawn}\n")
    (left,) = game.left_out
    assert (left.hand, left.why) == ("E1", "the next hand is dealt before it ends")
    assert [event.honba for event in game.events if isinstance(event, ev.StartKyoku)] == [1]


DRAWN = 'Get: <RYUUKYOKU type="reach4" ba="{},0" sc="250,0,250,0,250,0,250,0"/>\n'
HAND = """\
Get: <INIT seed="0,{},0,3,4,61" ten="250,250,250,250" oya="1" hai="0,4,8,12,17,20,24,28,32,36,40,44,48"/>
Get: <U/>
Get: <e88/>
"""


@pytest.mark.parametrize(
    ("missing", "name", "why"),
    [
        (DRAWN.format(1), "E1-1", "a frame of it is damaged: its end is missing"),
        (HAND.format(1).partition("\n")[0], "hand 2", "its deal is damaged: it is missing"),
    ],
)
def test_a_frame_that_is_missing_costs_its_hand_and_no_other(missing, name, why):
    login = CAPTURE[: CAPTURE.index("Get: <INIT")]
    whole = login + "".join(f"{HAND.format(honba)}{DRAWN.format(honba)}" for honba in range(3))
    assert wire.read(whole).left_out == ()
    assert whole.count(missing) == 1
    game = wire.read(whole.replace(missing, ""))
    (left,) = game.left_out
    assert (left.hand, left.why) == (name, why)
    assert [event.honba for event in game.events if isinstance(event, ev.StartKyoku)] == [0, 2]


HELO, GO = (
    '<HELO name="NoName" tid="f0" sx="M" />',
    '<GO type="9" lobby="0" gpid="16FC25D5-14571922"/> <TAIKYOKU oya="0"/> ',
)
PREFIXES = [
    "2017-01-18 09:06:00 DEBUG: ",
    "2024-05-01 21:03:44,123 - tenhou - INFO - ",
    "[2024-05-01T21:03:44Z] [INFO] tenhou.client ",
    "21:03:44.123 > ",
    "May  1 21:03:44 host bot[123]: ",
    "bot-1  | 2024-05-01 21:03:44 ",
    "INFO:root:",
    "\x1b[32mDEBUG\x1b[0m ",
]


@pytest.mark.parametrize("prefix", PREFIXES)
@pytest.mark.parametrize(("sent", "got"), [("Send", "Get"), ("SEND", "GET"), ("sent", "received"), ("send", "recv")])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_lines_behind_a_time_and_a_level(prefix, sent, got, end):
    lines = [f"{sent}: {HELO}", f"{got}: {GO}", "Waiting for other players", f"{got}: it went wrong"]
    data = end.join(f"{prefix}{line}" for line in lines).encode()
    assert detect_format(data) == "wire"
    found = wire.read_session(data)
    plain = wire.read_session(f"Send: {HELO}\nGet: {GO}")
    assert [(each.sender, each.messages) for each in found.entries] == [
        (each.sender, each.messages) for each in plain.entries
    ]
    assert [each.line for each in found.entries] == [1, 2]


def test_a_log_may_say_more_before_the_first_frame():
    more = "2017-01-18 09:06:00 INFO: Bot AI enabled: True\n\n2017-01-18 09:06:00 INFO: Connecting\n" * 20
    data = f"{more}2017-01-18 09:06:01 DEBUG: Send: {HELO}\n".encode()
    assert detect_format(data) == "wire"
    assert len(wire.read_session(data).entries) == 1


@pytest.mark.parametrize("banner", ["bot 1.0\nconfig loaded\n\n", "Traceback:\n  File 'x.py', line 3\nOSError: gone\n"])
def test_a_program_may_say_anything_when_it_starts(banner):
    data = f"{banner}2017-01-18 09:06:01 DEBUG: Send: {HELO}\n2017-01-18 09:06:02 DEBUG: Get: {GO}\n".encode()
    assert detect_format(data) == "wire"
    assert len(wire.read_session(data).entries) == 2
    data = without_words(f"{banner}Send: {HELO}\nGet: {GO}\n".encode())
    assert detect_format(data) == "wire"
    assert [entry.line for entry in wire.read_session(data).entries] == [banner.count("\n") + 1, banner.count("\n") + 2]


@pytest.mark.parametrize(
    "text",
    [
        "10:00:00 GET: /index.html",
        '10:00:00 GET: {"path": "/"}',
        "# Capture\n\n    Get: <GO/>",
        "10:00:00 target: <b>",
        "10:00:00 budget: <GO/>",
    ],
)
def test_other_logs_are_no_captures(text):
    assert detect_format(text.encode()) is None


def test_a_frame_that_contains_the_words_is_one_frame():
    chat = '<CHAT uname="%41" text="Send: <a>" />'.replace("<a>", "%3Ca%3E")
    (entry,) = wire.read_session(f"10:00:00 Get: {chat}").entries
    assert entry.sender is Sender.SERVER


@pytest.mark.parametrize("unit", ["Get ", "0:00 ", "0:00\n", " ", "Get: <", "\n"])
def test_text_without_a_frame_is_told_at_once(unit):
    data = (unit * 60_000).encode()
    assert detect_format(data) in {None, "wire"}
