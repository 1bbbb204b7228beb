"""Audits: what is judged and how, that nothing is missing, and that nothing from outside gets through."""

from __future__ import annotations

import base64
import csv
import hashlib
import io
import json
import re
from dataclasses import replace
from functools import partial
from html.parser import HTMLParser
from itertools import pairwise
from pathlib import Path

import pytest

import bot.audit
from bot.audit.examine import examine
from bot.audit.fields import audit_fields
from bot.audit.folder import write_folder
from bot.audit.many import Job, audit_logs
from bot.audit.rating import Score, score, standard_error
from bot.audit.report import dora_of, marked_hand, render_report, viewer_link
from bot.audit.sources import Recording, read_recording
from bot.audit.text_report import render_text
from bot.audit.totals import games_csv, totals
from bot.audit.verdicts import Verdict, categorise, judge
from bot.audit.wording import Wording, words
from bot.page.tile_art import sprite
from bot.players import PlayerSpec
from bot.replay.decisions import DecisionPoint, Known, Place
from bot.replay.verify import verify_files
from bot.wording.languages import Lang
from bot.wording.numbers import decimals_of, number, steps_of
from engine.arena import play_game
from engine.model.actions import PASS, Action, ActionKind
from engine.model.events import Discard, StartKyoku, Win
from engine.model.rules import TONPU
from engine.policy.decision import Candidate, Decision
from engine.policy.players.simple import SimplePolicy
from engine.policy.players.tsumogiri import TsumogiriPolicy
from engine.policy.registry import make_policy
from engine.state import GameState
from protocol.logs.formats import LogFile, read_log, write_log
from protocol.logs.game_log import GameLog

HOSTILE = "{{7*7}}</script><script>alert(1)</script><img src=x onerror=alert(2)>\"'\x1b[31m\u202e{{7*7}}"


@pytest.fixture(scope="module")
def game():
    """A game of three simple players and one that discards what it draws."""
    players = [SimplePolicy(), SimplePolicy(), TsumogiriPolicy(), SimplePolicy()]
    return GameLog(play_game(players, TONPU, 11).events, source="game.xml")


def recording(log):
    return Recording(log, tuple(enumerate(log.events)), log.start.rules, log.start.names, log.info)


@pytest.fixture(scope="module")
def audits(game):
    return [examine(recording(game), seat, partial(make_policy, "simple")) for seat in range(4)]


@pytest.fixture(scope="module")
def fields(audits):
    return audit_fields(audits[2])


def log_file(log, name="game.xml"):
    return LogFile(name, "mjlog", write_log(log, "mjlog").encode())


# -- completeness ----------------------------------------------------------------------------------------------------


def test_no_decision_is_missing(game, audits):
    tally = verify_files([log_file(game)])
    assert sum(len(audit.rows) for audit in audits) == tally.decisions > 150
    for audit in audits:
        assert [row.number for row in audit.rows] == list(range(1, len(audit.rows) + 1))
        assert len(audit_fields(audit)["decisions"]) == len(audit.rows) == sum(len(one.rows) for one in audit.hands)


def test_a_policy_agrees_with_its_own_game(audits):
    for seat in (0, 1, 3):
        assert {row.judgement.verdict for row in audits[seat].rows} <= {Verdict.SAME, Verdict.FORCED, Verdict.UNKNOWN}
        assert audits[seat].score.rating == 100.0
        assert audits[seat].turning_points == ()


def test_a_worse_player_is_rated_lower(audits):
    score = audits[2].score
    assert score.rating < 70
    assert score.differences > 20
    lost = [row.judgement.loss for row in audits[2].turning_points]
    assert lost == sorted(lost, reverse=True)
    assert lost[0] == max(row.judgement.loss or 0 for row in audits[2].rows)


def test_hands_add_up(game, audits):
    kyoku = sum(isinstance(event, StartKyoku) for event in game.events)
    for audit in audits:
        assert len(audit.hands) == kyoku
        assert audit.complete
        summed = sum((hand.score for hand in audit.hands), Score())
        assert (summed.decisions, summed.judged) == (audit.score.decisions, audit.score.judged)
        assert (summed.lost, summed.stake) == pytest.approx((audit.score.lost, audit.score.stake))
        start, end = audit.hands[0].hand.scores[audit.seat], game.events[-1].scores[audit.seat]
        sticks = end - start - sum(hand.hand.deltas[audit.seat] for hand in audit.hands)
        assert sticks >= 0
        assert sticks % 1000 == 0  # those left over at the end


def test_expectations_of_a_hand_are_zero_sum(game, audits):
    for index in range(len(audits[0].hands)):
        luck = [audit.hands[index].luck for audit in audits]
        assert sum(each.expected for each in luck) == pytest.approx(0.0, abs=1e-6)
        for each in luck:
            assert each.result == pytest.approx(each.expected + each.decisions + each.luck)
    whole = audits[2].luck
    assert whole.result == game.events[-1].scores[2] - 25_000
    assert whole.decisions == pytest.approx(-audits[2].score.lost)


def test_deal_ins_are_those_of_the_log(game, audits):
    for audit in audits:
        there = [
            event for event in game.events if isinstance(event, Win) and event.from_seat == audit.seat != event.seat
        ]
        assert sum(len(one.winners) for one in audit.deal_ins) == len(there)
        for one in audit.deal_ins:
            assert one.row is not None
            assert one.row.played.tile == one.winners[0].win.tile
            assert all(winner.win.tile >> 2 in winner.waits for winner in one.winners)
            assert one.paid > 0
    assert any(audit.deal_ins for audit in audits)


def test_the_truth_is_what_the_log_deals(audits):
    """The others' hands in the report, melds aside, are thirteen tiles, or fourteen for whoever has drawn."""
    for row in audits[1].rows:
        for seat, hand in enumerate(row.truth["hands"], 1):
            melds = len(row.table["melds"][seat])
            assert len(hand) // 2 == 13 - 3 * melds
    assert any(wait for row in audits[1].rows for wait in row.truth["waits"])


def test_a_log_that_breaks_off_is_audited_up_to_there(game, audits):
    cut = next(at for at in range(len(game.events) * 2 // 3, len(game.events)) if isinstance(game.events[at], Discard))
    part = replace(game, events=game.events[:cut])
    audit = examine(recording(part), 1, partial(make_policy, "simple"))
    assert not audit.complete
    whole = [row for row in audits[1].rows if row.event < cut]
    assert len(audit.rows) == len(whole)
    found = audit_fields(audit)
    assert found["hands"][-1]["outcome"] == "unfinished"
    assert found["hands"][-1]["luck"]["hands"] == 0
    page, text = render_report(found), render_text(found)
    assert words(Lang.EN)["incomplete"] in page
    assert words(Lang.EN)["incomplete"] in text


def test_a_hand_that_contradicts_the_rules_is_named(game):
    events = list(game.events)
    at = next(at for at, event in enumerate(events) if isinstance(event, Discard) and at > 60)
    events[at] = replace(events[at], tile=(events[at].tile + 68) % 136)
    audit = examine(recording(replace(game, events=tuple(events))), 0, partial(make_policy, "tsumogiri"))
    assert len(audit.faults) == 1
    assert audit.faults[0].place in render_report(audit_fields(audit))


# -- verdicts --------------------------------------------------------------------------------------------------------


def point(legal, played, known=Known.ACTED, absent=False):
    return DecisionPoint(Place(0, 0, 0, 1, 1), GameState(0), tuple(legal), played, known, absent)


def discards(*tiles):
    return [Action(ActionKind.DISCARD, tile) for tile in tiles]


A, B, C = discards(0, 40, 80)
DECISION = Decision(A, (Candidate(A, 1000.0), Candidate(B, 980.0), Candidate(C, 500.0)), unit="points")


@pytest.mark.parametrize(
    ("played", "verdict", "loss"),
    [(A, Verdict.SAME, 0.0), (B, Verdict.EQUAL, 0.0), (C, Verdict.DIFFERS, 500.0)],
)
def test_what_is_within_the_noise_is_no_mistake(played, verdict, loss):
    judged = judge(point((A, B, C), played), DECISION)
    assert (judged.verdict, judged.loss) == (verdict, loss)
    assert judged.stake == pytest.approx(500 / 3)


def test_the_policy_says_its_noise():
    judged = judge(point((A, B, C), B), replace(DECISION, noise=5.0))
    assert (judged.verdict, judged.loss) == (Verdict.DIFFERS, 20.0)


def test_a_tile_that_looks_the_same_is_the_same():
    twin = Action(ActionKind.DISCARD, 1)
    assert judge(point((A, twin, C), twin), DECISION).verdict is Verdict.SAME


@pytest.mark.parametrize(
    ("asked", "verdict"),
    [
        (point((A,), A), Verdict.FORCED),
        (point((A, B), None, Known.OVERRIDDEN), Verdict.UNKNOWN),
        (point((A, B), None, Known.CUT_OFF), Verdict.UNKNOWN),
        (point((A, B), B, absent=True), Verdict.ABSENT),
        (point((A, B), Action(ActionKind.DISCARD, 100)), Verdict.UNWEIGHED),
    ],
)
def test_what_cannot_be_known_is_not_judged(asked, verdict):
    judged = judge(asked, DECISION)
    assert judged.verdict is verdict
    assert judged.loss is None
    assert score([judged]).judged == 0
    assert score([judged]).stake == 0.0


@pytest.mark.parametrize(
    ("legal", "played", "category"),
    [
        ((Action(ActionKind.RON, 5), PASS), PASS, "win"),
        ((Action(ActionKind.PON, 5, (4, 6)), PASS), PASS, "call"),
        ((Action(ActionKind.ANKAN, 4), A), Action(ActionKind.ANKAN, 4), "kan"),
        ((Action(ActionKind.RIICHI, 4), A), Action(ActionKind.RIICHI, 4), "riichi"),
        ((Action(ActionKind.RIICHI, 4), A, B), B, "discard"),
    ],
)
def test_categories(legal, played, category):
    assert categorise(point(legal, played), DECISION).value == category
    fold = replace(DECISION, mode="fold")
    assert categorise(point((A, B), B), fold).value == "push_fold"


# -- the rating ------------------------------------------------------------------------------------------------------


def test_choosing_at_random_is_rated_zero_and_the_policy_hundred():
    each = score(judge(point((A, B, C), played), DECISION) for played in (A, B, C))
    assert each.rating == pytest.approx(0.0)
    assert score([judge(point((A, B, C), A), DECISION)]).rating == 100.0
    assert score([judge(point((A, B, C), C), DECISION)]).rating == pytest.approx(-200.0)
    assert Score().rating is None


def test_the_unit_cancels_out():
    small = replace(
        DECISION, candidates=tuple(replace(one, value=one.value / 1000) for one in DECISION.candidates), noise=0.03
    )
    for played in (A, B, C):
        asked = point((A, B, C), played)
        assert score([judge(asked, small)]).rating == pytest.approx(score([judge(asked, DECISION)]).rating)


def test_standard_error():
    alike = [Score(10, 10, 9, 0, 100.0, 1000.0)] * 5
    assert standard_error(alike) == pytest.approx(0.0, abs=1e-9)
    assert standard_error(alike[:1]) is None
    uneven = [Score(lost=lost, stake=1000.0) for lost in (0.0, 100.0, 200.0, 300.0)]
    mean_error = (sum((lost - 15) ** 2 for lost in (0, 10, 20, 30)) / 3 / 4) ** 0.5
    assert standard_error(uneven) == pytest.approx(mean_error)  # of equal stakes it is that of the mean


# -- words -----------------------------------------------------------------------------------------------------------


def test_both_languages_say_the_same_things():
    english, japanese = words(Lang.EN), words(Lang.JA)
    assert list(english) == list(japanese)
    for key in english:
        assert sorted(re.findall(r"\{\w+\}", english[key])) == sorted(re.findall(r"\{\w+\}", japanese[key])), key


def test_every_word_is_used():
    sources = "".join(
        path.read_text(encoding="utf-8")
        for path in Path(bot.audit.__file__).parent.rglob("*")
        if path.suffix in {".py", ".js", ".j2"}
    )
    found = set(re.findall(r"[a-z_0-9]+", sources))
    begun = ("act_", "did_", "would_", *re.findall(r"\b([a-z]+_)(?:[\"'{]|\" ~)", sources))
    assert [key for key in words(Lang.EN) if key not in found and not key.startswith(begun)] == []


@pytest.mark.parametrize("lang", list(Lang))
def test_every_decision_has_its_sentence(audits, lang):
    wording = Wording(lang)
    said = {wording.decision(row) for audit in audits for row in audit_fields(audit)["decisions"]}
    assert len(said) > 50
    assert all(said)


def test_numbers():
    assert number(1234.4) == "1,234"
    assert number(-0.2) == "0"
    assert number(-0.26, 1, sign=True) == "\N{MINUS SIGN}0.3"
    assert number(0.126, 2, sign=True) == "+0.13"
    assert decimals_of(30.0) == 0
    assert decimals_of(0.03) == 2
    assert steps_of(30.0) == [100, 300, 1000, 3000]


# -- pages -----------------------------------------------------------------------------------------------------------


def test_every_tile_is_drawn():
    names = {attributes["id"] for tag, attributes in Elements(sprite()).found if tag == "symbol"}
    tiles = {f"t-{n}{suit}" for suit in "mps" for n in range(10)} | {f"t-{n}z" for n in range(1, 8)}
    assert names == tiles | {"t-back"}
    assert "<text" not in sprite()  # no font is needed


@pytest.mark.parametrize("lang", list(Lang))
def test_the_page_lets_nothing_else_run_or_load(fields, lang):
    page = render_report(fields, lang)
    policy = re.search(r'http-equiv="Content-Security-Policy" content="([^"]+)"', page)[1].replace("&#39;", "'")
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    for tag in ("style", "script"):
        text = re.findall(rf"<{tag}>(.*?)</{tag}>", page, re.DOTALL)
        assert len(text) == 1
        digest = base64.b64encode(hashlib.sha256(text[0].encode()).digest()).decode()
        assert f"{tag}-src 'sha256-{digest}'" in policy
    assert not re.search(r"(?:src|href)=\"(?!#|data:,)", page)
    assert "style=" not in re.sub(r"<style>.*?</style>|<script.*?</script>", "", page, flags=re.DOTALL)


def test_the_page_holds_every_decision(fields):
    data = json.loads(re.search(r'<script type="application/json" id="data">(.*?)</script>', render_report(fields))[1])
    (data,) = data["seats"]
    assert [row["number"] for row in data["decisions"]] == [row["number"] for row in fields["decisions"]]


def test_the_page_says_words_only(fields):
    for lang in Lang:
        page = render_report(fields, lang)
        assert "built-in" not in page
        assert "None" not in re.sub(r"<script.*?</script>", "", page, flags=re.DOTALL)


def test_the_page_is_small(fields):
    assert len(render_report(fields).encode()) < 1_500_000


def hostile(game):
    start = replace(game.start, names=(HOSTILE, HOSTILE, HOSTILE, HOSTILE))
    info = replace(game.info, log_id=HOSTILE, rule_name=HOSTILE)
    return GameLog((start, *game.events[1:200]), info, f"/x/{HOSTILE}.xml")


@pytest.fixture(scope="module")
def hostile_fields(game):
    return audit_fields(examine(recording(hostile(game)), 2, partial(make_policy, "simple")))


class Elements(HTMLParser):
    """The elements of a page, with their attributes."""

    def __init__(self, page):
        super().__init__()
        self.found = []
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        self.found.append((tag, dict(attrs)))


def test_hostile_text_stays_text(hostile_fields, fields):
    page = render_report(hostile_fields)
    found, harmless = Elements(page).found, Elements(render_report(fields)).found
    assert {tag for tag, _ in found} == {tag for tag, _ in harmless}
    assert sum(tag == "script" for tag, _ in found) == 2
    names = {name for _, attributes in found for name in attributes}
    assert names == {name for _, attributes in harmless for name in attributes}
    assert not any(name.startswith("on") for name in names)
    assert "\N{RIGHT-TO-LEFT OVERRIDE}" not in page
    assert "<h1>{{7*7}}&lt;" in page  # no template reads it again
    assert page.count("</script>") == 2


def test_text_cannot_steer_a_terminal(hostile_fields):
    text = render_text(hostile_fields)
    assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f\u202a-\u202e\u2063]", text)


def test_anonymous(game):
    found = audit_fields(examine(recording(hostile(game)), 2, partial(make_policy, "tsumogiri")), anonymous=True)
    assert "alert" not in json.dumps(found)
    assert "alert" not in render_report(found)


# -- many games ------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def logs():
    names = ("=cmd", "Tanaka", "b", "c")
    found = []
    for seed in range(3):
        log = GameLog(play_game([make_policy("tsumogiri") for _ in range(4)], TONPU, seed).events)
        start = replace(log.start, names=names[seed:] + names[:seed])
        found.append(log_file(replace(log, events=(start, *log.events[1:])), f"games/{seed}.xml"))
    return [*found, LogFile("games/broken.xml", "mjlog", b"<mjloggm")]


def test_many_games_one_broken(tmp_path, logs):
    job = Job(PlayerSpec.parse("tsumogiri"), seat_name="=cmd", folder=tmp_path)
    found = audit_logs(logs, job)
    summed = write_folder(tmp_path, found, job.seat_name)
    assert (summed["games"], summed["failed"]) == (3, 1)
    assert [done.error != "" for done in found] == [False, False, False, True]
    assert sum(summed["placements"].values()) == 3
    assert summed["score"]["decisions"] == sum(done.fields["score"]["decisions"] for done in found if done.fields)
    assert {done.fields["seat"] for done in found if done.fields} == {0, 3, 2}
    index = (tmp_path / "index.html").read_text()
    assert "broken.xml" in index
    rows = list(csv.DictReader(io.StringIO((tmp_path / "games.csv").read_text())))
    assert len(rows) == 3
    assert rows[0]["player"] == "'=cmd"  # a spreadsheet takes it for no formula
    for row in rows:
        assert (tmp_path / row["report"]).is_file()
        assert row["report"] in index


def test_situations_habits_and_the_trend_of_many_games(tmp_path, logs):
    found = audit_logs(logs, Job(PlayerSpec.parse("simple"), seat=0, folder=tmp_path))
    summed = write_folder(tmp_path, found, "", Lang.JA)
    assert sum(one["judged"] for one in summed["situations"].values()) == summed["score"]["judged"]
    assert 1 <= len(summed["habits"]) <= 10
    losses = [one["lost"] for one in summed["habits"]]
    assert losses == sorted(losses, reverse=True)
    assert sum(losses) <= summed["score"]["lost"] * 1.001
    assert [one["games"] for one in summed["trend"]] == [1, 1, 1]
    index = (tmp_path / "index.html").read_text(encoding="utf-8")
    assert "損失の大きい癖" in index
    assert "ボットが" in index


def test_many_games_go_on_where_they_stopped(tmp_path, logs):
    job = Job(PlayerSpec.parse("tsumogiri"), seat_name="Tanaka", folder=tmp_path)
    first = audit_logs(logs[:2], job)
    assert not any(done.kept for done in first)
    again = audit_logs(logs, job)
    assert [done.kept for done in again] == [True, True, False, False]
    assert games_csv(again).startswith(games_csv(first))
    other = audit_logs(logs[:2], replace(job, seat_name="b"))
    assert not any(done.kept for done in other)


def test_a_game_in_two_files_counts_once(logs):
    log = read_log(logs[0])
    files = [logs[0], LogFile("games/zero.json", "tenhou6", write_log(log, "tenhou6").encode()), logs[1]]
    found = audit_logs(files, Job(PlayerSpec.parse("tsumogiri"), seat=0))
    assert [done.again for done in found] == ["", "", "games/0.xml"]
    assert (totals(found)["games"], totals(found)["again"]) == (2, 1)
    assert len(games_csv(found).splitlines()) == 3


def test_a_player_who_is_elsewhere(tmp_path, logs):
    found = audit_logs(logs, Job(PlayerSpec.parse("tsumogiri"), seat_name="nobody", folder=tmp_path))
    assert totals(found)["elsewhere"] == 3
    assert totals(found)["games"] == 0


def test_many_at_once_find_the_same(logs):
    job = Job(PlayerSpec.parse("tsumogiri"), seat=1)
    assert audit_logs(logs, job, jobs=2) == audit_logs(logs, job, jobs=1)


def test_a_session_shows_one_seat(game):
    log = read_recording(log_file(game))
    with pytest.raises(ValueError, match="seat 7"):
        examine(log, 7, partial(make_policy, "tsumogiri"))


# -- places, danger, links -----------------------------------------------------------------------------------------


def test_the_chances_of_the_places_follow_the_game(fields):
    hands = fields["hands"]
    assert sum(hands[0]["before"]["places"]) == pytest.approx(1.0, abs=1e-3)
    for one, following in pairwise(hands):
        assert one["after"] == following["before"]
    end = fields["ends"][0]
    assert hands[-1]["after"]["places"] == [float(end["placement"] == place) for place in (1, 2, 3, 4)]
    assert hands[-1]["after"]["result"] == pytest.approx(end["results"][0])
    assert words(Lang.EN)["places_title"] in render_report(fields)


def test_every_tile_of_an_own_turn_has_its_danger(fields):
    for row in fields["decisions"]:
        tiles = re.findall(r"([0-9][mpsz])([0-9]{9})", row["danger"])
        assert "".join(map("".join, tiles)) == row["danger"]
        held = row["table"]["hand"] + (row["table"]["drawn"] or "")
        kinds = {held[at : at + 2].replace("0", "5") for at in range(0, len(held), 2)}
        assert {tile for tile, _ in tiles} == (kinds if row["own_turn"] else set())


def test_the_dora_of_the_hand_are_marked(fields):
    marks = [each for row in fields["decisions"] for each in marked_hand(row)]
    assert any("dora" in mark for _, mark in marks)
    assert dora_of("9m0p4z7z") == {"1m", "6p", "1z", "5z"}


def test_only_a_game_of_tenhou_has_a_link_to_its_viewer(fields):
    assert viewer_link(fields) == ""
    played = fields | {"log_id": "2022011100gm-00a9-0000-8c9aff0e", "seat": 2}
    assert viewer_link(played) == "https://tenhou.net/0/?log=2022011100gm-00a9-0000-8c9aff0e&tw=2&ts="
    assert viewer_link(played | {"log_id": "2022011100gm-00a9-0000-8c9aff0e&x=\"'"}) == ""
