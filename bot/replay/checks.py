"""Checks that whole logs and client sessions share: actions, wins, draws, and what follows a hand."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import fields, replace
from typing import Any, TypeVar

from bot.machine.text import brief
from bot.replay.steps import NO_END
from bot.replay.verify_counts import Mismatch, VerifyCounts
from bot.wording.events import limit_words, yaku_name
from engine.model.actions import Action, ActionKind
from engine.model.events import (
    EndGame,
    Event,
    Points4,
    Ryuukyoku,
    RyuukyokuKind,
    StartKyoku,
    Unstated,
    Win,
    WinClaim,
    WinScore,
)
from engine.model.melds import Meld
from engine.model.rules import HANCHAN
from engine.model.seats import by_score, four, kyoku_name, relative
from engine.model.tiles import format_tiles
from engine.rules.course import final_scores, next_hand
from engine.scoring import WinError, pao_seat, result_points, ryuukyoku_deltas, score_win, win_deltas
from engine.state import (
    Follower,
    GameState,
    StateError,
    draw_words,
    event_words,
    meld_words,
    nagashi_seats,
)
from protocol.logs.game_log import GameLog
from protocol.tenhou.actions import PROMPT_FLAGS

T = TypeVar("T")
EXHAUSTIVE = (RyuukyokuKind.EXHAUSTIVE, RyuukyokuKind.NAGASHI_MANGAN)
"""The draws at which tenpai is shown and paid for."""
OLD_UMA = (10, 5, -5, -10)
"""Uma of Tenhou's east-only games until March 2009."""


def tiles_words(tiles: Iterable[int]) -> str:
    """``'123m55z'``, ``'none'``."""
    return format_tiles(tiles) or "none"


def yes_or_no(fact: bool) -> str:
    """``'yes'`` or ``'no'``."""
    return "yes" if fact else "no"


def melds_words(melds: Iterable[Meld]) -> str:
    """``'pon 555z, chi 123m'``, ``'none'``."""
    return ", ".join(map(meld_words, melds)) or "none"


def seat_words(seat: int | None) -> str:
    """``'seat 2'``, ``'nobody'``."""
    return "nobody" if seat is None else f"seat {seat}"


def score_words(score: WinScore | None) -> str:
    """``'40 fu, 8,000 points, mangan: riichi 1, dora 3'``."""
    if score is None:
        return "not stated"
    value = ", ".join(filter(None, (f"{score.fu} fu", f"{score.points:,} points", limit_words(score.limit))))
    yaku = [f"{yaku_name(number).english} {han}" for number, han in score.yaku]
    yaku += [yaku_name(number).english for number in score.yakuman]
    return f"{value}: {', '.join(yaku) or 'no yaku'}"


def claim_words(claim: WinClaim) -> str:
    """``'30 fu, 2 han, 32,000 points, yakuman: riichi 1, "foo" not known'``; ``'nothing of its value'``."""
    parts = (
        "" if claim.fu is None else f"{claim.fu} fu",
        "" if claim.han is None else f"{claim.han} han",
        "" if claim.points is None else f"{claim.points:,} points",
        limit_words(claim.limit or 0),
    )
    yaku = [f"{yaku_name(number).english} {han}" for number, han in claim.yaku]
    yaku += [yaku_name(number).english for number in claim.yakuman]
    yaku += [f'"{brief(word, 40)}", which is not known' for word in claim.unknown]
    return ": ".join(filter(None, (", ".join(filter(None, parts)), ", ".join(yaku)))) or "nothing of its value"


def next_words(after: tuple[int, int] | bool | None) -> str:
    """``'E2-1'`` of the (kyoku, honba) that follows a hand, ``'the end of the game'`` of None."""
    return kyoku_name(*after) if isinstance(after, tuple) else "the end of the game"


def flags_words(flags: int) -> str:
    """``'pon, chi'`` of the flags of a prompt, ``'nothing'`` of none."""
    words = [kind.name.lower().replace("_", " ") for kind, bit in PROMPT_FLAGS.items() if flags & bit]
    return ", ".join(words) or "nothing"


def change_words(before: Event | None, after: Event | None) -> str:
    """The change of an event in words: ``'seat 1 discards 5m: tile was 16, is 17'``."""
    if before is None or after is None or type(before) is not type(after):
        was, is_ = ("nothing" if event is None else event_words(event) for event in (before, after))
        return f"{was} became {is_}"
    changed = [
        f"{each.name} was {getattr(before, each.name)}, is {getattr(after, each.name)}"
        for each in fields(before)
        if each.compare and getattr(before, each.name) != getattr(after, each.name)
    ]
    return f"{event_words(before)}: {'; '.join(changed)}"


class Checks:
    """Checks of single facts; each counts what it compares and reports what differs.

    Attributes:
        source: name of the file.
        tally: where to count.
        at: position in the file, see :class:`bot.replay.verify_counts.Mismatch`.
        place: the hand being checked.
        after: what must follow the hand just ended: (kyoku, honba), or None for the end of the game; False while that
            is not known.
        dealer_tenpai: whether the hand just ended was played out with the dealer tenpai.
        follower: follows what is checked; the rest of a hand that is lost is not checked.
        elsewhere: whether the log does not say that the game was played by Tenhou's own rules: when it ends, and its
            uma, are then not compared.
        house_rules: whether its table has rules of its own, so that its results are not compared at all.
    """

    def __init__(
        self,
        source: str,
        tally: VerifyCounts,
        follower: Follower[Any],
        *,
        elsewhere: bool = False,
        house_rules: bool = False,
    ) -> None:
        self.source = source
        self.tally = tally
        self.at = 0
        self.place = ""
        self.after: tuple[int, int] | bool | None = False
        self.dealer_tenpai = False
        self.follower = follower
        self.elsewhere = elsewhere or house_rules
        self.house_rules = house_rules

    def take(self, event: Event, check: Callable[[Any, Any], None]) -> None:
        """Check an event by a method that also applies it; an impossible one is reported, and its hand is lost."""
        if self.follower.passes_over(event):
            return
        try:
            check(self, event)
        except StateError as error:
            self.report("state", str(error))
            self.tally.illegal += 1
            self.lose(error)

    def follow(self, game: GameLog, checks: Mapping[type, Callable[[Any, Any], None]]) -> None:
        """Check event after event; after an impossible one continue with the next hand.

        ``checks`` has the method of each event; other events are only applied.
        """
        self.tally.games += 1
        restarts = game.restarts
        for at, event in enumerate(game.events):
            self.at = at
            if at in restarts:
                self.lose(NO_END)
            self.take(event, checks.get(type(event), Checks.apply))

    def lose(self, fault: StateError) -> None:
        """The rest of the hand cannot be checked, nor what must follow it."""
        self.follower.lose(fault)
        self.after = False

    def apply(self, event: Event) -> None:
        """Apply an event."""
        self.follower.apply(event)

    def report(self, check: str, message: str) -> None:
        """Report a mismatch."""
        self.tally.errors.append(Mismatch(self.source, self.place, self.at, check, message))

    def tolerate(self, check: str, message: str) -> None:
        """Report a known and allowed departure from our rules."""
        self.tally.tolerated.append(Mismatch(self.source, self.place, self.at, check, message))

    def same(self, check: str, what: str, ours: T, recorded: T, words: Callable[[T], str] = str) -> bool:
        """Whether the two agree; a difference is reported in ``words``."""
        if ours == recorded:
            return True
        mine, theirs = words(ours), words(recorded)
        if mine == theirs:  # copies of a tile that look alike
            mine, theirs = str(ours), str(recorded)
        self.report(check, f"{what}: ours {mine}, recorded {theirs}")
        return False

    def action(self, view: GameState, action: Action) -> None:
        """Check that a recorded action is legal."""
        self.tally.actions += 1
        if view.is_legal(action):
            return
        if action.kind is ActionKind.DISCARD and action.tile in view.hand and view.kuikae >> (action.tile >> 2) & 1:
            self.tolerate("action", f"seat {view.seat}: {action} after its call is kuikae")
            return
        self.tally.illegal += 1
        legal = ", ".join(map(str, view.legal_actions())) or "nothing is asked"
        held = format_tiles(view.hand)
        self.report("action", f"seat {view.seat}: {action} is not legal with {held}; legal: {legal}")

    # -- wins ------------------------------------------------------------------------------------------------------

    def shown_at_win(self, view: GameState, event: Win) -> None:
        """Check that the winner's hand, melds and indicators are those of our view."""
        if not event.concealed:
            return
        hand = sorted({*view.hand, event.tile})
        exact = self.same("hands", f"seat {event.seat}'s tiles", hand, list(event.concealed), tiles_words)
        exact &= self.same("hands", "melds", tuple(view.melds[event.seat]), event.melds, melds_words)
        exact &= self.same("hands", "indicators", tuple(view.dora_indicators), event.dora_indicators, tiles_words)
        ura = len(view.dora_indicators) if view.riichi[event.seat] else 0
        exact &= self.same("hands", "number of ura indicators", ura, len(event.ura_indicators))
        self.tally.count("hands", agrees=exact, stated=Unstated.HANDS not in event.unstated)

    def value(self, view: GameState, event: Win) -> WinScore | None:
        """The value of a win according to the winner's view; compared with what the log states of it."""
        try:
            ours = score_win(view.win_context(event.tile, event.from_seat, event.ura_indicators))
        except WinError as error:
            self.report("wins", f"{event_words(event)}, which cannot be: {error}")
            self.tally.count("wins", agrees=False)
            return None
        agrees = ours is not None
        stated = score_words(event.score) if event.claim is None else claim_words(event.claim)
        if ours is None:
            self.report("wins", f"{event_words(event)} without a yaku, or incomplete; recorded {stated}")
        elif event.score is not None:
            recorded = _comparable(event.score, ours, kiriage=view.rules.kiriage)
            agrees = self.same("wins", f"seat {event.seat}'s win", ours, recorded, score_words)
        elif event.claim is not None and not _may_claim(event.claim, ours, kiriage=view.rules.kiriage):
            self.report("wins", f"seat {event.seat}'s win: ours {score_words(ours)}, recorded {stated}")
            agrees = False
        self.tally.count("wins", agrees=agrees, stated=event.score is not None)
        return ours

    def win_payments(self, view: GameState, event: Win, score: WinScore, before: Points4, *, first: bool) -> None:
        """Check the payments of a win; ``before``: scores before it; ``first``: the first win on this tile."""
        liable = pao_seat(event.melds, score, event.from_seat)
        sticks = view.riichi_sticks if first else 0
        honba = view.honba if first else 0
        gains = win_deltas(
            score, event.seat, event.from_seat, view.dealer, honba, sticks, liable, view.rules.honba_points
        )
        exact = self.same("payments", f"seat {event.seat}'s win", gains, event.deltas)
        if event.pao_seat is not None or (event.score is not None and Unstated.LIABLE not in event.unstated):
            exact &= self.same("payments", "who is liable", liable, event.pao_seat, seat_words)
        exact &= self.same("payments", "honba and sticks", (view.honba, sticks), (event.honba, event.riichi_sticks))
        if event.scores_before is not None:
            exact &= self.same("payments", "scores before", before, event.scores_before)
        self.tally.count("payments", agrees=exact, stated=Unstated.PAYMENTS not in event.unstated)

    def order_of_wins(self, wins: Sequence[Win]) -> None:
        """Check that wins on one tile come in the order of seats from the discarder."""
        order = [relative(each.seat, each.from_seat) for each in wins]
        self.same("action", "order of winners from the discarder", sorted(set(order)), order)

    def expect_after_wins(self, view: GameState, wins: Sequence[Win], scores: Points4) -> None:
        """Determine what must follow the wins on one tile; ``scores`` are those after them."""
        stays = any(each.seat == view.dealer for each in wins)
        self.dealer_tenpai = False
        self.after = next_hand(view.rules, view.kyoku, view.honba, scores, dealer_stays=stays, drawn=False)

    # -- draws -----------------------------------------------------------------------------------------------------

    def shown_at_draw(self, view: GameState, event: Ryuukyoku) -> bool:
        """Check that the viewer shows the hand of our view, and only if it must."""
        shown = event.hands[view.seat]
        if shown is not None:
            agrees = self.same("hands", f"seat {view.seat}'s tiles", view.hand, list(shown), tiles_words)
            self.tally.count("hands", agrees=agrees, stated=Unstated.HANDS not in event.unstated)
        # some logs show no hands, so that only the payments show who was tenpai
        shown_tenpai = any(event.hands) or (event.kind is RyuukyokuKind.EXHAUSTIVE and any(event.deltas))
        if event.kind in EXHAUSTIVE and shown_tenpai and Unstated.TENPAI not in event.unstated:
            return self.same("draws", f"seat {view.seat} being tenpai", bool(view.waits), shown is not None, yes_or_no)
        return True

    def draw_payments(self, view: GameState, event: Ryuukyoku, tenpai: tuple[int, ...]) -> bool:
        """Check kind and payments of a draw, and determine what must follow it. Returns whether the kind is right."""
        exhaustive = event.kind in EXHAUSTIVE
        nagashi = nagashi_seats(view) if exhaustive else ()
        right, kind = True, event.kind
        if exhaustive:
            kind = RyuukyokuKind.NAGASHI_MANGAN if nagashi else RyuukyokuKind.EXHAUSTIVE
            right = Unstated.KIND in event.unstated or self.same("draws", "kind", kind, event.kind, draw_words)
        gains = ryuukyoku_deltas(kind if Unstated.KIND in event.unstated else event.kind, tenpai, view.dealer, nagashi)
        exact = self.same("payments", "of the draw", gains, event.deltas)
        counters = (event.honba, event.riichi_sticks)
        exact &= self.same("payments", "honba and sticks", (view.honba, view.riichi_sticks), counters)
        if event.scores_before is not None:
            exact &= self.same("payments", "scores before", tuple(view.scores), event.scores_before)
        self.tally.count("payments", agrees=exact, stated=Unstated.PAYMENTS not in event.unstated)
        self.dealer_tenpai = view.dealer in tenpai
        scores = plus(view.scores, event.deltas)
        self.after = next_hand(
            view.rules,
            view.kyoku,
            view.honba,
            scores,
            dealer_stays=view.dealer in tenpai,
            drawn=True,
            aborted=not exhaustive,
        )
        return right

    # -- between hands ---------------------------------------------------------------------------------------------

    def start_of_hand(self, view: GameState, event: StartKyoku) -> None:
        """Check that the hand is the one that must follow, with the scores and riichi sticks carried over."""
        self.place = kyoku_name(event.kyoku, event.honba)
        self.tally.kyoku += 1
        if self.after is not False:
            self.tally.progress += 1
            again = (event.kyoku, event.honba)
            if self.after is None and self.dealer_tenpai and again == (view.kyoku, view.honba + 1):
                self.tolerate("progress", "a dealer tenpai and in the lead plays on")
                self.after = again
            ends = self.elsewhere and self.after is None
            exact = ends or self.same("progress", "what follows", self.after, again, next_words)
            exact &= self.same("progress", "riichi sticks", view.riichi_sticks, event.riichi_sticks)
            exact &= self.same("progress", "scores", points4(view.scores), event.scores)
            self.tally.progress_exact += exact and not ends
            self.tally.progress_unstated += exact and ends
        self.after = False

    def end_of_game(self, view: GameState, event: EndGame) -> None:
        """Check that the game may end here with these points."""
        exact = True
        if self.after is not False:
            self.tally.progress += 1
            if self.elsewhere and self.after is not None:
                self.tally.progress_unstated += 1
            else:
                self.tally.progress_exact += self.same("progress", "what follows", self.after, None, next_words)
            ours = final_scores(view.scores, view.riichi_sticks)
            exact = self.same("results", "final scores", ours, event.scores)
        if event.results is not None and not self.house_rules:
            exact &= self.result_points(view, event.scores, event.results)
        self.tally.count("results", agrees=exact, stated=Unstated.SCORES not in event.unstated and not self.house_rules)
        self.after = False

    def result_points(self, view: GameState, scores: Points4, results: tuple[float, ...]) -> bool:
        """Check points with uma and oka. Tenhou's uma of early 2009, and any at house rules, is tolerated."""
        if result_points(scores, view.rules, whole=_whole(results)) == results:
            return True
        # the uma that the table must have had, which no log states
        order = by_score(scores)
        plain = result_points(scores, replace(view.rules, uma=(0, 0, 0, 0)), whole=_whole(results))
        second, third, fourth = (round(results[seat] - plain[seat]) for seat in order[1:])
        rules = replace(view.rules, uma=(-second - third - fourth, second, third, fourth))
        # no log states the uma of a table with house rules, as tournaments and chip tables have
        if rules.uma != OLD_UMA and not (self.elsewhere or rules.start_points != HANCHAN.start_points or rules.kiriage):
            return self.same(
                "results", "result points", result_points(scores, view.rules, whole=_whole(results)), results
            )
        theirs = result_points(scores, rules, whole=_whole(results))
        if theirs == results:
            self.tolerate("results", f"the table's uma is {rules.uma}")
        return self.same("results", "result points", theirs, results)


def _whole(results: tuple[float, ...]) -> bool:
    """Whether results are whole thousands, as Tenhou rounded until May 2022; a log does not always state its date."""
    return all(points == int(points) for points in results)


def points4(scores: Sequence[int]) -> Points4:
    """Scores as a value."""
    return four(scores)


def plus(scores: Sequence[int], deltas: Points4) -> Points4:
    """Scores after a change."""
    return points4([was + gain for was, gain in zip(scores, deltas, strict=True)])


def _may_claim(claim: WinClaim, ours: WinScore, *, kiriage: bool) -> bool:
    """Whether nothing that a log states of the value of a win differs from ours."""
    rounded = kiriage and claim.limit == 1 and ours.limit == 0
    same = claim.points in {None, ours.points} and (rounded or claim.limit in {None, ours.limit})
    if not ours.yakuman:
        same &= claim.han in {None, ours.han} and claim.fu in {None, ours.fu}
    listed, known = {pair for pair in ours.yaku if pair[1]}, set(claim.yaku)
    yakuman = set(claim.yakuman)
    same &= known <= listed and yakuman <= set(ours.yakuman)
    if not claim.unknown and (known or yakuman):
        same &= known == listed and yakuman == set(ours.yakuman)
    return same


def _comparable(recorded: WinScore, ours: WinScore, *, kiriage: bool) -> WinScore:
    """The recorded score in our order of yaku, with our fu if none is stated: for a yakuman or a limit hand.

    Where mangan is rounded up to, some logs call the value mangan, which ours never is.
    """
    limit = 0 if kiriage and recorded.limit == 1 and ours.limit == 0 else recorded.limit
    unstated = recorded.yakuman or (recorded.fu == 0 and recorded.limit > 0)
    yaku = ours.yaku if sorted(ours.yaku) == sorted(recorded.yaku) else recorded.yaku
    fu = ours.fu if unstated else recorded.fu
    return WinScore(fu, recorded.points, limit, yaku, recorded.yakuman)
