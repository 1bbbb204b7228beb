"""A rule that differs between tables is known everywhere that must know it; what was forgotten is named."""

from __future__ import annotations

from dataclasses import fields, replace

import numpy as np
import pytest

from bot.config import GameChoice
from bot.evaluate.hands import VARIANTS
from engine.model.rules import HANCHAN, Rules
from engine.rules.tables import new_tables
from protocol.tenhou.game_type import GameType, parse_game_type
from tests.oracles.jansou_referee.bridge import library_rules

NAMES = [each.name for each in fields(Rules)]

CANNOT_BE_NAMED = {
    "ura_dora": "always so at Tenhou's tables; the papers' experiments set it",
    "ippatsu": "always so at Tenhou's tables; the papers' experiments set it",
    "kiriage": "only at chip tables, by their game type",
    "honba_points": "only at chip tables, by their game type",
    "start_points": "a position states its scores",
    "return_points": "a position is valued by the usual end of a game",
    "uma": "a position is valued by the usual uma",
}
"""Rules that ``--rules`` and the configuration do not offer, and why."""
NAMED = {each for variant in VARIANTS.values() for each in variant}
NOT_IN_KERNELS = {
    "start_points": "a table begins with the scores it is given",
    "uma": "counted at the end of a game, by result_points",
    "hanchan": "last_kyoku",
}
"""Rules that tables in kernels have under another name, or not at all, and why."""


def changed(name: str) -> Rules:
    """The usual rules but for one."""
    value = getattr(HANCHAN, name)
    other = not value if isinstance(value, bool) else (30, 10, -10, -30) if name == "uma" else value + 1_000
    return replace(HANCHAN, **{name: other})


def table(rules: Rules) -> bytes:
    return np.asarray(new_tables(rules)).tobytes()


@pytest.mark.parametrize("name", [name for name in NAMES if name not in NOT_IN_KERNELS])
def test_tables_in_kernels_know_it(name):
    assert table(changed(name)) != table(HANCHAN), (
        f"{name}: if it is about yaku, its bit in RULE_FLAGS of engine/scoring/yaku_kernels.py; otherwise a field of "
        "_RULES in engine/rules/tables.py"
    )


@pytest.mark.parametrize("name", [name for name in NAMES if name != "uma"])
def test_the_referee_knows_it_or_refuses_it(name):
    try:
        theirs = library_rules(changed(name))
    except ValueError:
        return
    assert theirs != library_rules(HANCHAN), f"{name}: a row of _RULES in tests/oracles/jansou_referee/bridge.py"


@pytest.mark.parametrize("name", NAMES)
def test_it_can_be_named_or_there_is_a_reason(name):
    assert (name in NAMED) is (name not in CANNOT_BE_NAMED), (
        f"{name}: a word of VARIANTS in bot/evaluate/hands.py, or a reason in CANNOT_BE_NAMED"
    )


@pytest.mark.parametrize("name", sorted(NAMED - {"hanchan"}))  # which the configuration calls by its length
def test_the_configuration_offers_what_a_game_type_carries(name):
    carried = parse_game_type(GameType(changed(name)).code).rules == changed(name)
    assert carried is (name in GameChoice.model_fields), (
        f"{name}: a key of bot/config.py and a bit in protocol/tenhou/game_type.py, or neither"
    )
