"""No ron is offered or valued in furiten, and the answer says so, in the table, in JSON and in Python."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from io import StringIO
from pathlib import Path

import pytest
from rich.console import Console

from bot import api
from bot.deciding.players import PlayerSpec
from bot.evaluate.hand_fields import draws_of, fields
from bot.evaluate.hand_table import render
from bot.evaluate.hands import Rivers, Written, read_position
from bot.evaluate.state_table import AnalysisOptions, show_view
from engine.model.actions import ActionKind
from engine.model.budget import Budget
from engine.model.tiles import KINDS, counts34, format_tile37, format_tiles
from engine.search.dag.model import FULL
from engine.search.dag.search import DagEvaluator
from engine.search.position import Position
from engine.state import Phase
from tests.oracles import naive_furiten

GAME = Path(__file__).parents[3] / "docs" / "examples" / "game.xml"
ORPHANS = "19m19p19s1234567z"


def evaluated(position, nodes=2_000):
    return DagEvaluator(FULL).evaluate(position, budget=Budget(nodes=nodes))


def answer(written, nodes=2_000):
    """The answer as JSON, and as a table of 100 columns."""
    position = read_position(written)
    evaluation = evaluated(position, nodes)
    out = StringIO()
    Console(file=out, width=100, color_system=None).print(render(position, evaluation, 1.0, 100))
    return json.loads(json.dumps(fields(position, evaluation, 1.0))), out.getvalue()


FURITEN = [
    Written("123m456p78s11122z", river="6s", offered="9s"),
    Written("123m456p78s11122z", river="5z6s2m", offered="6s", source="right"),
    Written(ORPHANS, river="7z", offered="1z", source="across"),
    Written("23456m456p78999s", river="1m", offered="7m"),
    Written("1112345678999m", river="5m", offered="9m"),
    Written("1133m2244p5566s7z", river="7z", offered="7z"),
    Written("23m11p456p789s", melds="[1111m]", river="4m", offered="4m"),
    Written("22z78s", melds="123m 456p 111z", river="6s", offered="9s"),
    # the wait in the river has no copy left
    Written("123m456p78s11122z", river="6s", visible="666s", offered="9s"),
]


@pytest.mark.parametrize("written", FURITEN, ids=lambda written: f"{written.hand} {written.river}")
def test_in_furiten_no_ron_is_offered_or_valued(written):
    nodes = 300
    data, text = answer(written, nodes)
    assert data["furiten"] is True
    assert not [action for action in data["actions"] if action["kind"] == "ron"]
    assert [(one["ron"], one["riichi_ron"]) for one in data["draws"]] == [(None, None)] * len(data["draws"])
    assert any(one["tsumo"] for one in data["draws"])
    passing = [action for action in data["actions"] if action["kind"] == "pass"]
    assert [action["furiten"] for action in passing] == [True]
    assert "furiten, no ron: " in text
    assert "ron " not in text.split("action", 1)[1]
    rows = api.evaluate(written, nodes=nodes)
    assert {row.action.split()[0]: row.furiten for row in rows}["pass"] is True
    assert not [row for row in rows if row.action.startswith("ron")]
    # only the three others draw: what is won is won by ron
    last = replace(read_position(written), wall_left=3, offered=-1, offered_by=0)
    assert [worth.p_win for worth in evaluated(last, nodes).actions] == [0.0]


@pytest.mark.parametrize("written", FURITEN, ids=lambda written: f"{written.hand} {written.river}")
def test_without_the_river_the_ron_is_there(written):
    data, text = answer(replace(written, river="", seat="S"))
    assert data["furiten"] is False
    assert "no ron" not in text
    offered = read_position(written).offered >> 2
    (wait,) = [one for one in data["draws"] if one["tile"] == format_tile37(offered)]
    wins = [action for action in data["actions"] if action["kind"] == "ron"]
    assert len(wins) == (wait["ron"] is not None)
    assert all(action["furiten"] is None for action in wins)
    # who passes a win is furiten until the own next discard
    assert [action["furiten"] for action in data["actions"] if action["kind"] == "pass"] == [True]


def test_a_hand_that_is_not_tenpai_is_not_furiten():
    data, text = answer(Written("123m456p78s1122z5m", river="6s"))
    assert data["furiten"] is False
    assert "furiten" not in text


def test_each_discard_says_whether_it_leaves_a_furiten_hand():
    data, text = answer(Written("123m456p78s111225z", river="6s"))
    said = {(action["kind"], action["tile"]): action["furiten"] for action in data["actions"]}
    assert said["discard", "5z"] is said["riichi", "5z"] is True
    assert not any(furiten for (_, tile), furiten in said.items() if tile != "5z")
    assert text.count("furiten") == 2
    # the discard is in the river: what a complete hand discards, it waits for
    data, text = answer(Written("123m456p234456s11z"))
    said = {action["tile"]: action["furiten"] for action in data["actions"] if action["kind"] == "discard"}
    assert len(said) == 12
    assert all(said.values())
    assert text.count("furiten") >= 12


def test_a_call_says_what_its_discard_leaves():
    data, _ = answer(Written("123m456p78s11122z", offered="9s", seat="S", turn=6))
    (chi,) = [action for action in data["actions"] if action["kind"] == "chi"]
    assert (chi["then"], chi["furiten"]) == ("6p", True)  # 4p and 5p wait for it


def test_a_win_that_was_passed_counts_until_the_next_discard_or_in_riichi_for_good():
    position = read_position(Written("123m456p78s11122z", offered="9s", seat="S"))
    assert [draws_of(position).furiten, position.is_furiten()] == [False, False]
    for passed in (replace(position, furiten_turn=True), replace(position, furiten=True, riichi=1)):
        assert passed.is_furiten()
        assert not [one for one in evaluated(passed).actions if one.choice.kind is ActionKind.RON]
        out = StringIO()
        Console(file=out, width=100).print(render(passed, evaluated(passed), 1.0, 100))
        assert "furiten, no ron: a win was passed" in out.getvalue()
    drawn = replace(read_position(Written("123m456p78s111225z")), furiten_turn=True)
    assert not drawn.is_furiten(31)
    assert replace(drawn, furiten=True).is_furiten(31)


def test_a_wait_whose_copies_are_all_used_is_shown_with_none():
    for hand, melds, gone, others in (
        ("23m11p456p789s", "[1111m]", "1m", ["4m"]),
        ("13m456p789s11z", "[2222m]", "2m", []),
        ("3334m", "[2222m] 555z 666z", "2m", ["4m", "5m"]),
        ("12m11z", "3333m 111m 222m", "3m", []),
        ("0m", "111z 123m 456m 789m", "", ["5m"]),
    ):
        for offered in ("", "7z"):
            data, text = answer(Written(hand, melds=melds, offered=offered))
            draws = {one["tile"]: one for one in data["draws"]}
            assert sorted(draws) == sorted([*others, gone] if gone else others)
            if gone:
                assert draws[gone]["copies"] == 0
                assert [draws[gone][way] for way in ("ron", "tsumo", "riichi_ron")] == [None] * 3
                assert "none left" in text
    # seen elsewhere, it is worth what it was
    data, _ = answer(Written("123m456p78s11122z", visible="6666s", seat="S"))
    assert [(one["tile"], one["copies"], one["ron"]) for one in data["draws"]] == [("6s", 0, 1300), ("9s", 4, 1300)]


def test_a_hand_that_holds_all_copies_of_its_waits_is_not_tenpai():
    data, _ = answer(Written("1111m456p789s111z"))
    assert data["shanten"] == 1
    assert answer(Written("23m11p456p789s", melds="[1111m]"))[0]["shanten"] == 0


def test_the_last_five_that_is_red_is_worth_a_dora():
    data, _ = answer(Written("46m456p789s11122z", visible="555m", seat="S"))
    assert [(one["tile"], one["copies"], one["ron"]) for one in data["draws"]] == [("5m", 1, 3200)]
    data, _ = answer(Written("46m456p789s11122z", visible="055m", seat="S"))
    assert [(one["copies"], one["ron"]) for one in data["draws"]] == [(1, 1600)]


def test_a_table_says_it_too(capsys):
    written = Written("123m456p78s111225z", river="6s1m9p", dora="4p")
    asked = AnalysisOptions(PlayerSpec.parse("simple"))
    show_view(written, Rivers(right="4z1m"), (25_000,) * 4, asked)
    assert "furiten" in capsys.readouterr().out
    show_view(written, Rivers(right="4z1m"), (25_000,) * 4, replace(asked, json=True))
    told = json.loads(capsys.readouterr().out)
    assert (told["furiten"], told["furiten_discards"]) == (True, ["5z"])  # without the tile drawn it is furiten
    state = api.table(written, Rivers(right="4z1m"))
    assert {row.tile: row.furiten for row in api.rank(state, "simple")}["5z"] is True


def near_a_win(rng):
    """Concealed tiles of a hand at or near tenpai, its melds as text, and the tiles left over."""
    while True:
        counts, melds = [0] * KINDS, []
        for _ in range(4):
            kind, run = rng.randrange(KINDS), rng.random() < 0.6
            if run:
                kind = 9 * rng.randrange(3) + rng.randrange(7)
            tiles = [kind, kind + 1, kind + 2] if run else [kind] * 3
            if rng.random() < 0.3:
                tiles += [] if run or rng.random() < 0.5 else [kind]
                melds.append((tiles, len(tiles) == 4 and rng.random() < 0.5))
            for each in tiles:
                counts[each] += 1
        counts[rng.randrange(KINDS)] += 2
        if max(counts) <= 4:
            break
    wall = [4 * kind + copy for kind in range(KINDS) for copy in range(4)]
    rng.shuffle(wall)
    written = []
    for tiles, closed in melds:
        taken = []
        for kind in tiles:
            taken.append(next(tile for tile in wall if tile >> 2 == kind))
            wall.remove(taken[-1])
            counts[kind] -= 1
        written.append(f"[{format_tiles(taken)}]" if closed else format_tiles(taken))
    held = []
    for kind, count in enumerate(counts):
        held += [tile for tile in wall if tile >> 2 == kind][:count]
    wall = [tile for tile in wall if tile not in held]
    rng.shuffle(held)
    if rng.random() < 0.3:
        held[0], wall[0] = wall[0], held[0]
    return held, " ".join(written), wall


def against_the_rule(seed):
    """One random hand: what is said of furiten, and which rons are offered, against the rule."""
    rng = random.Random(seed)
    held, melds, wall = near_a_win(rng)
    thirteen = rng.random() < 0.6
    if thirteen:
        held, wall = held[1:], wall + held[:1]
    rng.shuffle(wall)
    size = rng.randrange(10)
    river, wall = wall[:size], wall[size:]
    waits = naive_furiten.waits(counts34(held)) if thirteen else set()
    if waits and rng.random() < 0.5:
        river += [tile for tile in wall if tile >> 2 in waits][:1]
    wall = [tile for tile in wall if tile not in river]
    offered = []
    if thirteen and rng.random() < 0.7:
        offered = ([tile for tile in wall if tile >> 2 in waits] if rng.random() < 0.7 else wall)[:1]
    wall = [tile for tile in wall if tile not in offered]
    visible = wall[: rng.randrange(60)]
    written = Written(
        format_tiles(held),
        melds=melds,
        river=format_tiles(river),
        visible=format_tiles(visible),
        offered=format_tiles(offered),
        source=rng.choice(["left", "across", "right"]),
        seat=rng.choice("ESWN"),
        round=rng.choice("ESW"),
        turn=rng.randrange(1, 17),
    )
    data, text = answer(written, rng.choice([1, 50, 400]))
    counts, kinds = counts34(held), {tile >> 2 for tile in river}
    for action in data["actions"]:
        if action["kind"] in {"discard", "riichi"}:
            discard = api.Tiles(action["tile"]).tile34[0]
            assert action["furiten"] is naive_furiten.furiten(counts, kinds, discard), written
    if thirteen:
        furiten = naive_furiten.furiten(counts, kinds)
        assert data["furiten"] is furiten, written
        assert {api.Tiles(one["tile"]).tile34[0] for one in data["draws"]} == waits or data["shanten"] > 0
        rons = [action for action in data["actions"] if action["kind"] == "ron"]
        wins = bool(offered) and offered[0] >> 2 in waits
        if furiten or not wins:
            assert not rons, written
        if furiten and data["shanten"] == 0:
            assert "furiten, no ron" in text
            assert not any(one["ron"] or one["riichi_ron"] for one in data["draws"]), written
        elif wins:
            (draw,) = [one for one in data["draws"] if api.Tiles(one["tile"]).tile34[0] == offered[0] >> 2]
            assert bool(rons) is (draw["ron"] is not None), written
    return data


def test_random_hands_against_the_rule():
    told = [against_the_rule(seed) for seed in range(100)]
    assert sum(data.get("furiten", False) for data in told) > 10
    assert sum(action["kind"] == "ron" for data in told for action in data["actions"]) > 2


def test_the_state_of_a_game_and_its_position_agree():
    """In every question of a game to someone else's tile: furiten, and the rons that are legal."""
    asked = 0
    for seat in range(4):
        for each in api.positions(GAME, seat=seat):
            position = Position.from_state(each.state)
            if position.to_discard:
                continue
            asked += 1
            assert position.is_furiten() is (each.state.furiten and bool(each.state.waits))
            rons = [worth for worth in evaluated(position, 300).actions if worth.choice.kind is ActionKind.RON]
            legal = [action for action in each.legal if action.kind is ActionKind.RON]
            assert len(rons) == len(legal) or each.state.phase is Phase.KAN
    assert asked > 50


def test_a_turn_beyond_the_wall_is_refused_with_the_turns_that_there_are():
    late = Written("123m456p78s11122z", turn=18, offered="9s", source="left", seat="N")
    with pytest.raises(api.InputError, match="turn 18: the wall allows turns 1 to 16"):
        read_position(late)
    assert read_position(replace(late, turn=16)).wall_left >= 0
