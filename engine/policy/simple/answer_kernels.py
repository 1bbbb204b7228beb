"""The answers of the policy ``simple``: each legal answer weighed, and the one that it chooses.

The Python policy shows every figure, so that there all answers are weighed (``thorough``). In batches only those are
that can still be chosen: the answer is the same.
"""

import numpy as np
from numpy.typing import NDArray

from engine._jit import Records, allocating_kernel, allocating_part, part
from engine.opponents.danger_kernels import DangerFigures, weigh_threats
from engine.policy.pushfold_kernels import attacks, deals_again
from engine.policy.simple.outlook_kernels import copy_prospects, least_level, weigh
from engine.policy.simple.sight_kernels import DRAFT, DRAFT_AFTER_CALL, Option, Sight, hold, read_melds, read_table
from engine.rules.answer_kernels import (
    CHI,
    DISCARD,
    DISCARDS_WORD,
    KAN,
    KANS_WORD,
    NINE,
    OPEN_KAN,
    OTHERS_WORD,
    PASS,
    PON,
    RIICHI,
    RIICHI_WORD,
    THE_DRAWN,
)
from engine.rules.legal_kernels import outer_kinds
from engine.rules.table_kernels import (
    IS_ADDED_KAN,
    IS_CHI,
    IS_CLOSED_KAN,
    IS_PON,
    Table,
    is_red,
    swaps_of_chi,
)
from engine.shanten.table_kernels import HandTables

KAN_KEEPS = 0.9
"""Share of the hand's value that must remain after a kan; the estimate counts neither the new dora nor the extra draw.
A guess."""

_NONE = -1


@allocating_kernel("quick", seconds=12.0)
def answer_question(
    tables: Records[Table],
    limits: NDArray[np.int64],
    figures: Records[DangerFigures],
    hands: Records[HandTables],
    sights: Records[Sight],
    options: Records[Option],
) -> int:
    """Answer a question to the viewer of a table, weighing every legal answer.

    Args:
        tables: the table, an array of one, as its viewer sees it.
        limits: the push/fold table, see :func:`engine.policy.pushfold_kernels.attacks`.
        figures: the tables of danger.
        hands: of shanten and scoring.
        sights: an array of one: ``legal`` holds the legal answers, ``folded`` whether the hand has folded before. What
            is found out is written here; without a legal answer, only the facts and threats.
        options: (ROOM) where to write the answers weighed.
    """
    return answer(tables[0], True, limits, figures[0], hands[0], sights[0], options)


@allocating_part
def answer(
    table: Table,
    thorough: bool,
    limits: NDArray[np.int64],
    figures: DangerFigures,
    hands: HandTables,
    sight: Sight,
    options: Records[Option],
) -> int:
    """:func:`answer_question`, or only the answer itself unless ``thorough``."""
    read_table(table, sight)
    weigh_threats(table, sight.unseen, figures, sight)
    sight.options = 0
    sight.ordered = 0
    sight.best = _NONE
    sight.nearer = _NONE
    if sight.legal[OTHERS_WORD] >> (PASS - CHI) & 1:
        return _answer_call(table, thorough, limits, hands, sight, options)
    if sight.legal[DISCARDS_WORD]:
        return _answer_own(table, thorough, limits, hands, sight, options)
    return _NONE


@part
def _add(sight: Sight, options: Records[Option], number: int, kind: int, red: int) -> int:
    """List an answer; its place."""
    at = sight.options
    sight.options += 1
    option = options[at]
    option.answer, option.kind, option.red = number, kind, red
    option.discard = _NONE
    option.weighed = 0
    option.deal_in = option.loss = option.danger = option.net = 0.0
    return at


# -- own turn ------------------------------------------------------------------------------------------------------


@allocating_part
def _answer_own(
    table: Table,
    thorough: bool,
    limits: NDArray[np.int64],
    hands: HandTables,
    sight: Sight,
    options: Records[Option],
) -> int:
    """A discard, riichi, kan, or nine terminals."""
    _list_discards(table, sight, options)
    declared = table.riichi[table.viewer] != 0 or table.declared == table.viewer
    redealt = sight.legal[OTHERS_WORD] >> (NINE - CHI) & 1 != 0
    if thorough or redealt or not sight.folded:
        _weigh_nearest(table, thorough, declared, hands, sight, options)
        best = _first(sight, options, False)
        sight.best = best
        shanten = options[best].shanten
        if redealt and deals_again(outer_kinds(table.hand), shanten):
            return NINE
        if not sight.folded and not attacks(limits, sight.riichi, shanten, 0):
            sight.folded = 1
    if sight.folded:
        _weigh_safest(table, declared, hands, sight, options)
        _put_in_order(sight, options, True, thorough)
        return int(options[sight.order[0]].answer)
    kan = _weigh_kans(table, hands, sight, options)
    if kan != _NONE:
        sight.order[0], sight.order[1] = kan, sight.best
        sight.ordered = 2
        return int(options[kan].answer)
    _put_in_order(sight, options, False, thorough)
    return int(options[sight.order[0]].answer)


@allocating_part
def _list_discards(table: Table, sight: Sight, options: Records[Option]) -> None:
    """List the legal discards and riichi, one of those that look the same: the drawn tile if it is among them."""
    drawn = table.drawn
    for first in (DISCARD, RIICHI):
        word = sight.legal[DISCARDS_WORD if first == DISCARD else RIICHI_WORD]
        for kind in range(34):
            here = drawn >= 0 and drawn >> 2 == kind and word >> THE_DRAWN & 1 != 0
            red = here and is_red(table, drawn)
            if kind < 27 and kind % 9 == 4 and (red or word >> (34 + kind // 9) & 1):
                _add_discard(sight, options, first + (THE_DRAWN if red else 34 + kind // 9), kind, 1)
            if (here and not red) or word >> kind & 1:
                _add_discard(sight, options, first + (THE_DRAWN if here and not red else kind), kind, 0)


@part
def _add_discard(sight: Sight, options: Records[Option], number: int, kind: int, red: int) -> None:
    option = options[_add(sight, options, number, kind, red)]
    option.deal_in, option.loss = sight.chance[kind], sight.loss[kind]
    option.danger = option.deal_in * option.loss


@allocating_part
def _weigh_nearest(
    table: Table, thorough: bool, declared: bool, hands: HandTables, sight: Sight, options: Records[Option]
) -> None:
    """Weigh the discards that may lead to the lowest level, or all."""
    lowest = 99
    for at in range(sight.options):
        option = options[at]
        hold(table, option.kind, option.red, -1)
        option.level = 0 if thorough else least_level(table, sight, hands)
        hold(table, option.kind, option.red, 1)
        lowest = min(lowest, option.level)
    reached = 99
    while lowest <= reached:
        for at in range(sight.options):
            option = options[at]
            if not option.weighed and option.level == lowest:
                _weigh_discard(table, declared, hands, sight, options, at)
                reached = min(reached, option.level)
        lowest += 1
        if thorough:
            break


@allocating_part
def _weigh_discard(
    table: Table, declared: bool, hands: HandTables, sight: Sight, options: Records[Option], at: int
) -> None:
    option = options[at]
    hold(table, option.kind, option.red, -1)
    weigh(table, sight, declared or option.answer >= RIICHI, hands, option, options[DRAFT])
    hold(table, option.kind, option.red, 1)
    option.net = option.value - option.danger
    option.weighed = 1


@allocating_part
def _weigh_safest(table: Table, declared: bool, hands: HandTables, sight: Sight, options: Records[Option]) -> None:
    """Weigh the discards that are as safe as the safest, where there are several."""
    safest = np.inf
    several = False
    for at in range(sight.options):
        if options[at].answer < RIICHI:
            several = options[at].danger == safest or (several and options[at].danger > safest)
            safest = min(safest, options[at].danger)
    for at in range(sight.options):
        option = options[at]
        if several and option.answer < RIICHI and option.danger == safest and not option.weighed:
            _weigh_discard(table, declared, hands, sight, options, at)


@part
def _comes_first(one: Option, other: Option, fold: bool) -> bool:
    """Whether a discard is better than another.

    To attack: the nearer hand, and among equally near ones the one with more points. To fold: the safer discard, and
    among equally safe ones the one that leaves the better hand.
    """
    if fold and one.danger != other.danger:
        return one.danger < other.danger
    if one.level != other.level:
        return one.level < other.level
    mine, others = (one.value, other.value) if fold else (one.net, other.net)
    if mine != others:
        return mine > others
    if not fold and one.ukeire != other.ukeire:
        return one.ukeire > other.ukeire
    return 2 * one.kind - one.red < 2 * other.kind - other.red


@allocating_part
def _first(sight: Sight, options: Records[Option], fold: bool) -> int:
    """The best of the discards that are weighed; to fold, without riichi."""
    best = _NONE
    for at in range(sight.options):
        option = options[at]
        if option.answer < KAN and not (fold and option.answer >= RIICHI) and (option.weighed or fold):
            if best == _NONE or _comes_first(option, options[best], fold):
                best = at
    return best


@allocating_part
def _put_in_order(sight: Sight, options: Records[Option], fold: bool, thorough: bool) -> None:
    """Write into ``order`` the discards, best first; only the best unless ``thorough``."""
    if not thorough:
        sight.order[0] = _first(sight, options, fold)
        sight.ordered = 1
        return
    sight.ordered = 0
    for at in range(sight.options):
        option = options[at]
        if option.answer < KAN and not (fold and option.answer >= RIICHI):
            place = sight.ordered
            while place > 0 and _comes_first(option, options[sight.order[place - 1]], fold):
                sight.order[place] = sight.order[place - 1]
                place -= 1
            sight.order[place] = at
            sight.ordered += 1


@allocating_part
def _weigh_kans(table: Table, hands: HandTables, sight: Sight, options: Records[Option]) -> int:
    """A kan after which the hand is as near to a win as after the best discard; against riichi only at tenpai."""
    kans = sight.legal[KANS_WORD]
    if not kans:
        return _NONE
    viewer = table.viewer
    best = options[sight.best]
    for kind in range(34):
        if kans >> kind & 1 and table.hand[kind] == 4:
            at = _add(sight, options, KAN + kind, kind, 0)
            _weigh_closed_kan(table, hands, sight, options[at], options[DRAFT])
            if _keeps(options[at], best, sight.riichi):
                return at
    for meld in range(table.melds[viewer]):
        kind = int(table.meld_lows[viewer, meld])
        if table.meld_kinds[viewer, meld] == IS_PON and kans >> kind & 1:
            at = _add(sight, options, KAN + kind, kind, 0)
            _weigh_added_kan(table, meld, hands, sight, options[at], options[DRAFT])
            if _keeps(options[at], best, sight.riichi):
                return at
    return _NONE


@part
def _keeps(after: Option, best: Option, riichi: int) -> bool:
    """Whether a kan may replace the best discard."""
    keeps = after.shanten <= best.shanten and after.value >= KAN_KEEPS * best.value
    return keeps and (riichi == 0 or after.shanten == 0)


@allocating_part
def _weigh_closed_kan(table: Table, hands: HandTables, sight: Sight, option: Option, draft: Option) -> None:
    kind = option.kind
    red = int(kind < 27 and kind % 9 == 4 and table.own_reds[kind // 9])
    hold(table, kind, red, -1)
    table.hand[kind] = 0
    _lay(table, sight, IS_CLOSED_KAN, kind, red)
    weigh(table, sight, False, hands, option, draft)
    _take_back(table, sight)
    table.hand[kind] = 3
    hold(table, kind, red, 1)


@allocating_part
def _weigh_added_kan(table: Table, meld: int, hands: HandTables, sight: Sight, option: Option, draft: Option) -> None:
    kind = option.kind
    viewer = table.viewer
    red = int(kind < 27 and kind % 9 == 4 and table.own_reds[kind // 9])
    hold(table, kind, red, -1)
    table.meld_kinds[viewer, meld] = IS_ADDED_KAN
    table.meld_reds[viewer, meld] += red
    read_melds(table, sight)
    weigh(table, sight, False, hands, option, draft)
    table.meld_kinds[viewer, meld] = IS_PON
    table.meld_reds[viewer, meld] -= red
    read_melds(table, sight)
    hold(table, kind, red, 1)


@allocating_part
def _lay(table: Table, sight: Sight, what: int, low: int, reds: int) -> None:
    """Add a meld to those of the viewer, whose tiles have left the hand."""
    viewer = table.viewer
    at = table.melds[viewer]
    table.meld_kinds[viewer, at] = what
    table.meld_lows[viewer, at] = low
    table.meld_reds[viewer, at] = reds
    table.melds[viewer] += 1
    read_melds(table, sight)


@allocating_part
def _take_back(table: Table, sight: Sight) -> None:
    table.melds[table.viewer] -= 1
    read_melds(table, sight)


# -- another's tile ------------------------------------------------------------------------------------------------


@allocating_part
def _answer_call(
    table: Table,
    thorough: bool,
    limits: NDArray[np.int64],
    hands: HandTables,
    sight: Sight,
    options: Records[Option],
) -> int:
    """A chi or pon that brings the hand nearer to a win and is worth more than to pass; else a pass."""
    now = options[_add(sight, options, PASS, 0, 0)]
    weigh(table, sight, False, hands, now, options[DRAFT])
    sight.best = sight.order[0] = 0
    sight.ordered = 1
    if not sight.folded and not attacks(limits, sight.riichi, now.shanten, 0):
        sight.folded = 1
    if sight.folded:
        return PASS
    others = sight.legal[OTHERS_WORD]
    for number in range(OPEN_KAN - 1, CHI - 1, -1):
        if others >> (number - CHI) & 1:
            at = _add(sight, options, number, 0, 0)
            if not _weigh_call(table, thorough, now.shanten, hands, sight, options, at):
                sight.options -= 1
    for at in range(1, sight.options):
        place = sight.ordered
        while place > 1 and options[at].net > options[sight.order[place - 1]].net:
            sight.order[place] = sight.order[place - 1]
            place -= 1
        sight.order[place] = at
        sight.ordered += 1
    for place in range(1, sight.ordered):
        if sight.nearer == _NONE and options[sight.order[place]].shanten < now.shanten:
            sight.nearer = sight.order[place]
    if sight.nearer == _NONE or not options[sight.nearer].net > now.value:
        return PASS
    place = 0
    while sight.order[place] != sight.nearer:
        place += 1
    while place > 0:
        sight.order[place] = sight.order[place - 1]
        place -= 1
    sight.order[0] = sight.nearer
    return int(options[sight.nearer].answer)


@allocating_part
def _weigh_call(
    table: Table, thorough: bool, shanten: int, hands: HandTables, sight: Sight, options: Records[Option], at: int
) -> bool:
    """Fill the prospects after a chi or pon and its best discard; False if no yaku is in sight afterwards.

    Discards after which the hand is nearer to a win than ``shanten`` are preferred to all others, and no others are
    weighed unless ``thorough``. ``net`` is the value, less the danger of the discard.
    """
    number = options[at].answer
    called = table.offered >> 2
    red = int((number - CHI) & 1)
    low, first, second = called, called, called
    if number < PON:
        place = (number - CHI) >> 1
        low = called - place
        first = low + int(place == 0)
        second = low + (1 if place == 2 else 2)
    forbidden = 1 << called if number >= PON else swaps_of_chi(called, low)
    hold(table, first, int(red and first % 9 == 4), -1)
    hold(table, second, int(red and second % 9 == 4 and second != first), -1)
    what = IS_PON if number >= PON else IS_CHI
    _lay(table, sight, what, low, red + int(is_red(table, table.offered)))
    found = _weigh_after_call(table, thorough, shanten, forbidden, hands, sight, options, at)
    _take_back(table, sight)
    hold(table, first, int(red and first % 9 == 4), 1)
    hold(table, second, int(red and second % 9 == 4 and second != first), 1)
    return found


@allocating_part
def _weigh_after_call(
    table: Table,
    thorough: bool,
    shanten: int,
    forbidden: int,
    hands: HandTables,
    sight: Sight,
    options: Records[Option],
    at: int,
) -> bool:
    best = options[at]
    one = options[DRAFT_AFTER_CALL]
    for kind in range(34):
        is_five = kind < 27 and kind % 9 == 4
        for red in (1, 0):
            reds = int(is_five and table.own_reds[kind // 9])
            held = reds if red else int(table.hand[kind]) - reds
            if held == 0 or forbidden >> kind & 1:
                continue
            hold(table, kind, red, -1)
            weighed = thorough or least_level(table, sight, hands) < shanten
            if weighed:
                weigh(table, sight, False, hands, one, options[DRAFT])
            hold(table, kind, red, 1)
            if not weighed or one.points == 0.0:
                continue
            net = one.value - sight.chance[kind] * sight.loss[kind]
            nearer = one.shanten < shanten
            was_nearer = best.weighed and best.shanten < shanten
            if not best.weighed or nearer > was_nearer or (nearer == was_nearer and net > best.net):
                copy_prospects(one, best)
                best.weighed = 1
                best.net = net
                best.discard = 34 + kind // 9 if red else kind
    return best.weighed != 0
