"""Names of earlier versions: each is answered with what to use instead, and none exists today."""

import pytest

from bot import cli
from bot.config import keys
from bot.deciding.players import PlayerSpec
from bot.machine.errors import InputError
from bot.retired import PLAYED_AS, RETIRED, Kind
from engine.policy.registry import POLICIES
from tests.bot.commands.program import oshihiki


@pytest.mark.parametrize(
    ("kind", "name"), [(kind, name) for kind in (Kind.COMMAND, Kind.OPTION) for name in RETIRED[kind]]
)
def test_a_retired_command_or_option_is_answered_with_its_sentence(monkeypatch, capsys, kind, name):
    code, out, err = oshihiki(monkeypatch, capsys, *["verify"] * name.startswith("-"), *name.split())
    assert (code, out) == (2, "")
    assert err == f"oshihiki: {name} no longer exists: {RETIRED[kind][name]}\n"


def test_a_retired_value_is_found_in_either_form(monkeypatch, capsys):
    for words in (["--backend", "ray"], ["--backend=ray"]):
        code, _, err = oshihiki(monkeypatch, capsys, "verify", *words)
        assert (code, "--backend ray no longer exists" in err) == (2, True)


@pytest.mark.parametrize("text", [*RETIRED[Kind.POLICY], *(f"value:{name}=1" for name in RETIRED[Kind.SETTING])])
def test_a_player_of_an_earlier_version_is_answered_with_its_sentence(text):
    with pytest.raises(InputError, match="no longer exists: "):
        PlayerSpec.parse(text)


def test_options_that_exist_are_not_retired():
    assert RETIRED[Kind.SETTING].keys() == PLAYED_AS.keys()
    assert not RETIRED[Kind.COMMAND].keys() & cli.COMMANDS.keys()
    assert not RETIRED[Kind.POLICY].keys() & POLICIES.keys()
    known = keys()
    assert not RETIRED[Kind.SETTING].keys() & set(known["policy"])
    assert not RETIRED[Kind.KEY].keys() & {f"{section}.{key}" for section, names in known.items() for key in names}
