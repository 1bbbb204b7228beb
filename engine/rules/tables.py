"""Records of tables for the kernels, with the rules written in."""

from typing import Any, Final

import numpy as np

from engine._jit import Records, new_records
from engine.model.rules import Rules
from engine.rules.table_kernels import Table
from engine.scoring import rule_flags

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


def write_rules(tables: Records[Any], rules: Rules) -> None:
    """Write the rules into tables, and leave their other fields alone."""
    array = np.asarray(tables)
    for field, name in _RULES.items():
        array[field] = getattr(rules, name)
    array["rule_flags"] = rule_flags(rules)
