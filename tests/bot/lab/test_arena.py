"""``oshihiki arena``: its figures, its players, and what it refuses."""

import json

import pytest
from typer.testing import CliRunner

from bot import cli
from bot.machine import bars
from bot.machine.errors import InputError
from protocol.logs.formats import LogFile, read_log

run = CliRunner()


def arena(*arguments):
    return run.invoke(cli.app, ["arena", *arguments, "--tonpu", "--jobs", "1"])


def test_the_figures_of_two_sides(tmp_path):
    done = arena("simple", "tsumogiri", "--games", "5", "--seed", "3", "--logs", str(tmp_path / "games"), "--json")
    assert done.exit_code == 0, done.output
    report = json.loads(done.stdout)
    assert (report["games"], report["deals"], report["rules"]) == (8, 2, "tonpu")
    first, others = report["sides"]
    assert (first["player"], first["seats"], others["player"], others["seats"]) == ("simple", 1, "tsumogiri", 3)
    assert first["places"] == [8, 0, 0, 0]
    assert first["rank"] == {"mean": 1.0, "within": 0.0}
    assert sum(others["places"]) == 24
    assert first["hand"]["net"]["mean"] == pytest.approx(-3 * others["hand"]["net"]["mean"], abs=1.0)
    assert first["hand"]["net"]["within"] > 0
    assert first["hand"]["win"]["mean"] > others["hand"]["win"]["mean"] == 0.0
    assert sum(first["wins"].values()) == sum(others["deal_ins"].values()) + round(
        first["hand"]["tsumo"]["mean"] * report["hands"]
    )
    assert first["illegal"] == first["failed"] == 0
    assert first["decision_ms"]["p50"] > 0
    logs = sorted((tmp_path / "games").iterdir())
    assert [path.name for path in logs] == [f"{seed}-{game}.xml" for seed in (3, 4) for game in range(4)]
    assert read_log(LogFile(logs[0].name, "mjlog", logs[0].read_bytes())).events


def test_a_table_for_people():
    done = arena("simple", "--games", "4")
    assert done.exit_code == 0, done.output
    assert "4 tonpu games (1 deal, every player once in each seat)" in done.stdout
    assert "one deal gives no intervals" in done.stdout
    assert "2.500" in done.stdout
    assert "4 x simple" in done.stdout


def test_without_a_terminal_a_line_says_how_far_it_is(monkeypatch):
    monkeypatch.setattr(bars, "EVERY", 0.0)
    assert "4 of 4 games" in arena("simple", "--games", "4").stderr


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["simple", "simple", "simple"], "3 players"),
        (["value:noise=1,speed=3"], "speed: there is no such setting; there are: utility, dan, "),
        (["simple", "--logs", __file__], "--logs"),
    ],
)
def test_bad_input(arguments, said):
    done = arena(*arguments)
    assert isinstance(done.exception, InputError)
    assert said in str(done.exception)


def test_a_player_that_fails_is_counted():
    done = arena("mjai:true", "tsumogiri", "--games", "4", "--json")
    assert done.exit_code == 1
    assert json.loads(done.stdout)["sides"][0]["failed"] > 0


def test_a_match_that_continues(tmp_path):
    journal = str(tmp_path / "a.journal")
    first = json.loads(arena("simple", "tsumogiri", "--games", "4", "--journal", journal, "--json").stdout)
    again = json.loads(arena("simple", "tsumogiri", "--games", "4", "--journal", journal, "--json").stdout)
    assert {**first, "seconds": 0} == {**again, "seconds": 0}
    refused = arena("simple", "tsumogiri", "--games", "4", "--journal", journal, "--nodes", "5")
    assert "belongs to another match" in str(refused.exception)
    compared = json.loads(arena("--compare", journal, journal, "--json").stdout)
    assert (compared["deals"], compared["rank"]["mean"], compared["players"]) == (1, 0.0, ["simple", "simple"])


def test_places_and_points_without_luck(tmp_path):
    plain, luckless = str(tmp_path / "plain.journal"), str(tmp_path / "luckless.journal")
    played = ("simple", "tsumogiri", "--games", "24")
    report = json.loads(arena(*played, "--without-luck", "--journal", luckless, "--json").stdout)
    first, others = report["sides"]
    net, rank = (first["without_luck"][name] for name in ("net_without_luck", "rank_without_luck"))
    assert net["mean"] == pytest.approx(-3 * others["without_luck"]["net_without_luck"]["mean"], rel=0.04)
    assert abs(net["mean"] - first["hand"]["net"]["mean"]) < net["within"] + first["hand"]["net"]["within"]
    assert abs(rank["mean"] - 1.0) < 3 * rank["within"]
    assert report["differences"][0]["net_without_luck"]["mean"] == pytest.approx(4 / 3 * net["mean"], rel=0.04)
    again = json.loads(arena(*played, "--without-luck", "--journal", luckless, "--json").stdout)
    assert {**report, "seconds": 0} == {**again, "seconds": 0}
    assert "belongs to another match" in str(arena(*played, "--journal", luckless).exception)
    assert "without_luck" not in json.loads(arena(*played, "--journal", plain, "--json").stdout)["sides"][0]
    assert "net_without_luck" not in json.loads(arena("--compare", luckless, plain, "--json").stdout)
    assert "net_without_luck" in json.loads(arena("--compare", luckless, luckless, "--json").stdout)
    shown = arena(*played, "--without-luck", "--journal", luckless).stdout
    assert "points per hand without luck" in shown
    assert "place without luck" in shown


def test_a_test_is_reported():
    done = arena("simple", "tsumogiri", "--games", "4", "--until-certain", "0.05", "--json")
    test = json.loads(done.stdout)["test"]
    assert (test["error"], test["certain"]) == (0.05, False)
    assert test["differences"] == [{"player": "tsumogiri", "rank": {"mean": -2.0, "within": None}}]
    shown = arena("simple", "tsumogiri", "--games", "4", "--until-certain", "0.05").stdout
    assert "not certain at a probability of error of 0.05" in shown


def test_the_same_seed_gives_the_same_figures_whatever_the_jobs():
    def figures(*more):
        report = json.loads(
            run.invoke(cli.app, ["arena", "simple", "tsumogiri", "--tonpu", "--games", "12", "--json", *more]).stdout
        )
        del report["seconds"]
        for side in report["sides"]:
            del side["decision_ms"]
        return report

    assert figures("--jobs", "1") == figures("--jobs", "2") != figures("--jobs", "2", "--seed", "3")


def test_an_experiment_of_a_paper(tmp_path):
    done = arena("--paper", "che5", "--only", "CHE", "--games", "4", "--journal", str(tmp_path))
    assert done.exit_code == 0, done.output
    text = done.stdout
    assert "# CHE, table 5" in text
    assert "(paper: 45.4)" in text
    assert "| CHE | 4 | all 4 games |" in text
    assert "| CHE+calls | 0 | not played yet |" in text
    assert "no red fives, no ura dora, no ippatsu" in text
    again = arena("--paper", "che5", "--report", "--journal", str(tmp_path))
    assert "| CHE | 4 | **not complete**: 4 of 400 games, too few to show |" in again.stdout
    assert "there is no journal" in str(arena("--paper", "che5", "--report").exception)
    assert "CHE+calls" in str(arena("--paper", "che5", "--only", "CHI").exception)
    assert "there are che5" in str(arena("--paper", "che7").exception)
