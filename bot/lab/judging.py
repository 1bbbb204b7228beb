"""Single decisions judged by playouts: the worths that a policy states for two answers, and their results.

From a recorded position with the true hands of all four players, the hand is played to its end after either answer, by
the network ``phoenix`` on all seats, with the same shuffled walls. The mean difference of the results does not depend
on the policy's own model, nor on most of the luck that decides whole games.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from math import inf, log
from typing import Final
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from bot.deciding.ask import ask
from bot.deciding.players import PlayerSpec
from bot.replay.decisions import DecisionPoint
from bot.replay.steps import decision_points, telling_hands
from engine.arena.playout import PlayoutError, Playouts, RecordedHand
from engine.model.actions import CALLS, DISCARDS, PASS, WINS, Action, ActionKind
from engine.model.budget import Budget
from engine.model.standing import StandingWorth
from engine.networks.imitation import shipped_network
from engine.networks.imitation_layout_kernels import WHO_PHOENIX, WHO_PROGRAM
from engine.policy.batches import PhoenixPlayers
from engine.policy.decision import Candidate, Decider, Decision
from engine.policy.grounds import Note
from engine.policy.phoenix import imitate
from engine.policy.scene import Scene
from engine.policy.value.strong_play import RAREST
from protocol.logs.game_log import GameLog

FEWEST: Final = 20
"""Fewest decisions for a fit."""
OWN_SPREAD: Final = 500.0
"""Spread of the results of different decisions that walls do not explain, in points; decisions weigh by both."""


def sampled_decisions(
    game: GameLog, seat: int, decider: Decider, nodes: int, share: float
) -> Iterator[tuple[DecisionPoint, Decision]]:
    """Yield a share of a seat's decisions, selected by a hash of the game's id and their place.

    Decisions with a single answer, and those in which a win is possible, are left out; so are those of which the policy
    states no worth of a point, or weighs a single action. States are live: copy what has to be kept.
    """
    for point in decision_points(game, seat, [], telling_hands(decider)):
        place = f"{game.info.log_id or game.source}/{seat}/{point.place.event}"
        if len(point.legal) < 2 or crc32(place.encode()) >= share * 2**32:
            continue
        if any(action.kind in WINS for action in point.legal):
            continue
        decision = ask(decider, point.state, point.legal, Budget(nodes)).decision
        if decision.per_point > 0 and len(decision.candidates) > 1:
            yield point, decision


class Strong(StrEnum):
    """Networks whose choices stand for strong play."""

    PHOENIX = "phoenix"
    """Players of the phoenix room, imitated."""
    PROGRAMS_LARGE = "programs-large"
    """The large network of strong programs, asked as the strongest one; ``value`` weighs it."""


class Matter(StrEnum):
    """Kinds of decision."""

    DISCARD = "discard"
    """Which tile to discard, while nobody else is in riichi."""
    PUSH = "push"
    """Pushing or folding against a riichi: the best discard of either kind."""
    AGAINST_RIICHI = "against_riichi"
    """Which tile to discard against a riichi, if the hand cannot choose between pushing and folding."""
    RIICHI = "riichi"
    """Riichi or silent tenpai with the same discard."""
    CALL = "call"
    """A call or passing."""


@dataclass(frozen=True, slots=True)
class Judged:
    """Two answers compared. Differences are those of the first minus the second, in points."""

    # kind of the decision; the first answer is the riichi, the call or the push, otherwise the policy's choice
    matter: Matter
    closed: bool  # whether the hand is closed before the decision
    shanten: int  # shanten of the hand before the decision
    turn: int  # the seat's turn in the hand
    folds: bool  # whether the hand folds after the first answer
    # difference of the values that the policy states; negative also where something else, such as a prior, decided for
    # the first answer
    stated: float
    came: float  # mean difference of the results over the walls
    spread: float  # standard error of ``came``
    prior: float  # difference of the logarithms of the chances that strong players choose the answers
    answers: tuple[str, str]  # both answers as text


@dataclass(frozen=True, slots=True)
class Trial:
    """Settings of the judging."""

    # the policy that is judged; its values must be worths of the standing, as those of ``value`` are
    player: PlayerSpec
    nodes: int = 15_000  # bound of its searches
    walls: int = 16  # number of shuffled walls for each decision
    share: float = 0.1  # share of the decisions that are judged
    # whether only those are judged in which the policy and strong players prefer different answers
    disputed: bool = False
    matters: frozenset[Matter] = frozenset(Matter)  # the kinds of decision that are judged
    within: float = inf  # largest difference of the stated values, in points, at which a decision is judged
    strong: Strong = Strong.PHOENIX  # whose choices count as strong play; phoenix plays on in either case

    def wants(self, pair: "Pair", per_point: float) -> bool:
        """Whether a decision between these answers is judged; ``per_point``: worth of a point at the table."""
        close = abs(pair.first.value - pair.second.value) <= self.within * per_point
        return pair.matter in self.matters and close and (pair.disputed or not self.disputed)


@dataclass(frozen=True, slots=True)
class Pair:
    """Two answers to compare, and how much more likely strong players are to choose the first, as a logarithm."""

    matter: Matter
    first: Candidate
    second: Candidate
    prior: float

    @property
    def disputed(self) -> bool:
        """Whether the policy and strong players prefer different answers."""
        return (self.first.score - self.second.score) * self.prior < 0


def judged_decisions(game: GameLog, seat: int, trial: Trial) -> Iterator[Judged | None]:
    """Yield judged decisions of a seat, from those of :func:`~bot.lab.judging.sampled_decisions`.

    None stands for a decision whose hand the referee could not follow to that point.
    """
    decider = trial.player.make(0)
    worth = decider.standing(game.start.rules, seat)
    if worth is None:
        return
    network = shipped_network(trial.strong)
    who = WHO_PHOENIX if trial.strong is Strong.PHOENIX else WHO_PROGRAM
    for point, decision in sampled_decisions(game, seat, decider, trial.nodes, trial.share):
        chances = {each.action: each.value for each in imitate(network, point.state, point.legal, who)}
        matter, first, second = _rivals(Scene(point.state, point.legal), decision, chances)
        pair = Pair(matter, first, second, _log(chances, first.action) - _log(chances, second.action))
        if trial.wants(pair, decision.per_point):
            yield _judge(game, point, decision, pair, worth, trial)


def _judge(
    game: GameLog, point: DecisionPoint, decision: Decision, pair: Pair, worth: StandingWorth, trial: Trial
) -> Judged | None:
    scene = Scene(point.state, point.legal)
    hand = RecordedHand.until(game.start.rules, game.events, point.place.event)
    answers = pair.first.action, pair.second.action
    try:
        playouts = Playouts(hand, [wall for _ in answers for wall in range(trial.walls)])
        first = [{point.state.seat: answer} for answer in answers for _ in range(trial.walls)]
        brought = [worth(after) for after in playouts.play_out(first, PhoenixPlayers())]
        difference: NDArray[np.float64] = np.array(brought[: trial.walls]) - np.array(brought[trial.walls :])
        came = difference / decision.per_point
    except PlayoutError:
        return None
    return Judged(
        pair.matter,
        scene.position.closed,
        scene.shanten,
        point.place.turn,
        str(decision.mode) == "fold",
        (pair.first.value - pair.second.value) / decision.per_point,
        float(came.mean()),
        float(came.std(ddof=1) / len(came) ** 0.5),
        pair.prior,
        (str(pair.first.action), str(pair.second.action)),
    )


def _rivals(scene: Scene, decision: Decision, chances: dict[Action, float]) -> tuple[Matter, Candidate, Candidate]:
    """The kind of the decision, and the two answers."""
    ranked = decision.candidates
    best = ranked[0]
    if scene.asked_to_call:
        call = next((one for one in ranked if one.action.kind in CALLS), best)
        passing = next(one for one in ranked if one.action == PASS)
        return Matter.CALL, call, passing
    riichi = next((one for one in ranked if one.action.kind is ActionKind.RIICHI), None)
    if riichi is not None:
        silent = next(
            (
                one
                for one in ranked
                if one.action.kind is ActionKind.DISCARD and one.action.tile >> 2 == riichi.action.tile >> 2
            ),
            None,
        )
        if silent is not None:
            return Matter.RIICHI, riichi, silent
    if scene.position.riichi_against:
        push = next((one for one in ranked if one.action.kind in DISCARDS and one.note is not Note.FOLD), None)
        fold = next((one for one in ranked if one.note is Note.FOLD), None)
        if push is not None and fold is not None:
            return Matter.PUSH, push, fold
    rivals = [one for one in ranked[1:] if one.action.kind in DISCARDS] or list(ranked[1:])
    rival = max(rivals, key=lambda one: chances.get(one.action, 0.0))
    return (Matter.AGAINST_RIICHI if scene.position.riichi_against else Matter.DISCARD), best, rival


def _log(chances: dict[Action, float], action: Action) -> float:
    return log(max(chances.get(action, 0.0), RAREST))


@dataclass(frozen=True, slots=True)
class Fit:
    """``result = stated * difference of values + prior * difference of log chances``, each with its standard error."""

    stated: tuple[float, float]  # points of result for a stated point; 1 if the values are right
    # points of result for a unit of the logarithm of the chance that strong players choose an answer; 0 if the values
    # leave nothing to be learned from them
    prior: tuple[float, float]


def fitted(judged: Sequence[Judged]) -> Fit | None:
    """The weights of values and of strong players' choices in the results; None for too few decisions.

    Weighted least squares, with errors that allow for unequal spreads (White, 1980).
    """
    if len(judged) < FEWEST:
        return None
    weights = np.array([one.spread**2 + OWN_SPREAD**2 for one in judged]) ** -0.5
    causes = np.array([(one.stated, one.prior) for one in judged]) * weights[:, None]
    results = np.array([one.came for one in judged]) * weights
    coefficients, _, rank, _ = np.linalg.lstsq(causes, results)
    if rank < causes.shape[1]:
        return None
    inverse = np.linalg.inv(causes.T @ causes)
    scattered = causes * (results - causes @ coefficients)[:, None]
    errors = np.sqrt(np.diag(inverse @ (scattered.T @ scattered) @ inverse))
    (stated, prior), (stated_error, prior_error) = coefficients.tolist(), errors.tolist()
    return Fit((stated, stated_error), (prior, prior_error))
