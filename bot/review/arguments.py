"""Why one answer is worth more than another, in sentences: the parts that make the sum, and what a player sees.

Each part is a clause with the figures that it comes of, and its points. Figures that would be written alike are not
written: then the clause says only what the part is.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, Protocol

from bot.review.measure import POINTS, Ledger, folds, ledger
from bot.wording.languages import percent, tile_mark
from engine.model.rules import NOTEN_POINTS
from engine.model.seats import by_score

Fields = Mapping[str, Any]
ALIKE: Final = 0.03
"""Share by which chances or points may differ and still count as alike. A choice of style."""
MOST_DIGITS: Final = 2
"""Decimals of a percentage, at most. A choice of style."""
CALLED: Final = frozenset(("chi", "pon", "daiminkan"))
KANS: Final = frozenset(("daiminkan", "ankan", "kakan"))
"""Kinds of calls and of kans, as a review writes them."""
BY_CHANCE: Final = {
    "deal_in": ("p_deal_in", 1),
    "later": ("p_later", 0),
    "draw": ("p_tenpai", 0),
    "network": ("prior", 0),
}
"""Parts that are about a chance: the figure, and the decimals with which it is written."""
SOONER: Final = 0.05
"""Chance of an own win by which an answer must be ahead for that to be why the others win less. A choice of style."""
MOST_REASONS: Final = 2
"""Number of parts that get a clause. A choice of style."""
MOST_SMALL: Final = 2
"""Number of small parts that are named beside their sum. A choice of style."""
SO_MUCH: Final = 0.2
"""Share by which the larger of two chances, or of two values of a win, must be ahead for a sentence to say that it
outweighs the other figure. A choice of style."""
FARTHEST: Final = 2
"""Shanten up to which the tiles that bring a hand nearer are named. A choice of style."""
TILES_APART: Final = 2
"""Tiles by which what brings a hand nearer must differ to be named. A choice of style."""
AS_CHARGED: Final = 1.25
"""Factor within which the points of a deal-in account for what it is charged. A choice of style."""
TENPAI: Final = float(NOTEN_POINTS)
"""Points between tenpai and noten at an exhausted wall: exactly that with one or two players tenpai."""
COSTS: Final = {"deal_in": "expected_loss", "later": "later_loss"}
"""Parts that are a chance times a cost: the figure of the cost."""


class Words(Protocol):
    """The words of a language, as :class:`bot.review.wording.Wording` has them."""

    counts: str

    def __call__(self, key: str, **parts: Any) -> str:
        """A sentence, its places filled."""

    def amount(self, value: float, *, sign: bool = False) -> str:
        """A value in the policy's unit."""

    def points(self, value: float) -> str:
        """Points of the game."""

    def ground(self, fields: Fields) -> str:
        """A ground of a decision."""

    def listed(self, found: Iterable[str]) -> str:
        """Things in a row."""

    def clauses(self, found: Sequence[str]) -> str:
        """Clauses in a row."""

    def distance(self, shanten: int) -> str:
        """The distance of a hand from tenpai."""


def argue(t: Words, row: Fields, mine: Fields, theirs: Fields) -> list[str]:
    """The sentences on a difference, the most important first.

    Args:
        t: the wording.
        row: the decision.
        mine: the candidate that was played.
        theirs: the policy's choice.
    """
    found = ledger(row, mine, theirs)
    reasons, against = found.reasons(), found.against()
    said = list(_questions(t, row))
    first, last = _in_order(reasons[:MOST_REASONS]), against[:1]
    alone = _only_strong_play(t, row, mine, theirs) if reasons == ["network"] else ""
    said += [alone] if alone else []
    for key, one, other, parts in (
        ("for_bot", theirs, mine, [] if alone else first),
        ("for_played", mine, theirs, last),
    ):
        if parts:
            said.append(
                t(key, what=t.clauses([_clause(t, part, one, other, abs(found.gains[part])) for part in parts]))
            )
    said += _others(t, found, [*reasons[MOST_REASONS:], *against[1:]], alone=not first)
    opinions = () if alone else _opinions(t, row, mine, theirs, told="network" in last)
    return [*said, *_facts(t, row, mine, theirs, {*first, *last}), *_efficiency(t, mine, theirs), *opinions]


def _in_order(parts: list[str]) -> list[str]:
    """The parts with own wins before the places that come of them."""
    return sorted(parts, key=("win", "places").index) if set(parts) == {"win", "places"} else parts


def _only_strong_play(t: Words, row: Fields, mine: Fields, theirs: Fields) -> str:
    """That strong play alone is for the bot's choice, where nothing else is; "" where its chances look alike."""
    gains = ledger(row, mine, theirs).gains
    first, second = _apart(theirs.get("prior") or 0.0, mine.get("prior") or 0.0, 0)
    if row.get("disputed") != "network" or first == second:
        return ""
    searched = sum(gain for part, gain in gains.items() if part != "network")
    key = "only_strong_play_against" if searched < -row["noise"] else "only_strong_play"
    return t(key, one=first, other=second, gain=t.amount(gains["network"], sign=True))


def _others(t: Words, found: Ledger, parts: list[str], *, alone: bool) -> Iterator[str]:
    """The parts that are only listed, and the sum of those that matter by their sum alone."""
    listed = [t("part_gain", part=t(f"part_{part}"), gain=t.amount(found.gains[part], sign=True)) for part in parts]
    small, total = found.small()
    if small:
        names = t.listed([t(f"part_{part}") for part in small[:MOST_SMALL]])
        key = "parts_gain" if len(small) <= MOST_SMALL else "parts_gain_mostly"
        listed.append(t(key, parts=names, gain=t.amount(total, sign=True)))
    if listed:
        yield t("for_rest_alone" if alone else "for_rest", what=t.listed(listed))


def _questions(t: Words, row: Fields) -> Iterator[str]:
    """The shares of the loss that are due to the tile and to riichi."""
    asked = row.get("questions") or {}
    if asked and min(map(abs, asked.values())) > row["noise"]:
        key = "two_questions_riichi" if row["chosen"]["kind"] == "riichi" else "two_questions_silent"
        yield t(key, tile=t.amount(asked["tile"], sign=True), riichi=t.amount(asked["riichi"], sign=True))


def _clause(t: Words, part: str, one: Fields, other: Fields, gain: float) -> str:
    """The clause for an answer, ``one``, about a part in which it is better than the other."""
    worth = t.amount(gain, sign=True)
    if part == "win":
        return _wins(t, one, other, worth)
    if part in BY_CHANCE:
        return _chance(t, part, one, other, gain if t.counts == POINTS else 0.0, worth)
    if part == "others" and other["action"]["kind"] == "riichi" != one["action"]["kind"]:
        return t("because_no_stick", gain=worth)
    if part == "others" and not folds(one) and (one.get("p_win") or 0.0) > SOONER + (other.get("p_win") or 0.0):
        first, second = _apart(one["p_win"], 0.0 if folds(other) else other.get("p_win") or 0.0, 0)
        return t("because_others_win", one=first, other=second, gain=worth)
    return t(f"because_{part}", gain=worth)


def _wins(t: Words, one: Fields, other: Fields, worth: str) -> str:
    """How what is won differs: in the chance, in the value, or in both."""
    if not one.get("p_win") or "win_points" not in one:
        return t("because_win", gain=worth)
    if folds(other) or not other.get("p_win") or "win_points" not in other:
        return t("because_win_push", one=percent(one["p_win"]), points=t.points(one["win_points"]), gain=worth)
    often = _compared(one["p_win"], other["p_win"])
    dear = _compared(one["win_points"], other["win_points"])
    forms = {(1, 0): "often", (0, 1): "dear", (1, 1): "both", (1, -1): "cheap_often", (-1, 1): "dear_rare"}
    form = forms.get((often, dear), "mean")
    decisive = {"cheap_often": "p_win", "dear_rare": "win_points"}.get(form)
    if decisive is not None and (1.0 - SO_MUCH) * one[decisive] < other[decisive]:
        form = "mean"
    first, second = _apart(one["p_win"], other["p_win"], 0)
    return t(
        f"because_win_{form}",
        one=percent(one["p_win"]) if form == "dear" else first,
        other=second,
        points=t.points(one["win_points"]),
        other_points=t.points(other["win_points"]),
        mean=t.points(one["p_win"] * one["win_points"]),
        other_mean=t.points(other["p_win"] * other["win_points"]),
        gain=worth,
    )


def _chance(t: Words, part: str, one: Fields, other: Fields, gain: float, worth: str) -> str:
    """A part that is a chance times what it costs or brings."""
    figure, digits = BY_CHANCE[part]
    here, there = one.get(figure) or 0.0, other.get(figure) or 0.0
    if part == "draw" and here and folds(other) and not folds(one):
        return t("because_draw_push", one=percent(here), gain=worth)
    if part == "draw" and (folds(one) or folds(other)):
        return t("because_draw_rest", gain=worth)
    if part == "deal_in" and percent(here, digits) == percent(0.0, digits) != percent(there, digits):
        form = "pass" if one["action"]["kind"] == "pass" else "hardly" if here else "safe"
        return t(f"because_deal_in_{form}", other=percent(there, digits), gain=worth)
    first, second = _apart(here, there, digits)
    cost = max(each.get(COSTS.get(part, "")) or 0.0 for each in (one, other))
    about = {"draw": TENPAI, "network": 0.0}.get(part, cost)
    better = here > there if part in {"draw", "network"} else here < there
    if better and first != second and abs(here - there) * about >= (gain / 2.0 if about else 0.0):
        return t(f"because_{part}_chance", one=first, other=second, gain=worth)
    explained = part != "deal_in" or not (_more_than_points(one) or _more_than_points(other))
    if part in COSTS and explained:
        price, dearer = (t.points(each.get(COSTS[part]) or 0.0) for each in (one, other))
        if (one.get(COSTS[part]) or 0.0) < (other.get(COSTS[part]) or 0.0) and price != dearer:
            return t(f"because_{part}_cost", one=price, other=dearer, chance=percent(here, digits), gain=worth)
    return t(f"because_{part}_rest", gain=worth)


def _facts(t: Words, row: Fields, played: Fields, chosen: Fields, parts: set[str]) -> Iterator[str]:
    """The visible facts that belong to the parts named before."""
    mine, theirs = played.get("facts", {}), chosen.get("facts", {})
    if "win" in parts or row["category"] == "riichi":
        yield from _waits(t, mine, theirs)
    if "win" in parts and mine.get("dora", 0) != theirs.get("dora", 0):
        more = mine.get("dora", 0) > theirs.get("dora", 0)
        yield t("fact_dora_played" if more else "fact_dora_bot")
    if "yakuhai" in mine or "yakuhai" in theirs:
        yield from _yakuhai(t, row, mine, theirs)
    if "shanten" in mine and "shanten" in theirs:
        called = theirs if theirs.get("called") else mine
        before = mine if called is theirs else theirs
        if called.get("called") and not before.get("called"):
            nearer = called["shanten"] < before["shanten"]
            yield t("fact_nearer" if nearer else "fact_not_nearer", before=t.distance(before["shanten"]),
                    after=t.distance(called["shanten"]))  # fmt: skip
    if {row["played"]["kind"], row["chosen"]["kind"]} & KANS:
        riichi = max(each.get("kan", 0) for each in (mine, theirs))
        yield t("fact_kan_riichi" if riichi else "fact_kan")
    if "deal_in" in parts:
        for seat, name in mine.get("safety", {}).items():
            words = t.ground(name), t.ground(theirs["safety"][seat]) if seat in theirs.get("safety", {}) else ""
            if words[1] and words[0] != words[1]:
                yield t("fact_safety", who=t(f"who_{seat}"), mine=words[0], theirs=words[1])
        yield from _dealt(t, played, chosen)
    for seat in sorted({*mine.get("suit", {}), *theirs.get("suit", {})}):
        if (seat in mine.get("suit", {})) != (seat in theirs.get("suit", {})):
            key = "fact_suit_played" if seat in mine.get("suit", {}) else "fact_suit_bot"
            suit = (mine if key == "fact_suit_played" else theirs)["suit"][seat]
            yield t(key, who=t(f"who_{seat}"), suit=t(f"suit_{suit}"))
    if row["situation"] == "last_hand" and "places" in parts:
        yield _place(t, row["table"]["scores"])


def _yakuhai(t: Words, row: Fields, mine: Fields, theirs: Fields) -> Iterator[str]:
    """That one of the two discards lets an honour go that pays, where the hand is played on."""
    discards = {row["played"]["kind"], row["chosen"]["kind"]} == {"discard"}
    if discards and row["mode"] != "fold" and ("yakuhai" in mine) != ("yakuhai" in theirs):
        yield t("fact_yakuhai_played" if "yakuhai" in mine else "fact_yakuhai_bot")


def _efficiency(t: Words, mine: Fields, theirs: Fields) -> Iterator[str]:
    """How far the hand is after either discard and how many tiles bring it nearer, where it is played on."""
    if folds(mine) or folds(theirs) or not {"shanten", "ukeire"} <= mine.keys() & theirs.keys():
        return
    distances = {"mine": t.distance(mine["shanten"]), "theirs": t.distance(theirs["shanten"])}
    if mine["shanten"] != theirs["shanten"]:
        yield t("fact_back_played" if mine["shanten"] > theirs["shanten"] else "fact_back_bot", **distances)
    elif 0 < mine["shanten"] <= FARTHEST and abs(mine["ukeire"] - theirs["ukeire"]) >= TILES_APART:
        yield t("fact_ukeire", mine=mine["ukeire"], theirs=theirs["ukeire"])


def _waits(t: Words, mine: Fields, theirs: Fields) -> Iterator[str]:
    if "waits" not in theirs and "waits" not in mine:
        return
    if mine.get("waits") == theirs.get("waits"):
        yield t("fact_waits_same", waits=tile_mark(mine["waits"]), left=mine["left"])
        return
    for key, one in (("fact_waits_bot", theirs), ("fact_waits_played", mine)):
        if "waits" in one:
            yield t(key, waits=tile_mark(one["waits"]), left=one["left"])


def _dealt(t: Words, mine: Fields, theirs: Fields) -> Iterator[str]:
    """What a deal-in with either tile does to the game, where its points do not account for what it is charged."""
    for in_the_game, at_the_end, one in (
        ("fact_dealt_place_bot", "fact_dealt_ends_bot", theirs),
        ("fact_dealt_place_played", "fact_dealt_ends_played", mine),
    ):
        if _more_than_points(one):
            dealt = one["facts"]["dealt"]
            where = {"who": t(f"who_{dealt['to']}"), "place": t(f"place_{dealt['place']}")}
            yield t(at_the_end if dealt["ends"] else in_the_game, points=t.points(dealt["points"]), **where)


def _more_than_points(one: Fields) -> bool:
    """Whether a deal-in is charged clearly more or less than the points that it costs, for what it does to the game."""
    if "dealt" not in one.get("facts", {}):
        return False
    charged = -one.get("parts", {}).get("deal_in", 0.0)
    points = (one.get("p_deal_in") or 0.0) * (one.get("expected_loss") or 0.0)
    return points > 0.0 and not points / AS_CHARGED <= charged <= points * AS_CHARGED


def _place(t: Words, scores: list[int]) -> str:
    """The place of the player, and how far the next ones are."""
    order = by_score(scores)
    place = order.index(0)
    behind = scores[order[place - 1]] - scores[0] if place else 0
    ahead = scores[0] - scores[order[place + 1]] if place < len(scores) - 1 else 0
    key = "fact_place_first" if not place else "fact_place_last" if place == len(scores) - 1 else "fact_place"
    return t(key, place=t(f"place_{place + 1}"), behind=t.points(behind), ahead=t.points(ahead))


def _opinions(t: Words, row: Fields, mine: Fields, theirs: Fields, *, told: bool) -> Iterator[str]:
    """Whose opinion it is, where search and strong play disagree.

    Args:
        t: the wording.
        row: the decision.
        mine: the candidate that was played.
        theirs: the policy's choice.
        told: whether what strong play chooses is said already.
    """
    if row.get("disputed") == "network":
        gains = ledger(row, mine, theirs).gains
        searched = sum(gain for part, gain in gains.items() if part != "network")
        yield t("disputed_search" if searched < -row["noise"] else "disputed_equal")
    elif row.get("disputed") == "search" and told:
        yield t("only_search")
    elif row.get("disputed") == "search":
        first, second = _apart(mine["prior"], theirs["prior"], 0)
        if first != second:
            yield t("disputed_network", mine=first, theirs=second)


def _apart(one: float, other: float, digits: int) -> tuple[str, str]:
    """Two chances as percentages, with as many decimals as it takes to tell them apart, within bounds."""
    while digits < MOST_DIGITS and percent(one, digits) == percent(other, digits):
        digits += 1
    return percent(one, digits), percent(other, digits)


def _compared(one: float, other: float) -> int:
    """1 if ``one`` is larger, -1 if it is smaller, 0 if they are alike."""
    return 0 if abs(one - other) <= ALIKE * max(one, other) else 1 if one > other else -1
