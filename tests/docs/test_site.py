"""The site holds every page and every public name, and builds without a warning."""

from __future__ import annotations

import re
import subprocess
import sys
from collections import defaultdict

import oshihiki
import oshihiki.simulator
import pytest

from tests.docs.shown import ROOT

DOCS = ROOT / "docs"


def test_every_public_name_is_in_the_reference():
    text = (DOCS / "reference.md").read_text(encoding="utf-8")
    named: defaultdict[str, set[str]] = defaultdict(set)
    for module, names in re.findall(r"^```{names} (\S+)\n(.*?)^```$", text, re.MULTILINE | re.DOTALL):
        named[module] |= set(names.split())
    assert named["oshihiki"] == {*oshihiki.__all__} - {"simulator"}
    assert named["oshihiki.simulator"] == {*oshihiki.simulator.__all__} - {"Rules"}
    assert set(re.findall(r"^.. auto\w+:: oshihiki.zoo.(\w+)$", text, re.MULTILINE)) == {"AGENTS", "Mahjong"}


def test_every_page_is_in_the_list_of_pages():
    text = (DOCS / "index.md").read_text(encoding="utf-8")
    lists = re.findall(r"^```{toctree}\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    listed = {line.removesuffix(".ipynb") for part in lists for line in part.splitlines() if line and line[0] != ":"}
    found = (path.relative_to(DOCS) for kind in ("*.md", "*.ipynb") for path in DOCS.rglob(kind))
    pages = {path.with_suffix("").as_posix() for path in found}
    assert listed == pages - {"index"}


def test_a_page_links_out_of_the_site_only_to_what_the_site_replaces():
    replaced = {ROOT / "README.md", ROOT / "CONTRIBUTING.md"}  # by docs/conf.py
    for pages, allowed in ((DOCS.rglob("*.md"), replaced), ([ROOT / "CONTRIBUTING.md"], set())):
        for page in pages:
            targets = re.findall(r"\]\(([^):#]+\.md)", page.read_text(encoding="utf-8"))
            linked = {(page.parent / target).resolve() for target in targets}
            assert {path for path in linked if not path.is_relative_to(DOCS)} <= allowed, page


@pytest.mark.slow
def test_it_builds_without_a_warning_and_needs_no_network(tmp_path):
    for needed in ("sphinx", "myst_parser", "furo"):
        pytest.importorskip(needed, reason="`make docs` installs what builds the site")
    words = [sys.executable, "-m", "sphinx", "-b", "html", "-W", "--keep-going", "-q", "-d", str(tmp_path / "read")]
    done = subprocess.run([*words, str(DOCS), str(tmp_path / "site")], capture_output=True, text=True)  # noqa: S603, PLW1510
    assert (done.returncode, done.stderr) == (0, "")
    index = (tmp_path / "site" / "index.html").read_text(encoding="utf-8")
    assert not re.findall(r'<(?:script|link|img)[^>]*(?:src|href)="https?:', index)
    reference = (tmp_path / "site" / "reference.html").read_text(encoding="utf-8")
    assert all(f'id="oshihiki.{name}"' in reference for name in oshihiki.__all__ if name != "simulator")
    assert "<img " in (tmp_path / "site" / "notebook.html").read_text(encoding="utf-8")
