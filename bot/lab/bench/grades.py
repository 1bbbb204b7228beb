"""``oshihiki bench grades``: whether the judge of an audit is right, by playing on, and by who it thinks is strong."""

from collections.abc import Iterator, Sequence
from functools import partial
from itertools import islice
from typing import Annotated, Any, Final

import typer

from bot.commands.options import Jobs, JournalFile, JsonFigures, figures_table, print_figures
from bot.deciding.players import PlayerSpec, needs_of
from bot.lab import measuring
from bot.lab.grading import GradedSeat, Grading, Mean, gain_of, gain_per_game, gain_per_point, grade_seat, mean_of
from bot.lab.train.reference import seat_of, table_name
from bot.machine.bars import counted
from bot.machine.errors import InputError
from bot.machine.journal import Results
from bot.machine.outlet import error_screen, output_screen
from bot.machine.outputs import Outputs
from bot.machine.parallel import each
from bot.machine.preparation import warm_up
from bot.machine.text import plural
from bot.review.measure import Grade, reference
from bot.review.verdicts import Side, total
from engine.model.seats import SEATS
from engine.policy.registry import BATCHED
from engine.rules.recordings import Split
from protocol.logs.game_log import GameLog

Work = tuple[GameLog, int, str]
"""A game, the seat that is judged, and whose it is."""
GROUPS: Final = (
    *(grade.value for grade in (Grade.BLUNDER, Grade.MISTAKE, Grade.INACCURACY)),
    *(f"disputed: {side.value}" for side in Side),
    Grade.EQUAL.value,
)
"""The differences by grade, those on which search and network disagree apart."""


def bench_grades(
    logs: measuring.CorpusLogs = None,
    policy: measuring.WorthPolicy = "value",
    games: measuring.Games = 40,
    walls: Annotated[
        int, typer.Option(min=0, help="Number of shuffled walls for each difference; 0: nothing is played on.")
    ] = 4,
    share: Annotated[
        float,
        typer.Option(min=0.0, max=1.0, help="Share of differences that only strong play sees, and of equal answers."),
    ] = 0.25,
    name: measuring.PlayerName = "",
    beside: Annotated[
        bool, typer.Option("--beside", help="Also one of the others at each table of that player, drawn by lot.")
    ] = False,
    every_game: measuring.EveryGame = False,
    journal: JournalFile = None,
    jobs: Jobs = 0,
    json: JsonFigures = False,
) -> None:
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
    screen = error_screen()
    paths = measuring.recording_paths(logs)
    Outputs("--journal", paths, journal)
    if beside and not name:
        raise InputError("--beside judges the others at the tables of a player; name the player with --name")
    if walls == 1:
        raise InputError("--walls 1 shows no spread; give 2 or more, or 0 to play nothing on")
    grading = Grading(PlayerSpec.parse(policy), walls, share)
    measuring.refuse_other_units(grading.player)
    warm_up(screen, {*needs_of([grading.player]), "simulator", *BATCHED.needs("phoenix")})
    order = {
        "policy": grading.player.text, "settings": dict(grading.player.make(0).settings()), "walls": walls,
        "share": share, "name": name, "beside": beside, "every_game": every_game, "bounds": dict(reference().bounds),
    }  # fmt: skip
    kept = Results(
        journal,
        "grades",
        order,
        lambda line: ((str(line["log"]), str(line["side"])), GradedSeat.of(line)),
        lambda _, one: one.fields(),
    )
    seats = islice(measuring.open_seats(paths, Split.TEST, screen, every_game=every_game, name=name), games)
    found: list[GradedSeat] = []
    with kept:
        work = _work(seats, name, beside, dict(kept.done), found)
        done = each(partial(_grade, grading=grading), work, jobs)
        for one in counted(screen, "seats", done, games * (1 + beside)):
            found.append(one)
            kept.add((one.log, one.side), one)
    if not found:
        raise InputError("no seat to judge: no such held-back game that shows all hands was found")
    print_figures(_figures(found, grading, name, beside), _show, json=json)


def _work(
    seats: Iterator[tuple[GameLog, int]],
    name: str,
    beside: bool,
    known: dict[tuple[str, str], GradedSeat],
    found: list[GradedSeat],
) -> Iterator[Work]:
    """The seats still to be judged; those that are known already are added to ``found``."""
    for game, seat in seats:
        log = game.info.log_id or game.source
        wanted = [(seat, name or table_name(game.info, game.start.rules) or "other rooms")]
        if beside:
            wanted.append(((seat + 1 + seat_of(log) % (len(SEATS) - 1)) % len(SEATS), f"beside {name}"))
        for which, side in wanted:
            if (log, side) in known:
                found.append(known[log, side])
            else:
                yield game, which, side


def _grade(work: Work, grading: Grading) -> GradedSeat:
    return grade_seat(*work, grading)


def _figures(found: Sequence[GradedSeat], grading: Grading, name: str, beside: bool) -> dict[str, Any]:
    sides = {side: [one for one in found if one.side == side] for side in sorted({one.side for one in found})}
    if len(sides) > 1 and not beside:
        sides["all"] = list(found)
    figures: dict[str, Any] = {"policy": grading.player.text, "walls": grading.walls, "share": grading.share}
    figures["left_out"] = sum(one.left_out for one in found)
    figures["sides"] = [{"side": side, **_side(some)} for side, some in sides.items()]
    if beside:
        lost = {(one.log, one.side): one.score.per_hundred for one in found}
        logs = dict.fromkeys(one.log for one in found)  # in their order, so that equal runs print equal figures
        pairs = [(lost.get((log, name)), lost.get((log, f"beside {name}"))) for log in logs]
        figures["apart"] = _pair(
            mean_of(theirs - own for own, theirs in pairs if own is not None and theirs is not None)
        )
    return figures


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


def _show(figures: dict[str, Any]) -> None:
    screen = output_screen()
    seats = figures_table("whose", "games", "decisions", "lost in 100", "agreement")
    grades = figures_table("whose", "grade", "n", "stated", "came", words=2)
    instead = figures_table("whose", "differences a game", "came, a difference", "a game", "a stated point", words=1)
    for side in figures["sides"]:
        agreement = "" if side["agreement"] is None else f"{side['agreement']:.1%}"
        row = (str(side["games"]), str(side["judged"]), _shown(side["lost_per_hundred"]), agreement)
        seats.add_row(side["side"], *row)
        for grade in side["grades"]:
            stated = "" if grade["stated"] is None else f"{grade['stated']:.0f}"
            grades.add_row(side["side"], grade["grade"], str(grade["n"]), stated, _shown(grade["came"]))
        one = side["instead"]
        came = (_shown(one["came"]), _shown(one["per_game"]), _shown(side["per_point"]["undisputed"], 2))
        instead.add_row(side["side"], f"{one['decisions_per_game']:.1f}", *came)
    screen.print(seats)
    if figures["walls"]:
        screen.print(grades)
        screen.print(instead)
    if "apart" in figures:
        screen.print(f"the others lose {_shown(figures['apart'])} more in 100 decisions at the same tables")
    if figures["left_out"]:
        screen.print(f"{plural(figures['left_out'], 'difference')} left out: the referee cannot follow their hands")


def _shown(pair: Sequence[float | None], digits: int = 0) -> str:
    mean, either_side = pair
    if mean is None:
        return ""
    return f"{mean:,.{digits}f}" if either_side is None else f"{mean:,.{digits}f} ± {either_side:,.{digits}f}"
