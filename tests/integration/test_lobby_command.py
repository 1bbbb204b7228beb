from __future__ import annotations

import socket
from pathlib import Path

import pytest

from bot.commands.lobby import lobby, lobby_config
from bot.config import Config, override
from bot.lobby import LobbyConfig
from bot.machine.errors import InputError
from protocol.tenhou.game_type import FAST, parse_game_type


def test_the_defaults_of_file_and_lobby_agree():
    from_file, embedded = lobby_config(Config()), LobbyConfig()
    for name in ("host", "clock", "fast_clock", "policies", "people", "patience"):
        assert getattr(from_file, name) == getattr(embedded, name), name


def test_every_key_of_the_section_reaches_the_lobby():
    changes = {"lobby.port": 0, "lobby.bank": 1.5, "lobby.fast_action": 2.5, "lobby.seats": ["tsumogiri"] * 3}
    config = lobby_config(override(Config(), changes))
    assert config.port == 0
    assert config.clock_of(parse_game_type(1)).bank == 1.5
    assert config.clock_of(parse_game_type(1 | FAST)).action == 2.5
    assert config.policies == ("tsumogiri",) * 3


def test_a_port_in_use_is_reported_in_one_line():
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(InputError, match=rf"127\.0\.0\.1:{port}.*choose another --port"):
            lobby(port=port)


def test_a_plan_of_faults_is_read_before_anything_else(tmp_path):
    with pytest.raises(InputError, match=r"faults\.toml: cannot be read"):
        lobby(port=0, faults=tmp_path / "faults.toml")
    example = Path(__file__).resolve().parents[2] / "bot" / "lobby" / "faults.example.toml"
    with socket.create_server(("127.0.0.1", 0)) as taken, pytest.raises(InputError, match="cannot listen"):
        lobby(port=taken.getsockname()[1], faults=example)
