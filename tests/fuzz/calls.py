"""Random calls of everything that ``import oshihiki`` offers: ``python tests/fuzz/calls.py --calls 1000 [--seed N]``.

Arguments are right, wrong or missing. A call may answer, or refuse with an error that the documentation names; another
error is a find, and so is a process that dies. Before each call its description goes to standard output: whoever
started this program knows the last one. Exit code 1 when there was a find.
"""

from __future__ import annotations

import argparse
import faulthandler
import inspect
import os
import random
import sys
import tempfile
import traceback
from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields, replace
from itertools import islice
from pathlib import Path
from typing import Any, Final

ROOT: Final = Path(__file__).parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "bot" / "library")]

import numpy as np  # noqa: E402
import oshihiki  # noqa: E402
from oshihiki import simulator  # noqa: E402

from engine.state import StateError  # noqa: E402

GAME: Final = str(ROOT / "docs" / "examples" / "game.xml")
AGAIN: Final = 150
"""Calls after which all objects are made anew."""
OURS: Final = (str(ROOT / "bot" / "api"), inspect.__file__)
"""Where a TypeError says which argument is wrong."""
HANDS: Final = (
    "123m456p78s1122z",
    "11223m1123789p55z",
    "19m19p19s12345677z",
    "123m405p789s11155z",
    "55z456s",
    "1111m222p333s4z",
    "",
)
WRITTEN: Final = tuple(oshihiki.Written(hand, dora="9s") for hand in HANDS)


class Evil:
    """Raises from whatever Python asks it."""

    def _raise(self, *_: Any) -> Any:
        raise ZeroDivisionError("evil")

    __array__ = __iter__ = __len__ = __index__ = __int__ = __float__ = __eq__ = __bool__ = __fspath__ = __repr__ = (
        _raise
    )
    __hash__ = object.__hash__


def wrong(rng: random.Random) -> Any:
    """Something that is hardly ever right."""
    numbers = [-1, 0, 1, 3, 4, 7, 99, 255, 256, 2**31, 2**40, 2**62, 2**63, 2**64 - 1, 2**70, -(2**63), 10**400]
    kinds = ["u1", "i1", "u2", "i8", ">i8", "u8", "f4", "f8", "c16", "?", "O", "U3", "M8[s]"]
    shapes = [(), (0,), (1,), (4,), (34,), (0, 34), (3, 34), (4, 4), (34, 3), (2, 0), (1, 1, 1)]
    found = rng.choice(
        [
            lambda: rng.choice([None, True, False, float("nan"), float("inf"), -0.5, 2.0, 1j, "", "x", "1m", b"1m"]),
            lambda: rng.choice(["\ud800", "\0", "x" * 5_000, "1" * 400, "E1/turn9", "a:b", "simple:x=1", "🀇", " "]),
            lambda: rng.choice(numbers),
            lambda: rng.choice([[], (), {}, set(), [[]], [None], [1, [2]], [[0, 1], [2]], [float("nan")], [True]]),
            lambda: rng.choice([object(), Evil(), Exception, len, range(5), range(-3, 0), iter(()), type, sys]),
            lambda: [rng.choice(numbers) for _ in range(rng.choice([1, 4, 34]))],
            lambda: np.zeros(rng.choice(shapes), rng.choice(kinds)),
            lambda: np.array([rng.choice(numbers[:12]) for _ in range(rng.choice([1, 4, 34]))]),
            lambda: np.full(rng.choice(shapes), rng.choice([1, 5, 200]), np.uint8),
            lambda: np.int64(rng.choice(numbers[:12])),
            lambda: oshihiki.Action(rng.choice([oshihiki.ActionKind.CHI, 0, None]), rng.choice(numbers), (1, "x")),
            lambda: oshihiki.Rules(start_points=rng.choice([0, 50, 250_000]), uma=(1_000, 0, 0, -1_000)),
            lambda: simulator.Standing(rng.choice([*numbers, None]), 0, 0, rng.choice([None, (1,), (25_000,) * 4])),
        ]
    )()
    return [found, found] if rng.random() < 0.05 else found


@dataclass
class World:
    """The objects whose methods are called."""

    tables: list[simulator.Simulator]
    games: list[oshihiki.Game]
    states: list[oshihiki.GameState]
    logged: list[oshihiki.LoggedPosition]
    rows: list[oshihiki.LoggedDecision]
    positions: list[simulator.Position]
    tiles: list[oshihiki.Tiles]

    @classmethod
    def made(cls, rng: random.Random) -> World:
        """New ones."""
        tables = [
            simulator.Simulator(rng.choice([1, 5, 40]), seed=rng.randrange(99), observe=observe, episode=episode)
            for observe, episode in (("table", "game"), ("none", "hand"), ("network", "game"))
        ]
        for each in tables[:2]:
            each.reset()
            for _ in range(rng.randrange(60)):
                each.step(each.answers_of("random"))
        games = [oshihiki.Game(seed=rng.randrange(99))]
        logged = list(islice(oshihiki.positions(GAME, seat=rng.randrange(4)), 30))
        states = [rng.choice(logged).state for _ in range(3)] + [oshihiki.table(WRITTEN[1]), oshihiki.GameState(1)]
        positions = [tables[0].save(0), simulator.Simulator(1).save(0), oshihiki_position(rng)]
        rows = list(islice(oshihiki.decisions(GAME), 3))
        return cls(tables, games, states, logged, rows, positions, [oshihiki.Tiles(hand) for hand in HANDS[:4]])


def oshihiki_position(rng: random.Random) -> simulator.Position:
    """A position, with something else written into it now and then."""
    table = simulator.Simulator(1, seed=rng.randrange(9))
    table.reset()
    position = table.save(0)
    if rng.random() < 0.5:
        return position
    record = position.record.copy()
    name = rng.choice(record.dtype.names)
    record[name] = np.array(rng.choice([-1, 1, 99, 200]), np.int64).astype(record.dtype[name].base)
    return replace(position, record=record)


def right(name: str, world: World, rng: random.Random) -> Any:
    """Something that an argument of this name may be; what is wrong if the name says nothing."""
    size = len(rng.choice(world.tables))
    choices: dict[str, Callable[[], Any]] = {
        "hand": lambda: rng.choice([*HANDS, *world.tiles, *WRITTEN, _far_out(rng)]),
        "hands": lambda: rng.choice(
            [list(HANDS[:4]), np.ones((2, 34), np.uint8), _counts(rng), np.zeros((0, 34), "u1")]
        ),
        "melds": lambda: rng.choice(["", "123p", "[1111m] 555z", np.zeros(1, np.uint8), np.ones(2, np.uint8), 0, 1, 4]),
        "visible": lambda: rng.choice(["", "1m", "55z"]),
        "evaluator": lambda: "dag",
        "nodes": lambda: rng.choice([1, 50, 200, -1, 0, "x", None, 0.5]),
        "policy": lambda: rng.choice(["random", "simple", "tsumogiri", "phoenix", "value:x=1"]),
        "estimator": lambda: rng.choice(["suji", "model", "x"]),
        "text": lambda: rng.choice(["simple", "dag", "suji", "tsumogiri", *HANDS]),
        "state": lambda: rng.choice(world.states),
        "written": lambda: rng.choice([rng.choice(WRITTEN), _far_out(rng)]),
        "rivers": lambda: rng.choice([None, oshihiki.Rivers(), oshihiki.Rivers("1m2m*3m", "", "5z")]),
        "won": lambda: oshihiki.WonHand(rng.choice(HANDS), win=rng.choice(["1m", "2z", ""]), tsumo=rng.random() < 0.5),
        "logs": lambda: GAME,
        "seat": lambda: rng.randrange(4),
        "seats": lambda: rng.choice([0, [0], [0, 3], np.array([1, 2, 3])]),
        "seed": lambda: rng.choice([0, 7, 2**63 - 1]),
        "rules": lambda: rng.choice(["tonpu", "hanchan", oshihiki.Rules(), oshihiki.Rules(uma=(9, 3, -3, -9))]),
        "tables": lambda: rng.choice([1, 3, 0, [0], [0, 0], np.arange(3), range(size)]),
        "which": lambda: rng.choice([None, 0, [0], range(size), []]),
        "table": lambda: rng.randrange(size),
        "row": lambda: rng.randrange(4),
        "rows": lambda: rng.choice([None, 0, [0, 1], [], world.rows]),
        "position": lambda: rng.choice(world.positions),
        "standing": lambda: rng.choice(
            [None, simulator.Standing(3, 1, 2, (25_000, 20_000, 30_000, 23_000)), _far(rng)]
        ),
        "place": lambda: f"{GAME}#E3-1/turn9/seat2",
        "names": lambda: ["a", "b", "c", "<d>"],
        "path": lambda: "out.xml",
        "action": lambda: _action(world, rng),
        "answer": lambda: rng.choice([119, 37, _action(world, rng)]),
        "answers": lambda: _answers(world, rng),
        "viewer": lambda: rng.choice([None, 0, 1]),
        "shuffled": lambda: rng.random() < 0.5,
        "again": lambda: True,
        "walls": lambda: rng.choice(["fast", "tenhou"]),
        "episode": lambda: rng.choice(["game", "hand"]),
        "observe": lambda: rng.choice(["table", "network", "none"]),
        "legal": lambda: rng.choice(world.logged).legal,
        "counts34": lambda: _counts(rng)[0],
        "unseen": lambda: rng.choice([None, [4] * 34, [0] * 34]),
        "name": lambda: rng.choice(["suji", "model"]),
        "notation": lambda: rng.choice(list(oshihiki.Notation)),
    }
    return choices[name]() if name in choices else wrong(rng)


EXTREMES: Final = (-(10**400), -(2**63), -1, 0, 1, 99, 1_000, 1_001, 3_000, 10**6, 10**7, 2**31, 2**63, 10**400)
"""Numbers at the ends of what a table can have, and beyond."""


def _far_out(rng: random.Random) -> oshihiki.Written:
    """A hand with some numbers at or beyond the ends of what a table can have."""
    names = rng.sample(["honba", "sticks", "against", "points", "turn"], rng.randrange(1, 4))
    return replace(WRITTEN[rng.randrange(len(WRITTEN))], **{name: rng.choice(EXTREMES) for name in names})


def _far(rng: random.Random) -> simulator.Standing:
    """The same for a standing."""
    numbers = [rng.choice(EXTREMES) if rng.random() < 0.3 else 1 for _ in range(7)]
    return simulator.Standing(*numbers[:3], tuple(100 * each for each in numbers[3:]))


def _counts(rng: random.Random) -> Any:
    tiles = [rng.sample(range(136), 13) for _ in range(3)]
    return np.array([np.bincount(np.array(hand) // 4, minlength=34) for hand in tiles], np.uint8)


def _action(world: World, rng: random.Random) -> Any:
    legal = rng.choice(world.logged).legal
    return rng.choice(legal) if legal else oshihiki.PASS


def _answers(world: World, rng: random.Random) -> Any:
    for each in world.tables:
        if each.round is not None and rng.random() < 0.6:
            return each.answers_of(rng.choice(["random", "simple"]))
    return np.zeros(3, np.int64)


def entrances(world: World, rng: random.Random) -> Iterator[tuple[str, Callable[..., Any], bool]]:
    """What can be called: its name, itself, and whether only documented errors are answers."""
    for module in (oshihiki, simulator):
        for name in module.__all__:
            found = getattr(module, name)
            if callable(found) and not (inspect.isclass(found) and issubclass(found, Exception)):
                yield f"{module.__name__}.{name}", found, found.__module__.startswith("bot.")
    owners = [
        (rng.choice(world.tables), True),
        (rng.choice(world.games), True),
        (rng.choice(world.logged), True),
        (rng.choice(world.tiles), True),
        (rng.choice(world.states).copy(), False),
    ]
    for owner, strict in owners:
        for name in dir(owner):
            if not name.startswith("_") and name != "clear" and callable(getattr(type(owner), name, None)):
                yield f"{type(owner).__name__}.{name}", getattr(owner, name), strict


def given(entrance: Callable[..., Any], world: World, rng: random.Random) -> tuple[list[Any], dict[str, Any]]:
    """Arguments for a call."""
    try:
        takes = inspect.signature(entrance).parameters.values()
    except ValueError:  # of C
        return [wrong(rng)], {}
    values: list[Any] = []
    options: dict[str, Any] = {}
    share = rng.choice([0.0, 0.2, 0.5, 1.0])
    for each in takes:
        if each.default is not each.empty and rng.random() < 0.5:
            continue
        value = wrong(rng) if rng.random() < share and each.name != "nodes" else right(each.name, world, rng)
        if each.kind in {each.KEYWORD_ONLY, each.POSITIONAL_OR_KEYWORD} and (options or each.kind is each.KEYWORD_ONLY):
            options[each.name] = value
        elif each.kind is not each.VAR_KEYWORD:
            if each.default is not each.empty and each.kind is each.POSITIONAL_OR_KEYWORD:
                options[each.name] = value
            else:
                values.append(value)
    return values, options


def documented(error: Exception, *, strict: bool) -> bool:
    """Whether an error is one that the documentation names."""
    place = traceback.extract_tb(error.__traceback__)
    if isinstance(error, oshihiki.InputError | oshihiki.PositionError | StateError):
        return True
    if isinstance(error, TypeError) and (len(place) == 2 or place[-1].filename.startswith(OURS)):
        return True
    if isinstance(error, ZeroDivisionError) and place[-1].name == Evil._raise.__name__:
        return True  # an object's own error is handed on, as that of a list or an iterator is
    return not strict and not isinstance(error, SystemError | MemoryError | RecursionError)


def shown(value: Any) -> str:
    """A value, shortly."""
    try:
        return repr(value)[:120]
    except Exception:  # noqa: BLE001 - an evil one
        return f"<{type(value).__name__}>"


def call(entrance: Callable[..., Any], values: list[Any], options: dict[str, Any]) -> None:
    """Call it, and look at the beginning of what it gives."""
    found = entrance(*values, **options)
    if inspect.isgenerator(found):
        list(islice(found, 2))


def damaged_view(world: World, rng: random.Random) -> oshihiki.GameState:
    """A seat's view into which somebody has written."""
    state = rng.choice(world.states).copy()
    name = rng.choice([name for name in state.__slots__ or type(state).__mro__[1].__slots__ if name != "view"])
    value = getattr(state, name)
    if isinstance(value, list | bytearray) and value and rng.random() < 0.8:
        with_garbage: Any = value
        try:
            with_garbage[rng.randrange(len(value))] = rng.choice([-1, 5, 99, 200, 10_000, None])
        except (TypeError, ValueError):
            return state
    else:
        setattr(state, name, rng.choice([-1, 5, 40, 200, 10_000, 2**40, None, "x", [], [1] * 50]))
    return state


def run(calls: int, seed: int) -> list[str]:
    """Make so many calls; what was found."""
    rng = random.Random(seed)
    found = []
    world = World.made(rng)
    for number in range(calls):
        if number % AGAIN == AGAIN - 1:
            found += unsound(world)
            world = World.made(rng)
        if rng.random() < 0.06:
            function = rng.choice([oshihiki.danger, oshihiki.rank])
            more = rng.choice(["suji", "model"] if function is oshihiki.danger else ["simple", "phoenix"])
            name, entrance, strict = f"{function.__name__} of a damaged view", function, True
            values: list[Any] = [damaged_view(world, rng), more]
            options: dict[str, Any] = {}
        else:
            name, entrance, strict = rng.choice(list(entrances(world, rng)))
            values, options = given(entrance, world, rng)
        said = f"{name}({', '.join([*map(shown, values), *(f'{key}={shown(each)}' for key, each in options.items())])})"
        said = " ".join(said.split())
        sys.stdout.write(f"seed {seed}, call {number}: {said.encode('ascii', 'backslashreplace').decode()}\n")
        sys.stdout.flush()
        try:
            call(entrance, values, options)
        except Exception as error:  # noqa: BLE001  whatever else comes out is a find
            if not documented(error, strict=strict):
                place = traceback.extract_tb(error.__traceback__)[-1]
                where = f"{Path(place.filename).name}:{place.lineno}"
                found.append(f"seed {seed}, call {number}: {said}: {type(error).__name__} at {where}: {shown(error)}")
    return found + unsound(world)


def unsound(world: World) -> list[str]:
    """Simulators that do not go on after all those calls."""
    found = []
    for table in world.tables:
        try:
            if table.round is None:
                table.reset()
            for _ in range(3):
                table.step(table.answers_of("random"))
            sums = table._array["scores"].sum(axis=1) + 1000 * table._array["sticks"]
            if table.round is None or (table._array["phase"] > 5).any() or not np.isfinite(sums).all():
                found.append("a simulator is not sound")
        except Exception as error:  # noqa: BLE001
            found.append(f"a simulator does not go on: {type(error).__name__}: {error}")
    return found


def main() -> int:
    """Run what the command line says; prints the finds."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--calls", type=int, default=1_000)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    faulthandler.enable()
    assert all(fields(each) for each in (oshihiki.Written, oshihiki.Rivers))
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)  # some calls write files
        found = run(options.calls, options.seed)
        os.chdir(ROOT)
    sys.stderr.writelines(f"{each.encode('ascii', 'backslashreplace').decode()}\n" for each in found)
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(main())
