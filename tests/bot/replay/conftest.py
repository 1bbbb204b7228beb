"""What tests of replaying share."""

from __future__ import annotations

import pytest
import structlog

from tests.bot.replay.playing import play


@pytest.fixture(scope="module")
def quiet():
    """Only critical lines are logged."""
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger("critical"))
    yield
    structlog.reset_defaults()


@pytest.fixture(scope="module")
def game(quiet):  # noqa: ARG001  the game is not logged
    """The record of a game of ``simple`` on a good line, and what its client counted."""
    return play()
