from __future__ import annotations

import pytest

from engine.model.melds import Meld, MeldKind
from protocol.errors import LocalProtocolError, RemoteProtocolError
from protocol.tenhou.meld_bits import format_meld, parse_meld

VECTORS = [
    # code, owner, meld: recorded ones, each with what it was decoded to by others
    (34314, 0, Meld(MeldKind.PON, (89, 90, 91), 90, 2)),
    (15872, 1, Meld(MeldKind.ANKAN, (60, 61, 62, 63), None, 1, 62)),
    (13825, 0, Meld(MeldKind.DAIMINKAN, (52, 53, 54, 55), 54, 1)),
    (18547, 0, Meld(MeldKind.KAKAN, (48, 49, 50, 51), 48, 3, 51)),
    (27031, 0, Meld(MeldKind.CHI, (42, 44, 51), 51, 3)),
    (20839, 0, Meld(MeldKind.CHI, (24, 31, 34), 34, 3)),
    (41515, 0, Meld(MeldKind.PON, (108, 110, 111), 108, 3)),
    (33024, 2, Meld(MeldKind.ANKAN, (128, 129, 130, 131), None, 2, 129)),
]


@pytest.mark.parametrize(("code", "seat", "meld"), VECTORS)
def test_recorded_codes(code, seat, meld):
    assert parse_meld(code, seat) == meld
    assert format_meld(meld, seat) == code


def test_relative_seat_turns_with_the_owner():
    assert parse_meld(34314, 3).from_seat == 1
    assert format_meld(parse_meld(34314, 3), 3) == 34314


def test_every_code_is_read_and_written_alike_or_refused():
    unused = {MeldKind.CHI: 1 << 9, MeldKind.PON: 0b1_1000_0000, MeldKind.KAKAN: 0b1_1000_1000}
    read = 0
    for code in range(1 << 16):
        try:
            meld = parse_meld(code, 1)
        except RemoteProtocolError:
            continue
        read += 1
        assert len(set(meld.tiles)) == len(meld.tiles) == 3 + meld.kind.is_kan
        assert tuple(sorted(meld.tiles)) == meld.tiles
        assert all(0 <= tile < 136 for tile in meld.tiles)
        assert meld.called is None or meld.called in meld.tiles
        # what is left of the code carries nothing: unused bits, and of a pon the bit that says kakan
        again = format_meld(meld, 1)
        assert parse_meld(again, 1) == meld
        if meld.kind in (MeldKind.ANKAN, MeldKind.DAIMINKAN):
            assert again == code & ~0b1100_0000
        else:
            assert again | unused[meld.kind] | (16 if code & 8 else 0) == code | unused[meld.kind] | (
                16 if code & 8 else 0
            )
    assert read > 40_000


@pytest.mark.parametrize(
    ("code", "complaint"),
    [
        (30752, "kita"),
        (-1, "16 bits"),
        (65536, "16 bits"),
        (0xFF07, "not a chi"),
        (0xFFEB, "not a pon"),
        (0x8801, "0 to 135"),
    ],
)
def test_a_code_that_is_no_meld(code, complaint):
    with pytest.raises(RemoteProtocolError, match=complaint) as caught:
        parse_meld(code, 0)
    assert caught.value.raw == str(code)


@pytest.mark.parametrize(
    "meld",
    [
        Meld(MeldKind.CHI, (32, 36, 40), 36, 3),
        Meld(MeldKind.CHI, (0, 4, 8), None, 3),
        Meld(MeldKind.PON, (0, 1, 2), 0, 0),
        Meld(MeldKind.KAKAN, (0, 1, 2, 3), 0, 1, None),
    ],
)
def test_tiles_that_are_no_meld_are_not_written(meld):
    with pytest.raises(LocalProtocolError, match="not a"):
        format_meld(meld, 0)
