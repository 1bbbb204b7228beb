"""The tables of ``docs/lab/constants.md`` list every constant with its value, and nothing else."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from enum import Enum
from importlib import import_module
from itertools import chain, pairwise
from pathlib import Path
from typing import Any, NamedTuple

import pytest

ROOT = Path(__file__).parents[3]
FOLDERS = ("engine/policy", "engine/search", "engine/opponents", "engine/worth", "engine/papers")
SOURCES = ("fitted", "counted", "derived", "guess")
ROW = re.compile(r"\| `(\w+\.[A-Z_\d]+)` \| ([^|]*) \| ([^|]+) \| ([^|]+) \|")
NUMBER = re.compile(r"-?\d+(?:,\d{3})+|-?\d+(?:\.\d+)?")


class Constant(NamedTuple):
    """A module-level constant: ``module.NAME``, its numbers, and the text below it."""

    name: str
    numbers: list[float]
    docstring: str


def constants(folder: str) -> Iterator[Constant]:
    """Yield every module-level constant made of numbers; several names in one line of kernels are a numbering."""
    for path in sorted((ROOT / folder).rglob("*.py")):
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


def listed() -> dict[str, tuple[list[float], str]]:
    """(numbers, source) of each constant in the tables."""
    lines = (ROOT / "docs/lab/constants.md").read_text("utf-8").splitlines()
    rows = [row for line in lines if (row := ROW.fullmatch(line))]
    found = {row[1]: ([float(each.replace(",", "")) for each in NUMBER.findall(row[2])], row[4]) for row in rows}
    assert len(found) == len(rows), "a constant is listed twice"
    return found


def test_every_constant_of_the_policies_is_listed():
    missing = {constant.name for constant in constants("engine/policy")} - listed().keys()
    assert not missing, f"constants missing in docs/lab/constants.md: {sorted(missing)}"


def test_the_tables_hold_the_values_in_use():
    known = {constant.name: constant for constant in chain.from_iterable(constants(folder) for folder in FOLDERS)}
    for name, (values, source) in listed().items():
        assert name in known, f"{name} does not exist"
        assert values == pytest.approx(known[name].numbers, abs=5e-5), name
        assert known[name].docstring, f"{name} has no docstring"
        assert source.startswith(SOURCES), f"{name}: {source}"
