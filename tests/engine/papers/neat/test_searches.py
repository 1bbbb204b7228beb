"""Evaluators that play the one-player game: their wins by definition, and what they see."""

from __future__ import annotations

import numpy as np
import pytest

from engine.papers.neat import solo_kernels
from engine.papers.neat.solo import SoloHand, by_evaluator, make_walls, play_by
from engine.search.registry import make_evaluator
from tests.oracles import naive_solo


@pytest.mark.parametrize("dora", [False, True])
def test_wins_and_their_points_are_those_of_the_definition(dora):
    choose = by_evaluator(make_evaluator("handscore"))
    walls = make_walls(60, 3)
    results = play_by(choose, walls, dora=dora)
    assert (results[:, solo_kernels.WIN_TURN] > 0).any()
    for wall, row in zip(walls.tolist(), results, strict=True):
        hand = SoloHand(wall, dora=dora)
        seen = {*wall[:13], *([wall[-1]] if dora else [])}
        for turn in range(1, solo_kernels.DRAWS + 1):
            tile = hand.draw()
            seen.add(tile)
            position = hand.position()
            assert sum(position.unseen) == 136 - len(seen)
            held = list(position.concealed)
            found = naive_solo.win(held, tile, naive_solo.bonus_of(held, wall[-1] if dora else None))
            if found or turn == solo_kernels.DRAWS:
                break
            hand.discard(choose(position))
        points, yaku = found or (0, set())
        assert row[solo_kernels.WIN_TURN] == (turn if found else 0)
        assert row[solo_kernels.POINTS] == points
        assert {bit for bit in range(52) if int(row[solo_kernels.YAKU]) >> bit & 1} == yaku


def test_dora_are_worth_points():
    choose = by_evaluator(make_evaluator("handscore"))
    walls = make_walls(200, 5)
    plain, with_dora = (play_by(choose, walls, dora=dora)[:, solo_kernels.POINTS] for dora in (False, True))
    assert np.mean(with_dora) > np.mean(plain)
