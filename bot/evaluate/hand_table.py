"""The table of ``oshihiki evaluate`` for people: one action per row, best first; tiles in colours."""

from collections.abc import Iterable, Sequence
from math import isnan
from typing import Final

from rich import box
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from bot.evaluate.hand_fields import Draws, draws_of, furiten_after, improves, shapes_after, tile_of, value_words
from bot.machine.text import plural
from engine.model.actions import DISCARDS, Action, ActionKind
from engine.model.tiles import DORA_AFTER, TILE34, TILE37, format_tile37, format_tiles
from engine.search.evaluator import Choice, Evaluation, Worth
from engine.search.position import Position
from engine.shanten import Ukeire

COPIES: Final = "₀₁₂₃₄"
SUIT_STYLES: Final = {"m": "red", "p": "cyan", "s": "green", "z": "magenta"}
BARS: Final = " ▁▂▃▄▅▆▇█"
SIDES: Final = ("", "the right", "across", "the left")
WIDE: Final = 108
"""Width in columns from which each row has its curve; below it, the best few rows have one underneath."""
CURVES: Final = 4
"""Number of curves shown underneath."""
_FURITEN: Final = ("furiten", "red")
"""The word and its style."""


def tile_text(tile37: int) -> Text:
    """A tile in its suit's colour."""
    name = format_tile37(tile37)
    return Text(name, style=SUIT_STYLES[name[1]])


def tiles_text(tiles37: Iterable[int]) -> Text:
    """Tiles in the order given, each as a word."""
    return Text(" ").join(map(tile_text, tiles37))


def copies_text(found: Ukeire) -> Text:
    """Tiles, each with the number of copies left: ``2₄5₃m1₂z``."""
    text = Text()
    suit = ""
    for kind, copies in found.tiles:
        name = format_tile37(kind)
        rank, its_suit = name[0], name[1]
        if suit and its_suit != suit:
            text.append(f"{suit} ", style=SUIT_STYLES[suit])
        suit = its_suit
        text.append(rank, style=SUIT_STYLES[suit]).append(COPIES[copies], style="dim")
    return text.append(suit, style=SUIT_STYLES[suit]) if suit else text


def state_action_text(action: Action, *, red_fives: bool = True) -> Text:
    """An action of a seat in a game in a few words; a discard is its tile."""
    looks = TILE37 if red_fives else TILE34
    if action.kind is ActionKind.DISCARD:
        return tile_text(looks[action.tile])
    text = Text(action.kind.name.lower().replace("_", " "), style="bold")
    if action.tile >= 0:
        text = text + Text(" ") + tile_text(looks[action.tile])
    if action.own:
        text = text + Text(" with ", style="dim") + tiles_text(looks[tile] for tile in action.own)
    return text


def bars(values: Sequence[float], top: float) -> str:
    """A chart of one line: one column per value, full at ``top``; blank for NaN."""
    scale = (len(BARS) - 1) / top if top > 0 else 0.0
    return "".join(
        " " if isnan(value) else BARS[round(min(max(value * scale, 0.0), len(BARS) - 1.0))] for value in values
    )


def action_text(position: Position, choice: Choice, then34: int = -1) -> Text:
    """An action in a few words; a discard is its tile."""
    if choice.kind is ActionKind.PASS and position.offered < 0:
        return Text("as it is")
    tile = tile_of(position, choice)
    if choice.kind is ActionKind.DISCARD:
        return tile_text(tile)
    text = Text(choice.kind.name.lower(), style="bold")
    if tile >= 0:
        text = text + Text(" ") + tile_text(tile)
    if choice.own34:
        text = text + Text(" with ", style="dim") + tiles_text(choice.own34)
    if then34 >= 0:
        text = text + Text(", discard ", style="dim") + tile_text(then34)
    return text


def render(position: Position, evaluation: Evaluation, milliseconds: float, width: int) -> RenderableType:
    """The table for people, for a screen of ``width`` columns."""
    wide = width >= WIDE
    to_discard = any(worth.choice.kind in DISCARDS for worth in evaluation.actions)
    top = max(
        (share for worth in evaluation.actions for share in worth.p_win_by_draws if not isnan(share)), default=0.0
    )
    table = _columns("discard" if to_discard else "action", evaluation.unit, "win", "tenpai", "a win")
    if to_discard:
        table.add_column("shanten" if wide else "sh.", justify="right")
        table.add_column("ukeire", justify="right")
        table.add_column("copies of", overflow="fold")
    if wide:
        table.add_column("win by draws left")
    barred = [furiten_after(position, one.choice, one.then34) is True for one in evaluation.actions]
    if any(barred):
        table.add_column()
    for place, (worth, no_ron) in enumerate(zip(evaluation.actions, barred, strict=True)):
        cells: list[RenderableType] = [
            action_text(position, worth.choice, worth.then34),
            f"{worth.value:,.0f}" if abs(worth.value) >= 10 else f"{worth.value:.3f}",
            _percent(worth.p_win),
            _percent(worth.p_tenpai),
            "" if worth.win_points is None or not worth.p_win else f"{worth.win_points:,.0f}",
        ]
        if to_discard:
            found = improves(position, worth.choice)
            cells += ["", "", ""] if found is None else [str(found.shanten), str(found.total), copies_text(found)]
        if wide:
            cells.append(Text(bars(worth.p_win_by_draws, top), style="blue"))
        if any(barred):
            cells.append(Text.assemble(_FURITEN) if no_ron else "")
        table.add_row(*cells, style="bold" if place == 0 else None)
    beside = [] if not to_discard else _beside(position, [worth.choice for worth in evaluation.actions])
    curves = [] if wide else [_curves(position, evaluation.actions, top)]
    draws = draws_of(position)
    led = [] if draws is None else _draws(draws, closed=position.closed)
    return Group(*_heading(position), *led, table, *beside, *curves, _footing(evaluation, milliseconds))


def _beside(position: Position, choices: Sequence[Choice]) -> list[RenderableType]:
    """What the best discard gains and loses against the next, and what improves the hand after either, no nearer."""
    found = [(choice, ukeire) for choice in choices if (ukeire := improves(position, choice)) is not None]
    different = [(choice, each) for choice, each in found if choice.tile34 != found[0][0].tile34]
    if not different:
        return []
    (first, best), (second, other) = found[0], different[0]
    lines = []
    for name, one, two in (("gains", best, other), ("loses", other, best)):
        only = tuple(each for each in one.tiles if each not in two.tiles)
        lines.append((name, Ukeire(one.shanten, only, sum(copies for _, copies in only))))
    best_tile, other_tile = (tile_text(tile_of(position, choice)) for choice in (first, second))
    text = best_tile + Text(" instead of ", style="dim") + other_tile
    for name, each in lines:
        text += Text(f"  {name} {each.total} ", style="dim") + copies_text(each)
    shown: list[RenderableType] = [text]
    for choice, tile in ((first, best_tile), (second, other_tile)):
        shapes = shapes_after(position, choice)
        if shapes.tiles:
            shown.append(Text("improve it, no nearer, after ", style="dim") + tile + Text("  ") + copies_text(shapes))
    return [*shown, Text()]


def _columns(name: str, *figures: str) -> Table:
    """A table that begins with a column of names and columns of figures."""
    table = Table(name, box=box.SIMPLE_HEAD, pad_edge=False)
    for title in figures:
        table.add_column(title, justify="right", overflow="fold")
    return table


def _draws(draws: Draws, *, closed: bool) -> list[RenderableType]:
    """The waits, or the improving draws, of a hand of 13 tiles, and the hand after each draw."""
    tenpai = draws.hand.shanten == 0
    name = "tenpai, waits" if tenpai else f"{draws.hand.shanten}-shanten, ukeire"
    line = Text(f"\n{name} {draws.hand.total}  ") + copies_text(draws.hand)
    if draws.furiten:
        line.append("\n").append(*_FURITEN).append(", no ron: ")
        river = tiles_text(draws.furiten34)
        line += river + Text(" in the own river") if draws.furiten34 else Text("a win was passed")
    table = _columns("wait" if tenpai else "drawn", "copies")
    if tenpai:
        for title in ("ron", "self-draw", "ron in riichi"):
            table.add_column(title)
    else:
        table.add_column("then discard")
        table.add_column("shanten", justify="right")
        table.add_column("ukeire", justify="right")
        table.add_column("copies of", overflow="fold")
    for one in draws.each:
        if one.gone:
            cells = [Text("none left"), Text("none left"), Text("")]
        elif draws.furiten:
            cells = [Text("furiten"), Text(value_words(one.tsumo)), Text("furiten" if closed else "")]
        elif one.after is None:
            cells = [Text(value_words(one.ron)), Text(value_words(one.tsumo))]
            cells.append(Text("" if one.riichi is None else value_words(one.riichi)))
        else:
            cells = [tiles_text(one.discards34), Text(str(one.after.shanten)), Text(str(one.after.total))]
            cells.append(copies_text(one.after))
        table.add_row(tile_text(one.tile34), str(one.copies), *cells)
    return [line, table] if draws.each else [line]


def _curves(position: Position, actions: Sequence[Worth], top: float) -> RenderableType:
    shown = [worth for worth in actions if len(worth.p_win_by_draws) > 1][:CURVES]
    grid = Table.grid(padding=(0, 1))
    for worth in shown:
        grid.add_row(
            action_text(position, worth.choice, worth.then34),
            Text(bars(worth.p_win_by_draws, top), style="blue"),
            Text(_percent(worth.p_win), style="dim"),
        )
    return Group(Text("win by draws left", style="dim"), grid, Text()) if shown else Text()


def _percent(share: float | None) -> str:
    return "" if share is None else f"{share:.1%}"


def _heading(position: Position) -> list[Text]:
    red = position.rules.red_fives
    text = Text(format_tiles(position.concealed, red), style="bold")
    for meld in position.melds:
        text.append(f"  {format_tiles(meld.tiles, red)}", style="bold dim")
    if position.offered >= 0:
        text.append(f"   {SIDES[position.offered_by]} discards ", style="dim")
        text.append(format_tiles([position.offered], red), style="bold")
    winds = "ESWN"
    facts = [f"round {winds[position.round_wind - 27]}", f"seat {winds[position.seat_wind - 27]}"]
    dora = tiles_text(DORA_AFTER[tile >> 2] for tile in position.dora_indicators).plain
    facts += [f"dora {dora}"] * bool(dora)
    facts += [f"{position.honba} honba"] * bool(position.honba)
    facts += [f"{position.riichi_sticks} on the table"] * bool(position.riichi_sticks)
    facts += [f"{position.riichi_against} in riichi"] * bool(position.riichi_against)
    facts.append(f"{plural(position.draws_left, 'draw')} left")
    return [text, Text(" · ".join(facts), style="dim")]


def _footing(evaluation: Evaluation, milliseconds: float) -> Text:
    """The extent of the search, as far as the evaluator counts it."""
    facts = [f"{evaluation.shanten}-shanten"]
    if evaluation.exchanges >= 0:
        facts += [plural(evaluation.exchanges, "exchange"), plural(evaluation.calls, "call")]
    done = [plural(evaluation.nodes, "hand")] * (evaluation.nodes > 0)
    done += [plural(evaluation.edges, "link")] * (evaluation.edges > 0)
    done.append(f"{milliseconds:.1f} ms")
    text = Text(f"{evaluation.evaluator}: {', '.join(facts)}; {', '.join(done)}", style="dim")
    if not evaluation.complete:
        text.append(" (reduced to the budget)", style="yellow")
    return text
