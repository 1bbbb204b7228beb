"""Which losses are worth another attempt, when to make it, and what the clock allows meanwhile."""

from __future__ import annotations

import errno
import random
import socket
import ssl
from itertools import islice, pairwise

import pytest
from websockets.datastructures import Headers
from websockets.exceptions import ConnectionClosedError, InvalidMessage, InvalidStatus, InvalidURI
from websockets.frames import Close
from websockets.http11 import Response

from bot.machine.gate import route
from bot.play.client import GameLostError
from bot.play.clock import LEAST, ClockTracker, RoundTrips
from bot.play.losses import DISPLACED, ResyncError, SilentError, reason, retryable
from bot.play.patience import Patience, delays
from bot.play.tally import Times
from protocol.tenhou.game_type import FAST_CLOCK, NORMAL_CLOCK, Clock, parse_game_type


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


HERE = route("ws://127.0.0.1:7391/")
BETWEEN = route("wss://example.net/", "example.net", "http://10.0.0.1:3128")


@pytest.mark.parametrize(
    ("error", "way", "words"),
    [
        (
            OSError(errno.ECONNREFUSED, "Connect call failed ('127.0.0.1', 7391)"),
            HERE,
            "port 7391 of 127.0.0.1 refuses the connection: nothing listens there; start it, or correct server.url",
        ),
        (
            ConnectionRefusedError(errno.ECONNREFUSED, "Connect call failed"),
            BETWEEN,
            "port 3128 of 10.0.0.1 refuses the connection: nothing listens there; start it, or correct server.proxy",
        ),
        (TimeoutError(errno.ETIMEDOUT, "Connect call failed"), HERE, "port 7391 of 127.0.0.1 does not answer: check"),
        (
            OSError(errno.ENETUNREACH, "x"),
            HERE,
            "port 7391 of 127.0.0.1 cannot be reached from here: check the network",
        ),
        (OSError(errno.EHOSTUNREACH, "x"), None, "the server cannot be reached from here: check the network"),
        (socket.gaierror(-2, "Name or service not known"), BETWEEN, "no address is known of 10.0.0.1: check"),
        (ConnectionResetError(errno.ECONNRESET, "x"), HERE, "the connection broke"),
        (OSError(errno.EMFILE, "x"), HERE, "this program has too many files open to connect"),
        (OSError(errno.ENOBUFS, "x"), HERE, "port 7391 of 127.0.0.1 cannot be reached: No buffer space available"),
        (TimeoutError(), HERE, "no answer in time"),
        (SilentError("nothing received"), HERE, "nothing received"),
        (ConnectionRefusedError(), HERE, "ConnectionRefusedError"),
    ],
)
def test_a_loss_is_said_in_words(error, way, words):
    assert reason(error, way).startswith(words)
    assert "Errno" not in reason(error, way)


def test_delays_double_within_their_jitter_and_repeat_with_the_seed():
    patience = Patience(first_retry=1.0, longest_retry=8.0)
    first = list(islice(delays(patience, random.Random(7)), 8))
    assert first == list(islice(delays(patience, random.Random(7)), 8))
    assert first != list(islice(delays(patience, random.Random(8)), 8))
    assert first[0] == 0.0
    for at, longest in enumerate((1, 2, 4, 8, 8, 8, 8), 1):
        assert longest / 2 <= first[at] <= longest


def test_the_clock_gives_and_takes():
    clock = ClockTracker(Clock(5.0, 10.0), margin=0.5, bank_share=0.5)
    for seconds, bank in ((3.0, 10.0), (8.5, 6.0), (100.0, 0.0)):
        clock.spend(seconds)
        assert clock.bank == bank
    assert clock.allowance() == 4.5
    clock.start_kyoku()
    assert clock.bank == 10.0
    assert ClockTracker(Clock(0.1, 0.0), margin=5.0).allowance() == LEAST


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
