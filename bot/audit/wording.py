"""What an audit says, in English or Japanese: labels from tables, and the sentences built of them.

Sentences are plain text; a tile in them stands as :mod:`bot.wording.tiles` marks it, which each report shows in its
own way.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from bot.audit.verdicts import NOISE
from bot.record.fields import read_ground
from bot.wording.grounds import word
from bot.wording.languages import Lang, table
from bot.wording.numbers import decimals_of, number, percent
from bot.wording.tiles import marked, tile_mark


def words(lang: Lang) -> Mapping[str, str]:
    """The labels and sentences of a language."""
    return table("bot.audit", "assets/words", lang)


class Wording:
    """Sentences in one language."""

    def __init__(self, lang: Lang, noise: float = 0.0) -> None:
        """Get ready.

        Args:
            lang: which.
            noise: of the policy's values: how finely they are written.
        """
        self.lang = lang
        self.words = words(lang)
        self.decimals = decimals_of(noise)

    def __call__(self, key: str, **parts: Any) -> str:
        """A label or sentence of the table, its places filled."""
        return self.words[key].format(**parts)

    def maybe(self, key: str, otherwise: str) -> str:
        """A label that the table may not have: a mode or unit of some other policy."""
        return self.words.get(key, otherwise)

    def amount(self, value: float, *, sign: bool = False) -> str:
        """A value in the policy's unit."""
        return number(value, self.decimals, sign=sign)

    def localised(self, fields: Mapping[str, Any]) -> dict[str, Any]:
        """An audit's fields with its hands named in the language: ``'E1-2'`` is 東1-2."""
        hands = [
            {**hand, "name": self.words[f"round_{hand['name'][0]}"] + hand["name"][1:]} for hand in fields["hands"]
        ]
        return {**fields, "hands": hands}

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
            gap = self._gap(row)
            if gap <= 0:
                return self("say_equal_no_less", played=played, chosen=chosen)
            return self(
                "say_equal", played=played, chosen=chosen, gap=self.amount(gap), noise=self.amount(row["noise"])
            )
        if verdict == "differs":
            said = self("say_differs", played=played, chosen=chosen, loss=self.amount(row["loss"]))
            return self._sentences([*self._kind(row), _capital(said), *self._figures(row)])
        return self(f"say_{verdict}", played=played, chosen=chosen)

    def _sentences(self, found: Sequence[str]) -> str:
        """Sentences in a row; Japanese has no space between them."""
        return ("" if self.lang is Lang.JA else " ").join(found)

    def _listed(self, found: Iterable[str]) -> str:
        """Things in a row."""
        return ("\N{IDEOGRAPHIC COMMA}" if self.lang is Lang.JA else ", ").join(found)

    def _gap(self, row: Mapping[str, Any]) -> float:
        mine = candidate(row, row["played"])
        return float(row["candidates"][0]["value"] - mine["value"]) if mine else 0.0

    def _kind(self, row: Mapping[str, Any]) -> list[str]:
        """What kind of difference it is, where there is a word for it."""
        key = difference(row)
        return [self(f"kind_{key}")] if key else []

    def _figures(self, row: Mapping[str, Any]) -> list[str]:
        mine = candidate(row, row["played"]) or {}
        theirs = row["candidates"][0]
        found = []
        for figure, key, least, digits in (("p_deal_in", "and_deal_in", 0.005, 1), ("p_win", "and_win", 0.01, 0)):
            here, there = mine.get(figure), theirs.get(figure)
            if here is not None and there is not None and abs(here - there) >= least:
                found.append(self(key, mine=percent(here, digits), theirs=percent(there, digits)))
        return found

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
                loss=self.amount(one["loss"] or 0.0),
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
