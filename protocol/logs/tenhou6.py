"""tenhou.net/6 JSON, the format of Tenhou's own viewer and editor.

Reads downloaded logs and viewer addresses (``https://tenhou.net/6/#json=...``). Writes what the viewer can open.
"""

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from math import isfinite
from typing import Any, Final, NamedTuple

from engine.model import events as ev
from engine.model.rules import Rules
from engine.model.seats import SEATS, four
from engine.model.yaku import RED_FIVE
from protocol.errors import LogError, LogTrouble, RemoteProtocolError, UnsupportedGameError
from protocol.logs.game_builder import GameBuilder, tile37_names
from protocol.logs.game_log import DAN_NAMES, HOUSE_RULES, UNPLAYED, GameLog, LogInfo, Notes
from protocol.logs.json_text import Doubled, decode_damaged, dump, quoted, whole, whole_numbers
from protocol.logs.rule_text import RED_FLAGS, ROOMS, flags, stated_by, type_of_name, unplayed
from protocol.logs.shown_rules import ends_as_east_only, length_of_course, shows_red_fives
from protocol.logs.tenhou6_hand import TILES, HandWriter, read_hand
from protocol.logs.tenhou6_text import parse_document
from protocol.logs.wins import parse_tenhou6
from protocol.logs.words import is_rounded_up, length_of_title
from protocol.tenhou.game_type import FAST, HANCHAN, NAMED_BITS, ROOM_A, ROOM_B, parse_game_type

_type_in_id: Final = re.compile(r"\d{10}gm-([0-9a-f]{4})-").match
_ROOM_BITS: Final = ROOM_A | ROOM_B


def read(data: bytes | str, source: str = "") -> GameLog:
    """Read a log.

    Raises:
        LogError: the log cannot be read; ``UnsupportedGameError`` for three-player games.
    """
    text, damage = decode_damaged(data)
    try:
        return _read(text, source, damage)
    except LogError as error:
        raise (damage or error).located(source) from error.__cause__


def write(game: GameLog) -> str:
    """Write a log as one line of JSON.

    Raises:
        LogError: tiles are hidden, as in the log of one player's view.
    """
    rules, info = game.start.rules, game.info
    tile37 = tile37_names(rules)
    hands: list[HandWriter] = []
    connection: list[dict[str, int]] = []
    step = 0
    for event in game.events:
        if isinstance(event, ev.StartKyoku):
            hands.append(HandWriter(event, tile37))
            step = 0
        elif isinstance(event, ev.Disconnected | ev.Reconnected):
            what = int(isinstance(event, ev.Reconnected))
            connection.append({"what": what, "log": max(len(hands) - 1, 0), "who": event.seat, "step": step})
        elif hands:
            hands[-1].add(event)
            step += isinstance(event, _STEPS)
    end = game.events[-1]
    content: dict[str, Any] = {}
    if info.log_id:
        content |= {
            "ver": float(info.version) if re.fullmatch(r"\d{1,4}(\.\d{1,4})?", info.version) else 2.3,
            "ref": info.log_id,
        }
    if any(info.title) or not info.log_id:
        content["title"] = list(info.title)
    content["log"] = [hand.lists() for hand in hands]
    if connection:
        content["connection"] = connection
    content["ratingc"] = "PF4"
    named = info.rule_name
    if not named and (info.game_type is not None or not (rules.hanchan and rules.open_tanyao)):
        named = _rule_name(rules, info.game_type, info.log_id)
    red_fives = dict.fromkeys(("aka53", "aka52", "aka51"), int(rules.red_fives))
    content["rule"] = {"disp": named, **red_fives} if named else red_fives
    if info.lobby:
        content["lobby"] = int(info.lobby) if info.lobby.isascii() and info.lobby.isdigit() else info.lobby
    if info.house_rules:
        content["csrule"] = info.house_rules.split(",")
    if info.dan is not None:
        content["dan"] = [DAN_NAMES[dan] for dan in info.dan]
    if info.rates is not None:
        content["rate"] = [_short(rate) for rate in info.rates]
    if info.sexes is not None:
        content["sx"] = list(info.sexes)
    if isinstance(end, ev.EndGame) and end.results is not None:
        content["sc"] = [n for seat in SEATS for n in (end.scores[seat], _short(end.results[seat]))]
    content["name"] = list(game.start.names)
    return dump(content)


_STEPS: Final = (ev.Draw, ev.Discard, ev.Call)
"""The events that count as steps in the list of disconnections."""


def _read(text: str, source: str, foreign: LogError | None) -> GameLog:
    first, damage = parse_document(text)
    final = first.get("sc")
    names = _strings(first.get("name")) or ("", "", "", "")
    info = _info(first)
    players = first.get("name")
    if isinstance(players, list) and len(players) == 3:
        raise UnsupportedGameError
    rules, red = _rules(info, first.get("rule"), first["log"])
    builder = GameBuilder(rules, names)
    notes = builder.notes
    builder.note_red_fives(red.stated, rules.red_fives, won=red.won, seen=red.shown is True)
    if isinstance(first, Doubled):
        for fault in first.faults.values():
            notes.add(f"{fault}; the later one counts", "its first fields")
    if foreign is not None:
        notes.add(foreign.message, foreign.position)
    if info.house_rules:
        notes.add(HOUSE_RULES, '"csrule"')
    if others := _unplayed(info.rule_name, first.get("rule")):
        notes.add(f"{UNPLAYED}: {', '.join(others)}", '"rule"')
    connection = _connection(first.get("connection"), notes)
    for index, hand in enumerate(first["log"]):
        begin = len(builder.events)
        builder.begin("")
        try:
            if isinstance(hand, LogError):
                raise hand
            read_hand(builder, hand)
        except LogError as error:
            if isinstance(error, UnsupportedGameError) and builder.is_first:
                raise
            builder.lose(error)
        if builder.events:
            builder.events[begin:] = _connected(builder.events[begin:], connection.get(index, {}))
    if not first["log"]:
        raise LogError('there are no hands under "log"', trouble=LogTrouble.NO_GAME)
    if damage is not None and not builder.left_out:
        notes.add(f"what follows is left out: {damage.message}", damage.position)
    if final and builder.events:
        try:
            builder.add(_end(final))
        except LogError as error:
            builder.lose(error, '"sc"')
    if builder.events and not _type_in_id(info.log_id):
        info = _with_length(builder, info)
    return builder.log(info, source)


def _end(final: Any) -> ev.EndGame:
    """The end of a game by ``sc``: the points and the result of each seat."""
    points = whole_numbers(final[::2], len(SEATS)) if _are_numbers(final, 8) else None
    if points is None:
        raise LogError(f"should be four times points and result, not {quoted(final)}")
    return ev.EndGame(four(points), four([float(result) for result in final[1::2]]))


def _with_length(builder: GameBuilder, info: LogInfo) -> LogInfo:
    """Give the game the length that its course proves, or else its title or type, or its end; the info with that."""
    rules = builder.start.rules
    hanchan = length_of_course(builder.events, builder.points)
    if hanchan is None:
        hanchan = length_of_title((info.rule_name, *info.title))
    if hanchan is None and info.game_type is not None:
        hanchan = rules.hanchan
    if hanchan is None:
        hanchan = not ends_as_east_only(builder.events, builder.points)
    builder.play_whole_by(replace(rules, hanchan=hanchan))
    if info.game_type is None:
        return info
    return replace(info, game_type=info.game_type | HANCHAN if hanchan else info.game_type & ~HANCHAN)


def _info(first: dict[str, Any]) -> LogInfo:
    log_id, rule = first.get("ref"), first.get("rule")
    named = rule.get("disp") if isinstance(rule, dict) else rule
    if isinstance(rule, list):  # a tournament's: from when, until when, the type of its games
        named = next((each for each in rule[2:3] if isinstance(each, str)), "")
    named = named if isinstance(named, str) else ""
    title = first.get("title")
    lines = [line for line in (title if isinstance(title, list) else [title]) if isinstance(line, str)][:2]
    dan = _strings(first.get("dan"))
    rates = first.get("rate")
    return LogInfo(
        log_id=log_id if isinstance(log_id, str) else "",
        game_type=_game_type(log_id if isinstance(log_id, str) else "", named),
        lobby=str(first["lobby"]) if isinstance(first.get("lobby"), int | str) else "",
        title=(lines[0] if lines else "", lines[1] if len(lines) > 1 else ""),
        rule_name=named,
        version=str(first["ver"]) if isinstance(first.get("ver"), int | float | str) else "",
        dan=four([DAN_NAMES.index(each) for each in dan]) if dan and set(dan) <= set(DAN_NAMES) else None,
        rates=four([float(each) for each in rates]) if rates is not None and _are_numbers(rates, 4) else None,
        sexes=_strings(first.get("sx")),
        house_rules=",".join(map(str, first["csrule"])) if isinstance(first.get("csrule"), list) else "",
    )


def _game_type(log_id: str, rule_name: str) -> int | None:
    """Tenhou's game type bits, from the log id or from the displayed rules."""
    found = _type_in_id(log_id)
    return int(found[1], 16) if found else type_of_name(rule_name)


class _RedFives(NamedTuple):
    """What a log says of red fives."""

    stated: bool | None  # in words; None if it does not
    won: bool  # whether its wins list them
    shown: bool | None  # whether its tiles have some; False: they show that there are none

    @property
    def played(self) -> bool:
        """Whether there are some: as it is stated, unless the wins, or four plain fives, contradict that.

        Where nothing is stated, the tiles in play decide; where they show neither, there are red fives.
        """
        return self.won or (self.stated is not False and self.shown is not False)


def _rules(info: LogInfo, rule: Any, hands: list[Any]) -> tuple[Rules, _RedFives]:
    try:
        rules = Rules() if info.game_type is None else parse_game_type(info.game_type).rules
    except RemoteProtocolError as error:
        raise LogError(str(error)) from None
    texts = stated_by((info.rule_name, *info.title))
    if info.game_type is not None:
        texts = texts._replace(red_fives=rules.red_fives, open_tanyao=rules.open_tanyao)
    said = [*flags(rule, RED_FLAGS)] if isinstance(rule, dict) else []
    if texts.red_fives is not None:
        said.append(texts.red_fives)
    rules = texts.over(rules)
    played = [hand for hand in hands if isinstance(hand, list) and len(hand) >= 17]
    kiriage = rules.kiriage or any(map(_rounds_up, played))
    red = _red_fives(played, any(said) if said else None)
    return replace(rules, red_fives=red.played, kiriage=kiriage), red


def _unplayed(named: str, rule: Any) -> list[str]:
    """The rules that the log states and that we do not play, in its words."""
    reds = [*flags(rule, RED_FLAGS[1:])] if isinstance(rule, dict) else []
    some = [f"{sum(reds)} of {len(reds)} red fives"] if any(reds) and not all(reds) else []
    return [*map(quoted, unplayed(named)), *some]


def _descriptions(hand: list[Any]) -> list[list[str]]:
    """The value and the yaku of each win of a hand."""
    told = hand[16][2::2] if isinstance(hand[16], list) else []
    return [[word for word in each[3:] if isinstance(word, str)] for each in told if isinstance(each, list)]


def _rounds_up(hand: list[Any]) -> bool:
    """Whether a win of a hand was paid as a rounded-up mangan, which not every table does."""
    return any(is_rounded_up(words[0]) for words in _descriptions(hand) if words)


def _red_fives(hands: list[list[Any]], stated: bool | None) -> _RedFives:
    """What the hands show of red fives, beside what is stated."""
    wins = [parse_tenhou6(words[0], words[1:]) for hand in hands for words in _descriptions(hand) if words]
    won = any(yaku == RED_FIVE for win in wins for yaku, _ in win.yaku)
    return _RedFives(stated, won, shows_red_fives(map(_from_the_wall, hands)))


def _from_the_wall(hand: list[Any]) -> list[int]:
    """The ``tile37`` that come from the wall in a hand."""
    lists = [column for column in (hand[index] for index in _TILE_LISTS) if isinstance(column, list)]
    codes = (whole(code) for column in lists for code in column)
    return [TILES[code] for code in codes if code in TILES]


_TILE_LISTS: Final = (2, 3, 4, 5, 7, 8, 10, 11, 13, 14)
"""The lists of a hand that name each tile from the wall once: indicators, hands and draws."""


def _rule_name(rules: Rules, game_type: int | None, log_id: str) -> str:
    """The rules as Tenhou displays them; the type in figures where neither that nor the log's id says all of it."""
    bits = game_type or 0
    room = next(name for name, room in ROOMS.items() if room & _ROOM_BITS == bits & _ROOM_BITS)
    length = "南" if rules.hanchan else "東"
    named = f"{room}{length}{'喰' * rules.open_tanyao}{'赤' * rules.red_fives}{'速' * bool(bits & FAST)}"
    unsaid = bits & ~NAMED_BITS and not _type_in_id(log_id)
    return f"{bits:04x}" if unsaid else named


Connection = dict[int, list[ev.Event]]
"""Disconnections and reconnections in a hand, by the step after which they come."""


def _connection(entries: Any, notes: Notes) -> dict[int, Connection]:
    """Those that a log lists, by hand; an entry that cannot be read is noted."""
    found: dict[int, Connection] = {}
    for number, each in enumerate(entries if isinstance(entries, list) else [], 1):
        fields: list[Any] = [each.get(key) for key in ("log", "step", "who", "what")] if isinstance(each, dict) else []
        if not _are_numbers(fields, 4) or fields[2] not in SEATS:
            notes.add("does not say who disconnected, in which hand, at which step", f'entry {number} of "connection"')
            continue
        hand, step, seat = map(int, fields[:3])
        event = ev.Reconnected(seat) if fields[3] else ev.Disconnected(seat)
        found.setdefault(hand, {}).setdefault(step, []).append(event)
    return found


def _connected(events: Sequence[ev.Event], connection: Connection) -> list[ev.Event]:
    """The events of a hand with its disconnections and reconnections inserted, those of a later step after its last."""
    last = sum(isinstance(event, _STEPS) for event in events)
    left = defaultdict[int, list[ev.Event]](list)
    for step in sorted(connection):
        left[min(max(step, 0), last)] += connection[step]
    result, step = list[ev.Event](), 0
    for event in events:
        if not isinstance(event, ev.StartGame | ev.StartKyoku):
            result += left.pop(step, [])
            step += isinstance(event, _STEPS)
        result.append(event)
    return result + left.pop(last, [])


def _strings(value: Any) -> tuple[str, str, str, str] | None:
    if isinstance(value, list) and len(value) == 4 and all(isinstance(each, str) for each in value):
        return four(value)
    return None


def _are_numbers(value: Any, length: int) -> bool:
    if not isinstance(value, list) or len(value) != length:
        return False
    return all(type(each) in {int, float} and isfinite(each) for each in value)


def _short(number: float) -> int | float:
    """A whole number without its ``.0``."""
    return int(number) if number == int(number) else number
