"""Playouts: recorded positions played to the end of the hand, with shuffled undrawn tiles.

All four hands are those of the record, so the position must come from a log that shows them. The playouts of a position
run side by side in the simulator, so that one player answers all questions of a round at once.
"""

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, cast

import numpy as np

from engine.arena.walls import DEAL_ROUNDS, Wall
from engine.model import events as ev
from engine.model.actions import PASS, Action, ActionKind
from engine.model.rules import Rules
from engine.model.seats import four
from engine.model.standing import Standing
from engine.model.tiles import TILES
from engine.rules.answers import call_action, number_of
from engine.rules.codes import append_code, code_of
from engine.rules.table_kernels import DRAWN
from engine.simulator.game_kernels import GameTable
from engine.simulator.tables import AnswerError, BatchDecider, Tables

LIVE: Final = TILES - 14 - 4 * sum(DEAL_ROUNDS)
"""Number of tiles in the live wall after the deal."""


class PlayoutError(ValueError):
    """A recorded hand that cannot be followed to the position; the message says why."""


@dataclass(frozen=True, slots=True)
class RecordedHand:
    """A hand up to a question."""

    rules: Rules  # rules of the table
    start: ev.StartKyoku  # the deal, with all hands visible
    events: tuple[ev.Event, ...]  # the events since the deal, up to the question

    @classmethod
    def until(cls, rules: Rules, events: Sequence[ev.Event], at: int) -> "RecordedHand":
        """The current hand of a game after ``events[at]``, which asks the question."""
        begun = max(place for place in range(at + 1) if isinstance(events[place], ev.StartKyoku))
        start = events[begun]
        past = (
            event for event in events[begun + 1 : at + 1] if not isinstance(event, ev.Disconnected | ev.Reconnected)
        )
        return cls(rules, cast("ev.StartKyoku", start), tuple(past))

    def wall(self, seed: int) -> Wall:
        """A wall from which this hand could have come: tiles not yet drawn or turned are shuffled.

        Raises:
            PlayoutError: tiles of the hands are hidden.
        """
        hands = tuple(self._hand(position) for position in range(4))
        live, rinshan = self._drawn()
        dora = [self.start.dora_indicator, *(event.indicator for event in self.events if isinstance(event, ev.NewDora))]
        known = {*(tile for hand in hands for tile in hand), *live, *rinshan, *dora}
        rest = [tile for tile in range(TILES) if tile not in known]
        random.Random(seed).shuffle(rest)  # noqa: S311 - a wall, no secret
        unknown = iter(rest)

        def filled(tiles: list[int], size: int) -> ev.Tiles:
            return tuple(tiles + [next(unknown) for _ in range(size - len(tiles))])

        return Wall(hands, filled(live, LIVE), filled(rinshan, 4), filled(dora, 5), filled([], 5), (1, 1))

    def _hand(self, position: int) -> ev.Tiles:
        hand = self.start.hands[(self.start.dealer + position) % 4]
        if hand is None:
            raise PlayoutError("a hand of the record is hidden")
        return hand

    def _drawn(self) -> tuple[list[int], list[int]]:
        """The tiles drawn from the live wall, and those drawn after kans."""
        live: list[int] = []
        rinshan: list[int] = []
        after_kan = False
        for event in self.events:
            if isinstance(event, ev.Draw):
                if event.tile is None:
                    raise PlayoutError("a draw of the record is hidden")
                (rinshan if after_kan else live).append(event.tile)
            if isinstance(event, ev.Call):
                after_kan = event.meld.kind.is_kan
            elif not isinstance(event, ev.NewDora):
                after_kan = False
        return live, rinshan


class Playouts:
    """A hand at its question, at one table for each wall from which it could have come.

    Attributes:
        tables: the tables, all with the same question.
    """

    def __init__(self, hand: RecordedHand, seeds: Sequence[int]) -> None:
        """Follow the record up to the question.

        Args:
            hand: the hand.
            seeds: of the shuffles of the tiles that are not drawn yet, one for each table.

        Raises:
            PlayoutError: tiles are hidden, or the rules do not allow what the record shows.
        """
        walls = [hand.wall(seed).order() for seed in seeds]
        start = hand.start
        one = Tables(1, hand.rules, walls=[walls])
        one.take_up(np.zeros(1, np.int64), start.kyoku, start.honba, start.riichi_sticks, start.scores)
        one.deal()
        _follow(one, hand)
        self.tables = Tables(len(seeds), hand.rules)
        array = np.asarray(self.tables.games)
        array[:] = np.asarray(one.games)[0]
        array["tiles"] = walls
        self.tables.look_again()

    def play_out(self, first: Sequence[Mapping[int, Action]], player: BatchDecider) -> list[Standing]:
        """Play the hands to their end; the standing after each.

        Args:
            first: for each table, answers by seat to be given now instead of the player's.
            player: who plays on all seats.

        Raises:
            PlayoutError: an answer of ``first`` is not legal.
        """
        asked = self.tables.questions()
        answers = player.answer_all(self.tables.games, asked)
        for row, (at, seat) in enumerate(zip(asked.tables.tolist(), asked.seats.tolist(), strict=True)):
            if seat in first[at]:
                answers[row] = _answer_number(self.tables.games[at], first[at][seat])
        try:
            self.tables.answer(answers)
        except AnswerError as error:
            raise PlayoutError(str(error)) from error
        while len((asked := self.tables.questions()).tables):
            self.tables.answer(player.answer_all(self.tables.games, asked))
        return [_standing(self.tables.games[at]) for at in range(len(self.tables))]


def _standing(table: GameTable) -> Standing:
    """The standing at a table whose hand has ended."""
    scores = four(map(int, table.scores))
    if table.over:
        return Standing(-1, 0, 0, scores)
    return Standing(int(table.next_kyoku), int(table.next_honba), int(table.sticks), scores)


def _follow(tables: Tables, hand: RecordedHand) -> None:
    """Answer as the record shows, until all its events have happened."""
    codes: list[int] = []
    for event in hand.events:
        code = code_of(event)
        if code is not None:
            append_code(codes, code)
    table = tables.games[0]
    while (done := int(table.logged)) < len(codes):
        ahead = _ahead(hand.events, done)
        asked = tables.questions()
        if not len(asked.seats):
            raise PlayoutError("the hand ends before the position")
        answers = [_answer_number(table, _shown(seat, ahead)) for seat in asked.seats.tolist()]
        try:
            tables.answer(np.array(answers))
        except AnswerError as error:
            raise PlayoutError(str(error)) from error
    if table.log[: table.logged].tolist() != codes:
        raise PlayoutError("the rules and the record differ")


def _answer_number(table: GameTable, action: Action) -> int:
    return number_of(action, int(table.drawn) if table.phase == DRAWN else None, bool(table.red_fives))


def _ahead(events: Sequence[ev.Event], done: int) -> list[ev.Event]:
    """The events after the first ``done`` that the log counts; a declared riichi counts with its discard."""
    at = 0
    while done:
        done -= not isinstance(events[at], ev.RiichiDeclared)
        at += 1
    return [event for event in events[at:] if not isinstance(event, ev.NewDora | ev.RiichiAccepted)]


def _shown(seat: int, ahead: Sequence[ev.Event]) -> Action:
    """The answer of a seat that the record shows; a pass if it shows none."""
    event = ahead[0]
    if isinstance(event, ev.RiichiDeclared) and event.seat == seat and isinstance(ahead[1], ev.Discard):
        return Action(ActionKind.RIICHI, ahead[1].tile)
    if isinstance(event, ev.Discard) and event.seat == seat:
        return Action(ActionKind.DISCARD, event.tile)
    if isinstance(event, ev.Call) and event.seat == seat:
        return call_action(event)
    return PASS
