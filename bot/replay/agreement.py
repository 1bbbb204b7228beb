"""How a policy answers beside what was played: how often they agree, how often either does what, its chances."""

from dataclasses import dataclass, field
from enum import StrEnum
from math import log
from typing import Any, Final

from bot.replay.decisions import DecisionPoint, appearance, find, look_alike
from engine.model.actions import CALLS, DISCARDS, KANS, WINS, Action, ActionKind
from engine.opponents.facts import genbutsu_masks
from engine.policy.decision import Decision
from engine.state import GameState

_COUNTS: Final = (
    *("games", "decisions", "unknown", "absent", "close", "failed", "illegal", "faults"),
    *("safe_played", "safe_ours", "seconds"),
)
UNIT: Final = "chance"
"""Unit of a decision whose candidates' values are the chances of each answer."""
LEAST: Final = 1e-9
BINS: Final = 10


class Head(StrEnum):
    """The kinds under which decisions are counted; a decision may belong to several."""

    ALL = "all"
    """Any choice between at least two answers: the same answer."""
    DISCARD = "discard"
    """A tile was discarded where another could have been: the same tile, with or without riichi."""
    RIICHI = "riichi"
    """Riichi could be declared: both declare it, or neither."""
    CALL = "call"
    """Another player's tile could be called: the same meld, or both pass."""
    KAN = "kan"
    """A kan was possible: both make it, or neither."""
    WIN = "win"
    """The hand could be won: both win, or neither."""
    PUSH_FOLD = "push/fold"
    """Own turn, not in riichi, against a riichi: both discard a tile safe from every riichi, or both do not."""


@dataclass(frozen=True, slots=True)
class Compared:
    """One decision compared with what was played."""

    same: dict[Head, bool]  # whether they agree, for each kind under which the decision counts
    # rank of what was played in the policy's order, from 1, counting look-alikes once; None: not evaluated
    rank: int | None
    close: bool = False  # whether they differ, but by less than the policy's own noise
    # if both discard a tile against a riichi: whether the tile played was safe, and whether the policy's is
    safe: tuple[bool, bool] | None = None

    @property
    def agrees(self) -> bool:
        """Whether the two answers agree."""
        return self.same.get(Head.ALL, True)


def compare(point: DecisionPoint, decision: Decision) -> Compared | None:
    """A decision compared with what was played; None if that is not known, or the player was absent."""
    if point.played is None or point.absent:
        return None
    red = point.state.rules.red_fives

    def alike(one: Action, other: Action) -> bool:
        return look_alike(one, other, red_fives=red)

    played, ours = point.played, decision.action
    ranked: list[Action] = [ours]
    for candidate in decision.candidates:
        if not any(alike(candidate.action, known) for known in ranked):
            ranked.append(candidate.action)
    rank = next((at for at, action in enumerate(ranked, 1) if alike(action, played)), None)
    same = _heads(point, ours, alike(played, ours), red=red)
    close = rank != 1 and _close(decision, played, red=red)
    return Compared(same, rank, close, _safe(point.state, played, ours) if Head.PUSH_FOLD in same else None)


def _heads(point: DecisionPoint, ours: Action, same: bool, *, red: bool) -> dict[Head, bool]:
    played, legal = point.played, point.legal
    if played is None:
        return {}
    kinds = {action.kind for action in legal}
    heads: dict[Head, bool] = {}
    several = any(not look_alike(legal[0], other, red_fives=red) for other in legal[1:])
    if several:
        heads[Head.ALL] = same
    if played.kind in DISCARDS and several:
        discarded = Action(ActionKind.DISCARD, ours.tile)
        both = ours.kind in DISCARDS
        heads[Head.DISCARD] = both and look_alike(Action(ActionKind.DISCARD, played.tile), discarded, red_fives=red)
        safe = _safe(point.state, played, ours)
        if safe is not None:
            heads[Head.PUSH_FOLD] = safe[0] == safe[1]
    if ActionKind.RIICHI in kinds:
        heads[Head.RIICHI] = (played.kind is ActionKind.RIICHI) == (ours.kind is ActionKind.RIICHI)
    if not kinds.isdisjoint(CALLS):
        heads[Head.CALL] = same
    if not kinds.isdisjoint(KANS):
        heads[Head.KAN] = (played.kind in KANS) == (ours.kind in KANS)
    if not kinds.isdisjoint(WINS):
        heads[Head.WIN] = (played.kind in WINS) == (ours.kind in WINS)
    return heads


def _safe(state: GameState, played: Action, ours: Action) -> tuple[bool, bool] | None:
    """Whether each discards a genbutsu of everyone in riichi; None if nobody is in riichi, or not both discard."""
    against = state.riichi_opponents
    if not against or state.riichi[state.seat] or played.kind not in DISCARDS or ours.kind not in DISCARDS:
        return None
    masks = genbutsu_masks(state)
    everyone = masks[against[0]]
    for seat in against[1:]:
        everyone &= masks[seat]
    return bool(everyone >> (played.tile >> 2) & 1), bool(everyone >> (ours.tile >> 2) & 1)


def _close(decision: Decision, played: Action, *, red: bool) -> bool:
    """Whether what was played is worth as much as the choice, within the policy's noise."""
    best, other = (find(decision, action, red_fives=red) for action in (decision.action, played))
    return best is not None and other is not None and best.lead(other) < decision.noise


@dataclass(slots=True)
class Count:
    """Decisions of one kind: their number, agreements, and how often the played action was among the first three."""

    n: int = 0
    same: int = 0
    top3: int = 0

    def add(self, other: "Count") -> None:
        """Add another count."""
        self.n += other.n
        self.same += other.same
        self.top3 += other.top3

    def fields(self) -> dict[str, Any]:
        """The count as JSON shows it; shares are None if there are no decisions."""
        share = (lambda part: round(part / self.n, 5)) if self.n else (lambda _: None)
        counts = {"n": self.n, "same": self.same, "top3": self.top3}
        return counts | {"share": share(self.same), "share_top3": share(self.top3)}


@dataclass(slots=True)
class Agreement:
    """Counts over many decisions."""

    games: int = 0  # seats replayed
    decisions: int = 0  # decisions asked for
    unknown: int = 0  # not compared because what was played is not known
    absent: int = 0  # not compared because the server answered for an absent player
    close: int = 0  # differences within the policy's noise
    # failed, illegal: decisions where the policy failed or answered illegally, and the fallback was taken
    failed: int = 0
    illegal: int = 0
    faults: int = 0  # hands that could not be followed to their end
    heads: dict[Head, Count] = field(default_factory=lambda: {head: Count() for head in Head})  # counts by kind
    # safe_played, safe_ours: among push/fold decisions, how many discarded a tile safe from every riichi
    safe_played: int = 0
    safe_ours: int = 0
    seconds: float = 0.0  # time that the policy took

    def count(self, point: DecisionPoint, compared: Compared | None) -> None:
        """Count one decision."""
        self.decisions += 1
        if compared is None:
            self.absent += point.absent
            self.unknown += not point.absent
            return
        self.close += compared.close
        for head, same in compared.same.items():
            self.heads[head].add(Count(1, same, compared.rank is not None and compared.rank <= 3))
        if compared.safe is not None:
            self.safe_played += compared.safe[0]
            self.safe_ours += compared.safe[1]

    def add(self, other: "Agreement") -> None:
        """Add another's counts."""
        for name in _COUNTS:
            setattr(self, name, getattr(self, name) + getattr(other, name))
        for head, count in other.heads.items():
            self.heads[head].add(count)

    def fields(self) -> dict[str, Any]:
        """The counts as JSON shows them."""
        counts: dict[str, Any] = {name: getattr(self, name) for name in _COUNTS}
        counts["seconds"] = round(self.seconds, 3)
        return {**counts, "heads": {str(head): count.fields() for head, count in self.heads.items()}}


RATES: Final = {Head.CALL: "call", Head.RIICHI: "riichi", Head.PUSH_FOLD: "fold"}
"""What is counted, by name, among the decisions of which kind."""


@dataclass(slots=True)
class Rate:
    """One rate: number of decisions, and in how many of them the policy and the player did it."""

    n: int = 0
    ours: int = 0
    played: int = 0

    def fields(self) -> dict[str, Any]:
        """As JSON shows it; shares are None if there are no decisions."""
        shares = (self.ours / self.n, self.played / self.n) if self.n else (None, None)
        return {"n": self.n, "ours": shares[0], "played": shares[1]}


@dataclass(slots=True)
class Rates:
    """Calls where a call was possible, riichi where it could be declared, and folds.

    A fold is a discard against a riichi that is safe from everyone in riichi.
    """

    of: dict[Head, Rate] = field(default_factory=lambda: {head: Rate() for head in RATES})

    def add(self, point: DecisionPoint, ours: Action, compared: Compared) -> None:
        """Count a decision that :func:`bot.replay.agreement.compare` has compared."""
        played = point.played
        for head, rate in self.of.items():
            if head not in compared.same or played is None:
                continue
            done = compared.safe if head is Head.PUSH_FOLD else (_does(head, played), _does(head, ours))
            if done is not None:
                rate.n += 1
                rate.played += done[0]
                rate.ours += done[1]

    def merge(self, other: "Rates") -> None:
        """Add those of other decisions."""
        for head, rate in self.of.items():
            more = other.of[head]
            rate.n, rate.ours, rate.played = rate.n + more.n, rate.ours + more.ours, rate.played + more.played

    def fields(self) -> dict[str, Any]:
        """As JSON shows them, by name."""
        return {RATES[head]: rate.fields() for head, rate in self.of.items()}


def _does(head: Head, action: Action) -> bool:
    return action.kind in CALLS if head is Head.CALL else action.kind is ActionKind.RIICHI


@dataclass(slots=True)
class Believed:
    """Decisions under one head: agreement, and the probability that the policy assigned to the action played."""

    count: Count = field(default_factory=Count)  # agreement
    # minus the logarithm of the probability of each action played; empty for a policy without probabilities
    losses: list[float] = field(default_factory=list)
    # by tenths, how often, and summed chances of its own first answer, and how often that was played
    sure: list[list[float]] = field(default_factory=lambda: [[0.0, 0.0] for _ in range(BINS)])

    def add(self, chance: float, first: float, same: bool) -> None:
        """Add a decision: the chance of the played action, that of the first answer, and whether they agree."""
        self.losses.append(-log(max(chance, LEAST)))
        row = self.sure[min(int(first * BINS), BINS - 1)]
        row[0] += first
        row[1] += same

    def merge(self, other: "Believed") -> None:
        """Add other decisions."""
        self.count.add(other.count)
        self.losses += other.losses
        for row, more in zip(self.sure, other.sure, strict=True):
            row[0] += more[0]
            row[1] += more[1]

    def fields(self) -> dict[str, Any]:
        """As JSON shows it; None where there is nothing to share, or the policy gives no chances."""
        n = len(self.losses)
        off = sum(abs(said - came) for said, came in self.sure)
        return {
            "n": self.count.n,
            "top1": round(self.count.same / self.count.n, 5) if self.count.n else None,
            "top3": round(self.count.top3 / self.count.n, 5) if self.count.n else None,
            "log_loss": round(sum(self.losses) / n, 5) if n else None,
            "calibration_error": round(off / n, 5) if n else None,
        }


def believed(point: DecisionPoint, decision: Decision, head: Head) -> tuple[float, float] | None:
    """The probabilities that the policy assigned to the action played, as the head sees it, and to its own answer.

    None where its candidates have no chances, or none of them is what the head is about.
    """
    played = point.played
    if decision.unit != UNIT or played is None:
        return None
    groups: dict[Any, float] = {}
    for candidate in decision.candidates:
        key = _seen(candidate.action, head, red=point.state.rules.red_fives)
        if key is not None:
            groups[key] = groups.get(key, 0.0) + candidate.value
    total = sum(groups.values())
    mine = _seen(played, head, red=point.state.rules.red_fives)
    if total <= 0.0 or mine is None:
        return None
    return groups.get(mine, 0.0) / total, max(groups.values()) / total


def _seen(action: Action, head: Head, *, red: bool) -> Any:
    """An action as a head distinguishes it; None if it does not, or if that depends on the table, as safety does."""
    if head is Head.PUSH_FOLD:
        return None
    if head is Head.KAN:
        return action.kind in KANS
    if head is Head.RIICHI:
        return action.kind is ActionKind.RIICHI
    if head is Head.DISCARD:
        return appearance(Action(ActionKind.DISCARD, action.tile), red_fives=red) if action.kind in DISCARDS else None
    return appearance(action, red_fives=red)
