from __future__ import annotations

import pytest

from engine.arena import Referee
from engine.model.events import Win
from engine.model.melds import MeldKind
from engine.model.seats import round_wind34, seat_wind34
from engine.model.tiles import EAST, parse_tiles37
from engine.policy.decision import Budget
from engine.policy.registry import make_policy
from engine.scoring import WinContext, fu_parts, score_win
from engine.state import GameState, visible_to

FIXED = {"base": 20, "closed_ron": 10, "self_draw": 2, "seven_pairs": 25, "open": 10}


def context(text, tile, *, tsumo=False):
    """A closed hand of the dealer in the east round, in riichi, that a tile completes."""
    copies, tiles = {}, []
    for kind in parse_tiles37(text):
        copies[kind] = copies.get(kind, -1) + 1
        tiles.append(4 * kind + copies[kind])
    won = next(each for each in reversed(tiles) if each >> 2 == parse_tiles37(tile)[0])
    return WinContext(tuple(sorted(tiles)), won, tsumo, EAST, EAST, riichi=1)


@pytest.mark.parametrize(("hand", "tile", "tsumo", "parts"), [
    ("234m456p678s22m345s", "3s", False, {"base": 20, "closed_ron": 10}),
    ("234m456p678s22m345s", "3s", True, {"base": 20}),
    ("234m456p678s22m345s", "4s", False, {"base": 20, "closed_ron": 10, "closed_wait": 2}),
    ("123m456p678s22m345s", "3m", False, {"base": 20, "closed_ron": 10, "edge_wait": 2}),
    ("234m456p678s99m345s", "9m", False, {"base": 20, "closed_ron": 10, "pair_wait": 2}),
    ("234m456p678s11z345s", "3s", False, {"base": 20, "closed_ron": 10, "pair": 4}),
    ("111m456p678s22m345s", "3s", True, {"base": 20, "self_draw": 2, "closed_triplet": 8}),
    ("222m456p678s11m345s", "2m", False, {"base": 20, "closed_ron": 10, "open_triplet": 2}),
    ("1122m3344p5566s77z", "7z", False, {"seven_pairs": 25}),
])  # fmt: skip
def test_the_parts_of_a_hand(hand, tile, tsumo, parts):
    win = context(hand, tile, tsumo=tsumo)
    assert {part.name: part.fu for part in fu_parts(win, score_win(win))} == parts


def wins(seed):
    """The wins of a game with what each was worth: ``(context, score)``."""
    referee, states = Referee(seed=seed), [GameState(seat) for seat in range(4)]
    deciders = [make_policy("simple") for _ in states]
    step = referee.start()
    while True:
        for event in step.events:
            for seat, state in enumerate(states):
                state.apply(visible_to(event, seat))
            if isinstance(event, Win):
                winds = seat_wind34(event.seat, states[0].dealer), round_wind34(states[0].kyoku)
                yield (
                    WinContext(event.concealed, event.tile, event.seat == event.from_seat, *winds, event.melds),
                    event.score,
                )
        if step.over:
            return
        legal = {seat: states[seat].legal_actions() for seat in step.prompts}
        step = referee.answer(
            {seat: deciders[seat].decide(states[seat], each, Budget()).action for seat, each in legal.items()}
        )


@pytest.mark.parametrize("seed", range(6))
def test_the_parts_add_up_to_the_fu_of_every_win(seed):
    for win, score in wins(seed):
        parts = fu_parts(win, score)
        total = sum(part.fu for part in parts)
        assert bool(parts) == (not score.yakuman)
        assert score.yakuman or score.fu == (25 if total == 25 else -(-total // 10) * 10)
        assert {part.fu for part in parts if part.name in FIXED} <= set(FIXED.values())
        kans = [meld for meld in win.melds if meld.kind not in {MeldKind.CHI, MeldKind.PON}]
        assert sum(part.name.endswith("kan") for part in parts) == (0 if score.yakuman else len(kans))
