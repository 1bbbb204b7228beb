"""``oshihiki arena``: policies against each other, with the same walls for every seat, and confidence intervals."""

from __future__ import annotations

import json as json_text
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import Annotated, Any, Final

import typer
from rich.console import Console
from rich.progress import MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn
from rich.table import Table

from bot.commands.options import BackendName, Jobs, JsonFigures, Tonpu
from bot.errors import InputError
from bot.live.tally import Times
from bot.players import PlayerSpec, needs_of
from bot.progress import warm_up
from bot.replay.parallel import Backend, each
from bot.sparring import Deal, Sparring, spar
from bot.text import brief
from engine.arena.duplicate import Estimate, ratio
from engine.arena.seat_stats import SeatStats, total
from engine.model.rules import HANCHAN, TONPU
from engine.model.seats import SEATS

TABLE: Final = len(SEATS)
SHOWN: Final = 26
"""Maximum length of a player's name at the head of its column."""

PER_GAME: Final[dict[str, Callable[[SeatStats], float]]] = {
    "rank": lambda one: one.rank,
    "result": lambda one: one.result,
    "score": lambda one: one.score,
}
"""Figures per game."""
PER_HAND: Final[dict[str, Callable[[SeatStats], float]]] = {
    "net": lambda one: one.net,
    "win": lambda one: one.wins,
    "tsumo": lambda one: one.tsumo,
    "deal_in": lambda one: one.deal_ins,
    "riichi": lambda one: one.riichi,
    "call": lambda one: one.called,
    "draw": lambda one: one.drawn,
}
"""Figures per hand; riichi and calls count hands with at least one."""


def arena(
    players: Annotated[
        list[str],
        typer.Argument(
            metavar="PLAYER...",
            help="Players: one (plays all seats), two (one against three) or four. NAME, "
            "NAME:KEY=VALUE,KEY=VALUE with settings of its own, module:Class, or mjai:COMMAND.",
        ),
    ],
    games: Annotated[
        int, typer.Option("--games", "-n", min=1, help="Number of games, rounded up to a multiple of four.")
    ] = 100,
    seed: Annotated[int, typer.Option(min=0, help="Seed of the first deal; each further deal adds 1.")] = 0,
    tonpu: Tonpu = False,
    nodes: Annotated[
        int | None, typer.Option(min=1, help="Bound on the nodes of each search; default: the policy's own.")
    ] = None,
    jobs: Jobs = 0,
    backend: BackendName = Backend.LOKY,
    logs: Annotated[Path | None, typer.Option(help="Folder for the log of each game, SEED-GAME.xml.")] = None,
    json: JsonFigures = False,
) -> None:
    """Let policies play each other without a lobby, and report the results with 95% intervals.

    Each set of walls is played four times, with every player once in each seat, so that the luck of the deal is the
    same for all. The intervals are computed over these deals. The same seed gives the same games.

    Exit code 0: played; 1: a player failed or broke the rules, and the fallback answered for it; 2: bad input.

    Examples:
      oshihiki arena value simple --tonpu --games 400 --jobs 2
      oshihiki arena value simple dag flow --games 100 --json
      oshihiki arena value:fold_within=300 value --tonpu
      oshihiki arena value "mjai:python other_bot.py" --games 8 --jobs 1
    """
    sitting = _four([PlayerSpec.parse(text) for text in players])
    if logs is not None:
        try:
            logs.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise InputError(f"--logs {logs}: {error.strerror}") from None
    order = Sparring(sitting, TONPU if tonpu else HANCHAN, nodes, logs)
    screen = Console(stderr=True)
    _get_ready(sitting, seed, screen)
    began = perf_counter()
    deals = _play(order, range(seed, seed + -(-games // TABLE)), jobs or os.cpu_count() or 1, backend, screen)
    found = _sides(sitting, deals)
    figures = {
        "rules": "tonpu" if tonpu else "hanchan",
        "seed": seed,
        **_figures(deals, found),
        "seconds": round(perf_counter() - began, 1),
    }
    if json:
        typer.echo(json_text.dumps(figures))
    else:
        _show(Console(), figures)
    if any(sum(side.failed.values()) for side in found):
        raise typer.Exit(1)


def _get_ready(sitting: Sequence[PlayerSpec], seed: int, screen: Console) -> None:
    """Compile what the players need, refuse what cannot be made, and print what players warn of."""
    warm_up(screen, needs_of(sitting))
    for one in {one.text: one for one in sitting if not one.program}.values():
        warning = one.make(seed).warning
        if warning:
            screen.print(f"oshihiki: {one.text}: {warning}", style="yellow", markup=False, highlight=False)


def _four(players: Sequence[PlayerSpec]) -> tuple[PlayerSpec, PlayerSpec, PlayerSpec, PlayerSpec]:
    if len(players) == 1:
        first = second = third = fourth = players[0]
    elif len(players) == 2:
        first, second, third, fourth = (*players, players[1], players[1])
    elif len(players) == TABLE:
        first, second, third, fourth = players
    else:
        raise InputError(f"{len(players)} players: name one (plays all seats), two (one against three) or four")
    return first, second, third, fourth


def _play(order: Sparring, seeds: Sequence[int], jobs: int, backend: Backend, screen: Console) -> list[Deal]:
    deals = []
    columns = (TextColumn("games"), MofNCompleteColumn(), TimeElapsedColumn(), TimeRemainingColumn())
    with Progress(*columns, console=screen, transient=True, disable=not screen.is_terminal) as progress:
        task = progress.add_task("", total=TABLE * len(seeds))
        for deal in each(partial(spar, order=order), seeds, jobs, backend):
            deals.append(deal)
            progress.advance(task, TABLE)
    return sorted(deals, key=lambda deal: deal.seed)


@dataclass(slots=True)
class Side:
    """All seats of one player, deal by deal."""

    player: PlayerSpec
    seats: int
    deals: list[SeatStats]
    times: Times
    failed: dict[str, int]

    def per(self, figure: Callable[[SeatStats], float], base: Callable[[SeatStats], float]) -> Estimate:
        """The ratio of two figures, each summed over a deal."""
        return ratio([(figure(one), base(one)) for one in self.deals])

    def fields(self) -> dict[str, Any]:
        """The figures as JSON shows them."""
        whole = total(self.deals)
        return {
            "player": self.player.text,
            "seats": self.seats,
            "places": whole.places,
            **{name: _told(self.per(figure, lambda one: one.games), 3) for name, figure in PER_GAME.items()},
            "hand": {
                name: _told(self.per(figure, lambda one: one.hands), 1 if name == "net" else 4)
                for name, figure in PER_HAND.items()
            },
            "tenpai_at_draw": round(whole.tenpai / max(whole.drawn, 1), 4),
            "points_won": round(whole.won / max(whole.wins, 1)),
            "points_paid": round(whole.paid / max(whole.deal_ins, 1)),
            "wins": {"riichi": whole.won_riichi, "open": whole.won_open, "silent": whole.won_silent},
            "deal_ins": {"riichi": whole.paid_riichi, "open": whole.paid_open, "silent": whole.paid_silent},
            "decision_ms": self.times.ms(),
            **self.failed,
        }


def _figures(deals: Sequence[Deal], sides: Sequence[Side]) -> dict[str, Any]:
    return {
        "deals": len(deals),
        "games": TABLE * len(deals),
        "hands": sum(one.hands for deal in deals for one in deal.stats[0]),
        "sides": [side.fields() for side in sides],
    }


def _sides(players: Sequence[PlayerSpec], deals: Sequence[Deal]) -> list[Side]:
    """One side for each different player, in the order named."""
    sides = []
    for text in dict.fromkeys(one.text for one in players):
        seats = [number for number, one in enumerate(players) if one.text == text]
        times = Times()
        failed = {"illegal": 0, "failed": 0}
        for deal in deals:
            for number in seats:
                times.merge(deal.times[number])
                for why, count in deal.failed[number].items():
                    failed[why.value] += count
        each_deal = [total(game for number in seats for game in deal.stats[number]) for deal in deals]
        sides.append(Side(players[seats[0]], len(seats), each_deal, times, failed))
    return sides


def _told(found: Estimate, digits: int) -> dict[str, float | None]:
    return {
        "mean": round(found.mean, digits),
        "within": None if found.within is None else round(found.within, digits),
    }


def _show(out: Console, figures: dict[str, Any]) -> None:
    out.print(
        f"{figures['games']} {figures['rules']} games ({figures['deals']} deals, every player once in each seat), "
        f"{figures['hands']} hands, {figures['seconds']} s",
        highlight=False,
    )
    sides = figures["sides"]
    table = Table("", box=None, pad_edge=False)
    for side in sides:
        name = brief(side["player"], SHOWN)
        table.add_column(name if side["seats"] == 1 else f"{side['seats']} x {name}", justify="right")
    rows: list[tuple[str, Callable[[Any], str]]] = [
        ("places 1 2 3 4", lambda side: " ".join(map(str, side["places"]))),
        ("mean place", lambda side: _pair(side["rank"], 3)),
        ("result, thousands", lambda side: _pair(side["result"], 1)),
        ("points per hand", lambda side: _pair(side["hand"]["net"], 0)),
        *((f"{name} rate", partial(_rate, key=key)) for name, key in _RATES),
        ("points of a win", lambda side: f"{side['points_won']:,}"),
        ("points of a deal-in", lambda side: f"{side['points_paid']:,}"),
        ("wins riichi/open/silent", lambda side: _split(side["wins"])),
        ("deal-ins to riichi/open/silent", lambda side: _split(side["deal_ins"])),
        ("tenpai at a draw", lambda side: f"{side['tenpai_at_draw']:.1%}"),
        ("decision ms p50/p99", lambda side: f"{side['decision_ms']['p50']:.1f}/{side['decision_ms']['p99']:.1f}"),
    ]
    for title, text in rows:
        table.add_row(title, *map(text, sides))
    out.print(table)
    for side in sides:
        if side["illegal"] or side["failed"]:
            out.print(f"{brief(side['player'])}: {side['illegal']} illegal answers, {side['failed']} failures")


_RATES: Final = (
    ("win", "win"),
    ("deal-in", "deal_in"),
    ("riichi", "riichi"),
    ("call", "call"),
    ("exhaustive draw", "draw"),
)


def _pair(estimate: dict[str, float | None], digits: int) -> str:
    within = "" if estimate["within"] is None else f" ± {estimate['within']:.{digits}f}"
    return f"{estimate['mean']:,.{digits}f}{within}"


def _rate(side: Any, key: str) -> str:
    estimate = side["hand"][key]
    within = "" if estimate["within"] is None else f" ± {100 * estimate['within']:.1f}"
    return f"{100 * estimate['mean']:.1f}{within}%"


def _split(counts: dict[str, int]) -> str:
    whole = max(sum(counts.values()), 1)
    return " ".join(f"{count / whole:.0%}" for count in counts.values())
