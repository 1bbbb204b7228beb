"""Lessons of the DAG search: what they show, and how often each discard is to be chosen."""

from __future__ import annotations

import numpy as np
import pytest

from engine.papers.neat.lessons import LESSONS, NO_DISCARD, LessonSettings, Piece, given
from engine.papers.neat.solo import SoloHand, make_walls
from tests.oracles import naive_solo

COURSE = LessonSettings(hands=12, hidden=3, inputs="extended", dora=True, seed=4)


@pytest.fixture(scope="module")
def lessons():
    return given(Piece(0, COURSE.hands, "points"), COURSE)[1]


def test_lessons_show_what_each_discard_of_the_first_hand_leaves(lessons):
    wall = make_walls(COURSE.hands, COURSE.seed, LESSONS)[0].tolist()
    held = wall[:14]
    kinds = {tile >> 2 for tile in held}
    dora = naive_solo.DORA_AFTER[wall[-1] >> 2]
    left = []
    for kind in kinds:
        kept = list(held)
        kept.remove(max(tile for tile in held if tile >> 2 == kind))
        bonus = sum((tile >> 2 == dora) + (tile in naive_solo.RED) for tile in kept)
        left.append(naive_solo.active(naive_solo.counts_of(kept), bonus, extended=True))
    there = lessons.aims[0] != NO_DISCARD
    assert there.sum() == len(kinds)
    found = [set(row.tolist()) for row in lessons.inputs[0][there]]
    assert sorted(map(sorted, found)) == sorted(map(sorted, left))


def test_aims_are_chances_and_the_best_discard_has_the_highest(lessons):
    there = lessons.aims != NO_DISCARD
    assert np.where(there, lessons.aims, 0).sum(axis=1) == pytest.approx(1.0, abs=1e-5)
    assert (lessons.aims.argmax(axis=1) == 0).all()  # the search gives the best discard first
    assert len(lessons.aims) > COURSE.hands


def test_a_hand_gives_up_the_red_five_last():
    red, plain = 16, 17
    wall = [red, plain, *range(36, 47), *range(100, 118), 12]  # the indicator 4m makes 5m dora
    hand = SoloHand(wall, dora=True)
    assert hand.bonus == 3
    hand.draw()
    assert hand.bonus_without(4) == 2
    hand.discard(4)
    assert hand.bonus == 2
    assert hand.position().red_unseen == (False, True, True)
    assert SoloHand(wall, dora=False).bonus == 0
