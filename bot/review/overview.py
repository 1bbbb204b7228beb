"""The first screen of a report: how good the game was in a line, and the decisions that cost most as cards.

What strong players tend to do, the part :data:`~bot.review.measure.OPINION` of a value, is an opinion and no points at
the table: every figure that holds some of it is written with it and without it.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from bot.page.table import WrittenAction, rounded_parts
from bot.review.arguments import candidate
from bot.review.document import Decision, Hand, Review
from bot.review.measure import OPINION, ledger
from bot.review.wording import Wording
from bot.wording.languages import percent

NAMED: Final = 3
"""Number of parts that a card names, opinion among them; the others are one sum."""
MIDDLE: Final = 0.36
"""Where the bar of a card divides what speaks against the bot's choice from what speaks for it, as a share of it."""
WIDE: Final = 272.0
"""Units of the width of a bar."""


class Amount(NamedTuple):
    """A loss with and without opinion, and the opinion in it, as the page writes them; ``opinion`` is "" for none."""

    whole: str
    points: str
    opinion: str


class Piece(NamedTuple):
    """A part in the bar of a card: where it lies, and what it is."""

    kind: str  # ``gain``, ``against`` or ``opinion``
    at: float
    wide: float
    title: str


class Card(NamedTuple):
    """A decision that cost much."""

    row: Decision
    lost: Amount
    played: str
    chosen: str
    why: str
    graded: str  # why its grade is milder than its loss; "" where it is not
    pieces: Sequence[Piece]
    middle: float  # where its bar begins
    named: Sequence[tuple[str, str, str]]  # of the largest parts and the rest: kind, name and gain


def headline(fields: Review, t: Wording) -> str:
    """How good the game was: compared with other players' games if they are comparable, else what was lost."""
    score = fields["score"]
    for room, one in fields["reference"].items():
        if one["percentile"]:
            return t("head_better", percentile=one["percentile"], room=t(f"room_short_{room}"))
        if one["percentile"] is not None:
            return t("rating_lowest", room=t(f"room_{room}"))
    if not score["judged"]:
        return t("head_nothing")
    if score["per_hundred"] is None:
        return t("head_lost", lost=t.value_of(score["lost"]))
    return t("head_rating", lost=t.value_of(score["per_hundred"]))


def match_rate(fields: Review, t: Wording) -> str:
    """How often the bot's choice was made, and the number of blunders and mistakes; "" if nothing was judged."""
    score = fields["score"]
    if not score["judged"]:
        return ""
    shares = {"same": percent(score["same"] / score["judged"]), "agreed": percent(score["agreement"])}
    key = "head_match" if score["blunders"] else "head_match_no_blunder"
    return t(key, blunders=score["blunders"], mistakes=score["mistakes"], **shares)


def gains_of(row: Decision) -> dict[str, float]:
    """What each part of the value brings the bot's choice more than what was played; empty where that is unknown."""
    mine = candidate(row, row["played"])
    return dict(ledger(row, mine, row["candidates"][0]).gains) if mine is not None else {}


def rounded_gains(row: Decision, decimals: int) -> dict[str, float]:
    """What each part brings the bot's choice more, rounded so that the parts add up to the rounded loss."""
    return rounded_parts(gains_of(row), row["loss"] or 0.0, decimals)


def amount(loss: float, opinion: float, t: Wording) -> Amount:
    """A loss, of which some is opinion."""
    decimals = t.scale.decimals
    parts = rounded_parts({"points": loss - opinion, OPINION: opinion}, loss, decimals)
    return _written(round(loss, decimals), parts.get(OPINION, 0.0), t)


def _written(loss: float, opinion: float, t: Wording) -> Amount:
    """Rounded figures, a loss with its minus sign."""
    whole, points, share = (t.amount(-each, sign=True) for each in (loss, loss - opinion, opinion))
    return Amount(whole, points, share if opinion else "")


def opinions(fields: Review) -> dict[str, float]:
    """The opinion in what was lost, by category, and of all decisions under the key ``""``."""
    found = {"": 0.0}
    for row in fields["decisions"]:
        if row["loss"] and (opinion := gains_of(row).get(OPINION, 0.0)):
            for key in ("", row["category"]):
                found[key] = found.get(key, 0.0) + opinion
    return found


def losses(fields: Review, t: Wording) -> list[tuple[str, float, Amount]]:
    """Each category in which something was lost, the costliest first: its name, its share of the largest, its loss."""
    opinion = opinions(fields)
    lost = {name: one["lost"] for name, one in fields["categories"].items() if one["lost"]}
    most = max(lost.values(), default=0.0)
    return [
        (name, value / most, amount(value, opinion.get(name, 0.0), t))
        for name, value in sorted(lost.items(), key=lambda item: -item[1])
    ]


def lost_by_hand(fields: Review, t: Wording) -> list[tuple[Hand, str]]:
    """Each hand with what was lost in it, rounded so that the hands add up to the game."""
    lost = {str(at): hand["score"]["lost"] for at, hand in enumerate(fields["hands"])}
    found = rounded_parts(lost, fields["score"]["lost"], t.scale.decimals)
    return [(hand, t.amount(found.get(str(at), 0.0))) for at, hand in enumerate(fields["hands"])]


def cards(fields: Review, t: Wording) -> list[Card]:
    """The decisions that cost most, worst first; the bars of all have one scale."""
    rows = {row["number"]: row for row in fields["decisions"]}
    worst = [rows[number] for number in fields["turning_points"]]
    gains = [rounded_gains(row, t.scale.decimals) for row in worst]
    lefts = [-sum(min(gain, 0.0) for gain in each.values()) / MIDDLE for each in gains]
    rights = [sum(max(gain, 0.0) for gain in each.values()) / (1.0 - MIDDLE) for each in gains]
    scale = WIDE / max([*lefts, *rights, 1e-9])
    return [_card(row, each, scale, t) for row, each in zip(worst, gains, strict=True)]


def _card(row: Decision, gains: Mapping[str, float], scale: float, t: Wording) -> Card:
    """The card of a decision whose parts have been rounded so that they add up."""
    played = row["played"] or row["chosen"]
    return Card(
        row=row,
        lost=_written(round(row["loss"] or 0.0, t.scale.decimals), gains.get(OPINION, 0.0), t),
        played=_label(played, row["chosen"], t),
        chosen=_label(row["chosen"], played, t),
        why=t.reason(row) or t.cost(row),
        graded=t.sentences(t.graded(row)),
        pieces=list(_pieces(gains, scale, t)),
        middle=MIDDLE * WIDE,
        named=list(_named(gains, t)),
    )


def _label(action: WrittenAction, other: WrittenAction, t: Wording) -> str:
    """An answer in a word and its tiles; a discard of a tile that could have been a riichi is silent."""
    silent = action["kind"] == "discard" and other["kind"] == "riichi"
    return t.action({**action, "kind": "silent"} if silent else action, "short")


def _by_size(gains: Mapping[str, float]) -> list[tuple[str, float]]:
    """The parts with their gains, the largest first and opinion last."""
    return sorted(gains.items(), key=lambda part: (part[0] == OPINION, -abs(part[1])))


def _kind(part: str, gain: float) -> str:
    return "opinion" if part == OPINION else "gain" if gain > 0.0 else "against"


def _pieces(gains: Mapping[str, float], scale: float, t: Wording) -> Iterator[Piece]:
    """The parts side by side: what speaks for the bot's choice right of the middle, the rest left of it."""
    ends = {True: MIDDLE * WIDE, False: MIDDLE * WIDE}
    for part, gain in _by_size(gains):
        wide = abs(gain) * scale
        at = ends[gain > 0.0] - (0.0 if gain > 0.0 else wide)
        ends[gain > 0.0] = at + wide if gain > 0.0 else at
        yield Piece(_kind(part, gain), at, wide, f"{t(f'part_{part}')} {t.amount(gain, sign=True)}")


def _named(gains: Mapping[str, float], t: Wording) -> Iterator[tuple[str, str, str]]:
    """The largest parts, the sum of the others, and opinion."""
    parts = [part for part in _by_size(gains) if part[0] != OPINION]
    named = NAMED - 1 if gains.get(OPINION) else NAMED
    for part, gain in parts[:named]:
        yield _kind(part, gain), t(f"part_{part}"), t.amount(gain, sign=True)
    rest = round(sum(gain for _, gain in parts[named:]), t.scale.decimals)
    if rest:
        yield _kind("", rest), t("part_rest"), t.amount(rest, sign=True)
    if gains.get(OPINION):
        yield "opinion", t(f"part_{OPINION}"), t.amount(gains[OPINION], sign=True)
