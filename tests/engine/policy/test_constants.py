"""The tables of constants in ``docs/policies.md``: every constant is listed with its value, and nothing else is."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from enum import Enum
from importlib import import_module
from itertools import chain
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[3]
SOURCES = ("fitted", "counted", "derived", "guess")
ROW = re.compile(r"\| `(\w+\.[A-Z_\d]+)` \| ([^|]*) \| ([^|]+) \| ([^|]+) \|")
NUMBER = re.compile(r"-?\d+(?:,\d{3})+|-?\d+(?:\.\d+)?")
FOLDERS = ("engine/policy", "engine/search", "engine/opponents")


def constants(folder: str) -> Iterator[tuple[str, Any]]:
    """(module.NAME, value) of every module-level constant made of numbers, kernels aside."""
    for path in sorted((ROOT / folder).rglob("*.py")):
        if path.stem.endswith("_kernels"):
            continue
        module = import_module(".".join(path.relative_to(ROOT).with_suffix("").parts))
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            targets = (
                [node.target]
                if isinstance(node, ast.AnnAssign)
                else node.targets
                if isinstance(node, ast.Assign)
                else []
            )
            for name in chain.from_iterable(ast.walk(target) for target in targets):
                if isinstance(name, ast.Name) and re.fullmatch(r"[A-Z][A-Z_\d]*", name.id):
                    value = getattr(module, name.id)
                    if numbers(value):
                        yield f"{path.stem}.{name.id}", value


def numbers(value: Any) -> list[float]:
    """The numbers that a constant is made of; none if it holds anything else."""
    if isinstance(value, bool | Enum):
        return []
    if isinstance(value, int | float):
        return [float(value)]
    parts = list(value.values()) if isinstance(value, Mapping) else list(value) if isinstance(value, tuple) else []
    found = [numbers(part) for part in parts]
    return list(chain.from_iterable(found)) if all(found) else []


def listed() -> dict[str, tuple[list[float], str]]:
    """(numbers, source) of each constant in the tables."""
    found = {}
    for line in (ROOT / "docs/policies.md").read_text(encoding="utf-8").splitlines():
        row = ROW.fullmatch(line)
        if row:
            assert row[1] not in found, f"{row[1]} is listed twice"
            found[row[1]] = ([float(each.replace(",", "")) for each in NUMBER.findall(row[2])], row[4])
    return found


def test_every_constant_of_the_policies_is_listed():
    missing = {name for name, _ in constants("engine/policy")} - listed().keys()
    assert not missing, f"constants missing in docs/policies.md: {sorted(missing)}"


def test_the_tables_hold_the_values_in_use():
    known = dict(chain.from_iterable(constants(folder) for folder in FOLDERS))
    for name, (values, _) in listed().items():
        assert name in known, f"{name} does not exist"
        assert values == pytest.approx(numbers(known[name]), abs=5e-5), name


def test_every_source_is_one_of_four():
    for name, (_, source) in listed().items():
        assert source.startswith(SOURCES), f"{name}: {source}"
