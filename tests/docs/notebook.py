"""Runs a notebook as Jupyter would, and writes what its cells say into it.

python tests/docs/notebook.py docs/notebook.ipynb
"""

from __future__ import annotations

import ast
import contextlib
import io
import json
import os
import sys
from pathlib import Path
from typing import Any


def run(notebook: Path) -> dict[str, Any]:
    """The notebook with its outputs, run in its own folder."""
    whole: dict[str, Any] = json.loads(notebook.read_text(encoding="utf-8"))
    names: dict[str, Any] = {"__name__": "__main__"}
    with contextlib.chdir(notebook.parent):
        for number, cell in enumerate((each for each in whole["cells"] if each["cell_type"] == "code"), 1):
            cell["execution_count"] = number
            cell["outputs"] = _outputs("".join(cell["source"]), names, number)
    return whole


def text(whole: dict[str, Any]) -> str:
    """The file of a notebook."""
    return json.dumps(whole, indent=1, ensure_ascii=False) + "\n"


def _outputs(source: str, names: dict[str, Any], number: int) -> list[dict[str, Any]]:
    """What a cell prints, and the value of its last line."""
    body = ast.parse(source).body
    last = body.pop() if isinstance(body[-1], ast.Expr) else None
    printed, value = io.StringIO(), None
    with contextlib.redirect_stdout(printed):
        exec(compile(ast.Module(body, []), "cell", "exec"), names)  # noqa: S102 - our own notebook
        if last is not None:
            value = eval(compile(ast.Expression(last.value), "cell", "eval"), names)  # noqa: S307 - likewise
    found: list[dict[str, Any]] = []
    if said := printed.getvalue():
        found.append({"name": "stdout", "output_type": "stream", "text": said.splitlines(keepends=True)})
    if value is not None:
        drawn = getattr(value, "_repr_html_", lambda: None)()
        data = {} if drawn is None else {"text/html": drawn.splitlines(keepends=True)}
        data["text/plain"] = repr(value).splitlines(keepends=True)
        result = {"data": data, "execution_count": number, "metadata": {}, "output_type": "execute_result"}
        found.append(result)
    return found


if __name__ == "__main__":
    sys.path[:0] = [os.getcwd(), "bot/library"]  # noqa: PTH109 - as it is called
    for name in sys.argv[1:]:
        Path(name).write_text(text(run(Path(name))), encoding="utf-8")
