"""Games played by quick policies, for the tests of the critic, of luck and of what is trained."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from pathlib import Path

from engine.arena.match import Game, play_games
from engine.model.rules import TONPU
from engine.policy.batches import SimplePlayers
from engine.rules.recordings import Split, split_of
from protocol.logs.formats import write_log
from protocol.logs.game_log import GameLog, LogInfo


@cache
def simple_games(number: int) -> tuple[Game, ...]:
    """So many east-only games of ``simple``."""
    players = SimplePlayers()
    games = dict(play_games([[players] * 4] * number, range(number), TONPU))
    return tuple(games[at] for at in range(number))


def write_games(folder: Path, games: Iterable[tuple[Split, Game]]) -> Path:
    """Write games of the phoenix room into a folder, each under the id of a log that belongs to its split."""
    folder.mkdir(exist_ok=True)
    free = [f"2020010100gm-00e1-0000-{number:08x}" for number in range(99)]
    for split, game in games:
        log_id = next(text for text in free if split_of(text) is split)
        free.remove(log_id)
        log = GameLog(game.events, LogInfo(log_id=log_id, game_type=0xE1))
        (folder / f"{log_id}.xml").write_text(write_log(log, "mjlog"))
    return folder
