"""Numbers at the ends of what a table can have reach every policy through every door; none beyond them gets in.

The doors are the library, a log, a record, the mjai door, and Tenhou's messages. A slow test runs this with kernels
that check their indices.
"""

from __future__ import annotations

import asyncio
import json
from functools import cache

import numpy as np
import oshihiki
import pytest
from oshihiki import simulator

from bot.commands.mjai import Program
from bot.machine.errors import InputError
from bot.play.clock import ClockTracker
from bot.play.player import Player
from bot.play.tally import Tally
from bot.replay.sessions import followed_steps, hands_left_out
from bot.replay.steps import decision_points
from engine.critic.luck import luck_of
from engine.model.bounds import HONBA, POINTS, SCORE, STICKS
from engine.model.budget import Budget
from engine.model.events import Discard, Draw, Ryuukyoku, RyuukyokuKind, StartGame, StartKyoku
from engine.model.rules import HANCHAN
from engine.model.standing import Standing
from engine.policy.registry import POLICIES, make_policy
from engine.rules.recordings import UnusableGameError
from engine.state import visible_to
from protocol.errors import LogError
from protocol.logs import mjlog, record
from protocol.logs.game_log import GameLog, LogInfo
from protocol.tenhou.codec import format_message
from protocol.tenhou.events import Announcer, TableFacts
from protocol.tenhou.server import Helo
from protocol.tenhou.session import Login, Session
from tests.oracles.naive_view import validate

AT_THE_BOUNDS = (
    Standing(8, HONBA.high, STICKS.high, (0, 0, 0, 0)),
    Standing(4, 0, 0, (POINTS, 0, 0, SCORE.low)),
    Standing(0, HONBA.high, 0, (SCORE.low, 0, POINTS, 0)),
)
BEYOND = (
    Standing(0, 3_000, 0, (25_000,) * 4),
    Standing(0, 0, 30_000, (25_000,) * 4),
    Standing(0, 0, 100_000, (25_000,) * 4),
    Standing(0, 0, 0, (SCORE.high + 100, 0, 0, 0)),
    Standing(0, 0, 0, (SCORE.low - 100, 0, 0, 0)),
    Standing(0, 0, STICKS.high, (25_000,) * 4),
)
HAND = (0, 5, 10, 36, 41, 46, 53, 72, 77, 84, 89, 108, 109)
"""1m 2m 3m 1p 2p 3p 5p 1s 2s 4s 5s 1z 1z."""
DRAWN = 80  # 3s
OTHERS = tuple((*range(110 + 8 * at, 118 + 8 * at), *range(16 + at, 32 + at, 4), 60 + at) for at in range(3))
INDICATOR = 134


SEEN = ["1m", "2m", "3m", "1p", "2p", "3p", "5p", "1s", "2s", "4s", "5s", "E", "E"]


def deal(standing):
    return StartKyoku(standing.kyoku, standing.honba, standing.sticks, 0, INDICATOR, standing.scores, (HAND, *OTHERS))


# -- doors: each gives the view in which seat 0 has to discard --------------------------------------------------------


def by_library(standing):
    written = oshihiki.Written(
        "123m1235p1245s11z3s", dora="9m", round="ESW"[standing.kyoku // 4], honba=standing.honba,
        sticks=standing.sticks, points=standing.scores[0],
    )  # fmt: skip
    return oshihiki.table(written)


def by_log(standing):
    game = StartGame(HANCHAN), deal(standing), Draw(0, DRAWN), Discard(0, DRAWN, tsumogiri=True)
    log = mjlog.read(mjlog.write(GameLog(game, LogInfo())))
    return next(decision_points(log, 0)).state


def frames_of(standing):
    announcer = Announcer(0)
    opening = announcer.opening(TableFacts(9, ("A", "B", "C", "D")))
    events = visible_to(deal(standing), 0), Draw(0, DRAWN)
    return [format_message(each) for each in (Helo("me"), *opening, *map(announcer.announce, events))]


def session_of(standing):
    lines = [{"format": record.FORMAT, "version": 1}]
    lines += [{"at": at, "in": frame} for at, frame in enumerate(frames_of(standing))]
    return record.read_session("".join(f"{json.dumps(line)}\n" for line in lines))


def by_record(standing):
    return next(decision_points(session_of(standing))).state


class Silent:
    """In place of a thinker that nobody asks."""

    def start_kyoku(self):
        """Nothing to forget."""


def player_after(standing):
    session, player = Session(Login(9)), Player(Silent(), ClockTracker(), Tally())
    session.connect()
    received = None
    for frame in frames_of(standing):
        received = session.receive(frame)
        for event in received.events:
            player.apply(event, session.seat or 0)
    return player, received.prompt


def by_wire(standing):
    player, _ = player_after(standing)
    assert not player.suspended
    return player.state


def mjai_lines(standing):
    hidden = ["?"] * 13
    return (
        {"type": "start_game", "id": 0, "names": ["A", "B", "C", "D"]},
        {
            "type": "start_kyoku", "bakaze": "ESWN"[standing.kyoku // 4], "dora_marker": "C", "kyoku": 1,
            "honba": standing.honba, "kyotaku": standing.sticks, "oya": 0, "scores": list(standing.scores),
            "tehais": [SEEN, hidden, hidden, hidden],
        },
        {"type": "tsumo", "actor": 0, "pai": "3s"},
    )  # fmt: skip


def by_mjai(standing):
    program = Program(Silent(), "tester", 5.0)
    for line in mjai_lines(standing):
        program.hear(json.dumps(line))
    return program._question[0]


OTHER_DOORS = (by_log, by_record, by_wire, by_mjai)
CASES = (
    # in the library, each of the other seats has 25,000 points
    (by_library, Standing(8, HONBA.high, 925, (0,) * 4)),
    (by_library, Standing(0, 0, 0, (925_000,) * 4)),
    (by_library, Standing(0, HONBA.high, 0, (SCORE.low,) * 4)),
    *((door, standing) for door in OTHER_DOORS for standing in AT_THE_BOUNDS),
)


@cache
def policy(name):
    return make_policy(name)


@pytest.mark.parametrize("name", POLICIES)
@pytest.mark.parametrize(("door", "standing"), CASES)
def test_a_policy_answers_at_the_bounds(door, standing, name):
    state = door(standing)
    assert (state.honba, state.riichi_sticks, state.scores[0]) == (standing.honba, standing.sticks, standing.scores[0])
    validate(state)
    policy(name).start_kyoku()
    decision = policy(name).decide(state, state.legal_actions(), Budget(nodes=500))
    assert decision.action in state.legal_actions()


@pytest.mark.parametrize("standing", BEYOND)
@pytest.mark.parametrize("door", [by_library, by_log])
def test_a_number_beyond_its_bounds_is_refused_with_the_bound(door, standing):
    with pytest.raises((InputError, LogError), match=r"1,000"):
        door(standing)


@pytest.mark.parametrize("standing", BEYOND)
def test_a_number_beyond_its_bounds_costs_its_hand_of_a_record(standing):
    (left,) = hands_left_out(followed_steps(session_of(standing)))
    assert "1,000" in left.why


@pytest.mark.parametrize("standing", BEYOND)
def test_a_program_goes_on_with_a_harmless_answer_and_follows_the_next_hand(standing):
    notes = []
    program = Program(Silent(), "tester", 5.0, on_note=notes.append)
    *_, answer = [json.loads(program.hear(json.dumps(line))) for line in mjai_lines(standing)]
    assert answer == {"type": "dahai", "actor": 0, "pai": "3s", "tsumogiri": True}
    assert len(notes) == 1
    assert "1,000" in notes[0]
    for line in mjai_lines(Standing(0, 1, 2, (24_500,) * 4))[1:]:
        program.hear(json.dumps(line))
    assert program._question[0].riichi_sticks == 2


@pytest.mark.parametrize("standing", BEYOND)
def test_a_live_game_goes_on_with_a_harmless_answer_and_follows_the_next_hand(standing):
    player, prompt = player_after(standing)
    assert player.suspended
    action, _ = asyncio.run(player.answer(prompt, player.question(prompt)))
    assert action.tile == DRAWN
    player.apply(deal(Standing(0, 1, 2, (24_500,) * 4)), 0)
    assert not player.suspended


@pytest.mark.parametrize(
    ("facts", "named"),
    [
        ({"honba": -1}, "honba -1"),
        ({"honba": 3_000}, "honba 3000"),
        ({"sticks": -1}, "sticks -1"),
        ({"sticks": 10**7}, "sticks 10000000"),
        ({"against": -1}, "against -1"),
        ({"against": 4}, "against 4"),
        ({"points": 2**70}, "points 1180591620717411303424"),
        ({"turn": 10**400}, "turn"),
    ],
)
def test_a_hand_alone_is_refused_with_the_name_of_its_number(facts, named):
    with pytest.raises(InputError, match=named):
        oshihiki.evaluate(oshihiki.Written("11223m1123789p55z", **facts))


def test_tables_of_the_simulator_go_on_from_the_bounds():
    tables = simulator.Simulator(2, oshihiki.Rules(honba_points=10_000))
    tables.reset(standing=Standing(7, HONBA.high, STICKS.high, (0,) * 4))
    for _ in range(300):
        tables.step(tables.answers_of("random"))
    assert tables.view(0).honba <= HONBA.high
    assert (np.abs(tables.observe([0], [0])[1]) < 1 << 30).all()


def discards_in_a_row(number):
    """A hand that the readers of logs take: one seat draws and discards, again and again."""
    tiles = [tile for tile in range(136) if tile not in {*HAND, INDICATOR} and not any(tile in each for each in OTHERS)]
    turns = [event for tile in tiles[:number] for event in (Draw(0, tile), Discard(0, tile, tsumogiri=True))]
    end = Ryuukyoku(RyuukyokuKind.EXHAUSTIVE, (0, 0, 0, 0))
    return [StartGame(HANCHAN), deal(Standing(0, 0, 0, (25_000,) * 4)), *turns, end]


def test_a_hand_for_which_no_table_has_room_is_not_played_again():
    with pytest.raises(UnusableGameError, match="E1: discards of seat 0 40: it is a whole number from 0 to 32"):
        luck_of(discards_in_a_row(40))
