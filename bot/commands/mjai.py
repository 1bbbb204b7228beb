"""``oshihiki mjai``: a player for any table that speaks mjai, on standard input and output."""

import asyncio
import json as json_text
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from typing import Annotated, BinaryIO, Final

import typer

from bot import config as configuration
from bot.commands.options import ConfigFile, PolicyName
from bot.deciding.ask import Outcome, Question, Thought
from bot.deciding.fields import decision_fields
from bot.deciding.programs import asked
from bot.deciding.thinker import Thinker
from bot.machine.errors import InputError
from bot.machine.outlet import error_screen, print_error
from bot.machine.preparation import warm_up
from bot.machine.text import brief
from bot.play import wiring
from bot.wording.grounds import words
from engine.model.actions import Action, ActionKind
from engine.model.events import StartGame
from engine.model.rules import Rules
from engine.policy.decision import Decision, Seated
from engine.state import GameState, Phase, StateError
from protocol.errors import LogError, LogTrouble, RemoteProtocolError, UnsupportedGameError
from protocol.logs.json_text import is_utf16
from protocol.logs.mjai_program import NONE, Feed, Message, OwnTiles, format_action, is_offered, parse_message

LINE: Final = 16 << 20
"""Maximum length of an input line in bytes; a game has less than a hundredth."""
VALUES: Final = 2_000_000
"""Maximum number of commas and opening brackets in a line, each of which may take a hundred bytes of memory."""
NO_QUESTIONS: Final = frozenset(("none", "reach_accepted", "dora", "action_ack"))
"""Messages that ask nothing: they may come while a discard is open about which the line before has asked."""
PLAY: Final = frozenset(("tsumo", "dahai", "chi", "pon", "daiminkan", "ankan", "kakan", "reach"))
"""Messages of the play of a hand."""
ENDS: Final = frozenset(("hora", "ryukyoku", "end_kyoku", "end_game"))
"""Messages after which a hand is over."""
ASKS_A_DISCARD: Final = frozenset(("tsumo", "chi", "pon", "reach"))
"""Messages after which the player of whom they tell has to discard."""
REQUEST: Final = "request_action"
"""The message by which some servers ask, instead of by the event before it."""
NOTHING: Final = json_text.dumps(NONE, separators=(",", ":"))
"""The answer where there is nothing to decide."""
_BOM: Final = b"\xef\xbb\xbf"
PROTOCOL: Final = {"type": "join", "room": "default"}
"""The answer to ``hello``, without the name."""
THREE_PLAYERS: Final = "this is a three-player game; only games of four players can be played"


def mjai(
    policy: PolicyName = None,
    seconds: Annotated[float, typer.Option(min=0.1, max=60.0, help="Time limit for each answer, in seconds.")] = 2.5,
    seat: Annotated[
        int | None, typer.Option(min=0, max=3, help="Our seat, for servers whose start_game does not contain it (id).")
    ] = None,
    only_asked: Annotated[
        bool, typer.Option("--only-asked", help='Write a line only where there is a choice, and no plain "none".')
    ] = False,
    on_request: Annotated[
        bool, typer.Option("--on-request", help="Write a line only for request_action, as RiichiLab's server asks.")
    ] = False,
    tonpu: Annotated[
        bool, typer.Option("--tonpu", help="The games are east-only, for servers whose start_game does not say it.")
    ] = False,
    meta: Annotated[bool, typer.Option("--meta", help="Add the reasons for each decision to its line.")] = False,
    seed: Annotated[int | None, typer.Option(help="Seed of the policy.")] = None,
    json: Annotated[bool, typer.Option("--json", help="Print counts as JSON on standard error at the end.")] = False,
    config: ConfigFile = None,
) -> None:
    """Play by mjai: read one JSON event (or a list of them) per line, and answer each line with one, until input ends.

    A riichi takes two steps, as always in mjai: "reach", and when that comes back, its discard. After an impossible
    line the rest of its hand is played safely, and the next one as ever. Exit code 0: the input ended; 1: the policy
    failed or was late at some point (the answers were safe ones); 2: a game could not begin. What the policy prints
    goes to standard error.

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
    program = Program(
        thinker,
        f"oshihiki-{player.name}",
        seconds,
        seat,
        tonpu=tonpu,
        on_request=on_request,
        on_note=print_error,
    )
    counts = {"lines": 0, "decisions": 0, "late": 0, "failed": 0, "corrected": 0}
    try:
        with asyncio.Runner() as runner:
            loop = runner.get_loop()  # `runner.run` would exchange the handlers of signals twice for each line
            for line in _lines(sys.stdin.buffer):
                counts["lines"] += 1
                reply = program.hear(line) or loop.run_until_complete(program.answer())
                thought = program.thought
                if thought is not None:
                    counts["decisions"] += 1
                    counts["late"] += thought.outcome is Outcome.LATE
                    counts["failed"] += thought.outcome in (Outcome.FAILED, Outcome.ILLEGAL)
                    if meta:
                        reply = with_grounds(reply, thought.decision)
                if program.asked or not (only_asked or on_request):
                    sys.stdout.write(reply + "\n")
                    sys.stdout.flush()
    except BrokenPipeError:
        os.dup2(
            os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno()
        )  # the reader of our output has gone; there is nobody to report to
    finally:
        thinker.close()
    counts["corrected"] = program.corrected
    if json:
        typer.echo(json_text.dumps(counts), err=True)


def _lines(stream: BinaryIO) -> Iterator[bytes]:
    """The lines of the input that are not empty; of one that is too long, no more than shows that."""
    while data := stream.readline(LINE + 1):
        rest = data
        while len(rest) > LINE and not rest.endswith(b"\n"):
            rest = stream.readline(LINE + 1)
        if data[:1] == b"\0" and data[2:3] != b"\0":
            data = data[1:]  # the second half of the end of a line in UTF-16, before a line that is none
        if len(data) <= LINE:
            data = data.removeprefix(_BOM).strip()
        if data:
            yield data


def _decoded(data: bytes) -> str:
    """The text of a line.

    Raises:
        RemoteProtocolError: it is too long, or is not UTF-8.
    """
    if len(data) > LINE:
        raise RemoteProtocolError(f"has more than {LINE >> 20} MiB, which no message of a game has")
    if len(data) > VALUES and sum(map(data.count, (b",", b"[", b"{"))) > VALUES:
        raise RemoteProtocolError(f"has more than {VALUES:,} values, which no message of a game has")
    if is_utf16(data):
        raise RemoteProtocolError(
            "is UTF-16; mjai is UTF-8 (in PowerShell: $OutputEncoding = [Text.UTF8Encoding]::new())"
        )
    return data.decode("utf-8", "replace")


class Program:
    """One player for any number of games, one after another. Sans-I/O.

    Attributes:
        asked: whether the last line left us a choice.
        thought: the policy's answer; None if there was nothing to decide.
    """

    def __init__(
        self,
        thinker: Thinker,
        name: str,
        seconds: float,
        seat: int | None = None,
        *,
        tonpu: bool = False,
        on_request: bool = False,
        on_note: Callable[[str], None] = lambda _note: None,
    ) -> None:
        """Create a player.

        Args:
            thinker: the policy in its thread; closed by the caller.
            name: the name given to a server that sends ``hello``.
            seconds: time limit for each answer.
            seat: the player's seat, for servers whose ``start_game`` has no ``id``.
            tonpu: whether games are east-only whose ``start_game`` does not say how long they are.
            on_request: whether only a ``request_action`` asks. It becomes true at the first one that comes.
            on_note: called with a text when a line is read otherwise than it is written, once for each kind.
        """
        self._thinker = thinker
        self._name = name
        self._seconds = seconds
        self._seat = seat
        self._hanchan = False if tonpu else None
        self._on_request = on_request
        self._on_note = on_note
        self._told: set[str] = set()
        self._corrected = 0
        self._lines = 0
        self._table: tuple[Feed, Seated[Thinker]] | None = None
        self._dealt = False
        """Whether a hand of the game has been dealt: from then on, we sit at the table whatever comes."""
        self._hand_over = False
        self._own = OwnTiles(0)
        self._said: Message = NONE
        self._blind = False
        """Whether the hand cannot be followed: until the next one, answers come from our own tiles alone."""
        self._message: Message = {}
        self._question: tuple[GameState, Sequence[Action]] | None = None
        self._declared: Action | None = None
        self._ready: Action | None = None
        self.asked = False
        self.thought: Thought | None = None

    @property
    def corrected(self) -> int:
        """Number of lines that were read otherwise than they are written."""
        return self._corrected + (self._table[0].notes.total if self._table is not None else 0)

    async def receive(self, line: str | bytes) -> str:
        """The answer to one line: ``none`` if there is nothing to decide.

        Raises:
            InputError: the line is not mjai, or is impossible.
        """
        return self.hear(line) or await self.answer()

    def hear(self, line: str | bytes) -> str:
        """Take one line, and return the answer if there is nothing to decide; otherwise "", and :meth:`answer` decides.

        Raises:
            InputError: the line is not mjai, or is impossible.
        """
        self._lines += 1
        self.asked, self.thought = False, None
        message: Message = {}
        messages: list[Message] = []
        taken = 0
        try:
            messages = parse_message(line if isinstance(line, str) else _decoded(line))
            for taken, message in enumerate(messages):  # noqa: B007 - the number says where it broke off
                self._take(message)
        except (RemoteProtocolError, LogError, StateError) as error:
            kind = f" ({message['type']})" if message else ""
            why = THREE_PLAYERS if isinstance(error, UnsupportedGameError) else str(error)
            note = f"line {self._lines}{brief(kind)}: {brief(why, 600)}"
            if self._table is None or (not self._dealt and _is_another_game(error)):
                raise InputError(note) from None
            self._lose(note)
            for each in messages[taken:]:  # they still say what we hold
                self._own.take(each, self._said, doubted=each is message)
            message = messages[-1] if messages else NONE
        self._message = message
        if message.get("type") == "hello":
            return _text({**PROTOCOL, "name": self._name})
        is_question = self._is_question(messages)
        requested = is_question and message.get("type") == REQUEST
        self._question = self._choices() if is_question and not self._blind else None
        unexpected = requested and not self._blind and self._is_unexpected()
        if unexpected:
            self._corrected += 1
            kinds = brief(", ".join(each["type"] for each in self._offers()))
            self._on_note(f"line {self._lines}: offers {kinds} where we see no such choice; one of them is answered")
        if self._blind or unexpected:
            reply = self._blindly() if is_question else NONE
            self.asked = requested or reply != NONE
            return self._answer(reply)
        choice = self._question is not None and bool(self._question[1])
        self.asked = choice or requested
        return "" if choice else self._none()

    async def answer(self) -> str:
        """Decide what :meth:`hear` has left open."""
        if self._question is None:
            return self._none()
        state, legal = self._question
        if self._ready is not None and self._message.get("type") == REQUEST and self._ready in legal:
            answer = self._ready  # already asked by the event before
        elif self._declared is not None and state.phase is Phase.DECLARED and self._declared in legal:
            answer = self._declared
        else:
            self.thought = await self._thinker.think(Question.of(state, legal, self._seconds))
            answer = self.thought.decision.action
        self._declared = Action(ActionKind.DISCARD, answer.tile) if answer.kind is ActionKind.RIICHI else None
        self._ready = answer
        return self._answer(format_action(answer, asked(state)))

    def _take(self, message: Message) -> None:
        """Apply a message to the state."""
        match message["type"]:
            case "hello" | "none" | "join" | "action_ack" | "validation_result":
                return
            case "error":
                report = f"the server reports: {message.get('message', message)}"
                if self._table is None:
                    raise RemoteProtocolError(report)
                self._on_note(f"line {self._lines}: {brief(report, 600)}")
                return
            case "start_game":
                self._start_game(message)
                return
        if self._table is None:
            raise RemoteProtocolError('comes before "start_game"')
        if message["type"] == REQUEST:
            self._on_request = True
            return
        feed, seat = self._table
        kind = message["type"]
        if kind == "start_kyoku":
            self._blind = self._hand_over = False
        elif not self._blind and self._hand_over and kind in PLAY:
            raise RemoteProtocolError("comes after the end of the hand")
        if self._blind:
            self._own.take(message, self._said)
            return
        corrected = feed.notes.total
        feed.feed(message)
        self._dealt = self._dealt or kind == "start_kyoku"
        if feed.notes.total != corrected:
            self._tell(feed.notes.texts())
        if kind == "start_kyoku":
            self._declared = None
        if kind in {"start_kyoku", *ENDS}:
            self._hand_over = kind in ENDS
            seat.lose(StateError("mjai does not say in play how a hand ends"))
        for event in feed.take():
            self._ready = None
            if not seat.passes_over(event):
                seat.apply(event)
        self._own.take(message, self._said)

    def _start_game(self, message: Message) -> None:
        """A game begins; what we hold stays known until its first hand, in case that this line was none of ours."""
        feed = Feed(message, self._seat, hanchan=self._hanchan)
        self._corrected = self.corrected
        if self._table is None or self._own.seat != feed.seat:
            self._own = OwnTiles(feed.seat)
        if self._table is None or self._dealt or self._table[1].state.seat != feed.seat:
            seat = Seated(feed.seat, Rules(), self._thinker, lost=True)
        else:
            seat = self._table[1]  # it has not been dealt to: a stream of bare starts costs no seat for each
        self._table = feed, seat
        self._dealt, self._hand_over, self._blind = False, False, False
        self._ready = self._declared = None

    def _lose(self, note: str) -> None:
        """The rest of the hand cannot be followed: note why, and answer from our own tiles until the next one."""
        self._blind = self._dealt = True
        self._corrected += 1
        self._on_note(f"{note}; the rest of this hand is played by passing and discarding what is drawn")
        if self._table is not None:
            feed, seat = self._table
            for event in feed.take():
                if isinstance(event, StartGame):
                    seat.apply(event)
            seat.lose(StateError(note))
        self._ready = None

    def _blindly(self) -> Message:
        """An answer that is legal whatever has happened: one that the server offers, our discard, or none."""
        message = self._message
        discard = self._own.discard()
        if self._declared is not None and message.get("type") in {"reach", REQUEST} and self._table is not None:
            discard = self._own.discard_of(format_action(self._declared, asked(self._table[1].state))["pai"])
            self._declared = None
        if message.get("type") != REQUEST:
            ours = message.get("actor") == self._own.seat and message.get("type") in ASKS_A_DISCARD
            return discard if ours and discard is not None and not self._on_request else NONE
        offers = self._offers()
        if any(each["type"] == "none" for each in offers):
            return NONE
        discards = [each for each in offers if each["type"] == "dahai"]
        if discards and discard is None:
            discard = self._own.discard(asked=True)
        if discard is not None and (not offers or any(is_offered(discard, each) for each in discards)):
            return discard
        return next(iter(discards or offers), NONE)

    def _tell(self, notes: Sequence[str]) -> None:
        """Name each kind of correction once, at its first place."""
        for note in notes:
            kind = note.rpartition(" (")[0]
            if kind not in self._told:
                self._told.add(kind)
                self._on_note(f"line {self._lines}: {note}; read so")

    def _is_question(self, messages: Sequence[Message]) -> bool:
        """Whether the server waits for a choice of ours after these messages, if there is one."""
        last = self._message
        if not messages or last.get("can_act") is False or self._table is None:
            return False
        if self._on_request:
            actor = last.get("actor")
            return last["type"] == REQUEST and (actor is None or actor == self._table[0].seat)
        return not NO_QUESTIONS.issuperset(each["type"] for each in messages)

    def _choices(self) -> tuple[GameState, Sequence[Action]] | None:
        """The state and its legal actions, of those that the server offers if it says so; None outside hands."""
        if self._table is None or self._table[1].lost:
            return None
        state = self._table[1].state
        legal, offers = state.legal_actions(), self._offers()
        if not offers:
            return state, legal
        lines = [(action, format_action(action, asked(state))) for action in legal]
        return state, [action for action, line in lines if any(is_offered(line, each) for each in offers)]

    def _offers(self) -> list[Message]:
        """The actions among which the server lets us choose, if the line is a request that says so."""
        offered = self._message.get("possible_actions") if self._message.get("type") == REQUEST else None
        each_offer = offered if isinstance(offered, list) else []
        return [each for each in each_offer if isinstance(each, dict) and isinstance(each.get("type"), str)]

    def _is_unexpected(self) -> bool:
        """Whether the server offers only what our state does not allow, or anything where it expects no choice."""
        if self._question is not None and self._question[1]:
            return False
        state = None if self._question is None else self._question[0]
        waits = state is not None and bool(state.legal_actions())
        return any(waits or each["type"] != "none" for each in self._offers())

    def _none(self) -> str:
        return NOTHING if self._message.get("type") != REQUEST else _text(self._with_id(NONE))

    def _answer(self, reply: Message) -> str:
        """The text of a reply, with the number of the request that it answers, if that has one."""
        self._said = reply
        return _text(self._with_id(reply))

    def _with_id(self, reply: Message) -> Message:
        number = self._message.get("request_id") if self._message.get("type") == REQUEST else None
        return reply if number is None else {**reply, "request_id": number}


def _is_another_game(error: Exception) -> bool:
    """Whether a line shows that we cannot sit at the table at all: it is of three players, or hides our hand."""
    return isinstance(error, LogError) and error.trouble in {LogTrouble.THREE_PLAYERS, LogTrouble.WRONG_SEAT}


def _text(reply: Message) -> str:
    """The line of a reply, in ASCII: a number of a request may hold characters that no encoding can write."""
    return json_text.dumps(reply, separators=(",", ":"))


def with_grounds(reply: str, decision: Decision) -> str:
    """The line with the decision added as ``meta``: its reasons as data and as text."""
    meta = {**decision_fields(decision), "why": words(decision)}
    return json_text.dumps({**json_text.loads(reply), "meta": meta}, separators=(",", ":"))
