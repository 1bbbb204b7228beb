"""The options of ``oshihiki evaluate``: a hand and its table, who evaluates them, and how far."""

from __future__ import annotations

from typing import Annotated

import typer

Hand = Annotated[str, typer.Argument(help="Concealed tiles, 14 including the one to discard: 123m406p11567s1z…")]
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
EvaluatorText = Annotated[str, typer.Option(help="Evaluator: NAME[:KEY=VALUE,...] or module:Class.")]
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
Ranking = Annotated[str, typer.Option(help="Policy that ranks the actions with --state or rivers.")]
DangerName = Annotated[str, typer.Option(help="Danger estimator whose columns are shown then.")]
