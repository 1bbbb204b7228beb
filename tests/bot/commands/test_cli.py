"""The command line: help, exit codes, one line an error, whole games."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from bot import cli
from bot.logs.sources import open_logs
from engine.tables import WeightsError
from protocol.logs.formats import FORMATS, detect_format, read_log
from tests.bot.commands.program import oshihiki

run = CliRunner()


def test_the_list_of_commands_loads_none_of_them():
    check = (
        "import sys; from typer.testing import CliRunner; from bot.cli import app, COMMANDS\n"
        "out = CliRunner().invoke(app, ['--help']); assert out.exit_code == 0, out.output\n"
        "assert all(name in out.output for name in COMMANDS)\n"
        "heavy = {'numba', 'numpy', 'pydantic', 'websockets'} & set(sys.modules)\n"
        "assert not heavy, heavy"
    )
    subprocess.run([sys.executable, "-c", check], check=True)  # noqa: S603


def test_the_list_of_commands_has_a_panel_for_each_purpose():
    words = run.invoke(cli.app, ["--help"]).output.split()
    assert words.index("Play:") < words.index("lobby") < words.index("Logs:") < words.index("audit")
    assert words.index("audit") < words.index("Laboratory:") < words.index("arena")
    laboratory = cli.PANELS["Laboratory"]
    assert {name.partition(" ")[0] for name in laboratory} == {"arena", "bench", "train"}
    for name, row in cli.COMMANDS.items():
        assert row.target.startswith("bot.lab.") == (name in laboratory)


@pytest.mark.parametrize("setting", ["NUMBA_DISABLE_JIT=1", "NUMBA_NUM_THREADS=0"])
def test_a_variable_that_stops_numba_is_named(setting):
    name, value = setting.split("=")
    done = subprocess.run(
        [sys.executable, "-m", "bot", "verify", "game.xml"],
        env={**os.environ, name: value},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert re.fullmatch(f"oshihiki: .*{name}.*\n", done.stderr)


def test_a_command_that_is_interrupted_says_so(monkeypatch, capsys):
    def interrupt(_):
        raise KeyboardInterrupt

    monkeypatch.setattr("bot.config.load", interrupt)
    assert oshihiki(monkeypatch, capsys, "config", "check") == (130, "", "oshihiki: stopped\n")


def test_the_first_word_of_two_lists_its_second_words(monkeypatch, capsys):
    code, out, _ = oshihiki(monkeypatch, capsys, "train", "--help")
    assert code == 0
    assert "discards" in out
    code, out, error = oshihiki(monkeypatch, capsys, "train")
    assert code == 2
    assert "discards" in out + error


@pytest.mark.parametrize("name", cli.COMMANDS)
def test_every_command_explains_itself_with_examples(monkeypatch, capsys, name):
    code, out, _ = oshihiki(monkeypatch, capsys, *name.split(), "--help")
    assert code == 0
    assert f"\n    oshihiki {name}" in out, "examples, each on a line of its own"


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (
            ["play", "--policy", "mortal"],
            "no policy is named 'mortal'; there are: che, dag, flow,",
        ),
        (["play", "--config", "nowhere.toml"], "nowhere.toml: cannot be read"),
        (["bench", "shanten", "file.xml"], "unexpected extra argument(s) (file.xml)"),
        (["play", "--games", "-1"], "-1 is not in the range"),
        (["plya"], "No such command 'plya'. Did you mean 'play'"),
        (["train", "discard"], "No such command 'discard'. Did you mean 'discards'"),
    ],
)
def test_bad_input_is_one_line_and_exit_code_2(monkeypatch, capsys, arguments, says):
    code, out, err = oshihiki(monkeypatch, capsys, *arguments)
    assert code == 2
    assert out == ""
    assert says in " ".join(err.split())
    assert "Traceback" not in err


def test_damaged_weights_are_no_bug(monkeypatch, capsys):
    def load(_: str) -> None:
        raise WeightsError("perceptron.npz is missing; install oshihiki again")

    monkeypatch.setattr(cli, "load", load)
    code, _, err = oshihiki(monkeypatch, capsys, "play")
    assert (code, err) == (2, "oshihiki: perceptron.npz is missing; install oshihiki again\n")


@pytest.mark.slow
def test_a_game_is_played_from_a_folder_that_was_removed(tmp_path):
    folder = tmp_path / "gone"
    folder.mkdir()
    script = f"import os; os.chdir({str(folder)!r}); os.rmdir({str(folder)!r}); from bot.cli import main; main()"
    done = subprocess.run(  # noqa: S603
        [sys.executable, "-c", script, "play", "--policy", "simple", "--tonpu"],
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[3])},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, done.stderr


def test_a_bug_leaves_a_note_and_no_traceback(monkeypatch, capsys, tmp_path):
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", None)
    monkeypatch.setattr(cli, "load", lambda _: 1 // 0)
    code, _, err = oshihiki(monkeypatch, capsys, "play", "ID1234ABCD-9f8e7d6c")
    assert code == 1
    assert "this is a bug: ZeroDivisionError" in err
    assert "Traceback" not in err
    (note,) = tmp_path.glob("oshihiki-crash-*.txt")
    assert "ZeroDivisionError" in note.read_text()
    assert "1234ABCD" not in note.read_text()


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    """Two east-only games of the entry point: their JSON, and the folder of the records."""
    folder = tmp_path_factory.mktemp("records")
    command = [
        "play",
        "--games",
        "2",
        "--seed",
        "7",
        "--tonpu",
        "--policy",
        "simple",
        "--json",
        "--record",
        str(folder),
    ]
    out = run.invoke(cli.app, command)
    assert out.exit_code == 0, out.output
    return json.loads(out.stdout), folder


def test_play_prints_the_figures(played):
    figures, _ = played
    assert figures["games"] == 2
    assert figures["hands"] >= 8
    assert figures["decisions"] > 50
    for count in ("illegal", "late", "failed", "mismatches", "malformed", "unexpected", "lost"):
        assert figures[count] == 0, count
    ms = figures["decision_ms"]
    assert 0.0 < ms["p50"] <= ms["p99"] <= ms["max"]
    assert len(figures["placements"]) == 2
    assert set(figures["placements"]) <= {1, 2, 3, 4}


def test_play_keeps_a_record_of_every_decision(played):
    figures, _ = played
    decisions = 0
    for path in figures["records"]:
        first, *lines = [json.loads(line) for line in Path(path).read_text(encoding="utf-8").splitlines()]
        assert first["format"] == "oshihiki-record"
        assert first["policy"]["name"] == "simple"
        assert any('"tag":"HELO"' in line.get("out", "") for line in lines)
        assert [line["at"] for line in lines] == sorted(line["at"] for line in lines)
        assert lines[-1]["end"]["placement"] in (1, 2, 3, 4)
        for line in lines:
            if "decision" in line:
                decisions += 1
                actions = [one["action"] for one in line["decision"]["candidates"]]
                assert line["decision"]["action"] in actions
                assert line["decision"]["grounds"]
    assert decisions == figures["decisions"]


def test_value_plays_by_default(tmp_path):
    # a long bank, because a starved machine is late, and small searches, which would grow with it
    (tmp_path / "patient.toml").write_text('[lobby]\nbank = 120.0\n[policy]\nevaluator = "dag:exchanges=0,calls=0"\n')
    config = ["--config", str(tmp_path / "patient.toml")]
    out = run.invoke(cli.app, ["play", *config, "--seed", "3", "--tonpu", "--json", "--record", str(tmp_path)])
    assert out.exit_code == 0, out.output
    figures = json.loads(out.stdout)
    assert (figures["illegal"], figures["late"], figures["failed"]) == (0, 0, 0)
    first = json.loads(Path(figures["records"][0]).read_text(encoding="utf-8").splitlines()[0])
    assert first["policy"]["name"] == "value"
    assert first["policy"]["settings"]["danger"] == "model"


def test_play_leaves_logs_that_verify(monkeypatch, capsys, played):
    figures, folder = played
    assert {detect_format(Path(path).read_bytes()) for path in figures["logs"]} == {"mjlog", "tenhou6"}
    code, out, err = oshihiki(monkeypatch, capsys, "verify", *figures["logs"], "--jobs", "1", "--json")
    assert code == 0, out + err
    assert json.loads(out)["errors"] == []
    assert folder.is_dir()


@pytest.mark.parametrize("target", [name for name, row in FORMATS.items() if row.writes])
def test_export_writes_every_format(monkeypatch, capsys, played, tmp_path, target):
    source = next(path for path in played[0]["logs"] if path.endswith(".xml"))
    code, out, _ = oshihiki(monkeypatch, capsys, "export", source, "--to", target)
    assert code == 0
    assert detect_format(out.encode()) == target
    file = tmp_path / "one.out"
    assert oshihiki(monkeypatch, capsys, "export", source, "--to", target, "-o", str(file))[0] == 0
    assert file.read_text(encoding="utf-8").rstrip() == out.rstrip()


def test_a_record_is_exported_as_the_log_beside_it_or_alone(monkeypatch, capsys, played, tmp_path):
    """With the lobby's own log beside the record that is written; alone, what nobody showed is made up."""
    record, log = played[0]["records"][0], next(path for path in played[0]["logs"] if path.endswith(".xml"))
    code, out, err = oshihiki(monkeypatch, capsys, "export", record, "--to", "mjlog")
    assert (code, err) == (0, "")
    assert out.strip() == Path(log).read_text(encoding="utf-8").strip()
    alone = tmp_path / "alone.jsonl"
    alone.write_bytes(Path(record).read_bytes())
    for target in ("mjlog", "tenhou6", "link"):
        code, out, err = oshihiki(monkeypatch, capsys, "export", str(alone), "--to", target)
        assert code == 0
        assert "tiles that nobody showed are invented" in err
        assert "are%20invented" in out or "are invented" in out or target == "mjlog"
    code, out, err = oshihiki(monkeypatch, capsys, "export", str(alone), "--to", "mjai")
    assert (code, err) == (0, "")
    assert '"?"' in out
    stranger = next(path for path in played[0]["logs"] if path.endswith(".xml") and path != log)
    (tmp_path / Path(log).name).write_bytes(Path(stranger).read_bytes())
    code, _, err = oshihiki(monkeypatch, capsys, "export", str(alone), "--to", "mjlog")
    assert code == 0
    assert "it is not the game of" in err


def test_export_says_which_rules_an_mjlog_does_not_state(monkeypatch, capsys, tmp_path):
    code, out, _ = oshihiki(monkeypatch, capsys, "export", "docs/examples/game.xml", "--to", "tenhou6")
    game = json.loads(out)
    game["rule"]["disp"] += " 一発なし"
    log = tmp_path / "game.json"
    log.write_text(json.dumps(game), encoding="utf-8")
    code, out, err = oshihiki(monkeypatch, capsys, "export", str(log), "--to", "mjlog")
    assert code == 0
    assert "mjlog does not state ippatsu False" in err


@pytest.mark.corpus
def test_export_says_that_mjai_cannot_hold_who_is_liable(monkeypatch, capsys, corpus, tmp_path):
    liable = re.compile(rb"paoWho=")
    file = next(file for file in open_logs(sorted(corpus.glob("other4-*"))) if liable.search(file.data))
    log = tmp_path / "pao.xml"
    log.write_bytes(file.data)
    code, _, err = oshihiki(monkeypatch, capsys, "export", str(log), "--to", "mjai")
    assert code == 0
    assert "cannot express who is liable" in err
    assert oshihiki(monkeypatch, capsys, "export", str(log), "--to", "tenhou6")[2] == ""


def test_a_link_opens_as_the_same_game(monkeypatch, capsys, played, tmp_path):
    log = next(path for path in played[0]["logs"] if path.endswith(".xml"))
    _, link, _ = oshihiki(monkeypatch, capsys, "export", log, "--to", "link")
    assert link.startswith("https://tenhou.net/6/#json=%7B%22")
    assert link.count("\n") == 1
    assert not set(link[27:].strip()) & set(" <>\"'#&")
    file = tmp_path / "link.txt"
    file.write_text(link)
    _, again, _ = oshihiki(monkeypatch, capsys, "export", str(file), "--to", "tenhou6")
    _, straight, _ = oshihiki(monkeypatch, capsys, "export", log, "--to", "tenhou6")
    assert json.loads(again) == json.loads(straight)


def test_export_of_several_goes_on_past_a_bad_one(monkeypatch, capsys, played, tmp_path):
    sources = [path for path in played[0]["logs"] if path.endswith(".xml")]
    bad = tmp_path / "bad.xml"
    bad.write_text("<mjloggm ver='2.3'><GO")
    named_alike = tmp_path / "1" / "game.xml", tmp_path / "2" / "game.xml"
    for source, copy in zip(sources, named_alike, strict=True):
        copy.parent.mkdir()
        copy.write_bytes(Path(source).read_bytes())
    given = [str(bad), *map(str, named_alike), sources[0]]
    folder = tmp_path / "out"
    code, _, err = oshihiki(monkeypatch, capsys, "export", *given, "--to", "mjai", "-o", str(folder))
    assert code == 2
    assert "bad.xml" in err
    assert "2 written" in err
    assert "1 could not be" in err
    assert f"passed over: {sources[0]} (the log of the same game is used: {named_alike[0]})" in err
    assert {path.name for path in folder.iterdir()} == {"game.mjson", "game-2.mjson"}


def test_export_tells_machines_and_gives_results_where_the_source_has_none(monkeypatch, capsys, played, tmp_path):
    source = next(path for path in played[0]["logs"] if path.endswith(".xml"))
    mjai, again = tmp_path / "game.mjson", tmp_path / "game.xml"
    code, out, _ = oshihiki(monkeypatch, capsys, "export", source, "--to", "mjai", "-o", str(mjai), "--json")
    assert (code, json.loads(out)) == (0, {"written": [str(mjai)], "errors": [], "skipped": [], "passed_over": []})
    assert oshihiki(monkeypatch, capsys, "export", str(mjai), "--to", "mjlog", "-o", str(again))[0] == 0
    ends = [read_log(file).events[-1] for file in open_logs([source, again])]
    assert ends[0] == ends[1]
    assert oshihiki(monkeypatch, capsys, "export", source, "--to", "mjai", "--json")[0] == 2


def test_export_of_several_needs_a_folder(monkeypatch, capsys, played, tmp_path):
    sources = [path for path in played[0]["logs"] if path.endswith(".xml")]
    code, _, err = oshihiki(monkeypatch, capsys, "export", *sources, "--to", "mjai", "-o", str(tmp_path / "one.mjson"))
    assert code == 2
    assert "name a folder" in err
    assert not (tmp_path / "one.mjson").exists()
