"""Whatever stands before a log, and logs of other programs, which are named with the converter that reads them."""

from __future__ import annotations

import pytest

from bot.logs.sources import PassedOver, open_logs
from protocol.logs.formats import read_log
from protocol.logs.game_log import plain_id
from tests.protocol.mjai_lines import END, HORA, RIICHI, START, text
from tests.protocol.mjlog_text import LOG
from tests.protocol.tenhou6_hands import hand, log

GAME, OTHER = "2012090306gm-0089-0000-dc81a77a", "2012090307gm-0001-0000-aaaaaaaa"
SCRAMBLED = "2012090306gm-0089-0000-x666f4d41e26b"
TENHOU6 = log(hand([([19], [60]), ([18], [44]), ([], []), ([], [])], ["不明"]))
BROWSER = (
    "This XML file does not appear to have any style information associated with it. The document tree is below.\n"
)


@pytest.mark.parametrize(
    "prelude",
    [
        "<?xml version='1.0' encoding='utf-8'?>\n",
        "<?xml version='1.0'?><!-- saved by a tool -->\n\n",
        f"<!-- saved from url=(0057)https://tenhou.net/0/log/?{GAME} -->\n",
        "<!DOCTYPE mjloggm>\n",
        '<?xml version="1.0"?>\n<!DOCTYPE mjloggm SYSTEM "x.dtd">\n<!-- a -->\n<!-- b -->',
        BROWSER,
        f"<?xml version='1.0'?>\n{BROWSER}",
        "\ufeff<?xml version='1.0'?>\n",
        "# my game\n",
    ],
)
def test_text_before_xml_does_no_harm(tmp_path, prelude):
    path = tmp_path / "game.xml"
    path.write_text(prelude + LOG, encoding="utf-8")
    (file,) = open_logs([path])
    assert file.format == "mjlog"
    assert read_log(file).events
    path.write_text(prelude + LOG.replace("<U107/>", "<U999/>"), encoding="utf-8")
    (file,) = open_logs([path])
    with pytest.raises(Exception, match=f"line {prelude.count(chr(10)) + 1}, column"):
        read_log(file)


def test_remarks_before_mjai_do_no_harm(tmp_path):
    path = tmp_path / "game.mjson"
    path.write_text("# saved by a bot\n\n// another remark\n" + text(*START))
    (file,) = open_logs([path])
    assert (file.format, file.error) == ("mjai", None)


def test_an_entity_is_never_expanded(tmp_path):
    path = tmp_path / "game.xml"
    path.write_text('<!DOCTYPE mjloggm [<!ENTITY a "aaaa">]>' + LOG.replace('n3="D"', 'n3="&a;"'))
    (file,) = open_logs([path])
    assert read_log(file).start.names[3] == "&a;"


@pytest.mark.parametrize("between", [" ", ", ", ";", "\t", " | "])
def test_each_address_of_a_line_is_a_log(tmp_path, between):
    for name in (GAME, OTHER):
        (tmp_path / f"{name}.xml").write_text(LOG)
    path = tmp_path / "two.txt"
    first, second = (f"https://tenhou.net/0/?log={name}&tw={seat}" for name, seat in ((GAME, 1), (OTHER, 2)))
    path.write_text(f"{first}{between}{second}")
    assert [(file.name.rpartition("/")[2], file.seat) for file in open_logs([path])] == [
        (f"{GAME}.xml", 1),
        (f"{OTHER}.xml", 2),
    ]


def test_each_address_of_an_argument_is_a_log(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in (GAME, OTHER):
        (tmp_path / f"{name}.xml").write_text(LOG)
    assert len(list(open_logs([f"https://tenhou.net/0/?log={GAME} https://tenhou.net/0/?log={OTHER}&tw=3"]))) == 2


def test_an_id_as_the_client_shows_it_is_that_of_the_server(tmp_path, monkeypatch):
    assert plain_id(SCRAMBLED) == GAME
    assert plain_id(GAME) == GAME
    monkeypatch.chdir(tmp_path)
    (tmp_path / f"{GAME}.xml").write_text(LOG)
    for argument in (SCRAMBLED, f"https://tenhou.net/0/?log={SCRAMBLED}&tw=2"):
        (file,) = open_logs([argument])
        assert file.name == f"{GAME}.xml"
    (tmp_path / f"{GAME}.xml").rename(tmp_path / f"{SCRAMBLED}&tw=1.xml")
    (file,) = open_logs([GAME])
    assert file.error is None


@pytest.mark.parametrize(
    ("record", "converter"),
    [
        ('{"title":"x","player":["A"],"qijia":0,"log":[[{"qipai":{"zhuangfeng":0}}]]}', "tenhou-url-log"),
        ('{"head":{"uuid":"x"},"data":[{"name":"RecordNewRound","data":{}}]}', "tensoul"),
        ('[{"name":".lq.RecordNewRound","data":{"chang":0}}]', "tensoul"),
    ],
)
def test_records_of_others_are_named_with_their_converter(tmp_path, record, converter):
    path = tmp_path / "game.json"
    path.write_text(record)
    (file,) = open_logs([path])
    assert converter in str(file.error)


@pytest.mark.parametrize(
    ("name", "before", "after"),
    [
        ("game.xml", "HTTP/1.1 200 OK\r\nContent-Type: application/xml\r\n\r\n", ""),
        ("game.xml", "```xml\n", "\n```\n"),
        ("game.xml", "<html><body><pre>", "</pre></body></html>"),
        ("game.xml", "<!-- " + "x" * 3_000 + " -->", "<!-- the end -->\nthe end"),
        ("game.json", "JSON Raw Data Headers\nSave Copy Collapse All\n", ""),
        ("game.json", "```json\n", "\n```\n"),
        ("game.json", "var log = ", ";"),
        ("game.json", "callback(", ")"),
        ("game.mjson", "Mortal v4 loading...\nready.\n", "\n# the end\n"),
        ("game.mjson", "```\n", "\n```\n"),
        ("game.mjson", "\n\ufeff", ""),
        ("game.mjson", "[", "\n]"),
    ],
)
def test_words_around_a_log_do_no_harm(tmp_path, name, before, after):
    log = {"game.xml": LOG, "game.json": TENHOU6, "game.mjson": text(*START, *RIICHI, HORA, *END)}[name]
    path = tmp_path / name
    path.write_text(before + log + after, encoding="utf-8")
    (file,) = open_logs([path])
    path.write_text(log, encoding="utf-8")
    (plain,) = open_logs([path])
    found = read_log(file)
    assert found.events == read_log(plain).events
    assert not found.left_out


def test_a_file_that_begins_with_a_remark_is_no_log_unless_somebody_says_so(tmp_path):
    path = tmp_path / "shown.log"
    path.write_text("# a program's display\n" + text(*START) + "\nE-1 kyoku 0 honba\n")
    passed: list[PassedOver] = []
    assert list(open_logs([tmp_path], passed.append)) == []
    assert [each.reason for each in passed] == ["not a log"]
    (file,) = open_logs([path])
    assert file.format == "mjai"


def test_a_search_for_a_log_behind_words_ends_soon(tmp_path):
    path = tmp_path / "game.json"
    path.write_text('x{"' * 20_000)
    (file,) = open_logs([path])
    assert file.error is not None
