"""Rows of figures that draw themselves as a table."""

from collections.abc import Iterable, Mapping
from dataclasses import fields, is_dataclass
from html import escape
from typing import Any, Final, SupportsIndex, TypeVar, overload

from bot.api.tiles import Tiles

T = TypeVar("T")

_CHANCES: Final = frozenset({"p_win", "p_deal_in", "deal_in", "right", "across", "left"})
"""Fields that are shown in percent."""


class Rows(list[T]):
    """A list of rows, best first, that ``repr`` and notebooks show as a table."""

    @overload
    def __getitem__(self, at: SupportsIndex) -> T: ...
    @overload
    def __getitem__(self, at: slice) -> "Rows[T]": ...
    def __getitem__(self, at: SupportsIndex | slice) -> "T | Rows[T]":
        return Rows(super().__getitem__(at)) if isinstance(at, slice) else super().__getitem__(at)

    def __repr__(self) -> str:
        heads, cells = _table(self)
        if not cells:
            return "[]"
        columns = list(zip(heads, *cells, strict=True))
        wide = [max(map(len, column)) for column in columns]
        text = [any((cell and cell[0].isalpha()) or ":" in cell for cell in column[1:]) for column in columns]
        return "\n".join(
            "  ".join(
                cell.ljust(size) if left else cell.rjust(size) for cell, size, left in zip(row, wide, text, strict=True)
            ).rstrip()
            for row in (heads, *cells)
        )

    def _repr_html_(self) -> str:
        """A table, for notebooks."""
        heads, cells = _table(self)
        rows = ["".join(f"<td>{escape(cell)}</td>" for cell in row) for row in cells]
        head = "".join(f"<th>{escape(name)}</th>" for name in heads)
        return (
            f"<table><thead><tr>{head}</tr></thead><tbody>{''.join(f'<tr>{row}</tr>' for row in rows)}</tbody></table>"
        )


def _table(rows: Iterable[object]) -> tuple[list[str], list[list[str]]]:
    """Names and cells of the columns that are not empty in every row."""
    plain = [_flat(row) for row in rows]
    heads = [name for name in (plain[0] if plain else ()) if any(row[name] not in (None, "") for row in plain)]
    return [name.replace("_", " ") for name in heads], [[_cell(name, row[name]) for name in heads] for row in plain]


def _flat(row: object) -> dict[str, Any]:
    """The fields of a row, with those of the dataclasses in them."""
    found: dict[str, Any] = {}
    if is_dataclass(row):
        for field in fields(row):
            value = getattr(row, field.name)
            found |= _flat(value) if is_dataclass(value) else {field.name: value}
    return found


def _cell(name: str, value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, Mapping):  # tiles and their numbers
        return str(Tiles("".join(value)))
    if isinstance(value, float):
        if name in _CHANCES:
            return f"{value:.1%}"
        return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"
    return str(value)
