"""What ``oshihiki arena`` shows: its progress, the table of a match, and how the players differ."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, Final, Self

from rich.console import Console
from rich.progress import MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn
from rich.table import Table

from bot.arena.match import Standing
from bot.commands.tables import figures_table
from bot.text import brief, plural
from bot.work_bar import Lines
from engine.model.seats import SEATS

NAME: Final = 26
"""Maximum length of a player's name at the head of its column."""
_RATES: Final = (
    ("win", "win"),
    ("deal-in", "deal_in"),
    ("riichi", "riichi"),
    ("call", "call"),
    ("tenpai", "tenpai"),
    ("exhaustive draw", "draw"),
)


class Bar:
    """The progress of a match on the terminal: games, time, and the differences in mean place so far."""

    def __init__(self, screen: Console, games: int) -> None:
        columns = (
            TextColumn("games"), MofNCompleteColumn(), TimeElapsedColumn(), TimeRemainingColumn(),
            TextColumn("{task.description}", markup=False),
        )  # fmt: skip
        self._progress = Progress(*columns, console=screen, transient=True, disable=not screen.is_terminal)
        self._task = self._progress.add_task("", total=games)
        self._lines, self._games = Lines(screen), games

    def __call__(self, standing: Standing) -> None:
        """Show a standing."""
        differences = (
            f"place {found.mean:+.3f}{'' if found.within is None else f' ± {found.within:.3f}'} to {brief(other, NAME)}"
            for other, found in standing.compared.items()
        )
        done, differing = len(SEATS) * standing.finished, ", ".join(differences)
        self._progress.update(self._task, completed=done, description=differing)
        self._lines.say(f"{done} of {plural(self._games, 'game')}{', ' * bool(differing)}{differing}")

    def __enter__(self) -> Self:
        self._progress.start()
        return self

    def __exit__(self, *raised: object) -> None:
        self._progress.stop()


def show(out: Console, figures: Mapping[str, Any]) -> None:
    """Print the figures of a match as a table."""
    out.print(
        f"{plural(figures['games'], figures['rules'] + ' game')} ({plural(figures['deals'], 'deal')}, every player "
        f"once in each seat), {plural(figures['hands'], 'hand')}, {figures['seconds']} s",
        highlight=False,
    )
    if figures["deals"] == 1:
        out.print("one deal gives no intervals: play more games (--games)", style="dim", highlight=False)
    sides = figures["sides"]
    table = Table("", box=None, pad_edge=False)
    for side in sides:
        name = brief(side["player"], NAME)
        table.add_column(name if side["seats"] == 1 else f"{side['seats']} x {name}", justify="right")
    rows: list[tuple[str, Callable[[Any], str]]] = [
        ("places 1 2 3 4", lambda side: " ".join(map(str, side["places"]))),
        ("mean place", lambda side: _pair(side["rank"], 3)),
        ("result, thousands", lambda side: _pair(side["result"], 1)),
        ("points per hand", lambda side: _pair(side["hand"]["net"], 0)),
        *(_LUCKLESS if "without_luck" in sides[0] else ()),
        *((f"{name} rate", partial(_rate, key=key)) for name, key in _RATES),
        ("turn of the first tenpai", lambda side: _pair(side["tenpai_turn"], 2)),
        ("turn of a win", lambda side: _pair(side["win_turn"], 2)),
        ("points of a win", lambda side: _pair(side["win_points"], 0)),
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
    show_differences(out, figures["differences"])
    if "test" in figures:
        _show_test(out, figures["test"])


def show_differences(out: Console, differences: list[dict[str, Any]]) -> None:
    """Print paired differences between players."""
    if not differences:
        return
    out.print()
    columns = [("mean place", "rank", 3, 1.0), ("points per hand", "net", 0, 1.0), ("win rate, %", "win", 1, 100.0)]
    if "rank_without_luck" in differences[0]:
        columns += [
            ("place without luck", "rank_without_luck", 3, 1.0), ("points without luck", "net_without_luck", 0, 1.0),
        ]  # fmt: skip
    table = figures_table("over the same walls", *(head for title, *_ in columns for head in (title, "p")))
    for one in differences:
        cells = []
        for _, name, digits, scale in columns:
            found = {key: scale * one[name][key] for key in ("mean", "within") if one[name][key] is not None}
            cells.append(_pair({"within": None, **found}, digits, sign="+"))
            cells.append("" if one[name]["p"] is None else f"{one[name]['p']:.2g}")
        table.add_row(" - ".join(brief(player, NAME) for player in one["players"]), *cells)
    out.print(table)


def _show_test(out: Console, test: Mapping[str, Any]) -> None:
    verdict = "certain" if test["certain"] else "not certain"
    for one in test["differences"]:
        out.print(
            f"difference in mean place to {brief(one['player'], NAME)}, at any time: {_pair(one['rank'], 3, sign='+')}",
            highlight=False,
        )
    out.print(f"{verdict} at a probability of error of {test['error']:g}", highlight=False)


def _pair(estimate: Mapping[str, Any], digits: int, sign: str = "") -> str:
    within = "" if estimate["within"] is None else f" ± {estimate['within']:,.{digits}f}"
    return f"{estimate['mean']:{sign},.{digits}f}{within}"


def _rate(side: Any, key: str) -> str:
    estimate = side["hand"][key]
    within = "" if estimate["within"] is None else f" ± {100 * estimate['within']:.1f}"
    return f"{100 * estimate['mean']:.1f}{within}%"


_LUCKLESS: Final[tuple[tuple[str, Callable[[Any], str]], ...]] = (
    ("mean place without luck", lambda side: _pair(side["without_luck"]["rank_without_luck"], 3)),
    ("points per hand without luck", lambda side: _pair(side["without_luck"]["net_without_luck"], 0)),
)


def _split(counts: dict[str, int]) -> str:
    whole = max(sum(counts.values()), 1)
    return " ".join(f"{count / whole:.0%}" for count in counts.values())
