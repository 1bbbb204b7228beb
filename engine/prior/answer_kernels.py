"""The numbers of the answers that the network tells apart."""

from __future__ import annotations

A_DISCARDS, A_RIICHI, A_KANS, A_CALLS, A_PASS, A_NINE = 0, 34, 68, 102, 107, 108
"""Where each kind of answer begins: a discard of each kind, one with riichi, a closed or added kan; the CALL_ answers;
a pass; nine terminals."""
ANSWERS = 109
