"""One-player mahjong played by searches and evaluators, which is slow: in pieces that a journal keeps."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from time import process_time
from typing import Any, Final, Self

import numpy as np
from numpy.typing import NDArray

from bot.errors import InputError
from bot.journal import Journal
from bot.record.origin import engine_hash
from bot.replay.parallel import each
from engine.search.neat import solo_kernels as kernels
from engine.search.neat.players import by_evaluator, play_by, searches
from engine.search.registry import make_evaluator

PIECE: Final = 20
"""Walls of one piece of work."""


@dataclass(frozen=True, slots=True)
class SoloPlay:
    """What a player did on some walls.

    Attributes:
        results: (n, RESULTS) results, wall by wall.
        seconds: processor time.
    """

    results: NDArray[np.float64]
    seconds: float

    @property
    def ms(self) -> float:
        """Mean processor time of a decision, in milliseconds."""
        turns = self.results[:, kernels.WIN_TURN]
        decisions = np.where(turns > 0, turns, kernels.DRAWS).sum() - len(turns)  # none on the draw that ends the hand
        return 1_000 * self.seconds / max(float(decisions), 1.0)

    @classmethod
    def joined(cls, parts: Iterable[SoloPlay]) -> Self:
        """The play on several sets of walls, one after another."""
        parts = tuple(parts)
        return cls(np.concatenate([part.results for part in parts]), sum(part.seconds for part in parts))


@dataclass(frozen=True, slots=True)
class _Piece:
    player: str
    first: int
    walls: NDArray[np.uint8]
    dora: bool


def play_in_pieces(
    players: Sequence[str], dealt: NDArray[np.uint8], seed: int, jobs: int, journal: Path | None, *, dora: bool
) -> dict[str, SoloPlay]:
    """What each player does on the walls.

    Args:
        players: names of searches, or ``evaluator NAME`` with its settings.
        dealt: (n, tiles) the walls.
        seed: their seed, by which the journal knows them.
        jobs: number of processes.
        journal: file that keeps each piece, and from which those of an earlier run are taken; if other code played
            them, the first one of each player is played again, and has to come out the same.
        dora: whether they play with dora and red fives.

    Raises:
        InputError: there is no such evaluator; the journal cannot be used, or was written by code that plays otherwise.
    """
    for name in players:
        _chooser(name)
    done: dict[tuple[str, int], SoloPlay] = {}
    pieces = [_Piece(name, at, dealt[at : at + PIECE], dora) for name in players for at in range(0, len(dealt), PIECE)]
    with ExitStack() as stack:
        kept = None
        if journal is not None:
            kept = stack.enter_context(Journal(journal, "solo", {"seed": seed, "dora": dora}))
            lines = kept.kept.pieces(_read)
            done.update((at, play) for _, at, play in lines)
            own = {player for engine, (player, _), _ in lines if engine == engine_hash()}
            for piece in pieces:
                if piece.player not in own and _has(done, piece):
                    own.add(piece.player)
                    kept.write(_line(piece, _played_again(piece, done[piece.player, piece.first], journal)))
        for piece, play in each(_play, (piece for piece in pieces if not _has(done, piece)), jobs):
            done[piece.player, piece.first] = play
            if kept is not None:
                kept.write(_line(piece, play))
    return {
        name: SoloPlay.joined(done[name, piece.first] for piece in pieces if piece.player == name) for name in players
    }


def _played_again(piece: _Piece, before: SoloPlay, journal: Path) -> SoloPlay:
    """A piece of a journal that other code wrote, played by this code.

    Raises:
        InputError: it comes out differently.
    """
    _, again = _play(piece)
    if not np.array_equal(again.results, before.results):
        raise InputError(
            f"--journal {journal}: {piece.player} now plays wall {piece.first} and those after it differently, because "
            "its code has changed; name another file"
        )
    return again


def _has(done: dict[tuple[str, int], SoloPlay], piece: _Piece) -> bool:
    play = done.get((piece.player, piece.first))
    return play is not None and len(play.results) == len(piece.walls)


def _line(piece: _Piece, play: SoloPlay) -> dict[str, Any]:
    return {
        "player": piece.player,
        "first": piece.first,
        "results": play.results.tolist(),
        "seconds": round(play.seconds, 3),
        "engine": engine_hash(),
    }


def _read(line: dict[str, Any]) -> tuple[str, tuple[str, int], SoloPlay]:
    """The code that played a piece; the piece; what came out."""
    results = np.array(line["results"], np.float64).reshape(-1, kernels.RESULTS)
    return str(line["engine"]), (str(line["player"]), int(line["first"])), SoloPlay(results, float(line["seconds"]))


def _play(piece: _Piece) -> tuple[_Piece, SoloPlay]:
    choose = _chooser(piece.player)
    began = process_time()
    results = play_by(choose, piece.walls, dora=piece.dora)
    return piece, SoloPlay(results, process_time() - began)


def _chooser(name: str) -> Any:
    kind, _, rest = name.partition(" ")
    if kind != "evaluator":
        return searches()[name]
    try:
        return by_evaluator(make_evaluator(rest))
    except ValueError as error:
        raise InputError(str(error)) from error
