"""How often a policy does what was played: decision by decision, and counted under several heads."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Final

from bot.replay.decisions import DecisionPoint, look_alike
from engine.model.actions import CALLS, DISCARDS, KANS, WINS, Action, ActionKind
from engine.opponents.genbutsu import genbutsu_masks
from engine.policy.decision import Decision
from engine.state import GameState


class Head(StrEnum):
    """What decisions are counted under; one decision may stand under several."""

    ALL = "all"
    """A choice between at least two answers: the same answer."""
    DISCARD = "discard"
    """A tile was thrown where another could have been: the same tile, riichi or not."""
    RIICHI = "riichi"
    """Riichi could be declared: declared by both or by neither."""
    CALL = "call"
    """Another's tile could be called: the same meld, or let go by both."""
    KAN = "kan"
    """A kan was possible: made by both or by neither."""
    WIN = "win"
    """The hand could be won: won by both or by neither."""
    PUSH_FOLD = "push/fold"
    """In its turn, not in riichi, against one: both threw a tile safe from every riichi, or both did not."""


@dataclass(frozen=True, slots=True)
class Compared:
    """One decision beside what was played.

    Attributes:
        same: by head under which it counts, whether they agree.
        rank: place of what was played in the policy's order, from 1, look-alikes counted once; None: not weighed.
        close: they differ, and by the policy's own noise neither is better.
        safe: both threw a tile against a riichi: whether the tile played was safe, and whether ours is.
    """

    same: dict[Head, bool]
    rank: int | None
    close: bool = False
    safe: tuple[bool, bool] | None = None

    @property
    def agrees(self) -> bool:
        """The same answer."""
        return self.same.get(Head.ALL, True)


def compare(point: DecisionPoint, decision: Decision) -> Compared | None:
    """A decision beside what was played; None where that is not known, or the server answered for an absent player."""
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
        thrown = Action(ActionKind.DISCARD, ours.tile)
        both = ours.kind in DISCARDS
        heads[Head.DISCARD] = both and look_alike(Action(ActionKind.DISCARD, played.tile), thrown, red_fives=red)
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
    """Whether each throws what is genbutsu to everyone in riichi; None where nobody is, or not both throw."""
    against = state.riichi_opponents
    if not against or state.riichi[state.seat] or played.kind not in DISCARDS or ours.kind not in DISCARDS:
        return None
    masks = genbutsu_masks(state)
    everyone = masks[against[0]]
    for seat in against[1:]:
        everyone &= masks[seat]
    return bool(everyone >> (played.tile >> 2) & 1), bool(everyone >> (ours.tile >> 2) & 1)


def _close(decision: Decision, played: Action, *, red: bool) -> bool:
    """What was played is worth as much as the choice, as far as the policy can tell."""

    def value(action: Action) -> float | None:
        found = (one.value for one in decision.candidates if look_alike(one.action, action, red_fives=red))
        return next(found, None)

    best, other = value(decision.action), value(played)
    return best is not None and other is not None and abs(best - other) < decision.noise


@dataclass(slots=True)
class Count:
    """Decisions under one head: how many, how many the same, and how often what was played was of our first three."""

    n: int = 0
    same: int = 0
    top3: int = 0

    def add(self, other: Count) -> None:
        """Add another's."""
        self.n += other.n
        self.same += other.same
        self.top3 += other.top3

    def fields(self) -> dict[str, Any]:
        """As JSON shows it; shares are None where there is nothing to share."""
        share = (lambda part: round(part / self.n, 5)) if self.n else (lambda _: None)
        counts = {"n": self.n, "same": self.same, "top3": self.top3}
        return counts | {"share": share(self.same), "share_top3": share(self.top3)}


@dataclass(slots=True)
class Agreement:
    """Counts over many decisions.

    Attributes:
        games: replayed, each seat for itself.
        decisions: asked for.
        unknown: not compared: nobody knows what was played.
        absent: not compared: the server answered for an absent player.
        close: differ within the policy's noise.
        failed, illegal: answers the policy owed; the fallback's was taken.
        faults: hands that could not be followed to their end.
        heads: by head.
        safe_played, safe_ours: of the decisions under push/fold, how many threw a tile safe from every riichi.
        seconds: the policy thought.
    """

    games: int = 0
    decisions: int = 0
    unknown: int = 0
    absent: int = 0
    close: int = 0
    failed: int = 0
    illegal: int = 0
    faults: int = 0
    heads: dict[Head, Count] = field(default_factory=lambda: {head: Count() for head in Head})
    safe_played: int = 0
    safe_ours: int = 0
    seconds: float = 0.0

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

    def add(self, other: Agreement) -> None:
        """Add another's counts."""
        for name in _COUNTS:
            setattr(self, name, getattr(self, name) + getattr(other, name))
        for head, count in other.heads.items():
            self.heads[head].add(count)

    def fields(self) -> dict[str, Any]:
        """As JSON shows it."""
        told: dict[str, Any] = {name: getattr(self, name) for name in _COUNTS}
        told["seconds"] = round(self.seconds, 3)
        return {**told, "heads": {str(head): count.fields() for head, count in self.heads.items()}}

    @classmethod
    def of(cls, told: dict[str, Any]) -> Agreement:
        """From :meth:`fields`."""
        again = cls(**{name: told[name] for name in _COUNTS})
        for name, count in told["heads"].items():
            again.heads[Head(name)] = Count(count["n"], count["same"], count["top3"])
        return again


_COUNTS: Final = (
    *("games", "decisions", "unknown", "absent", "close", "failed", "illegal", "faults"),
    *("safe_played", "safe_ours", "seconds"),
)
