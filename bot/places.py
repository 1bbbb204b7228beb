"""Where files are looked for that nobody named."""

from __future__ import annotations

from pathlib import Path

from platformdirs import user_config_path


def config_file() -> Path:
    """The configuration that is read unless another is named; it does not have to exist."""
    return user_config_path("oshihiki", appauthor=False) / "config.toml"


def at_home(path: Path) -> str:
    """A path as people write it, with ``~`` for the home directory."""
    home = Path.home()
    return f"~/{path.relative_to(home).as_posix()}" if path.is_relative_to(home) else str(path)
