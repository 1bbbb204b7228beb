"""Matches: kept in a journal and continued from it, stopped by a test, the same however many processes play them."""

import json
from collections import Counter
from dataclasses import replace

import pytest

from bot.deciding.ask import Outcome
from bot.deciding.players import PlayerSpec
from bot.lab import match as module
from bot.lab.match import Match, over_the_same_walls, play
from bot.lab.sides import comparison, sides_of
from bot.lab.sparring import Deal, Sparring
from bot.machine.errors import InputError
from bot.machine.journal import continued, read_journal
from bot.machine.parallel import Backend
from bot.machine.values import from_json, to_json
from bot.play.tally import Times
from engine.arena.seat_stats import SeatStats
from engine.critic.estimates import FIRST
from engine.model.rules import HANCHAN, TONPU
from tests.side_by_side import side_by_side


def order(*names, rules=TONPU):
    first, second, third, fourth = map(PlayerSpec.parse, names)
    return Sparring((first, second, third, fourth), rules)


PLAIN = order("tsumogiri", "simple", "simple", "simple")


def made_up(seed, places):
    """A deal of one game in which the players come out at these places."""
    times = Times()
    times.add(0.001)
    stats = [SeatStats(games=1, hands=4, places=[int(place == n) for n in (1, 2, 3, 4)]) for place in places]
    return Deal(seed, tuple((one,) for one in stats), (times,) * 4, (Counter({Outcome.FAILED: 1}),) + (Counter(),) * 3)


def playing(monkeypatch, places):
    """Replace play by deals whose places a function of the seed says; returns the seeds that were played."""
    played = []

    def spar(seeds, order):  # noqa: ARG001
        played.extend(seeds)
        return [made_up(seed, places(seed)) for seed in seeds]

    monkeypatch.setattr(module, "spar", spar)
    return played


def run(match, journal=None, jobs=1, watch=lambda _: None):
    return play(match, journal, jobs, Backend.LOKY, watch)


def test_a_deal_survives_its_journal():
    deal = made_up(7, (2, 1, 3, 4))
    again = from_json(Deal, json.loads(json.dumps(to_json(deal))))
    assert (again.seed, again.stats, again.failed) == (7, deal.stats, deal.failed)
    assert again.times[0] == deal.times[0]
    assert again.times[0].ms() == deal.times[0].ms()


def test_a_killed_match_goes_on_where_it_was(tmp_path, monkeypatch):
    path = tmp_path / "journals" / "a.journal"
    played = playing(monkeypatch, lambda seed: (1 + seed % 4, 4 - seed % 4, 2, 3))
    run(Match(PLAIN, range(3)), path)
    with path.open("ab") as file:
        file.write(b'{"engine":"torn')  # as a kill leaves it
    whole = run(Match(PLAIN, range(5)), path)
    assert played == [0, 1, 2, 3, 4]
    assert [deal.seed for deal in whole.deals] == [0, 1, 2, 3, 4]
    assert run(Match(PLAIN, range(5))).deals[2].stats == whole.deals[2].stats
    assert len(path.read_text().splitlines()) == 6


def test_each_deal_is_kept_as_it_ends(tmp_path, monkeypatch):
    path = tmp_path / "a"
    kept = []

    def spar(seeds, order):  # noqa: ARG001
        for seed in seeds:
            kept.append(len(path.read_text().splitlines()))
            yield made_up(seed, (1, 2, 3, 4))

    monkeypatch.setattr(module, "spar", spar)
    monkeypatch.setattr(module, "KEPT_AT_ONCE", 5)
    batched = order(*["simple"] * 4)
    whole = run(Match(batched, range(12)), path)
    assert kept == list(range(1, 13))
    assert len(path.read_text().splitlines()) == 13
    kept.clear()
    assert run(Match(batched, range(12)), path).deals[3].stats == whole.deals[3].stats
    assert kept == []


def _write(path, number):
    _, pen = continued(path, "match", {"seed": 1})
    for at in range(30):
        pen.write({"at": 100 * number + at, "filling": "x" * 9_000})


def test_programs_that_write_one_journal_damage_nothing(tmp_path):
    path = tmp_path / "a"
    path.write_bytes(b'{"format":"oshihiki-ma')
    side_by_side(_write, [(path, number) for number in range(3)])
    with path.open("ab") as file:
        file.write(b'{"at":')  # as a process that is killed between two others leaves it
    continued(path, "match", {"seed": 1})[1].write({"at": 7})
    _, lines = read_journal(path, "match")
    found = [line["at"] for line in lines]
    assert sorted(found) == sorted([7, *(100 * number + at for number in range(3) for at in range(30))])


def test_a_journal_that_was_deleted_is_missed(tmp_path):
    _, pen = continued(tmp_path / "a", "match", {})
    (tmp_path / "a").unlink()
    with pytest.raises(InputError, match="cannot be written: No such file or directory"):
        pen.write({"at": 1})


@pytest.mark.parametrize(
    "other",
    [
        order("tsumogiri", "simple", "simple", "tsumogiri"),
        order("tsumogiri", "simple", "simple", "simple", rules=HANCHAN),
        order("tsumogiri", "simple", "simple", "simple", rules=replace(TONPU, ippatsu=False)),
        replace(PLAIN, nodes=100),
    ],
)
def test_a_journal_of_another_match_is_refused(tmp_path, monkeypatch, other):
    playing(monkeypatch, lambda _: (1, 2, 3, 4))
    run(Match(PLAIN, range(1)), tmp_path / "a")
    with pytest.raises(InputError, match="belongs to another match"):
        run(Match(other, range(1)), tmp_path / "a")


def test_a_journal_of_other_weights_is_refused(tmp_path, monkeypatch):
    playing(monkeypatch, lambda _: (1, 2, 3, 4))
    run(Match(PLAIN, range(1)), tmp_path / "a")
    monkeypatch.setattr("engine.policy.simple.policy.tables_digest", lambda: "other")
    with pytest.raises(InputError, match="belongs to another match"):
        run(Match(PLAIN, range(1)), tmp_path / "a")


def test_other_code_must_repeat_a_deal_to_continue_a_journal(tmp_path, monkeypatch):
    played = playing(monkeypatch, lambda _: (1, 2, 3, 4))
    run(Match(PLAIN, range(3)), tmp_path / "a")
    monkeypatch.setattr("bot.machine.journal.engine_hash", lambda: "new")
    run(Match(PLAIN, range(4)), tmp_path / "a")
    assert played == [0, 1, 2, 0, 3]
    monkeypatch.setattr("bot.machine.journal.engine_hash", lambda: "newer")
    playing(monkeypatch, lambda _: (4, 3, 2, 1))
    with pytest.raises(InputError, match="deal 0 now comes out differently"):
        run(Match(PLAIN, range(5)), tmp_path / "a")


def test_a_test_stops_a_match_and_nothing_beyond_counts(tmp_path, monkeypatch):
    playing(monkeypatch, lambda seed: (1, 2, 3, 4) if seed % 3 else (2, 1, 3, 4))
    seen = []
    found = run(Match(PLAIN, range(200), 0.05), tmp_path / "a", watch=seen.append)
    assert found.certain
    assert FIRST <= len(found.deals) < 60
    assert found.compared["simple"].high < 0.0
    assert seen[-1] == found
    assert [len(one.deals) for one in seen] == list(range(len(found.deals) + 1))
    ahead = run(Match(PLAIN, range(100)), tmp_path / "a")  # more deals in the journal than the test needs
    assert len(ahead.deals) == 100
    assert not ahead.certain
    again = run(Match(PLAIN, range(200), 0.05), tmp_path / "a")
    assert [(deal.seed, deal.stats) for deal in again.deals] == [(deal.seed, deal.stats) for deal in found.deals]


def test_equal_players_play_every_deal(monkeypatch):
    playing(monkeypatch, lambda seed: (1, 2, 3, 4) if seed % 2 else (4, 3, 2, 1))
    found = run(Match(PLAIN, range(40), 0.05))
    assert (len(found.deals), found.certain) == (40, False)
    assert not run(Match(order(*["simple"] * 4), range(30), 0.05)).certain  # nobody to compare with


def test_deals_count_in_the_order_of_their_seeds(monkeypatch):
    playing(monkeypatch, lambda _: (1, 2, 3, 4))
    monkeypatch.setattr(module, "each", lambda function, work, *_: map(function, sorted(work, reverse=True)))
    seen = []
    found = run(Match(order("dag", "flow", "flow", "flow"), range(4)), watch=seen.append)  # one deal after the other
    assert [deal.seed for deal in found.deals] == [0, 1, 2, 3]
    assert [(len(one.deals), one.finished) for one in seen] == [(0, 0), (0, 1), (0, 2), (0, 3), (4, 4)]


def test_two_journals_over_the_same_walls(tmp_path, monkeypatch):
    playing(monkeypatch, lambda seed: (1 + seed % 2, 3, 4, 2 - seed % 2))
    run(Match(PLAIN, range(6)), tmp_path / "a")
    playing(monkeypatch, lambda seed: (2 + seed % 2, 4, 1, 2))
    run(Match(order("simple", "tsumogiri", "tsumogiri", "tsumogiri"), range(2, 9)), tmp_path / "b")
    mine, theirs = over_the_same_walls(tmp_path / "a", tmp_path / "b")
    assert (mine.player, theirs.player, len(mine.deals), len(theirs.deals)) == ("tsumogiri", "simple", 4, 4)
    rank = comparison(mine, theirs)["rank"]
    assert (rank["mean"], rank["within"], rank["p"]) == (-1.0, 0.0, 0.0)  # paired: what the deals do cancels out
    run(Match(PLAIN, range(20, 21)), tmp_path / "c")
    with pytest.raises(InputError, match="no deal of the same rules and seed in common"):
        over_the_same_walls(tmp_path / "a", tmp_path / "c")


def test_paired_differences_within_a_table(monkeypatch):
    playing(monkeypatch, lambda seed: (1 + seed % 2, 3, 4, 2 - seed % 2))
    deals = run(Match(PLAIN, range(6))).deals
    first, others = sides_of(PLAIN.names, deals)
    rank = comparison(first, others)["rank"]
    assert rank["mean"] == pytest.approx(1.5 - 8.5 / 3, abs=1e-3)
    assert 0 < rank["p"] < 1e-4
