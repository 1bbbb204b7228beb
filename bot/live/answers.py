"""What a person types at the terminal, as actions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from engine.model.actions import DISCARDS, PASS, Action, ActionKind
from engine.model.tiles import format_tile, format_tiles
from engine.state import GameState

LETTERS: Final = {
    ActionKind.RIICHI: "r", ActionKind.TSUMO: "t", ActionKind.RON: "t", ActionKind.NINE_TERMINALS: "9",
    ActionKind.CHI: "c", ActionKind.PON: "p", ActionKind.DAIMINKAN: "k", ActionKind.ANKAN: "k", ActionKind.KAKAN: "k",
}  # fmt: skip
"""What begins the answer for each kind of action; a discard is the tile alone."""
HONOURS: Final = {"e": "1z", "s": "2z", "w": "3z", "n": "4z", "東": "1z", "南": "2z", "西": "3z", "北": "4z",
                  "白": "5z", "發": "6z", "発": "6z", "中": "7z"}  # fmt: skip
"""Other ways to write honours."""


def answers(state: GameState, legal: Sequence[Action]) -> dict[str, Action]:
    """The legal actions by what is typed for each; a tile that was just drawn is preferred to its look-alikes."""
    found: dict[str, Action] = {}
    red_fives = state.rules.red_fives
    for action in sorted(legal, key=lambda one: one.tile != state.drawn):
        if action == PASS:
            found.setdefault("", action)
            continue
        tile = format_tile(action.tile, red_fives) if action.tile >= 0 else ""
        letter = LETTERS.get(action.kind, "")
        if action.kind is ActionKind.CHI:
            text = letter + format_tiles(action.own, red_fives)
        elif action.kind in DISCARDS or action.kind in {ActionKind.ANKAN, ActionKind.KAKAN}:
            text = letter + tile
        else:
            text = letter + (format_tiles(action.own, red_fives) if action.own and letter in found else "")
        found.setdefault(text, action)
    drawn = next((one for one in legal if one.kind is ActionKind.DISCARD and one.tile == state.drawn), None)
    if drawn is not None:
        found["d"] = drawn
    return found


def choices(state: GameState, legal: Sequence[Action]) -> str:
    """What may be typed, in words."""
    found = answers(state, legal)
    discards = any(action.kind is ActionKind.DISCARD for action in legal)
    parts = ["type a tile to discard it (0m 0p 0s: red), d: the drawn tile"] if discards else []
    parts += [
        f"{text}: {action.kind.name.lower().replace('_', ' ')}"
        for text, action in found.items()
        if text and text != "d" and action.kind is not ActionKind.DISCARD
    ]
    parts += ["Enter: pass"] if "" in found else []
    return ", ".join(parts)


def parse_answer(text: str, state: GameState, legal: Sequence[Action]) -> Action | str:
    """The action that was typed, or what is wrong with it."""
    typed = text.strip().lower()
    found = answers(state, legal)
    named = HONOURS.get(typed, HONOURS.get(typed[1:], "") and typed[:1] + HONOURS[typed[1:]])
    action = found.get(typed) or (found.get(named) if named else None)
    if action is not None:
        return action
    return f"{typed!r} is not possible here" if typed.isprintable() and len(typed) < 20 else "that is not possible here"
