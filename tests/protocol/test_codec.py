# ruff: noqa: E501 - recorded messages stand on one line, as they came
from __future__ import annotations

import json
import re
import tarfile
from decimal import Decimal, InvalidOperation
from urllib.parse import unquote

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from protocol.errors import LocalProtocolError, RemoteProtocolError
from protocol.tenhou import client, server
from protocol.tenhou.codec import MAX_FRAME, format_message, format_tag, parse_frame
from protocol.tenhou.schema import Message, Sender, Unknown

FROM_SERVER = [
    "",
    '<HELO uname="%4E%6F%4E%61%6D%65" auth="20180202-1fe20d7e" ratingscale="PF3=1.000000&PF4=1.000000"/>',
    '<HELO uname="%C3%A9" nintei="%E8%AA%8D    :    %0A" PF4="8,30,1478.50,-59.0,11,13,11,12,3,494,102,52,208,104" expire="20180124" expiredays="1" rr="PF3=0,0&PF4=1,0"/>',
    '<ERR code="1003"/>',
    '<LN n="BSR1BNe1Xj1Fl" j="D1D2" g="DQ3Y1"/>',
    '<RANKING v2="11,13,11,12,-59.0,,20,7293"/>',
    '<CHAT uname="%50%31" text="%2F%6C%6F%62%62%79%20%37%39%39%34"/>',
    '<CHAT lobby="1717"/>',
    '<REJOIN t="0,9,r"/>',
    '<GO type="9" lobby="0" gpid="714C07EB-F559C911"/>',
    '<GO type="257" lobby="1" title="" rule=",,0101,0,0,0,0" ranking="" csrule="0FE0BF0B,0000001F,,,30000"/>',
    '<UN n0="%50%31" n1="" n2="%E2%93%9D%4C" n3="%50" dan="8,8,6,11" rc="0,0,0,0" rate="1478.50,1652.76,1520.54,1802.91" sx="M,M,M,F"/>',
    '<UN n2="%50%33"/>',
    '<TAIKYOKU oya="0" log="2018020315gm-0009-0000-b7c81568"/>',
    '<TAIKYOKU oya="2"/>',
    '<INIT seed="0,0,0,3,4,61" ten="250,250,250,250" oya="0" hai="117,2,89,110,118,68,92,67,33,125,34,122,113"/>',
    '<INIT seed="0,0,0,3,4,75" ten="250,250,250,250" chip="0,0,0,0" oya="0" hai0="1,2" hai1="3" hai2="" hai3="4" shuffle="mt19937ar,BEF2A12D"/>',
    '<SAIKAI ba="0,0" oya="2" sc="250,0,198,0,302,0,250,0"/>',
    '<REINIT seed="0,2,0,2,0,15,99" ten="235,345,265,155" oya="1" hai="13,16" m2="21815,51243" kawa0="1,255,100" kawa3="7"/>',
    '<T17 t="32"/>',
    "<T62/>",
    "<U/>",
    "<V/>",
    "<W/>",
    "<W96/>",
    "<D113/>",
    "<E126/>",
    "<F36/>",
    '<G75 t="4"/>',
    '<e105 t="1"/>',
    "<f134/>",
    "<g131/>",
    '<N who="2" m="35953" t="8"/>',
    '<REACH who="2" step="1"/>',
    '<REACH who="2" ten="250,250,240,-10" step="2"/>',
    '<DORA hai="20"/>',
    '<FURITEN show="1"/>',
    '<AGARI ba="0,2" hai="8,10,12,16,20,59,63,65,86,91,94" m="20480" machi="63" ten="40,12000,2" yaku="1,1,53,1" doraHai="61,14" doraHaiUra="102,88" who="1" fromWho="1" sc="140,-30,133,140,262,-60,445,-30" owari="-1,-50.0,178,-22.5,602,70.0,221,2.0"/>',
    '<AGARI ba="0,0" hai="44,45" machi="45" ten="50,32000,5" yakuman="39,42" doraHai="2" who="3" fromWho="2" paoWho="0" sc="250,-160,302,0,250,-160,198,320" ratio="0,1"/>',
    '<RYUUKYOKU ba="2,1" sc="247,30,165,-10,175,-10,403,-10"/>',
    '<RYUUKYOKU type="yao9" ba="0,0" sc="227,0,117,0,270,0,386,0" hai0="3,6" hai3="" owari="363,46.0,104,-40.0,287,9.0,246,-15.0"/>',
    '<PROF lobby="0" type="9" add="-50.0,0,0,0,1,1,8,1,3,1,2"/>',
    '<BYE who="3"/>',
    "<Z/>",
    "<ECHO/>",
    "<KANSEN/>",
    '<SHUFFLE seed="mt19937ar-sha512-n288-base64,pc48FRyW+/=" ref=""/>',
    '<mjloggm ver="2.3"/>',
    "",
][1:-1]

FROM_CLIENT = [
    "",
    '<HELO name="NoName" tid="f0" sx="M"/>',
    '<HELO name="%2D%2D" sx="C" gpid="714C07EB-F559C911"/>',
    '<AUTH val="20180203-a42e823d"/>',
    '<PXR V="9"/>',
    '<PXR v="-1"/>',
    '<CHAT text="/lobby%207994"/>',
    '<LOBBY id="1717"/>',
    '<CS lobby="C12345678"/>',
    "<DATE/>",
    '<JOIN t="0,9"/>',
    "<JOIN/>",
    "<GOK/>",
    "<NEXTREADY/>",
    '<D p="113"/>',
    "<N/>",
    '<N type="3" hai0="24" hai1="31"/>',
    '<N type="5" hai="117"/>',
    '<REACH hai="66"/>',
    "<REACH/>",
    "<BYE/>",
    "<Z/>",
    "<ECHO/>",
    '<WG id="DEADBEEF" tw="3"/>',
    "",
][1:-1]

SAMPLES = [(Sender.SERVER, text) for text in FROM_SERVER] + [(Sender.CLIENT, text) for text in FROM_CLIENT]


def content(text):
    """Tag and attributes by means of the test's own, each value percent-decoded, numbers by value."""

    def value(raw):
        try:
            return tuple(Decimal(number) for number in unquote(raw).split(","))
        except InvalidOperation:
            return unquote(raw)

    tags = re.findall(r'<([A-Za-z]+[0-9]*)((?: [A-Za-z0-9]+="[^"]*")*) ?/>', text)
    return [
        (tag, {name: value(raw) for name, raw in re.findall(r'([A-Za-z0-9]+)="([^"]*)"', rest)}) for tag, rest in tags
    ]


def only(frame, sender=Sender.SERVER):
    (message,) = parse_frame(frame, sender)
    return message


@pytest.mark.parametrize(("sender", "text"), SAMPLES)
def test_content_survives_both_forms(sender, text):
    message = only(text, sender)
    assert not isinstance(message, Unknown)
    assert message.extra == ()
    assert content(format_tag(message)) == content(text) != []
    in_json = format_message(message)
    assert only(in_json, sender) == message
    assert content(format_tag(only(in_json, sender))) == content(text)


def test_the_samples_know_every_message():
    sampled = {type(only(text, sender)) for sender, text in SAMPLES}
    declared = {
        value
        for module in (server, client)
        for value in vars(module).values()
        if isinstance(value, type) and issubclass(value, Message) and value is not Message
    }
    assert sampled == declared


def test_attributes_in_their_types():
    message = only(FROM_SERVER[1])
    assert message.uname == "é"
    assert message.nintei == "認    :    \n"
    assert message.rr == "PF3=0,0&PF4=1,0"
    players = only('<UN n0="%50%31" n2="" rate="1511,1490,1470.5,1294" sx="M,F,M,C"/>')
    assert players.names == ("P1", None, "", None)
    assert players.rate == (1511.0, 1490.0, 1470.5, 1294.0)
    assert players.sx == ("M", "F", "M", "C")
    assert only("<g131/>") == server.Discard(3, 131, lower=True)
    assert only('<G75 t="4"/>') == server.Discard(3, 75, t=4)
    assert only("<V/>") == server.Draw(2)
    assert only("<V66/>") == server.Draw(2, 66)


def test_json_is_as_the_server_writes_it():
    assert json.loads(format_message(server.Discard(1, 107, lower=True, t=4))) == {"tag": "e107", "t": "4"}
    assert json.loads(format_message(server.Draw(1))) == {"tag": "U"}
    assert json.loads(format_message(server.Reach(who=1, step=1))) == {
        "tag": "REACH",
        "who": "1",
        "step": "1",
    }


@pytest.mark.parametrize("text", FROM_SERVER)
def test_a_server_writes_strings_alone(text):
    in_json = format_message(only(text))
    if in_json != "<Z/>":
        assert all(isinstance(value, str) for value in json.loads(in_json).values())


def test_a_client_writes_numbers():
    assert format_message(client.Discard(53)) == '{"tag":"D","p":53}'
    assert format_message(client.N(3, None, 24, 31)) == '{"tag":"N","type":3,"hai0":24,"hai1":31}'
    assert format_message(client.N()) == '{"tag":"N"}'
    assert format_message(client.Lobby(1717)) == '{"tag":"LOBBY","id":1717}'


@pytest.mark.parametrize(
    ("message", "text"),
    [
        (client.KeepAlive(), "<Z/>"),
        (client.Pxr(v=9), '<PXR v="9"/>'),
        (client.Bye(), "<BYE/>"),
        (server.KeepAlive(), "<Z/>"),
    ],
)
def test_some_stay_tags_over_websocket(message, text):
    assert format_message(message) == text


def test_numbers_and_strings_read_alike():
    assert (
        only('{"tag":"D","p":53}', Sender.CLIENT) == only('{"tag":"D","p":"53"}', Sender.CLIENT) == client.Discard(53)
    )


def test_several_tags_in_a_frame():
    frame = '<GO type="9" lobby="0"/> <UN n0="P1"/>\r\n<TAIKYOKU oya="1"/><T1 t="16" /> \0'
    assert [message.TAG for message in parse_frame(frame, Sender.SERVER)] == ["GO", "UN", "TAIKYOKU", "TUVW"]
    assert parse_frame(" \n", Sender.SERVER) == ()


def test_an_unknown_tag_is_kept():
    message = only('{"tag":"NEW","a":"1","b":"x y"}')
    assert message == Unknown("NEW", extra=(("a", "1"), ("b", "x y")))
    assert format_tag(message) == '<NEW a="1" b="x y"/>'
    assert only('<NEW a="1" b="x y"/>') == message


def test_an_unknown_attribute_is_kept():
    message = only('<DORA hai="20" new="7"/>')
    assert message == server.Dora(20, extra=(("new", "7"),))
    assert format_tag(message) == '<DORA hai="20" new="7"/>'
    draw = only('{"tag":"T53","t":"16","p":"53"}')
    assert draw == server.Draw(0, 53, 16, extra=(("p", "53"),))
    assert format_message(draw) == '{"tag":"T53","t":"16","p":"53"}'


def test_json_values_that_are_no_text_become_text():
    message = only('{"tag":"WGC","childNodes":[{"tag":"Z"},1],"on":true,"lone":"\\ud800","none":null}')
    assert dict(message.extra) == {"childNodes": '[{"tag": "Z"}, "1"]', "on": "true", "lone": "?", "none": "null"}


def test_lone_surrogates_do_not_pass():
    assert only('<NEW a="\ud800"/>') == Unknown("NEW", extra=(("a", "?"),))


def test_a_value_cannot_break_out_of_its_tag():
    message = Unknown("CHAT2", extra=(("text", 'a"/><BYE/>\0'),))
    assert parse_frame(format_tag(message), Sender.SERVER) == (
        Unknown("CHAT2", extra=(("text", "a%22/%3E%3CBYE/%3E%00"),)),
    )


@pytest.mark.parametrize(
    ("frame", "complaint"),
    [
        ("hello", "no tag at character 1: 'hello'"),
        ("<T1/> <", "no tag at character 6"),
        ("<T1", "no tag"),
        ('<DORA hai="1" hai="2"/>', "repeats"),
        ('<DORA tag="1"/>', "named tag"),
        ("{", "not JSON"),
        ("{}", "tag is missing"),
        ('{"tag":5}', "tag is missing"),
        ('{"tag":"a b"}', "not a name"),
        ('{"tag":"DORA","a b":"1"}', "attribute whose name is invalid"),
        ("<DORA/>", "<DORA> has no hai"),
        ('<DORA hai="136"/>', "hai='136' is not a tile"),
        ('<DORA hai="x"/>', "not a whole number"),
        ('<DORA hai="1_0"/>', "not a whole number"),
        ('<DORA hai="\uff11"/>', "not a whole number"),
        ("<T136/>", "does not name a tile"),
        ("<d5/>", "does not name a tile"),
        ('<T5 t="999"/>', "not a set of prompt flags"),
        ('<N who="4" m="1"/>', "who='4' is not a seat"),
        ('<N who="1" m="70000"/>', "16-bit meld code"),
        ('<REACH who="1" step="3"/>', "riichi step"),
        ('<INIT seed="0,0,0,1" ten="1,2,3,4" oya="0"/>', "has 4 numbers"),
        ('<INIT seed="0,0,0,1,1,9" ten="1,2,3" oya="0"/>', "has 3 numbers, not 4"),
        ('<INIT seed="0,0,0,1,1,9" ten="1,2,3,4" oya="0" hai="1,,2"/>', "comma-separated"),
        ('<INIT seed="0,0,0,1,1,9" ten="1,2,3,4" oya="0" hai="1,200"/>', "is not between 0 and 135"),
        ('<PROF add="1,x"/>', "not a comma-separated list of numbers"),
        ("[" * 50_000, "no tag"),
        ('{"tag":' + "[" * 50_000, "not JSON"),
        ("<Z/>" * MAX_FRAME, "the limit is"),
    ],
)
def test_malformed(frame, complaint):
    with pytest.raises(RemoteProtocolError, match=re.escape(complaint)) as caught:
        parse_frame(frame, Sender.SERVER)
    assert caught.value.raw == (frame if len(frame) <= MAX_FRAME else frame[:200])


def test_only_messages_are_written():
    class Stranger(Message):
        TAG = "X"

    with pytest.raises(LocalProtocolError, match="not a message"):
        format_tag(Stranger())


texts = st.text(max_size=30)
names = st.from_regex(r"[A-Za-z][A-Za-z0-9]{0,6}", fullmatch=True)
known_tags = st.sampled_from([*server.ATTRIBUTES, *client.ATTRIBUTES, "T5", "g3", "U", "D200"])
known_names = st.sampled_from(
    [name for table in (server.ATTRIBUTES, client.ATTRIBUTES) for row in table.values() for name in row.entries]
)
number_texts = st.one_of(
    st.lists(st.integers(-5, 300), max_size=16).map(lambda numbers: ",".join(map(str, numbers))),
    st.from_regex(r"[-0-9.,]{0,12}", fullmatch=True),
)
objects = st.builds(
    lambda tag, rest: json.dumps({"tag": tag, **rest}),
    st.one_of(known_tags, names),
    st.dictionaries(
        st.one_of(known_names, names), st.one_of(number_texts, texts, st.integers(), st.none()), max_size=6
    ),
)
tags = st.builds(
    lambda tag, rest: f"<{tag}" + "".join(f' {name}="{value}"' for name, value in rest.items()) + "/>",
    st.one_of(known_tags, names),
    st.dictionaries(st.one_of(known_names, names), st.one_of(number_texts, texts), max_size=6),
)
damaged = st.builds(
    lambda sample, at, insert, cut: sample[:at] + insert + sample[at + cut :],
    st.sampled_from([text for _, text in SAMPLES]),
    st.integers(0, 60),
    texts,
    st.integers(0, 5),
)


@given(st.one_of(texts, objects, tags, damaged), st.sampled_from(Sender))
@example('{"tag":"FURITEN","show":"-1"}', Sender.SERVER)
@example("{" + '"a":' * 5000, Sender.SERVER)
@example('{"tag":"UN","n0":"%FF%FE\\udfff"}', Sender.SERVER)
def test_whatever_comes_is_read_or_refused_and_what_is_read_survives(frame, sender):
    try:
        messages = parse_frame(frame, sender)
    except RemoteProtocolError:
        return
    for message in messages:
        in_json = format_message(message)
        in_tags = format_tag(message)
        (in_json + in_tags + str(message)).encode()
        # a tag cannot hold every text: what it cannot is percent-encoded, and stays so
        assert format_tag(only(in_tags, sender)) == in_tags
        assert only(in_json, sender) == message or in_json == in_tags


@pytest.mark.slow
@pytest.mark.corpus
def test_recorded_messages_survive_both_forms(corpus):
    """Those of every twentieth session."""
    messages = 0
    with tarfile.open(corpus / "wire-sessions.tar.xz") as archive:
        for member in archive.getmembers()[::20]:
            for line in archive.extractfile(member).read().decode().split("\n"):
                direction, _, text = line.partition(": ")
                if direction not in ("Send", "Get"):
                    continue
                sender = Sender.CLIENT if direction == "Send" else Sender.SERVER
                read = parse_frame(text, sender)
                messages += len(read)
                tags = "".join(format_tag(message) for message in read)
                if tags != text.replace(" />", "/>").replace("> <", "><").strip():
                    assert content(tags) == content(text), f"{member.name}: {text}"
                assert not any(isinstance(message, Unknown) or message.extra for message in read)
                assert tuple(only(format_message(message), sender) for message in read) == read
    assert messages > 30_000
