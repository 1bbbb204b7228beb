"""Where account keys come from, and that they go nowhere else."""

from __future__ import annotations

import asyncio
import hashlib
import json
import os
import sys
import traceback
from pathlib import Path

import pytest

from bot import cli
from bot.config import Config, LobbySettings, build, parse
from bot.deciding.person import Person
from bot.lobby import LobbyConfig, LobbyServer
from bot.machine.errors import InputError
from bot.machine.text import SECRETS, clean, hide
from bot.play import wiring
from bot.play.accounts import ID_VARIABLE, read_accounts
from bot.play.conversation import Conversation
from bot.play.season import Season
from bot.play.tally import Tally
from protocol.tenhou.redaction import redact
from tests.faults.plan import FaultKind, FaultPlan, FaultRule
from tests.faults.proxy import FaultProxy

KEY = "ID0A1B2C3D-4e5f6a7b"
OTHER = "ID1111BBBB-11111111"
PARTS = ("0A1B2C3D", "4e5f6a7b")
LIVE = '[server]\nurl = "wss://b-ww.mjv.jp/"\nallow_host = "b-ww.mjv.jp"\nranked_permission = "the operator, 2026"\n'


@pytest.fixture(autouse=True)
def _no_key(monkeypatch):
    monkeypatch.delenv(ID_VARIABLE, raising=False)
    yield
    SECRETS.clear()


def given(config):
    return [(account.key.get_secret_value(), account.label) for account in read_accounts(config)]


def named(key):
    """The label of an account that was given none: the same wherever its key stands."""
    return f"account {hashlib.sha256(key.encode()).hexdigest()[:4]}"


def with_file(tmp_path, text, more=""):
    file = tmp_path / "id"
    file.write_text(text)
    return parse(f'{more}[account]\nid_file = "{file}"')


def test_a_guest_without_one():
    assert given(Config()) == [("NoName", "guest")]


def test_the_environment_comes_first(monkeypatch, tmp_path):
    config = with_file(tmp_path, f"{OTHER}\n")
    assert given(config) == [(OTHER, named(OTHER))]
    monkeypatch.setenv(ID_VARIABLE, f"{KEY}, {OTHER} second")
    assert given(config) == [(KEY, named(KEY)), (OTHER, "second")]
    assert not any(part in repr(read_accounts(config)) + repr(config) for part in PARTS)


def test_a_file_has_an_account_a_line(tmp_path):
    config = with_file(tmp_path, f"# mine\n{KEY} Anna the first\n\n{OTHER}\nNoName\n")
    assert given(config) == [(KEY, "Anna the first"), (OTHER, named(OTHER)), ("NoName", "guest")]
    assert not any(part in hide(f"{KEY} {OTHER} {' '.join(PARTS)}") for part in PARTS)


@pytest.mark.parametrize(
    ("text", "more", "expected"),
    [
        ("\n# nothing\n", "", "the file is empty"),
        ("hunter2\n", LIVE, "number 1 is not a key of the form"),
        (f"{KEY} {KEY}\n", "", "the label of number 1 reveals its key"),
        (f"{KEY} a\n{OTHER} a\n", "", "'a' appears twice"),
        (f"{KEY} a\n{OTHER}\n{KEY} b\n", "", "numbers 1 and 3 are the same key"),
        ("hunter2" * 10 + "\n", "", "number 1 is not a key of the form"),
        ("hunter2" * 10_000, "", "has more than 16,384 bytes"),
        (f"{KEY}\n{OTHER}\n", LIVE + '[game]\nagainst = "people"\n', "2 accounts at ranked tables"),
    ],
)
def test_a_refused_account_says_why_and_not_the_key(tmp_path, text, more, expected):
    with pytest.raises(InputError, match=expected) as caught:
        read_accounts(with_file(tmp_path, text, more))
    assert "hunter2" not in str(caught.value)
    assert not any(part in str(caught.value) for part in PARTS)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (",,,", "number 1 is empty"),
        (f"{KEY},,{OTHER}", "number 2 is empty"),
        (f"{KEY}, ", "number 2 is empty"),
        (f"{KEY},{KEY} second", "numbers 1 and 2 are the same key"),
        ("hunter2" * 10_000, "number 1 is not a key of the form"),
    ],
)
def test_a_bad_key_in_the_environment_is_refused(monkeypatch, text, expected):
    monkeypatch.setenv(ID_VARIABLE, text)
    with pytest.raises(InputError, match=f"^OSHIHIKI_ID: {expected}") as caught:
        read_accounts(Config())
    assert len(str(caught.value)) < 200
    assert not any(part in str(caught.value) for part in ("hunter2", *PARTS))


def test_only_a_file_holds_keys(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path / "pipe", "/dev/zero", "/dev/null"):
        with pytest.raises(InputError, match=r"account\.id_file: .*: is not a regular file"):
            read_accounts(parse(f'[account]\nid_file = "{path}"'))
    with pytest.raises(InputError, match="Is a directory"):
        read_accounts(parse(f'[account]\nid_file = "{tmp_path}"'))


@pytest.mark.parametrize(("mode", "warns"), [(0o600, False), (0o644, False), (0o620, True), (0o602, True)])
def test_a_key_file_that_others_may_write_is_a_warning(tmp_path, capsys, mode, warns):
    config = with_file(tmp_path, f"{KEY}\n")
    (tmp_path / "id").chmod(mode)
    assert given(config) == [(KEY, named(KEY))]
    out, err = capsys.readouterr()
    assert out == ""
    assert ("others may write this file; chmod 600 it" in err) is warns


def test_several_accounts_may_meet_in_a_private_lobby(tmp_path):
    people = '[game]\nagainst = "people"\nlobby = 1717\n'
    assert len(given(with_file(tmp_path, f"{KEY}\n{OTHER}\n", LIVE + people))) == 2


def test_a_file_that_is_not_there():
    with pytest.raises(InputError, match=r"account\.id_file: .*cannot be read"):
        read_accounts(parse('[account]\nid_file = "/nowhere/id"'))


# -- and nowhere else ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        '{"tag":"GO","type":"9","gpid":"27366D0D-75200A39"}',
        '<GO type="9" lobby="0" gpid="27366D0D-75200A39"/>',
        r"frame='{\"tag\":\"HELO\",\"gpid\":\"27366D0D-75200A39\"}'",
    ],
)
def test_the_secret_by_which_a_guest_comes_back_is_hidden(text):
    assert "27366D0D" not in redact(text)
    assert "75200A39" not in redact(text)
    assert "gpid" in redact(text)


async def test_no_secret_in_any_log_record_or_statistics(tmp_path, monkeypatch, capfd):
    """A whole game at debug level, connections lost on the way."""
    monkeypatch.setenv(ID_VARIABLE, f"{KEY} mine")
    faults = FaultPlan(fault=(FaultRule(kind=FaultKind.DROP, every=40), FaultRule(kind=FaultKind.MALFORMED, every=55)))
    settings = LobbySettings(port=0, action=20.0, bank=0.0)
    async with (
        LobbyServer(LobbyConfig(settings, people=1, folder=tmp_path / "logs")).serve() as lobby,
        FaultProxy(lobby.url, faults).serve() as proxy,
    ):
        config = build(
            {
                "server": {"url": proxy.url},
                "game": {"against": "people", "length": "tonpu"},
                "record": {"folder": str(tmp_path / "records")},
                "log": {"level": "debug", "format": "json", "file": str(tmp_path / "play.log")},
            },
            "test",
        )
        accounts = read_accounts(config)
        close = wiring.start_logging(config)
        season = Season(config, accounts)
        async with asyncio.timeout(600):
            await season.play()
        close()
    assert season.tally.drops > 3
    files = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert {path.suffix for path in files} >= {".log", ".jsonl", ".db", ".xml", ".json"}
    out, err = capfd.readouterr()
    records = "".join(path.read_text() for path in files if path.suffix == ".jsonl")
    gpids = {json.loads(line).get("in", "") for line in records.splitlines() if '\\"GO\\"' in line}
    assert any("********" in frame for frame in gpids)
    for text in (out, err, *(path.read_bytes().decode("utf-8", "replace") for path in files)):
        assert not any(part in text for part in PARTS)
        assert not any(part.encode().hex() in text for part in PARTS)


async def test_no_secret_in_a_traceback_with_all_its_locals():
    """The frame that logs in holds the key; what is written of a crash there does not."""
    config = build({"server": {"url": "ws://127.0.0.1:9/"}}, "test")
    key = KEY  # a local that a traceback would show

    class Broken:
        async def send(self, frame):
            raise RuntimeError(f"cannot send {frame}")

    player = wiring.live_player(config, Person(), Tally())
    client = wiring.client(config, "", read_accounts(config)[0].key, player)
    client._session.login = type(client._session.login)(9, key)
    talk = Conversation(Broken(), client._session, client._player, client._watchdog, client._manner)
    with pytest.raises(RuntimeError) as caught:
        await talk.run()
    text = "".join(traceback.TracebackException.from_exception(caught.value, capture_locals=True).format())
    assert KEY in text  # what there was to hide
    scrubbed = "\n".join(map(clean, text.splitlines()))
    assert not any(part in scrubbed for part in PARTS)
    assert "frame = " in scrubbed


def test_no_secret_in_a_crash_file(monkeypatch, capsys, tmp_path):
    def crash(*_, **__):
        raise RuntimeError(f"cannot say <HELO name='{KEY}'/> to \x1b[2Jserver")

    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    monkeypatch.setattr(wiring, "start_logging", crash)
    monkeypatch.setattr(sys, "argv", ["oshihiki", "play", "--seed", "1", "--policy", "simple"])
    with pytest.raises(SystemExit) as ended:
        cli.main()
    assert ended.value.code == 1
    (file,) = Path(tmp_path).glob("oshihiki-crash-*.txt")
    for text in (file.read_text(), *capsys.readouterr()):
        assert not any(part in text for part in PARTS)
        assert "\x1b" not in text
    assert "RuntimeError" in file.read_text()
