"""Getting ready: every kernel compiled and every table built, once a machine and version; later runs load them."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass
from importlib import import_module
from typing import Any, Final

import numpy as np

from engine.model.tiles import EAST, counts34


@dataclass(frozen=True, slots=True)
class Step:
    """One part of getting ready.

    Attributes:
        name: for people.
        run: does it; quick when it was done before.
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
    tiles = (*_TILES[:-1], 108)  # 1-shanten, so that calls, riichi and leaves all come into it
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
"""In the order in which each needs the ones before."""

_SEARCH: Final = Step("DAG search", _dag)
_FAR: Final = Step("DAG search of far hands", _dag_far)
_DANGER: Final = Step("danger tables", _danger)
_FOR_POLICY: Final[dict[str, tuple[Step, ...]]] = {
    "dag": (_SEARCH, _FAR),
    "flow": (_SEARCH, _FAR, _DANGER),
    "value": (_SEARCH, _FAR, _DANGER, Step("final placements", _placement)),
}
"""What one policy needs beside that."""


def steps_of(policy: str) -> tuple[Step, ...]:
    """What one policy needs beside what all do; its own steps load the rest as far as they use it."""
    return _FOR_POLICY.get(policy, ())


def load_search() -> None:
    """Load, or compile, what a search of a near hand takes, and no more."""
    _SEARCH.run()


def steps(policies: Collection[str] | None = None) -> tuple[Step, ...]:
    """What there is to do before the policies named can play; everything when None."""
    wanted = [name for name in _FOR_POLICY if policies is None or name in policies]
    return _ALWAYS + tuple(dict.fromkeys(step for name in wanted for step in _FOR_POLICY[name]))
