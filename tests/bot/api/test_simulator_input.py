"""What the simulator refuses: the message says what is wrong, and no table has changed."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from bot import api
from bot.api import simulator
from bot.api.simulator import Position, Rules, Simulator, Standing
from engine.arena import Shuffle
from tests.bot.api.simulated import as_bytes, chosen

GAME = Path(__file__).parents[3] / "docs" / "examples" / "game.xml"
WALL = next(Shuffle.from_seed(1)).order()
NAN = float("nan")


def forged(tables, **written):
    """The position at the first table, with other values in its record."""
    record = tables.save(0).record.copy()
    for name, value in written.items():
        record[name] = value
    return replace(tables.save(0), record=record)


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        (lambda: Simulator(0), "tables 0: it is a whole number from 1"),
        (lambda: Simulator(1, "sanma"), "rules 'sanma': they are 'tonpu', 'hanchan', or Rules"),
        (lambda: Simulator(1, seed=-1), "seed -1"),
        (lambda: Simulator(1, episode="day"), "episode 'day': it is one of game, hand"),
        (lambda: Simulator(1, observe=True), "observe True: it is one of table, network, none"),
        (lambda: Simulator(1, walls="slow"), "walls 'slow'"),
        (lambda: Simulator(2, walls=[[WALL]]), "walls for 1 table; there are 2"),
        (lambda: Simulator(2, walls=[[WALL], [WALL, [4] * 136]]), "table 1: wall 1 must hold each of the tiles"),
        (lambda: Simulator(1, walls=[[["x"]]]), "table 0: wall 0"),
        (lambda: Simulator(1).step([0]), "reset the tables"),
        (lambda: Simulator(None), "tables None: it is a whole number from 1"),
        (lambda: Simulator(True), "tables True: it is a whole number"),
        (lambda: Simulator("3"), "tables '3': it is a whole number"),
        (lambda: Simulator(2**40), "and this machine has"),
        (lambda: Simulator(1, None), "rules None: they are 'tonpu', 'hanchan', or Rules"),
        (lambda: Simulator(1, Rules(return_points=30_050)), "points are in hundreds"),
        (lambda: Simulator(1, seed=2**63), "seed 9223372036854775808"),
        (lambda: Simulator(1, again="no"), "again 'no': it is True or False"),
        (lambda: Simulator(1, walls=10), "walls 10: they are 'fast', 'tenhou', or for each table a list of walls"),
        (lambda: Simulator(1, walls=[10]), "table 0: its walls are 10; they are a list of walls"),
        (lambda: Simulator(1, walls=[[[tile + 0.4 for tile in WALL]]]), "table 0: wall 0 must hold each"),
        (lambda: Simulator(1).answers_of("random"), "there is no round yet; reset the tables first"),
        (lambda: Simulator(1).observe([0], [0]), "table 0: no hand has been dealt there"),
        (lambda: Simulator(1).load([0], Simulator(1).save(0)), "its table was never reset"),
        (lambda: simulator.position(None), "place None: it is text"),
        (lambda: simulator.position("E1/turn9"), "is not a position; write LOG#E3-1/turn9/seat2"),
        (lambda: simulator.position(f"{GAME}#E1/turn40/seat1"), "E1 has no decision at turn 40"),
    ],
)
def test_a_simulator_that_cannot_be_made_is_refused(wrong, words):
    with pytest.raises(api.InputError) as refused:
        wrong()
    assert words in str(refused.value)


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        (lambda tables: tables.step([0]), "questions need as many whole numbers"),
        (lambda tables: tables.step([[1], [1, 2]]), "no array of whole numbers"),
        (lambda tables: tables.step(chosen(tables.round, 0) * 0 - 1), "seat 0: answer -1 is not legal here"),
        (lambda tables: tables.step(chosen(tables.round, 0) * 1.0), "whole numbers"),
        (lambda tables: tables.reset([4]), "table 4: there are tables 0 to 3"),
        (lambda tables: tables.reset([1, 1]), "different whole numbers"),
        (lambda tables: tables.reset([0.5]), "different whole numbers"),
        (lambda tables: tables.reset(standing=Standing(8, 0, 0, (25_000,) * 4)), "hands go from 0 to 7"),
        (lambda tables: tables.reset(standing=Standing(0, 0, 0, (25_050,) * 4)), "scores are in hundreds"),
        (lambda tables: tables.reset(standing=Standing(0, 0, 0, (25_000,) * 3)), "four scores"),
        (lambda tables: tables.view(9), "question 9: this round has 4"),
        (lambda tables: tables.save(7), "table 7"),
        (lambda tables: tables.answers_of("value"), "these answer in batches: random, phoenix, "),
        (lambda tables: tables.answers_of("oracle"), "no policy is named 'oracle'"),
        (lambda tables: tables.answers_of("random", [4]), "question 4: this round has 4"),
        (lambda tables: tables.answers_of("random", [0.0]), "rows of type float64"),
        (lambda tables: tables.load([0], Simulator(1, "hanchan").save(0)), "other rules"),
        (lambda tables: tables.load([0], Simulator(1).save(0), shuffled=True), "no hand in play"),
        (lambda tables: tables.load([0], tables.save(0), viewer=3), "seat 3 is not asked"),
        (lambda tables: tables.mjlog(0), "no episode has been kept; call keep([0])"),
        (lambda tables: tables.mjlog([0]), "table [0]: it is a whole number from 0 to 3"),
        (lambda tables: tables.step(None), "answers of type object"),
        (lambda tables: tables.step([True] * 4), "answers of type bool"),
        (lambda tables: tables.step(np.full(4, 2**64 - 1, np.uint64)), "they go to 9223372036854775807"),
        (lambda tables: tables.step(chosen(tables.round, 0)[:, None]), "shape (4, 1)"),
        (lambda tables: tables.step(chosen(tables.round, 0) | 3 << 24), "is not legal here"),
        (lambda tables: tables.reset([2**63]), "they go to 9223372036854775807"),
        (lambda tables: tables.reset(standing=(0, 0, 0, (25_000,) * 4)), "it is a Standing(kyoku"),
        (lambda tables: tables.reset(standing=Standing(None, 0, 0, (25_000,) * 4)), "whole numbers from 0"),
        (lambda tables: tables.reset(standing=Standing(0, 2**62, 0, (25_000,) * 4)), "from 0 to 1,000"),
        (lambda tables: tables.reset(standing=Standing(0, 0, 0, (2**40 * 100,) * 4)), "to 1,000,000"),
        (lambda tables: tables.reset(standing=Standing(0, 0, 1_000, (25_000,) * 4)), "at most 1,000,000 points"),
        (lambda tables: tables.observe([2**40], [0]), "table 1099511627776: there are tables 0 to 3"),
        (lambda tables: tables.observe([0], [4]), "seat 4: seats are 0 to 3"),
        (lambda tables: tables.observe([0, 1], [0]), "2 tables and 1 seat; there is a seat for each table"),
        (lambda tables: tables.observe([0.0], [0]), "tables of type float64"),
        (lambda tables: tables.observe([[0]], [0]), "tables of type int64 and shape (1, 1)"),
        (lambda tables: tables.answers_of(None), "policy None: it is text"),
        (lambda tables: tables.answers_of("simple", [2**40]), "question 1099511627776"),
        (lambda tables: tables.answers_of("simple", tables.round.seats == 0), "rows of type bool"),
        (lambda tables: tables.legal_actions(NAN), "question nan"),
        (lambda tables: tables.view(None), "question None"),
        (lambda tables: tables.number(0, 5), "action 5: it is an Action"),
        (lambda tables: tables.number(0, api.Action(0, 5)), "it has an ActionKind and tiles from 0 to 135"),
        (lambda tables: tables.number(0, api.Action(api.ActionKind.CHI, 4, (1,))), "a CHI or PON two of the hand"),
        (lambda tables: tables.number(0, api.Action(api.ActionKind.RON)), "a RON names its tile"),
        (lambda tables: tables.keep([7]), "table 7"),
        (lambda tables: tables.load([0], None), "position None: it comes from save(table) or position(place)"),
        (lambda tables: tables.load([0], forged(tables, turn=9)), "not as save(table) or position(place) made it"),
        (lambda tables: tables.load([0], Position(tables.rules, np.zeros(1), np.zeros(4))), "not as save(table)"),
        (lambda tables: tables.load([0], replace(tables.save(0), expected=np.full(4, NAN))), "not as save(table)"),
        (lambda tables: tables.load([0], replace(tables.save(0), rules=Rules())), "not as save(table)"),
        (lambda tables: tables.load([0], tables.save(0), viewer="x"), "viewer 'x': it is a whole number from 0 to 3"),
        (lambda tables: tables.load([0], tables.save(0), shuffled=1), "shuffled 1: it is True or False"),
        (lambda tables: tables.export(0, None), "path None: it is a text or a Path"),
        (lambda tables: tables.export(0, "x", None), "no episode has been kept"),
    ],
)
def test_bad_input_is_refused_and_changes_nothing(wrong, words):
    tables = Simulator(4, seed=1)
    questions = tables.reset()
    before = as_bytes(tables)
    with pytest.raises(api.InputError) as refused:
        wrong(tables)
    assert words in str(refused.value)
    assert as_bytes(tables) == before
    assert tables.round is questions
    tables.step(chosen(questions, 0))


@pytest.mark.parametrize("call", ["answers_of", "load", "reset", "observe", "keep", "step"])
def test_a_mask_in_place_of_numbers_is_told_how_to_become_them(call):
    tables = Simulator(2, seed=2)
    mask = tables.reset().tables == 0
    with pytest.raises(api.InputError, match=r"of type bool: they are .*np\.flatnonzero\(mask\) gives the places"):
        {
            "answers_of": lambda: tables.answers_of("simple", mask),
            "load": lambda: tables.load(mask, tables.save(0)),
            "reset": lambda: tables.reset(mask),
            "observe": lambda: tables.observe(mask, mask),
            "keep": lambda: tables.keep([True, False]),
            "step": lambda: tables.step(mask),
        }[call]()
