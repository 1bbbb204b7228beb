"""Audits: nothing is missing, and hands and deal-ins agree with the log."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from itertools import pairwise

import pytest

from bot.deciding.players import PlayerSpec
from bot.replay.verify import verify_files
from bot.review.examine import examine
from bot.review.fields import audit_fields
from bot.review.many import Job, audit_seats
from bot.review.recording import read_recording
from bot.review.report import render_report, render_summary
from bot.review.verdicts import Verdict, score_of, total
from bot.review.wording import words
from bot.wording.languages import Lang
from engine.model.events import Discard, StartKyoku, Win
from engine.policy.registry import make_policy
from tests.bot.review.games import audit_of, log_file


def test_no_decision_is_missing(game, reviews):
    tally = verify_files([log_file(game)])
    assert sum(len(review["decisions"]) for review in reviews) == tally.decisions > 150
    for review in reviews:
        assert [row["number"] for row in review["decisions"]] == list(range(1, len(review["decisions"]) + 1))


def test_a_policy_agrees_with_its_own_game(reviews):
    for seat in (0, 1, 3):
        verdicts = {row["verdict"] for row in reviews[seat]["decisions"]}
        assert verdicts <= {Verdict.SAME, Verdict.FORCED, Verdict.UNKNOWN}
        assert reviews[seat]["score"]["per_hundred"] == 0.0
        assert reviews[seat]["turning_points"] == []


def test_a_worse_player_is_rated_lower(fields):
    assert fields["score"]["per_hundred"] > 1_000.0
    assert fields["score"]["differences"] > 20
    losses = {row["number"]: row["loss"] or 0.0 for row in fields["decisions"]}
    lost = [losses[number] for number in fields["turning_points"]]
    assert lost == sorted(losses.values(), reverse=True)[:5]


def test_hands_add_up(game, reviews):
    kyoku = sum(isinstance(event, StartKyoku) for event in game.events)
    for review in reviews:
        hands, score = review["hands"], review["score"]
        assert len(hands) == kyoku
        assert review["complete"]
        summed = total(score_of(hand["score"]) for hand in hands)
        assert (summed.decisions, summed.judged) == (score["decisions"], score["judged"])
        assert (summed.lost, summed.weighed) == pytest.approx((score["lost"], score["weighed"]), rel=1e-4)
        start, end = hands[0]["scores"][0], game.events[-1].scores[review["seat"]]
        sticks = end - start - sum(hand["deltas"][0] for hand in hands)
        assert sticks >= 0
        assert sticks % 1000 == 0  # those left over at the end


def test_deal_ins_are_those_of_the_log(game, reviews):
    for seat, fields in enumerate(reviews):
        there = [event for event in game.events if isinstance(event, Win) and event.from_seat == seat != event.seat]
        assert sum(len(one["winners"]) for one in fields["deal_ins"]) == len(there)
        rows = {row["number"]: row for row in fields["decisions"]}
        for one in fields["deal_ins"]:
            assert rows[one["decision"]]["played"]["tile"] == one["tile"]
            assert all(one["tile"].replace("0", "5") in winner["waits"] for winner in one["winners"])
            assert one["paid"] > 0
    assert any(fields["deal_ins"] for fields in reviews)


def test_the_truth_is_what_the_log_deals(reviews):
    """The others' hands in the report, melds aside, are thirteen tiles, or fourteen for whoever has drawn."""
    for row in reviews[1]["decisions"]:
        for seat, hand in enumerate(row["truth"]["hands"], 1):
            melds = len(row["table"]["melds"][seat])
            assert len(hand) // 2 == 13 - 3 * melds
    assert any(wait for row in reviews[1]["decisions"] for wait in row["truth"]["waits"])


def test_a_log_that_breaks_off_is_audited_up_to_there(game, reviews):
    cut = next(at for at in range(len(game.events) * 2 // 3, len(game.events)) if isinstance(game.events[at], Discard))
    part = replace(game, events=game.events[:cut])
    found = audit_fields(audit_of(part, 1))
    assert not found["complete"]
    assert len(found["decisions"]) == sum(row["event"] < cut for row in reviews[1]["decisions"])
    assert found["hands"][-1]["outcome"] == "unfinished"
    page, text = render_report(found), render_summary(found)
    assert words(Lang.EN)["incomplete"] in page
    assert words(Lang.EN)["incomplete"] in text


def test_a_hand_that_contradicts_the_rules_is_named(game):
    events = list(game.events)
    at = next(at for at, event in enumerate(events) if isinstance(event, Discard) and at > 60)
    events[at] = replace(events[at], tile=(events[at].tile + 68) % 136)
    audit = audit_of(replace(game, events=tuple(events)), 0, "tsumogiri")
    assert len(audit.faults) == 1
    assert audit.faults[0].place in render_report(audit_fields(audit))


def test_a_session_shows_one_seat(game):
    log = read_recording(log_file(game))
    with pytest.raises(ValueError, match="seat 7"):
        examine(log, 7, partial(make_policy, "tsumogiri"))


def test_the_chances_of_the_places_follow_the_game(fields):
    hands = fields["hands"]
    assert sum(hands[0]["before"]["places"]) == pytest.approx(1.0, abs=1e-3)
    for one, following in pairwise(hands):
        assert one["after"] == following["before"]
    end = fields["ends"][0]
    assert hands[-1]["after"]["places"] == [float(end["placement"] == place) for place in (1, 2, 3, 4)]
    assert hands[-1]["after"]["result"] == pytest.approx(end["results"][0])
    assert words(Lang.EN)["places_title"] in render_report(fields)


@pytest.mark.parametrize("jobs", [1, 2])
def test_the_seats_of_a_game_side_by_side(game, reviews, jobs):
    order = (2, 0) if jobs > 1 else (2, 3, 0, 1)
    done = []
    found = audit_seats(log_file(game), order, Job(PlayerSpec.parse("simple")), jobs, on_seat=lambda: done.append(1))
    assert len(done) == len(order)
    for seat, fields in zip(order, found, strict=True):
        assert fields["decisions"] == reviews[seat]["decisions"]
