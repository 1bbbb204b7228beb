"""``oshihiki bench network``: imitating networks compared on the same decisions of games that nothing was fitted on."""

from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Annotated, Any, Final

import numpy as np
import typer

from bot.commands.options import JsonFigures, figures_table, print_figures
from bot.lab import measuring, training
from bot.lab.recordings import read_recordings
from bot.machine.errors import InputError
from bot.machine.outlet import error_screen, output_screen
from engine.networks.imitation import FILES, ImitationWeights, Network, shipped_weights
from engine.networks.imitation_layout_kernels import WHO_PHOENIX, WHO_PROGRAM
from engine.rules.recordings import PROGRAM, GameColumn, KyokuColumn, Split
from engine.train.scores import HEADS, difference, heaps_of

MOST: Final = 60_000
PLAYERS: Final = {
    "phoenix room, hanchan": (WHO_PHOENIX, (1,)),
    "phoenix room, east-only": (WHO_PHOENIX, (0,)),
    PROGRAM: (WHO_PROGRAM, (0, 1)),
}
"""Whose decisions are measured: a WHO_ number, and the values of :attr:`GameColumn.HANCHAN`."""


def bench_network(
    weights: Annotated[
        list[str] | None,
        typer.Option(
            "--weights", help=f"A file (.npz), or {', '.join(FILES)} as shipped. Repeatable. Default: phoenix."
        ),
    ] = None,
    logs: measuring.CorpusLogs = None,
    decisions: Annotated[
        int, typer.Option("--decisions", min=1, help="Number of decisions of each kind of player, about.")
    ] = MOST,
    every_game: measuring.EveryGame = False,
    jobs: training.ReadJobs = 0,
    json: JsonFigures = False,
) -> None:
    """Measure what imitating networks know of strong players: agreement, log loss and calibration by kind of decision.

    All are asked the same decisions: those of the phoenix room, and those of the program LuckyJ, each as such. The log
    loss is also compared with that of the first network, with the 95% error of the difference. Riichi and a discard of
    the same kind count as the same discard, and so do red and plain fives; bench policy, which asks whole policies,
    distinguishes them. Uses torch where it is installed, which is faster.

    Examples:
      oshihiki bench network --logs houou-hanchan-00.tar.xz --weights phoenix --weights larger.npz
      oshihiki bench network --weights phoenix --weights phoenix-large --decisions 10000
    """
    named = {name: _weights(name) for name in weights or ["phoenix"]}
    networks = {name: _network(one) for name, one in named.items()}
    recordings = read_recordings(measuring.recording_paths(logs), error_screen(), jobs=jobs).recordings
    hands = np.arange(len(recordings.kyoku)) if every_game else recordings.hands_of(Split.TEST)
    hanchan = recordings.games[recordings.kyoku[hands, KyokuColumn.GAME], GameColumn.HANCHAN]
    players: dict[str, Any] = {}
    for who, (number, lengths) in PLAYERS.items():
        heaps = heaps_of(list(networks.values()), recordings, hands[np.isin(hanchan, lengths)], number, decisions)
        players[who] = {}
        for head in HEADS:
            first = heaps[0][head]
            if first.losses:
                players[who][head] = {
                    name: each[head].scores() | _against(*difference(each[head], first))
                    for name, each in zip(networks, heaps, strict=True)
                }
    if not any(players.values()):
        raise InputError(
            f"there is no decision of the phoenix room or of {PROGRAM} to measure on: only a tenth of all games, by "
            "log id, is held back; see --every-game"
        )
    figures = {"weights": {name: one.digest() for name, one in named.items()}, "players": players}
    print_figures(figures, partial(_show, list(networks)), json=json)


def _weights(name: str) -> ImitationWeights:
    """Weights that are shipped under a name, or those of a file."""
    if name in FILES:
        return training.weights_of(None, ImitationWeights.read, partial(shipped_weights, name))
    return training.weights_of(Path(name), ImitationWeights.read, shipped_weights)


def _network(weights: ImitationWeights) -> Network:
    """The network, by torch where it is installed."""
    try:
        torch_networks = import_module("engine.train.nets")
    except ImportError:
        return weights.network()
    network: Network = torch_networks.TorchNetwork(weights)
    return network


def _against(more: float, error: float) -> dict[str, float]:
    return {"above_first": round(more, 5), "error": round(error, 5)}


def _show(names: list[str], figures: dict[str, Any]) -> None:
    # what fits least is left out from the end
    shares = "the same", "log loss", "above the first", "calibration", "in its first three"
    table = figures_table("players", "decision", "network", "n", *shares, words=3)
    for who, heads in figures["players"].items():
        for head, rows in heads.items():
            for name, row in rows.items():
                above = "" if name == names[0] else f"{row['above_first']:+.4f} ± {row['error']:.4f}"
                table.add_row(
                    *(who, head, name, str(row["n"]), f"{row['top1']:.2%}", f"{row['log_loss']:.4f}", above),
                    *(f"{row['calibration_error']:.2%}", f"{row['top3']:.1%}"),
                )
    output_screen().print(table)
