"""What an audit says, in English or Japanese: labels from tables, and the sentences built of them.

Sentences are plain text; a tile in them stands as :mod:`bot.wording.languages` marks it, which each report shows in its
own way.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Self

from bot.audit.measure import DRAW, NOTABLE, POINTS, Grade, Part, folds, ledger, reference
from bot.audit.verdicts import NOISE
from bot.deciding.fields import read_ground
from bot.machine.text import fill
from bot.wording.grounds import word
from bot.wording.languages import Lang, decimals_of, marked, number, percent, table, tile_mark


def words(lang: Lang) -> Mapping[str, str]:
    """The labels and sentences of a language."""
    return table("bot.audit", "assets/words", lang)


class Wording:
    """Sentences in one language."""

    def __init__(self, lang: Lang, noise: float = 0.0, unit: str = POINTS) -> None:
        """Get ready.

        Args:
            lang: which.
            noise: of the policy's values: how finely they are written.
            unit: what they count.
        """
        self.lang = lang
        self.words = words(lang)
        self.decimals = decimals_of(noise)
        self.counts = unit

    @classmethod
    def of(cls, policy: Mapping[str, Any] | None, lang: Lang) -> Self:
        """The wording for the judge of an audit, by its fields; None: there is none."""
        return cls(lang) if policy is None else cls(lang, policy["noise"], policy["unit"])

    def __call__(self, key: str, **parts: Any) -> str:
        """A label or sentence of the table, its places filled."""
        return fill(self.words[key], **parts)

    def maybe(self, key: str, otherwise: str) -> str:
        """A label that the table may not have: a mode or unit of some other policy."""
        return self.words.get(key, otherwise)

    def amount(self, value: float, *, sign: bool = False) -> str:
        """A value in the policy's unit."""
        return number(value, self.decimals, sign=sign)

    def value_of(self, value: float) -> str:
        """A value with its unit, ``'616 points'``."""
        if self.counts == POINTS:
            return self("points_of", points=self.amount(value))
        return f"{self.amount(value)} {self.unit(self.counts)}"

    def localised(self, fields: Mapping[str, Any]) -> dict[str, Any]:
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

    def action(self, action: Mapping[str, Any], form: str = "act") -> str:
        """An action; ``form``: ``act`` as a label, ``did`` as it was played, ``would`` as the bot would play it."""
        return self(
            f"{form}_{action['kind']}", tile=tile_mark(action.get("tile", "")), own=tile_mark(action.get("own", ""))
        )

    def unit(self, unit: str) -> str:
        """What values count."""
        return self.maybe(f"unit_{unit}", unit)

    def mode(self, mode: str) -> str:
        """State of the push/fold machine."""
        return self.maybe(f"mode_{mode}", mode)

    def ground(self, fields: Mapping[str, Any]) -> str:
        """A ground of a decision, its tiles marked."""
        return word(read_ground(fields), self.lang, marked)

    def noises(self) -> str:
        """The default noise of each unit."""
        return ", ".join(f"{number(value)} {self.unit(unit)}" for unit, value in NOISE.items())

    # -- grades and the reference --------------------------------------------------------------------------------------

    @staticmethod
    def rating(rating: float | None) -> str:
        """A rating; a dash if nothing was at stake."""
        return "\N{EM DASH}" if rating is None else f"{rating:.1f}"

    @staticmethod
    def share(count: int, of: int) -> str:
        """How many of a hundred."""
        return f"{100 * count / of:.1f}" if of else ""

    @staticmethod
    def counts_of(score: Mapping[str, Any]) -> list[tuple[str, int]]:
        """The number of answers of each grade, the worst grade first."""
        counts = (score["blunders"], score["mistakes"], score["inaccuracies"], score["equal"], score["same"])
        return [(grade.value, count) for grade, count in zip(reversed(Grade), counts, strict=True)]

    @staticmethod
    def rooms(fields: Mapping[str, Any]) -> dict[str, Mapping[str, Any]]:
        """The counted grades of other players, by room; empty where the judge is another."""
        found = reference().of_length(hanchan=fields["rules"]["hanchan"]) if fields["reference"] else {}
        best = {room: {"best": one["same"], "equal": one["judged"] - one["differences"] - one["same"]}
                for room, one in found.items()}  # fmt: skip
        return {room: {**one, "grades": one["grades"] | best[room]} for room, one in found.items()}

    def range_of(self, grade: str, policy: Mapping[str, Any]) -> str:
        """What answers of a grade cost."""
        mistake, blunder = (self.amount(policy["bounds"][name]) for name in ("mistake", "blunder"))
        noise = self.amount(policy["noise"])
        return {
            Grade.BLUNDER: self("grade_from", least=blunder),
            Grade.MISTAKE: self("grade_between", least=mistake, most=blunder),
            Grade.INACCURACY: self("grade_between", least=noise, most=mistake),
            Grade.EQUAL: self("grade_below", most=noise),
            Grade.BEST: "0",
        }[Grade(grade)]

    def standing(self, fields: Mapping[str, Any]) -> str:
        """Where the rating stands among those of other players' games; empty if they are not comparable."""
        known = [(room, one) for room, one in fields["reference"].items() if one["percentile"] is not None]
        if not known:
            return ""
        key = "rating_percentile_many" if fields.get("games", 1) > 1 else "rating_percentile"
        if not known[0][1]["percentile"]:
            key = "rating_lowest"
        above = [self(key, percentile=one["percentile"], room=self.words[f"room_{room}"])
                 for room, one in known[:1]]  # fmt: skip
        means = [
            self("rating_room", room=self.words[f"room_{room}"], mean=self.rating(one["mean"])) for room, one in known
        ]
        return self._sentences([*above, self("rating_rooms", rooms=self._listed(means))])

    # -- a decision ------------------------------------------------------------------------------------------------

    def decision(self, row: Mapping[str, Any]) -> str:
        """How what was played compares with the bot's choice, in a few sentences."""
        return _capital(self._decision(row))

    def _decision(self, row: Mapping[str, Any]) -> str:
        chosen = self.action(row["chosen"], "would")
        played = None if row["played"] is None else self.action(row["played"], "did")
        verdict = row["verdict"]
        if verdict == "unknown":
            return self("say_cut_off" if row["known"] == "cut off" else "say_overridden", chosen=chosen)
        if played is None:
            return self("say_absent_unknown", chosen=chosen)
        if verdict == "equal":
            return self._equal(row, played, chosen)
        if verdict == "differs":
            said = self("say_differs", played=played, chosen=chosen, loss=self.value_of(row["loss"]))
            return self._sentences([*self._kind(row), _capital(said), *self._reasons(row)])
        return self(f"say_{verdict}", played=played, chosen=chosen)

    def judges(self, row: Mapping[str, Any], fields: Mapping[str, Any]) -> list[str]:
        """What the other judges would play, a line each."""
        found = []
        for one in row.get("judges", ()):
            key = "judge_same" if one["agrees"] else "judge_played" if one["chosen"] == row["played"] else "judge_other"
            first, action = fields["judges"][0]["name"], self.action(one["chosen"], "would")
            found.append(self(key, name=one["name"], first=first, action=action))
        return found

    def _equal(self, row: Mapping[str, Any], played: str | None, chosen: str) -> str:
        """Why two answers count as equal: the noise, or strong play, which turned the search's order."""
        gap, said = self._gap(row), {"played": played, "chosen": chosen}
        mine, theirs = candidate(row, row["played"]) or {}, row["candidates"][0]
        known = "prior" in mine and "prior" in theirs
        chances = {name: percent(one["prior"]) for name, one in (("mine", mine), ("theirs", theirs)) if known}
        if gap > 0:
            key = "say_equal_close" if known and gap > row["noise"] else "say_equal"
            return self(key, **said, **chances, gap=self.value_of(gap), noise=self.value_of(row["noise"]))
        if gap == 0 or not known:
            return self("say_equal_no_less", **said)
        return self("say_equal_prior", **said, **chances, gap=self.value_of(-gap))

    def _sentences(self, found: Sequence[str]) -> str:
        """Sentences in a row; Japanese has no space between them."""
        return ("" if self.lang is Lang.JA else " ").join(found)

    def _listed(self, found: Iterable[str]) -> str:
        """Things in a row."""
        return ("\N{IDEOGRAPHIC COMMA}" if self.lang is Lang.JA else ", ").join(found)

    def _both(self, found: Sequence[str]) -> str:
        """Things in a row, the last one after an "and"."""
        return found[0] if len(found) == 1 else self("list_and", first=self._listed(found[:-1]), last=found[-1])

    def _gap(self, row: Mapping[str, Any]) -> float:
        mine = candidate(row, row["played"])
        return float(row["candidates"][0]["value"] - mine["value"]) if mine else 0.0

    def _kind(self, row: Mapping[str, Any]) -> list[str]:
        """What kind of difference it is, where there is a word for it."""
        key = difference(row)
        return [self(f"kind_{key}")] if key else []

    def _reasons(self, row: Mapping[str, Any]) -> list[str]:
        """What decides, in figures; see :mod:`bot.audit.measure`."""
        mine, theirs = candidate(row, row["played"]) or {}, row["candidates"][0]
        if folds(theirs) != folds(mine):
            gap = ledger(row, self.counts, mine, theirs).gap
            return self._push_or_fold(row, mine, theirs, gap)
        found = ledger(row, self.counts, mine, theirs)
        named = found.deciding()
        said = [self._part(part, row, mine, theirs) for part in named]
        rest = found.rest(named)
        if rest:
            keys = ("rest_last_hand", "rest_last_hand_all") if row["situation"] == "last_hand" else ("rest", "rest_all")
            said.append(self(keys[not named], rest=self._points(rest)))
        against = [self._part(part, row, mine, theirs, "against_") for part in found.against() if part is not Part.WIN]
        if against and said:
            said.append(self("outweighs", what=self._both(against)))
        return said

    def _part(
        self, part: Part, row: Mapping[str, Any], mine: Mapping[str, Any], theirs: Mapping[str, Any], form: str = "and_"
    ) -> str:
        """A sentence on one part of a difference."""
        if part is Part.WIN:
            return self._wins(mine, theirs)
        if part is Part.ADDED:
            return self._added(row, mine, theirs, form)
        figure, digits = {Part.DEAL_IN: ("p_deal_in", 1), Part.LATER: ("p_later", 0), Part.DRAW: ("p_tenpai", 0)}[part]
        here, there = mine.get(figure) or 0.0, theirs.get(figure) or 0.0
        if percent(here, digits) == percent(there, digits):
            digits += 1
        cost = {Part.DEAL_IN: "expected_loss", Part.LATER: "later_loss"}.get(part)
        one, other = (each.get(cost) or 0.0 for each in (mine, theirs)) if cost else (0.0, 0.0)
        by_cost = here <= there if form == "and_" else here >= there  # then not the chance decides, but what it costs
        key = f"{form}{part.value}_cost" if cost and by_cost else f"{form}{part.value}"
        chances = {"mine": percent(here, digits), "theirs": percent(there, digits)}
        return self(key, **chances, cost=self._points(one), other=self._points(other))

    def _added(self, row: Mapping[str, Any], mine: Mapping[str, Any], theirs: Mapping[str, Any], form: str) -> str:
        """What the policy adds to the search's figures; it is mostly about calls."""
        points = self._points(abs(theirs.get("added", 0.0) - mine.get("added", 0.0)))
        if row["category"] != "call":
            return self(f"{form}added", points=points)
        passes = row["chosen"]["kind"] == "pass"
        if form == "against_":  # then they speak for what was played
            return self("against_added_on" if passes else "against_added_off", points=points)
        return self("and_added_call_off" if passes else "and_added_call_on", points=points)

    def _wins(self, mine: Mapping[str, Any], theirs: Mapping[str, Any]) -> str:
        """How what is won differs: in the chance, in the value, or in both."""
        more = _compared(theirs["p_win"], mine["p_win"], 0.03)
        dearer = _compared(theirs["win_points"], mine["win_points"], 0.03)
        forms = {(1, 0): "often", (0, 1): "dear", (1, 1): "both", (1, -1): "cheap_often", (-1, 1): "dear_rare"}
        digits = int(percent(theirs["p_win"]) == percent(mine["p_win"]))
        return self(
            "and_" + f"win_{forms.get((more, dearer), 'mean')}",
            theirs=percent(theirs["p_win"], digits),
            mine=percent(mine["p_win"], digits),
            their_points=self._points(theirs["win_points"]),
            my_points=self._points(mine["win_points"]),
            their_mean=self._points(theirs["p_win"] * theirs["win_points"]),
            my_mean=self._points(mine["p_win"] * mine["win_points"]),
        )

    def _push_or_fold(
        self, row: Mapping[str, Any], mine: Mapping[str, Any], theirs: Mapping[str, Any], gap: float | None
    ) -> list[str]:
        """What pushing wins and risks, where one of the two folds; ``gap``: the difference in points, if known."""
        push, fold = (mine, theirs) if folds(theirs) else (theirs, mine)
        said = [self("push_fold_worth", push=self.value_of(push["value"]), fold=self.value_of(fold["value"]))]
        if "win_points" not in push:
            return said
        wins = push["p_win"] * push["win_points"]
        pays = (push.get("p_deal_in") or 0.0) * (push.get("expected_loss") or 0.0)
        later = push.get("p_later", 0.0) * push.get("later_loss", 0.0)
        figures = {
            "win": percent(push["p_win"]),
            "points": self._points(push["win_points"]),
            "mean": self._points(wins),
            "now": percent(push.get("p_deal_in") or 0.0, 1),
            "later": percent(push.get("p_later", 0.0)),
            "cost": self._points(pays + later),
            "tenpai": percent(push.get("p_tenpai") or 0.0),
        }
        if (push is theirs) is (wins >= pays + later):
            return [*said, self("push_wins_late" if later else "push_wins", **figures)]
        if push is theirs and wins + DRAW * (push.get("p_tenpai") or 0.0) >= NOTABLE:
            return [*said, self("push_keeps", **figures)]
        last_hand = row["situation"] == "last_hand"  # the figures would argue for the other answer: not they decide
        rest = self("rest_last_hand_all" if last_hand else "rest_all", rest=self._points(gap)) if gap else ""
        return [*said, rest] if rest else said

    def _points(self, value: float) -> str:
        """Points of the game, which are whole numbers."""
        return number(value)

    # -- hands -----------------------------------------------------------------------------------------------------

    def outcome(self, hand: Mapping[str, Any]) -> str:
        """How a hand ended for the seat, and on what."""
        if hand["outcome"] == "draw":
            return self(f"draw_{hand['draw']}") if hand["draw"] else self("out_draw")
        text = self(f"out_{hand['outcome']}")
        values = [self.value(win) for win in hand["wins"] if "points" in win]
        return f"{text}: {self._listed(values)}" if values else text

    def value(self, win: Mapping[str, Any]) -> str:
        """``'3 han 30 fu, 3,900'``, ``'mangan, 8,000'``."""
        limit = win["limit"]
        worth = self(f"limit_{limit}") if limit else self("han_fu", han=win["han"], fu=win["fu"])
        return f"{worth}, {number(win['points'])}"

    def yaku(self, win: Mapping[str, Any]) -> str:
        """The yaku of a win, in a row."""
        column = 1 if self.lang is Lang.JA else 0
        return self._listed(f"{one[column]} {one[2]}" if one[2] not in {1, 13} else one[column] for one in win["yaku"])

    # -- deal-ins --------------------------------------------------------------------------------------------------

    def deal_in(self, one: Mapping[str, Any], row: Mapping[str, Any] | None) -> list[str]:
        """A deal-in explained: who won with what, how dangerous it was, whether it was worth it, the truth."""
        lines = []
        for winner in one["winners"]:
            who = self(f"who_{winner['seat']}")
            line = self("deal_to", who=who, threat=self(f"threat_{winner['threat']}"), value=self._yaku_value(winner))
            truth = "deal_truth" if winner["waits"] else "deal_truth_unknown"
            stop = "\N{IDEOGRAPHIC FULL STOP}" if self.lang is Lang.JA else "."
            lines.append(self._sentences([_capital(line) + stop, self(truth, waits=tile_mark(winner["waits"]))]))
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

    def _yaku_value(self, winner: Mapping[str, Any]) -> str:
        return f"{self.yaku(winner)} ({self.value(winner)})" if "points" in winner else ""

    def _danger(self, one: Mapping[str, Any]) -> str:
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
        if safest is None or safest["p_deal_in"] >= one["p_deal_in"]:
            return text
        least = self("deal_safest", action=self.action(safest["action"], "would"), p=percent(safest["p_deal_in"], 1))
        return self._sentences([text, least])


def _compared(one: float, other: float, share: float) -> int:
    """1 if ``one`` is larger, -1 if it is smaller, 0 if they differ by no more than a share of the larger one."""
    return 0 if abs(one - other) <= share * max(one, other) else 1 if one > other else -1


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def candidate(row: Mapping[str, Any], action: Mapping[str, Any] | None) -> Mapping[str, Any] | None:
    """The candidate that an action is; None if it was not evaluated."""
    if action is None:
        return None
    return next((one for one in row["candidates"] if one["action"] == action), None)


def difference(row: Mapping[str, Any]) -> str:
    """What kind of difference a decision shows: ``'push'``, ``'fold'``, ``'call'``, … or ``''``."""
    played, chosen = row["played"]["kind"], row["chosen"]["kind"]
    category = row["category"]
    if category == "win":
        return "no_win" if played not in {"ron", "tsumo"} else ""
    if category == "call":
        return "" if "pass" not in {played, chosen} else "no_call" if played == "pass" else "call"
    if category == "riichi":
        return "" if played == chosen else "riichi" if played == "riichi" else "no_riichi"
    if category == "push_fold":
        mine, theirs = candidate(row, row["played"]) or {}, row["candidates"][0]
        risk, their_risk = mine.get("p_deal_in") or 0.0, theirs.get("p_deal_in") or 0.0
        if row["mode"] == "fold" and risk > their_risk:
            return "push"
        if row["mode"] != "fold" and risk < their_risk and (mine.get("shanten") or 0) > (theirs.get("shanten") or 0):
            return "fold"
    return ""
