"""The files of a run: checkpoints to continue from, of arrays and text alone, and its best networks."""

import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from engine.papers.neat import BEST_IN
from engine.papers.neat.evolution import Evolution, EvolutionSettings, Population
from engine.papers.neat.genome import Genome, Innovations, Rates
from engine.papers.neat.network import INPUTS, Network
from engine.papers.neat.solo import Summary, make_walls, play, scaled, summary
from engine.tables import DAMAGED

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


class CheckpointError(ValueError):
    """A checkpoint from which a run cannot continue; the message says why."""


def save(run: Evolution, path: Path) -> None:
    """Write the run to a file, the whole file or nothing.

    Raises:
        OSError: the file cannot be written.
    """
    genomes, innovations = run.population.genomes, run.innovations
    part = path.with_name(f"{path.name}.part")
    with part.open("wb") as file:
        np.savez_compressed(
            file,
            allow_pickle=False,
            settings=np.array(json.dumps(asdict(run.settings))),
            generation=np.array(run.generation),
            history=np.array(run.history, np.float64),
            fitness=run.population.fitness,
            walls=run.population.walls,
            module_counts=np.array([len(one.modules) for one in genomes]),
            modules=np.array([number for one in genomes for number in one.modules]),
            link_counts=np.array([len(one.genes) for one in genomes]),
            genes=np.concatenate([one.genes for one in genomes]),
            sources=np.concatenate([one.sources for one in genomes]),
            targets=np.concatenate([one.targets for one in genomes]),
            weights=np.concatenate([one.weights for one in genomes]),
            active=np.concatenate([one.active for one in genomes]),
            known_links=_rows(innovations.links),
            known_nodes=_rows(innovations.nodes),
            known_modules=_rows(innovations.modules),
        )
    part.replace(path)


def resumed(path: Path) -> Evolution:
    """The run of a file that :func:`save` has written.

    Raises:
        CheckpointError: the file cannot be read, or is no checkpoint.
    """
    try:
        with np.load(path, allow_pickle=False) as kept:
            values = json.loads(str(kept["settings"]))
            settings = EvolutionSettings(**{**values, "rates": Rates(**values["rates"])})
            genomes = _genomes(kept, INPUTS[settings.inputs])
            run = Evolution(settings, Population(genomes, kept["fitness"], kept["walls"]))
            run.generation = int(kept["generation"])
            run.history = [tuple(row) for row in kept["history"].tolist()]
            run.innovations = Innovations(
                _numbers(kept["known_links"]), _numbers(kept["known_nodes"]), _numbers(kept["known_modules"])
            )
    except DAMAGED as error:
        raise CheckpointError(f"{path} is no checkpoint of train neat ({error}); start without it") from error
    return run


def _genomes(kept: Any, inputs: int) -> list[Genome]:
    names = ("genes", "sources", "targets", "weights", "active")
    links = np.cumsum(kept["link_counts"])[:-1]
    modules = np.split(kept["modules"], np.cumsum(kept["module_counts"])[:-1])
    columns = [np.split(kept[name], links) for name in names]
    return [
        Genome(inputs, tuple(numbers.tolist()), *(column[place] for column in columns))
        for place, numbers in enumerate(modules)
    ]


def _rows(numbers: dict[tuple[int, int], int]) -> NDArray[np.int64]:
    return np.array([(*key, number) for key, number in numbers.items()], np.int64).reshape(-1, 3)


def _numbers(rows: NDArray[np.int64]) -> dict[tuple[int, int], int]:
    return {(first, second): number for first, second, number in rows.tolist()}


@dataclass(frozen=True, slots=True)
class Champion:
    """A network, and what it reached on the final walls."""

    network: Network
    figures: Summary

    def facts(self) -> dict[str, Any]:
        """The facts on its card."""
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
