"""Players that answer many questions of the simulator at once; see :class:`engine.simulator.tables.BatchDecider`."""

from collections.abc import Sequence

import numpy as np

from engine._jit import new_records
from engine.networks.imitation import answer_chances, shipped_network
from engine.networks.imitation_batch_kernels import answer_forced, fill_asked
from engine.networks.imitation_layout_kernels import GLOBALS, PLANES, QUESTION
from engine.opponents.danger_tables import danger_tables
from engine.policy.phoenix import PLAYERS
from engine.policy.pushfold import PAPER
from engine.policy.settings import PhoenixSettings
from engine.policy.simple.batch_kernels import answer_simply
from engine.policy.simple.sight_kernels import ROOM, Option, Sight
from engine.rules.answer_kernels import CHI, DISCARD, OTHERS_WORD, PASS, THE_DRAWN
from engine.shanten.tables import hand_tables
from engine.simulator.play_kernels import Questions, answer_randomly
from engine.simulator.tables import BatchDecider, Games, Ints, Tables


def ask(tables: Tables, players: Sequence[BatchDecider], sitting: Ints) -> tuple[Questions, Ints]:
    """Deal where a hand is due; the questions that follow, and the players' answers, -1 where none of them sits.

    Args:
        tables: the tables.
        players: who play.
        sitting: (tables, 4), the number of the player in each seat.
    """
    dealt = tables.deal()
    asked = tables.questions()
    answers = np.full(len(asked.tables), -1)
    who = sitting[asked.tables, asked.seats]
    for number, player in enumerate(players):
        player.start_kyoku(dealt)
        mine = np.flatnonzero(who == number)
        if len(mine):
            answers[mine] = player.answer_all(tables.games, Questions(*(each[mine] for each in asked)))
    return asked, answers


class RandomPlayers:
    """Each legal answer is as likely as any other."""

    name = "random"

    def __init__(self, seed: int = 0) -> None:
        self._seed = seed

    def start_kyoku(self, tables: Ints) -> None:
        """Nothing to forget."""

    def answer_all(self, games: Games, asked: Questions) -> Ints:  # noqa: ARG002
        """An answer for each question."""
        answers = np.empty(len(asked.tables), np.int64)
        self._seed += 1
        answer_randomly(asked, self._seed, answers)
        return answers


class PhoenixPlayers:
    """Batch version of ``phoenix``: one pass of the network answers all questions."""

    name = "phoenix"

    def __init__(self, settings: PhoenixSettings | None = None) -> None:
        settings = settings or PhoenixSettings()
        self._who = PLAYERS[settings.imitates]
        self._network = shipped_network(settings.network)

    def start_kyoku(self, tables: Ints) -> None:
        """Nothing to forget."""

    def answer_all(self, games: Games, asked: Questions) -> Ints:
        """An answer for each question."""
        answers = np.empty(len(asked.tables), np.int64)
        rest = np.empty(len(asked.tables), np.int64)
        rest = rest[: answer_forced(asked, answers, rest)]
        if len(rest):
            planes = np.empty((len(rest), 34, PLANES), np.uint8)
            numbers = np.empty((len(rest), GLOBALS), np.uint8)
            questions = np.empty((len(rest), QUESTION), np.int64)
            fill_asked(games, asked, rest, self._who, hand_tables(), planes, numbers, questions)
            logs, reds = self._network.log_chances(planes, numbers, questions)
            drawn, red_fives = (np.asarray(games)[name][asked.tables[rest]] for name in ("drawn", "red_fives"))
            chances = answer_chances(logs, reds, asked.legal[rest], drawn.astype(np.int64), red_fives != 0)
            answers[rest] = chances.argmax(axis=1)
        return answers


class SimplePlayers:
    """Batch version of ``simple``, which weighs only the answers that may be chosen."""

    name = "simple"

    def __init__(self) -> None:
        self._folded = np.zeros((0, 4), np.bool_)
        self._limits = np.array(PAPER.limits)
        self._sights, self._options = new_records(Sight), new_records(Option, ROOM)

    def start_kyoku(self, tables: Ints) -> None:
        """Start a new hand at these tables, in ATTACK."""
        self._make_room(int(tables.max(initial=-1)) + 1)
        self._folded[tables] = False

    def _make_room(self, tables: int) -> None:
        """Grow the memory to ``tables`` tables; hands at new ones are in ATTACK."""
        more = tables - len(self._folded)
        if more > 0:
            self._folded = np.concatenate([self._folded, np.zeros((more, 4), np.bool_)])

    def answer_all(self, games: Games, asked: Questions) -> Ints:
        """An answer for each question."""
        answers = np.empty(len(asked.tables), np.int64)
        rest = np.empty(len(asked.tables), np.int64)
        rest = rest[: answer_forced(asked, answers, rest)]
        self._make_room(len(games))  # the kernel checks no index, and nobody may have told of these hands
        answer_simply(
            games, asked, rest, self._folded, self._limits, danger_tables().figures, hand_tables(), self._sights,
            self._options, answers,
        )  # fmt: skip
        return answers


class TsumogiriPlayers:
    """Discards what it draws and passes, as the policy ``tsumogiri`` does."""

    name = "tsumogiri"

    def start_kyoku(self, tables: Ints) -> None:
        """Nothing to forget."""

    def answer_all(self, games: Games, asked: Questions) -> Ints:  # noqa: ARG002
        """An answer for each question."""
        return np.where(asked.legal[:, OTHERS_WORD] >> (PASS - CHI) & 1, PASS, DISCARD + THE_DRAWN)
