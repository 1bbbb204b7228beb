"""What the critic sees of a table with all hands open: each number with its meaning and its scale.

Those of :data:`KINDS` stand at each kind of tile, those of :data:`WHOLE` beside. Seats are counted from the one that
draws.
"""

from engine.networks.columns_kernels import Columns

SEATS = ("the one that draws", "right", "across", "left")
CENTRE = 128
"""Stands for 25 000 points; a step is 400."""

KINDS = Columns()
"""The numbers for each kind of tile: so many of each seat, then those of the table."""
_at_seat = Columns()
HELD = _at_seat.add("held concealed", of=2)
WAIT = _at_seat.add("completes its hand")
NEARER = _at_seat.add("brings it nearer")
OWN_RIVER = _at_seat.add("discarded by it")
MELDED = _at_seat.add("in its melds", of=2)
POINTS = _at_seat.add("points of a win on it, of 200", of=40)
YAKUHAI = _at_seat.add("yaku of a triplet")
KINDS.add_each(SEATS, _at_seat)
AT_SEAT = len(_at_seat)
LEFT = KINDS.add("left in the wall", of=2)
DORA = KINDS.add("times dora")
OFFERED = KINDS.add("on offer")
RED_LEFT = KINDS.add("the red five is left in the wall")
PLANES = len(KINDS)

WHOLE = Columns()
"""The numbers for the whole table: so many of each seat, then those of the table."""
_of_seat = Columns()
SHANTEN = _of_seat.add("tenpai", "1-shanten", "2-shanten", "further")
DISTANCE = _of_seat.add("shanten", of=3)
RIICHI = _of_seat.add("riichi")
IPPATSU = _of_seat.add("ippatsu")
FURITEN = _of_seat.add("furiten")
CALLED = _of_seat.add("has called")
MELDS = _of_seat.add("melds", of=2)
DEALER = _of_seat.add("deals")
REDS = _of_seat.add("red fives")
DORA_HELD = _of_seat.add("dora", of=3)
WAITS_LEFT = _of_seat.add("tiles that win left", of=4)
NEARER_LEFT = _of_seat.add("tiles that bring it nearer left", of=20)
MOST_POINTS = _of_seat.add("most points of a win, of 200", of=40)
ABOVE_START = _of_seat.add("points above 25 000, of 400", of=32, zero=CENTRE)
PLACE = _of_seat.add(*(f"place {place}" for place in range(1, 5)))
WHOLE.add_each(SEATS, _of_seat)
OF_SEAT = len(_of_seat)
WALL = WHOLE.add("wall", of=70)
WALL_BELOW = WHOLE.add("wall below 4", "below 12", "below 24", "below 48")
DEAD_WALL = WHOLE.add("draws from the dead wall")
ROUND = WHOLE.add("round")
TO_LAST = WHOLE.add("hands to the last", of=4)
LAST = WHOLE.add("last hand or later")
EAST_ONLY = WHOLE.add("east-only game")
HONBA = WHOLE.add("honba", of=4)
STICKS = WHOLE.add("riichi sticks", of=4)
INDICATORS = WHOLE.add("indicators", of=2)
GLOBALS = len(WHOLE)
