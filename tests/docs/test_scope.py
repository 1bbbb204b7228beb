"""Every refusal is one sentence, and ``docs/scope.md`` quotes it as the program says it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from bot.api.arguments import rules_of
from bot.commands.mjai import THREE_PLAYERS
from bot.config import parse
from bot.evaluate.hands import read_rules
from bot.lab import training
from bot.logs.archives import NESTED
from bot.logs.sources import FOREIGN, UTF16
from bot.machine.gate import route
from engine.model.rules import Rules
from protocol.errors import UnsupportedGameError
from protocol.logs.game_log import HOUSE_RULES
from protocol.logs.tenhou6_text import SEVERAL
from protocol.tenhou.game_type import parse_game_type

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "scope.md").read_text(encoding="utf-8")
SENTENCES = [
    *(why for _, why in FOREIGN),
    HOUSE_RULES,
    NESTED,
    UTF16,
    SEVERAL,
    THREE_PLAYERS,
    str(UnsupportedGameError()),
    "is a sparse file; unpack the archive first",
    json.loads((ROOT / "bot" / "review" / "assets" / "words.en.json").read_text(encoding="utf-8"))["old_browser"],
]
RANKED = '[server]\nurl = "wss://example.org/"\nallow_host = "example.org"\n[game]\nagainst = "people"\n'
REFUSED: list[Callable[[], object]] = [
    lambda: parse_game_type(0x19),
    lambda: read_rules("sanma"),
    lambda: rules_of("sanma"),
    lambda: Rules(start_points=300_000),
    lambda: route("https://example.org/"),
    lambda: route("wss://example.org/"),
    lambda: route("ws://example.org/", "example.org"),
    lambda: parse(RANKED),
]


@pytest.mark.parametrize("sentence", SENTENCES)
def test_the_page_quotes_what_the_program_says(sentence: str) -> None:
    assert f"| {sentence} |" in PAGE


@pytest.mark.parametrize("refused", REFUSED)
def test_the_page_quotes_what_is_said_of_rules_tables_and_servers(refused: Callable[[], object]) -> None:
    with pytest.raises(Exception, match=r"\w") as caught:
        refused()
    assert f"| {str(caught.value).removeprefix('configuration, line 2: server.ranked_permission: ')} |" in PAGE


def test_the_page_quotes_what_is_said_without_torch(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(_: str) -> None:
        raise ImportError("No module named 'torch'")

    monkeypatch.setattr(training, "import_module", missing)
    with pytest.raises(Exception, match="torch") as caught:
        training.needing_torch("engine.train.critic")
    assert f"| {caught.value} |" in PAGE
