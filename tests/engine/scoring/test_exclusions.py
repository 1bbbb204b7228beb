"""Which circumstances of a win exclude each other, against every course that a hand can take."""

from __future__ import annotations

from itertools import product

from engine.scoring import exclusions as rules
from engine.scoring.exclusions import EXCLUSIONS, contradiction

DRAWS = ("the first draw", "a draw", "the last draw", "a replacement tile")
DISCARDS = ("a discard", "the last discard", "a tile added to a pon")
SHAPES = ("no melds", "a closed kan", "an open meld", "an open kan")


def can_be(moment, riichi, ippatsu, shape, copies):
    """Whether a hand can be won at this moment, told as the rules tell it."""
    if moment == "the first draw" and (riichi or shape != "no melds"):
        return False
    if moment == "a replacement tile" and (shape not in {"a closed kan", "an open kan"} or ippatsu):
        return False
    if moment == "a tile added to a pon" and copies > 1:
        return False
    if riichi and shape in {"an open meld", "an open kan"}:
        return False
    if not ippatsu:
        return True
    # riichi was declared with four tiles in the wall: three others draw, and then its player
    if not riichi or moment == "the last discard":
        return False
    # nobody had called when a double riichi was declared, and nobody has since
    return riichi == 1 or (moment in {"a draw", "a discard"} and shape == "no melds")


def stories():
    """The circumstances of every win that can be, without ura, which any riichi may turn."""
    for moment, riichi, ippatsu, shape, copies, dealer in product(
        (*DRAWS, *DISCARDS), (0, 1, 2), (False, True), SHAPES, (1, 2), (False, True)
    ):
        if not can_be(moment, riichi, ippatsu, shape, copies):
            continue
        first = moment == "the first draw"
        yield frozenset(
            words
            for words, holds in {
                rules.TSUMO: moment in DRAWS,
                rules.RON: moment in DISCARDS,
                rules.RIICHI: riichi > 0,
                rules.NO_RIICHI: riichi == 0,
                rules.DOUBLE_RIICHI: riichi == 2,
                rules.IPPATSU: ippatsu,
                rules.RINSHAN: moment == "a replacement tile",
                rules.CHANKAN: moment == "a tile added to a pon",
                rules.HAITEI: moment == "the last draw",
                rules.HOUTEI: moment == "the last discard",
                rules.TENHOU: first and dealer,
                rules.CHIHOU: first and not dealer,
                rules.OPEN_HAND: shape in {"an open meld", "an open kan"},
                rules.MELDS: shape != "no melds",
                rules.NO_KAN: shape in {"no melds", "an open meld"},
                rules.DEALER: dealer,
                rules.NOT_DEALER: not dealer,
                rules.ANOTHER_COPY: copies > 1,
            }.items()
            if holds
        )


def statements():
    """Every set of circumstances that can be stated, whether it can be or not."""
    yes = (False, True)
    for tsumo, riichi, dealer, copies, shape in product(yes, (0, 1, 2), yes, (1, 2), SHAPES):
        base = {rules.TSUMO if tsumo else rules.RON, rules.DEALER if dealer else rules.NOT_DEALER}
        base |= ({rules.NO_RIICHI}, {rules.RIICHI}, {rules.RIICHI, rules.DOUBLE_RIICHI})[riichi]
        base |= {rules.ANOTHER_COPY} if copies > 1 else set()
        base |= {
            "no melds": {rules.NO_KAN},
            "a closed kan": {rules.MELDS},
            "an open meld": {rules.MELDS, rules.OPEN_HAND, rules.NO_KAN},
            "an open kan": {rules.MELDS, rules.OPEN_HAND},
        }[shape]
        stated = (
            rules.IPPATSU, rules.RINSHAN, rules.CHANKAN, rules.HAITEI, rules.HOUTEI, rules.TENHOU, rules.CHIHOU,
        )  # fmt: skip
        for flags in product(yes, repeat=len(stated)):
            yield frozenset(base | {words for words, said in zip(stated, flags, strict=True) if said})


def test_refused_is_exactly_what_no_hand_can_lead_to():
    possible = set(stories())
    seen = 0
    for stated in statements():
        seen += 1
        assert (contradiction(stated) == "") is (stated in possible), sorted(stated)
    assert seen == 12_288


def test_ura_dora_need_a_riichi():
    assert contradiction({rules.URA_DORA, rules.NO_RIICHI, rules.RON})
    assert not contradiction({rules.URA_DORA, rules.RIICHI, rules.RON})


def test_each_message_names_what_excludes_each_other():
    for together, why in EXCLUSIONS:
        said = contradiction(together)
        assert why.split("; ")[0] in said or any(set(other) < set(together) for other, _ in EXCLUSIONS)
        named = next(other for other, _ in EXCLUSIONS if set(other) <= set(together))
        assert all(word in said for word in named)
