"""Tables side by side: deal, ask, answer. The kernels' face towards Python."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from engine._jit import Records, new_records
from engine.model.bounds import fault_of_standing
from engine.model.plural import plural
from engine.model.rules import TONPU, Rules
from engine.model.tiles import TILES
from engine.rules.answer_kernels import ANSWERS, WORDS
from engine.rules.answers import action_of, legal_numbers
from engine.rules.table_kernels import ENDED
from engine.rules.tables import write_rules
from engine.shanten.tables import hand_tables
from engine.simulator import play_kernels as kernels
from engine.simulator.game_kernels import GameTable
from engine.simulator.play_kernels import Questions
from engine.simulator.position_kernels import reshuffle_all

Games = Records[GameTable]
Ints = NDArray[np.int64]

NOBODY: Final = -1
"""As a viewer: only what nobody has seen is exchanged."""


class AnswerError(ValueError):
    """An answer, a wall or a shape that the tables cannot take; the message names the table and the seat."""


@runtime_checkable
class BatchDecider(Protocol):
    """A player that answers many questions at once, at any seats of any tables."""

    name: str  # name of the player

    def start_kyoku(self, tables: Ints) -> None:
        """Forget the previous hand at these tables; a player without memory does nothing."""

    def answer_all(self, games: Games, asked: Questions) -> Ints:
        """An answer for each question: a number of :mod:`engine.rules.answer_kernels` that is legal there."""


class Tables:
    """Games of one kind, side by side; they go on hand after hand, until each is over.

    Attributes:
        games: the state of each table, a structured array with the fields of :class:`GameTable`. What is written into
            it counts: a copy of a record, put back or put into other tables, continues from there.
    """

    def __init__(
        self,
        number: int,
        rules: Rules = TONPU,
        *,
        seed: int = 0,
        walls: Sequence[Iterable[Sequence[int]]] | None = None,
    ) -> None:
        """Make the tables; :meth:`deal` deals the first hands.

        Args:
            number: of tables.
            rules: of all tables.
            seed: of the walls; the tables of one seed have different walls, the same in every run.
            walls: for each table the walls of its hands instead, each the 136 tiles in Tenhou's order
                (:meth:`engine.arena.walls.Wall.order`).

        Raises:
            AnswerError: there are not as many iterables of walls as tables.
        """
        if walls is not None and len(walls) != number:
            raise AnswerError(f"walls for {plural(len(walls), 'table')}; there are {number}")
        self.rules = rules
        self.games = new_records(GameTable, number)
        self._array: NDArray[np.void] = np.asarray(self.games)
        self._walls = None if walls is None else [iter(each) for each in walls]
        self._asked, self._following = _room(number), _room(number)
        self._ended = np.empty(number, np.int64)
        self._number = 0
        self._waiting = _NONE
        array = self._array
        write_rules(self.games, rules)
        array["start_points"] = rules.start_points
        array["uma"] = rules.uma
        array["random"] = np.random.SeedSequence(seed).generate_state(number, np.uint64)
        self.restart(np.arange(number))

    def __len__(self) -> int:
        return len(self._array)

    def restart(self, which: Ints) -> None:
        """Put tables at the beginning of a new game; their shuffles go on where they are."""
        array = self._array
        in_play = array["asked"][which].any()
        for name in ("next_kyoku", "next_honba", "sticks", "over", "asked", "hands", "ending", "wins", "results"):
            array[name][which] = 0
        array["scores"][which] = self.rules.start_points
        array["phase"][which] = ENDED
        if in_play:
            self.look_again()
        else:
            self._waiting = np.union1d(self._waiting, which)

    def take_up(self, which: Ints, kyoku: int, honba: int, sticks: int, scores: Sequence[int]) -> None:
        """Put tables before a certain hand of a game, instead of its first.

        Raises:
            AnswerError: no table stands so; nothing has changed.
        """
        if fault := fault_of_standing(kyoku, honba, sticks, scores):
            raise AnswerError(fault)
        self.restart(which)
        array = self._array
        array["next_kyoku"][which], array["next_honba"][which], array["sticks"][which] = kyoku, honba, sticks
        array["scores"][which] = scores

    def look_again(self) -> None:
        """Read the questions from the tables again, after somebody has written into :attr:`games`."""
        self._number = kernels.list_questions(self.games, self._asked)
        self._waiting = np.flatnonzero((self._array["phase"] == ENDED) & (self._array["over"] == 0))

    def reshuffle(self, which: Ints, viewer: int = NOBODY) -> None:
        """Exchange the tiles that nobody has seen, at each of these tables differently; their generators go on.

        Args:
            which: the tables.
            viewer: a seat that is asked at all of them: the tiles of the other hands are exchanged too.

        Raises:
            AnswerError: no hand is in play at a table, or the viewer is not asked; nothing has changed.
        """
        asked = self._array["asked"][which]
        wrong = (asked == 0) if viewer == NOBODY else (asked >> viewer & 1 == 0)
        if wrong.any():
            table = which[np.argmax(wrong)]
            why = "no hand is in play" if viewer == NOBODY else f"seat {viewer} is not asked now"
            raise AnswerError(f"table {table}: {why}; tiles are exchanged where a seat has to answer")
        reshuffle_all(self.games, np.ascontiguousarray(which, np.int64), viewer, hand_tables())
        self.look_again()

    def deal(self) -> Ints:
        """Deal the next hand wherever one has ended and the game goes on, up to the dealer's question; those tables.

        Raises:
            AnswerError: a wall does not hold each of the 136 tiles once, or a table's walls have run out.
        """
        waiting = self._waiting
        if not len(waiting):
            return waiting
        if self._walls is None:
            kernels.shuffle_all(self.games, waiting)
        else:
            self._array["tiles"][waiting] = [self._next_wall(at, self._walls[at]) for at in waiting.tolist()]
        self._number, _ = kernels.play_on(
            self.games, waiting, _UNASKED, _NONE, self._asked, self._number, self._ended, hand_tables()
        )
        self._waiting = waiting[:0]
        return waiting

    def _next_wall(self, at: int, walls: Iterator[Sequence[int]]) -> NDArray[np.int64]:
        wall = np.asarray(next(walls, ()))
        if sorted(wall.tolist()) != list(range(TILES)):
            raise AnswerError(f"table {at}: a wall must hold each of the tiles 0 to 135 once; this one has {len(wall)}")
        return wall

    def questions(self) -> Questions:
        """The seats that must answer now, and their legal answers. :meth:`answer` overwrites the arrays."""
        return Questions(*(each[: self._number] for each in self._asked))

    def answer(self, answers: Ints) -> Ints:
        """Answer the questions and carry each table to its next ones, or to the end of its hand.

        Args:
            answers: for each of :meth:`questions`, in their order, see :mod:`engine.rules.answer_kernels`.

        Returns:
            The tables whose hands ended.

        Raises:
            AnswerError: there are not as many answers as questions, or one is not legal; nothing has changed.
        """
        asked = self.questions()
        given = np.asarray(answers)
        if given.shape != asked.tables.shape or given.dtype.kind not in "iu":
            raise AnswerError(
                f"{self._number} questions need as many whole numbers; this is {given.dtype} {given.shape}"
            )
        given = np.ascontiguousarray(given, np.int64)
        fault = kernels.first_illegal(self.games, asked, given)
        if fault >= 0:
            table, seat = int(asked.tables[fault]), int(asked.seats[fault])
            legal = ", ".join(
                f"{number} {action_of(self.games[table], seat, number)}" for number in legal_numbers(asked.legal[fault])
            )
            raise AnswerError(f"table {table}, seat {seat}: answer {given[fault]} is not legal here; legal are {legal}")
        self._number, ended = kernels.play_on(
            self.games, _NONE, asked, given, self._following, 0, self._ended, hand_tables()
        )
        self._asked, self._following = self._following, self._asked
        over = self._ended[:ended].copy()
        self._waiting = np.concatenate([self._waiting, over[self._array["over"][over] == 0]])
        return over

    @property
    def over(self) -> NDArray[np.bool_]:
        """(tables,): whether each game has ended."""
        over: NDArray[np.bool_] = self._array["over"] != 0
        return over


def _room(tables: int) -> Questions:
    """Allocate the most questions that these tables can have at once: three each."""
    most = 3 * tables
    return Questions(np.empty(most, np.int64), np.empty(most, np.int64), np.empty((most, WORDS), np.int64))


_UNASKED: Final = _room(0)
_NONE: Final = np.empty(0, np.int64)
"""No questions and no tables, where a call of the kernel only answers or only deals."""


def masks_of(asked: Questions) -> NDArray[np.bool_]:
    """(questions, ANSWERS): which answers are legal."""
    found = np.empty((len(asked.tables), ANSWERS), np.bool_)
    kernels.fill_masks(asked, found)
    return found
