"""The evaluator ``handscore`` against a plain search for the best split of a hand."""

from __future__ import annotations

import random

import pytest

from engine.model.actions import ActionKind
from engine.model.tiles import TILES, allocate136, parse_tiles37
from engine.papers.flow.handscore import POINT
from engine.search.position import Sketch
from engine.search.registry import make_evaluator
from tests.oracles.naive_forms import hand_score


def evaluate(text, **facts):
    return make_evaluator("handscore").evaluate(Sketch(allocate136(parse_tiles37(text)), turn=7, **facts).position())


def test_the_hand_of_the_paper_scores_43():
    assert evaluate("12555m23579p157z").best.value == pytest.approx(43 * POINT)


def test_every_discard_scores_what_the_best_split_scores():
    rng = random.Random(3)
    for _ in range(40):
        tiles = rng.sample(range(TILES // 3 if rng.random() < 0.5 else TILES), 14)
        position = Sketch(sorted(tiles), turn=7).position()
        reds = sum(tile in (16, 52, 88) for tile in tiles)
        for worth in make_evaluator("handscore").evaluate(position).actions:
            counts = list(position.counts)
            counts[worth.choice.tile34] -= 1
            lost = counts[worth.choice.tile34] == 0 and {16, 52, 88} & {
                tile for tile in tiles if tile >> 2 == worth.choice.tile34
            }
            score = hand_score(tuple(counts)) + 15 * (reds - bool(lost))
            assert worth.value == POINT * (score + (worth.choice.kind is ActionKind.RIICHI))


def test_each_dora_counts():
    plain, with_dora = evaluate("12555m23579p157z"), evaluate("12555m23579p157z", dora_indicators=[4 * 3])
    assert with_dora.best.value - plain.best.value == pytest.approx(3 * 15 * POINT)


def test_riichi_is_declared_at_tenpai():
    assert evaluate("234m345p99s567s78m1z").best.choice.kind is ActionKind.RIICHI
