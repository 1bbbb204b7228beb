"""The configuration: defaults written once, unknown keys refused, a live host asked for twice."""

import os
import threading
import tomllib
from pathlib import Path

import pytest

from bot import config
from bot.config import Config
from bot.logs import sources
from bot.machine.errors import InputError
from engine.opponents.registry import ESTIMATORS
from engine.policy.registry import POLICIES
from engine.search.registry import EVALUATORS
from engine.settings import fields_of

EXAMPLE = Path(__file__).parents[2] / "config.example.toml"
LIVE = '[server]\nurl = "wss://b-ww.mjv.jp/"\n'


def test_the_example_is_the_defaults():
    assert config.load(EXAMPLE) == Config()


def test_the_example_names_and_explains_every_key():
    text = EXAMPLE.read_text(encoding="utf-8")
    assert {section: list(content) for section, content in tomllib.loads(text).items()} == config.keys()
    lines = text.splitlines()
    for number, line in enumerate(lines):
        if "=" in line and not line.startswith("#"):
            comment = lines[number - 1]
            assert comment.startswith("# "), f"{line} has no comment above it"
            assert comment.endswith("."), f"{comment} says no unit or range"


@pytest.mark.parametrize("name", [*POLICIES, *EVALUATORS, *ESTIMATORS])
def test_the_example_names_every_policy_evaluator_and_estimator(name):
    assert f'"{name}"' in EXAMPLE.read_text(encoding="utf-8"), f"config.example.toml does not name {name!r}"


def test_every_number_has_a_highest_value():
    for section, field in Config.model_fields.items():
        for name, number in type(field.default).model_fields.items():
            if number.annotation in {int, float} and (section, name) != ("game", "lobby"):
                assert any(hasattr(rule, "le") or hasattr(rule, "lt") for rule in number.metadata), f"{section}.{name}"
    for registry in (POLICIES, EVALUATORS):
        for name, row in registry.items():
            for key, setting in fields_of(row.settings).items():
                if setting.kind in {int, float}:
                    assert any(getattr(rule, "high", None) is not None for rule in setting.rules), f"{name}:{key}"


@pytest.mark.parametrize(
    ("text", "place", "says"),
    [
        ('[polcy]\nname = "simple"', "line 1: polcy", "did you mean 'policy'"),
        ('[policy]\n\nnmae = "simple"', "line 3: policy.nmae", "did you mean 'name'"),
        (
            '[policy]\nname = "mortal"',
            "line 2: policy.name",
            "there are: che, dag, flow,",
        ),
        ("top = 1", "line 1: top", "unknown section"),
        ('policy = "simple"', "line 1: policy", "write [policy]"),
        ('game.length = "long"', "line 1: game.length", "'hanchan' or 'tonpu'"),
        ("[game]\nlobby = 12", "line 2: game.lobby", "0 (public) or 1000 to 7999"),
        ("[lobby]\nport = 99999", "line 2: lobby.port", "65535"),
        ('[lobby]\nseats = ["simple"]', "line 2: lobby.seats", "too short"),
        (
            '[lobby]\nseats = ["simple", "x", "simple"]',
            "line 2: lobby.seats",
            "there are: che, dag, flow,",
        ),
        ("[clock]\nmargin = -1", "line 2: clock.margin", "greater than or equal to 0"),
        ('[server]\nurl = "http://127.0.0.1/"', "line 2: server.url", "websocket address"),
        ('[server]\nurl = "ws://[::1"', "line 2: server.url", "websocket address"),
        ("[server]\nurl =", "not TOML", "Invalid value"),
        ('[clock]\nmargin = "0.5"', "line 2: clock.margin", "'0.5' is not allowed; it must be a valid number"),
        ("[policy]\nseed = true", "line 2: policy.seed", "True is not allowed; it must be a valid integer"),
        ("[game]\nfast = 1", "line 2: game.fast", "it must be a valid boolean"),
        ('[policy]\nnoise = "30"', "line 2: policy.noise", "'30' is not allowed; it must be a number"),
        ("[policy]\ndan = 21", "line 2: policy.dan", "21 is not allowed; it must be from 0 to 20"),
        (
            '[policy]\ndanger = "nose"',
            "line 2: policy.danger",
            "no danger estimator is named 'nose'; there are: model, mj1, suji, waits",
        ),
        ('[policy]\nevaluator = "oracle"', "line 2: policy.evaluator", "no evaluator is named 'oracle'"),
        ('[policy]\nname = "value:nodes=no"', "line 2: policy.name", "nodes: 'no' is not allowed"),
        ('[policy]\nname = "simple"\nmagin = 1', "line 3: policy.magin", "there are: name, seed, utility"),
        ("[game]\nlobby = " + "[" * 2_000 + "]" * 2_000, "line 2", "has more than 1,024 characters"),
        ("[game]\nlobby = " + "[\n" * 2_000 + "]\n" * 2_000, "line 102", "nested too deeply"),
        ("game.lobby" + ".a" * 500 + " = 1", "game.lobby", "{'a': {'a': "),
        ("[policy]\nseed = " + "9" * 5_000, "line 2", "has more than 1,024 characters"),
        ("[policy]\nseed = " + "9" * 1_000, "line 2: policy.seed", "99 … is not allowed; it must be less than"),
        ("[policy]\nseed = 0x" + "f" * 1_000, "line 2: policy.seed", " … is not allowed; it must be less than"),
        ("[clock]\nmargin = 0x" + "f" * 1_000, "line 2: clock.margin", " … is not allowed; it must be a valid"),
        ("[policy]\nnoise = 0x" + "f" * 1_000, "line 2: policy.noise", " … is not allowed; it must be a number"),
        ("[policy]\nnodes = 10000001", "line 2: policy.nodes", "it must be from 1 to 10000000"),
        (
            "[policy]\nlearned_course = 1e308",
            "line 2: policy.learned_course",
            "1e+308 is not allowed; it must be from 0.0 to 100.0",
        ),
        ("[lobby]\nopenings = 1e-300", "line 2: lobby.openings", "greater than or equal to 1"),
        ("[lobby]\nlogin = 1e-9", "line 2: lobby.login", "greater than or equal to 1"),
        (
            '[server]\n# where\nurl = "wss://b-ww.mjv.jp/"\n[game]\nagainst = "com"',
            "line 3: server.allow_host",
            "set allow_host = 'b-ww.mjv.jp'",
        ),
        ("[lobby]\nidle = 1e-9", "line 2: lobby.idle", "greater than or equal to 1"),
        ('[account]\nid_file = "~nosuchuser/x"', "line 2: account.id_file", "no home folder of such a user"),
        ('[record]\nfolder = "~nosuchuser/x"', "line 2: record.folder", "no home folder of such a user"),
        ('[log]\nfile = "~nosuchuser/x"', "line 2: log.file", "no home folder of such a user"),
    ],
)
def test_a_fault_is_reported_with_file_line_key_and_what_is_allowed(text, place, says):
    with pytest.raises(InputError) as caught:
        config.parse(text, "my.toml")
    message = str(caught.value)
    assert message.startswith("my.toml")
    assert place in message
    assert says in message
    assert "\n" not in message


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("[policy]\nname = 'simple'\nworlds = 0", [", line 3: passed over: worlds"]),
        ("policy.riichi_course = 'counted'", [", line 1: passed over: riichi_course"]),
        ("policy = { calibrated = true }", [": passed over: calibrated"]),
        (
            "[policy]\nprior_riichi = 0.0\nprior_calls = 'anything'",
            [", line 2: passed over: prior_riichi", ", line 3: passed over: prior_calls"],
        ),
    ],
)
def test_a_key_of_an_earlier_version_is_named_and_has_no_effect(text, named, tmp_path, capsys):
    file = tmp_path / "old.toml"
    file.write_text(text, encoding="utf-8")
    assert config.changes(config.load(file)) == (["policy.name"] if "simple" in text else [])
    lines = capsys.readouterr().err.splitlines()
    end = " no longer exists: no measurement rewarded it; leave it out."
    assert lines == [f"oshihiki: {file}{name}{end}" for name in named]


@pytest.mark.parametrize(
    "text", ["[policy]\nworldz = 0", "[game]\nworlds = 0", "worlds = 0", "[policy]\nworlds = 0\nnodez = 1"]
)
def test_a_key_that_never_existed_there_is_refused(text):
    with pytest.raises(InputError, match=r"there is no such setting|unknown (key|section)"):
        config.parse(text)


def test_a_file_that_cannot_be_read_is_reported(tmp_path):
    with pytest.raises(InputError, match=r"nowhere\.toml: cannot be read: No such file"):
        config.load(tmp_path / "nowhere.toml")
    (tmp_path / "bytes.toml").write_bytes(b"\xff\xfe")
    with pytest.raises(InputError, match="not UTF-8"):
        config.load(tmp_path / "bytes.toml")
    (tmp_path / "large.toml").write_bytes(b"# \n" * 60_000)
    with pytest.raises(InputError, match=r"large\.toml: has more than 131,072 bytes"):
        config.load(tmp_path / "large.toml")
    with pytest.raises(InputError, match="cannot be read: Is a directory"):
        config.load(tmp_path)
    for device in ("/dev/zero", "/dev/null"):
        with pytest.raises(InputError, match="is not a regular file"):
            config.load(Path(device))


def test_a_byte_order_mark_is_passed_over(tmp_path):
    (tmp_path / "windows.toml").write_bytes(b"\xef\xbb\xbf[game]\r\nfast = true\r\n")
    assert config.load(tmp_path / "windows.toml").game.fast


def test_a_pipe_may_hold_the_configuration(tmp_path, monkeypatch):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    monkeypatch.setattr(sources, "PATIENCE", 0.05)
    with pytest.raises(InputError, match="nothing was written into this pipe"):
        config.load(pipe)
    monkeypatch.setattr(sources, "PATIENCE", 60.0)
    writer = threading.Thread(target=pipe.write_text, args=("[game]\nfast = true\n",))
    writer.start()
    assert config.load(pipe).game.fast
    writer.join()


def test_another_host_must_be_named_twice():
    with pytest.raises(InputError, match=r"server\.allow_host: b-ww\.mjv\.jp is not this machine"):
        config.parse(LIVE)
    with pytest.raises(InputError, match=r"server\.allow_host"):
        config.parse(LIVE + 'allow_host = "mjv.jp"\n')
    assert config.parse(LIVE + 'allow_host = "b-ww.mjv.jp"\n').server.host == "b-ww.mjv.jp"


def test_ranked_tables_need_a_statement_of_their_own():
    ranked = LIVE + 'allow_host = "b-ww.mjv.jp"\n'
    people = '[game]\nagainst = "people"\n'
    with pytest.raises(InputError, match=r"server\.ranked_permission"):
        config.parse(ranked + people)
    assert config.parse(ranked + people + "lobby = 1717").game.lobby == 1717
    allowed = config.parse(ranked + 'ranked_permission = "the operator, 2026-01-05"\n' + people)
    assert allowed.server.ranked_permission


def test_an_override_is_checked_like_a_file():
    changed = config.override(Config(), {"game.fast": True, "policy.seed": 7, "policy.name": None})
    assert (changed.game.fast, changed.policy.seed, changed.policy.name) == (True, 7, "value")
    with pytest.raises(InputError, match=r"command line: policy\.name: no policy is named 'x'; there are: che"):
        config.override(Config(), {"policy.name": "x"})


def test_a_setting_of_another_policy_is_without_effect_but_checked():
    simple = config.parse('[policy]\nname = "simple"\ndan = 11\n').policy
    assert simple.settings == {"dan": 11}
    assert config.override(config.Config(policy=simple), {"policy.name": "value"}).policy.settings == {"dan": 11}


def test_a_default_is_that_of_the_policy_that_plays():
    """40 000 nodes are what ``value`` searches by default: naming another policy brings that one's own default."""
    written = config.parse("[policy]\nnodes = 40000\nnoise = 10\n")
    assert written.policy.settings == {"noise": 10.0}
    assert config.override(written, {"policy.name": "dag"}).policy.settings == {"noise": 10.0}
    assert config.parse('[policy]\nname = "dag"\nnodes = 40000\n').policy.settings == {"nodes": 40_000}


def test_a_policy_of_ones_own_has_settings_of_its_own(monkeypatch):
    monkeypatch.syspath_prepend(str(EXAMPLE.parent / "docs" / "examples"))
    policy = config.parse('[policy]\nname = "cautious:Cautious"\nafraid_from = 0.05\n').policy
    assert policy.settings == {"afraid_from": 0.05}
    with pytest.raises(InputError, match=r"line 3: policy\.afraid_from: 'never' is not allowed; it must be a number"):
        config.parse('[policy]\nname = "cautious:Cautious"\nafraid_from = "never"\n')
