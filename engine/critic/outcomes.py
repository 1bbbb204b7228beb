"""How a hand may end, and what each end is worth to every player: points, and final places.

An end is a winner, who pays, and how much; or that nobody wins. The tables take the hand as it stands: riichi sticks
that come later are left out. They serve a critic whose errors cost precision alone.
"""

from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.model.rules import RIICHI_STICK, Rules
from engine.rules.course import next_hands
from engine.rules.course_kernels import OVER
from engine.scoring.payments import noten_deltas
from engine.worth.placement import RANKS, features, placement_model

Floats = NDArray[np.float32]
Numbers = NDArray[np.int64]

POINTS, PLACE = range(2)
WORTHS: Final = 2
"""What an end is worth: points gained, and by how much the expected final place rises (to rise is to lose)."""
NO_WIN: Final = 16
ENDS: Final = 17
"""Ends: 4 * winner + the seat that pays, the winner itself for a self-draw; and NO_WIN."""
GAINS: Final = np.array([1_000, 3_000, 6_000, 9_000, 14_000, 32_000])
"""Points won, honba included and sticks not, for which the worth is computed; it is linear between them."""
LATE: Final = 20
"""Tiles in the wall below which who is tenpai counts for the payments when it runs out."""
_PLACES: Final = np.arange(1.0, RANKS + 1.0)


class HandsToCome(NamedTuple):
    """Hands about to be dealt, one row each; or games, where ``over``."""

    scores: Numbers  # (n, 4)
    # kyoku, honba, sticks, last_kyoku: (n,)
    kyoku: Numbers
    honba: Numbers
    sticks: Numbers
    last_kyoku: Numbers
    over: NDArray[np.bool_]  # (n,), whether the game has ended with these scores


def expected_places(hands: HandsToCome) -> Floats:
    """(n, 4): the expected final place of each seat, in sum 10."""
    found = np.empty((len(hands.kyoku), 4), np.float32)
    over = hands.over
    found[over] = final_places(hands.scores[over])
    scores, kyoku, honba, sticks, last = (each[~over] for each in hands[:5])
    model = placement_model()
    for seat in range(4):
        inputs = features(scores, kyoku, honba, sticks, np.full(len(kyoku), seat), last)
        found[~over, seat] = model.ranks(inputs) @ _PLACES
    # the network looks at each seat by itself; together they take the four places
    found -= (found.sum(axis=1, keepdims=True) - _PLACES.sum()) / 4
    return found


def final_places(scores: Numbers) -> Floats:
    """(n, 4): the place of each seat; of equal scores the seat that dealt first stands above."""
    order = np.argsort(-scores, axis=1, kind="stable")
    places = np.empty(scores.shape, np.float32)
    np.put_along_axis(places, order, np.broadcast_to(_PLACES.astype(np.float32), scores.shape), 1)
    return places


def seen_from(ends: Numbers, seats: Numbers) -> Numbers:
    """(n,): ends by absolute seats, as :data:`ENDS` numbers them, with seats counted from others."""
    winner, payer = (ends // 4 - seats) & 3, (ends - seats) & 3
    return np.where(ends == NO_WIN, NO_WIN, 4 * winner + payer)


def turned(ends: Floats, seats: Numbers) -> Floats:
    """(n, ENDS): chances of ends by absolute seats, from chances with seats counted from others."""
    found = np.empty_like(ends)
    np.put_along_axis(found, _ABSOLUTE[seats], ends, 1)
    return found


def turned_back(ends: Floats, seats: Numbers) -> Floats:
    """(n, ENDS): chances of ends with seats counted from others, from chances by absolute seats."""
    return np.take_along_axis(ends, _ABSOLUTE[seats], 1)


def _absolute() -> Numbers:
    """(4, ENDS): the end by absolute seats of each end with seats counted from one seat."""
    ends, seats = np.arange(ENDS), np.arange(4)[:, None]
    found: Numbers = 4 * ((ends // 4 + seats) & 3) + ((ends + seats) & 3)
    return np.where(ends == NO_WIN, NO_WIN, found)


_ABSOLUTE: Final = _absolute()


class HandStandings(NamedTuple):
    """How n hands stand while they are played."""

    hands: Numbers  # (n,), which of the hands that were dealt
    scores: Numbers  # (n, 4), riichi sticks paid
    sticks: Numbers  # (n,), on the table
    tenpai: NDArray[np.bool_]  # (n, 4), who would be tenpai if the wall ran out


def likely_tenpai(moments: NDArray[Any]) -> NDArray[np.bool_]:
    """(n, 4): who would be tenpai if the wall ran out, a guess: who is tenpai late in a hand, and nobody before."""
    tenpai: NDArray[np.bool_] = (moments["waits"] != 0) & (moments["wall"] < LATE)[:, None]
    return tenpai


def as_dealt(hands: HandsToCome) -> HandStandings:
    """How hands stand when they are dealt."""
    n = len(hands.kyoku)
    return HandStandings(np.arange(n), hands.scores, hands.sticks, np.zeros((n, 4), np.bool_))


class WorthTables(NamedTuple):
    """Results of each end of a hand for each seat, counted from the deal, for n hands."""

    wins: Floats  # (n, 4, 4, GAINS, 4, WORTHS): by winner, who pays, points won, and seat
    no_win: Floats  # (n, 4, WORTHS)


def worth_tables(hands: HandsToCome, now: HandStandings, return_points: int = Rules().return_points) -> WorthTables:
    """The results of each end of the hands, counted from their deals."""
    n = len(now.hands)
    dealers = hands.kyoku[now.hands] % 4
    changes = _shares(dealers)[:, :, :, None, :] * GAINS[:, None]
    changes += RIICHI_STICK * now.sticks[:, None, None, None, None] * np.eye(4)[:, None, None, :]
    noten = noten_deltas()[now.tenpai @ (1 << np.arange(4))]
    changes = np.concatenate([changes.reshape(n, 16 * len(GAINS), 4), noten[:, None]], axis=1)
    scores = now.scores[:, None] + np.rint(changes / 100.0).astype(np.int64) * 100
    winners = np.append(np.repeat(np.arange(4), 4 * len(GAINS)), -1)
    after = _after(hands, now, scores, winners, return_points)
    ends = changes.shape[1]
    places = expected_places(after).reshape(n, ends, 4) - expected_places(hands)[now.hands, None]
    points = changes + (now.scores - hands.scores[now.hands])[:, None]
    worths = np.stack([points, places], axis=3).astype(np.float32)
    return WorthTables(worths[:, :-1].reshape(n, 4, 4, len(GAINS), 4, WORTHS), worths[:, -1])


def _shares(dealers: Numbers) -> NDArray[np.float64]:
    """(n, 4, 4, 4): share of what is won that comes to each seat, by winner, who pays (or the winner), and seat."""
    seats = np.arange(4)
    share = np.zeros((len(dealers), 4, 4, 4))
    dealt = np.where(seats == dealers[:, None], 0.5, 0.25)
    for winner in range(4):
        for payer in range(4):
            share[:, winner, payer, payer] = -1.0
        paid = np.where((dealers == winner)[:, None], 1.0 / 3.0, dealt)
        share[:, winner, winner] = -paid
        share[:, winner, :, winner] = 1.0
    return share


def _after(
    hands: HandsToCome, now: HandStandings, scores: Numbers, winners: Numbers, return_points: int
) -> HandsToCome:
    """The hands that follow each end, (n * ends) rows."""
    n, ends = scores.shape[:2]
    scores = scores.reshape(-1, 4)
    kyoku, honba, last = (np.repeat(each[now.hands], ends) for each in (hands.kyoku, hands.honba, hands.last_kyoku))
    won = np.tile(winners, n)
    dealers = kyoku % 4
    tenpai = np.repeat(now.tenpai, ends, axis=0)[np.arange(n * ends), dealers]
    drawn = won < 0
    stays = np.where(drawn, tenpai, won == dealers)
    after, honba = next_hands(
        last, return_points, kyoku, honba, scores, dealer_stays=stays, drawn=drawn, aborted=np.zeros(n * ends, np.bool_)
    )
    return HandsToCome(scores, after, honba, np.where(drawn, np.repeat(now.sticks, ends), 0), last, after == OVER)


def between_gains(gains: Floats) -> Floats:
    """(…, GAINS): how near each gain is to those that the worth is known for; in sum 1."""
    gains = np.clip(gains, GAINS[0], GAINS[-1])
    above = np.clip(np.searchsorted(GAINS, gains), 1, len(GAINS) - 1)
    low, high = GAINS[above - 1], GAINS[above]
    share = ((gains - low) / (high - low)).astype(np.float32)
    near = np.zeros((*gains.shape, len(GAINS)), np.float32)
    np.put_along_axis(near, above[..., None], share[..., None], -1)
    np.put_along_axis(near, above[..., None] - 1, 1.0 - share[..., None], -1)
    return near
