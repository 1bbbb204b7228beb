from __future__ import annotations

from protocol.logs.turns import DRAWN, MAX_STEPS, Turn, order_turns

PON, CHI, DRAW = range(3)


def draw(seat, discarded, *, last=False):
    return Turn(seat, DRAWN, seat, DRAW, discarded, goes_on=False, last=last)


def pon(seat, called, from_seat, discarded):
    return Turn(seat, called, from_seat, PON, discarded, goes_on=False, last=False)


def seats(columns, **ending):
    order = order_turns(columns, 0, **({"ends_with": None, "open_end": None} | ending))
    return None if order is None else [turn.seat for turn in order]


def test_turns_go_round():
    assert seats([[draw(0, 1), draw(0, 1)], [draw(1, 2)], [draw(2, 3)], [draw(3, 4)]]) == [0, 1, 2, 3, 0]


def test_a_call_goes_before_the_next_draw():
    assert seats([[draw(0, 1)], [], [pon(2, 1, 0, 5)], [draw(3, 4)]]) == [0, 2, 3]


def test_a_call_of_a_later_discard_of_the_same_kind():
    # Seat 0 discards the same tile twice; calling the first would leave seat 1's draw without its turn.
    columns = [[draw(0, 5), pon(0, 7, 1, 5)], [draw(1, 7)], [pon(2, 5, 0, 9)], []]
    assert seats(columns) == [0, 1, 0, 2]


def test_pon_goes_before_chi():
    chi = Turn(1, 5, 0, CHI, 6, goes_on=False, last=False)
    columns = [[draw(0, 5), pon(0, 8, 2, 5)], [chi], [pon(2, 5, 0, 8)], []]
    assert seats(columns) == [0, 2, 0, 1]


def test_the_result_decides_between_orders():
    columns = [[draw(0, 1)], [draw(1, 2, last=True)], [], []]
    assert seats(columns, ends_with=1, open_end=True) == [0, 1]
    assert seats(columns, ends_with=0) is None
    assert seats(columns, open_end=False) is None


def test_no_order():
    assert seats([[], [], [], []]) is None
    assert seats([[draw(0, 1)], [], [draw(2, 3)], []]) is None
    assert seats([[draw(0, 1)], [], [pon(2, 4, 0, 3)], []]) is None


def test_hopeless_columns_do_not_take_for_ever():
    # Everyone could call everything; one turn fits nowhere.
    columns = [[draw(0, 1), *[pon(seat, 1, (seat + step) % 4, 1) for step in (1, 2, 3)] * 40] for seat in range(4)]
    columns[0].append(pon(0, 99, 1, 1))
    assert MAX_STEPS < 100_000
    assert seats(columns) is None
