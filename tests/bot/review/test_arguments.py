"""Sentences: they name the parts that make the sum, in figures that agree with it, and what a player sees."""

from __future__ import annotations

import re

import pytest

from bot.review.arguments import clauses_of
from bot.review.measure import PARTS, Scale, ledger
from bot.review.wording import Wording
from bot.wording.languages import Lang

MINUS = "\N{MINUS SIGN}"
DISCARD = {"kind": "discard", "tile": "1m"}
OTHER = {"kind": "discard", "tile": "2m"}
CALL = {"kind": "pon", "tile": "2s", "own": "2s2s"}


def candidate(action, *, value=None, note=None, **more):
    """A candidate; its value is the sum of its parts."""
    parts = {name: float(more.pop(f"of_{name}")) for name in PARTS if f"of_{name}" in more}
    found = {"action": action, "value": sum(parts.values()) if value is None else value, **more}
    return found | ({"parts": parts} if parts else {}) | ({"note": note} if note else {})


def row(played, chosen, facts=None, **more):
    for one, name in ((played, "mine"), (chosen, "theirs")):
        one["facts"] = (facts or {}).get(name, {})
    return {
        "played": played["action"], "chosen": chosen["action"], "verdict": "differs", "category": "discard",
        "candidates": [chosen, played], "loss": chosen["value"] - played["value"], "noise": 30.0, "per_point": 0.002,
        "situation": "late", "known": "seen", "mode": "attack", "disputed": None, "questions": {}, "held": None,
        "table": {"scores": [21_000, 30_000, 25_000, 24_000]}, **more,
    }  # fmt: skip


def said(played, chosen, lang=Lang.EN, **more):
    return Wording(lang).decision(row(played, chosen, **more))


def test_a_ledger_adds_up_to_the_loss():
    mine = candidate(DISCARD, of_win=400.0, of_later=-90.0, of_network=-200.0)
    theirs = candidate(OTHER, of_win=700.0, of_later=-140.0, of_keep=12.0)
    found = ledger(row(mine, theirs), mine, theirs)
    assert sum(found.gains.values()) == pytest.approx(found.loss) == pytest.approx(462.0)
    assert found.reasons() == ["win", "network"]
    assert found.against() == ["later"]
    assert found.small() == ([], 0.0)  # 12 of 462 points are no more than a tenth


def clauses_within(clauses):
    """Clauses, and those that stand in their places."""
    for one in clauses:
        yield one
        for part in one.get("parts", {}).values():
            yield from clauses_within(part if isinstance(part, list) else [part] if isinstance(part, dict) else [])


def test_a_clause_about_a_part_has_its_gain_as_a_figure():
    mine = candidate(DISCARD, of_win=400.0, of_later=-90.0, of_network=-200.0)
    theirs = candidate(OTHER, of_win=700.0, of_later=-140.0, of_keep=12.0)
    found = clauses_of(row(mine, theirs), Scale.of(30.0, "points"))
    gains = {one["about"]: one["gain"] for one in clauses_within(found) if "about" in one}
    assert gains == {"win": 300.0, "network": 200.0, "later": -50.0}


@pytest.mark.parametrize("lang", list(Lang))
def test_a_review_holds_clauses_without_words_and_a_page_words_them(fields, lang):
    wording = Wording.of(fields["policy"], lang)
    for each in fields["decisions"]:
        earlier = {name: value for name, value in each.items() if name != "clauses"}
        assert wording.decision(each) == wording.decision(earlier) != ""
        assert all(one["key"] in wording.words for one in clauses_within(each["clauses"]) if "kind" not in one)


def test_reasons_are_named_by_their_figures_and_points():
    mine = candidate(
        DISCARD, of_win=400.0, of_later=-500.0, p_win=0.10, win_points=4_000, p_later=0.10, later_loss=5_000
    )
    theirs = candidate(OTHER, of_win=1_000.0, of_later=-700.0, p_win=0.25, win_points=4_000, p_later=0.14,
                       later_loss=5_000)  # fmt: skip
    text = said(mine, theirs)
    assert "worth 400 points more" in text
    assert "wins more often, 25% of the time instead of 10%, for about 4,000 points (+600)" in text
    assert "What was played deals in later less often, 10% of the time instead of 14% (+200)." in text


def test_a_dearer_win_is_named_where_it_decides_against_the_chance():
    call = candidate(CALL, of_win=460.0, of_stay_folded=-250.0, p_win=0.23, win_points=2_000)
    passing = candidate({"kind": "pass"}, of_win=960.0, p_win=0.12, win_points=8_000)
    text = said(call, passing, category="call")
    assert (
        "wins less often, 12% of the time instead of 23%, but for so much more, 8,000 points instead of 2,000" in text
    )
    assert "does not go back and forth between folding and pushing (+250)" in text


def test_equal_figures_are_not_compared():
    mine = candidate(DISCARD, of_later=-500.0, of_deal_in=-100.0, p_later=0.1, later_loss=5_000, p_deal_in=0.02,
                     expected_loss=5_000)  # fmt: skip
    theirs = candidate(OTHER, of_later=-300.0, of_deal_in=-40.0, p_later=0.1, later_loss=5_000, p_deal_in=0.02,
                       expected_loss=5_000)  # fmt: skip
    text = said(mine, theirs)
    assert "loses less by later deal-ins (+200)" in text
    assert "loses less by dealing in at once (+60)" in text
    assert "instead of" not in text


def test_a_figure_that_does_not_account_for_its_part_is_not_its_reason():
    mine = candidate(DISCARD, of_draw=-100.0, p_tenpai=0.23)
    theirs = candidate(OTHER, of_draw=300.0, p_tenpai=0.25)  # two percentage points are not 400 points
    assert "does better at an exhausted wall (+400)" in said(mine, theirs)
    theirs = candidate(OTHER, of_draw=300.0, p_tenpai=0.35)
    assert "tenpai at an exhausted wall more often, 35% of the time instead of 23% (+400)" in said(mine, theirs)


def test_a_push_against_a_fold_says_what_it_still_wins():
    fold = candidate(DISCARD, of_later=-100.0, of_draw=-900.0, note="fold", p_win=0.3, win_points=3_800)
    push = candidate(OTHER, of_win=760.0, of_later=-700.0, of_draw=-800.0, p_win=0.2, win_points=3_800, p_later=0.14,
                     later_loss=5_000)  # fmt: skip
    text = said(fold, push)
    assert "still wins 20% of the time, for 3,800 points (+760)" in text
    assert "30%" not in text  # the chance to win of a hand that is folded


def test_the_others_win_less_where_the_hand_wins_itself():
    mine = candidate(DISCARD, of_others=-2_200.0, p_win=0.16, win_points=7_000)
    theirs = candidate(OTHER, of_others=-1_400.0, p_win=0.45, win_points=3_300)
    assert "by winning 45% of the time itself instead of 16% (+800)" in said(mine, theirs)
    assert "leaves the others less to win (+800)" in said(mine, {**theirs, "p_win": 0.17})
    unknown = candidate(DISCARD, of_others=-2_200.0)  # it may win as often
    assert "leaves the others less to win (+800)" in said(unknown, theirs)
    never = candidate(DISCARD, of_others=-2_200.0, p_win=0.0)
    assert "by winning 45% of the time itself instead of 0% (+800)" in said(never, theirs)


def test_a_slightly_riskier_tile_is_no_push():
    mine = candidate(DISCARD, of_win=0.0, of_network=-300.0, p_deal_in=0.0024, prior=0.01)
    theirs = candidate(OTHER, of_win=0.0, p_deal_in=0.0012, prior=0.9)
    assert "push" not in said(mine, theirs, category="push_fold", mode="fold")
    risky = candidate(DISCARD, of_deal_in=-250.0, p_deal_in=0.05)
    assert "A push that the bot does not make." in said(risky, theirs, category="push_fold", mode="fold")
    unimportant = {**mine, "p_deal_in": 0.05}  # what it costs is not why the bot prefers another tile
    assert "push" not in said(unimportant, theirs, category="push_fold", mode="fold")


@pytest.mark.parametrize("lang", list(Lang))
def test_named_reasons_add_up_but_for_a_tenth(lang):
    mine = candidate(DISCARD, of_win=100.0, of_keep=-20.0, of_places=-20.0, of_draw=-20.0, of_others=-20.0, p_win=0.1,
                     win_points=1_000)  # fmt: skip
    theirs = candidate(OTHER, of_win=180.0, of_keep=5.0, of_places=1.0, of_draw=1.0, of_others=1.0, p_win=0.18,
                       win_points=1_000)  # fmt: skip
    text = said(mine, theirs, lang)
    gains = [float(each.replace(MINUS, "-")) for each in re.findall(rf"[(\uff08 ]([+{MINUS}]\d+)", text)]
    assert sum(gains) == pytest.approx(theirs["value"] - mine["value"], abs=2.0)


def test_both_questions_have_their_answers():
    riichi, silent = {"kind": "riichi", "tile": "1m"}, OTHER
    mine, theirs = candidate(silent, of_win=100.0), candidate(riichi, of_win=800.0)
    text = said(mine, theirs, category="discard", questions={"tile": 600.0, "riichi": 100.0})
    assert "Of that, +600 are about the tile and +100 about not declaring riichi." in text
    assert "Of that" not in said(mine, theirs, questions={"tile": 690.0, "riichi": 10.0})  # within the noise


def test_whose_opinion_it_is():
    mine, theirs = candidate(DISCARD, of_win=10.0, of_network=-90.0, prior=0.2), candidate(OTHER, of_win=1.0, prior=0.7)
    text = said(mine, theirs, disputed="network")
    assert (
        "Strong play alone is for the bot's choice, 70% of the time against 20% (+90); to the search both are worth"
        in text
    )
    assert text.count("trong play") == 1  # it is said once
    mine = candidate(DISCARD, of_win=60.0, of_network=-190.0, prior=0.2)
    text = said(mine, theirs, disputed="network")
    assert "(+190); the search would rather have what was played. What was played wins more on average (+59)" in text
    unlikely = candidate(DISCARD, of_win=10.0, of_network=-90.0, prior=0.00002)
    rare = candidate(OTHER, of_win=1.0, prior=0.00004)
    assert "to the search alone both are worth the same" in said(unlikely, rare, disputed="network")  # no equal figures
    mine = candidate(DISCARD, of_later=-200.0, of_network=-190.0, prior=0.2)
    theirs = candidate(OTHER, of_later=-150.0, prior=0.7)
    assert "has strong play behind it, 70% of the time against 20% (+190)" in said(mine, theirs)
    mine = candidate(DISCARD, of_win=10.0, prior=0.81)
    theirs = candidate(OTHER, of_win=500.0, of_network=-20.0, prior=0.19)  # too little to be a reason
    text = said(mine, theirs, disputed="search")
    assert "strong play would not: it chooses what was played 81% of the time, the bot's choice 19%" in text


@pytest.mark.parametrize("lang", list(Lang))
def test_a_grade_that_is_milder_than_its_loss_says_why(lang):
    t, mine = Wording(lang), candidate(DISCARD, of_win=10.0, prior=0.8)
    for theirs, disputed, told in (
        (candidate(OTHER, of_win=2_000.0, prior=0.2), "search", True),
        (candidate(OTHER, of_win=110.0, prior=0.2), "search", False),  # an inaccuracy by its loss, too
        (candidate(OTHER, of_win=2_000.0, prior=0.9), None, False),
    ):
        found = row(mine, theirs, disputed=disputed, grade="blunder" if disputed is None else "inaccuracy")
        for text in (t.brief(found), t.decision(found)):
            assert text.endswith(t("graded_disputed")) is told


def test_wins_come_before_the_places_that_come_of_them():
    mine = candidate(DISCARD, of_win=400.0, of_places=100.0, p_win=0.10, win_points=4_000)
    theirs = candidate(OTHER, of_win=500.0, of_places=300.0, p_win=0.14, win_points=4_000)
    assert (
        "wins more often, 14% of the time instead of 10%, for about 4,000 points (+100) and gains more places"
        in said(mine, theirs)
    )


def test_figures_have_no_more_digits_than_they_need():
    mine = candidate(DISCARD, of_win=400.0, p_win=0.0804, win_points=5_000)
    theirs = candidate(OTHER, of_win=480.0, p_win=0.0802, win_points=6_000)
    assert "wins for more, 6,000 points instead of 5,000, 8% of the time (+80)" in said(mine, theirs)
    mine = candidate(DISCARD, of_later=-440.0, p_later=0.146, later_loss=3_000)
    theirs = candidate(OTHER, of_later=-400.0, p_later=0.146, later_loss=2_700)
    assert "2,700 points on average instead of 3,000, 15% of the time (+40)" in said(mine, theirs)
    mine = candidate(DISCARD, of_deal_in=-240.0, p_deal_in=0.049, expected_loss=5_000)
    theirs = candidate(OTHER, of_deal_in=-2.0, p_deal_in=0.0004, expected_loss=5_000)
    text = said(mine, theirs)
    assert "hardly ever deals in at once, instead of 4.9% of the time (+238)" in text
    assert "0.0%" not in text
    safe = candidate(OTHER, of_win=0.0, p_deal_in=0.0)
    assert "discards nothing that deals in, instead of a tile that does 4.9% of the time (+240)" in said(mine, safe)


def test_a_little_more_is_not_called_much_more():
    mine = candidate(DISCARD, of_win=363.0, p_win=0.0573, win_points=6_340)
    theirs = candidate(OTHER, of_win=394.0, p_win=0.0657, win_points=6_004)
    assert "wins 394 points on average instead of 363 (+31)" in said(mine, theirs)
    theirs = candidate(OTHER, of_win=720.0, p_win=0.12, win_points=6_004)
    assert "so much more often, 12% of the time instead of 6%" in said(mine, theirs)


def test_tenpai_at_the_end_is_said_against_a_fold():
    fold = candidate(DISCARD, of_draw=-1_067.0, p_tenpai=0.0, note="fold")
    push = candidate(OTHER, of_draw=7.0, p_tenpai=0.393)
    assert "may be tenpai at an exhausted wall, 39% of the time (+1,074)" in said(fold, push)
    assert "流局時聴牌率 39%" in said(fold, push, lang=Lang.JA)


def test_how_far_the_hand_is_and_what_brings_it_nearer():
    figures = {"p_win": 0.1, "win_points": 4_000}
    theirs = candidate(OTHER, of_win=500.0, shanten=2, ukeire=20, **figures)
    mine = candidate(DISCARD, of_win=400.0, shanten=2, ukeire=15, **figures)
    assert "20 tiles bring the hand nearer after the bot's choice, 15 after what was played." in said(mine, theirs)
    assert "受け入れは推奨20枚、実際15枚。" in said(mine, theirs, lang=Lang.JA)
    assert "nearer" not in said(mine | {"ukeire": 19}, theirs)
    assert "nearer" not in said(mine | {"note": "fold"}, theirs)
    assert "nearer" not in said(mine | {"shanten": 3}, theirs | {"shanten": 3})  # too far for it to matter
    assert "What was played leaves the hand at 3-shanten, the bot's choice at 2-shanten." in said(
        mine | {"shanten": 3}, theirs
    )
    assert "The bot's choice leaves the hand at 2-shanten, what was played at 1-shanten." in said(
        mine | {"shanten": 1}, theirs
    )
    assert "nearer" not in said(mine | {"shanten": 0, "ukeire": 3}, theirs | {"shanten": 0})  # its waits are named


def test_small_parts_are_named_by_the_largest():
    small = {"of_keep": 20.0, "of_places": 15.0, "of_draw": 12.0}
    mine, theirs = candidate(DISCARD, of_win=400.0), candidate(OTHER, of_win=450.0, **small)
    assert "smaller parts +47, mostly tiles kept, places" in said(mine, theirs)


def test_the_choice_of_strong_play_is_said_once():
    mine = candidate(DISCARD, of_win=10.0, prior=0.76)
    theirs = candidate(OTHER, of_win=500.0, of_network=-107.0, prior=0.20)
    text = said(mine, theirs, disputed="search")
    assert "What was played has strong play behind it, 76% of the time against 20% (+107)." in text
    assert "The search alone is for the bot's choice." in text
    assert text.count("76%") == 1


def test_a_yakuhai_that_goes_is_named():
    mine, theirs = candidate(DISCARD, of_win=0.0), candidate(OTHER, of_win=500.0)
    assert "What was played lets a yakuhai go." in said(mine, theirs, facts={"mine": {"yakuhai": True}, "theirs": {}})
    assert "The bot's choice lets a yakuhai go." in said(mine, theirs, facts={"mine": {}, "theirs": {"yakuhai": True}})
    both = {"mine": {"yakuhai": True}, "theirs": {"yakuhai": True}}
    assert "yakuhai" not in said(mine, theirs, facts=both)
    assert "yakuhai" not in said(mine, theirs, facts={"mine": {"yakuhai": True}, "theirs": {}}, mode="fold")


def test_values_in_finer_units_have_the_digits_of_the_decision():
    mine = candidate(DISCARD, of_win=0.10, of_keep=0.013, of_draw=0.011)
    theirs = candidate(OTHER, of_win=0.16, of_keep=0.004, of_draw=0.004)
    text = Wording(Lang.EN, Scale.of(0.2, "dan points")).decision(row(mine, theirs, noise=0.02))
    assert "worth 0.04 dan points more" in text
    assert "wins more on average (+0.06)" in text
    assert f"smaller parts {MINUS}0.02 (tiles kept, the exhausted wall)" in text
    usual = Wording(Lang.EN, Scale.of(0.2, "dan points")).decision(row(mine, theirs, noise=0.2, loss=0.44))
    assert "worth 0.4 dan points more" in usual


def test_a_choice_that_is_held_points_to_where_it_was_made():
    mine, theirs = candidate(DISCARD, of_win=0.0), candidate(OTHER, of_win=500.0)
    text = said(mine, theirs, verdict="held", held={"decision": 12, "turn": 6})
    assert "the choice of turn 6, held; it is charged there" in text


def test_arguments_are_said_as_a_player_sees_them():
    mine = candidate(DISCARD, of_win=100.0, of_deal_in=-400.0, p_win=0.1, win_points=1_000, p_deal_in=0.08,
                     expected_loss=5_000)  # fmt: skip
    theirs = candidate(OTHER, of_win=500.0, of_deal_in=-10.0, p_win=0.5, win_points=1_000, p_deal_in=0.002,
                       expected_loss=5_000)  # fmt: skip
    facts = {
        "mine": {"waits": "3s", "left": 1, "dora": 1, "suit": {"2": "s"}, "safety": {"3": {"kind": "no_suji"}}},
        "theirs": {"waits": "2p5p", "left": 7, "safety": {"3": {"kind": "genbutsu"}}},
    }
    text = said(mine, theirs, facts=facts)
    assert "of which 7 are left" in text
    assert "What was played discards a dora." in text
    assert "Against the riichi of the player on the left the bot's tile is genbutsu, the other one no suji." in text
    assert "The river of the player across avoids souzu, and what was played is of it." in text
    kan = candidate({"kind": "ankan", "tile": "1m"}, of_win=900.0, p_win=0.3, win_points=3_000)
    assert "for whoever is in riichi" in said(mine, kan, facts={"mine": {}, "theirs": {"kan": 1}})


def test_players_are_named_from_the_right_to_the_left_in_every_run():
    mine, theirs = candidate(DISCARD, of_win=0.0), candidate(OTHER, of_win=500.0)
    facts = {"mine": {"suit": {"3": "s", "1": "s"}}, "theirs": {"suit": {"2": "s"}}}
    text = said(mine, theirs, facts=facts)
    assert re.findall("the player (on the right|across|on the left) avoids", text) == [
        "on the right",
        "across",
        "on the left",
    ]


def test_a_deal_in_that_does_more_than_cost_its_points_says_what():
    mine = candidate(DISCARD, of_deal_in=-382.0, p_deal_in=0.261, expected_loss=3_171)
    theirs = candidate(OTHER, of_deal_in=-806.0, of_win=900.0, p_deal_in=0.08, expected_loss=5_479)
    facts = {
        "mine": {"dealt": {"to": 2, "points": 3_200, "ends": True, "place": 1}},
        "theirs": {"dealt": {"to": 1, "points": 5_500, "ends": False, "place": 3}},
    }
    text = said(mine, theirs, facts=facts)
    assert "What was played loses less by dealing in at once (+424)." in text  # not "pays less", which explains nothing
    assert (
        "What was played would end the game in 1st if it dealt in to the player across, for about 3,200 points." in text
    )
    assert "The bot's choice would leave the player 3rd if it dealt in to the player on the right" in text
    usual = candidate(DISCARD, of_deal_in=-830.0, p_deal_in=0.261, expected_loss=3_171)
    assert "What was played would" not in said(usual, theirs, facts=facts)


@pytest.mark.parametrize(
    ("known", "said_of_it"),
    [
        ({}, "The player across wins with an open hand."),
        ({"yaku": [], "points": 2_000, "limit": 0, "han": 2, "fu": 30}, "with an open hand: 2 han 30 fu, 2,000."),
        ({"yaku": [["tanyao", "断么九", 1]], "points": 1_000, "limit": 0, "han": 1, "fu": 30}, "hand: tanyao (1 han"),
    ],
)
def test_a_win_is_named_as_far_as_the_log_does(known, said_of_it):
    winner = {"seat": 2, "threat": "open", "waits": "", "safety": None, **known}
    deal_in = {"winners": [winner], "p_deal_in": None, "rank": None, "worth": "unclear", "loss": None}
    assert said_of_it in Wording(Lang.EN).deal_in(deal_in, None)[0]


def test_an_answer_in_practice_is_the_readers():
    mine, theirs = candidate(DISCARD, of_win=300.0, of_draw=90.0), candidate(OTHER, of_win=800.0)
    text = Wording(Lang.EN, practising=True).decision(row(mine, theirs, {"mine": {"dora": 1}, "theirs": {}}))
    assert "Your answer does better at an exhausted wall (+90)." in text
    assert "Your answer discards a dora." in text
    assert "played" not in text


def test_a_riskier_fold_is_no_push_and_a_safer_push_no_fold():
    fold, risky = (candidate(one, of_deal_in=of, p_deal_in=p, note="fold") for one, of, p in
                   ((OTHER, -10.0, 0.002), (DISCARD, -500.0, 0.1)))  # fmt: skip
    assert "A fold with a more dangerous tile than the bot's." in said(risky, fold, category="push_fold", mode="fold")
    push = candidate(OTHER, of_win=900.0, p_deal_in=0.1, shanten=1)
    safer = {"p_deal_in": 0.01, "shanten": 2}
    for note, is_fold in (("fold", True), (None, False)):
        text = said(candidate(DISCARD, of_win=10.0, note=note, **safer), push, category="push_fold")
        assert ("A fold where the bot pushes." in text) is is_fold


def test_in_the_last_hand_places_are_named():
    mine = candidate(DISCARD, of_win=300.0, of_places=10.0, p_win=0.3, win_points=1_000)
    theirs = candidate(OTHER, of_win=310.0, of_places=500.0, p_win=0.31, win_points=1_000)
    text = said(mine, theirs, situation="last_hand")
    assert "gains more places by its wins (+490)" in text
    assert "The player is last, 3,000 points behind the next." in text


def test_values_within_the_noise_are_equal_and_no_others():
    mine, theirs = candidate(DISCARD, of_win=0.0, value=0.0), candidate(OTHER, of_win=1.0)
    text = said(mine, theirs, verdict="equal", loss=0.0)
    assert "the difference of 1 point is within the noise of 30 points" in text


def test_dan_points_stay_dan_points():
    mine, theirs = candidate(DISCARD, value=0.0), candidate(OTHER, value=1.5)
    wording = Wording(Lang.EN, Scale.of(0.06, "dan points"))
    assert "worth 1.50 dan points more" in wording.decision(row(mine, theirs))
