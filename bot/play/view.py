"""The table as lines of text, seats placed as at a table, with the last decision and the reasons for it."""

from collections import deque
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from itertools import zip_longest
from typing import Final

from rich import box
from rich.table import Table
from rich.text import Text

from bot.deciding.ask import Outcome
from bot.machine.text import brief
from bot.wording.events import SIDES, event_words, naming
from bot.wording.grounds import mode_word, value_text, value_unit, word
from bot.wording.languages import MARK, Lang, marked
from engine.model.actions import Action, ActionKind
from engine.model.events import Discard, Draw, Event, RiichiDeclared, StartGame, StartKyoku
from engine.model.melds import Meld, MeldKind
from engine.model.seats import absolute, by_score, relative
from engine.model.tiles import DORA_AFTER, HONOURS, TILE34, TILE37, allocate136, format_tile37, parse_tile37
from engine.policy.decision import Candidate, Decision
from engine.state import GameState, RiverTile

SUIT_STYLES: Final = ("yellow", "cyan", "green", "white")
RED_STYLE: Final = "bold red"
HONOUR_NAMES: Final = ("東", "南", "西", "北", "白", "發", "中")
HONOUR_LETTERS: Final = ("Ea", "So", "We", "No", "Wh", "Gr", "Rd")
"""The honours on terminals that cannot show the characters."""
WINDS: Final = ("East", "South", "West", "North")
MODE_STYLES: Final = {"push": "bold green", "fold": "bold yellow", "forced": "dim", "fallback": "bold red"}
SHOWN_CANDIDATES: Final = 10
SHOWN_EVENTS: Final = 4
NARROW: Final = 72
"""Width in columns below which the seats are listed below each other, and the two probabilities are left out."""
COLUMNS: Final = (("action", 22), ("shanten", 9), ("ukeire", 8), ("value", 10), ("win", 7), ("deal-in", 9))
"""Titles and widths of the columns of candidates."""
NAME_LENGTH: Final = 16
ACROSS: Final = 12
"""Discards per row."""
_QUIET: Final = (StartGame, Draw, Discard, RiichiDeclared)
"""Events that the table itself shows."""


class Faces:
    """Renders tiles.

    Args:
        red_fives: whether the rules have red fives.
        letters: whether honours are written in ASCII.
    """

    def __init__(self, red_fives: bool = True, letters: bool = False) -> None:
        self._looks = TILE37 if red_fives else TILE34
        self._honours = HONOUR_LETTERS if letters else HONOUR_NAMES

    def tile(self, tile136: int, style: str = "") -> Text:
        """One tile; ``style`` is added to its colour."""
        look = self._looks[tile136]
        kind = tile136 >> 2
        name = self._honours[kind - HONOURS] if kind >= HONOURS else format_tile37(look)
        face = Text(name, RED_STYLE if look >= 34 else SUIT_STYLES[kind // 9])
        if style:
            face.stylize(style)
        return face

    def row(self, tiles136: Iterable[int], dora: Container[int] = (), style: str = "") -> Text:
        """Tiles side by side, each of a kind in ``dora`` followed by a star."""
        shown = Text()
        for tile in tiles136:
            shown.append_text(self.tile(tile, style)).append("*" if tile >> 2 in dora else " ")
        return shown

    def kind(self, tile34: int) -> Text:
        """A kind of tile, not red."""
        return self.tile(4 * tile34 + 1)

    def sentence(self, text: str) -> Text:
        """A sentence with its marked tiles rendered; see :mod:`bot.wording.languages`."""
        parts = MARK.split(text)  # text and tiles alternate
        faces = [self.tile(tile136) for tile in parts[1::2] for tile136 in allocate136([parse_tile37(tile)])]
        shown = Text(parts[0])
        for face, after in zip(faces, parts[2::2], strict=True):
            shown.append_text(face).append(after or " ")
        return shown

    def river(self, river: list[RiverTile], across: int = 6, dora: Container[int] = ()) -> list[Text]:
        """Discards in rows: tsumogiri dim, the riichi tile reversed, called tiles struck out; dora have a star."""
        rows = []
        for start in range(0, len(river), across):
            row = Text()
            for tile in river[start : start + across]:
                marks = ["dim"] if tile.tsumogiri else []
                marks += ["reverse"] if tile.riichi else []
                marks += ["strike"] if tile.called_by is not None else []
                row.append_text(self.row((tile.tile,), dora, " ".join(marks)))
            rows.append(row)
        return rows

    def meld(self, meld: Meld, owner: int) -> Text:
        """A meld in brackets with the called tile underlined, followed by its source: ``<``, ``^``, ``>``."""
        arrow = {1: ">", 2: "^", 3: "<"}.get(relative(meld.from_seat, owner), "")
        faces = [self.tile(tile, "underline" if tile == meld.called else "") for tile in meld.tiles]
        if meld.kind is MeldKind.ANKAN:
            faces[0] = faces[-1] = Text("▒▒", "dim")
        return Text.assemble("[", Text(" ").join(faces), f"]{arrow}")


Line = tuple[int, Text]
"""A line and its rank: lines of higher rank are left out first on low terminals."""


class TableView:
    """A watcher that shows what one seat sees as lines; see :class:`~bot.play.screen.LiveView`."""

    def __init__(self, names: Callable[[], Sequence[str]], faces: Faces | None = None) -> None:
        """Create a view.

        Args:
            names: returns the names of the players by seat.
            faces: how tiles are shown.
        """
        self._names = names
        self._faces = faces or Faces()
        self._state: GameState | None = None
        self._decision: Decision | None = None
        self._outcome = Outcome.DECIDED
        self._events: deque[Text] = deque(maxlen=SHOWN_EVENTS)

    def happened(self, state: GameState, event: Event) -> None:
        """Take note of an event."""
        self._state = state
        if not isinstance(event, _QUIET):
            who = naming(self._names(), state.seat, NAME_LENGTH)
            words = event_words(event, who, red_fives=state.rules.red_fives)
            self._events.append(self._faces.sentence(words))
        if isinstance(event, StartKyoku):
            self._decision = None

    def decided(self, state: GameState, decision: Decision, outcome: Outcome) -> None:
        """Take note of a decision."""
        self._state, self._decision, self._outcome = state, decision, outcome

    def answered_by_the_clock(self, action: Action, seconds: float) -> None:
        """Take note of what the clock answered for a person, who had that many seconds."""
        self._events.append(
            Text.assemble((f"the clock answered for you after {seconds:.0f} s: ", "bold red"), self.action(action))
        )

    def noted(self, said: Mapping[str, str]) -> None:
        """Take note of a notice."""
        self._events.append(Text(brief(said[Lang.EN]), "dim"))

    def lines(self, width: int, height: int) -> list[Text]:
        """Everything that fits on a terminal of that size, each line as wide as it."""
        state = self._state
        events: list[Line] = [(2 if age else 1, line) for age, line in enumerate(reversed(self._events))][::-1]
        if state is None or not state.hand:
            found = [(0, Text("Oshihiki", "bold")), *(events or [(0, Text("waiting for a table …", "dim"))])]
        else:
            found = [
                (0, self._head(state)),
                *self._table(state, width),
                (0, self._hand(state)),
                *self._choice(width),
                *events,
            ]
        for rank in (4, 3, 2, 1):
            while len(found) > height and any(each[0] == rank for each in found):
                del found[max(at for at, each in enumerate(found) if each[0] == rank)]
        kept = [line.copy() for _, line in found[:height]]
        for line in kept:
            line.truncate(width, overflow="ellipsis", pad=True)
        return kept

    def _head(self, state: GameState) -> Text:
        dora = Text(" ").join(self._faces.kind(kind) for kind in _dora(state))
        kind = "hanchan" if state.rules.hanchan else "east only"
        return Text.assemble(
            (state.place(), "bold"),
            f"  {kind}   wall {state.wall_left}   riichi sticks {state.riichi_sticks}   dora* ",
            dora,
        )

    def _table(self, state: GameState, width: int) -> list[Line]:
        """The seats: across above, left and right beside each other, the viewer below."""
        right, across, left, own = (self._seat(state, absolute(turn, state.seat), width) for turn in (1, 2, 3, 0))
        if width < NARROW:
            return [(0, line) for block in (right, across, left, own) for line in block]
        half = width // 2
        beside = [_columns(one or Text(), other or Text(), half, width) for one, other in zip_longest(left, right)]
        middle = (width - 3 * ACROSS) // 2
        return [(0, line) for line in (*_moved(across, middle), *beside, *_moved(own, middle))]

    def _seat(self, state: GameState, seat: int, width: int) -> list[Text]:
        """A player: name and points, melds, discards."""
        mark = Text("▸ " if state.turn == seat else "  ", "bold")
        lines = [Text.assemble(mark, self._title(state, seat))]
        dora = frozenset(_dora(state))
        if state.melds[seat]:
            melds = Text(" ").join(self._faces.meld(meld, seat) for meld in state.melds[seat])
            lines.append(Text.assemble("  ", melds))
        across = max(6, min(ACROSS, (width - 3) // 3))
        rows = self._faces.river(state.rivers[seat], across, dora)
        return [*lines, *(Text.assemble("  ", row) for row in rows or [Text("·", "dim")])]

    def _title(self, state: GameState, seat: int) -> Text:
        title = Text.assemble(
            (WINDS[relative(seat, state.dealer)], "bold magenta" if seat == state.dealer else "bold"),
            f"  {self._who(seat)} ",
            (f"({SIDES[relative(seat, state.seat)]})", "dim"),
            f"  {state.scores[seat]:,}",
        )
        if state.has_declared(seat):
            title.append("  riichi", "bold red")
        return title

    def _hand(self, state: GameState) -> Text:
        held = [tile for tile in state.hand if tile != state.drawn]
        dora = frozenset(_dora(state))
        line = Text.assemble(("hand  ", "dim"), self._faces.row(held, dora))
        if state.drawn is not None:
            line = Text.assemble(line, "  ", self._faces.row((state.drawn,), dora, "bold underline"))
        if state.waits:
            waits = Text(" ").join(self._faces.kind(kind) for kind in state.waits)
            line = Text.assemble(line, ("   waits on ", "dim"), waits)
            if state.furiten:
                line.append("  furiten", "red")
        return line

    def _choice(self, width: int) -> list[Line]:
        decision = self._decision
        if decision is None:
            return []
        mode = mode_word(decision.mode)
        head = Text.assemble(
            (f"{mode}: ", MODE_STYLES.get(mode, "")),
            self.action(decision.action),
            (f"   {1000 * decision.elapsed:.1f} ms", "dim"),
        )
        if self._outcome is not Outcome.DECIDED:
            head.append(f"   {self._outcome}", "bold red")
        grounds = [
            (1 if place < 2 else 3, Text("· ") + self._faces.sentence(word(each, tiles=marked)))
            for place, each in enumerate(decision.grounds)
        ]
        return [(0, head), *self._candidates(decision, width), *grounds]

    def _candidates(self, decision: Decision, width: int) -> list[Line]:
        if len(decision.candidates) < 2:
            return []
        columns = COLUMNS if width >= NARROW else COLUMNS[:4]
        titles = [value_unit(decision) if title == "value" else title for title, _ in columns]
        found: list[Line] = [(1, _row([Text(title, "dim") for title in titles], columns))]
        for place, one in enumerate(decision.candidates[:SHOWN_CANDIDATES]):
            cells = [self.action(one.action), *map(Text, _figures(one, decision))]
            line = _row(cells, columns)
            if one.action == decision.action:
                line.stylize("bold")
            found.append((1 if place < 4 else 4, line))
        return found

    def action(self, action: Action) -> Text:
        """An action in words."""
        name = action.kind.name.lower().replace("_", " ")
        if action.kind is ActionKind.PASS or action.tile < 0:
            return Text(name)
        face = Text.assemble(f"{name} ", self._faces.tile(action.tile))
        return Text.assemble(face, " with ", self._faces.row(action.own)) if action.own else face

    def _who(self, seat: int) -> str:
        return brief(self._names()[seat], NAME_LENGTH) or f"seat {seat}"


def _dora(state: GameState) -> list[int]:
    """The kinds that are dora."""
    return [DORA_AFTER[indicator >> 2] for indicator in state.dora_indicators]


def _moved(lines: Iterable[Text], by: int) -> list[Text]:
    return [Text.assemble(" " * by, line) for line in lines]


def _columns(left: Text, right: Text, half: int, width: int) -> Text:
    """Two lines beside each other."""
    left, right = left.copy(), right.copy()
    left.truncate(half - 1, overflow="ellipsis", pad=True)
    right.truncate(width - half, overflow="ellipsis")
    return Text.assemble(left, " ", right)


def _row(cells: Sequence[Text], columns: Sequence[tuple[str, int]]) -> Text:
    """Cells in columns, the first to the left and the others to the right."""
    line = Text()
    for cell, (_, wide) in zip(cells, columns, strict=False):
        if line:
            line.append(" " * max(wide - cell.cell_len, 1))
            line.append_text(cell)
        else:
            first = cell.copy()
            first.truncate(wide, overflow="ellipsis", pad=True)
            line.append_text(first)
    return line


def _figures(candidate: Candidate, decision: Decision) -> tuple[str, ...]:
    return (
        "" if candidate.shanten is None else str(candidate.shanten),
        "" if candidate.ukeire is None else str(candidate.ukeire),
        value_text(decision, candidate.score),
        "" if candidate.p_win is None else f"{candidate.p_win:.0%}",
        "" if candidate.p_deal_in is None else f"{candidate.p_deal_in:.1%}",
    )


def standings(
    names: tuple[str, ...],
    scores: tuple[int, ...],
    results: tuple[float, ...] | None,
    seat: int,
    own: str = "this bot",
) -> Table:
    """A table of the final places, points and result points; ``own`` is what the player of ``seat`` is called."""
    table = Table("", "player", box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column("points", justify="right")
    table.add_column("result", justify="right")
    for place, one in enumerate(by_score(scores), 1):
        result = "" if results is None else f"{results[one]:+.1f}"
        style = "bold" if one == seat else ""
        name = f"{brief(names[one], 24)}{f' ({own})' if one == seat else ''}"
        table.add_row(f"{place}", Text(name), f"{scores[one]:,}", result, style=style)
    return table
