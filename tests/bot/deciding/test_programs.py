"""mjai at the door: our player as a program, programs as players."""

from __future__ import annotations

import asyncio
import json
import re
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from bot.commands.mjai import Program, with_grounds
from bot.deciding.ask import Question
from bot.deciding.players import make_player
from bot.deciding.programs import MjaiPlayer, run_program
from bot.deciding.thinker import Thinker
from bot.lobby.remote import snapshot
from bot.machine.errors import InputError, RunError
from bot.machine.programs import UNREAD
from engine.arena import Game, play_game
from engine.model.actions import Action, ActionKind
from engine.model.budget import Budget
from engine.model.events import Event, StartGame, StartKyoku, Win
from engine.model.rules import HANCHAN, TONPU
from engine.model.tiles import TILE37
from engine.policy.decision import Decision
from engine.policy.grounds import GroundKind, ground
from engine.policy.registry import make_policy
from engine.state import GameState, visible_to
from protocol.errors import RemoteProtocolError
from protocol.logs.mjai import LineWriter
from protocol.logs.mjai_reader import NAMES
from tests.bot.machine.processes import alive, wait_until
from tests.chaos.misbehaving import LATE, MISBEHAVING, Illegal, Loops
from tests.games import game_of
from tests.tiers import mostly_slow

WORDS: dict[ActionKind, tuple[str, ...]] = {
    ActionKind.PASS: (),
    ActionKind.DISCARD: ("dahai",),
    ActionKind.RIICHI: ("reach", "dahai"),
    ActionKind.TSUMO: ("hora",),
    ActionKind.RON: ("hora",),
    ActionKind.NINE_TERMINALS: ("ryukyoku",),
}


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """However busy the machine is, a program that answers is not late."""
    monkeypatch.setattr("bot.deciding.programs.SECONDS", 100.0)
    monkeypatch.setattr("bot.deciding.programs.START_SECONDS", 100.0)


PROGRAM = shlex.join((sys.executable, "-c", "from bot.cli import program; program()", "mjai", "--policy", "simple"))


@pytest.fixture(scope="module")
def game() -> Game:
    """A game of four deterministic players."""
    return game_of("simple", 11)


def lines_for(game: Game, seat: int) -> list[dict[str, Any]]:
    """The game as a server tells it to one seat."""
    start = game.events[0]
    assert isinstance(start, StartGame)
    writer = LineWriter(start)
    lines = [line for event in game.events for line in writer.lines(visible_to(event, seat))]
    return [{**line, "id": seat} if line["type"] == "start_game" else line for line in lines]


@pytest.fixture
def program() -> Iterator[Program]:
    thinker = Thinker(make_policy("simple"))
    yield Program(thinker, "tester", 5.0)
    thinker.close()


def answers(program: Program, lines: list[Any]) -> list[dict[str, Any]]:
    async def feed() -> list[dict[str, Any]]:
        return [json.loads(await program.receive(json.dumps(line))) for line in lines]

    return asyncio.run(feed())


@pytest.mark.parametrize("seat", range(4))
def test_a_repeated_game_gets_the_answers_that_made_it(game: Game, program: Program, seat: int) -> None:
    lines = lines_for(game, seat)
    said = answers(program, lines)
    assert len(said) == len(lines)
    decided = [decision.action for decision in game.decisions[seat]]
    assert [line["type"] for line in said if line["type"] != "none"] == [
        word for action in decided for word in WORDS.get(action.kind, (action.kind.name.lower(),))
    ]
    discarded = [
        NAMES[TILE37[action.tile]] for action in decided if action.kind in {ActionKind.DISCARD, ActionKind.RIICHI}
    ]
    assert [line["pai"] for line in said if line["type"] == "dahai"] == discarded


def test_a_line_that_asks_nothing_is_answered_with_none_while_a_discard_is_open(game: Game, program: Program) -> None:
    for seat in range(4):
        for line in lines_for(game, seat):
            answers(program, [line])
            if program.asked and line["type"] == "dahai" and line["actor"] != seat:
                assert program.thought is not None
                assert answers(program, [{"type": "reach_accepted", "actor": line["actor"]}]) == [{"type": "none"}]
                assert not program.asked
                assert program.thought is None
                return
    raise AssertionError("nobody was ever asked about a discard")


def test_lists_of_events_get_one_answer_each(game: Game, program: Program) -> None:
    lines = lines_for(game, 0)
    first_draw = next(at for at, line in enumerate(lines) if line["type"] == "tsumo" and line["actor"] == 0)
    assert [one["type"] for one in answers(program, [lines[: first_draw + 1]])] == ["dahai"]


def test_hello_is_answered_with_our_name(program: Program) -> None:
    said = answers(program, [{"type": "hello", "protocol": "mjsonp", "protocol_version": 3}])
    assert said == [{"type": "join", "room": "default", "name": "tester"}]


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("{", "is not JSON"),
        ('{"actor": 0}', 'has no "type"'),
        ('{"type": "tsumo", "actor": 0, "pai": "1m"}', 'comes before "start_game"'),
        ('{"type": "start_game"}', "whose seat it is"),
        ('{"type": "error", "message": "no such room"}', "no such room"),
    ],
)
def test_a_line_that_is_no_mjai_is_reported(program: Program, line: str, words: str) -> None:
    with pytest.raises(InputError, match=f"line 1.*{words}"):
        asyncio.run(program.receive(line))


def test_an_impossible_event_is_noted_with_its_line_and_the_game_goes_on(
    game: Game, program: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    notes: list[str] = []
    monkeypatch.setattr(program, "_on_note", notes.append)
    lines = lines_for(game, 0)
    at = next(index for index, line in enumerate(lines) if line["type"] == "dahai")
    broken = [*lines[:at], {**lines[at], "actor": (lines[at]["actor"] + 1) % 4}]
    answers(program, broken)
    assert re.search(rf"line {at + 1} \(dahai\).*; the rest of this hand is played by passing", notes[0])


def test_the_command_speaks_on_standard_input_and_output(game: Game) -> None:
    lines = lines_for(game, 2)[:60]
    text = "".join(json.dumps(line) + "\n" for line in lines)
    done = subprocess.run(  # noqa: S603
        shlex.split(PROGRAM), input=text, capture_output=True, text=True, check=False, timeout=120
    )
    assert done.returncode == 0, done.stderr
    said = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(said) == len(lines)
    assert {"dahai", "none"} <= {line["type"] for line in said}


@pytest.mark.slow
def test_a_program_sits_in_the_arena_and_plays_as_the_policy_within_does() -> None:
    policies = [make_policy("simple") for _ in range(3)]
    outside = MjaiPlayer(PROGRAM)
    try:
        game = play_game([*policies, outside], TONPU, seed=5)
    finally:
        outside.close()
    assert game.events[1:] == game_of("simple", 5).events[1:]


def peer(tmp_path: Path, source: str) -> str:
    """A program of a few lines; ``said`` is the line it was told."""
    path = tmp_path / "peer.py"
    path.write_text("import json, sys, time\n" + source)
    return shlex.join((sys.executable, str(path)))


def first_turn(player: MjaiPlayer) -> tuple[GameState, Any]:
    """Seat 0's first draw of a game, told to the player."""
    game = game_of("tsumogiri", 1)
    state = GameState(0, HANCHAN)
    for event in game.events[:3]:
        state.apply(visible_to(event, 0))
        player.hear(visible_to(event, 0), 0)
    return state, state.legal_actions()


@pytest.mark.parametrize(
    ("source", "error", "words"),
    [
        ("sys.exit('no weights')", RunError, "no weights"),
        ("print('gibberish', flush=True); time.sleep(600)", RunError, r"in time; .* not mjai: 1, first 'gibberish'"),
        ("print('no weights', flush=True); sys.exit(3)", RunError, r"\(exit code 3\); .*: 1, first 'no weights'"),
        ('for said in sys.stdin: print(\'{"type":"none"}\', flush=True)', RemoteProtocolError, "legal are"),
        ("time.sleep(600)", RunError, "did not answer in time"),
    ],
)
def test_a_program_at_fault_is_named_and_never_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, source: str, error: type[Exception], words: str
) -> None:
    if "sleep" in source:
        monkeypatch.setattr("bot.deciding.programs.START_SECONDS", 0.2)
        monkeypatch.setattr("bot.machine.programs.FAREWELL", 0.1)
    player = MjaiPlayer(peer(tmp_path, source))
    try:
        while "gibberish" in source and player._pipe._replies.empty():
            time.sleep(0.01)
        state, legal = first_turn(player)
        with pytest.raises(error, match=words):
            player.decide(state, legal, Budget())
    finally:
        player.close()


CHATTY = """
def say(text): print(text, flush=True)
for line in BANNER: say(line)
for number, line in enumerate(sys.stdin):
    said = json.loads(line)
    if NOISE: say(NOISE[number % len(NOISE)])
    own = said['type'] == 'tsumo' and said['actor'] == 0
    say(json.dumps({'type': 'dahai', 'actor': 0, 'pai': said['pai'], 'tsumogiri': True} if own else {'type': 'none'}))
"""
"""A program that discards what it draws, and says other things besides."""
BANNERS = {
    "a line": ["loading model..."],
    "many lines": [f"layer {number} of 64" for number in range(64)],
    "what is nearly JSON": ["{", '{"type":', "[1, 2", "'none'", "None", "nan"],
    "JSON that is not mjai": ["3", "null", '{"level": "info", "msg": "loaded"}', '"none"', "[[]]"],
    "JSON with a type, and empty lists": ['{"type": "log", "message": "ready"}', "[]", '{"type": "stats", "q": [1]}'],
    "control characters": ["\x1b[31mred\x1b[0m", "\u202e", "\ufeff"],
    "a long line": ["x" * 200_000],
}


def chatty(tmp_path: Path, banner: list[str], noise: list[str]) -> str:
    return peer(tmp_path, f"BANNER = {banner!r}\nNOISE = {noise!r}\n{CHATTY}")


@pytest.mark.parametrize("banner", BANNERS)
@pytest.mark.parametrize("throughout", [False, True])
def test_no_decision_is_lost_by_what_a_program_says_besides(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], banner: str, throughout: bool
) -> None:
    lines = BANNERS[banner]
    player = MjaiPlayer(chatty(tmp_path, lines, lines[:7] if throughout else []))
    try:
        state, legal = first_turn(player)
        for _ in range(2):
            decision = player.decide(state, legal, Budget())
            assert (decision.action.kind, decision.action.tile) == (ActionKind.DISCARD, state.drawn)
            player._send({"type": "tsumo", "actor": 0, "pai": NAMES[TILE37[state.drawn]]})
    finally:
        player.close()
    shown = capsys.readouterr().err
    assert shown.count("its standard output has lines that are not mjai; they are passed over") == 1
    assert len(shown.splitlines()) <= 21
    assert "\x1b" not in shown
    if banner == "a line":
        assert shown.count("loading model...") == shown.count("\n")
    if banner == "many lines":
        assert shown.splitlines()[-1].endswith("further lines that are not mjai are not shown")


def test_a_banner_whose_line_does_not_end_is_told_from_the_answer_behind_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    player = MjaiPlayer(peer(tmp_path, f"BANNER = NOISE = []\nprint('loading...', end='', flush=True)\n{CHATTY}"))
    try:
        state, legal = first_turn(player)
        assert player.decide(state, legal, Budget()).action.tile == state.drawn
    finally:
        player.close()
    assert "'loading...'" in capsys.readouterr().err


def test_an_answer_that_a_log_line_quotes_is_none(tmp_path: Path) -> None:
    quoted = ['INFO reply: {"type": "none"}']
    player = MjaiPlayer(chatty(tmp_path, quoted, quoted))
    try:
        state, legal = first_turn(player)
        assert player.decide(state, legal, Budget()).action.tile == state.drawn
    finally:
        player.close()


def test_a_byte_order_mark_before_an_answer_is_no_part_of_it(tmp_path: Path) -> None:
    mark = "say = lambda text: print('\\ufeff' + text, flush=True)"
    player = MjaiPlayer(
        peer(tmp_path, CHATTY.replace("def say(text): print(text, flush=True)", f"BANNER = NOISE = []\n{mark}"))
    )
    try:
        state, legal = first_turn(player)
        assert player.decide(state, legal, Budget()).action.tile == state.drawn
    finally:
        player.close()


def test_lines_instead_of_an_answer_have_a_limit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.deciding.programs.STRAYS", 50)
    player = MjaiPlayer(peer(tmp_path, "for number in range(80): print(number, 'of 80', flush=True)\ntime.sleep(60)"))
    try:
        state, legal = first_turn(player)
        with pytest.raises(RunError, match=r"wrote 50 lines instead of an answer; .*: 50, first '0 of 80'"):
            player.decide(state, legal, Budget())
    finally:
        player.close()


def test_a_program_that_never_answers_is_waited_for_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.deciding.programs.START_SECONDS", 1.5)
    monkeypatch.setattr("bot.deciding.programs.SILENT_SECONDS", 0.1)
    player = MjaiPlayer(peer(tmp_path, "for said in sys.stdin: print('what?', flush=True)"))
    try:
        state, legal = first_turn(player)
        receive = player._pipe.receive
        limits: list[list[float]] = []
        patience: list[list[float]] = []

        def received(until: float) -> str | None:
            limits[-1].append(until)
            patience[-1].append(until - time.monotonic())
            return receive(until)

        monkeypatch.setattr(player._pipe, "receive", received)
        began = time.monotonic()
        for _ in range(3):
            limits.append([])
            patience.append([])
            with pytest.raises(RunError, match="did not answer in time"):
                player.decide(state, legal, Budget())
        assert min(limits[0]) - began >= 1.5  # the program may take its time to start, once
        assert max(patience[1] + patience[2]) <= 0.1
    finally:
        player.close()


def test_a_program_that_floods_is_killed(tmp_path: Path) -> None:
    player = MjaiPlayer(peer(tmp_path, "while True: print('x' * 1000)"))
    player._pipe._process.wait(60)
    for _ in range(UNREAD):
        assert player._pipe.receive(time.monotonic() + 60)
    with pytest.raises(RunError, match="nobody asked for"):
        player._pipe.receive(time.monotonic() + 60)
    player.close()


def test_processes_that_a_program_has_started_end_with_it(tmp_path: Path) -> None:
    """The child ignores every request to end, holds the output open, and is killed all the same."""
    source = (
        "import signal, subprocess\n"
        "for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP): signal.signal(number, signal.SIG_IGN)\n"
        "print(subprocess.Popen(['sleep', '600']).pid, flush=True)\n"
        "time.sleep(600)\n"
    )
    pipe = run_program(peer(tmp_path, source))
    child = int(pipe.receive(time.monotonic() + 60) or 0)
    pipe.close()
    assert pipe._process.returncode == -signal.SIGKILL
    wait_until(lambda: not any(thread.is_alive() for thread in pipe._threads))
    wait_until(lambda: not alive(child))


async def test_a_hung_program_is_not_waited_for_when_the_game_is_broken_off(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.deciding.programs.START_SECONDS", 600.0)
    player = MjaiPlayer(peer(tmp_path, "time.sleep(600)"))
    thinker = Thinker(player)
    state, legal = first_turn(player)
    asking = asyncio.create_task(thinker.think(Question.of(state, legal, 600.0)))
    await asyncio.sleep(0.1)
    asking.cancel()
    thinker.close()
    await asyncio.to_thread(player._pipe._process.wait, 100.0)  # the time for a first answer is not over by then


def test_a_late_answer_is_not_taken_for_the_next(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It answers its first draw with a tile it does not hold, too late; the second question gets the second answer."""
    given_up = tmp_path / "given up"
    source = (
        "from pathlib import Path\n"
        "for said in sys.stdin:\n"
        "    told = json.loads(said)\n"
        f"    while told['type'] == 'tsumo' and not Path({str(given_up)!r}).exists():\n"
        "        time.sleep(0.01)\n"
        "    print(json.dumps({'type': 'dahai', 'pai': told.get('pai', '?'), 'tsumogiri': True}), flush=True)\n"
    )
    player = MjaiPlayer(peer(tmp_path, source))
    try:
        monkeypatch.setattr("bot.deciding.programs.START_SECONDS", 0.3)
        state, legal = first_turn(player)
        with pytest.raises(RunError, match="in time"):
            player.decide(state, legal, Budget())
        given_up.touch()
        monkeypatch.setattr("bot.deciding.programs.SILENT_SECONDS", 100.0)
        decision = player.decide(state, legal, Budget())
        assert decision.action.kind is ActionKind.DISCARD
        assert decision.action.tile == state.drawn
    finally:
        player.close()


@pytest.mark.parametrize("command", ["mjai:", "mjai:'", "mjai:/no/such/program", "nobody"])
def test_a_program_that_cannot_sit_down_is_bad_input(command: str) -> None:
    with pytest.raises(InputError):
        make_player(command)


@pytest.mark.slow
def test_after_a_lost_connection_a_program_sits_the_hand_out_and_plays_on(game: Game) -> None:
    """The program within is ours, which ends at the first line that cannot follow on the one before."""
    events, seat = game.events, 0
    begins = [at for at, event in enumerate(events) if isinstance(event, StartKyoku)]
    away = range(begins[1] + 20, begins[1] + 30)
    outside, inside = MjaiPlayer(PROGRAM), make_policy("simple")
    state = GameState(seat)
    said: list[tuple[int, Decision, Action]] = []

    def take(event: Event) -> None:
        state.apply(event)
        outside.hear(event, seat)

    try:
        for at, event in enumerate(events[: begins[3]]):
            if isinstance(event, StartKyoku):
                inside.start_kyoku()
            if at in away:
                continue
            if at == away.stop:
                shown = snapshot(events[:at], seat)
                state = GameState(seat)
                for told in (events[0], shown.resume, *shown.pending):
                    take(visible_to(told, seat))
            take(visible_to(event, seat))
            legal = state.legal_actions()
            if legal:
                answers = [player.decide(state.copy(), legal, Budget()) for player in (outside, inside)]
                said.append((at, answers[0], answers[1].action))
    finally:
        outside.close()
    lost = [decision for at, decision, _ in said if away.stop <= at < begins[2]]
    assert lost
    assert all(decision.mode == "fallback" for decision in lost)
    assert all(decision.grounds[0].kind is GroundKind.PROGRAM_RESUMED for decision in lost)
    followed = [(decision.action, best) for at, decision, best in said if at < away.start or at >= begins[2]]
    assert len(followed) > 20
    assert all(ours == best for ours, best in followed)


def test_meta_holds_the_grounds_as_data_and_in_words() -> None:
    why = ground(GroundKind.FOLD, does=ground(GroundKind.DISCARD, tile="5p"))
    decision = Decision(Action(ActionKind.DISCARD, 53), mode="fold", grounds=(why,), unit="points")
    line = json.loads(with_grounds('{"type":"dahai","actor":0,"pai":"5p","tsumogiri":false}', decision))
    assert (line["type"], line["pai"]) == ("dahai", "5p")
    assert line["meta"]["grounds"] == [{"kind": "fold", "does": {"kind": "discard", "tile": "5p"}}]
    assert line["meta"]["why"] == ["folds: discards 5p"]


def misbehaving(policy: type, seconds: float) -> list[str]:
    name = f"{policy.__module__}:{policy.__name__}"
    words = ["mjai", "--policy", name, "--seconds", str(seconds), "--meta", "--json"]
    return [sys.executable, "-c", "from bot.cli import program; program()", *words]


@mostly_slow("policy", [Illegal, Loops])
def test_a_policy_that_misbehaves_gives_safe_answers_and_the_program_ends(game: Game, policy: type) -> None:
    """Each line has its answer, of standard output nothing else; a win is declared, and the faults are counted."""
    won = next(at for at, event in enumerate(game.events) if isinstance(event, Win))
    winner = next(event.seat for event in game.events if isinstance(event, Win))
    lines = lines_for(Game(game.events[:won], game.decisions, game.shuffle), winner)
    given = "".join(f"{json.dumps(line)}\n" for line in lines)
    late = LATE in MISBEHAVING[policy]
    done = subprocess.run(  # noqa: S603 - ourselves
        misbehaving(policy, 0.1 if late else 60.0),
        input=given,
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    answered = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(answered) == len(lines)
    assert answered[-1]["type"] == "hora"
    assert done.returncode == 1, done.stderr
    for fault in MISBEHAVING[policy]:
        assert done.stderr.count(f"oshihiki: policy {policy.__module__}:{policy.__name__}: {fault}") == 2
    assert "Traceback" not in done.stderr
    assert "this is a bug" not in done.stderr


@pytest.mark.slow
@mostly_slow(("number", "code"), [(signal.SIGTERM, 143), (signal.SIGINT, 130)])
def test_signals_end_it_while_its_policy_loops(game: Game, number: int, code: int) -> None:
    with subprocess.Popen(  # noqa: S603 - ourselves
        misbehaving(Loops, 60.0), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as run:
        assert run.stdin is not None
        assert run.stdout is not None
        assert run.stderr is not None
        lines = lines_for(game, 0)
        for line in lines[
            : next(at for at, line in enumerate(lines) if line["type"] == "tsumo" and line["actor"] == 0) + 1
        ]:
            run.stdin.write(f"{json.dumps(line)}\n".encode())
        run.stdin.flush()
        assert json.loads(run.stdout.readline()) == {"type": "none"}
        time.sleep(0.5)  # by now it thinks
        run.send_signal(number)
        assert run.wait(50.0) == code
        assert b"Traceback" not in run.stderr.read()
