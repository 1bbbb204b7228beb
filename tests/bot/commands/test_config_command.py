"""``oshihiki config``, the place of the configuration, and rates in ``stats``."""

from __future__ import annotations

import json

import pytest

from bot import config
from bot.commands.stats import stats
from bot.machine.files import config_file
from engine.model.seats import SEATS
from tests.bot.commands.program import asking


@pytest.fixture
def oshihiki(monkeypatch, capsys, tmp_path):
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "home"))
    return asking(monkeypatch, capsys)


def test_it_is_found_checked_and_shown(oshihiki):
    shown = oshihiki("config", "check")
    assert shown.startswith(f"# the defaults, since there is no {config_file()}\n")
    assert config.parse(shown) == config.Config()
    config_file().parent.mkdir(parents=True)
    config_file().write_text('[game]\nfast = true\n[policy]\nname = "flow"\n')
    shown = oshihiki("config", "check")
    assert shown.startswith(f"# {config_file()}: can be used\n")
    assert "fast = true  # not the default" in shown
    assert config.parse(shown) == config.load(None)
    assert json.loads(oshihiki("config", "check", "--json"))["changed"] == ["game.fast", "policy.name"]
    config_file().write_text("[game]\nfast = 3\n")
    assert f"{config_file()}, line 2: game.fast: 3 is not allowed" in oshihiki("config", "check", code=2)


def test_a_file_that_is_named_comes_first(oshihiki, tmp_path):
    config_file().parent.mkdir(parents=True)
    config_file().write_text('[policy]\nname = "flow"\n')
    other = tmp_path / "my.toml"
    other.write_text('[policy]\nname = "simple"\n')
    assert 'name = "simple"' in oshihiki("config", "check", other)
    assert "cannot be read" in oshihiki("config", "check", tmp_path / "nowhere.toml", code=2)


def test_a_check_shows_every_fault_with_its_line(oshihiki, tmp_path):
    file = tmp_path / "my.toml"
    file.write_text('[game]\nlobby = 5\nlenght = "tonpu"\n\n[policy]\nname = "vale"\n\n[clock]\nmargin = -1\n')
    said = oshihiki("config", "check", file, code=2).splitlines()
    places = ["line 2: game.lobby: 5", "line 3: game.lenght: unknown", "line 6: policy.name: ", "line 9: clock.margin"]
    assert len(said) == len(places)
    for line, place in zip(said, places, strict=True):
        assert line.startswith(f"oshihiki: {file}, {place}")
    assert "did you mean 'length'?" in said[1]
    assert "did you mean 'value'?" in said[2]
    assert "(and 3 more; `oshihiki config check` lists them)" in oshihiki("play", "-c", file, code=2)


def test_of_very_many_faults_a_check_lists_the_first(oshihiki, tmp_path):
    file = tmp_path / "my.toml"
    file.write_text("[game]\n" + "".join(f"key{number} = 1\n" for number in range(1_250)))
    said = oshihiki("config", "check", file, code=2).splitlines()
    assert len(said) == 100
    assert "line 101: game.key99: unknown" in said[-1]
    assert said[-1].endswith("; and 1,150 more")
    assert "(and 1,249 more; " in oshihiki("play", "-c", file, code=2)


def test_the_place_is_named_in_the_help(oshihiki, monkeypatch):
    monkeypatch.setenv("COLUMNS", "200")
    for name in ("play", "audit", "lobby", "mjai", "replay", "stats"):
        said = " ".join(oshihiki(name, "--help").split())
        assert "-c, --config" in said
        assert "config.toml, if there is one" in said


def test_rates_are_counted_from_the_records(oshihiki, tmp_path, capsys):
    oshihiki("play", "--tonpu", "--seed", 4, "--policy", "tsumogiri", "--record", tmp_path, "--json")
    stats(folder=tmp_path, days=14, rates=True, json=True)
    rates = json.loads(capsys.readouterr().out)["rates"]
    assert (rates["games"], rates["unfinished"]) == (1, 0)
    assert rates["hands"] >= len(SEATS)
    assert (rates["riichi"], rates["call"]) == (0.0, 0.0)
    stats(folder=tmp_path, days=14, rates=True)
    out = capsys.readouterr().out
    assert "deal-in" in out
    assert "not finished" not in out
    (record,) = tmp_path.glob("*.jsonl")
    whole = record.read_text(encoding="utf-8").splitlines(keepends=True)
    end = next(number for number, line in enumerate(whole) if "owari" in line)
    (tmp_path / "broken-off.jsonl").write_text("".join(whole[:end]).replace("gm-", "gm-1"), encoding="utf-8")
    stats(folder=tmp_path, days=14, rates=True, json=True)
    rates = json.loads(capsys.readouterr().out)["rates"]
    assert (rates["games"], rates["unfinished"]) == (1, 1)
    stats(folder=tmp_path, days=14, rates=True)
    assert "games not finished" in capsys.readouterr().out


def test_the_days_fit_into_eighty_columns(oshihiki, tmp_path, capsys, monkeypatch):
    oshihiki("play", "--tonpu", "--seed", 4, "--policy", "tsumogiri", "--record", tmp_path, "--json")
    monkeypatch.setenv("COLUMNS", "80")
    stats(folder=tmp_path, days=14)
    out = capsys.readouterr().out
    assert "…" not in out
    assert max(map(len, out.splitlines())) <= 80
