"""What the README and the pages of ``docs`` show: commands with their output, and commands within sentences."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGES = (ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md")))
BLOCK = re.compile(r"^```(\w*)\n(.*?)^```", re.MULTILINE | re.DOTALL)
SPAN = re.compile(r"`+([^`]+?)`+|^ {4}(oshihiki (?:.*\\\n)*.*)", re.MULTILINE)
"""Text between backticks, or a command on indented lines."""


@dataclass(frozen=True)
class Shown:
    """A command with what a page shows of its output, empty if it shows none."""

    page: str
    command: str
    output: str


def blocks() -> Iterator[tuple[Path, str, str]]:
    """Every block of code: its page, its language, and what stands in it."""
    for page in PAGES:
        for found in BLOCK.finditer(page.read_text(encoding="utf-8")):
            yield page, found.group(1), found.group(2)


def commands() -> Iterator[Shown]:
    """Every command after a prompt, without the remark that follows it."""
    for page, language, text in blocks():
        if language == "console":
            for part in re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]:
                line, _, output = part.partition("\n")
                yield Shown(page.name, re.sub(r"\s{2,}#.*", "", line).strip(), output.strip("\n"))


def within_sentences(names: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Every ``oshihiki …`` within a sentence, a table or an indented block, with its page; also without ``oshihiki``.

    Args:
        names: the names of the commands, by which those that are named alone are known.
    """
    begins = re.compile(rf"oshihiki (?=[a-z])|(?=(?:{'|'.join(map(re.escape, names))})(?: |$))")
    for page in PAGES:
        text = BLOCK.sub("", page.read_text(encoding="utf-8")).replace("\\|", "|")
        for found in SPAN.finditer(text):
            if text[found.end() :].split(maxsplit=2)[:2] == ["of", "commit"]:  # an earlier version has it
                continue
            words = " ".join((found.group(1) or found.group(2)).replace("\\\n", " ").split())
            if begun := begins.match(words):
                yield page.name, words[begun.end() :]


def as_shown(shown: str, said: str, *, figures: bool = True) -> bool:
    """Whether an output is the one that a page shows.

    Three dots stand for anything, and spaces and the ends of lines do not matter. With ``figures`` false, neither do
    numbers, which are times or come of chance.
    """

    def plain(text: str) -> str:
        text = "".join(text.split())
        return text if figures else re.sub(r"-?\d+(?:[.,]\d+)*", "0", text)

    pattern = ".*?".join(map(re.escape, plain(shown).split("…")))
    return re.search(pattern, plain(said), re.DOTALL) is not None
