"""The arrows between packages and floors hold, and the engine stays pure."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from engine._jit import CONSTANTS

ROOT = Path(__file__).resolve().parents[1]
PACKAGES = ("engine", "protocol", "bot")

FLOORS: dict[str, tuple[str | tuple[str, ...], ...]] = {
    "engine": (
        "model",
        "shanten",
        "scoring",
        "rules",
        ("simulator", "state"),
        "networks",
        ("search", "opponents", "worth"),
        "policy",
        "critic",
        "arena",
        "train",
        "papers",
    ),
    "bot": (
        "logs",
        ("machine", "retired"),
        ("store", "wording"),
        ("deciding", "page"),
        "config",
        "lobby",
        "play",
        "replay",
        ("evaluate", "review"),
        ("api", "watch"),
        "home",
        "commands",
        "lab",
    ),
}
"""Folders and modules of a package, lowest first; those that share a floor do not know each other."""

FREE_OF_FLOORS = {
    "engine": {
        "__init__",
        "_jit",
        "_numba_parts",
        "interrupts",
        "kept",
        "preparation",
        "registry",
        "settings",
        "tables",
        "warmup",
    },
    "bot": {"__init__", "__main__", "cli", "library"},
}
"""Modules above or below all floors: what numba, registries and tables have in common, Ctrl-C, warm-up; the command
line, which knows the commands by name alone, and the package ``oshihiki``."""

BANNED_IN_ENGINE = {"asyncio", "logging", "pydantic", "socket", "structlog", "time", "websockets", "rich", "typer"}
INPUT_AND_OUTPUT = {"io", "os", "pathlib", "select", "shutil", "subprocess", "sys"}
BANNED_IN_PROTOCOL = BANNED_IN_ENGINE | INPUT_AND_OUTPUT | {"numba", "numpy"}
"""Text is turned into values and back, without input or output: files are found and opened in ``bot/logs``."""
THIRD_PARTY_ONLY_IN = {
    "fsrs": "bot/review",
    "gymnasium": "bot/api",
    "jinja2": "bot/page",
    "markupsafe": ("bot/page", "bot/review"),
    "pettingzoo": "bot/api",
    "websockets": "bot",
    "typer": "bot",
    "pydantic": "bot",
}


def _modules(package: str) -> Iterator[Path]:
    yield from sorted((ROOT / package).rglob("*.py"))


@cache
def _imports(path: Path) -> frozenset[str]:
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import on line {node.lineno}"
            assert node.module is not None
            found.add(node.module)
            found.update(f"{node.module}.{alias.name}" for alias in node.names)
    return frozenset(found)


def _every_module() -> list[Path]:
    return [path for package in PACKAGES for path in _modules(package)]


def _name(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def _dotted(path: Path) -> str:
    return _name(path).removesuffix(".py").replace("/", ".").removesuffix(".__init__")


def test_arrows():
    for path in _every_module():
        package = path.relative_to(ROOT).parts[0]
        imports = _imports(path)
        tops = {name.split(".")[0] for name in imports}
        if package == "engine":
            assert not tops & {"protocol", "bot"}, _name(path)
            assert not tops & BANNED_IN_ENGINE, _name(path)
        elif package == "protocol":
            assert "bot" not in tops, _name(path)
            assert not tops & BANNED_IN_PROTOCOL, _name(path)
            assert not re.search(r"(?<![\w.])open\(", path.read_text(encoding="utf-8")), _name(path)
            engine = {name for name in imports if name.split(".")[0] == "engine"}
            assert all(name == "engine" or name.startswith("engine.model") for name in engine), (
                f"{_name(path)}: {engine}"
            )
        for library, home in THIRD_PARTY_ONLY_IN.items():
            if library in tops:
                assert _name(path).startswith(home), f"{_name(path)} imports {library}, which belongs in {home}"


def test_floors():
    for path in (*_modules("engine"), *_modules("bot")):
        package, *inner = path.relative_to(ROOT).parts
        floor_of = {
            name: level
            for level, floor in enumerate(FLOORS[package])
            for name in ((floor,) if isinstance(floor, str) else floor)
        }
        here = inner[0].removesuffix(".py")
        if here in FREE_OF_FLOORS[package]:
            continue
        assert here in floor_of, f"{_name(path)} is on no floor: add it to FLOORS"
        for name in _imports(path):
            top, _, rest = name.partition(".")
            there = rest.partition(".")[0]
            if top == package and there in floor_of and there != here:
                assert floor_of[there] < floor_of[here], f"{_name(path)} imports {name}, which is not below it"


def test_no_test_imports_from_a_module_of_tests():
    """What several need is built in a module of builders."""
    for path in sorted((ROOT / "tests").rglob("*.py")):
        for name in _imports(path):
            parts = name.split(".")
            assert parts[0] != "tests" or not any(part.startswith("test_") for part in parts), f"{path}: {name}"


def _parts() -> dict[str, tuple[tuple[str, ...], set[str]]]:
    """The parts in docs/architecture.md: the packages of each, and the parts that it never knows."""
    text = (ROOT / "docs/architecture.md").read_text(encoding="utf-8")
    found = {}
    for name, folders, never in re.findall(r"^\| \*\*(\w+)\*\* \|[^|]+\| ([^|]+) \| ([^|]+) \|$", text, re.MULTILINE):
        packages = tuple(folder.replace("/", ".") for folder in re.findall(r"`([^`]+)`", folders))
        found[name] = packages, set(never.split(", "))
    return found


PARTS = _parts()
AROUND = {
    "engine": FREE_OF_FLOORS["engine"],
    "bot": FREE_OF_FLOORS["bot"] - {"library"} | {"commands", "config", "logs", "machine", "retired", "store"},
}
"""Folders and modules that are in none of the parts."""


def _part(name: str) -> str:
    return next((part for part, (packages, _) in PARTS.items() if _within(name, packages)), "")


def test_there_are_ten_parts_and_every_folder_is_in_one():
    assert len(PARTS) == 10
    for name, (packages, never) in PARTS.items():
        assert never <= PARTS.keys() - {name}
        assert all((ROOT / package.replace(".", "/")).is_dir() for package in packages), name
    for path in _every_module():
        package, *inner = path.relative_to(ROOT).parts
        if inner[0].removesuffix(".py") not in AROUND.get(package, ()):
            assert _part(_dotted(path)), f"{_name(path)} is in none of the parts of docs/architecture.md"


def test_a_part_imports_nothing_of_those_that_it_never_knows():
    for path in _every_module():
        part = _part(_dotted(path))
        never = PARTS[part][1] if part else set()
        for name in _imports(path):
            assert _part(name) not in never, f"{_name(path)} is of {part} and imports {name}, of {_part(name)}"


NESTED = {
    ("bot", "bot/deciding"),
    ("engine/policy", "engine/policy/simple"),
    ("engine/policy", "engine/policy/value"),
    ("engine/search", "engine/search/dag"),
}
"""A folder and one inside it, of which each names rows, scenes or settings of the other."""


def test_no_two_folders_import_each_other():
    users: defaultdict[str, set[str]] = defaultdict(set)
    for path in _every_module():
        here = path.parent.relative_to(ROOT).as_posix()
        for name in _imports(path):
            place = ROOT / name.replace(".", "/")
            if place.with_suffix(".py").is_file() and place.parent != path.parent:
                users[here].add(place.parent.relative_to(ROOT).as_posix())
    circles = {(here, there) for here, used in users.items() for there in used if here in users.get(there, ())}
    assert {(here, there) for here, there in circles if here < there} <= NESTED


LABORATORY = PARTS["Laboratory"][0]
"""What trains, benchmarks, plays matches and repeats papers; everything else is the product."""


def _within(name: str, packages: tuple[str, ...]) -> bool:
    return any(f"{name}.".startswith(f"{package}.") for package in packages)


def test_the_product_does_not_know_the_laboratory():
    """Rows of the command line and of registries name it as text, which imports nothing until somebody asks for it."""
    for path in _every_module():
        if not _within(_dotted(path), LABORATORY):
            assert not {name for name in _imports(path) if _within(name, LABORATORY)}, _name(path)


def test_rooms_of_papers_do_not_know_each_other():
    def room(name: str) -> str:
        return name.split(".")[2].removesuffix("_kernels")

    for path in _modules("engine/papers"):
        rooms = {room(name) for name in _imports(path) if name.startswith("engine.papers.")}
        assert not rooms or rooms == {room(_dotted(path))}, _name(path)


def test_no_module_imports_its_user():
    """What is imported for its types alone counts too; ``__init__`` files do not."""
    modules = {_name(path).removesuffix(".py").replace("/", "."): path for path in _every_module()}
    users = {name: {other for other in _imports(path) if other in modules} for name, path in modules.items()}
    visited: set[str] = set()

    def visit(name: str, trail: tuple[str, ...]) -> None:
        assert name not in trail, f"a circle of imports: {' > '.join((*trail[trail.index(name) :], name))}"
        if name not in visited:
            for other in users[name]:
                visit(other, (*trail, name))
            visited.add(name)

    for name in modules:
        visit(name, ())


@pytest.mark.parametrize("path", [path for path in _modules("engine") if path.stem.endswith("_kernels")], ids=_name)
def test_kernels_import_only_what_the_cache_key_covers(path: Path):
    imports = _imports(path)
    kernels = {name for name in imports if "_kernels" in name}
    packages_of_kernels = {kernel.rpartition(".")[0] for kernel in kernels}
    for name in imports - kernels - packages_of_kernels:
        outside = name.split(".")[0] in {"__future__", "numpy", "numba", "math", "typing"}
        covered = {f"engine.{source.removesuffix('.py').replace('/', '.')}" for source in CONSTANTS}
        assert outside or any(f"{name}.".startswith(f"{module}.") for module in covered), (
            f"{_name(path)} imports {name}: an edit there would not renew the cache"
        )


def test_numba_is_configured_and_overridden_in_one_place_each():
    users = [_name(path) for path in _every_module() if "numba" in {n.split(".")[0] for n in _imports(path)}]
    assert set(users) <= {
        "engine/_jit.py",
        "engine/_numba_parts.py",
        *(name for name in users if name.endswith("_kernels.py")),
    }


WRITING = {"mkstemp", "NamedTemporaryFile", "rename", "replace_file", "write_bytes", "write_text"}
"""What writes, replaces or renames a file."""
MODES = {f"{mode}{rest}" for mode in "wax" for rest in ("", "b", "t", "+", "b+", "+b")} | {"r+", "r+b", "rb+"}
"""With these, ``open`` does too."""
WRITES_FILES = {
    "bot/lab/sparring.py": "logs of a deal, in other processes",
    "bot/machine/fetch.py": "logs that were fetched",
    "bot/machine/logs.py": "a new file",
    "bot/machine/files.py": "the place for it",
    "bot/machine/outputs.py": "what users name",
    "bot/page/running.py": "the note of the page that is being served",
    "bot/watch/place.py": "the log to review, in a folder of its own",
    "engine/papers/neat/keeping.py": "a checkpoint",
    "engine/kept.py": "compiled kernels and tables, for the next run",
}
"""Modules that write files themselves; what users name is written through :mod:`bot.machine.outputs`."""


def _writes_files(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call):
            name = getattr(node.func, "attr", None) or getattr(node.func, "id", "")
            values = [*node.args, *(word.value for word in node.keywords)]
            modes = [value.value for value in values if isinstance(value, ast.Constant)]
            opened = name == "open" and any(mode in MODES for mode in modes)
            if name in WRITING or opened:
                yield f"line {node.lineno}: {name}"


def test_files_that_users_name_are_written_in_one_place():
    found = {_name(path): list(_writes_files(path)) for path in _every_module()}
    assert {name for name, lines in found.items() if lines} == set(WRITES_FILES), found


def test_top_level_is_the_design_card():
    allowed = {
        ".ci", ".dockerignore", ".editorconfig", ".git", ".github", ".gitignore", ".pre-commit-config.yaml",
        "CHANGELOG.md", "CONTRIBUTING.md", "Dockerfile", "LICENSE", "Makefile", "README.md", "bot",
        "config.example.toml", "docs", "engine", "protocol", "pyproject.toml", "requirements.lock", "tests",
    }  # fmt: skip
    generated = {
        "build",
        ".venv",
        ".venv-lowest",
        ".ready",
        ".mypy_cache",
        ".ruff_cache",
        ".pytest_cache",
        ".hypothesis",
        ".benchmarks",
    }
    assert {path.name for path in ROOT.iterdir()} <= allowed | generated
