"""``oshihiki bench decisions``: values that a policy states for single decisions, compared with their results.

From a recorded position with the true hands of all four players, the hand is played to its end after either of two
answers, by the network ``phoenix`` on all seats, with the same shuffled walls. The mean difference of the results does
not depend on the policy's own model, nor on most of the luck that decides whole games.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from math import log
from typing import Annotated, Any, ClassVar, Final, NamedTuple

import numpy as np
import typer
from numpy.typing import NDArray

from bot.lab.experiment import COUNT, Column, Rows, estimated, figures_of, print_table, rows_of
from bot.lab.seats import Games, Seat, SeatRows, Share, sampled_decisions
from bot.machine.outlet import error_screen
from bot.machine.text import plural
from bot.replay.decisions import DecisionPoint
from engine.arena.playout import PlayoutError, Playouts, RecordedHand
from engine.model.actions import CALLS, DISCARDS, PASS, Action, ActionKind
from engine.model.standing import StandingWorth
from engine.networks.imitation import shipped_network
from engine.networks.imitation_layout_kernels import WHO_PHOENIX, WHO_PROGRAM
from engine.policy.batches import PhoenixPlayers
from engine.policy.decision import Candidate, Decision
from engine.policy.grounds import Note
from engine.policy.phoenix import imitate
from engine.policy.registry import BATCHED
from engine.policy.scene import Scene
from engine.policy.value.strong_play import RAREST
from protocol.logs.game_log import GameLog

FEWEST: Final = 20
"""Fewest decisions for a fit."""
OWN_SPREAD: Final = 500.0
"""Spread of the results of different decisions that walls do not explain, in points; decisions weigh by both."""


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
    DISPUTED = "disputed"
    """Any of these in which the policy and strong players prefer different answers; asked for, not found."""


class Judged(NamedTuple):
    """Two answers compared. Differences are those of the first minus the second, in points."""

    # kind of the decision; the first answer is the riichi, the call or the push, otherwise the policy's choice
    matter: str
    closed: bool  # whether the hand is closed before the decision
    shanten: int  # shanten of the hand before the decision
    turn: int  # the seat's turn in the hand
    folds: bool  # whether the hand folds after the first answer
    # difference of the values that the policy states; negative also where something else, such as a prior, decided for
    # the first answer
    stated: float
    came: float | None  # mean difference of the results over the walls; None if the referee cannot follow the hand
    spread: float | None  # standard error of ``came``
    prior: float  # difference of the logarithms of the chances that strong players choose the answers
    answers: tuple[str, str]  # both answers as text


class Pair(NamedTuple):
    """Two answers to compare, and how much more likely strong players are to choose the first, as a logarithm."""

    matter: Matter
    first: Candidate
    second: Candidate
    prior: float

    @property
    def disputed(self) -> bool:
        """Whether the policy and strong players prefer different answers."""
        return (self.first.score - self.second.score) * self.prior < 0


def rivals_of(scene: Scene, decision: Decision, chances: dict[Action, float]) -> Pair:
    """The two answers of a decision that are compared; ``chances``: those that strong players choose each."""
    matter, first, second = _rivals(scene, decision, chances)
    return Pair(matter, first, second, _log(chances, first.action) - _log(chances, second.action))


def _rivals(scene: Scene, decision: Decision, chances: dict[Action, float]) -> tuple[Matter, Candidate, Candidate]:
    ranked = decision.candidates
    best = ranked[0]
    if scene.asked_to_call:
        call = next((one for one in ranked if one.action.kind in CALLS), best)
        return Matter.CALL, call, next(one for one in ranked if one.action == PASS)
    riichi = next((one for one in ranked if one.action.kind is ActionKind.RIICHI), None)
    if riichi is not None:
        tile34 = riichi.action.tile >> 2
        silent = (one for one in ranked if one.action.kind is ActionKind.DISCARD and one.action.tile >> 2 == tile34)
        if (found := next(silent, None)) is not None:
            return Matter.RIICHI, riichi, found
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


def judged(
    game: GameLog, point: DecisionPoint, decision: Decision, pair: Pair, worth: StandingWorth, walls: int
) -> Judged:
    """A decision with the results of both answers, played on over shuffled walls."""
    scene = Scene(point.state, point.legal)
    hand = RecordedHand.until(game.start.rules, game.events, point.place.event)
    answers = pair.first.action, pair.second.action
    mean = spread = None
    try:
        playouts = Playouts(hand, [wall for _ in answers for wall in range(walls)])
        first = [{point.state.seat: answer} for answer in answers for _ in range(walls)]
        brought = np.array([worth(after) for after in playouts.play_out(first, PhoenixPlayers())])
        came = (brought[:walls] - brought[walls:]) / decision.per_point
        mean, spread = float(came.mean()), float(came.std(ddof=1) / len(came) ** 0.5)
    except PlayoutError:
        pass
    return Judged(
        pair.matter.value,
        scene.position.closed,
        scene.shanten,
        point.place.turn,
        str(decision.mode) == "fold",
        (pair.first.value - pair.second.value) / decision.per_point,
        mean,
        spread,
        pair.prior,
        (str(pair.first.action), str(pair.second.action)),
    )


class Fit(NamedTuple):
    """``result = stated * difference of values + prior * difference of log chances``, each with its standard error."""

    stated: tuple[float, float]  # points of result for a stated point; 1 if the values are right
    # points of result for a unit of the logarithm of the chance that strong players choose an answer; 0 if the values
    # leave nothing to be learned from them
    prior: tuple[float, float]


def fitted(rows: Rows) -> Fit | None:
    """The weights of values and of strong players' choices in the results; None for too few decisions.

    Weighted least squares, with errors that allow for unequal spreads (White, 1980).
    """
    if len(rows) < FEWEST:
        return None
    weights = (rows.spread**2 + OWN_SPREAD**2) ** -0.5
    causes = np.stack([rows.stated, rows.prior], axis=1) * weights[:, None]
    results = rows.came * weights
    coefficients, _, rank, _ = np.linalg.lstsq(causes, results)
    if rank < causes.shape[1]:
        return None
    inverse = np.linalg.inv(causes.T @ causes)
    scattered = causes * (results - causes @ coefficients)[:, None]
    errors = np.sqrt(np.diag(inverse @ (scattered.T @ scattered) @ inverse))
    (stated, prior), (stated_error, prior_error) = coefficients.tolist(), errors.tolist()
    return Fit((stated, stated_error), (prior, prior_error))


# -- columns -----------------------------------------------------------------------------------------------------------

Estimate = tuple[float | None, float | None]
"""A figure and its standard error; None for too few decisions."""


def _mean(values: NDArray[np.float64]) -> Estimate:
    error = round(float(values.std(ddof=1) / len(values) ** 0.5), 1) if len(values) > 1 else None
    return round(float(values.mean()), 1), error


def _weight(rows: Rows, which: str) -> Estimate:
    fit = fitted(rows)
    return (None, None) if fit is None else (round(getattr(fit, which)[0], 2), round(getattr(fit, which)[1], 2))


ESTIMATES: Final = (
    estimated("stated", "stated", ".0f", lambda rows: (_mean(rows.stated)[0], None)),
    estimated("came", "result", ".0f", lambda rows: _mean(rows.came)),
    Column("off", (), lambda rows: _mean(rows.came - rows.stated), lambda _: ()),
    estimated("per_stated", "per stated", ".2f", lambda rows: _weight(rows, "stated")),
    estimated("per_log_chance", "per log p", ".0f", lambda rows: _weight(rows, "prior")),
)


def _flat(rows: Rows) -> dict[str, float | None]:
    """The estimates of a group, each error beside its figure; what is stated has none."""
    found = figures_of(rows, ESTIMATES)
    errors = {f"{name}_error": error for name, (_, error) in found.items() if name != "stated"}
    return {name: value for name, (value, _) in found.items()} | errors


@dataclass(frozen=True, kw_only=True)
class Decisions(SeatRows):
    """Judge single decisions by playing the hands to their end, with the true hidden hands and shuffled walls.

    Two answers of each decision are compared: the difference of the values that the policy states, and the difference
    of the results in points when phoenix plays on, on all seats.

    Examples:
      oshihiki bench decisions --json
      oshihiki bench decisions --games 200 --walls 32 --journal decisions.journal
      oshihiki bench decisions --only disputed --share 1
      oshihiki bench decisions --policy value:learned=0 --only disputed --only call --strong programs-large
    """

    row: ClassVar = Judged
    journal_of: ClassVar = "decisions"
    nothing: ClassVar = "no decision to judge: no held-back game that shows all hands was found"
    needs: ClassVar = ("simulator", *BATCHED.needs("phoenix"))

    games: Games = 40
    share: Share = 0.1
    walls: Annotated[int, typer.Option(min=2, help="Number of shuffled walls for each decision.")] = 16
    only: Annotated[
        list[Matter] | None,
        typer.Option(
            "--only",
            help="Only decisions of these kinds, repeatable; disputed: where the policy and strong play differ.",
        ),
    ] = None
    strong: Annotated[
        Strong, typer.Option("--strong", help="The network whose choices count as those of strong players.")
    ] = Strong.PHOENIX

    def order(self) -> dict[str, Any]:
        """What the results depend on."""
        only = sorted(matter.value for matter in self.only or ())
        return {**super().order(), "walls": self.walls, "only": only, "strong": self.strong.value}

    def measure(self, work: Seat) -> Rows:
        """The judged decisions of a seat."""
        return rows_of(Judged, self._judged(work))

    def _judged(self, seat: Seat) -> Iterator[Judged]:
        decider = self.player.make(0)
        worth: Any = decider.standing(seat.log.start.rules, seat.number)
        network = shipped_network(self.strong)
        who = WHO_PHOENIX if self.strong is Strong.PHOENIX else WHO_PROGRAM
        asked = set(self.only or ())
        kinds = asked - {Matter.DISPUTED} or set(Matter)
        for point, decision in sampled_decisions(seat, decider, self.nodes, self.share):
            scene = Scene(point.state, point.legal)
            chances = {one.action: one.value for one in imitate(network, point.state, point.legal, who)}
            pair = rivals_of(scene, decision, chances)
            if pair.matter in kinds and (pair.disputed or Matter.DISPUTED not in asked):
                yield judged(seat.log, point, decision, pair, worth, self.walls)

    def grouped(self, every: Rows) -> dict[str, Any]:
        """Means and fits with their standard errors, by kind of decision and shanten, and for each kind as a whole."""
        followed = every[~np.isnan(every.came)]
        left_out = len(every) - len(followed)
        if left_out:
            said = f"{plural(left_out, 'decision')} left out: the referee cannot follow their hands to that point"
            error_screen().print(said)
        figures: dict[str, Any] = {"policy": self.player.text, "walls": self.walls, "nodes": self.nodes}
        figures |= {"left_out": left_out, "strong": self.strong.value, "classes": []}
        for matter in sorted(set(followed.matter)):
            some = followed[followed.matter == matter]
            near = np.minimum(some.shanten, 4)
            for shanten in (*np.unique(near).tolist(), "all"):
                rows = some if shanten == "all" else some[near == shanten]
                figures["classes"].append({"matter": matter, "shanten": str(shanten), "n": len(rows), **_flat(rows)})
        return figures

    def show(self, figures: dict[str, Any]) -> None:
        """Print the classes."""
        rows = []
        for row in figures["classes"]:
            estimates = {one.name: (row[one.name], row.get(f"{one.name}_error")) for one in ESTIMATES}
            rows.append({"about": row["matter"].replace("_", " "), **row, **estimates})
        print_table(rows, ("about", "shanten"), (COUNT, *ESTIMATES))


bench_decisions = Decisions.command()
