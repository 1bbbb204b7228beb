"""Damage stays in its hand: whatever is changed in one hand of a log, all others are read as they are."""

from __future__ import annotations

import json
import random
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.model import events as ev
from engine.model.seats import kyoku_name
from protocol.errors import LogError
from protocol.logs import mjai, mjlog, tenhou6
from protocol.logs.game_log import GameLog
from tests.games import game_of
from tests.protocol import mjai_lines, mjlog_text, tenhou6_hands

VALUES = (
    None, True, 0, -1, 4, 37, 60, 136, 10**20, -(10**400), 0.5, float("nan"), "", "?", "5mr", "0m", "c1p2", "r45", [],
    {}, [[]], [0] * 14, "和了", [25_000] * 3,
)  # fmt: skip
WORDS = ("", "0", "-1", "14", "136", "9" * 400, "1e999", "NaN", ",", ",,", "<", ">", "/>", '"', "é", "\0", "]", "}")


@pytest.fixture(scope="module")
def game() -> GameLog:
    return GameLog(game_of("simple", 3).events)


def hands_of(log: GameLog) -> dict[str, list[ev.Event]]:
    found: dict[str, list[ev.Event]] = {}
    name = ""
    for event in log.events:
        if isinstance(event, ev.StartKyoku):
            name = kyoku_name(event.kyoku, event.honba)
            found[name] = []
        if name and not isinstance(event, ev.EndGame):
            found[name].append(event)
    return found


def other_letters(text: str, rng: random.Random, begin: int, end: int) -> str:
    at = rng.randrange(begin, end)
    return text[:at] + rng.choice(WORDS) + text[at + rng.choice((0, 1, 3)) :]


def in_xml(text: str, rng: random.Random) -> tuple[str, int]:
    deals = [found.start() for found in re.finditer("<INIT", text)]
    hand = rng.randrange(len(deals))
    tags = list(re.compile(r"<[^>]*>").finditer(text, deals[hand], [*deals, text.index("</mjloggm>")][hand + 1]))
    tag = rng.choice(tags)
    match rng.randrange(3):
        case 0:
            return text[: tag.start()] + text[tag.end() :], hand
        case 1:
            return text[: tag.start()] + rng.choice(tags)[0] + text[tag.start() :], hand
    return other_letters(text, rng, tag.start(), tag.end()), hand


def in_values(text: str, rng: random.Random) -> tuple[str, int]:
    log = json.loads(text)
    hand = rng.randrange(len(log["log"]))
    place = log["log"][hand]
    while True:
        index = rng.randrange(len(place))
        if not (isinstance(place[index], list) and place[index]) or rng.random() < 0.2:
            break
        place = place[index]
    place[index : index + rng.randrange(2)] = [rng.choice(VALUES)] * rng.randrange(2)
    return json.dumps(log), hand


def in_letters(text: str, rng: random.Random) -> tuple[str, int]:
    begins = [found.start() for found in re.finditer(r"\[\[(?!\[)", text)]
    hand = rng.randrange(len(begins) - 1)
    return other_letters(text, rng, begins[hand], begins[hand + 1]), hand


def in_lines(text: str, rng: random.Random) -> tuple[str, int]:
    lines = text.split("\n")
    deals = [at for at, line in enumerate(lines) if '"start_kyoku"' in line]
    hand = rng.randrange(len(deals))
    at = rng.randrange(deals[hand], [*deals, len(lines) - 2][hand + 1])
    match rng.randrange(4):
        case 0:
            del lines[at]
        case 1:
            lines.insert(at, lines[rng.randrange(deals[hand] + 1, at + 2)])
        case 2:
            lines[at] = other_letters(lines[at], rng, 0, len(lines[at])).replace("\n", "")
        case _:
            fields = json.loads(lines[at])
            fields[rng.choice(list(fields))] = rng.choice(VALUES)
            lines[at] = json.dumps(fields)
    return "\n".join(lines), hand


@pytest.mark.parametrize(
    ("format_", "damage"), [(mjlog, in_xml), (tenhou6, in_values), (tenhou6, in_letters), (mjai, in_lines)]
)
def test_damage_costs_no_other_hand(game, format_, damage):
    text = format_.write(game)
    whole = hands_of(format_.read(text))
    rng = random.Random(7)
    left_out = 0
    for _ in range(60):
        damaged, hand = damage(text, rng)
        found = format_.read(damaged)
        name = list(whole)[hand]
        assert {**hands_of(found), name: None} == {**whole, name: None}, damaged
        assert name in hands_of(found) or found.left_out, damaged
        left_out += bool(found.left_out)
    assert left_out > 30


def test_a_score_that_is_missing_makes_no_game_of_three_players(game):
    log = json.loads(tenhou6.write(game))
    del log["log"][0][1][3]
    assert [left.place for left in tenhou6.read(json.dumps(log)).left_out] == ["hand 1"]


@pytest.mark.parametrize("hand", [0, 1, 3])
@pytest.mark.parametrize(
    "damage", [('" hai0', " hai0"), ('oya="', 'oya=<"'), ('seed="', 'seed="<'), (" ten=", "<ten=")]
)
def test_a_deal_that_is_broken_costs_its_hand(game, hand, damage):
    text = mjlog.write(game)
    whole = list(hands_of(mjlog.read(text)).values())
    place = [found.start() for found in re.finditer("<INIT", text)][hand]
    log = mjlog.read(text[:place] + text[place:].replace(*damage, 1))
    assert list(hands_of(log).values()) == whole[:hand] + whole[hand + 1 :]
    assert [left.hand for left in log.left_out] == [f"hand {hand + 1}"]


def test_a_text_that_breaks_off_costs_its_last_hand(game):
    for format_ in (mjlog, tenhou6, mjai):
        text = format_.write(game)
        whole = hands_of(format_.read(text))
        place = next(at for at in range(len(text) * 2 // 3, len(text)) if text[at : at + 2] in {"<T", ",1", "su"})
        log = format_.read(text[:place])
        found = hands_of(log)
        assert list(found.values()) == list(whole.values())[: len(found)]
        assert len(found) >= 2
        assert log.left_out or log.notes


def test_fields_after_a_broken_hand_are_read(game):
    text = tenhou6.write(game)
    broken = text.replace("[[1,0,", "[[1;0,", 1)
    assert broken != text
    log = tenhou6.read(broken)
    assert (log.start, log.left_out[0].hand) == (tenhou6.read(text).start, "hand 4")
    assert log.left_out[0].place.startswith("line 1, column ")


def test_words_in_another_encoding_cost_no_hand(game):
    for format_ in (tenhou6, mjai):
        text = (
            format_.write(game).replace('"name":["simple"', '"name":["é"').replace('"names":["simple"', '"names":["é"')
        )
        log = format_.read(
            text.encode("latin-1")
            if format_ is mjai
            else text.replace("é", "\udce9").encode("utf-8", "surrogateescape")
        )
        assert hands_of(log) == hands_of(format_.read(text))
        assert log.notes[0].startswith("is not UTF-8 text")
    with pytest.raises(LogError, match="byte 1: is not UTF-8"):
        mjai.read(b"\xff\xfe")


def test_one_number_that_no_log_has_costs_its_hand(game):
    text = tenhou6.write(game)
    for damaged in (text.replace("[1,0,0]", f"[1,{10**400},0]", 1), text.replace("[1,0,0]", "[1,0,NaN]", 1)):
        log = tenhou6.read(damaged)
        assert [left.hand for left in log.left_out] == ["hand 4"]
    log = tenhou6.read(re.sub(r'"sc":\[\d+', '"sc":[1e999', text))
    assert hands_of(log) == hands_of(tenhou6.read(text))
    assert "what follows" in log.left_out[0].hand


def test_the_rules_are_those_of_the_hands_that_are_read(game):
    text = mjlog.write(game)
    first = re.sub(r'(<INIT seed="0,0),0', r"\1,400", text, count=1)
    log = mjlog.read(re.sub(r"<T\d+", "<T999", first, count=1))
    assert log.left_out[0].hand == "E1"
    assert log.start.rules.start_points == 25_000


def test_facts_that_cannot_be_read_cost_no_hand(game):
    text = mjlog.write(game).replace("<UN ", '<UN dan="1,2,3" rate="x" ', 1)
    log = mjlog.read(text)
    assert hands_of(log) == hands_of(game)
    assert "<UN> is passed over" in log.notes[0]
    connection = '"connection":[{"what":0,"log":0,"who":9,"step":1},{"what":0,"log":0,"who":1,"step":1}],"log"'
    log = tenhou6.read(tenhou6.write(game).replace('"log"', connection, 1))
    assert ev.Disconnected(1) in log.events
    assert 'entry 1 of "connection"' in log.notes[0]


def test_a_game_begins_as_it_does_where_its_first_hand_cannot_be_read(game):
    later = list(hands_of(game))[1:]
    without_a_hand = re.sub(' hai2="[^"]*"', "", mjlog.write(game), count=1)
    values = json.loads(tenhou6.write(game))
    values["log"][0] = []
    values["connection"] = [{"what": 0, "log": 0, "who": 1, "step": 1}]
    for log in (mjlog.read(without_a_hand), tenhou6.read(json.dumps(values))):
        assert log.start.names == game.start.names
        assert list(hands_of(log)) == later
        assert [left.hand for left in log.left_out] == ["hand 1"]


@pytest.mark.parametrize("step", [-1, 0, 3, 500])
def test_a_disconnection_at_any_step_is_read_where_it_is_written(game, step):
    values = json.loads(tenhou6.write(game))
    values["connection"] = [{"what": 0, "log": 0, "who": 1, "step": step}]
    log = tenhou6.read(json.dumps(values))
    assert log.events.count(ev.Disconnected(1)) == 1
    assert tenhou6.read(tenhou6.write(log)).events == log.events


IN_JSON = ("", "[", "]", "{", '"', "1", "60", '"?"', '"E"', '"r60"', '"m1"', "null", "-1", "1e9", ",", "\n")
SMALL = {
    mjai: (mjai_lines.GAME, st.sampled_from(IN_JSON)),
    tenhou6: (
        tenhou6_hands.log(
            tenhou6_hands.GOOD,
            sc=[1, 2, 3, 4, 5, 6, 7, 8],
            connection=[{"what": 0, "log": 0, "who": 1, "step": 1}],
        ),
        st.sampled_from(IN_JSON),
    ),
    mjlog: (mjlog_text.LOG, st.text(max_size=8)),
}
"""A small log of each format, and what damages it."""


@pytest.mark.parametrize("format_", SMALL)
@settings(deadline=None, max_examples=300)
@given(st.data())
def test_damage_gives_a_log_that_can_be_written_or_a_log_error(format_, data):
    text, pieces = SMALL[format_]
    for _ in range(data.draw(st.integers(1, 3))):
        at = data.draw(st.integers(0, len(text)))
        length = data.draw(st.integers(0, 12))
        text = text[:at] + data.draw(pieces) + text[at + length :]
    try:
        log = format_.read(text)
    except LogError:
        return
    assert format_.read(format_.write(log)).events == log.events


def test_a_text_with_more_faults_than_any_log_is_not_read_to_its_end():
    lines = mjai_lines.text(*mjai_lines.START, *mjai_lines.RIICHI, mjai_lines.HORA, mjai_lines.END[0])
    junk = '{"x" x}' * 6_000
    (left,) = mjai.read(f"{lines}\n{junk}\n{mjai_lines.text(*mjai_lines.START[1:])}").left_out
    assert (left.place, left.why) == ("line 11", "more than 5,000 places are not JSON; what follows is not read")
    with pytest.raises(LogError, match="is not JSON"):
        tenhou6.read('{"log":[' + "[[0 x]]," * 500 + tenhou6_hands.log(tenhou6_hands.GOOD).partition('"log": [')[2])


def test_each_fault_of_a_text_is_placed_in_its_own_line():
    head, deal, play = mjlog_text.HEAD, mjlog_text.DEAL, mjlog_text.PLAY
    log = mjlog.read(f"{head}\n{deal}{play}\n\n <INIT/>\n{deal}<T0/>{play} <INIT/>{mjlog_text.END}")
    start = f"line 5, column {len(deal) + 1}"
    last = f"line 5, column {len(deal) + len(play) + 7}"
    assert [left.place.removesuffix(", E1") for left in log.left_out] == ["line 4, column 2", start, last]
