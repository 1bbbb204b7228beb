"""``oshihiki train selfplay``: let the network of ``phoenix`` learn from its own games."""

import json as json_text
import os
from dataclasses import asdict, replace
from pathlib import Path
from time import perf_counter
from typing import Annotated, Any, Final

import numpy as np
import typer

from bot.commands.options import print_figures, with_interval
from bot.lab import training
from bot.machine.errors import InputError
from bot.machine.journal import Journal
from bot.machine.outlet import error_screen
from bot.machine.preparation import warm_up
from engine.critic.network import CriticWeights, shipped_critic_weights
from engine.networks.imitation import ImitationWeights, shipped_weights

DECISIONS: Final = 5_000_000
QUICK_DECISIONS: Final = 6_000
QUICK_ROUND: Final = 2_000
"""Decisions in all, and in a round, of ``--quick``."""
YARDSTICK_SEED: Final = 1 << 40
"""First seed of the yardstick's walls, which no other match has."""
NEEDS: Final = ("prior", "prior in batches", "simple in batches", "simulator", "critic")
Weighted = Annotated[
    Path | None,
    typer.Option("--out", help="File for the weights (.npz); card, checkpoint and journal are beside it."),
]
Total = Annotated[
    int, typer.Option("--decisions", min=1, help="Decisions of the learner in all, those before --resume included.")
]
Quick = Annotated[bool, typer.Option("--quick", help="Few decisions, to see that all works.")]
Resumed = Annotated[bool, typer.Option("--resume", help="Continue from the checkpoint beside --out.")]
StartFrom = Annotated[
    Path | None,
    typer.Option("--start-from", exists=True, dir_okay=False, help="Begin with these weights instead of phoenix's."),
]
JudgedBy = Annotated[
    Path | None,
    typer.Option("--critic", exists=True, dir_okay=False, help="Begin with this critic (.npz of train critic)."),
]
YardstickGames = Annotated[
    int, typer.Option("--yardstick", min=0, help="Games of each yardstick, rounded up to a multiple of four.")
]
YardstickEvery = Annotated[
    int, typer.Option("--yardstick-every", min=1, help="Decisions from one yardstick to the next.")
]
Threads = Annotated[int, typer.Option("--threads", min=0, help="Threads that play and learn; 0: one per core.")]
Seed = Annotated[int, typer.Option("--seed", min=0, help="Seed of walls, draws and order.")]
Temperature = Annotated[
    float, typer.Option("--temperature", min=0.05, max=2.0, help="At which answers are drawn; 1: as imitated.")
]
Rate = Annotated[float, typer.Option("--rate", min=1e-7, max=1e-2, help="Learning rate; --resume may change it.")]


def selfplay(
    out: Weighted = None,
    decisions: Total = DECISIONS,
    quick: Quick = False,
    resume: Resumed = False,
    start_from: StartFrom = None,
    critic: JudgedBy = None,
    yardstick: YardstickGames = 400,
    every: YardstickEvery = 1_000_000,
    threads: Threads = 0,
    seed: Seed = 1,
    temperature: Temperature = 0.25,
    rate: Rate = 5e-5,
    json: training.JsonCard = False,
) -> None:
    """Let the network of phoenix learn from its own games. Needs torch, which is in the extra "train".

    It plays itself, older selves, phoenix and simple at the tables of the simulator. A critic that sees all hands
    judges what each decision changed; what the draws changed is left out. Every so often a yardstick is played: the
    learner among three phoenix.

    Examples:
      oshihiki train selfplay --quick
      oshihiki train selfplay --out selfplay.npz --decisions 5000000
      oshihiki train selfplay --out selfplay.npz --decisions 50000000 --resume
    """
    outputs = training.outputs_for_weights(out, start_from, critic)
    learning = training.needing_torch("engine.train.selfplay")
    screen, started = error_screen(), perf_counter()
    first = training.weights_of(start_from, ImitationWeights.read, shipped_weights)
    judging = training.weights_of(critic, CriticWeights.read, shipped_critic_weights)
    learner = learning.LearnerSettings(temperature=temperature, rate=rate)
    settings = learning.SelfPlaySettings(seed=seed, threads=threads or os.cpu_count() or 1, learner=learner)
    if quick:
        settings = replace(settings, tables=64, decisions=QUICK_ROUND)
    warm_up(screen, NEEDS)
    run = learning.SelfPlay(first, judging, settings)
    checkpoint, journal = (out and out.with_suffix(suffix) for suffix in (".checkpoint", ".journal"))
    if resume:
        try:
            run.restore(training.checkpoint_to_resume(checkpoint))
        except learning.CheckpointError as error:
            raise InputError(str(error)) from error
    elif journal is not None and checkpoint is not None:
        outputs.refuse_inputs(journal, checkpoint)
        begun = next((each for each in (checkpoint, journal) if each.exists()), None)
        if begun is not None:
            raise InputError(f"{begun}: a run was begun there; go on with --resume, or name another file with --out")
    total = QUICK_DECISIONS if quick else decisions
    header = {"settings": settings.lasting(), "start": first.digest(), "critic": judging.digest()}
    measures = _Yardstick(run, yardstick, every)
    with training.FittingScreen(screen) as shown:
        if journal is None:
            _run(run, total, shown, measures, None, None)
        else:
            with Journal(journal, "selfplay", json_text.loads(json_text.dumps(header))) as kept:
                _run(run, total, shown, measures, checkpoint, kept)
        shown.say("measuring")
        card = _card(run, first, judging, settings) | measures.at_the_end()
    card["seconds"] = round(perf_counter() - started)
    if out is not None:
        training.write_weights(out, run.learner.mean_weights().to_bytes(), card, outputs)
    print_figures(card, lambda card: typer.echo(_summary(card)), json=json)


class _Yardstick:
    """Measures the learner from time to time, over the same walls."""

    def __init__(self, run: Any, games: int, every: int) -> None:
        self._run = run
        self._seeds = range(YARDSTICK_SEED, YARDSTICK_SEED - -games // 4)
        self._every = every
        self._next = (run.done // every + 1) * every

    def due(self) -> bool:
        """Whether it is time."""
        return len(self._seeds) > 0 and self._run.done >= self._next

    def at_the_end(self) -> dict[str, Any]:
        """It again, unless it has no games."""
        return {"yardstick": self.measure()} if self._seeds else {}

    def measure(self) -> dict[str, Any]:
        """Play it."""
        self._next = (self._run.done // self._every + 1) * self._every
        measured: dict[str, Any] = self._run.measure(self._seeds)
        return measured


def _run(
    run: Any,
    total: int,
    shown: training.FittingScreen,
    measures: _Yardstick,
    checkpoint: Path | None,
    journal: Journal | None,
) -> None:
    """Go on until the learner has made all decisions, with checkpoints at intervals and at the end."""
    kept = training.Checkpoints(checkpoint, run.save)
    while run.done < total:
        seen = run.round(perf_counter)
        if measures.due():
            seen["yardstick"] = measures.measure()
        if journal is not None:
            journal.write(seen)
        note = f"{run.done:,} decisions, entropy {seen['entropy']:.3f}, apart {seen['apart']:.4f}"
        if "yardstick" in seen:
            net = seen["yardstick"]["net_without_luck"]
            note += f", points a hand {net['mean']:+.0f} ± {net['within'] or 0:.0f}"
        shown.fitted(min(run.done, total), total, note)
        kept.save_if_due()
    kept.save()


def _card(run: Any, first: ImitationWeights, critic: CriticWeights, settings: Any) -> dict[str, Any]:
    weights = run.learner.mean_weights()
    return {
        "what": "a network that learned from its own games, beginning as phoenix",
        "made_by": "oshihiki train selfplay",
        "start": first.digest(),
        "critic": critic.digest(),
        "settings": json_text.loads(json_text.dumps(asdict(settings))),
        "decisions": run.done,
        "rounds": run.rounds,
        "inputs": weights.inputs,
        "digest": weights.digest(),
        "numpy": np.__version__,
    }


def _summary(card: dict[str, Any]) -> str:
    learned = f"{card['decisions']:,} decisions in {card['rounds']} rounds, {card['seconds']} s"
    if "yardstick" not in card:
        return learned
    found = card["yardstick"]
    points, luckless = (with_interval(found[name], 0) for name in ("net", "net_without_luck"))
    return (
        f"{learned}; among three phoenix in {found['games']} games: place {with_interval(found['rank'], 3)}, points a "
        f"hand {points}; without luck {with_interval(found['rank_without_luck'], 3)}, {luckless}; by its answers "
        f"{with_interval(found['ahead']['all'], 3)} places a game ahead"
    )
