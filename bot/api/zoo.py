"""One table as an environment of PettingZoo, whose agents take turns (AEC); it needs the extra ``pettingzoo``."""

from copy import deepcopy
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

try:
    from gymnasium import spaces
    from pettingzoo import AECEnv
except ModuleNotFoundError as error:
    message = f"{error}; install it with: pip install 'oshihiki[pettingzoo]'"
    raise ModuleNotFoundError(message, name=error.name) from None

from bot.api.arguments import LARGEST, RuleName, is_whole, one_of, rules_of, whole
from bot.api.rounds import NUMBERS, PLANES, Round
from bot.api.simulator import EPISODES, Episode, Simulator
from bot.machine.errors import InputError
from engine.interrupts import interrupts_held
from engine.model.rules import Rules
from engine.model.seats import SEATS
from engine.rules.answer_kernels import ANSWERS
from engine.settings import shown
from engine.state.words import drawn

AGENTS: Final = tuple(f"player_{seat}" for seat in SEATS)
"""The agents by seat; ``player_0`` is the first dealer."""
_SIZE: Final = 34 * len(PLANES) + len(NUMBERS)


class Mahjong(AECEnv):
    """A game, or hand after hand, for four agents.

    An observation is a dictionary: ``observation``, int32 (34 * PLANES + NUMBERS,), the planes of
    :class:`bot.api.rounds.Round` row by row and then its numbers; ``action_mask``, int8 (ANSWERS,), 1 for each legal
    answer, all 0 for an agent that is not asked. An action is the number of an answer. Where several agents may claim a
    tile they answer one after the other, and none sees what another has answered. Rewards are those of the round.
    """

    metadata: Final = {"name": "oshihiki_v0", "render_modes": ["ansi"], "is_parallelizable": False}
    render_mode = "ansi"
    agent_selection: str

    def __init__(self, rules: RuleName | Rules = "tonpu", episode: Episode = "game") -> None:
        """Make the environment.

        Args:
            rules: see :class:`bot.api.simulator.Simulator`.
            episode: when the agents are terminated: after a game, or after a hand.
        """
        super().__init__()
        self._rules, self._episode = rules_of(rules), episode
        one_of("episode", episode, EPISODES)
        self._seed = int(np.random.SeedSequence().generate_state(1)[0])
        self.possible_agents = list(AGENTS)
        low = np.zeros(_SIZE, np.int32)
        low[-len(NUMBERS) :] = np.iinfo(np.int32).min  # scores can be negative
        seen = spaces.Box(low, np.iinfo(np.int32).max, dtype=np.int32)
        mask = spaces.Box(0, 1, (ANSWERS,), np.int8)
        self.observation_spaces = {
            agent: spaces.Dict({"observation": seen, "action_mask": mask}) for agent in self.possible_agents
        }
        self.action_spaces = {agent: spaces.Discrete(ANSWERS) for agent in self.possible_agents}

    def observation_space(self, agent: str) -> spaces.Dict:
        """The space of its observations."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete:
        """The space of its actions."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a game.

        Args:
            seed: of its walls, which are those of the arena's referee; None: the seed after that of the last game,
                a random one at first.
            options: none exist.
        """
        del options
        self._seed = (self._seed + 1) % (LARGEST + 1) if seed is None else whole("seed", seed)
        self._tables = Simulator(
            1, self._rules, seed=self._seed, walls="tenhou", episode=self._episode, again=False, observe="none"
        )
        self.agents = list(AGENTS)
        self.rewards = dict.fromkeys(AGENTS, 0.0)
        self._cumulative_rewards = dict.fromkeys(AGENTS, 0.0)
        self.terminations = dict.fromkeys(AGENTS, False)
        self.truncations = dict.fromkeys(AGENTS, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in AGENTS}
        self._take_up(self._tables.reset())

    def observe(self, agent: str) -> dict[str, NDArray[Any]]:
        """The agent's observation now, whether or not it is asked."""
        one_of("agent", agent, AGENTS)
        self._refuse_before_reset()
        seat = AGENTS.index(agent)
        planes, numbers = self._tables.observe(np.zeros(1, np.int64), np.array([seat]))
        asked = np.flatnonzero(self._round.seats == seat)
        seen = np.concatenate([planes.ravel(), numbers.ravel()], dtype=np.int32)
        mask = self._round.mask[asked[0]] if len(asked) else np.zeros(ANSWERS, np.bool_)
        return {"observation": seen, "action_mask": mask.astype(np.int8)}

    def step(self, action: int | None) -> None:
        """Answer for the agent that is selected; the table goes on when all agents asked have answered.

        Raises:
            InputError: the answer is not legal; nothing has changed.
        """
        self._refuse_before_reset()
        if self.terminations[self.agent_selection]:
            self._was_dead_step(action)
            return
        with interrupts_held():
            self._answer(action)

    def _answer(self, action: Any) -> None:
        """:meth:`step` of an agent that is asked."""
        agent, row = self.agent_selection, len(self._answers)
        if not is_whole(action) or not 0 <= action < ANSWERS or not self._round.mask[row][action]:
            legal = ", ".join(f"{number} {each}" for number, each in self._tables.legal_actions(row).items())
            raise InputError(f"{agent}: answer {shown(action)} is not legal here; legal are {legal}")
        self._answers.append(int(action))
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        if row + 1 < len(self._round.seats):
            self.agent_selection = AGENTS[self._round.seats[row + 1]]
        else:
            self._take_up(self._tables.step(self._answers))
        self._accumulate_rewards()

    def render(self) -> str:
        """The table as text, as the agent that is selected sees it."""
        if not self.agents or self.terminations[self.agent_selection]:
            return "the game is over"
        return drawn(self._tables.view(len(self._answers)), AGENTS)

    def close(self) -> None:
        """Nothing has to be closed."""

    def __getstate__(self) -> dict[str, Any]:
        """The state for a copy or a pickle, which shares nothing."""
        return deepcopy(self.__dict__)

    def _refuse_before_reset(self) -> None:
        if not hasattr(self, "_tables"):
            raise InputError("reset the environment before the first step")

    def _take_up(self, following: Round) -> None:
        """Take in a round."""
        self._round = following
        self._answers: list[int] = []
        self.rewards = dict(zip(AGENTS, following.rewards[0].tolist(), strict=True))
        if following.done[0]:
            self.terminations = dict.fromkeys(AGENTS, True)
            self.agent_selection = AGENTS[0]
        else:
            self.agent_selection = AGENTS[following.seats[0]]
