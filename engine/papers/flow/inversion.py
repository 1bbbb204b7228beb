"""The evaluator ``inversion`` of the FLOW paper: from every winning form back to the hand.

The value of a discard is the sum over winning forms of the chance to draw what the hand then lacks, times the points of
the form. The paper lists all forms; here those at the smallest distance and one tile further are taken, and of too many
an even share, so that the cost does not depend on the turn or the shanten.

A draw serves many forms, so the sum exceeds what the hand is worth, several times while it is far from ready. The sum
was chosen over ten variants that take this into account, on the same 92 positions by which it was judged; games have
not confirmed the choice.
"""

from collections.abc import Mapping
from functools import cache
from math import comb, exp

import numpy as np
from numpy.typing import NDArray

from engine.model.actions import ActionKind
from engine.model.budget import Budget
from engine.model.rules import RIICHI_STICK
from engine.papers.flow import InversionSettings
from engine.papers.flow import inversion_kernels as kernels
from engine.papers.flow.inversion_kernels import Parts
from engine.search.evaluator import Choice, Evaluation, Stakes, Worth, discarding
from engine.search.position import Position
from engine.search.tiles import RON, circumstances, discards_of, furiten_kinds, may_declare_riichi
from engine.shanten.tables import cached


class Inversion:
    """See the module."""

    name = "inversion"
    digests: Mapping[str, str] = {}

    def __init__(self, settings: InversionSettings) -> None:
        self._settings = settings

    def evaluate(self, position: Position, stakes: Stakes | None = None, budget: Budget | None = None) -> Evaluation:
        """See :class:`~engine.search.evaluator.Evaluator`; the stakes are ignored, ``nodes`` bounds the forms."""
        del stakes
        most = self._settings.forms
        if budget is not None and budget.nodes is not None:
            most = min(most, budget.nodes)
        parts = len(all_parts().suit)
        space = kernels.Space(
            np.empty((4, parts), np.int8),
            np.empty((4, parts), np.int64),
            np.empty((4, parts)),
            np.empty((4, kernels.SHAPES * kernels.FAR + 1), np.int64),
            np.empty((4, 5, 2, kernels.FAR)),
            np.zeros(34, np.uint8),
            np.empty(34, np.int64),
            np.zeros((35, kernels.FAR, kernels.SUMS)),
        )
        unseen = np.array(position.unseen, np.int64)
        hand = kernels.Hand(
            np.array(position.counts, np.int64), unseen,
            _factors(max(1, position.draws_left), int(unseen.sum())), RON, furiten_kinds(position), position.to_discard,
        )  # fmt: skip
        taken = kernels.sum_forms(hand, all_parts(), circumstances(position), most, space)
        whole = space.sums[34]
        if not position.to_discard:
            found = [_worth(Choice(ActionKind.PASS), whole)]
        else:
            found = []
            riichi = may_declare_riichi(position)
            for kind in discards_of(position):
                sums = np.maximum(whole + space.sums[kind], 0.0)
                found.append(_worth(discarding(ActionKind.DISCARD, kind), sums))
                if riichi and sums[1, kernels.CHANCE] > 0.0:
                    found.append(_riichi(found[-1], sums[1]))
        found.sort(key=lambda worth: -worth.value)
        return Evaluation(self.name, tuple(found), shanten=position.shanten, nodes=taken)


def _factors(draws: int, tiles: int) -> NDArray[np.float64]:
    """For each number of tiles, the chance of one set of them to be among the draws."""
    draws = min(draws, tiles)
    return np.array([comb(draws, away) / max(comb(tiles, away), 1) for away in range(kernels.FAR)])


def _worth(choice: Choice, sums: NDArray[np.float64]) -> Worth:
    chance, points = float(sums[:, kernels.CHANCE].sum()), float(sums[:, kernels.POINTS].sum())
    return Worth(choice, points, win_points=points / chance if chance else None)


def _riichi(silent: Worth, last: NDArray[np.float64]) -> Worth:
    """The worth of declaring riichi with a discard, from the forms that lack one tile."""
    chance, points, silent_chance, silent_points = last.tolist()
    gain = _won(chance, points) - RIICHI_STICK * exp(-chance) - _won(silent_chance, silent_points)
    return Worth(discarding(ActionKind.RIICHI, silent.choice.tile34), silent.value + gain, win_points=points / chance)


def _won(expected: float, points: float) -> float:
    """Mean points of a win, from the expected number of wins and their points together."""
    return (1.0 - exp(-expected)) * points / expected if expected else 0.0


@cache
def all_parts() -> Parts:
    """The parts of a complete hand that a suit and the honours can hold."""
    suit, suit_shape, honours, honours_shape = cached("parts", build_parts)
    return Parts(suit, suit_shape, honours, honours_shape)  # type: ignore[arg-type]


def build_parts() -> tuple[NDArray[np.int64], ...]:
    """Build the arrays of :class:`~engine.papers.flow.inversion_kernels.Parts`; takes a fifth of a second."""
    runs = [0b001001001 << 3 * number for number in range(7)]
    return (*_parts(9, runs), *_parts(7, []))


def _parts(kinds: int, runs: list[int]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    groups = [*runs, *(3 << 3 * kind for kind in range(kinds))]
    found: list[tuple[int, int]] = []
    level = {0}
    for sets in range(5):
        with_pair = {part + (2 << 3 * kind) for part in level for kind in range(kinds)}
        found += [(part, 2 * sets) for part in sorted(level)]
        found += [(part, 2 * sets + 1) for part in sorted(with_pair) if _held(part, kinds)]
        level = {more for part in level for group in groups if _held(more := part + group, kinds)}
    return np.array([part for part, _ in found], np.int64), np.array([shape for _, shape in found], np.int64)


def _held(part: int, kinds: int) -> bool:
    """Whether no kind is needed more than four times; no count of a set and four others overflows three bits."""
    return all(part >> 3 * kind & 7 <= 4 for kind in range(kinds))
