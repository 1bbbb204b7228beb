"""Speed of the DAG search; the bars in ms: draws 0.33, 0.8, 7, 150 at shanten 0-3; full 1, 5, 35 and 15, 600 at 3."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.model.tiles import allocate136, parse_tiles37
from engine.search.dag.model import DRAWS, FULL
from engine.search.dag.search import DagEvaluator
from engine.search.position import Sketch

HANDS = {0: "34m234566778p66s1z", 1: "2268m1333p236789s", 2: "668m4p11455s25677z", 3: "1346m2344s235p566z"}


@pytest.mark.parametrize("model", [DRAWS, FULL], ids=["draws", "full"])
@pytest.mark.parametrize(("shanten", "exchanges"), [(0, 1), (1, 2), (2, 3), (3, 3), (3, 4)])
def test_search(benchmark, model, shanten, exchanges):
    position = Sketch(allocate136(parse_tiles37(HANDS[shanten])), turn=4).position()
    found = benchmark(DagEvaluator(replace(model, exchanges=exchanges)).evaluate, position)
    assert found.exchanges == exchanges
