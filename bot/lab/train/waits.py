"""``oshihiki train waits``: the wait networks of the paper, and those of the estimator built on them."""

import io
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from statistics import fmean
from types import ModuleType
from typing import Annotated, Any, Final

import numpy as np
import typer
from rich.console import Console

from bot.lab.experiment import Experiment, print_table, shown
from bot.lab.training import FittingScreen, Games, Logs, Seed, card_of, every_game, needing_torch, rendered
from bot.machine.errors import InputError
from bot.machine.outlet import error_screen, output_screen
from bot.machine.outputs import Outputs
from engine.model.tiles import HONOURS, KINDS, format_tile37
from engine.papers.waits.estimator import CURVES, FEATURES, NET_OF, NETS, WaitNets, features_hash, pack, unpack
from engine.papers.waits.samples import CONDITIONS, CurveSamples, WaitSamples, common_pairs, stacked
from engine.rules.recordings import Split, split_of
from engine.train.yardstick import score_kind
from protocol.logs.game_log import GameLog

HERE: Final = Path()
CURVE_GAMES: Final = 60
"""Number of games of the validation split used to fit the estimator's curves."""
PAPER: Final = {"b - a": 4.16, "c - a": 2.12, "d - b": 2.96}
"""Differences of mean F1, in percentage points, that the paper reports for its four conditions."""
DIFFERENCES: Final = {"b - a": ("b", "a"), "c - a": ("c", "a"), "d - b": ("d", "b")}
EACH: Final = [[kind] for kind in range(KINDS)]
ALIKE: Final = [np.flatnonzero(which == NET_OF).tolist() for which in range(NETS)]
"""Kinds that share a network in the experiment: none, as in the paper, or those that the rules do not distinguish."""


@dataclass(frozen=True, kw_only=True)
class TrainWaits(Experiment):
    """Train the networks of the estimator ``waits``, or those of the paper, and measure them on other games.

    Needs torch, in the extra "train".

    Examples:
      oshihiki train waits houou-hanchan-00.tar.xz tokujou-hanchan-00.tar.xz --out engine/opponents/tables
      oshihiki train waits --paper houou-hanchan-00.tar.xz tokujou-hanchan-00.tar.xz --jobs 2
      oshihiki train waits --paper --pooled houou-*.tar.xz tokujou-hanchan-00.tar.xz
      oshihiki train waits --paper --games 600 houou-hanchan-00.tar.xz --json
    """

    paths: Logs
    out: Annotated[Path, typer.Option("--out", file_okay=False, help="Folder for waits.npz and waits.json.")] = HERE
    games: Games = 0
    seed: Seed = 0
    jobs: Annotated[int, typer.Option("--jobs", min=1, help="Number of networks trained at the same time.")] = 1
    paper: Annotated[bool, typer.Option("--paper", help="Repeat the paper's four conditions instead.")] = False
    pooled: Annotated[
        bool, typer.Option("--pooled", help="With --paper: one network for kinds that the rules do not distinguish.")
    ] = False

    def figures(self) -> dict[str, Any]:
        """The paper's table, or the card of the estimator's networks, which are written."""
        outputs = Outputs("--out", () if self.paper else self.paths, self.out / "waits.npz", self.out / "waits.json")
        fitting = needing_torch("engine.papers.waits.training")
        if self.pooled and not self.paper:
            raise InputError("--pooled requires --paper (the estimator's own networks are always pooled)")
        samples, validation = read_samples(self.paths, self.games, error_screen())
        if not self.paper:
            return self._fit_nets(fitting, samples, validation, outputs)
        limit = f" --games {self.games}" if self.games else ""
        command = f"oshihiki train waits --paper{' --pooled' * self.pooled}{limit}"
        origin = {"made_by": command, "sources": [path.name for path in self.paths]}
        groups = ALIKE if self.pooled else EACH
        return origin | run_paper(fitting, samples, groups, fitting.PAPER_EPOCHS, self.seed, self.jobs, error_screen())

    def show(self, figures: dict[str, Any]) -> None:
        """Print the paper's table beside ours, or where the networks are."""
        screen = output_screen()
        if not self.paper:
            screen.print(f"wrote {self.out / 'waits.npz'} and its card", highlight=False)
            return
        screen.print(f"F1 in percent on {figures['samples']['test']:,} wins of games not used for training")
        means = {f"mean, {group}": row for group, row in figures["mean_f1"].items()}
        rows = [{"kind": name, **row} for name, row in (figures["f1"] | means).items()]
        print_table(rows, ("kind",), [shown(each.name, each.name, ".2f") for each in CONDITIONS])
        rows = [{"difference of means": name, **row} for name, row in figures["differences"].items()]
        sides = ("ours", "numbers", "honours", "paper")
        print_table(rows, ("difference of means",), [shown(side, side, "+.2f") for side in sides])

    def _fit_nets(
        self, fitting: ModuleType, samples: WaitSamples, validation: list[GameLog], outputs: Outputs
    ) -> dict[str, Any]:
        """Train the estimator's networks, fit their curves, write both, and return the card."""
        if not validation:
            raise InputError("none of these games is for validation (one in twenty is, by log id); give more games")
        rows = common_pairs(samples)
        with ThreadPoolExecutor(self.jobs) as pool:
            nets = stacked(list(pool.map(lambda which: fitting.fit_net(samples, which, rows, self.seed), range(NETS))))
        packed = pack(nets)
        curve_samples = CurveSamples(WaitNets(unpack(packed), rows, np.ones(CURVES), np.zeros(CURVES)))
        for log in validation:
            curve_samples.observe(log.events)
        curves = curve_samples.curves()
        what = "wait models (b) of Matsuda and Ito, kinds alike by the rules sharing a net"
        card = card_of("train waits", what, self.paths) | {
            "features": FEATURES,
            "features_hash": features_hash(),
            "games": self.games or "all",
            "wins": {split.name.lower(): samples.splits.count(split) for split in Split},
            "split": "by log id, see engine.rules.recordings; trained on train, curves on validation",
            "epochs": fitting.EPOCHS,
            "seed": self.seed,
            "ordered_pairs": int(rows.max()) + 1,
            "curve_games": len(validation),
            "curve_rows": curve_samples.rows(),
            "f1": f1_of(samples, WaitNets(unpack(packed), rows, *curves)),
        }
        file = io.BytesIO()
        np.savez_compressed(file, allow_pickle=False, rows=rows.astype(np.int16), **packed)
        outputs.write(self.out / "waits.npz", file.getvalue())
        text = {"card": card, "slope": curves.slope.round(4).tolist(), "offset": curves.offset.round(4).tolist()}
        outputs.write(self.out / "waits.json", rendered(text) + "\n")
        return card


def read_samples(paths: Logs, games: int, screen: Console) -> tuple[WaitSamples, list[GameLog]]:
    """The rivers of all wins of the games, and the first games of the validation split.

    Raises:
        InputError: there is nothing to train on, or nothing to measure on.
    """
    samples = WaitSamples()
    validation: list[GameLog] = []
    for log in every_game(paths, games, screen):
        split = split_of(log.info.log_id)
        samples.observe(log.events, split)
        if split is Split.VALIDATION and len(validation) < CURVE_GAMES:
            validation.append(log)
    if not samples.codes:
        raise InputError("there is no win to learn from; give logs of four-player games")
    if Split.TEST not in samples.splits:
        raise InputError("none of these games is held back for measuring (a tenth is, by log id); give more games")
    return samples, validation


def f1_of(samples: WaitSamples, nets: WaitNets) -> dict[str, float]:
    """Mean F1 of the networks under the paper's protocol, in percent, on wins of the test split."""
    test = samples.chosen((Split.TEST,))
    said = np.stack([nets.logits(samples.codes[i]) for i in test]) > 0
    truth = np.stack([samples.waits[i] for i in test])
    f1 = [100 * score_kind(said[:, kind], truth[:, kind]).f1 for kind in range(KINDS)]
    return {
        "all": round(fmean(f1), 2),
        "numbers": round(fmean(f1[:HONOURS]), 2),
        "honours": round(fmean(f1[HONOURS:]), 2),
    }


def run_paper(
    fitting: ModuleType,
    samples: WaitSamples,
    groups: Sequence[Sequence[int]],
    epochs: int,
    seed: int,
    jobs: int,
    screen: Console,
) -> dict[str, Any]:
    """Train all networks of all conditions, one for each group of kinds, and return the figures."""
    work = list(product(CONDITIONS, groups))
    done: list[Any] = []
    with ThreadPoolExecutor(jobs) as pool, FittingScreen(screen) as shown:
        runs = [pool.submit(fitting.run_kinds, samples, condition, kinds, epochs, seed) for condition, kinds in work]
        for number, run in enumerate(as_completed(runs), 1):
            done.extend(run.result())
            shown.fitted(number, len(work), f"{number} of {len(work)} networks trained")
    return figures_of(done, samples, epochs)


def figures_of(done: Sequence[Any], samples: WaitSamples, epochs: int) -> dict[str, Any]:
    """F1 in percent by kind and condition, means, and the paper's differences compared with ours."""
    by_kind = {each.name: {one.kind: one for one in done if one.condition == each.name} for each in CONDITIONS}
    kinds = {"all": range(KINDS), "numbers": range(HONOURS), "honours": range(HONOURS, KINDS)}
    means = {
        group: {name: round(100 * fmean(rows[kind].score.f1 for kind in members), 2) for name, rows in by_kind.items()}
        for group, members in kinds.items()
    }
    return {
        "samples": {split.name.lower(): samples.splits.count(split) for split in Split},
        "epochs": epochs,
        "f1": {
            format_tile37(kind): {name: round(100 * rows[kind].score.f1, 2) for name, rows in by_kind.items()}
            for kind in range(KINDS)
        },
        "trained_on": {
            format_tile37(kind): {name: rows[kind].samples for name, rows in by_kind.items()} for kind in range(KINDS)
        },
        "mean_f1": means,
        "differences": {
            name: {
                "ours": round(means["all"][more] - means["all"][less], 2),
                "numbers": round(means["numbers"][more] - means["numbers"][less], 2),
                "honours": round(means["honours"][more] - means["honours"][less], 2),
                "paper": PAPER[name],
            }
            for name, (more, less) in DIFFERENCES.items()
        },
    }


waits = TrainWaits.command()
