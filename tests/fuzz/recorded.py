"""Good records to damage, and sessions in any order: what a client hears, keeps and says."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from bot.deciding.ask import Question, Spent, Thought, ask
from bot.lobby.remote import snapshot
from bot.play.clock import ClockTracker
from bot.play.player import Player
from bot.play.record import GameRecord
from bot.play.tally import Tally
from engine.model.actions import PASS
from engine.model.events import Draw
from engine.policy.forced import fallback
from engine.policy.registry import make_policy
from protocol.errors import LocalProtocolError
from protocol.logs.game_log import GameLog
from protocol.tenhou.codec import format_message
from protocol.tenhou.events import Announcer, TableFacts
from protocol.tenhou.session import Login, Prompt, Send, Session

POLICY: Final = "tsumogiri"
"""Of the records: played again for each input, so the quickest."""


class NoThought:
    """In place of a thinker: answers at once, with what is always safe."""

    def start_kyoku(self) -> None:
        """Nothing to forget."""

    async def think(self, question: Question) -> Thought:
        """The fallback."""
        return Thought(question.fallback(), question=question)


class Decides(NoThought):
    """Decides as the recorded policy does, in no time."""

    def __init__(self) -> None:
        self._decider = make_policy(POLICY)

    async def think(self, question: Question) -> Thought:
        """The policy's answer."""
        spent = Spent()
        thought = ask(self._decider, question.state, question.legal, spent.again())
        return replace(thought, question=question, spent=spent)


def new_player(thinks: NoThought) -> Player:
    """A player with nothing behind it."""
    return Player(thinks, ClockTracker(), Tally())


def run(work: Any) -> Any:
    """Run a coroutine that never waits: an event loop for each would take most of the time."""
    try:
        work.send(None)
    except StopIteration as end:
        return end.value
    raise AssertionError("it waits")


def records(heard: Sequence[list[str]]) -> list[bytes]:
    """Records of sessions in which a client heard these frames."""
    with tempfile.TemporaryDirectory() as folder:
        return [_record(Path(folder) / f"{number}.jsonl", frames) for number, frames in enumerate(heard)]


def _record(path: Path, frames: list[str]) -> bytes:
    session, player = Session(Login(1)), new_player(Decides())
    policy = {"name": POLICY, "seed": 0, "settings": dict(make_policy(POLICY).settings())}
    login = {"type": 1, "lobby": "0", "sex": "M", "guest": True}
    with GameRecord(path, policy=policy, login=login) as keeping:
        keeping.connecting()
        _say(keeping, session.connect())
        for frame in frames:
            keeping.received(frame)
            received = session.receive(frame)
            _say(keeping, received.sends)
            for event in received.events:
                player.apply(event, session.seat or 0)
            keeping.happened(received.events)
            prompt = received.prompt
            if prompt is not None:
                action, thought = run(player.answer(prompt, player.question(prompt)))
                told = (player.place(), thought.decision, str(thought.outcome), thought.digest, thought.number)
                keeping.decided(*told, thought.spent)
                _say(keeping, session.act(prompt, action))
        keeping.ended(seat=session.seat)
    return path.read_bytes()


def _say(keeping: GameRecord, outputs: Sequence[Any]) -> None:
    for output in outputs:
        if isinstance(output, Send):
            keeping.sent(output.frame)


# -- any order -----------------------------------------------------------------------------------------------------


def snapshots(logs: Sequence[GameLog]) -> list[str]:
    """What seat 0's client is shown when it comes back at each of its draws."""
    frames = []
    for log in logs:
        for at, event in enumerate(log.events):
            if isinstance(event, Draw) and event.seat == 0:
                announcer = Announcer(0)
                announcer.opening(TableFacts(1, ("A", "B", "C", "D")))
                shown = snapshot(log.events[: at + 1], 0).resume
                for message in (announcer.saikai(shown), announcer.announce(shown)):
                    frames += [] if message is None else [format_message(message)]
    return frames


def in_any_order(frames: Sequence[str]) -> Callable[[bytes], None]:
    """Takes two bytes for a step: a frame that comes, or something that the client does of its own."""

    def take(data: bytes) -> None:
        session, player = Session(Login(1)), new_player(NoThought())
        session.connect()
        deeds: tuple[Callable[[], object], ...] = (
            session.connect,
            session.repeat,
            session.keep_alive,
            lambda: session.act(session.prompt, PASS) if session.prompt else None,
        )
        for high, low in zip(data[::2], data[1::2], strict=False):
            step = high << 8 | low
            if high >= _DEEDS:
                deeds[step % len(deeds)]()
            else:
                hear(session, player, frames[step % len(frames)])

    def quietly(data: bytes) -> None:
        try:
            take(data)
        except LocalProtocolError:
            return  # a pass that answers nothing: ours to refuse

    return quietly


_DEEDS: Final = 240
"""First bytes from which a step is a deed."""


def hear(session: Session, player: Player, frame: str) -> None:
    """Take a frame in, and answer what it asks."""
    received = session.receive(frame)
    for event in received.events:
        player.apply(event, session.seat or 0)
    if received.prompt is not None:
        answer(session, player, received.prompt)


def answer(session: Session, player: Player, prompt: Prompt) -> None:
    """What is always safe; nothing, where the server asked for something else than our state would answer."""
    state = player.state
    legal = () if state is None else state.legal_actions()
    action = fallback(state, legal).action if state is not None and legal else PASS
    try:
        session.act(prompt, action)
    except LocalProtocolError:
        return


def orders(frames: Sequence[str], heard: Sequence[list[str]]) -> list[bytes]:
    """The good orders, as :func:`in_any_order` spells them."""
    place = {frame: number for number, frame in enumerate(frames)}
    return [b"".join(place[frame].to_bytes(2, "big") for frame in one) for one in heard]
