"""One seat's view as a game: what it saw is kept to the tile, what it could not see is told or made up."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.logs.sources import open_logs
from engine.model import events as ev
from engine.state import visible_to
from protocol.errors import LogError
from protocol.logs import wire
from protocol.logs.formats import LogFile, read_log, write_log
from protocol.logs.game_log import GameLog
from protocol.logs.made_up import NOTE, fill_hidden
from protocol.logs.wire import read_session
from tests.games import game_of


@pytest.fixture(scope="module")
def game():
    return GameLog(game_of("simple", 4).events, source="game")


def seen(game, seat):
    return tuple(visible_to(event, seat) for event in game.events)


def shown_to(game, seat):
    """What a seat saw, without its own hand at a draw: a server may leave it out, and the payments imply it."""
    return tuple(
        replace(event, hands=tuple(None if at == seat else hand for at, hand in enumerate(event.hands)))
        if isinstance(event, ev.Ryuukyoku)
        else event
        for event in seen(game, seat)
    )


@pytest.mark.parametrize("seat", range(4))
def test_hidden_tiles_are_filled_and_nothing_seen_is_changed(game, seat):
    filled = fill_hidden(GameLog(seen(game, seat), source="view"))
    assert seen(filled, seat) == seen(game, seat)
    assert filled.info.title[1] == NOTE
    for event in filled.events:
        assert not (isinstance(event, ev.Draw) and event.tile is None)
        assert not (isinstance(event, ev.StartKyoku) and None in event.hands)
    for name in ("mjlog", "tenhou6", "mjai"):  # reading looks after every tile of every hand
        again = read_log(LogFile("again", name, write_log(filled, name).encode()))
        hands = [event.hands for event in again.events if isinstance(event, ev.StartKyoku)]
        assert len(hands) == sum(isinstance(event, ev.StartKyoku) for event in game.events)
        if name == "mjlog":
            assert seen(again, seat) == seen(game, seat)


def test_a_play_that_cannot_be_is_reported(game):
    start, deal, *_ = seen(game, 0)
    held = {*deal.hands[0], deal.dora_indicator}
    discarded = [ev.Discard(1, tile, tsumogiri=False) for tile in range(136) if tile not in held][:14]
    with pytest.raises(LogError, match="shows tiles it cannot have had"):
        fill_hidden(GameLog((start, deal, *discarded)))


def session_of(*lines):
    return read_session("\n".join(lines).encode(), "a.log")


HELLO = (
    'Get: <GO type="9" lobby="0"/>',
    'Get: <UN n0="a" n1="b" n2="c" n3="d" dan="0,0,0,0" rate="1,1,1,1" sx="M,M,M,M"/>',
)
SEATS = 'Get: <TAIKYOKU oya="0" log="2018010100gm-0009-0000-00000000"/>'


def deal(kyoku=0):
    hand = ",".join(map(str, range(0, 52, 4)))
    return f'Get: <INIT seed="{kyoku},0,0,0,0,60" ten="250,250,250,250" oya="{kyoku}" hai="{hand}"/>'


DRAW = 'Get: <RYUUKYOKU ba="0,0" type="yao9" sc="250,0,250,0,250,0,250,0"/>'


def test_a_session_is_the_game_it_saw():
    view = wire.game_of(session_of(*HELLO, SEATS, deal(), "Get: <T100/>", DRAW))
    assert view.viewer == 0
    assert view.left_out == ()
    assert view.info.log_id == "2018010100gm-0009-0000-00000000"
    assert [type(event).__name__ for event in view.events] == ["StartGame", "StartKyoku", "Draw", "Ryuukyoku"]
    assert view.events[1].hands[1] is None


def test_a_hand_that_was_not_seen_whole_is_left_out():
    resumed = deal(1).replace("INIT", "REINIT")
    view = wire.game_of(
        session_of(*HELLO, SEATS, deal(), DRAW, deal(1), "Get: <T100/>", *HELLO, resumed, DRAW, deal(2), DRAW)
    )
    assert [left.hand for left in view.left_out] == ["E2"]
    assert [event.kyoku for event in view.events if isinstance(event, ev.StartKyoku)] == [0, 2]
    cut = wire.game_of(session_of(*HELLO, SEATS, deal(), DRAW, deal(1), "Get: <T100/>"))
    assert [left.hand for left in cut.left_out] == ["E2"]


GAME = (*HELLO, SEATS, *(frame for kyoku in range(3) for frame in (deal(kyoku), "Get: <T100/>", DRAW)))


@pytest.mark.parametrize("at", range(len(GAME)))
@pytest.mark.parametrize("cut", [8, -2])
def test_a_damaged_frame_costs_its_hand_alone(at, cut):
    view = wire.game_of(session_of(*GAME[:at], GAME[at][:cut], *GAME[at + 1 :]))
    lost = (at - 3) // 3 if at > 2 else None
    assert [event.kyoku for event in view.events if isinstance(event, ev.StartKyoku)] == [
        kyoku for kyoku in range(3) if kyoku != lost
    ]
    named = [(left.hand, left.place) for left in view.left_out]
    if lost is None:
        assert named == []
    else:
        assert named == [(f"hand {lost + 1}" if at % 3 == 0 else f"E{lost + 1}", f"line {at + 1}")]
    assert [str(left) for left in view.left_out] == list(view.notes)


def test_a_session_without_a_hand_is_reported():
    with pytest.raises(LogError, match="no hand that could be followed"):
        wire.game_of(session_of(*HELLO, SEATS))


@pytest.mark.corpus
def test_recorded_sessions_are_written_and_read_again(corpus):
    written = 0
    for number, file in enumerate(open_logs([corpus / "wire-sessions.tar.xz"])):
        if number == 25:
            break
        if number % 3:
            continue
        try:
            view = wire.game_of(wire.read_session(file.data, file.name))
        except LogError as error:
            assert "more than one game" in str(error) or "no hand" in str(error)  # noqa: PT017
            continue
        filled = fill_hidden(view)
        again = read_log(LogFile("again.xml", "mjlog", write_log(filled, "mjlog").encode()))
        assert shown_to(again, view.viewer) == shown_to(view, view.viewer)
        for name in ("tenhou6", "mjai"):
            again = read_log(LogFile("again", name, write_log(filled, name).encode()))
            assert len(again.events) >= 0.9 * len(view.events)
        written += 1
    assert written > 5
