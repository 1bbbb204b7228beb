"""Whole games of simple clients on the lobby."""

from __future__ import annotations

import asyncio

import pytest

from engine.model.events import EndGame, RiichiDeclared, StartGame, StartKyoku, Win
from engine.state import visible_to
from protocol.logs import mjlog, tenhou6
from protocol.tenhou.game_type import parse_game_type
from protocol.tenhou.session import NoticeKind
from tests.tiers import mostly_slow

NAMES = ("NoName", "Anna", "ID0A1B2C3D-4e5f6a7b", "Boris")


async def game(open_lobby, simple_player, game_type=1, seed=0, **settings):
    async with open_lobby(seed=seed, **settings) as lobby:
        players = [simple_player(lobby.url, game_type, name) for name in NAMES]
        await asyncio.gather(*(player.play() for player in players))
        return await lobby.ended(1), players


def check(result, game_type):
    """What must hold of any finished game."""
    assert (result.illegal, result.late) == (0, 0), result.tallies
    assert result.log.start.rules == parse_game_type(game_type).rules
    for event in result.log.events:
        if isinstance(event, StartKyoku):
            assert sum(event.scores) + 1000 * event.riichi_sticks == 100_000
    assert isinstance(result.log.events[-1], EndGame)
    assert sum(result.end.scores) == 100_000
    assert sum(result.end.results) == pytest.approx(0)


@mostly_slow("game_type", [1, 9, 65, 3, 7, 13], quick=2)
async def test_four_clients_finish_a_game(open_lobby, simple_player, game_type):
    result, players = await game(open_lobby, simple_player, game_type, seed=game_type)
    check(result, game_type)
    assert result.clients == (0, 1, 2, 3)
    assert sorted(player.session.seat for player in players) == [0, 1, 2, 3]


async def test_each_client_hears_what_its_seat_may_know(open_lobby, simple_player):
    result, players = await game(open_lobby, simple_player, seed=3)
    for player in players:
        seat = player.session.seat
        expected = [visible_to(event, seat) for event in result.log.events]
        heard = player.events
        assert [event for event in heard if not isinstance(event, StartGame)] == [
            event for event in expected if not isinstance(event, StartGame)
        ]
        assert heard[0].names == result.log.start.names
        assert not [notice for notice in player.notices if notice.kind is NoticeKind.UNEXPECTED]


async def test_the_record_of_a_game_is_announced_before_its_end(open_lobby, simple_player):
    result, players = await game(open_lobby, simple_player, seed=4)
    for player in players:
        seat = player.session.seat
        (record,) = [notice for notice in player.notices if notice.kind is NoticeKind.RECORD]
        values = [float(value) for value in record.text.split(",")]
        order = sorted(range(4), key=lambda other: (-result.end.scores[other], other))
        assert values[0] == result.end.results[seat]
        assert values[1:5] == [float(other == seat) for other in order]
        assert values[6] == result.hands
        assert values[7] == sum(isinstance(event, Win) and event.seat == seat for event in result.log.events)


@pytest.mark.slow
async def test_the_same_seed_and_answers_give_the_same_game(open_lobby, simple_player):
    async def alone(seed):
        async with open_lobby(seed=seed) as lobby:
            await simple_player(lobby.url, 0).play()
            return (await lobby.ended(1)).log.events

    assert await alone(5) == await alone(5)
    assert await alone(5) != await alone(6)


async def test_games_are_recorded_in_two_formats(open_lobby, simple_player, tmp_path):
    result, _ = await game(open_lobby, simple_player, seed=2, folder=tmp_path)
    xml, json = result.files
    assert (xml.suffix, json.suffix) == (".xml", ".json")
    assert xml.stem == json.stem == result.log.info.log_id
    assert xml.stem.startswith("2026010203gm-0001-0000-")
    again = mjlog.read(xml.read_text("utf-8"))
    assert again.events == result.log.events
    assert again.info.shuffle == result.log.info.shuffle
    assert len(tenhou6.read(json.read_text("utf-8")).events) == len(result.log.events)


async def test_a_folder_that_cannot_be_written_stops_no_game(open_lobby, simple_player, tmp_path):
    blocked = tmp_path / "file"
    blocked.write_text("in the way")
    async with open_lobby(folder=blocked) as lobby:
        await simple_player(lobby.url, 0).play()
        result = await lobby.ended(1)
    assert result.files == ()
    check(result, 0)


async def test_tables_run_side_by_side(open_lobby, simple_player):
    async with open_lobby() as lobby:
        await asyncio.gather(*(simple_player(lobby.url, kind).play() for kind in (0, 0, 8, 64)))
        await lobby.ended(4)
        for result in lobby.results:
            check(result, result.log.info.game_type)


async def test_two_clients_are_joined_by_house_players_when_patience_ends(open_lobby, simple_player):
    async with open_lobby(patience=0.05) as lobby:
        await asyncio.gather(*(simple_player(lobby.url, 1, name).play() for name in ("Anna", "Boris")))
        result = await lobby.ended(1)
    assert len(result.clients) == 2
    assert sum(name.startswith("ⓝ") for name in result.log.start.names) == 2
    check(result, 1)


async def test_riichi_is_declared_by_house_players(open_lobby, simple_player):
    async with open_lobby(seats=("simple",) * 3, seed=8) as lobby:
        await simple_player(lobby.url, 0).play()
        result = await lobby.ended(1)
    check(result, 0)
    assert any(isinstance(event, RiichiDeclared) for event in result.log.events)
    assert any(isinstance(event, Win) for event in result.log.events)
