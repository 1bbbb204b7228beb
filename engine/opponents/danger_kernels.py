"""Danger by the counted tables: the class of each kind, what an opponent may win on, and what that would cost."""

from typing import Annotated, Final

import numpy as np
from numpy.typing import NDArray

from engine._jit import Record, Records, kernel, part
from engine.model.tiles import HONOURS, KINDS
from engine.rules.table_kernels import RIICHI, Table, called_melds, safe_kinds, stance_of, yaku_of_triplet
from engine.rules.win_kernels import meld_dora

SIDES: Final = 6
"""Pairs of states of the two two-sided waits on a kind, the safer first."""
UNSEEN: Final = 4
"""Copies unseen: 0, 1, 2, 3 or more."""
NUMBERS: Final = 5 * SIDES * UNSEEN
"""Rows of number tiles: (19, 28, 37, 46, 5) x sides x unseen; honours follow: (no yaku, yakuhai) x unseen."""
CLASSES: Final = NUMBERS + 2 * UNSEEN

DEAD, ONE_CHANCE, OPEN = 0, 1, 2
"""A two-sided wait: cannot be (furiten, at an end, or a tile gone); one tile of a kind it needs left; else."""


@part
def side(unseen: NDArray[np.int64], safe: int, kind: int, step: int) -> int:
    """State of the two-sided wait on ``kind`` that holds the two tiles towards ``step`` (-1 below, 1 above)."""
    number = kind % 9
    if number + 3 * step < 0 or number + 3 * step > 8 or (safe >> (kind + 3 * step)) & 1:
        return DEAD
    left = min(unseen[kind + step], unseen[kind + 2 * step])
    return DEAD if left == 0 else (ONE_CHANCE if left == 1 else OPEN)


@kernel("suji", seconds=0.5)
def classify(unseen: NDArray[np.int64], safe: int, yakuhai: int, out: NDArray[np.intp]) -> int:
    """Class of every kind against one opponent.

    Args:
        unseen: (34,) copies the viewer does not see.
        safe: bit set of genbutsu.
        yakuhai: bit set of the opponent's yakuhai.
        out: (34,) filled with 0 to ``CLASSES`` - 1.

    Returns:
        How many of the 18 two-sided waits (1-4, 2-5 …) are not excluded by genbutsu.
    """
    for kind in range(KINDS):
        count = min(unseen[kind], UNSEEN - 1)
        if kind >= HONOURS:
            out[kind] = NUMBERS + ((yakuhai >> kind) & 1) * UNSEEN + count
            continue
        low = side(unseen, safe, kind, -1)
        high = side(unseen, safe, kind, 1)
        if low > high:
            low, high = high, low
        sides = high if low == 0 else (2 + high if low == 1 else 5)
        out[kind] = ((4 - abs(kind % 9 - 4)) * SIDES + sides) * UNSEEN + count
    live = 0
    for kind in range(HONOURS):
        if kind % 9 < 6 and (safe >> kind) & 1 == 0 and (safe >> (kind + 3)) & 1 == 0:
            live += 1
    return live


@part
def public_facts(table: Table, seat: int) -> tuple[int, int, int, bool, int, int]:
    """What anyone can see of a seat, as the danger tables count it.

    A riichi declared with the discard on offer counts, but not its ippatsu.

    Returns:
        Its stance; melds called; discards; whether a win now would be ippatsu; dora and red fives in its melds; bit set
        of the kinds whose triplet is a yaku for it.
    """
    declares = table.declared == seat
    dora_seen = 0
    for meld in range(table.melds[seat]):
        dora_seen += meld_dora(table, seat, meld)
    yakuhai = 0
    for kind in range(HONOURS, KINDS):
        yakuhai |= int(yaku_of_triplet(table, seat, kind) > 0) << kind
    return (
        RIICHI if declares else stance_of(table, seat),
        called_melds(table, seat),
        int(table.lengths[seat]),
        table.ippatsu[seat] != 0 and not declares,
        dora_seen,
        yakuhai,
    )


@kernel("suji", seconds=0.5)
def facts_of_seat(views: Records[Table], seat: int) -> tuple[int, int, int, bool, int, int]:
    """:func:`public_facts` for callers in Python."""
    return public_facts(views[0], seat)


LAST_TURN = 18
"""Later turns are counted as this one."""
LIVE_STEP = 3
"""Open two-sided waits (0-18) are grouped in steps of three. A guess, to which the tables are fitted."""
LIVE = 18 // LIVE_STEP + 1
TURN_STEP = 6
"""Turns (0-18) are grouped in steps of six for points. A guess, to which the tables are fitted."""
TURNS = 3
DORA = 4
"""Groups of dora visible in melds: 0, 1, 2, 3 or more."""
LOSS_STANCES = 4
WITHIN_IPPATSU = 3
"""The stances, and riichi within ippatsu."""
DORA_TILE, YAKUHAI, OTHER_HONOUR, TERMINAL, MIDDLE = range(5)
LOSS_GROUPS = 5
"""Groups of tiles by what a deal-in with them costs."""

Kinds64 = Annotated[NDArray[np.int64], (34,)]


class DangerFigures(Record):
    """The fields of :class:`engine.opponents.danger_tables.DangerTables` that the kernels read."""

    tenpai: Annotated[NDArray[np.float32], (3, 5, LAST_TURN + 1)]
    wait: Annotated[NDArray[np.float32], (3, LIVE, CLASSES)]
    ron: Annotated[NDArray[np.float32], (3,)]
    points: Annotated[NDArray[np.float32], (LOSS_STANCES, 2, DORA, TURNS)]
    points_factor: Annotated[NDArray[np.float32], (LOSS_STANCES, LOSS_GROUPS)]


@kernel("suji", seconds=0.2)
def loss_row(stance: int, ippatsu: bool, dealer: bool, dora_seen: int, turn: int) -> tuple[int, int, int, int]:
    """The index into ``points`` of what is seen of a winner, see :func:`public_facts`."""
    costs = WITHIN_IPPATSU if stance == RIICHI and ippatsu else stance
    return costs, int(dealer), min(dora_seen, DORA - 1), min(turn // TURN_STEP, TURNS - 1)


@kernel("suji", seconds=0.2)
def loss_group(dora: NDArray[np.uint8], yakuhai: int, kind: int) -> int:
    """The group of a kind by what a deal-in with it costs.

    ``dora``: (34,) of each kind how many dora a tile of it is; ``yakuhai``: bit set of the winner's.
    """
    if dora[kind]:
        return DORA_TILE
    if kind >= 27:
        return YAKUHAI if yakuhai >> kind & 1 else OTHER_HONOUR
    return TERMINAL if kind % 9 in (0, 8) else MIDDLE


@part
def losses_to(table: Table, seat: int, figures: DangerFigures, losses: NDArray[np.float32]) -> None:
    """Fill ``losses`` (34) with the mean points paid to the seat for a deal-in, honba included."""
    stance, _, discards, ippatsu, dora_seen, yakuhai = public_facts(table, seat)
    row = loss_row(stance, ippatsu, seat == table.dealer, dora_seen, discards)
    base = figures.points[row]
    honba = np.float32(table.honba * table.honba_points)
    for kind in range(34):
        losses[kind] = base * figures.points_factor[row[0], loss_group(table.dora, yakuhai, kind)] + honba


@kernel("suji", seconds=0.5)
def losses_to_seat(
    views: Records[Table], seat: int, figures: Records[DangerFigures], losses: NDArray[np.float32]
) -> None:
    """:func:`losses_to` for callers in Python."""
    losses_to(views[0], seat, figures[0], losses)


class Threats(Record):
    """The opponents who may win on the viewer's discard, those in riichi first; closed hands are not counted.

    Attributes:
        number: how many there are.
        riichi: how many of them are in riichi.
        seats, tenpai: of each, absolute seat and chance that it is tenpai, 0-1.
        deal_in: of each, by ``tile34``, chance that the tile, discarded now, deals in; 0 for its genbutsu.
        chance: by ``tile34``, chance that it deals in to any of them.
        loss: by ``tile34``, mean points lost if it does, honba included.
        classes, losses: room for the classes of the kinds, and for what one opponent is paid.
    """

    number: Annotated[int, np.int64]
    riichi: Annotated[int, np.int64]
    seats: Annotated[NDArray[np.int64], (3,)]
    tenpai: Annotated[NDArray[np.float64], (3,)]
    deal_in: Annotated[NDArray[np.float64], (3, 34)]
    chance: Annotated[NDArray[np.float64], (34,)]
    loss: Annotated[NDArray[np.float64], (34,)]
    classes: Annotated[NDArray[np.intp], (34,)]
    losses: Annotated[NDArray[np.float32], (34,)]


@part
def weigh_threats(table: Table, unseen: NDArray[np.int64], figures: DangerFigures, threats: Threats) -> None:
    """Fill the threats to the viewer of a table, of which ``unseen`` (34) are the copies that the viewer does not see.

    A riichi declared with the discard on offer counts.
    """
    threats.number = 0
    threats.riichi = 0
    for kind in range(34):
        threats.chance[kind] = 1.0
        threats.loss[kind] = 0.0
    for riichi in (True, False):
        for seat in range(4):
            if seat == table.viewer:
                continue
            declared = table.riichi[seat] != 0 or table.declared == seat
            if declared == riichi and (declared or called_melds(table, seat)):
                threats.riichi += int(declared)
                _add_threat(table, seat, unseen, figures, threats)
    if threats.number == 0:
        threats.chance[:] = 0.0
        return
    for kind in range(34):
        chance = 1.0 - threats.chance[kind]
        threats.chance[kind] = chance
        threats.loss[kind] = threats.loss[kind] / chance if chance else 0.0


@part
def _add_threat(table: Table, seat: int, unseen: NDArray[np.int64], figures: DangerFigures, threats: Threats) -> None:
    """One threat; ``chance`` is meanwhile the chance that a tile passes, ``loss`` the expected loss."""
    at = threats.number
    threats.number += 1
    stance, called, discards, _, _, yakuhai = public_facts(table, seat)
    safe = safe_kinds(table, seat)
    live = classify(unseen, safe, yakuhai, threats.classes) // LIVE_STEP
    losses_to(table, seat, figures, threats.losses)
    tenpai = figures.tenpai[stance, called, min(discards, LAST_TURN)]
    chance_of_ron = tenpai * figures.ron[stance]
    threats.seats[at] = seat
    threats.tenpai[at] = tenpai
    for kind in range(34):
        deal_in = 0.0
        if not safe >> kind & 1:
            deal_in = np.float64(figures.wait[stance, live, threats.classes[kind]] * chance_of_ron)
            threats.chance[kind] *= 1.0 - deal_in
            threats.loss[kind] += deal_in * np.float64(threats.losses[kind])
        threats.deal_in[at, kind] = deal_in
