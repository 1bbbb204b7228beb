"""Hands that are played out and won."""

from __future__ import annotations

from engine.model.events import (
    Call,
    Discard,
    Draw,
    RiichiDeclared,
    Ryuukyoku,
    RyuukyokuKind,
    StartKyoku,
    Win,
    WinScore,
)
from engine.model.melds import Meld, MeldKind
from engine.model.tiles import allocate136, parse_tiles37

NAMES = ("A", "B", "C", "D")


class Pack:
    """Physical tiles by text, no copy twice."""

    def __init__(self):
        self.used = set()

    def __call__(self, text):
        tiles = allocate136(parse_tiles37(text), self.used)
        self.used.update(tiles)
        return tiles

    def one(self, text):
        return self(text)[0]


def won_hand():
    """East 1: seat 1 pons chun of seat 0, seat 2 declares riichi, seat 1 wins on it with chun and a red five."""
    pack = Pack()
    hands = (
        pack("147m147p147s1234z"),
        pack("234m678p45s22p77z9s"),
        pack("123456789m1199s"),
        pack("258m258p258s5566z"),
    )
    indicator = pack.one("9p")
    chun, nine, junk = pack.one("7z"), pack.one("9m"), pack.one("1z")
    six = pack.one("6s")
    pon = Meld(MeldKind.PON, tuple(sorted((*hands[1][10:12], chun))), chun, 0)
    own = [tile for tile in hands[1] if tile not in pon.tiles and tile != hands[1][12]]
    return [
        StartKyoku(0, 0, 0, 0, indicator, (25_000,) * 4, hands, (1, 2)),
        Draw(0, chun),
        Discard(0, chun, True),
        Call(1, pon),
        Discard(1, hands[1][12], False),
        Draw(2, six),
        RiichiDeclared(2),
        Discard(2, six, True),
        Win(
            seat=1,
            from_seat=2,
            tile=six,
            deltas=(0, 1000, -1000, 0),
            scores_before=(25_000,) * 4,
            concealed=tuple(sorted((*own, six))),
            melds=(pon,),
            dora_indicators=(indicator,),
            score=WinScore(30, 1000, 0, ((20, 1),)),
        ),
    ], (nine, junk)


def played_out():
    """East 2: everyone discards what comes until the wall is empty; seats 2 and 3 are tenpai."""
    junk = (0, 8, 16, 24, 32, 36, 44, 72, 80, 88, 96, 128, 132)
    hands = (
        junk,
        tuple(tile + 1 for tile in junk),
        (104, 105, 106, 108, 109, 110, 112, 113, 114, 116, 117, 118, 120),
        (52, 53, 54, 56, 57, 58, 60, 61, 62, 64, 65, 66, 124),
    )
    taken = {tile for hand in hands for tile in hand} | {135}
    # neither 4z nor 5z, for which seats 2 and 3 wait, may come
    wall = [tile for tile in range(134, -1, -1) if tile not in taken and tile >> 2 not in (30, 31)][:70]
    events = [StartKyoku(1, 0, 0, 1, 135, (25_000, 26_000, 24_000, 25_000), hands, (1, 1))]
    for number, tile in enumerate(wall):
        seat = (1 + number) % 4
        events += [Draw(seat, tile), Discard(seat, tile, True)]
    events.append(
        Ryuukyoku(
            RyuukyokuKind.EXHAUSTIVE,
            (-1500, -1500, 1500, 1500),
            (25_000, 26_000, 24_000, 25_000),
            (None, None, tuple(sorted(hands[2])), tuple(sorted(hands[3]))),
        )
    )
    return events
