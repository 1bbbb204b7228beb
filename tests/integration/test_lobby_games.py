"""Whole games on the lobby: of simple clients that know the protocol alone, and of our own."""

from __future__ import annotations

import asyncio

import pytest

from bot.deciding.thinker import Thinker
from bot.machine.gate import route
from bot.play.client import Client
from bot.play.clock import ClockTracker
from bot.play.player import Player
from bot.play.tally import Tally
from engine.model.events import EndGame, RiichiDeclared, StartGame, StartKyoku, Win
from engine.policy.registry import make_policy
from engine.state import visible_to
from protocol.logs import mjlog, tenhou6
from protocol.tenhou.game_type import NORMAL_CLOCK, parse_game_type
from protocol.tenhou.session import Login, NoticeKind, Session
from tests.integration.lobbies import SimplePlayer, open_lobby
from tests.tiers import mostly_slow

NAMES = ("NoName", "Anna", "ID0A1B2C3D-4e5f6a7b", "Boris")
TYPES = (9, 1, 65, 3, 5, 73)
"""Hanchan, east only, fast, no red fives, no open tanyao, fast hanchan."""


def check(result, game_type):
    """What must hold of any finished game: no illegal or late answer, points and sticks conserved."""
    assert (result.illegal, result.late) == (0, 0), result.tallies
    assert result.log.start.rules == parse_game_type(game_type).rules
    for event in result.log.events:
        if isinstance(event, StartKyoku):
            assert sum(event.scores) + 1000 * event.riichi_sticks == 100_000
    assert isinstance(result.log.events[-1], EndGame)
    assert sum(result.end.scores) == 100_000
    assert sum(result.end.results) == pytest.approx(0)


# -- simple clients ------------------------------------------------------------------------------------------------


async def play(kinds, names, **settings):
    """The results of games of simple clients on one lobby; each client plays at a table of its own kind."""
    async with open_lobby(**settings) as lobby:
        players = [SimplePlayer(lobby.url, kind, name) for kind, name in zip(kinds, names, strict=True)]
        await asyncio.gather(*(player.play() for player in players))
        await lobby.ended(sum(kind % 2 == 0 for kind in kinds) or 1)
        return list(lobby.results), players


@pytest.fixture(scope="module")
def game(tmp_path_factory):
    """One game of four clients, recorded; the lobby's result, and the clients."""
    (result,), players = asyncio.run(play([1] * 4, NAMES, seed=2, folder=tmp_path_factory.mktemp("games")))
    return result, players


def test_four_clients_finish_a_game(game):
    result, players = game
    check(result, 1)
    assert result.clients == (0, 1, 2, 3)
    assert sorted(player.session.seat for player in players) == [0, 1, 2, 3]


def test_each_client_hears_what_its_seat_may_know(game):
    result, players = game
    for player in players:
        seat = player.session.seat
        expected = [visible_to(event, seat) for event in result.log.events]
        assert [event for event in player.events if not isinstance(event, StartGame)] == [
            event for event in expected if not isinstance(event, StartGame)
        ]
        assert player.events[0].names == result.log.start.names
        assert not [notice for notice in player.notices if notice.kind is NoticeKind.UNEXPECTED]


def test_the_record_of_a_game_is_announced_before_its_end(game):
    result, players = game
    for player in players:
        seat = player.session.seat
        (record,) = [notice for notice in player.notices if notice.kind is NoticeKind.RECORD]
        values = [float(value) for value in record.text.split(",")]
        order = sorted(range(4), key=lambda other: (-result.end.scores[other], other))
        assert values[0] == result.end.results[seat]
        assert values[1:5] == [float(other == seat) for other in order]
        assert values[6] == result.hands
        assert values[7] == sum(isinstance(event, Win) and event.seat == seat for event in result.log.events)


def test_games_are_recorded_in_two_formats(game):
    result, _ = game
    xml, json = result.files
    assert (xml.suffix, json.suffix) == (".xml", ".json")
    assert xml.stem == json.stem == result.log.info.log_id
    assert xml.stem.startswith("2026010203gm-0001-0000-")
    again = mjlog.read(xml.read_text("utf-8"))
    assert again.events == result.log.events
    assert again.info.shuffle == result.log.info.shuffle
    assert len(tenhou6.read(json.read_text("utf-8")).events) == len(result.log.events)


@pytest.mark.slow
async def test_the_same_seed_and_answers_give_the_same_game():
    first, again, other = [(await play([0], ["NoName"], seed=seed))[0][0].log.events for seed in (5, 5, 6)]
    assert first == again != other


async def test_a_folder_that_cannot_be_written_stops_no_game(tmp_path):
    blocked = tmp_path / "file"
    blocked.write_text("in the way")
    (result,), _ = await play([0], ["NoName"], folder=blocked)
    assert result.files == ()
    check(result, 0)


@pytest.mark.slow
async def test_tables_run_side_by_side():
    results, _ = await play([0, 0, 8, 64], ["NoName"] * 4)
    for result in results:
        check(result, result.log.info.game_type)


async def test_two_clients_are_joined_by_house_players_when_patience_ends():
    (result,), _ = await play([1, 1], ["Anna", "Boris"], patience=0.05)
    assert len(result.clients) == 2
    assert sum(name.startswith("ⓝ") for name in result.log.start.names) == 2
    check(result, 1)


async def test_riichi_is_declared_by_house_players():
    (result,), _ = await play([0], ["NoName"], seats=("simple",) * 3, seed=8)
    check(result, 0)
    assert any(isinstance(event, RiichiDeclared) for event in result.log.events)
    assert any(isinstance(event, Win) for event in result.log.events)


# -- our own clients -----------------------------------------------------------------------------------------------


@mostly_slow("seed", range(36))
async def test_four_of_our_clients_agree_with_the_lobby_on_every_prompt(seed):
    tally, game_type = Tally(), TYPES[seed % len(TYPES)]
    async with open_lobby(seed=seed, action=5.0, bank=10.0, fast_action=5.0, fast_bank=10.0) as lobby:
        thinkers = [Thinker(make_policy("simple", seed + seat)) for seat in range(4)]
        try:
            await asyncio.gather(
                *(
                    Client(
                        route(lobby.url),
                        Session(Login(game_type, f"Player{number}")),
                        Player(thinker, ClockTracker(NORMAL_CLOCK), tally),
                    ).play()
                    for number, thinker in enumerate(thinkers)
                )
            )
        finally:
            for thinker in thinkers:
                thinker.close()
        result = await lobby.ended(1)
    check(result, game_type)
    counted = (tally.illegal, tally.late, tally.failed, tally.mismatches, tally.malformed, tally.unexpected, tally.lost)
    assert counted == (0,) * 7
    assert tally.hands == 4 * result.hands
