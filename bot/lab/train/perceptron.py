"""``oshihiki train perceptron``: fit the perceptron of the CHE paper, and measure it on held-back games."""

from typing import Any

from bot.commands.options import figures_table
from bot.lab import training
from bot.machine.errors import InputError
from bot.machine.outlet import output_screen
from engine.papers.che import training as fitting
from engine.rules.recordings import Split


def perceptron(
    paths: training.Logs,
    out: training.OutWeights = None,
    games: training.GamesOfEach = 0,
    seed: training.Seed = 1,
    jobs: training.ReadJobs = 0,
    json: training.JsonCard = False,
) -> None:
    """Fit the averaged perceptron of the CHE paper on discards of phoenix-room players. It takes about a minute.

    Games held back by their log id are never used for fitting; the printed
    figures are computed on them. What is read is stored on disk for next time.

    Examples:
      oshihiki train perceptron houou-hanchan-00.tar.xz --games 300
      oshihiki train perceptron houou-*.tar.xz --out perceptron.npz
    """
    run = training.WeightsRun("train perceptron", paths, out)
    recordings = run.read(games, jobs)
    to_learn, to_measure = training.hands_of(recordings, Split.TRAIN), training.hands_of(recordings, Split.TEST)
    settings = fitting.PerceptronSettings(seed=seed)
    with training.FittingScreen(run.screen) as shown:
        shown.say("collecting discards")
        rows = fitting.paper_rows(recordings, to_learn)
        if not len(rows.discards):
            raise InputError("none of the games is of the phoenix room; give logs of it")
        shown.say("fitting")
        weights = fitting.fit(
            rows, settings, lambda done, of, wrong: shown.fitted(done, of, f"{done} discards, {wrong:.1%} mistaken")
        )
        shown.say("measuring")
        metrics = {
            "paper": fitting.measure(weights, fitting.paper_rows(recordings, to_measure)),
            "quiet": fitting.measure(weights, fitting.quiet_rows(recordings, to_measure)),
            "all": fitting.measure(weights, fitting.all_rows(recordings, to_measure)),
        }
    card = run.card(
        "a linear score of hands: which of its hands a phoenix-room player keeps",
        settings,
        weights,
        learned_from={"discards": len(rows.discards)},
        metrics=metrics,
    )
    run.finish(weights, card, _show_card, json=json)


def _show_card(card: dict[str, Any]) -> None:
    out = output_screen()
    out.print(
        f"{card['games']['train']} games for fitting, {card['games']['test']} for measuring; {card['parameters']} "
        f"weights, {card['learned_from']['discards']} discards, {card['seconds']} s"
    )
    table = figures_table(
        "held-back discards", "n", *(f"top {first}" for first in range(1, fitting.FIRST + 1)), words=1
    )
    for name, title in (
        ("paper", "the paper's sampling"),
        ("quiet", "the same, hands without a win or riichi too"),
        ("all", "all, not in riichi"),
    ):
        scores = card["metrics"][name]
        shares = [f"{scores[f'top{first}']:.2%}" for first in range(1, fitting.FIRST + 1) if scores["n"]]
        table.add_row(title, str(scores["n"]), *shares)
    out.print(table)
