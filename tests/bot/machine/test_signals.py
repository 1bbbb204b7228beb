"""A signal ends a command at once, whatever it waits for: each wait here is longer than the test allows."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import pytest

from bot.machine.files import locked_folder
from tests.bot.entering import line
from tests.bot.home.homes import drop
from tests.bot.machine.misbehaving import ID

ENOUGH = 100.0
"""Seconds after which a process that still runs has failed."""
MAIN = """
import os, signal, time
signal.signal(signal.SIGINT, signal.default_int_handler)
from bot.cli import COMMANDS, Row, program
{prepare}
program()
"""
READS = """
from bot.home import drops
drops.read_dropped = lambda *_: (os.write(2, b"there\\n"), time.sleep(600))
"""
WORKS = """
import sys
sys.modules["works"] = works = type(sys)("works")
def verify() -> None:
    from bot.machine.parallel import each
    list(each(exec, ["import os, time; os.write(2, b'there\\\\n'); time.sleep(600)"] * 4, 2))
works.verify = verify
COMMANDS["verify"] = Row("works:verify", "")
"""
INTERRUPTED = (signal.SIGINT,)
TERMINATED = (signal.SIGTERM, signal.SIGTERM)


@asynccontextmanager
async def running(folder, prepare, *arguments):
    """The process of a command."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", MAIN.format(prepare=prepare), *map(str, arguments)),
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        cwd=Path(__file__).parents[3],
        env={**os.environ, "XDG_DATA_HOME": str(folder)},
    )
    try:
        yield process
    finally:
        if process.returncode is None:
            process.kill()
            await process.communicate()


async def end(process, signals):
    """Send signals, and wait for the end; the exit code."""
    for each in signals:
        with suppress(ProcessLookupError):
            os.kill(process.pid, each)  # the method of asyncio may reap a child that has ended, and its code is lost
            await asyncio.sleep(0.05)
    async with asyncio.timeout(ENOUGH):
        _, said = await process.communicate()
    assert "Traceback" not in said.decode()
    return process.returncode


@pytest.mark.slow
async def test_a_page_ends_while_a_drop_is_read(tmp_path):
    async with asyncio.timeout(2 * ENOUGH), running(tmp_path, READS, "open", "--json") as process:
        link = json.loads(await process.stdout.readline())["link"]
        dropping = asyncio.ensure_future(drop(link, ("a.xml", b"<mjloggm/>")))
        assert await process.stderr.readline() == b"there\n"
        assert await end(process, INTERRUPTED) in {0, 130}
        dropping.cancel()


async def test_a_page_ends_while_a_log_waits_to_be_asked_for(tmp_path):
    logs = tmp_path / "oshihiki" / "logs"
    logs.mkdir(parents=True)
    with locked_folder(logs):
        async with asyncio.timeout(2 * ENOUGH), running(tmp_path, "", "open", "--json") as process:
            link = json.loads(await process.stdout.readline())["link"]
            await drop(link, ("text", f"https://tenhou.net/0/?log={ID}".encode()))
            async with line(link) as socket:
                await socket.send('{"do": "fetch"}')
                while ID not in str([one.get("run", {}).get("reading") for one in json.loads(await socket.recv())]):
                    pass
                assert await end(process, TERMINATED) in {0, 143}


@pytest.mark.parametrize("signals", [INTERRUPTED, TERMINATED])
async def test_a_command_ends_while_its_workers_work(tmp_path, signals):
    async with asyncio.timeout(2 * ENOUGH), running(tmp_path, WORKS, "verify") as process:
        for _ in range(2):
            assert await process.stderr.readline() == b"there\n"
        # the second may come when Python itself is ending, and has given up its handlers
        assert await end(process, signals) in {130, 143, -signal.SIGINT, -signal.SIGTERM}
