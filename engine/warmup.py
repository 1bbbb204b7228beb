"""Preparation before play: compiles every kernel and builds every table, once per machine and version."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass
from importlib import import_module
from typing import Any, Final

import numpy as np

from engine.model.tiles import EAST, counts34


@dataclass(frozen=True, slots=True)
class Step:
    """One step of the preparation.

    Attributes:
        name: description for people.
        run: performs the step; quick if it was performed before.
    """

    name: str
    run: Callable[[], object]


_TILES: Final = (0, 4, 8, 12, 16, 20, 24, 28, 32, 36, 40, 44, 48)
"""123456789m 1234p: thirteen tiles, tenpai on 14p."""


def _module(name: str) -> Any:
    return import_module(f"engine.{name}")


def _shanten_tables() -> None:
    _module("shanten.tables").shanten_tables()


def _shanten() -> None:
    shanten = _module("shanten")
    counts = counts34(_TILES)
    shanten.ukeire(counts)
    shanten.waits(counts)
    shanten.discard_shanten(counts34((*_TILES, 52)))
    shanten.shanten_batch(np.array([counts], np.uint8))
    shanten.shanten(counts)


def _readings() -> None:
    _module("shanten.readings").reading_tables()
    _module("shanten").decompose(counts34((*_TILES, 37)))


def _scoring() -> None:
    scoring = _module("scoring")
    win = scoring.WinContext((*_TILES, 37), 37, tsumo=False, seat_wind=EAST, round_wind=EAST)
    scoring.score_win(win)
    scoring.score_batch(
        np.array([counts34(win.concealed)], np.uint8),
        np.array([scoring.pack_melds(())], np.uint32),
        np.array([9], np.uint8),
        np.array([scoring.win_flags(win)], np.uint16),
        np.array([0], np.uint8),
    )


def _plans() -> None:
    _module("policy.quick.plans").Plan("all", 0.0).reach(counts34(_TILES), 0)


def _dag() -> None:
    dag = _module("search.registry").make_evaluator("dag")
    sketch = _module("search.sketch").Sketch
    few = _module("model.budget").Budget(nodes=2_000)
    tiles = (*_TILES[:-1], 108)  # 1-shanten, so that calls, riichi and leaves are all exercised
    dag.evaluate(sketch((*tiles, 112), turn=6).position(), budget=few)
    dag.evaluate(sketch(tiles, turn=6, offered=50, offered_by=3).position(), budget=few)


def _dag_far() -> None:
    dag = _module("search.registry").make_evaluator("dag")
    apart = tuple(4 * kind for kind in (0, 3, 6, 9, 12, 15, 18, 21, 24, 27, 28, 29, 30, 31))
    few = _module("model.budget").Budget(nodes=100)
    dag.evaluate(_module("search.sketch").Sketch(apart).position(), budget=few)


def _suji() -> None:
    _module("opponents.registry").make_estimator("suji").estimate(_module("state").GameState(0))


def _danger() -> None:
    best, _ = _module("opponents.model").best_estimator()
    best.estimate(_module("state").GameState(0))


def _prior() -> None:
    state = _module("state").GameState(0)
    who = _module("prior.input_kernels").WHO_PHOENIX
    actions = _module("model.actions")
    legal = (actions.Action(actions.ActionKind.DISCARD, 0),)
    inputs = _module("prior.inputs").inputs_of(state, legal, who)
    network = _module("prior.weights").shipped_network()
    network.log_chances(inputs.planes[None], inputs.numbers[None], inputs.question[None])


def _placement() -> None:
    _module("policy.players.value").ValuePolicy()


_ALWAYS: Final = (
    Step("shanten tables", _shanten_tables),
    Step("shanten", _shanten),
    Step("tables of complete hands", _readings),
    Step("scoring", _scoring),
    Step("ways to a yaku", _plans),
    Step("danger by suji", _suji),
)
"""Steps for every policy, each after those it depends on."""

_SEARCH: Final = Step("DAG search", _dag)
_FAR: Final = Step("DAG search of far hands", _dag_far)
_DANGER: Final = Step("danger tables", _danger)
_BY_NEED: Final[dict[str, tuple[Step, ...]]] = {
    "dag": (_SEARCH, _FAR),
    "danger": (_DANGER,),
    "placement": (Step("final placements", _placement),),
    "prior": (Step("network that imitates", _prior),),
}
"""Additional steps, by the names that the rows of policies and evaluators give."""


def steps_of(needs: Collection[str]) -> tuple[Step, ...]:
    """The additional steps of some needs; they load whatever else they use."""
    return tuple(step for name, found in _BY_NEED.items() if name in needs for step in found)


def steps(needs: Collection[str] | None = None) -> tuple[Step, ...]:
    """The steps needed before a policy or evaluator with these needs is asked; all steps if None."""
    return _ALWAYS + steps_of(_BY_NEED if needs is None else needs)
