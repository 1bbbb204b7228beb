"""Figures that commands print, kept so that a change that should not alter them can be seen not to.

Each case is one command over recordings that are named, not copied; the figures it printed are kept in ``outputs/``,
one JSON file for each case. Words, times, paths and settings are left out, because they may change. After a change that
is meant to alter figures, renew the files and state in the commit what changed; the script prints the differences::

    python -m tests.golden.outputs ../shared/corpus            # all cases
    python -m tests.golden.outputs ../shared/corpus audit      # one
"""

from __future__ import annotations

import hashlib
import json
import math
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bot.logs.sources import open_logs

KEPT = Path(__file__).with_name("outputs")
LEFT_OUT = {
    *("made_by", "policy", "settings", "source", "file", "state", "reference", "judges", "seconds", "ms", "us"),
    *("worlds_per_s", "decision_ms", "message", "text", "version", "clauses"),
}
"""Keys whose values are no figures, or differ from run to run."""
EVERY = 5
"""Of the decisions of an audit every so many are kept whole: all would be a third of a megabyte."""
TOLERANCE = {"rel_tol": 1e-3, "abs_tol": 1e-4}
"""The floating point of another processor may change a figure by no more."""

EAST_GAMES = ("houou-tonpu-00.tar.xz", ("2009022012gm-00e1-0000-392f3108", "2009022012gm-00e1-0000-d58e3675"))
GAME = f"games/{EAST_GAMES[1][0]}.xml"
HANCHAN = "{corpus}/houou-hanchan-00.tar.xz"
FEW = ("--logs", HANCHAN, "--games", "2", "--nodes", "2000", "--json")
SEARCH = ("--nodes", "4000")


@dataclass(frozen=True)
class Case:
    """A command whose figures are kept."""

    name: str
    commands: tuple[tuple[str, ...], ...]  # run in order in one folder; the figures are those of the last
    read: Callable[[str], Any] = json.loads  # the figures in the text that it printed


def _digest(text: str) -> dict[str, Any]:
    """The length and the digest of a text, which must not change by a byte."""
    return {"lines": text.count("\n"), "sha256": hashlib.sha256(text.encode()).hexdigest()}


def _case(name: str, *arguments: str, read: Callable[[str], Any] = json.loads) -> Case:
    return Case(name, (arguments,), read)


REVIEW = ("audit", "games", "--seat", "P1", *SEARCH, "-o", "review", "--json")
CASES = (
    _case("audit", "audit", GAME, "--seat", "1", *SEARCH, "--json"),
    _case("audit-of-many", *REVIEW),
    Case("practice", (REVIEW, ("practice", "review", "--grade", "inaccuracy", "--json"))),
    _case("stats", "stats", "--folder", "results", "--json"),
    _case("replay", "replay", "games", "--seat", "P1", "--agree", *SEARCH, "--json"),
    _case("export-mjai", "export", GAME, "--to", "mjai", read=_digest),
    _case("export-tenhou6", "export", GAME, "--to", "tenhou6", read=_digest),
    _case("export-mjlog", "export", GAME, "--to", "mjlog", read=_digest),
    _case("verify", "verify", "{corpus}/tenhou6-mjai.tar.xz", "--json"),
    _case("verify-sessions", "verify", "{corpus}/wire-sessions.tar.xz", "--json"),
    _case("bench-policy", "bench", "policy", *FEW, "--every-game"),
    _case("bench-forecasts", "bench", "forecasts", *FEW, "--every-game"),
    _case("bench-chances", "bench", "chances", *FEW, "--every-game"),
    _case("bench-decisions", "bench", "decisions", *FEW, "--walls", "2", "--share", "0.05"),
    _case(
        "bench-grades", "bench", "grades", "--logs", HANCHAN, "--games", "2", "--walls", "2", "--every-game", "--json"
    ),
    _case(
        *("bench-danger", "bench", "danger", "--logs", HANCHAN, "--points", "200", "--wins", "20"),
        *("--every-game", "--json"),
    ),
    _case("arena", "arena", "phoenix", "simple", "--tonpu", "--games", "4", "--without-luck", "--json"),
)


def printed(case: Case, corpus: Path) -> Any:
    """The figures that a case prints today."""
    with tempfile.TemporaryDirectory() as folder:
        _write_inputs(Path(folder), corpus)
        environment = {**os.environ, "XDG_CONFIG_HOME": os.devnull, "XDG_DATA_HOME": folder}
        environment["PYTHONPATH"] = str(Path(__file__).parents[2])
        for command in case.commands:
            arguments = [word.replace("{corpus}", str(corpus.resolve())) for word in command]
            run = subprocess.run(  # noqa: S603 - our own program
                [sys.executable, "-m", "bot", *arguments],
                cwd=folder,
                env=environment,
                capture_output=True,
                encoding="utf-8",
                check=False,
            )
            if run.returncode:
                message = f"{' '.join(arguments)} ended with {run.returncode}: {run.stderr.strip()}"
                raise RuntimeError(message)
    return _figures(case.read(run.stdout))


def _write_inputs(folder: Path, corpus: Path) -> None:
    """Lay out ``games/`` with two recorded games and ``results/`` with forty results."""
    (folder / "games").mkdir()
    archive, games = EAST_GAMES
    for file in open_logs([corpus / archive]):
        name = Path(file.name).name
        if name.removesuffix(".xml") in games:
            (folder / "games" / name).write_bytes(file.data)
            if len(list((folder / "games").iterdir())) == len(games):
                break
    (folder / "results").mkdir()
    with (folder / "results" / "results.ndjson").open("w", encoding="utf-8") as lines:
        for number in range(40):
            place = (number * 7 % 11 + number * 3 % 5) % 4 + 1
            entry = {
                "at": f"2026-03-{number // 4 + 1:02}T{8 + number % 4:02}:10:00+09:00",
                "account": ("first", "second")[number % 2],
                "server": ("embedded", "example.org")[number % 3 == 0],
                "lobby": 0,
                "game_type": (0xA9, 0xE1)[number % 5 == 0],
                "placement": None if number == 17 else place,
                "score": 45_000 - 8_000 * place + 100 * number,
                "result": 90.0 - 36.0 * place,
                "dan": 16,
                "points": 1_200 + 10 * number,
                "rate": 2_100.5 + number,
                "drops": number % 9 == 0,
                "policy": ("value", "human")[number % 4 == 0],
            }
            lines.write(json.dumps({**entry, "drops": int(entry["drops"])}) + "\n")


def _figures(value: Any) -> Any:
    """A printed value without what :data:`LEFT_OUT` names; of a list of decisions every fifth one."""
    if isinstance(value, dict):
        kept = {key: one for key, one in value.items() if key not in LEFT_OUT}
        return {
            key: _figures(one[::EVERY] if key == "decisions" and isinstance(one, list) else one)
            for key, one in kept.items()
        }
    if isinstance(value, list):
        return [_figures(one) for one in value]
    return None if isinstance(value, float) and math.isnan(value) else value


def differences(now: Any, then: Any, place: str = "") -> Iterator[str]:
    """Say where figures differ from those kept: what is other, what has left, what has come."""
    match now, then:
        case dict(), dict():
            for key in sorted({*now, *then}, key=str):
                where = f"{place}.{key}" if place else key
                if key not in now:
                    yield f"{where} has left"
                elif key not in then:
                    yield f"{where} has come"
                else:
                    yield from differences(now[key], then[key], where)
        case list(), list():
            if len(now) != len(then):
                yield f"{place} has {len(now)} entries, not {len(then)}"
            for number, (one, other) in enumerate(zip(now, then, strict=False)):
                yield from differences(one, other, f"{place}[{number}]")
        case (int() | float(), int() | float()) if not isinstance(now, bool):
            if not math.isclose(now, then, **TOLERANCE):
                yield f"{place} is {now}, not {then}"
        case _:
            if now != then:
                yield f"{place} is {now!r}, not {then!r}"


def kept(case: Case) -> Any:
    """The figures of a case as they were."""
    return json.loads((KEPT / f"{case.name}.json").read_text(encoding="utf-8"))


def main(corpus: Path, *names: str) -> None:
    KEPT.mkdir(exist_ok=True)
    for case in CASES:
        if names and case.name not in names:
            continue
        now = printed(case, corpus)
        file = KEPT / f"{case.name}.json"
        changes = list(differences(now, kept(case))) if file.exists() else ["new"]
        print(f"{case.name}: {len(changes)} differences", *changes[:20], sep="\n  ")  # noqa: T201 - a script
        if changes:
            file.write_text(json.dumps(now, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]), *sys.argv[2:])
