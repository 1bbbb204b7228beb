"""Recorded games driven through the simulator by their draws and their actions, beside four states."""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterator, Sequence
from itertools import takewhile

import numpy as np

from engine.model.actions import NINE_TERMINALS, PASS, Action, ActionKind
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
    Ryuukyoku,
    RyuukyokuKind,
    StartGame,
    StartKyoku,
    Win,
)
from engine.model.melds import MeldKind
from engine.model.tiles import TILES
from engine.rules.answer_kernels import CHI, KAN, NUMBER, RIICHI
from engine.rules.answers import number_of
from engine.rules.codes import append_code, code_of
from engine.rules.table_kernels import CALLED, DRAWN, ENDED
from engine.simulator.tables import Tables
from engine.state import GameState, visible_to

CALLS = {MeldKind.CHI: ActionKind.CHI, MeldKind.PON: ActionKind.PON, MeldKind.DAIMINKAN: ActionKind.DAIMINKAN}


def follow(events: Sequence[Event], gaps: Collection[int] = ()) -> tuple[int, int]:
    """Drive a game; (hands, questions). Raises AssertionError at the first difference.

    Before the deals with an index in ``gaps`` a hand has been left out, so that they need not follow from the last one.
    """
    restarts = [events[at] for at in gaps]
    events = [event for event in events if not isinstance(event, (Disconnected, Reconnected))]
    rules = next(event.rules for event in events if isinstance(event, StartGame))
    walls: deque[list[int]] = deque()
    table = Tables(1, rules, walls=[iter(walls.popleft, None)])
    states = [GameState(seat, rules) for seat in range(4)]
    hands = questions = 0
    starts = [at for at, event in enumerate(events) if isinstance(event, StartKyoku)]
    for at, after in zip(starts, [*starts[1:], len(events)], strict=True):
        hand = _Hand(table, states, events[at], events[at + 1 : after])
        walls.append(hand.tiles())
        if not any(isinstance(event, (Win, Ryuukyoku)) for event in hand.events):
            break  # the log breaks off
        questions += hand.play()
        hand.check_end()
        following = events[after] if after < len(events) else events[-1]
        if not any(following is each for each in restarts):
            _check_course(table.games[0], following)
        hands += 1
    return hands, questions


def _check_course(table, following):
    scores = tuple(table.scores.tolist())
    if isinstance(following, StartKyoku):
        assert not table.over
        said = following.kyoku, following.honba, following.riichi_sticks, following.scores
        assert (table.next_kyoku, table.next_honba, table.sticks, scores) == said
    elif isinstance(following, EndGame):
        assert table.over, f"the game goes on at {table.next_kyoku}"
        assert scores == following.scores


class _Hand:
    def __init__(self, table: Tables, states: Sequence[GameState], start: Event, events: Sequence[Event]) -> None:
        assert isinstance(start, StartKyoku)
        self.table = table
        self.array = np.asarray(table.games)
        self.games = table.games
        self.states = states
        self.events = [event for event in events if not isinstance(event, EndGame)]
        self.codes: list[int] = []
        for event in self.events:
            append_code(self.codes, code_of(event))
        self.start = start
        self.red_fives = states[0].rules.red_fives

    def play(self) -> int:
        """Play the hand; the number of questions."""
        array, start, states = self.array, self.start, self.states
        array["scores"][0], array["sticks"][0] = start.scores, start.riichi_sticks
        array["next_kyoku"][0], array["next_honba"][0] = start.kyoku, start.honba
        array["phase"][0], array["over"][0] = ENDED, 0
        self.table.look_again()
        self.table.deal()
        for state in states:
            state.apply(visible_to(start, state.seat))
        fed = coded = questions = 0
        while True:
            logged = int(array["logged"][0])
            assert logged <= len(self.codes), "the simulator goes on after the recorded end"
            while coded < logged:
                event = self.events[fed]
                fed += 1
                coded += not isinstance(event, RiichiDeclared)
                for state in states:
                    state.apply(visible_to(event, state.seat))
            phase = int(array["phase"][0])
            if phase == ENDED:
                break
            asked = self.table.questions()
            legal = dict(zip(asked.seats.tolist(), asked.legal.tolist(), strict=True))
            answers = []
            drawn = int(array["drawn"][0])
            for seat, state in enumerate(states):
                expected = state.legal_actions()
                assert (seat in legal) == bool(expected), f"event {coded}, seat {seat}: {expected}"
                if expected:
                    assert legal[seat] == self.words(expected, drawn), f"event {coded}, seat {seat}: {expected}"
                    questions += 1
                    chosen = self.own(fed) if phase in (DRAWN, CALLED) else self.claim(fed, seat, expected)
                    answers.append(number_of(chosen, drawn, self.red_fives))
            self.table.answer(np.array(answers))
        assert array["log"][0, :logged].tolist() == self.codes
        return questions

    def words(self, legal: Sequence[Action], drawn: int) -> list[int]:
        """The legal actions as the four bit sets of the kernels."""
        words = [0, 0, 0, 0]
        for action in legal:
            number = number_of(action, drawn, self.red_fives) & NUMBER
            word = 0 if number < RIICHI else 1 if number < KAN else 2 if number < CHI else 3
            words[word] |= 1 << number - (0, RIICHI, KAN, CHI)[word]
        return words

    def own(self, at: int) -> Action:
        """What the seat to move did."""
        following = (event for event in self.events[at:] if not isinstance(event, NewDora))
        event = next(following)
        if isinstance(event, RiichiDeclared):
            return Action(ActionKind.RIICHI, next(following).tile)
        if isinstance(event, Discard):
            return Action(ActionKind.DISCARD, event.tile)
        if isinstance(event, Win):
            return Action(ActionKind.TSUMO, event.tile)
        if isinstance(event, Call):
            if event.meld.kind is MeldKind.ANKAN:
                return Action(ActionKind.ANKAN, event.meld.tiles[0])
            return Action(ActionKind.KAKAN, event.meld.added)
        return NINE_TERMINALS

    def claim(self, at: int, seat: int, legal: Sequence[Action]) -> Action:
        """What a seat did about another's tile; one that called in vain may as well have passed."""
        following = [event for event in self.events[at : at + 4] if not isinstance(event, (RiichiAccepted, NewDora))]
        for win in takewhile(lambda event: isinstance(event, Win), following):
            if win.seat == seat:
                return Action(ActionKind.RON, win.tile)
        event = following[0]
        if isinstance(event, Call) and event.seat == seat and event.meld.kind in CALLS:
            own = tuple(tile for tile in event.meld.tiles if tile != event.meld.called)
            kind = CALLS[event.meld.kind]
            return Action(kind, event.meld.called, () if kind is ActionKind.DAIMINKAN else own)
        if isinstance(event, Ryuukyoku) and event.kind is RyuukyokuKind.TRIPLE_RON:
            return next((action for action in legal if action.kind is ActionKind.RON), PASS)
        return PASS

    def check_end(self) -> None:
        """The wins to yaku, fu and points, the payments and how the hand ended are those recorded."""
        table = self.games[0]
        wins = [event for event in self.events if isinstance(event, Win)]
        assert table.wins == len(wins)
        for at, win in enumerate(wins):
            pao = int(table.win_paos[at])
            found = table.win_seats[at], table.win_froms[at], table.win_tiles[at], None if pao < 0 else pao
            assert found == (win.seat, win.from_seat, win.tile, win.pao_seat)
            assert table.win_points[at] == win.score.points
            assert tuple(table.win_deltas[at]) == win.deltas
            assert self.value(table, at) == self.stated(win)
        for event in self.events:
            if isinstance(event, Ryuukyoku):
                assert tuple(table.deltas) == event.deltas

    def value(self, table, at: int) -> tuple[set[int], int, int]:
        """(yaku, fu, han of dora); fu and dora of a yakuman are not stated in logs."""
        answer = int(table.win_answers[at])
        yaku = {number for number in range(55) if answer >> number & 1}
        if min(yaku & set(range(37, 52)), default=None) is not None:
            return yaku, 0, 0
        return yaku, 5 * (answer >> 55), int(table.win_bonuses[at])

    def stated(self, win: Win) -> tuple[set[int], int, int]:
        """The same as the log states it."""
        if win.score.yakuman:
            return set(win.score.yakuman), 0, 0
        dora = sum(han for number, han in win.score.yaku if number in (52, 53, 54))
        return {number for number, _ in win.score.yaku if number not in (52, 53, 54)}, win.score.fu, dora

    def tiles(self) -> list[int]:
        """A wall from which the hand could have come, in Tenhou's order."""
        tiles = [-1] * TILES
        hands = [iter(hand) for hand in self.start.hands]
        place = TILES
        for count in (4, 4, 4, 1):
            for away in range(4):
                for _ in range(count):
                    place -= 1
                    tiles[place] = next(hands[(self.start.dealer + away) % 4])
        tiles[5] = self.start.dora_indicator
        dead = turned = 0
        after_kan = False
        for event in self.events:
            if isinstance(event, Draw) and after_kan:
                tiles[dead ^ 1] = event.tile
                dead, after_kan = dead + 1, False
            elif isinstance(event, Draw):
                place -= 1
                tiles[place] = event.tile
            elif isinstance(event, Call):
                after_kan = event.meld.kind.is_kan
            elif isinstance(event, NewDora):
                turned += 1
                tiles[5 + 2 * turned] = event.indicator
            elif isinstance(event, Win):
                for at, tile in enumerate(event.ura_indicators):
                    tiles[4 + 2 * at] = tile
        left = _unused(tiles)
        return [next(left) if tile < 0 else tile for tile in tiles]


def _unused(tiles: Sequence[int]) -> Iterator[int]:
    used = set(tiles)
    return (tile for tile in range(TILES) if tile not in used)
