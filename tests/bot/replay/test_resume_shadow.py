"""A seat that was away and is shown the hand again knows all that one who never left knows, but what cannot be told."""

from __future__ import annotations

from collections import Counter

import pytest

from bot.lobby.remote import snapshot
from engine.arena import play_game
from engine.model.events import Call, Discard, EndGame, Ryuukyoku, StartGame, StartKyoku, Win
from engine.model.rules import HANCHAN, TONPU
from engine.policy.registry import make_policy
from engine.state import GameState, Phase, visible_to
from engine.state.game import FACTS
from engine.state.snapshot import UNTOLD
from tests.oracles.naive_view import validate

TOLD = [name for name in FACTS if name not in (*UNTOLD, "rivers", "riichi")]
NO_MATTER_AT_THE_END = ("turn", "offered", "wall_left")
"""Whose turn it was last shows only if something still follows from it."""


def rivers(state, marked):
    """What a snapshot keeps of the rivers: which tiles, by whom called; of those ``marked`` which with riichi."""
    return [
        Counter((tile.tile, tile.called_by, tile.riichi and mark) for tile in river)
        for river, mark in zip(state.rivers, marked, strict=True)
    ]


def same(back, stayed):
    """Asserts that two views differ in nothing that is told."""
    for name in TOLD:
        if stayed.phase is not Phase.ENDED or name not in NO_MATTER_AT_THE_END:
            assert getattr(back, name) == getattr(stayed, name), name
    marked = [all(not tile.riichi or tile.called_by is None for tile in river) for river in stayed.rivers]
    assert rivers(back, marked) == rivers(stayed, marked)
    assert list(map(bool, back.riichi)) == list(map(bool, stayed.riichi))
    plain = {str(action) for action in stayed.legal_actions()}
    more = {str(action) for action in back.legal_actions()} - plain
    assert all(action.startswith(("ron", "pass")) for action in more), more  # furiten that is not known


def drops(events, seat, every):
    """Leave after each event of a game and come back at once; yields how many events were compared."""
    stayed = GameState(seat)
    for at, event in enumerate(events):
        stayed.apply(visible_to(event, seat))
        dealt = any(isinstance(e, StartKyoku) for e in events[: at + 1])
        if at % every or not dealt or isinstance(event, Win | Ryuukyoku | EndGame):
            continue
        resume, pending, over = snapshot(events[: at + 1], seat)
        assert not over
        back = GameState(seat)
        back.apply(events[0])
        back.apply(resume)
        for one in pending:
            back.apply(visible_to(one, seat))
        validate(back)
        twin = stayed.copy()
        if back.phase is not Phase.RESUMED:
            same(back, twin)
        compared = 0
        for later in events[at + 1 :]:
            seen = visible_to(later, seat)
            if back.phase is Phase.RESUMED and isinstance(later, Discard | Call) and later.seat == seat:
                break  # who is away does not act: not a history that can be
            twin.apply(seen)
            back.apply(seen)
            compared += 1
            if isinstance(later, StartKyoku):
                assert back.digest() == twin.digest()
                break
            if back.phase is not Phase.RESUMED:  # a dora turned tells nothing yet of whose turn it is
                same(back, twin)
        validate(back)
        yield compared


@pytest.mark.slow
@pytest.mark.parametrize(
    ("policy", "rules", "every"),
    [
        ("simple", TONPU, 37),
        ("tsumogiri", TONPU, 59),
        pytest.param("simple", HANCHAN, 5, marks=pytest.mark.slow),
    ],
)
def test_whoever_comes_back_knows_what_there_is_to_know(policy, rules, every):
    for seed in range(2):
        game = play_game([make_policy(policy, seed) for _ in range(4)], rules, seed)
        compared = [count for seat in range(4) for count in drops(game.events, seat, every)]
        assert len(compared) > 800 / every
        assert sum(compared) > 20_000 / every
    assert isinstance(game.events[0], StartGame)
