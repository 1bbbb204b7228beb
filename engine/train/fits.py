"""Tools that several fits share: recorded games as rows, made chunk by chunk as needed; curves; shrunk rates.

Decisions are rows of the imitating network. The other rows are of opponents: a moment, in which a player who is not
in riichi is about to discard, gives one for each opponent. Neighbouring moments are similar, so only some are kept. The
choice depends only on what everybody sees (riichi, calls), never on what is hidden, so learned chances are unbiased.
"""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final, TypeVar

import numpy as np
from numpy.typing import NDArray

from engine.networks.imitation_layout_kernels import GLOBALS, PLANES, QUESTION, WHO_OTHER, WHO_PROGRAM
from engine.opponents.layout_kernels import FEATURES
from engine.rules.moments import games_of, new_moments
from engine.rules.recordings import GameColumn, KyokuColumn, Recordings
from engine.shanten.tables import hand_tables
from engine.train.decision_kernels import DECISION_INFO, Decisions, collect_decisions
from engine.train.sample_kernels import INFO, Rows, collect_rows

Filled = TypeVar("Filled", bound=tuple[Any, ...])

PLAYERS: Final = WHO_PROGRAM + 1
"""Number of the kinds of player that ``WHO_`` numbers tell apart."""
DecisionShares = NDArray[np.float64]
"""(PLAYERS, 2) share of the decisions that are used, by kind of player: in own turns, and in answers to a discard."""
MomentShares = tuple[float, float, float]
"""Share of the moments that are used, against opponents in riichi, open and closed."""
DECISIONS_AT_ONCE: Final = 49_152
"""Number of decisions in memory at once: 120 MB."""
ROWS_AT_ONCE: Final = 32_768
"""Number of rows of opponents in memory at once: 200 MB of features."""
Columns = Sequence[tuple[type[np.generic], tuple[int, ...]]]
"""Type and shape of a row in each array of some rows."""
DECISION_COLUMNS: Final[Columns] = (
    (np.uint8, (34, PLANES)), (np.uint8, (GLOBALS,)), (np.int64, (QUESTION,)), (np.int32, (DECISION_INFO,)),
)  # fmt: skip
ROW_COLUMNS: Final[Columns] = (
    (np.float32, (FEATURES,)), *((np.int64, ()),) * 4, (np.float32, (34,)), (np.int32, (INFO,)),
)  # fmt: skip


class NothingToLearnError(ValueError):
    """The games to fit on show too little to learn from; the message says why."""


def decision_chunks(
    recordings: Recordings,
    hands: NDArray[np.int64],
    keep: DecisionShares | None = None,
    seed: int = 0,
    size: int = DECISIONS_AT_ONCE,
) -> Iterator[tuple[Decisions, int]]:
    """Yield decisions of the hands in this order, about ``size`` at a time, and the number of hands done.

    Args:
        recordings: all games.
        hands: rows of ``recordings.kyoku``.
        keep: share of the decisions that are used; None: all.
        seed: decides which decisions are used.
        size: decisions in a chunk; it may have somewhat fewer.
    """
    shares = np.rint(1_000_000 * (np.ones((PLAYERS, 2)) if keep is None else keep)).astype(np.int64)
    chosen = (who_of(recordings), shares, seed)
    return collected(collect_decisions, chosen, lambda: empty(Decisions, size, DECISION_COLUMNS), recordings, hands)


def row_chunks(
    recordings: Recordings,
    hands: NDArray[np.int64],
    keep: MomentShares = (1.0, 1.0, 1.0),
    seed: int = 0,
    size: int = ROWS_AT_ONCE,
) -> Iterator[tuple[Rows, int]]:
    """Yield rows of opponents in the hands in this order, about ``size`` at a time, and the number of hands done.

    Args:
        recordings: all games.
        hands: rows of ``recordings.kyoku``.
        keep: share of the moments that are used.
        seed: decides which moments are used.
        size: rows in a chunk; it may have somewhat fewer.
    """
    shares = np.array([round(1_000_000 * share) for share in keep], np.int64)
    return collected(collect_rows, (shares, seed), lambda: empty(Rows, size, ROW_COLUMNS), recordings, hands)


def collected(
    collect: Callable[..., tuple[int, int]],
    chosen: tuple[Any, ...],
    empty: Callable[[], Filled],
    recordings: Recordings,
    hands: NDArray[np.int64],
) -> Iterator[tuple[Filled, int]]:
    """Yield each chunk that has rows, and the number of hands done after it.

    A thread makes the next chunk while the caller uses the present one.

    Args:
        collect: the kernel that plays hands and writes rows until the arrays are full.
        chosen: what it takes between the hands and the tables: which moments become rows.
        empty: makes the arrays of a chunk, a NamedTuple.
        recordings: all games.
        hands: rows of ``recordings.kyoku``, in this order.
    """
    games, moments, tables = games_of(recordings), new_moments(), hand_tables()

    def fill(at: int) -> tuple[Filled, int]:
        rows = empty()
        n, done = collect(games, hands[at:], *chosen, tables, moments, rows)
        return type(rows)(*(array[:n] for array in rows)), at + done

    with ThreadPoolExecutor(1) as maker:
        pending = maker.submit(fill, 0)
        while True:
            rows, done = pending.result()
            more = done < len(hands)
            if more:
                pending = maker.submit(fill, done)
            if len(rows[0]):
                yield rows, done
            if not more:
                return


def empty(kind: type[Filled], n: int, columns: Columns) -> Filled:
    """Arrays of zeros for n rows."""
    return kind(*(np.zeros((n, *shape), what) for what, shape in columns))


def who_of(recordings: Recordings) -> NDArray[np.int64]:
    """(hands, 4) WHO_ number of the player on each seat."""
    games = recordings.games[recordings.kyoku[:, KyokuColumn.GAME]].astype(np.int64)
    program, others = (games[:, GameColumn.PROGRAMS, None] >> np.arange(at, at + 4) & 1 for at in (0, 4))
    return np.select([program == 1, others == 1], [WHO_PROGRAM, WHO_OTHER], games[:, GameColumn.ROOM, None])


def logistic(
    scores: NDArray[Any], happened: NDArray[Any], towards: tuple[float, float] = (0.0, 0.0), pull: float = 1e-3
) -> tuple[float, float]:
    """Slope and offset of the logistic curve with the least log loss, by Newton's method.

    Args:
        scores: (n,), from which the curve tells the chance.
        happened: (n,), 1 where it came true, else 0.
        towards: the curve towards which a weak prior pulls; the search begins there.
        pull: weight of the prior.
    """
    x = np.stack([np.asarray(scores, np.float64), np.ones(len(scores))])
    first = np.array(towards)
    curve = first.copy()
    for _ in range(50):
        said = 1 / (1 + np.exp(-curve @ x))
        gradient = x @ (said - happened) + pull * (curve - first)
        curvature = (x * (said * (1 - said))) @ x.T + pull * np.eye(2)
        step = np.linalg.solve(curvature, gradient)
        curve -= step
        if np.abs(step).max() < 1e-9:
            break
    return float(curve[0]), float(curve[1])


def tally(sums: NDArray[np.float64], cells: tuple[NDArray[np.intp], ...], hits: NDArray[np.bool_]) -> None:
    """Add observations to cells, which are counts and totals along the last axis: whether it was so, and one more."""
    np.add.at(sums, cells, np.stack([hits, np.ones(len(hits))], axis=1))


def shares_in(counted: NDArray[np.float64]) -> NDArray[np.float64]:
    """Counts relative to the totals beside them; 0 where nothing was counted."""
    found: NDArray[np.float64] = counted[..., 0] / np.maximum(counted[..., 1], 1)
    return found


def shrunk(
    counted: NDArray[np.float64], base: NDArray[np.float64], pools: Sequence[tuple[int, ...]], prior: float
) -> NDArray[np.float64]:
    """Rates of cells, each shrunk towards the rate of a pool of cells, so that rare cells stay reasonable.

    Args:
        counted: along the last axis the count, and what it is relative to.
        base: what the rates of the first pools are shrunk towards.
        pools: axes over which cells are pooled, from the widest pool to the cells themselves, ``()``.
        prior: what each base weighs, as an amount of what counts are relative to.
    """
    for axes in pools:
        inner = counted.sum(axis=axes, keepdims=True) if axes else counted
        base = (inner[..., 0] + prior * base) / (inner[..., 1] + prior)
    return base


def zeros(*shape: int) -> Callable[[], NDArray[np.float64]]:
    """A default factory for a dataclass field: an array of zeros."""
    return lambda: np.zeros(shape)
