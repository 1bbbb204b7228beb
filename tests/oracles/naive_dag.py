"""The one-player game of ``engine/search/dag/model.py`` solved the slow way: plain Python, doubles, one memo.

Every step looks its successors up in a set of hands; nothing is shared with the kernels but the scoring of a win.
"""

from __future__ import annotations

from typing import NamedTuple

from engine.model.actions import ActionKind
from engine.model.tiles import DORA_AFTER, RED_FIVES, counts34
from engine.scoring import WinContext, win_flags
from engine.search.dag.model import RiichiMode, in_points
from engine.search.dag.solve import turns_of
from engine.search.evaluator import Choice
from tests.oracles.naive_hands import (
    ANKAN,
    CHI,
    MELD_CODE,
    OPEN_KAN,
    PON,
    Hand,
    chi_shapes,
    complete,
    exchanges,
    score,
    totals,
)

FIVES = (4, 13, 22)
NONE, RIICHI, FRESH = range(3)
KANS = 2  # in one line of play


class Worth(NamedTuple):
    """Sums along the policy."""

    value: float
    p_win: float = 0.0
    p_tenpai: float = 0.0
    win_points: float = 0.0

    def times(self, weight):
        return Worth(*(weight * figure for figure in self))

    def add(self, other):
        return Worth(*(a + b for a, b in zip(self, other, strict=True)))


ZERO = Worth(0.0)


class NaiveDag:
    """The game from one position. ``d`` is own draws left everywhere."""

    def __init__(self, position, model, n, draws=None, kans=0, double=False, stakes=None, called=False):
        """``kans``: made at the root, whose dora are not turned yet; ``double``: a riichi declared is one.

        ``called``: the root was reached by a call.
        """
        self.kans, self.double = kans, double
        self.stakes = stakes or in_points(position, model)
        self.kan_toll = Worth(-self.stakes.kan_toll)
        self.position, self.model = position, model
        asked = not position.to_discard and not kans and not called
        self.turns = turns_of(position, model, self.stakes, position.before_draw if asked else 3, called)
        self.draws = position.draws_left if draws is None else draws
        self.root = Hand(
            tuple(position.counts), tuple(sorted((MELD_CODE[meld.kind], meld.tile34) for meld in position.melds))
        )
        self.held = totals(self.root)
        self.unseen = position.unseen
        self.limit = [
            4 - self.held[kind] if position.river_mask >> kind & 1 else self.unseen[kind] for kind in range(34)
        ]
        self.changes = exchanges(self.root.concealed, n, self.limit)
        if position.to_discard:
            for kind in range(34):
                if self.root.concealed[kind] and not position.kuikae >> kind & 1:
                    self.changes.add(tuple(-(other == kind) for other in range(34)))
        else:
            self.changes.add((0,) * 34)
        every_red = [tile for tile in position.concealed if position.rules.red_fives and tile in RED_FIVES]
        every_red += [tile for meld in position.melds for tile in meld.tiles if tile in RED_FIVES]
        self.reds = [RED_FIVES[suit] in every_red for suit in range(3)]
        self.memo = {}
        self.silent = frozenset()  # hands that declare no riichi until they have changed

    # -- hands ---------------------------------------------------------------------------------------------------------

    def searched(self, hand):
        """Whether a 13-tile hand is in Q_S."""
        key = ("searched", hand)
        if key not in self.memo:
            change = tuple(a - b for a, b in zip(totals(hand, kan=3), totals(self.root, kan=3), strict=True))
            new = self.new_melds(hand)
            made = all(self.makes_kan(kind) for code, kind in new if code in (OPEN_KAN, ANKAN))
            few = sum(code != ANKAN for code, _ in new) <= self.model.calls and self.new_kans(hand) <= KANS
            self.memo[key] = made and few and change in self.changes and self._called_tiles_came_in(new, change)
        return self.memo[key]

    def new_melds(self, hand):
        """Melds that the root has not, those it has made a kan of aside."""
        new = list(hand.melds)
        for code, kind in self.root.melds:
            new.remove((code, kind) if (code, kind) in new else (OPEN_KAN, kind))
        return new

    def makes_kan(self, kind):
        return self.root.concealed[kind] >= 3 or (PON, kind) in self.root.melds

    def new_kans(self, hand):
        return sum(code in (OPEN_KAN, ANKAN) for code, _ in set(hand.melds) - set(self.root.melds))

    def _called_tiles_came_in(self, new, change):
        """Whether each new chi and pon can have been called with a tile of its own of those that came in (eq. 11)."""
        new = [meld for meld in new if meld[0] in (CHI, PON)]
        came = [max(0, step) for step in change]

        def match(at):
            if at == len(new):
                return True
            code, lowest = new[at]
            for kind in (lowest, lowest + 1, lowest + 2) if code == CHI else (lowest,):
                if came[kind]:
                    came[kind] -= 1
                    fits = match(at + 1)
                    came[kind] += 1
                    if fits:
                        return True
            return False

        return match(0)

    def weights(self, hand):
        """``w_h`` of a hand of any size."""
        held = totals(hand)
        return [max(0, self.unseen[kind] - max(0, held[kind] - self.held[kind])) for kind in range(34)]

    def chances(self, hand):
        weights = self.weights(hand)
        held = totals(hand)
        total = sum(self.unseen) - sum(max(0, held[kind] - self.held[kind]) for kind in range(34))
        return [weight / total for weight in weights]

    def waits(self, hand):
        key = ("waits", hand)
        if key not in self.memo:
            held = totals(hand)
            self.memo[key] = tuple(
                kind
                for kind in range(34)
                if held[kind] < 4
                and held[kind] + 1 - self.held[kind] <= self.limit[kind]
                and complete(hand.plus(kind).concealed)
            )
        return self.memo[key]

    def furiten(self, hand):
        held = totals(hand)
        discarded = [self.position.river_mask >> k & 1 or held[k] < self.held[k] for k in range(34)]
        return any(discarded[kind] for kind in self.waits(hand))

    # -- wins ----------------------------------------------------------------------------------------------------------

    def win(self, hand, kind, tsumo, rho, last=False, rinshan=False):
        """Worth of a win, or None."""
        key = ("win", hand, kind, tsumo, rho, last, rinshan)
        if key not in self.memo:
            self.memo[key] = self._win(hand, kind, tsumo, rho, last, rinshan)
        return self.memo[key]

    def _win(self, hand, kind, tsumo, rho, last, rinshan):
        if kind not in self.waits(hand) or (not tsumo and self.furiten(hand)):
            return None
        declared = 2 if self.double or self.position.riichi == 2 else 1
        if rho == FRESH:
            kept = self.turns.ippatsu_kept[int(tsumo)]
            plain = self._scored(hand, kind, tsumo, declared, last, ippatsu=False)
            quick = self._scored(hand, kind, tsumo, declared, last, ippatsu=True)
            return plain.times(1 - kept).add(quick.times(kept))
        auto = self.model.riichi is RiichiMode.AUTO and hand.closed
        return self._scored(hand, kind, tsumo, declared if rho == RIICHI else int(auto), last, False, rinshan)

    def _scored(self, hand, kind, tsumo, riichi, last, ippatsu, rinshan=False):
        position = self.position
        won = hand.plus(kind)
        held = totals(won)
        bonus = sum(held[DORA_AFTER[indicator >> 2]] for indicator in position.dora_indicators)
        bonus += sum(self.reds[suit] and held[FIVES[suit]] > 0 for suit in range(3))
        result = ZERO
        for extra, chance in self._extras(won, bool(riichi), self.kans + self.new_kans(hand)).items():
            points = score(
                won.concealed,
                won.melds,
                kind,
                win_flags(
                    WinContext(
                        concealed=(),
                        win_tile=-1,
                        tsumo=tsumo,
                        seat_wind=position.seat_wind,
                        round_wind=position.round_wind,
                        riichi=riichi,
                        ippatsu=ippatsu,
                        last_tile=last,
                        rinshan=rinshan,
                        rules=position.rules,
                    )
                ),
                bonus + extra,
            )
            if points == 0:
                return None
            gained = points + 300 * position.honba + 1000 * position.riichi_sticks
            result = result.add(Worth(self.stakes.win_worth(gained, tsumo), 1.0, 0.0, gained).times(chance))
        return result

    def _extras(self, won, riichi, kans):
        """Chance of each number of extra han; ``kans`` have turned indicators that are not known."""
        held = totals(won)
        spread = {0: 1.0}
        for suit, five in enumerate(FIVES):
            added = max(0, held[five] - self.held[five])
            if self.position.red_unseen[suit] and added:
                share = min(1.0, added / self.unseen[five])
                spread = _convolve(spread, {0: 1 - share, 1: share})
        turned = kans + (len(self.position.dora_indicators) + kans if riichi and self.position.rules.ura_dora else 0)
        if turned:
            weights = self.weights(won)
            hits = {}
            for indicator in range(34):
                number = held[DORA_AFTER[indicator]]
                hits[number] = hits.get(number, 0.0) + weights[indicator] / sum(weights)
            for _ in range(turned):
                spread = _convolve(spread, hits)
        return spread

    # -- phases --------------------------------------------------------------------------------------------------------

    def draw(self, hand, d, rho=NONE, rinshan=False):
        """``E_T``; ``rinshan``: the tile is the dead wall's."""
        key = ("T", hand, d, rho, rinshan)
        if key in self.memo:
            return self.memo[key]
        last = not rinshan and d == 1 and self.turns.tail == 0
        chances = self.chances(hand)
        row = int(rho != NONE)
        often = self.turns.draw_kinds[row] * self.turns.draw_scale[row, d]
        result, reached = ZERO, 0.0
        for kind in range(34):
            if not chances[kind]:
                continue
            win = self.win(hand, kind, True, rho, last, rinshan)
            if rho == NONE:
                refund = Worth(self.refund(hand, kind))
                played = [self.discard(hand.plus(kind), d - 1), self.kan(hand.plus(kind), d)]
                options = [win, *(one and one.add(refund) for one in played)]
                best = max((one for one in options if one is not None), key=lambda worth: worth.value)
            elif win is not None:
                best = win
            else:
                continue
            result = result.add(best.times(often[kind] * chances[kind]))
            reached += often[kind] * chances[kind]
        if (
            abs(1 - reached) > 1e-12
        ):  # in riichi, all other tiles; else kinds of the own river held beyond what is unseen
            kept = self.after(hand, d - 1, riichi=True) if rho == NONE else self.others(hand, d - 1, RIICHI)
            result = result.add(kept.times(1 - reached))
        self.memo[key] = result
        return result

    def kan(self, hand, d):
        """``K``: the best closed or added kan of 14 tiles, None where there is none."""
        if self.model.draws_only or d < 2:
            return None
        made = [hand.call(ANKAN, kind, (kind,) * 4) for kind in range(34) if hand.concealed[kind] == 4]
        for code, kind in hand.melds:
            if code == PON and hand.concealed[kind]:
                made.append(hand.call(OPEN_KAN, kind, (kind,), instead=(PON, kind)))
        worths = [self.draw(after, d, rinshan=True).add(self.kan_toll) for after in made if self.searched(after)]
        return max(worths, key=lambda worth: worth.value, default=None)

    def after(self, hand, d, riichi):
        """Worth of having discarded down to ``hand``: as it is, or with a riichi."""
        best = self.others(hand, d)
        if riichi and hand not in self.silent and self.may_riichi(hand, d):
            best = max(best, self.others(hand, d, FRESH), key=lambda worth: worth.value)
        given_up = Worth(float(self.turns.fold[d]))
        return given_up if given_up.value > best.value else best

    def toll(self, hand, kind):
        """Cost of discarding the kind from a hand of 14; for the root's tiles at the first discard of the kind."""
        tolls = self.stakes.toll
        return tolls[kind] if tolls and totals(hand)[kind] == self.held[kind] > 0 else 0.0

    def refund(self, hand, kind):
        """Refund for taking the kind into a hand of 13."""
        return self.toll(hand.plus(kind), kind) if totals(hand)[kind] < self.held[kind] else 0.0

    def may_riichi(self, hand, d):
        return (
            self.model.riichi is RiichiMode.CHOICE
            and hand.closed
            and d >= 1
            and self.position.points >= 1000
            and bool(self.waits(hand))
        )

    def discard(self, hand, d, forbidden=(), riichi=True):
        """``V``: None where no discard leads into Q_S."""
        key = ("V", hand, d, forbidden, riichi)
        if key not in self.memo:
            best = None
            for kind in range(34):
                if hand.concealed[kind] and kind not in forbidden:
                    left = hand.plus(kind, -1)
                    if self.searched(left):
                        found = self.after(left, d, riichi).add(Worth(-self.toll(hand, kind)))
                        if best is None or found.value > best.value:
                            best = found
            self.memo[key] = best
        return self.memo[key]

    def others(self, hand, d, rho=NONE, opponents=3, barred=()):
        """``E_F``, and the end."""
        return self.ladder(hand, d, rho, opponents, barred)[-1]

    def ladder(self, hand, d, rho=NONE, opponents=3, barred=()):
        """``V0``, ``V1`` … : worth once all have discarded, before the left player's discard, before that across …

        ``barred``: the kinds that are not claimed.
        """
        key = ("F", hand, d, rho, opponents, barred)
        if key in self.memo:
            return self.memo[key]
        row = int(rho != NONE)
        if d == 0:
            opponents = self.turns.tail
            tenpai = bool(self.waits(hand))
            at_end = self.turns.terminal[(1 + row) if tenpai else 0]
            goes_on = Worth(float(at_end), 0.0, float(tenpai), 0.0)
        else:
            goes_on = self.draw(hand, d, rho)
        lives = self.turns.survive[row, d] ** (opponents / 3)
        worth = goes_on.times(lives).add(Worth((1 - lives) * self.turns.ended[row, d]))
        steps = [worth]
        chances = self.chances(hand)
        for distance in range(opponents):
            left_player, houtei = distance == 0, d == 0 and distance == 0
            step = worth
            for kind in range(34):
                if not chances[kind] or kind in barred:
                    continue
                best = self.best_claim(hand, d, rho, kind, left_player, houtei)
                if best is not None and (rho != NONE or best.value > worth.value):
                    weight = self.turns.rate[row, d, distance, kind] * chances[kind]
                    step = step.add(best.add(worth.times(-1)).times(weight))
            worth = step
            steps.append(worth)
        self.memo[key] = steps
        return steps

    def best_claim(self, hand, d, rho, kind, left_player, houtei):
        key = ("claim", hand, d, rho, kind, left_player, houtei)
        if key not in self.memo:
            options = [self.win(hand, kind, False, rho, houtei)] if not self.model.draws_only else []
            if rho == NONE and d >= 1 and self.model.calls:
                if hand.concealed[kind] == 3 and d >= 2:
                    opened = hand.call(OPEN_KAN, kind, (kind,) * 3)
                    if self.searched(opened):
                        drawn = self.draw(opened, d, rinshan=True).add(self.kan_toll)
                        options.append(drawn.add(Worth(self.refund(hand, kind))))
                if hand.concealed[kind] >= 2:
                    options.append(self.called(hand, kind, hand.call(PON, kind, (kind, kind)), d, (kind,)))
                if left_player:
                    for own, forbidden in chi_shapes(kind):
                        if all(hand.concealed[tile] for tile in own):
                            called = hand.call(CHI, min(kind, *own), own)
                            options.append(self.called(hand, kind, called, d, forbidden))
            options = [option for option in options if option is not None]
            self.memo[key] = max(options, key=lambda worth: worth.value) if options else None
        return self.memo[key]

    def called(self, hand, kind, after, d, forbidden):
        """Worth of a call that takes ``kind``: None where no discard leads into Q_S."""
        best = self.discard(after, d - 1, forbidden, riichi=False)
        return best and best.add(Worth(self.refund(hand, kind)))

    # -- roots ---------------------------------------------------------------------------------------------------------

    def discards(self):
        """Choice → worth of every discard and riichi; in riichi, of every discard that leaves the hand tenpai."""
        if self.stakes.tiles is not None:
            self.silent = {self.root.plus(kind, -1) for kind in range(34) if self.root.concealed[kind]}
        found = {}
        for kind in range(34):
            if self.root.concealed[kind] and not self.position.kuikae >> kind & 1:
                left = self.root.plus(kind, -1)
                ways = {ActionKind.DISCARD: NONE}
                if self.position.riichi:
                    ways = {ActionKind.DISCARD: RIICHI} if self.waits(left) else {}
                elif self.position.kuikae == 0 and self.may_riichi(left, self.draws):
                    ways[ActionKind.RIICHI] = FRESH
                for action, rho in ways.items():
                    found[Choice(action, kind)] = self.others(left, self.draws, rho)
        return found

    def waiting(self):
        """Worth of 13 tiles before the others, or what is left of them, discard."""
        rho = (FRESH if self.position.ippatsu else RIICHI) if self.position.riichi else NONE
        if self.stakes.tiles is not None:
            self.silent = {self.root}
        position = self.position
        held = (*position.concealed, position.offered)
        passed = position.offered >= 0 and complete(tuple(counts34(held)))
        barred = self.waits(self.root) if passed or position.furiten_turn else ()
        return self.others(self.root, self.draws, rho, opponents=position.before_draw, barred=barred)

    def replaced(self):
        """Worth of 13 tiles after a kan, before the dead wall's tile."""
        return self.draw(self.root, self.draws + 1, RIICHI if self.position.riichi else NONE, rinshan=True)


def _convolve(one, other):
    result = {}
    for a, p in one.items():
        for b, q in other.items():
            result[a + b] = result.get(a + b, 0.0) + p * q
    return result
