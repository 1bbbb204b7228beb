"""What is installed as ``oshihiki``: ``import oshihiki`` gives :mod:`bot.api`, ``python -m oshihiki`` the commands."""

from __future__ import annotations

if __name__ == "__main__":
    from bot.cli import main

    main()
else:
    from bot.api import *  # noqa: F403
    from bot.api import __all__  # noqa: F401
