"""``oshihiki bench grades``: whether the judge of an audit is right, by playing on, and by who it thinks is strong."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, Final

import typer

from bot.lab.experiment import estimated, print_table, shown, with_error
from bot.lab.grading import GradedSeat, Mean, gain_of, gain_per_game, gain_per_point, grade_seat, mean_of
from bot.lab.seats import Games, OverSeats, SearchNodes, Seat, Share
from bot.lab.train.reference import seat_of, table_name
from bot.machine.errors import InputError
from bot.machine.outlet import output_screen
from bot.machine.text import plural
from bot.machine.values import from_json, to_json
from bot.review.measure import Grade, reference
from bot.review.verdicts import Side, total
from engine.model.seats import SEATS
from engine.policy.registry import BATCHED

GROUPS: Final = (
    *(grade.value for grade in (Grade.BLUNDER, Grade.MISTAKE, Grade.INACCURACY)),
    *(f"disputed: {side.value}" for side in Side),
    Grade.EQUAL.value,
)
"""The differences by grade, those on which search and network disagree apart."""
SEATS_JUDGED: Final = (
    shown("games", "games"),
    shown("judged", "decisions"),
    estimated("lost_per_hundred", "lost in 100"),
    shown("agreement", "agreement", ".1%"),
)
PLAYED_ON: Final = (shown("n", "n"), shown("stated", "stated", ".0f"), estimated("came", "came"))
INSTEAD: Final = (
    shown("decisions_per_game", "differences a game", ".1f"),
    estimated("came", "came, a difference"),
    estimated("per_game", "a game"),
    estimated("undisputed", "a stated point", ",.2f"),
)
"""The figures of the tables, and their heads."""


@dataclass(frozen=True, kw_only=True)
class Grades(OverSeats[GradedSeat]):
    """Judge seats as `oshihiki audit` does, and play the differences on, to see what the grades are worth.

    Where the judge would have answered otherwise, phoenix plays the hand to its end after either answer, on all seats,
    with the true hidden hands and shuffled walls; the luck of the draws is taken out. All differences are played on,
    but only a share of those that strong play alone sees, and of equal answers. The games are held back: nothing was
    fitted on them.

    With `--name` and `--beside` it shows whether the judge knows who is strong.

    Examples:
      oshihiki bench grades --games 200 --journal grades.journal
      oshihiki bench grades --name ⓝLuckyJ --games 100 --json
      oshihiki bench grades --name ⓝLuckyJ --beside --walls 0
    """

    journal_of: ClassVar = "grades"
    needs: ClassVar = ("simulator", *BATCHED.needs("phoenix"))

    games: Games = 40
    share: Share = 0.25
    nodes: SearchNodes = None
    walls: Annotated[
        int, typer.Option(min=0, help="Number of shuffled walls for each difference; 0: nothing is played on.")
    ] = 4
    beside: Annotated[
        bool, typer.Option("--beside", help="Also one of the others at each table of that player, drawn by lot.")
    ] = False

    def source(self) -> Iterator[Seat]:
        """The seats, and beside each one of the others at its table, if they are asked for."""
        for seat in super().source():
            yield seat._replace(side=self.name or table_name(seat.log.info, seat.log.start.rules) or "other rooms")
            if self.beside:
                lot = 1 + seat_of(seat.log.info.log_id or seat.log.source) % (len(SEATS) - 1)
                yield Seat(seat.log, (seat.number + lot) % len(SEATS), f"beside {self.name}")

    def key(self, work: Seat) -> tuple[str, str]:
        """The game, and whose seat it is."""
        return work.log.info.log_id or work.log.source, work.side

    def order(self) -> dict[str, Any]:
        """What the results depend on."""
        return {
            "policy": self.player.text, "settings": dict(self.player.make(0).settings()), "walls": self.walls,
            "share": self.share, "name": self.name, "beside": self.beside, "every_game": self.every_game,
            "bounds": dict(reference().bounds), **({"nodes": self.nodes} if self.nodes else {}),
        }  # fmt: skip

    def read(self, line: dict[str, Any]) -> tuple[tuple[str, str], GradedSeat]:
        """A seat of the journal."""
        return (str(line["log"]), str(line["side"])), from_json(GradedSeat, line)

    def line(self, key: Any, piece: GradedSeat) -> Mapping[str, Any]:  # noqa: ARG002 - it is in the fields
        """A seat as the journal keeps it."""
        return to_json(piece)

    def measure(self, work: Seat) -> GradedSeat:
        """A seat judged, with a sample of its differences played on."""
        return grade_seat(work, self.player.make(0), self.walls, self.share, self.nodes)

    def figures(self) -> dict[str, Any]:
        """What the grades are worth, by whose seats they are."""
        if self.beside and not self.name:
            raise InputError("--beside judges the others at the tables of a player; name the player with --name")
        if self.walls == 1:
            raise InputError("--walls 1 shows no spread; give 2 or more, or 0 to play nothing on")
        self.prepare()
        found = self.measure_all(self.most * (1 + self.beside))
        if not found:
            raise InputError("no seat to judge: no such held-back game that shows all hands was found")
        sides = {side: [one for one in found if one.side == side] for side in sorted({one.side for one in found})}
        if len(sides) > 1 and not self.beside:
            sides["all"] = found
        figures: dict[str, Any] = {"policy": self.player.text, "walls": self.walls, "share": self.share}
        figures["left_out"] = sum(one.left_out for one in found)
        figures["sides"] = [{"side": side, **_side(some)} for side, some in sides.items()]
        if self.beside:
            lost = {(one.log, one.side): one.score.per_hundred for one in found}
            logs = dict.fromkeys(one.log for one in found)  # in their order, so that equal runs print equal figures
            pairs = [(lost.get((log, self.name)), lost.get((log, f"beside {self.name}"))) for log in logs]
            apart = (theirs - own for own, theirs in pairs if own is not None and theirs is not None)
            figures["apart"] = _pair(mean_of(apart))
        return figures

    def show(self, figures: dict[str, Any]) -> None:
        """Print what seats lost, what came of each grade, and what the judge's answers would have brought."""
        screen = output_screen()
        sides = [{"whose": side["side"], **side, **side["instead"], **side["per_point"]} for side in figures["sides"]]
        print_table(sides, ("whose",), SEATS_JUDGED)
        if figures["walls"]:
            grades = [{"whose": side["side"], **grade} for side in figures["sides"] for grade in side["grades"]]
            print_table(grades, ("whose", "grade"), PLAYED_ON)
            print_table(sides, ("whose",), INSTEAD)
        if "apart" in figures:
            screen.print(f"the others lose {with_error(figures['apart'])} more in 100 decisions at the same tables")
        if figures["left_out"]:
            screen.print(f"{plural(figures['left_out'], 'difference')} left out: the referee cannot follow their hands")


def _side(seats: Sequence[GradedSeat]) -> dict[str, Any]:
    score = total(one.score for one in seats)
    groups = {group: [one for seat in seats for one in seat.compared if one.group == group] for group in GROUPS}
    every, _ = gain_of(seats)
    return {
        "games": len(seats),
        "judged": score.judged,
        "lost_per_hundred": _pair(mean_of(one.score.per_hundred for one in seats if one.score.per_hundred is not None)),
        "agreement": score.agreement,
        "grades": [
            {
                "grade": group, "n": len(some), "stands_for": sum(one.weight for one in some),
                "stated": stated, "came": _pair(came),
            }
            for group, some in groups.items()
            for came, stated in [gain_of(seats, group)]
        ],
        "per_point": {
            name: _pair(gain_per_point(seats, disputed=disputed), 2)
            for name, disputed in (("undisputed", False), ("all", True))
        },
        "instead": {
            "n": sum(map(len, groups.values())),
            "decisions_per_game": sum(one.weight for some in groups.values() for one in some) / len(seats),
            "came": _pair(every),
            "per_game": _pair(gain_per_game(seats)),
        },
    }  # fmt: skip


def _pair(mean: Mean, digits: int = 1) -> list[float | None]:
    return [None if each is None else round(each, digits) for each in mean]


bench_grades = Grades.command()
