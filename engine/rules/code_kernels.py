"""The bits of a recorded event: what happened, to whom, with which ``tile136``."""

TYPE = 15
DRAW, DISCARD, CHI, PON, DAIMINKAN, ANKAN, KAKAN, RIICHI, ACCEPTED, NEW_DORA, WIN, NO_WIN = range(12)
"""Types. CHI to KAKAN follow :class:`engine.model.melds.MeldKind` in order; RIICHI is folded into the DISCARD that
follows it and stays only where that never came."""

SEAT_AT = 4
FROM_AT = 6
"""Of a call and a win: the seat that the tile came from."""
FIRST_AT = 8
"""The tile drawn, discarded, called, added, or turned as indicator."""
SECOND_AT = 16
"""Of a chi or pon a tile from the hand; of a discard 1 for tsumogiri plus 2 for a riichi declared with it."""
THIRD_AT = 24
"""Of a chi or pon the other tile from the hand."""
