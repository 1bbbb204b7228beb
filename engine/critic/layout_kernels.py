"""Where each number stands that the critic sees; :mod:`engine.critic.inputs` says what it is called.

Seats are counted from the one that draws: itself, right, across, left.
"""

# -- for each kind: so many for each seat, then those of the table -------------------------------------------------

HELD, WAIT, NEARER, OWN_RIVER, MELDED, POINTS, YAKUHAI = range(7)
AT_SEAT = 7
LEFT, DORA, OFFERED, RED_LEFT = range(4 * AT_SEAT, 4 * AT_SEAT + 4)
PLANES = 4 * AT_SEAT + 4

# -- for the whole table ---------------------------------------------------------------------------------------------

SHANTEN = 0
"""One of four: tenpai, 1, 2, more; then the shanten itself, and the others."""
(
    DISTANCE,
    RIICHI,
    IPPATSU,
    FURITEN,
    CALLED,
    MELDS,
    DEALER,
    REDS,
    DORA_HELD,
    WAITS_LEFT,
    NEARER_LEFT,
    MOST_POINTS,
    ABOVE_START,
) = range(4, 17)
PLACE = 17
"""One of four."""
OF_SEAT = 21
WALL = 4 * OF_SEAT
WALL_BELOW = WALL + 1
"""Fewer than 4, 12, 24, 48 tiles."""
(DEAD_WALL, ROUND, TO_LAST, LAST, EAST_ONLY, HONBA, STICKS, INDICATORS) = range(WALL_BELOW + 4, WALL_BELOW + 12)
GLOBALS = WALL_BELOW + 12

CENTRE = 128
"""Stands for 25 000 points; a step is 400."""
