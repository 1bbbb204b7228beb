"""The independent referee: a whole game under Tenhou's rules, without our own rules engine.

The rules are those of the library ``jansou``, so that every game played on it also checks ours. Differences from Tenhou
are corrected here and in :mod:`tests.oracles.jansou_referee.kyoku`.
"""

from collections.abc import Generator, Mapping
from dataclasses import replace
from typing import Final

from jansou.core.tiles import Wind
from jansou.game.flow import DealOutcome, Position
from jansou.game.progression import Advance, advance, rank, settle_deposits

from engine.arena.referee import Step
from engine.arena.walls import Shuffle
from engine.model.actions import PASS, Action
from engine.model.events import EndGame, Event, Points4, StartGame
from engine.model.rules import Rules
from engine.model.seats import four
from tests.oracles.jansou_referee.bridge import library_rules
from tests.oracles.jansou_referee.kyoku import Answers, Flags4, Kyoku, Prompts

_NOBODY: Final[Flags4] = (False, False, False, False)


class Referee:
    """One game, which trusts its answers. Call :meth:`start`, then :meth:`answer` until a step is over.

    Attributes:
        shuffle: the seed of the walls, as a log states it.
        step: the last step.
    """

    def __init__(self, rules: Rules, seed: int) -> None:
        """Prepare a game whose walls are those of the seed."""
        self._rules = rules
        self._walls = Shuffle.from_seed(seed)
        self.shuffle = self._walls.text
        self.step = Step((), (), {})
        self._fresh: list[Event] = []
        self._furiten: list[Flags4] = []
        self._kyoku: Kyoku | None = None
        self._course = self._play()

    def start(self) -> Step:
        """Start the game, up to the dealer's first choice."""
        return self._advance(None)

    def answer(self, answers: Mapping[int, Action]) -> Step:
        """Continue with one answer for each prompted seat. A win has priority over pon and kan, and these over chi."""
        return self._advance(answers)

    def tile_in_question(self, seat: int) -> int | None:
        """The tile that a prompted seat answers about: its draw, or another's tile; None after its own chi or pon."""
        if self._kyoku is None:
            return None
        table = self._kyoku.table
        return table.offered if PASS in self.step.prompts.get(seat, ()) else table.drawn[seat]

    def _advance(self, answers: Answers | None) -> Step:
        self._fresh, self._furiten = [], []
        try:
            prompts = next(self._course) if answers is None else self._course.send(answers)
        except StopIteration:
            prompts = {}
        self.step = Step(tuple(self._fresh), tuple(self._furiten), prompts)
        return self.step

    def _emit(self, event: Event) -> None:
        self._fresh.append(event)
        self._furiten.append(self._kyoku.furiten if self._kyoku else _NOBODY)

    def _play(self) -> Generator[Prompts, Answers, None]:
        self._emit(StartGame(self._rules, ("", "", "", "")))
        scores, pool = [self._rules.start_points] * 4, 0
        position: Position | None = Position(0, Wind.EAST, 1, 0)
        extension = False
        while position is not None:
            kyoku = self._kyoku = Kyoku(self._rules, next(self._walls), position, scores, pool, self._emit)
            outcome = yield from kyoku.play()
            scores, pool = kyoku.state.scores, kyoku.state.deposit_pool
            step = self._next_position(position, outcome, scores, extension)
            position, extension = step.position, step.in_extension
        self._kyoku = None
        final = settle_deposits(scores, pool, library_rules(self._rules))
        points = four(final)
        self._emit(EndGame(points, result_points(points, self._rules)))

    def _next_position(self, position: Position, outcome: DealOutcome, scores: list[int], extension: bool) -> Advance:
        """The next hand, or the end of the game.

        The library lets a leading dealer stop after a win in the last round. On Tenhou the game also stops if the
        leading dealer is tenpai at an exhaustive draw: 180 of 182 such hands in recorded games, the other two from
        2009.
        """
        if outcome.dealer_repeats and not outcome.is_abortive:
            outcome = replace(outcome, winners=(position.dealer,))
        return advance(position, outcome, scores, library_rules(self._rules), in_extension=extension)


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
