"""The options of ``oshihiki evaluate``: a hand and its table, who evaluates them, and how far."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Annotated, Final

import typer

from bot.machine.errors import InputError
from engine.model.notation import Notation

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
River = Annotated[str, typer.Option(help="Own discards.")]
Visible = Annotated[str, typer.Option(help="Tiles visible in others' rivers and melds.")]
Offered = Annotated[str, typer.Option(help="A tile another player has just discarded (13 tiles in hand).")]
Source = Annotated[str, typer.Option("--from", help="Who discarded it: left, across or right.")]
EvaluatorText = Annotated[str, typer.Option(help="Evaluator: NAME[:KEY=VALUE,...], module:Class, or all.")]
ModelName = Annotated[str | None, typer.Option(help="full: ron, calls, riichi, kans; draws: own draws only.")]
Exchanges = Annotated[int | None, typer.Option("--n", min=0, max=6, help="Maximum number of tiles exchanged.")]
Calls = Annotated[int | None, typer.Option(min=0, max=4, help="Maximum number of calls.")]
Nodes = Annotated[
    int | None, typer.Option(min=1, help="Maximum number of hands searched; the search is reduced to fit.")
]
Right = Annotated[str, typer.Option(help="Discards of the player to the right, a star after the riichi tile: 4z1m*2z.")]
Across = Annotated[str, typer.Option(help="Discards of the player across.")]
Left = Annotated[str, typer.Option(help="Discards of the player to the left.")]
StatePlace = Annotated[str, typer.Option(help="Evaluate a position from a log instead: LOG#E3-1/turn9/seat2.")]
Ranking = Annotated[str | None, typer.Option(help="Policy that ranks the actions with --state or rivers.")]
Utility = Annotated[str | None, typer.Option(help="What a result is worth to it: placement, rank, dan, points.")]
DangerName = Annotated[str, typer.Option(help="Danger estimator whose columns are shown then.")]

Tiles = Annotated[
    Notation, typer.Option(help="How tiles are written: 1z, E, 東, or as mjai does. All are read; --json has mpsz.")
]
Image = Annotated[Path | None, typer.Option(help="Draw the hand and its table into this SVG or PNG file.")]

_EVERYWHERE: Final = {"nodes", "json", "tiles", "image"}
_RIVERS: Final = {"policy", "utility", "config", "danger", "right", "across", "left"}
_TABLE: Final = {
    "hand", "melds", "dora", "indicators", "round_", "seat", "scores", "honba", "sticks", "river",
}  # fmt: skip

PLACE: Final = _EVERYWHERE | {"policy", "utility", "config", "danger", "state"}
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
}


def given(context: typer.Context) -> set[str]:
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
