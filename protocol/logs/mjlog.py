"""Tenhou's own log format: XML with the messages of the wire protocol in absolute seats, with all tiles shown.

Old logs are read as well: without SHUFFLE, or with a seed in each INIT; riichi without the scores after it; GO without
a lobby; ratings without decimals; two discards by a player in a row. The chips of chip tables are ignored.
"""

import dataclasses
import re
from collections.abc import Callable, Iterator
from typing import Any, Final
from xml.parsers import expat
from xml.sax.saxutils import quoteattr

from engine.model import events as ev
from engine.model.plural import plural
from engine.model.seats import SEATS, four
from protocol.errors import LocalProtocolError, LogError, LogTrouble, ProtocolError
from protocol.logs.game_log import LOG_ID, GameLog, LogInfo
from protocol.logs.ledger import ADVICE, TileLedger
from protocol.tenhou import server
from protocol.tenhou.announce import Announcer
from protocol.tenhou.codec import format_element, parse_element
from protocol.tenhou.game_type import GameType
from protocol.tenhou.schema import Message, Sender, Unknown
from protocol.tenhou.translate import Translator

VERSION: Final = "2.3"
_ROOT: Final = server.Mjloggm.TAG
_log_id: Final = re.compile(LOG_ID).search


def read(text: str | bytes, source: str = "", *, partly: bool = False) -> GameLog:
    """Read one game.

    Args:
        text: the XML, decompressed.
        source: its name, for messages; a log id in it is used if the log itself has none.
        partly: whether XML that is cut short is read up to that point. Whole XML may end in the middle of a hand, as
            ours does for a game that was not played to its end; a note says so.

    Raises:
        UnsupportedGameError: the game is for three players.
        LogError: the text is not one whole four-player game as Tenhou writes it; the message says where.
    """
    data = text.encode(errors="replace") if isinstance(text, str) else text
    try:
        return _Reader(source).read(data, partly=partly)
    except _RepeatedError:
        return _Reader(source).read(_without_repeated(data, source), partly=partly)


def write(log: GameLog) -> str:
    """Write one game so that the usual viewers can open it.

    Raises:
        LocalProtocolError: a log cannot express an event, such as a hidden draw.
    """
    elements = "".join(_element(message) for message in _messages(log))
    return f"<{_ROOT} ver={quoteattr(log.info.version or VERSION)}>{elements}</{_ROOT}>"


class _Reader:
    """One pass over the XML, so that every error knows its line and column."""

    def __init__(self, source: str) -> None:
        self._source = source
        self._depth = 0
        self._bad_tag = ""
        """Position of the tag that could not be read; once its handler has raised, expat's position is after it."""
        self._translator = Translator(log=True)
        self._ledger = TileLedger()
        self._events: list[ev.Event] = []
        self._version = ""
        self._go: server.Go | None = None
        self._un: server.Un | None = None
        self._log_id = ""
        self._shuffle = ""
        self._shuffles: list[str] = []
        self._opening: dict[type[Message], Callable[[Any], None]] = {
            Unknown: self._on_unknown,
            server.Shuffle: self._on_shuffle,
            server.Go: self._on_go,
            server.Un: self._on_un,
            server.Taikyoku: self._on_taikyoku,
            server.Init: self._on_init,
        }
        """Handlers of what a log says besides the play."""
        self._parser = expat.ParserCreate("utf-8")  # whatever encoding it declares: Tenhou writes no other
        self._parser.StartElementHandler = self._element
        self._parser.EndElementHandler = self._end
        self._parser.StartDoctypeDeclHandler = self._doctype

    def read(self, data: bytes, *, partly: bool = False) -> GameLog:
        broken_off = ""
        notes: tuple[str, ...] = ()
        try:
            self._parser.Parse(data, True)
            if not self._ledger.in_hand:
                self._ledger.close()
            elif partly:
                broken_off = str(self._located(LogError("the log ends in the middle of a hand")))
            else:
                notes = (f"ends in the middle of {self._ledger.place}: read up to there",)
        except expat.ExpatError as error:
            if error.code == _REPEATED:
                raise _RepeatedError from None
            located = self._located(self._unreadable(error))
            if not (partly and self._ledger.place and self._is_cut_short(error)):
                raise located from None
            broken_off = str(located)
        except LogError as error:
            raise self._located(error) from None
        except ProtocolError as error:
            raise self._located(LogError(f"{error}; {ADVICE}")) from None
        return GameLog(tuple(self._events), self._info(), self._source, broken_off, notes)

    def _place(self) -> str:
        return f"line {self._parser.CurrentLineNumber}, column {self._parser.CurrentColumnNumber + 1}"

    def _located(self, error: LogError) -> LogError:
        place = self._bad_tag or self._place()
        hand = error.position or self._ledger.place
        located = type(error)(error.message, error.source, f"{place}, {hand}" if hand else place, error.trouble)
        return located.located(self._source)

    def _unreadable(self, error: expat.ExpatError) -> LogError:
        if not self._depth:
            why = f"not a Tenhou log ({expat.ErrorString(error.code)}); an mjlog begins with <{_ROOT}>"
            return LogError(why, trouble=LogTrouble.NO_LOG)
        if self._is_cut_short(error):
            return LogError("the log is cut short; fetch it again")
        return LogError(f"broken XML ({expat.ErrorString(error.code)}); {ADVICE}")

    @staticmethod
    def _is_cut_short(error: expat.ExpatError) -> bool:
        return error.code in (expat.errors.codes[message] for message in _CUT_SHORT)

    def _doctype(self, *_: object) -> None:
        raise LogError(
            f"not a Tenhou log: it has a document type; an mjlog begins with <{_ROOT}>", trouble=LogTrouble.NO_LOG
        )

    def _end(self, _: str) -> None:
        self._depth -= 1

    def _element(self, tag: str, attributes: dict[str, str]) -> None:
        self._depth += 1
        if self._depth == 1:
            if tag != _ROOT:
                why = f"not a Tenhou log: it begins with <{tag}>; an mjlog begins with <{_ROOT}>"
                raise LogError(why, trouble=LogTrouble.NO_LOG)
            self._version = attributes.get("ver", "")
            return
        try:
            self._message(parse_element(tag, attributes, Sender.SERVER))
        except ProtocolError:
            self._bad_tag = self._place()
            raise

    def _message(self, message: Message) -> None:
        opening = self._opening.get(type(message))
        if opening is not None:
            opening(message)
        for event in self._translator.translate(message):
            if type(event) is ev.Discard:
                event = self._standing(event)  # noqa: PLW2901
            elif type(event) is ev.Ryuukyoku:
                event = self._with_hands(event)  # noqa: PLW2901
            self._ledger.apply(event)
            self._events.append(event)

    def _standing(self, event: ev.Discard) -> ev.Discard:
        """The valid one of two discards by a player in a row: the second, because the server accepted a late answer.

        This happened in the night of 2010-02-28; a win there is on the second tile.
        """
        first = self._events[-1] if self._events else None
        if type(first) is not ev.Discard or first.seat != event.seat:
            return event
        self._ledger.withdraw(first)
        self._events.pop()
        return dataclasses.replace(event, tsumogiri=self._events[-1] == ev.Draw(event.seat, event.tile))

    def _with_hands(self, event: ev.Ryuukyoku) -> ev.Ryuukyoku:
        """The draw with the hands of who was tenpai, which Tenhou shows, but not every program that writes such logs.

        The payments say who was; if nobody paid, a seat in riichi says that all were.
        """
        if event.kind is not ev.RyuukyokuKind.EXHAUSTIVE or any(hand is not None for hand in event.hands):
            return event
        tenpai = [seat for seat in SEATS if event.deltas[seat] > 0]
        unstated = ev.Unstated.HANDS
        if not any(event.deltas):
            deal = max((at for at, each in enumerate(self._events) if type(each) is ev.StartKyoku), default=0)
            if not any(type(each) is ev.RiichiAccepted for each in self._events[deal:]):
                return event
            tenpai, unstated = list(SEATS), unstated | ev.Unstated.TENPAI
        hands = four(self._ledger.concealed(seat) if seat in tenpai else None for seat in SEATS)
        return dataclasses.replace(event, hands=hands, unstated=unstated)

    def _on_unknown(self, message: Unknown) -> None:
        raise LogError(f"unknown tag <{message.tag}>; remove it, or report the log if Tenhou wrote it")

    def _on_shuffle(self, message: server.Shuffle) -> None:
        self._shuffle = message.seed

    def _on_go(self, message: server.Go) -> None:
        if self._go is not None:
            raise LogError("a second <GO>: the log contains two games; split it", trouble=LogTrouble.SEVERAL_GAMES)
        self._go = message

    def _on_un(self, message: server.Un) -> None:
        if self._un is not None:
            return
        for said in (message.dan, message.rate, message.sx):
            if said is not None and len(said) != 4:
                raise LogError(f"<UN> names {plural(len(said), 'player')}, not 4; {ADVICE}")
        self._un = message

    def _on_taikyoku(self, message: server.Taikyoku) -> None:
        self._log_id = message.log or ""

    def _on_init(self, message: server.Init) -> None:
        if self._go is None:
            raise LogError(f"a hand before <GO> gave the rules; {ADVICE}")
        if message.shuffle is not None:
            self._shuffles.append(message.shuffle)

    def _info(self) -> LogInfo:
        found = _log_id(self._source)
        un = self._un or server.Un()
        return LogInfo(
            log_id=self._log_id or (found[0] if found else ""),
            game_type=self._go.type if self._go else None,
            lobby=(self._go.lobby if self._go else None) or "",
            version=self._version,
            dan=None if un.dan is None else four(un.dan),
            rates=None if un.rate is None else four(un.rate),
            sexes=None if un.sx is None else four(un.sx),
            shuffle=self._shuffle,
            shuffles=tuple(self._shuffles),
        )


_CUT_SHORT: Final = (
    expat.errors.XML_ERROR_NO_ELEMENTS,
    expat.errors.XML_ERROR_UNCLOSED_TOKEN,
    expat.errors.XML_ERROR_PARTIAL_CHAR,
)


class _RepeatedError(Exception):
    """A tag names an attribute twice, which XML does not allow."""


_REPEATED: Final = expat.errors.codes[expat.errors.XML_ERROR_DUPLICATE_ATTRIBUTE]
_tags: Final = re.compile(rb"<[A-Za-z][^\s<>/=]*((?:\s+[^\s<>/=]+\s*=\s*(?:\"[^\"<]*\"|'[^'<]*'))+)").sub
_attributes: Final = re.compile(rb"\s+([^\s<>/=]+)\s*=\s*(\"[^\"<]*\"|'[^'<]*')").finditer


def _without_repeated(data: bytes, source: str) -> bytes:
    """The XML without attributes that repeat another with an equal value, as some of Tenhou's own logs do.

    Blanks take their place, so that positions stay true.

    Raises:
        LogError: an attribute is repeated with another value.
    """

    def once(tag: re.Match[bytes]) -> bytes:
        values: dict[bytes, bytes] = {}
        parts = [data[tag.start() : tag.start(1)]]
        for found in _attributes(tag[1]):
            name, value = found[1], found[2][1:-1]
            again = name in values
            if values.setdefault(name, value) != value:
                first, second = (each.decode(errors="replace")[:60] for each in (values[name], value))
                element = tag[0].split(None, 1)[0].decode(errors="replace")
                line = data.count(b"\n", 0, tag.start()) + 1
                column = tag.start() - data.rfind(b"\n", 0, tag.start())
                raise LogError(
                    f"{element}> gives {name.decode(errors='replace')} twice, as {first!r} and as {second!r}; "
                    "remove the wrong one",
                    source,
                    f"line {line}, column {column}",
                )
            parts.append(b" " * len(found[0]) if again else found[0])
        return b"".join(parts)

    return _tags(once, data)


def _messages(log: GameLog) -> Iterator[Message]:
    info, start = log.info, log.start
    if info.shuffle:
        yield server.Shuffle(info.shuffle, "")
    game_type = GameType(start.rules).code if info.game_type is None else info.game_type
    yield server.Go(game_type, info.lobby or None)
    yield server.Un(start.names, dan=info.dan, rate=info.rates, sx=info.sexes)
    yield server.Taikyoku(0, info.log_id or None)
    shuffles = iter(info.shuffles)
    announcer = Announcer()
    end = log.events[-1] if isinstance(log.events[-1], ev.EndGame) else None
    last = len(log.events) - 2
    for index, event in enumerate(log.events):
        message = announcer.announce(event, end=end if index == last else None)
        if isinstance(message, server.Init):
            message = dataclasses.replace(message, shuffle=next(shuffles, None))
        if isinstance(event, ev.Resume):
            raise LocalProtocolError("a log must contain whole hands, not a resumed one")
        if message is not None:
            yield message


def _element(message: Message) -> str:
    tag, attributes = format_element(message)
    if not attributes:
        return f"<{tag}/>"
    return f"<{tag} {' '.join(f'{name}={quoteattr(text)}' for name, (text, _) in attributes.items())}/>"
