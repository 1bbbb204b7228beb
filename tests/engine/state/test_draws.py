"""Hands that end without a win."""

from __future__ import annotations

import pytest

from engine.model.actions import NINE_TERMINALS, ActionKind
from engine.model.events import Draw, RyuukyokuKind
from engine.state import Phase, StateError, nagashi_seats

JUNK = "258m258p258s1234z"


def test_nine_kinds_of_terminals_and_honours(table):
    t = table("19m19p19s123z258m2p").draw(0, "5m")
    assert t.state.legal_actions()[0] is NINE_TERMINALS
    t.ryuukyoku(RyuukyokuKind.NINE_TERMINALS)
    assert t.state.phase is Phase.ENDED


def test_the_drawn_tile_counts_and_pairs_do_not(table):
    assert NINE_TERMINALS in table("19m19p19s12z2588m2p").draw(0, "3z").state.legal_actions()
    assert NINE_TERMINALS not in table("19m19p19s12z2588m2p").draw(0, "2z").state.legal_actions()


def test_only_in_an_uninterrupted_first_turn(table):
    hand = "19m19p19s123z258m2p"
    assert NINE_TERMINALS in table(hand, seat=1).turn(0, "8s").draw(1, "8m").state.legal_actions()
    called = table(hand, seat=1).turn(0, "8s").pon(3, "88s").discard(3, "7z").turn(0, "7z").draw(1, "8m")
    assert NINE_TERMINALS not in called.state.legal_actions()
    later = table(hand).turn(0, "8m").others("8m", "8m", "8p").draw(0, "5p")
    assert NINE_TERMINALS not in later.state.legal_actions()
    with pytest.raises(StateError, match="first turn"):
        later.ryuukyoku(RyuukyokuKind.NINE_TERMINALS)


def four_winds(table, last="4z"):
    return table(JUNK).turn(0, "7z", "4z").turn(1, "4z").turn(2, "4z").turn(3, last)


def test_four_like_winds_end_the_hand(table):
    with pytest.raises(StateError, match="abortive draw"):
        four_winds(table).draw(0, "9m")
    assert four_winds(table).ryuukyoku(RyuukyokuKind.FOUR_WINDS).state.phase is Phase.ENDED


def test_four_other_tiles_do_not(table):
    with pytest.raises(StateError, match="four like winds"):
        four_winds(table, "3z").ryuukyoku(RyuukyokuKind.FOUR_WINDS)
    four_winds(table, "3z").draw(0, "9m")
    dragons = table("258m258p258s1235z").turn(0, "9m", "5z").turn(1, "5z").turn(2, "5z").turn(3, "5z")
    dragons.draw(0, "9m")


def test_four_winds_after_a_call_do_not(table):
    t = table(JUNK).turn(0, "7z", "4z").draw(1).ankan(1, "6666z").dora("9p").draw(1).discard(1, "4z")
    t.turn(2, "4z").turn(3, "4z")
    t.draw(0, "9m")


def test_four_riichi_end_the_hand(table):
    t = table("123456789m1122z").draw(0, "9s").riichi(0, "9s")
    for seat, text in ((1, "5z"), (2, "6z"), (3, "7z")):
        t.draw(seat).riichi(seat, text)
    with pytest.raises(StateError, match="abortive draw"):
        t.draw(0, "9p")
    t.ryuukyoku(RyuukyokuKind.FOUR_RIICHI)
    assert t.state.riichi_sticks == 4


QUADS = (("6666m", "1p"), ("9999p", "3p"), ("4444p", "6p"), ("7777s", "7p"))


def kans(table, *numbers):
    """Seats 1, 2, … make so many closed kans in their turns; the last one then discards 2z."""
    t = table("258m258p258s1222z").turn(0, "3s")
    quads = iter(QUADS)
    for seat, number in enumerate(numbers, 1):
        t.draw(seat)
        for _ in range(number):
            quad, indicator = next(quads)
            t.ankan(seat, quad).dora(indicator).draw(seat)
        t.discard(seat, "2z" if seat == len(numbers) else "9s")
    return t


def test_four_kans_of_two_players_end_the_hand(table):
    t = kans(table, 2, 2)
    assert sorted(t.state.kans) == [0, 0, 2, 2]
    assert t.state.counts[28] == 3
    assert not t.can(ActionKind.PON)
    assert not t.can(ActionKind.DAIMINKAN)
    with pytest.raises(StateError, match="abortive draw"):
        t.pon(0, "22z")
    with pytest.raises(StateError, match="abortive draw"):
        t.draw(3)
    t.ryuukyoku(RyuukyokuKind.FOUR_KANS)


def test_one_players_four_kans_do_not(table):
    t = kans(table, 4)
    t.draw(2)
    with pytest.raises(StateError, match="two players"):
        kans(table, 4).ryuukyoku(RyuukyokuKind.FOUR_KANS)


def test_the_wall_must_be_empty_for_an_exhaustive_draw(table):
    t = table(JUNK).run_down(1)
    with pytest.raises(StateError, match="last discard"):
        t.ryuukyoku(RyuukyokuKind.EXHAUSTIVE)
    t.run_down(0)
    with pytest.raises(StateError, match="wall is empty"):
        t.apply(Draw(2, None))
    t.ryuukyoku(RyuukyokuKind.EXHAUSTIVE, (-1000, -1000, 3000, -1000))
    assert t.state.scores == [24_000, 24_000, 28_000, 24_000]


def test_three_rons_end_the_hand_on_a_discard_alone(table):
    t = table(JUNK).turn(0, "9m").ryuukyoku(RyuukyokuKind.TRIPLE_RON)
    assert t.state.phase is Phase.ENDED
    with pytest.raises(StateError, match="on offer"):
        table(JUNK).draw(0, "9m").ryuukyoku(RyuukyokuKind.TRIPLE_RON)


def test_nagashi_needs_a_river_of_outside_tiles_none_called(table):
    t = table(JUNK).turn(0, "9m").turn(1, "2m").turn(2, "7z").turn(3, "1m")
    assert nagashi_seats(t.state) == (0, 2, 3)
    t.turn(0, "9m").pon(2, "99m").discard(2, "1p")
    assert nagashi_seats(t.state) == (2, 3)
