"""Faults on purpose: the plan, what it strikes, and what is done then."""

from __future__ import annotations

import pytest

from tests.faults.plan import Break, FaultKind, FaultPlan, FaultRule, Faults, Say, Wait

TEXT = '{"tag":"T53","t":"16"}'


def line(*rules, seed=0, name="Anna"):
    faults = Faults(FaultPlan(seed=seed, fault=tuple(FaultRule(**rule) for rule in rules)))
    made = faults.line()
    made.name = name
    return made, faults


@pytest.mark.parametrize(
    ("rule", "steps"),
    [
        ({"kind": "drop"}, [Say(TEXT), Break()]),
        ({"kind": "drop", "lost": True}, [Break()]),
        ({"kind": "delay", "seconds": 0.5}, [Wait(0.5), Say(TEXT)]),
        ({"kind": "half-open"}, [Break(half=True)]),
        ({"kind": "duplicate"}, [Say(TEXT), Say(TEXT)]),
        ({"kind": "forget"}, [Say(TEXT)]),
    ],
)
def test_each_fault_puts_its_own_steps_in_place_of_a_message(rule, steps):
    made, _ = line(rule)
    assert list(made.outgoing(TEXT)) == steps


def test_noise_is_never_a_message_of_the_game():
    made, _ = line({"kind": "malformed"}, {"kind": "unknown"}, {"kind": "truncate"}, {"kind": "jitter", "seconds": 0.1})
    wait, broken, new, cut = made.outgoing(TEXT)
    assert 0.0 <= wait.seconds <= 0.1
    assert broken.text not in TEXT or broken.text != TEXT
    assert '"tag"' in new.text
    assert TEXT.startswith(cut.text)
    assert len(cut.text) < len(TEXT)


def test_after_half_open_nothing_goes_or_comes():
    made, _ = line({"kind": "half-open", "at": [2]})
    assert list(made.outgoing(TEXT)) == [Say(TEXT)]
    assert list(made.outgoing(TEXT)) == [Break(half=True)]
    assert list(made.outgoing(TEXT)) == []
    assert made.incoming('{"tag":"D","p":3}') is None


def test_a_message_is_heard_late_or_never():
    made, faults = line({"kind": "slow-reader", "seconds": 0.3, "tags": ["D"]}, {"kind": "forget", "tags": ["N"]})
    assert made.incoming('{"tag":"D","p":3}') == 0.3
    assert made.incoming('{"tag":"N"}') is None
    assert made.incoming("<Z/>") == 0.0
    assert faults.injected == {FaultKind.SLOW_READER: 1, FaultKind.FORGET: 1}


def struck(rules, texts, **how):
    made, _ = line(*rules, **how)
    return [number for number, text in enumerate(texts, 1) if list(made.outgoing(text)) != [Say(text)]]


def test_where_a_rule_strikes():
    texts = ['{"tag":"INIT"}', TEXT, '{"tag":"U"}', '{"tag":"e5","t":"1"}', '{"tag":"D53"}', '{"tag":"DORA","hai":"1"}']
    drop = {"kind": "drop", "lost": True}
    assert struck([{**drop, "tags": ["T", "e"]}], texts) == [2, 4]
    assert struck([{**drop, "tags": ["D"]}], texts) == [5]
    assert struck([{**drop, "at": [1, 6]}], texts) == [1, 6]
    assert struck([{**drop, "every": 3, "offset": 2}], texts) == [2, 5]
    assert struck([{**drop, "every": 3}], texts) == [3, 6]
    assert struck([{**drop, "most": 2}], texts) == [1, 2]
    assert struck([{**drop, "clients": ["Boris"]}], texts) == []
    assert struck([{**drop, "clients": ["Anna"]}], texts) == [1, 2, 3, 4, 5, 6]


def test_chances_follow_the_seed():
    rule = {"kind": "drop", "lost": True, "chance": 0.3}
    texts = [TEXT] * 200
    assert struck([rule], texts, seed=1) == struck([rule], texts, seed=1)
    assert struck([rule], texts, seed=1) != struck([rule], texts, seed=2)
    assert 30 < len(struck([rule], texts, seed=1)) < 90


def test_a_client_is_counted_over_all_its_connections():
    faults = Faults(FaultPlan(fault=(FaultRule(kind=FaultKind.DROP, lost=True, at=(3,)),)))
    first, second = faults.line(), faults.line()
    first.name = second.name = "Anna"
    assert [list(made.outgoing(TEXT)) for made in (first, first, second)] == [[Say(TEXT)], [Say(TEXT)], [Break()]]
