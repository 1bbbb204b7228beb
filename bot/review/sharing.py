"""The log of a game as the page of its review keeps it: to be saved, and to be opened in tenhou.net's viewer."""

from contextlib import suppress

from bot.replay.counting import read_followed
from protocol.errors import LogError
from protocol.logs.formats import LogFile, write_log
from protocol.logs.made_up import fill_hidden


def shared_log(file: LogFile) -> str:
    """A log as tenhou.net/6 JSON; "" if it cannot be written so.

    Of one seat's view the hidden tiles are invented, and its title says so.
    """
    with suppress(LogError):
        game = read_followed(file)
        return write_log(game if game.viewer is None else fill_hidden(game), "tenhou6")
    return ""
