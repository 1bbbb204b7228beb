"""``oshihiki stats``: the games played, summed up by day, account and policy."""

import json as json_text
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, Final

import typer
from rich import box
from rich.table import Table
from rich.text import Text

from bot.commands import names
from bot.commands.options import ConfigFile, JsonFigures, figures_table
from bot.config import load
from bot.machine.inputs import Inputs
from bot.machine.outlet import output_screen
from bot.machine.text import brief
from bot.play import results, wiring
from bot.play.results import Trend
from bot.review.recording import read_recording
from bot.store import played
from bot.store.database import shown, store_of
from bot.store.exporting import as_json
from bot.store.importing import brought_in
from engine.arena.seat_stats import SeatStats, seat_stats_of, total
from protocol.errors import LogError

COLUMNS: Final = (
    "day", "account", "policy", "games", "places", "mean", "result", "dan pts", "rank", "drops", "place unknown",
)  # fmt: skip
NO_FIGURES: Final = ("day", "account", "policy", "rank", "over time")
"""Columns of names and words."""

_WORDS: Final = {
    "unfinished": "games not finished, their hands counted too",
    "deal_in": "deal-in",
    "win_points": "points of a win",
    "deal_in_points": "points of a deal-in",
    "self_draw_of_wins": "wins by self-draw",
    "silent_of_wins": "closed wins without riichi",
    "riichi_that_wins": "riichi that win",
    "tenpai_at_draws": "tenpai at exhaustive draws",
    "win_turn": "turn of a win",
}
_FORMATS: Final = {
    **dict.fromkeys(("games", "unfinished", "hands", "win_points", "deal_in_points"), "{:,.0f}"),
    "win_turn": "{:.1f}",
}
BARS: Final = "▁▂▃▄▅▆▇█"


def stats(
    config: ConfigFile = None,
    folder: Annotated[Path | None, typer.Option(help="Folder of the records; default: the configuration's.")] = None,
    days: Annotated[int, typer.Option(min=1, help="Number of days with games, the latest ones.")] = 14,
    account: Annotated[str | None, typer.Option(help="Only this account, by its label.")] = None,
    policy: Annotated[
        str | None, typer.Option(help="Only games that this policy played, or 'human'.", autocompletion=names.players)
    ] = None,
    server: Annotated[str | None, typer.Option(help="Only this server: its host, or 'embedded'.")] = None,
    rates: Annotated[
        bool, typer.Option("--rates", help="Also read all records in the folder: wins, deal-ins, riichi, calls.")
    ] = False,
    json: JsonFigures = False,
) -> None:
    """Show placements, results, dan points and ratings, day by day, and how places change over time.

    ``play`` keeps each finished game in the data folder or, if the records are kept elsewhere, beside them. Games
    whose place is not known, such as those that ended while the connection was lost, are counted in a column of their
    own and nowhere else. Dan points are what the games are worth by Tenhou's table; dan, points and rating are those
    that the server reported before the day's last game. --json also has all that is kept there: every game, the answers
    of practice, and the reviews.
    From twenty games on, the mean place of the last fifty (at most a third of all) stands beside that of as many before
    them, with 95% intervals, whatever --days says.

    Examples:
      oshihiki stats
      oshihiki stats --config my.toml --days 7 --json
      oshihiki stats --folder games/ --rates
    """
    kept = folder or wiring.record_folder(load(config))
    with brought_in(kept) as place:
        wanted = (
            one
            for one in played.read(place)
            if account in (None, one.account) and policy in (None, one.policy) and server in (None, one.server)
        )
        places: results.Places = {}
        found, over_time = results.days(wanted, places), results.trends(places)
        last = sorted({day.day for day in found})[-days:]
        listed = [day for day in found if day.day in last]
        counted = _count(kept) if rates else None
        if json:
            summary = {
                "days": [day.fields() for day in listed],
                "trends": [one.fields() for one in over_time],
                **({} if counted is None else {"rates": _rates(counted)}),
            }
            typer.echo(json_text.dumps(summary, ensure_ascii=False, allow_nan=False).removesuffix("}"), nl=False)
            for piece in as_json(store_of(place)):
                typer.echo(piece, nl=False)
            typer.echo("}")
            return
    out = output_screen()
    if listed:
        out.print(_table(listed))
        if over_time:
            out.print(trend_table(over_time))
    else:
        typer.echo(f"no games yet in {shown(store_of(kept).path)}")
    if counted is not None:
        out.print(_rates_table(_rates(counted)) if counted.hands else "no record of a game there")


def _empty_table(columns: Iterable[str], title: str | None = None) -> Table:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1, 0, 0), title=title, title_justify="left")
    for name in columns:
        table.add_column(name, justify="left" if name in NO_FIGURES else "right", overflow="fold")
    return table


def _table(days: list[results.Day]) -> Table:
    rare = {"drops": any(day.drops for day in days), "place unknown": any(day.unknown for day in days)}
    shown = [name for name in COLUMNS if rare.get(name, True)]
    table = _empty_table(shown)
    for day in days:
        mean = day.mean_placement
        cells: dict[str, str | Text] = {
            "day": day.day.isoformat(),
            "account": Text(brief(day.account)),
            "policy": Text(brief(day.policy)),
            "games": str(day.games),
            "places": "/".join(map(str, day.placements)),
            "mean": "" if mean is None else f"{mean:.2f}",
            "result": f"{day.result:+.1f}",
            "dan pts": f"{day.dan_points:+.0f}",
            "rank": "" if day.rank is None else f"{_rank(day.rank[0])} {day.rank[1]} R{day.rank[2]:.0f}",
            "drops": str(day.drops),
            "place unknown": str(day.unknown or ""),
        }
        table.add_row(*[cells[name] for name in shown])
    return table


def _count(folder: Path) -> SeatStats:
    """The statistics of the own seat over all games recorded in the folder."""
    found = []
    for file in Inputs([str(folder)]).every_game(whole=False):
        try:
            recording = read_recording(file)
        except LogError as error:
            typer.echo(f"passed over: {brief(str(error), 200)}", err=True)
            continue
        if recording.viewer is not None:
            found.append(seat_stats_of([event for _, event in recording.events])[recording.viewer])
    return total(found)


def _rates(counted: SeatStats) -> dict[str, float | int | None]:
    """The rates as plain values, hands of unfinished games included; None where nothing was counted."""
    hands, wins, deal_ins = counted.hands, counted.wins, counted.deal_ins

    def share(count: float, of: int) -> float | None:
        return round(count / of, 4) if of else None

    finished = sum(counted.places)
    return {
        "games": finished,
        "unfinished": counted.games - finished,
        "hands": hands,
        "win": share(wins, hands),
        "deal_in": share(deal_ins, hands),
        "riichi": share(counted.riichi, hands),
        "call": share(counted.called, hands),
        "win_points": share(counted.won, wins),
        "deal_in_points": share(counted.paid, deal_ins),
        "self_draw_of_wins": share(counted.tsumo, wins),
        "silent_of_wins": share(counted.won_silent, wins),
        "riichi_that_wins": share(counted.won_riichi, counted.riichi),
        "tenpai_at_draws": share(counted.tenpai, counted.drawn),
        "win_turn": share(counted.win_turns, wins),
    }


def _rates_table(rates: dict[str, float | int | None]) -> Table:
    table = figures_table("all records there", "")
    for name, value in rates.items():
        if name == "unfinished" and not value:
            continue
        table.add_row(_WORDS.get(name, name), "" if value is None else _FORMATS.get(name, "{:.1%}").format(value))
    return table


def _rank(dan: int) -> str:
    """The name of a rank index."""
    if dan == 0:
        return "新人"
    if dan >= 20:
        return "天鳳位"
    return f"{10 - dan}級" if dan < 10 else f"{dan - 9}段"


def trend_table(found: Iterable[Trend]) -> Table:
    """The trends as a table; a higher bar is a better place."""
    names = ("account", "policy", "games", "all", "last", "as many before", "over time")
    table = _empty_table(names, "mean place")
    for one in found:
        figures = [f"{each.mean:.2f} ± {each.within or 0.0:.2f}" for each in (one.mean, one.last, one.before)]
        who = Text(brief(one.account)), Text(brief(one.policy))
        # the lowest bar is a mean place of 3.0, the highest one of 2.0
        bars = [BARS[max(0, min(len(BARS) - 1, int((3.0 - place) * len(BARS))))] for place in one.parts]
        table.add_row(*who, str(one.games), *figures, "".join(bars))
    return table
