"""The room of each paper says where its sections stand; what it names exists."""

from __future__ import annotations

import re
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules

import pytest

from bot.cli import COMMANDS
from engine import papers

ROOMS = [found.name for found in iter_modules(papers.__path__) if found.ispkg]


@pytest.mark.parametrize("room", ROOMS)
def test_sections_lead_to_what_is_there(room):
    package = import_module(f"engine.papers.{room}")
    places = re.findall(r"``(\w+)\.(\w+)``", package.__doc__)
    assert len(places) > 5
    for module, name in places:
        source = Path(package.__file__).with_name(f"{module}.py").read_text(encoding="utf-8")
        assert re.search(rf"^(?:def |class )?{name}\b", source, re.MULTILINE), f"{module}.{name}"
    commands = re.findall(r"``oshihiki ([a-z]+(?: [a-z]+)?)", package.__doc__)
    assert commands
    assert set(commands) <= set(COMMANDS)
