"""How the pages become a site: ``make docs``, then open ``build/docs/index.html``."""

from __future__ import annotations

import json
import re
import sys
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from types import FunctionType
from typing import Any

from docutils.nodes import document
from myst_parser.parsers.sphinx_ import MystParser
from sphinx.application import Sphinx

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "bot" / "library")]

project = "Oshihiki"
author = "the authors of Oshihiki"
html_title = "Oshihiki"
html_theme = "furo"
html_static_path = ["site"]
html_css_files = ["site.css"]
html_copy_source = html_show_sourcelink = html_show_copyright = False
suppress_warnings = ["ref.python"]  # names of attributes, which Sphinx takes for links, occur in several classes
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
exclude_patterns = ["examples", "site"]
pygments_style, pygments_dark_style = "default", "monokai"

myst_heading_anchors = 4

autodoc_default_options = {"members": True, "member-order": "bysource"}
autodoc_typehints = "signature"
autodoc_typehints_format = "short"
autodoc_mock_imports = [name for name in ("gymnasium", "pettingzoo") if find_spec(name) is None]
napoleon_google_docstring = True
napoleon_use_ivar = True
python_use_unqualified_type_names = True


class NotebookParser(MystParser):
    """A notebook is a page: its texts, its code, and what its cells said."""

    supported = ("notebook",)

    def parse(self, inputstring: str, document: document) -> None:
        """See docutils."""
        super().parse("\n\n".join(map(_cell, json.loads(inputstring)["cells"])), document)


def _cell(cell: dict[str, Any]) -> str:
    source = "".join(cell["source"])
    if cell["cell_type"] == "markdown":
        return source
    return "\n\n".join([f"```python\n{source}\n```", *map(_output, cell["outputs"])])


def _output(output: dict[str, Any]) -> str:
    data = output.get("data", {"text/plain": output.get("text", ())})
    if "text/html" in data:
        html = "".join(data["text/html"]).replace("\n", "&#10;")
        return f'```{{raw}} html\n<div class="output">{html}</div>\n```'
    return f"```text\n{''.join(data['text/plain']).rstrip()}\n```"


HOW = {"GameState": ":inherited-members:", "GroundKind": ":no-members:", "simulator.Standing": ":no-index:"}
"""What is shown of a name otherwise than of the others."""


def _name_by_name(_app: Sphinx, _page: str, source: list[str]) -> None:
    """Write out the blocks of names: each as a class, a function or a number, whichever it is."""
    source[0] = re.sub(r"^```{names} (\S+)\n(.*?)^```$", _directives, source[0], flags=re.MULTILINE | re.DOTALL)


def _within_the_site(_app: Sphinx, _page: str, source: list[str]) -> None:
    """Link to the page that CONTRIBUTING.md is here, and name the README, which is no page, without a link."""
    text = re.sub(r"(\]\((?:\.\./)*)\.\./CONTRIBUTING\.md", r"\1contributing.md", source[0])
    source[0] = re.sub(r"\[([^]]+)\]\((?:\.\./)+README\.md[^)]*\)", r"\1", text)


def _directives(block: re.Match[str]) -> str:
    module, names = block.groups()
    lines = [f".. currentmodule:: {module}"]
    for name in names.split():
        thing = getattr(import_module(module), name)
        if isinstance(thing, int):
            lines += [f".. data:: {name}", f"   :value: {thing}"]
            continue
        kind = "class" if isinstance(thing, type) else "function" if isinstance(thing, FunctionType) else "data"
        how = HOW.get(f"{module}.{name}".removeprefix("oshihiki."), ":no-value:" if kind == "data" else "")
        lines += [f".. auto{kind}:: {name}", f"   {how}"]
    return "\n".join(["```{eval-rst}", *lines, "```"])


SENTENCES: dict[str, list[str]] = {}


def _keep(_app: Sphinx, what: str, name: str, _it: object, _options: object, lines: list[str]) -> None:
    """Keep what is said of an attribute: napoleon takes what stands before a colon for its type."""
    if what in {"attribute", "data", "property"}:
        fields = lines.index("Attributes:") if "Attributes:" in lines else len(lines)  # of the class of the value
        SENTENCES[name] = lines[:fields]


def _restore(_app: Sphinx, _what: str, name: str, _it: object, _options: object, lines: list[str]) -> None:
    """Put it back."""
    lines[:] = SENTENCES.pop(name, lines)


def setup(app: Sphinx) -> None:
    """Read notebooks, blocks of names and links out of the site, and what is said of attributes as it stands."""
    app.connect("source-read", _name_by_name)
    app.connect("source-read", _within_the_site)
    app.connect("autodoc-process-docstring", _keep, priority=1)
    app.connect("autodoc-process-docstring", _restore, priority=999)
    app.add_source_suffix(".ipynb", "notebook")
    app.add_source_parser(NotebookParser)
