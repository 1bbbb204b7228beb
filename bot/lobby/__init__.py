"""A server that speaks Tenhou's protocol to real clients, over the referee of :mod:`engine.arena`."""

from bot.lobby.server import LobbyServer
from bot.lobby.settings import LobbyConfig
from bot.lobby.table import TableResult

__all__ = ["LobbyConfig", "LobbyServer", "TableResult"]
