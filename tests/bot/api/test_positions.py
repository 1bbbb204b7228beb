"""The positions of recorded games, and how they are drawn."""

from __future__ import annotations

import base64
import re
from dataclasses import replace
from itertools import islice
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from bot import api
from bot.logs.sources import open_logs
from bot.machine.errors import InputError
from bot.replay.steps import decision_points
from engine.rules.answer_kernels import ANSWERS
from engine.state import GameState, visible_to
from protocol.errors import UnsupportedGameError
from protocol.logs.formats import LogFile, read_log, write_log

GAME = Path(__file__).parents[3] / "docs" / "examples" / "game.xml"


def same_as_replay(path, log):
    """Whether the positions of a log, kept to the end, are those that its seats were in."""
    live = [
        (point.state.digest(), point.legal, point.played, point.place.turn)
        for seat in range(4)
        for point in decision_points(log, seat, faults=[])
    ]
    kept = list(api.positions(path))
    return live == [(each.state.digest(), each.legal, each.played, each.turn) for each in kept]


def test_every_position_is_a_copy_of_its_own():
    assert same_as_replay(GAME, read_log(LogFile(GAME.name, "mjlog", GAME.read_bytes())))


@pytest.mark.filterwarnings("ignore:.*is left out:UserWarning")  # two recorded games have a damaged hand
@pytest.mark.corpus
@pytest.mark.slow
@pytest.mark.parametrize(
    ("archive", "kind"),
    [
        ("houou-hanchan-00.tar.xz", "mjlog"),
        ("other4-00.tar.xz", "mjlog"),
        ("tenhou6-mjai.tar.xz", "tenhou6"),
        ("tenhou6-mjai.tar.xz", "mjai"),
    ],
)
def test_they_are_those_of_replay_in_every_format(corpus, tmp_path, archive, kind):
    found = (file for file in open_logs([corpus / archive]) if file.format == kind)
    read = 0
    for file in found:
        try:
            log = read_log(file)
        except UnsupportedGameError:
            continue
        path = tmp_path / f"{read}-{Path(file.name).name}"
        path.write_bytes(file.data)
        assert same_as_replay(path, log), file.name
        read += 1
        if read == 25:
            return
    pytest.fail(f"only {read} logs")


def test_a_captured_session_gives_the_positions_of_its_client(corpus, tmp_path):
    file = next(open_logs([corpus / "wire-sessions.tar.xz"]))
    path = tmp_path / Path(file.name).name
    path.write_bytes(file.data)
    found = list(api.positions(path))
    assert found
    assert {each.seat for each in found} == {found[0].seat}


def test_a_position_knows_the_numbers_of_its_answers():
    for each in islice(api.positions(GAME), 120):
        assert each.mask.shape == (ANSWERS,)
        assert each.mask.sum() == len({each.number(action) for action in each.legal}) == len(each.legal)
        assert each.played is None or each.mask[each.number(each.played)]


def test_a_seat_or_file_that_does_not_exist_is_refused():
    with pytest.raises(api.InputError, match="seat 4 does not exist"):
        next(api.positions(GAME, seat=4))
    with pytest.raises(api.InputError, match=r"nowhere\.xml"):
        next(api.positions("nowhere.xml"))


def test_a_position_is_drawn_with_all_that_lies_on_the_table():
    each = next(one for one in api.positions(GAME, seat=1) if one.played and str(one.played).startswith("pon"))
    lines = repr(each).splitlines()
    assert lines[0] == f"{GAME} E1-2 turn 7, played: pon 1z with 11z"
    assert lines[1] == "E1-2, 45 tiles left, dora indicator 5s"
    assert lines[-1] == "hand 1334579p115677z, offered 1z"
    assert [line.split()[0] for line in lines[2:-1]] == ["left", "across", "right", "self"]
    state = each.state
    for line, seat in zip(lines[2:-1], (0, 3, 2, 1), strict=True):
        river = state.rivers[seat]
        assert len(re.findall(r" \(?\d[mpsz]", line)) == len(river)
        assert line.count("(") == sum(tile.called_by is not None for tile in river)
        assert line.count("*") == sum(tile.riichi for tile in river)
    assert repr(GameState(2)) == "seat 2, no hand in progress"


def picture(html):
    """The picture in a page."""
    data = re.search(r'src="data:image/svg\+xml;base64,([^"]+)"', html).group(1)
    return ET.fromstring(base64.b64decode(data))  # noqa: S314 - our own


def test_notebooks_show_pictures_and_tables():
    tiles = api.Tiles("405p123m")
    assert len(picture(tiles._repr_html_()).findall("{*}use")) == 6
    assert repr(tiles) == "Tiles('405p123m')"
    assert eval(repr(tiles), {"Tiles": api.Tiles}) == tiles  # noqa: S307
    state = next(api.positions(GAME)).state
    html = state._repr_html_()
    assert len(picture(html).findall("{*}use")) >= len(state.hand)
    assert 'alt="E1, 69 tiles left' in html
    rows = api.discards("11223m1123789p55z")
    assert isinstance(rows[:2], api.Rows)
    assert rows[:2]._repr_html_().count("<tr>") == 3
    assert repr(api.Rows([])) == "[]"
    won = api.score(api.WonHand("123m456p789s11155z", win="1z", tsumo=True))
    assert won._repr_html_().count("<tr>") == len(won.yaku) + 1


def test_values_that_are_no_action_have_no_number():
    each = next(iter(api.positions(GAME)))
    with pytest.raises(api.InputError, match="action 5: it is an Action"):
        each.number(5)


@pytest.mark.parametrize("name", ["\ud800", "a\0b"])
def test_a_name_that_no_file_can_have_is_refused(name):
    for call in (api.positions, api.decisions):
        with pytest.raises(api.InputError, match="no file can have this name"):
            next(call(name))


def test_hands_that_are_left_out_are_named_by_a_warning_and_all_else_is_there(tmp_path):
    text = GAME.read_text(encoding="utf-8")
    (tmp_path / "a.xml").write_text("<mjloggm>", encoding="utf-8")
    (tmp_path / "b.xml").write_text(re.sub(r"<T\d+", "<T999", text, count=1), encoding="utf-8")
    with pytest.warns(UserWarning, match=r"(b\.xml: E1 is left out: line|a\.xml: .*; it is left out)") as said:
        found = list(api.positions(tmp_path, seat=1))
    assert len(said) == 2
    whole = [each for each in api.positions(GAME, seat=1) if each.hand != "E1"]
    assert [(each.hand, each.turn, each.played) for each in found] == [
        (each.hand, each.turn, each.played) for each in whole
    ]
    with pytest.raises(InputError, match=r"a\.xml"):
        list(api.positions(tmp_path / "a.xml"))


def test_one_seats_view_has_no_positions_of_another(tmp_path):
    log = read_log(LogFile(GAME.name, "mjlog", GAME.read_bytes()))
    seen = replace(log, events=tuple(visible_to(event, 2) for event in log.events), viewer=2)
    path = tmp_path / "view.mjson"
    path.write_text(write_log(seen, "mjai"), encoding="utf-8")
    assert {each.state.seat for each in api.positions(path)} == {2}
    with pytest.raises(InputError, match="shows what seat 2 saw, not seat 0"):
        list(api.positions(path, seat=0))
