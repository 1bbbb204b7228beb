"""The names of a review: folders and pages read them, so whoever changes one raises the version."""

from __future__ import annotations

import pytest

from bot.review.document import VERSION
from bot.review.verdicts import Score, score_fields

LISTED: int = 10
"""The version of the names below."""
NAMES = {
    "": (
        "format version made_by source log_id date policy seat names rules game complete notes faults ends score "
        "reference categories situations habits choices hands turning_points deal_ins decisions"
    ),
    "made_by": "oshihiki engine",
    "policy": "name settings nodes unit values noise bounds worth",
    "rules": "hanchan red_fives open_tanyao kiriage start_points honba_points shown",
    "ends": "scores results placement",
    "score": (
        "per_hundred error agreement decisions judged same equal differences inaccuracies mistakes blunders lost "
        "weighed"
    ),
    "habits": "kind situation count lost",
    "choices": "kind situation count played chosen",
    "hands": (
        "name game kyoku honba sticks dealer scores deltas ended resumed outcome riichi called against_riichi last "
        "wins draw score before after first"
    ),
    "hands.before": "places result",
    "hands.wins": "seat from tile points han fu limit yaku",
    "deal_ins": "hand decision tile paid p_deal_in expected_loss rank of safest worth loss winners",
    "deal_ins.winners": "seat from tile points han fu limit yaku hand melds waits shape threat safety",
    "decisions": (
        "number hand turn event own_turn legal known played chosen verdict grade category loss disputed "
        "questions noise held mode situation threatened per_point grounds candidates table truth danger clauses"
    ),
    "decisions.truth": "hands waits",
}
"""The names of each part that always has the same ones; of a list, those of its members."""


def members(value):
    return (
        [one for each in value for one in members(each)] if isinstance(value, list) else [value] * (value is not None)
    )


def parts_at(fields, path):
    found = [fields]
    for name in path.split(".") if path else ():
        found = [one for each in found for one in members(each[name])]
    return found


@pytest.mark.parametrize("path", NAMES)
def test_a_name_comes_or_goes_with_a_version(reviews, path):
    parts = [part for fields in reviews for part in parts_at(fields, path)]
    assert parts, f"the games of these tests have no {path}"
    for part in parts:
        listed = NAMES[path].split()
        assert (list(part), VERSION) == (listed, LISTED), (
            f"{sorted(set(part) ^ set(listed))} of {path or 'a review'}: raise VERSION in bot/review/document.py, so "
            "that folders of an earlier version are reviewed again; then list the names here"
        )


def test_every_score_has_the_names_of_a_score():
    assert list(score_fields(Score())) == NAMES["score"].split()
