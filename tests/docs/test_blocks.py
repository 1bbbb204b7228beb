"""What the pages show of Python and of the configuration works."""

from __future__ import annotations

import doctest
import tomllib

import pytest

from bot.config import load
from tests.docs.shown import ROOT, blocks

SESSIONS = sorted({page for page, language, text in blocks() if language == "python" and ">>>" in text})
PROGRAMS = [(page, text) for page, language, text in blocks() if language == "python" and ">>>" not in text]


def test_there_is_nothing_else_to_run():
    assert {language for _, language, _ in blocks()} == {"", "console", "python", "text", "toml"}
    assert {page.name for page in SESSIONS} == {"README.md", "python.md", "simulator.md"}


@pytest.mark.parametrize("page", SESSIONS, ids=lambda page: page.name)
def test_a_session_goes_as_the_page_shows(monkeypatch, page):
    monkeypatch.chdir(ROOT)
    result = doctest.testfile(str(page), module_relative=False, encoding="utf-8")
    assert result.attempted > 7
    assert result.failed == 0


@pytest.mark.parametrize(("page", "text"), PROGRAMS)
def test_a_program_runs(monkeypatch, page, text):
    if "zoo" in text:
        pytest.importorskip("pettingzoo", reason="PettingZoo is not installed; `make peers` installs it")
    monkeypatch.chdir(ROOT)
    exec(compile(text, str(page), "exec"), {})  # noqa: S102 - our own


@pytest.mark.parametrize("text", [text for _, language, text in blocks() if language == "toml"])
def test_a_configuration_is_accepted(tmp_path, text):
    tomllib.loads(text)
    path = tmp_path / "shown.toml"
    path.write_text(text)
    load(path)
