"""``oshihiki bench danger``: quality and speed of the danger estimators, on games that none of them was fitted on."""

from dataclasses import dataclass
from pathlib import Path
from random import Random
from statistics import fmean
from time import perf_counter
from typing import Annotated, Any, Final

import numpy as np
import typer
from rich.console import Console

from bot.commands import names
from bot.evaluate.guarded import estimator_named
from bot.lab.experiment import Column, Experiment, figures_of, print_table, shown
from bot.lab.plots import PlotFile, draw_reliability, load_matplotlib
from bot.lab.seats import NONE_HELD_BACK, CorpusLogs, EveryGame, games_to_judge_by, recording_paths
from bot.machine.bars import work_bar
from bot.machine.errors import InputError
from bot.machine.outlet import error_screen, output_screen
from bot.machine.outputs import Outputs
from bot.machine.text import brief
from engine.model.tiles import HONOURS
from engine.opponents.danger import DangerEstimator
from engine.opponents.danger_tables import paper_f1
from engine.opponents.registry import ESTIMATORS
from engine.rules.recordings import Split
from engine.train.scores import Scores, score
from engine.train.yardstick import (
    Answers,
    Question,
    WonHand,
    ask,
    best_thresholds,
    f1_by_kind,
    wait_answers,
    won_hands,
)

TITLES: Final = {
    "riichi": "against riichi",
    "open": "against open hands",
    "closed": "against closed hands",
    "all": "all",
}
SHARE: Final = 0.1
"""Share of a game's discards that are used; neighbouring ones are similar."""


def _round(value: Any, digits: int = 1) -> float:
    return round(float(value), digits)


def _scored(name: str, head: str, form: str, digits: int, scale: float = 1.0) -> Column:
    """A figure of scores, rounded to some digits."""

    def figure(scores: Scores) -> float:
        return _round(scale * getattr(scores, name), digits)

    return Column(name, (head,), figure, lambda value: (f"{value:{form}}",))


CHANCES: Final = (
    _scored("log_loss", "log loss", ".5f", 5),
    _scored("auc", "AUC", ".4f", 4),
    _scored("calibration_error", "calibration error", ".2f", 3, 100),  # in percentage points
    Column("rows", ("rows",), lambda scores: scores.n, lambda n: (f"{n:,}",)),
    Column("events", ("deal-ins",), lambda scores: scores.events, lambda n: (f"{n:,}",)),
)
"""The figures of scores, and below those of each estimator: their names and the heads of their columns."""
SPEEDS: Final = (
    shown("median", "µs", ",.0f"),
    shown("p99", "p99", ",.0f"),
    shown("even", "F1 even", ".2f"),
    shown("tuned", "F1 tuned", ".2f"),
    shown("mean_said", "predicted", ",.0f"),
    shown("mean_paid", "paid", ",.0f"),
    shown("mean_error", "mean error", ",.0f"),
)


@dataclass(frozen=True, kw_only=True)
class Dangers(Experiment):
    """Compare danger estimators with the hidden hands of games that no table or network was fitted on.

    A row is a tile, an opponent, and whether that opponent could win on it. All estimators get the same questions.

    Examples:
      oshihiki bench danger --logs recordings/ --json
      oshihiki bench danger --logs my-games/ --every-game --estimator suji --estimator model
    """

    logs: CorpusLogs = None
    every_game: EveryGame = False
    plot: PlotFile = None
    estimator: Annotated[
        list[str] | None,
        typer.Option("--estimator", help="Estimator to measure; default: all.", autocompletion=names.estimators),
    ] = None
    points: Annotated[int, typer.Option(min=1, help="Number of discards to ask about.")] = 10_000
    wins: Annotated[
        int, typer.Option(min=0, help="Number of won hands for F1, and of those that set its thresholds.")
    ] = 1_000

    def figures(self) -> dict[str, Any]:
        """The figures of each estimator; also draws the plot."""
        screen = error_screen()
        makers = [_made(name) for name in self.estimator or ESTIMATORS]
        paths = recording_paths(self.logs)
        outputs = Outputs("--plot", paths, self.plot)
        if self.plot is not None:
            load_matplotlib()
        questions, hands, games = gather(paths, self.points, self.wins, screen, every_game=self.every_game)
        measured = {each.name: measure(each, questions, hands, screen) for each in makers}
        if self.plot is not None:
            panels = {
                title: {name: groups[group].bins for name, (_, groups) in measured.items() if group in groups}
                for group, title in TITLES.items()
            }
            outputs.write(self.plot, draw_reliability(panels))
        return {
            "games": games,
            "questions": len(questions),
            "won_hands": {"test": len(hands[Split.TEST]), "validation": len(hands[Split.VALIDATION])},
            "estimators": {name: figures for name, (figures, _) in measured.items()},
            "paper_f1": paper_f1(),
        }

    def show(self, figures: dict[str, Any]) -> None:
        """Print chances by opponent, and each estimator's speed, F1 and points."""
        questions, games = figures["questions"], figures["games"]
        output_screen().print(f"{questions:,} discards of {games:,} games not used for fitting", highlight=False)
        for part, title in (("thrown", "the tile discarded"), ("could", "every kind that could have been discarded")):
            rows = [
                {"against": group, "estimator": name, **found[part][group]}
                for group in (*TITLES, *(("anyone",) if part == "thrown" else ()))
                for name, found in figures["estimators"].items()
            ]
            print_table(rows, ("against", "estimator"), CHANCES, title)
        rows = [
            {
                "estimator": name,
                "median": found["us"]["median"],
                "p99": found["us"]["p99"],
                **{rule: f1["all"] for rule, f1 in found["f1"].items()},
                **{key: found["loss"].get(key, 0) for key in ("mean_said", "mean_paid", "mean_error")},
            }
            for name, found in figures["estimators"].items()
        ]
        rows += [{"estimator": f"paper's ({name})", "even": mean} for name, mean in figures["paper_f1"].items()]
        print_table(rows, ("estimator",), SPEEDS, "speed, waits of won hands, points of deal-ins")


def _made(name: str) -> DangerEstimator:
    made, instead = estimator_named(name)
    if instead:
        raise InputError(instead)
    return made


def gather(
    paths: list[Path], points: int, wins: int, screen: Console, *, every_game: bool
) -> tuple[list[Question], dict[Split, list[WonHand]], int]:
    """Collect questions and won hands, and count the games they come from.

    Raises:
        InputError: no game is held back, or no game could be read.
    """
    chance = Random(0)  # noqa: S311 - a sample, nothing secret
    questions: list[Question] = []
    hands: dict[Split, list[WonHand]] = {Split.TEST: [], Split.VALIDATION: []}
    games = 0
    with work_bar(screen) as progress:
        task = progress.add_task("reading games", total=points)
        for log, split in games_to_judge_by(paths, screen, every_game=every_game):
            try:
                if split is Split.TEST and len(questions) < points:
                    questions.extend(ask(log.events, SHARE, chance))
                    games += 1
                if len(hands[split]) < wins:
                    hands[split].extend(won_hands(log.events))
            except ValueError as error:  # hands are hidden
                screen.print(brief(f"{log.source}: {error}", 300), style="yellow", markup=False, highlight=False)
            progress.update(task, completed=min(len(questions), points))
            enough = every_game or len(hands[Split.VALIDATION]) >= wins
            if len(questions) >= points and len(hands[Split.TEST]) >= wins and enough:
                break
    if not questions:
        raise InputError(NONE_HELD_BACK)
    return questions[:points], {split: found[:wins] for split, found in hands.items()}, games


def measure(
    estimator: DangerEstimator, questions: list[Question], hands: dict[Split, list[WonHand]], screen: Console
) -> tuple[dict[str, Any], dict[str, Scores]]:
    """The figures of one estimator, and the scores by group for the diagram."""
    answers = Answers()
    seconds = np.empty(len(questions))
    estimator.estimate(questions[0].state)  # loads what is loaded only once
    with work_bar(screen) as progress:
        task = progress.add_task(f"asking {estimator.name}", total=len(questions))
        for number, question in enumerate(questions):
            began = perf_counter()
            danger = estimator.estimate(question.state)
            seconds[number] = perf_counter() - began
            answers.add(question, danger)
            progress.advance(task)
    could, thrown = answers.scores(thrown=False), answers.scores(thrown=True)
    thrown["anyone"] = score(answers.anyone["said"], answers.anyone["true"])
    figures: dict[str, Any] = {
        "us": {"median": _round(np.median(seconds) * 1e6), "p99": _round(np.quantile(seconds, 0.99) * 1e6)},
        "thrown": {group: figures_of(scores, CHANCES) for group, scores in thrown.items()},
        "could": {group: figures_of(scores, CHANCES) for group, scores in could.items()},
        "loss": {name: _round(value) for name, value in answers.losses().items()},
        "f1": wait_f1(estimator, hands),
    }
    worlds = getattr(estimator, "worlds", 0)
    if worlds:
        figures["worlds_per_s"] = _round(worlds / np.median(seconds), 0)
    return figures, could


def wait_f1(estimator: DangerEstimator, hands: dict[Split, list[WonHand]]) -> dict[str, Any]:
    """Mean F1 of predicting the waits of won hands, in percent.

    ``even``: a wait is predicted if its chance is above the kind's base rate, as networks trained on balanced samples
    do; ``tuned``: above the threshold that is best on hands of the validation split, if there are any.
    """
    test, validation = (wait_answers(hands[split], estimator.estimate) for split in (Split.TEST, Split.VALIDATION))
    if not len(test):
        return {}
    said, true = test["said"], test["true"]
    figures = {"even": _means(f1_by_kind(said, true, true.mean(axis=0).astype(np.float32)))}
    if len(validation):
        best = best_thresholds(validation["said"], validation["true"])
        figures["tuned"] = _means(f1_by_kind(said, true, best))
    return figures


def _means(f1: list[float]) -> dict[str, float]:
    points = [100 * each for each in f1]
    return {
        "all": _round(fmean(points), 2),
        "numbers": _round(fmean(points[:HONOURS]), 2),
        "honours": _round(fmean(points[HONOURS:]), 2),
    }


bench_danger = Dangers.command()
