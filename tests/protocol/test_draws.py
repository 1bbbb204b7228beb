from __future__ import annotations

import pytest

from engine.model.events import RyuukyokuKind
from protocol.logs.game_log import Notes
from protocol.logs.words import DRAWS, kind_of_word, says_all_tenpai, says_draw, says_no_end

WORDS = {
    RyuukyokuKind.EXHAUSTIVE: "fanpai exhaustive exhaustive_draw ExhaustiveDraw howanpai 流局 荒牌平局 全員聴牌 kouhai",
    RyuukyokuKind.NINE_TERMINALS: "yao9 kyushukyuhai kyushu_kyuhai KyuushuKyuuhai NineTerminal 九種九牌 九种九牌",
    RyuukyokuKind.FOUR_RIICHI: "reach4 suchareach suucha_riichi SuuchaRiichi FourRiichiAbortion 四家立直",
    RyuukyokuKind.TRIPLE_RON: "ron3 sanchaho sanchahou Sanchahora ThreeRonAbortion triple_ron 三家和 三家和了",
    RyuukyokuKind.FOUR_KANS: "kan4 sukaikan suukaikan Suukansanra FourKanAbortion 四開槓 四槓散了 四杠散了",
    RyuukyokuKind.FOUR_WINDS: "kaze4 sufonrenta suufon_renda FourWindAbortion 四風連打 四风连打",
    RyuukyokuKind.NAGASHI_MANGAN: "nm nagashimangan nagashi_mangan ManganAtDraw 流し満貫 流局満貫",
}
SPELLED = [(word, kind) for kind, words in WORDS.items() for word in words.split(" ")]


@pytest.mark.parametrize(("word", "kind"), [*SPELLED, ("Nine Terminal Abortion", RyuukyokuKind.NINE_TERMINALS)])
def test_a_kind_is_known_in_every_word(word, kind):
    assert kind_of_word(word) is kind
    assert says_draw(word)


OTHERS = {
    RyuukyokuKind.EXHAUSTIVE: "Wall exhausted|No more tiles|All Noten|Draw (no tenpai)|流局(荒牌)|全員テンパイ|黄牌",
    RyuukyokuKind.NINE_TERMINALS: (
        "Kyūshu kyūhai|KYUSYU KYUHAI|9 kinds 9 tiles|Nine Different Terminals|九種九牌(流局)|九种幺九|구종구패"
    ),
    RyuukyokuKind.FOUR_RIICHI: "All riichi|Four players riichi|Sūcha riichi|全員立直|四家リーチ|sijializhi",
    RyuukyokuKind.TRIPLE_RON: "3 rons|Three players win|Triple win|Sanchahō|トリプルロン|三響流局",
    RyuukyokuKind.FOUR_KANS: "Four Quads|Abortive draw: four kongs|suukantsu sanra|四カン流れ|四杠|途中流局:四槓散了",
    RyuukyokuKind.FOUR_WINDS: "Four Consecutive Winds|four identical winds|suufuu renda|四风|途中流局:四風連打",
    RyuukyokuKind.NAGASHI_MANGAN: "Nagashi|流しマンガン|Draw (Nagashi Mangan)",
}


@pytest.mark.parametrize(("word", "kind"), [(word, kind) for kind, all_ in OTHERS.items() for word in all_.split("|")])
def test_a_kind_is_known_by_what_its_words_have_in_common(word, kind):
    assert kind_of_word(word) is kind


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("全員聴牌|All Tenpai|Ryuukyoku (all tenpai)|荒牌流局(全員聴牌)|everyone tempai|全員テンパイ", True),
        ("全員不聴|all noten|No tenpai|nobody is tenpai|全员未听|全員ノーテン", False),
        ("流局|Exhaustive Draw|tenpai|四人リーチ|draw", None),
    ],
)
def test_words_that_say_who_was_tenpai(words, said):
    assert [says_all_tenpai(word) for word in words.split("|")] == [said] * len(words.split("|"))


@pytest.mark.parametrize(
    "word", ["ryukyoku", "Ryuukyoku", "draw", "Abortive draw", "Ryūkyoku", "drawn game", "途中流局", "ryuu-kyoku"]
)
def test_words_that_only_say_that_it_is_a_draw(word):
    assert kind_of_word(word) is None
    assert says_draw(word)


@pytest.mark.parametrize("word", ["rain", "chombo", "kan", "5", "canine", "riichi", "ron", "何切る", "first draw"])
def test_words_that_nobody_knows(word):
    assert kind_of_word(word) is None
    assert not says_draw(word)
    assert not says_no_end(word)


@pytest.mark.parametrize(
    "word", ["", "?", "\uff1f", "-", "…", "(?)", "未完", "不详", "切断", "N/A", "None", "not finished"]
)
def test_marks_and_words_for_unknown(word):
    assert says_no_end(word)
    assert not says_draw(word)


def test_every_kind_has_its_words():
    assert set(DRAWS) == set(RyuukyokuKind)


def test_notes_count_each_kind_and_keep_its_first_place():
    notes = Notes()
    for place in ("E1", "E2", "E3"):
        notes.add("a flag is wrong", place)
    notes.add("a word is unknown", "E4")
    assert notes.texts() == ("a flag is wrong (E1, and 2 more)", "a word is unknown (E4)")
