"""A match: deals played by many processes, kept in a journal, and stopped by a sequential test if one is wanted."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Self

from bot.machine.errors import InputError
from bot.matches.sides import Side, seats_by_player, sides_of
from bot.matches.sparring import Deal, Sparring, spar
from bot.record.origin import engine_hash, made_by
from bot.runs.journal import Journal, Kept
from bot.runs.parallel import Backend, each
from engine.arena.duplicate import Estimate, at_any_time, certain

ERROR: Final = 0.05
"""Probability of an error of the intervals that hold at any time, where a match sets none."""


@dataclass(frozen=True, slots=True)
class Match:
    """What is to be played.

    Attributes:
        order: the players and the table.
        seeds: seeds of the deals.
        error: probability of a wrong decision with which the match stops as soon as the first player's mean place
            differs from that of every other player; None: all deals are played.
    """

    order: Sparring
    seeds: range
    error: float | None = None


@dataclass(frozen=True, slots=True)
class Standing:
    """What is known of a match so far.

    Attributes:
        deals: the deals of the first seeds, without a gap.
        finished: number of all deals that were played.
        compared: by other player, by how much the mean place of the first player exceeds its own, with intervals that
            hold at any time, all of them with the probability of an error that the match sets (or :data:`ERROR`).
        certain: whether the match has a test, and every difference is certain.
    """

    deals: Sequence[Deal]
    finished: int
    compared: Mapping[str, Estimate]
    certain: bool


class MatchJournal:
    """One line for each deal. The first names players, settings, weights by their digests, rules and the version.

    A journal that was begun by other code is continued only if that code plays one of its deals again with the same
    result; programs outside the project are not held to this.
    """

    def __init__(self, path: Path, order: Sparring) -> None:
        """Read the journal, or create it.

        Raises:
            InputError: see :class:`~bot.runs.journal.Journal`; or the players now decide otherwise than in the journal.
        """
        self._again: Deal | None = None
        self._journal = Journal(path, "match", identity(order))
        lines = self._journal.kept.pieces(lambda line: (str(line["engine"]), Deal.of(line)))
        self.deals = {deal.seed: deal for _, deal in lines}
        foreign = [deal for engine, deal in lines if engine != engine_hash()]
        if len(foreign) == len(lines) and foreign and not any(one.program for one in order.players):
            self._again = self._repeated(min(foreign, key=lambda deal: deal.seed), order)

    def add(self, deal: Deal) -> None:
        """Add a deal."""
        self.deals[deal.seed] = deal
        self._journal.write({"engine": engine_hash(), **deal.fields()})

    def __enter__(self) -> Self:
        self._journal.__enter__()
        if self._again is not None:
            self.add(self._again)
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._journal.__exit__(kind, error, at)

    def _repeated(self, before: Deal, order: Sparring) -> Deal:
        (again,) = spar([before.seed], order)
        if again.stats != before.stats:
            raise InputError(
                f"--journal {self._journal.kept.path}: deal {before.seed} now comes out differently, because the "
                "players' code has changed; name another file"
            )
        return again


def over_the_same_walls(first: Path, second: Path) -> tuple[Side, Side]:
    """The first players of the matches in two journals, over the deals that both have played.

    Raises:
        InputError: one is not the journal of a match, or they have no deal in common.
    """
    journals = [Kept(path, "match") for path in (first, second)]
    played = [{deal.seed: deal for deal in kept.pieces(Deal.of)} for kept in journals]
    common = sorted(played[0].keys() & played[1].keys())
    rules = [kept.header.get("rules") for kept in journals]
    if not common or rules[0] != rules[1]:
        raise InputError(f"--compare {first} {second}: they have no deal of the same rules and seed in common")
    luck = all(kept.header.get("without_luck", False) for kept in journals)
    mine, theirs = (
        sides_of([one["player"] for one in kept.header["players"]], [deals[seed] for seed in common], luck=luck)[0]
        for kept, deals in zip(journals, played, strict=True)
    )
    return mine, theirs


def identity(order: Sparring) -> dict[str, Any]:
    """What the results of a match depend on, besides its seeds."""
    return {
        "players": [
            {"player": one.text, "settings": {} if one.program else one.make(0).settings()} for one in order.players
        ],
        "rules": asdict(order.rules),
        "nodes": order.nodes,
        **({"without_luck": True} if order.luck else {}),
        "oshihiki": made_by()["oshihiki"],
    }


def play(
    match: Match,
    journal: Path | None,
    jobs: int,
    backend: Backend,
    watch: Callable[[Standing], None],
) -> Standing:
    """Play a match.

    The result depends only on the match: deals are taken in the order of their seeds, however many processes finish
    them in whatever order, and those beyond the one at which a test stops are left out.

    Args:
        match: what is to be played.
        journal: file that keeps the deals, and from which those of an earlier run are taken.
        jobs: number of processes.
        backend: what runs them.
        watch: called after each deal with the standing so far.

    Raises:
        InputError: the journal cannot be used.
    """
    with ExitStack() as stack:
        kept = stack.enter_context(MatchJournal(journal, match.order)) if journal else None
        done = dict(kept.deals) if kept else {}
        taken = _Prefix(match, done)
        standing = taken.standing()
        watch(standing)

        missing = [seed for seed in match.seeds if seed not in done]
        size = max(1, min(match.order.at_once, -(-len(missing) // jobs)))

        def todo() -> Iterator[list[int]]:
            for first in range(0, len(missing), size):
                if taken.stopped:
                    return
                yield missing[first : first + size]

        for deals in each(partial(spar, order=match.order), todo(), jobs, backend):
            for deal in deals:
                done[deal.seed] = deal
                if kept is not None:
                    kept.add(deal)
                if not taken.stopped:
                    standing = taken.standing()
                    watch(standing)
    return standing


def so_far(match: Match, journal: Path) -> Standing:
    """What the journal of a match holds; nothing is played.

    Raises:
        InputError: the journal cannot be used.
    """
    return _Prefix(match, MatchJournal(journal, match.order).deals).standing()


class _Prefix:
    """The deals of the first seeds without a gap, up to the one at which the test stops."""

    def __init__(self, match: Match, done: Mapping[int, Deal]) -> None:
        self._match = match
        self._done = done
        self._deals: list[Deal] = []
        self._seats = seats_by_player(match.order.names)
        first, *others = self._seats
        self._first = first
        self._differences: dict[str, list[float]] = {other: [] for other in others}
        self.stopped = False

    def standing(self) -> Standing:
        """The standing with the deals that are done by now."""
        while not self.stopped and (deal := self._next()) is not None:
            self._deals.append(deal)
            for other, values in self._differences.items():
                values.append(self._place(deal, self._first) - self._place(deal, other))
            self.stopped = self._match.error is not None and self._certain()
        finished = sum(seed in self._done for seed in self._match.seeds)
        return Standing(tuple(self._deals), finished, self._compared(), self.stopped)

    def _next(self) -> Deal | None:
        at = len(self._deals)
        return self._done.get(self._match.seeds[at]) if at < len(self._match.seeds) else None

    def _place(self, deal: Deal, player: str) -> float:
        """Mean place of a player's seats over the games of a deal."""
        games = [game for seat in self._seats[player] for game in deal.stats[seat]]
        return sum(game.rank for game in games) / len(games)

    def _compared(self) -> dict[str, Estimate]:
        error = (self._match.error or ERROR) / max(len(self._differences), 1)
        return {other: at_any_time(values, error) for other, values in self._differences.items()}

    def _certain(self) -> bool:
        return bool(self._differences) and all(map(certain, self._compared().values()))
