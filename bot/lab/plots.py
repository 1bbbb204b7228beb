"""Plots of the laboratory, drawn by matplotlib, which the extra "train" has."""

from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from io import StringIO
from pathlib import Path
from typing import Annotated, Any, Final

import numpy as np
import typer

from bot.machine.errors import InputError
from engine.train.scores import Bin

PlotFile = Annotated[Path | None, typer.Option("--plot", help="Also draw the figures into this SVG file.")]
COLOURS: Final = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00")
"""Colours that colour-blind readers can distinguish."""
STYLE: Final = {
    "font.size": 8,
    "axes.prop_cycle": f"cycler('color', {list(COLOURS)})",
    "svg.fonttype": "none",  # text stays text
    "svg.hashsalt": "oshihiki",  # equal figures make equal files
}
"""Settings of matplotlib for every plot."""
SIDE: Final = 2.4
"""Inches of one side of a panel."""

Lines = Mapping[str, Sequence[Bin]]
"""By name, the groups of similar chances that are the dots of a line."""


def load_matplotlib() -> Any:
    """The package matplotlib. A command loads it before its long work, so that it fails early.

    Raises:
        InputError: it is not installed.
    """
    try:
        import_module("matplotlib.figure")
        return import_module("matplotlib")
    except ImportError as error:
        said = f"--plot needs matplotlib ({error}); install it with: pip install 'oshihiki[train]'"
        raise InputError(said) from error


def svg_of(width: float, height: float, draw: Callable[[Any], None]) -> str:
    """The text of an SVG file with a matplotlib figure of that size in inches, which ``draw`` fills."""
    matplotlib, text = load_matplotlib(), StringIO()
    with matplotlib.rc_context(STYLE):
        figure = matplotlib.figure.Figure(figsize=(width, height), layout="constrained")
        draw(figure)
        figure.savefig(text, format="svg", metadata={"Date": None})
    return text.getvalue()


def draw_reliability(panels: Mapping[str, Lines]) -> str:
    """An SVG with one panel for each title and one line for each name; dots are groups of about equal size."""
    names = list(dict.fromkeys(name for lines in panels.values() for name in lines))

    def draw(figure: Any) -> None:
        for at, (title, lines) in enumerate(panels.items(), start=1):
            axes = figure.add_subplot(1, len(panels), at)
            axes.set(title=title, xlabel="stated, %", ylabel="came, %", aspect="equal")
            _draw_lines(axes, {name: lines.get(name, ()) for name in names})
        if panels:
            figure.legend(*axes.get_legend_handles_labels(), loc="outside lower center", ncols=len(names))

    return svg_of(SIDE * max(len(panels), 1), SIDE + 0.6, draw)


def _draw_lines(axes: Any, lines: Lines) -> None:
    most = 0.1
    for name, bins in lines.items():
        said, came = ([100 * getattr(each, of) for each in bins] for of in ("said", "happened"))
        axes.plot(said, came, marker=".", linewidth=1, label=name)
        most = max([most, *said, *came])
    axes.plot((0, most), (0, most), color="#ccc", linestyle="--", zorder=0)
    ticks = [float(f"{most * share:.2g}") for share in (0.01, 0.1, 0.25, 0.5, 1.0)]
    for scale, axis in ((axes.set_xscale, axes.xaxis), (axes.set_yscale, axes.yaxis)):
        # the square root spreads the small chances, which are the most frequent
        scale("function", functions=(lambda value: np.sqrt(np.maximum(value, 0)), np.square))
        axis.set_ticks(ticks, [f"{tick:g}" for tick in ticks])
        axis.set_ticks([], minor=True)
