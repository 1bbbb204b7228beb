"""``oshihiki mjai``: a player for any table that speaks mjai, on standard input and output."""

from __future__ import annotations

import asyncio
import json as json_text
import os
import sys
from typing import Annotated, Final

import typer

from bot import config as configuration
from bot import wiring
from bot.commands.options import ConfigFile, PolicyName
from bot.deciding.ask import Outcome
from bot.mjai.program import Program, with_grounds
from bot.outlet import error_screen
from bot.progress import warm_up

LINE: Final = 1 << 20
"""Maximum length of an input line in bytes."""


def mjai(
    policy: PolicyName = None,
    seconds: Annotated[float, typer.Option(min=0.1, max=60.0, help="Time limit for each answer, in seconds.")] = 2.5,
    seat: Annotated[
        int | None, typer.Option(min=0, max=3, help="Our seat, for servers whose start_game does not contain it (id).")
    ] = None,
    only_asked: Annotated[
        bool, typer.Option("--only-asked", help='Write a line only where there is a choice, and no plain "none".')
    ] = False,
    meta: Annotated[bool, typer.Option("--meta", help="Add the reasons for each decision to its line.")] = False,
    seed: Annotated[int | None, typer.Option(help="Seed of the policy.")] = None,
    json: Annotated[bool, typer.Option("--json", help="Print counts as JSON on standard error at the end.")] = False,
    config: ConfigFile = None,
) -> None:
    """Play by mjai: read one JSON event (or a list of them) per line, and answer each line with one, until input ends.

    A riichi takes two steps, as always in mjai: "reach", and when that comes back, its discard. Exit code 0: the input
    ended; 1: the policy failed or was late at some point (the answers were safe ones); 2: a line was not mjai or was
    impossible. What the policy prints goes to standard error.

    Examples:
      oshihiki mjai
      oshihiki mjai --policy simple --seconds 1
      oshihiki mjai --only-asked --meta
      oshihiki play --policy "mjai:oshihiki mjai --policy dag"
    """
    chosen = configuration.override(configuration.load(config), {"policy.seed": seed, "policy.name": policy})
    player = wiring.player(chosen)
    warm_up(error_screen(), player.needs)
    thinker = wiring.thinker(chosen, 0)
    program = Program(thinker, f"oshihiki-{player.name}", seconds, seat)
    counts = {"lines": 0, "decisions": 0, "late": 0, "failed": 0}
    try:
        with asyncio.Runner() as runner:
            loop = runner.get_loop()  # `runner.run` would exchange the handlers of signals twice for each line
            while text := sys.stdin.buffer.readline(LINE):
                line = text.decode("utf-8", "replace").strip()
                if not line:
                    continue
                counts["lines"] += 1
                reply = loop.run_until_complete(program.receive(line))
                thought = program.thought
                if thought is not None:
                    counts["decisions"] += 1
                    counts["late"] += thought.outcome is Outcome.LATE
                    counts["failed"] += thought.outcome in (Outcome.FAILED, Outcome.ILLEGAL)
                    if meta:
                        reply = with_grounds(reply, thought.decision)
                if program.asked or not only_asked:
                    _say(reply)
    except BrokenPipeError:
        os.dup2(
            os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno()
        )  # the reader of our output has gone; there is nobody to report to
    finally:
        thinker.close()
    if json:
        typer.echo(json_text.dumps(counts), err=True)


def _say(reply: str) -> None:
    sys.stdout.write(reply + "\n")
    sys.stdout.flush()
