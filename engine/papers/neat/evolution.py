"""Evolution of networks that play one-player mahjong, towards early tenpai and valuable tenpai.

In every generation all parents and children play the same new walls. Those who survive so gather results over more and
more walls, and their mean is what they are judged by. Two things make means over different walls comparable:

* The luck of a generation's walls, estimated by the parents, is subtracted: by how much their results on these walls
  are above their means before. As selection favours those who were lucky, this makes all means too high alike, which
  changes no comparison; figures to be read come from walls that decided nothing (``history``, champions).
* A child is compared with its better parent on the same walls. Its first mean is that of the parent plus a part of the
  difference, as if ``trust`` more walls had shown none: most changes change little, and a child is not to push out
  others because it was lucky once.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from pymoo.operators.survival.rank_and_crowding.metrics import calc_crowding_distance
from pymoo.util.nds.non_dominated_sorting import NonDominatedSorting

from engine.papers.neat.genome import Genome, Innovations, Rates, child_of, first_genome
from engine.papers.neat.lessons import WIDEST, LessonSettings
from engine.papers.neat.network import INPUTS, Network
from engine.papers.neat.solo import make_walls, play

Floats = NDArray[np.float64]
OBJECTIVES: Final = 2
LEADERS: Final = 10
PIECE: Final = 25
"""Number of networks that are played as one piece of work."""


@dataclass(frozen=True, slots=True)
class Order:
    """The order of some individuals."""

    ranks: NDArray[np.int64]  # (n,) number of the front of each, 0 for those that nobody dominates
    crowding: Floats  # (n,) how far apart its neighbours on the front are

    def best(self, count: int) -> NDArray[np.int64]:
        """The ``count`` best individuals: by front, then by crowding."""
        return np.lexsort((-self.crowding, self.ranks))[:count]

    def better(self, first: int, second: int) -> bool:
        """Whether the first is better than the second."""
        return (self.ranks[first], -self.crowding[first]) < (self.ranks[second], -self.crowding[second])


def ordered(fitness: Floats) -> Order:
    """The order of individuals with these objectives (n, 2), both of which are to be high."""
    ranks = np.zeros(len(fitness), np.int64)
    crowding = np.zeros(len(fitness))
    scaled = fitness / np.maximum(np.ptp(fitness, axis=0), 1e-9)
    for rank, front in enumerate(NonDominatedSorting().do(-scaled)):
        ranks[front] = rank
        crowding[front] = calc_crowding_distance(-scaled[front])
    return Order(ranks, crowding)


def tournament(order: Order, random: np.random.Generator) -> int:
    """The better of two random individuals."""
    first, second = random.integers(len(order.ranks), size=2).tolist()
    return int(first if order.better(first, second) else second)


@dataclass(frozen=True, slots=True)
class Piece:
    """Some networks to be played on the walls of a generation; ``first`` is the place of the first one."""

    first: int
    networks: Sequence[Network]
    generation: int


Spread = Callable[[Callable[[Any], Any], Iterable[Any]], Iterable[Any]]
"""Apply a function to pieces of work and return the results in any order; the builtin ``map`` is one."""


@dataclass(frozen=True, slots=True)
class EvolutionSettings:
    """Settings of a run."""

    population: int = 300  # number of genomes in a generation
    walls: int = 40  # number of new walls in the first generation
    growth: int = 2  # by how many the walls of each further generation are more: networks become more and more alike
    trust: int = 80  # number of walls that the mean of the parent counts for
    drawn: int = 30  # number of random genomes for each place in the first generation; the best are taken
    # number of hands of the DAG search to which the first generation is fitted, for each utility; 0: its genomes are
    # random
    lessons: int = 0
    hidden: int = 16  # number of hidden nodes that these genomes begin with
    inputs: str = "paper"  # set of inputs, of :data:`engine.papers.neat.network.INPUTS`
    dora: bool = False  # whether the walls are played with dora and red fives
    seed: int = 1  # seed of everything random
    rates: Rates = field(default_factory=Rates)  # how often children are changed

    def walls_of(self, generation: int) -> int:
        """Number of walls of a generation."""
        return self.walls + self.growth * generation


def rates_for(lessons: int) -> Rates:
    """The usual rates: fitted genomes are changed less than random ones."""
    return Rates(width=WIDEST) if lessons else Rates()


@dataclass(slots=True)
class Population:
    """The genomes of a generation, with what they have reached."""

    genomes: list[Genome]  # the genomes
    fitness: Floats  # (n, 2) mean turns left at tenpai and mean expected points at tenpai
    walls: Floats  # (n,) number of walls that the means count for
    networks: list[Network] = field(default_factory=list)  # the network of each

    def __post_init__(self) -> None:
        self.networks = self.networks or [one.network() for one in self.genomes]

    def chosen(self, places: NDArray[np.int64]) -> "Population":
        """Some of them."""
        genomes = [self.genomes[place] for place in places]
        return Population(genomes, self.fitness[places], self.walls[places], [self.networks[place] for place in places])

    def joined(self, other: "Population") -> "Population":
        """These and the others."""
        return Population(
            self.genomes + other.genomes,
            np.concatenate([self.fitness, other.fitness]),
            np.concatenate([self.walls, other.walls]),
            self.networks + other.networks,
        )

    def with_results(self, fitness: Floats, walls: int) -> "Population":
        """The genomes with their mean results over more walls."""
        total = self.walls + walls
        share = (walls / total)[:, None]
        return Population(self.genomes, self.fitness + share * (fitness - self.fitness), total, self.networks)


class Evolution:
    """A run.

    Attributes:
        settings: its settings.
        generation: number of generations that are done.
        population: the present generation; its fitness is zero before the first one is done.
        innovations: the numbers of genes.
        history: for each generation done the means of both objectives on its walls, each over the ``LEADERS`` parents
            that were best in it before, and the mean numbers of modules and of hidden nodes.
    """

    def __init__(
        self,
        settings: EvolutionSettings,
        population: Population | None = None,
        spread: Spread = map,
        watch: Callable[[int, int], None] = lambda done, of: None,  # noqa: ARG005
    ) -> None:
        """Start from the first genomes, or from the population of an earlier run.

        Args:
            settings: the settings.
            population: that of an earlier run.
            spread: what the lessons are given with.
            watch: called after some of them with the number of hands done and of all.
        """
        self.settings = settings
        self.generation = 0
        self.innovations = Innovations()
        self.population = self._first(spread, watch) if population is None else population
        self.history: list[tuple[float, ...]] = []

    def _first(self, spread: Spread, watch: Callable[[int, int], None]) -> Population:
        settings = self.settings
        if settings.lessons:
            from engine.papers.neat.taught import first_generation  # noqa: PLC0415 - torch: workers do without it

            course = LessonSettings(settings.lessons, settings.hidden, settings.inputs, settings.dora, settings.seed)
            genomes = first_generation(course, settings.population, self.innovations, spread, watch)
        else:
            random = np.random.default_rng([settings.seed, 0, 0])
            count = settings.population * settings.drawn
            genomes = [first_genome(INPUTS[settings.inputs], self.innovations, random) for _ in range(count)]
        return Population(genomes, np.zeros((len(genomes), OBJECTIVES)), np.zeros(len(genomes)))

    def step(self, spread: Spread = map) -> None:
        """Breed, play and select one generation."""
        settings, before = self.settings, self.population
        walls = settings.walls_of(self.generation)
        if self.generation:
            children, parents = self._children(np.random.default_rng([settings.seed, self.generation, 1]))
            bred = [one.network() for one in children]
            fitness = played(before.networks + bred, settings, self.generation, spread)
            ours, theirs = np.split(fitness, [settings.population])
            luck = np.average(ours - before.fitness, axis=0, weights=before.walls)
            kept = before.with_results(ours - luck, walls)
            means = kept.fitness[parents] + walls / (walls + settings.trust) * (theirs - ours[parents])
            every = kept.joined(Population(children, means, np.full(len(means), float(walls + settings.trust)), bred))
        else:
            fitness = played(before.networks, settings, 0, spread)
            every = before.with_results(fitness, walls)
        self.population = every.chosen(ordered(every.fitness).best(settings.population))
        leaders = np.argsort(-before.fitness, axis=0, kind="stable")[:LEADERS]
        reached = np.take_along_axis(fitness, leaders, axis=0).mean(axis=0)
        self.generation += 1
        self.history.append((*reached.tolist(), *self._sizes()))

    def front(self) -> Population:
        """The genomes that nobody dominates, by turns left."""
        order = ordered(self.population.fitness)
        places = np.flatnonzero(order.ranks == 0)
        return self.population.chosen(places[np.argsort(self.population.fitness[places, 0])])

    def _children(self, random: np.random.Generator) -> tuple[list[Genome], list[int]]:
        """As many children as there are parents, and the place of the better parent of each."""
        genomes = self.population.genomes
        order = ordered(self.population.fitness)
        children, parents = [], []
        for _ in genomes:
            one, two = tournament(order, random), tournament(order, random)
            if order.better(two, one):
                one, two = two, one
            more = random.integers(len(genomes), size=2).tolist()
            chosen = [genomes[place] for place in (one, two, *more)]
            children.append(child_of(chosen, self.settings.rates, self.innovations, random))
            parents.append(one)
        return children, parents

    def _sizes(self) -> tuple[float, float]:
        genomes = self.population.genomes
        modules = np.mean([len(one.modules) for one in genomes])
        return float(modules), float(np.mean([len(one.hidden) for one in genomes]))


def played(networks: Sequence[Network], settings: EvolutionSettings, generation: int, spread: Spread = map) -> Floats:
    """(n, 2) mean results of networks on the walls of a generation."""
    pieces = [Piece(at, networks[at : at + PIECE], generation) for at in range(0, len(networks), PIECE)]
    found = np.empty((len(networks), OBJECTIVES))
    for first, fitness in spread(partial(mean_fitness, settings=settings), pieces):
        found[first : first + len(fitness)] = fitness
    return found


def mean_fitness(piece: Piece, settings: EvolutionSettings) -> tuple[int, Floats]:
    """The place of a piece's first network, and the mean results (n, 2) of its networks."""
    walls = make_walls(settings.walls_of(piece.generation), settings.seed, piece.generation)
    results = [play(one, walls, dora=settings.dora).fitness.mean(axis=0) for one in piece.networks]
    return piece.first, np.array(results)
