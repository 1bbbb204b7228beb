"""A run on disk, so that it can be continued: only arrays and text, nothing that could run code."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.papers.neat.evolution import Evolution, Population, Settings
from engine.papers.neat.genome import Genome, Innovations
from engine.papers.neat.network import INPUTS
from engine.papers.neat.variation import Rates
from engine.tables import DAMAGED


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
            settings = Settings(**{**values, "rates": Rates(**values["rates"])})
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
