"""The answers that a seat can give, as numbers: the same for masks, for networks and for the simulator.

An answer below ``ANSWERS`` says what people can tell apart. A discard names the look of the tile, ``tile37``, or that
it is the tile just drawn. To name one of several like copies, as recordings do, tiles are added above the number:
``number | first + 1 << FIRST_TILE | second + 1 << SECOND_TILE``; without them the lowest copies are taken.
"""

DISCARD, RIICHI, KAN, CHI, PON, OPEN_KAN, PASS, WIN, NINE = 0, 38, 76, 110, 116, 118, 119, 120, 121
"""Where each sort of answer begins: a discard of each ``tile37`` from the hand, then of the tile just drawn; the same
with riichi; a closed or added kan of each kind; a chi in which the called tile is the lowest, the middle, the highest,
each without and with a red five of one's own; a pon likewise; the others one each."""
ANSWERS = 122
THE_DRAWN = 37
"""Added to DISCARD or RIICHI: the tile just drawn."""

NUMBER = 255
FIRST_TILE = 8
SECOND_TILE = 16

DISCARDS_WORD, RIICHI_WORD, KANS_WORD, OTHERS_WORD = range(4)
"""The legal answers of a seat are four bit sets: of DISCARD to RIICHI, RIICHI to KAN, KAN to CHI, and the rest."""
WORDS = 4
WORD_FIRST = (DISCARD, RIICHI, KAN, CHI)
"""The answer that bit 0 of each word stands for."""
