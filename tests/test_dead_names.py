"""Every public function, class and method has a user: what nobody calls goes, what only tests call moves to them."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PACKAGES = ("engine", "protocol", "bot")

CALLED_FROM_OUTSIDE = {
    "bot.machine.text.format_field": "by string.Formatter",
    "bot.cli.format_commands": "by click",
    "bot.play.dial.process_redirect": "by websockets",
    "bot.logs.archives.readinto": "by io",
}
"""Methods that libraries call."""
OFFERED = ("bot.api.", "protocol.logs.formats.convert")
"""What ``import oshihiki`` and the pages of the documentation offer has its users outside."""


@cache
def trees() -> dict[str, ast.Module]:
    """The source of each module, by its name."""
    paths = (path for package in PACKAGES for path in sorted((ROOT / package).rglob("*.py")))
    return {
        ".".join(path.relative_to(ROOT).with_suffix("").parts): ast.parse(path.read_text(encoding="utf-8"))
        for path in paths
    }


@cache
def named() -> frozenset[str]:
    """Names of attributes and words of short texts and templates anywhere in the source."""
    found: set[str] = set()
    for tree in trees().values():
        for node in ast.walk(tree):
            if isinstance(node, ast.Attribute):
                found.add(node.attr)
            elif isinstance(node, ast.Constant) and isinstance(node.value, str) and len(node.value) < 120:
                found.update(re.findall(r"\w+", node.value))
    for template in (ROOT / "bot").rglob("*.j2"):
        found.update(re.findall(r"\w+", template.read_text(encoding="utf-8")))
    return frozenset(found)


@cache
def imported() -> frozenset[tuple[str, str]]:
    """(module, name) of every import from one of our modules."""
    nodes = (node for tree in trees().values() for node in ast.walk(tree) if isinstance(node, ast.ImportFrom))
    return frozenset((str(node.module), alias.name) for node in nodes for alias in node.names)


def unused(module: str, tree: ast.Module) -> Iterator[str]:
    """Public functions, classes and methods of a module that nothing in the source names."""
    here = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)}
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
    for node in tree.body:
        if not isinstance(node, kinds):
            continue
        known = node.name in here or node.name in named() or (module.removesuffix(".__init__"), node.name) in imported()
        if not node.name.startswith("_") and not known:
            yield f"{module}.{node.name}"
        for method in node.body if isinstance(node, ast.ClassDef) else ():
            if isinstance(method, kinds) and not method.name.startswith("_") and method.name not in named():
                yield f"{module}.{method.name}"


def test_every_public_name_has_a_user():
    found = {name for module, tree in trees().items() for name in unused(module, tree)}
    dead = {name for name in found if not name.startswith(OFFERED)}
    assert dead == set(CALLED_FROM_OUTSIDE), sorted(dead ^ set(CALLED_FROM_OUTSIDE))
