"""One of our policies among three programs that others wrote, under a referee that others wrote.

``make peers`` installs majiang-ai and riichienv. Then::

    python tests/peers/match.py --games 500 --jobs 2 --out match.jsonl

riichienv deals and judges, and every player is an mjai program, ours too. Each set of walls is played four times, with
our policy once in each seat. ``--out`` receives one line of JSON for each game; a run that is started again with the
same file continues where it stopped. A game that fails, because a program ends or does not answer or because its log
cannot be read, is reported and played again by the next run.
"""

from __future__ import annotations

import json
import os
import shlex
import shutil
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import asdict, fields
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import riichienv
import typer

from bot.deciding.programs import run_program
from bot.machine.errors import RunError
from bot.machine.parallel import each
from bot.machine.programs import RunningProgram
from engine.arena.seat_stats import SeatStats, seat_stats_of, total
from engine.critic.estimates import Estimate, ratio
from protocol.errors import LogError
from protocol.logs import mjai

HERE = Path(__file__).parent
SEATS = range(4)
PATIENCE = 120.0
"""Seconds that a program may take to answer."""


def main(
    policy: Annotated[str, typer.Option(help="Our policy.")] = "value",
    games: Annotated[int, typer.Option(min=4, help="Number of games, rounded up to a multiple of four.")] = 500,
    seconds: Annotated[float, typer.Option(help="Time limit for each answer of ours.")] = 2.5,
    seed: Annotated[int, typer.Option(help="Seed of the first deal.")] = 1,
    jobs: Annotated[int, typer.Option(help="Number of games played at the same time; 0: one per core.")] = 0,
    hanchan: Annotated[bool, typer.Option("--hanchan", help="Play hanchan instead of east-only games.")] = False,
    opponent: Annotated[str, typer.Option(help="Command of the opponents' program; default: majiang-ai.")] = "",
    out: Annotated[Path, typer.Option(help="File for the games.")] = Path("match.jsonl"),
) -> None:
    """Play, and print the figures of both sides as JSON, with 95% intervals over the deals."""
    ours = [sys.executable, "-c", "from bot.cli import program; program()", "mjai", "--policy", policy]
    commands = shlex.join([*ours, "--seconds", str(seconds)]), opponent or majiang()
    mode = "4p-red-half" if hanchan else "4p-red-east"
    done = {(row["seed"], row["seat"]) for row in played(out)}
    deals = range(seed, seed + -(-games // len(SEATS)))
    asked = [(deal, seat) for deal in deals for seat in SEATS if (deal, seat) not in done]
    results = each(partial(attempt, commands, mode), asked, jobs or os.cpu_count() or 1)
    failed = 0
    with out.open("a", encoding="utf-8") as file:
        for row in results:
            if isinstance(row, str):
                failed += 1
                typer.echo(row, err=True)
                continue
            file.write(json.dumps(row) + "\n")
            file.flush()
    rows = [row for row in played(out) if row["seed"] in deals]
    print(json.dumps({"policy": policy, "rules": mode, "games": len(rows), **figures(rows)}))  # noqa: T201 - a script
    if failed:
        raise typer.Exit(1)


def majiang() -> str:
    """The command that runs majiang-ai."""
    node = shutil.which("node")
    if node is None or not (HERE / "majiang" / "node_modules" / "@kobalab" / "majiang-ai").is_dir():
        raise typer.BadParameter("majiang-ai is not installed; run `make peers` (it needs Node.js)")
    return shlex.join((node, str(HERE / "majiang" / "bridge.js")))


def played(out: Path) -> list[dict[str, Any]]:
    """The games in a file."""
    return [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()] if out.exists() else []


def attempt(commands: tuple[str, str], mode: str, game: tuple[int, int]) -> dict[str, Any] | str:
    """One game (its seed, and our seat) as :func:`play` returns it, or why it failed."""
    seed, ours = game
    try:
        return play(commands, mode, seed, ours)
    except (TimeoutError, RunError, LogError) as error:
        return f"seed {seed}, seat {ours}: {error}"


def play(commands: tuple[str, str], mode: str, seed: int, ours: int) -> dict[str, Any]:
    """One game with our program in the seat ``ours``: the statistics of all seats."""
    pipes = [run_program(commands[0] if seat == ours else commands[1]) for seat in SEATS]
    env = riichienv.RiichiEnv(game_mode=mode, seed=seed)
    refused = 0
    try:
        observed = env.reset()
        while not env.done():
            actions = {}
            for seat, view in observed.items():
                reply = answer(pipes[seat], seat, view.new_events())
                actions[seat] = view.select_action_from_mjai(reply)
                if actions[seat] is None:
                    refused += seat == ours
                    actions[seat] = view.legal_actions()[-1]
            observed = env.step(actions)
    finally:
        for pipe in pipes:
            pipe.close()
    log = "\n".join(json.dumps(line) for line in named(env.mjai_log))
    stats = seat_stats_of(mjai.read(log).events)
    return {"seed": seed, "seat": ours, "refused": refused, "stats": [asdict(one) for one in stats]}


def named(lines: Iterable[dict[str, Any]]) -> Iterable[dict[str, Any]]:
    """The lines of riichienv's log with names, which it leaves out."""
    return (line | {"names": list("ABCD")} if line["type"] == "start_game" else line for line in lines)


def answer(pipe: RunningProgram, seat: int, events: Iterable[str]) -> str:
    """What the program answers to the last of some events."""
    reply: str | None = ""
    for text in events:
        line = json.loads(text)
        if line["type"] == "start_game":
            line |= {"id": seat, "names": list("ABCD")}
        pipe.send(json.dumps(line))
        reply = pipe.receive(time.monotonic() + PATIENCE)
        if reply is None:
            raise TimeoutError(f"no answer within {PATIENCE:g} s to {text}: {pipe.command}")
    return reply or ""


def figures(rows: list[dict[str, Any]]) -> dict[str, Any]:
    """The figures of our side and of the opponents."""
    deals = defaultdict(list)
    for row in rows:
        deals[row["seed"]].append(row)
    known = {field.name for field in fields(SeatStats)}

    def side(mine: bool) -> dict[str, Any]:
        each = [
            total(
                SeatStats(**{name: value for name, value in one.items() if name in known})
                for row in deal
                for seat, one in enumerate(row["stats"])
                if (seat == row["seat"]) is mine
            )
            for deal in deals.values()
        ]
        whole = total(each)

        def per(figure: Callable[[SeatStats], float], base: Callable[[SeatStats], float]) -> dict[str, float | None]:
            found: Estimate = ratio([(figure(one), base(one)) for one in each])
            return {"mean": round(found.mean, 4), "within": None if found.within is None else round(found.within, 4)}

        return {
            "places": whole.places,
            "place": per(lambda one: one.rank, lambda one: one.games),
            **{
                name: per(lambda one, name=name: float(getattr(one, name)), lambda one: one.hands)
                for name in ("wins", "deal_ins", "riichi", "called", "net")
            },
        }

    return {"refused": sum(row["refused"] for row in rows), "ours": side(True), "theirs": side(False)}


if __name__ == "__main__":
    typer.run(main)
