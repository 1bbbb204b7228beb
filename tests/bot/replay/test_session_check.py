"""Verification of a client's session: records of our own games agree with the rules, on good lines and on bad ones."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from bot.replay.counting import read_game
from bot.replay.exact import replay_exactly
from bot.replay.games import Order, replay_file
from bot.replay.steps import decision_points
from bot.replay.verify import recalled, verify_files
from bot.review.recording import read_recording
from engine.model.events import Resume, StartKyoku, Win, WinScore
from engine.model.melds import Meld, MeldKind
from engine.model.tiles import allocate136, parse_tiles37
from engine.policy.registry import POLICIES
from engine.state import GameState
from protocol.errors import LogError
from protocol.logs.formats import LogFile
from protocol.logs.record import read_record, read_session
from protocol.logs.wire import game_of
from protocol.tenhou.game_type import Clock
from tests.bot.replay.playing import DROPS, KEY, OTHERS, play
from tests.chaos.survive import OTHERS as FAULTS
from tests.faults.plan import FaultKind
from tests.tiers import mostly_slow

pytestmark = pytest.mark.usefixtures("quiet")

DECLARES = b'"out":"{\\"tag\\":\\"REACH\\"'
"""In a record, where the client declares riichi."""
LOST = replace(DROPS, lost=True)


def verified(data):
    return verify_files([LogFile("r.jsonl", "record", data)])


@pytest.fixture(scope="module")
def recorded(game):
    """The record of a game."""
    return game[0]


def test_a_record_with_a_riichi_agrees(recorded):
    tally = verified(recorded)
    assert DECLARES in recorded
    assert (tally.errors, tally.unreadable) == ([], [])
    assert tally.actions > 50
    assert tally.prompts == tally.prompts_exact > 100


def test_a_riichi_on_a_tile_that_is_not_held_is_found(recorded):
    lines = recorded.split(b"\n")
    said = next(at for at, line in enumerate(lines) if DECLARES in line)
    at = next(at for at in range(said + 1, len(lines)) if b'"out":"{\\"tag\\":\\"D\\"' in lines[at])
    held = json.loads(json.loads(lines[at])["out"])["p"]
    lines[at] = lines[at].replace(f'"p\\":{held}'.encode(), f'"p\\":{(held + 68) % 136}'.encode())
    (error,) = verified(b"\n".join(lines)).errors
    assert error.check == "action"
    assert "riichi" in error.message


def without_a_discard(game, text):
    """The record with another text for one received discard of its first hand, and how many prompts it has."""
    lines = game.split(b"\n")
    at = [at for at, line in enumerate(lines) if b'"in":"{\\"tag\\":\\"E' in line][2]
    lines[at : at + 1] = [lines[at].split(b'"in"')[0] + b'"in":' + json.dumps(text).encode() + b"}"] if text else []
    return b"\n".join(lines)


@pytest.mark.parametrize(
    ("text", "why"), [("", "it cannot be"), ('{"tag":"E', "damaged"), ('{"tag":"E200"}', "damaged"), ("<", "damaged")]
)
def test_a_hand_with_a_damaged_or_lost_frame_is_left_out_whole_and_named_alike(recorded, text, why):
    file = LogFile("r.jsonl", "record", without_a_discard(recorded, text))
    whole, found = verified(recorded), verify_files([file])
    (note,) = found.notes
    assert note.message.startswith("E1 is left out: line ")
    assert why in note.message
    assert (found.errors, found.unreadable, found.left_out) == ([], [], 1)
    assert (found.kyoku, found.damaged) == (whole.kyoku - 1, 0)
    assert found.prompts == found.prompts_exact > 0.7 * whole.prompts
    replayed = replay_file(file, Order("tsumogiri"))
    assert (replayed.notes, replayed.agreement.faults) == ([f"r.jsonl: {note.message}"], 0)
    assert read_recording(file).notes == read_game(file).notes == (note.message,)


def test_the_decisions_of_the_other_hands_are_the_same(recorded):
    def shown(data):
        points = decision_points(read_session(data))
        return [(point.state.place(), point.place.turn, point.legal, point.played) for point in points]

    whole = [each for each in shown(recorded) if each[0] != "E1"]
    assert whole
    assert shown(without_a_discard(recorded, '{"tag":"E')) == whole
    assert shown(without_a_discard(recorded, "")) == whole


def test_the_other_hands_of_the_game_are_the_same(recorded):
    whole = game_of(read_session(recorded))
    view = game_of(read_session(without_a_discard(recorded, '{"tag":"E')))
    assert (whole.left_out, [left.hand for left in view.left_out]) == ((), ["E1"])
    hands = [[event for event in each.events if isinstance(event, StartKyoku)] for each in (whole, view)]
    assert hands[1] == hands[0][1:]


def test_a_session_of_which_no_hand_can_be_followed_says_why():
    table = 'Get: <GO type="9" lobby="0"/> <UN n0="a" n1="b" n2="c" n3="d"/> <TAIKYOKU oya="0"/>'
    deal = 'Get: <INIT seed="0,0,0,0,0,60" ten="250,250,250,250" oya="0" hai="0,4,8,12,16,20,24,28,32,36,40,44,48"/>'
    capture = f"{table}\n{deal}\nGet: <T100/>\nGet: <T1\n"
    with pytest.raises(
        LogError, match=r"a\.log: no hand can be followed: E1 is left out: line 4: a frame of it is dam"
    ):
        read_recording(LogFile("a.log", "wire", capture.encode()))


def check(data, tally, *, least=0):
    """What must hold of the record of a game over many connections: it is verified, and replayed exactly."""
    found = verified(data)
    assert (found.errors, found.unreadable) == ([], [])
    assert found.actions >= least  # a drop costs turns, the more the busier the machine
    record = read_record(data, "r.jsonl")
    assert sum(line.kind == "connect" for line in record.lines) == tally.drops + 1
    assert KEY[2:10].encode() not in data
    result = replay_exactly(record)
    assert result.differences == []
    assert result.decisions == result.identical >= least
    return found


@pytest.mark.parametrize(
    "rules",
    [(DROPS,), (LOST,), pytest.param(OTHERS, marks=pytest.mark.slow)],
    ids=["drop", "lost", "others"],
)
def test_a_record_over_many_connections_agrees_and_is_replayed_exactly(rules):
    data, tally = play(rules=rules, seed=3)
    assert tally.drops > 0
    found = check(data, tally, least=0 if rules is OTHERS else 6)  # others damage nearly every hand
    assert found.prompts > 50 or (rules is OTHERS and found.left_out)


@pytest.mark.parametrize(
    "policy", [pytest.param(name, marks=() if name == "tsumogiri" else pytest.mark.slow) for name in POLICIES]
)
def test_a_record_of_every_policy_agrees_and_is_replayed_exactly(policy):
    data, tally = play(rules=(DROPS,), seed=3, policy=policy, clock=Clock(1.0, 0.0))
    assert tally.drops > 0
    check(data, tally, least=10)


@mostly_slow("kind", sorted(FAULTS, key=lambda kind: kind != FaultKind.DUPLICATE))
def test_a_record_on_every_bad_line_agrees_and_is_replayed_exactly(kind):
    data, tally = play(rules=FAULTS[kind], seed=3, policy="tsumogiri", clock=Clock(4.0, 2.0))
    check(data, tally)
    assert tally.repeated > 0 or kind != FaultKind.DUPLICATE  # a message that is said twice is heard once


IPPATSU, DEAD_WALL, DOUBLE_RIICHI = 2, 4, 21
PON = Meld(MeldKind.PON, (132, 133, 134), 134, 3)
KAN = Meld(MeldKind.ANKAN, (128, 129, 130, 131), None, 0)


def back_in_a_hand(riichi_at=None, own=(), theirs=()):
    """The view of seat 0 after a snapshot; its river has two tiles."""
    hand = allocate136(parse_tiles37("234678m22p45s" if own else "234678m22p45678s"))
    dora = (60, 61) if own else (60,)
    rivers = ((108, 109), (112,), (116,), (120,))
    view = GameState(0)
    view.apply(
        Resume(0, 0, 0, 0, dora, (25_000,) * 4, 0, hand, (own, theirs, (), ()), rivers, (riichi_at, None, None, None))
    )
    return view


def own_draw(*yaku):
    return Win(0, 0, 100, (0, 0, 0, 0), score=WinScore(30, 7_700, 0, tuple((number, 1) for number in (0, *yaku))))


@pytest.mark.parametrize(("riichi_at", "there"), [(1, True), (0, False), (None, False)])
def test_a_win_after_a_lost_connection_shows_ippatsu_if_nothing_was_discarded_since(riichi_at, there):
    view = back_in_a_hand(riichi_at)
    assert recalled(view, own_draw(1, IPPATSU)).ippatsu[0] is there
    assert not recalled(view, own_draw(1)).ippatsu[0]
    assert not view.ippatsu[0]


def test_it_shows_a_double_riichi_before_somebody_called():
    assert recalled(back_in_a_hand(0, theirs=(PON,)), own_draw(DOUBLE_RIICHI)).riichi[0] == 2
    assert recalled(back_in_a_hand(1, theirs=(PON,)), own_draw(DOUBLE_RIICHI)).riichi[0] == 1


def test_it_shows_that_the_draw_came_from_the_dead_wall():
    assert recalled(back_in_a_hand(own=(KAN,)), own_draw(DEAD_WALL)).rinshan
    assert not recalled(back_in_a_hand(), own_draw(DEAD_WALL)).rinshan


def test_a_view_that_saw_everything_is_left_alone():
    view = back_in_a_hand(1)
    assert recalled(view, Win(0, 0, 100, (0, 0, 0, 0))) is view
    view.history_known = True
    assert recalled(view, own_draw(1, IPPATSU)) is view
