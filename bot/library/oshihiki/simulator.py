"""Thousands of tables at once; :class:`Simulator` is the door, and ``docs/simulator.md`` its page."""

from bot.api.simulator import *  # noqa: F403
from bot.api.simulator import __all__ as __all__  # noqa: PLC0414 - on purpose
