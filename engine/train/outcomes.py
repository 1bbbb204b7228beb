"""Fitting how hands end when we fold: the tables of :mod:`engine.opponents.outcomes`, on top of a fitted network.

Only this module needs torch, which finds the minima of three small convex losses.
"""

from collections.abc import Callable
from typing import Any, Final, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional

from engine.model.rules import RIICHI_STICK
from engine.opponents.network import DangerWeights, Floats, calibrated
from engine.opponents.outcomes import WALLS, Doubles, OutcomeTables, log_odds
from engine.rules.code_kernels import NO_WIN, WIN
from engine.rules.moments import moments
from engine.rules.recordings import End, KyokuColumn, Recordings
from engine.rules.table_kernels import RIICHI
from engine.train.danger import outputs_of
from engine.train.fits import row_chunks
from engine.train.sample_kernels import I_HAND, I_SEAT, I_SITUATION, I_VIEWER, I_WALL, Rows
from engine.train.scores import Scores, score

NOBODY: Final = 3
"""Index for no win; 0-2 are the opponents in order of turn."""
ROUNDS: Final = 600
"""Maximum number of steps to a minimum; some fifty are usual."""


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


def moments_of(recordings: Recordings, hands: NDArray[np.int64], weights: DangerWeights, share: float) -> Moments:
    """A share of the moments of the hands."""
    ends = np.zeros((2, len(recordings.kyoku), 4), np.int64)  # of each hand the waits as bit sets, and riichi
    for some in moments(recordings, hands, before=(WIN, NO_WIN)):
        ends[:, some["row"]] = some["waits"], some["riichi"]
    arrays = weights.arrays()
    parts = [
        _moments(recordings, rows, weights, arrays, ends)
        for rows, _ in row_chunks(recordings, hands, (share, share, share), 0)
    ]
    return Moments(*(np.concatenate([part[at] for part in parts]) for at in range(len(Moments._fields))))


def _moments(
    recordings: Recordings, rows: Rows, weights: DangerWeights, arrays: dict[str, Floats], ends: NDArray[np.int64]
) -> Moments:
    situations = rows.info[:, I_SITUATION].astype(np.int64)
    tenpai, _, deals, loss = calibrated(outputs_of(arrays, rows), rows.safe, situations, weights.calibration)
    expected = (deals * loss).sum(axis=1) / np.maximum(deals.sum(axis=1), 1e-9)
    hand = rows.info[::3, I_HAND]
    viewer = rows.info[::3, I_VIEWER].astype(np.int64)
    seats = rows.info[:, I_SEAT].reshape(-1, 3).astype(np.int64)
    kyoku = recordings.kyoku[hand]
    waits, riichi = ends[:, hand] != 0
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
        expected.astype(np.float64).reshape(-1, 3),
        winner,
        end == End.TSUMO,
        payer,
        points,
        waits[np.arange(len(hand))[:, None], seats],
    )
    return Moments(*(array[~ours] for array in found))


def fit_outcomes(moments: Moments) -> OutcomeTables:
    """The maximum likelihood tables for the moments."""
    m = moments
    win, tenpai, rivals, dealer = found = [_zeros(3, WALLS), _zeros(3), _zeros(3), _zeros()]
    winner = torch.from_numpy(m.winner)
    _descend(found, 1e-5, lambda: functional.cross_entropy(_scores(m, win, tenpai, rivals, dealer), winner))
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
        win=win.detach().numpy(),
        tenpai=tenpai.detach().numpy(),
        dealer=float(dealer.detach()),
        rivals=rivals.detach().numpy(),
        tsumo=(tsumo[..., 0] + 10.0) / (tsumo[..., 1] + 20.0),
        pays=_fit_payers(m),
        points=points,
        end_tenpai=end_tenpai,
        end_slope=end_slope,
    )


def _scores(m: Moments, win: Tensor, tenpai: Tensor, rivals: Tensor, dealer: Tensor) -> Tensor:
    """(n, 4) logarithms of how much likelier each of the three opponents wins than nobody, who is last."""
    stance, wall, sure, deals = (torch.from_numpy(each) for each in (m.stance, m.wall, m.sure, m.dealer))
    riichi = stance == RIICHI
    others = riichi.sum(1, keepdim=True) - riichi.long()
    scores = win[stance, wall[:, None]] + tenpai[stance] * sure + rivals[stance] * others + dealer * deals
    return functional.pad(scores, (0, 1))


def _fit_payers(m: Moments) -> Doubles:
    """Weights, by stance, for which of two players deals in when another opponent wins by ron."""
    at = np.flatnonzero((m.winner < NOBODY) & ~m.tsumo & (m.payer >= 0))
    other = 3 - m.winner[at] - m.payer[at]
    pays, spared = torch.from_numpy(m.stance[at, m.payer[at]]), torch.from_numpy(m.stance[at, other])
    weights = _zeros(3)
    _descend([weights], 1e-4, lambda: functional.softplus(weights[spared] - weights[pays]).sum() / max(1, len(at)))
    found: Doubles = weights.detach().exp().numpy()
    return found


def _fit_ready(m: Moments) -> tuple[Doubles, Doubles]:
    """Log-odds of being tenpai when nobody has won, by stance and wall, and slopes on those of being tenpai now."""
    at = m.winner == NOBODY
    stance, wall, sure = (torch.from_numpy(each[at]) for each in (m.stance, m.wall, m.sure))
    ready = torch.from_numpy(m.ready[at].astype(np.float64))
    odds, slope = _zeros(3, WALLS), _zeros(3)

    def loss() -> Tensor:
        said = odds[stance, wall[:, None]] + slope[stance] * sure
        return functional.binary_cross_entropy_with_logits(said, ready, reduction="sum") / max(1, len(ready))

    _descend([odds, slope], 1e-4, loss)
    return odds.detach().numpy(), slope.detach().numpy()


def _zeros(*dims: int) -> Tensor:
    return torch.zeros(dims, dtype=torch.float64, requires_grad=True)


def _descend(parameters: list[Tensor], pull: float, loss: Callable[[], Tensor]) -> None:
    """Change parameters until the loss is lowest; ``pull`` weighs their squares, so that rare cells stay near zero."""
    optimiser = torch.optim.LBFGS(parameters, max_iter=ROUNDS, line_search_fn="strong_wolfe")

    def pulled() -> Tensor:
        optimiser.zero_grad()
        found = loss() + pull / 2 * sum(each.square().sum() for each in parameters)
        found.backward()
        return found

    optimiser.step(pulled)


def measure_outcomes(tables: OutcomeTables, m: Moments) -> dict[str, Any]:
    """Scores of the chances of who wins on other moments, compared with the overall mean."""
    fitted = (torch.tensor(each) for each in (tables.win, tables.tenpai, tables.rivals, tables.dealer))
    said = _scores(m, *fitted).softmax(1).numpy()
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
