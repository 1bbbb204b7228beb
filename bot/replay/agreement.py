"""How a policy answers beside what was played: how often they agree, by kind of decision."""

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Final

from bot.replay.decisions import DecisionPoint, find, look_alike
from engine.model.actions import CALLS, DISCARDS, KANS, WINS, Action, ActionKind
from engine.opponents.facts import genbutsu_masks
from engine.policy.decision import Decision
from engine.state import GameState

_COUNTS: Final = (
    *("games", "decisions", "unknown", "absent", "close", "failed", "illegal", "faults"),
    *("safe_played", "safe_ours", "seconds"),
)


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
