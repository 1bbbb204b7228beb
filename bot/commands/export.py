"""``oshihiki export``: logs in any format converted to another."""

import json as json_text
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import Annotated, Any, Final
from urllib.parse import quote

import typer

from bot.commands.options import AnyLogs, BackendName, Fetch, Jobs
from bot.logs.sources import open_logs
from bot.machine.bars import counted
from bot.machine.errors import InputError
from bot.machine.inputs import NO_LOG, Inputs, file_stem
from bot.machine.outlet import error_screen
from bot.machine.outputs import Outputs
from bot.machine.parallel import Backend, each
from bot.machine.text import brief, clean
from bot.replay.counting import counted as counted_game
from bot.replay.counting import read_followed
from engine.model import events as ev
from engine.model.events import EndGame, Win
from engine.model.seats import SEATS
from engine.scoring import result_points
from engine.state import visible_to
from protocol.errors import LogError, UnsupportedGameError, reading
from protocol.logs.formats import FORMATS, LogFile, read_log, write_log
from protocol.logs.game_log import LOG_ID, GameLog
from protocol.logs.made_up import fill_hidden
from protocol.logs.tenhou6_text import VIEWER_LINK
from protocol.tenhou.game_type import unstated

LINK: Final = "link"
"""Besides the formats: tenhou.net/6 JSON as an address that opens in the viewer."""

INVENTED: Final = "tiles that nobody showed are invented"
"""The note on a log of one seat's view in a format that shows all tiles."""

Target = StrEnum("Target", [*(row.name for row in FORMATS.values() if row.writes), LINK])  # type: ignore[misc]
"""The formats that can be written."""
_PLAY: Final = (ev.StartKyoku, ev.Draw, ev.Discard, ev.Call, ev.RiichiDeclared, ev.RiichiAccepted, ev.Win, ev.Ryuukyoku)


def export(
    logs: AnyLogs,
    to: Annotated[Target, typer.Option("--to", help="Format to write.")],
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", help="File for one log, or folder for several; without it one log is printed."),
    ] = None,
    jobs: Jobs = 1,
    backend: BackendName = Backend.LOKY,
    json: Annotated[bool, typer.Option("--json", help="Print the files written as JSON; requires --output.")] = False,
    fetch: Fetch = False,
) -> None:
    """Write logs in another format: Tenhou XML, tenhou.net/6 JSON, mjai, or a link that opens in tenhou.net's viewer.

    A record of a live game, or a captured session, is one seat's view. If the server's own log of the game lies beside
    a record and agrees with it, that log is written. Otherwise hidden tiles stay hidden in mjai, and are invented in
    the other formats, whose title says so. A game that several files contain is written once. What a log does not state
    of its wins is written as our rules count it. Logs that cannot be read are named on standard error, and the others
    are still written; those of three players are left out. Exit code 0: all others were written; 2: some were not.

    Examples:
      oshihiki export game.xml --to tenhou6
      oshihiki export game.json --to mjai -o game.mjson
      oshihiki export games.tar.xz --to mjlog -o xml/
      oshihiki export record.jsonl --to link
      oshihiki export "https://tenhou.net/6/#json=…" --to mjai
    """
    if json and output is None:
        raise InputError("--json: the logs would go to standard output too; name a file or folder for them with -o")
    inputs = Inputs(logs, fetch=fetch)
    outputs = Outputs("--output", inputs.sources if output is not None else ())
    convert = partial(_converted, target=to.value)
    files = inputs.every_game(whole=True)
    found = each(convert, files, jobs, backend, in_order=True)
    written, bad, skipped = _write_all(counted(error_screen(), "logs", found), to.value, output, outputs)
    if json:
        report = {"written": written, "errors": bad, "skipped": skipped, "passed_over": inputs.fields()}
        typer.echo(json_text.dumps(report, ensure_ascii=False))
    elif output is not None:
        failed = f", {len(bad)} could not be" if bad else ""
        typer.echo(f"{len(written)} written to {clean(str(output))}{failed}", err=True)
    if note := inputs.note():
        typer.echo(note, err=True)
    if not (bad or written):
        raise InputError("nothing to write: no log is of four players" if skipped else NO_LOG)
    if bad:
        raise typer.Exit(2)


@dataclass(frozen=True, slots=True)
class _Converted:
    """A log in another format."""

    stem: str  # the log's name, without folder and suffixes
    notes: tuple[str, ...]  # what is to be said of it
    text: str = ""  # the text; empty if it could not be converted
    error: str = ""  # why not
    skipped: str = ""  # why it is left out, which is no fault: it is of three players

    def refuse_if_bad(self) -> None:
        """Raise InputError if the log could not be converted."""
        if self.error:
            raise InputError(self.error)


def _write_all(
    logs: Iterable[_Converted], target: str, output: Path | None, outputs: Outputs
) -> tuple[list[str], list[str], list[str]]:
    """Write every log; returns the files written, and the messages about logs that could not be, or were left out."""
    suffix = ".txt" if target == LINK else FORMATS[target].suffix
    folder = output if output is not None and (output.is_dir() or not output.suffix) else None
    outputs.refuse_inputs(output if folder is None else None)
    bad: list[str] = []
    written: list[str] = []
    skipped: list[str] = []
    taken: set[str] = set()
    alone = ""  # without a folder, a log is held back until it is known to be the only one
    for log in logs:
        for note in filter(None, (*log.notes, log.skipped)):
            typer.echo(note, err=True)
        if log.skipped:
            skipped.append(log.skipped)
            continue
        try:
            log.refuse_if_bad()
            path = output if folder is None else folder / _fresh_name(log.stem, suffix, taken)
            outputs.refuse_inputs(path)
        except InputError as error:
            bad.append(brief(str(error), 1000))
            typer.echo(bad[-1], err=True)
            continue
        if folder is not None and path is not None:
            outputs.write(path, log.text)
        elif written:
            raise InputError("more than one log: name a folder for them with -o FOLDER")
        else:
            alone = log.text
        written.append(str(path))
    if alone and output is not None:
        outputs.write(output, alone)
    elif alone:
        typer.echo(alone.removesuffix("\n").encode("utf-8", "replace"))  # a log is UTF-8, whatever the terminal uses
    return written, bad, skipped


def _converted(file: LogFile, target: str) -> _Converted:
    """A log in another format, with notes on what that cannot express; raises nothing that a log may cause."""
    notes: list[str] = []
    text = error = skipped = ""
    try:
        with reading(file.name):
            text = _text(file, target, notes)
    except UnsupportedGameError as refused:
        skipped = brief(str(refused), 1000)
    except LogError as refused:
        error = str(refused)
    return _Converted(file_stem(file), tuple(notes), text, error, skipped)


def _text(file: LogFile, target: str, notes: list[str]) -> str:
    """The text of a log in another format; what is to be said of it is added to the notes."""
    game = whole_game(file, lambda note: notes.append(brief(note, 1000)), hidden=target == "mjai")
    if target == "mjai" and any(isinstance(event, Win) and event.pao_seat is not None for event in game.events):
        notes.append(f"{clean(file.name)}: mjai cannot express who is liable for a yakuman; this was left out")
    if target == "mjlog" and (lost := unstated(game.start.rules)):
        notes.append(f"{clean(file.name)}: mjlog does not state {', '.join(lost)}; this was left out")
    text = write_log(_with_results(counted_game(game)), "tenhou6" if target == LINK else target)
    return f"{VIEWER_LINK}{quote(text.strip(), safe='')}\n" if target == LINK else text


def _with_results(game: GameLog) -> GameLog:
    """The game with result points, if its source gives only final scores, as mjai does."""
    end = game.events[-1]
    if not isinstance(end, EndGame) or end.results is not None:
        return game
    end = replace(end, results=result_points(end.scores, game.start.rules))
    return replace(game, events=(*game.events[:-1], end))


def _fresh_name(stem: str, suffix: str, taken: set[str]) -> str:
    """The log's own name with the new suffix; a number is added if the name is taken."""
    name, number = f"{stem}{suffix}", 1
    while name in taken:
        number += 1
        name = f"{stem}-{number}{suffix}"
    taken.add(name)
    return name


_is_log_id: Final = re.compile(LOG_ID).fullmatch

OnNote = Callable[[str], None]


def whole_game(file: LogFile, on_note: OnNote, *, hidden: bool) -> GameLog:
    """The game of a log, with all four hands.

    Args:
        file: any log; a record or a session must contain one game.
        on_note: called with notes on what is missing or invented.
        hidden: whether tiles that nobody showed may stay hidden.

    Raises:
        LogError: it cannot be read.
    """
    game = read_followed(file)
    log = None if game.viewer is None else _log_beside(file.name, game, on_note)
    if log is not None:
        return log
    for note in game.notes:
        on_note(f"{file.name}: {note}")
    if game.viewer is None or hidden:
        return game
    on_note(f"{file.name}: {INVENTED}")
    return fill_hidden(game)


def _log_beside(name: str, view: GameLog, on_note: OnNote) -> GameLog | None:
    """The server's log in the same folder, if it agrees with what the seat saw."""
    log_id = view.info.log_id
    if not _is_log_id(log_id):  # it comes from the network and must not be part of a path
        return None
    suffixes = [suffix for row in FORMATS.values() if row.writes for suffix in row.suffixes]
    for path in (Path(name).parent / f"{log_id}{suffix}" for suffix in suffixes):
        if not path.is_file():
            continue
        try:
            found = next(iter(open_logs([path])), None)
            log = None if found is None else read_log(found)
        except LogError as error:
            on_note(str(error))
            continue
        if log is not None and agrees(log, view):
            return log
        on_note(f"{path}: ignored, because it is not the game of {name}")
    return None


def agrees(log: GameLog, view: GameLog) -> bool:
    """Whether a log contains every hand of a view, with everything that the seat saw."""
    seat = view.viewer or 0
    seen, whole = _hands(view, seat), _hands(log, seat)
    return all(whole.get(name) == hand for name, hand in seen.items())


def _hands(log: GameLog, seat: int) -> dict[tuple[int, int], list[Any]]:
    """The play that a seat saw by kyoku and honba, in terms that every format has."""
    hands: dict[tuple[int, int], list[Any]] = {}
    current: list[Any] = []
    for event in log.events:
        if isinstance(event, ev.StartKyoku):
            current = hands.setdefault((event.kyoku, event.honba), [])
        if isinstance(event, _PLAY):
            current.append(_comparable(visible_to(event, seat), seat))
    return hands


def _comparable(event: ev.Event, seat: int) -> Any:
    match event:
        case ev.StartKyoku():
            return event.scores, event.riichi_sticks, _kinds(event.hands[seat] or ())
        case ev.Draw(seat=who, tile=tile) | ev.Discard(seat=who, tile=tile):
            return type(event).__name__, who, None if tile is None else tile >> 2
        case ev.Call(seat=who, meld=meld):
            return who, meld.kind, _kinds(meld.tiles)
        case ev.Win(seat=who, from_seat=giver, deltas=deltas):
            return who, giver, deltas
        case ev.Ryuukyoku(deltas=deltas):
            return tuple(deltas[each] for each in SEATS)
    return event


def _kinds(tiles: tuple[int, ...]) -> list[int]:
    return sorted(tile >> 2 for tile in tiles)
