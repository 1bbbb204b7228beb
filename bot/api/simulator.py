"""Thousands of tables at once: questions and observations as arrays, answers as numbers, rewards.

The tables play by :mod:`engine.simulator`. ``docs/simulator.md`` is the contract. What cannot be used raises
:class:`InputError`, names the table and, where there is one, the seat, and leaves the tables as they were.
"""

from collections.abc import Sequence
from os import PathLike
from pathlib import Path
from typing import Final, Literal, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from bot.api.arguments import RuleName, check_standing, check_whole, rules_of, tables_of
from bot.api.rounds import (
    NUMBERS,
    PLANES,
    Floats,
    Hand,
    Ints,
    Kept,
    Position,
    Round,
    Walls,
    network_inputs,
    seen_by,
    sources_of,
)
from bot.deciding.players import PlayerSpec
from bot.evaluate.log_place import find_hand, parse_place
from bot.machine.errors import InputError
from bot.machine.outputs import Outputs
from engine.arena.playout import PlayoutError, Playouts
from engine.imitation.network import NUMBERS as NETWORK_NUMBERS
from engine.imitation.network import PLANES as NETWORK_PLANES
from engine.model.actions import Action
from engine.model.events import Event, StartGame
from engine.model.rules import Rules
from engine.model.seats import SEATS, four
from engine.policy.batches import RandomPlayers
from engine.policy.registry import BATCHED
from engine.policy.standing import Standing
from engine.policy.value.objective import make_objective
from engine.policy.value.utility import expected_worth
from engine.rules.answer_kernels import ANSWERS, CHI, DISCARD, KAN, NINE, OPEN_KAN, PASS, PON, RIICHI, THE_DRAWN, WIN
from engine.rules.answers import action_of, legal_numbers, number_of
from engine.rules.table_kernels import DRAWN
from engine.simulator.history import HandHistory
from engine.simulator.play_kernels import Questions
from engine.simulator.tables import NOBODY, AnswerError, BatchDecider, Tables, masks_of
from engine.state import GameState, visible_to
from protocol.errors import LogError
from protocol.logs.formats import write_log
from protocol.logs.game_log import GameLog, LogInfo

__all__ = [
    "ANSWERS",
    "CHI",
    "DISCARD",
    "KAN",
    "NETWORK_NUMBERS",
    "NETWORK_PLANES",
    "NINE",
    "NUMBERS",
    "OPEN_KAN",
    "PASS",
    "PLANES",
    "PON",
    "RIICHI",
    "THE_DRAWN",
    "WIN",
    "Position",
    "Round",
    "Rules",
    "Simulator",
    "Standing",
    "position",
]
Episode = Literal["game", "hand"]
Observations = Literal["table", "network", "none"]

_EPISODES: Final[tuple[str, ...]] = get_args(Episode)
_OBSERVATIONS: Final[tuple[str, ...]] = get_args(Observations)


class Simulator:
    """Tables side by side, each of which goes on to its next question as soon as all its seats have answered.

    Attributes:
        rules: rules of all tables.
        round: the questions that wait for answers; None before :meth:`reset`.
    """

    def __init__(
        self,
        tables: int,
        rules: RuleName | Rules = "tonpu",
        *,
        seed: int = 0,
        walls: Walls = "fast",
        episode: Episode = "game",
        again: bool = True,
        observe: Observations = "table",
    ) -> None:
        """Make the tables; :meth:`reset` deals.

        Args:
            tables: how many, at least 1.
            rules: ``'tonpu'`` (east-only), ``'hanchan'``, or other rules.
            seed: of the walls; the same seed gives the same walls on every machine.
            walls: ``'fast'``: each table shuffles with a generator of its own. ``'tenhou'``: episode g at table t has
                the walls that Tenhou's shuffle, and the referee of the arena, make of ``seed + t + g * tables``. Or for
                each table the walls of its hands, each the 136 tiles (``tile136``) in Tenhou's order: drawn from the
                end, the dead wall first. Where they run out, the episode is done.
            episode: when a table is done: after a game, or after each hand.
            again: whether a table that is done begins a new episode in the same round; otherwise it waits for
                :meth:`reset` or :meth:`load`.
            observe: which planes and numbers rounds have: ``'table'``, what lies on the table; ``'network'``, the
                inputs of the policy ``phoenix``; ``'none'``.

        Raises:
            InputError: one of these is not possible, or a wall does not hold each tile once.
        """
        self.rules = rules_of(rules)
        check_whole(tables=(tables, 1), seed=(seed, 0))
        for name, value, values in (("episode", episode, _EPISODES), ("observe", observe, _OBSERVATIONS)):
            if value not in values:
                raise InputError(f"{name} {value!r}: it is one of {', '.join(values)}")
        self._sources = sources_of(walls, tables, seed)
        self._tables = Tables(tables, self.rules, seed=seed, walls=self._sources)
        self._array: NDArray[np.void] = np.asarray(self._tables.games)
        self._close(np.arange(tables))
        self._by_hand, self._again, self._observes = episode == "hand", again, observe
        self._players: dict[str, BatchDecider] = {"random": RandomPlayers(seed)}
        self._objective = make_objective("placement", self.rules)
        self._start: Standing | None = None
        self._expected = np.zeros((tables, 4))
        self._scores: Ints = self._array["scores"].copy()
        self._kept: dict[int, Kept] = {}
        self.round: Round | None = None

    def __len__(self) -> int:
        return len(self._array)

    def reset(self, which: ArrayLike | None = None, *, standing: Standing | None = None) -> Round:
        """Begin new episodes; the walls go on where they are.

        Args:
            which: the tables; None: all of them.
            standing: the hand to begin with, its honba, sticks and scores, also of the episodes that follow; None:
                the beginning of a game. What a game's rewards add up to is then its final result less what was
                expected at this standing.

        Raises:
            InputError: a table or standing does not exist, or its walls have run out; the tables are as they were.
        """
        places = np.arange(len(self)) if which is None else self._places(which)
        check_standing(standing, self.rules)
        empty = places[~self._have_walls(places)]
        if len(empty):
            raise InputError(f"table {empty[0]}: its walls have run out; make another simulator with more of them")
        self._start = standing
        self._begin(places)
        return self._show(*self._nothing())

    def step(self, answers: ArrayLike) -> Round:
        """Answer the questions of the last round.

        Args:
            answers: whole numbers (n,), one for each question in its order, as ``docs/simulator.md`` lists them.

        Raises:
            InputError: there are not as many as questions, or one is not legal; the tables are as they were.
        """
        if self.round is None:
            raise InputError("reset the tables before the first step")
        try:
            ended = self._tables.answer(np.asarray(answers))
        except AnswerError as error:
            raise InputError(str(error)) from None
        except ValueError as error:  # lists of different lengths
            raise InputError(f"the answers are no array of whole numbers: {error}") from None
        changes = self._nothing()
        points, rewards, hand_ended, done = changes
        points += self._array["scores"] - self._scores
        if len(ended):
            worth = self._worth(ended)
            rewards[ended] = worth - self._expected[ended]
            self._expected[ended] = worth
            hand_ended[ended] = True
            finished = self._finished(ended)
            done[finished] = True
            self._keep(ended, done)
            self._go_on(finished)
        return self._show(*changes)

    def answers_of(self, policy: str, rows: ArrayLike | None = None) -> Ints:
        """The answers of a policy to questions of this round, for :meth:`step`; this gives no answer itself.

        Args:
            policy: ``'random'``, whose answers are all as likely, or a policy that answers in batches, with its
                settings: ``'phoenix'``, ``'tsumogiri'``.
            rows: the questions; None: all.

        Returns:
            int64 (rows,).

        Raises:
            InputError: there is no such policy or question.
        """
        asked = self._tables.questions()
        picked = np.arange(len(asked.tables)) if rows is None else np.atleast_1d(np.asarray(rows))
        if len(picked) and picked.dtype.kind not in "iu":
            raise InputError(f"rows of type {picked.dtype}: they are whole numbers")
        picked = picked.astype(np.int64)
        for row in picked[(picked < 0) | (picked >= len(asked.tables))].tolist():
            self._question(row)
        if policy not in self._players:
            player = PlayerSpec.parse(policy)
            if not player.batched:
                raise InputError(f"policy {policy!r}: these answer in batches: random, {', '.join(BATCHED)}")
            self._players[policy] = player.in_batches()
        some = Questions(*(np.ascontiguousarray(each[picked]) for each in asked))
        return self._players[policy].answer_all(self._tables.games, some)

    # -- one table ----------------------------------------------------------------------------------------------------

    def legal_actions(self, row: int) -> dict[int, Action]:
        """The legal answers to a question of this round, as actions by their numbers."""
        table, seat = self._question(row)
        words = self._tables.questions().legal[row]
        return {number: action_of(self._tables.games[table], seat, number) for number in legal_numbers(words)}

    def number(self, row: int, action: Action) -> int:
        """The answer that an action is. It also says which of several equal tiles is meant, as a number above 255."""
        table = self._tables.games[self._question(row)[0]]
        return number_of(action, int(table.drawn) if table.phase == DRAWN else None, self.rules.red_fives)

    def view(self, row: int) -> GameState:
        """The view of the seat that is asked, on which policies and the other functions of this package work."""
        table, seat = self._question(row)
        state = GameState(seat, self.rules)
        state.apply(StartGame(self.rules, ("", "", "", "")))
        for event in HandHistory(self.rules).news(self._tables.games[table]):
            state.apply(visible_to(event, seat))
        return state

    # -- positions ----------------------------------------------------------------------------------------------------

    def save(self, table: int) -> Position:
        """The position at a table."""
        at = int(self._places([table])[0])
        return Position(self.rules, self._array[at : at + 1].copy(), self._expected[at].copy())

    def load(self, which: ArrayLike, position: Position, *, shuffled: bool = False, viewer: int | None = None) -> Round:
        """Put a position into tables.

        Args:
            which: the tables.
            position: from :meth:`save` or :func:`position`, of the same rules. The game goes on as it would have there,
                to the tile; later hands only with the walls ``'fast'``, because others have walls of their own.
            shuffled: whether the tiles that nobody has drawn or turned change places, at each table differently.
            viewer: a seat that is asked; then the tiles of the other hands change places too, as if they were drawn
                evenly from all that the viewer has not seen: what the others' discards and calls tell is not heeded.

        Raises:
            InputError: a table does not exist, the rules differ, or the viewer is not asked; nothing has changed.
        """
        places = self._places(which)
        if position.rules != self.rules:
            raise InputError("the position comes from a table with other rules")
        if (shuffled or viewer is not None) and not position.asked:
            raise InputError("the position has no hand in play whose tiles could be shuffled")
        if viewer is not None and viewer not in position.asked:
            raise InputError(f"seat {viewer} is not asked in this position; asked are {position.asked}")
        generators = self._array["random"][places]
        self._take_next_walls(places)
        self._array[places] = position.record[0]
        self._expected[places] = position.expected
        for table in places.tolist():
            if table in self._kept:
                self._kept[table].begin("")
        self._tables.look_again()
        if shuffled or viewer is not None:
            self._array["random"][places] = generators
            self._tables.reshuffle(places, NOBODY if viewer is None else viewer)
        return self._show(*self._nothing())

    # -- logs ---------------------------------------------------------------------------------------------------------

    def keep(self, which: ArrayLike) -> None:
        """Keep the episodes that begin at these tables from now on for :meth:`mjlog`; a hand takes 4 KB."""
        for table in self._places(which).tolist():
            self._kept.setdefault(table, Kept())

    def mjlog(self, table: int, names: Sequence[str] = ("0", "1", "2", "3")) -> str:
        """The last episode that was done at a table since :meth:`keep`, as a log in Tenhou's XML.

        Args:
            table: the table.
            names: of the players by seat.

        Raises:
            InputError: there is none, or the format cannot express the rules.
        """
        kept = self._kept.get(table)
        if kept is None or not kept.last:
            raise InputError(f"table {table}: no episode has been kept; call keep([{table}]) before it begins")
        events: list[Event] = [StartGame(self.rules, four(names))]
        events += (event for hand in kept.last for event in hand.events(self.rules))
        try:
            return write_log(GameLog(tuple(events), LogInfo(shuffle=kept.last_shuffle)), "mjlog")
        except LogError as error:
            raise InputError(f"table {table}: {error}") from None

    def export(self, table: int, path: str | PathLike[str], names: Sequence[str] = ("0", "1", "2", "3")) -> None:
        """Write :meth:`mjlog` to a file, which ``oshihiki verify``, ``audit`` and ``export`` read.

        Raises:
            InputError: see :meth:`mjlog`, or the file cannot be written.
        """
        Outputs("path", ()).write(Path(path), self.mjlog(table, names))

    # -- inside -------------------------------------------------------------------------------------------------------

    def _places(self, which: ArrayLike) -> Ints:
        """Tables as an array."""
        return tables_of(which, len(self))

    def _question(self, row: int) -> tuple[int, int]:
        """Table and seat of a question."""
        if self.round is None or not 0 <= row < len(self.round.tables):
            number = 0 if self.round is None else len(self.round.tables)
            raise InputError(f"question {row}: this round has {number}, counted from 0")
        return int(self.round.tables[row]), int(self.round.seats[row])

    def _begin(self, places: Ints) -> None:
        """Put tables at the beginning of an episode."""
        self._take_next_walls(places)
        start = self._start
        if start is None:
            self._tables.restart(places)
            self._expected[places] = 0.0
        else:
            self._tables.take_up(places, start.kyoku, start.honba, start.sticks, start.scores)
            self._expected[places] = self._worth(places)
        for table in set(places.tolist()) & self._kept.keys():
            source = None if self._sources is None else self._sources[table]
            self._kept[table].begin("" if source is None or start is not None else source.shuffle)

    def _worth(self, places: Ints) -> Floats:
        """(n, 4): the final results at tables whose games are over, and those expected at others, between two hands."""
        worth: Floats = self._array["results"][places] / 10.0
        on = np.flatnonzero(self._array["over"][places] == 0)
        if len(on):
            names = ("scores", "next_kyoku", "next_honba", "sticks")
            scores, kyoku, honba, sticks = (self._array[name][places[on]] for name in names)
            for seat in SEATS:
                worth[on, seat] = expected_worth(scores, kyoku, honba, sticks, seat, self.rules, self._objective)
        return worth

    def _finished(self, ended: Ints) -> Ints:
        """Of the tables whose hands ended, those whose episodes are done."""
        over = self._array["over"][ended] != 0
        if self._by_hand:
            over[:] = True
        elif self._sources is not None:
            over |= ~self._have_walls(ended)
        finished: Ints = ended[over]
        return finished

    def _take_next_walls(self, places: Ints) -> None:
        """An episode begins at these tables."""
        if self._sources is not None:
            for table in places.tolist():
                self._sources[table].new_game()

    def _have_walls(self, places: Ints) -> NDArray[np.bool_]:
        """(n,): where there is a wall for another hand."""
        sources = self._sources
        return np.array([sources is None or sources[table].left for table in places.tolist()], np.bool_)

    def _go_on(self, finished: Ints) -> None:
        """Begin again where episodes are done, or close the tables."""
        more = self._have_walls(finished) & self._again
        closed = finished[~more]
        if len(closed):
            self._close(closed)
        if more.any():
            self._begin(finished[more])

    def _close(self, places: Ints) -> None:
        """Let nothing happen at tables until they are reset or loaded."""
        self._array["over"][places] = 1
        self._tables.look_again()

    def _keep(self, ended: Ints, done: NDArray[np.bool_]) -> None:
        for table in [each for each in ended.tolist() if each in self._kept] if self._kept else ():
            dice = None if self._sources is None else self._sources[table].dice
            self._kept[table].add(Hand(self._array[table : table + 1].copy(), dice), last=bool(done[table]))

    def _nothing(self) -> tuple[Ints, Floats, NDArray[np.bool_], NDArray[np.bool_]]:
        """Points, rewards, hands ended and episodes done of a round in which nothing happened."""
        number = len(self)
        shape = number, len(SEATS)
        return np.zeros(shape, np.int64), np.zeros(shape), np.zeros(number, np.bool_), np.zeros(number, np.bool_)

    def _show(self, points: Ints, rewards: Floats, ended: NDArray[np.bool_], done: NDArray[np.bool_]) -> Round:
        """Deal, and look at the questions."""
        self._tables.deal()
        self._scores = self._array["scores"].copy()
        asked = self._tables.questions()
        tables, seats = asked.tables.copy(), asked.seats.copy()
        planes: NDArray[np.uint8]
        numbers: NDArray[np.int32] | NDArray[np.uint8]
        if self._observes == "network":
            planes, numbers = network_inputs(self._tables.games, asked)
        else:
            some = slice(None) if self._observes == "table" else slice(0)
            planes, numbers = self.observe(tables[some], seats[some])
        self.round = Round(tables, seats, masks_of(asked), planes, numbers, points, rewards, ended, done)
        return self.round

    def observe(self, tables: Ints, seats: Ints) -> tuple[NDArray[np.uint8], NDArray[np.int32]]:
        """Planes and numbers, as in a :class:`Round`, of any seats, asked or not: int64 (n,) each."""
        return seen_by(self._tables.games, tables, seats)


def position(place: str) -> Position:
    """The position at a decision in a log that shows all hands; tiles that were not drawn lie anyhow.

    Args:
        place: ``'game.xml#E3-1/turn9/seat2'``, as ``oshihiki evaluate --state`` takes it.

    Raises:
        InputError: the log or the decision does not exist, or the log does not show all hands.
    """
    hand = find_hand(parse_place(place))
    start = hand.start
    table = Simulator(1, hand.rules, observe="none")
    table.reset(standing=Standing(start.kyoku, start.honba, start.riichi_sticks, start.scores))
    try:
        found = np.asarray(Playouts(hand, [0]).tables.games)
    except PlayoutError as error:
        raise InputError(f"{place}: {error}") from None
    return Position(hand.rules, found, table.save(0).expected)
