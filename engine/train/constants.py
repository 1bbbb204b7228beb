"""Counting the figures behind the policies' constants, so that each can be compared with recorded games.

The constants of :mod:`engine.policy.quick` are estimates of how hands usually go on. This module counts the same
quantities; :meth:`ConstantCounts.rows` lists each beside the constant in use.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple

import numpy as np

from engine.model.events import Event, Ryuukyoku, StartKyoku, Win, WinScore
from engine.model.tiles import DORA_AFTER, HONOURS, KINDS, TERMINALS_AND_HONOURS
from engine.opponents.facts import STANCES
from engine.policy.quick import efficiency, win_points
from engine.policy.quick.facts import Facts
from engine.policy.worth import kans, utility
from engine.scoring.wins import base_and_limit, total_points
from engine.shanten import shanten, ukeire
from engine.train.counted import Counted
from engine.train.truth import DiscardPoint, discard_points
from engine.train.waiting import WaitingCounts

TSUMO, RIICHI, IPPATSU, PINFU, TANYAO, DOUBLE_RIICHI, HONITSU, CHINITSU, URA = 0, 1, 2, 7, 8, 21, 34, 35, 53
"""Tenhou's ids of the yaku that are counted."""
HAN: Final = tuple(int(han) for han, _ in win_points.POINTS if han)
"""Han for which the points of a win are counted."""


class _Turn(NamedTuple):
    """A discard, and the hand that it leaves.

    Attributes:
        at: index of the event.
        seat: the discarder.
        riichi: whether the seat is in riichi.
        closed: whether the hand is closed.
        shanten: shanten of the hand.
        ukeire: unseen tiles that lower it.
        strays: terminals and honours held.
        outside: tiles held outside the longest suit and the honours.
        triplet: whether the hand holds three of a kind.
        pairs: yakuhai pairs as (kind, unseen copies).
    """

    at: int
    seat: int
    riichi: bool
    closed: bool
    shanten: int
    ukeire: int
    strays: int
    outside: int
    triplet: bool
    pairs: tuple[tuple[int, int], ...]


@dataclass
class ConstantCounts:
    """Sums over recorded games.

    Attributes:
        sums: ``[sum, what it is divided by]`` by name of the figure and index.
        waiting: how often hands get the tiles they need.
    """

    sums: dict[tuple[str, int], list[float]] = field(default_factory=lambda: defaultdict(lambda: [0.0, 0.0]))
    waiting: WaitingCounts = field(default_factory=WaitingCounts)

    def observe(self, events: Sequence[Event]) -> None:
        """Add one game in which all hands are visible."""
        self.waiting.observe(events)
        turns = [_turn(point) for point in discard_points(events)]
        begin = 0
        for end, dealer, wins in _hands(events):
            hand = [turn for turn in turns if begin <= turn.at < end]
            begin = end
            for win in wins:
                self.add_win(win, win.seat == dealer)
                if win.score is not None:
                    self._way(hand, win, dict(win.score.yaku))
            self._course(hand, {win.seat for win in wins})

    def rows(self) -> list[Counted]:
        """Every figure beside the constant in use, in the order of the modules; figures never observed are left out."""
        found = []
        for name, index, value in _constants():
            total, n = self.sums.get((name, index), (0.0, 0.0))
            if n:
                found.append(Counted(f"{name}[{index}]" if index >= 0 else name, value, total / n, round(n)))
        return [*found, *self.waiting.rows()]

    def _add(self, name: str, index: int, value: float, n: float = 1.0) -> None:
        entry = self.sums[name, index]
        entry[0] += value
        entry[1] += n

    def _course(self, hand: Sequence[_Turn], winners: set[int]) -> None:
        """What followed each discard until the same player's next one."""
        last = {turn.seat: turn for turn in hand}
        left = Counter(turn.seat for turn in hand)
        for turn in hand:
            final = last[turn.seat] is turn
            self._add("efficiency.OTHERS_END", -1, final and bool(winners - {turn.seat}))
            self._add("kans.WINS_A_TURN", min(turn.shanten, 3), turn.seat in winners, left[turn.seat])
            left[turn.seat] -= 1
            if turn.closed and not turn.riichi and 0 <= turn.shanten < len(efficiency.USUAL_UKEIRE):
                self._add("efficiency.USUAL_UKEIRE", turn.shanten, turn.ukeire)

    def _way(self, hand: Sequence[_Turn], win: Win, yaku: Mapping[int, int]) -> None:
        """What became of the winner's closed hands that were not tenpai yet."""
        if any(meld.called is not None for meld in win.melds):
            return
        held = [tile >> 2 for tile in win.concealed] + [tile >> 2 for meld in win.melds for tile in meld.tiles]
        for turn in hand:
            if turn.seat != win.seat or turn.shanten < 1:
                continue
            if turn.strays < len(win_points.TANYAO_BY_STRAYS):
                self._add("win_points.TANYAO_BY_STRAYS", turn.strays, yaku.get(TANYAO, 0))
            if turn.outside < len(win_points.FLUSH_BY_STRAYS):
                flush = yaku.get(HONITSU, 0) + yaku.get(CHINITSU, 0)
                self._add("win_points.FLUSH_BY_STRAYS", turn.outside, flush)
            if not turn.triplet:
                self._add("win_points.PINFU_EXTRA", -1, yaku.get(PINFU, 0))
            for kind, unseen in turn.pairs:
                self._add("win_points.YAKUHAI_PAIR", -1, held.count(kind) >= 3, unseen / 2)

    def add_win(self, win: Win, dealer: bool) -> None:
        """Add a win: how it came about, and its points. Yakuman and wins without a score are ignored."""
        score = win.score
        if score is None or score.yakuman:
            return
        yaku = dict(score.yaku)
        tsumo = win.seat == win.from_seat
        riichi = RIICHI in yaku or DOUBLE_RIICHI in yaku
        if riichi:
            self._add("win_points.RIICHI_EXTRA", -1, yaku.get(IPPATSU, 0) + yaku.get(URA, 0))
            self._add("win_points.TSUMO_EXTRA", -1, tsumo)
        self._add("efficiency.RON_SPEED_RIICHI" if riichi else "efficiency.RON_SPEED", -1, not tsumo, tsumo)
        opened = any(meld.called is not None for meld in win.melds)
        stance = "riichi" if riichi else "open" if opened else "closed"
        before, after = _with_indicator(win, score, dealer, riichi)
        self._add("kans.EXTRA_DORA", STANCES.index(stance), after - before, before)
        if not tsumo:
            if not dealer and score.han in HAN:
                self._add("win_points.POINTS", HAN.index(score.han), score.points)
            base = score.points / (6 if dealer else 4)
            nearest = min(range(len(utility.OTHERS_BASE)), key=lambda at: abs(utility.OTHERS_BASE[at] / base - 1.0))
            for at in range(len(utility.OTHERS_BASE)):
                self._add("utility.OTHERS_SHARES", at, at == nearest)


def _constants() -> Iterator[tuple[str, int, float]]:
    """(name, index or -1, value) of every constant that is counted."""
    yield from (("efficiency.USUAL_UKEIRE", at, value) for at, value in enumerate(efficiency.USUAL_UKEIRE))
    yield "efficiency.RON_SPEED", -1, efficiency.RON_SPEED
    yield "efficiency.RON_SPEED_RIICHI", -1, efficiency.RON_SPEED_RIICHI
    yield "efficiency.OTHERS_END", -1, efficiency.OTHERS_END
    points = [value for han, value in win_points.POINTS if han]
    yield from (("win_points.POINTS", at, value) for at, value in enumerate(points))
    yield "win_points.RIICHI_EXTRA", -1, win_points.RIICHI_EXTRA
    yield "win_points.TSUMO_EXTRA", -1, win_points.TSUMO_EXTRA
    yield "win_points.PINFU_EXTRA", -1, win_points.PINFU_EXTRA
    yield from (("win_points.TANYAO_BY_STRAYS", at, value) for at, value in enumerate(win_points.TANYAO_BY_STRAYS))
    yield from (("win_points.FLUSH_BY_STRAYS", at, value) for at, value in enumerate(win_points.FLUSH_BY_STRAYS))
    yield "win_points.YAKUHAI_PAIR", -1, win_points.YAKUHAI_PAIR
    yield from (("kans.EXTRA_DORA", at, kans.EXTRA_DORA[stance]) for at, stance in enumerate(STANCES))
    yield from (("kans.WINS_A_TURN", at, value) for at, value in enumerate(kans.WINS_A_TURN))
    yield from (("utility.OTHERS_SHARES", at, value) for at, value in enumerate(utility.OTHERS_SHARES))


def _hands(events: Sequence[Event]) -> Iterator[tuple[int, int, list[Win]]]:
    """(index of the event that ends it, dealer, wins) of each hand that ends."""
    dealer = 0
    end, wins = -1, list[Win]()
    for at, event in enumerate(events):
        if isinstance(event, Win):
            end = end if wins else at
            wins.append(event)
        elif wins:
            yield end, dealer, wins
            wins = []
        if isinstance(event, Ryuukyoku):
            yield at, dealer, []
        elif isinstance(event, StartKyoku):
            dealer = event.dealer
    if wins:
        yield end, dealer, wins


def _with_indicator(win: Win, score: WinScore, dealer: bool, riichi: bool) -> tuple[float, float]:
    """Points of a win, and their mean with one more dora indicator and, in riichi, one more ura indicator."""
    held = [0] * KINDS
    for tile in (*win.concealed, *(tile for meld in win.melds for tile in meld.tiles)):
        held[tile >> 2] += 1
    left = [4 - count for count in held]
    for indicator in (*win.dora_indicators, *win.ura_indicators):
        left[indicator >> 2] -= 1
    hits = [0.0] * 5
    for kind, copies in enumerate(left):
        hits[held[DORA_AFTER[kind]]] += max(copies, 0) / max(sum(left), 1)
    extra = np.convolve(hits, hits) if riichi else np.array(hits)
    points = [_points(score.han + more, score.fu, dealer, win.seat == win.from_seat) for more in range(len(extra))]
    return points[0], float(extra @ points)


def _points(han: int, fu: int, dealer: bool, tsumo: bool) -> int:
    return total_points(base_and_limit(han, fu)[0], dealer=dealer, tsumo=tsumo)


def _turn(point: DiscardPoint) -> _Turn:
    view = point.state
    facts = Facts.of(view)
    counts = list(view.counts)
    counts[point.tile >> 2] -= 1
    melds = len(facts.melds)
    total = list(counts)
    for meld in facts.melds:
        for tile in meld.tiles:
            total[tile >> 2] += 1
    suits = [sum(total[9 * suit : 9 * suit + 9]) for suit in range(3)]
    pairs = [kind for kind in range(HONOURS, KINDS) if facts.yakuhai[kind] and counts[kind] == 2]
    return _Turn(
        point.at,
        point.seat,
        view.has_declared(point.seat),
        view.closed,
        shanten(counts, melds),
        ukeire(counts, melds, facts.unseen).total,
        sum(total[kind] for kind in TERMINALS_AND_HONOURS),
        sum(suits) - max(suits),
        max(total) >= 3,
        tuple((kind, facts.unseen[kind]) for kind in pairs),
    )
