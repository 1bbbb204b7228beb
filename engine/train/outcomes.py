"""Fitting how hands end when we fold: the tables of :mod:`engine.opponents.outcomes`, on top of a fitted network."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.model.rules import RIICHI_STICK
from engine.opponents.network import DangerWeights, Floats, blocks_of, calibrated, forward
from engine.opponents.outcomes import WALLS, Doubles, OutcomeTables, log_odds
from engine.rules.code_kernels import NO_WIN, WIN
from engine.rules.moments import moments
from engine.rules.recordings import End, KyokuColumn, Recordings
from engine.rules.table_kernels import RIICHI
from engine.train.fits import Adam, chunks
from engine.train.sample_kernels import I_HAND, I_SEAT, I_SITUATION, I_VIEWER, I_WALL, Rows
from engine.train.scores import Scores, score

NOBODY: Final = 3
"""Index for no win; 0-2 are the opponents in order of turn."""
ROUNDS: Final = 600
"""Number of steps of the descent; the problem is convex and small."""


class Moments(NamedTuple):
    """n moments after which the observing player neither won nor paid; three opponents each, in order of turn."""

    stance: NDArray[np.int64]  # (n, 3) riichi, open, closed
    sure: Doubles  # (n, 3) predicted log-odds of being tenpai; 0 in riichi
    dealer: Doubles  # (n, 3) 0 or 1
    wall: NDArray[np.int64]  # (n,) step of the wall
    worth: Doubles  # (n, 3) predicted mean points of a ron
    winner: NDArray[np.int64]  # (n,) 0-2 or NOBODY
    tsumo: NDArray[np.bool_]  # (n,) whether the win was a self-draw
    payer: NDArray[np.int64]  # (n,) the opponent who dealt in, or -1
    points: Doubles  # (n,) points of the win without honba; 0 where two won
    ready: NDArray[np.bool_]  # (n, 3) tenpai at the end


@dataclass(frozen=True)
class _Ends:
    """How each hand ended, by row of ``kyoku``: (hands, 4) bit sets of waits, and riichi."""

    waits: NDArray[np.int64]
    riichi: NDArray[np.int64]


def moments_of(
    recordings: Recordings, hands: NDArray[np.int64], weights: DangerWeights, share: float, seed: int = 0
) -> Moments:
    """A share of the moments of the hands."""
    ends = _Ends(*np.zeros((2, len(recordings.kyoku), 4), np.int64))
    for some in moments(recordings, hands, before=(WIN, NO_WIN)):
        ends.waits[some["row"]] = some["waits"]
        ends.riichi[some["row"]] = some["riichi"]
    arrays = weights.arrays()
    parts = [
        _moments(recordings, rows, weights, arrays, ends)
        for rows, _ in chunks(recordings, hands, (share, share, share), seed)
    ]
    return Moments(*(np.concatenate([part[at] for part in parts]) for at in range(len(Moments._fields))))


def _moments(
    recordings: Recordings, rows: Rows, weights: DangerWeights, arrays: dict[str, Floats], ends: _Ends
) -> Moments:
    situations = rows.info[:, I_SITUATION].astype(np.int64)
    tenpai = np.empty(len(situations))
    worth = np.empty(len(situations))
    for some in np.array_split(np.arange(len(situations)), len(situations) // 2048 + 1):
        outputs = forward(arrays, blocks_of(rows.features[some]))
        tenpai[some], _, deals, points = calibrated(outputs, rows.safe[some], situations[some], weights.calibration)
        worth[some] = (deals * points).sum(axis=1) / np.maximum(deals.sum(axis=1), 1e-9)
    hand = rows.info[::3, I_HAND]
    viewer = rows.info[::3, I_VIEWER].astype(np.int64)
    seats = rows.info[:, I_SEAT].reshape(-1, 3).astype(np.int64)
    kyoku = recordings.kyoku[hand]
    riichi = ends.riichi[hand] > 0
    winners = kyoku[:, KyokuColumn.WINNERS]
    end = kyoku[:, KyokuColumn.END]
    giver = kyoku[:, KyokuColumn.FROM_SEAT].astype(np.int64)
    ours = (winners >> viewer & 1 == 1) | (giver == viewer) | (end == End.ABORTIVE)
    won = winners[:, None] >> seats & 1 == 1
    winner = np.where(won.any(axis=1), won.argmax(axis=1), NOBODY)
    paid = -(kyoku[:, KyokuColumn.DELTA :] + RIICHI_STICK * riichi).astype(np.float64)
    honba = 300.0 * kyoku[:, KyokuColumn.HONBA]
    by_ron = paid[np.arange(len(paid)), np.maximum(giver, 0)] - honba
    by_tsumo = np.where(paid > 0, paid, 0.0).sum(axis=1) - honba
    points = np.where(end == End.TSUMO, by_tsumo, by_ron) * (won.sum(axis=1) == 1)
    payer = np.where(giver[:, None] == seats, np.arange(3), -1).max(axis=1)
    stance = situations.reshape(-1, 3)
    found = Moments(
        stance,
        np.where(stance == RIICHI, 0.0, log_odds(tenpai).reshape(-1, 3)),
        (seats == kyoku[:, KyokuColumn.DEALER, None]).astype(np.float64),
        np.minimum(rows.info[::3, I_WALL] // 7, WALLS - 1).astype(np.int64),
        worth.reshape(-1, 3),
        winner,
        end == End.TSUMO,
        payer,
        points,
        (ends.waits[hand][np.arange(len(hand))[:, None], seats] != 0),
    )
    return Moments(*(array[~ours] for array in found))


def fit_outcomes(moments: Moments) -> OutcomeTables:
    """The maximum likelihood tables for the moments."""
    m = moments
    rivals = (m.stance == RIICHI).sum(axis=1, keepdims=True) - (m.stance == RIICHI)
    cell = m.stance * WALLS + m.wall[:, None]
    parameters = np.zeros(3 * WALLS + 7, np.float32)
    parameters[: 3 * WALLS] = -1.0

    def gradient(flat: Floats) -> Floats:
        off = _chances(m, flat.astype(np.float64), cell, rivals)
        off[np.arange(len(off)), m.winner] -= 1.0
        each = off[:, :3]
        found = np.zeros(len(flat))
        found[: 3 * WALLS] = np.bincount(cell.ravel(), each.ravel(), 3 * WALLS)
        found[3 * WALLS : 3 * WALLS + 3] = np.bincount(m.stance.ravel(), (each * m.sure).ravel(), 3)
        found[3 * WALLS + 3 : 3 * WALLS + 6] = np.bincount(m.stance.ravel(), (each * rivals).ravel(), 3)
        found[-1] = (each * m.dealer).sum()
        return (found / len(off) + 1e-5 * flat).astype(np.float32)

    fitted = _descend(parameters, gradient).astype(np.float64)
    won = m.winner < NOBODY
    at = np.flatnonzero(won)
    stance = m.stance[at, m.winner[at]]
    tsumo = np.zeros((3, WALLS, 2))
    np.add.at(tsumo, (stance, m.wall[at]), np.stack([m.tsumo[at], np.ones(len(at))], axis=1))
    worth = m.worth[at, m.winner[at]]
    points = np.ones((3, 2))
    for each in range(3):
        for by_ron in (0, 1):
            here = (stance == each) & (m.tsumo[at] == (not by_ron)) & (m.points[at] > 0)
            points[each, by_ron] = (m.points[at][here].sum() + 50.0 * 5000) / (worth[here].sum() + 50.0 * 5000)
    end_tenpai, end_slope = _fit_ready(m)
    return OutcomeTables(
        win=fitted[: 3 * WALLS].reshape(3, WALLS),
        tenpai=fitted[3 * WALLS : 3 * WALLS + 3],
        dealer=float(fitted[-1]),
        rivals=fitted[3 * WALLS + 3 : 3 * WALLS + 6],
        tsumo=(tsumo[..., 0] + 10.0) / (tsumo[..., 1] + 20.0),
        pays=_fit_payers(m),
        points=points,
        end_tenpai=end_tenpai,
        end_slope=end_slope,
    )


def _chances(m: Moments, flat: Doubles, cell: NDArray[np.int64], rivals: NDArray[np.int64]) -> Doubles:
    """(n, 4) chances that each of the three opponents, or nobody, wins."""
    scores = np.zeros((len(cell), 4))
    scores[:, :3] = flat[cell] + flat[3 * WALLS + m.stance] * m.sure
    scores[:, :3] += flat[3 * WALLS + 3 + m.stance] * rivals + flat[-1] * m.dealer
    scores -= scores.max(axis=1, keepdims=True)
    found: Doubles = np.exp(scores)
    found /= found.sum(axis=1, keepdims=True)
    return found


def _fit_payers(m: Moments) -> Doubles:
    """Weights, by stance, for which of two players deals in when another opponent wins by ron."""
    at = np.flatnonzero((m.winner < NOBODY) & ~m.tsumo & (m.payer >= 0))
    other = 3 - m.winner[at] - m.payer[at]
    pays, spared = m.stance[at, m.payer[at]], m.stance[at, other]

    def gradient(flat: Floats) -> Floats:
        off = 1.0 / (1.0 + np.exp(flat[pays] - flat[spared]))
        found = np.bincount(spared, off, 3) - np.bincount(pays, off, 3)
        return (found / max(1, len(at)) + 1e-4 * flat).astype(np.float32)

    return np.exp(_descend(np.zeros(3, np.float32), gradient).astype(np.float64))


def _fit_ready(m: Moments) -> tuple[Doubles, Doubles]:
    """Log-odds of being tenpai when nobody has won, by stance and wall, and slopes on those of being tenpai now."""
    at = m.winner == NOBODY
    stance, sure, ready = m.stance[at], m.sure[at], m.ready[at]
    cell = stance * WALLS + m.wall[at][:, None]

    def gradient(flat: Floats) -> Floats:
        said = 1.0 / (1.0 + np.exp(-(flat[cell] + flat[3 * WALLS + stance] * sure)))
        off = said - ready
        found = np.zeros(len(flat))
        found[: 3 * WALLS] = np.bincount(cell.ravel(), off.ravel(), 3 * WALLS)
        found[3 * WALLS :] = np.bincount(stance.ravel(), (off * sure).ravel(), 3)
        return (found / max(1, len(off)) + 1e-4 * flat).astype(np.float32)

    flat = _descend(np.zeros(3 * WALLS + 3, np.float32), gradient).astype(np.float64)
    return flat[: 3 * WALLS].reshape(3, WALLS), flat[3 * WALLS :]


def _descend(flat: Floats, gradient: Callable[[Floats], Floats]) -> Floats:
    optimiser = Adam(flat, rate=0.1, warm=1, decay=0.0)
    for step in range(ROUNDS):
        optimiser.step(gradient(flat), step / ROUNDS)
    return flat


def measure_outcomes(tables: OutcomeTables, m: Moments) -> dict[str, Any]:
    """Scores of the chances of who wins on other moments, compared with the overall mean."""
    flat = np.concatenate([tables.win.ravel(), tables.tenpai, tables.rivals, [tables.dealer]])
    rivals = (m.stance == RIICHI).sum(axis=1, keepdims=True) - (m.stance == RIICHI)
    said = _chances(m, flat, m.stance * WALLS + m.wall[:, None], rivals)
    true = np.zeros_like(said)
    true[np.arange(len(said)), m.winner] = 1.0
    base = np.tile(true.mean(axis=0), (len(true), 1))
    each: dict[str, Scores] = {"wins": score(said[:, :3], true[:, :3]), "nobody": score(said[:, 3], true[:, 3])}
    return {
        "moments": len(said),
        "log_loss": round(float(-np.log(said[true > 0]).mean()), 5),
        "log_loss_of_the_mean": round(float(-np.log(base[true > 0]).mean()), 5),
        **{name: found.to_dict() for name, found in each.items()},
    }
