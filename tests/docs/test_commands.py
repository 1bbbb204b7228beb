"""Every command that the README and the pages show is run, some of them shortened, and says what the page says."""

from __future__ import annotations

import fcntl
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tarfile
import tempfile
import threading
import zipfile
from contextlib import contextmanager
from dataclasses import dataclass
from gzip import compress
from pathlib import Path

import pytest

from bot.api import Game
from bot.cli import COMMANDS, load
from tests.docs.shown import ROOT, as_shown, blocks, commands, within_sentences

GAME = ROOT / "docs" / "examples" / "game.xml"
SHORT = "--policy simple --pace 0"


@dataclass(frozen=True)
class Run:
    """How a command that is shown is run.

    Attributes:
        by: what is run in its place, in a shell; empty: the command as it is shown.
        code: its exit code.
        figures: whether its numbers are those shown.
        says: what it says, if the page shows none of it.
        served: whether it goes on until it is stopped; it is, as soon as it has said that.
        quick: whether it takes less than two seconds.
        needs: a package without which it is skipped.
    """

    by: str = ""
    code: int = 0
    figures: bool = True
    says: str = ""
    served: bool = False
    quick: bool = False
    needs: str = ""


PAGE = "watch: http://127.0.0.1:"
LISTENS = "until (: < /dev/tcp/127.0.0.1/PORT) 2>/dev/null; do sleep 0.1; done; "
"""Waits until something listens on a port."""
LATE = 300
"""Seconds after which a command is given up."""
HELD_BACK = "2017010100gm-00e9-0000-de8eee52"
LOBBY = (
    f"sed s/7001/PORT/ CONFIG > PORT.toml; timeout {LATE} oshihiki lobby --port PORT & {LISTENS}"
    f"oshihiki play --tonpu --config PORT.toml --games 1 {SHORT}; code=$?; kill %1; exit $code"
)


def _practice(options):
    """A review is made first, since no other command needs to have been run."""
    folder = f"made{len(options)}/"
    made = f"oshihiki audit games/ --seat Tanaka -o {folder} --policy flow >made.out 2>&1"
    return Run(f"{made}; oshihiki practice {folder} {options}", says="practice: http://127.0.0.1:", served=True)


def _in_a_lobby(port: int, configuration: str = "my.toml") -> Run:
    """A game in a lobby of its own."""
    return Run(LOBBY.replace("PORT", str(port)).replace("CONFIG", configuration))


RUNS: dict[str, Run] = {
    # README.md
    "oshihiki open": Run(says="open: http://127.0.0.1:", served=True),
    # docs/audit.md
    "oshihiki audit game.xml --seat 2 -o report.html": Run("{} --policy simple"),
    "oshihiki audit game.xml --seat Tanaka": Run("{} --policy simple", says="Tanaka"),
    "oshihiki audit game.xml -o report.html": Run("{} --policy simple"),
    "oshihiki audit games/ --seat Tanaka -o review/": Run("{} --policy simple", says="2 games"),
    "oshihiki practice review/": _practice(""),
    "oshihiki practice review/ --grade inaccuracy --count 50": _practice("--grade inaccuracy --count 50"),
    # docs/commands.md
    'oshihiki evaluate "11223m1123789p55z" --dora 9s': Run(quick=True),
    # docs/extending.md
    "cd docs/examples": Run(quick=True),
    "oshihiki evaluate 2345m4067p34588s1z --evaluator widest:Widest:win=8000": Run(quick=True, says="discard"),
    "oshihiki arena value:evaluator=widest:Widest simple --games 4 --tonpu": Run("{} --nodes 1000", says="simple"),
    "oshihiki arena plain:Plain tsumogiri --games 4 --tonpu": Run(says="plain"),
    "oshihiki arena cautious:Cautious:afraid_from=0.05 simple --games 4 --tonpu": Run(says="cautious"),
    "oshihiki audit game.xml --seat 0 --policy cautious:Cautious": Run(says="judged decisions"),
    "oshihiki play --tonpu --policy illegal:Illegal": Run("{} --pace 0", 1, figures=False),
    'oshihiki evaluate 234m33345p45667s9m --dora 4p --state "right=4z1m*" --danger neighbours:Neighbours': Run(
        says="9m"
    ),
    "oshihiki bench danger --logs recordings/ --estimator neighbours:Neighbours --estimator suji": Run(
        "{} --every-game", says="suji"
    ),
    "oshihiki arena flow:danger=neighbours:Neighbours flow --games 4 --tonpu": Run("{} --nodes 500", says="flow"),
    # docs/logs.md
    f"oshihiki audit {HELD_BACK}.xml --seat 1 -o report.html": Run("{} --policy simple"),
    'oshihiki audit "$HOME/Documents/My Tenhou/log" -o review/': Run("{} --policy simple --seat 0", says="1 game"),
    f'oshihiki audit "https://tenhou.net/0/?log={HELD_BACK}&tw=1" -o report.html': Run("{} --policy simple"),
    'oshihiki audit "https://tenhou.net/6/#json=…" --seat 0 -o report.html': Run(
        'oshihiki audit "$(oshihiki export game.xml --to link)" --seat 0 -o report.html --policy simple'
    ),
    "oshihiki verify games.tar.xz more.zip folder/": Run(says="everything agrees"),
    "zcat game.xml.gz | oshihiki verify -": Run(says="everything agrees"),
    f'oshihiki evaluate --state "https://tenhou.net/0/?log={HELD_BACK}#E3-1/turn9/seat2"': Run(
        "{} --policy simple", says="discard"
    ),
    "oshihiki play --seed 3 --games 1 --record R && oshihiki replay R --exact --json": Run(
        f"oshihiki play --seed 3 --games 1 --record R {SHORT} && oshihiki replay R --exact --json", figures=False
    ),
    "oshihiki replay games.tar.xz --seat P1 --policy simple --agree": Run(says="against riichi a safe tile was"),
    # docs/running.md
    "oshihiki play --config my.toml --games 0": _in_a_lobby(7013),
    "oshihiki stats --days 2": Run(
        f"oshihiki play --tonpu {SHORT} --games 1 && oshihiki stats --days 2", says="dan pts"
    ),
    "DASK_SCHEDULER_ADDRESS=tcp://127.0.0.1:8786 oshihiki verify games.tar.xz --backend dask": Run(
        "dask scheduler --port 8786 & dask worker tcp://127.0.0.1:8786 --nworkers 2 --nthreads 1 & {}; "
        "code=$?; kill %2 %1; wait; exit $code",
        says="everything agrees",
        needs="distributed",
    ),
    # docs/simulator.md
    "python docs/examples/gradient.py": Run("python docs/examples/gradient.py 20", figures=False),
    # docs/watching.md
    "oshihiki play --watch --games 0": Run(f"{{}} --tonpu {SHORT}", says=PAGE, served=True),
    "oshihiki watch ~/.local/share/oshihiki/records": Run(
        f"oshihiki play --tonpu {SHORT} --games 1 && {{}}", says=PAGE, served=True
    ),
    "oshihiki watch game.xml --seat 2": Run(says=PAGE, served=True),
    "oshihiki watch games.tar.xz": Run(says=PAGE, served=True),
    "oshihiki play --policy human --against value --name Anna": Run(says=PAGE, served=True),
    "oshihiki lobby --config table.toml --people 2": Run(says="Lobby at ws://127.0.0.1:7001/", served=True),
    "oshihiki play --config table.toml --policy human": Run(
        f"oshihiki lobby --config table.toml --people 2 & {LISTENS.replace('PORT', '7001')}{{}}", says=PAGE, served=True
    ),
    "oshihiki play --config table.toml --policy value": _in_a_lobby(7014, "table.toml"),
}
NOT_RUN = {
    "dask scheduler --port 8786 &": "it runs with the command after it",
    "dask worker tcp://127.0.0.1:8786 --nworkers 2 --nthreads 1 &": "it runs with the command below it",
    "git clone … oshihiki && cd oshihiki": "the address is the reader's",
    "make play": "it installs",
    "make setup": "it installs",
    "make test": "it runs this test",
    "make format": "it edits",
    "source .venv/bin/activate": "a test of its own calls it in each shell",
    "docker run -d --restart=on-failure --stop-timeout 5400 -v ./config:/config:ro -v "
    "oshihiki:/home/oshihiki/.local/share/oshihiki oshihiki": "it needs docker",
}


def test_nothing_is_shown_that_is_not_run():
    shown = {each.command for each in commands()}
    assert shown == RUNS.keys() | NOT_RUN.keys()


@pytest.fixture(scope="module")
def stage(tmp_path_factory):
    """A folder with all that the commands name, in which ``oshihiki`` and ``python`` are those of this environment."""
    folder = tmp_path_factory.mktemp("stage")
    shutil.copytree(ROOT / "docs" / "examples", folder / "docs" / "examples", ignore=shutil.ignore_patterns("__py*"))
    for example in (folder / "docs" / "examples").iterdir():
        shutil.copy(example, folder)
    named = re.sub(r'n1="[^"]*"', 'n1="Tanaka"', re.sub(r'n0="[^"]*"', 'n0="P1"', GAME.read_text(encoding="utf-8")))
    (folder / "game.xml").write_text(named)
    for other in ("games", "recordings", "folder", "Documents/My Tenhou/log"):
        (folder / other).mkdir(parents=True)
    other = folder / "other.xml"
    game = Game(seed=7)
    while not game.over:
        game.step(game.choice("simple"))
    game.export(other, ("P1", "Tanaka", "P3", "P4"))
    for name in ("games/1.xml", "recordings/1.xml", "folder/1.xml", f"{HELD_BACK}.xml"):
        shutil.copy(folder / "game.xml", folder / name)
    for name in ("games/2.xml", "recordings/2.xml", "Documents/My Tenhou/log/1.xml"):
        shutil.copy(other, folder / name)
    (folder / "game.xml.gz").write_bytes(compress(named.encode()))
    with tarfile.open(folder / "games.tar.xz", "w:xz") as archive:
        archive.add(folder / "games", "games")
    with zipfile.ZipFile(folder / "more.zip", "w") as archive:
        archive.write(other, "2.xml")
    (folder / "my.toml").write_text('[server]\nurl = "ws://127.0.0.1:7001"\n')
    table = next(text for page, language, text in blocks() if language == "toml" and "table.toml" in text)
    (folder / "table.toml").write_text(table)
    return folder


def oshihiki(folder, line):
    """Start a line in a shell."""
    tools = folder / "bin"
    if not tools.is_dir():
        tools.mkdir()
        for name, words in (
            ("oshihiki", f"{sys.executable} -m bot"),
            ("python", sys.executable),
            ("dask", f"{sys.executable} -m dask"),
        ):
            tool = tools / name
            tool.write_text(f'#!/bin/sh\nexec {words} "$@"\n')
            tool.chmod(0o755)
    environment = {
        **os.environ,
        "PATH": f"{tools}{os.pathsep}{os.environ['PATH']}",
        "PYTHONPATH": os.pathsep.join(map(str, (ROOT, ROOT / "bot" / "library"))),
        "HOME": str(folder),
        "XDG_CACHE_HOME": os.environ.get("XDG_CACHE_HOME", str(Path.home() / ".cache")),
        "COLUMNS": "120",
        "BROWSER": "true",
    }
    return subprocess.Popen(  # noqa: S603
        ["bash", "-c", line],  # noqa: S607
        cwd=folder,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    )


def said_by(process, until=""):
    """What a process says: all of it, or if it serves, what it has said when it is stopped."""
    late = threading.Timer(LATE, os.killpg, (process.pid, signal.SIGKILL))
    late.start()
    said = ""
    for line in process.stdout:
        said += line
        if until and until in said:
            os.killpg(process.pid, signal.SIGKILL)
            break
    late.cancel()
    process.wait()
    return said


@contextmanager
def alone_on_its_port(line):
    """Wait until no other process of the tests has a lobby on the port that a page names."""
    if "lobby" not in line:
        yield
        return
    with (Path(tempfile.gettempdir()) / "oshihiki-page-commands.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def runs():
    for each in commands():
        if each.command in RUNS:
            run = RUNS[each.command]
            yield pytest.param(each, run, id=each.command, marks=() if run.quick else pytest.mark.slow)


@pytest.mark.parametrize(("shown", "run"), list(runs()))
def test_a_command_says_what_the_page_shows(stage, shown, run):
    if run.needs:
        pytest.importorskip(run.needs)
    line = run.by.replace("{}", shown.command) or shown.command
    with alone_on_its_port(line), oshihiki(stage, line) as process:
        said = said_by(process, run.says if run.served else "")
    assert run.says in said, said
    if not run.served:
        assert process.returncode == run.code, said
    if shown.output and not run.says:
        assert as_shown(shown.output, said, figures=run.figures), said


CALLS = {
    "bash": "source .venv/bin/activate && oshihiki --version",
    "zsh": "source .venv/bin/activate && oshihiki --version",
    "fish": "source .venv/bin/activate.fish && oshihiki --version",
    "sh": ".venv/bin/oshihiki --version",
}


@pytest.mark.parametrize("shell", CALLS)
def test_the_command_is_found_as_the_readme_says(shell):
    found = shutil.which(shell)
    if found is None or not (ROOT / ".venv" / "bin" / "oshihiki").exists():
        pytest.skip(f"there is no {shell}, or nothing is installed into .venv")
    done = subprocess.run([found, "-c", CALLS[shell]], cwd=ROOT, capture_output=True, text=True)  # noqa: S603, PLW1510
    assert done.stdout.startswith("oshihiki 0."), done.stderr
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert CALLS[shell].partition(" && ")[0].removesuffix(" --version") in readme


@pytest.mark.parametrize(("page", "words"), sorted(set(within_sentences(COMMANDS))), ids=lambda text: text)
def test_a_command_within_a_sentence_exists_with_its_options(page, words):
    named = words.split()
    name = next((" ".join(named[:size]) for size in (2, 1) if " ".join(named[:size]) in COMMANDS), None)
    assert name is not None or named[0] in {row.split()[0] for row in COMMANDS}, page
    if name is None:  # a group of commands
        return
    command = load(name)
    known = {option for each in command.params for option in (*each.opts, *each.secondary_opts)} | {"--help"}
    options = {word.partition("=")[0] for word in shlex.split(words.replace("'", "")) if re.match(r"--?[a-z]", word)}
    assert options <= known, page
