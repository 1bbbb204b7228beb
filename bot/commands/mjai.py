"""``oshihiki mjai``: a player for any table that speaks mjai, on standard input and output."""

import asyncio
import json
import json as json_text
import os
import sys
from collections.abc import Sequence
from typing import Annotated, Final

import typer

from bot import config as configuration
from bot.commands.options import ConfigFile, PolicyName
from bot.deciding.ask import Outcome, Thought
from bot.deciding.programs import asked
from bot.deciding.thinker import Thinker
from bot.machine.errors import InputError
from bot.machine.outlet import error_screen
from bot.machine.text import brief
from bot.play import wiring
from bot.record.fields import decision_fields
from bot.runs.preparation import warm_up
from bot.wording.grounds import words
from engine.model.actions import Action, ActionKind
from engine.model.rules import Rules
from engine.policy.decision import Decision, Seated
from engine.state import StateError
from protocol.errors import LogError, RemoteProtocolError
from protocol.mjai import NONE, Feed, Message, format_action, parse_message

LINE: Final = 1 << 20
"""Maximum length of an input line in bytes."""
NO_QUESTIONS: Final = frozenset(("reach_accepted", "dora"))
"""Messages that ask nothing: they may come while a discard is open about which the line before has asked."""
PROTOCOL: Final = {"type": "join", "room": "default"}
"""The answer to ``hello``, without the name."""


def mjai(
    policy: PolicyName = None,
    seconds: Annotated[float, typer.Option(min=0.1, max=60.0, help="Time limit for each answer, in seconds.")] = 2.5,
    seat: Annotated[
        int | None, typer.Option(min=0, max=3, help="Our seat, for servers whose start_game does not contain it (id).")
    ] = None,
    only_asked: Annotated[
        bool, typer.Option("--only-asked", help='Write a line only where there is a choice, and no plain "none".')
    ] = False,
    meta: Annotated[bool, typer.Option("--meta", help="Add the reasons for each decision to its line.")] = False,
    seed: Annotated[int | None, typer.Option(help="Seed of the policy.")] = None,
    json: Annotated[bool, typer.Option("--json", help="Print counts as JSON on standard error at the end.")] = False,
    config: ConfigFile = None,
) -> None:
    """Play by mjai: read one JSON event (or a list of them) per line, and answer each line with one, until input ends.

    A riichi takes two steps, as always in mjai: "reach", and when that comes back, its discard. Exit code 0: the input
    ended; 1: the policy failed or was late at some point (the answers were safe ones); 2: a line was not mjai or was
    impossible. What the policy prints goes to standard error.

    Examples:
      oshihiki mjai
      oshihiki mjai --policy simple --seconds 1
      oshihiki mjai --only-asked --meta
      oshihiki play --policy "mjai:oshihiki mjai --policy dag"
    """
    chosen = configuration.override(configuration.load(config), {"policy.seed": seed, "policy.name": policy})
    player = wiring.player(chosen)
    warm_up(error_screen(), player.needs)
    thinker = wiring.thinker(chosen, 0)
    program = Program(thinker, f"oshihiki-{player.name}", seconds, seat)
    counts = {"lines": 0, "decisions": 0, "late": 0, "failed": 0}
    try:
        with asyncio.Runner() as runner:
            loop = runner.get_loop()  # `runner.run` would exchange the handlers of signals twice for each line
            while text := sys.stdin.buffer.readline(LINE):
                line = text.decode("utf-8", "replace").strip()
                if not line:
                    continue
                counts["lines"] += 1
                reply = loop.run_until_complete(program.receive(line))
                thought = program.thought
                if thought is not None:
                    counts["decisions"] += 1
                    counts["late"] += thought.outcome is Outcome.LATE
                    counts["failed"] += thought.outcome in (Outcome.FAILED, Outcome.ILLEGAL)
                    if meta:
                        reply = with_grounds(reply, thought.decision)
                if program.asked or not only_asked:
                    _say(reply)
    except BrokenPipeError:
        os.dup2(
            os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno()
        )  # the reader of our output has gone; there is nobody to report to
    finally:
        thinker.close()
    if json:
        typer.echo(json_text.dumps(counts), err=True)


def _say(reply: str) -> None:
    sys.stdout.write(reply + "\n")
    sys.stdout.flush()


class Program:
    """One player for any number of games, one after another. Sans-I/O.

    Attributes:
        asked: whether the last line left us a choice.
        thought: the policy's answer; None if there was nothing to decide.
    """

    def __init__(self, thinker: Thinker, name: str, seconds: float, seat: int | None = None) -> None:
        """Create a player.

        Args:
            thinker: the policy in its thread; closed by the caller.
            name: the name given to a server that sends ``hello``.
            seconds: time limit for each answer.
            seat: the player's seat, for servers whose ``start_game`` has no ``id``.
        """
        self._thinker = thinker
        self._name = name
        self._seconds = seconds
        self._seat = seat
        self._lines = 0
        self._table: tuple[Feed, Seated[Thinker]] | None = None
        self._declared: Action | None = None
        self.asked = False
        self.thought: Thought | None = None

    async def receive(self, text: str) -> str:
        """The answer to one line: ``none`` if there is nothing to decide.

        Raises:
            InputError: the line is not mjai, or is impossible.
        """
        self._lines += 1
        self.asked, self.thought = False, None
        message: Message = {}
        try:
            messages = parse_message(text)
            for message in messages:
                self._take(message)
            asks = not NO_QUESTIONS.issuperset(each["type"] for each in messages)
            reply = await self._reply(message) if asks else dict(NONE)
        except (RemoteProtocolError, LogError, StateError) as error:
            kind = f" ({message['type']})" if message else ""
            raise InputError(f"line {self._lines}{brief(kind)}: {brief(str(error), 600)}") from None
        return json.dumps(reply, ensure_ascii=False, separators=(",", ":"))

    def _take(self, message: Message) -> None:
        """Apply a message to the state."""
        match message["type"]:
            case "hello" | "none":
                return
            case "error":
                raise RemoteProtocolError(f"the server reports: {message.get('message', message)}")
            case "start_game":
                feed = Feed(message, self._seat)
                self._table = feed, Seated(feed.seat, Rules(), self._thinker, lost=True)
                return
        if self._table is None:
            raise RemoteProtocolError('comes before "start_game"')
        feed, seat = self._table
        feed.feed(message)
        if message["type"] in {"start_kyoku", "hora", "ryukyoku", "end_kyoku", "end_game"}:
            self._declared = None
            seat.lose(StateError("mjai does not say in play how a hand ends"))
        for event in feed.take():
            if not seat.passes_over(event):
                seat.apply(event)

    async def _reply(self, message: Message) -> Message:
        if message.get("type") == "hello":
            return {**PROTOCOL, "name": self._name}
        seat = self._table[1] if self._table is not None else None
        legal: Sequence[Action] = () if seat is None or seat.lost else seat.state.legal_actions()
        if seat is None or not legal:
            return dict(NONE)
        state = seat.state
        self.asked = True
        discard = self._declared and Action(ActionKind.DISCARD, self._declared.tile)
        if discard is None or message["type"] != "reach" or not state.is_legal(discard):
            self.thought = await self._thinker.think(state, legal, self._seconds)
            answer = self.thought.decision.action
        else:
            answer = discard
        self._declared = answer if answer.kind is ActionKind.RIICHI else None
        return format_action(answer, asked(state))


def with_grounds(reply: str, decision: Decision) -> str:
    """The same line with the decision as ``meta``: its reasons as data and as text."""
    meta = {**decision_fields(decision), "why": words(decision)}
    return json.dumps({**json.loads(reply), "meta": meta}, ensure_ascii=False, separators=(",", ":"))
