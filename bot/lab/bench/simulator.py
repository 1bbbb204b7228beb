"""``oshihiki bench simulator``: how fast players in batches play at the simulator's tables."""

import random
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from itertools import repeat
from time import perf_counter
from typing import Annotated, Any, Final

import numpy as np
import typer

from bot.lab.experiment import Experiment, print_table, shown
from bot.machine.outlet import error_screen, output_screen
from bot.machine.preparation import warm_up
from engine.model.rules import TONPU
from engine.policy.batches import RandomPlayers
from engine.policy.registry import BATCHED
from engine.simulator.tables import BatchDecider, Tables

SIZES: Final = (1, 16, 256, 4_096, 65_536)
"""Numbers of tables at which random players are measured."""
AT_ONCE: Final = 512
"""Number of tables at which the players are compared."""
PEER: Final = "riichienv"
"""Another simulator of these rules, driven from Python, for comparison if it is installed."""
PLAYERS: Final = (
    shown("decisions_per_s", "decisions a second", ","),
    shown("hands_per_s", "hands a second", ",.0f"),
    shown("two", "in two threads", ","),
)


@dataclass(frozen=True, slots=True)
class Speed:
    """The decisions and hands played in a stretch of time."""

    decisions: int
    hands: int
    seconds: float

    def fields(self) -> dict[str, float]:
        """As JSON shows it."""
        return {
            "decisions_per_s": round(self.decisions / self.seconds),
            "hands_per_s": round(self.hands / self.seconds, 1),
        }


def _alone(make: Callable[[], BatchDecider], size: int, seconds: float) -> Speed:
    return _play(make(), Tables(size, TONPU, seed=0), seconds)


def _in_two_threads(make: Callable[[], BatchDecider], size: int, seconds: float) -> Speed:
    tables = [Tables(size, TONPU, seed=number) for number in range(2)]
    with ThreadPoolExecutor(len(tables)) as pool:
        parts = list(pool.map(_play, [make() for _ in tables], tables, repeat(seconds)))
    longest = max(part.seconds for part in parts)
    return Speed(sum(part.decisions for part in parts), sum(part.hands for part in parts), longest)


def _play(player: BatchDecider, tables: Tables, seconds: float) -> Speed:
    """Play games, new ones wherever one ends. The first round, in which kernels are loaded, is not counted."""
    _round(player, tables)
    decisions = hands = 0
    began = now = perf_counter()
    while now < began + seconds:
        asked, ended = _round(player, tables)
        decisions, hands = decisions + asked, hands + ended
        now = perf_counter()
    return Speed(decisions, hands, now - began)


def _round(player: BatchDecider, tables: Tables) -> tuple[int, int]:
    player.start_kyoku(tables.deal())
    asked = tables.questions()
    ended = tables.answer(player.answer_all(tables.games, asked))
    if len(ended):
        tables.restart(ended[np.asarray(tables.games)["over"][ended] != 0])
    return len(asked.tables), len(ended)


def _beside_the_peer(make: Callable[[], BatchDecider], seconds: float) -> dict[str, float] | None:
    """Decisions a second of the other simulator, and how many times as many ours makes in stretches between its own."""
    try:
        peer: Any = import_module(PEER)
    except ImportError:
        return None
    ours, theirs = [], []
    player, tables = make(), Tables(AT_ONCE, TONPU, seed=0)
    for turn in range(3):
        theirs.append(_peer(peer, seconds, turn))
        ours.append(_play(player, tables, seconds).fields()["decisions_per_s"])
    return {
        "decisions_per_s": round(sum(theirs) / len(theirs)),
        "ratio": round(sum(ours) / sum(theirs), 1),
    }


def _peer(peer: Any, seconds: float, seed: int) -> float:
    """Decisions a second of random players at its table."""
    chance = random.Random(seed)  # noqa: S311 - players of a benchmark
    decisions = 0
    began = now = perf_counter()
    while now < began + seconds:
        table = peer.RiichiEnv(game_mode="4p-red-east", seed=chance.randrange(1 << 30))
        seen = table.reset()
        while not table.done():
            decisions += len(seen)
            seen = table.step({seat: chance.choice(view.legal_actions()) for seat, view in seen.items()})
        now = perf_counter()
    return decisions / (now - began)


@dataclass(frozen=True, kw_only=True)
class Simulating(Experiment):
    """Measure how fast four players of a kind play east-only games at many tables at once.

    Beside random players, riichienv is measured in turns with them if it is installed (extra peers).

    Examples:
      oshihiki bench simulator
      oshihiki bench simulator --seconds 10 --json
    """

    seconds: Annotated[float, typer.Option(min=0.1, help="Time of each measurement, in seconds.")] = 3.0

    def figures(self) -> dict[str, Any]:
        """All figures, as JSON shows them."""
        warm_up(error_screen(), {"simulator", *(need for name in BATCHED for need in BATCHED.needs(name))})
        seconds = self.seconds
        makers: dict[str, Callable[[], BatchDecider]] = {
            "random": lambda: RandomPlayers(0),
            **{name: partial(BATCHED.make, name) for name in BATCHED},
        }
        one = {name: _alone(make, AT_ONCE, seconds) for name, make in makers.items()}
        two = {name: _in_two_threads(make, AT_ONCE, seconds) for name, make in makers.items()}
        return {
            "players": {name: speed.fields() for name, speed in one.items()},
            "two_threads": {name: speed.fields() for name, speed in two.items()},
            "tables": {str(size): _alone(makers["random"], size, seconds).fields() for size in SIZES},
            "bytes_a_table": np.asarray(Tables(1).games).itemsize,
            "riichienv": _beside_the_peer(makers["random"], seconds),
        }

    def show(self, figures: dict[str, Any]) -> None:
        """Print the speed of each kind of player, and that of random players by the number of tables."""
        console = output_screen()
        two = {name: speed["decisions_per_s"] for name, speed in figures["two_threads"].items()}
        rows = [{"four players": name, **speed, "two": two[name]} for name, speed in figures["players"].items()]
        print_table(rows, ("four players",), PLAYERS)
        sizes = ", ".join(f"{int(size):,}: {speed['decisions_per_s']:,}" for size, speed in figures["tables"].items())
        console.print(f"random players' decisions a second by number of tables: {sizes}")
        console.print(f"{figures['bytes_a_table']:,} bytes a table")
        if figures["riichienv"] is not None:
            peer = figures["riichienv"]
            console.print(
                f"{PEER}: {peer['decisions_per_s']:,} decisions a second; ours {peer['ratio']:g} times as many"
            )


bench_simulator = Simulating.command()
