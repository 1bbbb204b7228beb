"""Kans: what they bring the others is charged against what they bring the own hand."""

from __future__ import annotations

import numpy as np
import pytest

from engine.model.actions import ActionKind
from engine.model.budget import Budget
from engine.opponents.registry import make_estimator
from engine.policy.grounds import Note
from engine.policy.settings import ValueSettings
from engine.policy.value.attack import EXTRA_DORA, tiles_after_kan, with_extra_dora
from engine.policy.value.policy import ValuePolicy
from tests.engine.policy.asked import against_riichi

TWO_PIN = 10


def ranked(deal, **settings):
    legal = deal.state.legal_actions()
    policy = ValuePolicy(settings=ValueSettings(**settings))
    return policy.decide(deal.state, legal, Budget(nodes=10_000)).candidates


def best(deal, kind):
    return next(one for one in ranked(deal, utility="points") if one.action.kind is kind)


def test_wins_grow_by_the_stance_of_the_winner(table):
    deal = table("123m456p119s1122z", indicator="2p", honba=2)
    deal.turn(0, "9m").turn(1, "2z")
    deal.pon(0, "22z").discard(0, "9s")
    deal.draw(1).riichi(1, "3s")
    deal.turn(2, "4z").pon(3, "44z").discard(3, "9p")
    deal.draw(0, "9p")
    now = make_estimator("suji").estimate(deal.state)
    then = with_extra_dora(now, deal.state)
    for seat, stance in ((1, "riichi"), (2, "closed"), (3, "open")):
        grown = (then.loss[seat] - now.loss[seat]) / (now.loss[seat] - 600.0)
        assert grown == pytest.approx(np.full(34, EXTRA_DORA[stance]), rel=1e-4)
    assert then.p_deal_in is now.p_deal_in
    assert (then.loss[0] == now.loss[0]).all()


def test_the_tiles_of_a_kan_are_gone(table):
    deal = table("123m4445p119s112z", indicator="2p").draw(0, "4p")
    kan = deal.kinds(ActionKind.ANKAN)[0]
    held = tiles_after_kan(deal.state, kan)
    assert held[12] == 0
    assert sum(held) == 10
    assert deal.state.counts[12] == 4


def test_a_folding_hand_makes_no_kan(table):
    """Four safe tiles are four turns of folding; a kan would only raise the points of the riichi."""
    deal = against_riichi(table, "159m147p5888s236z", "8s")
    candidates = ranked(deal)
    assert any(one.action.kind is ActionKind.ANKAN for one in candidates)
    assert candidates[0].action.kind is ActionKind.DISCARD
    assert candidates[0].note is Note.FOLD


def test_a_hand_that_wins_makes_one(table):
    """Tenpai on both sides without the four north winds, nobody else near: a draw and a dora more."""
    deal = table("234m567p4567s444z", indicator="9m").draw(0, "4z")
    assert ranked(deal)[0].action.kind is ActionKind.ANKAN


def test_a_kan_gives_the_others_more_against_a_riichi(table, monkeypatch):
    """The same hand and rivers, with a declared riichi and without."""
    quiet = table("23m567p34567s444z", indicator="2z")
    quiet.turn(0, "9s").turn(1, "5s").turn(2, "1m").turn(3, "8p").draw(0, "4z")
    loud = against_riichi(table, "23m567p34567s444z", "4z")
    charged = [best(deal, ActionKind.ANKAN).value for deal in (quiet, loud)]
    monkeypatch.setattr("engine.policy.value.attack.EXTRA_DORA", dict.fromkeys(EXTRA_DORA, 0.0))
    free = [best(deal, ActionKind.ANKAN).value for deal in (quiet, loud)]
    little, much = (before - after for before, after in zip(free, charged, strict=True))
    assert 0.0 < 1.5 * little < much


def test_a_kan_is_not_postponed_to_avoid_its_cost(table):
    """A later kan is charged as well, so every discard of a hand with a kan pays for it."""
    deal = table("234m567p4567s444z", indicator="2z")
    deal.turn(0, "9s").turn(1, "5s").turn(2, "1m").turn(3, "8p").draw(0, "4z")
    candidates = ranked(deal, utility="points")
    assert candidates[0].action.kind is ActionKind.ANKAN
    assert candidates[0].value > candidates[1].value + 100.0


def test_an_added_kan_may_be_robbed(table):
    """Others can win on the added tile as on a discard."""
    deal = table("234m22p456p5789s1z", indicator="9m")
    deal.turn(0, "9s").turn(1, "4m").turn(2, "1m").turn(3, "2p").pon(0, "22p").discard(0, "1z")
    deal.draw(1)
    deal.riichi(1, "3z")
    deal.turn(2, "1m").turn(3, "8p").draw(0, "2p")
    kan = best(deal, ActionKind.KAKAN)
    danger = make_estimator("model").estimate(deal.state)
    assert kan.p_deal_in == pytest.approx(danger.deal_in(TWO_PIN), rel=1e-4)
    assert kan.p_deal_in > 0.01
    assert kan.expected_loss > 1_000.0
