"""Where each number about an opponent stands, and what it means, for the danger model: a row of FEATURES float32.

A row is three blocks of SUIT numbers (nine tiles of PLANES each, then EXTRAS of the suit), seven of HONOUR (PLANES and
TRAITS of the honour), and GLOBALS. The model treats suits alike, so a block must not say which suit it is.
"""

from engine.networks.columns_kernels import Columns

KIND = Columns()
"""Features of each kind."""
IN_RIVER = KIND.add("in the seat's river")
FIRST_AT = KIND.add("place of its first discard there, from 1 down by 1/24 a discard")
FIRST_TEDASHI = KIND.add("the first was from the hand")
LAST_AT = KIND.add("place of its last discard there, up by 1/24 a discard")
LAST_TEDASHI = KIND.add("the last was from the hand")
TWICE = KIND.add("discarded twice or more")
TEDASHI_1 = KIND.add("discarded from the hand, 1st to 4th discard")
KIND.add(
    "discarded from the hand, 5th to 8th", "discarded from the hand, 9th to 12th", "discarded from the hand, later"
)
TSUMOGIRI_EARLY = KIND.add("tsumogiri, 1st to 8th discard")
TSUMOGIRI_LATE = KIND.add("tsumogiri, later")
LATEST = KIND.add("the latest discard from the hand", "the second latest", "the third latest")
RIICHI_TILE = KIND.add("riichi was declared with it")
AFTER_CALL = KIND.add("discarded right after a chi or pon")
SAFE = KIND.add("cannot be won on now: own river, passed since its last discard or since its riichi")
PASSED_0 = KIND.add("passed by another, the hand unchanged since")
PASSED_1 = KIND.add("passed by another, the hand changed once since")
PASSED_2 = KIND.add("passed by another, changed twice or three times since")
PASSED_4 = KIND.add("passed by another, changed more often since")
CHI_PASSED = KIND.add("passed from the left (chi) with two changes or fewer since")
SEEN_1 = KIND.add("one copy or more visible", "two or more visible", "three or more visible", "four visible")
HELD_1 = KIND.add("the discarder holds one or more")
KIND.add("the discarder holds two or more", "the discarder holds three or more")
DORA = KIND.add("times dora; one more where the only copy held is red")
RED_UNSEEN = KIND.add("a red five nobody has shown")
IN_MELDS = KIND.add("copies in its melds / 4")
CALLED = KIND.add("called by it")
BY_OTHERS = KIND.add("copies in the others' rivers / 4")
ABOVE_WAYS = KIND.add("ways to hold the two tiles above it, 0 where that wait is furiten, / 16")
BELOW_WAYS = KIND.add("ways to hold the two below, likewise")
BETWEEN_WAYS = KIND.add("ways to hold both neighbours / 16")
EDGE_WAYS = KIND.add("ways to hold the edge wait (12 or 89) / 16")
PAIR_WAYS = KIND.add("ways to hold a pair of it / 6")
SINGLE_WAYS = KIND.add("copies not visible / 4")
BY_RIICHI = KIND.add("in the river of another who is in riichi")
PLANES = len(KIND)

OF_SUIT = Columns()
"""Features of each suit."""
OF_SUIT.add("discards of the suit / 8", "of these from the hand / 8", "place of the first")
OF_SUIT.add("place of the last from the hand", "share of all its discards", "copies of the suit not visible / 36")
OF_SUIT.add("copies the discarder holds / 14")
SUIT_MELDS = OF_SUIT.add("melds of the suit / 4")
EXTRAS = len(OF_SUIT)

OF_HONOUR = Columns()
"""Features of each honour, besides those of every kind."""
OF_HONOUR.add("the seat's wind", "the round's wind", "a dragon", "the discarder's wind")
TRAITS = len(OF_HONOUR)

WHOLE = Columns()
"""Features of the whole table."""
WHOLE.add("riichi", "double riichi", "ippatsu", "turn of the riichi / 18", "turns since / 12")
WHOLE.add("riichi tile from the hand", "discards / 18", "discards from the hand / 14")
WHOLE.add("tsumogiri at the end of the river / 8")
WHOLE.add(*(f"discard {back} from the end was from the hand" for back in range(1, 7)))
WHOLE.add("place of the last discard from the hand")
WHOLE.add(*(f"discards {2 * pair + 1} and {2 * pair + 2} made / 2" for pair in range(9)))
G_MELDS = WHOLE.add(*(f"{number} open melds" for number in range(5)))
WHOLE.add("runs / 4", "triplets / 4", "kans / 2", "closed kans / 2")
WHOLE.add(*(f"{number} dora or more in its melds" for number in range(1, 6)))
WHOLE.add(
    "han of yakuhai in its melds", "melds with a terminal or honour / 4", "melds without / 4", "only such without"
)
WHOLE.add("open melds, all of one suit and honours, / 4", "open melds, none a run, / 4", "melds of honours / 4")
WHOLE.add("discards since the last call / 12", "of these from the hand / 8", "no visible yaku and no all simples")
WHOLE.add("discards of other suits than its melds', share")
G_TABLE = WHOLE.add("the seat deals", "the discarder deals", "on the right", "across", "on the left")
WHOLE.add("another is in riichi", "both others are", "the discarder is", "most melds of another / 4")
WHOLE.add("wall / 70", "wall below 36", "below 20", "below 8", "empty")
WHOLE.add("indicators / 4", "dora not visible / 4", "dora the discarder holds / 4", "red fives not visible / 3")
WHOLE.add("honba / 5", "riichi sticks / 4")
WHOLE.add("score above 25 000, / 25 000", "score above the discarder's, / 25 000")
WHOLE.add(*(f"place {place}" for place in range(1, 5)))
WHOLE.add("last hand or later", "hands to the last / 8", "melds of the discarder / 4", "discards of all / 72")
GLOBALS = len(WHOLE)

SUIT = 9 * PLANES + EXTRAS
HONOUR = PLANES + TRAITS
HONOURS_AT = 3 * SUIT
GLOBALS_AT = HONOURS_AT + 7 * HONOUR
FEATURES = GLOBALS_AT + GLOBALS
