"""What the quick heuristics derive from a table before they weigh an answer, and what they find out about it.

The hand that is weighed is the table's own record of the viewer: ``hand``, ``own_reds`` and its melds. To weigh an
answer they are changed on the way and put back.
"""

from typing import Annotated

import numpy as np
from numpy.typing import NDArray

from engine._jit import Record, part
from engine.opponents.danger_kernels import Threats
from engine.rules.table_kernels import IS_CHI, Number, Table, called_melds, yaku_of_triplet
from engine.rules.win_kernels import count_melds, lasting_flags, meld_dora, pack_melds

MOST, DRAFT, DRAFT_AFTER_CALL, ROOM = 48, 48, 49, 50
"""Answers that are weighed at most: 14 discards, each also with riichi, and some kans; or a pass and eight calls. Two
places beyond them, in which prospects are drafted; and how many places there are."""
_STEPS = 10

Figure = Annotated[float, np.float64]


class Option(Record):
    """An answer, and the prospects of the hand after it.

    Attributes:
        answer: the number of the answer; after a call, ``discard`` is the ``tile37`` of the best discard, else -1.
        kind: ``tile34`` of the discarded tile; ``red``: 1 if it is the red five.
        weighed: 1 if the figures below are filled.
        plan: the way to a yaku that the hand follows.
        shanten: shanten on that plan.
        ukeire: number of unseen tiles that lower the shanten; for a tenpai hand, that complete it.
        kinds: bit set of the ``tile34`` of these tiles.
        level: the first criterion of comparison: shanten, raised if no unseen tile improves it or no yaku is in sight.
        points: mean points of the win.
        p_win: chance to win in the draws left, 0-1.
        value: expected points, including the tempo.
        deal_in, loss: chance that the discard deals in, 0-1, and mean points lost if it does.
        danger: expected points lost by dealing in with it now.
        net: ``value`` less ``danger``.
    """

    answer: Number
    discard: Number
    kind: Number
    red: Number
    weighed: Number
    plan: Number
    shanten: Number
    ukeire: Number
    kinds: Number
    level: Number
    points: Figure
    p_win: Figure
    value: Figure
    deal_in: Figure
    loss: Figure
    danger: Figure
    net: Figure


class Sight(Threats):
    """What one decision knows; the fields of :class:`Threats` besides.

    Attributes:
        unseen: by ``tile34``, copies that the viewer does not see; ``unseen_total``: their sum.
        yakuhai: by ``tile34``, han of a triplet: 0, 1 or 2 (double wind).
        turns: number of own draws to come.
        dealer: 1 if the viewer is the dealer.
        discarded: bit set of the kinds in the viewer's river.
        flags: the winds of its wins, and whether open tanyao counts, as scoring takes them.
        melds: number of its melds, as :func:`read_melds` finds them; the following describe them.
        is_open: 1 if one is not a closed kan; ``has_chi``: 1 if one is a chi.
        packed: the melds as scoring takes them.
        melded: by ``tile34``, the tiles in them; ``melded_kinds``: bit set of the kinds.
        meld_han: dora and red fives in them; ``meld_yakuhai``: han of their triplets.
        work, rates, at: room for a hand, for the rates of its steps, and for the chances of its stages.
        words: words of the four suits of the hand on the plan that is measured.
        legal: the legal answers.
        options: how many answers are weighed; ``order``: those that the decision shows, the one chosen first;
            ``ordered``: how many these are.
        best: of a turn of one's own, the option that attacks best, else the pass.
        nearer: the best call that brings the hand nearer to a win, -1 for none.
        folded: 1 if the hand folds.
    """

    unseen: Annotated[NDArray[np.int64], (34,)]
    unseen_total: Number
    yakuhai: Annotated[NDArray[np.int64], (34,)]
    turns: Number
    dealer: Number
    discarded: Number
    flags: Number
    melds: Number
    is_open: Number
    has_chi: Number
    packed: Number
    melded: Annotated[NDArray[np.uint8], (34,)]
    melded_kinds: Number
    meld_han: Number
    meld_yakuhai: Number
    work: Annotated[NDArray[np.uint8], (34,)]
    rates: Annotated[NDArray[np.float64], (_STEPS,)]
    at: Annotated[NDArray[np.float64], (_STEPS + 1,)]
    words: Annotated[NDArray[np.int64], (4,)]
    legal: Annotated[NDArray[np.int64], (4,)]
    options: Number
    order: Annotated[NDArray[np.int64], (MOST,)]
    ordered: Number
    best: Number
    nearer: Number
    folded: Number


@part
def read_table(table: Table, sight: Sight) -> None:
    """Fill what the table says and no answer changes; its viewer's fields are filled."""
    viewer = table.viewer
    total = 0
    for kind in range(34):
        left = 4 - int(table.visible[kind])
        sight.unseen[kind] = left
        sight.yakuhai[kind] = 0
        total += left
    for kind in range(27, 34):
        sight.yakuhai[kind] = yaku_of_triplet(table, viewer, kind)
    sight.unseen_total = total
    sight.turns = (table.wall + 3) // 4
    sight.dealer = int(viewer == table.dealer)
    sight.flags = lasting_flags(table, viewer)
    sight.discarded = 0
    for at in range(table.lengths[viewer]):
        sight.discarded |= 1 << int(table.river_kinds[viewer, at])
    read_melds(table, sight)


@part
def read_melds(table: Table, sight: Sight) -> None:
    """Fill what follows from the viewer's melds."""
    viewer = table.viewer
    sight.melds = table.melds[viewer]
    sight.is_open = int(called_melds(table, viewer) > 0)
    sight.packed = pack_melds(table, viewer)
    sight.melded[:] = 0
    count_melds(table, viewer, sight.melded)
    sight.melded_kinds = 0
    for kind in range(34):
        sight.melded_kinds |= int(sight.melded[kind] > 0) << kind
    sight.meld_han = 0
    sight.meld_yakuhai = 0
    sight.has_chi = 0
    for at in range(sight.melds):
        sight.meld_han += meld_dora(table, viewer, at)
        if table.meld_kinds[viewer, at] == IS_CHI:
            sight.has_chi = 1
        else:
            sight.meld_yakuhai += sight.yakuhai[table.meld_lows[viewer, at]]


@part
def hold(table: Table, kind: int, red: int, step: int) -> None:
    """Take a tile out of the weighed hand (``step`` -1), or put it back (1)."""
    table.hand[kind] += step
    if red:
        table.own_reds[kind // 9] += step
