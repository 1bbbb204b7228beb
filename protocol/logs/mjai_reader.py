"""Conversion of mjai lines to events."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any, Final

from engine.model import events as ev
from engine.model.melds import MeldKind
from engine.model.rules import HANCHAN, RIICHI_STICK, TONPU
from engine.model.seats import SEATS, WIND_LETTERS, Four, dealer_of, four, round_wind34, seat_wind34
from engine.model.tiles import PLAIN37, format_tile37
from protocol.errors import LogError, LogTrouble, UnsupportedGameError
from protocol.logs.draws import end_without_win
from protocol.logs.game_builder import GameBuilder
from protocol.logs.game_log import UNPLAYED, GameLog, LogInfo
from protocol.logs.hands import NOBODY_PAYS
from protocol.logs.json_text import Doubled, JsonError, quoted, read_value, read_values, whole, whole_numbers
from protocol.logs.rule_text import StatedRules, flag, stated_by, type_of_name, unplayed
from protocol.logs.shown_rules import length_of_course
from protocol.logs.wins import parse_mjai
from protocol.logs.words import length_of_title
from protocol.tenhou.game_type import HANCHAN as HANCHAN_BIT

Line = dict[str, Any]
Fields = Sequence[tuple[str, Any]]
"""The fields of a ``start_game`` and of the rules within it, by their names without separators and in lower case."""

NAMES: Final = (
    *(f"{number}{suit}" for suit in "mps" for number in range(1, 10)),
    *("E", "S", "W", "N", "P", "F", "C"),
    *("5mr", "5pr", "5sr"),
)
"""Name of each ``tile37``."""

HIDDEN: Final = "?"
FIVES: Final = ("5m", "5p", "5s")
"""The plain fives."""

TONPU_KYOKU_FIRST: Final = 4
"""``kyoku_first`` of an east-only game; it is 0 for a hanchan."""

_LONGEST_NAME: Final = 40
"""Characters of the longest name of a field that is looked at."""
_LENGTHS: Final = frozenset(
    ("gametype", "gamemode", "gamelength", "mode", "length", "rule", "disp", "roomtype", "title")
)
"""Fields whose text names the length and the rules of the game, without separators and in lower case."""
_AKA_FLAG: Final = "aka_flag"
"""The field of mjai that says whether there are red fives."""
_RULE_FLAGS: Final = {
    **dict.fromkeys(
        ("akaflag", "aka", "akadora", "hasaka", "redfives", "reddora", "aka51", "aka52", "aka53"), "red_fives"
    ),
    **dict.fromkeys(("opentanyao", "kuitan"), "open_tanyao"),
    **dict.fromkeys(("kiriage", "kiriagemangan"), "kiriage"),
    "ippatsu": "ippatsu",
    "uradora": "ura_dora",
}
"""Fields that say whether the table has a rule, without separators and in lower case."""
_NESTED: Final = frozenset(("rule", "rules", "config", "settings", "gamerule", "gamerules"))
_LENGTH_FLAGS: Final = {"tonpu": False, "tonpuu": False, "tonpuusen": False, "eastonly": False, "hanchan": True}
"""Fields that are true for a hanchan (True) or an east-only game (False)."""
_MORE_LENGTHS: Final = {"half": True, "one kyoku": False, "single round": False}
"""Words of programs, besides those of titles, for a hanchan (True) and for a game that is not longer than a round."""


def is_hanchan(start: Line, fields: Fields, texts: Sequence[str]) -> bool | None:
    """Whether the game has a south round; None if the line does not say it; ``fields``, ``texts``: what it has."""
    first = start.get("kyoku_first")
    if first is not None:
        return whole(first) != TONPU_KYOKU_FIRST
    for key, value in fields:
        if value is True and key.removeprefix("is") in _LENGTH_FLAGS:
            return _LENGTH_FLAGS[key.removeprefix("is")]
    types = [bits for text in texts if (bits := type_of_name(text)) is not None]
    if types:
        return bool(types[0] & HANCHAN_BIT)
    words = [text.lower().replace("_", " ").replace("-", " ") for text in texts]
    more = (long for text in words for word, long in _MORE_LENGTHS.items() if word in text)
    titled = length_of_title(words)
    return next(more, None) if titled is None else titled


def stated_rules_of(start: Line, fields: Fields, texts: Iterable[str]) -> StatedRules:
    """The rules that the line states besides the length; mjai's own field decides on red fives, then the others."""
    said: dict[str, bool] = {}
    for key, value in fields:
        found = flag(value) if key in _RULE_FLAGS else None
        if found is not None:
            said[_RULE_FLAGS[key]] = found or said.get(_RULE_FLAGS[key], False)
    red = flag(start.get(_AKA_FLAG))
    if red is not None:
        said["red_fives"] = red
    return StatedRules(**said).otherwise(stated_by(texts))


def player_names(start: Line) -> Four[str]:
    """The names by seat; empty where there is no text.

    Raises:
        UnsupportedGameError: there are three, so it is a game of three players.
    """
    names = start.get("names")
    if isinstance(names, list) and len(names) == 3:
        raise UnsupportedGameError
    if not isinstance(names, list) or len(names) != len(SEATS):
        return ("", "", "", "")
    return four([name if isinstance(name, str) else "" for name in names])


def _texts(fields: Fields) -> Iterator[str]:
    """The texts of the fields about the kind of game."""
    for key, value in fields:
        if key in _LENGTHS:
            yield from (each for each in (value if isinstance(value, list) else [value]) if isinstance(each, str))


def _fields(start: Line) -> Iterator[tuple[str, Any]]:
    """The fields of the line and of the rules within it."""
    for key, value in start.items():
        plain = _plain(key)
        yield plain, value
        if plain in _NESTED and isinstance(value, dict):
            yield from ((_plain(inner), each) for inner, each in value.items())


def _plain(text: str) -> str:
    return _without_separators(text) if len(text) <= _LONGEST_NAME else text


@lru_cache(maxsize=256)
def _without_separators(text: str) -> str:
    return text.lower().replace("_", "").replace("-", "").replace(" ", "")


TILES: Final = {name: tile for tile, name in enumerate(NAMES)} | {format_tile37(tile): tile for tile in range(37)}
"""The ``tile37`` of each name, in mjai's words and in ours."""
_MELDS: Final = {"chi": MeldKind.CHI, "pon": MeldKind.PON, "daiminkan": MeldKind.DAIMINKAN}
_THREE_PLAYERS: Final = frozenset(("kita", "nukidora", "pei", "babei"))
_IGNORED: Final = frozenset(
    (
        *("start_game", "reach_accepted", "end_kyoku", "none", "hello", "join", "error"),
        *("request_action", "action_ack", "validation_result"),  # what RiichiLab's server says besides the play
    )
)
_OUTSIDE: Final = frozenset(("start_game", "end_game", "kita", "nukidora", "pei", "babei"))
"""Types of lines that are read also where the hand is lost."""
_FIRST_SCORES: Final = (25_000, 25_000, 25_000, 25_000)

LOOKS_AHEAD: Final = "start_kyoku"
"""The type of line that is read with the lines after it: they turn the indicators of its hand."""


def parse_lines(text: str) -> tuple[list[tuple[Line, int]], dict[int, LogError]]:
    """Every event with its line number, and the errors of lines that cannot be read, by their numbers.

    The whole text may also be one JSON list.

    Raises:
        LogError: no line can be read.
    """
    try:
        return [(_event(each), line) for value, line in read_values(text) for each in _each(value)], {}
    except LogError as error:
        whole = error
    found, broken = _whole_lines(_remark("", text))
    if not found:
        raise whole
    return found, broken


_remark: Final = re.compile(r"^[ \t]*(?:#|//).*", re.MULTILINE).sub
_SWALLOWED: Final = 8
"""Characters of the beginning of an object, ``{"``, that a text without its closing quotation mark may contain."""
_MOST_BROKEN: Final = 5_000
"""Places that are not JSON after which a text is not read any further; a whole game has some 1,500 lines."""
_next_object: Final = re.compile(r"\n|\{\s*\"").search


def _whole_lines(text: str) -> tuple[list[tuple[Line, int]], dict[int, LogError]]:
    """The JSON objects of a text, in lines or in a list, with their line numbers; and the errors of what is none."""
    found: list[tuple[Line, int]] = []
    broken: dict[int, LogError] = {}
    at, number, faults = 0, 1, 0
    while at < len(text):
        begin = text.find("{", at)
        between = text[at:begin] if begin >= 0 else text[at:]
        for later, part in enumerate(between.split("\n")):
            if part.strip(" \t\r[],\ufeff\0"):
                broken.setdefault(number + later, LogError("is not JSON", trouble=LogTrouble.NO_LOG))
        if begin < 0:
            break
        number += between.count("\n")
        try:
            value, at = read_value(text, begin)
        except JsonError as error:
            broken.setdefault(number, error)
            if (faults := faults + 1) > _MOST_BROKEN:
                broken[number] = LogError(f"more than {_MOST_BROKEN:,} places are not JSON; what follows is not read")
                break
            # what was read until then was of this object, but for the beginning of one that its last text swallowed
            following = _next_object(text, max(begin + 1, error.at - _SWALLOWED))
            at = following.start() if following else len(text)
        else:
            try:
                found.append((_event(value), number))
            except LogError as error:
                broken.setdefault(number, error)
        number += text.count("\n", begin, at)
    return found, broken


def _each(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


def _event(value: Any) -> Line:
    if not isinstance(value, dict) or not isinstance(value.get("type"), str):
        raise LogError(f'is not an mjai event: {str(value)[:60]!r} has no "type"')
    if isinstance(value, Doubled):
        raise LogError(f"{next(iter(value.faults.values()))}; remove the wrong one")
    return value


class MjaiReader:
    """Feeds the lines of one game to a builder, one after another.

    Attributes:
        notes: what was read otherwise than it is written.
    """

    def __init__(self, start: Line, *, hanchan: bool | None = None, red_fives: bool | None = None) -> None:
        """Start a game.

        Args:
            start: the ``start_game`` line; empty if there is none. Where it does not state a rule, it is the usual one.
            hanchan: whether there is a south round, where the line does not say it; None if that is not known.
            red_fives: whether there are red fives, whatever the line says; None to believe the line.

        Raises:
            LogError: it is not a game of four players.
        """
        names = player_names(start)
        fields = tuple(_fields(start))
        texts = tuple(_texts(fields))
        said = is_hanchan(start, fields, texts)
        long = hanchan if said is None else said
        self._length_known: Final = long is not None
        self._id = whole(start.get("id"))
        self._line: Line = {}
        self._coming: Iterable[tuple[Line, int]] = ()
        self._dora_lines = 0  # those of the current hand
        stated = stated_rules_of(start, fields, texts)
        self._says_red: Final = stated.red_fives
        if red_fives is not None:
            stated = stated._replace(red_fives=red_fives)
        self._table = GameBuilder(stated.over(TONPU if long is False else HANCHAN), names)
        self.notes: Final = self._table.notes
        if others := [quoted(each) for text in texts for each in unplayed(text)]:
            self.notes.add(f"{UNPLAYED}: {', '.join(others)}", "rule")
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
            "dora": self._dora,
            "hora": self._hora,
            "ryukyoku": self._ryukyoku,
            "end_game": self._end_game,
        }

    def feed(self, line: Line, coming: Iterable[tuple[Line, int]] = ()) -> None:
        """Process one line. A field that is null counts as absent.

        Args:
            line: a line with a ``type``.
            coming: the lines after it with their numbers, as far as they are known.

        Raises:
            LogError: the line is impossible; the message gives the position in the hand, not the line number.
        """
        self._line, self._coming = {key: value for key, value in line.items() if value is not None}, coming
        self._handlers.get(line["type"], self._other)()

    def follow(self, line: Line, number: int, coming: Iterable[tuple[Line, int]] = ()) -> None:
        """Process the line of this number in a log; one that is impossible costs its hand.

        Raises:
            LogError: it is of no hand, or of a game that is not supported.
        """
        begins = line["type"] == LOOKS_AHEAD
        if begins:
            self._table.begin(f"line {number}")
        elif self._table.lost and line["type"] not in _OUTSIDE:
            return
        try:
            self.feed(line, coming)
        except LogError as error:
            named = () if error.position.startswith("line ") else (f"line {number}",)
            where = ", ".join(filter(None, (*named, error.position)))
            in_play = begins or self._table.hands.place
            another = isinstance(error, UnsupportedGameError) and self._table.is_first
            if another or error.trouble is LogTrouble.SEVERAL_GAMES or not in_play:
                raise type(error)(error.message, position=where, trouble=error.trouble) from None
            self._table.lose(LogError(error.message), where)

    def lose(self, error: LogError, place: str) -> None:
        """Leave out the current hand, for an error at a place; words between two hands are noted and passed over."""
        table = self._table
        if not table.begun or (error.trouble is LogTrouble.NO_LOG and not (table.hands.in_hand or table.lost)):
            self.notes.add(f"passed over outside the hands: {error.message}", place)
        else:
            table.lose(error, place)

    def log(self, source: str) -> GameLog:
        """The log of the hands that could be followed.

        Raises:
            LogError: there is none.
        """
        table = self._table
        if not (table.events or table.left_out):
            raise LogError("contains no hand: there is no start_kyoku", trouble=LogTrouble.NO_GAME)
        return table.log(LogInfo(), source, self._viewer())

    def _viewer(self) -> int | None:
        """The seat whose view it is: of those whose hands are open, the one that is stated; None if all are open."""
        deals = [event.hands for event in self._table.events if isinstance(event, ev.StartKyoku)]
        open_in = [sum(hands[seat] is not None for hands in deals) for seat in SEATS]
        if min(open_in) == len(deals):
            return None
        viewer = self._id if self._id in SEATS and open_in[self._id] else open_in.index(max(open_in))
        others = [seat for seat in SEATS if open_in[seat] and seat != viewer]
        if others:
            self.notes.add(f"shows some hands, not all: read as seat {viewer} saw it", '"tehais"')
        return viewer

    def note_red_fives(self, *, seen: bool) -> None:
        """Note it where red fives are not as the line states them; ``seen``: whether some are among the tiles."""
        played = self._table.rules.red_fives
        self._table.note_red_fives(self._says_red, played, won=played, seen=seen)

    def settle_length(self) -> None:
        """At the end of a log that does not say how long its game is, decide that by its course."""
        if not self._length_known and self.events:
            hanchan = length_of_course(self.events, self._table.points) is not False
            self._table.play_whole_by(replace(self._table.start.rules, hanchan=hanchan))

    @property
    def events(self) -> list[ev.Event]:
        """All events so far."""
        return self._table.events

    # ------------------------------------------------------------------ one method a type of line

    def _other(self) -> None:
        kind = self._line["type"]
        if kind in _THREE_PLAYERS:
            raise UnsupportedGameError
        if kind == "start_game" and self._table.events:
            raise LogError("a second game begins; split the file", trouble=LogTrouble.SEVERAL_GAMES)
        if kind not in _IGNORED:
            raise LogError(f"{kind[:40]!r} is not a known mjai event")

    def _start_kyoku(self) -> None:
        builder, line = self._table, self._line
        carried = builder.points if builder.events else _FIRST_SCORES
        wind = line.get("bakaze", "E")
        if not isinstance(wind, str) or len(wind) != 1 or wind not in WIND_LETTERS:
            raise LogError(f'"bakaze" is {quoted(wind)}; it should be one of E, S, W, N')
        kyoku = self._int("kyoku", self._seat("oya") + 1 if "oya" in line else None)
        dealer = self._seat("oya") if "oya" in line else kyoku - 1
        if kyoku != dealer + 1 or dealer not in SEATS:
            raise LogError(f'"kyoku" {kyoku} with "oya" {dealer}: kyoku 1 is the one where player 0 deals')
        scores = self._points("scores") if "scores" in line else carried
        standing = (4 * WIND_LETTERS.index(wind) + dealer, self._int("honba", 0), self._int("kyotaku", 0), scores)
        builder.hands.begin(*standing)  # from here on, errors name the hand
        hands = line.get("tehais")
        if not isinstance(hands, list) or len(hands) != 4:
            raise LogError(f'"tehais" should be four hands, not {quoted(hands)}')
        dealt = [self._hand(hand) for hand in hands]
        self._dora_lines = 0
        builder.start_kyoku(*standing, [self._tile("dora_marker"), *self._turned()], dealt)

    def _turned(self) -> list[int]:
        """Indicators that the rest of this hand turns, if that is known."""
        found = []
        for line, number in self._coming:
            if line["type"] == LOOKS_AHEAD:
                break
            if line["type"] == "dora":
                try:
                    found.append(self._plain(_tile(line.get("dora_marker"), "dora_marker")))
                except LogError as error:
                    raise error.located(position=f"line {number}") from None
        return found

    def _hand(self, names: Any) -> list[int] | None:
        if names is None:
            return None
        if not isinstance(names, list):
            raise LogError(f'"tehais" should be lists of tiles, not {quoted(names)}')
        if all(name == HIDDEN for name in names):
            return None
        return [self._plain(_tile(name, "tehais")) for name in names]

    def _tsumo(self) -> None:
        builder, seat = self._playing(), self._seat("actor")
        hidden = builder.hands.concealed[seat] is None or self._line.get("pai") == HIDDEN
        builder.draw(seat, None if hidden else self._tile("pai"))

    def _dahai(self) -> None:
        builder, seat, tile = self._playing(), self._seat("actor"), self._tile("pai")
        said = self._line.get("tsumogiri")
        if said is not None and not isinstance(said, bool):
            raise LogError(f'"tsumogiri" should be true or false, not {quoted(said)}')
        place = builder.position
        tsumogiri = builder.discard(seat, tile, tsumogiri=said)
        if said is not None and said is not tsumogiri:
            was = "is the tile just drawn" if tsumogiri else "is not the tile just drawn"
            self.notes.add(f'"tsumogiri" is {str(said).lower()} where the discard {was}', place)

    def _reach(self) -> None:
        self._playing().riichi(self._seat("actor"))

    def _call(self) -> None:
        builder, kind = self._playing(), _MELDS[self._line["type"]]
        place, last = builder.position, builder.hands.last
        builder.call(self._seat("actor"), kind, self._tile("pai"), self._tiles("consumed"))
        said = self._line.get("target")
        if said is not None and isinstance(last, ev.Discard) and whole(said) != last.seat:
            self.notes.add('"target" of a call is not the player whose discard it takes', place)

    def _ankan(self) -> None:
        self._playing().ankan(self._seat("actor"), self._tiles("consumed"))

    def _kakan(self) -> None:
        self._playing().kakan(self._seat("actor"), self._tile("pai"))

    def _dora(self) -> None:
        """Note an indicator that no kan turns: those of a log are known at the deal, and turned as the play has it."""
        self._dora_lines += 1
        if self._table.hands.in_hand and self._dora_lines > self._table.hands.kans:
            self.notes.add('a "dora" is passed over, because no kan turns it', self._table.position)

    def _hora(self) -> None:
        builder, line = self._playing(), self._line
        seat = self._seat("actor")
        from_seat = self._seat("target") if "target" in line else builder.provider(seat)
        ura = self._tiles("uradora_markers" if "uradora_markers" in line else "ura_markers")
        tile = self._tile("pai") if line.get("pai", HIDDEN) != HIDDEN else None
        won = builder.win_tile(seat, from_seat, tile)
        kyoku, dealer = builder.kyoku, dealer_of(builder.kyoku)
        score = parse_mjai(line, builder.held34(seat, won), seat_wind34(seat, dealer), round_wind34(kyoku))
        self._compare_hand(seat, won)
        deltas = self._paid()
        unstated = ev.Unstated.LIABLE if deltas else ev.Unstated.LIABLE | ev.Unstated.PAYMENTS
        builder.win(seat, from_seat, won, deltas or NOBODY_PAYS, ura, None, score, unstated, self._shown(seat))

    def _shown(self, seat: int) -> list[int]:
        """The tiles that the winner shows of a hand that was hidden until now."""
        shown = self._line.get("hora_tehais", [])
        hidden = self._table.hands.concealed[seat] is None
        return [] if not hidden or (isinstance(shown, list) and HIDDEN in shown) else self._tiles("hora_tehais")

    def _compare_hand(self, seat: int, won: int) -> None:
        """Note it where the line shows other tiles of the winner, with the winning one or without it."""
        said, hand = self._line.get("hora_tehais"), self._table.hands.concealed[seat]
        if hand is None or not isinstance(said, list) or not said or HIDDEN in said:
            return
        named = [TILES.get(name, -1) if isinstance(name, str) else -1 for name in said]
        shown = sorted(self._plain(tile) if tile >= 0 else tile for tile in named)
        tile37 = self._table.tile37
        if shown not in [sorted(tile37[tile] for tile in held) for held in (hand - {won}, hand | {won})]:
            self.notes.add('"hora_tehais" are not the tiles with which the player wins', self._table.position)

    def _ryukyoku(self) -> None:
        builder, line = self._playing(), self._line
        reason, tenpai = line.get("reason"), line.get("tenpais")
        shown = None
        if isinstance(tenpai, list) and len(tenpai) == len(SEATS):
            said = [False if each is None else flag(each) for each in tenpai]
            shown = None if None in said else [seat for seat in SEATS if said[seat]]
        end_without_win(builder, reason if isinstance(reason, str) else "", self._paid(), shown, is_drawn=True)

    def _end_game(self) -> None:
        builder = self._table
        if not builder.events or builder.lost:
            return
        before, said = builder.points, whole_numbers(self._line.get("scores"), len(SEATS))
        ends = [event for event in builder.hand_events if isinstance(event, ev.Win | ev.Ryuukyoku)]
        builder.end_game()
        counted = bool(ends) and not any(ev.Unstated.PAYMENTS in event.unstated for event in ends)
        # riichi sticks that are left over may be in them, or not yet
        if said is not None and counted and four(said) not in {before, builder.points}:
            self.notes.add('"scores" of the end are not those that the hands come to', "end_game")

    # ------------------------------------------------------------------ fields

    def _playing(self) -> GameBuilder:
        if not self._table.hands.place:
            raise LogError("play before the first start_kyoku")
        return self._table

    def _int(self, key: str, default: int | None = None) -> int:
        value = self._line.get(key, default)
        number = whole(value)
        if number is None:
            raise LogError(f'"{key}" should be a whole number, not {quoted(value)}')
        return number

    def _seat(self, key: str) -> int:
        value = self._int(key)
        if value not in SEATS:
            raise LogError(f'"{key}" is {value}; players are 0 to 3')
        return value

    def _points(self, key: str) -> ev.Points4:
        value = self._line.get(key)
        if isinstance(value, list) and len(value) == 3:
            raise UnsupportedGameError
        numbers = whole_numbers(value, 4)
        if numbers is None:
            raise LogError(f'"{key}" should be four whole numbers, not {quoted(value)}')
        return four(numbers)

    def _paid(self) -> ev.Points4 | None:
        """The payments as the line states them, or by the scores after them; None if it has neither."""
        if "scores" not in self._line:
            return self._points("deltas") if "deltas" in self._line else None
        points, accepting = list(self._table.points), self._table.accepting
        changes = [now - before for now, before in zip(self._points("scores"), points, strict=True)]
        if accepting is not None and sum(changes) < 0:  # the scores after a draw are those after the riichi before it
            changes[accepting] += RIICHI_STICK
        if "deltas" not in self._line:
            return four(changes)
        deltas = self._points("deltas")
        if deltas != four(changes):
            self.notes.add('"deltas" decide where "scores" are not those that they lead to', self._table.position)
        return deltas

    def _plain(self, tile37: int) -> int:
        """The tile; at a table without red fives a plain one, whatever it is called."""
        return tile37 if self._table.rules.red_fives else PLAIN37[tile37]

    def _tile(self, key: str) -> int:
        return self._plain(_tile(self._line.get(key), key))

    def _tiles(self, key: str) -> list[int]:
        value = self._line.get(key, [])
        if not isinstance(value, list):
            raise LogError(f'"{key}" should be a list of tiles, not {quoted(value)}')
        return [self._plain(_tile(each, key)) for each in value]


def _tile(name: Any, key: str) -> int:
    tile = TILES.get(name) if isinstance(name, str) else None
    if tile is None:
        raise LogError(f'{quoted(name)} in "{key}" is not a tile; tiles are 1m to 9s, 5mr 5pr 5sr and E S W N P F C')
    return tile
