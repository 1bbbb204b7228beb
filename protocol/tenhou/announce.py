"""Conversion of events to the server's messages, either for one client or for a log, which shows all hands.

The inverse is :mod:`protocol.tenhou.translate`.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, TypeVar

from engine.model import events as ev
from engine.model.rules import HANCHAN, RIICHI_STICK
from engine.model.seats import SEATS, Four, absolute, four, relative
from protocol.errors import LocalProtocolError
from protocol.tenhou import server
from protocol.tenhou.meld_bits import format_meld
from protocol.tenhou.schema import RIICHI_MARK, Message

T = TypeVar("T")

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

    __slots__ = ("_from", "_handlers", "_honba_points", "_names", "_scores", "viewer")

    def __init__(self, viewer: int | None = None) -> None:
        self.viewer = viewer
        self._from = viewer or 0
        self._names: Four[str] = ("", "", "", "")
        self._honba_points = HANCHAN.honba_points
        self._scores = [0, 0, 0, 0]
        self._handlers: dict[type, Callable[[Any], Message]] = {
            ev.StartKyoku: self._start_kyoku,
            ev.Draw: self._draw,
            ev.Discard: self._discard,
            ev.Call: self._call,
            ev.RiichiDeclared: self._riichi_declared,
            ev.RiichiAccepted: self._riichi_accepted,
            ev.NewDora: self._new_dora,
            ev.Win: self._win,
            ev.Ryuukyoku: self._ryuukyoku,
            ev.Disconnected: self._disconnected,
            ev.Reconnected: self._reconnected,
            ev.Resume: self._resume,
        }

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
        handler = self._handlers.get(type(event))
        if handler is None:
            if isinstance(event, ev.StartGame):
                self._names, self._honba_points = event.names, event.rules.honba_points
            return None
        message = handler(event)
        if flags:
            message = _with(message, t=flags)
        if end is not None:
            message = _with(message, owari=self._owari(end))
        return message

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

    def _discard(self, event: ev.Discard) -> Message:
        shown = self.viewer is not None and self.viewer != event.seat
        return server.Discard(self._who(event.seat), event.tile, event.tsumogiri and shown)

    def _call(self, event: ev.Call) -> Message:
        return server.Call(self._who(event.seat), format_meld(event.meld, event.seat))

    def _riichi_declared(self, event: ev.RiichiDeclared) -> Message:
        return server.Reach(who=self._who(event.seat), step=1)

    def _riichi_accepted(self, event: ev.RiichiAccepted) -> Message:
        self._scores[event.seat] -= RIICHI_STICK
        return server.Reach(who=self._who(event.seat), ten=self._hundreds(self._scores), step=2)

    def _new_dora(self, event: ev.NewDora) -> Message:
        return server.Dora(event.indicator)

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

    def _disconnected(self, event: ev.Disconnected) -> Message:
        return server.Bye(self._who(event.seat))

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
