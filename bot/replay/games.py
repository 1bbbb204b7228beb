"""Recorded games replayed by a policy: each decision of a seat is asked for and compared with what was played."""

import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from time import perf_counter
from typing import Any

from bot.deciding.ask import Outcome, ask
from bot.deciding.fields import action_fields, plain_number
from bot.deciding.players import PlayerSpec
from bot.machine.errors import InputError
from bot.machine.text import brief
from bot.replay.agreement import Agreement, Compared, compare
from bot.replay.counting import read_game
from bot.replay.decisions import DecisionPoint, Fault
from bot.replay.sessions import followed_steps, hands_left_out
from bot.replay.steps import begin_hand, steps
from bot.wording.grounds import words
from engine.model.budget import Budget
from engine.model.events import Ryuukyoku, StartGame, StartKyoku, Win
from engine.model.seats import SEATS, kyoku_name
from engine.policy.decision import Decider, Decision, Listener
from protocol.errors import LogError, LogTrouble, UnsupportedGameError, reading
from protocol.logs.formats import LogFile, read_session
from protocol.logs.game_log import GameLog
from protocol.logs.wire import WireSession


@dataclass(frozen=True, slots=True)
class Order:
    """The order of a replay: which policy, and what to ask it. Plain values, which can be sent to another process."""

    policy: str  # the policy, as :meth:`bot.deciding.players.PlayerSpec.parse` reads it
    seed: int = 0  # seed of the policy
    options: Mapping[str, Any] | None = None  # further settings; those that the policy does not have are ignored
    nodes: int | None = None  # bound on search nodes per decision; None: the policy's own
    # absolute seats that are replayed; a client's session has one. None: the seat that a log's link or name states, or
    # all.
    seats: tuple[int, ...] | None = None
    player: str = ""  # only the seat of the player of this name; empty for any
    rows: bool = False  # whether to keep each decision, not only the counts

    def seats_in(self, file: LogFile) -> tuple[int, ...]:
        """The absolute seats that are replayed from a log."""
        if self.seats is not None:
            return self.seats
        return SEATS if file.seat is None or self.player else (file.seat,)

    def chosen(self, names: Sequence[str], seats: Sequence[int], source: str) -> list[int]:
        """Those of the seats whose player has the name that is wanted, if one is.

        Raises:
            LogError: several have it, and no seat was chosen.
        """
        if not self.player:
            return list(seats)
        if self.seats is None:
            seat_of(names, self.player, source)
        return [seat for seat in seats if seat in seats_of(names, self.player)]


@dataclass(slots=True)
class Replayed:
    """The result for one log."""

    name: str  # name of the log
    digest: str  # hash of its bytes
    agreement: Agreement = field(default_factory=Agreement)  # the counts; its ``games`` are seats replayed
    rows: list[dict[str, Any]] = field(default_factory=list)  # each decision as JSON shows it, if requested
    notes: list[str] = field(default_factory=list)  # for people: where the log ends before its game does
    faults: list[str] = field(default_factory=list)  # for people: hands that could not be followed
    skipped: str = ""  # why the log was not replayed; empty if it was
    error: str = ""  # why it could not be read


def file_digest(file: LogFile) -> str:
    """A hash of a log's bytes."""
    return blake2b(file.data, digest_size=16).hexdigest()


def replay_file(file: LogFile, order: Order) -> Replayed:
    """Replay one log.

    Raises:
        InputError: the policy does not exist.
    """
    done = Replayed(file.name, file_digest(file))
    seats = order.seats_in(file)
    try:
        with reading(file.name, InputError):
            _replay(file, order, seats, done)
    except UnsupportedGameError as error:
        done.skipped = error.detail
    except LogError as error:
        done.error = error.detail
    if not (done.agreement.games or done.skipped or done.error):
        done.skipped = f"has no such {'player' if order.player else 'seat'}"
    return done


def _replay(file: LogFile, order: Order, seats: tuple[int, ...], done: Replayed) -> None:
    session = read_session(file)
    if session is not None:
        lost = hands_left_out(followed_steps(session))
        done.notes += [f"{session.source}: {left}" for left in lost]
        _play(session, None, order, seats, done)
        return
    log = read_game(file)
    done.notes += [*(f"{log.source}: {note}" for note in log.notes), *_unfinished(log)]
    if log.viewer is not None:
        seats = tuple(seat for seat in seats if seat == log.viewer)
        if not seats:
            done.skipped = f"shows what seat {log.viewer} saw; the hands of the other seats are hidden"
    for seat in order.chosen(log.start.names, seats, log.source):
        _play(log, seat, order, seats, done)


def _unfinished(log: GameLog) -> list[str]:
    """A note if the log ends in the middle of a hand."""
    if log.complete or isinstance(log.events[-1], Win | Ryuukyoku):
        return []
    last = next((event for event in reversed(log.events) if isinstance(event, StartKyoku)), None)
    where = f" {kyoku_name(last.kyoku, last.honba)}" if last else ""
    return [f"{log.source}: ends in the middle of{where}; played up to there"]


def _play(
    source: GameLog | WireSession, seat: int | None, order: Order, seats: tuple[int, ...], done: Replayed
) -> None:
    """Replay one seat, a session's client where none is given, with its own policy."""
    decider = PlayerSpec.parse(order.policy, order.options).make(order.seed)
    agreement, faults, wanted = done.agreement, list[Fault](), False
    try:
        for step in steps(source, seat, faults):
            if step.followed:
                if isinstance(step.event, StartGame):
                    own = step.state.seat
                    wanted = own in seats and (not order.player or own in seats_of(step.event.names, order.player))
                    agreement.games += wanted
                begin_hand(decider, step)
                if isinstance(decider, Listener):
                    decider.hear(step.seen, step.state.seat)
            if step.point is not None and wanted:
                _ask(decider, step.point, order, done)
    finally:
        if isinstance(decider, Listener):
            decider.close()
    agreement.faults += len(faults)
    done.faults += [f"{done.name}: {fault.place}, event {fault.event}: {fault.message}" for fault in faults]


def _ask(decider: Decider, point: DecisionPoint, order: Order, done: Replayed) -> None:
    agreement = done.agreement
    started = perf_counter()
    thought = ask(decider, point.state, point.legal, Budget(order.nodes))
    agreement.seconds += perf_counter() - started
    agreement.failed += thought.outcome is Outcome.FAILED
    agreement.illegal += thought.outcome is Outcome.ILLEGAL
    compared = compare(point, thought.decision)
    agreement.count(point, compared)
    if order.rows:
        done.rows.append(_row(point, thought.decision, compared, done.name))


def _row(point: DecisionPoint, decision: Decision, compared: Compared | None, name: str) -> dict[str, Any]:
    place = point.place
    row: dict[str, Any] = {
        "log": name,
        "seat": point.state.seat,
        "hand": place.hand,
        "kyoku": point.state.place(),
        "turn": place.turn,
        "event": place.event,
        "known": str(point.known),
        "absent": point.absent,
        "played": None if point.played is None else action_fields(point.played),
        "ours": action_fields(decision.action),
        "mode": str(decision.mode),
        "value": plain_number(decision.candidates[0].score) if decision.candidates else None,
        "unit": decision.unit,
        "why": words(decision),
    }
    if compared is not None:
        row |= {
            "agrees": compared.agrees,
            "close": compared.close,
            "rank": compared.rank,
            "heads": [str(head) for head in compared.same],
        }
    return row


def seats_of(names: Sequence[str], wanted: str) -> list[int]:
    """The seats of the players of that name; where nobody is called exactly so, whatever its case and width."""
    exactly = [seat for seat, name in enumerate(names) if name == wanted]
    return exactly or [seat for seat, name in enumerate(names) if _folded(name) == _folded(wanted)]


def seat_of(names: Sequence[str], wanted: str, source: str) -> int | None:
    """The seat of the player of that name; None if nobody bears it.

    Raises:
        LogError: several do; the message names their seats.
    """
    found = seats_of(names, wanted)
    if len(found) > 1:
        seats = f"{', '.join(map(str, found[:-1]))} and {found[-1]}"
        why = f"the players of seats {seats} are named {brief(wanted, 24)!r}; choose one with --seat"
        raise LogError(why, source, trouble=LogTrouble.WRONG_SEAT)
    return found[0] if found else None


def _folded(name: str) -> str:
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold()).strip()
