"""The best networks of a run, chosen on walls that nobody has been selected on."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from engine.papers.neat.evolution import Evolution
from engine.papers.neat.network import Network
from engine.papers.neat.settings import BEST_IN
from engine.papers.neat.solo import Summary, make_walls, play, scaled, summary

COLUMNS: Final = dict(zip(BEST_IN, ("win_rate", "points", "points_per_win", "win_turn"), strict=True))
"""The figure in which each champion is the best: the columns of the paper's Table 6."""
LEAST_WIN_RATE: Final = 0.1064
"""Only networks that win so often are champions: the lowest win rate of the paper's Table 6."""
TRIAL_WALLS: Final = 2_000
FINAL_WALLS: Final = 10_000
FINALISTS: Final = 8
"""Number of networks for each champion that are compared on the final walls."""
TRIAL, FINAL = 1_000_001, 1_000_002
"""Seeds of these walls beside that of the run."""


@dataclass(frozen=True, slots=True)
class Champion:
    """A network, and what it reached on the final walls."""

    network: Network
    figures: Summary

    def facts(self) -> dict[str, Any]:
        """What its card says of it."""
        return {
            "digest": self.network.digest(),
            "modules": self.network.modules,
            "hidden": self.network.hidden,
            "links": int(np.count_nonzero(self.network.weights)) + len(self.network.strengths),
            "on_final_walls": {name: round(value, 4) for name, value in asdict(self.figures).items()},
        }


def champions(run: Evolution) -> dict[str, Champion]:
    """The champions of the present generation by name; of few networks one may have several names.

    All networks play the trial walls, the best in each column then the final ones. Without a network that wins often
    enough, all are considered.
    """
    settings = run.settings
    networks = run.population.networks
    walls = make_walls(TRIAL_WALLS, settings.seed, TRIAL)
    tried = [summary(play(one, walls, dora=settings.dora).results) for one in networks]
    walls = make_walls(FINAL_WALLS, settings.seed, FINAL)
    final: dict[int, Summary] = {}
    results: dict[int, NDArray[np.float64]] = {}
    for column in COLUMNS.values():
        for place in _best(dict(enumerate(tried)), column)[:FINALISTS]:
            if place not in final:
                results[place] = play(networks[place], walls, dora=settings.dora).results
                final[place] = summary(results[place])
    chosen = {name: _best(final, column)[0] for name, column in COLUMNS.items()}
    return {
        name: Champion(scaled(networks[place], walls, results[place], dora=settings.dora), final[place])
        for name, place in chosen.items()
    }


def _best(figures: dict[int, Summary], column: str) -> list[int]:
    """The places in order of a column, the best first."""
    often = {place: one for place, one in figures.items() if one.win_rate >= LEAST_WIN_RATE} or figures
    sign = 1 if column == "win_turn" else -1
    return sorted(often, key=lambda place: sign * float(getattr(often[place], column)))
