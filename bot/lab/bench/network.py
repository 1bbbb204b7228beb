"""``oshihiki bench network``: imitating networks compared on decisions of strong players that none was fitted on."""

from dataclasses import dataclass
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Annotated, Any, Final

import numpy as np
import typer

from bot.lab.experiment import COUNT, Experiment, print_table, shown
from bot.lab.recordings import read_recordings
from bot.lab.seats import NONE_HELD_BACK, CorpusLogs, EveryGame, recording_paths
from bot.lab.training import ReadJobs, weights_of
from bot.machine.errors import InputError
from bot.machine.outlet import error_screen
from engine.networks.imitation import FILES, ImitationWeights, Network, shipped_weights
from engine.networks.imitation_layout_kernels import WHO_PHOENIX, WHO_PROGRAM
from engine.rules.recordings import PROGRAM, GameColumn, KyokuColumn, Split
from engine.train.scores import HEADS, difference, heaps_of, scores_of

MOST: Final = 60_000
PLAYERS: Final = {
    "phoenix room, hanchan": (WHO_PHOENIX, (1,)),
    "phoenix room, east-only": (WHO_PHOENIX, (0,)),
    PROGRAM: (WHO_PROGRAM, (0, 1)),
}
"""Whose decisions are measured: a WHO_ number, and the values of :attr:`GameColumn.HANCHAN`."""


COLUMNS: Final = (
    COUNT,
    shown("top1", "the same", ".2%"),
    shown("log_loss", "log loss", ".4f"),
    shown("above", "above the first"),
    shown("calibration_error", "calibration", ".2%"),
    shown("top3", "in its first three", ".1%"),
)


@dataclass(frozen=True, kw_only=True)
class Networks(Experiment):
    """Measure what imitating networks know of strong players: agreement, log loss and calibration by kind of decision.

    All are asked the same decisions: those of the phoenix room, and those of the program LuckyJ, each as such. The log
    loss is also compared with that of the first network, with the 95% error of the difference. Riichi and a discard of
    the same kind count as the same discard, and so do red and plain fives; bench policy, which asks whole policies,
    distinguishes them. Uses torch where it is installed, which is faster.

    Examples:
      oshihiki bench network --logs houou-hanchan-00.tar.xz --weights phoenix --weights larger.npz
      oshihiki bench network --weights phoenix --weights phoenix-large --decisions 10000
    """

    logs: CorpusLogs = None
    every_game: EveryGame = False
    jobs: ReadJobs = 0
    weights: Annotated[
        list[str] | None,
        typer.Option(
            "--weights", help=f"A file (.npz), or {', '.join(FILES)} as shipped. Repeatable. Default: phoenix."
        ),
    ] = None
    decisions: Annotated[
        int, typer.Option("--decisions", min=1, help="Number of decisions of each kind of player, about.")
    ] = MOST

    def figures(self) -> dict[str, Any]:
        """The scores of each network by kind of player and of decision."""
        named = {name: _weights(name) for name in self.weights or ["phoenix"]}
        networks = {name: _network(one) for name, one in named.items()}
        recordings = read_recordings(recording_paths(self.logs), error_screen(), jobs=self.jobs).recordings
        hands = np.arange(len(recordings.kyoku)) if self.every_game else recordings.hands_of(Split.TEST)
        hanchan = recordings.games[recordings.kyoku[hands, KyokuColumn.GAME], GameColumn.HANCHAN]
        players: dict[str, Any] = {}
        for who, (number, lengths) in PLAYERS.items():
            some = hands[np.isin(hanchan, lengths)]
            heaps = heaps_of(list(networks.values()), recordings, some, number, self.decisions)
            players[who] = {}
            for head in HEADS:
                first = heaps[0][head]
                if len(first):
                    players[who][head] = {}
                    for name, each in zip(networks, heaps, strict=True):
                        more, error = difference(each[head], first)
                        beside = {"above_first": round(more, 5), "error": round(error, 5)}
                        players[who][head][name] = scores_of(each[head]) | beside
        if not any(players.values()):
            raise InputError(NONE_HELD_BACK)
        return {"weights": {name: one.digest() for name, one in named.items()}, "players": players}

    def show(self, figures: dict[str, Any]) -> None:
        """Print the scores; what fits least is left out from the end."""
        first = next(iter(figures["weights"]))
        rows = []
        for who, heads in figures["players"].items():
            for head, networks in heads.items():
                for name, row in networks.items():
                    above = "" if name == first else f"{row['above_first']:+.4f} ± {row['error']:.4f}"
                    rows.append({"players": who, "decision": head, "network": name, **row, "above": above})
        print_table(rows, ("players", "decision", "network"), COLUMNS)


def _weights(name: str) -> ImitationWeights:
    """Weights that are shipped under a name, or those of a file."""
    if name in FILES:
        return weights_of(None, ImitationWeights.read, partial(shipped_weights, name))
    return weights_of(Path(name), ImitationWeights.read, shipped_weights)


def _network(weights: ImitationWeights) -> Network:
    """The network, by torch where it is installed."""
    try:
        torch_networks = import_module("engine.train.nets")
    except ImportError:
        return weights.network()
    network: Network = torch_networks.TorchNetwork(weights)
    return network


bench_network = Networks.command()
