"""A table as one seat sees it, as plain values: what the pages draw.

Seats are relative: 0 self, 1 right, 2 across, 3 left. Tiles are two characters, ``5p``, a red five ``0p``, honours
``1z``-``7z``; rows of tiles are these written without separators.
"""

from collections.abc import Iterable, Mapping
from dataclasses import fields as fields_of
from decimal import ROUND_HALF_UP, Decimal
from enum import StrEnum
from math import floor
from typing import Any, Final, NamedTuple, NotRequired, cast

from typing_extensions import TypedDict  # that of Python 3.11 is not checked by pydantic

from engine.model.actions import Action
from engine.model.melds import Meld
from engine.model.seats import relative, turn_order
from engine.model.tiles import TILE34, TILE37, format_tile37
from engine.policy.decision import Candidate, Parts
from engine.state import GameState, RiverTile

TSUMOGIRI: Final = 1
RIICHI: Final = 2
CALLED: Final = 4
"""Marks of a river tile, of which the sum follows the tile: ``5p3`` is a drawn tile discarded with riichi."""


def figure(value: float) -> float:
    """A value with six significant digits."""
    return float(f"{value:.6g}") + 0.0


def rounded(figure: float | None, digits: int) -> float | None:
    """A figure with that many decimals; None stays None."""
    if figure is None:
        return None
    return round(figure, digits) + 0.0 if digits else float(round(figure))


class WrittenAction(TypedDict):
    """An action."""

    kind: str
    tile: NotRequired[str]
    own: NotRequired[str]  # the own tiles that complete a call


class WrittenMeld(TypedDict("_From", {"from": NotRequired[int]})):
    """A meld: its own tiles, and the called one with the seat ``from`` which it came."""

    kind: str
    tiles: str
    called: NotRequired[str]
    added: NotRequired[str]


class WrittenTable(TypedDict):
    """Everything a seat sees."""

    hand: str
    drawn: str | None
    offered: str | None
    turn: int
    rivers: list[str]
    melds: list[list[WrittenMeld]]
    riichi: list[int]
    scores: list[int]
    dora: str
    wall: int
    sticks: int
    waits: NotRequired[str]
    furiten: NotRequired[bool]
    resumed: NotRequired[bool]


class Form(StrEnum):
    """How a column of the ranking writes a figure."""

    VALUE = "value"
    """In the unit of the values."""
    CHANCE = "chance"
    """A percentage."""
    SMALL_CHANCE = "small_chance"
    """A percentage with one decimal."""
    POINTS = "points"
    """Small, beside the chance that it is about."""
    COUNT = "count"
    """A whole number."""


class Figure(NamedTuple):
    """A figure of a candidate: how JSON and every page write it."""

    key: str  # its name in JSON, and in :class:`~engine.policy.decision.Candidate`
    form: Form  # its unit, and how the ranking writes it
    decimals: int | None  # decimals in JSON; None: six significant digits, or a whole number
    column: str  # the column that shows it, by the key of its head in ``bot/review/assets/words.*.json``; "" for none


FIGURES: Final = (
    Figure("value", Form.VALUE, None, "c_value"),
    Figure("p_win", Form.CHANCE, 4, "c_win"),
    Figure("win_points", Form.POINTS, 0, "c_win"),
    Figure("p_deal_in", Form.SMALL_CHANCE, 4, "c_deal_in"),
    Figure("expected_loss", Form.POINTS, 0, "c_deal_in"),
    Figure("p_later", Form.CHANCE, 4, "c_later"),
    Figure("later_loss", Form.POINTS, 0, ""),
    Figure("shanten", Form.COUNT, None, "c_shape"),
    Figure("ukeire", Form.COUNT, None, "c_shape"),
    Figure("prior", Form.CHANCE, 4, "c_prior"),
    Figure("p_tenpai", Form.CHANCE, 4, ""),
)
"""The figures of a candidate, in the order of the columns that show them; the first column is that of the value."""
COLUMNS: Final = {
    column: {one.key: one.form for one in FIGURES if one.column == column}
    for column in dict.fromkeys(one.column for one in FIGURES if one.column)
}
"""The columns of the ranking on every page with the figures in each, as ``table.js`` draws them."""


_PERCENT: Final = {Form.CHANCE: Decimal(1), Form.SMALL_CHANCE: Decimal("0.1")}
"""The steps in which ``table.js`` draws chances as percentages."""


def drawn_figures(one: Mapping[str, Any]) -> dict[str, float]:
    """The figures of a candidate that a ranking draws, its value aside, no more precise than they are drawn."""
    known = {each.key: each.form for each in FIGURES if each.column and each.form is not Form.VALUE and each.key in one}
    return {key: _drawn(one[key], form) for key, form in known.items()}


def _drawn(value: float, form: Form) -> float:
    if form in _PERCENT:  # as the script rounds
        return float(Decimal(100 * value).quantize(_PERCENT[form], ROUND_HALF_UP) / 100)
    return round(value) if form is Form.POINTS else value


class WrittenCandidate(TypedDict):
    """A candidate, with those of :data:`FIGURES` that the policy computed."""

    action: WrittenAction
    value: float
    p_win: NotRequired[float]
    win_points: NotRequired[float]
    p_deal_in: NotRequired[float]
    expected_loss: NotRequired[float]
    p_later: NotRequired[float]
    later_loss: NotRequired[float]
    shanten: NotRequired[int]
    ukeire: NotRequired[int]
    prior: NotRequired[float]
    p_tenpai: NotRequired[float]
    parts: NotRequired[dict[str, float]]
    note: NotRequired[str]


def written_candidate(one: Candidate, red_fives: bool = True) -> WrittenCandidate:
    """A candidate: action, figures, parts and note; those that the policy did not compute are left out."""
    found: dict[str, Any] = {each.key: _written(each, one) for each in FIGURES}
    found |= {"parts": one.parts and parts_fields(one.parts), "note": one.note}
    known = {name: value for name, value in found.items() if value is not None}
    return cast("WrittenCandidate", {"action": written_action(one.action, red_fives), **known})


def _written(each: Figure, one: Candidate) -> float | None:
    value: float | None = one.score if each.form is Form.VALUE else getattr(one, each.key)
    if value is None or each.form is Form.COUNT:
        return value
    return figure(value) if each.decimals is None else rounded(value, each.decimals)


def parts_fields(parts: Parts) -> dict[str, float]:
    """The parts of a value by their names; those that are 0 are left out."""
    found = {each.name: figure(getattr(parts, each.name)) for each in fields_of(Parts)}
    return {name: value for name, value in found.items() if value}


def rounded_parts(parts: Mapping[str, float], value: float, decimals: int) -> dict[str, float]:
    """Parts rounded so that they add up to the rounded value: those that rounding changes most take the rest."""
    unit = 10.0**-decimals
    found = {name: floor(part / unit) for name, part in parts.items()}
    short = round(value / unit) - sum(found.values())
    for name in sorted(parts, key=lambda name: found[name] - parts[name] / unit)[: max(short, 0)]:
        found[name] += 1
    return {name: round(count * unit, decimals) for name, count in found.items() if count}


def tiles_text(tiles136: Iterable[int], red_fives: bool = True) -> str:
    """Tiles without separators, in the order given."""
    looks = TILE37 if red_fives else TILE34
    return "".join(format_tile37(looks[tile]) for tile in tiles136)


def sorted_text(tiles136: Iterable[int], red_fives: bool = True) -> str:
    """Tiles without separators in order of suits, a red five in the place of a five."""
    return tiles_text(sorted(tiles136), red_fives)


def kinds_text(kinds: Iterable[int]) -> str:
    """Kinds without separators."""
    return "".join(format_tile37(kind) for kind in kinds)


def copies_text(kinds: Iterable[tuple[int, int]]) -> str:
    """Kinds without separators, each followed by a number of copies: ``'5p34m2'``; those of which none are left out."""
    return "".join(f"{format_tile37(kind)}{copies}" for kind, copies in kinds if copies > 0)


def written_action(action: Action, red_fives: bool = True) -> WrittenAction:
    """An action: its kind, its tile, the own tiles that complete a call."""
    fields: WrittenAction = {"kind": action.kind.name.lower()}
    if action.tile >= 0:
        fields["tile"] = tiles_text((action.tile,), red_fives)
    if action.own:
        fields["own"] = sorted_text(action.own, red_fives)
    return fields


def table_fields(state: GameState) -> WrittenTable:
    """Everything a seat sees."""
    red = state.rules.red_fives
    seats = turn_order(state.seat)
    held = [tile for tile in state.hand if tile != state.drawn]
    fields: WrittenTable = {
        "hand": sorted_text(held, red),
        "drawn": None if state.drawn is None else tiles_text((state.drawn,), red),
        "offered": None if state.turn == state.seat or state.offered < 0 else tiles_text((state.offered,), red),
        "turn": relative(state.turn, state.seat),
        "rivers": [_river(state.rivers[seat], red) for seat in seats],
        "melds": [[meld_fields(meld, seat, red) for meld in state.melds[seat]] for seat in seats],
        "riichi": [int(state.has_declared(seat)) for seat in seats],
        "scores": [state.scores[seat] for seat in seats],
        "dora": tiles_text(state.dora_indicators, red),
        "wall": state.wall_left,
        "sticks": state.riichi_sticks,
    }
    if state.waits:
        fields["waits"] = kinds_text(state.waits)
        fields["furiten"] = state.furiten
    if not state.history_known:
        fields["resumed"] = True
    return fields


def _river(river: Iterable[RiverTile], red_fives: bool) -> str:
    return "".join(
        tiles_text((one.tile,), red_fives)
        + str(TSUMOGIRI * bool(one.tsumogiri) + RIICHI * one.riichi + CALLED * (one.called_by is not None))
        for one in river
    )


def meld_fields(meld: Meld, owner: int, red_fives: bool) -> WrittenMeld:
    """The tiles of a meld: own ones ascending; the called one separately, with the seat it came from."""
    added = meld.added if meld.kind.name == "KAKAN" else None
    own = sorted_text((tile for tile in meld.tiles if tile not in {meld.called, added}), red_fives)
    fields: WrittenMeld = {"kind": meld.kind.name.lower(), "tiles": own}
    if meld.called is not None:
        fields["called"] = tiles_text((meld.called,), red_fives)
        fields["from"] = relative(meld.from_seat, owner)
    if added is not None:
        fields["added"] = tiles_text((added,), red_fives)
    return fields
