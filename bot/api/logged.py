"""Recorded games as positions, and as tables of decisions."""

import warnings
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, fields, replace
from html import escape
from os import PathLike, fsencode, fspath

import numpy as np
from numpy.typing import NDArray

from bot.api.arguments import check_action, typed
from bot.deciding.players import PlayerSpec
from bot.machine.errors import InputError
from bot.machine.inputs import Inputs
from bot.replay.decisions import DecisionPoint, find, look_alike
from bot.replay.steps import decision_points
from bot.review.recording import read_recording
from engine.model.actions import Action
from engine.model.budget import Budget
from engine.model.melds import format_meld
from engine.model.seats import SEATS, kyoku_name
from engine.model.tiles import format_tiles
from engine.policy.decision import Decider
from engine.rules.answer_kernels import ANSWERS, FIRST_TILE
from engine.rules.answers import number_of
from engine.settings import shown
from engine.shanten import shanten
from engine.state import GameState
from protocol.errors import LogError, LogTrouble, UnsupportedGameError


@dataclass(frozen=True, slots=True)
class LoggedDecision:
    """One decision in a recorded game; every field is a plain value, so that rows become columns.

    Attributes:
        game: the log.
        hand: ``'E3-1'``: the hand with its honba.
        turn: the seat's own turn, from 1.
        seat: 0 to 3; 0 deals first.
        own_turn: whether it was the seat's turn, not an answer to another's discard.
        tiles: concealed tiles.
        melds: melds, as the other functions take them.
        shanten: shanten of the hand.
        riichi_against: number of opponents in riichi.
        wall_left: tiles left in the wall.
        score: points of the seat.
        legal: number of legal answers.
        played: the answer; empty if the log does not show it.
        chosen: answer of the policy; empty without one.
        agrees: whether both are the same; None if either is missing.
        cost: by how much the policy values its own choice more, in its unit; None if it did not value what was played.
    """

    game: str
    hand: str
    turn: int
    seat: int
    own_turn: bool
    tiles: str
    melds: str
    shanten: int
    riichi_against: int
    wall_left: int
    score: int
    legal: int
    played: str
    chosen: str = ""
    agrees: bool | None = None
    cost: float | None = None


@dataclass(frozen=True, slots=True)
class LoggedPosition:
    """One decision in a recorded game, as its seat saw it.

    Attributes:
        game: the log.
        hand: ``'E3-1'``: the hand with its honba.
        turn: the seat's own turn, from 1.
        state: what the seat knew; a copy of its own.
        legal: its legal answers.
        played: its answer, as in ``legal``; None if the log does not show it.
        absent: whether the player was disconnected, so that the server answered.
    """

    game: str
    hand: str
    turn: int
    state: GameState
    legal: tuple[Action, ...]
    played: Action | None
    absent: bool = False

    @property
    def seat(self) -> int:
        """0 to 3; 0 deals first."""
        return self.state.seat

    @property
    def mask(self) -> NDArray[np.bool_]:
        """The legal answers by their numbers, as ``docs/simulator.md`` lists them: bool, shape (122,)."""
        mask = np.zeros(ANSWERS, np.bool_)
        mask[[self.number(action) for action in self.legal]] = True
        return mask

    def number(self, action: Action) -> int:
        """The number of an answer; answers that nobody can tell apart share one."""
        check_action(action)
        return number_of(action, self.state.drawn, self.state.rules.red_fives) & ((1 << FIRST_TILE) - 1)

    def __repr__(self) -> str:
        played = "not known" if self.played is None else str(self.played)
        return f"{self.game} {self.hand} turn {self.turn}, played: {played}\n{self.state!r}"

    def _repr_html_(self) -> str:
        """The table as a picture, for notebooks."""
        head, _, _ = repr(self).partition("\n")
        return f"<p>{escape(head)}</p>{self.state._repr_html_() or ''}"


@typed
def positions(*logs: str | PathLike[str], seat: int | None = None) -> Iterator[LoggedPosition]:
    """Yield the position at every decision in the logs, seat by seat.

    A hand that cannot be followed is left out, and so is a log that cannot be read among others; a warning names it.

    Args:
        logs: logs in any format, folders, archives.
        seat: one seat, or None for all whose hands the log shows.

    Raises:
        InputError: no log can be read or shows that seat, every one is of three players, or the seat does not exist.
            Logs of three players among others are left out, with one warning.
    """
    for game, point in _points(logs, seat):
        place = point.place
        yield LoggedPosition(
            game,
            kyoku_name(place.kyoku, place.honba),
            place.turn,
            point.state.copy(),
            point.legal,
            point.played,
            point.absent,
        )


@typed
def decisions(
    *logs: str | PathLike[str], seat: int | None = None, policy: str | None = None
) -> Iterator[LoggedDecision]:
    """Yield every decision in the logs; what is left out of them is named by warnings, see :func:`positions`.

    Args:
        logs: logs in any format, folders, archives.
        seat: one seat, or None for all whose hands the log shows.
        policy: the policy whose answers are compared; None: none.

    Raises:
        InputError: no log can be read or shows that seat, every one is of three players, or the policy or seat does
            not exist.
    """
    decider = None if policy is None else PlayerSpec.parse(policy).make(0)
    asked: tuple[str, int, int] | None = None
    for game, point in _points(logs, seat):
        hand = game, point.state.seat, point.place.hand
        if decider is not None and hand != asked:
            decider.start_kyoku()
            asked = hand
        yield _row(game, point, decider)


def _named(log: str | PathLike[str]) -> str:
    """The name of a log, if the machine can write it."""
    name = fspath(log)
    try:
        there = b"\0" not in fsencode(name)
    except UnicodeEncodeError:  # half of a pair of surrogates
        there = False
    if not there:
        raise InputError(f"log {shown(name)}: no file can have this name")
    return name


def _wrong_seat(source: str, viewer: int, seat: int | None) -> LogError:
    """The error of a log that does not show the hands of a seat."""
    return LogError(f"shows what seat {viewer} saw, not seat {seat}", source, trouble=LogTrouble.WRONG_SEAT)


def _points(logs: Iterable[str | PathLike[str]], seat: int | None) -> Iterator[tuple[str, DecisionPoint]]:
    """Each decision with the name of its log; states are live."""
    if seat is not None and seat not in SEATS:
        raise InputError(f"seat {seat!r} does not exist; seats are 0 to 3, 0 deals first")
    unread: list[LogError] = []
    some = three = False
    for file in Inputs([_named(log) for log in logs]).every_file():
        try:
            recording = read_recording(file)
            if recording.viewer is not None and seat not in {None, recording.viewer}:
                unread.append(_wrong_seat(file.name, recording.viewer, seat))
                continue
            for left in recording.left_out:
                warnings.warn(f"{file.name}: {left}", stacklevel=3)
            some = True
            seats = SEATS if recording.viewer is None else (recording.viewer,)
            for each in seats if seat is None else (seat,):
                for point in decision_points(recording.source, each, []):
                    yield file.name, point
        except UnsupportedGameError as error:
            if not three:
                warnings.warn(
                    f"{error.located(file.name)}; other logs of this kind are left out without a word", stacklevel=3
                )
            three = True
            unread.append(error)
        except LogError as error:
            unread.append(error.located(file.name))
    if unread and not some:
        raise InputError(str(unread[0]))
    for left_out in unread:
        if not isinstance(left_out, UnsupportedGameError):
            warnings.warn(f"{left_out}; it is left out", stacklevel=3)


@typed
def columns(rows: Iterable[LoggedDecision]) -> dict[str, list[str | int | float | None]]:
    """The rows as columns by name, as ``pandas.DataFrame`` or ``polars.DataFrame`` take them."""
    found: dict[str, list[str | int | float | None]] = {field.name: [] for field in fields(LoggedDecision)}
    for row in rows:
        if not isinstance(row, LoggedDecision):
            raise TypeError(f"columns: a row is {shown(row)}, of type {type(row).__name__}; it must be LoggedDecision")
        for name, value in asdict(row).items():
            found[name].append(value)
    return found


def _row(game: str, point: DecisionPoint, decider: Decider | None) -> LoggedDecision:
    state, place = point.state, point.place
    melds, red = state.melds[state.seat], state.rules.red_fives
    row = LoggedDecision(
        game=game,
        hand=kyoku_name(place.kyoku, place.honba),
        turn=place.turn,
        seat=state.seat,
        own_turn=point.own_turn,
        tiles=format_tiles(state.hand, red),
        melds=" ".join(format_meld(meld, red) for meld in melds),
        shanten=shanten(state.counts, len(melds)),
        riichi_against=len(state.riichi_opponents),
        wall_left=state.wall_left,
        score=state.scores[state.seat],
        legal=len(point.legal),
        played="" if point.played is None else str(point.played),
    )
    return row if decider is None else _compared(row, point, decider)


def _compared(row: LoggedDecision, point: DecisionPoint, decider: Decider) -> LoggedDecision:
    decision = decider.decide(point.state, point.legal, Budget())
    agrees = cost = None
    if point.played is not None:
        red = point.state.rules.red_fives
        agrees = look_alike(decision.action, point.played, red_fives=red)
        found = find(decision, point.played, red_fives=red)
        cost = max(0.0, decision.candidates[0].score - found.score) if found else None
    return replace(row, chosen=str(decision.action), agrees=agrees, cost=cost)
