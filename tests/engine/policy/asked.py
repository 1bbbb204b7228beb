"""Hands at which policies are asked."""

from __future__ import annotations

FAR = "1599m1478p258s36z"


def against_riichi(table, hand=FAR, drawn="4s", **facts):
    """The dealer is asked after seat 1 has declared riichi with 5s; 1m and 8p have passed since."""
    deal = table(hand, indicator="2z", **facts)
    deal.turn(0, "9s").draw(1).riichi(1, "5s")
    return deal.turn(2, "1m").turn(3, "8p").draw(0, drawn)
