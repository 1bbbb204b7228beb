"""Our player behind mjai: lines in, lines out."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Final

from bot.deciding.ask import Thought
from bot.deciding.thinker import Thinker
from bot.errors import InputError
from bot.record.fields import decision_fields
from bot.text import brief
from bot.wording.grounds import words
from engine.model.actions import Action, ActionKind
from engine.model.events import StartGame, StartKyoku
from engine.model.rules import Rules
from engine.policy.decision import Decision
from engine.state import GameState, StateError, visible_to
from protocol.errors import LogError, RemoteProtocolError
from protocol.mjai import NONE, Asked, Feed, Message, format_action, parse_message

PROTOCOL: Final = {"type": "join", "room": "default"}
"""The answer to ``hello``, without the name."""


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
        self._feed: Feed | None = None
        self._rules = Rules()
        self._state: GameState | None = None
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
            for message in parse_message(text):
                self._take(message)
            reply = await self._reply(message)
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
                self._feed, self._state = Feed(message, self._seat), None
                return
        if self._feed is None:
            raise RemoteProtocolError('comes before "start_game"')
        self._feed.feed(message)
        for event in self._feed.take():
            if isinstance(event, StartGame):
                self._rules = event.rules
                continue
            if isinstance(event, StartKyoku):
                self._state = GameState(self._feed.seat, self._rules)
                self._declared = None
                self._thinker.start_kyoku()
            if self._state is not None:
                self._state.apply(visible_to(event, self._feed.seat))
        if message["type"] in {"hora", "ryukyoku", "end_kyoku", "end_game"}:
            self._state = None

    async def _reply(self, message: Message) -> Message:
        if message.get("type") == "hello":
            return {**PROTOCOL, "name": self._name}
        state = self._state
        legal: Sequence[Action] = () if state is None else state.legal_actions()
        if state is None or not legal:
            return dict(NONE)
        self.asked = True
        discard = self._declared and Action(ActionKind.DISCARD, self._declared.tile)
        if discard is None or message["type"] != "reach" or not state.is_legal(discard):
            self.thought = await self._thinker.think(state, legal, self._seconds)
            answer = self.thought.decision.action
        else:
            answer = discard
        self._declared = answer if answer.kind is ActionKind.RIICHI else None
        return format_action(answer, asked(state))


def asked(state: GameState) -> Asked:
    """What a reply depends on; ``state`` is the view of the seat that gives it."""
    return Asked(state.rules, state.seat, state.drawn, state.turn, tuple(state.melds[state.seat]))


def with_grounds(reply: str, decision: Decision) -> str:
    """The same line with the decision as ``meta``: its reasons as data and as text."""
    meta = {**decision_fields(decision), "why": words(decision)}
    return json.dumps({**json.loads(reply), "meta": meta}, ensure_ascii=False, separators=(",", ":"))
