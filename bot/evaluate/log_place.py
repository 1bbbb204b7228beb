"""A position in a recorded game, as people write it: ``game.xml#E3-1/turn9/seat2``."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Final

from bot.logs.addresses import shortened
from bot.logs.games import each_game_once
from bot.machine.errors import InputError
from bot.machine.inputs import Inputs
from bot.replay.counting import read_game
from bot.replay.decisions import DecisionPoint
from bot.replay.sessions import followed_steps, hands_left_out
from bot.replay.steps import decision_points
from engine.arena.playout import RecordedHand
from engine.model.seats import SEATS, kyoku_name
from protocol.errors import LogError
from protocol.logs.formats import FORMATS, LogFile, read_session
from protocol.logs.game_log import LeftOut

_PLACE: Final = re.compile(
    r"(?P<path>.+?)(?:::(?P<part>[^#]+))?#(?P<hand>[ESWN][1-4](?:-[0-9]+)?)"
    r"/turn(?P<turn>[0-9]{1,2})(?:/seat(?P<seat>[0-3]))?(?P<claim>/claim)?"
)


@dataclass(frozen=True, slots=True)
class LogPlace:
    """A decision of one seat."""

    path: str  # log, folder, archive, address, or ``-`` for standard input
    part: str  # part of the log's name, if there are several logs
    hand: str  # ``'E3'``, or ``'E3-1'`` with honba
    turn: int  # the seat's own turn, from 1
    # absolute seat, 0 the first dealer; None for the one of the link, or the client of a captured session
    seat: int | None
    claim: bool = False  # whether the decision is about another's tile before that turn, not the turn itself


def parse_place(text: str) -> LogPlace:
    """Parse a position.

    Raises:
        InputError: the text is not a position.
    """
    found = _PLACE.fullmatch(text)
    if found is None:
        raise InputError(
            f"{shortened(text)!r} is not a position; write LOG#E3-1/turn9/seat2: hand with honba, own turn, seat "
            "(0 deals first); ARCHIVE::NAME#… picks a log by a part of its name, …/claim the answer to another's tile "
            "before that turn"
        )
    seat = found["seat"]
    return LogPlace(
        found["path"],
        found["part"] or "",
        found["hand"].removesuffix("-0"),
        int(found["turn"]),
        None if seat is None else int(seat),
        found["claim"] is not None,
    )


def find_decision(place: LogPlace, *, fetch: bool = False) -> DecisionPoint:
    """The decision at a position; its state is the seat's view then.

    Args:
        place: the position.
        fetch: whether a log that an address names and that is not here is asked for.

    Raises:
        InputError: the log, hand or decision does not exist; the message says what exists.
    """
    file = _one_log(place, fetch=fetch)
    left_out: tuple[LeftOut, ...] = ()
    try:
        session = read_session(file)
        if session is not None:
            left_out = hands_left_out(followed_steps(session))
            points = decision_points(session)
        else:
            log = read_game(file)
            left_out = log.left_out
            said = file.seat if place.seat is None else place.seat
            seat = log.viewer if said is None else said
            if seat is None:
                raise InputError(f"{file.name}: the log shows all four seats; add /seat0 to /seat3 to the position")
            if log.viewer not in {None, seat}:
                raise InputError(f"{file.name}: shows what seat {log.viewer} saw, not seat {seat}")
            points = decision_points(log, SEATS[seat])
        turns: list[int] = []
        hands: dict[str, None] = {}
        for point in points:
            name = kyoku_name(point.place.kyoku, point.place.honba)
            hands[name] = None
            if name != place.hand or point.own_turn is place.claim:
                continue
            if place.seat not in {None, point.state.seat}:
                raise InputError(f"{file.name}: shows what seat {point.state.seat} saw, not seat {place.seat}")
            turns.append(point.place.turn)
            if point.place.turn == place.turn:
                return point
    except LogError as error:
        raise InputError(str(error)) from error
    what = "claims" if place.claim else "turns"
    if gone := next((left for left in left_out if left.hand == place.hand and place.hand not in hands), None):
        raise InputError(f"{file.name}: {gone}")
    if place.hand not in hands:
        raise InputError(f"{file.name}: no hand {place.hand}; there are: {', '.join(hands)}")
    there = f"there are: {', '.join(map(str, turns))}" if turns else "it was never asked"
    raise InputError(f"{file.name}: {place.hand} has no decision at turn {place.turn} of that seat; {what}: {there}")


def find_hand(place: LogPlace) -> RecordedHand:
    """The hand up to the decision at a position, in a log that shows all four seats.

    Raises:
        InputError: see :func:`find_decision`, or the log shows one seat.
    """
    point, file = find_decision(place), _one_log(place)
    log = read_game(file) if FORMATS[file.format].session is None else None
    if log is None or log.viewer is not None:
        raise InputError(f"{file.name}: shows one seat; the other hands are needed, too")
    return RecordedHand.until(log.start.rules, log.events, point.place.event)


def _one_log(place: LogPlace, *, fetch: bool = False) -> LogFile:
    inputs = Inputs([place.path], fetch=fetch)

    def wanted() -> Iterator[LogFile]:
        return (file for file in inputs.every_file() if place.part in file.name)

    files, _ = each_game_once(wanted, whole=place.seat is not None)
    found = list(islice(files, 2))
    if not found:
        which = f" with {place.part!r} in its name" if place.part else ""
        raise InputError(f"{shortened(place.path)}: no log{which} there")
    if len(found) > 1:
        raise InputError(
            f"{shortened(place.path)}: several logs, such as {found[0].name} and {found[1].name}; "
            f"pick one: {place.path}::{Path(found[0].name).stem}#{place.hand}/…"
        )
    return found[0]
