"""What is installed: the package ``oshihiki``, ``python -m``, the example configuration, and what the index shows."""

from __future__ import annotations

import doctest
import os
import pickle
import pydoc
import subprocess
import sys
import tomllib
import traceback
from pathlib import Path
from shutil import copytree
from zipfile import ZipFile

import oshihiki
import pytest

import bot.api

ROOT = Path(__file__).parents[2]
LIBRARY = ROOT / "bot" / "library"
PACKAGES = ("bot", "engine", "protocol")
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def test_the_package_is_the_doorway():
    assert oshihiki.__all__ == bot.api.__all__
    assert all(getattr(oshihiki, name) is getattr(bot.api, name) for name in bot.api.__all__ if name != "simulator")
    assert all(each in dir(oshihiki) for each in bot.api.__all__)
    assert {*dir(oshihiki)} - {*bot.api.__all__} == {"__doc__", "__version__"}
    assert oshihiki.__version__ == PROJECT["project"]["version"]
    with pytest.raises(AttributeError, match="'oshihiki' has no attribute 'shantne'"):
        _ = oshihiki.shantne


def test_its_help_begins_with_examples_that_work():
    assert pydoc.render_doc(oshihiki, renderer=pydoc.plaintext).index(">>> import oshihiki") < 300
    found = doctest.testmod(oshihiki)
    assert (found.failed, found.attempted) == (0, 5)


def test_errors_speak_of_it():
    with pytest.raises(oshihiki.InputError) as refused:
        oshihiki.Tiles("x")
    assert traceback.format_exception_only(refused.value)[0].startswith("oshihiki.InputError: 'x': 'x' at position 1")
    assert str(pickle.loads(pickle.dumps(refused.value))) == str(refused.value)  # noqa: S301 - our own


def test_it_runs_as_a_module():
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(map(str, (ROOT, LIBRARY)))}
    words = [sys.executable, "-m", "oshihiki", "evaluate", "12x"]
    wrong = subprocess.run(words, env=environment, capture_output=True, text=True)  # noqa: S603, PLW1510
    assert wrong.returncode == 2
    assert "'x' at position 3" in wrong.stderr


@pytest.mark.slow
@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["-c", "import oshihiki; print(oshihiki.shanten('123m456p1123s557z'))"], "1"),
        (["-m", "oshihiki", "--version"], "oshihiki 0."),
    ],
)
def test_modules_of_the_user_are_not_taken_for_our_packages(tmp_path, words, says):
    installed, own = tmp_path / "installed", tmp_path / "own"
    installed.mkdir()
    own.mkdir()
    copytree(LIBRARY / "oshihiki", installed / "oshihiki")
    for name in PACKAGES:
        (own / f"{name}.py").write_text("raise SystemExit('not ours')")
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(map(str, (installed, ROOT)))}
    said = subprocess.run([sys.executable, *words], cwd=own, env=environment, capture_output=True, text=True)  # noqa: S603, PLW1510
    assert said.stdout.startswith(says), said.stderr


def test_the_wheel_holds_all_of_it(tmp_path, monkeypatch):
    build = pytest.importorskip("hatchling.build")
    monkeypatch.chdir(ROOT)
    with ZipFile(tmp_path / build.build_wheel(str(tmp_path))) as wheel:
        names = wheel.namelist()
    files_of = (path for package in PACKAGES for path in (ROOT / package).rglob("*") if path.is_file())
    wanted = {path.relative_to(ROOT).as_posix() for path in files_of if "__pycache__" not in path.parts}
    assert {name.removeprefix("bot/library/") for name in wanted} <= set(names)
    assert "oshihiki/py.typed" in names
    assert not [name for name in names if name.startswith(("tests", "docs"))]
