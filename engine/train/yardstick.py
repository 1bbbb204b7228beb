"""The comparison of danger estimators: the questions they are asked, and the true answers from the hidden hands."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any, Final, NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from engine._jit import Records, new_records
from engine.model.actions import DISCARDS
from engine.model.events import (
    Discard,
    Disconnected,
    Event,
    Reconnected,
    RiichiDeclared,
    Ryuukyoku,
    RyuukyokuKind,
    StartKyoku,
    Win,
)
from engine.model.seats import others
from engine.model.tiles import KINDS, counts34
from engine.opponents.danger import Danger
from engine.rules.code_kernels import DISCARD
from engine.rules.codes import HiddenTileError
from engine.rules.moment_kernels import Moment
from engine.rules.moments import game_moments
from engine.shanten import waits as find_waits
from engine.shanten.tables import hand_tables
from engine.state import FourViews, GameState
from engine.train.sample_kernels import Opposed, fill_opposed
from engine.train.scores import Heap, Scores, scores_by_stance

OPPONENTS: Final = 3


def discards_of(events: Sequence[Event]) -> tuple[NDArray[Any], NDArray[Any]]:
    """Every discard of a game in which all hands are visible, in order, and the opponents at each.

    Returns:
        The moments before the discards, records of :class:`engine.rules.moment_kernels.Moment`; three records of
        :class:`engine.train.sample_kernels.Opposed` for each, by absolute seat.

    Raises:
        HiddenTileError: a hand or a drawn tile is hidden, as in captured sessions.
    """
    moments = game_moments(events, before=(DISCARD,))
    rows = new_records(Opposed, OPPONENTS * len(moments))
    fill_opposed(cast("Records[Moment]", moments), hand_tables(), rows)
    return moments, np.asarray(rows)


@dataclass
class Won:
    """The wins on one discard."""

    # the seats that won on it; at a triple ron, which is a draw, all others
    by: list[int] = field(default_factory=list)
    # points the discarder paid to each seat that won on it, honba included, by absolute seat
    paid: list[int] = field(default_factory=lambda: [0, 0, 0, 0])


def wins_on_discards(events: Sequence[Event]) -> list[Won]:
    """The wins on each discard of a game, in order."""
    found: list[Won] = []
    discard: Discard | None = None
    for event in events:
        if isinstance(event, Discard):
            discard = event
            found.append(Won())
        elif isinstance(event, Win) and discard is not None:
            found[-1].by.append(event.seat)
            found[-1].paid[event.seat] = -event.deltas[discard.seat]
        elif isinstance(event, Ryuukyoku) and event.kind is RyuukyokuKind.TRIPLE_RON and discard is not None:
            found[-1].by.extend(others(discard.seat))
            discard = None
        elif not isinstance(event, Disconnected | Reconnected):
            discard = None
    return found


class Question(NamedTuple):
    """A seat with a choice of discards."""

    state: GameState  # a copy of its view
    discarded: int  # ``tile34`` that it discarded
    kinds: NDArray[np.int64]  # the kinds that it could have discarded
    opponents: NDArray[Any]  # the other three, records of :class:`engine.train.sample_kernels.Opposed`
    paid: NDArray[np.int64]  # by seat, what it paid for the tile it discarded


class WonHand(NamedTuple):
    """A hand that was won, before the last discard.

    Attributes:
        state: a copy of the view of the last player to discard before the win.
        winner: absolute seat.
        waits: (34,) flags of the hand's waits.
    """

    state: GameState
    winner: int
    waits: NDArray[np.bool_]


def ask(events: Sequence[Event], share: float, chance: Random) -> Iterator[Question]:
    """Questions from a share of the discards of a game; players in riichi are left out because they have no choice."""
    _, rows = discards_of(events)
    won = wins_on_discards(events)
    for number, (state, discard) in enumerate(_asked(events)):
        if state.riichi[state.seat] or chance.random() >= share:
            continue
        kinds = sorted({action.tile >> 2 for action in state.legal_actions() if action.kind in DISCARDS})
        opponents = rows[OPPONENTS * number : OPPONENTS * (number + 1)].copy()
        yield Question(state.copy(), discard.tile >> 2, np.array(kinds), opponents, np.array(won[number].paid))


def won_hands(events: Sequence[Event]) -> Iterator[WonHand]:
    """Every win of a game, sampled as in the paper on waits: the winner's river just before it."""
    after: list[list[Win]] = []
    wins: list[Win] = []
    for event in events:
        if isinstance(event, Discard | StartKyoku):
            wins = []
        if isinstance(event, Discard):
            after.append(wins)
        elif isinstance(event, Win):
            wins.append(event)
    for (state, _), wins in zip(_asked(events), after, strict=True):
        for win in wins:
            if win.seat != state.seat and win.concealed and state.rivers[win.seat]:
                yield WonHand(state.copy(), win.seat, waits_of(win))


def waits_of(win: Win) -> NDArray[np.bool_]:
    """(34,) flags of the waits of the hand that won."""
    held = list(win.concealed)
    held.remove(win.tile)
    flags = np.zeros(KINDS, bool)
    flags[list(find_waits(counts34(held), len(win.melds)))] = True
    return flags


def _asked(events: Sequence[Event]) -> Iterator[tuple[GameState, Discard]]:
    """Every discard of a game with the discarder's view before it and before the riichi declared with it."""
    views = FourViews()
    declared: GameState | None = None
    for event in events:
        if isinstance(event, StartKyoku) and None in event.hands:
            raise HiddenTileError("hands are hidden; use logs, not captured sessions")
        elif isinstance(event, RiichiDeclared):
            declared = views[event.seat].copy()
        elif isinstance(event, Discard):
            yield declared or views[event.seat], event
            declared = None
        views.apply(event)


class Answers:
    """The answers of one estimator.

    Attributes:
        asked: a row for each opponent and each kind that could have been discarded: the number of its stance, whether
            the kind was discarded, the chance of a deal-in, and whether it was one.
        anyone: of each discard, the chance that it deals in to any of the three, and whether it did.
        paid: of each deal-in, the points that were predicted, and those that were paid.
    """

    def __init__(self) -> None:
        self.asked, self.anyone, self.paid = Heap(), Heap(), Heap()

    def add(self, question: Question, danger: Danger) -> None:
        """Add one answer."""
        kinds, discarded, seats = question.kinds, question.discarded, question.opponents["seat"]
        rons = question.opponents["rons"]
        self.asked.add(
            stance=np.repeat(question.opponents["stance"], len(kinds)),
            thrown=np.tile(kinds == discarded, OPPONENTS),
            said=danger.p_deal_in[seats[:, None], kinds].ravel(),
            true=(rons[:, None] >> kinds & 1).ravel(),
        )
        anyone = (rons >> discarded & 1).any()
        self.anyone.add(said=np.array([danger.deal_in(discarded)]), true=np.array([anyone]))
        paid = seats[question.paid[seats] > 0]
        self.paid.add(said=danger.loss[paid, discarded].astype(np.float64), paid=question.paid[paid])

    def scores(self, *, thrown: bool) -> dict[str, Scores]:
        """The scores by stance of the opponent, and of all: for the kinds discarded, or for those that could be."""
        counted = self.asked["thrown"] | (not thrown)
        return scores_by_stance(*(self.asked[name][counted] for name in ("stance", "said", "true")))

    def losses(self) -> dict[str, float]:
        """For the deal-ins that happened: how many, mean points predicted and paid, and mean error."""
        said, paid = self.paid["said"], self.paid["paid"]
        if not len(said):
            return {"deal_ins": 0}
        return {
            "deal_ins": len(said),
            "mean_said": float(said.mean()),
            "mean_paid": float(paid.mean()),
            "mean_error": float(np.abs(said - paid).mean()),
        }


def wait_answers(hands: Iterable[WonHand], estimate: Callable[[GameState], Danger]) -> Heap:
    """What an estimator says of hands that were won: (n, 34) chance of each kind as a wait, given tenpai; the waits."""
    found = Heap()
    for hand in hands:
        danger = estimate(hand.state)
        tenpai = max(float(danger.p_tenpai[hand.winner]), 1e-6)
        found.add(said=danger.p_wait[[hand.winner]] / np.float32(tenpai), true=hand.waits[None])
    return found


class KindScore(NamedTuple):
    """Scores for one kind: F1, precision and recall (0-1), number of samples, and number of positive ones."""

    f1: float
    precision: float
    recall: float
    positive: int
    tested: int


def score_kind(said: NDArray[np.bool_], truth: NDArray[np.bool_]) -> KindScore:
    """F1, precision and recall of the positive class; 0 if no prediction was right."""
    right = int((said & truth).sum())
    precision = right / max(int(said.sum()), 1)
    recall = right / max(int(truth.sum()), 1)
    f1 = 2 * right / max(int(said.sum()) + int(truth.sum()), 1)
    return KindScore(f1, precision, recall, int(truth.sum()), len(truth))


def best_thresholds(said: NDArray[np.float32], true: NDArray[np.bool_]) -> NDArray[np.float32]:
    """(34,) the threshold on each kind's chance that gives the best F1 on these hands."""
    found = np.full(KINDS, np.inf, np.float32)
    for kind in range(KINDS):
        order = np.argsort(-said[:, kind], kind="stable")
        values, hits = said[order, kind], np.cumsum(true[order, kind])
        f1 = 2 * hits / (np.arange(1, len(order) + 1) + max(int(hits[-1]), 1))
        last_of_value = np.append(values[1:] != values[:-1], True)
        found[kind] = values[int(np.argmax(np.where(last_of_value, f1, -1.0)))]
    return found


def f1_by_kind(said: NDArray[np.float32], true: NDArray[np.bool_], thresholds: NDArray[np.float32]) -> list[float]:
    """F1 of each kind, 0-1, if a chance of at least the threshold predicts a wait."""
    return [score_kind(said[:, kind] >= thresholds[kind], true[:, kind]).f1 for kind in range(KINDS)]
