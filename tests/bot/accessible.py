"""What makes a page hard to use: controls without names, broken references, tab orders, faint text, small targets."""

from __future__ import annotations

from pathlib import Path

FAULTS = Path(__file__).with_suffix(".js").read_text(encoding="utf-8")
"""A script whose value is a list of what is wrong with the page, each with the beginning of its element."""
