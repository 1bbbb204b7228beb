"""How a player plays and where that loses: rates and scores by situation, and the differences that recur."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from enum import StrEnum
from typing import Any, Final

from bot.page.table import figure
from bot.review import document
from bot.review.arguments import difference
from bot.review.verdicts import JUDGED
from engine.model.rules import Rules

EARLY: Final = 6
"""Last turn that counts as early: one row of the river."""
MOST: Final = 10
"""Number of habits that are listed."""
BLOCKS: Final = 6
"""Maximum number of blocks of games in a trend."""

RATES: Final = ("win", "deal_in", "riichi", "call", "draw")
WON: Final = frozenset(("tsumo", "ron"))


class Situation(StrEnum):
    """The situation of a decision; of several the first one counts."""

    LAST_HAND = "last_hand"
    AGAINST_RIICHI = "against_riichi"
    EARLY = "early"
    LATE = "late"


def situation(turn: int, threatened: bool, kyoku: int, rules: Rules) -> Situation:
    """The situation of a decision in a hand; ``threatened``: whether an opponent has declared riichi."""
    if kyoku >= rules.last_kyoku:
        return Situation.LAST_HAND
    if threatened:
        return Situation.AGAINST_RIICHI
    return Situation.EARLY if turn <= EARLY else Situation.LATE


def kind_of(row: document.Decision) -> str:
    """The kind of a difference, by which it is a habit."""
    return difference(row) or str(row["category"])


def habits(decisions: Iterable[document.Decision]) -> list[document.Habit]:
    """The differences of a game by kind and situation, with their number and the value lost.

    The kind is that of :func:`bot.review.arguments.difference`, or else the category of the decision.
    """
    summed: dict[tuple[str, str], list[float]] = {}
    for row in decisions:
        if row["verdict"] == "differs":
            summed.setdefault((kind_of(row), row["situation"]), []).append(row["loss"] or 0.0)
    return [
        {"kind": kind, "situation": where, "count": len(losses), "lost": figure(sum(losses))}
        for (kind, where), losses in summed.items()
    ]


def costliest(games: Iterable[Sequence[document.Habit]]) -> list[document.Habit]:
    """The habits that cost the most over all games, costliest first."""
    summed: dict[tuple[str, str], tuple[int, float]] = {}
    for game in games:
        for one in game:
            count, lost = summed.get((one["kind"], one["situation"]), (0, 0.0))
            summed[one["kind"], one["situation"]] = count + one["count"], lost + one["lost"]
    rows: list[document.Habit] = [
        {"kind": kind, "situation": where, "count": count, "lost": figure(lost)}
        for (kind, where), (count, lost) in summed.items()
    ]
    return sorted(rows, key=lambda row: -row["lost"])[:MOST]


def blocks(games: Sequence[document.Kept]) -> list[Sequence[document.Kept]]:
    """The games in order, in up to :data:`BLOCKS` blocks of about equal size."""
    count = min(BLOCKS, len(games))
    return [games[len(games) * at // count : len(games) * (at + 1) // count] for at in range(count)]


CHOICES: Final = ("riichi", "call", "push")
"""The choices that come again and again: whether a hand that can declare riichi does, whether a tile that can be called
is, and whether a hand pushes against a riichi."""
_IN: Final[Mapping[str, Callable[[document.Hand], bool]]] = {
    "all": lambda _: True,
    "dealer": lambda hand: hand["dealer"] == 0,
    "last_hand": lambda hand: hand["last"],
    "against_riichi": lambda hand: hand["against_riichi"],
    "own_riichi": lambda hand: hand["riichi"],
    "open": lambda hand: hand["called"],
}
"""The situations of a hand, which may be in several."""


def rates(hands: Sequence[document.Hand]) -> dict[str, float | None]:
    """The share of the hands in which each of :data:`RATES` happened; None without hands."""
    return {name: _rate(name, hands) for name in RATES}


def rates_by_situation(hands: Sequence[document.Hand]) -> dict[str, dict[str, Any]]:
    """Number of hands, rates and mean change of points by situation of the hand; situations that occurred."""
    found = {each: [hand for hand in hands if fits(hand)] for each, fits in _IN.items()}
    return {
        each: {
            "hands": len(inside),
            **rates(inside),
            "points": mean([change(hand) for hand in inside], 0),
        }
        for each, inside in found.items()
        if inside
    }


def change(hand: document.Hand) -> int:
    """The change of the player's points in a hand; 0 while it is not known."""
    return hand["deltas"][0] if hand["deltas"] else 0


def mean(values: Sequence[float], digits: int) -> float | None:
    """The rounded mean; None without values."""
    return round(sum(values) / len(values), digits) if values else None


def _rate(name: str, hands: Sequence[document.Hand]) -> float | None:
    tests: dict[str, Callable[[document.Hand], bool]] = {
        "win": lambda hand: hand["outcome"] in WON,
        "deal_in": lambda hand: hand["outcome"] == "deal_in",
        "riichi": lambda hand: hand["riichi"],
        "call": lambda hand: hand["called"],
        "draw": lambda hand: hand["outcome"] == "draw",
    }
    return round(sum(map(tests[name], hands)) / len(hands), 4) if hands else None


def choices(decisions: Iterable[document.Decision]) -> list[document.Choices]:
    """The choices of a game by kind and situation: how many, and how often the player and the bot chose it."""
    summed: dict[tuple[str, str], list[int]] = {}
    for row in decisions:
        if row["verdict"] not in JUDGED:
            continue
        for kind, played, chosen in _choices(row):
            counts = summed.setdefault((kind, row["situation"]), [0, 0, 0])
            for at, one in enumerate((True, played, chosen)):
                counts[at] += one
    return [
        {"kind": kind, "situation": where, "count": count, "played": played, "chosen": chosen}
        for (kind, where), (count, played, chosen) in summed.items()
    ]


def _choices(row: document.Decision) -> Iterable[tuple[str, bool, bool]]:
    """The choices that a decision contains, each with what the player and the bot chose."""
    played, chosen = row["played"]["kind"] if row["played"] else "", row["chosen"]["kind"]
    kinds = {one["action"]["kind"] for one in row["candidates"]}
    if "riichi" in kinds:
        yield "riichi", played == "riichi", chosen == "riichi"
    if "pass" in kinds and len(kinds) > 1 and row["category"] == "call":
        yield "call", played != "pass", chosen != "pass"
    if row["threatened"] and row["own_turn"] and row["category"] == "push_fold":
        bot, other = row["mode"] != "fold", difference(row)
        yield "push", other == "push" or (bot and other != "fold"), bot


def summed_choices(games: Iterable[Sequence[document.Choices]]) -> list[dict[str, Any]]:
    """The choices of all games: of each kind all together, and then by situation."""
    found: dict[tuple[str, str], list[int]] = {}
    for one in (one for game in games for one in game):
        for where in ("all", one["situation"]):
            counts = found.setdefault((one["kind"], where), [0, 0, 0])
            for at, number in enumerate((one["count"], one["played"], one["chosen"])):
                counts[at] += number
    order = ("all", *(each.value for each in Situation))
    return [
        {
            "kind": kind,
            "situation": where,
            "count": found[kind, where][0],
            "played": round(found[kind, where][1] / found[kind, where][0], 4),
            "chosen": round(found[kind, where][2] / found[kind, where][0], 4),
        }
        for kind in CHOICES
        for where in order
        if (kind, where) in found
    ]
