"""The wait nets as an estimator: packed and unpacked, refused when they do not fit, blind to the names of suits."""

from __future__ import annotations

import json

import numpy as np
import pytest

from engine.model.tiles import EAST, KINDS, allocate136, parse_tiles37
from engine.papers.waits.estimator import (
    CURVES,
    LEVELS,
    NET_OF,
    NETS,
    PAIRS,
    RENAMES,
    WaitNets,
    features_hash,
    pack,
    pair_bits,
    read_nets,
    renamed_codes,
    river_codes,
    unpack,
)
from engine.papers.waits.net_kernels import Net
from engine.papers.waits.samples import SparseRows, net_logits, stacked
from engine.state import RiverTile
from engine.tables import WeightsError
from tests.samples import parse_tile37


@pytest.fixture(scope="module")
def nets():
    chance = np.random.default_rng(0)
    shapes = ((PAIRS, 100), (100,), (100, 100), (100,), (100, 2), (2,))
    return stacked([Net(*(chance.normal(0, 0.1, shape).astype(np.float32) for shape in shapes)) for _ in range(NETS)])


def keep(folder, nets, rows=None, **card):
    rows = np.arange(PAIRS) if rows is None else rows
    np.savez_compressed(folder / "waits.npz", rows=rows.astype(np.int16), **pack(nets))
    curve = np.ones(CURVES).tolist()
    text = {"card": {"features_hash": features_hash()} | card, "slope": curve, "offset": curve}
    (folder / "waits.json").write_text(json.dumps(text))


def river(text):
    return river_codes([RiverTile(tile, at % 2 == 0) for at, tile in enumerate(allocate136(parse_tiles37(text)))])


def test_weights_survive_being_kept_up_to_rounding(nets, tmp_path):
    keep(tmp_path, nets)
    found = read_nets(tmp_path)
    for name, part in nets._asdict().items():
        again = getattr(found.nets, name)
        step = np.abs(part).max() / LEVELS if name == "first" else 0.001
        assert np.abs(again - part).max() <= step
    assert unpack(pack(nets)).first.dtype == np.float32


@pytest.mark.parametrize("wrong", ["missing", "damaged", "features", "shape"])
def test_weights_that_do_not_fit_are_refused_with_the_command_that_mends_them(nets, tmp_path, wrong):
    if wrong == "features":
        keep(tmp_path, nets, features_hash="0" * 16)
    elif wrong == "damaged":
        keep(tmp_path, nets)
        (tmp_path / "waits.npz").write_bytes(b"no archive")
    elif wrong == "shape":
        keep(tmp_path, nets, rows=np.arange(74))
    with pytest.raises(WeightsError, match=f"(?s){wrong}.*oshihiki train waits"):
        read_nets(tmp_path)


def test_a_logit_is_that_of_the_net_of_the_kind_on_the_river_renamed(nets):
    found = WaitNets(nets, np.arange(PAIRS), np.ones(CURVES), np.zeros(CURVES))
    codes = river("19m4p0s77s1z3m8p22z")
    logits = found.logits(codes)
    for kind in range(KINDS):
        bits = pair_bits(RENAMES[kind][codes])
        own = Net(*(part[NET_OF[kind]] for part in nets))
        rows = SparseRows(np.array([0, len(bits)]), bits)
        assert logits[kind] == pytest.approx(net_logits(own, rows)[0], abs=1e-5)


def test_suits_are_alike(nets):
    found = WaitNets(nets, np.arange(PAIRS), np.ones(CURVES), np.zeros(CURVES))
    manzu_souzu = [*range(18, 27), *range(9, 18), *range(9), *range(EAST, KINDS)]
    codes = river("19m4p0s77s1z3m8p22z")
    one, two = found.logits(codes), found.logits(renamed_codes(manzu_souzu)[codes])
    # the suit of the wait and the two others may change places, not the two others alone
    assert one[parse_tile37("4m")] == pytest.approx(two[parse_tile37("4s")], abs=1e-5)
    assert one[EAST] != two[EAST]
    assert found.chances(one, 0).shape == (KINDS,)


def test_rare_pairs_count_for_nothing(nets):
    rows = np.full(PAIRS, -1)
    found = WaitNets(nets, rows, np.ones(CURVES), np.zeros(CURVES))
    assert (found.logits(river("19m4p")) == found.logits(river("7s3s"))).all()
