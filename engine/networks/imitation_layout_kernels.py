"""What the imitating network is asked, what it answers, and what it sees: each input with its meaning and its scale.

A seat's view becomes the numbers of :data:`KINDS` for each kind of tile, and those of :data:`WHOLE` beside. What a
number means, and what it is divided by before the network sees it, stands where its place is declared.
"""

from engine.networks.columns_kernels import Columns

Q_DRAWN, Q_OFFERED, Q_GIVER, Q_DISCARDS, Q_RIICHI, Q_KANS, Q_CALLS, Q_NINE, Q_WHO = range(9)
"""What the seat is asked: kind drawn and kind on offer, -1 for none; the seat that offers it, as seen from the viewer;
bit sets of the kinds that may be discarded, discarded with riichi, made a closed or added kan; bit set of the CALL_
answers; 1 where nine terminals may be declared; who plays, a WHO_ number."""
QUESTION = 9

CALL_LOW, CALL_MIDDLE, CALL_HIGH, CALL_PON, CALL_KAN = range(5)
"""Answers to another's tile: a chi in which the tile called is the lowest, the middle, the highest; pon; open kan."""
CALLS = 5

WHO_OTHER, WHO_TOKUJOU, WHO_PHOENIX, WHO_PROGRAM = range(4)
"""Who plays: another program, or somebody at another table; somebody in the upper-dan room; in the phoenix room; the
strongest program."""

POINTS_STEP = 100
"""Points that count as one."""
CENTRE = 128
"""Stands for nought in numbers that may be negative."""

OTHERS = ("right", "across", "left")
SEATS = ("self", *OTHERS)

KINDS = Columns()
"""The numbers for each kind of tile: of the viewer, of each seat from the viewer on, of each opponent."""
HELD_1 = KINDS.add("held, one or more", "two or more", "three or more", "four")
RED_HELD = KINDS.add("the red five is held")
DRAWN = KINDS.add("just drawn")
OFFERED = KINDS.add("on offer")
UNSEEN = KINDS.add("copies not visible", of=4)
DORA = KINDS.add("times dora")
RED_UNSEEN = KINDS.add("a red five nobody has shown")
MAY_DISCARD = KINDS.add("may be discarded")
MAY_RIICHI = KINDS.add("may be discarded with riichi")
MAY_KAN = KINDS.add("may be made a kan")
KAN_KEEPS = KINDS.add("that kan leaves the hand as near")
NEAREST = KINDS.add("discarding it leaves the hand nearest")
ONE_WORSE = KINDS.add("one further")
UKEIRE = KINDS.add("unseen tiles that then bring it nearer", of=20)
ACCEPTED_KINDS = KINDS.add("kinds of them", of=8)
FURITEN = KINDS.add("tenpai then, and furiten")
ACCEPTED = KINDS.add("brings the hand nearer after one of its best discards")
OWN_WIND = KINDS.add("own wind")
ROUND_WIND = KINDS.add("wind of the round")
SILENT_POINTS = KINDS.add("points of a ron on the tenpai then, of 100", of=80)
RIICHI_POINTS = KINDS.add("points of it with riichi", of=80)

_seat = Columns()
IN_MELDS = _seat.add("copies in its melds", of=2)
CALLED = _seat.add("called by it")
IN_RIVER = _seat.add("copies in its river", of=2)
FROM_HAND = _seat.add("how recent the last from the hand, of 24", of=24)
TSUMOGIRI = _seat.add("the last tsumogiri", of=24)
FIRST = _seat.add("how early the first, of 24", of=24)
RIICHI_TILE = _seat.add("riichi was declared with it")
AFTER_CALL = _seat.add("discarded right after a chi or pon")
SEATS_AT = KINDS.add_each(SEATS, _seat)
SEAT_PLANES = len(_seat)

_opponent = Columns()
SAFE = _opponent.add("cannot be won on now")
WAYS = _opponent.add("ways to wait for it with two sides", of=16)
CHANGES = _opponent.add("how lately it passed", of=5)
OPPONENTS_AT = KINDS.add_each(OTHERS, _opponent)
OPPONENT_PLANES = len(_opponent)
PLANES = len(KINDS)

WHOLE = Columns()
"""The numbers for the whole table."""
G_WHO = WHOLE.add(
    *(f"played by {who}" for who in ("somebody", "the upper-dan room", "the phoenix room", "the program"))
)
G_ASKED = WHOLE.add(*(f"asked {when}" for when in ("after a draw", "after a call", "about another's tile")))
G_SHANTEN = WHOLE.add(*(f"shanten {number}" for number in range(8)))
G_FORMS = WHOLE.add("seven pairs' shanten + 1", of=7)
WHOLE.add("thirteen orphans' shanten + 1", of=14)
WHOLE.add("no melds")
G_UKEIRE = WHOLE.add("most ukeire", of=20)

_call = Columns()
_call.add("possible", "brings the hand nearer", "leaves it")
_call.add("ukeire then", of=20)
_call.add("tenpai then")
_call.add("points of a ron then, of 100", of=80)
G_CALLS = WHOLE.add_each(("chi low", "chi middle", "chi high", "pon", "kan"), _call)
CALL_NUMBERS = len(_call)

G_WALL = WHOLE.add("wall", of=70)
WHOLE.add("wall below 4", "below 12", "below 24", "below 48")
G_ROUND = WHOLE.add("east round", "south round", "west round")
WHOLE.add("hands to the last", of=8)
WHOLE.add("last hand or later", "east-only game")
WHOLE.add("honba", "riichi sticks", of=4)
G_SEAT_WIND = WHOLE.add(*(f"seat wind {wind}" for wind in "ESWN"))
G_SCORES = WHOLE.add(
    *("own points above 25 000, of 400", "the right's above", "across's", "the left's"), of=32, zero=CENTRE
)
WHOLE.add(*(f"place {place}" for place in range(1, 5)))
WHOLE.add("points to the next above, of 400", "to the next below", of=20)
G_OWN = WHOLE.add("dora held", "dora in own melds", of=3)
WHOLE.add("own melds", of=4)
WHOLE.add("hand is open", "in riichi")
WHOLE.add("pairs", of=4)
WHOLE.add("kinds of terminals and honours", of=9)
WHOLE.add("own discards", of=18)
WHOLE.add("indicators", "dora not visible", of=4)

_other = Columns()
_other.add("riichi", "double riichi", "ippatsu")
_other.add("discards since", of=12)
_other.add("open melds", "melds", of=4)
_other.add("dora in its melds", of=3)
_other.add("yakuhai in them", "one suit alone in them")
_other.add("discards", of=18)
_other.add("tsumogiri at the end", of=8)
_other.add("discards from the hand", of=14)
_other.add("deals")
G_OTHERS = WHOLE.add_each(OTHERS, _other)
OTHER_NUMBERS = len(_other)
G_GIVER = WHOLE.add(*(f"offered by the {seat}" for seat in OTHERS))
GLOBALS = len(WHOLE)

A_DISCARDS, A_RIICHI, A_KANS, A_CALLS, A_PASS, A_NINE = 0, 34, 68, 102, 107, 108
"""Where each kind of answer begins: a discard of each kind, one with riichi, a closed or added kan; the CALL_ answers;
a pass; nine terminals."""
ANSWERS = 109
