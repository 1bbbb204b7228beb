"""The container of ``Dockerfile`` builds; where docker does not run, its commands do in an environment of their own."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys

import pytest

from tests.docs.shown import ROOT

DOCKERFILE = (ROOT / "Dockerfile").read_text(encoding="utf-8").replace("\\\n", "")


def instructions(name):
    return re.findall(rf"^{name} (.+)$", DOCKERFILE, re.MULTILINE)


def docker_runs():
    docker = shutil.which("docker")
    return docker is not None and subprocess.run([docker, "info"], capture_output=True, check=False).returncode == 0  # noqa: S603


@pytest.mark.slow
@pytest.mark.skipif(not docker_runs(), reason="docker does not run here")
def test_the_container_builds_and_answers():
    subprocess.run(["docker", "build", "--tag", "oshihiki-test", str(ROOT)], check=True)  # noqa: S603, S607
    said = subprocess.run(["docker", "run", "--rm", "oshihiki-test", "--version"], check=True, capture_output=True)  # noqa: S607
    assert said.stdout.startswith(b"oshihiki ")


@pytest.mark.slow
def test_its_commands_install_a_program_that_plays(tmp_path):
    (install,) = [line for line in instructions("RUN") if "pip install" in line]
    subprocess.run([sys.executable, "-m", "venv", tmp_path / "environment"], check=True)  # noqa: S603
    path = f"{tmp_path / 'environment' / 'bin'}:{os.environ['PATH']}"
    subprocess.run(install, shell=True, cwd=ROOT, env={**os.environ, "PATH": path}, check=True)  # noqa: S602
    assert "oshihiki warmup" in instructions("RUN")
    (tmp_path / "my.toml").write_text('[policy]\nname = "tsumogiri"\n[game]\nlength = "tonpu"\n')
    (entry,), (command,) = (map(json.loads, instructions(name)) for name in ("ENTRYPOINT", "CMD"))
    words = [word.replace("/config", str(tmp_path)) for word in (*entry, *command)]
    words[words.index("--games") + 1] = "1"
    volume = {"XDG_DATA_HOME": str(tmp_path / "data"), "PATH": path}
    subprocess.run(words, cwd=tmp_path, env={**os.environ, **volume}, check=True)  # noqa: S603
    assert list((tmp_path / "data").rglob("*.jsonl"))
