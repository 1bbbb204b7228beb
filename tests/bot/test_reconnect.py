"""The client loses its connection at every kind of moment, and comes back or learns the end."""

from __future__ import annotations

import asyncio
import json
import random
import ssl
from contextlib import asynccontextmanager
from itertools import islice, pairwise

import pytest
from websockets.asyncio.server import serve
from websockets.datastructures import Headers
from websockets.exceptions import ConnectionClosedError, InvalidMessage, InvalidStatus, InvalidURI
from websockets.frames import Close
from websockets.http11 import Response

from bot.live.client import Client, GameLostError
from bot.live.clock import ClockTracker, RoundTrips
from bot.live.losses import DISPLACED, ResyncError, SilentError, delays, reason, retryable
from bot.live.patience import Patience
from bot.live.player import Player
from bot.live.tally import Tally, Times
from bot.live.thinker import Thinker
from engine.policy.registry import make_policy
from protocol.tenhou.game_type import FAST_CLOCK, NORMAL_CLOCK, Clock, parse_game_type
from protocol.tenhou.session import Login, Session

QUICK = Patience(first_retry=0.01, longest_retry=0.05)
"""Comes back at once; is silent for nothing."""
HASTY = Patience(
    login=1.0, waiting=1.0, seated=1.0, playing=1.0, echo=0.3, first_retry=0.01, longest_retry=0.05, give_up=60.0
)
"""Soon takes silence for the end of a connection."""
KEY = "ID0A1B2C3D-4e5f6a7b"
HELLO = {"tag": "HELO", "uname": "x"}
GO = {"tag": "GO", "type": "1", "lobby": "0", "gpid": "00000001-00000002"}
UN = {"tag": "UN", "n0": "a", "n1": "b", "n2": "c", "n3": "d"}
TAIKYOKU = {"tag": "TAIKYOKU", "oya": "0"}
HAND = "0,4,8,12,16,20,24,28,32,36,40,44,108"
INIT = {"tag": "INIT", "seed": "0,0,0,1,2,60", "ten": "250,250,250,250", "oya": "0", "hai": HAND}
SAIKAI = {"tag": "SAIKAI", "ba": "0,0", "oya": "0", "sc": "250,0,250,0,250,0,250,0"}
REINIT = {**INIT, "tag": "REINIT", "kawa1": "50"}
END = {
    "tag": "RYUUKYOKU", "ba": "0,0", "sc": "250,0,250,0,250,0,250,0", "type": "nm",
    "owari": "250,20.0,250,10.0,250,-10.0,250,-20.0",
}  # fmt: skip
DROP = "drop"
STALL = "stall"


@asynccontextmanager
async def server(*connections, heard=None):
    """Each connection has a script: a dict or text is said, DROP cuts it off, STALL goes on in silence, and a set
    waits until the client has said one of its tags (of XML or JSON).
    """
    heard = [] if heard is None else heard
    left = list(connections)

    async def talk(socket):
        script = left.pop(0) if left else [STALL]
        for step in script:
            if step == DROP:
                socket.transport.abort()
                return
            if step == STALL:
                await socket.wait_closed()
                return
            if isinstance(step, set):
                while True:
                    frame = await socket.recv()
                    tag = json.loads(frame)["tag"] if frame.startswith("{") else frame.strip("</> ").split()[0]
                    if tag != "Z":
                        heard.append(json.loads(frame) if frame.startswith("{") else tag)
                    if tag in step:
                        break
            else:
                await socket.send(step if isinstance(step, str) else json.dumps(step))
        await socket.wait_closed()

    async with serve(talk, "127.0.0.1", 0) as listening:
        yield f"ws://127.0.0.1:{next(iter(listening.sockets)).getsockname()[1]}/", heard


async def play(url, name="NoName", patience=QUICK, policy="tsumogiri", stop=None, tally=None):
    tally = tally or Tally()
    thinker = Thinker(make_policy(policy))
    session = Session(Login(1, name))
    client = Client(
        url, session, Player(thinker, ClockTracker(), tally), patience=patience, rng=random.Random(1), stop=stop
    )
    try:
        async with asyncio.timeout(30):
            return await client.play(), tally
    finally:
        thinker.close()


LOGIN = [{"HELO"}, HELLO, {"JOIN"}]
START = [*LOGIN, GO, UN, TAIKYOKU, {"NEXTREADY"}, INIT]
BACK = [{"HELO"}, GO, UN, SAIKAI, {"GOK"}, REINIT]

MOMENTS = {
    "before the login is answered": [[{"HELO"}, DROP], [*START, END]],
    "while a table is sought": [[*LOGIN, DROP], [*START, END]],
    "before the table is set": [[*LOGIN, GO, DROP], [{"HELO"}, GO, UN, TAIKYOKU, {"NEXTREADY"}, INIT, END]],
    "before the first hand": [[*LOGIN, GO, UN, TAIKYOKU, {"NEXTREADY"}, DROP], [{"HELO"}, GO, UN, SAIKAI, INIT, END]],
    "in a hand": [[*START, DROP], [*BACK, END]],
    "in the middle of its own turn": [[*START, {"tag": "T120"}, DROP], [*BACK, {"tag": "T120"}, {"D"}, END]],
    "asked about another's tile": [
        [*START, {"tag": "T120"}, {"D"}, {"tag": "D120"}, {"tag": "U"}, {"tag": "E45", "t": "1"}, DROP],
        [*BACK, END],
    ],
    "between hands": [
        [*START, {"tag": "T120"}, {**END, "type": "yao9", "owari": None}, DROP],
        [{"HELO"}, GO, UN, SAIKAI, {"GOK"}, INIT, END],
    ],
    "again and again": [[*START, DROP], [*BACK, DROP], [{"HELO"}, DROP], [{"HELO"}, GO, DROP], [*BACK, END]],
}


@pytest.mark.parametrize("moment", MOMENTS)
async def test_a_drop_at_any_moment_is_come_back_from(moment):
    scripts = [[{k: v for k, v in s.items() if v} if isinstance(s, dict) else s for s in c] for c in MOMENTS[moment]]
    async with server(*scripts) as (url, _):
        result, tally = await play(url)
    assert result.scores == (25_000,) * 4
    assert result.placement == 1
    assert tally.drops == tally.resumed == len(scripts) - 1
    assert tally.ended == 0
    assert tally.resume.count >= 1


async def test_between_riichi_and_its_discard():
    tenpai = {**INIT, "hai": "0,4,8,12,16,20,24,28,32,36,37,104,105"}
    reach = [{"tag": "T106", "t": "32"}, {"REACH"}, {"tag": "REACH", "who": "0", "step": "1"}, DROP]

    class Riichi:
        """Declares it as soon as it can."""

        name = "riichi"

        def start_kyoku(self):
            pass

        def decide(self, state, legal, budget):
            del state, budget
            from engine.policy.decision import Decision  # noqa: PLC0415

            return Decision(max(legal, key=lambda action: action.kind == 1))

    back = {**REINIT, "hai": tenpai["hai"]}
    async with server([*START[:-1], tenpai, *reach], [*BACK[:-1], back, END]) as (url, heard):
        thinker = Thinker(Riichi())
        player = Player(thinker, ClockTracker(), Tally())
        result = await Client(url, Session(Login(1)), player, patience=QUICK).play()
        thinker.close()
    assert result.placement == 1
    assert not [frame for frame in heard if isinstance(frame, dict) and frame["tag"] == "D"]
    assert player.tally.resumed == 1


async def test_a_guest_comes_back_by_what_go_told_it():
    async with server([*START, DROP], [*BACK, END]) as (url, heard):
        await play(url)
    first, second = (frame for frame in heard if isinstance(frame, dict) and frame["tag"] == "HELO")
    assert "gpid" not in first
    assert second["gpid"] == GO["gpid"]


async def test_a_game_that_ended_meanwhile_is_learned_of_and_no_other_is_sought():
    before = {**HELLO, "PF4": "10,400,1500.00,100.0,5,6,7,8,1,200,50,30,60,40"}
    after = {**HELLO, "PF4": "10,415,1503.00,110.0,5,7,7,8,1,209,52,31,61,42"}
    first = [{"HELO"}, before, {"JOIN"}, GO, UN, TAIKYOKU, {"NEXTREADY"}, INIT, DROP]
    async with server(first, [{"HELO"}, after, {"BYE"}]) as (url, heard):
        result, tally = await play(url, KEY)
    assert (result.scores, result.results, result.placement) == (None, None, 2)
    assert result.standing.points == 400
    assert (tally.drops, tally.resumed, tally.ended) == (1, 0, 1)
    assert [frame["tag"] for frame in heard if isinstance(frame, dict)].count("JOIN") == 1


async def test_a_greeting_is_not_believed_while_the_record_does_not_count_the_game():
    """The server may not know yet that the connection was lost."""
    hello = {**HELLO, "PF4": "10,400,1500.00,100.0,5,6,7,8,1,200,50,30,60,40"}
    first = [{"HELO"}, hello, {"JOIN"}, GO, UN, TAIKYOKU, {"NEXTREADY"}, INIT, DROP]
    async with server(first, [{"HELO"}, hello, STALL], [{"HELO"}, hello, STALL], [*BACK, END]) as (url, heard):
        result, tally = await play(url, KEY)
    assert result.scores == (25_000,) * 4
    assert (tally.drops, tally.resumed) == (3, 3)
    assert [frame["tag"] for frame in heard if isinstance(frame, dict)].count("JOIN") == 1
    never = [[{"HELO"}, hello, STALL]] * 4
    async with server(first, *never, [{"HELO"}, hello, {"BYE"}]) as (url, _):
        result, tally = await play(url, KEY)
    assert (result.scores, tally.ended) == (None, 5)


async def test_a_program_started_anew_takes_up_the_game_that_is_on():
    async with server([*BACK, END]) as (url, _):
        result, tally = await play(url, KEY)
    assert result.placement == 1
    assert tally.drops == 0


async def test_a_guest_at_a_practice_table_is_lost_and_says_why():
    practice = {key: value for key, value in GO.items() if key != "gpid"}
    async with server([*LOGIN, practice, UN, TAIKYOKU, {"NEXTREADY"}, INIT, DROP]) as (url, _):
        with pytest.raises(GameLostError, match="a guest at a practice table cannot come back"):
            await play(url)


async def test_whoever_is_logged_in_elsewhere_stays_away():
    async def talk(socket):
        await socket.recv()
        await socket.close(DISPLACED, "logged in elsewhere")

    async with serve(talk, "127.0.0.1", 0) as listening:
        url = f"ws://127.0.0.1:{next(iter(listening.sockets)).getsockname()[1]}/"
        with pytest.raises(GameLostError, match="code 4001, logged in elsewhere"):
            await play(url)


async def test_a_server_that_never_comes_back_is_given_up():
    async with server([*START, DROP]) as (url, _):
        tally = Tally()
        hurried = Patience(first_retry=0.01, longest_retry=0.05, give_up=1.0)
        playing = asyncio.create_task(play(url, patience=hurried, tally=tally))
        await asyncio.sleep(0.3)
    with pytest.raises(GameLostError, match="no use in coming back"):
        await playing
    assert tally.drops >= 1


# -- silence -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "first",
    [
        pytest.param([{"HELO"}, STALL], id="login"),
        pytest.param([*LOGIN, STALL], id="waiting"),
        pytest.param([*START, STALL], id="playing"),
    ],
)
async def test_a_silent_server_is_left_and_come_back_to(first):
    second = [*BACK, END] if first[-2] is INIT else [*START, END]
    async with server(first, second) as (url, _):
        result, tally = await play(url, patience=HASTY)
    assert result.placement == 1
    assert tally.drops == tally.resumed == 1


async def test_a_half_open_connection_shows_by_its_pings():
    async def talk(socket):
        await socket.recv()
        await asyncio.sleep(0.2)  # some pings are answered
        socket.transport.pause_reading()
        await asyncio.sleep(1)

    patience = Patience(pong=0.2, beat=0.05, give_up=0.0)
    async with serve(talk, "127.0.0.1", 0, close_timeout=0.1) as listening:
        url = f"ws://127.0.0.1:{next(iter(listening.sockets)).getsockname()[1]}/"
        with pytest.raises(GameLostError, match="not even a pong"):
            await play(url, patience=patience)


async def test_keep_alives_go_on_after_coming_back():
    beats = []

    async def talk(socket):
        beats.append(0)
        number = len(beats) - 1
        frames = [GO, UN, SAIKAI, REINIT] if number else [HELLO, GO, UN, TAIKYOKU, INIT]
        await socket.recv()
        for frame in frames:
            await socket.send(json.dumps(frame))
        while True:
            beats[number] += (await socket.recv()) == "<Z/>"
            if beats[number] == 3:
                if number:
                    await socket.send(json.dumps(END))
                else:
                    socket.transport.abort()

    async with serve(talk, "127.0.0.1", 0) as listening:
        url = f"ws://127.0.0.1:{next(iter(listening.sockets)).getsockname()[1]}/"
        await play(url, patience=Patience(beat=0.02, first_retry=0.01))
    assert beats == [3, 3]


# -- answers that are forgotten ------------------------------------------------------------------------------------


async def test_an_answer_of_which_nothing_comes_is_said_again():
    async with server([*START, {"tag": "T120"}, {"D"}, {"D"}, {"tag": "D120"}, END]) as (url, heard):
        _, tally = await play(url, patience=HASTY)
    said = [frame for frame in heard if isinstance(frame, dict) and frame["tag"] == "D"]
    assert said == [{"tag": "D", "p": 120}] * 2
    assert (tally.forgotten, tally.drops) == (1, 0)


async def test_after_that_the_client_comes_back_to_see():
    first = [*START, {"tag": "T120"}, {"D"}, {"D"}, STALL]
    async with server(first, [*BACK, END]) as (url, _):
        _, tally = await play(url, patience=HASTY)
    assert (tally.forgotten, tally.drops, tally.resumed) == (1, 1, 1)


async def test_a_question_that_comes_twice_is_answered_once():
    draw = {"tag": "T120"}
    async with server([*START, draw, draw, {"D"}, {"tag": "D120"}, {"tag": "D120"}, END]) as (url, heard):
        _, tally = await play(url)
    assert [frame["tag"] for frame in heard if isinstance(frame, dict)].count("D") == 1
    assert (tally.repeated, tally.unexpected, tally.drops) == (2, 0, 0)


# -- out of step ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "damage",
    [
        pytest.param({"tag": "T4"}, id="a tile that is held already"),
        pytest.param('{"tag":"E5', id="a frame cut short"),
    ],
)
async def test_who_has_lost_track_asks_how_the_hand_stands(damage):
    async with server([*START, damage, STALL], [*BACK, {"tag": "T120"}, {"D"}, {"tag": "D120"}, END]) as (url, heard):
        result, tally = await play(url)
    assert result.placement == 1
    assert (tally.drops, tally.resumed) == (1, 1)
    assert heard[-2:] == [{"tag": "D", "p": 120}] or {"tag": "D", "p": 120} in heard


async def test_a_ron_that_is_not_offered_is_not_taken():
    """After coming back our own rules know of no furiten; what the server does not offer may not be had."""
    ready = {**REINIT, "hai": "0,4,8,12,16,20,24,28,32,36,37,104,105"}
    offers = [{"tag": "U"}, {"tag": "E106", "t": "1"}, {"N"}, END]
    async with server([*START, DROP], [*BACK[:-1], ready, *offers]) as (url, heard):
        _, tally = await play(url, policy="simple")
    said = [frame for frame in heard if isinstance(frame, dict) and frame["tag"] == "N"]
    assert said
    assert all(frame.get("type") != 6 for frame in said)
    assert tally.illegal == tally.failed == 0


async def test_a_thought_that_breaks_is_answered_for():
    thinker = Thinker(make_policy("tsumogiri"))
    player = Player(thinker, ClockTracker(), Tally())

    async def broken(*_):
        raise RuntimeError("no idea")

    player.answer = broken
    async with server([*START, {"tag": "T120"}, {"D"}, {"tag": "D120"}, END]) as (url, heard):
        result = await Client(url, Session(Login(1)), player, patience=QUICK).play()
    thinker.close()
    assert result.placement == 1
    assert {"tag": "D", "p": 120} in heard
    assert player.tally.failed == 1


async def test_a_watcher_that_breaks_looks_no_more():
    class Broken:
        def happened(self, *_):
            raise RuntimeError("a torn terminal")

        decided = told = happened

    thinker = Thinker(make_policy("tsumogiri"))
    player = Player(thinker, ClockTracker(), Tally(), (Broken(),))
    async with server([*START, {"tag": "T120"}, {"D"}, {"tag": "D120"}, END]) as (url, _):
        result = await Client(url, Session(Login(1)), player, patience=QUICK).play()
    thinker.close()
    assert result.placement == 1
    assert player.watchers == ()


async def test_stop_leaves_the_search_for_a_table_but_no_game():
    stop = asyncio.Event()
    stop.set()
    async with server([*LOGIN, {"BYE"}]) as (url, _):
        result, _ = await play(url, stop=stop)
    assert result is None
    stop.clear()

    class Heard(list):
        def append(self, frame):
            super().append(frame)
            if frame == {"tag": "NEXTREADY"}:
                stop.set()

    async with server([*START, {"tag": "T120"}, {"D"}, {"tag": "D120"}, END], heard=Heard()) as (url, _):
        result, _ = await play(url, stop=stop)
    assert stop.is_set()
    assert result.placement == 1


async def test_stop_ends_the_wait_for_a_server_that_was_there_before():
    stop = asyncio.Event()
    thinker = Thinker(make_policy("tsumogiri"))
    player = Player(thinker, ClockTracker(), Tally())
    patience = Patience(first_retry=60.0, longest_retry=60.0)
    client = Client("ws://127.0.0.1:9/", Session(Login(1)), player, patience=patience, stop=stop, reached=True)
    playing = asyncio.create_task(client.play())
    await asyncio.sleep(0.2)
    assert not playing.done()
    stop.set()
    async with asyncio.timeout(10):
        assert await playing is None
    thinker.close()
    assert player.tally.drops == 0


# -- which losses, and when to try again ---------------------------------------------------------------------------


def closed(code):
    return ConnectionClosedError(None if code is None else Close(code, "why"), None)


@pytest.mark.parametrize(
    ("error", "again"),
    [
        (closed(None), True),
        (closed(1006), True),
        (closed(1008), True),
        (closed(DISPLACED), False),
        (ConnectionRefusedError(), True),
        (TimeoutError(), True),
        (SilentError("x"), True),
        (ResyncError("x"), True),
        (ssl.SSLCertVerificationError("x"), False),
        (InvalidURI("x", "y"), False),
        (InvalidStatus(Response(403, "no", Headers())), False),
        (InvalidStatus(Response(429, "later", Headers())), True),
        (InvalidStatus(Response(503, "later", Headers())), True),
        (InvalidMessage("cut off"), True),
        (GameLostError("x"), False),
        (ValueError("a bug"), False),
    ],
)
def test_which_losses_are_worth_another_attempt(error, again):
    assert retryable(error) is again
    assert reason(error)


def test_delays_double_within_their_jitter_and_repeat_with_the_seed():
    patience = Patience(first_retry=1.0, longest_retry=8.0)
    first = list(islice(delays(patience, random.Random(7)), 8))
    assert first == list(islice(delays(patience, random.Random(7)), 8))
    assert first != list(islice(delays(patience, random.Random(8)), 8))
    assert first[0] == 0.0
    for at, longest in enumerate((1, 2, 4, 8, 8, 8, 8), 1):
        assert longest / 2 <= first[at] <= longest


# -- clocks --------------------------------------------------------------------------------------------------------


def test_the_margin_grows_with_measured_round_trips():
    clock = ClockTracker(Clock(5.0, 10.0), margin=0.5, bank_share=0.5)
    assert clock.allowance() == 9.5
    for _ in range(100):
        clock.trips.add(0.1)
    assert clock.margin == 0.5
    for seconds in (0.4, 1.2) * 50:
        clock.trips.add(seconds)
    assert 1.2 < clock.margin < 3.0
    assert clock.allowance() == pytest.approx(10.0 - clock.margin)
    assert clock.allowance(waited=1.0) == pytest.approx(9.0 - clock.margin)


def test_round_trips_settle():
    trips = RoundTrips()
    trips.add(1.0)
    assert trips.margin == 3.0
    for _ in range(200):
        trips.add(0.05)
    assert trips.margin == pytest.approx(0.05, abs=0.01)


def test_the_table_says_which_clock_it_has_and_a_resumed_hand_has_no_bank():
    clock = ClockTracker(NORMAL_CLOCK, clock_of=lambda kind: kind.clock)
    clock.sit(parse_game_type(0x41))
    assert clock.clock == FAST_CLOCK
    clock.resume()
    assert clock.bank == 0.0
    clock.start_kyoku()
    assert clock.bank == FAST_CLOCK.bank


def test_times_keep_quantiles_in_little_room():
    times, other = Times(), Times()
    assert times.ms() == {"p50": 0.0, "p99": 0.0, "max": 0.0}
    for number in range(1, 1001):
        (times if number % 2 else other).add(number / 1000)
    times.merge(other)
    assert times.count == 1000
    assert times.quantile(0.5) == pytest.approx(0.5, rel=0.02)
    assert times.quantile(0.99) == pytest.approx(0.99, rel=0.02)
    assert times.ms()["max"] == 1000.0
    assert all(low <= high for low, high in pairwise(times.quantile(share / 10) for share in range(11)))
