"""What is fuzzed: everything that takes in text from outside, with what it may answer to nonsense."""

from __future__ import annotations

import bz2
import gzip
import io
import json
import lzma
import tarfile
import zipfile
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final
from urllib.parse import quote

import besieged
import commands
import heavy
from recorded import NoThought, hear, in_any_order, new_player, orders, records, run, snapshots

from bot import config
from bot.commands.mjai import Program
from bot.logs.listing import entries_of
from bot.logs.sources import Source, open_logs
from bot.machine.errors import InputError
from bot.replay.exact import replay_exactly
from engine import settings
from engine.model.events import Call, Discard, Draw, EndGame, RiichiDeclared, StartGame, StartKyoku, Win
from engine.model.tiles import parse_tiles37
from engine.networks import imitation as prior
from engine.opponents import network as danger
from engine.papers.che import perceptron
from engine.papers.neat.network import read_network
from engine.policy.settings import ValueSettings
from engine.settings import SettingError
from engine.state import GameState, visible_to
from engine.tables import WeightsError, table_bytes
from protocol.errors import LogError, RemoteProtocolError
from protocol.logs import mjai, mjlog, record, tenhou6, wire
from protocol.logs.formats import detect_format
from protocol.logs.game_log import GameLog
from protocol.tenhou import server
from protocol.tenhou.actions import prompt_flags
from protocol.tenhou.codec import format_message, format_tag, parse_frame
from protocol.tenhou.events import Announcer, TableFacts
from protocol.tenhou.schema import Message, Sender
from protocol.tenhou.session import Login, Session
from tests.games import game_of

GAMES: Final = 6
ROOT: Final = Path(__file__).parents[2]


@dataclass(frozen=True, slots=True)
class Target:
    """One entrance.

    Attributes:
        run: takes in the input; returns, or raises one of ``refuses``.
        refuses: the errors that are answers, not faults.
        seeds: good inputs to damage.
        share: of all inputs of a run, beside the others': the quick ones get more.
    """

    run: Callable[[bytes], object]
    refuses: tuple[type[Exception], ...]
    seeds: Callable[[], list[bytes]]
    share: int


# ---------------------------------------------------------------------------------------------------- good inputs


@cache
def _hands() -> list[GameLog]:
    """Games of one hand each, from self-play: with riichi, wins and draws of several kinds among them."""
    logs = []
    for seed in range(GAMES):
        events = game_of("simple", seed).events
        first = next(at for at, event in enumerate(events) if isinstance(event, StartKyoku))
        starts = [at for at, event in enumerate(events) if isinstance(event, StartKyoku)]
        for begin, end in zip(starts, [*starts[1:], len(events) - 1], strict=True):
            hand = events[begin:end]
            if isinstance(hand[-1], Win) or any(isinstance(event, RiichiDeclared) for event in hand):
                logs.append(GameLog((*events[:first], *hand, EndGame((25_000, 25_000, 25_000, 25_000)))))
    return logs


def _logs(write: Callable[[GameLog], str]) -> Callable[[], list[bytes]]:
    return lambda: [write(log).encode() for log in _hands()]


Writes = Callable[[Message], str]
"""A message as text, in one of its two forms."""


@cache
def _frames(written: Writes) -> list[list[str]]:
    """What seat 0's client hears of each hand, from login to the end."""
    return [_heard(log, written) for log in _hands()]


def _heard(log: GameLog, written: Writes) -> list[str]:
    announcer, state = Announcer(0), GameState(0, log.start.rules)
    opening = announcer.opening(TableFacts(1, ("A", "B", "C", "D")))
    frames = list(map(written, (server.Helo("me"), *opening)))
    for at, event in enumerate(log.events):
        seen = visible_to(event, 0)
        state.apply(seen)
        if isinstance(event, StartGame | EndGame):
            continue
        after = log.events[at + 1] if at + 1 < len(log.events) else None
        end = after if isinstance(after, EndGame) else None
        asks = isinstance(event, Draw | Discard | Call) and (event.seat == 0) is isinstance(event, Draw)
        flags = prompt_flags(state.legal_actions()) if asks else 0
        message = announcer.announce(seen, flags=flags, end=end)
        frames += [] if message is None else [written(message)]
    return frames


def _single(written: Writes) -> Callable[[], list[bytes]]:
    return lambda: sorted({frame.encode() for frames in _frames(written) for frame in frames})


def _captures() -> list[bytes]:
    return ["\n".join(f"Get: {frame}" for frame in frames).encode() for frames in _frames(format_tag)]


def _spoken() -> list[bytes]:
    """mjai as seat 0 hears it."""
    texts = []
    for log in _hands():
        writer = mjai.LineWriter(log.start)
        lines = [line for event in log.events for line in writer.lines(visible_to(event, 0))]
        lines[0] |= {"id": 0}
        texts.append("\n".join(map(json.dumps, lines)).encode())
    return texts


# ---------------------------------------------------------------------------------------------------- entrances


def _session(data: bytes) -> None:
    """Frames as they come, through the session machine into the player's state, answered where it asks."""
    session, player = Session(Login(1)), new_player(NoThought())
    session.connect()
    for frame in data.decode("utf-8", "replace").split("\n"):
        hear(session, player, frame)


def _mjai_program(data: bytes) -> None:
    program = Program(NoThought(), "fuzz", 1.0)  # type: ignore[arg-type]
    for line in data.split(b"\n"):
        run(program.receive(line))


def _parse(sender: Sender) -> Callable[[bytes], object]:
    return lambda data: parse_frame(data.decode("utf-8", "replace"), sender)


def _configuration(data: bytes) -> None:
    config.parse(data.decode("utf-8", "replace"))


def _tiles(data: bytes) -> None:
    parse_tiles37(data.decode("utf-8", "replace"))


def _record(data: bytes) -> None:
    for _step in wire.play(record.read_session(data)):
        pass


def _record_again(data: bytes) -> None:
    replay_exactly(record.read_record(data))


def _pool() -> list[str]:
    """Every frame there is, once."""
    return sorted({frame for frames in _frames(format_message) for frame in frames}) + snapshots(_hands())


def _short() -> list[list[str]]:
    """Of each hand the first frames, some all, most a few: what breaks a reader need not be long."""
    frames = _frames(format_message)
    return [one[:length] for one in frames for length in (8, 10, 12, 14, 18, 24)] + frames[::8]


def _any_order(data: bytes) -> None:
    _take_in_any_order()(data)


@cache
def _take_in_any_order() -> Callable[[bytes], None]:
    return in_any_order(_pool())


def _capture(data: bytes) -> None:
    for _step in wire.play(wire.read_session(data)):
        pass


def _archive(data: bytes) -> None:
    for file in open_logs([Source("fuzz", data=data)]):
        assert file.error is not None or file.format or file.log_id


def _list(data: bytes) -> None:
    entries = entries_of(data) or []
    assert all(entry.text or entry.log_id or entry.error for entry in entries)
    for entry in entries[:1]:
        with suppress(LogError):
            tenhou6.read(entry.text)


def _lists() -> list[bytes]:
    """Addresses, ids and logs, one on each line."""
    hands = [seed.strip() for seed in _logs(tenhou6.write)()][:4]
    links = [f"1. https://tenhou.net/6/#json={quote(hand)}&ts=1".encode() for hand in hands]
    named = b"# mine\r\nhttps://tenhou.net/0/?log=2017010100gm-0009-0000-de8eee52&tw=2"
    return [b"\n".join(lines) for lines in (hands, links, [named, *links, *hands], [*links, b"a remark"])]


def _archives() -> list[bytes]:
    """A log and a text in every kind of archive."""
    log, more = _logs(mjlog.write)()[0], b"about " * 100
    zipped = io.BytesIO()
    with zipfile.ZipFile(zipped, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("a.xml", log)
        archive.writestr("b.txt", more)
    tars = []
    for kind in (tarfile.GNU_FORMAT, tarfile.PAX_FORMAT):
        packed = io.BytesIO()
        with tarfile.open(fileobj=packed, mode="w", format=kind) as tar:
            for name, content in (("a.xml", log), ("long" * 40 + ".xml", more), ("\u9ed2.txt", more)):
                member = tarfile.TarInfo(name)
                member.size = len(content)
                tar.addfile(member, io.BytesIO(content))
        tars.append(packed.getvalue())
    plain = [zipped.getvalue(), *tars, heavy.hole(1, 4096) + tars[0]]
    return plain + [pack(each) for each in (log, plain[1]) for pack in (gzip.compress, lzma.compress, bz2.compress)]


def _weights(data: bytes) -> None:
    for read in (read_network, perceptron.read_weights, prior.ImitationWeights.read, danger.read_weights):
        with suppress(WeightsError):
            read(data, "fuzz")


def _setting(data: bytes) -> None:
    text = data.decode("utf-8", "replace")
    for key in ("nodes", "noise", "utility", "dan", "room"):
        with suppress(SettingError):
            settings.parse(ValueSettings, {key: text})


def _every_log() -> list[bytes]:
    """The hands in every format, and what a client heard and recorded of them."""
    logs = [seed for write in (mjlog.write, tenhou6.write, mjai.write) for seed in _logs(write)()]
    return logs + _captures() + records(_short())


TARGETS: Final[dict[str, Target]] = {
    "frame-json": Target(_parse(Sender.SERVER), (RemoteProtocolError,), _single(format_message), 200),
    "frame-tags": Target(_parse(Sender.SERVER), (RemoteProtocolError,), _single(format_tag), 200),
    "frame-client": Target(_parse(Sender.CLIENT), (RemoteProtocolError,), _single(format_message), 150),
    "session": Target(_session, (), lambda: ["\n".join(frames).encode() for frames in _frames(format_message)], 25),
    "session-order": Target(_any_order, (), lambda: orders(_pool(), _short()), 50),
    "record": Target(_record, (LogError, RemoteProtocolError), lambda: records(_short()), 50),
    "record-again": Target(_record_again, (LogError,), lambda: records(_short()), 20),
    "capture": Target(_capture, (LogError, RemoteProtocolError), _captures, 50),
    "mjlog": Target(mjlog.read, (LogError,), _logs(mjlog.write), 70),
    "tenhou6": Target(tenhou6.read, (LogError,), _logs(tenhou6.write), 80),
    "mjai": Target(mjai.read, (LogError,), _logs(mjai.write), 60),
    "mjai-program": Target(_mjai_program, (InputError,), _spoken, 25),
    "verify": Target(commands.on_file(commands.verify), (LogError,), _every_log, 20),
    "replay": Target(commands.on_file(commands.replay), (LogError,), _every_log, 10),
    "audit": Target(commands.on_file(commands.audit), (LogError,), _every_log, 5),
    "export": Target(commands.on_file(commands.export), (LogError,), _every_log, 15),
    "lobby": Target(besieged.take_frames, (), besieged.conversations, 5),
    "config": Target(_configuration, (InputError,), lambda: [(ROOT / "config.example.toml").read_bytes()], 40),
    "setting": Target(_setting, (), lambda: [b"8000", b"30.5", b"true", b"phoenix", b"none"], 50),
    "list": Target(_list, (), _lists, 10),
    "archive": Target(_archive, (), _archives, 15),
    "weights": Target(_weights, (), lambda: [table_bytes("engine.papers.neat", "dora-value.npz")], 10),
    "format": Target(detect_format, (), lambda: _logs(mjlog.write)() + _logs(tenhou6.write)() + _captures(), 50),
    "tiles": Target(_tiles, (ValueError,), lambda: [b"123m406p77z", b"19m19p19s1234567z"], 50),
}
"""Every entrance for text from outside."""
