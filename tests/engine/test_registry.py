"""Names, ``NAME:KEY=VALUE`` and ``module:Class``: what is found, and what is said of what is not."""

from __future__ import annotations

import re
from dataclasses import dataclass

import pytest

from engine.registry import Named, Registry, Row


@dataclass(frozen=True, slots=True)
class Loud:
    volume: int = 3


THINGS = Registry(
    "thing",
    {"loud": Row("json:dumps", Loud, ("shanten",)), "plain": Row("json:loads")},
    methods=("evaluate",),
    separators=",;",
)

OWN = """
import sys
from dataclasses import dataclass
from typing import Protocol

@dataclass(frozen=True)
class Settings:
    size: int = 1

class Thing:
    Settings = Settings
    def __init__(self, settings, seed=0):
        self.size, self.seed = settings.size, seed
        if settings.size < 0:
            raise RuntimeError("too small")
    def evaluate(self): ...

class Bare:
    def evaluate(self): ...

class Nothing: ...

class Seeded:
    def __init__(self, seed):
        self.seed = seed
    def evaluate(self): ...

class Whatever:
    def __init__(self, **taken):
        self.taken = taken
    def evaluate(self): ...

class Asks(Protocol):
    def evaluate(self): ...

class Derived(Asks):
    def evaluate(self): ...

class Deaf(Bare):
    Settings = Settings

class Leaves:
    def __init__(self, **_):
        sys.exit(0)
    def evaluate(self): ...

class Odd(BaseException):
    def __str__(self):
        raise RuntimeError

class Unprintable(Leaves):
    def __init__(self, **_):
        raise Odd

class Meta(type):
    def __getattr__(cls, name):
        raise OSError(name)

class Hides(metaclass=Meta): ...

class OddSettings(Bare):
    Settings = 5

class NoDefaults(Bare):
    @dataclass(frozen=True)
    class Settings:
        size: int
"""


@pytest.fixture(autouse=True)
def own(tmp_path, monkeypatch):
    (tmp_path / "own_things.py").write_text(OWN)
    (tmp_path / "broken_things.py").write_text("1 / 0")
    (tmp_path / "leaving_things.py").write_text("import sys; sys.exit(3)")
    (tmp_path / "half_things.py").write_text("import absent_module")
    monkeypatch.syspath_prepend(str(tmp_path))


def test_it_lists_its_names():
    assert list(THINGS) == ["loud", "plain"]
    assert "loud" in THINGS
    assert len(THINGS) == 2


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("loud", Named("loud", {})),
        ("loud:", Named("loud", {})),
        ("loud:volume=7", Named("loud", {"volume": 7})),
        ("own_things:Bare", Named("own_things:Bare", {})),
        ("own_things:Thing:size=4;", Named("own_things:Thing", {"size": 4})),
    ],
)
def test_texts_name_things(text, named):
    assert THINGS.parse(text) == named


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("lout", "no thing is named 'lout'; did you mean 'loud'? there are: loud, plain, and module:Class"),
        ("loud:volume", "loud:volume: 'volume' is not a setting; write NAME:KEY=VALUE"),
        ("loud:volume=x", "loud:volume=x: volume: 'x' is not allowed; it must be a whole number"),
        ("loud:colour=1", "loud:colour=1: colour: there is no such setting; there are: volume"),
        ("plain:volume=1", "there are: none"),
        ("nowhere:Thing", "nowhere:Thing: the module 'nowhere' does not exist"),
        ("half_things:Thing", "the module 'absent_module' does not exist"),
        ("broken_things:Thing", "broken_things:Thing: cannot be imported: ZeroDivisionError"),
        ("leaving_things:Thing", "leaving_things:Thing: cannot be imported: SystemExit: 3"),
        ("own_things:Hides", "own_things:Hides: cannot be read: OSError: evaluate"),
        ("own_things:OddSettings", "own_things:OddSettings: its Settings cannot be read: TypeError"),
        ("own_things:NoDefaults", "own_things:NoDefaults: its Settings cannot be read: TypeError"),
        ("own_things:Other", "own_things:Other: the module own_things has no 'Other'"),
        ("own_things:Nothing", "own_things:Nothing is not a thing: it has no evaluate; see docs/extending.md"),
    ],
)
def test_a_name_of_nothing_is_reported(text, says):
    with pytest.raises(ValueError, match=re.escape(says)):
        THINGS.parse(text)


def test_a_class_from_outside_is_made_with_its_settings():
    made = THINGS.make("own_things:Thing", {"size": 4}, seed=9)
    assert (made.size, made.seed) == (4, 9)
    assert THINGS.make("own_things:Bare") is not None
    with pytest.raises(ValueError, match=r"own_things:Thing: cannot be created: RuntimeError: too small"):
        THINGS.make("own_things:Thing", {"size": -1})


def test_a_class_from_outside_gets_what_it_takes():
    for name in ("Bare", "Derived", "Derived"):  # a Protocol changes at the first instance
        assert THINGS.make(f"own_things:{name}", seed=9) is not None
    assert THINGS.make("own_things:Seeded", seed=9).seed == 9
    assert THINGS.make("own_things:Whatever", seed=9).taken == {"seed": 9}
    with pytest.raises(ValueError, match=r"own_things:Deaf: cannot be created: .*takes no argument 'settings'"):
        THINGS.make("own_things:Deaf", seed=9)


@pytest.mark.parametrize(
    ("name", "says"), [("Leaves", "SystemExit: 0"), ("Unprintable", "Odd: its text cannot be printed")]
)
def test_a_constructor_ends_nothing(name, says):
    with pytest.raises(ValueError, match=re.escape(f"own_things:{name}: cannot be created: {says}")):
        THINGS.make(f"own_things:{name}")


def test_a_request_to_stop_passes(monkeypatch):
    class Stop(SystemExit):
        """As the handler of SIGTERM raises it."""

    for error in (Stop, KeyboardInterrupt):
        monkeypatch.setattr("engine.registry.import_module", lambda _, error=error: _raise(error))
        with pytest.raises(error):
            THINGS.parse("own_things:Bare")


def _raise(error):
    raise error


def test_a_row_says_what_is_warmed_up():
    assert THINGS.needs("loud") == ("shanten",)
    assert THINGS.needs("own_things:Bare") == ()
