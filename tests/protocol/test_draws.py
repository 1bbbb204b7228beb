from __future__ import annotations

import pytest

from engine.model.events import RyuukyokuKind
from protocol.logs.game_log import Notes
from protocol.logs.words import DRAWS, kind_of_word, says_all_tenpai, says_draw, says_no_end

WORDS = {
    RyuukyokuKind.EXHAUSTIVE: (
        "fanpai|exhaustive|exhaustive_draw|ExhaustiveDraw|Exhaustive Draw|howanpai|kouhai|流局|荒牌平局|荒牌流局|黄牌"
        "|全員聴牌|全員不聴|全員テンパイ|Wall exhausted|No more tiles|All Noten|Draw (no tenpai)|流局(荒牌)"
    ),
    RyuukyokuKind.NINE_TERMINALS: (
        "yao9|kyushukyuhai|kyushu_kyuhai|KyuushuKyuuhai|Kyuushu Kyuuhai|Kyūshu kyūhai|KYUSYU KYUHAI|NineTerminal"
        "|Nine Terminal Abortion|Nine terminals abortive draw|9 kinds 9 tiles|Nine Different Terminals|九種九牌"
        "|九种九牌|九種九牌(流局)|九种幺九|구종구패"
    ),
    RyuukyokuKind.FOUR_RIICHI: (
        "reach4|suchareach|suuchariichi|suucha_riichi|SuuchaRiichi|Suucha Riichi|Sūcha riichi|FourRiichiAbortion"
        "|Four Riichi Abortion|Four riichi abortive draw|All riichi|Four players riichi|四家立直|全員立直|四家リーチ"
        "|sijializhi"
    ),
    RyuukyokuKind.TRIPLE_RON: (
        "ron3|sanchaho|sanchahou|Sanchahora|Sanchahō|ThreeRonAbortion|Three Ron Abortion|triple_ron|Triple win|3 rons"
        "|Triple ron abortive draw|Three players win|三家和|三家和了|トリプルロン|三響流局"
    ),
    RyuukyokuKind.FOUR_KANS: (
        "kan4|sukaikan|suukaikan|Suukansanra|suukansansen|suukantsu sanra|FourKanAbortion|Four Kan Abortion|Four Quads"
        "|Abortive draw: four kongs|四開槓|四槓散了|四杠散了|四カン流れ|四杠|途中流局:四槓散了"
    ),
    RyuukyokuKind.FOUR_WINDS: (
        "kaze4|sufonrenta|suufonrenta|sufuurenta|suufuu renda|suufon_renda|Suufon Renda|suufonrenda|FourWindAbortion"
        "|Four Wind Abortion|Four Consecutive Winds|four identical winds|四風連打|四风连打|四风|途中流局:四風連打"
    ),
    RyuukyokuKind.NAGASHI_MANGAN: (
        "nm|nagashimangan|nagashi_mangan|Nagashi Mangan|ManganAtDraw|Mangan at Draw|Nagashi|Draw (Nagashi Mangan)"
        "|流し満貫|流局満貫|流局满贯|流しマンガン"
    ),
}


@pytest.mark.parametrize(("word", "kind"), [(word, kind) for kind, words in WORDS.items() for word in words.split("|")])
def test_a_kind_is_known_in_every_word(word, kind):
    assert kind_of_word(word) is kind
    assert says_draw(word)


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
