"""The logs that a command was given."""

from __future__ import annotations

from bot.machine.inputs import _AHEAD, Inputs, file_stem
from protocol.logs.formats import LogFile

ID = "2017010100gm-00e9-0000-{:08x}"


def folder_of(tmp_path, number):
    for game in range(number):
        log = f'<mjloggm ver="2.3"><TAIKYOKU oya="0" log="{ID.format(game)}"/></mjloggm>'
        (tmp_path / f"{game:04}.xml").write_text(log)
        (tmp_path / f"{game:04}.txt").write_text("about")
    return tmp_path


def test_files_passed_over_are_named_in_one_line(tmp_path):
    folder = folder_of(tmp_path, 5)
    (folder / "copy.xml").write_bytes((folder / "0002.xml").read_bytes())
    inputs = Inputs([str(folder)])
    assert len(list(inputs.every_game(whole=True))) == 5
    names = ", ".join(str(folder / f"{game:04}.txt") for game in range(3))
    used = f"{folder / 'copy.xml'} (the log of the same game is used: {folder / '0002.xml'})"
    assert inputs.note() == f"passed over: {names} and 2 more (not a log); {used}"
    assert len(inputs.fields()) == 6
    assert Inputs([str(folder / "0000.xml")]).note() == ""


def test_few_games_do_not_cost_the_reading_of_all(tmp_path, monkeypatch):
    read = []
    monkeypatch.setattr(
        "bot.machine.inputs.open_logs", lambda *_: (read.append(1) or LogFile(f"{n}.xml") for n in range(9999))
    )
    assert len(list(Inputs([str(tmp_path)]).every_game(whole=True, limit=3))) == 3
    assert len(read) <= 4 * 3 + _AHEAD + 4


def test_a_limit_counts_games(tmp_path):
    folder = folder_of(tmp_path, 300)
    for log in list(folder.glob("*.xml")):
        (folder / f"{log.stem}-copy.xml").write_bytes(log.read_bytes())
    assert len(list(Inputs([str(folder)]).every_game(whole=True, limit=280))) == 280


def test_names_of_files_made_from_logs():
    for name, stem in (
        ("a/b.xml.gz", "b"),
        ("standard input", "standard_input"),
        ("https://tenhou.net/6/#json=%7B", "link"),
        ("..", "log"),
        ("x" * 300 + ".json", "x" * 80),
    ):
        assert file_stem(LogFile(name)) == stem
