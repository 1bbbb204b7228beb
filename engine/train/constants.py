"""Counting the figures behind the policies' constants, so that each can be compared with recorded games.

The constants of :mod:`engine.policy.simple` are estimates of how hands usually go on. This module counts the same
quantities; :meth:`ConstantCounts.rows` lists each beside the constant in use.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

import numpy as np

from engine.model.events import Event, Win, WinScore
from engine.model.hands import hands_of
from engine.model.seats import round_wind34, seat_wind34
from engine.model.tiles import DORA_AFTER, HAKU, HONOURS, KINDS, TERMINALS_AND_HONOURS
from engine.model.yaku import DOUBLE_RIICHI, RIICHI, TANYAO, URA_DORA
from engine.opponents.facts import STANCES
from engine.policy.simple import outlook_kernels, points_kernels
from engine.policy.value import attack
from engine.rules import code_kernels as codes
from engine.rules.moments import game_moments, next_kinds
from engine.rules.table_kernels import IS_CHI, IS_CLOSED_KAN, IS_PON
from engine.scoring.wins import base_and_limit, total_points
from engine.shanten import shanten, ukeire
from engine.worth import currency


class Counted(NamedTuple):
    """One figure beside the constant in use."""

    name: str  # module and name of the constant, with its index if it has several figures
    constant: float  # the value in use
    counted: float  # the value on the recordings
    n: int  # number of observations, or the sum that the figure is relative to


IPPATSU, PINFU, HONITSU, CHINITSU = 2, 7, 34, 35
"""Tenhou's ids of the other yaku that are counted."""
HAN: Final = tuple(int(han) for han, _ in points_kernels.POINTS if han)
"""Han for which the points of a win are counted."""


class _Turn(NamedTuple):
    """A discard, and the hand that it leaves."""

    seat: int  # the discarder
    riichi: bool  # whether the seat is in riichi
    closed: bool  # whether the hand is closed
    shanten: int  # shanten of the hand
    ukeire: int  # unseen tiles that lower it
    strays: int  # terminals and honours held
    outside: int  # tiles held outside the longest suit and the honours
    triplet: bool  # whether the hand holds three of a kind
    pairs: tuple[tuple[int, int], ...]  # yakuhai pairs as (kind, unseen copies)


@dataclass
class ConstantCounts:
    """Sums over recorded games."""

    # ``[sum, what it is divided by]`` by name of the figure and index
    sums: dict[tuple[str, int], list[float]] = field(default_factory=lambda: defaultdict(lambda: [0.0, 0.0]))

    def observe(self, events: Sequence[Event]) -> None:
        """Add one game in which all hands are visible."""
        turns: dict[int, list[_Turn]] = defaultdict(list)
        for moment in game_moments(events, before=(codes.DISCARD,)):
            turns[int(moment["row"])].append(_turn(moment))
        for number, hand in enumerate(hands_of(enumerate(events)).hands):
            for win in hand.wins:
                self.add_win(win, win.seat == hand.dealer)
                if win.score is not None:
                    self._way(turns[number], win, dict(win.score.yaku))
            if hand.ended:
                self._course(turns[number], hand.winners)

    def rows(self) -> list[Counted]:
        """Every figure beside the constant in use, in the order of the modules; figures never observed are left out."""
        found = []
        for name, index, value in _constants():
            total, n = self.sums.get((name, index), (0.0, 0.0))
            if n:
                found.append(Counted(f"{name}[{index}]" if index >= 0 else name, value, total / n, round(n)))
        return found

    def _add(self, name: str, index: int, value: float, n: float = 1.0) -> None:
        entry = self.sums[name, index]
        entry[0] += value
        entry[1] += n

    def _course(self, hand: Sequence[_Turn], winners: set[int]) -> None:
        """Count what followed each discard until its player's next one."""
        last = {turn.seat: turn for turn in hand}
        left = Counter(turn.seat for turn in hand)
        for turn in hand:
            final = last[turn.seat] is turn
            self._add("outlook_kernels.OTHERS_END", -1, final and bool(winners - {turn.seat}))
            self._add("attack.WINS_A_TURN", min(turn.shanten, 3), turn.seat in winners, left[turn.seat])
            left[turn.seat] -= 1
            if turn.closed and not turn.riichi and 0 <= turn.shanten < len(outlook_kernels.USUAL_UKEIRE):
                self._add("outlook_kernels.USUAL_UKEIRE", turn.shanten, turn.ukeire)

    def _way(self, hand: Sequence[_Turn], win: Win, yaku: Mapping[int, int]) -> None:
        """Count how the winner's closed hands before tenpai turned out."""
        if any(meld.called is not None for meld in win.melds):
            return
        held = [tile >> 2 for tile in win.concealed] + [tile >> 2 for meld in win.melds for tile in meld.tiles]
        for turn in hand:
            if turn.seat != win.seat or turn.shanten < 1:
                continue
            if turn.strays < len(points_kernels.TANYAO_BY_STRAYS):
                self._add("points_kernels.TANYAO_BY_STRAYS", turn.strays, yaku.get(TANYAO, 0))
            if turn.outside < len(points_kernels.FLUSH_BY_STRAYS):
                flush = yaku.get(HONITSU, 0) + yaku.get(CHINITSU, 0)
                self._add("points_kernels.FLUSH_BY_STRAYS", turn.outside, flush)
            if not turn.triplet:
                self._add("points_kernels.PINFU_EXTRA", -1, yaku.get(PINFU, 0))
            for kind, unseen in turn.pairs:
                self._add("points_kernels.YAKUHAI_CHANCE", -1, held.count(kind) >= 3, unseen / 2)

    def add_win(self, win: Win, dealer: bool) -> None:
        """Add a win: how it came about, and its points. Yakuman and wins without a score are ignored."""
        score = win.score
        if score is None or score.yakuman:
            return
        yaku = dict(score.yaku)
        tsumo = win.seat == win.from_seat
        riichi = RIICHI in yaku or DOUBLE_RIICHI in yaku
        if riichi:
            self._add("points_kernels.RIICHI_EXTRA", -1, yaku.get(IPPATSU, 0) + yaku.get(URA_DORA, 0))
            self._add("points_kernels.TSUMO_EXTRA", -1, tsumo)
        self._add("outlook_kernels.RON_SPEED_RIICHI" if riichi else "outlook_kernels.RON_SPEED", -1, not tsumo, tsumo)
        opened = any(meld.called is not None for meld in win.melds)
        stance = "riichi" if riichi else "open" if opened else "closed"
        before, after = _with_indicator(win, score, dealer, riichi)
        self._add("attack.EXTRA_DORA", STANCES.index(stance), after - before, before)
        if not tsumo:
            if not dealer and score.han in HAN:
                self._add("points_kernels.POINTS", HAN.index(score.han), score.points)
            base = score.points / (6 if dealer else 4)
            nearest = min(range(len(currency.OTHERS_BASE)), key=lambda at: abs(currency.OTHERS_BASE[at] / base - 1.0))
            for at in range(len(currency.OTHERS_BASE)):
                self._add("currency.OTHERS_SHARES", at, at == nearest)


COUNTED: Final = {
    outlook_kernels: "USUAL_UKEIRE RON_SPEED RON_SPEED_RIICHI OTHERS_END",
    points_kernels: "POINTS RIICHI_EXTRA TSUMO_EXTRA PINFU_EXTRA TANYAO_BY_STRAYS FLUSH_BY_STRAYS YAKUHAI_CHANCE",
    attack: "EXTRA_DORA WINS_A_TURN",
    currency: "OTHERS_SHARES",
}
"""The constants that are counted, by module."""


def _constants() -> Iterator[tuple[str, int, float]]:
    """(name, index or -1, value) of each figure of every constant that is counted."""
    in_other_forms = {
        "points_kernels.POINTS": [value for han, value in points_kernels.POINTS if han],
        "attack.EXTRA_DORA": [attack.EXTRA_DORA[stance] for stance in STANCES],
    }
    for module, names in COUNTED.items():
        for name in names.split():
            full = f"{module.__name__.rpartition('.')[2]}.{name}"
            value = in_other_forms.get(full, getattr(module, name))
            each = [(-1, value)] if isinstance(value, float) else enumerate(value)
            yield from ((full, at, one) for at, one in each)


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
    points = [
        total_points(base_and_limit(score.han + more, score.fu)[0], dealer=dealer, tsumo=win.seat == win.from_seat)
        for more in range(len(extra))
    ]
    return points[0], float(extra @ points)


def _turn(moment: Any) -> _Turn:
    """The discard that a record of :class:`engine.rules.moment_kernels.Moment` is about to see."""
    seat = int(moment["turn"])
    counts = moment["counts"][seat].tolist()
    unseen = (4 - moment["counts"][seat].astype(np.int64) - moment["open_tiles"]).tolist()
    counts[next_kinds(moment)] -= 1
    melds = int(moment["melds"][seat])
    total = list(counts)
    for what, low in zip(moment["meld_kinds"][seat, :melds].tolist(), moment["meld_lows"][seat].tolist(), strict=False):
        for kind in (low, low + 1, low + 2) if what == IS_CHI else [low] * (3 if what == IS_PON else 4):
            total[kind] += 1
    suits = [sum(total[9 * suit : 9 * suit + 9]) for suit in range(3)]
    winds = seat_wind34(seat, int(moment["dealer"])), round_wind34(int(moment["kyoku"]))
    pairs = [kind for kind in range(HONOURS, KINDS) if (kind >= HAKU or kind in winds) and counts[kind] == 2]
    return _Turn(
        seat,
        bool(moment["riichi"][seat]),
        bool((moment["meld_kinds"][seat, :melds] == IS_CLOSED_KAN).all()),
        shanten(counts, melds),
        ukeire(counts, melds, unseen).total,
        sum(total[kind] for kind in TERMINALS_AND_HONOURS),
        sum(suits) - max(suits),
        max(total) >= 3,
        tuple((kind, unseen[kind]) for kind in pairs),
    )
