"""Every ground is worded in every language, with its own figures and no others."""

from __future__ import annotations

import json
import string

import pytest

from bot.deciding.fields import ground_fields, read_ground, read_grounds
from bot.wording.grounds import note_word, value_text, value_unit, word
from bot.wording.languages import Lang, marked, plain, table
from engine.model.actions import PASS
from engine.policy.decision import Decision
from engine.policy.grounds import FIGURES, Ground, GroundKind, Note, Unit, ground

SAMPLES = {
    Unit.TILES: "36p1z",
    Unit.CHANCE: 0.25,
    Unit.RISK: 0.082,
    Unit.POINTS: 3_900.4,
    Unit.AMOUNT: -1.25,
    Unit.COUNT: 2,
    Unit.SHANTEN: 1,
    Unit.SEAT: 2,
    Unit.TEXT: "somebody",
    Unit.GROUND: ground(GroundKind.SUJI),
    Unit.GROUNDS: (ground(GroundKind.SUJI), ground(GroundKind.GENBUTSU)),
}


def sample(kind):
    return Ground(kind, {name: SAMPLES[unit] for name, unit in FIGURES[kind].items()})


def templates(lang, kind):
    """All variants of a kind, and the figure that chooses among them."""
    found = table("bot.wording", "grounds", lang)["grounds"][kind]
    if isinstance(found, str):
        return None, [found]
    return found["by"], [text for key, text in found.items() if key != "by"]


@pytest.mark.parametrize("lang", list(Lang))
def test_every_kind_is_worded_and_nothing_else(lang):
    catalogue = table("bot.wording", "grounds", lang)
    assert list(catalogue["grounds"]) == list(GroundKind)
    assert list(catalogue["notes"]) == list(Note)
    assert all(note_word(note, lang) for note in Note)


@pytest.mark.parametrize("lang", list(Lang))
@pytest.mark.parametrize("kind", list(GroundKind))
def test_templates_use_the_figures_of_their_kind(lang, kind):
    by, variants = templates(lang, kind)
    assert by is None or by in FIGURES[kind]
    for text in variants:
        used = {name for _, name, _, _ in string.Formatter().parse(text) if name is not None}
        assert used <= set(FIGURES[kind])
    said = {name for text in variants for _, name, _, _ in string.Formatter().parse(text)} | {by}
    assert set(FIGURES[kind]) <= said, "a figure is never said"
    assert word(sample(kind), lang)


@pytest.mark.parametrize("kind", list(GroundKind))
def test_japanese_is_japanese(kind):
    known = {"somebody"}
    latin = [text for text in word(sample(kind), Lang.JA, lambda _: "").split() if text.isascii() and text.isalpha()]
    assert set(latin) <= known


@pytest.mark.parametrize("kind", list(GroundKind))
def test_grounds_survive_json(kind):
    assert read_ground(json.loads(json.dumps(ground_fields(sample(kind))))) == sample(kind)


def test_grounds_that_only_an_earlier_version_knew_are_left_out():
    last = sample(GroundKind.LAST_HAND)
    assert read_grounds([{"kind": "learned", "chance": 0.5}, ground_fields(last)]) == (last,)


def danger(chance, points):
    riichi = ground(GroundKind.AGAINST_RIICHI, seat=2, chance=0.061, safety=ground(GroundKind.NO_SUJI))
    honour = ground(GroundKind.HONOUR, unseen=2)
    opened = ground(GroundKind.AGAINST_OPEN, seat=3, chance=0.022, tenpai=0.4, safety=honour, melds=1)
    return ground(GroundKind.DEAL_IN, tile="5p", chance=chance, points=points, against=(riichi, opened))


def test_words():
    assert word(danger(0.082, 5_375.2)) == (
        "5p deals in 8.2% for 5,375 points on average: "
        "across 6.1% (riichi, no suji), left 2.2% (1 meld, tenpai 40%, an honour, 2 unseen)"
    )
    assert word(danger(0.082, 5_375.2), Lang.JA) == (
        "5p の放銃率 8.2%、平均 5,375 点: 対面 6.1% (リーチ、無スジ)、上家 2.2% (1 副露、聴牌率 40%、字牌、残り2枚)"
    )
    assert word(ground(GroundKind.FOLD, does=ground(GroundKind.DISCARD, tile="0m")), Lang.JA) == "オリ: 打 0m"


def test_numbers_choose_the_words():
    assert word(ground(GroundKind.DISTANCE, shanten=1, ukeire=1)) == "1-shanten, 1 tile improves it"
    assert word(ground(GroundKind.DISTANCE, shanten=1, ukeire=1_200)) == "1-shanten, 1,200 tiles improve it"
    assert word(ground(GroundKind.PUSHES_AGAINST, riichi=1, shanten=0)) == "one riichi against tenpai: pushes"
    assert word(ground(GroundKind.AMOUNT, amount=-0.25, unit="result")) == "−0.25 result points"  # noqa: RUF001
    assert word(ground(GroundKind.AMOUNT, amount=3, unit="coins"), Lang.JA) == "3.00 coins"


def test_riichi_beside_silent_tenpai():
    riichi = ground(GroundKind.WINS_OF, chance=0.62, points=7_212.0)
    silent = ground(GroundKind.WINS_OF, chance=0.63, points=4_100.0)
    gap = ground(GroundKind.POINTS, points=1_250.4)
    better = ground(GroundKind.RIICHI_BETTER, riichi=riichi, silent=silent, gap=gap)
    assert word(better) == (
        "riichi wins 62% for 7,212 points on average; silent tenpai wins 63% for 4,100 points on average: "
        "riichi is better by 1,250 points"
    )
    assert word(better, Lang.JA) == (
        "リーチなら和了率 62%、平均 7,212 点、ダマテンなら和了率 63%、平均 4,100 点: リーチが 1,250 点得"
    )


def test_tiles_can_be_marked_and_text_from_outside_cannot_mark_any():
    waits = word(ground(GroundKind.WAITS, waits="36p7z", left=5), tiles=marked)
    assert waits.count("\N{INVISIBLE SEPARATOR}") == 3
    assert plain(waits) == "tenpai on 3p6p7z, 5 left"
    hostile = word(ground(GroundKind.REMARK, text="\x1b[2J\N{INVISIBLE SEPARATOR}5p"), tiles=marked)
    assert hostile == "[2J5p"


def test_values_are_shown_in_points_wherever_they_can_be():
    points = Decision(PASS, unit="points", noise=30.0)
    assert (value_unit(points), value_text(points, 1_234.4)) == ("points", "1,234")
    result = Decision(PASS, unit="result", noise=0.03, per_point=0.001)
    assert (value_unit(result), value_text(result, -8.124)) == ("points", "−8,124")  # noqa: RUF001
    unknown = Decision(PASS, unit="dan points", noise=0.03)
    assert (value_unit(unknown), value_text(unknown, 1.234)) == ("dan points", "1.23")
    assert value_unit(Decision(PASS)) == "value"
