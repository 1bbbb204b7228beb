"""A game as the store keeps it."""

from __future__ import annotations

from bot.store.played import Entry

GAME = Entry("2026-03-01T23:10:00+09:00", "a", "x", 0, 0xA9, 1, 40_000, 60.0, 16, 1_200, 2_100.5)
