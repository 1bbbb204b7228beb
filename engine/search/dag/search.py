"""The evaluator ``dag``: from a position to the worth of each action."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import isnan
from operator import attrgetter
from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine.model.actions import CALLS, DISCARDS, ActionKind
from engine.model.budget import Budget
from engine.model.melds import MeldKind
from engine.scoring import WinContext, score_win
from engine.search.calls import after_call_of, choice_of_call, possible_calls
from engine.search.dag import DagSettings
from engine.search.dag.graph import MOST_NODES, Bounds, Listed, Rooted, choose_hands, list_hands, number_of
from engine.search.dag.graph_kernels import Root
from engine.search.dag.model import FULL, MODELS, Model, in_points
from engine.search.dag.solve import Start, Sweep, solve
from engine.search.discard_tables import discards_digest
from engine.search.evaluator import Choice, Evaluation, Stakes, Worth, discarding
from engine.search.position import Position, Sketch
from engine.shanten import shanten


@dataclass(frozen=True, slots=True)
class _Branch:
    """One root: the action that leads to it, and the position after it."""

    choice: Choice
    position: Position
    draws: int
    calls: int
    kans: int = 0
    opponents: int = 3


@dataclass(frozen=True, slots=True)
class _Plan:
    """A root whose hands are listed; ``blocked``: whether it can win only on its own draws."""

    branch: _Branch
    root: Root
    listed: Listed
    blocked: bool


@dataclass(frozen=True, slots=True)
class DagEvaluator:
    """The one-player search over a directed acyclic graph of hands."""

    model: Model = FULL  # the parts of the game that are played
    name: str = "dag"  # name of the evaluator

    @property
    def digests(self) -> Mapping[str, str]:
        """The digest of the tables of other players' discards."""
        return {"discards": discards_digest()}

    def evaluate(self, position: Position, stakes: Stakes | None = None, budget: Budget | None = None) -> Evaluation:
        """The worth of every action at the position.

        A discard decision is one search, and so is each answer to an offered tile, because after a call the hand is
        another root. All searches of a decision share ``budget.nodes`` and have one size
        (:mod:`engine.search.dag.graph`); hands are listed before any of the costly work. ``budget.expired`` is checked
        before each search but the first.
        """
        budget = budget or Budget()
        stakes = stakes or in_points(position, self.model)
        actions: list[Worth] = []
        far = position.shanten
        nodes = edges = 0
        complete = True
        exchanges = calls = 0
        win = None if position.to_discard and far >= 0 else self._win_now(position, stakes)
        if win is not None:
            actions.append(win)
        plans = self._plans(position, MOST_NODES if budget.nodes is None else budget.nodes)
        for plan in plans:
            if actions and budget.expired():
                complete = False
                break
            links, found = self._solve(plan, stakes)
            bounds = plan.listed.bounds
            complete = complete and plan.listed.whole
            exchanges, calls = max(exchanges, bounds.reach - 1), max(calls, bounds.calls)
            nodes += number_of(plan.listed.hands)
            edges += links
            first_turn = position.first_turn and plan.branch.choice.kind is ActionKind.DISCARD
            actions += self._double(position, stakes, found) if first_turn else found
        actions.sort(key=attrgetter("value"), reverse=True)
        return Evaluation(
            evaluator=self.name,
            actions=tuple(actions),
            unit=stakes.unit,
            shanten=far,
            exchanges=exchanges,
            calls=calls,
            nodes=nodes,
            edges=edges,
            complete=complete,
        )

    def _plans(self, position: Position, most: int) -> list[_Plan]:
        # the hands of every root are listed before any search, all of one size
        branches = list(_branches(position, self.model))
        locked = position.riichi > 0
        roots = [
            Rooted(_root(one.position), max(0, one.position.shanten), one.calls, locked=locked) for one in branches
        ]
        # in riichi, after a win was passed, only the own draw remains
        blocked = position.furiten or (position.riichi > 0 and position.passes_win)
        return [
            _Plan(branch, rooted.root, listed, blocked)
            for branch, rooted, listed in zip(branches, roots, choose_hands(roots, self.model, most), strict=True)
        ]

    def _solve(self, plan: _Plan, stakes: Stakes) -> tuple[int, list[Worth]]:
        branch, position = plan.branch, plan.branch.position
        if branch.kans:
            stakes = stakes.after_kan(branch.choice.tile34)
        passed = branch.choice.kind is ActionKind.PASS and (position.furiten_turn or position.passes_win)
        called = branch.choice.kind in CALLS
        start = Start(branch.draws, branch.kans, branch.opponents, blocked=plan.blocked, passed=passed, called=called)
        hands, bounds = plan.listed.hands, plan.listed.bounds
        swept = solve(hands, plan.root, bounds, position, self.model, stakes, start)
        return swept.edges, _worths(branch, swept)

    def _double(self, position: Position, stakes: Stakes, found: list[Worth]) -> list[Worth]:
        # a first-turn riichi is a double one: its hand no longer changes, so a search of its own is small
        if not any(worth.choice.kind is ActionKind.RIICHI for worth in found):
            return found
        root, branch = _root(position), _Branch(Choice(ActionKind.RIICHI), position, position.draws_left, 0)
        bounds = Bounds(1)
        start = Start(branch.draws, double=True)
        swept = solve(list_hands(root, bounds), root, bounds, position, self.model, stakes, start)
        double = {worth.choice: worth for worth in _worths(branch, swept)}
        return [double[one.choice] if one.choice.kind is ActionKind.RIICHI else one for one in found]

    def _win_now(self, position: Position, stakes: Stakes) -> Worth | None:
        tsumo = position.to_discard
        if tsumo and position.kuikae:
            return None  # the tile was called, not drawn
        if not tsumo and (position.offered < 0 or self.model.draws_only or position.is_furiten()):
            return None
        concealed = position.concealed if tsumo else (*position.concealed, position.offered)
        counts = [0] * 34
        for tile in concealed:
            counts[tile >> 2] += 1
        if shanten(counts, len(position.melds)) >= 0:
            return None
        best = None
        drawn = concealed if position.drawn < 0 else (position.drawn,)
        for tile in drawn if tsumo else (position.offered,):
            score = score_win(
                WinContext(
                    concealed=tuple(concealed),
                    win_tile=tile,
                    tsumo=tsumo,
                    seat_wind=position.seat_wind,
                    round_wind=position.round_wind,
                    melds=position.melds,
                    riichi=position.riichi,
                    ippatsu=position.ippatsu,
                    last_tile=position.wall_left == 0,
                    first_turn=position.first_turn and tsumo,
                    dora_indicators=position.dora_indicators,
                    rules=position.rules,
                )
            )
            # where the tile drawn is not known: the least it can be worth
            if score is not None and (best is None or score.points < best):
                best = score.points
        if best is None:
            return None
        points = best + position.on_the_table
        kind = ActionKind.TSUMO if tsumo else ActionKind.RON
        choice = Choice(kind, -1 if tsumo else position.offered >> 2)
        return Worth(choice, stakes.win_worth(points, tsumo), 1.0, 0.0, float(points))


def make_dag(settings: DagSettings) -> DagEvaluator:
    """The evaluator with these settings."""
    model = MODELS[settings.model]
    calls = model.calls if settings.calls is None else settings.calls
    return DagEvaluator(replace(model, exchanges=settings.exchanges, calls=calls))


def _root(position: Position) -> Root:
    held, limit = position.counts, bytearray(position.unseen)
    river = position.river_mask
    while river:
        kind = river.bit_length() - 1
        river ^= 1 << kind
        melded = sum(tile >> 2 == kind for meld in position.melds for tile in meld.tiles)
        limit[kind] = max(limit[kind], 4 - held[kind] - melded)
    pons = sum(1 << meld.tile34 for meld in position.melds if meld.kind is MeldKind.PON)
    unseen = np.frombuffer(bytearray(position.unseen), np.int8)
    return Root(np.frombuffer(bytearray(held), np.int8), np.frombuffer(limit, np.int8), unseen, pons)


def _branches(position: Position, model: Model) -> Iterator[_Branch]:
    calls = 0 if position.riichi else min(model.calls, 4 - len(position.melds))
    if position.to_discard:
        yield _Branch(Choice(ActionKind.DISCARD), position, position.draws_left, calls)
        if not model.draws_only and position.draws_left >= 1 and not position.kuikae:
            yield from _own_kans(position, calls)
        return
    before_draw = position.before_draw if position.draws_left else position.tail
    yield _Branch(Choice(ActionKind.PASS), position, position.draws_left, calls, opponents=before_draw)
    if position.offered < 0 or calls == 0 or position.riichi or position.wall_left == 0:
        return
    for kind, own in possible_calls(position):
        if kind is not ActionKind.DAIMINKAN or (not model.draws_only and position.draws_left >= 2):
            yield _called(position, kind, own, calls - 1)


def _own_kans(position: Position, calls: int) -> Iterator[_Branch]:
    pons = {meld.tile34 for meld in position.melds if meld.kind is MeldKind.PON}
    for kind, copies in enumerate(position.counts):
        closed, added = copies == 4, copies == 1 and kind in pons
        if closed or added:
            action = ActionKind.ANKAN if closed else ActionKind.KAKAN
            after = position.after_call(action, [tile for tile in position.concealed if tile >> 2 == kind])
            yield _Branch(Choice(action, kind), after, after.draws_left + 1, calls, kans=1)


def _called(position: Position, kind: ActionKind, own34: tuple[int, ...], calls: int) -> _Branch:
    after = after_call_of(position, kind, own34)
    choice = choice_of_call(position, kind, own34)
    kans = int(kind is ActionKind.DAIMINKAN)
    return _Branch(choice, after, after.draws_left + kans, calls, kans=kans)


def _rows(records: NDArray[np.float32], choices: Sequence[Choice], tolls: NDArray[np.float64] | None) -> list[Worth]:
    """The worth of choosing each of the root's nodes.

    Args:
        records: float32[draws + 1, nodes, figures], the last row with all draws left.
        choices: the choice of each node.
        tolls: (nodes,): its own discard's toll, which the records hold; None: it has none.
    """
    values = records[:, :, 0].T.astype(np.float64)
    last = records[-1].astype(np.float64)
    if tolls is not None:
        values += tolls[:, None]
        last[:, 0] += tolls
    by_draws, wins = values.tolist(), records[:, :, 1].T.tolist()
    return [
        Worth(choice, value, win, ready, points / win if win > 0 else None, tuple(by_draws[node]), tuple(wins[node]))
        for node, (choice, (value, win, ready, points)) in enumerate(zip(choices, last.tolist(), strict=True))
    ]


def _worths(branch: _Branch, swept: Sweep) -> list[Worth]:
    if branch.kans:
        return _rows(swept.drawn[None, None], (branch.choice,), None)
    position = branch.position
    locked = position.riichi > 0
    if branch.choice.kind is ActionKind.PASS:
        return _rows((swept.riichi if locked else swept.plain)[:, :1], (branch.choice,), None)
    kinds, tolls = swept.kinds, swept.toll.astype(np.float64)
    discards = [discarding(ActionKind.DISCARD, kind) for kind in kinds]
    plain = _rows(swept.plain, discards, tolls)
    riichi = plain
    if swept.riichi_known:
        declaring = discards if locked else [discarding(ActionKind.RIICHI, kind) for kind in kinds]
        riichi = _rows(swept.riichi, declaring, tolls)
    found = []
    for node, (kind, toll) in enumerate(zip(kinds, tolls.tolist(), strict=True)):
        if position.kuikae >> kind & 1:
            continue
        if not locked:
            found.append((toll, plain[node]))
        if swept.riichi_known and not isnan(riichi[node].value):
            found.append((toll, riichi[node]))
    if branch.choice.kind in DISCARDS:
        return [worth for _, worth in found]
    if not found:
        return []
    _, best = max(found, key=lambda one: one[1].value - one[0])
    return [best._replace(choice=branch.choice, then34=best.choice.tile34)]


_TENPAI: Final = (0, 4, 8, 12, 16, 20, 24, 28, 32, 36, 40, 44, 48)
"""123456789m 1234p: tenpai on 1p and 4p."""


def warm_up() -> None:
    """Search a small position, so that the next search is quick."""
    make_dag(DagSettings()).evaluate(Sketch((*_TENPAI, 52), turn=6).position(), budget=Budget(nodes=2_000))
