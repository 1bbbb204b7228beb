"""Damaged logs: a reader either refuses them or reads what can be written and read again."""

from __future__ import annotations

from hypothesis import strategies as st

from protocol.errors import LogError


@st.composite
def damaged(draw, text, pieces):
    """``text`` with one to three short stretches replaced by one of the ``pieces`` each."""
    for _ in range(draw(st.integers(1, 3))):
        at = draw(st.integers(0, len(text)))
        length = draw(st.integers(0, 12))
        text = text[:at] + draw(pieces) + text[at + length :]
    return text


def refused_or_read(log_format, text):
    """Whether a log format (its module) refuses the text with a ``LogError``, or reads and writes it."""
    try:
        log = log_format.read(text)
    except LogError:
        return True
    return log_format.read(log_format.write(log)).events == log.events
