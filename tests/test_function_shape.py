"""Functions stay short and take few parameters, so that each can be read on one screen and called without counting."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PACKAGES = ("engine", "protocol", "bot", "tests")
MOST_LINES = 60
MOST_PARAMETERS = 8

COMMANDS = "bot/commands/"
"""A command's options are the parameters of its function: typer reads them there, and has no other form for them."""

Function = ast.FunctionDef | ast.AsyncFunctionDef


def functions(path: Path) -> Iterator[tuple[str, Function]]:
    """Every function of a module with its dotted name; a method's first parameter does not count."""

    def within(node: ast.AST, prefix: str) -> Iterator[tuple[str, Function]]:
        for child in ast.iter_child_nodes(node):
            named = isinstance(child, ast.ClassDef | Function)
            name = f"{prefix}.{child.name}".lstrip(".") if named else prefix
            if isinstance(child, Function):
                yield name, child
            yield from within(child, name)

    yield from within(ast.parse(path.read_text(encoding="utf-8")), "")


def parameters(function: Function) -> list[str]:
    every = function.args
    listed = [*every.posonlyargs, *every.args, *every.kwonlyargs]
    extra = [one for one in (every.vararg, every.kwarg) if one is not None]
    return [one.arg for one in (*listed, *extra) if one.arg not in {"self", "cls"}]


def modules() -> list[Path]:
    """All but the kernels: numba takes arrays one by one, and what a loop needs stays in one function for speed."""
    every = (path for package in PACKAGES for path in sorted((ROOT / package).rglob("*.py")))
    return [path for path in every if not path.stem.endswith("_kernels")]


def name_of(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


@pytest.mark.parametrize("path", modules(), ids=name_of)
def test_functions_are_short_and_take_few_parameters(path: Path):
    for name, function in functions(path):
        assert function.end_lineno is not None
        lines = function.end_lineno - function.lineno + 1
        assert lines <= MOST_LINES, f"{name_of(path)}: {name} has {lines} lines"
        if not name_of(path).startswith(COMMANDS):
            count = len(parameters(function))
            assert count <= MOST_PARAMETERS, f"{name_of(path)}: {name} has {count} parameters"


def test_only_the_commands_themselves_have_many_parameters():
    """In ``bot/commands`` too: of each module nothing but functions that the command line names."""
    from bot.cli import COMMANDS as ROWS  # noqa: PLC0415 - the only test here that imports the program

    targets = {tuple(row.target.split(":")) for row in ROWS.values()}
    for path in sorted((ROOT / COMMANDS).rglob("*.py")):
        many = {name for name, function in functions(path) if len(parameters(function)) > MOST_PARAMETERS}
        commands = {
            function for module, function in targets if module == name_of(path).removesuffix(".py").replace("/", ".")
        }
        assert many <= commands, f"{name_of(path)}: {many - commands}"
