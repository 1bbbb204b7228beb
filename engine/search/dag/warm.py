"""What the DAG search needs before the first hand."""

from __future__ import annotations

from typing import Final

from engine.model.budget import Budget
from engine.preparation import Preparation
from engine.search import rate_kernels
from engine.search.dag import exchange_kernels, meld_kernels, pattern_kernels, search_kernels, worth_kernels
from engine.search.position import Sketch
from engine.search.registry import make_evaluator

_TENPAI: Final = (0, 4, 8, 12, 16, 20, 24, 28, 32, 36, 40, 44, 48)
"""123456789m 1234p: tenpai on 1p and 4p."""


def _search() -> None:
    make_evaluator("dag").evaluate(Sketch((*_TENPAI, 52), turn=6).position(), budget=Budget(nodes=2_000))


DAG: Final = Preparation(
    "DAG search",
    {
        search_kernels.solve_hands: 60.0,
        search_kernels.list_hands: 15.0,
        search_kernels.list_wins: 10.0,
        pattern_kernels.fill_tree: 2.0,
        exchange_kernels.win_chances: 1.0,
        worth_kernels.fill_worth: 1.0,
        rate_kernels.fill_rates: 1.0,
        rate_kernels.fill_safety: 0.3,
        meld_kernels.kan_kinds: 0.2,
    },
    _search,
)
