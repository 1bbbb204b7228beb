"""The record of a game: every frame and every decision, one JSON object a line, safe on disk at each decision."""

from __future__ import annotations

import json
import time
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Self, TextIO

from engine.model.actions import Action
from engine.policy.decision import Candidate, Decision
from protocol.tenhou.redaction import redact

FORMAT: Final = "oshihiki-record"
VERSION: Final = 1


class GameRecord:
    """A file of its own for each game.

    The first line is ``{"format": "oshihiki-record", "version": 1, …}``. The others have ``at`` (seconds since the
    first) and one of ``in`` (a frame that came), ``out`` (a frame that was sent), ``decision``, ``end``. Account keys
    are taken out of frames.
    """

    def __init__(self, folder: Path, **facts: Any) -> None:
        """Open a new file in ``folder``, which is made where it is not there.

        Args:
            folder: where.
            facts: of the game, for the first line.

        Raises:
            OSError: it cannot be written.
        """
        folder.mkdir(parents=True, exist_ok=True)
        self._started = time.monotonic()
        now = datetime.now(UTC)
        self.path, self._file = _fresh(folder, f"{now:%Y%m%d-%H%M%S}")
        self._write({"format": FORMAT, "version": VERSION, "started": now.isoformat(timespec="seconds"), **facts})

    def received(self, frame: str) -> None:
        """A frame came."""
        self._line("in", redact(frame))

    def sent(self, frame: str) -> None:
        """A frame was sent."""
        self._line("out", redact(frame))

    def decided(self, place: str, decision: Decision, outcome: str) -> None:
        """A decision was taken; whatever came before it is on disk after this."""
        self._line("decision", {"hand": place, "outcome": outcome, **decision_fields(decision)})
        self._file.flush()

    def ended(self, **facts: Any) -> None:
        """The game is over, one way or another."""
        self._line("end", facts)
        self._file.flush()

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def _line(self, key: str, value: Any) -> None:
        self._write({"at": round(time.monotonic() - self._started, 4), key: value})

    def _write(self, content: dict[str, Any]) -> None:
        self._file.write(json.dumps(content, ensure_ascii=False, separators=(",", ":")) + "\n")


def decision_fields(decision: Decision) -> dict[str, Any]:
    """A decision as JSON holds it."""
    return {
        "action": action_fields(decision.action),
        "mode": str(decision.mode),
        "unit": decision.unit,
        "reasons": list(decision.reasons),
        "ms": round(1000 * decision.elapsed, 3),
        "seed": decision.seed,
        "candidates": [_candidate_fields(candidate) for candidate in decision.candidates],
    }


def action_fields(action: Action) -> dict[str, Any]:
    """An action as JSON holds it: ``tile136`` numbers, absent ones left out."""
    fields: dict[str, Any] = {"kind": action.kind.name.lower()}
    if action.tile >= 0:
        fields["tile"] = action.tile
    if action.own:
        fields["own"] = list(action.own)
    return fields


def _candidate_fields(candidate: Candidate) -> dict[str, Any]:
    figures = {
        "value": round(candidate.value, 1),
        "p_win": _rounded(candidate.p_win),
        "p_deal_in": _rounded(candidate.p_deal_in),
        "loss": _rounded(candidate.expected_loss),
        "shanten": candidate.shanten,
        "ukeire": candidate.ukeire,
    }
    return {"action": action_fields(candidate.action)} | {k: v for k, v in figures.items() if v is not None}


def _rounded(figure: float | None) -> float | None:
    return None if figure is None else round(figure, 5)


def _fresh(folder: Path, stem: str) -> tuple[Path, TextIO]:
    """A file that was not there."""
    number = 1
    while True:
        path = folder / f"{stem}-{number}.jsonl"
        try:
            return path, path.open("x", encoding="utf-8")
        except FileExistsError:
            number += 1
