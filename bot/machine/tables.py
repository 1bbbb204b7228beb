"""Tables for people that fit the width they get: whole columns leave before a figure is cut."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from enum import Enum, auto
from typing import Final

from rich.box import Box
from rich.console import Console, ConsoleOptions, RenderableType, RenderResult
from rich.measure import Measurement
from rich.table import Table

WORD: Final = 20
"""Width that a column of words or a title gets for its longest word; longer words are broken."""
LEAST: Final = 4
"""Width of a column of words where nothing else can leave any more."""
UNBOUNDED: Final = 10_000


class Holds(Enum):
    """The kind of a column's contents, which says how it may be narrowed."""

    FIGURES = auto()
    """Aligned to the right and never cut."""
    NAMES = auto()
    """Never cut."""
    WORDS = auto()
    """Broken into lines."""


@dataclass(slots=True)
class _Column:
    title: str
    holds: Holds
    cells: list[RenderableType] = field(default_factory=list)

    def widths(self, console: Console, options: ConsoleOptions) -> tuple[int, int]:
        """The least width in which it can be read, and the one that it would like."""
        title, *cells = (Measurement.get(console, options, cell) for cell in (self.title, *self.cells))
        liked = max(each.maximum for each in (title, *cells))
        if self.holds is Holds.WORDS:
            return min(max(each.minimum for each in (title, *cells)), WORD), liked
        return max(min(title.minimum, WORD), *(each.maximum for each in cells), 0), liked


class FittingTable:
    """A table whose columns leave, in a stated order, until the others fit; nothing but words is broken or cut."""

    def __init__(
        self,
        *columns: tuple[str, Holds],
        leave: Sequence[str | tuple[str, ...]] | None = None,
        go_on: bool = False,
        box: Box | None = None,
        padding: tuple[int, int, int, int] = (0, 1, 0, 1),
        title: str | None = None,
    ) -> None:
        """Create a table.

        Args:
            columns: title of each column, and what it holds; without titles there is no line for them.
            leave: titles of the columns that may leave, in this order, those of a tuple together; None: the columns of
                figures but the first, from the last one on.
            go_on: instead of leaving, columns go on in a further table below, beside the first column again.
            box: the lines, as of rich's tables.
            padding: spaces around cells, as of rich's tables.
            title: stands above.
        """
        self._columns = [_Column(*column) for column in columns]
        self._styles: list[str | None] = []
        self._leave = leave
        self._go_on = go_on
        self._box = box
        self._padding = padding
        self._title = title

    def add_row(self, *cells: RenderableType, style: str | None = None) -> None:
        """Add a row; columns for which it has no cell stay empty."""
        for column, cell in zip(self._columns, (*cells, *[""] * (len(self._columns) - len(cells))), strict=True):
            column.cells.append(cell)
        self._styles.append(style)

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        found = [column.widths(console, options.update(width=UNBOUNDED)) for column in self._columns]
        least, liked = [one for one, _ in found], [other for _, other in found]
        for part in self._parts(least, options.max_width):
            yield self._table(part, self._shared(part, least, liked, options.max_width))

    def _parts(self, least: Sequence[int], width: int) -> Iterator[list[int]]:
        """Numbers of the columns of each table."""
        kept = list(range(len(self._columns)))
        if self._go_on:
            while len(kept) > 1:
                part, kept = kept, [kept[0]]
                while len(part) > 2 and self._over(part, least, width) > 0:
                    kept.insert(1, part.pop())
                yield part
            return
        for leaving in self._leaving():
            if self._over(kept, least, width) <= 0:
                break
            kept = [number for number in kept if number not in leaving]
        yield kept

    def _leaving(self) -> list[tuple[int, ...]]:
        if self._leave is None:
            figures = [number for number, column in enumerate(self._columns) if column.holds is Holds.FIGURES]
            return [(number,) for number in reversed(figures[1:])]
        groups = ((each,) if isinstance(each, str) else each for each in self._leave)
        return [tuple(n for n, column in enumerate(self._columns) if column.title in group) for group in groups]

    def _over(self, kept: Sequence[int], widths: Sequence[int], width: int) -> int:
        """By how much the columns are too wide; negative: how much is left."""
        _, right, _, left = self._padding
        between = left + right + bool(self._box)
        return sum(widths[number] for number in kept) + between * (len(kept) - 1) + 2 * bool(self._box) - width

    def _shared(self, kept: Sequence[int], least: Sequence[int], liked: Sequence[int], width: int) -> list[int]:
        """The widths of all columns: the narrowest get what is left over, and words yield if need be."""
        widths = list(least)
        while self._over(kept, widths, width) < 0 and (want := [n for n in kept if widths[n] < liked[n]]):
            widths[min(want, key=widths.__getitem__)] += 1
        words = [number for number in kept if self._columns[number].holds is Holds.WORDS]
        while self._over(kept, widths, width) > 0 and (wide := [n for n in words if widths[n] > LEAST]):
            widths[max(wide, key=widths.__getitem__)] -= 1
        return widths

    def _table(self, kept: Sequence[int], widths: Sequence[int]) -> Table:
        table = Table(
            box=self._box,
            pad_edge=False,
            padding=self._padding,
            title=self._title,
            title_justify="left",
            show_header=any(column.title for column in self._columns),
        )
        for number in kept:
            column = self._columns[number]
            table.add_column(
                column.title,
                justify="right" if column.holds is Holds.FIGURES else "left",
                width=widths[number],
                overflow="fold",
            )
        for row, style in enumerate(self._styles):
            table.add_row(*(self._columns[number].cells[row] for number in kept), style=style)
        return table
