"""Shows the table in the terminal, with the last decision and the reasons for it."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from types import TracebackType
from typing import Final, Self

from rich import box
from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.padding import Padding
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from bot.deciding.ask import Outcome
from bot.live.faces import Faces
from bot.text import brief
from bot.wording.grounds import word
from bot.wording.seats import SIDES
from bot.wording.tiles import marked
from bot.wording.values import value_text, value_unit
from bot.wording.wins import limit_words, yaku_name
from engine.model.actions import Action, ActionKind
from engine.model.events import (
    Call,
    EndGame,
    Event,
    NewDora,
    RiichiAccepted,
    Ryuukyoku,
    RyuukyokuKind,
    StartKyoku,
    Win,
)
from engine.model.seats import absolute, by_score, relative
from engine.model.tiles import DORA_AFTER
from engine.policy.decision import Candidate, Decision
from engine.state import GameState

WINDS: Final = ("East", "South", "West", "North")
MODE_STYLES: Final = {"attack": "bold green", "fold": "bold yellow", "forced": "dim", "fallback": "bold red"}
SHOWN_CANDIDATES: Final = 4
SHOWN_EVENTS: Final = 3
WIDE: Final = 92
"""Minimum width in columns for showing the players in two columns."""
NARROW: Final = 72
"""Width in columns below which the two probabilities are left out."""
COLUMNS: Final = ("weighed", "shanten", "tiles", "value", "wins", "deals in")
ACROSS: Final = 12
ACROSS_NARROW: Final = 21
"""Discards per row."""
DRAWS: Final = {
    RyuukyokuKind.EXHAUSTIVE: "the wall is used up",
    RyuukyokuKind.NINE_TERMINALS: "drawn: nine terminals",
    RyuukyokuKind.FOUR_RIICHI: "drawn: four riichi",
    RyuukyokuKind.TRIPLE_RON: "drawn: triple ron",
    RyuukyokuKind.FOUR_KANS: "drawn: four kans",
    RyuukyokuKind.FOUR_WINDS: "drawn: four winds",
    RyuukyokuKind.NAGASHI_MANGAN: "nagashi mangan",
}


class TableView:
    """A watcher that renders what one seat sees for rich; see :class:`LiveView`."""

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
        line = self._line(event)
        if line is not None:
            self._events.append(line)
        if isinstance(event, StartKyoku):
            self._decision = None

    def decided(self, state: GameState, decision: Decision, outcome: Outcome) -> None:
        """Take note of a decision."""
        self._state, self._decision, self._outcome = state, decision, outcome

    def noted(self, text: str) -> None:
        """Take note of a notice."""
        self._events.append(Text(brief(text), "dim"))

    def render(self, width: int) -> RenderableType:
        """Everything, for a terminal of that many columns."""
        state = self._state
        if state is None:
            return Panel(self._log(), title="Oshihiki", box=box.ROUNDED)
        parts = [self._head(state), self._players(state, width), self._hand(state), self._choice(width), self._log()]
        return Panel(Group(*parts), title=Text("Oshihiki", "bold"), box=box.ROUNDED, padding=(0, 1))

    def _head(self, state: GameState) -> RenderableType:
        faces = self._faces
        dora = Text(" ").join(faces.kind(DORA_AFTER[indicator >> 2]) for indicator in state.dora_indicators)
        kind = "hanchan" if state.rules.hanchan else "east only"
        return Text.assemble(
            (state.place(), "bold"),
            f"  {kind}   wall {state.wall_left}   riichi sticks {state.riichi_sticks}   dora ",
            dora,
        )

    def _players(self, state: GameState, width: int) -> RenderableType:
        if width < WIDE:
            return Group(*(self._lines(state, absolute(turn, state.seat)) for turn in (1, 2, 3, 0)))
        grid = Table.grid(expand=True, padding=(0, 1))
        grid.add_column(ratio=1)
        grid.add_column(ratio=1)
        for left, right in ((3, 2), (0, 1)):  # as they sit: left and across above, we and right below
            grid.add_row(*(self._panel(state, absolute(turn, state.seat)) for turn in (left, right)))
        return grid

    def _panel(self, state: GameState, seat: int) -> RenderableType:
        body = self._faces.river(state.rivers[seat], ACROSS)
        if state.melds[seat]:
            body = Text.assemble(body, "\n" if body.plain else "", self._melds(state, seat))
        return Panel(
            body if body.plain else Text("—", "dim"),
            title=self._title(state, seat),
            title_align="left",
            box=box.SQUARE,
            border_style="bright_white" if state.turn == seat else "dim",
        )

    def _lines(self, state: GameState, seat: int) -> RenderableType:
        """A player in few lines, for narrow terminals."""
        mark = Text("▸ " if state.turn == seat else "  ", "bold")
        head = Text.assemble(mark, self._title(state, seat))
        if state.melds[seat]:
            head = Text.assemble(head, "  ", self._melds(state, seat))
        river = self._faces.river(state.rivers[seat], ACROSS_NARROW)
        return Group(head, Padding(river if river.plain else Text("—", "dim"), (0, 0, 0, 4)))

    def _melds(self, state: GameState, seat: int) -> Text:
        return Text(" ").join(self._faces.meld(meld, seat) for meld in state.melds[seat])

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

    def _hand(self, state: GameState) -> RenderableType:
        held = [tile for tile in state.hand if tile != state.drawn]
        line = Text.assemble(("hand  ", "dim"), self._faces.row(held))
        if state.drawn is not None:
            line = Text.assemble(line, "   ", self._faces.tile(state.drawn, "bold underline"))
        if state.waits:
            waits = Text(" ").join(self._faces.kind(kind) for kind in state.waits)
            line = Text.assemble(line, ("   waits on ", "dim"), waits)
            if state.furiten:
                line.append("  furiten", "red")
        return line

    def _choice(self, width: int) -> RenderableType:
        decision = self._decision
        if decision is None:
            return Text("")
        head = Text.assemble(
            (f"{decision.mode} ", MODE_STYLES.get(str(decision.mode), "")),
            self._action(decision.action),
            (f"   {1000 * decision.elapsed:.1f} ms", "dim"),
        )
        if self._outcome is not Outcome.DECIDED:
            head.append(f"   {self._outcome}", "bold red")
        grounds = [Text("· ") + self._faces.sentence(word(each, tiles=marked)) for each in decision.grounds]
        weighed = (
            [self._weighed(decision, COLUMNS if width >= NARROW else COLUMNS[:4])]
            if len(decision.candidates) > 1
            else []
        )
        return Panel(Group(head, *grounds, *weighed), box=box.SQUARE, title="decision", title_align="left")

    def _weighed(self, decision: Decision, columns: tuple[str, ...]) -> RenderableType:
        table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="dim")
        for column in columns:
            title = value_unit(decision) if column == "value" else column
            table.add_column(title, justify="left" if column == "weighed" else "right", no_wrap=True)
        for candidate in decision.candidates[:SHOWN_CANDIDATES]:
            chosen = "bold" if candidate.action == decision.action else ""
            table.add_row(
                self._action(candidate.action), *_figures(candidate, decision)[: len(columns) - 1], style=chosen
            )
        return table

    def _action(self, action: Action) -> Text:
        name = action.kind.name.lower().replace("_", " ")
        if action.kind is ActionKind.PASS or action.tile < 0:
            return Text(name)
        face = Text.assemble(f"{name} ", self._faces.tile(action.tile))
        return Text.assemble(face, " with ", self._faces.row(action.own)) if action.own else face

    def _log(self) -> RenderableType:
        return Text("\n").join(self._events) if self._events else Text("waiting for the table …", "dim")

    def _line(self, event: Event) -> Text | None:
        """The line of an event; None if it has none."""
        if isinstance(event, StartKyoku):
            return Text("a hand is dealt", "bold")
        if isinstance(event, RiichiAccepted):
            return Text.assemble(self._who(event.seat), (" is in riichi", "red"))
        if isinstance(event, NewDora):
            return Text.assemble("new dora ", self._faces.kind(DORA_AFTER[event.indicator >> 2]))
        if isinstance(event, Call):
            name = event.meld.kind.name.lower()
            return Text.assemble(self._who(event.seat), f" calls {name} ", self._faces.meld(event.meld, event.seat))
        if isinstance(event, Win):
            return self._win_line(event)
        if isinstance(event, Ryuukyoku):
            return Text(DRAWS[event.kind], "bold")
        if isinstance(event, EndGame):
            return Text("the game is over", "bold")
        return None

    def _win_line(self, event: Win) -> Text:
        how = "draws the winning tile" if event.seat == event.from_seat else f"wins on {self._who(event.from_seat)}'s"
        line = Text.assemble((f"{self._who(event.seat)} {how} ", "bold"), self._faces.tile(event.tile))
        score = event.score
        if score is not None:
            yaku = [yaku_name(number).english for number in score.yakuman]
            yaku += [yaku_name(number).english + (f" {han}" if han > 1 else "") for number, han in score.yaku if han]
            worth = limit_words(score.limit) or f"{score.han} han {score.fu} fu"
            line.append(f": {', '.join(yaku)} — {worth}, {score.points:,}")
        return line

    def _who(self, seat: int) -> str:
        return brief(self._names()[seat], 16) or f"seat {seat}"


class LiveView(TableView):
    """:class:`TableView` on a terminal, kept up to date while it is entered."""

    def __init__(self, names: Callable[[], Sequence[str]], console: Console) -> None:
        super().__init__(names, Faces(letters=not (console.encoding or "").lower().startswith("utf")))
        self._console = console
        self._live = Live(console=console, auto_refresh=False, transient=True, vertical_overflow="crop")

    def __enter__(self) -> Self:
        self._live.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._live.stop()

    def happened(self, state: GameState, event: Event) -> None:
        """Show an event."""
        super().happened(state, event)
        self._show()

    def decided(self, state: GameState, decision: Decision, outcome: Outcome) -> None:
        """Show a decision."""
        super().decided(state, decision, outcome)
        self._show()

    def _show(self) -> None:
        self._live.update(self.render(self._console.width), refresh=True)


def _figures(candidate: Candidate, decision: Decision) -> tuple[str, ...]:
    return (
        "" if candidate.shanten is None else str(candidate.shanten),
        "" if candidate.ukeire is None else str(candidate.ukeire),
        value_text(decision, candidate.value),
        "" if candidate.p_win is None else f"{candidate.p_win:.0%}",
        "" if candidate.p_deal_in is None else f"{candidate.p_deal_in:.1%}",
    )


def standings(names: tuple[str, ...], scores: tuple[int, ...], results: tuple[float, ...] | None, seat: int) -> Table:
    """A table of the final places, points and result points."""
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for column in ("", "player", "points", "result"):
        table.add_column(column, justify="left" if column in ("", "player") else "right")
    for place, one in enumerate(by_score(scores), 1):
        result = "" if results is None else f"{results[one]:+.1f}"
        style = "bold" if one == seat else ""
        name = f"{brief(names[one], 24)}{' (this bot)' if one == seat else ''}"
        table.add_row(f"{place}", Text(name), f"{scores[one]:,}", result, style=style)
    return table
