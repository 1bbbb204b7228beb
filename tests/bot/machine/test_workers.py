"""Worker processes end with the process that started them, even if that is killed."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from bot.machine.parallel import end_workers, hand_over
from tests.bot.machine.processes import alive, wait_until

POOL = """
import os, sys, time
from bot.machine.parallel import hand_over

def work(number):
    os.write(1, b"%d\\n" % os.getpid())
    time.sleep(120)

for each in [hand_over(2, work, number) for number in range(2)]:
    each.result()
"""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="looks at /proc and /dev/shm")
def test_workers_end_with_a_process_that_is_killed():
    with subprocess.Popen(  # noqa: S603 - our own code
        [sys.executable, "-c", POOL], stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=Path(__file__).parents[3]
    ) as process:
        workers = [int(process.stdout.readline()) for _ in range(2)]
        process.kill()
    wait_until(lambda: not any(map(alive, workers)))
    # another process removes them; the workers of other tests, whose number may contain this one, keep theirs
    wait_until(lambda: not list(Path("/dev/shm").glob(f"*-{process.pid}-*")))  # noqa: S108


@pytest.mark.skipif(sys.platform == "win32", reason="there are no masks of signals")
def test_workers_never_hear_ctrl_c():
    end_workers()  # those of other tests may have been started before
    assert signal.SIGINT in hand_over(2, signal.pthread_sigmask, signal.SIG_BLOCK, ()).result()


def test_workers_end_whatever_they_have_been_handed():
    # what loky has not yet passed on when it ends made a thread of it fail, which is an error of this test
    for calls in (3, 5, 40):
        for _ in range(3):
            handed = [hand_over(2, time.sleep, 0.01) for _ in range(calls)]
            end_workers()
            assert all(each.done() for each in handed)
