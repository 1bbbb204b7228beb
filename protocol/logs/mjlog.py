"""Tenhou's own log format: XML with the messages of the wire protocol in absolute seats, with all tiles shown.

Old logs are read as well: without SHUFFLE, or with a seed in each INIT; riichi without the scores after it; GO without
a lobby; ratings without decimals. The chips of chip tables are ignored.
"""

import dataclasses
import re
from collections.abc import Iterator, Sequence
from html import unescape
from typing import Final, TypeVar
from xml.sax.saxutils import quoteattr

from engine.model import events as ev
from engine.model.plural import plural
from engine.model.seats import SEATS, Four, four
from protocol.errors import LocalProtocolError, LogError, LogTrouble, ProtocolError, UnsupportedGameError
from protocol.logs.game_log import HOUSE_RULES, LOG_ID, GameLog, LogInfo
from protocol.logs.hands import ADVICE, Game
from protocol.logs.json_text import can_be_encoded
from protocol.tenhou import server
from protocol.tenhou.codec import format_element, parse_element
from protocol.tenhou.events import Announcer, Translator
from protocol.tenhou.game_type import GameType
from protocol.tenhou.schema import Message, Sender, Unknown

T = TypeVar("T")

VERSION: Final = "2.3"
UNKNOWN_VERSION: Final = "?"
CUT_SHORT: Final = "the log is cut short; fetch it again"
_ROOT: Final = server.Mjloggm.TAG
_log_id: Final = re.compile(LOG_ID).search


def read(text: str | bytes, source: str = "") -> GameLog:
    """Read one game. Whole XML may end in the middle of a hand, as ours does for a game that was not played to its end.

    Args:
        text: the XML, decompressed.
        source: its name, for messages; a log id in it is used if the log itself has none.

    Raises:
        UnsupportedGameError: the game is for three players.
        LogError: no hand of a four-player game can be followed; the message says where and why.
    """
    return _Reader(text if isinstance(text, str) else text.decode("utf-8", "surrogateescape"), source).read()


def write(log: GameLog) -> str:
    """Write one game so that the usual viewers can open it.

    Raises:
        LocalProtocolError: a log cannot express an event, such as a hidden draw.
    """
    elements = "".join(_element(message) for message in _messages(log))
    return f"<{_ROOT} ver={quoteattr(log.info.version or VERSION)}>{elements}</{_ROOT}>"


_token: Final = re.compile(
    r"""<(?:(?P<tag>/?[A-Za-z]\w*)(?P<attributes>(?:\s+[\w.:-]+\s*=\s*(?:"[^"<]*"|'[^'<]*'))*)\s*/?>"""
    r"""|\?[^>]*\?>|!--.*?-->)""",
    re.DOTALL,
)
_attribute: Final = re.compile(r"""([\w.:-]+)\s*=\s*(?:"([^"<]*)"|'([^'<]*)')""")


class _Reader:
    """One pass over the tags, each with its place, so that damage stays in its hand."""

    def __init__(self, text: str, source: str) -> None:
        self._text = text
        self._source = source
        self._line = 0, 1, 0  # a place, the number of its line, and where that begins
        self._translator = Translator(log=True)
        self._game = Game()
        self._version = ""
        self._go: server.Go | None = None
        self._un: server.Un | None = None
        self._log_id = ""
        self._shuffle = ""
        self._shuffles: list[str] = []

    def read(self) -> GameLog:
        text, game, end = self._text, self._game, 0
        closed = False
        for found in _token.finditer(text):
            if text[end : found.start()].strip() and not closed:
                self._damaged(end, f"broken XML; {ADVICE}" if self._version else _begins_otherwise(text))
            end = found.end()
            tag = found["tag"]
            if tag is None:
                continue
            if not self._version:
                if tag != _ROOT:
                    raise self._error(found.start(), _begins_otherwise(text), LogTrouble.NO_LOG)
                self._version = self._attributes(found).get("ver", "") or UNKNOWN_VERSION
            elif tag == f"/{_ROOT}":
                closed = True
            elif closed and tag == _ROOT:
                raise self._error(found.start(), "a second log follows; split it", LogTrouble.SEVERAL_GAMES)
            elif not closed and not tag.startswith("/"):
                self._element(found)
        if not self._version:
            raise self._error(0, _begins_otherwise(text), LogTrouble.NO_LOG)
        if not closed:
            self._cut_short(len(text.rstrip()))
        elif game.hands.in_hand:
            game.notes.add("ends in the middle of a hand: read up to there", game.hands.place)
        return game.log(self._info(), self._source)

    def _cut_short(self, at: int) -> None:
        if self._game.hands.in_hand:
            self._game.lose(LogError(CUT_SHORT), self._place(at))
        elif not self._game.events:
            raise self._error(at, CUT_SHORT)
        elif not any(isinstance(event, ev.EndGame) for event in self._game.events[-1:]):
            self._game.notes.add("is cut short after a hand", self._place(at))

    def _place(self, at: int) -> str:
        known, line, begins = self._line if at >= self._line[0] else (0, 1, 0)
        # counted on from the last place: a text may have very many faults
        line += self._text.count("\n", known, at)
        begins = self._text.rfind("\n", known, at) + 1 or begins
        self._line = at, line, begins
        return f"line {line}, column {at - begins + 1}"

    def _error(self, at: int, message: str, trouble: LogTrouble = LogTrouble.DAMAGED) -> LogError:
        return LogError(message, self._source, self._place(at), trouble)

    def _damaged(self, at: int, message: str) -> None:
        """Something between two tags cannot be read: it costs the hand in play, or the log if none has begun.

        Raises:
            LogError: no hand has begun.
        """
        at += len(self._text[at:]) - len(self._text[at:].lstrip())
        if self._go is not None and self._text.startswith(f"<{server.Init.TAG}", at):
            self._game.begin(self._place(at))
            self._game.lose(LogError(message), self._place(at))
            return
        if not any(isinstance(event, ev.StartKyoku) for event in self._game.events) and not self._game.left_out:
            raise self._error(at, message, LogTrouble.DAMAGED if self._version else LogTrouble.NO_LOG)
        if self._game.hands.in_hand:
            self._game.lose(LogError(message), self._place(at))
        else:
            self._game.notes.add("broken XML between two hands is passed over", self._place(at))

    def _attributes(self, found: re.Match[str]) -> dict[str, str]:
        """The attributes of a tag; some of Tenhou's own logs repeat one with an equal value.

        Raises:
            LogError: one is repeated with another value, or is not UTF-8.
        """
        values: dict[str, str] = {}
        if not can_be_encoded(found[0]):
            raise LogError(f"is not UTF-8 text; {ADVICE}")
        for name, double, single in _attribute.findall(found["attributes"]):
            value = unescape(double or single)
            if values.setdefault(name, value) != value:
                twice = f"as {values[name][:60]!r} and as {value[:60]!r}"
                raise LogError(f"<{found['tag']}> gives {name} twice, {twice}; remove the wrong one")
        return values

    def _element(self, found: re.Match[str]) -> None:
        """Follow one tag; an error in a hand costs that hand, and one before the first is noted.

        Raises:
            LogError: the rules cannot be read, or are of a game that is not supported.
        """
        game = self._game
        if found["tag"] == server.Init.TAG:
            game.begin(self._place(found.start()))
        try:
            self._message(parse_element(found["tag"], self._attributes(found), Sender.SERVER))
        except ProtocolError as error:
            place = self._place(found.start())
            plain = error if isinstance(error, LogError) else LogError(f"{error}; {ADVICE}")
            needed = found["tag"] in {server.Go.TAG, server.Init.TAG} and self._go is None
            another = isinstance(error, UnsupportedGameError) and game.is_first
            if needed or another or plain.trouble is LogTrouble.SEVERAL_GAMES:
                raise type(plain)(plain.message, self._source, place, plain.trouble) from None
            if not game.begun:
                game.notes.add(f"<{found['tag']}> is passed over: {plain.message}", place)
                return
            where = f"{place}, {game.hands.place}" if game.hands.place else place
            if not game.lost:
                game.lose(LogError(plain.message, position=where))

    def _message(self, message: Message) -> None:
        self._note(message)
        for event in self._translator.translate(message):
            if self._game.lost and not isinstance(event, _BETWEEN_HANDS):
                continue
            if type(event) is ev.Ryuukyoku:
                event = self._with_hands(event)  # noqa: PLW2901
            self._game.add(event)

    def _note(self, message: Message) -> None:
        """Keep what a log says besides the play.

        Raises:
            LogError: a tag is unknown, or stands where it cannot.
        """
        match message:
            case server.Draw() | server.Discard():
                pass
            case Unknown():
                raise LogError(f"unknown tag <{message.tag}>; remove it, or report the log if Tenhou wrote it")
            case server.Shuffle():
                self._shuffle = message.seed
            case server.Go():
                if self._go is not None:
                    why = "a second <GO>: the log contains two games; split it"
                    raise LogError(why, trouble=LogTrouble.SEVERAL_GAMES)
                self._go = message
                if message.csrule:
                    self._game.notes.add(HOUSE_RULES, "<GO>")
            case server.Un() if self._un is None:
                for name, said in (("dan", message.dan), ("rate", message.rate), ("sx", message.sx)):
                    if said is not None and len(said) != len(SEATS):
                        self._game.notes.add(f"{name} is passed over: it is of {plural(len(said), 'player')}", "<UN>")
                self._un = message
            case server.Taikyoku():
                self._log_id = message.log or ""
            case server.Init():
                if self._go is None:
                    raise LogError(f"a hand before <GO> gave the rules; {ADVICE}")
                if message.shuffle is not None:
                    self._shuffles.append(message.shuffle)

    def _with_hands(self, event: ev.Ryuukyoku) -> ev.Ryuukyoku:
        """The draw with the hands of who was tenpai, which Tenhou shows, but not every other program."""
        if event.kind is not ev.RyuukyokuKind.EXHAUSTIVE or any(hand is not None for hand in event.hands):
            return event
        tenpai = self._game.hands.tenpai_by(event.deltas)
        if not tenpai:
            return event
        concealed = self._game.hands.concealed
        hands = four(tuple(sorted(concealed[seat] or ())) if seat in tenpai else None for seat in SEATS)
        unstated = ev.Unstated.HANDS | (ev.NOTHING if any(event.deltas) else ev.Unstated.TENPAI)
        return dataclasses.replace(event, hands=hands, unstated=unstated)

    def _info(self) -> LogInfo:
        found = _log_id(self._source)
        un = self._un or server.Un()
        return LogInfo(
            log_id=self._log_id or (found[0] if found else ""),
            game_type=self._go.type if self._go else None,
            lobby=(self._go.lobby if self._go else None) or "",
            version="" if self._version == UNKNOWN_VERSION else self._version,
            dan=_of_four(un.dan),
            rates=_of_four(un.rate),
            sexes=_of_four(un.sx),
            shuffle=self._shuffle,
            shuffles=tuple(self._shuffles),
            house_rules=(self._go.csrule if self._go else None) or "",
        )


def _of_four(said: Sequence[T] | None) -> Four[T] | None:
    return four(said) if said is not None and len(said) == len(SEATS) else None


_BETWEEN_HANDS: Final = (ev.StartGame, ev.StartKyoku, ev.EndGame, ev.Disconnected, ev.Reconnected)
"""Events that do not belong to a hand that is lost."""


def _begins_otherwise(text: str) -> str:
    """The error of a text that is no log."""
    if text.lstrip().startswith("<!DOCTYPE"):
        return f"not a Tenhou log: it has a document type; an mjlog begins with <{_ROOT}>"
    found = _token.search(text)
    begins = f"it begins with <{found['tag']}>; " if found is not None and found["tag"] else ""
    return f"not a Tenhou log: {begins}an mjlog begins with <{_ROOT}>"


def _messages(log: GameLog) -> Iterator[Message]:
    info, start = log.info, log.start
    if info.shuffle:
        yield server.Shuffle(info.shuffle, "")
    game_type = GameType(start.rules).code if info.game_type is None else info.game_type
    yield server.Go(game_type, info.lobby or None, csrule=info.house_rules or None)
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
