"""Hands played at the simulator's tables as recordings, to learn from."""

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from engine.arena.walls import wall_from_order
from engine.critic.worths import sticks_of
from engine.model.rules import RIICHI_STICK, Rules
from engine.model.tiles import TILES
from engine.networks.imitation_layout_kernels import WHO_OTHER
from engine.policy.batches import ask
from engine.rules.recordings import (
    GAME_COLUMNS,
    KYOKU_COLUMNS,
    NO_SPLIT,
    End,
    GameColumn,
    KyokuColumn,
    Recordings,
)
from engine.simulator.game_kernels import EXHAUSTIVE, NAGASHI, RON, TSUMO
from engine.simulator.tables import BatchDecider, Tables

_END: Final = np.full(16, End.ABORTIVE, np.int32)
_END[[TSUMO, RON, EXHAUSTIVE, NAGASHI]] = End.TSUMO, End.RON, End.EXHAUSTIVE, End.EXHAUSTIVE
_PLACES: Final = wall_from_order(range(TILES))
"""Places in the shuffled tiles instead of tiles."""
_DEALT: Final = np.array(_PLACES.hands)


def recordings_of(tables: NDArray[Any]) -> Recordings:
    """Hands that have just ended as recordings, one game each.

    Args:
        tables: records of :class:`engine.simulator.game_kernels.GameTable` whose hands have ended; not changed.
    """
    n = len(tables)
    kyoku = np.zeros((n, KYOKU_COLUMNS), np.int32)
    lengths = tables["logged"].astype(np.int64)
    every = np.arange(tables["log"].shape[1]) < lengths[:, None]
    events = tables["log"][every]
    won = np.arange(tables["win_seats"].shape[1]) < tables["wins"][:, None]
    columns = {
        KyokuColumn.GAME: np.arange(n),
        KyokuColumn.KYOKU: tables["kyoku"],
        KyokuColumn.HONBA: tables["honba"],
        KyokuColumn.STICKS: tables["dealt_sticks"],
        KyokuColumn.DEALER: tables["dealer"],
        KyokuColumn.INDICATOR: tables["tiles"][:, _PLACES.dora_indicators[0]],
        KyokuColumn.FIRST_EVENT: np.cumsum(lengths) - lengths,
        KyokuColumn.EVENTS: lengths,
        KyokuColumn.LAST_KYOKU: tables["last_kyoku"],
        KyokuColumn.END: _END[tables["ending"]],
        KyokuColumn.FROM_SEAT: np.where(tables["ending"] == RON, tables["win_froms"][:, 0], -1),
        KyokuColumn.WINNERS: (won.astype(np.int64) << tables["win_seats"]).sum(axis=1),
    }
    for column, values in columns.items():
        kyoku[:, column] = values
    kyoku[:, KyokuColumn.SCORE : KyokuColumn.SCORE + 4] = tables["dealt_scores"]
    kyoku[:, KyokuColumn.DELTA : KyokuColumn.DELTA + 4] = tables["deltas"] - RIICHI_STICK * sticks_of(events, lengths)
    away = (np.arange(4) - tables["dealer"][:, None]) & 3
    hands = tables["tiles"][np.arange(n)[:, None, None], _DEALT[away]]
    games = np.full((n, GAME_COLUMNS), -1, np.int32)
    games[:, GameColumn.SPLIT], games[:, GameColumn.ROOM] = NO_SPLIT, WHO_OTHER
    games[:, GameColumn.FIRST_KYOKU] = np.arange(n)
    return Recordings(np.full(n, "", np.str_), games, kyoku, np.ascontiguousarray(hands), events)


def play_hands(number: int, player: BatchDecider, tables: int, rules: Rules, seed: int) -> Recordings:
    """Play at least a number of hands with one player in all seats, and return them as recordings.

    Args:
        number: of hands at least; games go on one after the other.
        player: who plays.
        tables: number of tables side by side.
        rules: of all tables.
        seed: of the walls.
    """
    playing = Tables(tables, rules, seed=seed)
    sitting = np.zeros((tables, 4), np.int64)
    parts: list[Recordings] = []
    hands = 0
    while hands < number:
        _, answers = ask(playing, [player], sitting)
        over = playing.answer(answers)
        if len(over):
            ended = np.asarray(playing.games)[over]
            parts.append(recordings_of(ended))
            hands += len(over)
            playing.restart(over[ended["over"] != 0])
    return Recordings.concatenate(parts)
