"""An experiment as a declaration: what is measured, on what, grouped how; from it come its command, run and tables.

An experiment is a frozen dataclass. Its docstring is the help of its command, its fields are the options, and an
instance is one run with these options, which can be sent to other processes. Most are :class:`Grouped`: ``source``
yields pieces of work, ``measure`` makes rows of each, ``groups`` names the groups of a row, and ``columns`` are the
figures of a group, with their errors. The rest is here: processes, the journal, progress, rows and figures.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import MISSING, Field, dataclass, fields
from functools import partial
from inspect import Parameter, Signature, get_annotations
from pathlib import Path
from typing import Any, ClassVar, Final, Generic, NamedTuple, TypeVar, get_type_hints

import numpy as np

from bot.commands.options import BackendName, Jobs, JournalFile, JsonFigures, figures_table, print_figures
from bot.machine.bars import counted
from bot.machine.errors import InputError
from bot.machine.journal import Results
from bot.machine.outlet import error_screen, output_screen
from bot.machine.outputs import Outputs
from bot.machine.parallel import Backend, each

Work = TypeVar("Work")
Piece = TypeVar("Piece")
Rows = Any
"""A record array of numpy, whose columns have the names and types of a NamedTuple's fields; see :func:`rows_of`."""
Key = Callable[[Any], str]
"""The name of a row's group; empty if it belongs to none."""

_COLUMN: Final = {
    int: np.int64,
    float: np.float64,
    bool: np.bool_,
    float | None: np.float64,
    bool | None: np.float64,  # NaN stands for what is not known
}
"""Types of columns by the types of fields; texts and all else are objects."""


def rows_of(kind: type[NamedTuple], found: Iterable[NamedTuple]) -> Rows:
    """Rows of a kind as a record array."""
    columns = [(name, _COLUMN.get(hint, np.object_)) for name, hint in get_type_hints(kind).items()]
    return np.array([tuple(one) for one in found], np.dtype(columns)).view(np.recarray)


def joined(parts: Sequence[Rows], kind: type[NamedTuple]) -> Rows:
    """All rows of several arrays of a kind."""
    return np.concatenate(parts).view(np.recarray) if parts else rows_of(kind, ())


def plain(rows: Rows) -> list[dict[str, Any]]:
    """The rows as JSON has them, with the names of their columns; None for an unknown number."""
    names = rows.dtype.names
    known = ((None if value != value else value for value in row) for row in rows.tolist())  # noqa: PLR0124 - NaN
    return [dict(zip(names, row, strict=True)) for row in known]


class Column(NamedTuple):
    """A figure of a group: its name among the figures, and how it stands in the table."""

    name: str
    heads: tuple[str, ...]  # heads of its columns in the table
    # its value for the rows of a group; None leaves it out of the figures. No function: it is found elsewhere
    figure: Callable[[Rows], Any] | None
    cells: Callable[[Any], Sequence[str]]  # the cells for such a value, as many as there are heads


def shown(name: str, head: str, form: str = "") -> Column:
    """A figure that is found elsewhere, and how it is formatted in the table."""
    return Column(name, (head,), None, lambda value: (f"{value:{form}}",))


def estimated(name: str, head: str, form: str = ",.0f", figure: Callable[[Rows], Any] | None = None) -> Column:
    """A figure and its error, as :func:`with_error` writes them."""
    return Column(name, (head,), figure, lambda found: (with_error(found, form),))


def with_error(found: Sequence[float | None], form: str = ",.0f") -> str:
    """A figure and its error in words; either of them is None where there are too few rows."""
    return " ± ".join(f"{each:{form}}" for each in found if each is not None)


COUNT: Final = Column("n", ("n",), len, lambda n: (str(n),))


def mean(name: str, head: str, of: str, form: str = ".1%", digits: int = 5) -> Column:
    """The mean of a column of the rows; of truth values, how often they are true."""
    return Column(name, (head,), lambda rows: round(float(rows[of].mean()), digits), lambda value: (f"{value:{form}}",))


def groups_of(rows: Rows, groups: Mapping[str, Key], columns: Sequence[Column]) -> list[dict[str, Any]]:
    """The figures of each group, the groups of a kind in the order of their names."""
    found = []
    for by, key in groups.items():
        names = np.array([key(row) for row in rows], np.object_)
        found += [
            {"by": by, "group": name, **figures_of(rows[names == name], columns)}
            for name in sorted(set(names))
            if name or by == "all"
        ]
    return found


def figures_of(rows: Rows, columns: Sequence[Column]) -> dict[str, Any]:
    """The figures of one group of rows by their names."""
    found = {column.name: column.figure(rows) for column in columns if column.figure is not None}
    return {name: figure for name, figure in found.items() if figure is not None}


def print_table(
    rows: Iterable[Mapping[str, Any]], words: Sequence[str], columns: Sequence[Column], title: str | None = None
) -> None:
    """Print figures as a table: the columns of these names are words, the others are figures, if they are known."""
    heads = [head for column in columns for head in column.heads]
    table = figures_table(*words, *heads, words=len(words))
    for row in rows:
        known = [(column, row.get(column.name)) for column in columns]
        cells = [[""] * len(column.heads) if value is None else column.cells(value) for column, value in known]
        table.add_row(*(str(row[word]) for word in words), *(cell for some in cells for cell in some))
    if title is not None:
        output_screen().print(title, style="bold")
    output_screen().print(table)


def _parameter(option: Field[Any], hint: Any) -> Parameter:
    default = Parameter.empty if option.default is MISSING else option.default
    return Parameter(option.name, Parameter.KEYWORD_ONLY, default=default, annotation=hint)


@dataclass(frozen=True, kw_only=True)
class Command(ABC):
    """A command of the laboratory; its fields are the options, and an instance is one call with these."""

    @classmethod
    def command(cls) -> Callable[..., None]:
        """The command line's function: its options are the fields, and its help is the docstring."""

        def run(**options: Any) -> None:
            cls(**options).run()

        hints, known = get_type_hints(cls, include_extras=True), {each.name: each for each in fields(cls)}
        own_first = dict.fromkeys(name for owner in cls.__mro__ for name in get_annotations(owner) if name in known)
        run.__name__, run.__doc__ = cls.__name__, cls.__doc__
        run.__signature__ = Signature([_parameter(known[name], hints[name]) for name in own_first])  # type: ignore[attr-defined]
        return run

    @abstractmethod
    def run(self) -> None:
        """Do what the command is for."""


@dataclass(frozen=True, kw_only=True)
class Experiment(Command):
    """A command that measures."""

    json: JsonFigures = False

    def run(self) -> None:
        """Measure, and print the figures."""
        print_figures(self.figures(), self.show, json=self.json)

    @abstractmethod
    def figures(self) -> dict[str, Any]:
        """Measure; the figures as JSON shows them."""

    @abstractmethod
    def show(self, figures: dict[str, Any]) -> None:
        """Print the figures as tables for people."""


@dataclass(frozen=True, kw_only=True)
class Measured(Experiment, Generic[Work, Piece]):
    """An experiment whose pieces of work are measured one by one, by several processes, and kept in a journal."""

    unit: ClassVar[str] = "seats"
    """What a piece of work is, for the bar."""
    journal_of: ClassVar[str]
    """What its journal is of."""
    by_engine: ClassVar[bool] = False
    """Whether the lines of its journal say which code of the engine found them; see :meth:`prove`."""

    jobs: Jobs = 0
    backend: BackendName = Backend.LOKY
    journal: JournalFile = None

    @abstractmethod
    def source(self) -> Iterable[Work]:
        """The pieces of work."""

    @abstractmethod
    def measure(self, work: Work) -> Piece | None:
        """What is found in one piece; None if it cannot be measured."""

    @abstractmethod
    def key(self, work: Work) -> Any:
        """By which the journal knows a piece of work."""

    def order(self) -> Mapping[str, Any]:
        """What the results depend on besides their keys; the journal of another order is refused."""
        return {}

    @abstractmethod
    def read(self, line: dict[str, Any]) -> tuple[Any, Piece]:
        """The key and the result that a line of the journal holds."""

    @abstractmethod
    def line(self, key: Any, piece: Piece) -> Mapping[str, Any]:
        """The line of the journal for a result."""

    def prove(self, kept: Results[Any, Piece]) -> None:
        """Compare what other code has found with what this code finds, before anything is added to it.

        Raises:
            InputError: they differ.
        """

    def plot_output(self, read: Iterable[Path | None], plot: Path | None = None) -> Outputs:
        """What writes the plot.

        Raises:
            InputError: it or the journal is a file that is read.
        """
        Outputs("--journal", read, self.journal)
        return Outputs("--plot", [*read, self.journal], plot)

    def measure_all(self, total: int | None = None) -> list[Piece]:
        """What is found in each piece, in the order of the source; ``total``: how many at most."""
        keys: list[Any] = []
        order, found_by = self.order(), self.by_engine
        kept = Results(self.journal, self.journal_of, order, self.read, self.line, by_engine=found_by)
        self.prove(kept)

        def todo() -> Iterator[tuple[Any, Work]]:
            for work in self.source():
                keys.append(self.key(work))
                if keys[-1] not in kept.done:
                    yield keys[-1], work

        measured = each(partial(_keyed, self), todo(), max(1, self.jobs), self.backend)
        for key, piece in counted(error_screen(), self.unit, measured, total):
            if piece is not None:
                kept.add(key, piece)
        return [kept.done[key] for key in keys if key in kept.done]


def _keyed(experiment: Measured[Work, Piece], work: tuple[Any, Work]) -> tuple[Any, Piece | None]:
    key, piece = work
    return key, experiment.measure(piece)


@dataclass(frozen=True, kw_only=True)
class Grouped(Measured[Work, Rows]):
    """An experiment that makes rows of each piece of work, and figures of each group of rows."""

    row: ClassVar[type[NamedTuple]]
    """What a row is."""
    counted: ClassVar[str] = "decisions"
    """What rows are called among the figures."""
    nothing: ClassVar[str] = "no decision to measure: no such game that shows all hands was found"
    """What is said where there are no rows."""
    groups: ClassVar[Mapping[str, Key]]
    """By name, how rows are grouped."""
    columns: ClassVar[Sequence[Column]]
    """The figures of a group."""

    def read(self, line: dict[str, Any]) -> tuple[Any, Rows]:
        """The key and the rows of a line of the journal; earlier journals have no names of columns."""
        rows = (one.values() if isinstance(one, dict) else one for one in line["rows"])
        return line["key"], rows_of(self.row, map(self.row._make, rows))

    def line(self, key: Any, piece: Rows) -> Mapping[str, Any]:
        """The line of the journal for some rows."""
        return {"key": key, "rows": plain(piece)}

    def every_row(self, total: int | None = None) -> Rows:
        """Measure all work; the rows.

        Raises:
            InputError: there are none.
        """
        every = joined(self.measure_all(total), self.row)
        if not len(every):
            raise InputError(self.nothing)
        return every

    def show(self, figures: dict[str, Any]) -> None:
        """Print the groups."""
        print_table(figures["groups"], ("by", "group"), self.columns)
