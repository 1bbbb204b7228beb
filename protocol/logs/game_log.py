"""One recorded game as values, which every log format is read into and written from."""

import re
from collections import Counter
from dataclasses import dataclass, field
from typing import Final

from engine.model.events import EndGame, Event, Ryuukyoku, StartGame, StartKyoku, Win


class Notes:
    """Counts of what was read otherwise than a log is written, with the first place of each."""

    def __init__(self) -> None:
        self._counts: Counter[str] = Counter()
        self._places: dict[str, str] = {}

    def add(self, text: str, place: str) -> None:
        """Count one more of a kind.

        Args:
            text: what was read and how, without a place; equal texts are one kind.
            place: where, such as ``'E3-1, event 41'``.
        """
        self._counts[text] += 1
        self._places.setdefault(text, place)

    @property
    def total(self) -> int:
        """Number of all that was counted."""
        return self._counts.total()

    def texts(self) -> tuple[str, ...]:
        """One text for each kind: ``'… (E3-1, event 41, and 2 more)'``."""
        return tuple(
            f"{text} ({self._places[text]}{f', and {count - 1} more' if count > 1 else ''})"
            for text, count in self._counts.items()
        )


HOUSE_RULES: Final = "has rules of its own (csrule); when it ends, its uma and its results are not compared"
"""The note on a game whose rules are not all read."""
UNPLAYED: Final = "states rules that are not played, and is read without them"
"""The beginning of the note on a game with such rules, which the note names."""

DAN_NAMES: Final = (
    *("新人", "９級", "８級", "７級", "６級", "５級", "４級", "３級", "２級", "１級"),
    *("初段", "二段", "三段", "四段", "五段", "六段", "七段", "八段", "九段", "十段", "天鳳"),
)
"""Tenhou's rank names by dan index 0-20."""

LOG_ID: Final = r"[0-9]{10}gm-[0-9a-f]{4}-[0-9A-Za-z]{1,10}-[0-9a-fx]{8,16}"
"""Pattern of a Tenhou log id: the hour, the game type, the lobby, and a number. It is safe as a part of a file name."""

_SCRAMBLED: Final = re.compile(r"([0-9]{10})(gm-.*-)x([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})").fullmatch
_SCRAMBLED_SINCE: Final = "2010041111"
"""The hour from which on the keys depend on the date."""
_KEYS: Final = (
    *(22136, 52719, 55146, 42104, 59591, 46934, 9248, 28891, 49597, 52974, 62844, 4015, 18311, 50730, 43056, 17939),
    *(64838, 38145, 27008, 39128, 35652, 63407, 65535, 23473, 35164, 55230, 27536, 4386, 64920, 29075, 42617, 17294),
    *(18868, 2081),
)
"""Keys by which Tenhou's client scrambles the last part of the ids that it shows to players."""


def plain_id(log_id: str) -> str:
    """A log id as the server knows it; Tenhou's client shows its last part scrambled, behind an ``x``."""
    found = _SCRAMBLED(log_id)
    if found is None:
        return log_id
    hour, middle = found[1], found[2]
    first, second, third = (int(part, 16) for part in found.groups()[2:])
    at = int(f"3{hour[4:]}") % (33 - int(hour[9])) if hour > _SCRAMBLED_SINCE else 0
    return f"{hour}{middle}{first ^ second ^ _KEYS[at]:04x}{second ^ third ^ _KEYS[at] ^ _KEYS[at + 1]:04x}"


@dataclass(frozen=True, slots=True)
class LogInfo:
    """Facts that a log states besides the play; formats carry different ones, so every field has a neutral default."""

    log_id: str = ""  # Tenhou's log id, such as ``'2017010100gm-00e9-0000-de8eee52'``
    game_type: int | None = None  # Tenhou's game type bits; None if unknown
    lobby: str = ""  # Tenhou's lobby, ``'0'`` is the public one; empty if unknown
    title: tuple[str, str] = ("", "")  # two lines of free text that viewers show above the log
    rule_name: str = ""  # the table's rules as the source displays them, such as ``'鳳南喰赤'``
    version: str = ""  # version of the format, as the source states it
    dan: tuple[int, int, int, int] | None = (
        None  # rank index by seat, 0 新人 … 19 十段, 20 天鳳位 (see :data:`DAN_NAMES`)
    )
    rates: tuple[float, float, float, float] | None = None  # rating by seat
    sexes: tuple[str, str, str, str] | None = None  # ``'M'``, ``'F'`` or ``'C'`` (computer) by seat
    shuffle: str = ""  # seed of the whole game's walls, as the source states it
    shuffles: tuple[str, ...] = ()  # seeds by kyoku, in old logs that have one for each
    house_rules: str = ""  # ``csrule`` of a table that has rules of its own, such as a tournament's; mostly not read


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A hand that cannot be followed, and is not among the events of its log."""

    hand: str  # its name: ``'E3-1'``, or ``'hand 3'`` where its beginning cannot be read
    place: str  # where in the file it cannot be followed
    why: str
    at: int  # index in the events of the first one after it

    def __str__(self) -> str:
        place = self.place.removesuffix(f", {self.hand}").removeprefix(self.hand).removeprefix(", ")
        return ": ".join(part for part in (f"{self.hand} is left out", place, self.why) if part)


@dataclass(frozen=True, slots=True)
class GameLog:
    """A game, or the part of a game that a log holds."""

    # :class:`StartGame` first, then the hands in order; :class:`EndGame` last when the log is complete
    events: tuple[Event, ...]
    info: LogInfo = LogInfo()  # what is known besides the play
    source: str = field(default="", compare=False)  # where the log was read from, for messages; ignored in comparisons
    # for people: what was read otherwise than it is written, put in because the log leaves it out, or left out.
    # One text for each kind, with a count; no file name.
    notes: tuple[str, ...] = field(default=(), compare=False)
    left_out: tuple[LeftOut, ...] = field(default=(), compare=False)  # the hands that cannot be followed, in order
    viewer: int | None = None  # the seat whose view it is; None if all hands are open

    @property
    def start(self) -> StartGame:
        """The first event, with rules and names."""
        first = self.events[0]
        if not isinstance(first, StartGame):
            raise TypeError(f"a log begins with StartGame, not with {first}")
        return first

    @property
    def restarts(self) -> frozenset[int]:
        """Indices of the deals, and of the end of the game, before which a hand is left out or has no end."""
        gaps = {left.at for left in self.left_out}
        found, gap, open_hand = set(), False, False
        for at, event in enumerate(self.events):
            gap = gap or at in gaps
            if isinstance(event, StartKyoku | EndGame):
                if gap or open_hand:
                    found.add(at)
                gap, open_hand = False, isinstance(event, StartKyoku)
            elif isinstance(event, Win | Ryuukyoku):
                open_hand = False
        return frozenset(found)

    @property
    def complete(self) -> bool:
        """Whether the log reaches the end of its game."""
        return isinstance(self.events[-1], EndGame)

    @property
    def excerpt(self) -> bool:
        """Whether the log has neither id, version nor end: composed or cut out by hand, not as Tenhou wrote it.

        A log whose last hand is left out is none, because the end of its game may be lost with that hand.
        """
        end_lost = bool(self.left_out) and self.left_out[-1].at == len(self.events)
        return not (self.complete or self.info.log_id or self.info.version or end_lost)
