"""Our packages on the path, which have short names.

A module of the user's with such a name, ``bot.py`` say, stands before them on the path if the program is started in its
folder, and must not be taken for them.
"""

import sys
from importlib.machinery import PathFinder
from importlib.util import module_from_spec
from pathlib import Path


def home() -> str:
    """The folder on the path in which our packages lie."""
    for folder in sys.path:
        if (Path(folder) / "bot" / "cli.py").is_file():
            return folder
    raise ModuleNotFoundError(
        "the packages of oshihiki are on no folder of sys.path; install oshihiki again", name="bot"
    )


def _load(name: str) -> None:
    """Import a package of ours, unless it is there, in place of a module of the same name."""
    if hasattr(sys.modules.get(name), "__path__"):
        return
    spec = PathFinder.find_spec(name, [home()])
    if spec is None or spec.loader is None:
        raise ModuleNotFoundError(f"the package {name} of oshihiki is missing; install oshihiki again", name=name)
    module = module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)


for package in ("engine", "protocol", "bot"):
    _load(package)
