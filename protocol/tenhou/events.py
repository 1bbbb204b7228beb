"""Conversion between the server's messages and events: a translator reads them, an announcer makes them.

Messages are for one client, whose seats are relative to it, or of a log, which has absolute seats and shows all hands.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, TypeVar

from engine.model import events as ev
from engine.model.melds import Meld
from engine.model.plural import plural
from engine.model.rules import HANCHAN, RIICHI_STICK, Rules
from engine.model.seats import LAST_KYOKU, SEATS, Four, absolute, dealer_of, four, relative
from protocol.errors import LocalProtocolError, RemoteProtocolError
from protocol.tenhou import server
from protocol.tenhou.game_type import parse_game_type
from protocol.tenhou.meld_bits import format_meld, parse_meld
from protocol.tenhou.schema import NO_DIE, RIICHI_MARK, Message

T = TypeVar("T")
Events = tuple[ev.Event, ...]

MAX_NAME: Final = 256
"""Number of characters of a name that are kept; Tenhou allows eight."""
_NAMELESS: Final = (None, None, None, None)
_DRAWS: Final = {(seat, tile): (ev.Draw(seat, tile),) for seat in SEATS for tile in (None, *range(136))}
_DISCARDS: Final = {
    (seat, tile, tsumogiri): (ev.Discard(seat, tile, tsumogiri),)
    for seat in SEATS
    for tile in range(136)
    for tsumogiri in (False, True)
}
"""Interned discards: nearly all messages of a game are discards, and values can be shared."""


def cut_name(name: str) -> str:
    """A name without what is longer than any name, so that nothing that shows or compares names takes long."""
    return name if len(name) <= MAX_NAME else f"{name[: MAX_NAME - 1]}…"


class Translator:
    """Converts the server's messages to one client, or the tags of a log, to events in order.

    It remembers the seats, the rules and the last draw, but nothing else of the play. :class:`~.events.StartGame` comes
    with the first hand, because only its scores reveal the starting points; after a reconnection it comes again,
    together with :class:`~.events.Resume`.

    Attributes:
        viewer: the client's absolute seat; None until it is known; 0 for a log, whose seats are absolute already.
    """

    __slots__ = ("_drawn", "_early", "_handlers", "_log", "_names", "_rules", "_started", "viewer")

    def __init__(self, *, log: bool = False) -> None:
        self.viewer: int | None = 0 if log else None
        self._log = log
        self._rules = Rules()
        self._names: tuple[str | None, ...] = _NAMELESS
        self._started = False
        self._early: list[ev.Event] = []
        """Events before the first hand, which wait for StartGame."""
        self._drawn: list[int | None] = [None] * 4
        self._handlers: dict[type[Message], Callable[[Any], Events]] = {
            server.Draw: self._draw,
            server.Discard: self._discard,
            server.Call: self._call,
            server.Reach: self._reach,
            server.Dora: self._dora,
            server.Init: self._init,
            server.Reinit: self._reinit,
            server.Agari: self._agari,
            server.Ryuukyoku: self._ryuukyoku,
            server.Go: self._go,
            server.Un: self._un,
            server.Taikyoku: self._taikyoku,
            server.Bye: self._bye,
        }

    def translate(self, message: Message) -> Events:
        """The events that a message means; often none.

        Raises:
            RemoteProtocolError: the message is invalid by itself.
            UnsupportedGameError: a three-player game begins.
        """
        handler = self._handlers.get(type(message))
        return handler(message) if handler is not None else ()

    def _seat(self, who: int) -> int:
        if self.viewer is None:
            raise RemoteProtocolError("play before TAIKYOKU, INIT or REINIT gave the seats")
        return absolute(who, self.viewer)

    def _by_seat(self, by_who: tuple[T, ...]) -> Four[T]:
        first = self._seat(0)
        return four(by_who[relative(seat, first)] for seat in SEATS)

    def _points(self, by_who: tuple[int, ...]) -> ev.Points4:
        return self._by_seat(tuple(100 * hundreds for hundreds in by_who))

    def _go(self, message: server.Go) -> Events:
        self._rules = parse_game_type(message.type).rules
        self._names = _NAMELESS
        self._started = False
        self._early.clear()
        if not self._log:
            self.viewer = None
        return ()

    def _un(self, message: server.Un) -> Events:
        named = [who for who, name in enumerate(message.names) if name is not None]
        known = self.viewer is not None and self._names != _NAMELESS
        if self._started or (known and len(named) == 1 and message.dan is None):
            return self._happened(*(ev.Reconnected(self._seat(who)) for who in named))
        self._names = tuple(None if name is None else cut_name(name) for name in message.names)
        return ()

    def _taikyoku(self, message: server.Taikyoku) -> Events:
        if not self._log:
            self.viewer = -message.oya % 4
        return ()

    def _bye(self, message: server.Bye) -> Events:
        return self._happened(ev.Disconnected(self._seat(message.who)))

    def _happened(self, *events: ev.Event) -> Events:
        """Events of players who connect or disconnect, which may happen before the first hand."""
        if self._started:
            return events
        self._early += events
        return ()

    def _deal(self, message: server.Init | server.Reinit) -> tuple[Events, int]:
        """The common part of INIT and REINIT: the start of the game if it is due, and the dealer's seat."""
        kyoku, _, sticks = message.seed[:3]
        if kyoku > LAST_KYOKU:
            raise RemoteProtocolError(f"<{message.TAG}> kyoku {kyoku} does not exist; 0 is E1, {LAST_KYOKU} is N4")
        if self.viewer is None:
            self.viewer = (kyoku - message.oya) % 4
        dealer = self._seat(message.oya)
        if dealer != dealer_of(kyoku):
            raise RemoteProtocolError(f"<{message.TAG}> kyoku {kyoku} with seat {dealer} as dealer")
        if max(message.seed[5:]) >= 136:
            raise RemoteProtocolError(f"<{message.TAG}> has a dora indicator that is not a tile: {message.seed[5:]}")
        if max(message.seed[3:5]) > 5:
            raise RemoteProtocolError(f"<{message.TAG}> has dice {message.seed[3:5]}; they are 0 to 5")
        self._drawn = [None] * 4
        if self._started:
            return (), dealer
        rules = self._rules.begun_with([100 * hundreds for hundreds in message.ten], sticks)
        names = self._by_seat(tuple(name or "" for name in self._names))
        early = tuple(self._early)
        return (ev.StartGame(rules, names), *early), dealer

    def _init(self, message: server.Init) -> Events:
        started, dealer = self._deal(message)
        kyoku, honba, sticks, die1, die2, indicator = message.seed[:6]
        hands = self._by_seat(message.hands if self._log else (message.hai, None, None, None))
        if any(hand is None for hand in hands) if self._log else message.hai is None:
            raise RemoteProtocolError("<INIT> lacks a hand")
        self._started = True
        dice = None if NO_DIE in (die1, die2) else (die1 + 1, die2 + 1)
        scores = self._points(message.ten)
        return *started, ev.StartKyoku(kyoku, honba, sticks, dealer, indicator, scores, hands, dice)

    def _reinit(self, message: server.Reinit) -> Events:
        started, dealer = self._deal(message)
        kyoku, honba, sticks = message.seed[:3]
        seat = self._seat(0)
        rivers, riichi_at = [], []
        for river in self._by_seat(message.rivers):
            tiles = tuple(tile for tile in river or () if tile != RIICHI_MARK)
            if tiles and max(tiles) >= 136:
                raise RemoteProtocolError(f"<REINIT> has a river with tile {max(tiles)}; tiles are 0 to 135")
            rivers.append(tiles)
            marked = river is not None and RIICHI_MARK in river
            # a riichi tile that was called leaves its mark behind, perhaps with no tile after it
            riichi_at.append(max(0, min(river.index(RIICHI_MARK), len(tiles) - 1)) if river and marked else None)
        melds = [_melds(codes or (), owner) for owner, codes in enumerate(self._by_seat(message.melds))]
        resume = ev.Resume(
            kyoku,
            honba,
            sticks,
            dealer,
            message.seed[5:],
            self._points(message.ten),
            seat,
            message.hai,
            four(melds),
            four(rivers),
            four(riichi_at),
        )
        self._started = True
        return *started, resume

    def _draw(self, message: server.Draw) -> Events:
        seat = self._seat(message.who)
        self._drawn[seat] = message.tile
        return _DRAWS[seat, message.tile]

    def _discard(self, message: server.Discard) -> Events:
        seat = self._seat(message.who)
        tsumogiri = message.lower or self._drawn[seat] == message.tile
        self._drawn[seat] = None
        return _DISCARDS[seat, message.tile, tsumogiri]

    def _call(self, message: server.Call) -> Events:
        seat = self._seat(message.who)
        self._drawn[seat] = None
        return (ev.Call(seat, parse_meld(message.m, seat)),)

    def _reach(self, message: server.Reach) -> Events:
        seat = self._seat(message.who)
        return (ev.RiichiDeclared(seat) if message.step == 1 else ev.RiichiAccepted(seat),)

    def _dora(self, message: server.Dora) -> Events:
        return (ev.NewDora(message.hai),)

    def _agari(self, message: server.Agari) -> Events:
        seat = self._seat(message.who)
        yaku = message.yaku or ()
        if len(yaku) % 2:
            raise RemoteProtocolError(f"<AGARI> yaku={','.join(map(str, yaku))!r} is not pairs of id and han")
        fu, points, limit = message.ten
        score = claim = None
        if yaku or message.yakuman:
            pairs = tuple(zip(yaku[::2], yaku[1::2], strict=True))
            score = ev.WinScore(fu, points, limit, pairs, message.yakuman or ())
        else:  # logs made by other programs; Tenhou always lists the yaku
            claim = ev.WinClaim(fu or None, None, points, limit or None)
        win = ev.Win(
            seat=seat,
            from_seat=self._seat(message.from_who),
            tile=message.machi,
            deltas=self._points(message.sc[1:8:2]),
            scores_before=self._points(message.sc[0:8:2]),
            concealed=message.hai,
            melds=_melds(message.m, seat),
            dora_indicators=message.dora,
            ura_indicators=message.ura or (),
            pao_seat=None if message.pao_who is None else self._seat(message.pao_who),
            honba=message.ba[0],
            riichi_sticks=message.ba[1],
            score=score,
            claim=claim,
        )
        return win, *self._owari(message)

    def _ryuukyoku(self, message: server.Ryuukyoku) -> Events:
        try:
            kind = ev.RyuukyokuKind(message.type or "")
        except ValueError:
            raise RemoteProtocolError(f"<RYUUKYOKU> type={message.type!r} is not a known type") from None
        draw = ev.Ryuukyoku(
            kind,
            self._points(message.sc[1:8:2]),
            self._points(message.sc[0:8:2]),
            self._by_seat(message.hands),
            honba=message.ba[0],
            riichi_sticks=message.ba[1],
        )
        return draw, *self._owari(message)

    def _owari(self, message: server.Agari | server.Ryuukyoku) -> Events:
        final = message.owari
        if final is None:
            return ()
        if len(final) < 8:
            raise RemoteProtocolError(f"<{message.TAG}> owari has {plural(len(final), 'number')}, not 8")
        scores = self._points(tuple(int(hundreds) for hundreds in final[0:8:2]))
        if self._log and not self._started:
            return ()  # the first hand was left out, and a game that has not begun cannot end
        self._started = self._log
        return (ev.EndGame(scores, self._by_seat(tuple(float(points) for points in final[1:8:2]))),)


def _melds(codes: tuple[int, ...], seat: int) -> tuple[Meld, ...]:
    return tuple(parse_meld(code, seat) for code in reversed(codes))


# ---------------------------------------------------------------------- events to messages

_NO_DAN: Final = (0, 0, 0, 0)
_NO_RATE: Final = (1500.0, 1500.0, 1500.0, 1500.0)
_NO_SEX: Final = ("M", "M", "M", "M")


@dataclass(frozen=True, slots=True)
class TableFacts:
    """The facts about a table in GO, UN and TAIKYOKU; tuples are by absolute seat."""

    type: int  # game type bits
    names: Four[str]  # names of the players
    lobby: str = "0"  # number of the lobby; ``'0'`` is the public one
    # dan, rates, sexes: rank index, rating, ``M``/``F``/``C``
    dan: Four[int] = _NO_DAN
    rates: Four[float] = _NO_RATE
    sexes: Four[str] = _NO_SEX
    log: str | None = None  # log id of the game


class Announcer:
    """Converts events to the server's messages for the client at ``viewer``; None: for a log.

    It keeps names and the running scores. The caller is responsible for order and timing: FURITEN before the discard
    that causes it, DORA in the order of the events, PROF before the last message.
    """

    __slots__ = ("_from", "_honba_points", "_names", "_scores", "viewer")

    def __init__(self, viewer: int | None = None) -> None:
        self.viewer = viewer
        self._from = viewer or 0
        self._names: Four[str] = ("", "", "", "")
        self._honba_points = HANCHAN.honba_points
        self._scores = [0, 0, 0, 0]

    def opening(self, table: TableFacts, gpid: str | None = None) -> tuple[server.Go, server.Un, server.Taikyoku]:
        """The messages that begin a game; ``gpid`` lets the client resume it."""
        self._names = table.names
        return (
            server.Go(table.type, table.lobby, gpid),
            server.Un(
                self._by_who(table.names),
                dan=self._by_who(table.dan),
                rate=self._by_who(table.rates),
                sx=self._by_who(table.sexes),
            ),
            server.Taikyoku(self._who(0), table.log),
        )

    def announce(self, event: ev.Event, *, flags: int = 0, end: ev.EndGame | None = None) -> Message | None:
        """The message for an event; None for those without a message of their own (StartGame and EndGame).

        Args:
            event: what happened.
            flags: the ``t`` of a draw, discard or call: what the viewer may declare.
            end: the end of the game, which is part of its last AGARI or RYUUKYOKU.

        Raises:
            LocalProtocolError: the protocol cannot express it, such as a hidden tile in a log.
        """
        message = self._message(event)
        if message is None:
            return None
        if flags:
            message = _with(message, t=flags)
        if end is not None:
            message = _with(message, owari=self._owari(end))
        return message

    def _message(self, event: ev.Event) -> Message | None:
        match event:
            case ev.Draw():
                return self._draw(event)
            case ev.Discard():
                shown = self.viewer is not None and self.viewer != event.seat
                return server.Discard(self._who(event.seat), event.tile, event.tsumogiri and shown)
            case ev.Call():
                return server.Call(self._who(event.seat), format_meld(event.meld, event.seat))
            case ev.RiichiDeclared():
                return server.Reach(who=self._who(event.seat), step=1)
            case ev.RiichiAccepted():
                self._scores[event.seat] -= RIICHI_STICK
                return server.Reach(who=self._who(event.seat), ten=self._hundreds(self._scores), step=2)
            case ev.NewDora():
                return server.Dora(event.indicator)
            case ev.StartGame():
                self._names, self._honba_points = event.names, event.rules.honba_points
            case ev.StartKyoku():
                return self._start_kyoku(event)
            case ev.Win():
                return self._win(event)
            case ev.Ryuukyoku():
                return self._ryuukyoku(event)
            case ev.Disconnected():
                return server.Bye(self._who(event.seat))
            case ev.Reconnected():
                return self._reconnected(event)
            case ev.Resume():
                return self._resume(event)
        return None

    def saikai(self, resume: ev.Resume) -> server.Saikai:
        """SAIKAI for a client that reconnects, sent with GO and UN; ``announce(resume)`` follows after its GOK."""
        scores = self._hundreds(resume.scores)
        sc = tuple(number for score in scores for number in (score, 0))
        return server.Saikai((resume.honba, resume.riichi_sticks), self._who(resume.dealer), sc)

    def _who(self, seat: int) -> int:
        return relative(seat, self._from)

    def _by_who(self, by_seat: Sequence[T]) -> Four[T]:
        return four(by_seat[absolute(who, self._from)] for who in SEATS)

    def _hundreds(self, points: Sequence[int]) -> Four[int]:
        return four(score // 100 for score in self._by_who(points))

    def _start_kyoku(self, event: ev.StartKyoku) -> Message:
        self._scores[:] = event.scores
        dice = event.dice or (1, 1)
        seed = (event.kyoku, event.honba, event.riichi_sticks, dice[0] - 1, dice[1] - 1, event.dora_indicator)
        ten, oya = self._hundreds(event.scores), self._who(event.dealer)
        if self.viewer is None:
            if any(hand is None for hand in event.hands):
                raise LocalProtocolError("a log must show all hands; this deal hides some")
            return server.Init(seed=seed, ten=ten, oya=oya, hands=event.hands)
        return server.Init(seed=seed, ten=ten, oya=oya, hai=event.hands[self.viewer])

    def _draw(self, event: ev.Draw) -> Message:
        if self.viewer is None and event.tile is None:
            raise LocalProtocolError("a log must show all draws; this one is hidden")
        seen = self.viewer is None or self.viewer == event.seat
        return server.Draw(self._who(event.seat), event.tile if seen else None)

    def _win(self, event: ev.Win) -> Message:
        score = event.score
        if score is None:  # the source does not say; the points still follow from the payments
            gain = event.deltas[event.seat] - self._honba_points * event.honba - RIICHI_STICK * event.riichi_sticks
            score = ev.WinScore(0, gain, 0)
        return server.Agari(
            ba=(event.honba, event.riichi_sticks),
            hai=event.concealed,
            m=tuple(format_meld(meld, event.seat) for meld in reversed(event.melds)),
            machi=event.tile,
            ten=(score.fu, score.points, score.limit),
            yaku=None if score.yakuman else tuple(number for pair in score.yaku for number in pair),
            yakuman=score.yakuman or None,
            dora=event.dora_indicators,
            ura=event.ura_indicators or None,
            who=self._who(event.seat),
            from_who=self._who(event.from_seat),
            pao_who=None if event.pao_seat is None else self._who(event.pao_seat),
            sc=self._changes(event),
        )

    def _ryuukyoku(self, event: ev.Ryuukyoku) -> Message:
        return server.Ryuukyoku(
            type=event.kind.value or None,
            ba=(event.honba, event.riichi_sticks),
            sc=self._changes(event),
            hands=self._by_who(event.hands),
        )

    def _changes(self, event: ev.Win | ev.Ryuukyoku) -> tuple[int, ...]:
        before = event.scores_before or tuple(self._scores)
        self._scores[:] = (score + delta for score, delta in zip(before, event.deltas, strict=True))
        pairs = zip(self._hundreds(before), self._hundreds(event.deltas), strict=True)
        return tuple(number for pair in pairs for number in pair)

    def _owari(self, end: ev.EndGame) -> tuple[int | float, ...]:
        results = self._by_who(end.results or (0.0, 0.0, 0.0, 0.0))
        pairs = zip(self._hundreds(end.scores), results, strict=True)
        return tuple(number for pair in pairs for number in pair)

    def _reconnected(self, event: ev.Reconnected) -> Message:
        back = self._who(event.seat)
        names = [self._names[event.seat] if who == back else None for who in SEATS]
        return server.Un(four(names))

    def _resume(self, event: ev.Resume) -> Message:
        self._scores[:] = event.scores
        rivers = [
            tiles if at is None else (*tiles[:at], RIICHI_MARK, *tiles[at:])
            for tiles, at in zip(event.rivers, event.riichi_at, strict=True)
        ]
        codes = [
            tuple(format_meld(meld, seat) for meld in reversed(melds)) or None for seat, melds in enumerate(event.melds)
        ]
        return server.Reinit(
            seed=(event.kyoku, event.honba, event.riichi_sticks, 0, 0, *event.dora_indicators),
            ten=self._hundreds(event.scores),
            oya=self._who(event.dealer),
            hai=tuple(sorted(event.hand)),
            melds=self._by_who(codes),
            rivers=self._by_who([river or None for river in rivers]),
        )


def _with(message: Message, **changes: Any) -> Message:
    try:
        return replace(message, **changes)
    except TypeError:
        raise LocalProtocolError(f"{message} cannot carry {', '.join(changes)}") from None
