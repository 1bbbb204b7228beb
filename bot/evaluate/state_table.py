"""A position of a game judged by a policy, with the danger of each tile: as a table for people, and as JSON."""

import json as json_text
from collections.abc import Sequence
from dataclasses import dataclass
from time import perf_counter
from typing import Any, Final

import typer
from rich import box
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from bot.deciding.fields import action_fields, decision_fields
from bot.deciding.players import PlayerSpec
from bot.evaluate.guarded import estimator_named
from bot.evaluate.hand_fields import furiten_after_action
from bot.evaluate.hand_table import state_action_text
from bot.evaluate.hands import Rivers, Written, read_view
from bot.evaluate.log_place import find_decision, parse_place
from bot.machine.errors import InputError
from bot.machine.outlet import output_screen
from bot.machine.outside import find_here_too
from bot.machine.text import plural
from bot.replay.decisions import look_alike
from bot.wording.events import SIDES
from bot.wording.grounds import note_word, value_text, value_unit, word, words
from engine.model.actions import DISCARDS, Action, ActionKind
from engine.model.budget import Budget
from engine.model.seats import WIND_LETTERS, absolute, others, relative
from engine.model.tiles import format_tile37, format_tiles
from engine.opponents.danger import Danger
from engine.opponents.registry import NamesEstimator
from engine.policy.decision import Decision
from engine.state import GameState


@dataclass(frozen=True, slots=True)
class AnalysedState:
    """A position and its evaluation."""

    state: GameState  # the seat's view
    title: str  # title of the position
    played: Action | None  # what was played there, if that is known
    policy: str  # name of the policy
    decision: Decision  # its decision
    estimator: str  # name of the danger estimator
    danger: Danger  # its estimate
    milliseconds: float  # time taken


WIDE: Final = 110
"""Width in columns from which the table is laid out more generously."""


def render(judged: AnalysedState, width: int) -> RenderableType:
    """The table for people, on a screen of ``width`` columns; 80 are enough."""
    state = judged.state
    actions = _actions(judged, wide=width >= WIDE)
    parts: list[RenderableType] = [_heading(judged), _players(state, judged.danger), actions]
    for at, each in enumerate(judged.decision.grounds):
        parts.append(Text(f"· {word(each)}", style="bold" if at == 0 else ""))
    parts.append(Text(f"\npolicy {judged.policy}, danger by {judged.estimator}, {judged.milliseconds:.0f} ms", "dim"))
    return Group(*parts)


def _heading(judged: AnalysedState) -> Text:
    state = judged.state
    dora = format_tiles(state.dora_indicators, state.rules.red_fives)
    words = f"{judged.title}   seat {state.seat}   {plural(state.wall_left, 'tile')} left   dora indicator {dora}"
    words += f"   sticks {state.riichi_sticks}" if state.riichi_sticks else ""
    words += f"   {format_tiles([state.offered])} is offered" if state.turn != state.seat else ""
    hand = format_tiles(state.hand, state.rules.red_fives)
    return Text(f"{words}\nhand {hand}") + Text("   furiten" if _is_furiten(state) else "", style="red")


def _is_furiten(state: GameState) -> bool:
    """Whether the hand, without a tile just drawn, is tenpai and cannot win by ron."""
    return bool(state.waits) and state.furiten


def _players(state: GameState, danger: Danger) -> Table:
    table = Table("seat", box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column("points", justify="right")
    table.add_column("tenpai", justify="right")
    table.add_column("melds")
    table.add_column("discards (riichi *)")
    for seat in (state.seat, *others(state.seat)):
        side = SIDES[relative(seat, state.seat)]
        melds = " ".join(format_tiles(meld.tiles, state.rules.red_fives) for meld in state.melds[seat])
        river = " ".join(format_tiles([tile.tile]) + "*" * tile.riichi for tile in state.rivers[seat])
        table.add_row(
            f"{side} {WIND_LETTERS[relative(seat, state.dealer)]}",
            f"{state.scores[seat]:,}",
            "" if seat == state.seat else _percent(float(danger.p_tenpai[seat])),
            melds,
            river,
        )
    return table


def _actions(judged: AnalysedState, *, wide: bool) -> Table:
    state = judged.state
    decision = judged.decision
    leans = any(candidate.prior is not None for candidate in decision.candidates)
    titles = (value_unit(decision), "win", "deals in", *SIDES[1:], "costs", "shanten" if wide else "sh.", "ukeire")
    table = Table("action", box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, int(wide)))
    for title in (*titles, "strong play") if leans else titles:
        table.add_column(title, justify="right", overflow="fold")
    table.add_column()
    for place, candidate in enumerate(decision.candidates):
        discarded = candidate.action.tile >> 2 if candidate.action.kind in DISCARDS else -1
        sides = [
            "" if discarded < 0 else _percent(float(judged.danger.p_deal_in[absolute(side, state.seat), discarded]))
            for side in (1, 2, 3)
        ]
        notes = [note_word(candidate.note)] if candidate.note else []
        if furiten_after_action(state, candidate.action):
            notes.append("furiten")
        if judged.played is not None and look_alike(candidate.action, judged.played, red_fives=state.rules.red_fives):
            notes.append("played")
        table.add_row(
            state_action_text(candidate.action, red_fives=state.rules.red_fives),
            value_text(decision, candidate.score),
            _percent(candidate.p_win),
            _percent(candidate.p_deal_in),
            *sides,
            "" if not candidate.p_deal_in else f"{candidate.expected_loss or 0:,.0f}",
            "" if candidate.shanten is None else str(candidate.shanten),
            "" if candidate.ukeire is None else str(candidate.ukeire),
            *([_percent(candidate.prior)] if leans else []),
            ", ".join(notes),
            style="bold" if place == 0 else None,
        )
    return table


def _percent(share: float | None) -> str:
    return "" if share is None else f"{share:.1%}"


def fields(judged: AnalysedState) -> dict[str, Any]:
    """The evaluation as plain values for ``--json``. Seats are relative to the viewer: right, across, left.

    ``furiten`` is of the hand without a tile just drawn, ``furiten_discards`` are those that leave a furiten hand.
    """
    state, danger = judged.state, judged.danger
    sides = {SIDES[side]: absolute(side, state.seat) for side in (1, 2, 3)}
    return {
        "position": judged.title,
        "seat": state.seat,
        "tiles": format_tiles(state.hand, state.rules.red_fives),
        "scores": state.scores,
        "wall_left": state.wall_left,
        "furiten": _is_furiten(state),
        "furiten_discards": [
            format_tiles([action.tile], state.rules.red_fives)
            for action in state.legal_actions()
            if action.kind is ActionKind.DISCARD and furiten_after_action(state, action)
        ],
        "policy": judged.policy,
        "decision": decision_fields(judged.decision),
        "why": words(judged.decision),
        "played": None if judged.played is None else action_fields(judged.played),
        "ms": round(judged.milliseconds, 3),
        "estimator": judged.estimator,
        "p_tenpai": {side: float(danger.p_tenpai[seat]) for side, seat in sides.items()},
        "danger": {
            format_tile37(kind): {
                **{side: float(danger.p_deal_in[seat, kind]) for side, seat in sides.items()},
                "deal_in": danger.deal_in(kind),
                "loss": danger.expected_loss(kind),
            }
            for kind in range(34)
            if state.counts[kind]
        },
    }


@dataclass(frozen=True, slots=True)
class AnalysisOptions:
    """The evaluators, and how the result is shown."""

    player: PlayerSpec  # the policy
    danger: str = "model"  # name of the estimator of the danger columns
    nodes: int | None = None  # bound on search nodes; None: the policy's own
    json: bool = False  # whether to print everything as JSON
    fetch: bool = False  # whether a log that an address names and that is not here is asked for

    def __post_init__(self) -> None:
        find_here_too(self.danger)
        fault = NamesEstimator().fault(self.danger)
        if fault:
            raise InputError(f"--danger: {fault}")


def show_place(place: str, asked: AnalysisOptions) -> None:
    """Print a policy's evaluation of a position in a log, ``LOG#E3-1/turn9/seat2``; see :mod:`bot.evaluate.log_place`.

    Raises:
        InputError: the position does not exist.
    """
    point = find_decision(parse_place(place), fetch=asked.fetch)
    _show(_judge(point.state, point.legal, str(point.place), point.played, asked), asked)


def show_view(written: Written, rivers: Rivers, scores: tuple[int, int, int, int], asked: AnalysisOptions) -> None:
    """Print a policy's evaluation of a table that is written.

    Raises:
        InputError: the table is impossible.
    """
    state = read_view(written, rivers, scores)
    _show(_judge(state, state.legal_actions(), state.place(), None, asked), asked)


def _judge(
    state: GameState, legal: Sequence[Action], title: str, played: Action | None, asked: AnalysisOptions
) -> AnalysedState:
    player = asked.player.make(0)
    started = perf_counter()
    decision = player.decide(state, legal, Budget(asked.nodes))
    milliseconds = 1_000 * (perf_counter() - started)
    estimator, instead = estimator_named(asked.danger)
    if instead:
        typer.echo(instead, err=True)
    return AnalysedState(
        state, title, played, asked.player.text, decision, estimator.name, estimator.estimate(state), milliseconds
    )


def _show(judged: AnalysedState, asked: AnalysisOptions) -> None:
    if asked.json:
        typer.echo(json_text.dumps(fields(judged)))
        return
    out = output_screen()
    out.print(render(judged, out.width))
