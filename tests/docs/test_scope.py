"""Every refusal is one sentence, and ``docs/scope.md`` quotes it as the program says it."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.logs.archives import NESTED
from bot.logs.sources import FOREIGN, UTF16
from protocol.errors import UnsupportedGameError
from protocol.logs.game_log import HOUSE_RULES
from protocol.logs.tenhou6 import SEVERAL

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "scope.md").read_text(encoding="utf-8")
SENTENCES = [
    *(why for _, why in FOREIGN),
    HOUSE_RULES,
    NESTED,
    UTF16,
    SEVERAL,
    str(UnsupportedGameError()),
    "is a sparse file; unpack the archive first",
]


@pytest.mark.parametrize("sentence", SENTENCES)
def test_the_page_quotes_what_the_program_says(sentence: str) -> None:
    assert f"| {sentence} |" in PAGE
