"""The evaluator ``neat``, an evolved network that values the hand each discard leaves, and the policy ``neat``.

The networks were bred in one-player mahjong (docs/lab/neat.md): they consider neither calls nor other players. A tenpai
hand declares riichi whenever it may, and every offered tile is passed. A meld counts as tiles of the hand, a kan as
three.
"""

from collections.abc import Mapping
from dataclasses import asdict
from functools import cache

from engine.model.budget import Budget
from engine.papers.neat import NeatSettings
from engine.papers.neat import solo_kernels as kernels
from engine.papers.neat.network import PACKAGE, Network, champion_file, read_network, shape_tables, space_for
from engine.policy.attacking import AlwaysAttacks
from engine.policy.decision import JSON
from engine.search.evaluator import Evaluation, Stakes
from engine.search.position import Position
from engine.search.tiles import by_discard, dora_by_kind, melds_bonus, reds_by_kind
from engine.tables import table_digest


@cache
def champion(name: str) -> Network:
    """The network of a champion.

    Raises:
        WeightsError: its file is missing or damaged.
    """
    return champion_file(name).load(read_network)


class Neat:
    """See the module."""

    name = "neat"

    def __init__(self, settings: NeatSettings | None = None) -> None:
        chosen = (settings or NeatSettings()).champion
        self._network = champion(chosen)
        self._tables = shape_tables()
        self.digests: Mapping[str, str] = {f"neat-{chosen}": table_digest(PACKAGE, f"{chosen}.npz")}

    def evaluate(self, position: Position, stakes: Stakes | None = None, budget: Budget | None = None) -> Evaluation:
        """See :class:`~engine.search.evaluator.Evaluator`; stakes and budget are ignored."""
        del stakes, budget
        return by_discard(self.name, position, self._values(position), 1.0)

    def _values(self, position: Position) -> list[float]:
        """Points by kind discarded; last, those of a hand without a tile to discard."""
        network = self._network
        space = space_for(network.net)
        dora, reds = dora_by_kind(position), reds_by_kind(position)
        space.counts[:] = position.counts
        for meld in position.melds:
            for tile in meld.tiles[:3]:
                space.counts[tile >> 2] += 1
        space.dora[:] = dora
        bonus = int(dora @ position.counts + reds.sum()) + melds_bonus(position)
        mask = sum(1 << kind for kind, held in enumerate(reds.tolist()) if held)
        tiles = kernels.DEALT + int(position.to_discard)
        kernels.value_hand(network.net, network.modules, tiles, bonus, mask, self._tables, space)
        base, each = network.scale
        values = [base + each * value for value in space.values.tolist()]
        return [*values, values[0]]


class NeatPolicy(AlwaysAttacks):
    """Follows an evolved network wherever it leads, and never folds or calls."""

    name = "neat"

    def __init__(self, seed: int = 0, settings: NeatSettings | None = None) -> None:
        del seed  # nothing here is random
        self._settings = settings or NeatSettings()
        super().__init__(f"neat:{self._settings.champion}")

    def settings(self) -> Mapping[str, JSON]:
        """The champion, and its network by its digest."""
        return {**asdict(self._settings), "weights": dict(self.evaluator.digests)}
