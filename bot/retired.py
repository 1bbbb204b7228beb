"""Names that earlier versions knew, each with a sentence that says what to use instead.

Whoever asks for one is answered with its sentence: the command line for commands and their options (:mod:`bot.cli`), a
player's name for policies and settings (:mod:`bot.deciding.players`). A configuration that names a setting or a key is
still read, without it (:mod:`bot.config`).
"""

from collections.abc import Mapping
from enum import StrEnum
from typing import Final


class Kind(StrEnum):
    """What a name stood for, and how it is written here."""

    COMMAND = "command"
    """``config init``."""
    OPTION = "option"
    """``audit --text``: the command and the option, which stands twice where it may no longer be repeated;
    ``--backend ray``: a value of an option, of whatever command."""
    POLICY = "policy"
    """``value-3``."""
    SETTING = "setting"
    """``worlds``: a setting of a policy, on the command line and in ``[policy]`` of a configuration."""
    KEY = "key"
    """``section.key``: any other key of a configuration."""


_EARLIER: Final = "commit {} plays it, also through mjai: (docs/lab/policies.md#earlier-versions)."
_UNREWARDED: Final = "no measurement rewarded it; leave it out."
RETIRED: Final[Mapping[Kind, Mapping[str, str]]] = {
    Kind.COMMAND: {
        "config init": "copy config.example.toml, which has every key, or write `oshihiki config check` into a file.",
        "config show": "`oshihiki config check` shows every setting in effect.",
        "train selfplay": "it learned less than its error; commit 64ad1aa2 has it (docs/lab/phoenix.md).",
    },
    Kind.OPTION: {
        **{
            f"evaluate --{name}": f'write it into --state, as in --state "{name}=…".'
            for name in ("indicators", "visible", "river", "offered", "from", "round", "seat", "scores", "honba")
        },
        **{
            f"evaluate --{name}": f'write it into --state, as in --state "{name}=…".'
            for name in ("sticks", "against", "rules", "right", "across", "left")
        },
        **{
            f"evaluate --{name}": f"it is a setting of the evaluator; give --evaluator dag:{setting}=…"
            for name, setting in (("model", "model"), ("n", "exchanges"), ("calls", "calls"))
        },
        "evaluate --config": "the configuration at its place is read; give --policy NAME:KEY=VALUE for other settings.",
        "evaluate --evaluator all": "name one evaluator at a time.",
        "evaluate --image": "the library draws hands and tables: a notebook shows oshihiki.tiles() and .table().",
        "evaluate --tiles": "tiles are read in every notation and written as mpsz.",
        "evaluate --utility": "it is a setting of the policy; give --policy value:utility=…",
        "--backend ray": "a cluster is one of dask; give --backend dask.",
        "--backend threading": "give --jobs 1, which stays in one process.",
        "lobby --faults": "put the proxy of tests/faults, in a checkout, between the client and the lobby.",
        **{f"{name} --seat-name": "give --seat NAME." for name in ("audit", "replay")},
        "practice --state": "answers are kept in the first folder; a file named practice.json there is brought in.",
        "audit --seed": "the policy that judges has the seed 0; leave it out.",
        "audit --utility": "it is a setting of the policy; give --policy value:utility=…",
        "audit --all-seats": "leave --seat out: a page then shows all four players.",
        "audit --text": "without -o a summary is printed; -o report.html has every decision, --json every figure.",
        "audit --policy --policy": "one policy judges; in its report the column of strong play is a second opinion.",
        "play --hints": "switch them on at the table, or press 6.",
        "replay --seed": "write it into a configuration, as policy.seed.",
        "arena --out": "the report goes to standard output; add > FILE.",
        **{
            f"bench {name} --seed": "a benchmark takes the same hands and games each time; leave it out."
            for name in ("shanten", "scoring", "verify", "dag", "audit", "replay", "simulator", "danger")
        },
        **{f"bench dag --{name}": "it is 30 and 500 hands; leave it out." for name in ("each", "sized")},
        "bench dag --detail": "commit 64ad1aa2 prints the curve of cost against size.",
        "bench decisions --disputed": "give --only disputed.",
        "bench decisions --matter": "give --only with the kind of decision.",
        "bench decisions --within": "the journal has the values of each decision; leave it out.",
        **{
            f"bench {name} --rows": "the journal has every row, with the names of its columns; give --journal."
            for name in ("chances", "decisions", "forecasts", "policy")
        },
        **{
            f"bench neat --{name}": "the searches play unless evaluators are named; leave it out."
            for name in ("search", "no-search")
        },
        **{f"bench replay --{name}": "`oshihiki bench verify` measures the checks." for name in ("verified", "jobs")},
        **{
            f"train {name}": "it is a constant beside the fit (engine/train); leave it out."
            for name in (
                "chances --channels",
                "chances --blocks",
                "critic --channels",
                "critic --blocks",
                "danger --epochs",
                "danger --share",
                "perceptron --epochs",
                "placement --epochs",
                "neat --hidden",
            )
        },
        **{
            f"train {name} --quick": f"give --games {few}."
            for name, few in {
                "chances": "300 --views 60000",
                "critic": "300 --draws 60000",
                "danger": "800",
                "perceptron": "300",
                "phoenix": "300 --decisions 60000",
                "waits": "600",
            }.items()
        },
        "train phoenix --batch": "a step has 256 decisions; leave it out.",
        "train phoenix --teacher": "fit to the answers given; commit 22671543 fits to the chances of other weights.",
        "train reference --config": "give --policy NAME:KEY=VALUE for other settings.",
        "train neat --paper": "without options the run is the paper's; leave it out.",
        "train neat --quick": "give --population 100 --generations 60.",
        "bench network --views": "networks are asked about the hand as it is; leave it out.",
        "--strong selfplay": "give --strong programs-large, the network that value weighs.",
    },
    Kind.POLICY: {
        "selfplay": f"phoenix:size=large,imitates=program takes its place; {_EARLIER.format('64ad1aa2')}",
        "value-1": _EARLIER.format("a3901ebf"),
        "value-2": _EARLIER.format("a3901ebf"),
        "value-3": _EARLIER.format("64ad1aa2"),
        "value-4": _EARLIER.format("64ad1aa2"),
    },
    Kind.SETTING: {
        "call_margin": "calls come off as stated, and need no margin; leave it out.",
        "calibrated": _UNREWARDED,
        "corrections": "what value states of late calls comes true; leave it out.",
        "learned_network": "value weighs programs-large; leave it out.",
        "prior": "learned takes its place in every decision; leave it out.",
        "prior_calls": _UNREWARDED,
        "prior_riichi": _UNREWARDED,
        "riichi_bonus": "riichi comes off as stated, and needs no bonus; leave it out.",
        "riichi_course": _UNREWARDED,
        "spare": "keeping a tile always counts what it is worth; leave it out.",
        "tiles": "value always takes the chances at its own table; leave it out.",
        "views": "phoenix is asked about the hand as it is; leave it out.",
        "worlds": _UNREWARDED,
    },
    Kind.KEY: {},
}
"""The sentence of each name, by its kind."""


PLAYED_AS: Final[Mapping[str, tuple[object, str]]] = {
    **dict.fromkeys(("call_margin", "corrections", "prior", "riichi_bonus"), (0.0, "64ad1aa2")),
    "learned_network": ("programs-large", "64ad1aa2"),
    "spare": (1.0, "64ad1aa2"),
    "tiles": ("position", "64ad1aa2"),
    "views": ("one", "64ad1aa2"),
    **dict.fromkeys(("prior_calls", "prior_riichi", "worlds"), (0, "a3901ebf")),
    "calibrated": (False, "a3901ebf"),
    "riichi_course": ("counted", "a3901ebf"),
}
"""Of each retired setting the value by which policies play today, and the last commit that knows another."""


def retired(kind: Kind, name: str) -> str:
    """``'audit --text no longer exists: …'``; empty for a name that no earlier version knew."""
    sentence = RETIRED[kind].get(name)
    return f"{name} no longer exists: {sentence}" if sentence else ""


def played_otherwise(settings: Mapping[str, object]) -> str:
    """What to say of a game whose policy had a retired setting at a value that no policy of today plays by."""
    for name, value in settings.items():
        today, commit = PLAYED_AS.get(name, (value, ""))
        if value != today:
            return f"{name}={value} no longer exists: {_EARLIER.format(commit)}"
    return ""


def retired_player(text: str) -> str:
    """What to say of a player whose policy or one of whose settings is retired; empty if none is."""
    name, _, settings = text.partition(":")
    keys = [part.partition("=")[0].strip() for part in settings.split(",")]
    found = [retired(Kind.POLICY, name), *(retired(Kind.SETTING, key) for key in keys)]
    return next(filter(None, found), "")
