"""Log lines: two forms, no secrets, no terminal codes."""

import io
import json

import pytest
import structlog

from bot.machine import logs
from bot.machine.text import SECRETS, brief, clean
from protocol.tenhou.redaction import HIDDEN

KEY = "ID1234ABCD-9f8e7d6c"


@pytest.fixture(autouse=True)
def _fresh():
    yield
    SECRETS.clear()
    structlog.reset_defaults()
    structlog.contextvars.clear_contextvars()


def written(form="json", level="info", **fields):
    stream = io.StringIO()
    logs.set_up(level, form, stream=stream)
    structlog.get_logger().info("decision", **fields)
    return stream.getvalue()


def test_json_lines_are_json():
    line = json.loads(written(seat=2, ms=1.5, reasons=["a", "b"]))
    assert line["event"] == "decision"
    assert line["level"] == "info"
    assert (line["seat"], line["ms"], line["reasons"]) == (2, 1.5, ["a", "b"])
    assert line["timestamp"].endswith("Z")


def test_the_level_holds_back():
    assert written(level="warning") == ""


@pytest.mark.parametrize("form", ["console", "json"])
@pytest.mark.parametrize(
    "fields",
    [
        {"name": KEY},
        {"raw": f'{{"tag":"HELO","name":"{KEY}"}}'},
        {"raw": '<HELO name="ID1234ABCD%2D9f8e7d6c"/>'},
        {"nested": {"a": [KEY, {KEY: 1}]}},
        {"error": ValueError(f"bad {KEY}")},
    ],
)
def test_account_keys_never_leave(form, fields):
    text = written(form, **fields)
    assert "1234ABCD" not in text
    assert "9f8e7d6c" not in text
    assert HIDDEN in text


def test_a_secret_of_another_shape_never_leaves():
    SECRETS.add(["hunter2"])
    text = written(name="hunter2", list=["a hunter2 b"])
    assert "hunter2" not in text


def test_a_traceback_is_scrubbed_too():
    stream = io.StringIO()
    SECRETS.add(["hunter2"])
    logs.set_up("info", "json", stream=stream)
    try:
        int("hunter2")
    except ValueError:
        structlog.get_logger().exception("failed")
    assert "hunter2" not in stream.getvalue()
    assert "Traceback" in stream.getvalue()


@pytest.mark.parametrize("form", ["console", "json"])
def test_names_cannot_steer_the_terminal(form):
    text = written(form, name="\x1b[2J\x9bevil\u202e\r\n\x07name")
    assert "[2Jevilname" in text
    for code in ("\x1b", "\x9b", "\u202e", "\r", "\x07"):
        assert code not in text
        assert code.encode("unicode_escape").decode() not in text


def test_a_file_is_appended_to(tmp_path):
    file = tmp_path / "deep" / "log.jsonl"
    for _ in range(2):
        close = logs.set_up("info", "json", file)
        structlog.get_logger().info("line")
        close()
    assert len(file.read_text().splitlines()) == 2


def test_clean_keeps_every_script():
    assert clean("ⓝ東風荘の人 Жо é 🀄") == "ⓝ東風荘の人 Жо é 🀄"
    assert clean("a\tb\x00c\x7fd\u200be") == "abcde"


def test_brief_cuts():
    assert brief("x" * 500, 10) == "x" * 9 + "…"
    assert brief("short", 10) == "short"


@pytest.mark.parametrize(("keep", "left"), [(2, ["log", "log.1", "log.2"]), (0, ["log"])])
def test_a_log_that_has_grown_is_put_aside(tmp_path, keep, left):
    file = logs.RotatingFile(tmp_path / "log", 100, keep)
    for number in range(40):
        file.write(f"line {number:04}\n")
    file.close()
    assert sorted(path.name for path in tmp_path.iterdir()) == left
    kept = "".join((tmp_path / name).read_text() for name in reversed(left))
    lines = kept.splitlines()
    assert lines == [f"line {number:04}" for number in range(40 - len(lines), 40)]
    assert (tmp_path / "log").stat().st_size <= 110
