"""Messages sent by the server.

Seats are relative to the receiving client (0 self, 1 right, 2 across, 3 left); in a log they are absolute. Points are
in hundreds and tiles are ``tile136``, as on the wire.
"""

from dataclasses import dataclass
from typing import Final

from engine.model.seats import four
from protocol.tenhou.schema import (
    BA,
    CHANGES,
    FLAGS,
    INT,
    INTS,
    MELD,
    MELDS,
    NAME,
    NUMBERS,
    PAIRS,
    RATES,
    RIVER,
    SCORES,
    SEAT,
    SEED,
    STEP,
    TEN,
    TEXT,
    TILE,
    TILES,
    WORDS,
    Message,
    attr,
    table,
)

Ints = tuple[int, ...]
Four = tuple[Ints | None, Ints | None, Ints | None, Ints | None]
Names = tuple[str | None, str | None, str | None, str | None]


@dataclass(frozen=True, slots=True)
class Helo(Message):
    """Login accepted.

    ``pf4``: dan, points, rate, total, four counts of placements, busted, hands, wins, deal-ins, calls, riichi.
    """

    TAG = "HELO"
    uname: str = attr(NAME)
    auth: str | None = attr(TEXT, default=None)
    nintei: str | None = attr(NAME, default=None)
    pf4: str | None = attr(TEXT, "PF4", default=None)
    pf3: str | None = attr(TEXT, "PF3", default=None)
    expire: str | None = attr(TEXT, default=None)
    expiredays: str | None = attr(TEXT, default=None)
    ratingscale: str | None = attr(TEXT, default=None)
    rr: str | None = attr(TEXT, default=None)


@dataclass(frozen=True, slots=True)
class Err(Message):
    """Login refused; 1003: unknown or banned account."""

    TAG = "ERR"
    code: str | None = attr(TEXT, default=None)


@dataclass(frozen=True, slots=True)
class Ln(Message):
    """How many people are in which room, packed in letters or plain; it does not affect play."""

    TAG = "LN"
    n: str | None = attr(TEXT, default=None)
    j: str | None = attr(TEXT, default=None)
    g: str | None = attr(TEXT, default=None)


@dataclass(frozen=True, slots=True)
class Ranking(Message):
    """Monthly statistics after JOIN."""

    TAG = "RANKING"
    v2: str | None = attr(TEXT, default=None)


@dataclass(frozen=True, slots=True)
class Chat(Message):
    """Another player's chat, or the echo of a change of lobby."""

    TAG = "CHAT"
    uname: str | None = attr(NAME, default=None)
    text: str | None = attr(NAME, default=None)
    lobby: str | None = attr(TEXT, default=None)


@dataclass(frozen=True, slots=True)
class Rejoin(Message):
    """Asks whether the client still waits; it answers JOIN with the same ``t``."""

    TAG = "REJOIN"
    t: str = attr(TEXT)


@dataclass(frozen=True, slots=True)
class Go(Message):
    """A table was found. ``gpid`` resumes the game after a lost connection (absent at practice tables)."""

    TAG = "GO"
    type: int = attr(INT)
    lobby: str | None = attr(TEXT, default=None)
    gpid: str | None = attr(TEXT, default=None, secret=True)
    title: str | None = attr(NAME, default=None)
    rule: str | None = attr(TEXT, default=None)
    ranking: str | None = attr(TEXT, default=None)
    csrule: str | None = attr(TEXT, default=None)
    kansen: str | None = attr(TEXT, default=None)


@dataclass(frozen=True, slots=True)
class Un(Message):
    """The players. With one name and nothing else: that player reconnected."""

    TAG = "UN"
    names: Names = attr(NAME, "n", indexed=True)
    dan: Ints | None = attr(INTS, default=None)
    gold: Ints | None = attr(INTS, default=None)
    rc: Ints | None = attr(INTS, default=None)
    rate: tuple[float, ...] | None = attr(RATES, default=None)
    sx: tuple[str, ...] | None = attr(WORDS, default=None)


@dataclass(frozen=True, slots=True)
class Taikyoku(Message):
    """The game begins; ``oya`` is the first dealer, so the client's absolute seat is ``(4 - oya) % 4``."""

    TAG = "TAIKYOKU"
    oya: int = attr(SEAT)
    log: str | None = attr(TEXT, default=None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Init(Message):
    """A hand is dealt. ``hai``: the receiver's thirteen tiles; a log has ``hands`` instead."""

    TAG = "INIT"
    seed: Ints = attr(SEED)
    ten: Ints = attr(SCORES)
    chip: Ints | None = attr(INTS, default=None)
    oya: int = attr(SEAT)
    hai: Ints | None = attr(TILES, default=None)
    hands: Four = attr(TILES, "hai", indexed=True)
    shuffle: str | None = attr(TEXT, default=None)


@dataclass(frozen=True, slots=True)
class Saikai(Message):
    """The client has returned to a running game: ``sc`` holds score and 0 by seat. REINIT follows after GOK."""

    TAG = "SAIKAI"
    ba: Ints = attr(BA)
    oya: int = attr(SEAT)
    sc: Ints = attr(CHANGES)


@dataclass(frozen=True, slots=True, kw_only=True)
class Reinit(Message):
    """A snapshot of the hand before the current draw.

    ``melds`` are newest first; 255 precedes a riichi tile in ``rivers``; called tiles are only in the melds.
    """

    TAG = "REINIT"
    seed: Ints = attr(SEED)
    ten: Ints = attr(SCORES)
    chip: Ints | None = attr(INTS, default=None)
    oya: int = attr(SEAT)
    hai: Ints = attr(TILES)
    melds: Four = attr(MELDS, "m", indexed=True)
    rivers: Four = attr(RIVER, "kawa", indexed=True)


@dataclass(frozen=True, slots=True)
class Draw(Message):
    """A draw: ``T``/``U``/``V``/``W`` by seat, with the tile if it is visible. ``t``: what the client may declare."""

    TAG = "TUVW"
    who: int
    tile: int | None = None
    t: int = attr(FLAGS, default=0)


@dataclass(frozen=True, slots=True)
class Discard(Message):
    """A discard: ``D``/``E``/``F``/``G`` by seat, with the tile. ``t``: what the client may declare on it.

    ``lower``: the letter is lower case, which means tsumogiri; own discards and those in logs are always upper case.
    """

    TAG = "DEFGefg"
    who: int
    tile: int
    lower: bool = False
    t: int = attr(FLAGS, default=0)


@dataclass(frozen=True, slots=True)
class Call(Message):
    """A meld is made; ``t``: the client may rob the kan."""

    TAG = "N"
    who: int = attr(SEAT)
    m: int = attr(MELD)
    t: int = attr(FLAGS, default=0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Reach(Message):
    """Riichi: step 1 before the discard, step 2 (with the new scores, except in old logs) once it has passed."""

    TAG = "REACH"
    who: int = attr(SEAT)
    ten: Ints | None = attr(SCORES, default=None)
    step: int = attr(STEP)


@dataclass(frozen=True, slots=True)
class Dora(Message):
    """The dora indicator of a kan."""

    TAG = "DORA"
    hai: int = attr(TILE)


@dataclass(frozen=True, slots=True)
class Furiten(Message):
    """The client's furiten begins (1) or ends (0); sent before the discard that causes it."""

    TAG = "FURITEN"
    show: int = attr(INT)


@dataclass(frozen=True, slots=True, kw_only=True)
class Agari(Message):
    """A win. ``hai``: concealed tiles with the winning tile; ``m`` newest first; ``owari`` in a game's last message."""

    TAG = "AGARI"
    ba: Ints = attr(BA)
    hai: Ints = attr(TILES)
    m: Ints = attr(MELDS, default=())
    machi: int = attr(TILE)
    ten: Ints = attr(TEN)
    yaku: Ints | None = attr(PAIRS, default=None)
    yakuman: Ints | None = attr(INTS, default=None)
    chip: Ints | None = attr(INTS, default=None)
    dora: Ints = attr(TILES, "doraHai", default=())
    ura: Ints | None = attr(TILES, "doraHaiUra", default=None)
    who: int = attr(SEAT)
    from_who: int = attr(SEAT, "fromWho")
    pao_who: int | None = attr(SEAT, "paoWho", default=None)
    sc: Ints = attr(CHANGES)
    owari: tuple[int | float, ...] | None = attr(NUMBERS, default=None)
    ratio: str | None = attr(TEXT, default=None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Ryuukyoku(Message):
    """A hand without a win; without ``type``, an exhaustive draw. ``hands``: the hands shown, by seat."""

    TAG = "RYUUKYOKU"
    type: str | None = attr(TEXT, default=None)
    ba: Ints = attr(BA)
    sc: Ints = attr(CHANGES)
    hands: Four = attr(TILES, "hai", indexed=True)
    owari: tuple[int | float, ...] | None = attr(NUMBERS, default=None)
    ratio: str | None = attr(TEXT, default=None)


@dataclass(frozen=True, slots=True)
class Prof(Message):
    """The game's additions to the player's record.

    ``add``: result, four placement flags, busted, hands, wins, deal-ins, calls, riichi.
    """

    TAG = "PROF"
    lobby: str | None = attr(TEXT, default=None)
    type: int | None = attr(INT, default=None)
    add: tuple[int | float, ...] = attr(NUMBERS, default=())


@dataclass(frozen=True, slots=True)
class Bye(Message):
    """A player disconnected."""

    TAG = "BYE"
    who: int = attr(SEAT)


@dataclass(frozen=True, slots=True)
class KeepAlive(Message):
    """A keep-alive."""

    TAG = "Z"


@dataclass(frozen=True, slots=True)
class Echo(Message):
    """The reply to a client's ECHO."""

    TAG = "ECHO"


@dataclass(frozen=True, slots=True)
class Kansen(Message):
    """A spectated game."""

    TAG = "KANSEN"


@dataclass(frozen=True, slots=True)
class Shuffle(Message):
    """In logs: the seed of the walls."""

    TAG = "SHUFFLE"
    seed: str = attr(TEXT)
    ref: str | None = attr(TEXT, default=None)


@dataclass(frozen=True, slots=True)
class Mjloggm(Message):
    """The root of a log."""

    TAG = "mjloggm"
    ver: str | None = attr(TEXT, default=None)


ATTRIBUTES: Final = table(
    (
        Helo, Err, Ln, Ranking, Chat, Rejoin, Go, Un, Taikyoku, Init, Saikai, Reinit, Call, Reach, Dora, Furiten,
        Agari, Ryuukyoku, Prof, Bye, KeepAlive, Echo, Kansen, Shuffle, Mjloggm,
    )
)  # fmt: skip
"""Schemas by tag, except :class:`Draw` and :class:`Discard`, whose tags contain a tile."""

DRAW_LETTERS: Final = "TUVW"
DISCARD_LETTERS: Final = "DEFG"

TILE_TAGS: Final[dict[str, Draw | Discard]] = {
    **{letter: Draw(who) for who, letter in enumerate(DRAW_LETTERS)},
    **{f"{letter}{tile}": Draw(who, tile) for who, letter in enumerate(DRAW_LETTERS) for tile in range(136)},
    **{f"{letter}{tile}": Discard(who, tile) for who, letter in enumerate(DISCARD_LETTERS) for tile in range(136)},
    **{
        f"{letter.lower()}{tile}": Discard(who, tile, lower=True)
        for who, letter in enumerate(DISCARD_LETTERS)
        if who
        for tile in range(136)
    },
}
"""Every draw and discard without flags, by tag; values can be shared."""


_FIELDS: Final = 14


@dataclass(frozen=True, slots=True)
class AccountRecord:
    """``PF4``: an account's record in four-player games."""

    dan: int  # rank index: 0 newcomer, 1 to 9 the kyu ranks from 9 down, 10 to 19 the dan ranks, 20 tenhoui
    points: int  # points towards the next rank
    rate: float  # rating
    total: float  # sum of result points, in thousands
    placements: tuple[int, int, int, int]  # number of games by placement, first to fourth

    @property
    def games(self) -> int:
        """Number of games played."""
        return sum(self.placements)

    def placement_since(self, before: "AccountRecord") -> int | None:
        """The placement (1 to 4) in the one game played since ``before``; None if it was not exactly one game."""
        more = [now - then for now, then in zip(self.placements, before.placements, strict=True)]
        return more.index(1) + 1 if sorted(more) == [0, 0, 0, 1] else None


def parse_standing(pf4: str | None) -> AccountRecord | None:
    """Parse ``PF4`` of a HELO; None if it is absent (a guest) or invalid, because play does not depend on it."""
    fields = (pf4 or "").split(",")
    if len(fields) < _FIELDS:
        return None
    try:
        dan, points, rate, total = int(fields[0]), int(fields[1]), float(fields[2]), float(fields[3])
        places = four(int(field) for field in fields[4:8])
    except ValueError:
        return None
    return AccountRecord(dan, points, rate, total, places)
