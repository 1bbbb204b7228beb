"""The recorded games that nothing was fitted on, which the commands ``oshihiki bench …`` judge by."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from itertools import zip_longest
from pathlib import Path
from typing import Final

from rich.console import Console

from bot.deciding.players import PlayerSpec
from bot.machine.errors import InputError
from bot.machine.text import brief
from engine.model.rules import HANCHAN
from engine.train.recordings import Split, split_of
from protocol.errors import LogError, UnsupportedGameError
from protocol.logs.formats import LogFile, read_log
from protocol.logs.game_log import LOG_ID, GameLog
from protocol.logs.sources import open_logs

_LOG_ID: Final = re.compile(LOG_ID).search


def recording_paths(logs: list[Path] | None) -> list[Path]:
    """The files of these folders or, without any, the archives of four-player games that OSHIHIKI_CORPUS names.

    Raises:
        InputError: none are named at all.
    """
    if logs:
        return sorted(file for path in logs for file in (path.iterdir() if path.is_dir() else [path]))
    named = os.environ.get("OSHIHIKI_CORPUS", "")
    if not named or not Path(named).is_dir():
        raise InputError(
            "there are no recordings to measure on; name them with --logs, or set OSHIHIKI_CORPUS to their folder"
        )
    return sorted(file for file in Path(named).iterdir() if file.name.partition("-")[0] in {"houou", "tokujou"})


def refuse_other_units(player: PlayerSpec) -> None:
    """Refuse a policy whose values cannot be compared with results.

    Raises:
        InputError: they are not worths of standings.
    """
    if player.make(0).standing(HANCHAN, 0) is None:
        raise InputError(
            f"the values of {player.text} are not worths of standings, so they cannot be compared with results"
        )


def games_to_judge_by(paths: list[Path], screen: Console, *, every_game: bool) -> Iterator[tuple[GameLog, Split]]:
    """Games of the test and the validation split, the archives in turns.

    Args:
        paths: logs, folders or archives.
        screen: where a log that cannot be read is named.
        every_game: all games count as test games, whatever their id.
    """
    wanted = (Split.TEST, Split.VALIDATION)
    for row in zip_longest(*(open_logs([path]) for path in paths)):
        for file in row:
            if file is None or not (every_game or split_by_name(file) in {*wanted, None}):
                continue
            try:
                log = read_log(file)
            except UnsupportedGameError:
                continue  # three players
            except LogError as error:
                screen.print(brief(str(error), 300), style="yellow", markup=False, highlight=False)
                continue
            split = Split.TEST if every_game else split_of(log.info.log_id)
            if split in wanted:
                yield log, split


def split_by_name(file: LogFile) -> Split | None:
    """The split by the file's name, without reading the log; None where the name does not tell."""
    found = _LOG_ID(file.name)
    return split_of(found[0]) if found else None
