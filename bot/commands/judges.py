"""The policy that values actions in ``audit`` and ``evaluate``."""

from __future__ import annotations

from pathlib import Path

from bot.config import load
from bot.deciding.players import PlayerSpec
from bot.machine.errors import InputError
from engine.settings import fields_of


def judge_of(policy: str | None, config: Path | None, utility: str | None = None) -> PlayerSpec:
    """The policy that is named, or else that of the configuration, with the configuration's settings.

    Args:
        policy: text of ``--policy``; it takes precedence over the configuration.
        config: file of ``--config``; None: the one at the default place, if there is one.
        utility: text of ``--utility``.

    Raises:
        InputError: the policy cannot value actions, or has no such utility.
    """
    section = load(config).policy
    settings = section.settings | ({} if utility is None else {"utility": utility})
    judge = PlayerSpec.parse(policy or section.name, settings)
    if judge.program:
        raise InputError("--policy: a program values no actions; name a policy")
    if utility is not None:
        fields = fields_of(judge.schema)
        if "utility" not in fields:
            raise InputError(f"--utility: the policy {judge.name} has no utility; choose value")
        if judge.options.get("utility", fields["utility"].default) != utility:
            raise InputError("--utility and --policy name different utilities; leave one out")
    return judge
