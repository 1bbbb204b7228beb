"""What each discard that a seat may choose is worth, by the critic, with all hands known."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from engine._jit import new_records
from engine.critic.choice_kernels import fill_after_discards
from engine.critic.network import Critic, inputs_of
from engine.critic.outcomes import (
    GAINS,
    PLACE,
    WORTHS,
    HandsToCome,
    Standing,
    WorthTables,
    between_gains,
    likely_tenpai,
    worth_tables,
)
from engine.rules.moment_kernels import Moment, Moments
from engine.shanten.tables import hand_tables

Floats = NDArray[np.float32]
Numbers = NDArray[np.int64]

_AT_ONCE: Final = 4_096
"""Discards valued together, 7 MB of tables."""
MOST_WORTHS: Final = 16_384
"""Standings of hands whose worths are kept, 50 MB."""
_ONE: Final = ("kyoku", "honba", "dealt_sticks", "last_kyoku")


class DiscardValues:
    """Values discards; it keeps the room for the tables."""

    def __init__(self, critic: Critic) -> None:
        """Take who says what a table is worth."""
        self.critic = critic
        records = new_records(Moment, _AT_ONCE)
        self._room = Moments(records, np.asarray(records).view(np.uint64).reshape(_AT_ONCE, -1))
        self._known: dict[bytes, int] = {}
        self._worths = WorthTables(
            np.empty((MOST_WORTHS, 4, 4, len(GAINS), 4, WORTHS), np.float32),
            np.empty((MOST_WORTHS, 4, WORTHS), np.float32),
        )

    def places(self, games: Any, which: Numbers, seats: Numbers, kinds: Numbers, riichi: Numbers) -> Floats:
        """(n,): by how much the expected final place of the seat will have risen since the hand was dealt.

        A discard on which somebody can win is won on. What the next draw is, is not known; all hands are.

        Args:
            games: tables of the simulator.
            which: (n,), the table of each discard.
            seats: (n,), who discards; it is its turn.
            kinds: (n,), the kind that it discards.
            riichi: (n,), 1 where it declares riichi with it.
        """
        found = np.empty(len(which), np.float32)
        for at in range(0, len(which), _AT_ONCE):
            some = slice(at, at + _AT_ONCE)
            found[some] = self._places(games, which[some], seats[some], kinds[some], riichi[some])
        return found

    def _places(self, games: Any, which: Numbers, seats: Numbers, kinds: Numbers, riichi: Numbers) -> Floats:
        array: NDArray[Any] = np.asarray(games)
        words = array.view(np.uint64).reshape(len(array), -1)
        wins = np.empty((len(which), 2), np.int64)
        fill_after_discards(words, which, seats, kinds, riichi, hand_tables(), self._room, wins)
        moments = np.asarray(self._room.records)[: len(which)]
        row = self._rows(array[which], moments)
        before = self.critic.values(inputs_of(moments), row, self._worths).before
        values: Floats = before[np.arange(len(which)), seats, PLACE]
        won = np.flatnonzero(wins[:, 0] >= 0)
        winners, gains = wins[won, 0], wins[won, 1] + array["honba_points"][which[won]] * array["honba"][which[won]]
        near = between_gains(gains.astype(np.float32))
        brought = self._worths.wins[row[won], winners, seats[won], :, seats[won], PLACE]
        values[won] = (near * brought).sum(axis=1)
        return values

    def _rows(self, dealt: NDArray[Any], moments: NDArray[Any]) -> Numbers:
        """(n,): the row of the worths that holds for each moment; those that are new are computed."""
        tenpai = likely_tenpai(moments)
        one = [*(dealt[name] for name in _ONE), moments["sticks"]]
        four = [dealt["dealt_scores"], moments["scores"], tenpai.astype(np.int64)]
        facts = np.concatenate([np.stack(one, axis=1), *four], axis=1)
        each, which = np.unique(facts, axis=0, return_inverse=True)
        keys = [fact.tobytes() for fact in each]
        if len(self._known) + len(keys) > MOST_WORTHS:
            self._known.clear()
        new = [at for at, key in enumerate(keys) if key not in self._known]
        if new:
            rows = len(self._known) + np.arange(len(new))
            self._known.update((keys[at], int(row)) for at, row in zip(new, rows, strict=True))
            found = _worths_of(each[new])
            self._worths.wins[rows], self._worths.no_win[rows] = found
        found_at: Numbers = np.array([self._known[key] for key in keys])
        return found_at[which.reshape(-1)]


def _worths_of(facts: Numbers) -> WorthTables:
    kyoku, honba, dealt_sticks, last, sticks = facts[:, : len(_ONE) + 1].T
    dealt, scores, tenpai = np.split(facts[:, len(_ONE) + 1 :], 3, axis=1)
    hands = HandsToCome(dealt, kyoku, honba, dealt_sticks, last, np.zeros(len(facts), np.bool_))
    return worth_tables(hands, Standing(np.arange(len(facts)), scores, sticks, tenpai != 0))
