"""Playouts: recorded positions played to the end of the hand, with shuffled undrawn tiles.

All four hands are those of the record, so the position must come from a log that shows them. Many playouts run side by
side, so that one network answers all questions of a round at once.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, cast

import numpy as np

from engine.arena.referee import Referee, Step
from engine.arena.walls import DEAL_ROUNDS, Wall
from engine.model.actions import PASS, Action, ActionKind
from engine.model.events import (
    Call,
    Discard,
    Disconnected,
    Draw,
    EndGame,
    Event,
    NewDora,
    Reconnected,
    RiichiAccepted,
    RiichiDeclared,
    StartKyoku,
    Tiles,
)
from engine.model.rules import Rules
from engine.model.seats import SEATS
from engine.model.tiles import TILES
from engine.policy.forced import forced
from engine.policy.players.phoenix import by_chance
from engine.policy.standing import Standing
from engine.prior.inputs import inputs_of
from engine.prior.network import Network
from engine.state import GameState, visible_to
from engine.state.answers import call_action

LIVE: Final = TILES - 14 - 4 * sum(DEAL_ROUNDS)
"""Number of tiles in the live wall after the deal."""


class PlayoutError(ValueError):
    """A recorded hand that cannot be followed to the position; the message says why."""


@dataclass(frozen=True, slots=True)
class RecordedHand:
    """A hand up to a question.

    Attributes:
        rules: rules of the table.
        start: the deal, with all hands visible.
        events: the events since the deal, up to the question.
    """

    rules: Rules
    start: StartKyoku
    events: tuple[Event, ...]

    @classmethod
    def until(cls, rules: Rules, events: Sequence[Event], at: int) -> RecordedHand:
        """The current hand of a game after ``events[at]``, which asks the question."""
        begun = max(place for place in range(at + 1) if isinstance(events[place], StartKyoku))
        start = events[begun]
        past = (event for event in events[begun + 1 : at + 1] if not isinstance(event, Disconnected | Reconnected))
        return cls(rules, cast("StartKyoku", start), tuple(past))

    def wall(self, seed: int) -> Wall:
        """A wall from which this hand could have come: tiles not yet drawn or turned are shuffled.

        Raises:
            PlayoutError: tiles of the hands are hidden.
        """
        hands = tuple(self._hand(position) for position in range(4))
        live, rinshan = self._drawn()
        dora = [self.start.dora_indicator, *(event.indicator for event in self.events if isinstance(event, NewDora))]
        known = {*(tile for hand in hands for tile in hand), *live, *rinshan, *dora}
        rest = [tile for tile in range(TILES) if tile not in known]
        random.Random(seed).shuffle(rest)  # noqa: S311 - a wall, no secret
        unknown = iter(rest)

        def filled(tiles: list[int], size: int) -> Tiles:
            return tuple(tiles + [next(unknown) for _ in range(size - len(tiles))])

        return Wall(hands, filled(live, LIVE), filled(rinshan, 4), filled(dora, 5), filled([], 5), (1, 1))

    def _hand(self, position: int) -> Tiles:
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
            if isinstance(event, Draw):
                if event.tile is None:
                    raise PlayoutError("a draw of the record is hidden")
                (rinshan if after_kan else live).append(event.tile)
            if isinstance(event, Call):
                after_kan = event.meld.kind.is_kan
            elif not isinstance(event, NewDora):
                after_kan = False
        return live, rinshan


class Playout:
    """One hand, continued from a question.

    Attributes:
        states: the view of each seat.
        step: the step of the referee that waits for answers.
        after: the standing after the hand; None while it is being played.
    """

    def __init__(self, hand: RecordedHand, seed: int) -> None:
        """Deal a wall and follow the record up to the question.

        Raises:
            PlayoutError: the referee and the record differ.
        """
        self._wall = hand.wall(seed)
        start = hand.start
        standing = Standing(start.kyoku, start.honba, start.riichi_sticks, start.scores)
        self._referee = Referee(hand.rules, walls=(self._wall, self._wall), standing=standing)
        self.states = [GameState(seat, hand.rules) for seat in SEATS]
        self.after: Standing | None = None
        self._dealt = False
        self.step = self._take(self._referee.start())
        self._follow(hand.events)

    def _follow(self, events: Sequence[Event]) -> None:
        """Answer as the record shows, until all its events have happened."""
        deal = 2  # the start of the game and the deal
        while (done := len(self._referee.events) - deal) < len(events):
            if self.step.over:
                raise PlayoutError("the hand ends before the position")
            ahead = [event for event in events[done:] if not isinstance(event, NewDora | RiichiAccepted)]
            self.answer({seat: _shown(seat, ahead) for seat in self.step.prompts})
        if tuple(self._referee.events[deal:]) != tuple(events):
            raise PlayoutError("the referee and the record differ")

    def answer(self, answers: Mapping[int, Action]) -> None:
        """Continue with an answer of each seat that must answer.

        Raises:
            PlayoutError: an answer is not legal.
        """
        try:
            step = self._referee.answer(answers)
        except ValueError as error:
            raise PlayoutError(str(error)) from error
        self.step = self._take(step)

    def _take(self, step: Step) -> Step:
        for event in step.events:
            if isinstance(event, EndGame):
                self.after = Standing(-1, 0, 0, event.scores)
            elif isinstance(event, StartKyoku) and self._dealt:
                self.after = Standing(event.kyoku, event.honba, event.riichi_sticks, event.scores)
            if self.after is not None:
                break
            self._dealt = self._dealt or isinstance(event, StartKyoku)
            for seat, state in enumerate(self.states):
                state.apply(visible_to(event, seat))
        return step


def play_out(playouts: Sequence[Playout], first: Sequence[Mapping[int, Action]], network: Network, who: int) -> None:
    """Play hands to their end with the network on all seats; this sets :attr:`Playout.after` of each.

    Args:
        playouts: the playouts, each at its question.
        first: for each playout, answers by seat to be given now instead of the network's.
        network: the network that plays; it takes every win.
        who: whom it imitates, a WHO_ number of :mod:`engine.prior.layout_kernels`.

    Raises:
        PlayoutError: an answer of ``first`` is not legal.
    """
    active = list(zip(playouts, first, strict=True))
    while active:
        answers = _answers(active, network, who)
        for (playout, _), answer in zip(active, answers, strict=True):
            playout.answer(answer)
        active = [(playout, {}) for playout, _ in active if playout.after is None]


def _answers(
    active: Sequence[tuple[Playout, Mapping[int, Action]]], network: Network, who: int
) -> list[dict[int, Action]]:
    """For each hand, an answer of every seat that must answer."""
    answers: list[dict[int, Action]] = []
    open_questions = []
    for playout, given in active:
        settled = {seat: given[seat] for seat in playout.step.prompts if seat in given}
        for seat in playout.step.prompts:
            if seat in settled:
                continue
            state = playout.states[seat]
            legal = state.legal_actions()
            decision = forced(legal)
            if decision is not None:
                settled[seat] = decision.action
            else:
                open_questions.append((settled, seat, state, legal, inputs_of(state, legal, who)))
        answers.append(settled)
    if open_questions:
        rows = [inputs for *_, inputs in open_questions]
        logs, reds = network.log_chances(
            np.stack([row.planes for row in rows]),
            np.stack([row.numbers for row in rows]),
            np.stack([row.question for row in rows]),
        )
        for row, (settled, seat, state, legal, _) in enumerate(open_questions):
            settled[seat] = by_chance(state, legal, logs[row], reds[row])[0].action
    return answers


def _shown(seat: int, ahead: Sequence[Event]) -> Action:
    """The answer of a seat that the record shows; a pass if it shows none."""
    event = ahead[0]
    if isinstance(event, RiichiDeclared) and event.seat == seat and isinstance(ahead[1], Discard):
        return Action(ActionKind.RIICHI, ahead[1].tile)
    if isinstance(event, Discard) and event.seat == seat:
        return Action(ActionKind.DISCARD, event.tile)
    if isinstance(event, Call) and event.seat == seat:
        return call_action(event)
    return PASS
