"""Whatever is written after ``oshihiki evaluate``: an answer, or exit code 2 and one line that says what is wrong."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import example, given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner

from bot.cli import app
from bot.machine.errors import InputError
from engine.model.tiles import TILES, format_tiles

HANDS = st.permutations(range(TILES)).flatmap(
    lambda wall: st.sampled_from((14, 13, 11, 10, 8, 2, 1)).map(lambda size: format_tiles(wall[:size]))
)
TILE_LIKE = st.text("0123456789mpsz[] ,x", max_size=16)
ODD = st.text(max_size=12)
WORDS = st.one_of(TILE_LIKE, HANDS, ODD)
NUMBERS = st.one_of(st.integers(-3, 20).map(str), ODD)
OPTIONS = {
    "--melds": st.one_of(
        WORDS, st.sampled_from(("123p", "555z", "5555s", "[1111m]", "123p 234p", "999m 999p 999s 1234s"))
    ),
    "--dora": WORDS,
    "--turn": NUMBERS,
    "--evaluator": st.one_of(st.sampled_from(("dag", "dag:exchanges=1", "dag:model=full", "dag:calls=9")), ODD),
}
KEYS = {
    "indicators": WORDS,
    "visible": WORDS,
    "river": WORDS,
    "offered": st.one_of(WORDS, st.sampled_from(("1m", "5z", "0p"))),
    "round": st.one_of(st.sampled_from("ESWNeswn"), ODD),
    "seat": st.one_of(st.sampled_from("ESWNeswn"), ODD),
    "from": st.one_of(st.sampled_from(("left", "across", "right", "LEFT")), ODD),
    "scores": st.one_of(st.sampled_from(("25000", "0,1,2,3", "-500", "²", "1" * 40, "--5")), ODD),
    "honba": NUMBERS,
    "sticks": NUMBERS,
    "against": NUMBERS,
    "rules": st.one_of(st.sampled_from(("no-red", "tonpu,no-open-tanyao", "no-red,no-red", ",")), ODD),
}


@settings(max_examples=150)
@example("11223m1123789p55z", {}, {"scores": "²"})
@example("11223m1123789p55z", {}, {"scores": "1" * 5_000})
@example("11223m1123789p55z", {}, {"honba": "9" * 30})
@example("11223m1123789p55z", {}, {"sticks": "99"})
@example("11223m1123789p55z", {}, {"honba": "-3", "against": "4"})
@example("1111222233334z", {"--turn": "18"}, {})
@example("1111222233334m", {}, {"offered": "4m"})
@example("19m19p19s1234567z", {}, {"offered": "1m"})
@example("19m19p19s1234567z", {}, {"offered": "9m", "river": "1m"})
@example("23m11p456p789s", {"--melds": "[1111m]"}, {"offered": "4m"})
@example("12m11z", {"--melds": "3333m 111m 222m"}, {"river": "9p"})
@given(WORDS, st.fixed_dictionaries({}, optional=OPTIONS), st.fixed_dictionaries({}, optional=KEYS))
def test_never_a_traceback(hand: str, options: dict[str, str], keys: dict[str, str]) -> None:
    words = [hand, *(f"{name}={text}" for name, text in options.items()), "--nodes=300", "--json"]
    words.append(f"--state={' '.join(f'{key}={text}' for key, text in keys.items())}")
    run = CliRunner().invoke(app, ["evaluate", "--", *words] if hand.startswith("-") else ["evaluate", *words])
    if run.exit_code == 0:
        told: dict[str, Any] = json.loads(run.stdout)
        values = [action["value"] for action in told["actions"]]
        assert values == sorted(values, reverse=True)
        assert not told.get("furiten") or "ron" not in {action["kind"] for action in told["actions"]}
    elif isinstance(run.exception, InputError):
        assert len(str(run.exception).splitlines()) == 1
    else:
        assert run.exit_code == 2, run.output  # what the command line itself refuses
