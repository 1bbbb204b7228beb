"""The push/fold table, and the machine that never returns to attacking."""

from typing import NamedTuple

import pytest

from engine.model.melds import Meld, MeldKind
from engine.model.rules import TONPU
from engine.papers.flow import FlowSettings
from engine.papers.flow.player import OPEN, PLACEMENT, TABLES
from engine.policy.pushfold import ALWAYS, PAPER, Mode, PushFoldMachine, PushFoldTable
from engine.settings import fields_of


@pytest.mark.parametrize(
    ("riichi", "shanten", "attacks"),
    [
        *((0, shanten, True) for shanten in range(-1, 7)),
        (1, 0, True),
        (1, 1, True),
        (1, 2, False),
        (1, 6, False),
        (2, 0, True),
        (2, 1, False),
        (3, 0, True),
        (3, 1, False),
    ],
)
def test_the_papers_table(riichi, shanten, attacks):
    assert PAPER.attacks(riichi, shanten) is attacks


def test_no_way_back_within_the_hand():
    machine = PushFoldMachine()
    assert machine.update(0, 4) is Mode.ATTACK
    assert machine.update(1, 2) is Mode.FOLD
    assert machine.update(1, 0) is Mode.FOLD
    assert machine.update(0, 0) is Mode.FOLD
    machine.reset()
    assert machine.update(1, 1) is Mode.ATTACK
    assert machine.update(2, 1) is Mode.FOLD


def test_another_table_plays_another_game():
    brave = PushFoldMachine(PushFoldTable((ALWAYS,)))
    assert brave.update(3, 6) is Mode.ATTACK
    timid = PushFoldMachine(PushFoldTable((ALWAYS, -1)))
    assert timid.update(1, 0) is Mode.FOLD


def test_every_table_can_be_named():
    (rule,) = fields_of(FlowSettings)["table"].rules
    assert set(rule.names) == set(TABLES)


@pytest.mark.parametrize(("more", "attacks"), [(-1, False), (0, False), (1, True)])
def test_limits_can_be_moved(more, attacks):
    assert PAPER.attacks(1, 2, more) is attacks


class Tile(NamedTuple):
    """A discard."""

    tile: int


class Seen:
    """What a table looks at."""

    def __init__(self, melds=(), riichi=(), kyoku=0, scores=(25_000,) * 4, river=()):
        self.seat = 0
        self.melds = ((), tuple(melds), (), ())
        self.rivers = ((), tuple(river), (), ())
        self.has_declared = riichi.__contains__
        self.rules, self.kyoku, self.scores = TONPU, kyoku, scores


def pon(tile34):
    return Meld(MeldKind.PON, (4 * tile34, 4 * tile34 + 1, 4 * tile34 + 2), 4 * tile34, 2)


def test_open_hands_are_threats_to_one_table():
    three = [pon(0), pon(9), pon(18)]
    assert (PAPER.threats(Seen(three)), OPEN.threats(Seen(three)), OPEN.threats(Seen(three[:2]))) == (0, 1, 0)
    flush = [pon(0), pon(1)]
    assert (OPEN.threats(Seen(flush)), OPEN.threats(Seen(flush[:1]))) == (1, 0)
    assert OPEN.threats(Seen(flush, river=[Tile(tile) for tile in (8, 9, 100)])) == 0  # it discards that suit
    assert (PAPER.threats(Seen(riichi=(1, 3))), OPEN.threats(Seen(three, riichi=(1, 3)))) == (2, 2)


@pytest.mark.parametrize(
    ("scores", "more"),
    [
        ((40_000, 20_000, 20_000, 20_000), -1),
        ((25_000, 25_000, 25_000, 25_000), -1),  # of equal scores the first dealer is ahead
        ((25_000, 26_000, 24_000, 25_000), 0),
        ((10_000, 30_000, 30_000, 30_000), 1),
    ],
)
def test_the_place_counts_in_the_last_round_alone(scores, more):
    assert PLACEMENT.more(Seen(kyoku=3, scores=scores)) == more
    assert PLACEMENT.more(Seen(kyoku=2, scores=scores)) == 0
    assert PAPER.more(Seen(kyoku=3, scores=scores)) == 0
