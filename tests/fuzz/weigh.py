"""Measure what input made to cost much costs: ``python tests/fuzz/weigh.py [--only WORD]``.

Each input of :mod:`heavy` is given to a real command in a process of its own. Prints a table of the seconds and the
peak memory that each took; exit code 1 if one took more than :data:`SECONDS` or :data:`MEMORY`, did not end, or was a
bug.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import re
import resource
import signal
import socket
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final, NamedTuple

sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).parents[2])]

import heavy  # noqa: E402  beside this file

SECONDS: Final = 20.0
"""Processor time that a command may take, its start included; other programs on the machine do not change it."""
MEMORY: Final = 500.0
"""Peak memory in MB that it may take, its start included."""
_BUG: Final = ("this is a bug", "not foreseen", "Traceback")
"""Words of a program that did not know what it met."""
PATIENCE: Final = 90.0
"""Seconds after which a command is ended."""
GLANCE: Final = 0.01
"""Seconds from one look at the peak memory to the next."""
ROOM: Final = 6 << 30
"""Bytes of address space that a command gets, so that a failure does not take the machine with it."""

COMMAND: Final = (sys.executable, "-m", "bot")
ROOT: Final = Path(__file__).parents[2]


class Cost(NamedTuple):
    """What a command took: exit code (None: it had to be ended), seconds, megabytes, and its first line."""

    code: int | None
    seconds: float
    megabytes: float
    said: str

    @property
    def faults(self) -> list[str]:
        """What must not be."""
        found = ["too slow"] * (self.seconds > SECONDS) + ["too large"] * (self.megabytes > MEMORY)
        found += ["did not end"] * (self.code is None) + ["failed"] * (self.code not in {None, 0, 2, 143})
        return found + ["a bug"] * any(sign in self.said for sign in _BUG)


class Running:
    """A command that runs within bounds.

    Attributes:
        process: its process.
    """

    def __init__(self, *arguments: str, feed: Path | None = None, settings: Path | None = None) -> None:
        """Start it; it reads ``feed`` from its standard input, and finds no settings but these."""
        self._said = tempfile.TemporaryFile()  # noqa: SIM115 - closed at the end
        home = {"XDG_CONFIG_HOME": "/nonexistent", "OSHIHIKI_ID": ""}
        with Path(feed or os.devnull).open("rb") as fed:
            self.process = subprocess.Popen(  # noqa: S603 - our own command
                [*COMMAND, *arguments, *(("-c", str(settings)) if settings else ())],
                stdin=fed, stdout=self._said, stderr=subprocess.STDOUT, cwd=ROOT, env={**os.environ, **home},
            )  # fmt: skip
        resource.prlimit(self.process.pid, resource.RLIMIT_AS, (ROOM, ROOM))
        self._late = threading.Timer(PATIENCE, self.end, [signal.SIGKILL])
        self._late.start()
        self._peak = 0.0
        self._ended = threading.Event()
        self._weighing = threading.Thread(target=self._weigh, daemon=True)
        self._weighing.start()

    def _weigh(self) -> None:
        """Read its peak memory until it ends: what the system tells afterwards includes that of whoever started it."""
        status = Path(f"/proc/{self.process.pid}/status")
        while not self._ended.wait(GLANCE):
            with suppress(OSError):
                found = re.search(r"VmHWM:\s+(\d+) kB", status.read_text(encoding="utf-8"))
                self._peak = float(found[1]) / 1000 if found else self._peak

    def end(self, how: signal.Signals) -> None:
        """Send it a signal; it is not waited for."""
        with suppress(ProcessLookupError):
            os.kill(self.process.pid, how)

    def said(self) -> str:
        """What it has said so far."""
        return os.pread(self._said.fileno(), 1 << 20, 0).decode(errors="replace")

    def cost(self) -> Cost:
        """What it took, once it has ended."""
        _, status, used = os.wait4(self.process.pid, 0)
        self._late.cancel()
        self._ended.set()
        self._weighing.join()
        self.process.returncode = os.waitstatus_to_exitcode(status)
        lines = self.said().split("\n")
        self._said.close()
        code = None if self.process.returncode == -signal.SIGKILL else self.process.returncode
        said = next((line for line in lines if any(sign in line for sign in _BUG)), lines[0])
        return Cost(code, used.ru_utime + used.ru_stime, self._peak, said)


def _asked(request: heavy.Request, *arguments: str) -> Cost:
    """What a server takes that is sent a request, and is then stopped."""
    running = Running(*arguments)
    while not (address := re.search(r"(?:http|ws)://(127\.0\.0\.1:(\d+))(/[^\s\"]*)", running.said())):
        if os.waitid(os.P_PID, running.process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT):
            return running.cost()._replace(code=None)
        threading.Event().wait(0.1)
    host, port, path = address.groups()
    _apart(lambda: _send(int(port), request(path + ("live" if arguments[0] == "watch" else ""), host)))
    try:
        with socket.create_connection(("127.0.0.1", int(port)), 10.0) as again:
            again.sendall(f"GET {path} HTTP/1.1\r\nHost: {host}\r\n\r\n".encode())
            if not again.recv(12).startswith(b"HTTP/1.1 "):
                running.end(signal.SIGKILL)
    except OSError:
        running.end(signal.SIGKILL)
    running.end(signal.SIGTERM)
    return running.cost()


def _apart(work: Callable[[], object]) -> None:
    """Do work in a process of its own, whose memory is given back at once."""
    process = multiprocessing.get_context("fork").Process(target=work)
    process.start()
    process.join()
    if process.exitcode:
        raise RuntimeError("the input could not be made")


def _send(port: int, data: bytes) -> None:
    """Send everything, and read until the server closes, has nothing more to say, or takes nothing more."""
    with suppress(OSError), socket.create_connection(("127.0.0.1", port)) as there:
        there.settimeout(3.0)
        threading.Thread(target=_drain, args=(there.dup(),), daemon=True).start()
        there.sendall(data)
        there.shutdown(socket.SHUT_WR)
        threading.Event().wait(1.0)


def _drain(there: socket.socket) -> None:
    with suppress(OSError), there:
        while there.recv(1 << 16):
            pass


def trials(folder: Path) -> Iterator[tuple[str, Callable[[], Cost]]]:
    """Every trial by name."""
    path = folder / "input"

    def written(make: Callable[[], bytes], run: Callable[[], Running]) -> Callable[[], Cost]:
        def write() -> None:
            data = make()
            if len(data) > heavy.SIZE:
                raise ValueError(f"has {len(data):,} bytes")
            path.write_bytes(data)

        def trial() -> Cost:
            _apart(write)
            return run().cost()

        return trial

    keys = folder / "keys.toml"
    keys.write_text(f'[account]\nid_file = "{path}"\n', encoding="utf-8")
    commands: dict[str, tuple[dict[str, Callable[[], bytes]], Callable[[], Running]]] = {
        "verify": (heavy.ARCHIVES | heavy.LOGS, lambda: Running("verify", "--jobs", "1", str(path))),
        "audit": (heavy.LOGS, lambda: Running("audit", str(path), "--seat", "0", "--policy", "tsumogiri")),
        "export": (heavy.LOGS, lambda: Running("export", str(path), "--to", "mjai", "-o", str(folder / "output"))),
        "config check": (heavy.SETTINGS, lambda: Running("config", "check", settings=path)),
        "play, keys": (heavy.KEYS, lambda: Running("play", "--games", "1", settings=keys)),
        "mjai": (heavy.SPOKEN, lambda: Running("mjai", "--policy", "tsumogiri", feed=path)),
    }
    for command, (inputs, run) in commands.items():
        for name, make in inputs.items():
            yield f"{command}: {name}", written(make, run)
    records = folder / "game.jsonl"
    login = b',"login":{"type":0,"lobby":"0","sex":"M","guest":false}}\n'
    records.write_bytes(heavy.RECORD.replace(b"}\n", login))
    for name, request in heavy.REQUESTS.items():
        yield f"watch: {name}", lambda request=request: _asked(request, "watch", str(records))
        yield f"lobby: {name}", lambda request=request: _asked(request, "lobby", "--port", "0", "--json")


def main() -> int:
    """Run what the command line says; print a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="", help="trials whose name contains this")
    options = parser.parse_args()
    costs: dict[str, Cost] = {}
    with tempfile.TemporaryDirectory() as folder:
        for name, trial in trials(Path(folder)):
            if options.only in name:
                cost = costs[name] = trial()
                figures = f"{cost.seconds:>6.1f} s {cost.megabytes:>6.0f} MB"
                sys.stdout.write(f"{name:<68}{figures}  {', '.join(cost.faults) or cost.said[-110:]}\n")
                sys.stdout.flush()
    for number, what in ((1, "slowest"), (2, "largest")):
        most = max(costs, key=lambda name: costs[name][number], default="none")
        sys.stdout.write(f"{what} of {len(costs)}: {most}\n")
    return int(any(cost.faults for cost in costs.values()))


if __name__ == "__main__":
    sys.exit(main())
