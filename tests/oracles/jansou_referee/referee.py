"""The independent referee: a whole game under Tenhou's rules, without our own rules engine.

The rules are those of the library ``jansou``, so that every game played on it also checks ours. Differences from Tenhou
are corrected here and in :mod:`tests.oracles.jansou_referee.kyoku`.
"""

from collections.abc import Generator, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Final

from jansou.core.rules import RIICHI_DEPOSIT
from jansou.core.tiles import Wind
from jansou.game.flow import DealOutcome, Position
from jansou.game.progression import Advance, advance, rank, settle_deposits

from engine.arena.walls import Shuffle, Wall
from engine.model.actions import PASS, Action
from engine.model.events import EndGame, Event, Points4, StartGame
from engine.model.rules import HANCHAN, Rules
from engine.model.seats import four
from engine.model.standing import Standing
from tests.oracles.jansou_referee.bridge import IllegalAnswerError, library_rules
from tests.oracles.jansou_referee.kyoku import Answers, Flags4, Kyoku, Prompts

_NOBODY: Final[Flags4] = (False, False, False, False)


@dataclass(frozen=True, slots=True)
class Step:
    """The events of one step, and the prompts that follow."""

    events: tuple[Event, ...]  # events with full information, in Tenhou's order
    # for each event, the seats that are furiten, as their players are informed just before it
    furiten: tuple[Flags4, ...]
    prompts: Mapping[int, tuple[Action, ...]]  # legal answers by seat; all must answer. Empty when the game is over.

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return not self.prompts


class Referee:
    """One game. Call :meth:`start`, then :meth:`answer` until a step is over.

    The same rules, walls and answers give the same game.

    Attributes:
        rules: rules of the table.
        shuffle: the seed of the walls, as a log states it; empty if the walls were given.
        step: the last step.
        events: all events so far.
    """

    def __init__(
        self,
        rules: Rules = HANCHAN,
        seed: int = 0,
        names: tuple[str, str, str, str] = ("", "", "", ""),
        walls: Iterable[Wall] | None = None,
        standing: Standing | None = None,
    ) -> None:
        """Prepare a game.

        Args:
            rules: rules of the table.
            seed: seed of the walls.
            names: names by seat, passed on in ``StartGame``.
            walls: one wall for each hand, instead of those of ``seed``.
            standing: where the game is taken up, instead of its beginning.
        """
        shuffle = Shuffle.from_seed(seed)
        self.rules = rules
        self.shuffle = shuffle.text if walls is None else ""
        self.events: list[Event] = []
        self.step = Step((), (), {})
        self._walls = iter(shuffle if walls is None else walls)
        self._names = names
        self._fresh: list[Event] = []
        self._furiten: list[Flags4] = []
        self._kyoku: Kyoku | None = None
        self._standing = standing or Standing(0, 0, 0, (rules.start_points,) * 4)
        self._course = self._play()

    def start(self) -> Step:
        """Start the game, up to the dealer's first choice."""
        return self._advance(None)

    def answer(self, answers: Mapping[int, Action]) -> Step:
        """Continue with one answer for each prompted seat. A win has priority over pon and kan, and these over chi.

        Raises:
            IllegalAnswerError: an answer is missing, unexpected or not legal; nothing has changed.
        """
        self._check(answers)
        return self._advance(answers)

    def legal(self, seat: int, action: Action) -> bool:
        """Whether ``action`` is a legal answer of ``seat`` now."""
        return self._kyoku is not None and seat in self.step.prompts and self._kyoku.accepts(seat, action)

    def tile_in_question(self, seat: int) -> int | None:
        """The tile that a prompted seat answers about: its draw, or another's tile; None after its own chi or pon."""
        if self._kyoku is None:
            return None
        table = self._kyoku.table
        return table.offered if PASS in self.step.prompts.get(seat, ()) else table.drawn[seat]

    def _check(self, answers: Mapping[int, Action]) -> None:
        prompts = self.step.prompts
        if set(answers) != set(prompts):
            raise IllegalAnswerError(
                f"seats {sorted(prompts)} must answer, but there are answers from {sorted(answers)}"
            )
        for seat, action in answers.items():
            if not self.legal(seat, action):
                legal = ", ".join(map(str, prompts[seat]))
                raise IllegalAnswerError(f"seat {seat}: {action!r} is not legal here; legal are: {legal}")

    def _advance(self, answers: Answers | None) -> Step:
        self._fresh, self._furiten = [], []
        try:
            prompts = next(self._course) if answers is None else self._course.send(answers)
        except StopIteration:
            prompts = {}
        self.step = Step(tuple(self._fresh), tuple(self._furiten), prompts)
        return self.step

    def _emit(self, event: Event) -> None:
        self.events.append(event)
        self._fresh.append(event)
        self._furiten.append(self._kyoku.furiten if self._kyoku else _NOBODY)

    def _play(self) -> Generator[Prompts, Answers, None]:
        self._emit(StartGame(self.rules, self._names))
        start = self._standing
        scores, pool = list(start.scores), start.sticks * RIICHI_DEPOSIT
        position: Position | None = Position(start.kyoku % 4, Wind(start.kyoku // 4), start.kyoku % 4 + 1, start.honba)
        extension = start.kyoku > self.rules.last_kyoku
        while position is not None:
            wall = next(self._walls, None)
            if wall is None:
                raise ValueError("the walls have run out before the game is over; give one for each hand")
            kyoku = self._kyoku = Kyoku(self.rules, wall, position, scores, pool, self._emit)
            outcome = yield from kyoku.play()
            scores, pool = kyoku.state.scores, kyoku.state.deposit_pool
            step = self._next_position(position, outcome, scores, extension)
            position, extension = step.position, step.in_extension
        self._kyoku = None
        final = settle_deposits(scores, pool, library_rules(self.rules))
        points = four(final)
        self._emit(EndGame(points, result_points(points, self.rules)))

    def _next_position(self, position: Position, outcome: DealOutcome, scores: list[int], extension: bool) -> Advance:
        """The next hand, or the end of the game.

        The library lets a leading dealer stop after a win in the last round. On Tenhou the game also stops if the
        leading dealer is tenpai at an exhaustive draw: 180 of 182 such hands in recorded games, the other two from
        2009.
        """
        if outcome.dealer_repeats and not outcome.is_abortive:
            outcome = replace(outcome, winners=(position.dealer,))
        return advance(position, outcome, scores, library_rules(self.rules), in_extension=extension)


def result_points(scores: Points4, rules: Rules) -> tuple[float, float, float, float]:
    """Result points in thousands, to one decimal as Tenhou states them since 2022, including uma and oka.

    The first gets what is left over; ties go to the seat nearer to the first dealer.
    """
    order = rank(list(scores))
    tenths = [0, 0, 0, 0]
    for place in (1, 2, 3):
        tenths[order[place]] = (scores[order[place]] - rules.return_points) // 100 + 10 * rules.uma[place]
    tenths[order[0]] = -sum(tenths)
    return tenths[0] / 10, tenths[1] / 10, tenths[2] / 10, tenths[3] / 10
