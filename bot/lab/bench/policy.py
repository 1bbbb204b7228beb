"""``oshihiki bench policy``: agreement of policies with strong players, on games that nothing was fitted on."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from time import process_time
from typing import Annotated, Any, Final

import numpy as np
import typer
from rich.console import Console
from rich.table import Table

from bot.commands import names
from bot.commands.options import WHO, BackendName, Jobs, JsonFigures, figures_table, print_figures
from bot.deciding.ask import ask
from bot.deciding.players import PlayerSpec, needs_of
from bot.lab import measuring
from bot.lab.recordings import room_of
from bot.machine.bars import counted
from bot.machine.errors import InputError
from bot.machine.outlet import error_screen, output_screen
from bot.machine.parallel import Backend, each
from bot.machine.preparation import warm_up
from bot.replay.agreement import Believed, Head, Rates, believed, compare
from bot.replay.steps import decision_points, telling_hands
from engine.model.budget import Budget
from engine.networks.imitation import Inputs, inputs_of, shipped_network
from engine.networks.imitation_layout_kernels import WHO_PHOENIX
from engine.rules.recordings import PROGRAM, Split
from protocol.logs.game_log import GameLog

HEADS: Final = (Head.DISCARD, Head.RIICHI, Head.CALL, Head.KAN, Head.PUSH_FOLD)
ASKED: Final = ("phoenix", "value")
BATCH: Final = 2_048
"""Number of decisions computed together to measure the throughput."""


@dataclass
class PolicyFigures:
    """The answers of a policy: figures by head, its rates, and milliseconds of processor time for each decision."""

    heads: dict[Head, Believed] = field(default_factory=lambda: {head: Believed() for head in HEADS})
    rates: Rates = field(default_factory=Rates)
    ms: list[float] = field(default_factory=list)

    def merge(self, other: "PolicyFigures") -> None:
        """Add the answers for another seat."""
        for head, figures in self.heads.items():
            figures.merge(other.heads[head])
        self.rates.merge(other.rates)
        self.ms += other.ms

    def fields(self) -> dict[str, Any]:
        """The figures as JSON shows them."""
        return {str(head): believed.fields() for head, believed in self.heads.items()}


@dataclass(frozen=True)
class RecordedSeat:
    """A seat of a recorded game; ``lucky``: whether the strongest program plays it."""

    log: GameLog
    number: int
    lucky: bool


def bench_policy(
    logs: measuring.CorpusLogs = None,
    policy: Annotated[
        list[str] | None,
        typer.Option("--policy", help=f"{WHO} Default: phoenix, value.", autocompletion=names.policies),
    ] = None,
    games: measuring.Games = 40,
    nodes: measuring.SearchNodes = 15_000,
    every_game: measuring.EveryGame = False,
    jobs: Jobs = 0,
    backend: BackendName = Backend.LOKY,
    json: JsonFigures = False,
) -> None:
    """Measure how often policies choose what strong players chose: players of the phoenix room, and the program LuckyJ.

    One seat of each game is replayed from its first decision to its last; --games counts those of either kind of
    player. Decisions count under discard, riichi, call, kan and push/fold; log loss and calibration are given for
    policies that give each action a chance. The rates say how often a policy and the players call, declare riichi, and
    discard a safe tile against a riichi.

    Examples:
      oshihiki bench policy --json
      oshihiki bench policy --logs houou-hanchan-00.tar.xz --policy phoenix --games 100
    """
    screen = error_screen()
    players = [PlayerSpec.parse(text) for text in policy or ASKED]
    names = [player.text for player in players]
    warm_up(screen, {*needs_of(players), "prior"})
    asked = {lucky: {name: PolicyFigures() for name in names} for lucky in (False, True)}
    rows: list[Inputs] = []
    found = {False: 0, True: 0}
    seats = _seats(measuring.recording_paths(logs), games, screen, every_game=every_game)
    of_seats = each(partial(_play_all, players=players, nodes=nodes), seats, jobs, backend, in_order=True)
    for of_seat in counted(screen, "seats", of_seats):
        found[of_seat.lucky] += 1
        rows += of_seat.rows[: BATCH - len(rows)]
        for name, answers in zip(names, of_seat.answers, strict=True):
            asked[of_seat.lucky][name].merge(answers)
    if not any(found.values()):
        raise InputError(
            "there is no game to measure on: only a tenth of all games, by log id, is held back; see --every-game"
        )
    figures: dict[str, Any] = {name: asked[False][name].fields() for name in names}
    figures["lucky"] = {name: asked[True][name].fields() for name in names}
    figures["rates"] = {name: asked[False][name].rates.fields() for name in names}
    figures["lucky"]["rates"] = {name: asked[True][name].rates.fields() for name in names}
    figures["ms"] = {name: _times(asked[False][name].ms + asked[True][name].ms) for name in names}
    figures["ms"]["phoenix_batched_per_s"] = _batched(rows)
    figures["seats"] = {"phoenix_room": found[False], "lucky": found[True]}
    figures["nodes"] = nodes
    print_figures(figures, partial(_show, names), json=json)


def _seats(paths: list[Path], most: int, screen: Console, *, every_game: bool) -> Iterator[RecordedSeat]:
    """Yield one seat of each phoenix-room game and the program's seats, at most ``most`` of each kind."""
    counts = {False: 0, True: 0}
    for log, split in measuring.games_to_judge_by(paths, screen, every_game=every_game):
        if split is not Split.TEST or not measuring.is_open(log):
            continue
        lucky = PROGRAM in log.start.names
        if counts[lucky] == most or not (lucky or room_of(log.info.game_type) == WHO_PHOENIX):
            continue
        yield RecordedSeat(log, log.start.names.index(PROGRAM) if lucky else counts[False] % 4, lucky)
        counts[lucky] += 1
        if min(counts.values()) == most:
            return


@dataclass(frozen=True)
class OfSeat:
    """The answers of all policies for one seat, and the inputs of the network at its first decisions."""

    lucky: bool
    answers: list[PolicyFigures]
    rows: list[Inputs]


def _play_all(seat: RecordedSeat, players: list[PlayerSpec], nodes: int) -> OfSeat:
    """Ask all policies; the inputs are those of the decisions of the first."""
    found = OfSeat(seat.lucky, [PolicyFigures() for _ in players], [])
    for player, asked in zip(players, found.answers, strict=True):
        rows = found.rows if asked is found.answers[0] else None
        decider = player.make(0)
        for point in decision_points(seat.log, seat.number, [], telling_hands(decider)):
            began = process_time()
            decision = ask(decider, point.state, point.legal, Budget(nodes)).decision
            if len(point.legal) > 1:
                asked.ms.append(1000.0 * (process_time() - began))
            compared = compare(point, decision)
            if compared is None:
                continue
            if rows is not None and len(rows) < BATCH:
                rows.append(inputs_of(point.state, point.legal, WHO_PHOENIX))
            asked.rates.add(point, decision.action, compared)
            for head in HEADS:
                same = compared.same.get(head)
                if same is None:
                    continue
                tally = asked.heads[head]
                tally.count.n += 1
                tally.count.same += same
                tally.count.top3 += compared.rank is not None and compared.rank <= 3
                chances = believed(point, decision, head)
                if chances is not None:
                    tally.add(*chances, same=same)
    return found


def _times(ms: list[float]) -> dict[str, float | None]:
    if not ms:
        return {"mean": None, "p99": None}
    return {"mean": round(float(np.mean(ms)), 3), "p99": round(float(np.quantile(ms, 0.99)), 3)}


def _batched(rows: list[Inputs]) -> int | None:
    """Decisions per second of the network on this core in large batches; None if there are no inputs."""
    if not rows:
        return None
    network = shipped_network()
    planes, numbers, questions = (np.stack(column) for column in zip(*rows, strict=True))
    network.log_chances(planes[:32], numbers[:32], questions[:32])
    began = process_time()
    network.log_chances(planes, numbers, questions)
    return round(len(rows) / (process_time() - began))


def _show(names: list[str], figures: dict[str, Any]) -> None:
    out = output_screen()
    columns = ("players", "policy", "head", "n", "the same", "in its first three", "log loss", "calibration")
    table = figures_table(*columns, words=3)
    for who, heads in (("phoenix room", figures), (PROGRAM, figures["lucky"])):
        for name in names:
            for head, row in heads[name].items():
                if row["n"]:
                    shares = [f"{row['top1']:.1%}", f"{row['top3']:.1%}"]
                    chances = (
                        [] if row["log_loss"] is None else [f"{row['log_loss']:.3f}", f"{row['calibration_error']:.1%}"]
                    )
                    table.add_row(who, name, head, str(row["n"]), *shares, *chances)
    out.print(table)
    out.print(_rates_table(figures, names))
    for name in names:
        out.print(f"{name}: {figures['ms'][name]['mean']} ms per decision, 99% within {figures['ms'][name]['p99']} ms")


def _rates_table(figures: dict[str, Any], names: list[str]) -> Table:
    table = figures_table("players", "policy", "rate", "n", "the policy", "the players", words=3)
    for who, rates in (("phoenix room", figures["rates"]), (PROGRAM, figures["lucky"]["rates"])):
        for name in names:
            for what, row in rates[name].items():
                if row["n"]:
                    table.add_row(who, name, what, str(row["n"]), f"{row['ours']:.1%}", f"{row['played']:.1%}")
    return table
