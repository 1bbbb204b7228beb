"""Thousands of tables at once: questions and observations as arrays, answers as numbers, rewards.

The tables play by :mod:`engine.simulator`. ``docs/simulator.md`` is the contract. What cannot be used raises
:class:`InputError`, names the table and, where there is one, the seat, and leaves the tables as they were. The kernels
check nothing: whatever reaches one has passed :mod:`bot.api.arguments`.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from copy import deepcopy
from os import PathLike
from threading import RLock
from typing import Any, Final, Literal, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from bot.api.arguments import (
    RuleName,
    check_action,
    check_text,
    flag,
    is_whole,
    names_of,
    one_of,
    path_of,
    rules_of,
    standing_in,
    tables_of,
    viewers_of,
    whole,
    whole_numbers,
)
from bot.api.rounds import (
    NUMBERS,
    PLANES,
    EndedHand,
    Floats,
    Ints,
    Kept,
    Position,
    Round,
    SimulatorPlayer,
    Walls,
    check_position,
    check_room,
    network_inputs,
    position_of,
    seen_by,
    sources_of,
)
from bot.deciding.players import PlayerSpec
from bot.evaluate.log_place import find_hand, parse_place
from bot.machine.errors import InputError
from bot.machine.outputs import Outputs
from bot.machine.text import plural
from engine.arena.playout import PlayoutError, Playouts
from engine.interrupts import interrupts_held
from engine.model.actions import Action
from engine.model.events import Event, StartGame
from engine.model.rules import Rules
from engine.model.seats import SEATS
from engine.model.standing import Standing
from engine.networks.imitation import NUMBERS as NETWORK_NUMBERS
from engine.networks.imitation import PLANES as NETWORK_PLANES
from engine.policy.batches import RandomPlayers
from engine.policy.registry import BATCHED
from engine.rules.answer_kernels import ANSWERS, CHI, DISCARD, KAN, NINE, OPEN_KAN, PASS, PON, RIICHI, THE_DRAWN, WIN
from engine.rules.answers import action_of, legal_numbers, number_of
from engine.rules.table_kernels import DRAWN
from engine.settings import shown
from engine.simulator.history import HandHistory
from engine.simulator.play_kernels import Questions
from engine.simulator.tables import NOBODY, AnswerError, BatchDecider, Tables, masks_of
from engine.state import GameState, visible_to
from engine.worth.currency import expected_worth
from engine.worth.objective import make_objective
from protocol.errors import LogError
from protocol.logs.formats import write_log
from protocol.logs.game_log import GameLog, LogInfo
from protocol.tenhou.game_type import unstated

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

EPISODES: Final[tuple[str, ...]] = get_args(Episode)
_OBSERVATIONS: Final[tuple[str, ...]] = get_args(Observations)


class Simulator:
    """Tables side by side, each of which goes on to its next question as soon as all its seats have answered.

    One thread at a time may call it; another one's call meanwhile is refused. Ctrl-C is heard between two rounds.
    ``copy.copy`` and ``copy.deepcopy`` both make tables of their own.
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
        self._rules = rules_of(rules)
        tables, seed = whole("tables", tables, 1), whole("seed", seed)
        check_room(tables)
        one_of("episode", episode, EPISODES)
        one_of("observe", observe, _OBSERVATIONS)
        self._sources = sources_of(walls, tables, seed)
        self._tables = Tables(tables, self.rules, seed=seed, walls=self._sources)
        self._array: NDArray[np.void] = np.asarray(self._tables.games)
        self._close(np.arange(tables))
        self._by_hand, self._again, self._observes = episode == "hand", flag("again", again), observe
        self._hands = np.zeros(tables, np.int64)  # dealt or loaded at each table, by which players know new ones
        self._players: dict[str, SimulatorPlayer] = {"random": self._seated(RandomPlayers(seed))}
        self._objective = make_objective("placement", self.rules)
        self._start: Standing | None = None
        self._expected = np.zeros((tables, 4))
        self._scores: Ints = self._array["scores"].copy()
        self._kept: dict[int, Kept] = {}
        self._round: Round | None = None
        self._lock = RLock()
        self._broken_off = ""

    @property
    def rules(self) -> Rules:
        """The rules of all tables."""
        return self._rules

    @property
    def round(self) -> Round | None:
        """The questions that wait for answers; None before :meth:`reset`. What is written into it changes no table."""
        return self._round

    def __len__(self) -> int:
        return len(self._array)

    def __repr__(self) -> str:
        asked = "no round yet" if self._round is None else plural(len(self._round.tables), "question")
        return f"<Simulator: {plural(len(self), 'table')}, {asked}>"

    def __getstate__(self) -> dict[str, Any]:
        """The state for a copy or a pickle: it shares nothing, and is of one moment between two rounds."""
        with self._alone():
            return deepcopy({name: value for name, value in self.__dict__.items() if name != "_lock"})

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state, _lock=RLock())

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """Refuse other threads meanwhile: their answers would be to questions that are gone."""
        if not self._lock.acquire(blocking=False):
            raise InputError(
                "this simulator is in use by another thread; give each thread one of its own, or let them take turns "
                "with a lock around each call and what follows from it"
            )
        try:
            yield
        finally:
            self._lock.release()

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
        with self._alone():
            places = np.arange(len(self)) if which is None else self._places(which)
            start = standing_in(standing, self.rules)
            if which is not None:
                self._refuse_if_broken_off()
            empty = places[~self._have_walls(places)]
            if len(empty):
                raise InputError(f"table {empty[0]}: its walls have run out; make another simulator with more of them")
            with self._changing("reset"):
                self._start = start
                self._begin(places)
                if which is None:
                    self._tables.look_again()  # after a call that broke off
                return self._show(*self._nothing())

    def step(self, answers: ArrayLike) -> Round:
        """Answer the questions of the last round.

        Args:
            answers: whole numbers (n,), one for each question in its order, as ``docs/simulator.md`` lists them.

        Raises:
            InputError: there are not as many as questions, or one is not legal; the tables are as they were.
        """
        with self._alone():
            if self._round is None:
                raise InputError("reset the tables before the first step")
            self._refuse_if_broken_off()
            given = whole_numbers("answers", answers)
            with self._changing("step"):
                return self._answered(given)

    def _answered(self, answers: Ints) -> Round:
        """:meth:`step` with whole numbers."""
        try:
            ended = self._tables.answer(answers)
        except AnswerError as error:
            raise InputError(str(error)) from None
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

        One player is made for each text, and kept. One that remembers a hand, as ``'simple'`` remembers that it has
        folded, forgets it where the next hand is dealt or a position is loaded.

        Args:
            policy: ``'random'``, whose answers are all as likely, or a policy that answers in batches, with its
                settings: ``'phoenix'``, ``'tsumogiri'``.
            rows: the questions; None: all.

        Returns:
            int64 (rows,).

        Raises:
            InputError: there is no such policy or question.
        """
        with self._alone():
            asked = self._questions()
            picked = None if rows is None else self._rows(rows)
            check_text("policy", policy)
            if policy not in self._players:
                player = PlayerSpec.parse(policy)
                if not player.batched:
                    raise InputError(f"policy {policy!r}: these answer in batches: random, {', '.join(BATCHED)}")
                self._players[policy] = self._seated(player.in_batches())
            some = asked if picked is None else Questions(*(np.ascontiguousarray(each[picked]) for each in asked))
            return self._players[policy].answer_all(self._tables.games, some, self._hands)

    # -- one table ----------------------------------------------------------------------------------------------------

    def legal_actions(self, row: int) -> dict[int, Action]:
        """The legal answers to a question of this round, as actions by their numbers."""
        with self._alone():
            table, seat = self._question(row)
            words = self._questions().legal[row]
            return {number: action_of(self._tables.games[table], seat, number) for number in legal_numbers(words)}

    def number(self, row: int, action: Action) -> int:
        """The answer that an action is. It also says which of several equal tiles is meant, as a number above 255."""
        check_action(action)
        with self._alone():
            table = self._tables.games[self._question(row)[0]]
            return number_of(action, int(table.drawn) if table.phase == DRAWN else None, self.rules.red_fives)

    def view(self, row: int) -> GameState:
        """The view of the seat that is asked, on which policies and the other functions of this package work."""
        with self._alone():
            table, seat = self._question(row)
            state = GameState(seat, self.rules)
            state.apply(StartGame(self.rules, ("", "", "", "")))
            for event in HandHistory(self.rules).news(self._tables.games[table]):
                state.apply(visible_to(event, seat))
            return state

    def observe(self, tables: ArrayLike, seats: ArrayLike) -> tuple[NDArray[np.uint8], NDArray[np.int32]]:
        """Planes and numbers as in a :class:`Round` of any seats, asked or not.

        Args:
            tables: whole numbers (n,), tables with a hand.
            seats: whole numbers (n,), for each of them the seat that looks.

        Raises:
            InputError: a table or seat does not exist, no hand was dealt there, or there are not as many of both.
        """
        with self._alone():
            places, viewers = viewers_of(tables, seats, len(self))
            empty = places[self._array["hands"][places] == 0]
            if len(empty):
                raise InputError(f"table {empty[0]}: no hand has been dealt there; reset it first")
            return seen_by(self._tables.games, places, viewers)

    # -- positions ----------------------------------------------------------------------------------------------------

    def save(self, table: int) -> Position:
        """The position at a table."""
        with self._alone():
            self._refuse_if_broken_off()
            at = self._place(table)
            return position_of(self.rules, self._array[at : at + 1], self._expected[at])

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
            InputError: a table does not exist, the position is none or was changed by hand, its table was never reset,
                the rules differ, or the viewer is not asked; nothing has changed.
        """
        with self._alone():
            self._refuse_if_broken_off()
            places = self._places(which)
            check_position(position, self.rules)
            if viewer is not None and whole("viewer", viewer, 0, len(SEATS) - 1) not in position.asked:
                raise InputError(f"seat {viewer} is not asked in this position; asked are {position.asked}")
            if flag("shuffled", shuffled) and not position.asked:
                raise InputError("the position has no hand in play whose tiles could be shuffled")
            with self._changing("load"):
                generators = self._array["random"][places]
                self._take_next_walls(places)
                self._array[places] = position.record[0]
                self._expected[places] = position.expected
                self._hands[places] += 1
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
        with self._alone():
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
        with self._alone():
            kept = self._kept.get(self._place(table))
            if kept is None or not kept.last:
                raise InputError(f"table {table}: no episode has been kept; call keep([{table}]) before it begins")
            if lost := unstated(self.rules):
                raise InputError(f"rules: a log in Tenhou's XML does not state {', '.join(lost)}")
            events: list[Event] = [StartGame(self.rules, names_of(names))]
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
        Outputs("path", ()).write(path_of(path), self.mjlog(table, names))

    # -- inside -------------------------------------------------------------------------------------------------------

    def _places(self, which: ArrayLike) -> Ints:
        """Tables as an array."""
        return tables_of(which, len(self))

    def _place(self, table: int) -> int:
        """One table."""
        return whole("table", table, 0, len(self) - 1)

    def _questions(self) -> Questions:
        """The questions of this round, which nobody else can write into."""
        if self._round is None:
            raise InputError("there is no round yet; reset the tables first")
        self._refuse_if_broken_off()
        return self._tables.questions()

    def _rows(self, rows: Any) -> Ints:
        """Questions of this round as an array; a single number stands for one of them."""
        number = len(self._questions().tables)
        picked = whole_numbers("rows", [rows] if is_whole(rows) else rows)
        wrong = (picked < 0) | (picked >= number)
        if wrong.any():
            raise InputError(f"question {picked[np.argmax(wrong)]}: this round has {number}, counted from 0")
        return picked

    def _question(self, row: Any) -> tuple[int, int]:
        """Table and seat of a question."""
        asked = self._questions()
        if not is_whole(row) or not 0 <= row < len(asked.tables):
            raise InputError(f"question {shown(row)}: this round has {len(asked.tables)}, counted from 0")
        return int(asked.tables[row]), int(asked.seats[row])

    @contextmanager
    def _changing(self, call: str) -> Iterator[None]:
        """A block that takes the tables to the next round, whole or, if it refuses what was given, not at all."""
        with interrupts_held():
            self._broken_off = call
            try:
                yield
            except InputError:
                self._broken_off = ""
                raise
            self._broken_off = ""

    def _refuse_if_broken_off(self) -> None:
        """Raise InputError if the tables stand between two rounds, because memory ran out or a thread was stopped."""
        if self._broken_off:
            raise InputError(f"an earlier {self._broken_off} broke off between two rounds; reset all tables")

    def _seated(self, player: BatchDecider) -> SimulatorPlayer:
        """The player, prepared for hands that are already in play."""
        return SimulatorPlayer(player, np.zeros_like(self._hands))

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
            self._kept[table].add(EndedHand(self._array[table : table + 1].copy(), dice), last=bool(done[table]))

    def _nothing(self) -> tuple[Ints, Floats, NDArray[np.bool_], NDArray[np.bool_]]:
        """Points, rewards, hands ended and episodes done of a round in which nothing happened."""
        number = len(self)
        shape = number, len(SEATS)
        return np.zeros(shape, np.int64), np.zeros(shape), np.zeros(number, np.bool_), np.zeros(number, np.bool_)

    def _show(self, points: Ints, rewards: Floats, ended: NDArray[np.bool_], done: NDArray[np.bool_]) -> Round:
        """Deal, and look at the questions."""
        self._hands[self._tables.deal()] += 1
        self._scores = self._array["scores"].copy()
        asked = self._tables.questions()
        tables, seats = asked.tables.copy(), asked.seats.copy()
        planes: NDArray[np.uint8]
        numbers: NDArray[np.int32] | NDArray[np.uint8]
        if self._observes == "network":
            planes, numbers = network_inputs(self._tables.games, asked)
        else:
            some = slice(None) if self._observes == "table" else slice(0)
            planes, numbers = seen_by(self._tables.games, tables[some], seats[some])
        self._round = Round(tables, seats, masks_of(asked), planes, numbers, points, rewards, ended, done)
        return self._round


def position(place: str) -> Position:
    """The position at a decision in a log that shows all hands; the undrawn tiles are shuffled.

    Args:
        place: ``'game.xml#E3-1/turn9/seat2'``, as ``oshihiki evaluate --state`` takes it.

    Raises:
        InputError: the log or the decision does not exist, or the log does not show all hands.
    """
    check_text("place", place)
    hand = find_hand(parse_place(place))
    start = hand.start
    table = Simulator(1, hand.rules, observe="none")
    table.reset(standing=Standing(start.kyoku, start.honba, start.riichi_sticks, start.scores))
    try:
        found = np.asarray(Playouts(hand, [0]).tables.games)
    except PlayoutError as error:
        raise InputError(f"{place}: {error}") from None
    return position_of(hand.rules, found, table.save(0).expected)
