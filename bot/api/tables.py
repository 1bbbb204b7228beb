"""A hand at its table: the worth of each action, the danger of each tile, and what a policy would do."""

from dataclasses import dataclass, fields

from bot.api.arguments import decision_of, of_outside, typed, view_in_order
from bot.api.rows import Rows
from bot.api.tiles import Tiles
from bot.deciding.players import PlayerSpec
from bot.evaluate.guarded import estimator_named, evaluator_named
from bot.evaluate.hand_fields import furiten_after, furiten_after_action, improves, tile_of
from bot.evaluate.hands import Rivers, Written, read_position, read_view
from bot.machine.errors import InputError
from bot.page.picture import image, state_picture
from engine.model.actions import DISCARDS
from engine.model.budget import Budget
from engine.model.seats import absolute
from engine.model.tiles import format_tile37
from engine.policy.decision import Candidate, Decision
from engine.search.position import PositionError
from engine.state import GameState, Phase


@dataclass(frozen=True, slots=True)
class ActionValue:
    """An action and its figures; those that were not computed are None.

    Attributes:
        action: in words: ``'discard 1m'``, ``'riichi 1p'``, ``'pon 5z'``, ``'pass'``.
        tile: the tile of the action; empty if it has none.
        value: the higher, the better. :func:`evaluate`: points gained in the mean. :func:`rank`: points, as the command
            ``evaluate`` shows them; the policy's own unit where it states no worth of a point.
        p_win: chance to win the hand, 0-1.
        p_deal_in: chance that the discard deals in now, 0-1.
        win_points: mean points of a win.
        shanten, ukeire: after a discard.
        furiten: whether the hand that the action leaves is tenpai and cannot win by ron: a wait is in the own river, or
            a win was passed. None after a win, and after a call without a discard.
    """

    action: str
    tile: str
    value: float
    p_win: float | None = None
    p_deal_in: float | None = None
    win_points: float | None = None
    shanten: int | None = None
    ukeire: int | None = None
    furiten: bool | None = None


@dataclass(frozen=True, slots=True)
class TileDanger:
    """The danger of discarding one tile of the hand.

    Attributes:
        tile: the tile.
        deal_in: chance that anybody wins on it, 0-1.
        right, across, left: the same for each opponent.
        loss: mean points paid if it deals in.
    """

    tile: str
    deal_in: float
    right: float
    across: float
    left: float
    loss: float


@typed
def evaluate(hand: str | Written, evaluator: str = "dag", nodes: int = 100_000) -> Rows[ActionValue]:
    """The worth of each action of a hand in points if only the own hand counts, best first.

    Args:
        hand: the tiles, 13 or 14; with :class:`Written` also melds, dora, winds, score, turn, rules and a tile offered.
        evaluator: ``NAME``, ``NAME:KEY=VALUE,…`` or ``module:Class``.
        nodes: bound on the search.
    """
    position = read_position(Written(hand) if isinstance(hand, str) else hand)
    try:
        with of_outside():
            found = evaluator_named(evaluator).evaluate(position, budget=Budget(nodes=nodes))
    except PositionError as error:
        raise InputError(str(error)) from None
    values: Rows[ActionValue] = Rows()
    for worth in found.actions:
        after = improves(position, worth.choice)
        tile = tile_of(position, worth.choice)
        values.append(
            ActionValue(
                str(worth.choice),
                format_tile37(tile) if tile >= 0 else "",
                worth.value,
                worth.p_win,
                None,
                worth.win_points,
                None if after is None else after.shanten,
                None if after is None else after.total,
                furiten_after(position, worth.choice, worth.then34),
            )
        )
    return values


@typed
def table(written: Written, rivers: Rivers | None = None) -> GameState:
    """The view of the seat that holds the hand, after it has drawn the last tile of the hand.

    Args:
        written: the hand and its table; a dora is required.
        rivers: the others' discards, a star after the riichi tile.

    Raises:
        InputError: something in it is impossible, or has no effect on a view.
    """
    for field in fields(Written):
        name = field.name
        if name in {"visible", "turn", "against"} and getattr(written, name) != field.default:
            raise InputError(f"{name} has no effect on a view, which follows from the rivers; leave it out")
    return read_view(written, rivers or Rivers(), (written.points, 25_000, 25_000, 25_000))


@typed
def danger(state: GameState, estimator: str = "model") -> Rows[TileDanger]:
    """The danger of each tile of the hand, most dangerous first.

    Args:
        state: a seat's view: from :func:`table`, or a decision's in a log.
        estimator: ``model``, ``mj1``, ``suji``, ``waits``, or ``module:Class``.

    Raises:
        InputError: there is no such estimator, it fails, no hand is in progress, or the view was written into.
    """
    state = view_in_order(state)
    with of_outside():
        found = estimator_named(estimator)[0].estimate(state)
    rows = []
    for kind, held in enumerate(state.counts):
        if held:
            right, across, left = (float(found.p_deal_in[absolute(side, state.seat), kind]) for side in (1, 2, 3))
            rows.append(
                TileDanger(format_tile37(kind), found.deal_in(kind), right, across, left, found.expected_loss(kind))
            )
    return Rows(sorted(rows, key=lambda row: -row.deal_in))


@typed
def rank(state: GameState, policy: str = "value") -> Rows[ActionValue]:
    """The actions that a policy considered, the one that it would choose first.

    Args:
        state: a seat's view in which the seat has something to answer.
        policy: ``NAME``, ``NAME:KEY=VALUE,…`` or ``module:Class``.

    Raises:
        InputError: there is no such policy, it fails, the seat has nothing to answer, or something was written into the
            view.
    """
    state = view_in_order(state)
    if not state.legal_actions():
        raise InputError(f"{state.place()}: seat {state.seat} has nothing to answer in this view")
    decision = decision_of(PlayerSpec.parse(policy).make(0), state)
    return Rows(_value(state, each, decision) for each in decision.candidates or (Candidate(decision.action, 0.0),))


def _painted(state: GameState) -> str:
    """A view as a picture in a page, with a text for those who do not see it."""
    title = "no hand in progress" if state.phase is Phase.IDLE else state.place()
    return image(state_picture(state, title), repr(state))


GameState.painter = _painted


def _value(state: GameState, candidate: Candidate, decision: Decision) -> ActionValue:
    action = candidate.action
    points = decision.points(candidate.score)
    tile = str(Tiles.of136([action.tile])) if action.kind in DISCARDS else ""
    return ActionValue(
        str(action),
        tile,
        candidate.score if points is None else points,
        candidate.p_win,
        candidate.p_deal_in,
        None,
        candidate.shanten,
        candidate.ukeire,
        furiten_after_action(state, action),
    )
