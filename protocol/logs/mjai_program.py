"""mjai during a game: lines to events and actions to lines, in the words of mjai logs."""

import json
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any, Final

from engine.model import events as ev
from engine.model.actions import Action, ActionKind
from engine.model.events import RyuukyokuKind
from engine.model.melds import Meld, MeldKind, kuikae_mask
from engine.model.rules import Rules
from engine.model.seats import SEATS
from engine.model.tiles import PLAIN37
from protocol.errors import LogError, LogTrouble, RemoteProtocolError
from protocol.logs.hands import NOBODY_PAYS
from protocol.logs.json_text import parse_value
from protocol.logs.mjai import TileNames
from protocol.logs.mjai_reader import FIVES, TILES, MjaiReader
from protocol.logs.words import DRAWS

Message = dict[str, Any]

SHOWN: Final = 120
"""Number of characters of a bad line that an error quotes."""
NONE: Final[dict[str, Any]] = {"type": "none"}
"""The reply of a player who does nothing."""


def parse_message(text: str) -> list[Message]:
    """The messages of one line: one object, or a JSON list of several, oldest first.

    Raises:
        RemoteProtocolError: the line is neither a JSON object with a ``type`` nor a list of such objects.
    """
    try:
        value = parse_value(text.removeprefix("\ufeff"))
    except (json.JSONDecodeError, RecursionError):
        raise RemoteProtocolError("is not JSON; mjai has one JSON object per line", text) from None
    except ValueError as error:
        raise RemoteProtocolError(f"contains a number that no game has: {error}", text) from None
    messages = value if isinstance(value, list) else [value]
    for message in messages:
        if not isinstance(message, dict) or not isinstance(message.get("type"), str):
            raise RemoteProtocolError(f'has no "type": {str(message)[:SHOWN]}', text)
    return messages


class Feed(MjaiReader):
    """One game as one player receives it.

    Attributes:
        seat: the player's seat, from ``start_game``.
        events: events so far, without the ends of hands.
    """

    def __init__(self, start: Message, seat: int | None = None, *, hanchan: bool | None = None) -> None:
        """Start from the first line.

        Args:
            start: the ``start_game`` line.
            seat: the player's seat, if the line does not contain it.
            hanchan: whether there is a south round, if the line does not say it; None: there is.

        Raises:
            LogError: the game is not supported, or the seat is not known.
        """
        if seat is None and start.get("id") is None:
            raise LogError('"start_game" does not say whose seat it is: it should have an "id", 0 to 3')
        super().__init__(start, hanchan=hanchan)
        self._line = start if seat is None else {"id": seat}
        self.seat: Final = self._seat("id")
        self._taken = 0
        self._plain_fives = False
        """Whether a fourth plain five was seen at a table that does not say whether it has red ones."""

    def take(self) -> list[ev.Event]:
        """The events since the last call."""
        new = self.events[self._taken :]
        self._taken = len(self.events)
        return new

    def feed(self, line: Message, coming: Iterable[tuple[Message, int]] = ()) -> None:
        """Process one line; see :meth:`MjaiReader.feed`."""
        try:
            super().feed(line, coming)
        except LogError:
            consumed = line.get("consumed")
            named = [line.get("pai"), *(consumed if isinstance(consumed, list) else ())]
            self._plain_fives |= any(five in named for five in FIVES)
            raise

    def _start_kyoku(self) -> None:
        hands = self._line.get("tehais")
        own = hands[self.seat] if isinstance(hands, list) and len(hands) == len(SEATS) else None
        self._plain_fives |= isinstance(own, list) and any(own.count(five) == len(SEATS) for five in FIVES)
        if self._plain_fives and self._says_red is None and self._table.rules.red_fives:
            self._table.play_by(replace(self._table.rules, red_fives=False))
            if self.events:
                self.events.append(ev.StartGame(self._table.rules, self._table.names))
        super()._start_kyoku()
        if self._table.hands.concealed[self.seat] is None:
            why = f'"tehais" hides the hand of player {self.seat}, who is us; is the "id" of start_game right?'
            raise LogError(why, trouble=LogTrouble.WRONG_SEAT)

    def _dora(self) -> None:
        self._playing().turn_dora(self._tile("dora_marker"))

    def _hora(self) -> None:
        self._playing().pay(self._paid() or NOBODY_PAYS)

    def _ryukyoku(self) -> None:
        self._hora()

    def _end_game(self) -> None:
        """Leave the end of the game, as the ends of hands, to whoever asked for the events."""


class OwnTiles:
    """A player's own tiles by name, as its lines tell them; for a hand that cannot be followed otherwise.

    Attributes:
        seat: the player's seat.
    """

    def __init__(self, seat: int) -> None:
        self.seat: Final = seat
        self._tiles: list[str] = []
        self._drawn = ""
        self._in_turn = False
        self._riichi = False
        self._forbidden = 0

    def take(self, line: Message, said: Message, *, doubted: bool = False) -> None:
        """Follow one line; what cannot be is passed over.

        Args:
            line: the line.
            said: our last answer, which fills in what the line leaves out of our own move.
            doubted: whether the line is impossible, so that the tile it draws need not be ours.
        """
        kind = line["type"]
        if kind == "start_kyoku":
            hands = line.get("tehais")
            own = hands[self.seat] if isinstance(hands, list) and len(hands) > self.seat else None
            self._tiles = [each for each in own if _is_tile(each)] if isinstance(own, list) else []
            self._drawn, self._in_turn, self._riichi, self._forbidden = "", False, False, 0
        if line.get("actor") != self.seat:
            return
        move = line if said.get("type") != kind else said | line
        if kind == "tsumo":
            self._draw(line.get("pai"), doubted=doubted and not self._riichi)
        elif kind in {"dahai", "kakan"}:
            self._lay_down([move.get("pai")], in_turn=False)
        elif kind in {"chi", "pon", "daiminkan", "ankan"}:
            consumed = move.get("consumed")
            self._lay_down(consumed if isinstance(consumed, list) else [], in_turn=kind in {"chi", "pon"})
            self._forbidden = _after_call(move.get("pai"), consumed) if self._in_turn else 0
        elif kind == "reach":
            self._riichi = True

    def _draw(self, tile: Any, *, doubted: bool) -> None:
        self._in_turn = True
        self._drawn = tile if _is_tile(tile) and not doubted else ""
        self._tiles += [self._drawn] if self._drawn else []

    def _lay_down(self, tiles: Iterable[Any], *, in_turn: bool) -> None:
        for tile in tiles:
            if tile in self._tiles:
                self._tiles.remove(tile)
        self._drawn, self._in_turn, self._forbidden = "", in_turn, 0

    def discard(self, *, asked: bool = False) -> Message | None:
        """A discard that is always legal: the tile drawn, or one that a call allows; None if none is due.

        Args:
            asked: whether one is due, although no line has said so.
        """
        if not (self._in_turn or asked):
            return None
        held = (each for each in reversed(self._tiles) if not self._forbidden >> PLAIN37[TILES[each]] & 1)
        tile = self._drawn or next(held, "")
        return self.discard_of(tile) if tile else None

    def discard_of(self, tile: str) -> Message:
        """The line that discards a tile."""
        return {"type": "dahai", "actor": self.seat, "pai": tile, "tsumogiri": tile == self._drawn}


def _is_tile(name: Any) -> bool:
    return isinstance(name, str) and name in TILES


def _after_call(called: Any, consumed: Any) -> int:
    """The bit set of the ``tile34`` that a chi or pon forbids to discard, as far as the line names its tiles."""
    if not _is_tile(called):
        return 0
    kind = PLAIN37[TILES[called]]
    own = [PLAIN37[TILES[name]] for name in consumed if _is_tile(name)] if isinstance(consumed, list) else []
    return kuikae_mask(kind, own) if len(own) == 2 else 1 << kind


@dataclass(frozen=True, slots=True)
class ReplyContext:
    """The facts that a reply depends on besides the action."""

    rules: Rules  # rules of the table
    seat: int  # seat of the player who replies
    drawn: int | None  # the ``tile136`` just drawn, or None
    from_seat: int  # who discarded the tile in question, or added it to a pon; ignored in one's own turn


def format_action(action: Action, asked: ReplyContext) -> dict[str, Any]:
    """The mjai line for an action. A riichi is only announced; its discard follows after the announcement arrives."""
    kind, seat = action.kind, asked.seat
    names = TileNames(asked.rules)
    match kind:
        case ActionKind.PASS:
            return dict(NONE)
        case ActionKind.DISCARD:
            drawn = action.tile == asked.drawn
            return {"type": "dahai", "actor": seat, "pai": names.of(action.tile), "tsumogiri": drawn}
        case ActionKind.RIICHI:
            return {"type": "reach", "actor": seat}
        case ActionKind.TSUMO:
            return {"type": "hora", "actor": seat, "target": seat, "pai": names.of(action.tile)}
        case ActionKind.RON:
            return {"type": "hora", "actor": seat, "target": asked.from_seat, "pai": names.of(action.tile)}
        case ActionKind.CHI | ActionKind.PON:
            tiles = tuple(sorted((action.tile, *action.own)))
            return names.line(seat, Meld(MeldKind[kind.name], tiles, action.tile, asked.from_seat))
        case ActionKind.DAIMINKAN:
            return names.line(seat, Meld(MeldKind.DAIMINKAN, _four(action.tile), action.tile, asked.from_seat))
        case ActionKind.ANKAN | ActionKind.KAKAN:  # the others of the four are the pon to which a tile is added
            return names.line(seat, Meld(MeldKind[kind.name], _four(action.tile), None, seat, action.tile))
        case ActionKind.NINE_TERMINALS:
            return {"type": "ryukyoku", "actor": seat, "reason": DRAWS[RyuukyokuKind.NINE_TERMINALS].mjai}


def find_action(reply: dict[str, Any], legal: Iterable[Action], asked: ReplyContext) -> Action | None:
    """The legal action that a program's line means; None if it matches none of them.

    Programs may leave out who acts, on whom, and the tile of a win. A ``reach`` matches every legal riichi; its discard
    decides and is then matched as a ``dahai``.
    """
    looser: Action | None = None
    for action in legal:
        line = format_action(action, asked)
        if line["type"] != reply.get("type") or any(_differs(reply, line, key) for key in ("pai", "consumed")):
            continue
        if "tsumogiri" not in line or reply.get("tsumogiri") == line["tsumogiri"]:
            return action
        looser = looser or action
    return looser


def is_offered(line: Message, offer: Message) -> bool:
    """Whether a server's offer allows a line of ours; a win, or an offer without tiles, allows all of its type."""
    if line["type"] != offer["type"] or line["type"] == "hora":
        return bool(line["type"] == offer["type"])
    said = [(_tiles_of(line.get(key)), _tiles_of(offer.get(key))) for key in ("pai", "consumed")]
    return all(not offered or not own or own == offered for own, offered in said)


def _tiles_of(named: Any) -> list[int]:
    """The ``tile37`` that a field names, in order; none where it does not name tiles."""
    names = named if isinstance(named, list) else [named]
    return sorted(TILES[name] for name in names) if all(map(_is_tile, names)) else []


def _four(tile: int) -> tuple[int, ...]:
    return tuple(range(tile & ~3, (tile & ~3) + 4))


def _differs(reply: dict[str, Any], line: dict[str, Any], key: str) -> bool:
    """Whether a reply contradicts the line. A win and an abortive draw need no tile; a kan need not name all tiles."""
    said, right = reply.get(key), line.get(key)
    if right is None or (said is None and line["type"] not in {"dahai", "chi", "pon"}):
        return False
    if isinstance(right, list):
        return not (
            isinstance(said, list) and all(isinstance(tile, str) for tile in said) and sorted(said) == sorted(right)
        )
    return bool(said != right)
