"""All that a store holds, as JSON text."""

import json
import zlib
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

from bot.store.database import Store


def as_json(store: Store) -> Iterator[str]:
    """Yield the members ``games``, ``cards`` and ``reviews`` of a JSON object, each after a comma, row by row.

    A ``gpid`` leaves the program nowhere, and pages are drawn from what the fields of a review say.

    Raises:
        InputError: the store cannot be read.
    """
    with store.reading() as database:
        for name, query in (
            ("games", "SELECT * FROM games ORDER BY id"),
            ("cards", "SELECT key, asked, missed, card FROM cards ORDER BY key"),
            ("reviews", "SELECT name, made, fields FROM reviews ORDER BY made, name"),
        ):
            yield f', "{name}": ['
            rows = database.execute(query)
            columns = [column for column, *_ in rows.description]
            for number, row in enumerate(rows):
                fields = {column: _value(column, value) for column, value in zip(columns, row, strict=True)}
                yield ", " * (number > 0) + json.dumps(fields, ensure_ascii=False)
            yield "]"


def _value(column: str, value: Any) -> Any:
    """A column as JSON has it; None if it is damaged."""
    if column not in {"card", "fields"}:
        return value
    with suppress(zlib.error, ValueError, RecursionError):
        return json.loads(value if column == "card" else zlib.decompress(value))
    return None
