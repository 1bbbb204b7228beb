"""Riichi mahjong: hands, positions, recorded games, a simulator, and policies that play.

    >>> import oshihiki
    >>> oshihiki.waits("123m456p78sEE中中中")
    ('6s', '9s')
    >>> oshihiki.evaluate("11223m1123789p55z")[0].action
    'discard 1p'
    >>> game = oshihiki.Game(seed=7)
    >>> game.step(game.choice("simple"))

Tiles are text in any notation, logs are paths, and results are typed values that draw themselves in a notebook. What
cannot be used raises :class:`InputError`, whose message says what is wrong and how to write it. Functions for many
hands at once take and return numpy arrays. ``oshihiki.simulator`` plays thousands of tables at once, and
``oshihiki.zoo`` is one of them as an environment of PettingZoo.
"""

from importlib.metadata import version as _version
from typing import TYPE_CHECKING

from oshihiki import _packages  # noqa: F401 - before all that is imported from them

# isort: split

from bot.api import *  # noqa: F403
from bot.api import __all__ as __all__

__version__ = _version("oshihiki")

if not TYPE_CHECKING:  # a name that does not exist is an error to type checkers

    def __getattr__(name: str) -> object:
        """``oshihiki.zoo``, which needs packages that not everybody has, is imported when it is used."""
        if name == "zoo":
            from importlib import import_module  # noqa: PLC0415 - few need it

            return import_module("oshihiki.zoo")
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    """The names meant for users."""
    return sorted([*__all__, "__doc__", "__version__"])
