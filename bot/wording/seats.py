"""What seats and players are called from where a player sits."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from bot.text import brief
from bot.wording.languages import Lang
from engine.model.seats import relative

SIDES: Final = ("self", "right", "across", "left")
"""By :func:`engine.model.seats.relative`."""
_SIDES: Final = {Lang.EN: SIDES, Lang.JA: ("自家", "下家", "対面", "上家")}


def naming(names: Sequence[str], viewer: int, limit: int, lang: Lang = Lang.EN) -> Callable[[int], str]:
    """A function that names absolute seats: by their players' names, and by their sides where these do not suffice.

    Args:
        names: names of the players by absolute seat; untrusted, cleaned here.
        viewer: absolute seat of the viewer.
        limit: maximum length of a name.
        lang: language of the sides.
    """

    def name(seat: int) -> str:
        called, side = brief(names[seat], limit), _SIDES[lang][relative(seat, viewer)]
        if not called:
            return side
        return called if seat == viewer or list(names).count(names[seat]) == 1 else f"{called} ({side})"

    return name
