"""The decisions of a recorded game: none missing, none invented, and what cannot be known said to be so."""

from __future__ import annotations

from collections import Counter
from itertools import islice

import pytest

from bot.logs.sources import open_logs
from bot.replay.decisions import Known, look_alike
from bot.replay.steps import decision_points
from bot.replay.verify import verify_files
from engine.model.actions import NINE_TERMINALS, PASS, Action, ActionKind
from engine.model.events import (
    Call,
    Discard,
    Disconnected,
    Draw,
    NewDora,
    Reconnected,
    RiichiAccepted,
    RiichiDeclared,
    Ryuukyoku,
    RyuukyokuKind,
    StartGame,
    StartKyoku,
    Unstated,
    Win,
)
from engine.model.melds import Meld, MeldKind
from engine.model.rules import HANCHAN
from engine.model.tiles import allocate136, parse_tiles37
from engine.state import GameState
from protocol.errors import LogError
from protocol.logs.formats import read_log
from protocol.logs.formats import read_session as read_session_of
from protocol.logs.game_log import GameLog
from protocol.logs.wire import read_session
from tests.tiers import mostly_slow

JUNK = "147m147p147s1234z"
ZERO = (0, 0, 0, 0)


class Hand:
    """East 1, laid out by text."""

    def __init__(self, *hands):
        self.used = set()
        self.hands = tuple(map(self.take, hands))
        indicator = self.take("9p")[0]
        self.events = [
            StartGame(HANCHAN),
            StartKyoku(0, 0, 0, 0, indicator, (25_000,) * 4, self.hands),
        ]
        self.last = None

    def take(self, text):
        tiles = allocate136(parse_tiles37(text), self.used)
        self.used.update(tiles)
        return tiles

    def tsumogiri(self, seat, text):
        self.last = self.take(text)[0]
        self.events += [Draw(seat, self.last), Discard(seat, self.last, True)]
        return self

    def then(self, *events):
        self.events += events
        return self

    def call(self, seat, kind, giver, own):
        tiles = tuple(tile for tile in self.hands[seat] if tile >> 2 in {kind34(text) for text in own.split()})
        tiles = tiles[: 3 if kind is MeldKind.DAIMINKAN else 2]
        meld = Meld(kind, tuple(sorted((*tiles, self.last))), self.last, giver)
        return self.then(Call(seat, meld))

    def points(self, seat, faults=None):
        return list(decision_points(GameLog(tuple(self.events), source="hand"), seat, faults))

    def told(self, seat):
        return [(point.played and str(point.played), point.known) for point in self.points(seat)]


def kind34(text):
    return allocate136(parse_tiles37(text))[0] >> 2


def test_a_discard_nobody_wants_is_let_go_by_whom_it_fits():
    hand = Hand(JUNK, "55z234m678p45s22p9s", JUNK, JUNK).tsumogiri(0, "5z").tsumogiri(1, "8s")
    assert hand.told(0) == [("discard 5z", Known.ACTED)]
    assert hand.told(1) == [("pass", Known.LET_GO), ("discard 8s", Known.ACTED)]
    assert hand.told(2) == []
    first, second = hand.points(1)
    assert [action.kind for action in first.legal] == [ActionKind.PON, ActionKind.PASS]
    assert (first.own_turn, second.own_turn) == (False, True)
    assert str(first.place) == "E1 turn 1"
    assert first.place.event == 3


def test_a_chi_that_a_pon_went_before_is_unknown():
    hand = Hand(JUNK, "34p222333m55566z", "55p666m888s99s268p", JUNK).tsumogiri(0, "5p")
    hand.call(2, MeldKind.PON, 0, "5p")
    (point,) = hand.points(1)
    assert (point.played, point.known) == (None, Known.OVERRIDDEN)
    assert [action.kind for action in point.possible] == [ActionKind.CHI, ActionKind.PASS]
    assert [known for _, known in hand.told(2)] == [Known.ACTED, Known.CUT_OFF]


def test_a_pon_that_a_chi_went_before_was_let_go():
    hand = Hand(JUNK, "34p222333m55566z", "55p666m888s99s268p", JUNK).tsumogiri(0, "5p")
    hand.call(1, MeldKind.CHI, 0, "3p 4p")
    assert hand.told(2) == [("pass", Known.LET_GO)]
    assert [played for played, _ in hand.told(1)] == ["chi 5p with 34p", None]


def ready():
    return "234m567m678p45s99s"


def test_of_two_who_could_win_the_one_who_did_not_let_it_go():
    hand = Hand(JUNK, ready(), "234m678p234p88m45s", JUNK).tsumogiri(0, "6s")
    hand.then(Win(1, 0, hand.last, ZERO))
    assert hand.told(1) == [("ron 6s", Known.ACTED)]
    assert hand.told(2) == [("pass", Known.LET_GO)]


def test_a_call_that_a_win_went_before_is_unknown():
    hand = Hand(JUNK, "78s222333m55566z", ready(), JUNK).tsumogiri(0, "6s")
    hand.then(Win(2, 0, hand.last, ZERO))
    assert hand.told(1) == [(None, Known.OVERRIDDEN)]
    assert hand.told(2) == [("ron 6s", Known.ACTED)]


def test_wins_of_the_next_hand_do_not_count():
    hand = Hand(JUNK, ready(), "234m678p234p88m45s", JUNK).tsumogiri(0, "6s")
    first = hand.events[1]
    again = StartKyoku(0, 1, 0, 0, first.dora_indicator, (25_000,) * 4, first.hands)
    hand.then(Win(1, 0, hand.last, ZERO), again, Win(2, 0, hand.last, ZERO))
    (point,) = hand.points(2, faults := [])
    assert (point.played, point.known) == (PASS, Known.LET_GO)
    assert len(faults) == 1  # that second win has no tile


def test_three_wins_that_abort_the_hand_were_all_declared():
    hand = Hand(JUNK, ready(), "234m678p234p88m45s", "345m22m567m345p45s").tsumogiri(0, "6s")
    hand.then(Ryuukyoku(RyuukyokuKind.TRIPLE_RON, ZERO))
    for seat in (1, 2, 3):
        assert hand.told(seat) == [("ron 6s", Known.ACTED)]


def test_a_riichi_is_one_decision_and_what_comes_between_is_none():
    hand = Hand("234m567m678p45s99s", JUNK, JUNK, JUNK)
    drawn = hand.take("1z")[0]
    hand.then(Draw(0, drawn), Disconnected(2), RiichiDeclared(0), Discard(0, drawn, True), RiichiAccepted(0))
    hand.then(Reconnected(2)).tsumogiri(1, "8p")
    assert hand.told(0) == [("riichi 1z", Known.ACTED)]
    assert [action.kind for action in hand.points(0)[0].legal].count(ActionKind.RIICHI) == 1


def test_a_kan_is_a_decision_and_so_is_the_tile_after_it():
    hand = Hand("1111m234p678s669p", *["258m258p258s1234z"] * 3)
    drawn, rinshan, new = hand.take("8p")[0], hand.take("9m")[0], hand.take("9m")[0]
    kan = Meld(MeldKind.ANKAN, (0, 1, 2, 3), None, 0, 0)
    hand.then(Draw(0, drawn), Call(0, kan), NewDora(new), Draw(0, rinshan), Discard(0, rinshan, True))
    assert hand.told(0) == [("ankan 1m", Known.ACTED), ("discard 9m", Known.ACTED)]


def test_nine_terminals():
    hand = Hand("19m19p19s1234567z", JUNK, JUNK, JUNK)
    hand.then(Draw(0, hand.take("5p")[0]), Ryuukyoku(RyuukyokuKind.NINE_TERMINALS, ZERO))
    (point,) = hand.points(0)
    assert point.played == NINE_TERMINALS


def test_a_log_that_ends_leaves_the_last_answer_open():
    hand = Hand(JUNK, JUNK, JUNK, JUNK)
    hand.then(Draw(0, hand.take("5p")[0]))
    assert hand.told(0) == [(None, Known.CUT_OFF)]
    assert hand.points(0)[0].possible == hand.points(0)[0].legal


def test_the_server_answers_for_who_is_not_there():
    hand = Hand(JUNK, "55z234m678p45s22p9s", JUNK, JUNK).then(Disconnected(1)).tsumogiri(0, "5z").tsumogiri(1, "8s")
    hand.then(Reconnected(1)).tsumogiri(2, "8s").tsumogiri(3, "8s").tsumogiri(0, "8s").tsumogiri(1, "9m")
    assert [point.absent for point in hand.points(1)] == [True, True, False]
    assert [point.absent for point in hand.points(0)] == [False, False]


def test_a_seat_knows_only_what_it_saw():
    hand = Hand(JUNK, JUNK, JUNK, JUNK).tsumogiri(0, "5z").tsumogiri(1, "8s")
    (view,) = [point.state.copy() for point in decision_points(GameLog(tuple(hand.events)), 1)]
    assert view.hand == sorted((*hand.hands[1], hand.last))
    assert sum(view.seen) == 13 + 1 + 1 + 1  # its hand, the indicator, seat 0's discard, its draw


def test_a_hand_that_contradicts_itself_is_reported_and_the_next_goes_on():
    hand = Hand(JUNK, JUNK, JUNK, JUNK).tsumogiri(0, "5z")
    first = hand.events[1]
    hand.then(Draw(3, hand.take("8s")[0]))
    hand.then(StartKyoku(1, 0, 0, 1, first.dora_indicator, (25_000,) * 4, first.hands), Draw(1, hand.take("9m")[0]))
    faults = []
    points = hand.points(1, faults)
    assert [str(point.place) for point in points] == ["E2 turn 1"]
    assert points[0].place.hand == 1
    (fault,) = faults
    assert (fault.event, fault.place) == (4, "E1")
    with pytest.raises(LogError, match="hand: event 4: "):
        hand.points(1)


def test_actions_that_look_alike_to_people_are_the_same():
    def discard(tile):
        return Action(ActionKind.DISCARD, tile)

    assert look_alike(discard(17), discard(18))
    assert not look_alike(discard(16), discard(17))  # the red five
    assert look_alike(discard(16), discard(17), red_fives=False)
    assert not look_alike(discard(17), Action(ActionKind.RIICHI, 17))
    assert look_alike(discard(136), discard(136))
    assert not look_alike(discard(136), discard(137))
    assert not look_alike(discard(-1), discard(135))
    assert look_alike(Action(ActionKind.CHI, 12, (17, 20)), Action(ActionKind.CHI, 13, (18, 21)))
    assert not look_alike(Action(ActionKind.CHI, 12, (16, 20)), Action(ActionKind.CHI, 12, (17, 20)))
    assert not look_alike(PASS, NINE_TERMINALS)


def recounted(log, seat):
    """Questions to a seat, by asking its state after every event."""
    state = GameState(seat, log.start.rules)
    count = 0
    for event in log.events:
        before = (state.phase, state.turn, state.offered, state.wall_left) if state.legal_actions() else None
        state.apply(event if not isinstance(event, Draw) or event.seat == seat else Draw(event.seat, None))
        after = (state.phase, state.turn, state.offered, state.wall_left)
        count += bool(state.legal_actions()) and after != before and not isinstance(event, RiichiDeclared)
    return count


@pytest.mark.corpus
@mostly_slow(
    ("shard", "number", "step"),
    [("houou-hanchan-00", 6, 3), ("houou-tonpu-02", 8, 5), ("other4-00", 30, 7), ("tenhou6-mjai", 20, 13)],
)
def test_no_decision_of_recorded_games_is_missing(corpus, shard, number, step):
    """As many as verification counts in its own way, and as a state asked after every event says."""
    known = Counter()
    games = 0
    for file in islice(open_logs([corpus / f"{shard}.tar.xz"]), 0, number * step, step):
        tally = verify_files([file])
        if tally.skipped:
            continue
        log = read_log(file)
        if log.excerpt:
            continue
        games += 1
        points = [point for seat in range(4) for point in decision_points(log, seat)]
        assert len(points) == tally.decisions, file.name
        assert len(points) == sum(recounted(log, seat) for seat in range(4)), file.name
        riichi = sum(isinstance(event, RiichiDeclared) for event in log.events)  # verified as two actions each
        inferred = sum(  # acted by what the hand shows; verified is only what a log states
            isinstance(event, Ryuukyoku)
            and event.kind is RyuukyokuKind.NINE_TERMINALS
            and Unstated.KIND in event.unstated
            for event in log.events
        )
        assert sum(point.known is Known.ACTED for point in points) == tally.actions - riichi + inferred, file.name
        assert all(point.played in point.legal for point in points if point.played), file.name
        known.update(point.known for point in points)
    assert games > 4
    assert known[Known.LET_GO] > 10 * known[Known.OVERRIDDEN]
    assert known[Known.CUT_OFF] == 0


@pytest.mark.corpus
def test_sessions_tell_what_the_client_answered(corpus):
    known = Counter()
    for file in islice(open_logs([corpus / "wire-sessions.tar.xz"]), 0, 200, 20):
        tally = verify_files([file])
        points = list(decision_points(read_session(file.data, file.name)))
        assert len(points) == tally.decisions, file.name
        known.update(point.known for point in points)
    assert known[Known.ACTED] > 1200
    assert known[Known.ACTED] > 0.99 * sum(known.values())


@pytest.mark.corpus
@pytest.mark.slow
@pytest.mark.parametrize(("shard", "step"), [("other4-00", 1), ("tenhou6-mjai", 1), ("wire-sessions", 4)])
def test_no_decision_of_any_kind_of_recording_is_missing(corpus, shard, step):
    """Double and triple rons, aborted hands, pao, drop-outs, old formats, west rounds, reconnections."""
    recordings = 0
    for file in islice(open_logs([corpus / f"{shard}.tar.xz"]), 0, None, step):
        tally = verify_files([file])
        if tally.skipped or tally.unreadable or tally.excerpts:
            continue
        session = read_session_of(file)
        if session is not None:
            points = list(decision_points(session))
        else:
            log = read_log(file)
            points = [point for seat in range(4) for point in decision_points(log, seat)]
        assert len(points) == tally.decisions, file.name
        recordings += 1
    assert recordings > 100
