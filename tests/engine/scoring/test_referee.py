"""Random wins scored by us and by an independent library."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from jansou.core.hand import CallSource, Hand, MeldType
from jansou.core.hand import Meld as LibraryMeld
from jansou.core.rules import preset
from jansou.core.tiles import Tile, TileKind, Wind
from jansou.scoring.context import WinContext as LibraryContext
from jansou.scoring.score import ScoringError, score

from engine.model.melds import Meld, MeldKind
from engine.model.rules import HANCHAN
from engine.model.tiles import EAST, HONOURS, KINDS, RED_FIVES
from engine.scoring import WinContext, score_win

_TYPES = {
    MeldKind.CHI: MeldType.CHII,
    MeldKind.PON: MeldType.PON,
    MeldKind.DAIMINKAN: MeldType.DAIMINKAN,
    MeldKind.ANKAN: MeldType.ANKAN,
}
_FREE_RUNS = tuple(kind for kind in range(HONOURS) if kind % 9 < 7)


def _set(generator, free, dense):
    """Tiles of one random set out of ``free`` copies by kind, and its kind; None when none is left."""
    if generator.random() < 0.6:
        start = int(generator.choice([kind for kind in _FREE_RUNS if kind < 9] if dense else _FREE_RUNS))
        kinds, kind = (start, start + 1, start + 2), MeldKind.CHI
    else:
        which = int(generator.integers(9) if dense else generator.integers(KINDS))
        kinds, kind = (which,) * 3, MeldKind.PON
        if generator.random() < 0.3:
            kinds, kind = (which,) * 4, MeldKind.DAIMINKAN
    if any(len(free[each]) < kinds.count(each) for each in kinds):
        return None
    return tuple(sorted(free[each].pop() for each in kinds)), kind


def random_context(generator):
    """Any win in standard form, some of one suit, some of terminals and honours, with random circumstances."""
    dense = generator.random() < 0.4
    free = [list(generator.permutation(range(4 * kind, 4 * kind + 4)).tolist()) for kind in range(KINDS)]
    concealed, melds = [], []
    while len(melds) + len(concealed) < 4:
        found = _set(generator, free, dense)
        if found is None:
            continue
        tiles, kind = found
        if kind is MeldKind.DAIMINKAN and generator.random() < 0.5:
            melds.append(Meld(MeldKind.ANKAN, tiles, None, 0))
        elif kind is MeldKind.DAIMINKAN or generator.random() < 0.25:
            melds.append(Meld(kind, tiles, tiles[0], 3))
        else:
            concealed.append(tiles)
    pairs = [kind for kind in range(9 if dense else KINDS) if len(free[kind]) >= 2]
    pair = free[int(generator.choice(pairs))]
    hand = tuple(sorted([tile for tiles in concealed for tile in tiles] + [pair.pop(), pair.pop()]))
    closed = all(meld.kind is MeldKind.ANKAN for meld in melds)
    tsumo = bool(generator.random() < 0.5)
    riichi = int(generator.integers(3)) if closed else 0
    last = bool(generator.random() < 0.1)
    indicators = tuple(tile for tiles in free for tile in tiles[:1])
    return WinContext(
        concealed=hand,
        win_tile=int(generator.choice(hand)),
        tsumo=tsumo,
        seat_wind=EAST + int(generator.integers(4)),
        round_wind=EAST + int(generator.integers(2)),
        melds=tuple(melds),
        riichi=riichi,
        ippatsu=bool(riichi and generator.random() < 0.3),
        last_tile=last,
        rinshan=bool(tsumo and not last and melds and generator.random() < 0.1),
        chankan=bool(not tsumo and not last and generator.random() < 0.05),
        dora_indicators=(int(generator.choice(indicators)),),
        ura_indicators=(int(generator.choice(indicators)),) if riichi else (),
        rules=replace(HANCHAN, open_tanyao=bool(generator.random() < 0.8)),
    )


def judged(context):
    """(points, fu, han, yakuman) by the library; None for no win."""
    tile = [Tile(TileKind(number >> 2), red=number in RED_FIVES) for number in range(136)]
    melds = []
    for meld in context.melds:
        tiles = tuple(tile[each] for each in meld.tiles)
        called = None if meld.called is None else tile[meld.called]
        source = None if called is None else CallSource.KAMICHA
        melds.append(LibraryMeld(_TYPES[meld.kind], tiles, called, source))
    hand = Hand(tuple(tile[each] for each in context.concealed), tuple(melds))
    situation = LibraryContext(
        rules=replace(preset("tenhou"), kuitan=context.rules.open_tanyao),
        round_wind=Wind(context.round_wind - EAST),
        seat_wind=Wind(context.seat_wind - EAST),
        is_tsumo=context.tsumo,
        riichi=context.riichi == 1,
        double_riichi=context.riichi == 2,
        ippatsu=context.ippatsu,
        haitei=context.last_tile and context.tsumo,
        houtei=context.last_tile and not context.tsumo,
        rinshan=context.rinshan,
        chankan=context.chankan,
        dora_indicators=tuple(tile[each] for each in context.dora_indicators),
        ura_indicators=tuple(tile[each] for each in context.ura_indicators),
    )
    try:
        result = score(hand, tile[context.win_tile], situation)
    except ScoringError:
        return None
    pay = result.payment
    drawn = 2 * pay.tsumo_non_dealer + (pay.tsumo_dealer or pay.tsumo_non_dealer)
    points = drawn if context.tsumo else pay.ron
    return points, None if result.is_yakuman else (result.fu.total, result.han)


@pytest.mark.parametrize("seed", range(4))
def test_points_fu_and_han_agree(seed):
    generator = np.random.default_rng(seed)
    wins = 0
    for _ in range(500):
        context = random_context(generator)
        ours = score_win(context)
        mine = ours and (ours.points, None if ours.yakuman else (ours.fu, ours.han))
        assert mine == judged(context), context
        wins += ours is not None
    assert wins > 200
