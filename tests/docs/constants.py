"""The values in the tables of ``docs/lab/constants.md``, made from the code.

``python -m tests.docs.constants`` writes them into the page; what a constant is, and its source, are written by hand.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from enum import Enum
from importlib import import_module
from itertools import chain, pairwise
from typing import Any, NamedTuple

from tests.docs.shown import ROOT

PAGE = ROOT / "docs" / "lab" / "constants.md"
FOLDERS = ("engine/policy", "engine/search", "engine/opponents", "engine/worth", "engine/papers")
ROW = re.compile(r"^\| `(?P<name>\w+\.[A-Z_\d]+)` \| (?P<value>[^|]*) \| [^|]+ \| (?P<source>[^|]+) \|$", re.MULTILINE)
NUMBER = re.compile(r"-?\d+(?:,\d{3})+|-?\d+(?:\.\d+)?")


class Constant(NamedTuple):
    """A module-level constant: ``module.NAME``, its numbers, and the text below it."""

    name: str
    numbers: list[float]
    docstring: str


def constants(*folders: str) -> Iterator[Constant]:
    """Yield every module-level constant made of numbers; several names in one line of kernels are a numbering."""
    for path in chain.from_iterable(sorted((ROOT / folder).rglob("*.py")) for folder in folders):
        try:
            module = import_module(".".join(path.relative_to(ROOT).with_suffix("").parts))
        except ModuleNotFoundError:  # it breeds networks, and needs an extra
            continue
        body = ast.parse(path.read_text(encoding="utf-8")).body
        for node, below in pairwise([*body, ast.Pass()]):
            if isinstance(node, ast.Assign | ast.AnnAssign):
                targets = node.targets if isinstance(node, ast.Assign) else [node.target]
                if path.stem.endswith("_kernels"):
                    targets = [each for each in targets if isinstance(each, ast.Name)]
                for name in (each.id for target in targets for each in ast.walk(target) if isinstance(each, ast.Name)):
                    found = numbers(getattr(module, name, None)) if re.fullmatch(r"[A-Z][A-Z_\d]*", name) else []
                    if found:
                        yield Constant(f"{path.stem}.{name}", found, text(below))


def text(node: ast.stmt) -> str:
    """The docstring that a statement is; empty if it is something else."""
    literal = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and node.value.value
    return literal if isinstance(literal, str) else ""


def numbers(value: Any) -> list[float]:
    """The numbers that a value is made of; none if it holds anything else."""
    if isinstance(value, bool | Enum):
        return []
    if isinstance(value, int | float):
        return [float(value)]
    parts = list(value.values()) if isinstance(value, Mapping) else list(value) if isinstance(value, tuple) else []
    found = [numbers(part) for part in parts]
    return list(chain.from_iterable(found)) if all(found) else []


def with_values(page: str) -> str:
    """The page with the value of each constant as it is now; words between the numbers stay."""
    known = {constant.name: constant for constant in constants(*FOLDERS)}

    def row(found: re.Match[str]) -> str:
        left = iter(known[found["name"]].numbers)
        value = NUMBER.sub(lambda _: written(next(left)), found["value"])
        value += "".join(f", {written(more)}" for more in left)
        return found[0].replace(f"| {found['value']} |", f"| {value} |", 1)

    return ROW.sub(row, page)


def written(number: float) -> str:
    """A number as the page has it."""
    return f"{number:,.0f}" if number == int(number) else f"{number:.4g}"


if __name__ == "__main__":
    PAGE.write_text(with_values(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
