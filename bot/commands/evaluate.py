"""``oshihiki evaluate``: its options, and what each action of a hand is worth."""

import gc
import json as json_text
import re
from collections.abc import Collection, Mapping
from enum import Enum
from time import perf_counter
from typing import Annotated, Final

import typer

from bot.commands import names
from bot.commands.options import Fetch, JsonAll
from bot.evaluate.guarded import evaluator_named
from bot.evaluate.hand_fields import fields
from bot.evaluate.hands import KEYS, OPPONENTS, read_keys, read_position, read_table
from bot.machine.errors import InputError
from bot.machine.outlet import error_screen, output_screen, prints_to_stderr
from bot.machine.outside import find_here_too
from engine.model.budget import Budget
from engine.registry import Named
from engine.search.position import Position, PositionError
from engine.search.registry import EVALUATORS
from engine.warmup import preparations_of, uncompiled

Hand = Annotated[
    str, typer.Argument(help="Concealed tiles: 14 with the one to discard, or 13: 123m406p11567s1z, 123m406p11567sE…")
]
Melds = Annotated[str, typer.Option(help="123p (chi), 555z (pon), 5555s (kan), [1111m] (closed kan).")]
Dora = Annotated[str, typer.Option(help="Dora tiles (not their indicators).")]
Turn = Annotated[int | None, typer.Option(min=1, max=18, help="Number of the discard in the hand; default: 6.")]
State = Annotated[
    str,
    typer.Option(
        help="The table: a position in a log, LOG#E3-1/turn9/seat2, or words KEY=VALUE; keys: "
        f"{', '.join(key for key in KEYS if key not in {'hand', 'melds', 'dora', 'turn'})}."
    ),
]
EvaluatorText = Annotated[
    str, typer.Option(help="Evaluator: NAME[:KEY=VALUE,...] or module:Class.", autocompletion=names.evaluators)
]
Nodes = Annotated[
    int | None, typer.Option(min=1, help="Maximum number of hands searched; the search is reduced to fit.")
]
Ranking = Annotated[
    str | None,
    typer.Option(
        help="Policy that ranks the actions of a position in a log, or beside the others' discards.",
        autocompletion=names.policies,
    ),
]
DangerName = Annotated[
    str, typer.Option(help="Danger estimator whose columns are shown then.", autocompletion=names.estimators)
]

_IN_A_LOG: Final = re.compile(r"#[ESWN][1-4](-[0-9]+)?/turn")
"""What makes a text a position in a log, and no table in words."""


class _Asked(Enum):
    """What a position is given by, and who values it."""

    LOG = "a position in a log: a policy ranks the actions"
    TABLE = "a table with the others' discards: a policy ranks the actions"
    HAND = "a hand alone: an evaluator values the actions"


_NO_EFFECT: Final[Mapping[_Asked, Mapping[str, str]]] = {
    _Asked.LOG: dict.fromkeys(
        ("hand", "melds", "dora", "turn", "evaluator"), "--state gives the whole position; leave out {name}"
    ),
    _Asked.TABLE: {
        name: f"{{name}} has no effect beside the others' discards; leave it out: {why}"
        for name, why in (
            ("turn", "the discards show what turn it is"),
            ("against", "write a star after the tile with which riichi was declared, as in right=4z1m*"),
            ("visible", "write the tiles into right, across and left"),
            ("offered", "right, across and left require an own turn"),
            ("from", "right, across and left require an own turn"),
            ("fetch", "it is for an address in --state"),
            ("evaluator", "a policy ranks the actions; choose it with --policy"),
        )
    },
    _Asked.HAND: dict.fromkeys(
        ("policy", "danger", "fetch"),
        "{name} has no effect on a hand alone, which --evaluator values; leave it out, or write the others' discards "
        "or a position in a log into --state, where a policy ranks the actions",
    ),
}
"""By option or key, why it has no effect there."""

QUICK: Final = 100_000
"""Maximum number of hands searched unless ``--nodes`` is given; the answer comes well within a second."""
THOROUGH: Final = 2_000_000
"""Maximum where the evaluator's settings request a search of a certain size."""
SIZES: Final = {"exchanges", "calls"}
"""Settings that request a certain size."""


def evaluate(
    context: typer.Context,
    hand: Hand = "",
    melds: Melds = "",
    dora: Dora = "",
    turn: Turn = None,
    state: State = "",
    fetch: Fetch = False,
    evaluator: EvaluatorText = "dag",
    policy: Ranking = None,
    danger: DangerName = "model",
    nodes: Nodes = None,
    json: JsonAll = False,
) -> None:
    """Show what each discard, riichi, kan or call of a hand is worth, best first; of 13 tiles also what draws lead to.

    Given the others' discards, or a position in a log, a policy ranks the actions, and each tile's danger is shown.

    Examples:
      oshihiki evaluate 2345m4067p34588s1z --dora 9s --turn 8 --evaluator dag:model=draws
      oshihiki evaluate 4056p346s --melds "234m PPP" --state "offered=7s from=left seat=E"
      oshihiki evaluate 234m33345p45667s9m --dora 4p --state "right=4z1m* left=9p8p scores=21000,33000,25000,21000"
      oshihiki evaluate --state game.xml#E3-1/turn9/seat2
    """
    sources = {name: context.get_parameter_source(name) for name in context.params}
    options = {name for name, source in sources.items() if source is not None and source.name == "COMMANDLINE"}
    keys = {} if _IN_A_LOG.search(state) else _keys({"hand": hand, "melds": melds, "dora": dora, "turn": turn}, state)
    asked = _Asked.LOG if _IN_A_LOG.search(state) else _Asked.TABLE if keys.keys() & OPPONENTS else _Asked.HAND
    for name in sorted(options | keys.keys()):
        if name in _NO_EFFECT[asked]:
            raise InputError(_NO_EFFECT[asked][name].format(name=_written(name)))
    if asked is _Asked.HAND:
        if "from" in keys and "offered" not in keys:
            raise InputError("from says who discarded the tile of offered; give offered as well, or leave it out")
        _evaluate(read_position(read_table(keys)[0]), evaluator, nodes, json=json)
        return
    from bot.commands.options import judge_of  # noqa: PLC0415 - a hand alone is quicker without
    from bot.evaluate.state_table import AnalysisOptions, show_place, show_view  # noqa: PLC0415 - as above

    how = AnalysisOptions(judge_of(policy, None), danger, nodes, json, fetch)
    _get_ready(how.player.needs)
    if asked is _Asked.LOG:
        show_place(state, how)
    else:
        show_view(*read_table(keys), how)


def _keys(options: Mapping[str, str | int | None], state: str) -> dict[str, str]:
    """The table as keys and values, from the words of ``--state`` and the options for what is given most often."""
    keys = read_keys(state)
    for key, value in options.items():
        if value and key in keys:
            raise InputError(f"{key} is given twice")
        if value:
            keys[key] = str(value)
    return keys


def _written(name: str) -> str:
    """How an option, or a key that ``--state`` may hold instead, is named in a message."""
    return "the hand" if name == "hand" else name if name in KEYS else f"--{name}"


def _evaluate(position: Position, text: str, nodes: int | None, *, json: bool) -> None:
    """Print the values that the evaluator of that name gives the actions of a hand."""
    chosen = _evaluator(text)
    most = nodes or (THOROUGH if SIZES & chosen.options.keys() else QUICK)
    _get_ready(EVALUATORS.needs(chosen.name, chosen.options))
    asked = evaluator_named(chosen.name, chosen.options)
    started = perf_counter()
    try:
        evaluation = asked.evaluate(position, budget=Budget(nodes=most))
    except PositionError as error:
        raise InputError(str(error)) from error
    milliseconds = 1_000 * (perf_counter() - started)
    if json:
        typer.echo(json_text.dumps(fields(position, evaluation, milliseconds)))
    else:
        from bot.evaluate.hand_table import render  # noqa: PLC0415

        out = output_screen()
        out.print(render(position, evaluation, milliseconds, out.width))


def _get_ready(needs: Collection[str]) -> None:
    """Load what is needed, and compile it the first time, before the time is measured."""
    gc.disable()  # the process ends after one answer
    wanted = preparations_of(needs)
    if uncompiled(wanted):
        from bot.machine.preparation import warm_up  # noqa: PLC0415

        warm_up(error_screen(), needs)
    for step in wanted:
        step.load()


def _evaluator(text: str) -> Named:
    """The evaluator that ``--evaluator`` names, with its settings."""
    find_here_too(text)
    try:
        with prints_to_stderr():
            return EVALUATORS.parse(text)
    except ValueError as error:
        raise InputError(f"--evaluator: {error}") from None
