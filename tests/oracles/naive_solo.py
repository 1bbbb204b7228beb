"""One-player mahjong and its networks by definition, with no table: slow, and nothing of the kernels is used."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from math import comb

from engine.model.tiles import DORA_AFTER
from engine.scoring import WinContext, score_win
from tests.oracles import naive_shanten

RED = (16, 52, 88)
DRAWS = 18

# the dealer's points of the paper's Table 3, by fu and han; from 5 han on by Table 4
POINTS = {
    20: (None, 2000, 3900, 7700),
    25: (None, 2400, 4800, 9600),
    30: (1500, 2900, 5800, 11600),
    40: (2000, 3900, 7700, 12000),
    50: (2400, 4800, 9600, 12000),
    60: (2900, 5800, 11600, 12000),
    70: (3400, 6800, 12000, 12000),
    80: (3900, 7700, 12000, 12000),
    90: (4400, 8700, 12000, 12000),
    100: (4800, 9600, 12000, 12000),
    110: (None, 10600, 12000, 12000),
}
LIMITS = (12000, 18000, 18000, 24000, 24000, 24000, 36000, 36000)
NOT_IN_THE_GAME = {43, 44}  # all green, all terminals
NO_WINDS = frozenset(range(10, 18))


@cache
def splits(counts):
    """Every (groups, partial groups, runs, triplets) that a suit's tiles can be split into."""
    low = next((number for number, count in enumerate(counts) if count), None)
    if low is None:
        return frozenset({(0, 0, 0, 0)})

    def without(*numbers):
        left = list(counts)
        for number in numbers:
            if number >= len(left) or left[number] == 0:
                return frozenset()
            left[number] -= 1
        return splits(tuple(left))

    found = set(without(low))
    found |= {(g + 1, p, r, t + 1) for g, p, r, t in without(low, low, low)}
    found |= {(g + 1, p, r + 1, t) for g, p, r, t in without(low, low + 1, low + 2)}
    found |= {(g, p + 1, r, t) for g, p, r, t in (*without(low, low + 1), *without(low, low + 2))}
    return frozenset(found)


def suits(counts):
    return [tuple(counts[at : at + 9]) for at in (0, 9, 18)]


def paper_inputs(counts):
    """The active inputs of the paper's Table 5, by (block, value)."""
    best = [max(splits(suit)) for suit in suits(counts)]
    triples = sum(count >= 3 for count in counts[27:])
    groups, partials, runs, triplets = (sum(one[at] for one in best) for at in range(4))
    return {
        **{f"copies of {kind}": count for kind, count in enumerate(counts)},
        "standard shanten": naive_shanten.standard(tuple(counts), 0),
        "seven pairs shanten": naive_shanten.seven_pairs(counts),
        "runs": runs,
        "triplets": triplets + triples,
        "groups": groups + triples,
        "pairs": sum(count >= 2 for count in counts),
        "partial groups": partials,
    }


def yaku_inputs(counts, bonus):
    """Those of the extended set."""

    def only(keep):
        return naive_shanten.standard(tuple(count if keep(kind) else 0 for kind, count in enumerate(counts)), 0)

    def orphan(kind):
        return kind >= 27 or kind % 9 in (0, 8)

    held = [[min(count, 1) for count in suit] for suit in suits(counts)]
    triples, pairs = sum(count >= 3 for count in counts), sum(count == 2 for count in counts)
    return {
        "simples": min(8, only(lambda kind: not orphan(kind))),
        "half flush": min(8, *(only(lambda kind, suit=suit: kind // 9 in (suit, 3)) for suit in range(3))),
        "flush": min(8, *(only(lambda kind, suit=suit: kind // 9 == suit) for suit in range(3))),
        "three suits": max(sum(sum(suit[low : low + 3]) for suit in held) for low in range(7)),
        "straight": max(sum(suit) for suit in held),
        "twins": max(sum(min(2, count) for count in suit[low : low + 3]) for suit in suits(counts) for low in range(7)),
        "all triplets": 8 - 2 * triples - min(pairs, 5 - triples),
        "outside": min(9, sum(count for kind, count in enumerate(counts) if orphan(kind))),
        "dragons": sum(min(3, count) for count in counts[31:]),
        "bonus": min(5, bonus),
    }


SIZES = {
    "standard shanten": 9, "seven pairs shanten": 7, "runs": 5, "triplets": 5, "groups": 5, "pairs": 7,
    "partial groups": 7, "simples": 9, "half flush": 9, "flush": 9, "three suits": 10, "straight": 10, "twins": 7,
    "all triplets": 9, "outside": 10, "dragons": 10, "bonus": 6,
}  # fmt: skip


def active(counts, bonus, *, extended):
    """The numbers of the active inputs."""
    values = paper_inputs(counts) | (yaku_inputs(counts, bonus) if extended else {})
    numbers, start = set(), 0
    for name, value in values.items():
        size = SIZES.get(name, 5)
        assert 0 <= value < size, name
        numbers.add(start + value)
        start += size
    return numbers


def outputs(genome, numbers):
    """(value, module) of a hand with these active inputs, node by node."""
    links = list(zip(genome.sources, genome.targets, genome.weights, genome.active, strict=True))

    @cache
    def total(node):
        return sum(float(weight) * output(source) for source, target, weight, on in links if on and target == node)

    def output(node):
        if node < genome.inputs:
            return float(node in numbers)
        x = total(node)
        return x / (1 + abs(x))

    # OUTPUTS: the preference neuron of a module is even, its policy neuron follows
    said = [(total(1024 + 2 * module), -place) for place, module in enumerate(genome.modules)]
    place = -max(said)[1]
    return total(1025 + 2 * genome.modules[place]), place


def win(tiles, last, bonus):
    """(points, yaku) of fourteen tiles; None if they are not complete."""
    kinds = {tile // 4 for tile in tiles}
    wind = next((kind for kind in range(27, 31) if kind not in kinds), 27)
    context = WinContext(tuple(tiles), last, tsumo=True, seat_wind=wind, round_wind=wind)
    counts = [0] * 34
    for tile in tiles:
        counts[tile // 4] += 1
    if not naive_shanten.is_complete(tuple(counts), 0):
        return None
    found = score_win(context)
    if set(found.yakuman) - NOT_IN_THE_GAME:
        return 48_000, set(found.yakuman)
    assert not found.yakuman, "a hand that only other rules know"
    yaku = {number: han for number, han in found.yaku if number < 52 and number not in NO_WINDS}
    han = sum(yaku.values()) + bonus
    if han >= 13:
        return 48_000, set(yaku)
    return (POINTS[found.fu][han - 1] if han < 5 else LIMITS[han - 5]), set(yaku)


def bonus_of(tiles, indicator):
    if indicator is None:
        return 0
    return sum(tile // 4 == DORA_AFTER[indicator // 4] for tile in tiles) + sum(tile in RED for tile in tiles)


def counts_of(tiles):
    counts = [0] * 34
    for tile in tiles:
        counts[tile // 4] += 1
    return counts


def expected(tiles, seen, draws, indicator):
    """Expected points of thirteen tiles that are kept."""
    unseen = [tile for tile in range(136) if tile not in seen]
    found = [win([*tiles, tile], tile, bonus_of([*tiles, tile], indicator)) for tile in unseen]
    worths = [worth[0] for worth in found if worth]
    if not worths:
        return 0.0
    missed = Fraction(comb(len(unseen) - len(worths), draws), comb(len(unseen), draws))
    return float((1 - missed) * sum(worths) / len(worths))


def play(genome, wall, *, dora=False):
    """(turn of tenpai, expected points, turn of the win, points, yaku) of a wall."""
    indicator = wall[31] if dora else None
    hand, seen = list(wall[:13]), {*wall[:13], *([wall[31]] if dora else [])}
    ready = naive_shanten.shanten(tuple(counts_of(hand))) == 0
    tenpai, worth = (0, expected(hand, seen, DRAWS, indicator)) if ready else (DRAWS, 0.0)
    for turn, tile in enumerate(wall[13:31], start=1):
        seen.add(tile)
        if ready:
            found = win([*hand, tile], tile, bonus_of([*hand, tile], indicator))
            if found:
                return tenpai, worth, turn, *found
            continue
        hand.append(tile)
        hand.remove(_discard(genome, hand, indicator))
        if naive_shanten.shanten(tuple(counts_of(hand))) == 0:
            ready, tenpai, worth = True, turn, expected(hand, seen, DRAWS - turn, indicator)
    return tenpai, worth, 0, 0, set()


def _discard(genome, hand, indicator):
    """The discard of the highest value, of equal ones the lowest; red fives last of their kind."""
    best = {}
    for tile in sorted(hand, key=lambda tile: (tile // 4, indicator is not None and tile in RED)):
        if tile // 4 not in best:
            left = [other for other in hand if other != tile]
            numbers = active(counts_of(left), bonus_of(left, indicator), extended=genome.inputs > 215)
            best[tile // 4] = (outputs(genome, numbers)[0], -(tile // 4), tile)
    return max(best.values())[2]
