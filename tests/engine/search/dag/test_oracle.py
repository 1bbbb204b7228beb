"""The kernels of the search compared with a plain-Python solution of the same game, to 1e-4 relative."""

from __future__ import annotations

import random
from dataclasses import replace

import numpy as np
import pytest

from engine.model.actions import ActionKind
from engine.model.melds import Meld, MeldKind
from engine.model.tiles import allocate136, counts34, parse_tiles37
from engine.search.dag.model import DRAWS, FULL, RiichiMode, in_points
from engine.search.dag.search import DagEvaluator
from engine.search.dag.solve import turns_of
from engine.search.evaluator import Choice, Stakes, TileChances, Utility
from engine.search.position import Sketch
from engine.shanten import shanten
from tests.oracles.naive_dag import NaiveDag
from tests.samples import parse_tile37
from tests.tiers import mostly_slow

RANDOM = np.random.default_rng(11)
TILES = TileChances(
    RANDOM.uniform(0.1, 1.8, (3, 3, 18, 34)),
    RANDOM.uniform(0.6, 1.1, (3, 18, 34)),
    RANDOM.uniform(0.8, 1.0, (3, 18)),
    RANDOM.uniform(0.0, 0.1, (3, 18)),
    RANDOM.uniform(0.0, 0.1, (3, 18)),
)
STEEP = Utility((-100_000, 0, 2_000, 8_000, 200_000), (-3.0, -3.0, 1.0, 6.0, 9.0), "result")
GENTLE = Utility((-100_000, 0, 4_000, 200_000), (-2.0, -2.0, 3.0, 8.0), "result")
STAKES = Stakes(
    tsumo=STEEP,
    ron=GENTLE,
    ended=(-1.5, -2.5),
    terminal=(-1.0, 0.5, -0.5),
    toll=tuple(0.07 * (kind % 5) for kind in range(34)),
    hazard=((0.02, 0.03, 0.04), (0.05, 0.06, 0.07)),
    hazard_worth=(-6.0, -7.0),
    survive=((0.9, 0.9, 0.95), (0.85, 0.9, 0.9)),
)
OF_THE_POSITION = replace(STAKES, tiles=TILES)
GIVING_UP = replace(STAKES, fold=(-1.0, -1.1, -1.2, -1.1, -0.9, -0.9, -0.9))
KANS_COST = replace(STAKES, kan_toll=0.3)
FLAT = Utility((-100_000, 0, 1, 200_000), (0.0, 0.0, 1.0, 1.0), "win")


def tiles(text):
    return allocate136(parse_tiles37(text))


def spot(hand, **facts):
    facts.setdefault("dora_indicators", (103,))  # the last copy of 8s: 9s is dora
    return Sketch(tiles(hand), **facts).position()


def close(worth, expected):
    assert worth.value == pytest.approx(expected.value, rel=1e-4, abs=1e-2)
    assert worth.p_win == pytest.approx(expected.p_win, rel=1e-3, abs=1e-5)
    if worth.p_win and worth.win_points is not None and worth.value != pytest.approx(worth.p_win):
        assert worth.win_points * worth.p_win == pytest.approx(expected.win_points, rel=1e-3, abs=1e-1)


def agree(position, model, n, stakes=None):
    """Every discard and riichi of the two, figure by figure; tenpai too where its payments leave no ties."""
    game = NaiveDag(position, model, n, stakes=stakes)
    if position.furiten:
        game.furiten = lambda _: True
    expected = game.discards()
    evaluation = DagEvaluator(replace(model, exchanges=n)).evaluate(position, stakes)
    found = {
        worth.choice: worth
        for worth in evaluation.actions
        if worth.choice.kind in {ActionKind.DISCARD, ActionKind.RIICHI}
    }
    assert found.keys() == expected.keys()
    for choice, worth in found.items():
        close(worth, expected[choice])
        if not model.draws_only:
            assert worth.p_tenpai == pytest.approx(expected[choice].p_tenpai, rel=1e-3, abs=1e-5)
    return expected


@mostly_slow(
    ("hand", "model", "n", "facts"),
    [
        pytest.param("123m456p1123567s1z", DRAWS, 1, {}, marks=pytest.mark.slow),
        ("123m406p1123567s1z", DRAWS, 1, {"turn": 15}),
        ("123m456p1123567s1z", replace(DRAWS, riichi=RiichiMode.CHOICE), 1, {"turn": 13}),
        ("123m456p1123567s1z", replace(DRAWS, riichi=RiichiMode.OFF), 1, {"turn": 13}),
        ("123m456p1123567s1z", replace(DRAWS, utility=FLAT), 1, {"turn": 13}),
        ("123m456p1123567s1z", replace(FULL, calls=0), 1, {"turn": 12}),
        pytest.param(
            "123m456p1123567s1z",
            replace(FULL, calls=1),
            1,
            {"turn": 14, "dealer_distance": 2},
            marks=pytest.mark.slow,
        ),
        ("23m406p12356s1177z", FULL, 1, {"turn": 15, "kyoku": 4, "honba": 2, "riichi_sticks": 1}),
        ("12m456p11235678s1z", FULL, 1, {"turn": 14, "dealer_distance": 1}),
        ("1199m2288p335s77z4z", FULL, 1, {"turn": 13}),
        ("19m19p19s123456z15m", FULL, 1, {"turn": 14}),
        ("22m456p3445s22777z", FULL, 0, {"turn": 16, "riichi_against": 1}),
        ("123m456p1123567s1z", FULL, 0, {"turn": 17, "points": 900}),
        ("123m456p1123567s1z", FULL, 0, {"turn": 18, "dealer_distance": 0}),
        ("1112345678999m5p", replace(DRAWS, riichi=RiichiMode.OFF), 0, {"turn": 17}),
    ],
    quick=3,
)
def test_discards(hand, model, n, facts):
    expected = agree(spot(hand, **facts), model, n)
    assert any(worth.p_win > 0 for worth in expected.values()) or facts.get("turn") == 18


STAKED = (
    ("123m456p1123567s1z", 1, {"turn": 15, "dealer_distance": 2}),
    ("23m406p12356s1177z", 1, {"turn": 15, "honba": 2, "riichi_sticks": 1}),
    ("123m456p1123567s1z", 0, {"turn": 14, "riichi_against": 1}),
    ("2222m333p45s7779s2z", 1, {"turn": 15}),
)


@pytest.mark.parametrize(
    ("stakes", "hand", "calls", "facts"),
    [
        pytest.param(stakes, *one, marks=() if stakes is OF_THE_POSITION and at == 1 else pytest.mark.slow)
        for at, one in enumerate(STAKED)
        for stakes in (STAKES, GIVING_UP, OF_THE_POSITION)
    ],
)
def test_stakes(stakes, hand, calls, facts):
    model = replace(FULL, calls=calls)
    with_stakes = agree(spot(hand, **facts), model, 1, stakes)
    without = NaiveDag(spot(hand, **facts), model, 1, stakes=replace(stakes, toll=(), fold=())).discards()
    assert any(with_stakes[choice].value != pytest.approx(without[choice].value) for choice in without)


def test_the_first_go_around_is_the_part_that_is_stated():
    """Of others' discards before the own draw the sweep takes a part of the go-around, as the root power that it is."""
    position = spot("123m456p1123567s1z", turn=12)
    for opponents, called, how in ((3, False, 0), (3, True, 2), (2, False, 0), (1, False, 0)):
        turns = turns_of(position, FULL, replace(STAKES, tiles=TILES, hazard=((0.0,), (0.0,))), opponents, called)
        draws = position.draws_left
        assert turns.survive[0, draws] ** (opponents / 3) == pytest.approx(TILES.survive[how, 0])
        assert turns.survive[1, draws] ** (opponents / 3) == pytest.approx(TILES.survive[1, 0])
        assert turns.survive[0, :draws] == pytest.approx(TILES.survive[how, draws:0:-1])


@pytest.mark.slow
def test_who_stays_silent_declares_no_riichi_until_the_hand_has_changed():
    """Where riichi pays, and a hand that the root leaves tenpai would declare it a turn later."""
    position = spot("123m456p1123567s1z", turn=13)
    points = replace(in_points(position, FULL), tiles=TILES)
    agree(position, replace(FULL, calls=0), 1, points)


def test_stakes_need_no_other_kernels():
    """Arrays of the same types and layouts, so that a warm-up without stakes compiles all that play with them needs."""
    position = spot("123m456p1123567s1z", turn=12)
    plain, at_stake = (turns_of(position, FULL, stakes) for stakes in (in_points(position, FULL), GIVING_UP))
    for name, mine in at_stake._asdict().items():
        other = getattr(plain, name)
        if isinstance(other, np.ndarray):
            assert (mine.dtype, mine.ndim, mine.flags.c_contiguous) == (
                other.dtype,
                other.ndim,
                other.flags.c_contiguous,
            )
        else:
            assert type(mine) is type(other)


def test_haitei_and_houtei_by_who_has_the_last_tile():
    """Seats of all four winds: the last draw is theirs or another's."""
    for distance in range(4):
        agree(spot("123m456p1123567s1z", turn=16, dealer_distance=distance), replace(FULL, calls=0), 0)


def test_furiten():
    river = (allocate136([parse_tile37("4s")], taken=tiles("123m456p12356s11z7z"))[0],)
    agree(spot("123m456p12356s11z7z", turn=14, own_river=river), replace(FULL, calls=1), 0)


@pytest.mark.slow
@pytest.mark.parametrize("model", [FULL, DRAWS], ids=["full", "draws"])
def test_two_exchanges(model):
    agree(spot("13m457p1123567s1z5m", turn=15), replace(model, calls=min(model.calls, 1)), 2)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(12))
def test_random_hands_near_a_win(seed):
    """A finished hand with two tiles swapped for others, at a random table."""
    rng = random.Random(seed)
    finished = rng.choice(["123m456p112367s99s9s", "22m345m678p23488s8s7s", "111z234m567p3344s5s", "11223344m5566p77s"])
    held = list(tiles(finished))[:14]
    for _ in range(2):
        held[rng.randrange(len(held))] = rng.choice([tile for tile in range(136) if tile not in held])
    if shanten(counts34(held)) > 1:
        pytest.skip("further from a win than one exchange reaches")
    rest = [tile for tile in range(136) if tile not in held]
    rng.shuffle(rest)
    position = Sketch(
        held,
        dora_indicators=rest[:1],
        own_river=rest[1:4],
        visible=rest[4:24],
        turn=rng.randrange(11, 17),
        kyoku=rng.choice([0, 4]),
        dealer_distance=rng.randrange(4),
        honba=rng.randrange(3),
    ).position()
    agree(position, replace(FULL, calls=rng.choice([0, 1, 2])), 1)


@mostly_slow("stakes", [None, OF_THE_POSITION], ids=["points", "tiles of the position"], quick=2)
@pytest.mark.parametrize("source", [1, 2, 3])
def test_passing_and_calling(source, stakes):
    """A call is the discard decision after it; a pass waits for who is still to discard."""
    offered = allocate136([parse_tile37("1m")], taken=tiles("23m456p112356s77z"))[0]
    position = spot("23m456p112356s77z", turn=14, offered=offered, offered_by=source)
    model = replace(FULL, calls=2)
    worths = {
        worth.choice: worth for worth in DagEvaluator(replace(model, exchanges=1)).evaluate(position, stakes).actions
    }
    close(worths[Choice(ActionKind.PASS)], NaiveDag(position, model, 1, stakes=stakes).waiting())
    chi = Choice(ActionKind.CHI, 0, (1, 2))
    assert (chi in worths) is (source == 3)
    if source == 3:
        own = [tile for tile in position.concealed if tile >> 2 in {1, 2}]
        called = position.after_call(ActionKind.CHI, own)
        after = NaiveDag(called, replace(model, calls=1), 1, stakes=stakes, called=True).discards()
        close(worths[chi], max(after.values(), key=lambda worth: worth.value))


@mostly_slow("left", [13, 1, 0], quick=3)
@mostly_slow("source", [1, 2, 3])
@pytest.mark.parametrize(("tile", "passed_before"), [("4s", False), ("1z", True), ("9m", True), ("9m", False)])
def test_who_passes_a_win_waits_for_the_own_draw(tile, passed_before, source, left):
    """Whatever the next players discard: nothing can be won on before the own next discard."""
    hand = "123m456p12356s11z"
    offered = allocate136([parse_tile37(tile)], taken=tiles(hand))[0]
    position = spot(hand, turn=14, offered=offered, offered_by=source)
    position = replace(position, wall_left=left, furiten_turn=passed_before)
    model = replace(FULL, calls=1)
    worths = {worth.choice: worth for worth in DagEvaluator(replace(model, exchanges=1)).evaluate(position).actions}
    close(worths[Choice(ActionKind.PASS)], NaiveDag(position, model, 1).waiting())
    wins = any(choice.kind is ActionKind.RON for choice in worths)
    assert wins is (tile == "4s" and left == 0)  # it has no yaku but that of the last discard
    if position.draws_left == 0 and (passed_before or tile == "4s"):
        assert worths[Choice(ActionKind.PASS)].p_win == 0.0


@mostly_slow(
    ("hand", "model", "n", "facts"),
    [
        ("111m456p12356s44z2z", FULL, 0, {"turn": 14}),
        ("111m456p112356s22z", replace(FULL, calls=1), 1, {"turn": 16}),
        ("111m456p12356s224z", replace(FULL, calls=1), 0, {"turn": 14}),
        ("1111m456p12356s22z", replace(FULL, calls=0), 1, {"turn": 14}),
        ("111m5505p12399s3z4z", replace(FULL, riichi=RiichiMode.OFF), 1, {"turn": 15, "dealer_distance": 1}),
        ("2222m3333p45s7779s", replace(FULL, calls=1), 1, {"turn": 15}),
    ],
)
def test_kans_within_the_search(hand, model, n, facts):
    """Closed, open and added ones, one after another, with the dead wall's tile and dora."""
    agree(spot(hand, **facts), model, n)


@pytest.mark.parametrize("fourth", ["7z", "1z"])
def test_a_kan_added_to_a_pon_of_the_root(fourth):
    pon = allocate136(parse_tiles37("777z"))
    held = allocate136(parse_tiles37(f"456p12356s22z{fourth}"), taken=pon)
    position = Sketch(held, [Meld(MeldKind.PON, tuple(pon), pon[0], 2)], turn=14, dora_indicators=(103,)).position()
    agree(position, replace(FULL, calls=1), 0)


@pytest.mark.parametrize(("hand", "facts"), [("1111m456p112356s1z", {}), ("1111m456p1235567s", {"riichi": 1})])
def test_a_kan_at_the_root_draws_a_tile_and_turns_a_dora(hand, facts):
    position = replace(spot(hand, turn=14), **facts)
    model = replace(FULL, calls=0)
    after = position.after_call(ActionKind.ANKAN, position.concealed[:4])
    kan = NaiveDag(after, model, 0 if facts else 1, kans=1)
    found = {worth.choice: worth for worth in DagEvaluator(replace(model, exchanges=1)).evaluate(position).actions}
    close(found[Choice(ActionKind.ANKAN, 0)], kan.replaced())


@mostly_slow("toll", [STAKES.toll, ()], ids=["tolls", "no tolls"])
@mostly_slow(
    ("hand", "calls", "n"),
    [("1111m456p12356s22z", 0, 0), ("111m456p12356s224z", 1, 0), ("2222m333p45s7779s2z", 1, 1)],
    quick=2,
)
def test_kans_that_cost(hand, calls, n, toll):
    model, stakes = replace(FULL, calls=calls), replace(KANS_COST, toll=toll)
    charged = agree(spot(hand, turn=15), model, n, stakes)
    free = NaiveDag(spot(hand, turn=15), model, n, stakes=replace(stakes, kan_toll=0.0)).discards()
    assert any(charged[choice].value < free[choice].value - 1e-3 for choice in free)
    assert all(charged[choice].value <= free[choice].value for choice in free)


def test_after_a_kan_at_the_root_its_own_stakes_hold():
    position = spot("1111m456p112356s1z", turn=14)
    after = replace(GIVING_UP, ended=(-2.5, -3.5), kan_toll=0.4)
    evaluator = DagEvaluator(replace(FULL, calls=0, exchanges=1))
    plain, changed, only = (
        {worth.choice: worth for worth in evaluator.evaluate(position, stakes).actions}
        for stakes in (STAKES, replace(STAKES, kans=((0, after),)), after)
    )
    kan = Choice(ActionKind.ANKAN, 0)
    assert changed[kan] == only[kan] != plain[kan]
    assert all(changed[choice] == worth for choice, worth in plain.items() if choice != kan)


@pytest.mark.parametrize("facts", [{"riichi": 1}, {"riichi": 2, "turn": 12}, {"riichi": 1, "furiten": True}])
def test_in_riichi_the_hand_does_not_change(facts):
    """A hand of 14 tiles keeps its tenpai, one of 13 waits, with ippatsu or without."""
    turn = facts.get("turn", 14)
    state = {name: fact for name, fact in facts.items() if name != "turn"}
    position = replace(spot("123m456p12356s11z7z", turn=turn), **state)
    expected = agree(position, FULL, 0)
    assert set(expected) == {Choice(ActionKind.DISCARD, 33)}
    for ippatsu in (False, True):
        waiting = replace(spot("123m456p12356s11z", turn=turn), ippatsu=ippatsu, **state)
        game = NaiveDag(waiting, FULL, 0)
        if state.get("furiten"):
            game.furiten = lambda _: True
        found = {worth.choice: worth for worth in DagEvaluator(FULL).evaluate(waiting).actions}
        close(found[Choice(ActionKind.PASS)], game.waiting())


def test_a_riichi_on_the_first_turn_is_a_double_one():
    position = replace(spot("123m456p1123567s1z", turn=1), first_turn=True, wall_left=12)
    found = {worth.choice: worth for worth in DagEvaluator(replace(FULL, exchanges=0)).evaluate(position).actions}
    double = NaiveDag(position, FULL, 0, double=True).discards()
    choices = [choice for choice in double if choice.kind is ActionKind.RIICHI]
    assert choices
    for choice in choices:
        close(found[choice], double[choice])
        assert found[choice].value > NaiveDag(position, FULL, 0).discards()[choice].value


def test_order_of_tiles_and_suits_changes_nothing():
    one = DagEvaluator(FULL).evaluate(spot("123m456p1123567s1z", turn=8, dora_indicators=tiles("8p")))
    two = DagEvaluator(FULL).evaluate(spot("123p456s1123567m1z", turn=8, dora_indicators=tiles("8s")))
    moved = {kind: (kind + 9) % 27 if kind < 27 else kind for kind in range(34)}
    assert [moved[worth.choice.tile34] for worth in one.actions[:6]] == [w.choice.tile34 for w in two.actions[:6]]
    for a, b in zip(one.actions, two.actions, strict=True):
        assert a.value == pytest.approx(b.value, rel=1e-4, abs=1e-2)
    shuffled = replace(
        spot("123m456p1123567s1z", turn=8), concealed=tuple(reversed(spot("123m456p1123567s1z", turn=8).concealed))
    )
    same = DagEvaluator(FULL).evaluate(shuffled)
    sorted_ = DagEvaluator(FULL).evaluate(spot("123m456p1123567s1z", turn=8))
    assert [(w.choice, w.value) for w in same.actions] == [(w.choice, w.value) for w in sorted_.actions]
