"""Reading logs, on one core. Verification at 200 kyoku a second leaves five milliseconds for each, this among it."""

from __future__ import annotations

import tarfile

import pytest

from protocol.logs import mjlog, wire


@pytest.fixture(scope="module")
def games(corpus):
    with tarfile.open(corpus / "other4-00.tar.xz") as archive:
        return [(member.name, archive.extractfile(member).read()) for member in archive.getmembers()[:20]]


@pytest.mark.corpus
def test_read_mjlog(benchmark, games):
    logs = benchmark(lambda: [mjlog.read(data, name) for name, data in games])
    assert len(logs) == 20


@pytest.mark.corpus
def test_write_mjlog(benchmark, games):
    logs = [mjlog.read(data, name) for name, data in games]
    texts = benchmark(lambda: [mjlog.write(log) for log in logs])
    assert len(texts) == 20


@pytest.mark.corpus
def test_play_wire_session(benchmark, corpus):
    with tarfile.open(corpus / "wire-sessions.tar.xz") as archive:
        data = archive.extractfile("82093_2018-01-17_11_44_58.log").read()
    steps = benchmark(lambda: list(wire.play(wire.read_session(data))))
    assert len(steps) > 100
