"""Recordings for audits: a whole log, or one client's session (a capture or a record), and what pages show of it."""

from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass

from bot.page.table import kinds_text, sorted_text
from bot.replay.counting import read_followed, read_game
from bot.replay.sessions import followed_steps, hands_left_out
from bot.review.document import Truth
from engine.model import events as ev
from engine.model.hands import Holdings
from engine.model.rules import Rules
from engine.model.seats import turn_order
from engine.model.tiles import HONOURS, counts34
from engine.shanten import waits
from engine.state import GameState
from protocol.errors import LogError, LogTrouble, reading
from protocol.logs.formats import LogFile, read_session, write_log
from protocol.logs.game_log import GameLog, LeftOut, LogInfo
from protocol.logs.made_up import fill_hidden
from protocol.logs.wire import Seen, WireSession

Names = tuple[str, str, str, str]


@dataclass(frozen=True, slots=True)
class Recording:
    """One log to be audited."""

    source: GameLog | WireSession  # the log or the session
    # the events, each with its position as in :attr:`~bot.replay.decisions.Place.event`
    events: tuple[tuple[int, ev.Event], ...]
    rules: Rules  # rules of the (first) table
    names: Names  # names of the players by absolute seat; untrusted text
    info: LogInfo  # what the log says besides the play
    viewer: int | None = None  # the only seat whose hands are shown; None for a log of all hands
    notes: tuple[str, ...] = ()  # notes on parts that were read otherwise than the log is written
    left_out: tuple[LeftOut, ...] = ()  # the hands that cannot be followed

    @property
    def name(self) -> str:
        """Where it was read from."""
        return self.source.source


def read_recording(file: LogFile) -> Recording:
    """Read a log in any format that contains play.

    Raises:
        LogError: it cannot be read, or contains no game.
    """
    with reading(file.name):
        return _recording(file)


def _recording(file: LogFile) -> Recording:
    session = read_session(file)
    if session is not None:
        steps = followed_steps(session)
        lost = hands_left_out(steps)
        seen = [step for step in steps if isinstance(step, Seen)]
        starts = [(step.viewer, step.event) for step in seen if isinstance(step.event, ev.StartGame)]
        if not starts:
            raise LogError(
                "this session contains no game: it ends before one begins", session.source, trouble=LogTrouble.NO_GAME
            )
        viewer, start = starts[0]
        if lost and not any(isinstance(step.event, ev.StartKyoku | ev.Resume) for step in seen):
            raise LogError(f"no hand can be followed: {lost[0]}", session.source)
        return Recording(
            session,
            tuple((step.line, step.event) for step in seen),
            start.rules,
            start.names,
            LogInfo(),
            viewer,
            tuple(map(str, lost)),
            lost,
        )
    log = read_game(file)
    return Recording(
        log,
        tuple(enumerate(log.events)),
        log.start.rules,
        log.start.names,
        log.info,
        log.viewer,
        log.notes,
        log.left_out,
    )


def truth_fields(holdings: Holdings, state: GameState) -> Truth:
    """The hands and waits of the other three, right, across, left; nulls if the log does not show them."""
    red = state.rules.red_fives
    seats = turn_order(state.seat)[1:]
    hands: list[str | None] = []
    waiting: list[str | None] = []
    for seat in seats:
        held = holdings.concealed[seat]
        hands.append(None if held is None else sorted_text(held, red))
        waiting.append(None if held is None else kinds_text(true_waits(held, holdings.melds[seat])))
    return {"hands": hands, "waits": waiting}


def true_waits(held: Iterable[int], melds: int) -> tuple[int, ...]:
    """The kinds that complete a hand; none if it has a tile to discard."""
    counts = counts34(held)
    return waits(counts, melds) if sum(counts) == 13 - 3 * melds else ()


def wait_shape(kinds: Iterable[int], tile34: int, held: Iterable[int]) -> str:
    """The shape of the wait on a single tile, in one word, for sentences about a deal-in.

    ``'ryanmen'`` (two or more tiles of one run), ``'kanchan'``, ``'penchan'``, ``'tanki'``, ``'shanpon'``, otherwise
    ``'many'``.
    """
    found = tuple(kinds)
    counts = counts34(held)
    if len(found) == 1:
        if tile34 < HONOURS and not counts[tile34]:
            edge = tile34 % 9 in {2, 6}
            above = tile34 % 9 < 8 and counts[tile34 + 1] > 0
            below = tile34 % 9 > 0 and counts[tile34 - 1] > 0
            return "penchan" if edge and not (above and below) else "kanchan"
        return "tanki"
    if len(found) == 2:
        low, high = found
        if high - low == 3 and high < HONOURS and low // 9 == high // 9:
            return "ryanmen"
        if counts[low] >= 2 and counts[high] >= 2:
            return "shanpon"
    return "many"


def shared_log(file: LogFile) -> str:
    """A log as tenhou.net/6 JSON, which the page of its review keeps; "" if it cannot be written so.

    Of one seat's view the hidden tiles are invented, and its title says so.
    """
    with suppress(LogError):
        game = read_followed(file)
        return write_log(game if game.viewer is None else fill_hidden(game), "tenhou6")
    return ""
