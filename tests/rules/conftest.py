"""Wins written as text."""

from __future__ import annotations

import pytest

from engine.model.melds import Meld, MeldKind
from engine.model.rules import HANCHAN
from engine.model.tiles import PLAIN37, allocate136, parse_tiles37
from engine.scoring import YAKU, WinContext, score_win

_KINDS = {
    "chi": MeldKind.CHI,
    "pon": MeldKind.PON,
    "daiminkan": MeldKind.DAIMINKAN,
    "ankan": MeldKind.ANKAN,
    "kakan": MeldKind.KAKAN,
}
_NAMES = {row.id: row.name.lower() for row in YAKU}


def _kind(text):
    (tile,) = parse_tiles37(text)
    return PLAIN37[tile]


@pytest.fixture(scope="session")
def context():
    """``context("123m456p789s1122z", "2z", "pon 555z", tsumo=True)``: concealed, winning tile, melds, circumstances.

    Indicators are text, winds are ``"1z"`` to ``"4z"``; the winner is south in the east round and has not won by
    riichi unless told.
    """

    def make(hand, win, *melds, seat="2z", round_="1z", dora="", ura="", **more):
        rules = more.setdefault("rules", HANCHAN)
        more.setdefault("tsumo", False)
        taken = []

        def tiles(text):
            found = allocate136(parse_tiles37(text), taken, rules.red_fives)
            taken.extend(found)
            return found

        sets = []
        for meld in melds:
            name, text = meld.split()
            kind = _KINDS[name]
            own = tuple(sorted(tiles(text)))
            called = None if kind is MeldKind.ANKAN else own[0]
            sets.append(Meld(kind, own, called, 1 if kind is MeldKind.ANKAN else 0))
        concealed = tiles(hand)
        (win_tile,) = tiles(win)
        return WinContext(
            concealed=(*concealed, win_tile),
            win_tile=win_tile,
            seat_wind=_kind(seat),
            round_wind=_kind(round_),
            melds=tuple(sets),
            dora_indicators=tuple(tile * 4 for tile in map(PLAIN37.__getitem__, parse_tiles37(dora))),
            ura_indicators=tuple(tile * 4 for tile in map(PLAIN37.__getitem__, parse_tiles37(ura))),
            **more,
        )

    return make


@pytest.fixture(scope="session")
def win(context):
    """The score of such a context."""
    return lambda *args, **more: score_win(context(*args, **more))


@pytest.fixture(scope="session")
def names():
    """A score's yaku as text: ``"riichi 1, pinfu 1"``; of a yakuman the names alone; ``None`` for no win."""

    def text(score):
        if score is None:
            return None
        if score.yakuman:
            return ", ".join(_NAMES[number] for number in score.yakuman)
        return ", ".join(f"{_NAMES[number]} {han}" for number, han in score.yaku)

    return text
