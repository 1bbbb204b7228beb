"""The kernels' face towards Python: each legal answer weighed, and the threats."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple, get_type_hints

import numpy as np

from engine._jit import Records, new_records
from engine.model.actions import DISCARDS, Action, ActionKind
from engine.model.tiles import HONOURS, KINDS, counts34
from engine.opponents.danger_tables import danger_tables
from engine.policy.decision import Candidate
from engine.policy.grounds import GroundKind
from engine.policy.simple import plan_kernels as plans
from engine.policy.simple.answer_kernels import answer_question
from engine.policy.simple.sight_kernels import ROOM, Option, Sight
from engine.rules.answer_kernels import NUMBER
from engine.rules.answers import number_of, words_of
from engine.shanten.tables import hand_tables
from engine.state import GameState

_HONITSU: Final = (GroundKind.HONITSU_MANZU, GroundKind.HONITSU_PINZU, GroundKind.HONITSU_SOUZU)
_PLANS: Final = {
    plans.CLOSED: GroundKind.CLOSED_HAND,
    plans.NO_YAKU: GroundKind.NO_YAKU,
    plans.YAKUHAI: GroundKind.YAKUHAI,
    **{plans.YAKUHAI_PAIR + kind: GroundKind.YAKUHAI for kind in range(KINDS - HONOURS)},
    plans.TANYAO: GroundKind.TANYAO,
    **{plans.HONITSU + suit: flush for suit, flush in enumerate(_HONITSU)},
    plans.TOITOI: GroundKind.TOITOI,
}


class Threat(NamedTuple):
    """An opponent who may win on our discard."""

    seat: int  # absolute seat
    riichi: bool  # whether the opponent is in riichi
    tenpai: float  # chance that the opponent is tenpai, 0-1
    deal_in: list[float]  # by ``tile34``, chance that the tile, discarded now, deals in, 0-1


class Threats(NamedTuple):
    """The opponents in riichi or with open melds, according to the plain danger tables."""

    each: tuple[Threat, ...]  # the threats, those in riichi first
    chance: list[float]  # by ``tile34``, chance that the tile deals in to any of them
    loss: list[float]  # by ``tile34``, mean points lost if it does


@dataclass(frozen=True, slots=True)
class Weighed:
    """A legal answer with its prospects; see :class:`~engine.policy.simple.sight_kernels.Option` for the figures."""

    action: Action  # the answer
    plan: GroundKind  # the way to a yaku that the hand follows; ``closed``: whether that is a closed hand's
    closed: bool
    shanten: int
    ukeire: int
    kinds: tuple[int, ...]  # the ``tile34`` that lower the shanten or, of a tenpai hand, complete it
    points: float
    p_win: float
    value: float
    deal_in: float
    loss: float
    danger: float
    net: float

    def candidate(self, value: float) -> Candidate:
        """The candidate that the decision shows, with the value by which it was ranked."""
        chance, loss = (self.deal_in, self.loss) if self.action.kind in DISCARDS else (None, None)
        return Candidate(self.action, value, self.p_win, chance, loss, self.shanten, self.ukeire)


class Weighing(NamedTuple):
    """The kernels' results for one question."""

    action: Action  # the answer chosen
    folded: bool  # whether the hand folds
    ordered: tuple[Weighed, ...]  # the answers as the decision shows them, the one chosen first, except nine terminals
    best: Weighed  # on a turn of one's own, the discard that attacks best; else the pass
    nearer: Weighed | None  # the best call that brings the hand nearer to a win; None if there is none
    threats: Threats  # who may win on the discard


def weigh(state: GameState, legal: Sequence[Action], limits: Sequence[int], folded: bool) -> Weighing:
    """Weigh the legal answers, of which there are several and none is a win.

    Args:
        state: the seat's view.
        legal: the answers.
        limits: the push/fold table, see :class:`~engine.policy.pushfold.PushFoldTable`.
        folded: whether the hand has folded before.

    Raises:
        ValueError: the state does not hold the tiles of the answers; somebody has changed it.
    """
    _refuse_spoiled(state, legal)
    red_fives = state.rules.red_fives
    actions = {number_of(action, state.drawn, red_fives) & NUMBER: action for action in reversed(legal)}
    sights, options = new_records(Sight), new_records(Option, ROOM)
    sight = sights[0]
    sight.legal[:] = words_of(actions)
    sight.folded = folded
    answer = _ask(state, limits, sights, options)
    rows = np.asarray(options)[: sight.options].tolist()
    found = [_weighed(dict(zip(_FIELDS, row, strict=True)), actions) for row in rows]
    return Weighing(
        actions[answer],
        bool(sight.folded),
        tuple(found[at] for at in sight.order[: sight.ordered].tolist()),
        found[sight.best],
        found[sight.nearer] if sight.nearer >= 0 else None,
        _threats(sight),
    )


def _refuse_spoiled(state: GameState, legal: Sequence[Action]) -> None:
    """Refuse a state that code from outside, such as an estimator, has changed: kernels trust what they are given."""
    held = state.hand
    taken = {tile for action in legal for tile in (action.own or (action.tile,)) if action.kind in _FROM_THE_HAND}
    size = len(held) + 3 * len(state.melds[state.seat])
    if size not in {13, 14} or not taken.issubset(held) or counts34(held) != list(state.counts):
        raise ValueError("the hand of the state is not the one that was dealt: something has changed it")


_FROM_THE_HAND: Final = DISCARDS | {ActionKind.CHI, ActionKind.PON, ActionKind.ANKAN, ActionKind.KAKAN}


def threats_of(state: GameState) -> Threats:
    """The threats to a state's seat."""
    sights = new_records(Sight)
    _ask(state, (0,), sights, new_records(Option))
    return _threats(sights[0])


def _threats(sight: Sight) -> Threats:
    rows = zip(sight.seats.tolist(), sight.tenpai.tolist(), sight.deal_in.tolist(), strict=True)
    each = [Threat(seat, at < sight.riichi, tenpai, deal_in) for at, (seat, tenpai, deal_in) in enumerate(rows)]
    return Threats(tuple(each[: sight.number]), sight.chance.tolist(), sight.loss.tolist())


_FIELDS: Final = tuple(get_type_hints(Option))


def _ask(state: GameState, limits: Sequence[int], sights: Records[Sight], options: Records[Option]) -> int:
    return answer_question(state.as_table(), np.array(limits), danger_tables().figures, hand_tables(), sights, options)


def _weighed(figures: Mapping[str, Any], actions: Mapping[int, Action]) -> Weighed:
    plan, kinds = figures["plan"], figures["kinds"]
    return Weighed(
        actions[figures["answer"]],
        _PLANS[plan],
        plan == plans.CLOSED,
        kinds=tuple(kind for kind in range(KINDS) if kinds >> kind & 1),
        **{name: figures[name] for name in _SHOWN},
    )


_SHOWN: Final = ("shanten", "ukeire", "points", "p_win", "value", "deal_in", "loss", "danger", "net")
