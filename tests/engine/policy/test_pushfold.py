"""The push/fold table, and the machine that never returns to attacking."""

import pytest

from engine.policy.pushfold import ALWAYS, PAPER, Mode, PushFoldMachine, PushFoldTable


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
