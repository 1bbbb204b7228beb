"""Files of tables and weights: their hash, and one error for all that can be wrong with them."""

from __future__ import annotations

import io
import json
import re
import struct
import zipfile
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from engine import tables
from engine.networks import imitation as prior
from engine.networks.imitation import warm_up
from engine.opponents import danger_tables, outcomes
from engine.opponents import network as danger
from engine.papers.che import perceptron
from engine.papers.neat import evaluator, network
from engine.papers.waits import estimator
from engine.search import discard_tables
from engine.tables import WeightsError, arrays_in, readable, require_features, short_hash, table_bytes
from engine.worth import placement

Arrays = dict[str, np.ndarray]

NETWORKS: dict[str, tuple[bytes, Callable[[bytes, str], object], str]] = {
    "danger_net": (table_bytes("engine.opponents", "danger_net.npz"), danger.read_weights, "train danger"),
    "phoenix": (table_bytes("engine.networks", "phoenix.npz"), prior.ImitationWeights.read, "train phoenix"),
    "perceptron": (
        table_bytes("engine.papers.che", "perceptron.npz"),
        perceptron.read_weights,
        "train perceptron",
    ),
    "neat": (table_bytes(evaluator.PACKAGE, "dora-value.npz"), network.read_network, "train neat"),
}


def test_the_hash_is_short_and_of_all_parts():
    assert short_hash(b"one", b"two") == short_hash(b"onetwo")
    assert short_hash(b"one") != short_hash(b"two")
    assert len(short_hash(b"one")) == 16


def test_weights_of_other_features_are_refused_with_the_command_that_fits_them():
    require_features("aa", "aa")
    says = r"^here was fitted on other features \(aa\).*has \(bb\).*with: fit it$"
    with pytest.raises(WeightsError, match=says), readable("here", "fit it"):
        require_features("aa", "bb")


def saved(arrays: Arrays, **options: Any) -> bytes:
    file = io.BytesIO()
    np.savez(file, **arrays, **options)
    return file.getvalue()


def largest(arrays: Arrays) -> str:
    """The array of weights."""
    floats = [name for name in arrays if arrays[name].dtype.kind == "f"]
    return max(floats, key=lambda name: arrays[name].size)


def changed(arrays: Arrays, change: Callable[[np.ndarray], np.ndarray]) -> bytes:
    name = largest(arrays)
    return saved(arrays | {name: change(arrays[name])})


def with_number(number: float) -> Callable[[bytes, Arrays], bytes]:
    def put(array: np.ndarray) -> np.ndarray:
        array = array.copy()
        array.flat[0] = number
        return array

    return lambda _data, arrays: changed(arrays, put)


def asking(shape: str) -> Callable[[bytes, Arrays], bytes]:
    """The array's header asks for that shape."""

    def make(_data: bytes, arrays: Arrays) -> bytes:
        name = largest(arrays)
        header = f"{{'descr': '<f4', 'fortran_order': False, 'shape': {shape}, }}".encode().ljust(117) + b"\n"
        file = io.BytesIO(saved({key: array for key, array in arrays.items() if key != name}))
        with zipfile.ZipFile(file, "a") as archive:
            archive.writestr(f"{name}.npy", b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header + bytes(64))
        return file.getvalue()

    return make


def encrypted(data: bytes, _arrays: Arrays) -> bytes:
    """The zip's directory says so of its first entry."""
    flags = data.index(b"PK\x01\x02") + 8
    return data[:flags] + b"\x01" + data[flags + 1 :]


def alone(array: np.ndarray) -> bytes:
    """An array without a zip around it."""
    file = io.BytesIO()
    np.save(file, array)
    return file.getvalue()


def flipped(data: bytes, _arrays: Arrays) -> bytes:
    middle = len(data) // 2
    return data[:middle] + bytes([data[middle] ^ 0xFF]) + data[middle + 1 :]


DAMAGE: dict[str, Callable[[bytes, Arrays], bytes]] = {
    "empty": lambda _data, _arrays: b"",
    "text": lambda _data, _arrays: b"nonsense",
    "cut in the middle": lambda data, _arrays: data[: len(data) // 2],
    "cut at the end": lambda data, _arrays: data[:-1],
    "beginning lost": lambda data, _arrays: data[100:],
    "a byte flipped": flipped,
    "zeros": lambda data, _arrays: bytes(len(data)),
    "one array": lambda _data, _arrays: alone(np.zeros(3)),
    "no array": lambda _data, _arrays: saved({}),
    "the weights missing": lambda _data, arrays: saved({k: v for k, v in arrays.items() if k != largest(arrays)}),
    "too few weights": lambda _data, arrays: changed(arrays, lambda array: array[:-1]),
    "text for numbers": lambda _data, arrays: changed(arrays, lambda array: np.full(array.shape, "x")),
    "objects": lambda _data, arrays: changed(arrays, lambda array: array.astype(object)),
    "not a number": with_number(float("nan")),
    "infinite": with_number(float("inf")),
    "a hundred thousand million numbers": asking("(100000000000,)"),
    "a thousand million numbers": asking("(1000000000,)"),
    "a negative shape": asking("(-5,)"),
    "a broken header": asking("("),
    "a deep header": asking("(" * 3_000),
    "an unknown compression": lambda data, _arrays: data.replace(b"\x08\x00", b"\x63\x00"),
    "encrypted": encrypted,
}  # fmt: skip


@pytest.mark.parametrize("kind", DAMAGE)
@pytest.mark.parametrize("name", NETWORKS)
def test_damaged_weights_are_one_error_that_names_the_file_and_the_way_back(name, kind):
    good, read, rebuild = NETWORKS[name]
    data = DAMAGE[kind](good, arrays_in(good))
    assert data != good
    with pytest.raises(
        WeightsError, match=rf"^{name}\.npz .*; install oshihiki again, or .*oshihiki {rebuild}"
    ) as found:
        read(data, f"{name}.npz")
    assert len(str(found.value)) < 500


@pytest.mark.parametrize("name", NETWORKS)
def test_vast_layers_are_refused(name):
    good, read, rebuild = NETWORKS[name]
    arrays = arrays_in(good)
    if "shape" in arrays:
        with pytest.raises(WeightsError, match=rebuild):
            read(saved(arrays | {"shape": np.full_like(arrays["shape"], 1_000_000_000)}), name)


def test_a_file_that_unpacks_to_too_much_is_refused(monkeypatch):
    monkeypatch.setattr(tables, "_LARGEST", 1000)
    with pytest.raises(ValueError, match="unpacks to more than"):
        arrays_in(saved({"x": np.zeros(1000)}))


JSON: dict[str, Callable[[], object]] = {
    "danger.json": danger_tables.danger_tables.__wrapped__,
    "outcomes.json": outcomes.outcome_tables.__wrapped__,
    "discards.json": discard_tables.discard_tables.__wrapped__,
    "placement.json": placement.placement_model.__wrapped__,
}


def with_nan(data: bytes) -> bytes:
    """The last fraction, which is in a table and not in the card before it, is no number."""
    *_, last = re.finditer(rb"-?\d+\.\d+", data)
    return data[: last.start()] + b"NaN" + data[last.end() :]


@pytest.mark.parametrize("change", [lambda _: b"", lambda data: data[:-50], lambda _: b"[]", lambda _: b"[" * 9_000,
                                    lambda _: b"{}", lambda _: b"\xff", with_nan], ids=[
                                        "empty", "cut", "list", "deep", "object", "bytes", "nan"])  # fmt: skip
@pytest.mark.parametrize("name", JSON)
def test_damaged_tables_are_the_same_error(monkeypatch, name, change):
    good = tables.table_bytes
    monkeypatch.setattr(tables, "table_bytes", lambda *place: change(good(*place)))
    with pytest.raises(WeightsError, match=rf"{name} is damaged.*oshihiki train"):
        JSON[name]()


@pytest.mark.parametrize("name", JSON)
def test_missing_tables_are_the_same_error(monkeypatch, name):
    monkeypatch.setattr(tables, "table_bytes", missing)
    with pytest.raises(WeightsError, match=rf"{name} is missing; install oshihiki again, or .*oshihiki train"):
        JSON[name]()


def missing(*_: str) -> bytes:
    raise FileNotFoundError


@pytest.mark.parametrize(
    "load",
    [
        danger.shipped_weights.__wrapped__,
        lambda: prior.FILES["phoenix"].load(prior.ImitationWeights.read),
        lambda: prior.FILES["phoenix-large"].load(prior.ImitationWeights.read),
        lambda: prior.FILES["programs-large"].load(prior.ImitationWeights.read),
        perceptron.shipped_weights.__wrapped__,
    ],
)
def test_missing_weights_are_the_same_error(monkeypatch, load):
    monkeypatch.setattr(tables, "table_bytes", missing)
    with pytest.raises(WeightsError, match=r"\.npz is missing; install oshihiki again, or .*oshihiki train"):
        load()


def test_a_missing_champion_is_the_same_error(monkeypatch):
    monkeypatch.setattr(tables, "table_bytes", missing)
    with pytest.raises(WeightsError, match=r"dora-value\.npz is missing; install"):
        evaluator.champion.__wrapped__("dora-value")


@pytest.mark.parametrize("change", [lambda data: data[:-9], lambda _: b"", lambda _: b"{}"])
@pytest.mark.parametrize("name", ["waits.npz", "waits.json"])
def test_damaged_waits_are_the_same_error(tmp_path, name, change):
    for each in ("waits.npz", "waits.json"):
        data = table_bytes("engine.papers.waits", each)
        (tmp_path / each).write_bytes(change(data) if each == name else data)
    with pytest.raises(WeightsError, match=r"is damaged.*oshihiki train waits"):
        estimator.read_nets(tmp_path)


def test_preparation_before_play_does_without_the_network(monkeypatch):
    def lost() -> None:
        raise WeightsError("phoenix.npz is missing")

    monkeypatch.setattr("engine.networks.imitation.shipped_network", lost)
    warm_up()


def test_good_tables_are_read():
    for load in JSON.values():
        assert load()
    for good, read, _ in NETWORKS.values():
        assert read(good, "good")
    assert json.loads(table_bytes("engine.papers.waits", "waits.json"))
