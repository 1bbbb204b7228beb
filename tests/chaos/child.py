"""The bot as a separate process, for trials of memory, output, signals and full disks."""

import asyncio
import html
import json
import os
import sys
import time
import warnings
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final
from urllib.parse import unquote

from bot.play.accounts import ID_VARIABLE

KEY: Final = "ID0A1B2C3D-4e5f6a7b"
"""The account key of trials; neither half of it may appear in any output."""
COMMAND: Final = (sys.executable, "-c", "from bot.cli import program; program()", "play", "--json")
MEMORY: Final = 300.0
"""Peak memory in MiB that the process may use, whatever a server does."""
_STARTING: Final = 60.0
"""Seconds that a process may take to start on a busy machine, in addition to the time of the trial."""
ROOT: Final = Path(__file__).parents[2]
"""Where the process runs, so that it finds the policies that misbehave."""
_BUG: Final = ("this is a bug", "Traceback")

Meddle = Callable[["Running"], Awaitable[None]]


@dataclass(slots=True)
class Running:
    """A process that plays.

    Attributes:
        process: the process.
        folder: folder of its records, results and logs.
    """

    process: asyncio.subprocess.Process
    folder: Path

    def recorded(self) -> int:
        """Number of bytes in the records so far."""
        return sum(path.stat().st_size for path in self.folder.glob("*.jsonl"))

    @property
    def ended(self) -> bool:
        """Whether the process has ended."""
        return self.process.returncode is not None


@dataclass(slots=True)
class Ended:
    """The end of a process.

    Attributes:
        code: exit code; None if it had to be killed.
        seconds: wall time.
        memory: peak resident memory in MiB; 0 if the system does not say.
        out, err: its standard output and standard error.
        figures: the JSON that it printed; empty if it printed none.
        leaks: files and streams in which the key was found.
        linger: seconds from its last output to its end.
    """

    code: int | None
    seconds: float
    memory: float
    out: str
    err: str
    figures: dict[str, Any] = field(default_factory=dict)
    leaks: list[str] = field(default_factory=list)
    linger: float = 0.0

    def faults(self, codes: tuple[int, ...], seconds: float) -> list[str]:
        """Everything that must never happen: a wrong exit code, too much time or memory, a bug, a leak."""
        found = []
        if self.code is None:
            found.append(f"still running after {self.seconds:.0f} s, of which {seconds:.0f} are allowed")
        elif self.code not in codes:
            found.append(f"exit code {self.code} instead of {' or '.join(map(str, codes))}: {self.err[-300:]}")
        if self.memory > MEMORY:
            found.append(f"{self.memory:.0f} MiB of memory")
        found += [f"{word!r}: {self.err[-300:]}" for word in _BUG if word in self.err]
        return found + [f"the key is in {place}" for place in self.leaks]


async def run(
    folder: Path, settings: Mapping[str, Any], *arguments: str, seconds: float, meddle: Meddle | None = None
) -> Ended:
    """Let a process play until it ends.

    Args:
        folder: an empty folder for its configuration, records and log.
        settings: sections of the configuration.
        arguments: further arguments of the command.
        seconds: time that it may take, not counting its start; then it is killed.
        meddle: a coroutine that runs at the same time.
    """
    config = folder / "trial.toml"
    log = {"level": "debug", "format": "json", "file": str(folder / "play.log")}
    config.write_text(toml({"log": log, **settings}), encoding="utf-8")
    began = time.monotonic()
    process = await asyncio.create_subprocess_exec(
        *COMMAND, "--config", str(config), "--record", str(folder), *arguments,
        stdin=asyncio.subprocess.DEVNULL, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE,
        env={**os.environ, ID_VARIABLE: KEY}, cwd=ROOT,
    )  # fmt: skip
    running = Running(process, folder)
    watching = asyncio.create_task(_peak(process.pid))
    meddling = None if meddle is None else asyncio.ensure_future(meddle(running))
    talking = asyncio.create_task(_listen(process))
    code: int | None = None
    try:
        async with asyncio.timeout(seconds + _STARTING):
            await asyncio.shield(talking)
            code = process.returncode
    except TimeoutError:
        process.kill()
    except BaseException:  # the trial is stopped, and its process with it
        process.kill()
        raise
    out, err, linger = await talking
    if meddling is not None:
        await meddling  # it ends with the process at the latest
    ended = Ended(
        code,
        time.monotonic() - began,
        await watching,
        out.decode(errors="replace"),
        err.decode(errors="replace"),
    )
    ended.figures = _figures(ended.out)
    ended.linger = linger
    ended.leaks = _leaks({"standard output": ended.out, "standard error": ended.err}, folder)
    return ended


async def _listen(process: asyncio.subprocess.Process) -> tuple[bytes, bytes, float]:
    """What a process writes to standard output and to standard error, and the seconds from its last word to its end."""
    last = time.monotonic()

    async def read(stream: asyncio.StreamReader | None) -> bytes:
        nonlocal last
        chunks = []
        while stream is not None and (chunk := await stream.read(1 << 16)):
            last = time.monotonic()
            chunks.append(chunk)
        return b"".join(chunks)

    out, err = await asyncio.gather(read(process.stdout), read(process.stderr))
    await process.wait()
    return out, err, time.monotonic() - last


async def _peak(pid: int) -> float:
    """The peak memory of a process in MiB, watched until it ends."""
    peak = 0.0
    while (now := _high_water(pid)) is not None:
        peak = max(peak, now)
        await asyncio.sleep(0.05)
    return peak


def _high_water(pid: int) -> float | None:
    """The peak memory of a process so far in MiB; None once it has ended, or if the system does not say."""
    try:
        status = Path(f"/proc/{pid}/status").read_text(encoding="ascii", errors="replace")
    except OSError:
        return None
    found = status.partition("VmHWM:")[2].split()
    return int(found[0]) / 1024 if found else 0.0


def _leaks(texts: Mapping[str, str], folder: Path) -> list[str]:
    """Names of the texts and files that contain the key, in the text or in the name."""
    files = [path for path in folder.rglob("*") if path.is_file()]
    everything = {**texts, **{path.name: path.read_bytes().decode(errors="replace") for path in files}}
    return [name for name, text in everything.items() if tells_key(text) or tells_key(name)]


def _figures(out: str) -> dict[str, Any]:
    try:
        figures: dict[str, Any] = json.loads(out)
    except ValueError:
        return {}
    return figures


def tells_key(text: str) -> bool:
    """Whether a text contains either half of the key, in any usual spelling."""
    halves = [half.lower() for half in KEY.removeprefix("ID").split("-")]
    for _ in range(3):
        for reading in (text, unquote(text), html.unescape(text), _unescaped(text)):
            if any(half in reading.lower() for half in halves):
                return True
        text = _unescaped(unquote(html.unescape(text)))
    return False


def _unescaped(text: str) -> str:
    """The text with JSON escapes resolved; others stay as they are."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # for those others
        return text.encode("latin-1", "backslashreplace").decode("unicode_escape", "replace")


def toml(sections: Mapping[str, Mapping[str, Any]]) -> str:
    lines = []
    for name, section in sections.items():
        lines += [f"[{name}]", *(f"{key} = {json.dumps(value)}" for key, value in section.items())]
    return "\n".join(lines) + "\n"
