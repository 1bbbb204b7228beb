"""``oshihiki train constants``, ``discards`` and ``suji``: figures that are counted on recorded games."""

from dataclasses import dataclass
from typing import Any, ClassVar, Final

from bot.lab.experiment import Experiment, print_table, shown
from bot.lab.training import HELD_BACK, Counting, Games, Logs, card_of, count_games
from bot.machine.errors import InputError
from bot.machine.text import plural
from engine.train.constants import ConstantCounts
from engine.train.discards import Counts
from engine.train.suji import SujiCounts

COUNTED: Final = (
    shown("constant", "in use", ",g"),
    shown("counted", "counted", ",.4g"),
    shown("n", "out of", ","),
)


@dataclass(frozen=True, kw_only=True)
class Constants(Experiment):
    """Count the figures behind the policies' constants. Games held back by their log id are never read.

    The constants are not changed; docs/lab/constants.md says where each comes from.

    Examples:
      oshihiki train constants houou-hanchan-00.tar.xz --games 500
    """

    paths: Logs
    games: Games = 0

    def figures(self) -> dict[str, Any]:
        """Each constant that can be counted, beside what was counted."""
        counts = ConstantCounts()
        read = count_games(counts.observe, self.paths, self.games)
        rows = counts.rows()
        if not rows:
            raise InputError("there is no game to count; give logs of four-player games")
        what = "figures behind constants of the policies"
        card = card_of("train constants", what, self.paths, games=read, held_back=HELD_BACK)
        return {"card": card, "figures": [row._asdict() for row in rows]}

    def show(self, figures: dict[str, Any]) -> None:
        """Print them."""
        rows = [row | {"counted": round(row["counted"], 4)} for row in figures["figures"]]
        print_table(rows, ("name",), COUNTED, plural(figures["card"]["games"], "game"))


@dataclass(frozen=True, kw_only=True)
class FitDiscards(Counting):
    """Fit what others discard and when they end a hand. Games held back by their log id are never read.

    Examples:
      oshihiki train discards houou-hanchan-00.tar.xz --out discards.json
    """

    fits: ClassVar = "discards"
    what: ClassVar = "discards of the others by kind and own draws left, ends of hands, tenpai at the exhaustive draw"
    axes: ClassVar = "see engine.search.discard_tables.DiscardTables"
    counts: ClassVar = Counts
    facts: ClassVar = {"kyoku": lambda counts: counts.kyoku}


@dataclass(frozen=True, kw_only=True)
class FitSuji(Counting):
    """Count who is tenpai, on what they wait and what deal-ins cost. Games held back by their log id are never read.

    Examples:
      oshihiki train suji houou-hanchan-00.tar.xz tokujou-hanchan-00.tar.xz --out danger.json
    """

    fits: ClassVar = "suji"
    what: ClassVar = "tenpai by stance, melds and turn; waits by class of tile; points of a deal-in"
    axes: ClassVar = "see engine.opponents.danger_tables.DangerTables"
    counts: ClassVar = SujiCounts
    facts: ClassVar = {"discards": lambda counts: counts.discards, "deal_ins": lambda counts: len(counts.paid)}


constants = Constants.command()
discards = FitDiscards.command()
suji = FitSuji.command()
