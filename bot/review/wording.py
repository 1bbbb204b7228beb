"""The words of an audit, in English or Japanese: labels from tables, and the sentences built of them.

Sentences are plain text; a tile in them stands as :mod:`bot.wording.languages` marks it, which each report shows in its
own way.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from typing import Any, Final, Self

from bot.deciding.fields import read_ground, read_grounds
from bot.machine.text import fill
from bot.page.table import WrittenAction
from bot.review import document
from bot.review.arguments import Part, clauses_of, cost, did, value_of
from bot.review.measure import OPINION, POINTS, Grade, Scale, grade_of, played_on, reference
from bot.review.verdicts import NOISE
from bot.wording.grounds import word
from bot.wording.languages import Lang, marked, number, percent, table, tile_mark


def page_words(package: str, shared: tuple[str, ...], lang: Lang, name: str = "words") -> dict[str, Any]:
    """The labels and sentences of a page in a language, with those of the report that it has in common.

    Args:
        package: the package whose words they are.
        shared: beginnings of the keys of those that it has in common.
        lang: the language.
        name: the file of the words, ``assets/NAME.LANG.json``.
    """
    common = {key: text for key, text in words(lang).items() if key.startswith(shared)}
    return {**common, **table(package, f"assets/{name}", lang)}


def words(lang: Lang) -> Mapping[str, str]:
    """The labels and sentences of a language."""
    return table("bot.review", "assets/words", lang)


_POINTS: Final = Scale(POINTS, 0)
_GAIN: Final = re.compile(r" ?\([+−][\d,.]+\)|（[+−][\d,.]+）|、[+−][\d,.]+(?=）)")  # noqa: RUF001 - as it is written
"""The points of a part as a sentence states them."""


class Wording:
    """Sentences in one language."""

    def __init__(self, lang: Lang, scale: Scale = _POINTS, *, practising: bool = False) -> None:
        """Get ready.

        Args:
            lang: which.
            scale: how the policy's values are written.
            practising: whether decisions are about the reader's answers, not about what was played.
        """
        self.lang = lang
        self.words = words(lang)
        self.scale = scale
        self._answer = self.words["answer_given" if practising else "answer_played"]

    @classmethod
    def of(cls, policy: document.Judge | None, lang: Lang, *, practising: bool = False) -> Self:
        """The wording for the judge of an audit, by its fields; None: there is none."""
        scale = _POINTS if policy is None else Scale.of(policy["noise"], policy["unit"])
        return cls(lang, scale, practising=practising)

    def __call__(self, key: str, **parts: Any) -> str:
        """A label or sentence of the table, its places filled."""
        return fill(self.words[key], answer=self._answer, **parts)

    def maybe(self, key: str, otherwise: str) -> str:
        """A label that the table may not have: a mode or unit of some other policy."""
        return self.words.get(key, otherwise)

    def amount(self, value: float, *, sign: bool = False) -> str:
        """A value in the policy's unit."""
        return self.scale.amount(value, sign=sign)

    def value_of(self, value: float) -> str:
        """A value with its unit, ``'616 points'``."""
        return self.within(value_of(value, self.scale))

    def localised(self, fields: document.Review) -> document.Review:
        """An audit's fields with its hands named in the language: ``'E1-2'`` is 東1局2本場."""
        return {**fields, "hands": [{**hand, "name": self.hand(hand["name"])} for hand in fields["hands"]]}

    def hand(self, name: str) -> str:
        """The name of a hand in the language."""
        number, _, honba = name[1:].partition("-")
        key = "hand_name_honba" if honba else "hand_name"
        return self(key, round=self.words[f"round_{name[0]}"], number=number, honba=honba)

    def who(self, seat: int) -> str:
        """A relative seat."""
        return self.words[f"seat_{seat}"]

    def action(self, action: WrittenAction, form: str = "act") -> str:
        """An action, in one of the forms of :func:`~bot.review.arguments.did`."""
        return self.within(did(action, form))

    def unit(self, unit: str) -> str:
        """The unit of values."""
        return self.maybe(f"unit_{unit}", unit)

    def mode(self, mode: str) -> str:
        """State of the push/fold machine."""
        return self.maybe(f"mode_{mode}", mode)

    def ground(self, fields: document.Ground) -> str:
        """A ground of a decision, its tiles marked."""
        return word(read_ground(fields), self.lang, marked)

    def grounds(self, fields: Sequence[document.Ground]) -> list[str]:
        """The grounds of a decision, as a review holds them."""
        return [word(each, self.lang, marked) for each in read_grounds(fields)]

    def rules(self, rules: document.PlayedRules) -> str:
        """The rules by which a game was judged; those of which an earlier version did not write are left out."""
        said = ["hanchan" if rules["hanchan"] else "tonpu"]
        known = {name: rules.get(name) for name in ("red_fives", "open_tanyao", "kiriage")}
        said += [f"rules_{name}_{str(value).lower()}" for name, value in known.items() if value is not None]
        counted = {"start_points": rules.get("start_points"), "honba_points": rules.get("honba_points")}
        words = [self(f"rules_{name}", points=number(value)) for name, value in counted.items() if value is not None]
        return self("m_rules_text", rules=self("comma").join([*map(self, said), *words]))

    def noises(self) -> str:
        """The default noise of each unit."""
        return ", ".join(f"{number(value)} {self.unit(unit)}" for unit, value in NOISE.items())

    # -- grades and the reference --------------------------------------------------------------------------------------

    def rating(self, lost: float | None, error: float | None = None) -> str:
        """The loss in a hundred decisions, with its standard error if there is one; a dash if it is not known."""
        shown = "\N{EM DASH}" if lost is None else self.amount(lost)
        return shown if error is None else f"{shown} {self('uncertain', error=self.amount(error))}"

    @staticmethod
    def share(count: int, of: int) -> str:
        """How many of a hundred."""
        return f"{100 * count / of:.1f}" if of else ""

    @staticmethod
    def counts_of(score: document.Score) -> list[tuple[str, int]]:
        """The number of answers of each grade, the worst grade first."""
        counts = (score["blunders"], score["mistakes"], score["inaccuracies"], score["equal"], score["same"])
        return [(grade.value, count) for grade, count in zip(reversed(Grade), counts, strict=True)]

    @staticmethod
    def rooms(fields: document.Head | document.Totals) -> dict[str, Mapping[str, Any]]:
        """The counted grades of other players, by room; empty where the judge is another."""
        found = reference().of_length(hanchan=fields["rules"]["hanchan"]) if fields["reference"] else {}
        best = {room: {"best": one["same"], "equal": one["judged"] - one["differences"] - one["same"]}
                for room, one in found.items()}  # fmt: skip
        return {room: {**one, "grades": one["grades"] | best[room]} for room, one in found.items()}

    def range_of(self, grade: str, policy: document.Judge) -> str:
        """The cost of answers of a grade."""
        mistake, blunder = (self.amount(policy["bounds"][name]) for name in ("mistake", "blunder"))
        noise = self.amount(policy["noise"])
        return {
            Grade.BLUNDER: self("grade_from", least=blunder),
            Grade.MISTAKE: self("grade_between", least=mistake, most=blunder),
            Grade.INACCURACY: self("grade_between", least=noise, most=mistake),
            Grade.EQUAL: self("grade_below", most=noise),
            Grade.BEST: "0",
        }[Grade(grade)]

    def standing(self, fields: document.Head | document.Totals) -> str:
        """Where what was lost stands among other players' games; empty if they are not comparable."""
        known = [(room, one) for room, one in fields["reference"].items() if one["percentile"] is not None]
        if not known:
            return ""
        games = fields.get("games")
        key = "rating_percentile_many" if isinstance(games, int) and games > 1 else "rating_percentile"
        if not known[0][1]["percentile"]:
            key = "rating_lowest"
        above = [self(key, percentile=one["percentile"], room=self.words[f"room_{room}"])
                 for room, one in known[:1]]  # fmt: skip
        means = [
            self("rating_room", room=self.words[f"room_{room}"], mean=self.rating(one["mean"])) for room, one in known
        ]
        return self.sentences([*above, self("rating_rooms", rooms=self.listed(means))])

    def came(self, fields: document.Head | document.Totals) -> list[str]:
        """What the grades of this judge were worth when played on, and whom it thinks strong; none of another judge."""
        if not fields["reference"]:
            return []
        found = played_on()
        groups = {grade: self._interval(came) for grade, came in found["came"].items()}
        said = [
            self("came_grades", n=number(found["differences"]), games=found["games"], **groups),
            self("came_disputed", **groups),
        ]
        for one in found["programs"]:
            own, others = self._interval(one["lost_per_hundred"]), self._interval(one["others"])
            said.append(self("came_program", program=one["name"], games=one["games"], own=own, others=others))
        return said

    def _interval(self, pair: Sequence[float]) -> str:
        """A mean and its 95% interval on either side."""
        mean, either_side = pair
        return self("interval", mean=number(mean), within=number(either_side))

    # -- a decision ------------------------------------------------------------------------------------------------

    def decision(self, row: document.Decision) -> str:
        """How what was played compares with the bot's choice, in a few sentences."""
        return self.sentences([*map(self.say, self._clauses(row)), *self.graded(row)])

    def brief(self, row: document.Decision) -> str:
        """What a difference cost and what speaks most for the bot's choice; of other decisions all there is to say."""
        if row["verdict"] != "differs":
            return self.decision(row)
        return self.sentences([self.cost(row), self.reason(row), *self.graded(row)])

    def graded(self, row: document.Decision) -> list[str]:
        """Why a difference has a milder grade than its loss, in a sentence; none where the loss says the grade."""
        by_loss = grade_of(row["loss"] or 0.0, self.scale.unit, row["noise"])
        return [self("graded_disputed")] if row["disputed"] and by_loss is not Grade.INACCURACY else []

    def reason(self, row: document.Decision) -> str:
        """What speaks most for the bot's choice, in a sentence without its points; "" if nothing does."""
        found = _main_reason(self._clauses(row))
        if found is None:
            return ""
        said = _GAIN.sub("", self.say(found))
        return said if said.endswith(self("stop")) else said + self("stop")

    def _clauses(self, row: document.Decision) -> Sequence[document.Clause]:
        """The clauses of a decision; reviews of earlier versions have none, and an answer of practice neither."""
        return row["clauses"] if "clauses" in row else clauses_of(row, self.scale)

    def cost(self, row: document.Decision) -> str:
        """What a difference cost, in one sentence."""
        return self.say(cost(row, self.scale))

    def say(self, clause: document.Clause) -> str:
        """A clause as a sentence; see :mod:`bot.review.arguments`."""
        return _capital(self.within(clause))

    def within(self, clause: document.Clause) -> str:
        """A clause as it stands within a sentence."""
        parts: Mapping[str, Part] = clause.get("parts", {})
        return self(clause["key"], **{place: self._filled(place, part) for place, part in parts.items()})

    def _filled(self, place: str, part: Part) -> str | int:
        """What stands in a place of a clause."""
        if isinstance(part, list):
            return self.listed(self.within(each) for each in part)
        if isinstance(part, Mapping):
            return self.within(part) if "key" in part else self.ground(part)
        return self.unit(part) if place == "unit" and isinstance(part, str) else part

    def sentences(self, found: Iterable[str]) -> str:
        """Sentences in a row, without empty ones; Japanese has no space between them."""
        return ("" if self.lang is Lang.JA else " ").join(filter(None, found))

    def listed(self, found: Iterable[str]) -> str:
        """Things in a row."""
        return ("\N{IDEOGRAPHIC COMMA}" if self.lang is Lang.JA else ", ").join(found)

    # -- hands -----------------------------------------------------------------------------------------------------

    def outcome(self, hand: document.Hand) -> str:
        """How a hand ended for the seat, and on what."""
        if hand["outcome"] == "draw":
            return self(f"draw_{hand['draw']}") if hand["draw"] else self("out_draw")
        text = self(f"out_{hand['outcome']}")
        values = [self.value(win) for win in hand["wins"] if "points" in win]
        return f"{text}: {self.listed(values)}" if values else text

    def value(self, win: document.Win) -> str:
        """``'3 han 30 fu, 3,900'``, ``'mangan, 8,000'``."""
        limit = win["limit"]
        worth = self(f"limit_{limit}") if limit else self("han_fu", han=win["han"], fu=win["fu"])
        return f"{worth}, {number(win['points'])}"

    def yaku(self, win: document.Win) -> str:
        """The yaku of a win, in a row."""
        column = 1 if self.lang is Lang.JA else 0
        return self.listed(f"{one[column]} {'' if one[2] in {1, 13} else one[2]}".rstrip() for one in win["yaku"])

    # -- deal-ins --------------------------------------------------------------------------------------------------

    def deal_in(self, one: document.DealIn, row: document.Decision | None) -> list[str]:
        """A deal-in explained: who won with what, how dangerous it was, whether it was worth it, the truth."""
        lines = []
        for winner in one["winners"]:
            who = self(f"who_{winner['seat']}")
            line = self("deal_to", who=who, threat=self(f"threat_{winner['threat']}"))
            if "points" in winner:
                line += self("deal_for", value=self._yaku_value(winner))
            truth = "deal_truth" if winner["waits"] else "deal_truth_unknown"
            stop = "\N{IDEOGRAPHIC FULL STOP}" if self.lang is Lang.JA else "."
            lines.append(self.sentences([_capital(line) + stop, self(truth, waits=tile_mark(winner["waits"]))]))
            if winner["safety"]:
                lines.append(self("deal_safety", who=who, safety=self.ground(winner["safety"])))
        lines.append(self._danger(one))
        lines.append(
            self(
                f"deal_{one['worth']}",
                chosen=self.action(row["chosen"], "would") if row else "",
                loss=self.value_of(one["loss"] or 0.0),
            )
        )
        return lines

    def _yaku_value(self, winner: document.Winner) -> str:
        return f"{yaku} ({self.value(winner)})" if (yaku := self.yaku(winner)) else self.value(winner)

    def _danger(self, one: document.DealIn) -> str:
        if one["p_deal_in"] is None or one["rank"] is None:
            return self("deal_danger_unknown")
        text = self(
            "deal_danger",
            p=percent(one["p_deal_in"], 1),
            loss=number(one["expected_loss"] or 0.0),
            rank=one["rank"],
            of=one["of"],
        )
        safest = one["safest"]
        if safest is None or (safest["p_deal_in"] or 0.0) >= one["p_deal_in"]:
            return text
        least = self("deal_safest", action=self.action(safest["action"], "would"), p=percent(safest["p_deal_in"], 1))
        return self.sentences([text, least])


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _main_reason(clauses: Sequence[document.Clause]) -> document.Clause | None:
    """The clause on the part that speaks most for the bot's choice, on points at the table rather than on opinion.

    Where it has no figures but the points, the other part stands for it, or else something that a player sees, if that
    does not speak for what was played.
    """
    for said in clauses:
        if said["key"] in _ALONE:
            return said
        if said["key"] == "for_bot":
            what = said["parts"]["what"]
            parts = [*what["parts"]["first"], what["parts"]["last"]] if what["key"] == "list_and" else [what]
            ranked = sorted(parts, key=lambda part: (part["about"] != OPINION, part["gain"]), reverse=True)
            figured = (each for each in ranked if set(each["parts"]) != {"gain"})
            seen = (each for each in clauses if each["key"].startswith("fact_") and each["key"] not in _FOR_PLAYED)
            others: Iterable[document.Clause] = seen if ranked[0]["about"] == OPINION else chain(figured, seen)
            return ranked[0] if set(ranked[0]["parts"]) != {"gain"} else next(iter(others), ranked[0])
    return None


_ALONE: Final = frozenset(("only_strong_play", "only_strong_play_against", "for_rest_alone"))
"""Clauses that stand where no part of the value decides."""
_FOR_PLAYED: Final = frozenset(
    ("fact_waits_played", "fact_dora_bot", "fact_yakuhai_bot", "fact_suit_bot", "fact_dealt_place_bot",
     "fact_dealt_ends_bot", "fact_back_bot")
)  # fmt: skip
"""What a player sees that speaks for what was played."""
