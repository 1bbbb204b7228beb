"""``oshihiki train placement``: how games end, fitted on recorded games."""

from dataclasses import dataclass
from typing import Any, ClassVar, Final

import numpy as np

from bot.lab.recordings import readable
from bot.lab.training import HELD_BACK, FittingScreen, Seed, Tables, card_of, needing_torch
from bot.logs.sources import open_logs
from bot.machine.errors import InputError
from bot.machine.outlet import error_screen
from engine.rules.recordings import held_back
from engine.train import final_ranks
from engine.worth.placement import rank_chances

CHECK_OF: Final = 20
"""One in this many of the games for fitting decides when to stop."""
LEAST_GAMES: Final = 40
"""Minimum number of games."""

EPOCHS: Final = 30
"""Number of passes over the games."""


@dataclass(frozen=True, kw_only=True)
class FitPlacement(Tables):
    """Fit the chance of each final rank from scores, round, honba and riichi sticks. Games are held back by log id.

    Needs torch, which is in the extra "train".

    Examples:
      oshihiki train placement houou-hanchan-00.tar.xz houou-tonpu-00.tar.xz --out placement.json
      oshihiki train placement logs/ --json
    """

    fits: ClassVar = "placement"

    seed: Seed = 1

    def tables(self) -> dict[str, Any]:
        """The model: fitted on most games; its card compares it with the naive table on those held back."""
        fitting = needing_torch("engine.train.placement")
        with FittingScreen(error_screen()) as shown:
            known, judging = self._collected(shown)
            checks = known.game % CHECK_OF == CHECK_OF - 1
            fitted, check = known[~checks], known[checks]
            shown.say("fitting")
            layers = fitting.fit(
                *final_ranks.inputs_of(fitted), *final_ranks.inputs_of(check), EPOCHS, self.seed,
                lambda epoch, own, check: shown.fitted(
                    epoch, EPOCHS, f"log loss {own:.4f}, on check games {check:.4f}"
                ),
            )  # fmt: skip
        inputs, ranks = final_ranks.inputs_of(judging)
        chances = rank_chances(layers, inputs)
        naive = final_ranks.baseline(fitted, judging)
        what = "chance of each final rank before a hand is dealt; inputs: engine.worth.placement.features"
        card = card_of("train placement", what, self.paths) | {
            "epochs": EPOCHS,
            "seed": self.seed,
            "hidden": list(fitting.HIDDEN),
            "games": len(np.unique(known.game)),
            "hands": len(known.kyoku),
            "held_back": HELD_BACK,
            "on_held_back": {
                "games": len(np.unique(judging.game)),
                "hands": len(judging.kyoku),
                **_losses(chances, naive, ranks),
                "calibration_error": round(final_ranks.calibration_error(chances, ranks), 4),
                "by_hands_left": _by_hands_left(judging, chances, naive, ranks),
            },
        }
        model: dict[str, Any] = fitting.document(layers, card)
        return model

    def _collected(self, shown: FittingScreen) -> tuple[final_ranks.Tables, final_ranks.Tables]:
        """The tables to fit on and those held back, of the logs that can be read; the others are named.

        Raises:
            InputError: too few games are left.
        """
        shown.say("reading")
        known, judging = final_ranks.Collector(), final_ranks.Collector()
        for log in readable(open_logs(self.paths), shown.screen):
            (judging if held_back(log.info.log_id) else known).observe(log.events)
            shown.update(note=f"{known.games} games, {judging.games} held back")
            if self.games and known.games >= self.games:
                break
        if known.games < LEAST_GAMES or not judging.games:
            raise InputError(
                f"{known.games} games for fitting and {judging.games} held back; "
                f"give logs of at least {LEAST_GAMES} finished games"
            )
        return known.tables(), judging.tables()


def _by_hands_left(
    judging: final_ranks.Tables, chances: final_ranks.Floats, naive: final_ranks.Floats, ranks: final_ranks.Numbers
) -> dict[str, Any]:
    left = np.tile(judging.last_kyoku - judging.kyoku, 4)
    found = {}
    for number in range(7, -2, -1):
        rows = left == number if number >= 0 else left < 0
        if rows.any():
            found["extension" if number < 0 else str(number)] = _losses(chances[rows], naive[rows], ranks[rows])
    return found


def _losses(chances: final_ranks.Floats, naive: final_ranks.Floats, ranks: final_ranks.Numbers) -> dict[str, float]:
    """The log loss of the chances, and that of the naive table's."""
    said = {"log_loss": chances, "log_loss_naive": naive}
    return {name: round(final_ranks.log_loss(each, ranks), 4) for name, each in said.items()}


placement = FitPlacement.command()
