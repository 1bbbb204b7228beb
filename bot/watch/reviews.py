"""Reviews of games on request, made one after another by another process at low priority, so that play goes on.

They are kept in the store of a folder.
"""

import asyncio
import contextlib
import json
import os
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Callable, Mapping
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final, NamedTuple, Self

from bot.config import Policy, load
from bot.deciding.players import PlayerSpec, needs_of
from bot.logs.sources import open_logs
from bot.machine.errors import InputError, RunError, Trouble
from bot.machine.inputs import NO_LOG
from bot.machine.outlet import error_screen
from bot.machine.preparation import warm_up
from bot.machine.programs import RunningProgram
from bot.machine.text import brief
from bot.review import kept
from bot.review.document import Review
from bot.review.examine import LANES
from bot.review.many import Job, audit_log, audit_stem
from bot.review.recording import shared_log
from bot.wording.languages import Lang
from bot.wording.troubles import trouble_words
from protocol.logs.formats import LogFile

PATIENCE: Final = 600.0
"""Seconds without a word after which a review is given up."""
_WORK: Final = "from bot.watch.reviews import work; work()"
_TELL: Final = 0.1
"""Seconds between two words of progress."""

_WHY: Final = 500
"""Characters of a reason that are shown."""

OnProgress = Callable[[int, int], None]
"""Called with the number of decisions that have been judged, and that of all."""


class Made(NamedTuple):
    """A review that has been asked for."""

    name: str  # its name in the folder; empty if there is none
    why: Mapping[str, str] = MappingProxyType({})  # by language, why there is no review; empty if there is one


class Reviews(AbstractAsyncContextManager["Reviews"]):
    """Makes reviews into a folder, one at a time.

    Attributes:
        folder: the folder.
        needed: the logs of the reviews that were asked for and are not made yet.
    """

    def __init__(self, folder: Path | None = None, policy: Policy | None = None) -> None:
        """Prepare.

        Args:
            folder: where the reviews are kept; None: until the end, in a folder that is removed then.
            policy: the section of a configuration whose policy judges; None: that of the configuration at its default
                place.
        """
        self._temporary = tempfile.TemporaryDirectory(prefix="oshihiki-watch-") if folder is None else None
        self.folder = Path(self._temporary.name) if self._temporary is not None else folder or Path()
        self._judge = None if policy is None else [policy.name, policy.settings]
        self.needed: Counter[Path] = Counter()
        self._one = asyncio.Lock()
        self._process: RunningProgram | None = None

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._stop()
        if self._temporary is not None:
            self._temporary.cleanup()

    def page(self, name: str, lang: Lang) -> str | None:
        """The page of the review of that name; None if there is none."""
        try:
            return kept.page_of(self.folder, name, lang) or None
        except InputError:
            return None

    def rows(self, name: str) -> list[kept.Row]:
        """The decisions of a review, as they stand beside the table; none if they cannot be read."""
        try:
            return kept.rows_of(self.folder, name)
        except InputError:
            return []

    async def make(self, log: Path, seat: int | None, on_progress: OnProgress | None = None) -> Made:
        """Review a log as one seat played it; None: as the link, its name or its record says."""
        asked = {"log": str(log), "seat": seat, "judge": self._judge}
        self.needed[log] += 1
        try:
            return await self._made(asked, on_progress)
        finally:
            self.needed[log] -= 1

    async def _made(self, asked: Mapping[str, Any], on_progress: OnProgress | None) -> Made:
        async with self._one:
            whole = False
            try:
                said = await self._ask(asked, on_progress)
                whole = True
            except TimeoutError:
                return _not_made(RunError(f"the review said nothing for {PATIENCE:.0f} s"))
            except RunError as error:
                return _not_made(RunError(f"{error}; try again"))
            except OSError as error:
                return _not_made(RunError(f"the review could not be started: {error.strerror or error}"))
            finally:
                if not whole:
                    await self._stop()
        return Made(said.get("name", ""), said.get("why", {}))

    async def get_ready(self) -> None:
        """Start the process that reviews, if none runs: the next review need not wait until it has begun."""
        async with self._one:
            with contextlib.suppress(OSError):  # the next review says so
                await self._running()

    async def _running(self) -> RunningProgram:
        if self._process is None or not self._process.runs:
            await self._stop()
            words = (sys.executable, "-P", "-c", _WORK, str(self.folder))
            self._process = RunningProgram("the process that reviews", words)
        return self._process

    async def _ask(self, asked: Mapping[str, Any], on_progress: OnProgress | None) -> Mapping[str, Any]:
        process = await self._running()
        process.send(json.dumps(asked))
        while True:
            line = await asyncio.to_thread(process.receive, time.monotonic() + PATIENCE)
            if line is None:
                raise TimeoutError
            said = json.loads(line)
            if "of" not in said:
                return dict(said)
            if on_progress is not None:
                on_progress(said["at"], said["of"])

    async def _stop(self) -> None:
        process, self._process = self._process, None
        if process is not None:
            process.kill()
            await asyncio.to_thread(process.close)


# -- the process that reviews ------------------------------------------------------------------------------------------


def work() -> None:
    """Review what is asked for on standard input, a line of JSON each, until it ends; the answers are such lines."""
    if hasattr(os, "nice"):
        os.nice(10)
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8", buffering=1)
    os.dup2(2, 1)  # what else is printed goes where errors go
    folder = Path(sys.argv[1])

    def say(**fields: Any) -> None:
        answers.write(json.dumps(fields) + "\n")

    for line in sys.stdin:
        asked = json.loads(line)
        try:
            job = Job(judge(asked["judge"]), seat=asked["seat"])
            name, why = _review(asked["log"], job, folder, say)
            say(name=name, why=dict(why))
        except InputError as error:  # of the configuration, or of the disk
            say(**_not_made(error)._asdict())
        except Exception as error:  # noqa: BLE001 - a fault of this program costs one review, not those that wait
            traceback.print_exc()
            fault = f"this review cannot be made, by a fault of this program ({type(error).__name__}: {error})"
            say(**_not_made(RunError(fault))._asdict())


def judge(named: tuple[str, Mapping[str, Any]] | None) -> PlayerSpec:
    """The policy that judges, by its name and settings; None: that of the configuration at its default place.

    Raises:
        InputError: it values no actions, or that configuration cannot be read.
    """
    if named is None:
        section = load(None).policy
        named = section.name, section.settings
    found = PlayerSpec.parse(*named)
    if found.program:
        raise InputError(f"policy.name: {named[0]}: a program values no actions; name a policy")
    return found


def _review(log: str, job: Job, folder: Path, say: Callable[..., None]) -> Made:
    file = next(open_logs([log]), LogFile(log))
    if not file.format and file.error is None:
        return _not_made(InputError(NO_LOG, Trouble.NOTHING_FOUND))
    warm_up(error_screen(), needs_of([job.judge]) | {"critic"})
    told = 0.0

    def progress(at: int, of: int) -> None:
        nonlocal told
        if at == of or time.monotonic() - told > _TELL:
            told = time.monotonic()
            say(at=at, of=of)

    name = audit_stem(file, job.for_log(file))
    if _is_kept(folder, name):
        return Made(name)
    made: list[Review] = []
    done = audit_log(file, job, progress, made.append, LANES)
    if done.fields is None:
        return Made("", done.trouble)
    kept.keep(folder, name, done.fields, made[0], shared_log(file))
    return Made(name)


def _is_kept(folder: Path, name: str) -> bool:
    try:
        return kept.is_whole(folder, name)
    except InputError:  # it is made again
        return False


def _not_made(error: Exception) -> Made:
    return Made("", trouble_words(error, brief(str(error), _WHY)))
