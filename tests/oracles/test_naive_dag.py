"""The oracle itself, compared with enumeration of every line of play, playouts of its policy, and symmetry."""

from __future__ import annotations

import math
import random
from dataclasses import replace

import numpy as np
import pytest

from engine.model.actions import ActionKind
from engine.model.rules import Rules
from engine.model.tiles import allocate136, parse_tiles37
from engine.search.dag.model import DRAWS, FULL, in_points
from engine.search.evaluator import TileChances, Utility
from engine.search.position import Sketch
from tests.oracles.naive_dag import FRESH, NONE, RIICHI, NaiveDag
from tests.oracles.naive_hands import CHI, PON, chi_shapes
from tests.samples import parse_tile37

NO_URA = Rules(ura_dora=False)
NEVER = np.zeros((3, 18))
ALIKE = TileChances(np.ones((3, 3, 18, 34)), np.ones((3, 18, 34)), NEVER + 0.95, NEVER, NEVER)
"""All unseen tiles are alike, to draw and to discard."""


def position(text, wall="", **facts):
    """A position; ``wall``: the only unseen tiles, if given."""
    made = Sketch(allocate136(parse_tiles37(text)), **facts).position()
    if wall:
        unseen = [0] * 34
        for tile in parse_tiles37(wall):
            unseen[tile] += 1
        made = replace(made, unseen=tuple(unseen), red_unseen=(False, False, False))
    return made


def every_line(game, hand, d, known):
    """Best worth of a 13-tile hand by every draw and every discard, with no set of hands searched; ``known``: memo."""
    if d == 0:
        return 0.0
    if (hand, d) in known:
        return known[hand, d]
    chances = game.chances(hand)
    total = 0.0
    for kind in range(34):
        if chances[kind]:
            best = max(
                every_line(game, hand.plus(kind).plus(discarded, -1), d - 1, known)
                for discarded in range(34)
                if hand.plus(kind).concealed[discarded]
            )
            win = game.win(hand, kind, True, NONE, last=False)
            total += chances[kind] * max(best, win.value if win else 0.0)
    known[hand, d] = total
    return total


@pytest.mark.parametrize(
    ("hand", "wall"),
    [
        ("123m456p1123567s1z", "444s88s"),
        pytest.param("123m456p113577s11z", "4466s2s7p", marks=pytest.mark.slow),
        ("1199m2288p335s77z1z", "55s66z"),
    ],
)
def test_equals_every_line_of_play_on_a_tiny_wall(hand, wall):
    """Exchanges of three tiles reach everything that three draws can win with."""
    game = NaiveDag(position(hand, wall, rules=NO_URA), DRAWS, n=2, draws=3)
    known = {}
    for choice, worth in game.discards().items():
        left = game.root.plus(choice.tile34, -1)
        assert worth.value == pytest.approx(every_line(game, left, 3, known), rel=1e-12)
    assert any(worth.value > 0 for worth in game.discards().values())


@pytest.mark.slow
def test_what_the_hands_searched_leave_out():
    """Lost are lines that win with another copy of a tile discarded, or hold useless tiles to thin the wall: little."""
    game = NaiveDag(position("123m456p113577s11z", "4466s1z2s7p", rules=NO_URA), DRAWS, n=2, draws=3)
    known = {}
    for choice, worth in game.discards().items():
        full = every_line(game, game.root.plus(choice.tile34, -1), 3, known)
        assert worth.value <= full * (1 + 1e-12)
    best = max(game.discards().items(), key=lambda item: item[1].value)
    assert best[1].value > 0.98 * every_line(game, game.root.plus(best[0].tile34, -1), 3, known)


def playout(game, hand, d, rho, rng):
    """One game by the oracle's policy: utility, whether it was won, whether it ended tenpai."""
    row = int(rho != NONE)
    while True:
        chances, rates = game.chances(hand), game.turns.rate[row, d]
        if d > 0 and rho != NONE:
            row = 1
        claimed = False
        opponents = game.turns.tail if d == 0 else 3
        passed = game.ladder(hand, d, rho)
        for distance in reversed(range(opponents)):
            kind = _pick([rates[distance, k] * chances[k] for k in range(34)], rng)
            if kind is None:
                continue
            best = game.best_claim(hand, d, rho, kind, distance == 0, d == 0 and distance == 0)
            if best is None or (rho == NONE and best.value <= passed[distance].value):
                continue
            win = game.win(hand, kind, False, rho, d == 0 and distance == 0) if not game.model.draws_only else None
            if win is not None and win.value == best.value:
                return win.value, 1.0, 0.0
            hand, d, claimed = *_called(game, hand, d, kind, distance == 0, best), True
            break
        if claimed:
            continue
        if rng.random() > game.turns.survive[row, d] ** (opponents / 3):
            return float(game.turns.ended[row, d]), 0.0, 0.0
        if d == 0:
            tenpai = bool(game.waits(hand))
            return float(game.turns.terminal[(1 + row) if tenpai else 0]), 0.0, float(tenpai)
        kind = _pick(chances, rng)
        win = game.win(hand, kind, True, rho, d == 1 and game.turns.tail == 0)
        best = game.discard(hand.plus(kind), d - 1)
        if win is not None and (rho != NONE or best is None or win.value > best.value):
            return win.value, 1.0, 0.0
        d -= 1
        if rho == NONE:
            hand, rho = _discarded(game, hand.plus(kind), d, best)
            row = int(rho != NONE)
        else:
            rho = RIICHI


def _discarded(game, hand, d, best, forbidden=(), riichi=True):
    for kind in range(34):
        if hand.concealed[kind] and kind not in forbidden and game.searched(hand.plus(kind, -1)):
            left = hand.plus(kind, -1)
            if game.after(left, d, riichi).value == best.value:
                declares = riichi and game.may_riichi(left, d) and game.others(left, d).value < best.value
                return left, FRESH if declares else NONE
    raise AssertionError("no discard has the worth of the best")


def _called(game, hand, d, kind, left_player, best):
    options = [((kind, kind), PON, kind, (kind,))] if hand.concealed[kind] >= 2 else []
    if left_player:
        options += [(own, CHI, min(kind, *own), forbidden) for own, forbidden in chi_shapes(kind)]
    for own, code, lowest, forbidden in options:
        if all(hand.concealed[tile] for tile in own):
            called = hand.call(code, lowest, own)
            worth = game.discard(called, d - 1, forbidden, riichi=False)
            if worth is not None and worth.value == best.value:
                return _discarded(game, called, d - 1, best, forbidden, riichi=False)[0], d - 1
    raise AssertionError("no call has the worth of the best")


def _pick(weights, rng):
    at = rng.random()
    for kind, weight in enumerate(weights):
        at -= weight
        if at < 0:
            return kind
    return None


@pytest.mark.parametrize(
    ("hand", "wall", "calls", "choice"),
    [
        ("123m456p1123567s1z", "4s22z777p44m999m8m8p", 0, ActionKind.RIICHI),
        ("22m456p22345s227z1m", "2m2s2z7z55s3m3p999m8m", 2, ActionKind.DISCARD),
    ],
)
def test_playouts_of_the_policy_agree_within_the_interval(hand, wall, calls, choice):
    """The same game played at random, following the policy; uniform discards, so that chances sum to one."""
    model = replace(FULL, calls=calls)
    spot = replace(position(hand, wall, turn=14), wall_left=14)
    game = NaiveDag(spot, model, n=1, draws=3, stakes=replace(in_points(spot, model), tiles=ALIKE))
    found = {option: worth for option, worth in game.discards().items() if option.kind is choice}
    best, worth = max(found.items(), key=lambda item: item[1].value)
    rng = random.Random(7)
    left = game.root.plus(best.tile34, -1)
    rho = FRESH if choice is ActionKind.RIICHI else NONE
    results = [playout(game, left, 3, rho, rng) for _ in range(3_000)]
    for at, expected in enumerate((worth.value, worth.p_win, worth.p_tenpai)):
        values = [result[at] for result in results]
        mean = sum(values) / len(values)
        spread = math.sqrt(sum((value - mean) ** 2 for value in values) / len(values) / len(values))
        assert abs(mean - expected) < 4 * spread + 1e-9
    assert 0.05 < worth.p_win < 0.95


def test_permuting_suits_changes_nothing():
    def best(text, dora):
        game = NaiveDag(position(text, turn=15, dora_indicators=allocate136([parse_tile37(dora)])), DRAWS, n=1)
        return sorted(worth.value for worth in game.discards().values())

    # none of the hands' yaku depends on which suit is which
    assert best("123m456p1123567s1z", "8p") == pytest.approx(best("123p456s1123567m1z", "8s"), rel=1e-12)


def test_utility_is_what_is_maximised():
    spot = position("123m456p1123567s1z", turn=15)
    flat = Utility((-100_000, 0, 1, 200_000), (0.0, 0.0, 1.0, 1.0), "win")
    game = NaiveDag(spot, replace(DRAWS, utility=flat), n=1)
    for worth in game.discards().values():
        assert worth.value == pytest.approx(worth.p_win)
    assert game.discards().keys() == NaiveDag(spot, DRAWS, n=1).discards().keys()


def test_furiten_wins_by_draw_only():
    free = position("123m456p12356s11z7z", turn=15)
    discarded = position("123m456p12356s11z7z", turn=15, own_river=allocate136([parse_tile37("4s")]))
    model = replace(FULL, calls=0)
    for spot, furiten in ((free, False), (discarded, True)):
        game = NaiveDag(spot, model, n=0)
        left = game.root.plus(33, -1)
        assert game.furiten(left) is furiten
        assert (game.win(left, 24, tsumo=False, rho=NONE) is None) is furiten or game.win(left, 24, False, NONE) is None
        assert game.win(left, 24, True, NONE) is not None
        assert (game.win(left, 24, False, RIICHI) is None) is furiten
