"""Practice asked with every answer: each sentence about it is true of the position, as one about a game's answer is."""

from __future__ import annotations

from collections import Counter
from functools import partial
from itertools import islice

import pytest

from bot.deciding.players import PlayerSpec
from bot.logs.sources import open_logs
from bot.replay.steps import decision_points
from bot.review.examine import examine
from bot.review.fields import audit_fields
from bot.review.questions import Question
from bot.review.recording import read_recording
from bot.review.wording import words
from bot.wording.grounds import word
from bot.wording.languages import Lang
from protocol.logs.game_log import GameLog
from tests.bot.review.claims import CLAIMS, Listening, Position, false_claims
from tests.bot.review.games import recording
from tests.engine.policy.sides import SIDES, contradiction
from tests.games import game_of

JUDGE = "value:nodes=1000,call_nodes=500"


def faults_of(source, seat, counts):
    """What is said falsely of any answer to any question that a seat's game gives, and of pushing and folding."""
    audit = examine(source, seat, partial(PlayerSpec.parse(JUDGE).make, 0))
    faults = []
    for row in audit.rows:
        for ground in row.decision.grounds:
            counts["sides"] += ground.kind in SIDES
            if found := contradiction(ground, row.decision.mode):
                faults.append(f"decision {row.fields['number']}: {found}: {word(ground)}")
    fields = audit_fields(audit)
    rows = {row["number"]: row for row in fields["decisions"] if row["verdict"] == "differs"}
    for number, point in enumerate(decision_points(source.source, seat, []), 1):
        if number not in rows:
            continue
        question = Question("", rows[number], fields, "", str)
        assert question.judged(question.row["played"]) == question.row
        position = Position(source.events, point)
        counts["questions"] += 1
        for lang in Lang:
            t = Listening.of(fields["policy"], lang, practising=True)
            for choice in question.choices:
                found, claims = false_claims(t, question.judged(choice), position)
                counts["choices"] += 1
                counts["claims"] += claims
                faults += [f"{source.name} seat {seat} decision {number}: {each}" for each in found]
    return faults


def test_every_sentence_of_a_difference_is_checked_however_rare_it_is():
    begun = ("because_", "fact_", "kind_", "two_questions_", "only_", "disputed_", "graded_")
    of_a_difference = {key for key in words(Lang.EN) if key.startswith(begun)}
    assert of_a_difference - CLAIMS.keys() == set()
    assert CLAIMS.keys() - words(Lang.EN).keys() == set()


def test_every_sentence_about_any_answer_of_a_game_is_true():
    game = game_of("simple", 5)
    counts = Counter()
    assert faults_of(recording(GameLog(game.events, source="game.xml")), 1, counts) == []
    assert counts["questions"] > 10
    assert counts["claims"] > 4 * counts["choices"]


@pytest.mark.corpus
@pytest.mark.slow
def test_every_sentence_about_any_answer_of_ten_recorded_games_is_true(corpus):
    counts = Counter()
    faults = []
    for shard, games in (("houou-hanchan-00", 4), ("tokujou-hanchan-00", 3), ("houou-tonpu-01", 2), ("other4-00", 1)):
        for seat, file in enumerate(islice(open_logs([corpus / f"{shard}.tar.xz"]), games)):
            faults += faults_of(read_recording(file), seat, counts)
    assert faults == []
    assert counts["questions"] > 200
    assert counts["sides"] > 100
