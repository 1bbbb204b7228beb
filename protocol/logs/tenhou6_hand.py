"""One hand in tenhou.net/6: seventeen lists, with a column of draws and one of discards for each player."""

import re
from collections.abc import Sequence
from typing import Any, Final, TypeVar

from engine.model import events as ev
from engine.model.events import RyuukyokuKind
from engine.model.melds import Meld, MeldKind
from engine.model.plural import plural
from engine.model.seats import SEATS, absolute, dealer_of, four, relative, round_wind34, seat_wind34
from engine.model.tiles import PLAIN37
from protocol.errors import LogError, UnsupportedGameError
from protocol.logs.draws import end_without_win
from protocol.logs.game_builder import LAID_OUT, GameBuilder, sort37
from protocol.logs.hands import NOBODY_PAYS
from protocol.logs.json_text import quoted, whole, whole_numbers
from protocol.logs.turns import DRAWN, Turn, order_turns
from protocol.logs.wins import format_points, format_tenhou6, parse_tenhou6
from protocol.logs.words import (
    ALL_NOTEN,
    ALL_TENPAI,
    DRAWS,
    UNFINISHED,
    WIN,
    kind_of_word,
    says_draw,
    says_no_end,
    says_win,
)

T = TypeVar("T")

CODES: Final = (
    *(10 * suit + number for suit in (1, 2, 3) for number in range(1, 10)),
    *range(41, 48),
    *(51, 52, 53),
)
"""The two digits of each ``tile37``."""

TSUMOGIRI: Final = 60
NO_DISCARD: Final = 0
"""Written in the column of discards after a called kan, which has no discard."""

TILES: Final = {code: tile for tile, code in enumerate(CODES)}
"""The ``tile37`` of each two digits."""
_is_meld: Final = re.compile(r"((?:[1-5]\d){0,3})([cpmka])((?:[1-5]\d){1,4})").fullmatch
_LENGTH: Final = {"c": 3, "p": 3, "m": 4, "k": 4, "a": 4}
_KINDS: Final = {"c": MeldKind.CHI, "p": MeldKind.PON, "m": MeldKind.DAIMINKAN}
_OFFSETS: Final = {"c": {0: 3}, "p": {0: 3, 1: 2, 2: 1}, "m": {0: 3, 1: 2, 3: 1}}
"""By letter and number of tiles before it: how many seats to the right the tile was called from."""


# ---------------------------------------------------------------------- reading


def read_hand(builder: GameBuilder, hand: Any) -> None:
    """Add one hand to the builder.

    Args:
        builder: the game.
        hand: the seventeen lists.

    Raises:
        LogError: the value is not a hand, or the hand cannot have been played.
    """
    if not isinstance(hand, list) or len(hand) < 17:
        builder.fail(f"a hand should be a list of 17 lists, not {quoted(hand)}")
    kyoku, honba, sticks = _ints(builder, hand[0], "round, honba and sticks", 3)
    if isinstance(hand[1], list) and len(hand[1]) == 3 and not hand[13]:  # nothing is dealt to a fourth player
        raise UnsupportedGameError(position=builder.position)
    scores = _ints(builder, hand[1], "scores", 4)
    indicators = _tiles(builder, hand[2], "dora indicators")
    ura = _tiles(builder, hand[3] or [], "ura indicators")
    haipai = [_tiles(builder, hand[4 + 3 * seat], f"player {seat}'s hand") for seat in SEATS]
    builder.start_kyoku(kyoku, honba, sticks, four(scores), indicators, haipai)
    result = hand[16]
    if not (isinstance(result, list) and result and isinstance(result[0], str)):
        builder.fail(f"the hand has {quoted(result)} instead of a result")
    if len(result) == 2 and _is_win(result):
        result = [*result, _winner_and_loser(builder, result[1])]
    columns = [_column(builder, seat, hand[5 + 3 * seat], hand[6 + 3 * seat]) for seat in SEATS]
    turns = order_turns(
        [[turn for turn, _, _ in column] for column in columns], dealer_of(kyoku), **_ending(builder, result)
    )
    if turns is None and not says_draw(result[0]) and not any(columns):
        turns = []  # nobody has drawn yet
    if turns is None:
        builder.fail("no order of play explains these draws and discards")
    waiting = [iter(column) for column in columns]
    for turn in turns:
        _, taken, done = next(waiting[turn.seat])
        if isinstance(taken, int):
            builder.draw(turn.seat, taken)
        else:
            builder.call(turn.seat, taken[0], turn.called, taken[1])
        if done is None:
            continue
        letter, tile, tiles = done
        if letter == "a":
            builder.ankan(turn.seat, tiles)
        elif letter == "k":
            builder.kakan(turn.seat, tile)
        elif letter != "0":
            if letter in "rs":
                builder.riichi(turn.seat)
            builder.discard(turn.seat, tile, tsumogiri=letter in "ts")
    if _is_win(result):
        for payments, description in sorted(zip(result[1::2], result[2::2], strict=True), key=_from_the_discarder):
            _win(builder, payments, description, ura)
    elif says_no_end(result[0]):
        builder.hands.over = True
    else:
        _draw(builder, result)


Taken = int | tuple[MeldKind, list[int]]
"""How a turn begins: the ``tile37`` drawn, or a call and its tiles from the hand."""

Done = tuple[str, int, list[int]] | None
"""How a turn ends: a letter (``d`` discard and ``t`` tsumogiri, with riichi ``r`` and ``s``; ``k`` kakan, ``a`` ankan;
``0`` nothing after a called kan), its ``tile37``, and all four tiles of a kan."""


def _column(builder: GameBuilder, seat: int, draws: Any, discards: Any) -> list[tuple[Turn, Taken, Done]]:
    """A player's two lists as turns."""
    if not isinstance(draws, list) or not isinstance(discards, list):
        builder.fail(f"player {seat}'s draws and discards are not two lists")
    if len(draws) == len(discards) + 2 and "m" in str(draws[-2]):
        discards = [*discards, NO_DISCARD]  # the entry is left out when the replacement draw of the kan wins
    if not len(discards) <= len(draws) <= len(discards) + 1:
        builder.fail(f"player {seat} has {plural(len(draws), 'draw')} and {plural(len(discards), 'discard')}")
    column: list[tuple[Turn, Taken, Done]] = []
    for index, entry in enumerate(draws):
        called, from_seat, rank = DRAWN, seat, 2
        taken: Taken
        if isinstance(entry, str):
            letter, called, own, offset = _meld(builder, seat, entry, "cpm")
            from_seat, rank = absolute(offset, seat), int(letter == "c")
            taken = (_KINDS[letter], own)
        else:
            taken = _tile(builder, entry, f"player {seat}'s draw {index + 1}")
        last = index == len(discards)
        done = None if last else _done(builder, seat, index, discards[index], taken)
        goes_on = done is not None and done[0] in "ka0"
        tile = None if done is None or goes_on else done[1]
        column.append((Turn(seat, called, from_seat, rank, tile, goes_on, last), taken, done))
    return column


def _done(builder: GameBuilder, seat: int, index: int, entry: Any, taken: Taken) -> Done:
    """How a turn ends, by its entry in the list of discards."""
    if isinstance(entry, str) and not entry.startswith("r"):
        letter, named, others, _ = _meld(builder, seat, entry, "ka")
        return letter, named, [named, *others]
    riichi = isinstance(entry, str)
    if isinstance(entry, str):
        entry = int(entry[1:]) if entry[1:].isascii() and entry[1:].isdigit() and len(entry) == 3 else entry
    if entry == TSUMOGIRI and isinstance(taken, int):
        return "s" if riichi else "t", taken, []
    called_kan = not isinstance(taken, int) and taken[0] is MeldKind.DAIMINKAN
    if called_kan != (entry == NO_DISCARD):
        builder.fail(
            f"player {seat}'s discard {index + 1} is {quoted(entry)}; 0 is written after a called kan and only there"
        )
    if called_kan:
        return "0", 0, []
    return "r" if riichi else "d", _tile(builder, entry, f"player {seat}'s discard {index + 1}"), []


def _meld(builder: GameBuilder, seat: int, text: str, letters: str) -> tuple[str, int, list[int], int]:
    """Letter, marked tile, the other tiles, and how many seats to the right the tile was called from."""
    found = _is_meld(text)
    if found is None or found[2] not in letters or len(text) != 2 * _LENGTH[found[2]] + 1:
        if text[:1] == "f":
            raise UnsupportedGameError(position=builder.position)
        builder.fail(f"player {seat}'s {quoted(text)} is not a call that is possible there")
    letter = found[2]
    before = len(found[1]) // 2
    digits = found[1] + found[3]
    tiles = [_tile(builder, int(digits[i : i + 2]), quoted(text)) for i in range(0, len(digits), 2)]
    offset = _OFFSETS.get(letter, {}).get(before, 0)
    if letter in _OFFSETS and not offset:
        builder.fail(f"player {seat}'s {quoted(text)} does not say whom it was called from")
    return letter, tiles.pop(before), tiles, offset


def _is_win(result: list[Any]) -> bool:
    """Whether a hand was won; other programs' words for it are known by the description of the winner after them."""
    if says_win(result[0]):
        return True
    described = len(result) > 2 and isinstance(result[2], list) and len(result[2]) > 1
    return described and not says_draw(result[0])


def _ending(builder: GameBuilder, result: list[Any]) -> dict[str, Any]:
    """The facts about the last turn that the result states."""
    if not _is_win(result):
        nine = kind_of_word(result[0]) is RyuukyokuKind.NINE_TERMINALS
        return {"ends_with": None, "open_end": True if nine else None}
    if len(result) < 3 or len(result) % 2 != 1:
        builder.fail("a win needs its payments and its description")
    winner, loser = _players(builder, result[2])
    return {"ends_with": loser, "open_end": winner == loser}


def _winner_and_loser(builder: GameBuilder, payments: Any) -> list[int]:
    """Winner and loser of a win without a description: one player pays for a ron, several pay for a self-draw."""
    deltas = _ints(builder, payments, "payments", 4)
    gain = [seat for seat in SEATS if deltas[seat] > 0]
    pay = [seat for seat in SEATS if deltas[seat] < 0]
    if len(gain) != 1 or not pay:
        builder.fail("a win needs its payments and its description")
    return [gain[0], pay[0] if len(pay) == 1 else gain[0]]


def _draw(builder: GameBuilder, result: list[Any]) -> None:
    paid = result[1] if len(result) > 1 and result[1] != [] else None
    deltas = None if paid is None else four(_ints(builder, paid, "payments", 4))
    end_without_win(builder, result[0], deltas, is_drawn=says_draw(result[0]))


def _from_the_discarder(win: tuple[Any, Any]) -> int:
    """How many seats a winner sits from the discarder, who pays them in this order; 0 if that cannot be read."""
    named = map(whole, win[1][:2]) if isinstance(win[1], list) else ()
    seats = [seat for seat in named if seat is not None]
    return relative(*seats) if len(seats) == 2 else 0


def _win(builder: GameBuilder, payments: Any, description: Any, ura: list[int]) -> None:
    unpaid = payments is None or payments == []
    deltas = NOBODY_PAYS if unpaid else four(_ints(builder, payments, "payments", 4))
    seat, loser = _players(builder, description)
    said = description[2] if len(description) > 2 else None
    pao = seat if said in (None, -1) else _ints(builder, [said], "the liable player", 1)[0]
    if not all(0 <= each < 4 for each in (seat, loser, pao)):
        builder.fail(f"players are 0 to 3, not {seat}, {loser}, {pao}")
    words = [word if whole(word) is None else str(whole(word)) for word in description[3:] if word is not None]
    if not all(isinstance(word, str) for word in words):
        builder.fail(f"the description of a win should be a list of texts, not {quoted(words)}")
    score = None
    if words:
        kyoku = builder.kyoku
        winds = {"seat_wind": seat_wind34(seat, dealer_of(kyoku)), "round_wind": round_wind34(kyoku)}
        score = parse_tenhou6(words[0], words[1:], **winds)
    # the discarder is liable for a ron anyway; some programs name it
    pao_seat = None if pao in {seat, loser} else pao
    unstated = ev.Unstated.PAYMENTS if unpaid else ev.NOTHING
    builder.win(seat, loser, builder.win_tile(seat, loser), deltas, ura, pao_seat, score, unstated)


def _players(builder: GameBuilder, description: Any) -> list[int]:
    """Winner and loser, with whom the description of a win begins."""
    named = description[:2] if isinstance(description, list) else description
    return _ints(builder, named, "winner and loser", 2)


def _ints(builder: GameBuilder, value: Any, what: str, length: int) -> list[int]:
    """A list of ``length`` whole numbers; ``what`` names it in the error."""
    numbers = whole_numbers(value, length)
    if numbers is None:
        builder.fail(f"{what} should be {length} whole numbers, not {quoted(value)}")
    return numbers


def _tiles(builder: GameBuilder, value: Any, what: str) -> list[int]:
    if not isinstance(value, list):
        builder.fail(f"{what} should be a list of tiles, not {quoted(value)}")
    return [_tile(builder, each, what) for each in value]


def _tile(builder: GameBuilder, code: Any, what: str) -> int:
    number = whole(code)
    tile = None if number is None else TILES.get(number)
    if tile is None:
        builder.fail(f"{quoted(code)} in {what} is not a tile; tiles are 11-19, 21-29, 31-39, 41-47 and 51-53")
    return tile if builder.rules.red_fives else PLAIN37[tile]


# ---------------------------------------------------------------------- writing


class HandWriter:
    """Collects the events of one hand into its seventeen lists.

    Args:
        start: the deal.
        tile37: the ``tile37`` of each ``tile136``.
    """

    def __init__(self, start: ev.StartKyoku, tile37: Sequence[int]) -> None:
        self.start = start
        self._codes: Final = [CODES[tile37[tile]] for tile in range(136)]
        self._order: Final = [LAID_OUT[tile37[tile]] for tile in range(136)]
        self._dora = [self._codes[start.dora_indicator]]
        self._ura: list[int] = []
        self._draws: list[list[int | str]] = [[], [], [], []]
        self._discards: list[list[int | str]] = [[], [], [], []]
        self._riichi = ""
        self.result: list[Any] = []
        hands = map(_visible, start.hands)
        self._hands = [[CODES[tile] for tile in sort37(tile37[tile] for tile in hand)] for hand in hands]

    def add(self, event: ev.Event) -> None:
        """Add the next event of the hand.

        Raises:
            LogError: the event is hidden, and this format must show everything.
        """
        match event:
            case ev.Draw():
                self._draws[event.seat].append(self._codes[_visible(event.tile)])
            case ev.Discard():
                code = TSUMOGIRI if event.tsumogiri else self._codes[event.tile]
                self._discards[event.seat].append(f"{self._riichi}{code}" if self._riichi else code)
                self._riichi = ""
            case ev.RiichiDeclared():
                self._riichi = "r"
            case ev.Call():
                self._call(event.seat, event.meld)
            case ev.NewDora():
                self._dora.append(self._codes[event.indicator])
            case ev.Win():
                self._win(event)
            case ev.Ryuukyoku():
                self._ryuukyoku(event)
            case _:
                pass

    def lists(self) -> list[Any]:
        """The seventeen lists of the hand."""
        start = self.start
        columns = [column for seat in SEATS for column in (self._hands[seat], self._draws[seat], self._discards[seat])]
        for discards in self._discards:
            if discards and discards[-1] == NO_DISCARD:
                discards.pop()
        head = [[start.kyoku, start.honba, start.riichi_sticks], list(start.scores), self._dora, self._ura]
        return [*head, *columns, self.result or [UNFINISHED]]

    def _call(self, seat: int, meld: Meld) -> None:
        offset = relative(meld.from_seat, seat)
        marked = meld.called if meld.added is None or meld.kind is MeldKind.DAIMINKAN else meld.added
        if meld.kind is MeldKind.ANKAN:
            # Viewers show the last tile behind the letter: the red five, if there is one.
            own = sorted(meld.tiles, key=self._order.__getitem__)
            text = f"{self._pairs(own[:3])}a{self._pairs(own[3:])}"
        elif meld.kind is MeldKind.KAKAN:
            own = sorted((t for t in meld.tiles if t not in {meld.called, meld.added}), key=self._order.__getitem__)
            own.insert(3 - offset, _visible(meld.called))
            text = f"{self._pairs(own[: 3 - offset])}k{self._pairs([_visible(marked), *own[3 - offset :]])}"
        else:
            own = sorted(meld.own_tiles, key=self._order.__getitem__)
            before = {3: 0, 2: 1, 1: len(own)}[offset]
            letter = "cpm"[meld.kind]
            text = f"{self._pairs(own[:before])}{letter}{self._pairs([_visible(marked), *own[before:]])}"
        if meld.kind in {MeldKind.ANKAN, MeldKind.KAKAN}:
            self._discards[seat].append(text)
        else:
            self._draws[seat].append(text)
            if meld.kind is MeldKind.DAIMINKAN:
                self._discards[seat].append(NO_DISCARD)

    def _pairs(self, tiles: Sequence[int]) -> str:
        return "".join(str(self._codes[tile]) for tile in tiles)

    def _win(self, win: ev.Win) -> None:
        if not self.result:
            self.result = [WIN]
        self._ura = self._ura or [self._codes[tile] for tile in win.ura_indicators]
        description: list[int | str] = [win.seat, win.from_seat, win.seat if win.pao_seat is None else win.pao_seat]
        tsumo, dealer = win.seat == win.from_seat, win.seat == self.start.dealer
        if win.score is not None:
            description += format_tenhou6(win.score, tsumo=tsumo, dealer=dealer)
        elif win.claim is not None and win.claim.points is not None:
            description.append(format_points(win.claim.points, tsumo=tsumo, dealer=dealer))
        self.result += [list(win.deltas), description]

    def _ryuukyoku(self, draw: ev.Ryuukyoku) -> None:
        word = DRAWS[draw.kind].tenhou
        if draw.kind is RyuukyokuKind.EXHAUSTIVE and not any(draw.deltas):
            word = ALL_NOTEN if draw.hands == (None, None, None, None) else ALL_TENPAI
        self.result = [word, list(draw.deltas)] if any(draw.deltas) else [word]


def _visible(shown: T | None) -> T:
    """A tile or a hand that the format must show.

    Raises:
        LogError: it is hidden.
    """
    if shown is None:
        raise LogError("hidden tiles cannot be written as tenhou.net/6; write mjai, or use a log that shows all hands")
    return shown
