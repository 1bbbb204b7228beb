from __future__ import annotations

import pytest

from engine.model.rules import HANCHAN, TONPU, Rules
from protocol.errors import RemoteProtocolError, UnsupportedGameError
from protocol.tenhou.game_type import (
    FAST_CLOCK,
    NORMAL_CLOCK,
    GameType,
    Room,
    Seek,
    format_seek,
    parse_game_type,
    parse_seek,
)


@pytest.mark.parametrize(
    ("code", "game_type"),
    [
        (0, GameType(TONPU, people=False)),
        (64, GameType(TONPU, fast=True, people=False)),
        (1, GameType(TONPU)),
        (9, GameType(HANCHAN)),
        (11, GameType(Rules(red_fives=False))),
        (13, GameType(Rules(open_tanyao=False))),
        (137, GameType(HANCHAN, room=Room.DAN)),
        (41, GameType(HANCHAN, room=Room.UPPER_DAN)),
        (169, GameType(HANCHAN, room=Room.PHOENIX)),
        (225, GameType(TONPU, fast=True, room=Room.PHOENIX)),
        (0x0841, GameType(TONPU, fast=True, other=0x800)),
    ],
)
def test_known_types(code, game_type):
    assert parse_game_type(code) == game_type
    assert game_type.code == code


def test_every_four_player_type_survives():
    for code in range(1 << 12):
        if not code & 0x10:
            assert parse_game_type(code).code == code


@pytest.mark.parametrize("code", [0x10, 185, 1552])
def test_three_players_are_refused(code):
    with pytest.raises(UnsupportedGameError, match="three-player mahjong, which is not supported"):
        parse_game_type(code)


@pytest.mark.parametrize("code", [-1, 1 << 16])
def test_no_type(code):
    with pytest.raises(RemoteProtocolError, match="16 bits"):
        parse_game_type(code)


def test_clocks():
    assert parse_game_type(9).clock == NORMAL_CLOCK == (5.0, 10.0)
    assert parse_game_type(65).clock == FAST_CLOCK == (3.0, 5.0)


@pytest.mark.parametrize(
    ("text", "seek"),
    [
        ("0,9", Seek("0", 9)),
        ("0,9,r", Seek("0", 9, again=True)),
        ("7994,1", Seek("7994", 1)),
        ("C12345678,0", Seek("C12345678", 0)),
    ],
)
def test_seek(text, seek):
    assert parse_seek(text) == seek
    assert format_seek(seek) == text


@pytest.mark.parametrize("text", ["", "0", "0,9,x", "a,9", "0,", "0,-1", "0,9,r,r"])
def test_no_seek(text):
    with pytest.raises(RemoteProtocolError, match="lobby,type"):
        parse_seek(text)
