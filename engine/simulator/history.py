"""The course of a simulated table as the events that logs, states and the referee use."""

from collections.abc import Iterator
from typing import Final

from engine.model.events import EndGame, Event, Ryuukyoku, RyuukyokuKind, StartKyoku, Tiles, Win
from engine.model.melds import Meld
from engine.model.rules import Rules
from engine.model.seats import SEATS, four
from engine.rules import code_kernels as codes
from engine.rules.codes import played_event
from engine.scoring import WinContext, score_win
from engine.simulator import game_kernels as play
from engine.simulator.game_kernels import GameTable

_DEAL_ROUNDS: Final = (4, 4, 4, 1)
_KINDS: Final = {
    play.EXHAUSTIVE: RyuukyokuKind.EXHAUSTIVE,
    play.NAGASHI: RyuukyokuKind.NAGASHI_MANGAN,
    play.NINE_TERMINALS: RyuukyokuKind.NINE_TERMINALS,
    play.FOUR_RIICHI: RyuukyokuKind.FOUR_RIICHI,
    play.FOUR_KANS: RyuukyokuKind.FOUR_KANS,
    play.FOUR_WINDS: RyuukyokuKind.FOUR_WINDS,
    play.TRIPLE_RON: RyuukyokuKind.TRIPLE_RON,
}


class HandHistory:
    """Follows one table's hand: :meth:`news` are the events since it was last asked, the deal first."""

    def __init__(self, rules: Rules) -> None:
        self._rules = rules
        self._hands = 0
        self._read = -1
        self._melds: list[list[Meld]] = [[], [], [], []]

    def news(self, table: GameTable) -> Iterator[Event]:
        """The events that this has not returned yet, up to the end of the hand and, after the last, of the game."""
        if int(table.hands) == self._hands:  # nothing is dealt yet, or the hand has been read to its end
            return
        if self._read < 0:
            self._melds = [[], [], [], []]
            self._read = 0
            yield _deal(table)
        ended = table.ending != play.IN_PLAY
        for code in table.log[self._read : table.logged].tolist():
            yield from played_event(code, self._melds)
        self._read = int(table.logged)
        if ended:
            yield from self._end(table)
            self._hands, self._read = int(table.hands), -1

    def _end(self, table: GameTable) -> Iterator[Event]:
        accepted = sum(code & codes.TYPE == codes.ACCEPTED for code in table.log[: table.logged].tolist())
        sticks = int(table.dealt_sticks) + accepted
        before = [int(score) - int(delta) for score, delta in zip(table.scores, table.deltas, strict=True)]
        if table.over:  # the leader has taken what was left on the table
            left = 0 if table.wins else sticks
            leader = max(SEATS, key=lambda seat: (table.scores[seat], -seat))
            before[leader] -= 1000 * left
        if table.wins:
            for at in range(table.wins):
                deltas = [int(delta) for delta in table.win_deltas[at]]
                yield self._win(table, at, before, deltas, sticks if at == 0 else 0)
                before = [score + delta for score, delta in zip(before, deltas, strict=True)]
        else:
            shown = [_concealed(table, seat) if int(table.shown) >> seat & 1 else None for seat in SEATS]
            deltas = [int(delta) for delta in table.deltas]
            yield Ryuukyoku(
                _KINDS[int(table.ending)], four(deltas), four(before), four(shown), int(table.honba), sticks
            )
        if table.over:
            results = [int(tenths) / 10 for tenths in table.results]
            yield EndGame(four(int(score) for score in table.scores), four(results))

    def _win(self, table: GameTable, at: int, before: list[int], deltas: list[int], sticks: int) -> Win:
        seat, giver, tile = int(table.win_seats[at]), int(table.win_froms[at]), int(table.win_tiles[at])
        concealed = _concealed(table, seat)
        turned = range(int(table.indicators))
        shows_ura = table.riichi[seat] and self._rules.ura_dora
        context = WinContext.of(
            int(table.win_flags[at]),
            concealed if seat == giver else tuple(sorted((*concealed, tile))),
            tuple(self._melds[seat]),
            tile,
            tuple(int(table.tiles[5 + 2 * place]) for place in turned),
            tuple(int(table.tiles[4 + 2 * place]) for place in turned) if shows_ura else (),
            self._rules,
        )
        pao = int(table.win_paos[at])
        return Win(
            seat=seat,
            from_seat=giver,
            tile=tile,
            deltas=four(deltas),
            scores_before=four(before),
            concealed=context.concealed,
            melds=context.melds,
            dora_indicators=context.dora_indicators,
            ura_indicators=context.ura_indicators,
            pao_seat=None if pao < 0 else pao,
            honba=int(table.honba),
            riichi_sticks=sticks,
            score=score_win(context),
        )


def _deal(table: GameTable) -> StartKyoku:
    """The deal, with the hands in the order in which the tiles were taken."""
    hands: list[list[int]] = [[], [], [], []]
    drawn = iter(reversed(table.tiles.tolist()))
    for number in _DEAL_ROUNDS:
        for away in SEATS:
            hands[(int(table.dealer) + away) % 4] += [next(drawn) for _ in range(number)]
    return StartKyoku(
        kyoku=int(table.kyoku),
        honba=int(table.honba),
        riichi_sticks=int(table.dealt_sticks),
        dealer=int(table.dealer),
        dora_indicator=int(table.tiles[5]),
        scores=four(int(score) for score in table.dealt_scores),
        hands=four(tuple(hand) for hand in hands),
    )


def _concealed(table: GameTable, seat: int) -> Tiles:
    copies = table.copies[seat].tolist()
    return tuple(4 * kind + copy for kind, held in enumerate(copies) for copy in range(4) if held >> copy & 1)
