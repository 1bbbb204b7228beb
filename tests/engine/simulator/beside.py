"""Games at tables of the simulator and, with the same walls and answers, under the independent referee.

As a program, for as many games as one likes: ``python -m tests.engine.simulator.beside random 50000 [--first SEED]``.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from engine.arena import Shuffle
from engine.model.actions import Action
from engine.model.events import Event, StartGame, StartKyoku, Win
from engine.model.rules import HANCHAN, TONPU, Rules
from engine.policy.batches import PhoenixPlayers, RandomPlayers
from engine.rules.answer_kernels import CHI, NUMBER, OTHERS_WORD, WIN, WORD_FIRST
from engine.rules.answers import action_of, number_of
from engine.simulator.history import HandHistory
from engine.simulator.play_kernels import Questions
from engine.simulator.tables import BatchDecider, Games, Ints, Tables
from tests.oracles.jansou_referee.referee import Referee

RULES: Final = (TONPU, HANCHAN, Rules(hanchan=False, red_fives=False), Rules(hanchan=False, open_tanyao=False))
AT_ONCE: Final = 100
"""Number of tables side by side."""
TAKES_WINS: Final = 0.9


class RandomWinners(RandomPlayers):
    """Random players that take most of their wins, so that there are hands that end by one."""

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        self._chance = np.random.default_rng(seed)

    def answer_all(self, games: Games, asked: Questions) -> Ints:
        """A win in most cases where there is one, or any legal answer."""
        answers = super().answer_all(games, asked)
        wins = asked.legal[:, OTHERS_WORD] >> (WIN - CHI) & 1 != 0
        answers[wins & (self._chance.random(len(wins)) < TAKES_WINS)] = WIN
        return answers


class _Beside:
    """The referee of one table, and what the table has told so far."""

    def __init__(self, rules: Rules, seed: int) -> None:
        self._rules = rules
        self._history = HandHistory(rules)
        self._referee = Referee(rules, seed)
        self._step = self._referee.start()
        self._events: list[Event] = []
        self._place = f"seed {seed}"

    def read(self, tables: Tables, at: int) -> None:
        """Read the table's events; after the end of a hand this is called before and after the next deal."""
        self._events += self._history.news(tables.games[at])

    def ask(self, tables: Tables, at: int, seats: Sequence[int], legal: Sequence[Sequence[int]]) -> None:
        """Compare the events since the last answers, and the questions.

        Raises:
            AssertionError: something is different.
        """
        expected = [event for event in self._step.events if not isinstance(event, StartGame)]
        found = [plain(event) for event in self._events]
        assert found == [plain(event) for event in expected], self._place
        self._events = []
        prompts = self._step.prompts
        assert list(seats) == sorted(prompts), self._place
        assert self._step.over == bool(tables.games[at].over), self._place
        drawn = int(tables.games[at].drawn)
        for seat, words in zip(seats, legal, strict=True):
            assert list(words) == self._words(prompts[seat], drawn), f"{self._place}, seat {seat}"

    def answer(self, tables: Tables, at: int, seats: Sequence[int], answers: Sequence[int]) -> None:
        """Give the referee the answers that the table is about to get."""
        table = tables.games[at]
        self._step = self._referee.answer(
            {seat: action_of(table, seat, answer) for seat, answer in zip(seats, answers, strict=True)}
        )

    def _words(self, legal: Sequence[Action], drawn: int) -> list[int]:
        words = [0, 0, 0, 0]
        for action in legal:
            number = number_of(action, drawn, self._rules.red_fives) & NUMBER
            word = max(at for at, first in enumerate(WORD_FIRST) if first <= number)
            bit = 1 << number - WORD_FIRST[word]
            assert not words[word] & bit, f"{self._place}: {action} is offered twice"
            words[word] |= bit
        return words


def plain(event: Event) -> Event:
    """An event without the dice, which the simulator does not throw, and the order of yaku, which follows Tenhou's."""
    if isinstance(event, StartKyoku):
        return replace(event, dice=None)
    if isinstance(event, Win) and event.score is not None:
        return replace(event, score=replace(event.score, yaku=tuple(sorted(event.score.yaku))))
    return event


def play_beside(players: BatchDecider, rules: Rules, seeds: Sequence[int]) -> tuple[int, int]:
    """Play a game for each seed at both, with the same players in all seats; the number of hands and of questions.

    Raises:
        AssertionError: events, questions or legal answers are different.
    """
    tables = Tables(len(seeds), rules, walls=[(wall.order() for wall in Shuffle.from_seed(seed)) for seed in seeds])
    besides = [_Beside(rules, seed) for seed in seeds]
    playing = np.arange(len(seeds))
    questions = 0
    while len(playing):
        while True:
            for at in playing.tolist():
                besides[at].read(tables, at)
            dealt = tables.deal()
            if not len(dealt):
                break
            players.start_kyoku(dealt)
        asked = tables.questions()
        answers = players.answer_all(tables.games, asked)
        whose: list[list[int]] = [[] for _ in seeds]
        for number, at in enumerate(asked.tables.tolist()):
            whose[at].append(number)
        for at in playing.tolist():
            besides[at].ask(tables, at, asked.seats[whose[at]].tolist(), asked.legal[whose[at]].tolist())
        playing = playing[~tables.over[playing]]
        for at in playing.tolist():
            besides[at].answer(tables, at, asked.seats[whose[at]].tolist(), answers[whose[at]].tolist())
        questions += len(answers)
        if len(playing):
            tables.answer(answers)
    return int(np.asarray(tables.games)["hands"].sum()), questions


def main() -> int:
    """Play what the command line says; prints how far it is after every hundred games."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("players", choices=["random", "phoenix"])
    parser.add_argument("games", type=int)
    parser.add_argument("--first", type=int, default=0, help="seed of the first game")
    options = parser.parse_args()
    hands = questions = 0
    for first in range(options.first, options.first + options.games, AT_ONCE):
        players = RandomWinners(first) if options.players == "random" else PhoenixPlayers()
        rules = RULES[first // AT_ONCE % len(RULES)]
        played, asked = play_beside(players, rules, range(first, first + AT_ONCE))
        hands, questions = hands + played, questions + asked
        sys.stdout.write(f"{hands} hands, {questions} questions: no difference\n")
        sys.stdout.flush()
    return 0


if __name__ == "__main__":
    sys.exit(main())
