"""The program, run within the tests' own process."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable

from bot import cli


def oshihiki(monkeypatch, capsys, *arguments, given=None):
    """Run the entry point; (exit code, standard output, standard error). ``given`` is piped into it."""
    monkeypatch.setattr(sys, "argv", ["oshihiki", *map(str, arguments)])
    if given is not None:
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BufferedReader(io.BytesIO(given)), encoding="utf-8"))
    code = 0
    try:
        cli.main()
    except SystemExit as end:
        code = end.code or 0
    said = capsys.readouterr()
    return code, said.out, said.err


def asking(monkeypatch, capsys) -> Callable[..., str]:
    """A function that runs the entry point and checks its exit code; gives what it printed, or said of an error."""

    def ask(*words, code=0):
        ended, out, err = oshihiki(monkeypatch, capsys, *words)
        assert ended == code, err
        return out if code == 0 else err

    return ask
