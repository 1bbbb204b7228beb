"""Recorded moments as rows to learn the chances of tiles from: the view of a seat, and which tiles came next.

For every kind of tile a row says who let the next copy go, and how many turns everybody had until then. A kind is *at
risk* from the moment of the row until one of the others discards it, the viewer draws it, or the hand ends. A later
riichi of the viewer ends the row as well, because a hand in riichi is asked about by itself. A go-around
is the others' discards, then the viewer's draw and discard: first another player may end the hand, and if neither that
nor the viewer's win on a discard comes, the viewer may deal in, or else give the hand up. A hand is given up with the
discard after which it is never again as near to a win as it could have been then, or, while another player is in
riichi, with the first that takes a hand one away or tenpai farther: of those a fifth as many are won as of the others.
From there on nothing is at risk.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine._jit import Array2, Array3, Records, allocating_kernel, allocating_part, part
from engine.networks import imitation_layout_kernels as layout
from engine.networks.chances_layout_kernels import ACTORS, CALLS, DECLARES, PLAIN, VIEWER
from engine.networks.imitation_input_kernels import ask_nothing, write_inputs_of
from engine.rules.code_kernels import (
    ACCEPTED,
    CHI,
    DAIMINKAN,
    DISCARD,
    DRAW,
    FIRST_AT,
    FROM_AT,
    SEAT_AT,
    SECOND_AT,
    TYPE,
    WIN,
)
from engine.rules.moment_kernels import K_EVENTS, K_FIRST_EVENT, Games, Moment, Moments, play_hand
from engine.rules.random_kernels import mix
from engine.rules.table_kernels import DISCARDED
from engine.shanten.shanten_kernels import hand_shanten
from engine.shanten.table_kernels import HandTables

C_HAND, C_NUMBER, C_SEAT, C_NEXT, C_TILE, C_BEFORE = range(6)
"""Columns of ``ChanceRows.info``: row of the recordings' ``kyoku``; number of the next event in the hand; the viewer;
PLAIN, DECLARES or CALLS; the kind that the viewer discards now or calls, -1 for neither; how many of the others still
discard before the viewer's next draw."""
CHANCE_INFO = 6
MOST_ROWS = 400
"""Rows of one hand at most."""


class ChanceRows(NamedTuple):
    """Rows side by side; n of them.

    Attributes:
        planes: (n, 34, PLANES) uint8, the inputs of the imitating network without a question.
        numbers: (n, GLOBALS) uint8.
        events: (n, 34) int8, the actor who let the next copy of the kind go, -1 if nobody did.
        risks: (n, ACTORS, 34) uint8, the number of turns of each actor while the kind was at risk.
        ends: (n, 3, 2) uint8, for an end by another player, the viewer's deal-in, its giving up: the number of
            go-arounds at risk, and 1 if it came in the last of them.
        info: (n, CHANCE_INFO) int32, see the C_ names.
    """

    planes: Array3[np.uint8]
    numbers: Array2[np.uint8]
    events: Array2[np.int8]
    risks: Array3[np.uint8]
    ends: Array3[np.uint8]
    info: Array2[np.int32]


@allocating_part
def write_future(
    games: Games,
    hand: int,
    number: int,
    viewer: int,
    events: NDArray[np.int8],
    risks: Array2[np.uint8],
    ends: Array2[np.uint8],
    gone: int,
) -> None:
    """Fill ``events`` (34), ``risks`` (ACTORS, 34) and ``ends`` (3, 2) from the event ``number`` of the hand on.

    ``gone``: number of the event by which the viewer gave the hand up.
    """
    first = games.kyoku[hand, K_FIRST_EVENT]
    turns = np.zeros(ACTORS, np.int64)  # that each actor has had
    another, wins, pays = False, False, False
    lasted = -1  # own draws until the hand was given up
    declared = False
    events[:] = -1
    for at in range(number, games.kyoku[hand, K_EVENTS]):
        code = int(games.events[first + at])
        kind = code & TYPE
        seat = code >> SEAT_AT & 3
        if kind == DISCARD and seat == viewer and code >> SECOND_AT & 2:
            declared = True
            break
        if kind == DISCARD and seat != viewer:
            actor = ((seat - viewer) & 3) - 1
        elif kind == DRAW and seat == viewer:
            actor = VIEWER
        else:
            if at == gone:
                lasted = turns[VIEWER]
            if kind == WIN:
                another |= seat != viewer
                wins |= seat == viewer
                pays |= seat != viewer and (code >> FROM_AT & 3) == viewer
            continue
        turns[actor] += 1
        tile34 = (code >> FIRST_AT & 255) >> 2
        if events[tile34] < 0:
            events[tile34] = actor
            risks[:, tile34] = np.minimum(turns, 255)
    own = turns[VIEWER]
    if gone < number:
        lasted = 0
    ends[:] = 0
    if lasted >= 0:
        ends[:, 0] = min(lasted, 255)
        ends[2, 1] = lasted > 0
    elif declared:  # after the last draw only the others' discards before it were at risk
        ends[0, 0] = min(own, 255)
        ends[1:, 0] = max(min(own, 255) - 1, 0)
    else:
        others = not wins and not pays
        ends[:, 0] = min(own, 255)
        ends[0, 0] += others
        ends[0, 1] = others and another
        ends[1, 1] = pays and own > 0
        ends[2, 0] -= ends[1, 1]
    for tile34 in range(34):
        if events[tile34] < 0:
            risks[:, tile34] = np.minimum(turns, 255)


@allocating_part
def find_given_up(
    games: Games, hand: int, moments: Moments, n: int, tables: HandTables, gone: NDArray[np.int64]
) -> None:
    """Fill ``gone`` by seat: the number of the discard by which it gave its hand up, beyond all events if it did not.

    The first ``n`` moments are those of the hand.
    """
    events = games.kyoku[hand, K_EVENTS]
    first = games.kyoku[hand, K_FIRST_EVENT]
    gone[:] = events
    nearest = np.full(4, 99)
    for at in range(events):
        code = int(games.events[first + at])
        if code & TYPE == WIN:
            nearest[code >> SEAT_AT & 3] = -1
    for at in range(n - 1, -1, -1):
        moment = moments.records[at]
        code = int(moment.code)
        if code & TYPE != DISCARD or moment.phase == DISCARDED:
            continue
        seat = code >> SEAT_AT & 3
        tile34 = (code >> FIRST_AT & 255) >> 2
        counts = moment.counts[seat]
        could = hand_shanten(counts, moment.melds[seat], tables)
        counts[tile34] -= 1
        now = hand_shanten(counts, moment.melds[seat], tables)
        counts[tile34] += 1
        threatened = False
        for other in range(4):
            threatened |= other != seat and moment.riichi[other] > 0
        if now > max(could, 0) and ((threatened and could <= 1) or nearest[seat] > max(could, 0)):
            gone[seat] = moment.number
        nearest[seat] = min(nearest[seat], now)


@part
def _goes_on(moment: Moment, viewer: int, code: int, info: NDArray[np.int32]) -> bool:
    """Fill C_NEXT, C_TILE and C_BEFORE, ``code`` being the next event; False for a viewer who wins now: no row."""
    kind = code & TYPE
    info[C_NEXT] = PLAIN
    info[C_TILE] = -1
    info[C_BEFORE] = 3
    if kind == DISCARD and moment.phase != DISCARDED:
        info[C_TILE] = (code >> FIRST_AT & 255) >> 2
        if code >> SECOND_AT & 2:
            info[C_NEXT] = DECLARES
        return True
    seat = code >> SEAT_AT & 3
    info[C_BEFORE] = 3 - ((moment.turn - viewer) & 3)
    if seat == viewer:
        if CHI <= kind <= DAIMINKAN:
            info[C_NEXT] = CALLS
            info[C_TILE] = moment.offered >> 2
            info[C_BEFORE] = 3
        elif kind == WIN:
            return False
    return True


@allocating_kernel()
def collect_chances(
    games: Games,
    which: NDArray[np.int64],
    share: int,
    seed: int,
    tables: Records[HandTables],
    moments: Moments,
    rows: ChanceRows,
) -> tuple[int, int]:
    """Play hands and write rows until the rows are full or the hands are through.

    A row is a seat that is about to discard, or another than the one that has just discarded; always the one that calls
    the tile, if it is called.

    Args:
        games: the recordings.
        which: rows of ``kyoku`` to play, in this order.
        share: how many of 1 000 000 moments are kept.
        seed: of the choice.
        tables: the tables of hands.
        moments: room for those of one hand.
        rows: where to write.

    Returns:
        The number of rows written, and the number of hands that were played whole.
    """
    n = 0
    full = len(rows.planes) - MOST_ROWS
    question = np.empty(layout.QUESTION, np.int64)
    ask_nothing(question)
    gone = np.empty(4, np.int64)
    for done in range(len(which)):
        if n > full:
            return n, done
        hand = which[done]
        kept = play_hand(games, hand, 1 << DISCARD, 1 << DISCARD, tables[0], moments, 0)
        find_given_up(games, hand, moments, kept, tables[0], gone)
        for at in range(kept):
            moment = moments.records[at]
            random = mix(seed, (hand << 10) + moment.number)
            code = int(moment.code)
            number = int(moment.number)
            if code & TYPE == ACCEPTED:  # whoever calls the tile of a riichi does so once it is accepted
                number += 1
                if number == games.kyoku[hand, K_EVENTS]:
                    continue
                code = int(games.events[games.kyoku[hand, K_FIRST_EVENT] + number])
            kind = code & TYPE
            called = moment.phase == DISCARDED and CHI <= kind <= DAIMINKAN
            # riichi and calls are rare and decide much: they are kept more often
            often = 12 if kind == DISCARD and code >> SECOND_AT & 2 else 4 if called else 1
            if random % 1000000 >= share * often:
                continue
            viewer = moment.turn
            if called:
                viewer = code >> SEAT_AT & 3
            elif moment.phase == DISCARDED:
                viewer = (moment.turn + 1 + mix(random, 1) % 3) & 3
            info = rows.info[n]
            if not _goes_on(moment, viewer, code, info):
                continue
            write_inputs_of(moment, viewer, question, tables[0], rows.planes[n], rows.numbers[n])
            info[C_HAND], info[C_NUMBER], info[C_SEAT] = moment.row, moment.number, viewer
            own = kind == DISCARD and moment.phase != DISCARDED
            write_future(
                games, hand, number + int(own or called), viewer, rows.events[n], rows.risks[n], rows.ends[n],
                gone[viewer],
            )  # fmt: skip
            n += 1
    return n, len(which)
