"""Rows to learn the chances of tiles from, held against a plain walk over the recorded events; the fit, with torch."""

from __future__ import annotations

import numpy as np
import pytest

from engine.networks.chances import ChanceShape, ChanceWeights, shares_of, with_choice
from engine.networks.chances_layout_kernels import ACTORS, CALLS, DECLARES, ENDS, PLAIN, TURNS, VIEWER
from engine.networks.imitation_layout_kernels import GLOBALS, PLANES, UNSEEN
from engine.rules import code_kernels as codes
from engine.rules.moments import games_of, moments, new_moments
from engine.rules.recordings import KyokuColumn, Recordings, encode_game
from engine.rules.table_kernels import DISCARDED
from engine.shanten.hands import shanten
from engine.shanten.tables import hand_tables
from engine.train import chance_kernels as kernels
from engine.train.fits import NothingToLearnError
from tests.engine.critic.games import simple_games


@pytest.fixture(scope="module")
def recordings():
    return Recordings.concatenate([encode_game(f"game{at}", game.events, 0) for at, game in enumerate(simple_games(3))])


@pytest.fixture(scope="module")
def rows(recordings):
    return collected(recordings, 1_000_000)


def collected(recordings, share):
    room = 12_000
    found = kernels.ChanceRows(
        np.zeros((room, 34, PLANES), np.uint8),
        np.zeros((room, GLOBALS), np.uint8),
        np.zeros((room, 34), np.int8),
        np.zeros((room, ACTORS, 34), np.uint8),
        np.zeros((room, ENDS, 2), np.uint8),
        np.zeros((room, kernels.CHANCE_INFO), np.int32),
    )
    hands = np.arange(len(recordings.kyoku))
    n, done = kernels.collect_chances(games_of(recordings), hands, share, 7, hand_tables(), new_moments(), found)
    assert done == len(hands)
    return kernels.ChanceRows._make(array[:n] for array in found)


def declares(code, viewer):
    """Whether an event is the viewer's riichi."""
    riichi = code & codes.TYPE == codes.DISCARD and code >> codes.SECOND_AT & 2
    return bool(riichi) and code >> codes.SEAT_AT & 3 == viewer


def to_come(recordings, hand, number, viewer):
    """By kind: who let it go first, and how many turns each actor had until then."""
    row = recordings.kyoku[hand]
    first = row[KyokuColumn.FIRST_EVENT]
    turns, came = [0] * ACTORS, {}
    for code in recordings.events[first + number : first + row[KyokuColumn.EVENTS]].tolist():
        seat, kind = code >> codes.SEAT_AT & 3, (code >> codes.FIRST_AT & 255) >> 2
        if declares(code, viewer):
            break
        if code & codes.TYPE == codes.DISCARD and seat != viewer:
            actor = (seat - viewer) % 4 - 1
        elif code & codes.TYPE == codes.DRAW and seat == viewer:
            actor = VIEWER
        else:
            continue
        turns[actor] += 1
        came.setdefault(kind, (actor, tuple(turns)))
    return {kind: came.get(kind, (-1, tuple(turns))) for kind in range(34)}


@pytest.mark.parametrize("every", [pytest.param(70, id="a few"), pytest.param(7, id="many", marks=pytest.mark.slow)])
def test_first_events_are_those_of_the_log(recordings, rows, every):
    assert len(rows.info) > 500
    for at in range(0, len(rows.info), every):
        hand, number, viewer, how, tile34, _ = rows.info[at].tolist()
        row = recordings.kyoku[hand]
        code = int(recordings.events[row[KyokuColumn.FIRST_EVENT] + number])
        acts = code >> codes.SEAT_AT & 3 == viewer and (code & codes.TYPE == codes.DISCARD or how == CALLS)
        if acts and how != CALLS:
            assert tile34 == (code >> codes.FIRST_AT & 255) >> 2
        expected = to_come(recordings, hand, number + acts, viewer)
        for kind, (actor, turns) in expected.items():
            assert rows.events[at, kind] == actor
            assert tuple(rows.risks[at, :, kind].tolist()) == turns


def given_up(recordings, hand):
    """By seat, the number of the discard after which the hand was never again as near as it could have been then.

    Or, while another player is in riichi, of the first with which a hand that could be one away or tenpai is not.
    """
    (played,) = moments(recordings, np.array([hand]), (codes.DISCARD,))
    row = recordings.kyoku[hand]
    first = row[KyokuColumn.FIRST_EVENT]
    events = recordings.events[first : first + row[KyokuColumn.EVENTS]].tolist()
    found = []
    for seat in range(4):
        path = []
        for moment in played:
            code = int(moment["code"])
            if code & codes.TYPE == codes.DISCARD and code >> codes.SEAT_AT & 3 == seat == moment["turn"]:
                if moment["phase"] == DISCARDED:
                    continue
                counts, melds = moment["counts"][seat].tolist(), int(moment["melds"][seat])
                could = max(shanten(counts, melds), 0)
                counts[(code >> codes.FIRST_AT & 255) >> 2] -= 1
                threatened = any(moment["riichi"][other] > 0 for other in range(4) if other != seat)
                path.append((int(moment["number"]), could, shanten(counts, melds), threatened))
        won = any(code & codes.TYPE == codes.WIN and code >> codes.SEAT_AT & 3 == seat for code in events)
        gone = [
            number
            for at, (number, could, now, threatened) in enumerate(path)
            if (threatened and now > could <= 1) or (not won and all(nearest > could for _, _, nearest, _ in path[at:]))
        ]
        found.append(gone[0] if gone else len(events))
    return found


def go_arounds(recordings, hand, number, viewer, gone):
    """Go-arounds at risk, and whether it came, of an end by another player, the viewer's deal-in, its giving up."""
    row = recordings.kyoku[hand]
    first = row[KyokuColumn.FIRST_EVENT]
    drawn, wins = 0, []
    if gone < number:
        return [[0, 0]] * 3
    events = recordings.events[first : first + row[KyokuColumn.EVENTS]].tolist()
    for at, code in enumerate(events[number:], number):
        if at == gone:
            return [[drawn, 0], [drawn, 0], [drawn, int(drawn > 0)]]
        if declares(code, viewer):
            return [[drawn, 0], [max(drawn - 1, 0), 0], [max(drawn - 1, 0), 0]]
        if code & codes.TYPE == codes.DRAW and code >> codes.SEAT_AT & 3 == viewer:
            drawn += 1
        if code & codes.TYPE == codes.WIN:
            wins.append((code >> codes.SEAT_AT & 3, code >> codes.FROM_AT & 3))
    if any(winner == viewer for winner, _ in wins):
        return [[drawn, 0]] * 3
    if any(payer == viewer for _, payer in wins):
        return [[drawn, 0], [drawn, int(drawn > 0)], [drawn - int(drawn > 0), 0]]
    return [[drawn + 1, int(bool(wins))], [drawn, 0], [drawn, 0]]


def test_go_arounds_end_as_the_events_say(recordings, rows):
    seen = set()
    for at in range(0, len(rows.info), 7):
        hand, number, viewer, _, tile34, _ = rows.info[at].tolist()
        gone = given_up(recordings, hand)[viewer]
        expected = go_arounds(recordings, hand, number + (tile34 >= 0), viewer, gone)
        assert rows.ends[at].tolist() == expected
        seen.add(tuple(came for _, came in expected))
    assert seen == {(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)}


def test_riichi_and_calls_are_among_the_rows(rows):
    hows = rows.info[:, kernels.C_NEXT]
    assert {PLAIN, DECLARES, CALLS} == set(hows.tolist())
    asked = rows.info[:, kernels.C_TILE] < 0
    assert (hows[asked] == PLAIN).all()
    assert set(rows.info[asked, kernels.C_BEFORE].tolist()) == {0, 1, 2}
    assert set(rows.info[~asked, kernels.C_BEFORE].tolist()) == {3}


def test_a_smaller_share_keeps_fewer_moments_and_more_of_riichi(recordings, rows):
    few = collected(recordings, 100_000)
    share = len(few.info) / len(rows.info)
    assert 0.05 < share < 0.25
    declared = (few.info[:, kernels.C_NEXT] == DECLARES).mean()
    assert declared > (rows.info[:, kernels.C_NEXT] == DECLARES).mean()


def test_the_passes_in_torch_and_in_numpy_are_the_same(rows):
    torch = pytest.importorskip("torch", reason="torch is not installed: the extra train")
    from engine.train.chances import ChanceNet, loss_of, loss_of_ends  # noqa: PLC0415 - it needs torch

    torch.manual_seed(1)
    net = ChanceNet(ChanceShape(8, 2, 8))
    weights = ChanceWeights.of(net.shape, {name: value.detach().numpy() for name, value in net.weights.items()})
    net.load_state_dict({f"weights.{name}": torch.from_numpy(array) for name, array in weights.arrays().items()})
    info = rows.info[:50]
    planes, numbers = with_choice(
        rows.planes[:50], rows.numbers[:50], info[:, kernels.C_NEXT], info[:, kernels.C_TILE], info[:, kernels.C_BEFORE]
    )
    with torch.no_grad():
        odds, ends = net(torch.from_numpy(planes), torch.from_numpy(numbers), torch.from_numpy(shares_of(planes)))
    counted = planes[:, :, UNSEEN] > 0
    chances, stated_ends = weights.network().chances(planes, numbers)
    assert np.allclose(torch.sigmoid(ends).numpy(), stated_ends, atol=1e-5)
    assert np.allclose(torch.sigmoid(odds).numpy().transpose(0, 2, 3, 1) * counted[:, None, None], chances, atol=1e-5)
    # the loss of one kind is the likelihood of its turns at risk, written out
    losses = loss_of(odds, rows.events[:50], rows.risks[:50], counted).numpy()
    at, kind = next(zip(*np.nonzero(counted & (rows.events[:50] >= 0)), strict=True))
    likelihood = 1.0
    for actor in range(ACTORS):
        for turn in range(min(int(rows.risks[at, actor, kind]), TURNS)):
            came = actor == rows.events[at, kind] and turn == rows.risks[at, actor, kind] - 1
            p = float(chances[at, actor, turn, kind])
            likelihood *= p if came else 1 - p
    assert losses[at, kind] == pytest.approx(-np.log(likelihood), rel=1e-3)
    losses = loss_of_ends(ends, rows.ends[:50]).numpy()
    for at, ends_at in enumerate(rows.ends[:50].tolist()):
        expected = 0.0
        for (at_risk, ended), p in zip(ends_at, stated_ends[at].astype(np.float64), strict=True):
            passed = 1 - p[:at_risk]
            if ended:
                passed[-1] = 1 - passed[-1]
            expected -= np.log(passed).sum()
        assert losses[at] == pytest.approx(expected, rel=1e-3)


def test_a_fit_on_nothing_says_so(recordings):
    pytest.importorskip("torch", reason="torch is not installed: the extra train")
    from engine.train.chances import ChanceFit, Settings  # noqa: PLC0415 - it needs torch

    fit = ChanceFit(Settings(ChanceShape(8, 1), rows=100), recordings)
    with pytest.raises(NothingToLearnError):
        fit.run(np.empty(0, np.int64), lambda _done, _loss: None)


def test_a_fit_on_one_hand_ends(recordings):
    pytest.importorskip("torch", reason="torch is not installed: the extra train")
    from engine.train.chances import ChanceFit, Settings  # noqa: PLC0415 - it needs torch

    fit = ChanceFit(Settings(ChanceShape(8, 1), rows=100, share=1e-6), recordings)
    fit.run(np.array([0]), lambda _done, _loss: None)
    assert fit.done >= 100
