"""The facts of a scene equal the results of the functions for them, and are computed once."""

from __future__ import annotations

from engine.opponents.facts import genbutsu_masks
from engine.policy import scene as module
from engine.policy.scene import Scene
from engine.shanten import discard_ukeire, ukeire
from tests.samples import parse_tile37


def scene_of(deal):
    return Scene(deal.state, deal.state.legal_actions())


def test_a_hand_with_a_tile_to_discard(table):
    scene = scene_of(table("123m456p1123567s").draw(0, "1z"))
    assert not scene.asked_to_call
    assert scene.shanten == 0
    assert scene.discards.shanten[parse_tile37("1z")] == 0
    assert scene.discards.shanten[parse_tile37("4p")] == 1
    after = scene.improvements_after(parse_tile37("1z"))
    assert after.shanten == 0
    assert [kind for kind, _ in after.tiles] == [parse_tile37("1s"), parse_tile37("4s")]
    assert scene.position.counts == tuple(scene.state.counts)


def test_a_question_about_another_players_tile(table):
    scene = scene_of(table("23m4456p112367s1z", seat=1).turn(0, "1m"))
    assert scene.asked_to_call
    assert scene.improvements == ukeire(scene.state.counts, 0, scene.unseen)
    assert scene.position.offered >> 2 == 0


def test_genbutsu_are_those_of_the_state(riichi_table):
    scene = scene_of(riichi_table())
    assert scene.genbutsu == genbutsu_masks(scene.state)


def test_each_fact_is_computed_once(table, monkeypatch):
    calls = []
    counted = lambda *asked: calls.append(asked) or discard_ukeire(*asked)  # noqa: E731
    monkeypatch.setattr(module, "discard_ukeire", counted)
    scene = scene_of(table("123m456p1123567s").draw(0, "1z"))
    first = scene.improvements_after(27)
    assert scene.improvements_after(27) is first
    assert scene.position is scene.position
    assert len(calls) == 1
