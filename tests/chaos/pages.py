"""The one server of pages under attack by intruders, while an honest visitor looks at its pages."""

import asyncio
import http.client
import json
import os
import signal
import sys
import tempfile
import time
from contextlib import closing, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

from bot.page.loopback import KEY
from tests.chaos.besiegers import SECONDS_OF_GRACE
from tests.chaos.child import ROOT, toml
from tests.chaos.intruders import PLACES, Target
from tests.chaos.siege import memory_and_threads

PATIENCE: Final = 20.0
"""Seconds within which an honest visitor gets each page, however busy the machine is."""
MOST_GROWTH: Final = 300.0
"""Memory in MiB by which the server may grow."""
ENDING: Final = 20.0
"""Seconds within which it ends after SIGINT."""
OWN: Final = ("data", "reviews", "records", "config.toml", "server.log")
"""What lies in the folder of a trial and is the user's; everything else in it is not."""
BAIT: Final = "NameInTheBait"
LOG: Final = f'<mjloggm ver="2.3"><UN n0="{BAIT}" n1="b" n2="c" n3="d"/></mjloggm>'
_BUGS: Final = ("Traceback", "this is a bug", "Exception")


@dataclass(slots=True)
class Stormed:
    """What came of it.

    Attributes:
        attacks: of each attack, how often it was ``tried``, ``refused`` and ``gave way``.
        pages: number of pages that the honest visitor got.
        waited: longest time for one.
        memory: memory of the server in MiB, twice a second.
        why: what must not have happened.
    """

    attacks: dict[str, dict[str, int]] = field(default_factory=dict)
    pages: int = 0
    waited: float = 0.0
    memory: list[float] = field(default_factory=list)
    why: list[str] = field(default_factory=list)

    def faults(self) -> list[str]:
        """The requirements that were not met."""
        found = list(self.why)
        found += [
            f"{name}: gave way {given} times" for name, each in self.attacks.items() if (given := each.get("gave way"))
        ]
        if not self.pages or not self.attacks:
            found.append("nobody asked for a page, or nobody attacked")
        if self.grown > MOST_GROWTH:
            found.append(f"the server grew by {self.grown:.0f} MiB")
        return found

    @property
    def grown(self) -> float:
        """By how much the server's memory grew at most."""
        return max(self.memory, default=0.0) - min(self.memory[:1], default=0.0)

    def fields(self) -> dict[str, Any]:
        """The figures as JSON shows them."""
        said = {
            each: {name: count.get(each, 0) for name, count in self.attacks.items()}
            for each in ("tried", "refused", "gave way")
        }
        memory = {"first": min(self.memory[:1], default=0.0), "grown": round(self.grown, 1)}
        return {**said, "honest": {"pages": self.pages, "longest_s": round(self.waited, 2)}, "memory_mb": memory}


async def storm(seconds: float, clients: int, seed: int) -> Stormed:
    """Serve pages as a process, let intruders attack it from another one, and visit it from here.

    Args:
        seconds: duration.
        clients: number of slow clients.
        seed: seed of the attacks.
    """
    stormed = Stormed()
    with tempfile.TemporaryDirectory(prefix="oshihiki-storm-") as name:
        root = Path(name)
        outside = root / "outside"
        outside.mkdir()
        for path in (outside / "bait.xml", root / "bait.xml", root / "bait"):
            path.write_text(LOG, encoding="utf-8")
        before = _others(root)
        await _besieged(root, seconds, clients, seed, stormed)
        if _others(root) != before:
            stormed.why.append("something was written outside of the user's folders")
    return stormed


def _others(root: Path) -> dict[str, bytes]:
    """What does not belong to the user, as it is."""
    paths = (path for path in root.rglob("*") if path.relative_to(root).parts[0] not in OWN and path.is_file())
    return {str(path.relative_to(root)): path.read_bytes() for path in paths}


async def _besieged(root: Path, seconds: float, clients: int, seed: int, stormed: Stormed) -> None:
    config, log = root / "config.toml", root / "server.log"
    config.write_text(
        toml({"policy": {"name": "simple"}, "record": {"folder": str(root / "records")}}), encoding="utf-8"
    )
    command = ("-m", "bot", "open", "--json", "--port", "0", "--folder", str(root / "reviews"), "--config", str(config))
    with log.open("wb") as errors:
        server = await asyncio.create_subprocess_exec(
            sys.executable, *command, cwd=ROOT, env={**os.environ, "XDG_DATA_HOME": str(root / "data")},
            stdin=asyncio.subprocess.DEVNULL, stdout=asyncio.subprocess.PIPE, stderr=errors,
        )  # fmt: skip
    hostile = None
    try:
        link = json.loads(await server.stdout.readline())["link"] if server.stdout else ""
        visitor = Target(link, (), "")
        visitor.cookie, visitor.inside, _ = await visitor.come_in()
        key = (root / "data" / "oshihiki" / KEY).read_bytes()
        secrets = [urlsplit(link).path.split("/")[3], key.hex(), visitor.cookie.partition("=")[2], BAIT]
        await _visit(visitor, stormed, time.monotonic())  # so that it has grown to what it usually takes
        watching = asyncio.create_task(_watch(server.pid, stormed))
        source = (
            "from tests.chaos.intruders import main; "
            f"main({link!r}, {secrets!r}, {str(root / 'outside')!r}, {clients}, {seconds}, {seed})"
        )
        hostile = await asyncio.create_subprocess_exec(
            sys.executable, "-c", source, cwd=ROOT, stdout=asyncio.subprocess.PIPE, stdin=asyncio.subprocess.DEVNULL
        )
        await _visit(visitor, stormed, time.monotonic() + seconds)
        out, _ = await asyncio.wait_for(hostile.communicate(), SECONDS_OF_GRACE)
        said = json.loads(out)
        stormed.attacks, stormed.why = said["attacks"], stormed.why + said["why"]
        await _visit(visitor, stormed, time.monotonic())  # it still answers
        watching.cancel()
        server.send_signal(signal.SIGINT)
        await asyncio.wait_for(server.communicate(), ENDING)
        if server.returncode:
            stormed.why.append(f"the server ended with exit code {server.returncode}")
    except TimeoutError:
        stormed.why.append("the server did not end, or the intruders did not")
    finally:
        for process in (server, hostile):
            if process is not None and process.returncode is None:
                process.kill()
                await process.wait()
    said = log.read_text(encoding="utf-8", errors="replace")
    stormed.why += [f"{word} in its log: {said[-300:]}" for word in (*_BUGS, *secrets) if word in said]


async def _visit(visitor: Target, stormed: Stormed, until: float) -> None:
    """Look at every page once, and again until a point in time."""
    while True:
        for place in PLACES:
            if place == "drop/":  # which has no page
                continue
            began = time.monotonic()
            if (status := await asyncio.to_thread(_page, visitor, place)) != http.client.OK:
                stormed.why.append(f"an honest visitor of {place or 'home'} was answered {status}")
                return
            stormed.pages += 1
            stormed.waited = max(stormed.waited, time.monotonic() - began)
        if time.monotonic() >= until:
            return
        await asyncio.sleep(0.2)


def _page(visitor: Target, place: str) -> int | str:
    """The status with which a page is answered; why there is none."""
    with closing(http.client.HTTPConnection("127.0.0.1", visitor.port, timeout=PATIENCE)) as line:
        try:
            line.request("GET", visitor.inside + place, headers={"Cookie": visitor.cookie})
            answer = line.getresponse()
            return answer.status if b"<main" in answer.read() or answer.status != http.client.OK else "with no page"
        except OSError as error:
            return repr(error)


async def _watch(pid: int, stormed: Stormed) -> None:
    with suppress(asyncio.CancelledError):
        while (status := memory_and_threads(pid)) is not None:
            stormed.memory.append(status[0])
            await asyncio.sleep(0.5)
