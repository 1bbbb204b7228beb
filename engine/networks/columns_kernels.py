"""The inputs of a network, declared once: where each number stands, what it means, by what it is divided."""

from typing import NamedTuple


class Column(NamedTuple):
    """A number that a network sees: its meaning, what it is divided by, and what is subtracted before."""

    name: str
    of: int
    zero: int


class Columns:
    """Numbers side by side, in the order in which they are declared."""

    def __init__(self) -> None:
        self.rows: list[Column] = []

    def __len__(self) -> int:
        return len(self.rows)

    def add(self, *names: str, of: int = 1, zero: int = 0) -> int:
        """Declare numbers; returns where the first of them stands."""
        self.rows += [Column(name, of, zero) for name in names]
        return len(self.rows) - len(names)

    def add_each(self, whose: tuple[str, ...], block: "Columns") -> int:
        """Declare the same numbers of each of several; returns where those of the first begin."""
        at = len(self.rows)
        self.rows += [row._replace(name=f"{one}: {row.name}") for one in whose for row in block.rows]
        return at

    @property
    def meanings(self) -> tuple[tuple[str, int], ...]:
        """What each number means, and what it is divided by."""
        return tuple((row.name, row.of) for row in self.rows)
