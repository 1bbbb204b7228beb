from __future__ import annotations

import socket

import pytest

from bot.commands.lobby import lobby
from bot.config import Config, override
from bot.lobby import LobbyConfig
from bot.machine.errors import InputError
from protocol.tenhou.game_type import FAST, FAST_CLOCK, NORMAL_CLOCK, Clock, parse_game_type


def test_tables_have_the_clock_of_the_settings():
    config = LobbyConfig(override(Config(), {"lobby.bank": 1.5, "lobby.fast_action": 2.5}).lobby)
    assert config.clock_of(parse_game_type(1)) == Clock(5.0, 1.5)
    assert config.clock_of(parse_game_type(1 | FAST)) == Clock(2.5, 5.0)
    assert LobbyConfig().clock_of(parse_game_type(1)) == NORMAL_CLOCK
    assert LobbyConfig().clock_of(parse_game_type(1 | FAST)) == FAST_CLOCK


def test_a_port_in_use_is_reported_in_one_line():
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(InputError, match=rf"127\.0\.0\.1:{port}.*choose another --port"):
            lobby(port=port)
