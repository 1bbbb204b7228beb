"""``oshihiki train reference``: how players of the two strongest rooms fare in audits, counted on recorded games."""

from __future__ import annotations

import json as json_text
import os
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack
from functools import partial
from itertools import zip_longest
from pathlib import Path
from typing import Annotated, Any

import typer

from bot.audit.reference_count import PlayerGame, player_game, reference_of, seat_of, table_name
from bot.commands.bench.held_back import split_by_name
from bot.commands.judges import judge_of
from bot.commands.options import ConfigFile, Jobs, PolicyName
from bot.commands.train.training import JsonCard, Logs, Out, outputs_for, write
from bot.config import place_of
from bot.deciding.players import PlayerSpec
from bot.machine.errors import InputError
from bot.machine.outlet import error_screen
from bot.machine.outputs import Outputs
from bot.runs.bars import LogBar
from bot.runs.journal import Journal
from bot.runs.parallel import each
from bot.runs.preparation import warm_up
from engine.train.recordings import Split, held_back
from protocol.errors import LogError
from protocol.logs.formats import LogFile, read_log
from protocol.logs.sources import Source, open_logs

GamesEach = Annotated[int, typer.Option("--games", min=1, help="Number of games of each room and length.")]
Nodes = Annotated[int | None, typer.Option(min=1, help="Bound on search nodes per decision; default: the policy's.")]
JournalFile = Annotated[
    Path | None, typer.Option(help="File that notes each game; the same command continues from there.")
]
Work = tuple[LogFile, int]
"""A log, and the seat that is judged."""


def reference(
    paths: Logs,
    games: GamesEach = 200,
    policy: PolicyName = None,
    config: ConfigFile = None,
    nodes: Nodes = None,
    journal: JournalFile = None,
    jobs: Jobs = 0,
    out: Out = None,
    json: JsonCard = False,
) -> None:
    """Count how players of the phoenix and the upper-dan room fare in audits: ratings, and how often they lose how much.

    One seat of each game is judged as `oshihiki audit` does it, in games held back by their log id, on which no table or
    network was fitted. Audits show the percentiles and grade differences by the bounds that come of it.

    Examples:
      oshihiki train reference houou-hanchan-00.tar.xz tokujou-hanchan-00.tar.xz --journal reference.journal --out reference.json
      oshihiki train reference logs/ --games 20 --nodes 2000 --json
    """  # noqa: E501 - an example is one line
    given = [*paths, place_of(config)]
    Outputs("--journal", given).refuse_inputs(journal)
    outputs = outputs_for(out, *given, journal)
    judge = judge_of(policy, config)
    screen = error_screen()
    settings = dict(judge.make(0).settings())
    order = {"policy": judge.name, "settings": settings, "nodes": nodes}
    warm_up(screen, judge.needs)
    with ExitStack() as stack:
        kept = stack.enter_context(Journal(journal, "reference", order)) if journal else None
        bar = stack.enter_context(LogBar(screen, [Source(str(path), path) for path in paths], "decisions"))
        found = _count(paths, judge, (games, nodes, jobs or os.cpu_count() or 1), kept, bar)
    if not found:
        raise InputError("none of these games is held back and from the phoenix or the upper-dan room")
    table = reference_of(found, order, [path.name for path in paths])
    if json:
        typer.echo(json_text.dumps(table["card"], ensure_ascii=False))
    if out is not None or not json:
        write(_rendered(table), out, outputs)


def _rendered(table: dict[str, Any]) -> str:
    """The table as JSON, with a line for each figure, and one for all ratings of a room."""
    rooms = ",\n".join(
        f" {json_text.dumps(name)}: {{\n"
        + ",\n".join(f"  {json_text.dumps(key)}: {json_text.dumps(value)}" for key, value in one.items())
        + "\n }"
        for name, one in table["tables"].items()
    )
    card = json_text.dumps(table["card"], ensure_ascii=False, indent=1)
    return f'{{\n"card": {card},\n"bounds": {json_text.dumps(table["bounds"])},\n"tables": {{\n{rooms}\n}}\n}}'


def _count(
    paths: list[Path], judge: PlayerSpec, how: tuple[int, int | None, int], journal: Journal | None, bar: LogBar
) -> list[PlayerGame]:
    """The judged games; ``how``: games of each table, bound on nodes, processes."""
    games, nodes, jobs = how
    known = {} if journal is None else {one.log: one for one in journal.kept.pieces(PlayerGame.of)}
    found: list[PlayerGame] = []
    decisions = 0
    for one in each(_Judging(judge, nodes), _chosen(paths, games, known, found), jobs):
        if one is None:
            continue
        found.append(one)
        decisions += one.score.decisions
        if journal is not None:
            journal.write(one.fields())
        bar.advance(len(found), decisions)
    return sorted(found, key=lambda one: one.log)


def _chosen(paths: list[Path], games: int, known: dict[str, PlayerGame], found: list[PlayerGame]) -> Iterator[Work]:
    """The games still to be judged; those that are known already are added to ``found``."""
    taken: Counter[str] = Counter()
    for file in _in_turn(paths):
        if split_by_name(file) not in {Split.TEST, None}:
            continue
        try:
            log = read_log(file)
        except LogError:
            continue  # three players, or damaged
        table = table_name(log.info, log.start.rules)
        if not table or taken[table] >= games or not log.complete or not held_back(log.info.log_id):
            continue
        taken[table] += 1
        if log.info.log_id in known:
            found.append(known[log.info.log_id])
        else:
            yield file, seat_of(log.info.log_id)


def _in_turn(paths: list[Path]) -> Iterator[LogFile]:
    """The logs, one of each path in turn, so that every room is counted from the beginning."""
    for row in zip_longest(*(open_logs([path]) for path in paths)):
        yield from (file for file in row if file is not None)


class _Judging:
    """Judges one seat of a game; it can be sent to another process."""

    def __init__(self, judge: PlayerSpec, nodes: int | None) -> None:
        self._judge = judge
        self._nodes = nodes

    def __call__(self, work: Work) -> PlayerGame | None:
        file, seat = work
        return player_game(file, seat, partial(self._judge.make, 0), self._nodes)
