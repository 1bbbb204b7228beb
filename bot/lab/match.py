"""A match: deals played by many processes, kept in a journal, and stopped by a sequential test if one is wanted."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any, Final

from bot.lab.sides import Side, seats_by_player, sides_of
from bot.lab.sparring import Deal, Sparring, spar
from bot.machine.errors import InputError
from bot.machine.journal import Pen, Results, pieces, read_journal
from bot.machine.origin import made_by
from bot.machine.parallel import Backend, each
from bot.machine.values import from_json, to_json
from engine.critic.estimates import Estimate, at_any_time, certain

ERROR: Final = 0.05
"""Probability of an error of the intervals that hold at any time, where a match sets none."""

KEPT_AT_ONCE: Final = 8
"""Number of deals side by side where a journal keeps them: those under way are lost with a kill, and end together."""


@dataclass(frozen=True, slots=True)
class Match:
    """The settings of a match."""

    order: Sparring  # the players and the table
    seeds: range  # seeds of the deals
    # probability of a wrong decision with which the match stops as soon as the first player's mean place differs from
    # that of every other player; None: all deals are played
    error: float | None = None


@dataclass(frozen=True, slots=True)
class MatchResult:
    """The result of a match so far."""

    deals: Sequence[Deal]  # the deals of the first seeds, without a gap
    finished: int  # number of all deals that were played
    # by other player, by how much the mean place of the first player exceeds its own, with intervals that hold at any
    # time, all of them with the probability of an error that the match sets (or :data:`ERROR`)
    compared: Mapping[str, Estimate]
    certain: bool  # whether the match has a test, and every difference is certain


def kept_deals(journal: Path | None, order: Sparring) -> Results[int, Deal]:
    """The deals of a match by their seeds; the journal's first line names players, settings, weights, rules, version.

    Raises:
        InputError: the journal cannot be used.
    """
    return Results(
        journal,
        "match",
        identity(order),
        lambda line: (int(line["seed"]), from_json(Deal, line)),
        lambda _, deal: to_json(deal),
        by_engine=True,
    )


def _repeated(deals: Results[int, Deal], match: Match, journal: Path | None) -> Deal | None:
    """A deal played again, if all that are kept were played by other code; programs are not held to this.

    Raises:
        InputError: it comes out differently.
    """
    if not deals.done or len(deals.foreign) < len(deals.done) or any(one.program for one in match.order.players):
        return None
    first = min(deals.done)
    (again,) = spar([first], match.order)
    if again.stats != deals.done[first].stats:
        raise InputError(
            f"--journal {journal}: deal {first} now comes out differently, because the players' code has changed; "
            "name another file"
        )
    return again


def over_the_same_walls(first: Path, second: Path) -> tuple[Side, Side]:
    """The first players of the matches in two journals, over the deals that both have played.

    Raises:
        InputError: one is not the journal of a match, or they have no deal in common.
    """
    headers, played = [], []
    for path in (first, second):
        header, lines = read_journal(path, "match")
        headers.append(header)
        played.append({deal.seed: deal for deal in pieces(path, lines, partial(from_json, Deal))})
    common = sorted(played[0].keys() & played[1].keys())
    rules = [header.get("rules") for header in headers]
    if not common or rules[0] != rules[1]:
        raise InputError(f"--compare {first} {second}: they have no deal of the same rules and seed in common")
    luck = all(header.get("without_luck", False) for header in headers)
    mine, theirs = (
        sides_of([one["player"] for one in header["players"]], [deals[seed] for seed in common], luck=luck)[0]
        for header, deals in zip(headers, played, strict=True)
    )
    return mine, theirs


def identity(order: Sparring) -> dict[str, Any]:
    """The settings that the results of a match depend on, besides its seeds."""
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
    watch: Callable[[MatchResult], None],
) -> MatchResult:
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
    deals = kept_deals(journal, match.order)
    again = _repeated(deals, match, journal)
    if again is not None:
        deals.add(again.seed, again)
    taken = _Prefix(match, deals.done)
    standing = taken.standing()
    watch(standing)

    missing = [seed for seed in match.seeds if seed not in deals.done]
    most = match.order.at_once if journal is None else min(match.order.at_once, KEPT_AT_ONCE)
    size = max(1, min(most, -(-len(missing) // jobs)))

    def todo() -> Iterator[list[int]]:
        for first in range(0, len(missing), size):
            if taken.stopped:
                return
            yield missing[first : first + size]

    near = backend is Backend.LOKY  # other machines do not have the journal
    pen = deals.pen if near else None
    for played in each(partial(_spar, order=match.order, pen=pen), todo(), jobs, backend):
        for deal in played:
            deals.add(deal.seed, deal, written=pen is not None)
            if not taken.stopped:
                standing = taken.standing()
                watch(standing)
    return standing


def _spar(seeds: Sequence[int], order: Sparring, pen: Pen | None) -> list[Deal]:
    """Play some deals; each is written as it ends, so that a kill loses only those that have not ended."""
    deals = []
    for deal in spar(seeds, order):
        if pen is not None:
            pen.write(to_json(deal))
        deals.append(deal)
    return deals


def so_far(match: Match, journal: Path) -> MatchResult:
    """The results in the journal of a match; nothing is played.

    Raises:
        InputError: the journal cannot be used.
    """
    deals = kept_deals(journal, match.order)
    _repeated(deals, match, journal)
    return _Prefix(match, deals.done).standing()


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

    def standing(self) -> MatchResult:
        """The standing with the deals that are done by now."""
        while not self.stopped and (deal := self._next()) is not None:
            self._deals.append(deal)
            for other, values in self._differences.items():
                values.append(self._place(deal, self._first) - self._place(deal, other))
            self.stopped = self._match.error is not None and self._certain()
        finished = sum(seed in self._done for seed in self._match.seeds)
        return MatchResult(tuple(self._deals), finished, self._compared(), self.stopped)

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
