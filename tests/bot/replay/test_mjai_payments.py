"""mjai logs without payments, without scores, without values: what is missing is counted from the play."""

from __future__ import annotations

import json
import tarfile
from typing import Any

import pytest

from bot.replay.counting import paid
from engine.model import events as ev
from engine.model.rules import HANCHAN, TONPU
from protocol.logs.game_log import GameLog
from tests.protocol.mjai_changed import played, read, unpaid, without

VALUES = ("yakus", "fu", "fan", "hora_points", "hora_tehais")
SILENT = {
    "payments": ("deltas",),
    "payments and scores": ("deltas", "scores"),
    "all but the play": ("deltas", "scores", "reason", "tenpais", *VALUES),
}


def ends(log: GameLog) -> list[Any]:
    """How each hand ended, and the final scores."""
    found: list[Any] = []
    for event in log.events:
        if isinstance(event, ev.Win | ev.Ryuukyoku):
            found.append((type(event), event.deltas, event.scores_before))
        elif isinstance(event, ev.StartKyoku | ev.EndGame):
            found.append(event.scores)
    return found


@pytest.mark.parametrize("silent", SILENT)
@pytest.mark.parametrize(("seed", "rules"), [(1, TONPU), (2, TONPU), (4, TONPU), (7, HANCHAN)])
def test_parts_that_a_log_leaves_out_are_counted(seed: int, rules: Any, silent: str) -> None:
    lines = list(played(seed, rules))
    log = read(without(lines, *SILENT[silent]))
    assert unpaid(log)
    assert ends(paid(log)) == ends(read(lines))


@pytest.mark.corpus
@pytest.mark.parametrize("every", [pytest.param(9, id="a ninth"), pytest.param(1, id="all", marks=pytest.mark.slow)])
@pytest.mark.parametrize("silent", SILENT)
def test_recordings_without_payments_are_counted_as_they_were_paid(corpus: Any, silent: str, every: int) -> None:
    found = 0
    with tarfile.open(corpus / "tenhou6-mjai.tar.xz", "r|xz") as archive:
        for member in archive:
            if not member.name.endswith(".jsonl") or "/mjai/" not in f"/{member.name}":
                continue
            found += 1
            if found % every:
                continue
            file = archive.extractfile(member)
            assert file is not None
            lines = [json.loads(line) for line in file.read().decode().splitlines()]
            assert ends(paid(read(without(lines, *SILENT[silent])))) == ends(read(lines)), member.name
    assert found == 99
