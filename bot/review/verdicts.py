"""How an answer compares: what it cost, what it was about, whether it counts; and what many answers cost.

A loss is the difference of what the two answers are ranked by. That has two opinions in it: the search's, and that of
strong play, a network. Where only one of them prefers the policy's choice, by more than the noise, the answer is
*disputed*, and is at worst an inaccuracy. A choice that is held over several turns is charged once, where it was made
(:class:`Judge`).

The rating of many answers is what they lost in a hundred judged decisions (:attr:`Score.per_hundred`): 0 is always the
policy's choice or its equal.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from enum import StrEnum
from math import sqrt
from typing import Any, Final, NamedTuple, cast

from bot.page.table import figure, rounded
from bot.replay.decisions import DecisionPoint, Known, find, look_alike
from bot.review import document
from bot.review.measure import Grade, grade_of, shown_unit, worth_of_one
from engine.model.actions import KANS, WINS, Action, ActionKind
from engine.policy.decision import Candidate, Decision
from engine.policy.grounds import Note
from engine.policy.pushfold import Mode
from engine.shanten import waits

NOISE: Final[Mapping[str, float]] = {"points": 30.0, "ukeire": 1.0}
"""Difference of value below which two actions count as equal, by unit, for policies that do not state their noise."""
FALLBACK: Final = "fallback"
"""Mode of the decision that is used if a policy fails."""


class Verdict(StrEnum):
    """How an answer compares."""

    SAME = "same"
    """The policy's own choice, or a tile that looks the same."""
    EQUAL = "equal"
    """Another action, worth as much within the noise: no mistake."""
    DIFFERS = "differs"
    """Another action, worth less."""
    FORCED = "forced"
    """There was one legal answer."""
    UNWEIGHED = "unweighed"
    """The policy did not evaluate what was played, or failed; nothing can be said."""
    UNKNOWN = "unknown"
    """The log does not show the answer: another player's call had priority, or the log ends."""
    ABSENT = "absent"
    """The player was disconnected; the server answered."""
    HELD = "held"
    """A choice of an earlier turn, held: what it costs was charged there."""


class Category(StrEnum):
    """The subject of a decision."""

    DISCARD = "discard"
    PUSH_FOLD = "push_fold"
    CALL = "call"
    RIICHI = "riichi"
    KAN = "kan"
    WIN = "win"
    ABORT = "abort"


JUDGED: Final = frozenset((Verdict.SAME, Verdict.EQUAL, Verdict.DIFFERS))
"""Verdicts that count for the rating."""


class Side(StrEnum):
    """Whose opinion an answer rests on."""

    SEARCH = "search"
    """The search: what the hand comes to if it is played on as it reckons."""
    NETWORK = "network"
    """Strong play: the network of what strong players choose."""


_GRADES: Final = {Verdict.SAME: Grade.BEST, Verdict.EQUAL: Grade.EQUAL}


@dataclass(frozen=True, slots=True)
class Judgement:
    """The comparison of one answer."""

    verdict: Verdict  # how it compares
    category: Category  # what it is about
    # value lost relative to the policy's choice, 0 within the noise; None if that is not known. It counts the unit of
    # :mod:`bot.review.measure`, as the noise does.
    loss: float | None
    noise: float  # difference below which actions count as equal here
    weighed: bool  # whether the policy evaluated more than one answer
    played: Candidate | None  # figures of the action played, if it was evaluated
    chosen: Candidate  # figures of the policy's choice
    grade: Grade | None = None  # how good the answer was; None if it is not judged
    # whose opinion alone the difference rests on; None if search and network agree, or if there is no difference
    disputed: Side | None = None
    # what of the loss is due to the ``tile``, and what to declaring ``riichi`` or not, where both differ
    questions: Mapping[str, float] = field(default_factory=dict)
    # number of the decision in which the choice was made that is held here; None if it is made here
    held: int | None = None


def judge(point: DecisionPoint, decision: Decision) -> Judgement:
    """Compare the played action with the policy's choice."""
    red = point.state.rules.red_fives
    noise = decision.noise or NOISE.get(decision.unit, 0.0)
    chosen = find(decision, decision.action, red_fives=red) or Candidate(decision.action, 0.0)
    played = None if point.played is None else find(decision, point.played, red_fives=red)
    verdict, loss = _compare(point, decision, chosen, played, noise)
    one = worth_of_one(decision)
    lost = None if loss is None else loss / one
    grade = _GRADES.get(verdict)
    disputed, questions = None, {}
    if verdict is Verdict.DIFFERS and played is not None:
        disputed = _disputed(chosen, played, noise)
        grade = grade_of(lost or 0.0, shown_unit(decision.unit), noise / one, disputed=disputed is not None)
        questions = {each: loss / one for each, loss in _questions(decision, chosen, played, red).items()}
    category = categorise(point, decision)
    if questions:
        riichi = questions["riichi"] >= questions["tile"]
        category = Category.RIICHI if riichi else Category.DISCARD
    weighed = len(decision.candidates) > 1
    return Judgement(verdict, category, lost, noise / one, weighed, played, chosen, grade, disputed, questions)


def _disputed(chosen: Candidate, played: Candidate, noise: float) -> Side | None:
    """Whose opinion the policy's choice rests on alone; None: search and network both prefer it."""
    if played.value > chosen.value - noise:
        return Side.NETWORK
    if played.prior is not None and chosen.prior is not None and played.prior > chosen.prior:
        return Side.SEARCH
    return None


def _questions(decision: Decision, chosen: Candidate, played: Candidate, red_fives: bool) -> dict[str, float]:
    """The loss by what was asked, where tile and riichi both differ.

    The tile is compared in the way that the policy would play on, riichi or silent; where that is not open to what was
    played, riichi is compared with the policy's tile.
    """
    ways, discards = {chosen.action.kind, played.action.kind}, {ActionKind.RIICHI, ActionKind.DISCARD}
    if ways != discards or chosen.action.tile >> 2 == played.action.tile >> 2:
        return {}
    same_way = find(decision, Action(chosen.action.kind, played.action.tile), red_fives=red_fives)
    if same_way is not None:
        return {"tile": chosen.lead(same_way), "riichi": same_way.lead(played)}
    same_tile = find(decision, Action(played.action.kind, chosen.action.tile), red_fives=red_fives)
    if same_tile is not None:
        return {"riichi": chosen.lead(same_tile), "tile": same_tile.lead(played)}
    return {}


def judge_answer(point: DecisionPoint, decision: Decision, answer: Action) -> Judgement:
    """Compare an answer as if it had been played there."""
    return judge(replace(point, played=answer, known=Known.ACTED, absent=False), decision)


class Stance(NamedTuple):
    """A choice that may be held over several turns: silent tenpai, or a fold."""

    kind: str
    waits: int
    shanten: int


class Judge:
    """Compares the answers of one seat in order, and charges a choice that is held over several turns once."""

    def __init__(self) -> None:
        self._hand = -1
        self._made: dict[Stance, int] = {}

    def judge(self, point: DecisionPoint, decision: Decision, number: int = 0) -> Judgement:
        """Compare the next answer; ``number``: that of the decision, by which a later one names the choice it holds."""
        if point.place.hand != self._hand:
            self._hand, self._made = point.place.hand, {}
        found = judge(point, decision)
        stance = _stance(point, found)
        if stance is None:
            if point.own_turn:
                self._made = {}
            return found
        if point.own_turn:  # a claim that is let go gives up no stance
            self._made = {each: at for each, at in self._made.items() if each.kind == stance.kind}
        if found.verdict is not Verdict.DIFFERS or not _is_against(stance, found):
            return found
        held = next((at for each, at in self._made.items() if _holds(stance, each)), None)
        if held is None:
            self._made[stance] = number
            return found
        return replace(found, verdict=Verdict.HELD, loss=0.0, grade=None, disputed=None, questions={}, held=held)


def _stance(point: DecisionPoint, found: Judgement) -> Stance | None:
    """The stance that was played; None if it was none that can be held."""
    played = found.played
    if played is None or point.played is None:
        return None
    if played.note is Note.FOLD:
        return Stance("fold", 0, found.chosen.shanten if found.chosen.shanten is not None else len(point.state.counts))
    if point.played.kind is not ActionKind.DISCARD or played.note is not Note.SILENT:
        return None
    counts = list(point.state.counts)
    counts[point.played.tile >> 2] -= 1
    ready = waits(counts, len(point.state.melds[point.state.seat]))
    return Stance("silent", sum(1 << kind for kind in ready), 0)


def _is_against(stance: Stance, found: Judgement) -> bool:
    """Whether the policy's choice gives up the stance."""
    if stance.kind == "fold":
        return found.chosen.note is not Note.FOLD
    return found.chosen.action.kind is ActionKind.RIICHI


def _holds(now: Stance, before: Stance) -> bool:
    """Whether a stance is that of an earlier turn: the waits are unchanged, or the hand to be folded is no nearer."""
    return now.kind == before.kind and now.waits == before.waits and now.shanten >= before.shanten


def _compare(
    point: DecisionPoint, decision: Decision, chosen: Candidate, played: Candidate | None, noise: float
) -> tuple[Verdict, float | None]:
    if point.absent:
        return Verdict.ABSENT, None
    if point.played is None or point.known in {Known.OVERRIDDEN, Known.CUT_OFF}:
        return Verdict.UNKNOWN, None
    if len(point.legal) == 1:
        return Verdict.FORCED, None
    if decision.mode == FALLBACK:
        return Verdict.UNWEIGHED, None
    if look_alike(point.played, decision.action, red_fives=point.state.rules.red_fives):
        return Verdict.SAME, 0.0
    if played is None:
        return Verdict.UNWEIGHED, None
    lost = chosen.lead(played)
    loss = lost if lost > noise else 0.0
    return (Verdict.DIFFERS, loss) if loss else (Verdict.EQUAL, 0.0)


def categorise(point: DecisionPoint, decision: Decision) -> Category:
    """The category of a decision: by what one answer does and the other does not, otherwise by the legal actions."""
    answers = {decision.action.kind} | ({point.played.kind} if point.played else set())
    legal = {action.kind for action in point.legal}
    if legal & WINS:
        return Category.WIN
    if answers & KANS:
        return Category.KAN
    if ActionKind.NINE_TERMINALS in answers:
        return Category.ABORT
    if ActionKind.PASS in legal:
        return Category.CALL
    if ActionKind.RIICHI in answers:
        return Category.RIICHI
    if point.state.riichi_opponents or str(decision.mode) == Mode.FOLD.value:
        return Category.PUSH_FOLD
    return Category.DISCARD


@dataclass(frozen=True, slots=True)
class Score:
    """The sums over a set of decisions; scores can be added."""

    decisions: int = 0  # number of decisions
    judged: int = 0  # number of decisions that could be compared
    same: int = 0  # number of the policy's own choices
    equal: int = 0  # number of other actions of equal worth
    lost: float = 0.0  # value lost, in the unit of :mod:`bot.review.measure`
    weighed: int = 0  # number of judged decisions in which the policy evaluated more than one answer
    mistakes: int = 0  # number of differences graded as mistakes; blunders do not count here
    blunders: int = 0  # number of those graded as blunders

    @property
    def per_hundred(self) -> float | None:
        """The rating: value lost in a hundred judged decisions; None if no other answers were ever evaluated."""
        return 100.0 * self.lost / self.judged if self.weighed else None

    @property
    def agreement(self) -> float | None:
        """Share of the judged answers that are the policy's choice or its equal, 0-1."""
        return (self.same + self.equal) / self.judged if self.judged else None

    @property
    def inaccuracies(self) -> int:
        """Number of differences that are neither mistakes nor blunders."""
        return self.differences - self.mistakes - self.blunders

    @property
    def differences(self) -> int:
        """Number of answers worth less than the policy's."""
        return self.judged - self.same - self.equal

    def __add__(self, other: "Score") -> "Score":
        return Score(*(getattr(self, name) + getattr(other, name) for name in self.__slots__))


def score(judgements: Iterable[Judgement]) -> Score:
    """Add up judgements."""
    total = Score()
    for each in judgements:
        counts = each.verdict in JUDGED
        total += Score(
            decisions=1,
            judged=int(counts),
            same=int(each.verdict is Verdict.SAME),
            equal=int(each.verdict is Verdict.EQUAL),
            lost=each.loss or 0.0,
            weighed=int(counts and each.weighed),
            mistakes=int(each.grade is Grade.MISTAKE),
            blunders=int(each.grade is Grade.BLUNDER),
        )
    return total


def total(scores: Iterable[Score]) -> Score:
    """The sum of scores."""
    return sum(scores, Score())


def standard_error(parts: Sequence[Score]) -> float | None:
    """Standard error of what all ``parts`` together (hands of a game, games of a player) lost in a hundred decisions.

    By the jackknife: each part is left out once. Parts differ in length, so that theirs is a ratio and no plain mean.
    """
    whole = total(parts)
    weighty = [part for part in parts if part.judged]
    if len(weighty) < 2:
        return None
    without = [100.0 * (whole.lost - part.lost) / (whole.judged - part.judged) for part in weighty]
    mean = sum(without) / len(without)
    count = len(without)
    return sqrt((count - 1) / count * sum((one - mean) ** 2 for one in without))


def judgement_fields(judged: Judgement) -> document.Judged:
    """How an answer compares, in the names of a decision."""
    return {
        "verdict": judged.verdict.value,
        "grade": None if judged.grade is None else judged.grade.value,
        "category": judged.category.value,
        "loss": None if judged.loss is None else figure(judged.loss),
        "disputed": judged.disputed and judged.disputed.value,
        "questions": {each: figure(loss) for each, loss in judged.questions.items()},
    }


_DECIMALS: Final = {"per_hundred": 1, "error": 1, "agreement": 4}
"""Decimals of the figures of a score that are rounded to a place; the others have six significant digits."""


def score_fields(score: Score, error: float | None = None) -> document.Score:
    """A score with its shares; figures are rounded, whole numbers stay whole, and None stays None."""
    found: dict[str, float | None] = {}
    for name in document.Score.__annotations__:
        value = error if name == "error" else getattr(score, name)
        if name in _DECIMALS:
            value = rounded(value, _DECIMALS[name])
        elif isinstance(value, float):
            value = figure(value)
        found[name] = value
    return cast("document.Score", found)


_SUMMED: Final = frozenset(each.name for each in fields(Score))
"""The figures of a score that are sums; the others follow from them."""


def score_of(found: document.Score) -> Score:
    """The inverse of :func:`score_fields`."""
    sums: dict[str, Any] = {name: value for name, value in found.items() if name in _SUMMED}
    return Score(**sums)
