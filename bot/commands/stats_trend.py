"""How an account's places have changed over its games, for ``oshihiki stats``."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Final, Literal

from rich import box
from rich.table import Table
from rich.text import Text

from bot.results import Entry
from bot.text import brief
from engine.arena.duplicate import Estimate, ratio

LAST: Final = 50
"""Number of games that are the last ones; those before them are what they are compared with."""
FEWEST: Final = 20
"""Number of games from which there is a trend."""
PARTS: Final = 10
"""Maximum number of parts into which all games are divided, in order."""
BARS: Final = "▁▂▃▄▅▆▇█"


@dataclass(frozen=True, slots=True)
class Trend:
    """The places of one account and policy.

    Attributes:
        account, policy: as in :class:`~bot.results.Entry`.
        games: number of games whose place is known.
        mean: mean place of all of them.
        last: mean place of the last games, :data:`LAST` or a third of all, whichever is fewer.
        before: mean place of as many games before them.
        parts: mean place of each part of the games, oldest first.
    """

    account: str
    policy: str
    games: int
    mean: Estimate
    last: Estimate
    before: Estimate
    parts: tuple[float, ...]

    def fields(self) -> dict[str, Any]:
        """The trend as JSON shows it."""

        def pair(one: Estimate) -> list[float | None]:
            return [round(one.mean, 3), None if one.within is None else round(one.within, 3)]

        return {
            "account": self.account,
            "policy": self.policy,
            "games": self.games,
            "mean_placement": pair(self.mean),
            "last": pair(self.last),
            "before": pair(self.before),
            "parts": [round(part, 3) for part in self.parts],
        }


def trends(entries: Iterable[Entry]) -> list[Trend]:
    """The trend of each account and policy with at least :data:`FEWEST` games of known place, in that order."""
    groups: dict[tuple[str, str], list[int]] = {}
    for one in entries:
        if one.placement is not None:
            groups.setdefault((one.account, one.policy), []).append(one.placement)
    return [_trend(*key, groups[key]) for key in sorted(groups) if len(groups[key]) >= FEWEST]


def _trend(account: str, policy: str, places: Sequence[int]) -> Trend:
    size = min(LAST, len(places) // 3)
    parts = min(PARTS, len(places) // 5)
    ends = [len(places) * part // parts for part in range(parts + 1)]
    means = tuple(_mean(places[start:end]).mean for start, end in pairwise(ends))
    return Trend(
        account, policy, len(places), _mean(places), _mean(places[-size:]), _mean(places[-2 * size : -size]), means
    )


def _mean(places: Sequence[int]) -> Estimate:
    return ratio([(place, 1.0) for place in places])


def trend_table(found: Iterable[Trend]) -> Table:
    """The trends as a table; a higher bar is a better place."""
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1, 0, 0), title="mean place", title_justify="left")
    names = ("account", "policy", "games", "all", "last", "as many before", "over time")
    for name in names:
        justify: Literal["left", "right"] = "left" if name in {"account", "policy", "over time"} else "right"
        table.add_column(name, justify=justify, no_wrap=name not in {"account", "policy"}, overflow="fold")
    for one in found:
        figures = [f"{each.mean:.2f} ± {each.within or 0.0:.2f}" for each in (one.mean, one.last, one.before)]
        who = Text(brief(one.account)), Text(brief(one.policy))
        table.add_row(*who, str(one.games), *figures, "".join(map(_bar, one.parts)))
    return table


def _bar(place: float) -> str:
    """A bar between 3.0 (lowest) and 2.0."""
    return BARS[max(0, min(len(BARS) - 1, int((3.0 - place) * len(BARS))))]
