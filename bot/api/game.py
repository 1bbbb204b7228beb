"""One game, stepped from Python: a seat is asked, and answers."""

from copy import deepcopy
from os import PathLike
from threading import RLock
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bot.api.arguments import RuleName, check_text, decision_of
from bot.api.rounds import Round
from bot.api.simulator import Simulator
from bot.deciding.players import PlayerSpec
from bot.machine.errors import InputError
from engine.interrupts import interrupts_held
from engine.model.actions import Action
from engine.model.rules import Rules
from engine.model.seats import SEATS, Four, four
from engine.policy.decision import Decider
from engine.settings import shown
from engine.state import GameState

NAMES = ("0", "1", "2", "3")


class Game:
    """A game of four seats that all answer through :meth:`step`.

    Where several seats may claim a tile, they are asked one after the other, and none sees what another has answered::

        game = oshihiki.Game("hanchan", seed=7)
        while not game.over:
            game.step(game.choice("phoenix"))
        game.export("game.xml")

    Several threads may use one game: each property describes a single moment, and one answer comes after another.
    """

    def __init__(self, rules: RuleName | Rules = "tonpu", *, seed: int = 0) -> None:
        """Deal a game.

        Args:
            rules: ``'tonpu'`` (east-only), ``'hanchan'``, or other rules.
            seed: of the walls, which are those that Tenhou's shuffle makes of it.

        Raises:
            InputError: one of these is not possible.
        """
        self._table = Simulator(1, rules, seed=seed, walls="tenhou", again=False, observe="none")
        self._table.keep([0])
        self._moment = RLock()
        self._deciders: dict[tuple[str, int], tuple[Decider, str]] = {}
        self._answers: tuple[int, ...] = ()
        self._state: GameState | None = None
        self._scores: Four[int] = four([self._table.rules.start_points] * 4)
        self._rewards: Four[float] = (0.0, 0.0, 0.0, 0.0)
        self._take_up(self._table.reset())

    @property
    def over(self) -> bool:
        """Whether the game is over, so that nobody is asked."""
        return not len(self._round.seats)

    @property
    def seat(self) -> int:
        """The seat that is asked, 0 to 3; 0 deals first."""
        with self._moment:
            return int(self._round.seats[self._asked()])

    @property
    def state(self) -> GameState:
        """The view of the seat that is asked, as an independent copy."""
        with self._moment:
            return self._view().copy()

    @property
    def legal(self) -> tuple[Action, ...]:
        """The legal answers of the seat that is asked."""
        with self._moment:
            return tuple(self._table.legal_actions(self._asked()).values())

    @property
    def mask(self) -> NDArray[np.bool_]:
        """The legal answers by their numbers, as ``docs/simulator.md`` lists them: bool, shape (122,)."""
        with self._moment:
            mask: NDArray[np.bool_] = self._round.mask[self._asked()].copy()
        return mask

    @property
    def scores(self) -> Four[int]:
        """Points of the four seats, riichi paid; after the game those of its end."""
        return self._scores

    @property
    def rewards(self) -> Four[float]:
        """By how much each seat's expected final result changed with the last answer.

        In thousands of points with uma and oka; those of a game add up to its final result.
        """
        return self._rewards

    def step(self, answer: Action | int) -> None:
        """Answer for the seat that is asked; the game goes on when all seats that are asked have answered.

        Args:
            answer: a legal action, or its number.

        Raises:
            InputError: it is not legal, or the game is over; nothing has changed.
        """
        with self._moment, interrupts_held():
            self._answer(answer)

    def _answer(self, answer: Action | int) -> None:
        """:meth:`step`, alone."""
        row = self._asked()
        number = self._table.number(row, answer) if isinstance(answer, Action) else answer
        if not self._is_legal(answer, number):
            legal = ", ".join(f"{each} {action}" for each, action in self._table.legal_actions(row).items())
            name = str(answer) if isinstance(answer, Action) else shown(answer)
            raise InputError(f"seat {self.seat}: answer {name} is not legal here; legal are {legal}")
        answers = (*self._answers, int(number))
        if len(answers) == len(self._round.seats):
            self._take_up(self._table.step(answers))
        else:
            self._answers, self._state, self._rewards = answers, None, (0.0, 0.0, 0.0, 0.0)

    def choice(self, policy: str = "value") -> Action:
        """The answer that a policy would give for the seat that is asked.

        Args:
            policy: ``NAME``, ``NAME:KEY=VALUE,…`` or ``module:Class``; one player of it is made for each seat.

        Raises:
            InputError: there is no such policy, it fails, or the game is over.
        """
        check_text("policy", policy)
        with self._moment:
            state = self._view()
            key = policy, state.seat
            free = self._deciders.pop(key, None)  # it thinks for one thread at a time, and meanwhile others may look
        decider, hand = free or (PlayerSpec.parse(policy).make(state.seat), "")
        try:
            if hand != state.place():
                decider.start_kyoku()
            return decision_of(decider, state).action
        finally:
            with self._moment:
                self._deciders[key] = decider, state.place()

    def mjlog(self, names: Four[str] = NAMES) -> str:
        """The whole game as a log in Tenhou's XML, when it is over.

        Args:
            names: of the players by seat.

        Raises:
            InputError: the game goes on, or the format cannot express its rules.
        """
        with self._moment:
            self._refuse_before_the_end()
            return self._table.mjlog(0, names)

    def export(self, path: str | PathLike[str], names: Four[str] = NAMES) -> None:
        """Write :meth:`mjlog` to a file, which ``oshihiki verify``, ``audit`` and ``export`` read.

        Raises:
            InputError: see :meth:`mjlog`, or the file cannot be written.
        """
        with self._moment:
            self._refuse_before_the_end()
            self._table.export(0, path, names)

    def __repr__(self) -> str:
        with self._moment:
            if self.over:
                scores = ", ".join(f"seat {seat} {self.scores[seat]:,}" for seat in SEATS)
                return f"the game is over: {scores}"
            return f"seat {self.seat} is asked\n{self._view()!r}"

    def _repr_html_(self) -> str | None:
        """The table as the seat that is asked sees it, for notebooks."""
        with self._moment:
            return f"<p>{self!r}</p>" if self.over else self._view()._repr_html_()

    def __getstate__(self) -> dict[str, Any]:
        """The state for a copy or a pickle: it shares nothing, and is all of one moment."""
        with self._moment:
            return deepcopy({name: value for name, value in self.__dict__.items() if name != "_moment"})

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state, _moment=RLock())

    def _view(self) -> GameState:
        """The view of the seat that is asked, which nobody else writes into."""
        row = self._asked()
        if self._state is None:
            self._state = self._table.view(row)
        return self._state

    def _asked(self) -> int:
        if self.over:
            raise InputError("the game is over: nobody is asked")
        return len(self._answers)

    def _is_legal(self, answer: object, number: int) -> bool:
        if isinstance(answer, bool) or not isinstance(number, int | np.integer):
            return False
        kind = int(number) & 255  # above it the tiles are named
        return 0 <= kind < len(self.mask) and bool(self.mask[kind])

    def _refuse_before_the_end(self) -> None:
        if not self.over:
            raise InputError("the game is not over; its log is written at its end")

    def _take_up(self, following: Round) -> None:
        """Take in a round."""
        self._round, self._answers, self._state = following, (), None
        self._scores = four(
            score + change for score, change in zip(self._scores, following.points[0].tolist(), strict=True)
        )
        self._rewards = four(following.rewards[0].tolist())
