"""The experiments of the papers: that every player of them exists, and what their reports say."""

from collections import Counter
from itertools import pairwise

import pytest

from bot.deciding.players import PlayerSpec
from bot.lab.match import Match, MatchResult
from bot.lab.papers import EXPERIMENTS, PlayedMatch, report
from bot.lab.sparring import Deal, Sparring
from bot.play.tally import Times
from engine.arena.seat_stats import SeatStats
from engine.critic.estimates import Estimate


def played(experiment, name, deals=2, certain=False):
    players = tuple(map(PlayerSpec.parse, experiment.matches[name]))
    match = Match(Sparring(players, experiment.rules), range(deals + 1 if certain else deals), experiment.error)
    one = SeatStats(games=4, places=[1, 1, 1, 1], hands=20, won_riichi=5, won=20_000, ready=10, ready_turns=95)
    found = tuple(
        Deal(seed, tuple((one,) for _ in range(4)), tuple(Times() for _ in range(4)), (Counter(),) * 4)
        for seed in range(deals)
    )
    others = dict.fromkeys(match.order.names[1:], Estimate(-0.2, 0.1))
    return PlayedMatch(match, MatchResult(found, deals, others, certain))


@pytest.mark.parametrize("name", EXPERIMENTS)
def test_every_player_exists_and_every_column_is_one(name):
    experiment = EXPERIMENTS[name]
    for match, players in experiment.matches.items():
        for player in players:
            PlayerSpec.parse(player)
        assert experiment.shown(match)
        assert len(players) == 4
    assert set(experiment.paper) <= set(experiment.labels.values())


@pytest.mark.parametrize("name", EXPERIMENTS)
def test_a_report_has_the_figures_and_says_what_is_missing(name):
    experiment = EXPERIMENTS[name]
    first = next(iter(experiment.matches))
    text = report(experiment, {first: played(experiment, first, certain=experiment.error is not None)}, "2026-01-02")
    assert "date 2026-01-02" in text
    assert "25.0 ± 0.0" in text
    assert "4,000 ± 0" in text
    assert "9.50 ± 0.00" in text
    assert text.count("not played yet") == len(experiment.matches) - 1
    tables = [block.splitlines() for block in text.split("\n\n") if block.startswith("|")]
    for rows in tables:
        assert all(above.count("|") == below.count("|") for above, below in pairwise(rows))


def test_an_incomplete_match_is_called_so():
    experiment = EXPERIMENTS["che5"]
    one = played(experiment, "CHE")
    short = PlayedMatch(Match(one.match.order, range(100)), one.standing)
    text = report(experiment, {"CHE": short}, "2026-01-02")
    assert "**not complete**: 8 of 400 games, too few to show" in text
    assert "No match has enough games to show." in text
    longer = played(experiment, "CHE", deals=20)
    longer = PlayedMatch(Match(one.match.order, range(100)), longer.standing)
    text = report(experiment, {"CHE": longer}, "2026-01-02")
    assert "**not complete**: 80 of 400 games |" in text
    assert "25.0 ± 0.0 (paper: 45.4)" in text
