"""Between events and the numbers that stand for them; see :mod:`engine.rules.code_kernels`."""

from collections.abc import Callable
from typing import Any, Final

from engine.model import events as ev
from engine.model.melds import Meld, MeldKind
from engine.rules import code_kernels as codes

_TILES: Final = (codes.FIRST_AT, codes.SECOND_AT, codes.THIRD_AT)


def code_of(event: ev.Event) -> int | None:
    """The number of one event; None for an event that is not part of a hand in play.

    A declared riichi has a number of its own, which :func:`codes_of` joins to the discard that follows.

    Raises:
        HiddenTileError: a drawn tile is not known.
    """
    write = _WRITE.get(type(event))
    return None if write is None else write(event)


class HiddenTileError(ValueError):
    """A draw that shows no tile, as in a captured session."""


def append_code(to: list[int], code: int) -> None:
    """Append an event's number, joining a discard to the riichi that was declared for it."""
    if code & codes.TYPE == codes.DISCARD and to and to[-1] & codes.TYPE == codes.RIICHI:
        to.pop()
        code |= 2 << codes.SECOND_AT
    to.append(code)


def _draw(event: ev.Draw) -> int:
    if event.tile is None:
        raise HiddenTileError("a drawn tile is hidden; captured sessions cannot be learned from, logs can")
    return codes.DRAW | event.seat << codes.SEAT_AT | event.tile << codes.FIRST_AT


def _discard(event: ev.Discard) -> int:
    tile = event.tile << codes.FIRST_AT | bool(event.tsumogiri) << codes.SECOND_AT
    return codes.DISCARD | event.seat << codes.SEAT_AT | tile


def call_code(event: ev.Call) -> int:
    """The number of a call."""
    meld = event.meld
    if meld.kind is MeldKind.ANKAN:
        tiles = [meld.tiles[0], 0, 0]
    elif meld.kind is MeldKind.KAKAN:
        tiles = [meld.tiles[0] if meld.added is None else meld.added, 0, 0]
    else:  # the called tile first; of an open kan two of the three others, because the rest of the kind follows
        called = meld.tiles[0] if meld.called is None else meld.called
        tiles = [called, *[tile for tile in meld.tiles if tile != called][:2]]
    code = codes.CHI + meld.kind | event.seat << codes.SEAT_AT | meld.from_seat << codes.FROM_AT
    for tile, shift in zip(tiles, _TILES, strict=True):
        code |= tile << shift
    return code


_WRITE: Final[dict[type, Callable[[Any], int]]] = {
    ev.Draw: _draw,
    ev.Discard: _discard,
    ev.RiichiDeclared: lambda event: codes.RIICHI | event.seat << codes.SEAT_AT,
    ev.RiichiAccepted: lambda event: codes.ACCEPTED | event.seat << codes.SEAT_AT,
    ev.Call: call_code,
    ev.NewDora: lambda event: codes.NEW_DORA | event.indicator << codes.FIRST_AT,
    ev.Win: lambda event: codes.WIN | event.seat << codes.SEAT_AT | event.from_seat << codes.FROM_AT,
    ev.Ryuukyoku: lambda _event: codes.NO_WIN,
}


def played_event(code: int, melds: list[list[Meld]]) -> tuple[ev.Event, ...]:
    """The events that a number stands for: none for a win or a draw, two for a discard with riichi.

    Args:
        code: the number.
        melds: those of each seat so far; a new meld is added.
    """
    seat = code >> codes.SEAT_AT & 3
    giver = code >> codes.FROM_AT & 3
    first, second, third = (code >> at & 255 for at in _TILES)
    what = code & codes.TYPE
    if what == codes.DRAW:
        return (ev.Draw(seat, first),)
    if what == codes.DISCARD:
        said = ev.Discard(seat, first, bool(second & 1))
        return (ev.RiichiDeclared(seat), said) if second & 2 else (said,)
    if what == codes.ACCEPTED:
        return (ev.RiichiAccepted(seat),)
    if what == codes.NEW_DORA:
        return (ev.NewDora(first),)
    if codes.CHI <= what <= codes.KAKAN:
        return (ev.Call(seat, _meld(MeldKind(what - codes.CHI), seat, giver, (first, second, third), melds[seat])),)
    return ()


def _meld(kind: MeldKind, seat: int, giver: int, tiles: tuple[int, int, int], melds: list[Meld]) -> Meld:
    first = tiles[0]
    of_kind = tuple(range(first & ~3, (first & ~3) + 4))
    if kind is MeldKind.KAKAN:
        at = next(at for at, old in enumerate(melds) if old.kind is MeldKind.PON and old.tile34 == first >> 2)
        pon = melds[at]
        melds[at] = Meld(kind, of_kind, pon.called, pon.from_seat, first)
        return melds[at]
    if kind is MeldKind.ANKAN:
        meld = Meld(kind, of_kind, None, seat, first)
    elif kind is MeldKind.DAIMINKAN:
        meld = Meld(kind, of_kind, first, giver)
    else:
        meld = Meld(kind, tuple(sorted(tiles)), first, giver)
    melds.append(meld)
    return meld
