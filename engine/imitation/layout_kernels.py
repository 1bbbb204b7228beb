"""What the imitating network is asked, what it answers, and where each of its inputs stands.

A seat's view becomes PLANES numbers for each kind of tile and GLOBALS beside. :mod:`engine.imitation.inputs` names them
and says by what each is multiplied before the network sees it.
"""

from __future__ import annotations

Q_DRAWN, Q_OFFERED, Q_GIVER, Q_DISCARDS, Q_RIICHI, Q_KANS, Q_CALLS, Q_NINE, Q_WHO = range(9)
"""What the seat is asked: kind drawn and kind on offer, -1 for none; the seat that offers it, as seen from the viewer;
bit sets of the kinds that may be discarded, discarded with riichi, made a closed or added kan; bit set of the CALL_
answers; 1 where nine terminals may be declared; who plays, a WHO_ number."""
QUESTION = 9

CALL_LOW, CALL_MIDDLE, CALL_HIGH, CALL_PON, CALL_KAN = range(5)
"""Answers to another's tile: a chi in which the tile called is the lowest, the middle, the highest; pon; open kan."""
CALLS = 5

WHO_OTHER, WHO_TOKUJOU, WHO_PHOENIX, WHO_PROGRAM = range(4)
"""Who plays: somebody at another table; in the upper-dan room; in the phoenix room; the strongest program."""

(
    HELD_1, HELD_2, HELD_3, HELD_4, RED_HELD, DRAWN, OFFERED, UNSEEN, DORA, RED_UNSEEN,
    MAY_DISCARD, MAY_RIICHI, MAY_KAN, KAN_KEEPS, NEAREST, ONE_WORSE, UKEIRE, ACCEPTED_KINDS, FURITEN, ACCEPTED,
    OWN_WIND, ROUND_WIND, SILENT_POINTS, RIICHI_POINTS,
) = range(24)  # fmt: skip
OWN_PLANES = 24
IN_MELDS, CALLED, IN_RIVER, FROM_HAND, TSUMOGIRI, FIRST, RIICHI_TILE, AFTER_CALL = range(8)
SEAT_PLANES = 8
"""Planes of each seat, from the viewer on."""
SAFE, WAYS, CHANGES = range(3)
OPPONENT_PLANES = 3
"""Planes of each opponent, from the right on."""
SEATS_AT = OWN_PLANES
OPPONENTS_AT = SEATS_AT + 4 * SEAT_PLANES
PLANES = OPPONENTS_AT + 3 * OPPONENT_PLANES

G_WHO = 0
G_ASKED = 4
G_SHANTEN = 7
G_FORMS = 15
G_UKEIRE = 18
G_CALLS = 19
CALL_NUMBERS = 6
G_WALL = G_CALLS + CALLS * CALL_NUMBERS
G_ROUND = G_WALL + 5
G_SEAT_WIND = G_ROUND + 8
G_SCORES = G_SEAT_WIND + 4
G_OWN = G_SCORES + 10
G_OTHERS = G_OWN + 10
OTHER_NUMBERS = 13
G_GIVER = G_OTHERS + 3 * OTHER_NUMBERS
GLOBALS = G_GIVER + 3

POINTS_STEP = 100
"""Points that count as one."""
CENTRE = 128
"""Stands for nought in numbers that may be negative."""


A_DISCARDS, A_RIICHI, A_KANS, A_CALLS, A_PASS, A_NINE = 0, 34, 68, 102, 107, 108
"""Where each kind of answer begins: a discard of each kind, one with riichi, a closed or added kan; the CALL_ answers;
a pass; nine terminals."""
ANSWERS = 109
