"""Getting ready, with progress shown to people."""

from __future__ import annotations

from rich.console import Console


def warm_up(screen: Console) -> None:
    """placeholder until engine.warmup"""
