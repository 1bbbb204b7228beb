"""Who pays whom for a win: honba, sticks, several winners, and who fed a big yakuman."""

from __future__ import annotations

import pytest

from engine.model.events import WinScore
from engine.model.melds import Meld, MeldKind
from engine.scoring import base_points, pao_seat, win_deltas

ONE_HAN = WinScore(30, 1000, 0, ((8, 1),))
FOUR_HAN = WinScore(30, 7700, 0, ((1, 1), (7, 1), (52, 2), (53, 0)))
DAISANGEN = WinScore(40, 32000, 5, (), (39,))
DOUBLE = WinScore(50, 64000, 5, (), (39, 42))


@pytest.mark.parametrize(
    ("score", "seat", "payer", "dealer", "honba", "sticks", "deltas"),
    [
        (ONE_HAN, 1, 2, 0, 0, 0, (0, 1000, -1000, 0)),
        (ONE_HAN, 1, 2, 1, 0, 0, (0, 1500, -1500, 0)),
        (ONE_HAN, 1, 2, 0, 2, 3, (0, 4600, -1600, 0)),
        (ONE_HAN, 1, 1, 0, 0, 0, (-500, 1100, -300, -300)),
        (ONE_HAN, 1, 1, 1, 0, 0, (-500, 1500, -500, -500)),
        (ONE_HAN, 3, 3, 0, 1, 2, (-600, -400, -400, 3400)),
        (FOUR_HAN, 0, 3, 1, 0, 0, (7700, 0, 0, -7700)),
        (FOUR_HAN, 0, 0, 1, 0, 0, (7900, -3900, -2000, -2000)),
        (FOUR_HAN, 0, 0, 0, 1, 0, (12000, -4000, -4000, -4000)),
        (DAISANGEN, 2, 3, 0, 0, 0, (0, 0, 32000, -32000)),
        (DAISANGEN, 2, 2, 0, 0, 0, (-16000, -8000, 32000, -8000)),
    ],
)
def test_deltas(score, seat, payer, dealer, honba, sticks, deltas):
    assert win_deltas(score, seat, payer, dealer, honba, sticks) == deltas


@pytest.mark.parametrize(
    ("score", "seat", "payer", "dealer", "honba", "sticks", "pao", "deltas"),
    [
        # as recorded: the discarder and the liable share a ron, the liable pays all of a self-draw and all honba
        (DAISANGEN, 1, 2, 2, 0, 0, 3, (0, 32000, -16000, -16000)),
        (DAISANGEN, 2, 2, 2, 1, 2, 3, (0, 0, 50300, -48300)),
        (DAISANGEN, 1, 2, 0, 2, 1, 0, (-16600, 33600, -16000, 0)),
        (DAISANGEN, 0, 3, 0, 1, 2, 2, (50300, 0, -24300, -24000)),
        (DOUBLE, 0, 0, 3, 3, 0, 2, (64900, 0, -64900, 0)),
    ],
)
def test_liability(score, seat, payer, dealer, honba, sticks, pao, deltas):
    assert win_deltas(score, seat, payer, dealer, honba, sticks, pao) == deltas


def test_double_ron_pays_sticks_and_honba_once():
    """The nearest winner takes them; the caller gives the second zero of both."""
    first = win_deltas(ONE_HAN, 1, 0, 3, 1, 2)
    second = win_deltas(ONE_HAN, 2, 0, 3)
    assert first == (-1300, 3300, 0, 0)
    assert second == (-1000, 0, 1000, 0)


def test_counters_of_1500():
    assert win_deltas(ONE_HAN, 1, 2, 0, 1, 0, None, 1500) == (0, 2500, -2500, 0)
    assert win_deltas(ONE_HAN, 1, 1, 0, 1, 0, None, 1500) == (-1000, 2600, -800, -800)


def test_base_of_a_win_rounded_up_to_mangan():
    assert base_points(FOUR_HAN) == 1920
    assert base_points(WinScore(30, 8000, 0, FOUR_HAN.yaku)) == 2000


def _pon(kind, from_seat):
    return Meld(MeldKind.PON, (4 * kind, 4 * kind + 1, 4 * kind + 2), 4 * kind, from_seat)


def _ankan(kind, seat):
    return Meld(MeldKind.ANKAN, tuple(range(4 * kind, 4 * kind + 4)), None, seat)


HAKU, HATSU, CHUN = 31, 32, 33
DAISUUSHII = WinScore(60, 32000, 5, (), (49,))


@pytest.mark.parametrize(
    ("melds", "score", "payer", "liable"),
    [
        ((_pon(HAKU, 1), _pon(HATSU, 2), _pon(CHUN, 3)), DAISANGEN, 0, 3),
        ((_pon(CHUN, 3), _pon(HAKU, 1), _pon(5, 2), _pon(HATSU, 2)), DAISANGEN, 1, 2),
        ((_pon(HAKU, 1), _pon(HATSU, 2), _pon(CHUN, 3)), DAISANGEN, 3, None),  # the discarder pays it all anyway
        ((_pon(HAKU, 1), _pon(HATSU, 2)), DAISANGEN, 3, None),  # the third set was concealed
        ((_pon(HAKU, 1), _pon(HATSU, 2), _ankan(CHUN, 0)), DAISANGEN, 0, None),  # nobody fed the last
        ((_ankan(CHUN, 0), _pon(HAKU, 1), _pon(HATSU, 2)), DAISANGEN, 0, 2),
        (tuple(_pon(kind, 1 + kind % 3) for kind in (27, 28, 29, 30)), DAISUUSHII, 0, 1),
        (tuple(_pon(kind, 1 + kind % 3) for kind in (27, 28, 29)), DAISUUSHII, 0, None),
        ((_pon(HAKU, 1), _pon(HATSU, 2), _pon(CHUN, 3)), ONE_HAN, 0, None),
    ],
)
def test_who_is_liable(melds, score, payer, liable):
    assert pao_seat(melds, score, payer) == liable
