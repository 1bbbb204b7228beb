"""Policies that misbehave, each in one way, and the requirements of a run in which one of them plays."""

import json
import os
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from bot.replay.steps import decision_points
from engine.model.actions import WINS, Action, ActionKind
from engine.model.events import Event
from engine.policy.decision import JSON, Budget, Candidate, Decision
from engine.policy.simple.policy import SimplePolicy
from engine.state import GameState
from protocol.logs.record import read_session
from tests.chaos.child import Ended, run

SETTINGS: Final = {"lobby": {"seats": ["tsumogiri"] * 3}}
HURRIED: Final = {"lobby": {"seats": ["tsumogiri"] * 3, "action": 0.5, "bank": 0.0}, "clock": {"margin": 0.3}}
"""A clock with which a decision that never ends costs a fifth of a second."""
SECONDS_EACH: Final = 90.0
"""Time for one game, in which every decision may be late, on a busy machine."""
LINGER: Final = 2.0
"""Seconds after its last line in which a process must have ended."""


class Raises(SimplePolicy):
    """Raises, with a text that would control the terminal."""

    def decide(self, state: GameState, legal: Sequence[Action], budget: Budget) -> Decision:  # noqa: ARG002
        """Fail."""
        raise ValueError("no idea\x1b[2J\nat all")


class Unprintable(SimplePolicy):
    """Raises an exception that cannot be printed."""

    def decide(self, state: GameState, legal: Sequence[Action], budget: Budget) -> Decision:  # noqa: ARG002
        """Fail."""
        raise _UnprintableError


class _UnprintableError(Exception):
    def __str__(self) -> str:
        raise RuntimeError

    __repr__ = __str__


class Stops(SimplePolicy):
    """Raises StopIteration, as a bare ``next`` does."""

    def decide(self, state: GameState, legal: Sequence[Action], budget: Budget) -> Decision:  # noqa: ARG002
        """Fail."""
        return next(iter(()))


class Exits(SimplePolicy):
    """Wants to end the process."""

    def decide(self, state: GameState, legal: Sequence[Action], budget: Budget) -> Decision:  # noqa: ARG002
        """Fail."""
        sys.exit(0)


class Recurses(SimplePolicy):
    """Calls itself without end."""

    def decide(self, state: GameState, legal: Sequence[Action], budget: Budget) -> Decision:
        """Fail."""
        return self.decide(state, legal, budget)


class Nonsense(SimplePolicy):
    """Returns a text."""

    def decide(self, state: GameState, legal: Sequence[Action], budget: Budget) -> Any:  # noqa: ARG002
        """Fail."""
        return "discard 1m"


class Illegal(SimplePolicy):
    """Discards a tile that does not exist."""

    def decide(self, state: GameState, legal: Sequence[Action], budget: Budget) -> Decision:  # noqa: ARG002
        """Fail."""
        return Decision(Action(ActionKind.DISCARD, 999))


class NotANumber(SimplePolicy):
    """Values its choice at NaN points."""

    def decide(self, state: GameState, legal: Sequence[Action], budget: Budget) -> Decision:  # noqa: ARG002
        """Fail."""
        return Decision(legal[0], (Candidate(legal[0], float("nan")),), unit="points")


class Mutates(SimplePolicy):
    """Answers well, and empties the state that it was handed."""

    def decide(self, state: GameState, legal: Sequence[Action], budget: Budget) -> Decision:
        """Answer, then spoil the state."""
        decision = super().decide(state, legal, budget)
        parts: list[Any] = [*state.rivers, *state.melds, state.rivers, state.melds]
        for part in parts:
            part.clear()
        return decision


class Prints(SimplePolicy):
    """Answers well, and prints, also past Python."""

    def decide(self, state: GameState, legal: Sequence[Action], budget: Budget) -> Decision:
        """Print and answer."""
        print("a thought")  # noqa: T201
        os.write(1, b"another thought\n")
        return super().decide(state, legal, budget)


class Hangs(SimplePolicy):
    """Waits for ever."""

    def decide(self, state: GameState, legal: Sequence[Action], budget: Budget) -> Decision:
        """Wait."""
        time.sleep(1e6)
        return super().decide(state, legal, budget)


class Loops(SimplePolicy):
    """Computes for ever, without a look at its budget."""

    def decide(self, state: GameState, legal: Sequence[Action], budget: Budget) -> Decision:  # noqa: ARG002
        """Compute."""
        while True:
            pass


class StartFails(SimplePolicy):
    """Raises when a hand begins."""

    def start_kyoku(self) -> None:
        """Fail."""
        raise KeyError("tables")


class HearingFails(SimplePolicy):
    """Listens, and raises at every event."""

    def hear(self, event: Event, seat: int) -> None:  # noqa: ARG002
        """Fail."""
        raise OSError("no microphone")

    def close(self) -> None:
        """Do nothing."""


class OddSettings(SimplePolicy):
    """Has settings that are not JSON."""

    def settings(self) -> Mapping[str, JSON]:
        """Fail."""
        odd: dict[str, Any] = {"table": object()}
        return odd


class NoSettings(SimplePolicy):
    """Cannot read its settings."""

    def settings(self) -> Mapping[str, JSON]:
        """Fail."""
        raise OSError("no such table")


LATE: Final = "decide was late"

MISBEHAVING: Final[Mapping[type[SimplePolicy], tuple[str, ...]]] = {
    Raises: ("decide raised ValueError",),
    Unprintable: ("decide raised _UnprintableError",),
    Stops: ("decide raised StopIteration",),
    Exits: ("decide raised SystemExit",),
    Recurses: ("decide raised RecursionError",),
    Nonsense: ("decide did not return a decision",),
    Illegal: ("decide chose an illegal action",),
    NotANumber: ("decide did not return a decision",),
    Mutates: (),
    Prints: (),
    Hangs: (LATE,),
    Loops: (LATE,),
    StartFails: ("start_kyoku raised KeyError",),
    HearingFails: ("hear raised OSError",),
    OddSettings: ("settings raised TypeError",),
    NoSettings: ("settings raised OSError",),
}
"""The policies, and the faults that a run with each must report: all of them, once, and no others."""


async def misbehaves(folder: Path, policy: type[SimplePolicy], games: int) -> tuple[Ended, list[str]]:
    """Let a policy play in the embedded lobby; how the process ended, and the requirements that were not met.

    All games are played, and no win is passed. Each kind of fault is reported in one line and counted at the end, and
    the exit code is 1 if there was one. Only the policy itself may be late. Standard output has the figures and nothing
    else, and the process ends within :data:`LINGER` seconds of its last line.
    """
    games = min(games, 2) if policy is Loops else games  # what it leaves of each game slows the later ones down
    name = f"{policy.__module__}:{policy.__name__}"
    expected = sorted(f"policy {name}: {fault}" for fault in MISBEHAVING[policy])
    settings = HURRIED if LATE in MISBEHAVING[policy] else SETTINGS
    arguments = ("--policy", name, "--tonpu", "--games", str(games))
    ended = await run(folder, settings, *arguments, seconds=SECONDS_EACH * games)
    faults = ended.faults((1 if expected else 0,), SECONDS_EACH * games)
    if ended.figures.get("games") != games:
        faults.append(f"{ended.figures.get('games')} games instead of {games} were played: {ended.out[-300:]}")
    counted = sorted(f"{each['who']}: {each['method']} {each['what']}" for each in ended.figures.get("faults", []))
    if counted != expected:
        faults.append(f"{counted} were counted instead of {expected}")
    reported = sorted(_reported(folder))
    if len(reported) != len(expected) or not all(map(str.startswith, reported, expected)):
        faults.append(f"{reported} were reported instead of {expected}")
    if ended.linger > LINGER:
        faults.append(f"the process ended {ended.linger:.1f} s after its last line")
    passed = sum(wins_in(Path(record))[1] for record in ended.figures.get("records", []))
    if passed:
        faults.append(f"{passed} wins were passed")
    return ended, faults


def _reported(folder: Path) -> list[str]:
    """The faults in the log."""
    lines = map(json.loads, (folder / "play.log").read_text(encoding="utf-8").splitlines())
    return [str(line["what"]) for line in lines if line["event"] == "fault"]


def wins_in(record: Path) -> tuple[int, int]:
    """The wins in a record that were taken, and those that were passed."""
    session = read_session(record.read_bytes(), str(record))
    asked = [point for point in decision_points(session) if any(each.kind in WINS for each in point.legal)]
    taken = sum(point.played is not None and point.played.kind in WINS for point in asked)
    return taken, len(asked) - taken
