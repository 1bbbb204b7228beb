"""What a decision says: how two answers compare, why one is worth more, and what a player sees of it.

It is said in clauses, which hold keys, figures and no words: they are made once, when a decision is judged, and a page
says them in its language (:meth:`bot.review.wording.Wording.say`) or draws what they gain. Each part of the difference
is a clause with the figures that it comes of, and its points. Figures that would be written alike are not written: then
the clause says only what the part is.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

from bot.page.table import WrittenAction, figure
from bot.review.document import Candidate, Clause, Decision, Facts
from bot.review.measure import POINTS, Ledger, Scale, folds, ledger
from bot.wording.languages import number, percent, tile_mark
from engine.model.rules import NOTEN_POINTS
from engine.model.seats import by_score

Part = str | int | Clause | list[Clause]
"""What stands in a place: a text, a whole number, a clause, a ground, or several clauses."""
PUSH: Final = 0.03
"""Chance to deal in by which a discard must be riskier than the policy's to be called a push. A choice of style."""
ALIKE: Final = 0.03
"""Share by which chances or points may differ and still count as alike. A choice of style."""
MOST_DIGITS: Final = 2
"""Decimals of a percentage, at most. A choice of style."""
KANS: Final = frozenset(("daiminkan", "ankan", "kakan"))
"""Kinds of kans, as a review writes them."""
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


def clause(key: str, **parts: Part) -> Clause:
    """A clause."""
    return {"key": key, "parts": parts} if parts else {"key": key}


# -- how two answers compare -------------------------------------------------------------------------------------------


def clauses_of(row: Decision, scale: Scale) -> list[Clause]:
    """How what was played compares with the bot's choice, a clause for each sentence.

    Where values are finer than those of most decisions, because the game is all but decided, they have more digits.

    Args:
        row: the decision.
        scale: how the values of the review are written.
    """
    scale = scale.finer(row["noise"])
    verdict, chosen, held = row["verdict"], did(row["chosen"], "would"), row["held"]
    if verdict == "unknown":
        return [clause("say_cut_off" if row["known"] == "cut off" else "say_overridden", chosen=chosen)]
    if row["played"] is None:
        return [clause("say_absent_unknown", chosen=chosen)]
    played, mine = did(row["played"]), candidate(row, row["played"])
    if verdict == "equal":
        gap = max(row["candidates"][0]["value"] - mine["value"], 0.0) if mine else 0.0
        worth = {"gap": value_of(gap, scale), "noise": value_of(row["noise"], scale)}
        return [clause("say_equal", played=played, chosen=chosen, **worth)]
    if held is not None:
        return [clause("say_held", played=played, chosen=chosen, turn=held["turn"])]
    if verdict != "differs":
        return [clause(f"say_{verdict}", played=played, chosen=chosen)]
    why = [] if mine is None else _argue(_Case(row, scale, mine, row["candidates"][0]))
    return [*_kind(row, mine), cost(row, scale), *why]


def cost(row: Decision, scale: Scale) -> Clause:
    """What a difference cost."""
    loss, played = value_of(row["loss"] or 0.0, scale), row["played"] or row["chosen"]
    return clause("say_differs", played=did(played), chosen=did(row["chosen"], "would"), loss=loss)


def did(action: WrittenAction, form: str = "did") -> Clause:
    """An action; ``form``: ``act`` as a label, ``did`` as it was played, ``would`` as the bot would play it."""
    return clause(
        f"{form}_{action['kind']}", tile=tile_mark(action.get("tile", "")), own=tile_mark(action.get("own", ""))
    )


def value_of(value: float, scale: Scale) -> Clause:
    """A value with its unit, ``'616 points'``."""
    if scale.unit == POINTS:
        return clause("points_of", points=scale.amount(value))
    return clause("value_of", amount=scale.amount(value), unit=scale.unit)


def candidate(row: Decision, action: WrittenAction | None) -> Candidate | None:
    """The candidate that an action is; None if it was not evaluated."""
    if action is None:
        return None
    return next((one for one in row["candidates"] if one["action"] == action), None)


def difference(row: Decision) -> str:
    """The kind of difference that a decision shows: ``'push'``, ``'fold'``, ``'call'``, … or ``''``."""
    played, chosen = _kinds(row)
    category = row["category"]
    if category == "win":
        return "no_win" if played not in {"ron", "tsumo"} else ""
    if category == "call":
        return "" if "pass" not in {played, chosen} else "no_call" if played == "pass" else "call"
    if category == "riichi":
        return "" if played == chosen else "riichi" if played == "riichi" else "no_riichi"
    if category == "push_fold":
        mine, theirs = candidate(row, row["played"]), row["candidates"][0]
        if mine is None:
            return ""
        riskier = figure_of(mine, "p_deal_in") - figure_of(theirs, "p_deal_in")
        found = ledger(row, mine, theirs)
        decides = not found.gains or "deal_in" in found.reasons()
        if row["mode"] == "fold" and riskier > PUSH and decides:
            return "push"
        if row["mode"] != "fold" and riskier < 0.0 and figure_of(mine, "shanten") > figure_of(theirs, "shanten"):
            return "fold"
    return ""


def _kinds(row: Decision) -> tuple[str, str]:
    """The kinds of what was played, "" if that is not known, and of the policy's choice."""
    return row["played"]["kind"] if row["played"] else "", row["chosen"]["kind"]


def figure_of(one: Candidate, name: str) -> float:
    """A figure of a candidate; 0 if the policy did not compute it."""
    found = one.get(name)
    return found if isinstance(found, float | int) else 0.0


def _kind(row: Decision, mine: Candidate | None) -> list[Clause]:
    """The kind of a difference, where there is a word for it."""
    key = difference(row)
    if key == "push" and mine and folds(mine):
        key = "risk"
    elif key == "fold" and not (mine and folds(mine)):
        key = ""  # it goes back for a safer tile, and is played on
    return [clause(f"kind_{key}")] if key else []


# -- the parts that make the difference --------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Case:
    """A difference that is argued about."""

    row: Decision  # the decision
    scale: Scale  # how its values are written
    mine: Candidate  # the candidate that was played
    theirs: Candidate  # the policy's choice
    named: frozenset[str] = frozenset()  # the parts that have a clause of their own

    @property
    def facts(self) -> tuple[Facts, Facts]:
        """The facts of both."""
        return self.mine.get("facts", {}), self.theirs.get("facts", {})

    def gain(self, value: float) -> str:
        """What a part brings."""
        return self.scale.amount(value, sign=True)


def _argue(case: _Case) -> list[Clause]:
    """The sentences on a difference, the most important first."""
    found = ledger(case.row, case.mine, case.theirs)
    reasons, against = found.reasons(), found.against()
    said = list(_questions(case))
    first, last = _in_order(reasons[:MOST_REASONS]), against[:1]
    alone = list(_only_strong_play(case, found)) if reasons == ["network"] else []
    said += alone
    for key, one, other, parts in (
        ("for_bot", case.theirs, case.mine, [] if alone else first),
        ("for_played", case.mine, case.theirs, last),
    ):
        if parts:
            clauses = [_of_part(_clause(case, part, one, other, abs(found.gains[part])), part, found) for part in parts]
            said.append(clause(key, what=_both(clauses)))
    said += _others(case, found, [*reasons[MOST_REASONS:], *against[1:]], alone=not first)
    seen = replace(case, named=frozenset((*first, *last)))
    said += (each for rule in _FACTS for each in rule(seen))
    return said if alone else [*said, *_opinions(case, found, told="network" in last)]


def _in_order(parts: list[str]) -> list[str]:
    """The parts with own wins before the places that come of them."""
    return sorted(parts, key=("win", "places").index) if set(parts) == {"win", "places"} else parts


def _of_part(said: Clause, part: str, found: Ledger) -> Clause:
    """A clause about a part of the value, with what that part brings the bot's choice."""
    return {**said, "about": part, "gain": figure(found.gains[part])}


def _both(clauses: list[Clause]) -> Clause:
    """Clauses in a row, the last one after an "and"."""
    return clauses[0] if len(clauses) == 1 else clause("list_and", first=clauses[:-1], last=clauses[-1])


def _only_strong_play(case: _Case, found: Ledger) -> Iterator[Clause]:
    """That strong play alone is for the bot's choice, where nothing else is, unless its chances look alike."""
    first, second = _apart(case.theirs.get("prior") or 0.0, case.mine.get("prior") or 0.0, 0)
    if case.row.get("disputed") != "network" or first == second:
        return
    searched = sum(gain for part, gain in found.gains.items() if part != "network")
    key = "only_strong_play_against" if searched < -case.row["noise"] else "only_strong_play"
    said = clause(key, one=first, other=second, gain=case.gain(found.gains["network"]))
    yield _of_part(said, "network", found)


def _others(case: _Case, found: Ledger, parts: list[str], *, alone: bool) -> Iterator[Clause]:
    """The parts that are only listed, and the sum of those that matter by their sum alone."""
    listed = [
        _of_part(clause("part_gain", part=clause(f"part_{part}"), gain=case.gain(found.gains[part])), part, found)
        for part in parts
    ]
    small, total = found.small()
    if small:
        names = [clause(f"part_{part}") for part in small[:MOST_SMALL]]
        key = "parts_gain" if len(small) <= MOST_SMALL else "parts_gain_mostly"
        listed.append(clause(key, parts=names, gain=case.gain(total)))
    if listed:
        yield clause("for_rest_alone" if alone else "for_rest", what=listed)


def _questions(case: _Case) -> Iterator[Clause]:
    """The shares of the loss that are due to the tile and to riichi."""
    asked = case.row.get("questions") or {}
    if asked and min(map(abs, asked.values())) > case.row["noise"]:
        key = "two_questions_riichi" if case.row["chosen"]["kind"] == "riichi" else "two_questions_silent"
        yield clause(key, tile=case.gain(asked["tile"]), riichi=case.gain(asked["riichi"]))


def _clause(case: _Case, part: str, one: Candidate, other: Candidate, gain: float) -> Clause:
    """The clause for an answer, ``one``, about a part in which it is better than the other."""
    worth = case.gain(gain)
    if part == "win":
        return _wins(one, other, worth)
    if part in BY_CHANCE:
        return _chance(part, one, other, gain if case.scale.unit == POINTS else 0.0, worth)
    if part == "others" and other["action"]["kind"] == "riichi" != one["action"]["kind"]:
        return clause("because_no_stick", gain=worth)
    known = one.get("p_win") is not None and other.get("p_win") is not None
    if part == "others" and known and not folds(one) and one["p_win"] > SOONER + other["p_win"]:
        first, second = _apart(one["p_win"], 0.0 if folds(other) else other["p_win"], 0)
        return clause("because_others_win", one=first, other=second, gain=worth)
    return clause(f"because_{part}", gain=worth)


def _wins(one: Candidate, other: Candidate, worth: str) -> Clause:
    """How what is won differs: in the chance, in the value, or in both."""
    if not one.get("p_win") or "win_points" not in one:
        return clause("because_win", gain=worth)
    if folds(other) or not other.get("p_win") or "win_points" not in other:
        return clause("because_win_push", one=percent(one["p_win"]), points=number(one["win_points"]), gain=worth)
    often = _compared(one["p_win"], other["p_win"])
    dear = _compared(one["win_points"], other["win_points"])
    forms = {(1, 0): "often", (0, 1): "dear", (1, 1): "both", (1, -1): "cheap_often", (-1, 1): "dear_rare"}
    form = forms.get((often, dear), "mean")
    decisive = {"cheap_often": "p_win", "dear_rare": "win_points"}.get(form)
    if decisive is not None and (1.0 - SO_MUCH) * figure_of(one, decisive) < figure_of(other, decisive):
        form = "mean"
    first, second = _apart(one["p_win"], other["p_win"], 0)
    return clause(
        f"because_win_{form}",
        one=percent(one["p_win"]) if form == "dear" else first,
        other=second,
        points=number(one["win_points"]),
        other_points=number(other["win_points"]),
        mean=number(one["p_win"] * one["win_points"]),
        other_mean=number(other["p_win"] * other["win_points"]),
        gain=worth,
    )


def _chance(part: str, one: Candidate, other: Candidate, gain: float, worth: str) -> Clause:
    """A part that is a chance times what it costs or brings."""
    chance, digits = BY_CHANCE[part]
    here, there = figure_of(one, chance), figure_of(other, chance)
    if part == "draw" and here and folds(other) and not folds(one):
        return clause("because_draw_push", one=percent(here), gain=worth)
    if part == "draw" and (folds(one) or folds(other)):
        return clause("because_draw_rest", gain=worth)
    if part == "deal_in" and percent(here, digits) == percent(0.0, digits) != percent(there, digits):
        form = "pass" if one["action"]["kind"] == "pass" else "hardly" if here else "safe"
        return clause(f"because_deal_in_{form}", other=percent(there, digits), gain=worth)
    first, second = _apart(here, there, digits)
    most = max(figure_of(each, COSTS.get(part, "")) for each in (one, other))
    about = {"draw": TENPAI, "network": 0.0}.get(part, most)
    better = here > there if part in {"draw", "network"} else here < there
    if better and first != second and abs(here - there) * about >= (gain / 2.0 if about else 0.0):
        return clause(f"because_{part}_chance", one=first, other=second, gain=worth)
    explained = part != "deal_in" or not (_more_than_points(one) or _more_than_points(other))
    if part in COSTS and explained:
        cheap, dear = (figure_of(each, COSTS[part]) for each in (one, other))
        price, dearer = number(cheap), number(dear)
        if cheap < dear and price != dearer:
            return clause(f"because_{part}_cost", one=price, other=dearer, chance=percent(here, digits), gain=worth)
    return clause(f"because_{part}_rest", gain=worth)


# -- what a player sees ------------------------------------------------------------------------------------------------


def _waits(case: _Case) -> Iterator[Clause]:
    """What the hand waits on, where it is about winning."""
    mine, theirs = case.facts
    if "win" not in case.named and case.row["category"] != "riichi":
        return
    if "waits" in mine and mine["waits"] == theirs.get("waits"):
        yield clause("fact_waits_same", waits=tile_mark(mine["waits"]), left=mine["left"])
        return
    for key, one in (("fact_waits_bot", theirs), ("fact_waits_played", mine)):
        if "waits" in one:
            yield clause(key, waits=tile_mark(one["waits"]), left=one["left"])


def _dora(case: _Case) -> Iterator[Clause]:
    """That one of the two gives up more dora."""
    mine, theirs = (each.get("dora", 0) for each in case.facts)
    if "win" in case.named and mine != theirs:
        yield clause("fact_dora_played" if mine > theirs else "fact_dora_bot")


def _yakuhai(case: _Case) -> Iterator[Clause]:
    """That one of the two discards lets an honour go that pays, where the hand is played on."""
    mine, theirs = ("yakuhai" in each for each in case.facts)
    discards = set(_kinds(case.row)) == {"discard"}
    if discards and case.row["mode"] != "fold" and mine != theirs:
        yield clause("fact_yakuhai_played" if mine else "fact_yakuhai_bot")


def _nearer(case: _Case) -> Iterator[Clause]:
    """Whether a call brings the hand nearer to tenpai."""
    mine, theirs = case.facts
    called, before = (theirs, mine) if theirs.get("called") else (mine, theirs)
    if {"shanten", "called"} <= called.keys() and "shanten" in before and "called" not in before:
        nearer = called["shanten"] < before["shanten"]
        yield clause("fact_nearer" if nearer else "fact_not_nearer", before=_distance(before["shanten"]),
                     after=_distance(called["shanten"]))  # fmt: skip


def _kan(case: _Case) -> Iterator[Clause]:
    """That a kan turns another indicator."""
    if KANS.intersection(_kinds(case.row)):
        riichi = max(each.get("kan", 0) for each in case.facts)
        yield clause("fact_kan_riichi" if riichi else "fact_kan")


def _safety(case: _Case) -> Iterator[Clause]:
    """How safe the tiles are called against whoever is in riichi."""
    mine, theirs = (each.get("safety", {}) for each in case.facts)
    for seat, name in mine.items() if "deal_in" in case.named else ():
        if seat in theirs and name != theirs[seat]:
            yield clause("fact_safety", who=clause(f"who_{seat}"), mine=name, theirs=theirs[seat])


def _dealt(case: _Case) -> Iterator[Clause]:
    """What a deal-in with either tile does to the game, where its points do not account for what it is charged."""
    for in_the_game, at_the_end, one in (
        ("fact_dealt_place_bot", "fact_dealt_ends_bot", case.theirs),
        ("fact_dealt_place_played", "fact_dealt_ends_played", case.mine),
    ):
        if "deal_in" in case.named and _more_than_points(one):
            dealt = one["facts"]["dealt"]
            where = {"who": clause(f"who_{dealt['to']}"), "place": clause(f"place_{dealt['place']}")}
            yield clause(at_the_end if dealt["ends"] else in_the_game, points=number(dealt["points"]), **where)


def _suits(case: _Case) -> Iterator[Clause]:
    """That one of the two tiles is of a suit that somebody seems to collect."""
    mine, theirs = (each.get("suit", {}) for each in case.facts)
    for seat in sorted({*mine, *theirs}):
        if (seat in mine) != (seat in theirs):
            key = "fact_suit_played" if seat in mine else "fact_suit_bot"
            yield clause(key, who=clause(f"who_{seat}"), suit=clause(f"suit_{(mine | theirs)[seat]}"))


def _place(case: _Case) -> Iterator[Clause]:
    """The place of the player, and how far the next ones are, in the last hand."""
    if case.row["situation"] != "last_hand" or "places" not in case.named:
        return
    scores = case.row["table"]["scores"]
    order = by_score(scores)
    place = order.index(0)
    behind = scores[order[place - 1]] - scores[0] if place else 0
    ahead = scores[0] - scores[order[place + 1]] if place < len(scores) - 1 else 0
    key = "fact_place_first" if not place else "fact_place_last" if place == len(scores) - 1 else "fact_place"
    yield clause(key, place=clause(f"place_{place + 1}"), behind=number(behind), ahead=number(ahead))


def _efficiency(case: _Case) -> Iterator[Clause]:
    """How far the hand is after either discard and how many tiles bring it nearer, where it is played on."""
    mine, theirs = case.mine, case.theirs
    if folds(mine) or folds(theirs) or not {"shanten", "ukeire"} <= mine.keys() & theirs.keys():
        return
    distances = {"mine": _distance(mine["shanten"]), "theirs": _distance(theirs["shanten"])}
    if mine["shanten"] != theirs["shanten"]:
        yield clause("fact_back_played" if mine["shanten"] > theirs["shanten"] else "fact_back_bot", **distances)
    elif 0 < mine["shanten"] <= FARTHEST and abs(mine["ukeire"] - theirs["ukeire"]) >= TILES_APART:
        yield clause("fact_ukeire", mine=mine["ukeire"], theirs=theirs["ukeire"])


_FACTS: Final = (_waits, _dora, _yakuhai, _nearer, _kan, _safety, _dealt, _suits, _place, _efficiency)
"""What is said of what a player sees, in its order."""


def _distance(shanten: int) -> Clause:
    """The distance of a hand from tenpai."""
    return clause("distance_tenpai") if shanten <= 0 else clause("distance_away", n=shanten)


def _more_than_points(one: Candidate) -> bool:
    """Whether a deal-in is charged clearly more or less than the points that it costs, for what it does to the game."""
    if "dealt" not in one.get("facts", {}):
        return False
    charged = -one.get("parts", {}).get("deal_in", 0.0)
    points = (one.get("p_deal_in") or 0.0) * (one.get("expected_loss") or 0.0)
    return points > 0.0 and not points / AS_CHARGED <= charged <= points * AS_CHARGED


# -- whose opinion it is -----------------------------------------------------------------------------------------------


def _opinions(case: _Case, found: Ledger, *, told: bool) -> Iterator[Clause]:
    """Whose opinion it is, where search and strong play disagree; ``told``: whether the latter's is said already."""
    disputed = case.row.get("disputed")
    if disputed == "network":
        searched = sum(gain for part, gain in found.gains.items() if part != "network")
        yield clause("disputed_search" if searched < -case.row["noise"] else "disputed_equal")
    elif disputed == "search" and told:
        yield clause("only_search")
    elif disputed == "search":
        first, second = _apart(case.mine["prior"], case.theirs["prior"], 0)
        if first != second:
            yield clause("disputed_network", mine=first, theirs=second)


def _apart(one: float, other: float, digits: int) -> tuple[str, str]:
    """Two chances as percentages, with as many decimals as it takes to tell them apart, within bounds."""
    while digits < MOST_DIGITS and percent(one, digits) == percent(other, digits):
        digits += 1
    return percent(one, digits), percent(other, digits)


def _compared(one: float, other: float) -> int:
    """1 if ``one`` is larger, -1 if it is smaller, 0 if they are alike."""
    return 0 if abs(one - other) <= ALIKE * max(one, other) else 1 if one > other else -1
