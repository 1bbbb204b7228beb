"""A decision in words: its grounds, its mode, and the values of its candidates.

The catalogue of a language, ``grounds.LANG.json``, holds for each kind of ground a template, in which a figure stands
as ``{name}``. Where the words depend on a figure the template is an object instead: ``by`` names the figure, the other
keys are its values, and ``other`` serves for the rest.
"""

from collections.abc import Callable, Mapping
from functools import cache
from typing import Final, TypeAlias

from bot.machine.text import brief, fill
from bot.wording.languages import EXACT, Lang, decimals_of, number, percent, table
from engine.policy.decision import Decision
from engine.policy.grounds import FIGURES, Figure, Ground, Note, Unit

Template: TypeAlias = str | Mapping[str, str]
Tiles: TypeAlias = Callable[[str], str]

_NUMBERS: Final[Mapping[Unit, Callable[[float], str]]] = {
    Unit.CHANCE: percent,
    Unit.RISK: lambda chance: percent(chance, 1),
    Unit.POINTS: number,
    Unit.AMOUNT: lambda amount: number(amount, EXACT),
    Unit.COUNT: number,
}
_WORDS: Final = {"attack": "push"}


@cache
def _catalogue(lang: Lang) -> Mapping[str, Mapping[str, Template]]:
    return table("bot.wording", "grounds", lang)


def word(ground: Ground, lang: Lang = Lang.EN, tiles: Tiles = str) -> str:
    """A ground as a phrase.

    Args:
        ground: what is to be worded.
        lang: the language.
        tiles: writes tiles, given as mpsz text such as ``'36p1z'``; as they are unless another is given.
    """
    template = _catalogue(lang)["grounds"][ground.kind]
    written = {name: _write(unit, ground.figures[name], lang, tiles) for name, unit in FIGURES[ground.kind].items()}
    return fill(_variant(template, ground.figures), **written)


def words(decision: Decision, lang: Lang = Lang.EN) -> list[str]:
    """The grounds of a decision as phrases, the most important first."""
    return [word(each, lang) for each in decision.grounds]


def note_word(note: Note, lang: Lang = Lang.EN) -> str:
    """A candidate's note in a word or two."""
    return str(_catalogue(lang)["notes"][note])


def _variant(template: Template, figures: Mapping[str, Figure]) -> str:
    if isinstance(template, str):
        return template
    return template.get(str(figures[template["by"]]), template["other"])


def _write(unit: Unit, figure: Figure, lang: Lang, tiles: Tiles) -> str:
    if isinstance(figure, Ground):
        return word(figure, lang, tiles)
    if isinstance(figure, tuple):
        return str(_catalogue(lang)["lists"]["separator"]).join(word(each, lang, tiles) for each in figure)
    if isinstance(figure, str):
        return tiles(figure) if unit is Unit.TILES else brief(figure)
    if unit in {Unit.SEAT, Unit.SHANTEN}:
        return _variant(_catalogue(lang)["units"][unit], {"n": figure}).format(n=figure)
    return _NUMBERS[unit](figure)


def value_unit(decision: Decision) -> str:
    """The unit of :func:`value_text`."""
    return "points" if decision.points(0.0) is not None else decision.unit or "value"


def value_text(decision: Decision, value: float) -> str:
    """A value of the decision, in points or with as many decimals as its noise leaves."""
    points = decision.points(value)
    return number(value, decimals_of(decision.noise)) if points is None else number(points)


def mode_word(mode: object) -> str:
    """The word that people read: records and JSON say ``attack`` for what every page and text calls a push."""
    return _WORDS.get(str(mode), str(mode))
