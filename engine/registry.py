"""Things that can be chosen by name: our own with a row each, anybody's as ``module:Class``."""

import re
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from inspect import Parameter, signature
from typing import Any, Final, Generic, TypeVar, cast

from engine import settings
from engine.settings import NoSettings

T = TypeVar("T")

_OUTSIDE: Final = re.compile(r"[A-Za-z_][\w.]*:[A-Za-z_]\w*")
"""A class by its import path."""


@dataclass(frozen=True, slots=True)
class Row:
    """One entry of a registry. Reading it imports nothing of what it names."""

    path: str  # ``module:name`` of a class, or of a function that creates the object
    # schema of its settings (:mod:`engine.settings`), or ``module:name`` of it; it is called with an instance of it, or
    # without arguments if there is no schema
    schema: type | str = NoSettings
    needs: tuple[str, ...] = ()  # names of the preparations in :mod:`engine.warmup` that compile and load what it uses
    short: str = ""  # the setting that a bare value sets, as in ``neat:speed``; empty if there is none

    @property
    def settings(self) -> type:
        """The schema of its settings; a module of settings alone is imported for it."""
        if isinstance(self.schema, type):
            return self.schema
        module, _, name = self.schema.partition(":")
        return cast("type", getattr(import_module(module), name))


@dataclass(frozen=True, slots=True)
class Named:
    """An entry and the values of some of its settings, parsed from ``NAME:KEY=VALUE,KEY=VALUE``."""

    name: str
    options: Mapping[str, Any]


class Registry(Mapping[str, Row], Generic[T]):
    """The rows by name.

    Args:
        kind: what an entry is, for error messages: ``policy``.
        rows: rows by name.
        methods, attributes: methods and attributes that a class from outside, and an instance of it, must have.
        separators: characters between the settings in a text.
    """

    def __init__(
        self,
        kind: str,
        rows: Mapping[str, Row],
        methods: tuple[str, ...],
        attributes: tuple[str, ...] = (),
        separators: str = ",",
    ) -> None:
        self.kind = kind
        self.rows = dict(rows)
        self._methods = methods
        self._attributes = attributes
        self._separators = separators

    def __getitem__(self, name: str) -> Row:
        return self.rows[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.rows)

    def __len__(self) -> int:
        return len(self.rows)

    def outside(self, text: str) -> bool:
        """Whether a text names a class from outside, with or without settings."""
        return text.partition(":")[0] not in self.rows and _OUTSIDE.match(text) is not None

    def find(self, name: str) -> Row:
        """The row of that name, or one for a class from outside (``module:Class``).

        A class from outside declares the schema of its settings as the class attribute ``Settings``, if it has any.

        Raises:
            ValueError: the name does not exist; or the class cannot be imported, or lacks a method.
        """
        if name in self.rows:
            return self.rows[name]
        if not _OUTSIDE.fullmatch(name):
            there = f"{settings.nearest(name, self.rows)}there are: {', '.join(self.rows)}"
            raise ValueError(f"no {self.kind} is named {name!r}; {there}, and module:Class for your own")
        made = self._load(name)
        with _refusing(f"{name}: cannot be read"):
            missing = [method for method in self._methods if not callable(getattr(made, method, None))]
            schema = getattr(made, "Settings", NoSettings)
        self._check(name, missing)
        with _refusing(f"{name}: its Settings cannot be read"):
            settings.read(schema, {})
        return Row(name, schema)

    def parse(self, text: str) -> Named:
        """Parse ``NAME``, ``NAME:KEY=VALUE,…``, ``module:Class`` or ``module:Class:KEY=VALUE,…``.

        Raises:
            ValueError: the name or a setting does not exist, or a value is not allowed.
        """
        name, _, rest = text.partition(":")
        if self.outside(text):
            kind, _, rest = rest.partition(":")
            name = f"{name}:{kind}"
        row = self.find(name)
        texts = {}
        for part in filter(None, re.split(f"[{self._separators}]", rest)):
            key, given, value = part.partition("=") if "=" in part or not row.short else (row.short, "=", part)
            if not given:
                raise ValueError(f"{text}: {part!r} is not a setting; write NAME:KEY=VALUE")
            texts[key.strip()] = value.strip()
        try:
            return Named(name, settings.parse(row.settings, texts))
        except settings.SettingError as error:
            raise ValueError(f"{text}: {error}") from None

    def make(self, name: str, options: Mapping[str, Any] | None = None, **more: Any) -> T:
        """Create an entry.

        Args:
            name: name as for :meth:`find`.
            options: settings other than the defaults.
            more: further arguments; of these a class from outside gets what its ``__init__`` takes.

        Raises:
            ValueError: the name or a setting does not exist, a value is not allowed, or a class from outside fails.
        """
        row = self.find(name)
        values = settings.read(row.settings, options or {})
        if row.settings is not NoSettings:
            more["settings"] = values
        factory = self._load(row.path)
        if name in self.rows:
            return cast("T", factory(**more))
        with _refusing(f"{name}: cannot be created"):
            takes = _taken(factory, more)
            made = factory(**takes)
            missing = [attribute for attribute in self._attributes if not hasattr(made, attribute)]
        self._check(name, missing)
        return cast("T", made)

    def needs(self, name: str, options: Mapping[str, Any] | None = None) -> tuple[str, ...]:
        """Names of the preparations that an entry with these settings requires.

        Raises:
            ValueError: as :meth:`make`.
        """
        row = self.find(name)
        return tuple(dict.fromkeys((*row.needs, *settings.needs_of(settings.read(row.settings, options or {})))))

    def _check(self, name: str, missing: list[str]) -> None:
        if missing:
            raise ValueError(f"{name} is not a {self.kind}: it has no {', no '.join(missing)}; see docs/extending.md")

    def _load(self, path: str) -> Any:
        module, _, name = path.partition(":")
        absent = ""
        with _refusing(f"{path}: cannot be imported"):
            try:
                loaded = import_module(module)
            except ModuleNotFoundError as error:
                absent = error.name or module
        if absent:
            raise ValueError(f"{path}: the module {absent!r} does not exist")
        try:
            return getattr(loaded, name)
        except AttributeError:
            raise ValueError(f"{path}: the module {module} has no {name!r}") from None


def _taken(factory: Any, offered: Mapping[str, Any]) -> Mapping[str, Any]:
    """Those of the arguments offered that a class from outside takes; one without ``__init__`` takes none.

    Raises:
        TypeError: it has a schema of settings, but does not take them.
    """
    began = getattr(factory, "__init__", None)
    if began is object.__init__ or getattr(began, "__module__", "") == "typing":  # the latter is that of a Protocol
        names: set[str] = set()
    else:
        parameters = signature(factory).parameters.values()
        if any(each.kind is Parameter.VAR_KEYWORD for each in parameters):
            return offered
        names = {each.name for each in parameters if each.kind is not Parameter.POSITIONAL_ONLY}
    if "settings" in offered and "settings" not in names:
        raise TypeError("it has Settings, but takes no argument 'settings'; see docs/extending.md")
    return {name: value for name, value in offered.items() if name in names}


def is_its_own(error: BaseException) -> bool:
    """Whether an exception that left code from outside is of its making, not a request to stop.

    SIGINT raises KeyboardInterrupt in the main thread. Other requests to stop are classes derived from SystemExit.
    """
    if isinstance(error, KeyboardInterrupt):
        return threading.current_thread() is not threading.main_thread()
    return type(error) is SystemExit or not isinstance(error, SystemExit)


@contextmanager
def _refusing(what: str) -> Iterator[None]:
    """Turn whatever code from outside raises within the block into a ValueError; a request to stop passes."""
    try:
        yield
    except BaseException as error:
        if not is_its_own(error):
            raise
        try:
            text = str(error)
        except BaseException:  # noqa: BLE001 - its own method raised
            text = "its text cannot be printed"
        raise ValueError(f"{what}: {type(error).__name__}: {text}") from error
