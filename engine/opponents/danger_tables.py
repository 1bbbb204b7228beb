"""Counts from recorded games that the estimators share, and the plain estimate ``suji`` that reads them off.

The figures are in ``tables/danger.json``, written by ``oshihiki train suji``; its card names the data.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from importlib.resources import files
from typing import Any, Final, get_type_hints

import numpy as np
from numpy.typing import NDArray

from engine._jit import Records, new_records
from engine.model.tiles import KINDS
from engine.opponents.danger import Danger
from engine.opponents.danger_kernels import (
    CLASSES,
    DORA,
    LIVE,
    LIVE_STEP,
    LOSS_GROUPS,
    LOSS_STANCES,
    TURNS,
    DangerFigures,
    classify,
    losses_to_seat,
)
from engine.opponents.facts import Masks4, Opponent, genbutsu_masks, kinds_of, opponents, unseen34
from engine.state import GameState
from engine.tables import ShippedFile, numbers

Floats = NDArray[np.float32]
FILE: Final = ShippedFile("engine.opponents", "danger.json", "oshihiki train suji LOG…")


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
    # (4, 2, 4, 3) mean points of a ron without honba, by stance (the last: riichi within ippatsu), dealer, dora seen,
    # turn
    points: Floats
    points_factor: Floats  # (4, 5) by the same stances and :func:`~engine.opponents.danger_kernels.loss_group`

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
            losses_to_seat(state.as_table(), seat, self.figures, loss[seat])
        return Danger(p_tenpai, p_wait, p_deal_in, loss)

    def plain_waits(self, unseen: NDArray[np.int64], safe: int, opponent: Opponent) -> Floats:
        """(34,) chance that the opponent, if tenpai, waits on each kind that is not genbutsu."""
        classes, live = suji_classes(unseen, safe, opponent.yakuhai)
        found: Floats = self.wait[opponent.stance, live, classes]
        return found

    @cached_property
    def figures(self) -> Records[DangerFigures]:
        """Those that the kernels read, an array of one record."""
        figures = new_records(DangerFigures)
        for name in get_type_hints(DangerFigures):
            figures[0][name][:] = getattr(self, name)  # type: ignore[index]
        return figures


def suji_classes(unseen: NDArray[np.int64], genbutsu: int, yakuhai: int) -> tuple[NDArray[np.intp], int]:
    """((34,) class of each kind, row of open two-sided waits) against one opponent."""
    classes = np.empty(KINDS, np.intp)
    live = classify(unseen, genbutsu, yakuhai, classes)
    return classes, live // LIVE_STEP


SHAPES: Final = {
    "tenpai": (3, 5, 19),
    "wait": (3, LIVE, CLASSES),
    "genbutsu_wait": (3,),
    "ron": (3,),
    "flush": (5,),
    "points": (LOSS_STANCES, 2, DORA, TURNS),
    "points_factor": (LOSS_STANCES, LOSS_GROUPS),
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
