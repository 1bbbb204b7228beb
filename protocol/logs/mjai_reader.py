"""Conversion of mjai lines to events."""

from collections.abc import Callable, Sequence
from typing import Any, Final

from engine.model import events as ev
from engine.model.events import RyuukyokuKind
from engine.model.melds import MeldKind
from engine.model.rules import NOTEN_POINTS, Rules
from engine.model.seats import SEATS, WIND_LETTERS, dealer_of, four, round_wind34, seat_wind34
from engine.model.tiles import EAST, HAKU, format_tile37
from protocol.errors import LogError, UnsupportedGameError
from protocol.logs.game_builder import GameBuilder
from protocol.logs.json_text import quoted, read_values
from protocol.logs.mjai_words import HIDDEN, NAMES, REASONS, TONPU_KYOKU_FIRST, parse_score

_KIND_OF: Final = {reason: kind for kind, reason in REASONS.items()} | {
    "exhaustivedraw": RyuukyokuKind.EXHAUSTIVE,
    "howanpai": RyuukyokuKind.EXHAUSTIVE,
    "sufonrenda": RyuukyokuKind.FOUR_WINDS,
    "sufurenta": RyuukyokuKind.FOUR_WINDS,
    "sukansanra": RyuukyokuKind.FOUR_KANS,
    "sukansansen": RyuukyokuKind.FOUR_KANS,
    "suchariichi": RyuukyokuKind.FOUR_RIICHI,
    "sanchahora": RyuukyokuKind.TRIPLE_RON,
}
"""Kinds of draw by the words that programs use, as :func:`_plain` spells them."""
_TILES: Final = {name: tile for tile, name in enumerate(NAMES)} | {format_tile37(tile): tile for tile in range(37)}
_MELDS: Final = {"chi": MeldKind.CHI, "pon": MeldKind.PON, "daiminkan": MeldKind.DAIMINKAN}
_IGNORED: Final = frozenset(("start_game", "reach_accepted", "dora", "end_kyoku", "none", "hello", "error"))

Line = dict[str, Any]


def parse_lines(text: str) -> list[tuple[Line, int]]:
    """Every event with its line number; the whole text may also be one JSON list."""
    found: list[tuple[Line, int]] = []
    for value, line in read_values(text):
        for each in value if isinstance(value, list) else [value]:
            if not isinstance(each, dict) or not isinstance(each.get("type"), str):
                raise LogError(f'is not an mjai event: {str(each)[:60]!r} has no "type"', position=f"line {line}")
            found.append((each, line))
    return found


class MjaiReader:
    """Feeds the lines of one game to a builder, one after another."""

    def __init__(self, start: Line, *, shows_red: bool) -> None:
        """Start a game.

        Args:
            start: the ``start_game`` line; empty if there is none.
            shows_red: whether red fives are named anywhere in the log.
        """
        self._line: Line = {}
        self._coming: Sequence[Line] = ()
        names = start.get("names")
        if isinstance(names, list) and len(names) == 3:
            raise UnsupportedGameError
        known = isinstance(names, list) and len(names) == 4 and all(isinstance(name, str) for name in names)
        hanchan = start.get("kyoku_first") != TONPU_KYOKU_FIRST
        rules = Rules(hanchan=hanchan, red_fives=start.get("aka_flag") is True or shows_red)
        self._table = GameBuilder(rules, four(names) if known and names else ("", "", "", ""))
        self._scores: ev.Points4 | None = None
        self._handlers: Final[dict[str, Callable[[], None]]] = {
            "start_kyoku": self._start_kyoku,
            "tsumo": self._tsumo,
            "dahai": self._dahai,
            "reach": self._reach,
            "chi": self._call,
            "pon": self._call,
            "daiminkan": self._call,
            "ankan": self._ankan,
            "kakan": self._kakan,
            "hora": self._hora,
            "ryukyoku": self._ryukyoku,
            "end_game": self._end_game,
        }

    def feed(self, line: Line, coming: Sequence[Line] = ()) -> None:
        """Process one line.

        Args:
            line: a line with a ``type``.
            coming: the lines after it, as far as they are known.

        Raises:
            LogError: the line is impossible; the message gives the position in the hand, not the line number.
        """
        self._line, self._coming = line, coming
        self._handlers.get(line["type"], self._other)()

    @property
    def events(self) -> list[ev.Event]:
        """All events so far."""
        return self._table.events

    # ------------------------------------------------------------------ one method a type of line

    def _other(self) -> None:
        kind = self._line["type"]
        if kind in {"kita", "nukidora"}:
            raise UnsupportedGameError
        if kind == "start_game" and self._table.events:
            raise LogError("a second game begins; split the file")
        if kind not in _IGNORED:
            raise LogError(f"{kind[:40]!r} is not a known mjai event")

    def _start_kyoku(self) -> None:
        builder, line = self._table, self._line
        builder.begin_hand()
        wind = line.get("bakaze", "E")
        if not isinstance(wind, str) or len(wind) != 1 or wind not in WIND_LETTERS:
            raise LogError(f'"bakaze" is {quoted(wind)}; it should be one of E, S, W, N')
        kyoku, dealer = self._int("kyoku"), self._seat("oya")
        if kyoku != dealer + 1:
            raise LogError(f'"kyoku" {kyoku} with "oya" {dealer}: kyoku 1 is the one where player 0 deals')
        hands = line.get("tehais")
        if isinstance(hands, list) and len(hands) == 3:
            raise UnsupportedGameError
        if not isinstance(hands, list) or len(hands) != 4:
            raise LogError(f'"tehais" should be four hands, not {quoted(hands)}')
        dealt = [self._hand(hand) for hand in hands]
        if "scores" in line:
            self._scores = self._points("scores")
        elif self._scores is None:
            self._scores = (25_000, 25_000, 25_000, 25_000)
        indicators = [self._tile("dora_marker"), *self._turned()]
        number = 4 * WIND_LETTERS.index(wind) + dealer
        builder.start_kyoku(number, self._int("honba", 0), self._int("kyotaku", 0), self._scores, indicators, dealt)

    def _turned(self) -> list[int]:
        """Indicators that the rest of this hand turns, if that is known."""
        found = []
        for line in self._coming:
            if line["type"] == "start_kyoku":
                break
            if line["type"] == "dora":
                found.append(_tile(line.get("dora_marker"), "dora_marker"))
        return found

    def _hand(self, names: Any) -> list[int] | None:
        if not isinstance(names, list):
            raise LogError(f'"tehais" should be lists of tiles, not {quoted(names)}')
        if all(name == HIDDEN for name in names):
            return None
        return [_tile(name, "tehais") for name in names]

    def _tsumo(self) -> None:
        hidden = self._line.get("pai") == HIDDEN
        self._playing().draw(self._seat("actor"), None if hidden else self._tile("pai"))

    def _dahai(self) -> None:
        tsumogiri = self._line.get("tsumogiri", False)
        if not isinstance(tsumogiri, bool):
            raise LogError(f'"tsumogiri" should be true or false, not {quoted(tsumogiri)}')
        self._playing().discard(self._seat("actor"), self._tile("pai"), tsumogiri=tsumogiri)

    def _reach(self) -> None:
        self._playing().riichi(self._seat("actor"))

    def _call(self) -> None:
        kind = _MELDS[self._line["type"]]
        self._playing().call(self._seat("actor"), kind, self._tile("pai"), self._tiles("consumed"))

    def _ankan(self) -> None:
        self._playing().ankan(self._seat("actor"), self._tiles("consumed"))

    def _kakan(self) -> None:
        self._playing().kakan(self._seat("actor"), self._tile("pai"))

    def _hora(self) -> None:
        builder, line = self._playing(), self._line
        seat, from_seat = self._seat("actor"), self._seat("target")
        ura = self._tiles("uradora_markers" if "uradora_markers" in line else "ura_markers")
        tile = self._tile("pai") if line.get("pai", HIDDEN) != HIDDEN else None
        won = builder.win_tile(seat, from_seat, tile)
        kyoku, dealer = builder.kyoku, dealer_of(builder.kyoku)
        score = parse_score(line, builder.held34(seat, won), seat_wind34(seat, dealer), round_wind34(kyoku))
        builder.win(seat, from_seat, won, self._deltas(), ura, None, score)

    def _ryukyoku(self) -> None:
        builder, line = self._playing(), self._line
        deltas = self._deltas()
        reason = line.get("reason")
        kind = _KIND_OF.get(_plain(reason)) if isinstance(reason, str) else _reason(builder, deltas)
        if kind is None:
            raise LogError(f'"reason" is {quoted(reason)}, which is not a known kind of draw')
        tenpai = line.get("tenpais")
        if isinstance(tenpai, list) and len(tenpai) == 4:
            shown: Sequence[int] = [seat for seat in SEATS if tenpai[seat] is True]
        else:
            shown = _shown(builder, kind, deltas)
        builder.ryuukyoku(kind, deltas, shown)

    def _end_game(self) -> None:
        if self._table.events:
            self._table.end_game()

    # ------------------------------------------------------------------ fields

    def _playing(self) -> GameBuilder:
        if not self._table.events:
            raise LogError("play before the first start_kyoku")
        return self._table

    def _int(self, key: str, default: int | None = None) -> int:
        value = self._line.get(key, default)
        if type(value) is not int or not 0 <= value <= 1_000_000:
            raise LogError(f'"{key}" should be a whole number, not {quoted(value)}')
        return value

    def _seat(self, key: str) -> int:
        value = self._int(key)
        if value not in SEATS:
            raise LogError(f'"{key}" is {value}; players are 0 to 3')
        return value

    def _points(self, key: str) -> ev.Points4:
        value = self._line.get(key)
        if isinstance(value, list) and len(value) == 3:
            raise UnsupportedGameError
        if not isinstance(value, list) or len(value) != 4 or not all(type(each) is int for each in value):
            raise LogError(f'"{key}" should be four whole numbers, not {quoted(value)}')
        return four(value)

    def _deltas(self) -> ev.Points4:
        """The payments; programs that do not write them write the scores after them, or nothing at a draw."""
        if "deltas" in self._line:
            return self._points("deltas")
        before = self._table.points
        if "scores" in self._line:
            return four([after - score for after, score in zip(self._points("scores"), before, strict=True)])
        if self._line["type"] == "ryukyoku":
            return (0, 0, 0, 0)
        raise LogError('a hora needs "deltas", the payments')

    def _tile(self, key: str) -> int:
        return _tile(self._line.get(key), key)

    def _tiles(self, key: str) -> list[int]:
        value = self._line.get(key, [])
        if not isinstance(value, list):
            raise LogError(f'"{key}" should be a list of tiles, not {quoted(value)}')
        return [_tile(each, key) for each in value]


def _tile(name: Any, key: str) -> int:
    tile = _TILES.get(name) if isinstance(name, str) else None
    if tile is None:
        raise LogError(f'{quoted(name)} in "{key}" is not a tile; tiles are 1m to 9s, 5mr 5pr 5sr and E S W N P F C')
    return tile


def _plain(word: str) -> str:
    """A Japanese word in one of its spellings: without long vowels and separators (``suufon_renta``: sufonrenta)."""
    return word.lower().replace("_", "").replace("uu", "u").replace("ou", "o")


def _reason(builder: GameBuilder, deltas: ev.Points4) -> RyuukyokuKind:
    """The reason for a draw, if the log does not give it."""
    if builder.wall_exhausted:
        paid = sum(delta for delta in deltas if delta > 0)
        return RyuukyokuKind.EXHAUSTIVE if paid in {0, NOTEN_POINTS} else RyuukyokuKind.NAGASHI_MANGAN
    if isinstance(builder.last, ev.Draw):
        return RyuukyokuKind.NINE_TERMINALS
    if len(builder.in_riichi) == 4:
        return RyuukyokuKind.FOUR_RIICHI
    if sum(meld.kind.is_kan for melds in builder.melds for meld in melds) == 4:
        return RyuukyokuKind.FOUR_KANS
    discards = [event.tile >> 2 for event in builder.hand_events if isinstance(event, ev.Discard)]
    if len(discards) == 4 and len(set(discards)) == 1 and EAST <= discards[0] < HAKU:
        return RyuukyokuKind.FOUR_WINDS
    return RyuukyokuKind.TRIPLE_RON


def _shown(builder: GameBuilder, kind: RyuukyokuKind, deltas: ev.Points4) -> Sequence[int]:
    """Who shows the hand at a draw, if the log does not say."""
    if kind is RyuukyokuKind.EXHAUSTIVE:
        # Nobody pays when all or none are tenpai; a seat in riichi is tenpai, so here all are.
        return [seat for seat in SEATS if deltas[seat] > 0] if any(deltas) else SEATS if builder.in_riichi else ()
    return builder.shows(kind)
