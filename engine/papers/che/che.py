"""The evaluators ``che`` and ``che-calls``, Complete Hand Extraction, and the players of the CHE paper.

In each round some tiles are drawn at random, five more than the hand lacks, and every complete hand of four sets and a
pair is found among them and the tiles held. Its points count for every tile held that it does not use; the tile with
the most is discarded. More rounds only make the answer more certain. A closed hand declares riichi as soon as it is
tenpai, and its complete hands are valued with riichi.

``che-calls`` also judges each chi and pon: with the called set fixed it searches the rest of the hand, and the value of
the call is the mean of the points found, 0 for a hand without a yaku. It calls where this is at least the smallest win,
which is what passing is valued at. Neither makes kans.

The policies ``che`` and ``perceptron`` follow an evaluator and never fold.
"""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Final

import numpy as np

from engine.model.actions import ActionKind
from engine.model.budget import Budget
from engine.papers.che import ChePlayerSettings, CheSettings
from engine.papers.che.che_kernels import GROUPS, Extraction, extract_hands
from engine.policy.attacking import AlwaysAttacks
from engine.policy.decision import JSON
from engine.search.calls import after_call_of, choice_of_call, possible_calls
from engine.search.evaluator import Choice, Evaluation, Stakes, Worth
from engine.search.position import Position
from engine.search.tiles import circumstances, discard_choices, seed_of
from engine.shanten import standard_shanten

BATCH: Final = 32
"""Rounds between two looks at the clock."""
SMALLEST_WIN: Final = 1_000, 1_500
"""The fewest points of a win, of a non-dealer and of the dealer: what a call has to be worth on average. From the
paper."""


@dataclass(frozen=True, slots=True)
class _Found:
    """The complete hands found for one hand; ``rounds`` of them were done."""

    hand: Extraction
    rounds: int

    @property
    def mean(self) -> float:
        """Mean points of a complete hand."""
        number, points = self.hand.all.tolist()
        return points / number if number else 0.0

    def value(self, kind: int) -> float:
        """Points of the complete hands without a tile of the kind, per complete hand."""
        return float(self.hand.sums[kind] / max(self.hand.all[0], 1.0))


class Che:
    """See the module."""

    digests: Mapping[str, str] = {}

    def __init__(self, settings: CheSettings, calls: bool = False) -> None:
        self._settings = settings
        self._calls = calls
        self.name = "che-calls" if calls else "che"

    def evaluate(self, position: Position, stakes: Stakes | None = None, budget: Budget | None = None) -> Evaluation:
        """See :class:`~engine.search.evaluator.Evaluator`; the stakes are ignored, ``nodes`` bounds the rounds."""
        del stakes
        budget = budget or Budget()
        most = self._settings.rounds if budget.nodes is None else min(budget.nodes, self._settings.rounds)
        if position.to_discard:
            found = self._extract(position, most, budget)
            actions, rounds = _discards(position, found), found.rounds
        else:
            actions, rounds = self._answers(position, most, budget)
        actions.sort(key=lambda worth: -worth.value)
        return Evaluation(
            self.name, tuple(actions), shanten=position.shanten, calls=int(self._calls), nodes=rounds,
            complete=not budget.expired(),
        )  # fmt: skip

    def _answers(self, position: Position, most: int, budget: Budget) -> tuple[list[Worth], int]:
        """The worths of passing and of each call, and the number of rounds."""
        smallest = float(SMALLEST_WIN[position.dealer])
        calls = []
        if self._calls and position.offered >= 0 and not position.riichi and position.wall_left:
            calls = [call for call in possible_calls(position) if call[0] is not ActionKind.DAIMINKAN]
        actions, rounds = [], 0
        for kind, own34 in calls:
            after = after_call_of(position, kind, own34)
            found = self._extract(after, most // len(calls), budget)
            rounds += found.rounds
            then = max(_discards(after, found), key=lambda worth: worth.value, default=None)
            if then is not None:
                choice = choice_of_call(position, kind, own34)
                actions.append(Worth(choice, found.mean, then34=then.choice.tile34))
        return [*actions, Worth(Choice(ActionKind.PASS), smallest)], rounds

    def _extract(self, position: Position, most: int, budget: Budget) -> _Found:
        counts, unseen = np.array(position.counts, np.int64), np.array(position.unseen, np.int64)
        hand = Extraction(
            counts, unseen, np.array([seed_of(position)], np.uint64), np.empty(136, np.int64), np.empty(34, np.int64),
            np.empty(34, np.uint8), np.empty(GROUPS, np.int64), np.empty(4, np.int64), np.zeros(34), np.zeros(2),
        )  # fmt: skip
        table = circumstances(position)
        extra = standard_shanten(position.counts, len(position.melds)) + 1 + self._settings.extra
        rounds = 0
        while rounds < most and not (rounds and budget.expired()):
            batch = min(BATCH, most - rounds)
            extract_hands(hand, table, extra, batch)
            rounds += batch
        return _Found(hand, rounds)


def _discards(position: Position, found: _Found) -> list[Worth]:
    """The worth of each discard; a riichi is worth a point more than its discard, because it is always declared."""
    return [
        Worth(
            choice,
            found.value(choice.tile34) + (1.0 if choice.kind is ActionKind.RIICHI else 0.0),
            win_points=found.mean,
        )
        for choice in discard_choices(position)
    ]


def make_che(settings: CheSettings) -> Che:
    """The evaluator ``che``, which passes on every tile offered."""
    return Che(settings)


def make_che_calls(settings: CheSettings) -> Che:
    """The evaluator ``che-calls``."""
    return Che(settings, calls=True)


class ChePolicy(AlwaysAttacks):
    """The policy ``che``, which follows ``che-calls`` unless another evaluator is set."""

    name = "che"

    def __init__(self, seed: int = 0, settings: ChePlayerSettings | None = None) -> None:
        del seed  # the evaluators draw their random numbers from the position
        self._settings = settings or ChePlayerSettings()
        super().__init__(self._settings.evaluator)

    def settings(self) -> Mapping[str, JSON]:
        """The settings, and the evaluator's weights by their digests."""
        return {**asdict(self._settings), "weights": dict(self.evaluator.digests)}


class PerceptronPolicy(ChePolicy):
    """The paper's player "testAI", which follows the evaluator ``perceptron``."""

    name = "perceptron"

    def __init__(self, seed: int = 0) -> None:
        super().__init__(seed, ChePlayerSettings("perceptron"))
