"""Records of tables for the kernels, with the rules written in."""

from typing import Any, Final, cast

import numpy as np
from numpy.typing import NDArray

from engine._jit import Records, dtype_of, new_records
from engine.model.rules import Rules
from engine.rules.table_kernels import IDLE, Table
from engine.rules.view_kernels import begin_hand
from engine.scoring import rule_flags
from engine.shanten.tables import hand_tables

_RULES: Final = {
    **{name: name for name in ("red_fives", "ura_dora", "kiriage", "honba_points", "return_points", "last_kyoku")},
    "ippatsu_counts": "ippatsu",
}
"""The fields of a table that hold its rules, each with its name in :class:`engine.model.rules.Rules`."""


def new_tables(rules: Rules, number: int = 1) -> Records[Table]:
    """Allocate empty tables of these rules."""
    tables = new_records(Table, number)
    write_rules(tables, rules)
    return tables


TABLE: Final = dtype_of(Table)


def record_in(memory: bytearray | memoryview) -> NDArray[Any]:
    """The array of one table, or of several side by side, that lie in that memory."""
    return np.ndarray(len(memory) // TABLE.itemsize, TABLE, memory)


def empty_view(rules: Rules, seat: int) -> NDArray[Any]:
    """A table of these rules as a seat sees it, between two games, with the points that each has at first."""
    record = record_in(bytearray(TABLE.itemsize))
    write_rules(cast("Records[Table]", record), rules)
    record["viewer"] = seat
    record["scores"] = rules.start_points
    nothing = np.empty(0, np.uint8)
    begin_hand(cast("Records[Table]", record), 0, 0, 0, 0, nothing, nothing, hand_tables())
    record["phase"] = IDLE
    return record


def write_rules(tables: Records[Any], rules: Rules) -> None:
    """Write the rules into tables, and leave their other fields alone."""
    array = np.asarray(tables)
    for field, name in _RULES.items():
        array[field] = getattr(rules, name)
    array["rule_flags"] = rule_flags(rules)
