"""``oshihiki evaluate``: its options, and what each action of a hand is worth."""

import gc
import json as json_text
import re
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from time import perf_counter
from typing import Annotated, Any, Final

import typer

from bot.commands import names
from bot.commands.options import ConfigFile, Fetch, JsonAll, figures_table, print_figures
from bot.evaluate.guarded import evaluator_named
from bot.evaluate.hand_fields import fields, tile_of
from bot.evaluate.hands import VARIANTS, Written, read_position, read_rules
from bot.machine.errors import InputError
from bot.machine.outlet import error_screen, output_screen, prints_to_stderr
from bot.machine.outside import find_here_too
from engine.model.budget import Budget
from engine.model.notation import Notation
from engine.model.tiles import format_tile37
from engine.registry import Named
from engine.search.position import Position, PositionError
from engine.search.registry import EVALUATORS, make_evaluator
from engine.settings import SettingError, read
from engine.warmup import preparations_of, uncompiled

Hand = Annotated[
    str, typer.Argument(help="Concealed tiles: 14 with the one to discard, or 13: 123m406p11567s1z, 123m406p11567sE…")
]
Melds = Annotated[str, typer.Option(help="123p (chi), 555z (pon), 5555s (kan), [1111m] (closed kan).")]
Dora = Annotated[str, typer.Option(help="Dora tiles (not their indicators).")]
Indicators = Annotated[str, typer.Option(help="Dora indicators.")]
Turn = Annotated[int, typer.Option(min=1, max=18, help="Number of the discard in the hand.")]
Round = Annotated[str, typer.Option("--round", help="Wind of the round: E, S or W.")]
SeatWind = Annotated[str, typer.Option(help="Own wind: E, S, W or N.")]
Scores = Annotated[str, typer.Option(help="Own points, or all four beginning with the own seat: 25000,25000,…")]
Honba = Annotated[int, typer.Option(min=0, max=99, help="Number of honba.")]
Sticks = Annotated[int, typer.Option(min=0, max=99, help="Riichi sticks on the table.")]
Against = Annotated[int, typer.Option(min=0, max=3, help="Opponents in riichi.")]
RulesText = Annotated[
    str,
    typer.Option(
        help=f"What differs from a hanchan with red fives and open tanyao: {', '.join(VARIANTS)}.",
        autocompletion=names.rules,
    ),
]
River = Annotated[str, typer.Option(help="Own discards.")]
Visible = Annotated[str, typer.Option(help="Tiles visible in others' rivers and melds.")]
Offered = Annotated[str, typer.Option(help="A tile another player has just discarded (13 tiles in hand).")]
Source = Annotated[str, typer.Option("--from", help="Who discarded it: left, across or right.")]
EvaluatorText = Annotated[
    str,
    typer.Option(
        help="Evaluator: NAME[:KEY=VALUE,...], module:Class, or all.",
        autocompletion=names.evaluators,
    ),
]
ModelName = Annotated[
    str | None,
    typer.Option(help="read: ron, calls, riichi, kans; full: nobody reads the waits; draws: own draws only."),
]
Exchanges = Annotated[int | None, typer.Option("--n", min=0, max=6, help="Maximum number of tiles exchanged.")]
Calls = Annotated[int | None, typer.Option(min=0, max=4, help="Maximum number of calls.")]
Nodes = Annotated[
    int | None, typer.Option(min=1, help="Maximum number of hands searched; the search is reduced to fit.")
]
Right = Annotated[str, typer.Option(help="Discards of the player to the right, a star after the riichi tile: 4z1m*2z.")]
Across = Annotated[str, typer.Option(help="Discards of the player across.")]
Left = Annotated[str, typer.Option(help="Discards of the player to the left.")]
StatePlace = Annotated[str, typer.Option(help="Evaluate a position from a log instead: LOG#E3-1/turn9/seat2.")]
Ranking = Annotated[
    str | None,
    typer.Option(help="Policy that ranks the actions with --state or rivers.", autocompletion=names.policies),
]
Utility = Annotated[
    str | None,
    typer.Option(help="What a result is worth to it: placement, rank, dan, points.", autocompletion=names.utilities),
]
DangerName = Annotated[
    str, typer.Option(help="Danger estimator whose columns are shown then.", autocompletion=names.estimators)
]

Tiles = Annotated[
    Notation, typer.Option(help="How tiles are written: 1z, E, 東, or as mjai does. All are read; --json has mpsz.")
]
Image = Annotated[Path | None, typer.Option(help="Draw the hand and its table into this SVG file.")]

_EVERYWHERE: Final = {"nodes", "json", "tiles", "image"}
_RIVERS: Final = {"policy", "utility", "config", "danger", "right", "across", "left"}
_TABLE: Final = {
    "hand", "melds", "dora", "indicators", "round_", "seat", "scores", "honba", "sticks", "river", "rules",
}  # fmt: skip

PLACE: Final = _EVERYWHERE | {"policy", "utility", "config", "danger", "state", "fetch"}
"""Options that a position in a log takes."""
VIEW: Final = _EVERYWHERE | _TABLE | _RIVERS
"""Options that a hand with the others' rivers takes."""
RANKED: Final = _RIVERS | {"state"}
"""Options with which a policy ranks the actions."""
HAND: Final = (
    _EVERYWHERE | _TABLE | {"turn", "against", "visible", "offered", "source", "evaluator", "model", "n", "calls"}
)
"""Options that a hand alone takes."""

_FLAGS: Final = {"hand": "the hand", "round_": "--round", "source": "--from"}
_BESIDE_RIVERS: Final = {
    "turn": "the rivers show what turn it is",
    "against": "write a star after the tile with which riichi was declared, as in --right '4z1m*'",
    "visible": "write the tiles into --right, --across and --left",
    "offered": "--right, --across and --left require an own turn",
    "source": "--right, --across and --left require an own turn",
    "fetch": "it is for an address in --state",
}

_POINTS: Final = re.compile(r"-?[0-9]{1,6}")

QUICK: Final = 100_000
"""Maximum number of hands searched unless ``--nodes`` is given; the answer comes well within a second."""
THOROUGH: Final = 2_000_000
"""The same if a search of a certain size is requested."""
SIZES: Final = {"exchanges", "calls"}
"""Settings that request a certain size."""
SETTINGS: Final = {"--model": "model", "--n": "exchanges", "--calls": "calls"}
"""Options of the command that set the evaluator's settings of these names, if it has them."""
ALL: Final = "all"
"""The name that stands for every evaluator."""
SMALL: Final = 10
"""Values below it are shown with decimals."""


def given_in(context: typer.Context) -> set[str]:
    """The parameters that were given on the command line."""
    sources = {name: context.get_parameter_source(name) for name in context.params}
    return {name for name, source in sources.items() if source is not None and source.name == "COMMANDLINE"}


def refuse_others(options: Collection[str], taken: Collection[str]) -> None:
    """Refuse options that would have no effect.

    Args:
        options: the options given.
        taken: those that have an effect: :data:`PLACE`, :data:`VIEW` or :data:`HAND`.

    Raises:
        InputError: an option has no effect; the message says what to give instead.
    """
    for name in sorted(set(options) - set(taken)):
        flag = _FLAGS.get(name, f"--{name}")
        if taken is PLACE:
            raise InputError(f"--state gives the whole position; leave out {flag}")
        if taken is HAND:
            raise InputError(
                f"{flag} has no effect on a hand alone, which --evaluator values; leave it out, or give "
                "the others' rivers (--right, --across, --left) or --state, where a policy ranks the actions"
            )
        instead: Mapping[str, str] = _BESIDE_RIVERS
        why = instead.get(name, "a policy ranks the actions; choose it with --policy")
        raise InputError(f"{flag} has no effect beside --right, --across and --left; leave it out: {why}")
    if taken is HAND and "source" in options and "offered" not in options:
        raise InputError("--from says who discarded the tile of --offered; give --offered as well, or leave it out")


def evaluate(
    context: typer.Context,
    hand: Hand = "",
    melds: Melds = "",
    dora: Dora = "",
    indicators: Indicators = "",
    turn: Turn = 6,
    round_: Round = "E",
    seat: SeatWind = "S",
    scores: Scores = "25000",
    honba: Honba = 0,
    sticks: Sticks = 0,
    rules: RulesText = "",
    against: Against = 0,
    river: River = "",
    visible: Visible = "",
    offered: Offered = "",
    source: Source = "left",
    evaluator: EvaluatorText = "dag",
    model: ModelName = None,
    n: Exchanges = None,
    calls: Calls = None,
    nodes: Nodes = None,
    right: Right = "",
    across: Across = "",
    left: Left = "",
    state: StatePlace = "",
    fetch: Fetch = False,
    policy: Ranking = None,
    utility: Utility = None,
    config: ConfigFile = None,
    danger: DangerName = "model",
    tiles: Tiles = Notation.MPSZ,
    image: Image = None,
    json: JsonAll = False,
) -> None:
    """Show what each discard, riichi, kan or call of a hand is worth, best first; of 13 tiles also what draws lead to.

    Given the others' rivers, or a position from a log, a policy ranks the actions, and each tile's danger is shown.

    Examples:
      oshihiki evaluate 2345m4067p34588s1z --dora 9s --turn 8 --seat E --evaluator dag:model=draws
      oshihiki evaluate 2345m4067p34588s1z --evaluator all
      oshihiki evaluate 123m456p78sEE中中中 --tiles kanji --image hand.svg
      oshihiki evaluate 4056p346s --melds "234m PPP" --offered 7s --from left
      oshihiki evaluate 234m33345p45667s9m --dora 4p --right "4z1m*" --left 9p8p
      oshihiki evaluate --state game.xml#E3-1/turn9/seat2
    """
    given = given_in(context)
    picture, points = _not_read(image, state, config), _points(scores)
    asked = None
    if given & RANKED:  # a hand alone is quicker without
        from bot.commands.options import judge_of  # noqa: PLC0415
        from bot.evaluate.state_table import AnalysisOptions  # noqa: PLC0415

        asked = AnalysisOptions(judge_of(policy, config, utility), danger, nodes, json, tiles, picture, fetch)
    refuse_others(given, PLACE if state else VIEW if right or across or left else HAND)
    written = Written(
        hand, melds, dora, indicators, visible, river, turn, round_, seat, offered, source,
        honba, sticks, against, points[0], read_rules(rules))  # fmt: skip
    if asked is None:
        given_settings = {"--model": model, "--n": n, "--calls": calls}
        _evaluate(read_position(written), evaluator, given_settings, nodes, tiles, picture, json=json)
    elif state:
        from bot.evaluate.state_table import show_place  # noqa: PLC0415 - a hand alone is quicker without

        _get_ready(asked.player.needs)
        show_place(state, asked)
    else:
        from bot.evaluate.hands import Rivers  # noqa: PLC0415
        from bot.evaluate.state_table import show_view  # noqa: PLC0415 - a hand alone is quicker without

        _get_ready(asked.player.needs)
        show_view(written, Rivers(right, across, left), points, asked)


def _not_read(image: Path | None, state: str, config: Path | None) -> Path | None:
    """The file of the picture; refuses one that would replace the log or the configuration."""
    if image is None:
        return None
    from bot.config import place_of  # noqa: PLC0415 - rarely needed
    from bot.evaluate.log_place import parse_place  # noqa: PLC0415
    from bot.machine.outputs import Outputs  # noqa: PLC0415

    log = Path(parse_place(state).path) if state else None
    Outputs("--image", [log, place_of(config)], image)
    return image


def _evaluate(
    position: Position,
    text: str,
    given: Mapping[str, Any],
    nodes: int | None,
    tiles: Notation,
    picture: Path | None,
    *,
    json: bool,
) -> None:
    """Print what the evaluator that ``text`` names, with the settings given by options, says of a hand."""
    if text == ALL:
        _get_ready({need for name in EVALUATORS for need in EVALUATORS.needs(name)})
        try:
            show_all(position, nodes or QUICK, json=json)
        except PositionError as error:
            raise InputError(str(error)) from error
        return
    chosen = _evaluator(text, given)
    most = nodes or (THOROUGH if SIZES & chosen.options.keys() else QUICK)
    _get_ready(EVALUATORS.needs(chosen.name, chosen.options))
    asked = evaluator_named(chosen.name, chosen.options)
    started = perf_counter()
    try:
        evaluation = asked.evaluate(position, budget=Budget(nodes=most))
    except PositionError as error:
        raise InputError(str(error)) from error
    milliseconds = 1_000 * (perf_counter() - started)
    if picture is not None:
        from bot.evaluate.picture import position_picture, save_picture  # noqa: PLC0415 - rarely needed

        save_picture(picture, position_picture(position))
    if json:
        typer.echo(json_text.dumps(fields(position, evaluation, milliseconds)))
    else:
        from bot.evaluate.hand_table import TileWriter, render  # noqa: PLC0415

        out = output_screen()
        out.print(render(position, evaluation, milliseconds, out.width, TileWriter(tiles)))


def _get_ready(needs: Collection[str]) -> None:
    """Load what is needed, and compile it the first time, before the time is measured."""
    gc.disable()  # the process ends after one answer
    wanted = preparations_of(needs)
    if uncompiled(wanted):
        from bot.machine.preparation import warm_up  # noqa: PLC0415

        warm_up(error_screen(), needs)
    for step in wanted:
        step.load()


def _evaluator(text: str, given: Mapping[str, Any]) -> Named:
    """The evaluator with its settings, including those given by the command's own options."""
    find_here_too(text)
    try:
        with prints_to_stderr():
            named = EVALUATORS.parse(text)
    except ValueError as error:
        raise InputError(f"--evaluator: {error}") from None
    settings = dict(named.options)
    for option, value in given.items():
        if value is None:
            continue
        try:
            read(EVALUATORS.find(named.name).settings, {SETTINGS[option]: value})
        except SettingError as error:
            raise InputError(f"{option}: {error.reason} (evaluator {named.name})") from None
        settings[SETTINGS[option]] = value
    return Named(named.name, settings)


def _points(text: str) -> tuple[int, int, int, int]:
    parts = text.replace(" ", "").split(",")
    if len(parts) not in {1, 4} or not all(_POINTS.fullmatch(part) for part in parts):
        raise InputError(f"--scores {text!r}: give the own points, or four comma-separated numbers, the own first")
    own, right, across, left = map(int, parts if len(parts) == 4 else parts + ["25000"] * 3)
    return own, right, across, left


def show_all(position: Position, nodes: int, *, json: bool) -> None:
    """Print the best action of each evaluator, its value and the milliseconds it took, in the order of the registry.

    Raises:
        PositionError: the position cannot be evaluated.
    """
    print_figures({"evaluators": list(_rows(position, nodes))}, _show_rows, json=json)


def _show_rows(figures: dict[str, list[dict[str, Any]]]) -> None:
    table = figures_table("evaluator", "best", "value", "win", "ms", words=2)
    for row in figures["evaluators"]:
        value = f"{row['value']:,.0f}" if abs(row["value"]) >= SMALL else f"{row['value']:.3f}"
        win = "" if row["p_win"] is None else f"{row['p_win']:.1%}"
        table.add_row(row["evaluator"], row["action"], value, win, f"{row['ms']:.2f}")
    output_screen().print(table)


def _rows(position: Position, nodes: int) -> Iterator[dict[str, Any]]:
    for name in EVALUATORS:
        evaluator = make_evaluator(name)
        evaluator.evaluate(position, budget=Budget(nodes=1))  # the first call loads what is slow to load
        started = perf_counter()
        evaluation = evaluator.evaluate(position, budget=Budget(nodes=nodes))
        milliseconds = 1_000 * (perf_counter() - started)
        best = evaluation.best
        tile = tile_of(position, best.choice)
        yield {
            "evaluator": evaluation.evaluator,
            "action": str(best.choice),
            "tile": format_tile37(tile) if tile >= 0 else None,
            "value": best.value,
            "unit": evaluation.unit,
            "p_win": best.p_win,
            "ms": round(milliseconds, 3),
        }
