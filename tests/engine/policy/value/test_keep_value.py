"""Value of keeping a tile: its danger once somebody is tenpai, and the partners it may find."""

from __future__ import annotations

import numpy as np
import pytest

from engine.model.budget import Budget
from engine.model.tiles import allocate136, counts34, format_tile, parse_tiles37
from engine.opponents.danger import Danger
from engine.policy.grounds import Note
from engine.policy.settings import ValueSettings
from engine.policy.value import reading
from engine.policy.value.keeping import DISCARDED_LATER, PAIR_POINTS, RUN_POINTS, keep_values, later_risk
from engine.policy.value.policy import ValuePolicy

MAN1, MAN2, MAN5, MAN9, PIN1, EAST, NORTH, HAKU, CHUN = 0, 1, 4, 8, 9, 27, 30, 31, 33
OF_VALUE = tuple(int(kind in (EAST, 31, 32, 33)) for kind in range(34))
SAFE = np.zeros(34)


def keep(hand="159m159p159s1477z", unseen=None, risk=SAFE, draws_left=17, shanten=4):
    held = counts34(allocate136(parse_tiles37(hand)))
    return keep_values(held, unseen or [4 - n for n in held], OF_VALUE, risk, draws_left, shanten)


def test_the_middle_finds_more_partners_than_the_edge_and_a_guest_wind_none():
    worth = keep()
    assert worth[MAN5] > worth[MAN1] > worth[NORTH]
    assert worth[MAN1] == pytest.approx(worth[MAN9])
    assert worth[MAN1] - worth[NORTH] == pytest.approx(
        9.5 * RUN_POINTS * 6.0 / (136 - 13)
    )  # four 2m, and half of four 3m


def test_runs_end_where_the_suit_does():
    full, none = [4] * 34, [4] * 34
    none[PIN1] = 0
    over_a_wind = [(worth[MAN9] - worth[NORTH]) * sum(seen) for seen in (none, full) for worth in [keep(unseen=seen)]]
    assert over_a_wind[0] == pytest.approx(over_a_wind[1])


def test_a_value_honour_needs_unseen_copies():
    unseen = [4 - n for n in counts34(allocate136(parse_tiles37("159m159p159s1477z")))]
    two, one = list(unseen), list(unseen)
    two[EAST], one[EAST] = 2, 1
    over_a_guest = [worth[EAST] - worth[NORTH] for worth in (keep(unseen=seen) for seen in (unseen, two, one))]
    assert over_a_guest[0] == pytest.approx(9.5 * PAIR_POINTS * 3.0 / sum(unseen))
    assert over_a_guest[0] > 2.5 * over_a_guest[1] > over_a_guest[2] == pytest.approx(0.0)


def test_a_pair_has_found_its_partner():
    worth = keep()
    assert worth[CHUN] == worth[NORTH] < worth[EAST]


@pytest.mark.parametrize(("draws_left", "shanten"), [(7, 4), (17, 1)])
def test_partners_do_not_count_near_a_win_or_late(draws_left, shanten):
    risk = np.linspace(0.0, 500.0, 34)
    worth = keep(risk=risk, draws_left=draws_left, shanten=shanten)
    assert worth - worth[0] == pytest.approx(-DISCARDED_LATER * risk)


def test_values_are_relative_to_the_average_tile():
    held = counts34(allocate136(parse_tiles37("159m159p159s1477z")))
    assert np.dot(held, keep(risk=np.linspace(0.0, 500.0, 34))) == pytest.approx(0.0, abs=1e-9)


def test_values_are_zero_at_tenpai():
    assert not keep(risk=np.full(34, 500.0), shanten=0).any()


def test_risk_is_that_of_opponents_who_are_tenpai():
    deal_in = np.zeros((4, 34), np.float32)
    deal_in[1, MAN5], deal_in[2, MAN5], deal_in[2, MAN1] = 0.001, 0.05, 0.005
    danger = Danger(
        p_tenpai=np.array([0.0, 0.01, 0.5, 0.0], np.float32),
        p_wait=deal_in,
        p_deal_in=deal_in,
        loss=np.full((4, 34), 6_000.0, np.float32),
    )
    risk = later_risk(danger, viewer=0)
    assert risk[MAN5] == pytest.approx(6_000.0 * (0.1 + 0.1) / 3, rel=1e-4)
    assert risk[MAN1] == pytest.approx(6_000.0 * 0.01 / 3, rel=1e-4)
    assert risk[NORTH] == 0.0


def test_a_guest_wind_is_discarded_before_a_dragon(table, monkeypatch):
    """The search values them within a few points of each other."""
    deal = table("19m13467p2467s46z", seat=1, indicator="9m")
    deal.turn(0, "9p")
    deal.draw(1, "8m")
    legal = deal.state.legal_actions()

    def first_discard():
        policy = ValuePolicy(settings=ValueSettings(learned=0.0))
        return format_tile(policy.decide(deal.state, legal, Budget(nodes=20_000)).action.tile)

    assert first_discard() == "4z"
    monkeypatch.setattr(reading, "keep_values", lambda *_: np.zeros(34))
    assert first_discard() == "6z"


def test_the_value_of_a_discard_is_less_by_what_keeping_its_tile_is_worth(table):
    deal = table("159m159p159s1477z", indicator="9m").draw(0, "3m")
    policy = ValuePolicy(settings=ValueSettings(utility="points"))
    found = policy.decide(deal.state, deal.state.legal_actions(), Budget(nodes=4_000)).candidates
    keeps = {one.parts.keep for one in found if one.note is not Note.FOLD}
    assert len(keeps) > 1
    assert all(abs(keep) < 150.0 for keep in keeps)
