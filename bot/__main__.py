"""``python -m bot``: the command line, in a checkout that is not installed."""

from bot.cli import main

main()
