"""The end of a hand: the library's wins, draws and payments as our events."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final, cast

from jansou.analysis.decompose import is_complete
from jansou.core.rules import RIICHI_DEPOSIT
from jansou.core.tiles import counts_by_kind
from jansou.game import events as library_events
from jansou.game.state import GameState as LibraryState

from engine.arena.bridge import RYUUKYOKU_KINDS, points4, win_score
from engine.arena.table import TableTiles
from engine.arena.walls import Wall
from engine.model.actions import Action, ActionKind
from engine.model.events import Event, Points4, Ryuukyoku, Tiles, Win
from engine.model.seats import SEATS

_NOTEN: Final = 3000
_SETTLED: Final = (library_events.RyuukyokuKind.EXHAUSTIVE, library_events.RyuukyokuKind.NAGASHI)


class Ending:
    """Collects what the library reports at the end of a hand; it pays a double ron in one sum, Tenhou win by win.

    Attributes:
        tenpai: seats that are tenpai at an exhaustive draw; None if the hand ended otherwise.
    """

    def __init__(self, state: LibraryState, table: TableTiles, wall: Wall, emit: Callable[[Event], None]) -> None:
        self._state = state
        self._table = table
        self._wall = wall
        self._emit = emit
        self._wins: list[library_events.Win] = []
        self._draw: library_events.Ryuukyoku | None = None
        self.tenpai: frozenset[int] | None = None

    def note(self, event: library_events.Win | library_events.Ryuukyoku | library_events.ScoreChange) -> None:
        """Record an event of the library."""
        if isinstance(event, library_events.Win):
            self._wins.append(event)
        elif isinstance(event, library_events.Ryuukyoku):
            self._draw = event
        else:
            before = points4(score - delta for score, delta in zip(event.scores, event.deltas, strict=True))
            if self._draw is not None:
                self._end_at_the_wall(self._draw, before, points4(event.deltas))
            else:
                self._end_in_wins(before, event.deltas)

    def finish(self, answers: Mapping[int, Action]) -> None:
        """Finish the hand. An abortive draw moves no points, so the library reports no payment.

        Args:
            answers: the last answers; at a triple ron they show who reveals a hand.
        """
        draw = self._draw
        if draw is None or draw.kind in _SETTLED:
            return
        shown: Mapping[library_events.RyuukyokuKind, list[int]] = {
            library_events.RyuukyokuKind.FOUR_RIICHI: list(SEATS),
            library_events.RyuukyokuKind.TRIPLE_RON: [
                s for s, answer in answers.items() if answer.kind is ActionKind.RON
            ],
            library_events.RyuukyokuKind.NINE_TERMINALS: [self._state.current_player],
        }
        self._end_in_draw(draw, points4(self._state.scores), (0, 0, 0, 0), shown.get(draw.kind, []))

    def _end_at_the_wall(self, draw: library_events.Ryuukyoku, before: Points4, deltas: Points4) -> None:
        """An exhaustive draw or a nagashi mangan.

        For the library a hand is not tenpai if all four copies of each wait are in its own melds and hand. On Tenhou it
        is, unless all four are concealed (according to recorded games); in that case the payment is computed again.
        """
        self.tenpai = frozenset(seat for seat in SEATS if self._is_tenpai(seat))
        if self.tenpai != draw.counted_ready and draw.kind is library_events.RyuukyokuKind.EXHAUSTIVE:
            deltas = _noten_payments(self.tenpai)
            self._state.scores[:] = (score + delta for score, delta in zip(before, deltas, strict=True))
        self._end_in_draw(draw, before, deltas, sorted(self.tenpai))

    def _is_tenpai(self, seat: int) -> bool:
        player = self._state.players[seat]
        counts = counts_by_kind(player.concealed)
        for kind in range(len(counts)):
            if counts[kind] < 4:
                counts[kind] += 1
                if is_complete(counts, len(player.melds)):
                    return True
                counts[kind] -= 1
        return False

    def _end_in_draw(self, draw: library_events.Ryuukyoku, before: Points4, deltas: Points4, shown: list[int]) -> None:
        hands: list[Tiles | None] = [None, None, None, None]
        for seat in shown:
            hands[seat] = self._table.concealed(seat)
        self._emit(
            Ryuukyoku(
                kind=RYUUKYOKU_KINDS[draw.kind],
                deltas=deltas,
                scores_before=before,
                hands=(hands[0], hands[1], hands[2], hands[3]),
                honba=self._state.honba,
                riichi_sticks=self._state.deposit_pool // RIICHI_DEPOSIT,
            )
        )

    def _end_in_wins(self, before: Points4, deltas: tuple[int, ...]) -> None:
        later = [_later_ron_deltas(win) for win in self._wins[1:]]
        first = points4(delta - sum(other) for delta, *other in zip(deltas, *later, strict=True))
        sticks = sum(first) // RIICHI_DEPOSIT  # the only points that come from the table
        for win, own in zip(self._wins, (first, *later), strict=True):
            self._emit(self._win(win, before, own, sticks))
            before = points4(score + delta for score, delta in zip(before, own, strict=True))
            sticks = 0

    def _win(self, win: library_events.Win, before: Points4, deltas: Points4, sticks: int) -> Win:
        state, table, seat = self._state, self._table, win.seat
        tsumo = win.from_seat is None
        turns_ura = state.players[seat].is_riichi and state.rules.ura_dora
        tile = cast("int", table.drawn[seat]) if tsumo else table.offered
        winds = (int(state.seat_wind(seat)), int(state.round_wind))
        return Win(
            seat=seat,
            from_seat=seat if win.from_seat is None else win.from_seat,
            tile=tile,
            deltas=deltas,
            scores_before=before,
            concealed=table.concealed(seat) if tsumo else table.concealed(seat, tile),
            melds=tuple(table.melds[seat]),
            dora_indicators=self._wall.dora_indicators[: table.dora_turned],
            ura_indicators=self._wall.ura_indicators[: table.dora_turned] if turns_ura else (),
            pao_seat=None if win.liable_seat == win.from_seat else win.liable_seat,
            honba=state.honba,
            riichi_sticks=sticks,
            score=win_score(win.result, win.hand, win.winning_tile, winds, ura=turns_ura, tsumo=tsumo),
        )


def _noten_payments(tenpai: frozenset[int]) -> Points4:
    """The payments of noten players to tenpai players, 3,000 points in total."""
    if len(tenpai) in (0, 4):
        return 0, 0, 0, 0
    gain, loss = _NOTEN // len(tenpai), -(_NOTEN // (4 - len(tenpai)))
    return points4(gain if seat in tenpai else loss for seat in SEATS)


def _later_ron_deltas(win: library_events.Win) -> Points4:
    """The payment to a second winner on the same tile: without honba and riichi sticks."""
    deltas = [0, 0, 0, 0]
    points = win.result.payment.ron
    from_seat = cast("int", win.from_seat)
    liable = from_seat if win.liable_seat is None else win.liable_seat
    deltas[win.seat] += points
    deltas[liable] -= points // 2
    deltas[from_seat] -= points - points // 2
    return points4(deltas)
