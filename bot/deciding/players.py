"""Players as people name them: a policy, with or without settings, a class of their own, or a program."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from bot.deciding.ask import guarded
from bot.deciding.programs import PREFIXES, start_program
from bot.machine.errors import InputError
from bot.machine.outlet import prints_to_stderr
from bot.machine.outside import find_here_too
from bot.retired import retired_player
from engine.policy.decision import Decider
from engine.policy.registry import BATCHED, POLICIES, make_policy
from engine.settings import NoSettings, known
from engine.simulator.tables import BatchDecider


@dataclass(frozen=True, slots=True)
class PlayerSpec:
    """A player: ``value``, ``value:fold_within=0,nodes=8000``, ``module:Class`` or ``mjai:COMMAND``.

    It holds only values and can be sent to another process.
    """

    text: str  # the text as given
    name: str  # name of the policy, ``module:Class``, or the whole of ``mjai:COMMAND``
    options: Mapping[str, Any] = field(default_factory=dict)  # settings other than the defaults

    @classmethod
    def parse(cls, text: str, options: Mapping[str, Any] | None = None) -> "PlayerSpec":
        """Parse a player.

        Args:
            text: the text as people write it.
            options: further settings, such as those of a configuration. Those that the policy does not have are
                ignored, and the text takes precedence.

        Raises:
            InputError: the policy or a setting does not exist, or a value is not allowed.
        """
        if text.startswith(PREFIXES):
            return cls(text, text)
        options = options or {}
        find_here_too(text, *options.values())
        try:
            with prints_to_stderr():
                named = POLICIES.parse(text)
                chosen = {**known(POLICIES.find(named.name).settings, options), **named.options}
                POLICIES.needs(named.name, chosen)  # and values that are not allowed are refused now
        except ValueError as error:
            raise InputError(retired_player(text) or str(error)) from None
        return cls(text, named.name, chosen)

    @property
    def program(self) -> bool:
        """Whether the player is an external program, not a policy."""
        return self.text.startswith(PREFIXES)

    @property
    def schema(self) -> type:
        """The schema of its settings; see :mod:`engine.settings`."""
        return NoSettings if self.program else POLICIES.find(self.name).settings

    @property
    def needs(self) -> tuple[str, ...]:
        """Names of the warm-up steps it requires."""
        return () if self.program else POLICIES.needs(self.name, self.options)

    @property
    def batched(self) -> bool:
        """Whether the simulator can ask it many questions at once."""
        return self.name in BATCHED

    @property
    def batch_needs(self) -> tuple[str, ...]:
        """Names of the further warm-up steps for that."""
        return BATCHED.needs(self.name, self.options) if self.batched else ()

    def in_batches(self) -> BatchDecider:
        """The player for any number of seats and tables; only where it is :attr:`batched`."""
        return BATCHED.make(self.name, self.options)

    def make(self, seed: int) -> Decider:
        """A new decider for one seat, guarded (:class:`~bot.deciding.ask.GuardedPolicy`).

        Raises:
            InputError: the policy cannot be created, or the program cannot be started.
        """
        if self.program:
            return guarded(start_program(self.text), self.text)
        find_here_too(self.name, *self.options.values())
        try:
            with prints_to_stderr():
                return guarded(make_policy(self.name, seed, self.options), self.text)
        except ValueError as error:
            raise InputError(str(error)) from None


def needs_of(players: Iterable[PlayerSpec]) -> set[str]:
    """Names of the warm-up steps that the players require together."""
    return {need for player in players for need in player.needs}


def make_player(text: str, seed: int = 0) -> Decider:
    """A new decider for a player as people name it.

    Raises:
        InputError: see :meth:`PlayerSpec.parse` and :meth:`PlayerSpec.make`.
    """
    return PlayerSpec.parse(text).make(seed)
