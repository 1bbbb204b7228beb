"""Counts from recorded games that the estimators share, and the plain estimate ``suji`` that reads them off.

The figures are in ``tables/danger.json``, written by ``oshihiki train suji``; its card names the data.
"""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, Final, get_type_hints

import numpy as np
from numpy.typing import NDArray

from engine._jit import Records, new_records
from engine.model.tiles import HONOURS, KINDS
from engine.opponents.danger import Danger
from engine.opponents.danger_kernels import CLASSES, DORA, LIVE, LIVE_STEP, TURN_STEP, TURNS, DangerFigures, classify
from engine.opponents.facts import Masks4, Opponent, dora_kinds, genbutsu_masks, kinds_of, opponents, unseen34
from engine.rules.table_kernels import RIICHI
from engine.state import GameState
from engine.tables import ShippedFile, numbers

Floats = NDArray[np.float32]
FILE: Final = ShippedFile("engine.opponents", "danger.json", "oshihiki train suji LOG…")

LOSS_STANCES: Final = ("riichi", "open", "closed", "riichi within ippatsu")
LOSS_GROUPS: Final = ("dora", "yakuhai", "other honour", "terminal", "middle")


@dataclass(frozen=True)
class DangerTables:
    """The counted figures."""

    tenpai: Floats  # (3, 5, 19) chance of tenpai by stance, called melds, turn
    # (3, 7, 128) chance that a tenpai hand waits on a kind, by stance, open two-sided waits, and class as in
    # :mod:`engine.opponents.danger_kernels`
    wait: Floats
    genbutsu_wait: Floats  # (3,) the same for a kind that it is furiten on, by stance
    ron: Floats  # (3,) chance that a wait other than genbutsu can be won on now (a yaku, no other furiten), by stance
    # (5,) by called melds: how often a hand that seems to collect a suit waits outside of it and of honours, relative
    # to other hands, both compared with their waits inside
    flush: Floats
    # (4, 2, 4, 3) mean points of a ron without honba, by :data:`LOSS_STANCES`, dealer, visible dora, turn
    points: Floats
    points_factor: Floats  # (4, 5) by :data:`LOSS_STANCES` and :data:`LOSS_GROUPS` of the tile

    def danger(self, state: GameState, found: Sequence[Opponent], safe: Masks4, waits: NDArray[np.floating]) -> Danger:
        """The danger, given what each opponent would wait on if it were tenpai.

        Args:
            state: the viewer's state.
            found: the opponents.
            safe: bit sets of genbutsu by seat.
            waits: (len(found), 34) chances; those of genbutsu are replaced by the table's.
        """
        p_tenpai = np.zeros(4, np.float32)
        p_wait, p_deal_in, loss = (np.zeros((4, KINDS), np.float32) for _ in range(3))
        for each, row in zip(found, waits, strict=True):
            seat, stance = each.seat, each.stance
            known = kinds_of(safe[seat])
            p_tenpai[seat] = tenpai = self.tenpai[stance, each.called, each.turn]
            p_wait[seat] = np.where(known, self.genbutsu_wait[stance], row) * tenpai
            p_deal_in[seat] = np.where(known, 0.0, p_wait[seat] * self.ron[stance])
            loss[seat] = self.losses(state, each)
        return Danger(p_tenpai, p_wait, p_deal_in, loss)

    def plain_waits(self, unseen: NDArray[np.int64], safe: int, opponent: Opponent) -> Floats:
        """(34,) chance that the opponent, if tenpai, waits on each kind that is not genbutsu."""
        classes, live = suji_classes(unseen, safe, opponent.yakuhai)
        found: Floats = self.wait[opponent.stance, live, classes]
        return found

    def losses(self, state: GameState, opponent: Opponent) -> Floats:
        """(34,) mean points paid to the opponent for a deal-in, honba included."""
        row = loss_row(opponent)
        base = self.points[row]
        factors = self.points_factor[row[0]][loss_groups(dora_kinds(state), opponent.yakuhai)]
        found: Floats = (base * factors + np.float32(state.honba * state.rules.honba_points)).astype(np.float32)
        return found


def suji_classes(unseen: NDArray[np.int64], genbutsu: int, yakuhai: int) -> tuple[NDArray[np.intp], int]:
    """((34,) class of each kind, row of open two-sided waits) against one opponent."""
    classes = np.empty(KINDS, np.intp)
    live = classify(unseen, genbutsu, yakuhai, classes)
    return classes, live // LIVE_STEP


def loss_row(opponent: Opponent) -> tuple[int, int, int, int]:
    """The index into ``points``."""
    stance = 3 if opponent.stance == RIICHI and opponent.ippatsu else opponent.stance
    return stance, int(opponent.dealer), min(opponent.dora_seen, DORA - 1), min(opponent.turn // TURN_STEP, TURNS - 1)


def loss_groups(dora: Iterable[int], yakuhai: int) -> NDArray[np.intp]:
    """(34,) the index into :data:`LOSS_GROUPS`; ``dora``: the kinds that are, ``yakuhai``: the opponent's bit set."""
    found = _GROUPS.copy()
    for kind in range(HONOURS, KINDS):
        if yakuhai >> kind & 1:
            found[kind] = 1
    for kind in dora:
        found[kind] = 0
    return found


_GROUPS: Final = np.array([2 if kind >= HONOURS else 3 if kind % 9 in {0, 8} else 4 for kind in range(KINDS)], np.intp)

SHAPES: Final = {
    "tenpai": (3, 5, 19),
    "wait": (3, LIVE, CLASSES),
    "genbutsu_wait": (3,),
    "ron": (3,),
    "flush": (5,),
    "points": (len(LOSS_STANCES), 2, DORA, TURNS),
    "points_factor": (len(LOSS_STANCES), len(LOSS_GROUPS)),
}


def read_tables(data: dict[str, Any]) -> DangerTables:
    """Read the tables from a file's contents.

    Raises:
        ValueError: a table is missing or has another shape.
    """
    arrays = {}
    for name, shape in SHAPES.items():
        array = numbers(data.get(name, ()), np.float32)
        if array.shape != shape:
            raise ValueError(f"{name} has shape {array.shape}, not {shape}")
        arrays[name] = array
    return DangerTables(**arrays)


@cache
def danger_tables() -> DangerTables:
    """The tables shipped with the package."""
    with FILE.reading():
        return read_tables(json.loads(FILE.contents()))


@cache
def danger_figures() -> Records[DangerFigures]:
    """Those that the kernels read, an array of one record."""
    figures = new_records(DangerFigures)
    for name in get_type_hints(DangerFigures):
        figures[0][name][:] = getattr(danger_tables(), name)  # type: ignore[index]
    return figures


def tables_digest() -> str:
    """The digest of their file."""
    return FILE.digest()


@cache
def paper_f1() -> dict[str, float]:
    """Mean F1 of the paper's conditions (a) to (d), in percent, as measured by ``oshihiki train waits --paper``."""
    text = files("engine.opponents").joinpath("tables/waits_paper.json").read_text(encoding="utf-8")
    found: dict[str, float] = json.loads(text)["mean_f1"]["all"]
    return found


class SujiEstimator:
    """Tenpai by stance, melds and turn, and waits by the kind's class, both from tables."""

    name = "suji"

    def __init__(self) -> None:
        self._tables = danger_tables()
        self.digests = {"danger": tables_digest()}

    def estimate(self, state: GameState) -> Danger:
        """See :class:`~engine.opponents.danger.DangerEstimator`."""
        unseen = unseen34(state)
        safe = genbutsu_masks(state)
        found = opponents(state)
        waits = np.stack([self._tables.plain_waits(unseen, safe[each.seat], each) for each in found])
        return self._tables.danger(state, found, safe, waits)


def warm_up() -> None:
    """Estimate once, so that the next estimate is quick."""
    SujiEstimator().estimate(GameState(0))
