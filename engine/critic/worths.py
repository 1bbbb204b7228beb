"""How recorded hands ended, and the results of their players."""

from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.critic.outcomes import (
    ENDS,
    NO_WIN,
    HandStandings,
    HandsToCome,
    expected_places,
    final_places,
    likely_tenpai,
)
from engine.model.rules import RIICHI_STICK
from engine.rules.code_kernels import ACCEPTED, SEAT_AT, TYPE
from engine.rules.recordings import End, GameColumn, KyokuColumn, Recordings

Floats = NDArray[np.float64]
Chances = NDArray[np.float32]

_SEAT: Final = 3


class Ends(NamedTuple):
    """How each hand ended, for all rows of ``Recordings.kyoku``; see :mod:`engine.critic.outcomes`."""

    ends: NDArray[np.int64]  # (hands,), 4 * winner + who paid, or NO_WIN; of two winners the first after the discard
    gains: NDArray[np.int64]  # (hands,), what the others paid to the winner, honba included; -1 if nobody or two won


def hands_to_come(kyoku: NDArray[np.int32]) -> HandsToCome:
    """The situations before recorded hands, rows of ``Recordings.kyoku``."""
    rows = kyoku.astype(np.int64)
    numbers, honba, sticks, last = (
        rows[:, column] for column in (KyokuColumn.KYOKU, KyokuColumn.HONBA, KyokuColumn.STICKS, KyokuColumn.LAST_KYOKU)
    )
    scores = rows[:, KyokuColumn.SCORE : KyokuColumn.SCORE + 4]
    return HandsToCome(scores, numbers, honba, sticks, last, np.zeros(len(rows), np.bool_))


def standings_of(moments: NDArray[Any], place: NDArray[np.int64]) -> tuple[HandStandings, NDArray[np.int64]]:
    """How hands stand at some moments, each once, and which it is for each moment.

    Args:
        moments: records of :class:`engine.rules.moment_kernels.Moment`.
        place: the number of the hand, by row of ``Recordings.kyoku``.
    """
    hands, sticks = place[moments["row"]][:, None], moments["sticks"][:, None]
    facts = np.concatenate([hands, sticks, moments["scores"], likely_tenpai(moments)], axis=1)
    each, which = np.unique(facts, axis=0, return_inverse=True)
    return HandStandings(each[:, 0], each[:, 2:6], each[:, 1], each[:, 6:10] != 0), which.reshape(-1)


def ends_of(recordings: Recordings) -> Ends:
    """How the recorded hands ended."""
    kyoku = recordings.kyoku.astype(np.int64)
    winners, payer = kyoku[:, KyokuColumn.WINNERS], kyoku[:, KyokuColumn.FROM_SEAT]
    ends = np.full(len(kyoku), NO_WIN)
    for away in (3, 2, 1):
        winner = (payer + away) & _SEAT
        won = (kyoku[:, KyokuColumn.END] == End.RON) & (winners >> winner & 1 > 0)
        ends[won] = (4 * winner + payer)[won]
    drawn = kyoku[:, KyokuColumn.END] == End.TSUMO
    ends[drawn] = 5 * np.log2(winners[drawn]).astype(np.int64)
    # those who did not win paid what they lost, their riichi sticks apart
    sticks = sticks_of(recordings.events, kyoku[:, KyokuColumn.EVENTS])
    paid = -(kyoku[:, KyokuColumn.DELTA : KyokuColumn.DELTA + 4] + RIICHI_STICK * sticks)
    lost = np.where(winners[:, None] >> np.arange(4) & 1, 0, paid).sum(axis=1)
    alone = (winners > 0) & (winners & (winners - 1) == 0)
    return Ends(ends, np.where(alone, lost, -1))


def known_later(said: Chances, end: NDArray[np.int64], hands: NDArray[np.int64], decay: float) -> Chances:
    """(n, ENDS): a mean of what is said before the later draws and of how the hand ended (lambda-returns).

    What is said before the next draw takes all tiles that may come into account, so that it spreads far less than what
    came. Ends are by absolute seats.

    Args:
        said: (n, ENDS), before each draw.
        end: (n,), how its hand ended.
        hands: (n,), the hand of each draw; those of one hand lie side by side in order.
        decay: lambda.
    """
    found = np.eye(ENDS, dtype=np.float32)[end]
    for at in range(len(found) - 2, -1, -1):
        if hands[at] == hands[at + 1]:
            found[at] = (1.0 - decay) * said[at + 1] + decay * found[at + 1]
    return found


def sticks_of(events: NDArray[Any], lengths: NDArray[np.int64]) -> NDArray[np.int64]:
    """(hands, 4): riichi sticks that each seat put down; ``lengths`` is the number of events of each hand."""
    found = np.zeros((len(lengths), 4), np.int64)
    hand = np.repeat(np.arange(len(lengths)), lengths)
    codes = events.astype(np.int64)
    declared = codes & TYPE == ACCEPTED
    np.add.at(found, (hand[declared], codes[declared] >> SEAT_AT & _SEAT), 1)
    return found


def place_changes(recordings: Recordings) -> tuple[Floats, NDArray[np.bool_]]:
    """(hands, 4) by how much each hand raised the expected final place, and (hands,) whether what followed is known.

    The sum over a game is the final place less that expected before its first hand.
    """
    kyoku, games = recordings.kyoku, recordings.games
    before = expected_places(hands_to_come(kyoku)).astype(np.float64)
    after = np.zeros_like(before)
    after[:-1] = before[1:]
    finals = games[:, GameColumn.SCORE : GameColumn.SCORE + 4].astype(np.int64)
    last = np.append(kyoku[1:, KyokuColumn.GAME] != kyoku[:-1, KyokuColumn.GAME], True)[: len(kyoku)]
    game = kyoku[last, KyokuColumn.GAME]
    after[last] = final_places(finals)[game]
    known = np.ones(len(kyoku), np.bool_)
    known[last] = finals[game].min(axis=1) != -1
    return after - before, known
