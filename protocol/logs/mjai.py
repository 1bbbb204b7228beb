"""mjai JSON lines: the protocol and log format of most mahjong programs.

The dialects differ in what they leave out. Red fives may be ``5mr`` or ``0m``, honours ``E`` or ``1z``; wins may lack
everything but the payments, draws may lack their reason. ``reach_accepted`` and the position of ``dora`` are not
trusted but derived, because programs place them differently and both follow from the play.
"""

import re
from collections.abc import Iterable, Iterator
from itertools import groupby, islice
from typing import Any, Final, NamedTuple

from engine.model import events as ev
from engine.model.melds import Meld, MeldKind
from engine.model.rules import Rules
from engine.model.seats import WIND_LETTERS
from protocol.errors import LogError
from protocol.logs.game_builder import sort37, tile37_names
from protocol.logs.game_log import GameLog
from protocol.logs.json_text import decode_damaged, dump
from protocol.logs.mjai_reader import HIDDEN, LOOKS_AHEAD, NAMES, TILES, TONPU_KYOKU_FIRST, MjaiReader, parse_lines
from protocol.logs.shown_rules import shows_red_fives
from protocol.logs.wins import format_mjai
from protocol.logs.words import DRAWS

_RED_WON: Final = re.compile(r'"akadora"(?!\s*:)')
_RED_IN_TEXT: Final = re.compile(r'"(?:5[mps]r|0[mps])"')

Line = dict[str, Any]


def read(data: bytes | str, source: str = "") -> GameLog:
    """Read a log of all hands or of one seat's view.

    Raises:
        LogError: no hand can be followed, or the text is no mjai; ``UnsupportedGameError`` for three-player games.
    """
    text, damage = decode_damaged(data)
    try:
        lines, broken = parse_lines(text)
        reader = _played(lines, broken, _shown(lines, text))
        if damage is not None:
            reader.notes.add(damage.message, damage.position)
        return reader.log(source)
    except LogError as error:
        raise (damage or error).located(source) from error.__cause__


class _Shown(NamedTuple):
    """What the play of a log shows of red fives."""

    red_fives: bool | None  # whether there are some, if the wins or four plain fives of a suit decide on it
    seen: bool  # whether some are among the tiles


def _shown(lines: list[tuple[Line, int]], text: str) -> _Shown:
    """What decides on red fives, whatever the log states."""
    seen = _RED_IN_TEXT.search(text) is not None
    if _RED_WON.search(text):
        return _Shown(red_fives=True, seen=seen)
    none = not seen and shows_red_fives(_from_the_wall(lines)) is False
    return _Shown(red_fives=False if none else None, seen=seen)


def _played(lines: list[tuple[Line, int]], broken: dict[int, LogError], shown: _Shown) -> MjaiReader:
    """A reader that has been fed all lines of a game; a line that cannot be read costs its hand.

    Args:
        lines: the lines with their numbers.
        broken: the errors of lines that cannot be read.
        shown: what the play shows of red fives.
    """
    start, start_at = next((pair for pair in lines if pair[0]["type"] == "start_game"), ({}, 1))
    try:
        reader = MjaiReader(start, red_fives=shown.red_fives)
    except LogError as error:
        raise error.located(position=f"line {start_at}") from None
    reader.note_red_fives(seen=shown.seen)
    ordered = _nearest_first(lines)
    for at, (line, number) in enumerate(ordered):
        for begun in [each for each in broken if each < number]:
            reader.lose(broken.pop(begun), f"line {begun}")
        coming = islice(ordered, at + 1, None) if line["type"] == LOOKS_AHEAD else ()
        reader.follow(line, number, coming)
    for begun, damage in broken.items():
        reader.lose(damage, f"line {begun}")
    reader.settle_length()
    return reader


def _from_the_wall(lines: list[tuple[Line, int]]) -> Iterator[list[int]]:
    """The ``tile37`` that come from the wall in each hand."""
    tiles: list[int] = []
    for line, _ in lines:
        if line["type"] == LOOKS_AHEAD:
            yield tiles
            tiles = []
        hands = line.get("tehais")
        dealt = [name for hand in hands if isinstance(hand, list) for name in hand] if isinstance(hands, list) else []
        names = [line.get("dora_marker"), *dealt, line.get("pai") if line["type"] == "tsumo" else None]
        tiles += [TILES[name] for name in names if isinstance(name, str) and name in TILES]
    yield tiles


def _nearest_first(lines: list[tuple[Line, int]]) -> list[tuple[Line, int]]:
    """The lines with several wins on a tile in the order of seats from the discarder: the first takes the sticks."""
    ordered: list[tuple[Line, int]] = []
    for is_win, group in groupby(lines, lambda pair: pair[0]["type"] == "hora"):
        found = list(group)
        seats = [(line.get("actor"), line.get("target")) for line, _ in found]
        if is_win and all(type(each) is int for pair in seats for each in pair):
            found.sort(key=lambda pair: (pair[0]["actor"] - pair[0]["target"]) % 4)
        ordered += found
    return ordered


def write(game: GameLog) -> str:
    """Write a log, one event per line. Disconnections are left out, because mjai cannot express them."""
    writer = LineWriter(game.start, game.viewer)
    lines = [line for event in game.events for line in writer.lines(event)]
    return "".join(f"{dump(line)}\n" for line in lines)


class TileNames:
    """The names of the tiles of a table, whose rules say whether a five can be red."""

    def __init__(self, rules: Rules) -> None:
        self._tile37: Final = tile37_names(rules)

    def of(self, tile: int) -> str:
        """The name of a ``tile136``."""
        return NAMES[self._tile37[tile]]

    def sorted(self, tiles: Iterable[int]) -> list[str]:
        """The names of ``tile136``, as a hand is laid out."""
        return [NAMES[tile] for tile in sort37(self._tile37[tile] for tile in tiles)]

    def line(self, seat: int, meld: Meld) -> Line:
        """The line of a call or a kan of a seat."""
        match meld.kind:
            case MeldKind.ANKAN:
                return {"type": "ankan", "actor": seat, "consumed": self.sorted(meld.tiles)}
            case MeldKind.KAKAN:
                pon = [tile for tile in meld.tiles if tile != meld.added]
                added = meld.tiles[0] if meld.added is None else meld.added
                return {"type": "kakan", "actor": seat, "pai": self.of(added), "consumed": self.sorted(pon)}
        called = meld.tiles[0] if meld.called is None else meld.called
        return {
            "type": meld.kind.name.lower(),
            "actor": seat,
            "target": meld.from_seat,
            "pai": self.of(called),
            "consumed": self.sorted(meld.own_tiles),
        }


class LineWriter:
    """Converts the events of one game to lines; what one seat, the ``viewer``, may not see is written ``?``."""

    def __init__(self, start: ev.StartGame, viewer: int | None = None) -> None:
        self._viewer = viewer
        self._names: Final = TileNames(start.rules)
        self._ended = True

    def lines(self, event: ev.Event) -> list[Line]:
        """The lines for one event; most events have one."""
        match event:
            case ev.StartGame():
                first = 0 if event.rules.hanchan else TONPU_KYOKU_FIRST
                names = list(event.names)
                whose = {} if self._viewer is None else {"id": self._viewer}
                facts = {"names": names, "kyoku_first": first, "aka_flag": event.rules.red_fives}
                return [{"type": "start_game", **whose, **facts}]
            case ev.StartKyoku():
                return [*self.end_kyoku(), self._start_kyoku(event)]
            case ev.Draw():
                pai = HIDDEN if event.tile is None else self._names.of(event.tile)
                return [{"type": "tsumo", "actor": event.seat, "pai": pai}]
            case ev.Discard():
                pai = self._names.of(event.tile)
                return [{"type": "dahai", "actor": event.seat, "pai": pai, "tsumogiri": event.tsumogiri}]
            case ev.RiichiDeclared():
                return [{"type": "reach", "actor": event.seat}]
            case ev.RiichiAccepted():
                return [{"type": "reach_accepted", "actor": event.seat}]
            case ev.NewDora():
                return [{"type": "dora", "dora_marker": self._names.of(event.indicator)}]
            case ev.Call():
                return [self._names.line(event.seat, event.meld)]
            case ev.Win():
                return [self._win(event)]
            case ev.Ryuukyoku():
                return [self._ryuukyoku(event)]
            case ev.EndGame():
                return [*self.end_kyoku(), {"type": "end_game"}]
            case ev.Resume():
                raise LogError("a log that begins in the middle of a hand cannot be written as mjai")
        return []

    def end_kyoku(self) -> list[Line]:
        """The lines that end the running hand; empty without one."""
        lines: list[Line] = [] if self._ended else [{"type": "end_kyoku"}]
        self._ended = True
        return lines

    def _start_kyoku(self, event: ev.StartKyoku) -> Line:
        self._ended = False
        return {
            "type": "start_kyoku",
            "bakaze": WIND_LETTERS[event.kyoku // 4],
            "dora_marker": self._names.of(event.dora_indicator),
            "kyoku": event.dealer + 1,
            "honba": event.honba,
            "kyotaku": event.riichi_sticks,
            "oya": event.dealer,
            "scores": list(event.scores),
            "tehais": [[HIDDEN] * 13 if hand is None else self._names.sorted(hand) for hand in event.hands],
        }

    def _win(self, win: ev.Win) -> Line:
        line: Line = {"type": "hora", "actor": win.seat, "target": win.from_seat}
        if win.score is not None:
            held = [tile for tile in win.concealed if tile != win.tile]
            line |= {"pai": self._names.of(win.tile), "hora_tehais": self._names.sorted(held), **format_mjai(win.score)}
        line["deltas"] = list(win.deltas)
        line["ura_markers"] = [self._names.of(tile) for tile in win.ura_indicators]
        return line

    def _ryuukyoku(self, draw: ev.Ryuukyoku) -> Line:
        return {
            "type": "ryukyoku",
            "reason": DRAWS[draw.kind].mjai,
            **({} if ev.Unstated.TENPAI in draw.unstated else {"tenpais": [hand is not None for hand in draw.hands]}),
            "deltas": list(draw.deltas),
        }
