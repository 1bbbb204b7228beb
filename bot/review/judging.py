"""One seat of a recording judged by several policies: the first one's audit, the others' answers beside it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

from bot.deciding.players import PlayerSpec
from bot.review.examine import OnRow, examine
from bot.review.fields import audit_fields, score_fields, score_of
from bot.review.luck import Openings
from bot.review.recording import Recording
from bot.review.verdicts import JUDGED, Verdict, total

Fields = Mapping[str, Any]
WITH_OTHERS: Final = frozenset(verdict.value for verdict in JUDGED)
"""Verdicts that can be compared."""


@dataclass(frozen=True, slots=True)
class Panel:
    """The judges and their settings. Plain values, which can be sent to other processes."""

    judge: PlayerSpec  # the policy whose audit is shown
    seed: int = 0  # its seed
    nodes: int | None = None  # bound of the search of each decision; None: the policy's own
    others: tuple[PlayerSpec, ...] = ()  # policies whose answers stand beside it

    def audit(
        self,
        recording: Recording,
        seat: int,
        on_row: OnRow | None = None,
        openings: Openings | None = None,
        *,
        anonymous: bool = False,
        lanes: int = 1,
    ) -> dict[str, Any]:
        """The fields of the audit of a seat; see :func:`~bot.review.examine.examine` and ``audit_fields``."""
        first = examine(recording, seat, partial(self.judge.make, self.seed), self.nodes, on_row, openings, lanes)
        fields = audit_fields(first, anonymous=anonymous)
        beside = [
            audit_fields(
                examine(recording, seat, partial(other.make, self.seed), self.nodes, openings=[], lanes=lanes),
                anonymous=anonymous,
            )
            for other in self.others
        ]
        return side_by_side(fields, beside, [self.judge.text, *(other.text for other in self.others)])


def side_by_side(first: dict[str, Any], others: Sequence[Fields], names: Sequence[str]) -> dict[str, Any]:
    """The audit of the first judge with the answers of the others at each decision, and how far they agree.

    Args:
        first: fields of the first judge's audit.
        others: fields of the others' audits of the same seat.
        names: what the judges are called, the first one's name first.
    """
    if not others:
        return first
    decisions = [
        {**row, "judges": [_answer(row, each, name) for each, name in zip(rows, names[1:], strict=True)]}
        for row, *rows in zip(first["decisions"], *(one["decisions"] for one in others), strict=True)
    ]
    judges = [
        {
            "name": name,
            **{key: one["policy"][key] for key in ("unit", "noise")},
            "score": one["score"],
            **_agreement(first, one),
        }
        for name, one in zip(names, (first, *others), strict=True)
    ]
    return {**first, "judges": judges, "confirmed": confirmed(decisions), "decisions": decisions}


def confirmed(decisions: Sequence[Fields]) -> dict[str, int]:
    """How many differences all judges see, some of the others, or none of them."""
    counts = {"all": 0, "some": 0, "none": 0}
    for row in decisions:
        if row["verdict"] != Verdict.DIFFERS.value:
            continue
        judged = [one for one in row["judges"] if one["verdict"] in WITH_OTHERS]
        against = sum(one["verdict"] == Verdict.DIFFERS.value for one in judged)
        counts["none" if not against else "all" if against == len(judged) else "some"] += 1
    return counts


def summed_judges(games: Sequence[Fields]) -> list[dict[str, Any]]:
    """The judges over many games; empty unless all games have equal ones."""
    names = [[one["name"] for one in game["judges"]] for game in games]
    if not names or not names[0] or any(each != names[0] for each in names):
        return []
    found = []
    for at, name in enumerate(names[0]):
        each = [game["judges"][at] for game in games]
        compared, agreed = (sum(one[key] for one in each) for key in ("compared", "agreed"))
        score = score_fields(total(score_of(one["score"]) for one in each))
        found.append(
            {
                "name": name,
                "unit": each[0]["unit"],
                "noise": each[0]["noise"],
                "score": score,
                "compared": compared,
                "agreed": agreed,
            }
        )
    return found


def _agreement(first: Fields, other: Fields) -> dict[str, int]:
    """The number of decisions that both judged, and of those in which they would play alike."""
    both = [
        (one, two)
        for one, two in zip(first["decisions"], other["decisions"], strict=True)
        if one["verdict"] in WITH_OTHERS and two["verdict"] in WITH_OTHERS
    ]
    return {"compared": len(both), "agreed": sum(one["chosen"] == two["chosen"] for one, two in both)}


def _answer(row: Fields, other: Fields, name: str) -> dict[str, Any]:
    """Another judge's answer to a decision."""
    return {
        "name": name,
        "chosen": other["chosen"],
        "verdict": other["verdict"],
        "loss": other["loss"],
        "agrees": other["chosen"] == row["chosen"],
        "candidates": [{name: one[name] for name in ("action", "value")} for one in other["candidates"]],
    }
