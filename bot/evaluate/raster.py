"""Pictures as PNG: an installed browser draws the SVG."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import Final

from bot.machine.errors import InputError

BROWSERS: Final = (
    "chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome", "microsoft-edge", "msedge",
)  # fmt: skip
"""Programs that draw a page without a window when they are called with ``--headless --screenshot``."""
DENSITY: Final = 2
"""Pixels per unit of the SVG."""
PATIENCE: Final = 60.0
"""Seconds after which the browser is given up."""


def png_of(svg: str) -> bytes:
    """The PNG of a picture whose size its ``svg`` element states.

    Raises:
        InputError: there is no browser, or it does not draw the picture.
    """
    program = next((found for name in BROWSERS if (found := shutil.which(name))), None)
    if program is None:
        raise InputError(
            "a PNG is drawn by Chromium, Chrome or Edge, and none of them was found on the PATH; install one, or end "
            "the name with .svg"
        )
    size = re.search(r'width="([\d.]+)" height="([\d.]+)"', svg)
    if size is None:
        raise ValueError("the picture does not state its size")
    with tempfile.TemporaryDirectory(prefix="oshihiki-png-") as folder:
        source, target = Path(folder) / "picture.svg", Path(folder) / "picture.png"
        source.write_text(svg, encoding="utf-8")
        command = [
            program, "--headless", "--disable-gpu", "--hide-scrollbars", "--no-first-run", "--disable-sync",
            "--disable-background-networking", "--disable-component-update", "--default-background-color=00000000",
            f"--force-device-scale-factor={DENSITY}", f"--user-data-dir={folder}/profile", f"--screenshot={target}",
            f"--window-size={round(float(size[1]))},{round(float(size[2]))}", source.as_uri(),
        ]  # fmt: skip
        if hasattr(os, "geteuid") and os.geteuid() == 0:
            command.insert(1, "--no-sandbox")  # the sandbox refuses to run as root; the picture is our own
        try:
            subprocess.run(command, check=True, capture_output=True, timeout=PATIENCE)  # noqa: S603 - found by name
            return target.read_bytes()
        except (OSError, subprocess.SubprocessError) as error:
            raise InputError(f"{program} did not draw the picture ({error}); end the name with .svg instead") from None
