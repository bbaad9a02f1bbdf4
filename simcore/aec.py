"""A game as a PettingZoo environment in which agents take turns (AEC). Only `simcore.environment` imports this."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray
from pettingzoo import AECEnv
from pettingzoo.utils.wrappers import AssertOutOfBoundsWrapper, OrderEnforcingWrapper, TerminateIllegalWrapper

from simcore import environment
from simcore.cardset import CardSet
from simcore.errors import InputError
from simcore.observation import Layout
from simcore.sitting import Sitting

Observation = dict[str, NDArray[Any]]
ILLEGAL = -1.0  # the reward of an illegal action
OPTIONS = ("deal", "rotation")


class Environment(AECEnv):  # type: ignore[misc]  # PettingZoo ships no types
    """The environment of `simcore.environment.env` without its wrappers: here an illegal action is an InputError."""

    def __init__(
        self, game: str, card_set: CardSet, line_up: Sequence[str], agents: Sequence[int], reward: str, seed: int
    ) -> None:
        super().__init__()
        self.sitting = Sitting(game, card_set, line_up, seed)
        self.metadata = {"name": f"fairdeal_{game}", "render_modes": ["ansi"], "is_parallelizable": False}
        self.render_mode = "ansi"
        self.possible_agents = [f"seat_{seat}" for seat in agents]
        self.agents: list[str] = []
        self._seat = dict(zip(self.possible_agents, agents, strict=True))
        self._agent = {seat: agent for agent, seat in self._seat.items()}
        self._reward = reward
        self._deal = -1
        self._layout = Layout(self.sitting.game)
        self._actions = environment.action_count(self.sitting.game)
        low, high = self._layout.bounds()
        space: dict[str, spaces.Space[Any]] = {
            "observation": spaces.Box(low, high, dtype=np.int32),
            "action_mask": spaces.Box(0, 1, (self._actions,), np.int8),
        }
        self.observation_spaces = {agent: spaces.Dict(space) for agent in self.possible_agents}
        self.action_spaces = {agent: spaces.Discrete(self._actions) for agent in self.possible_agents}

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """The space of the observations of an agent, the same object each time."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """The space of the actions of an agent, the same object each time."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Deal a game; bots play up to the first decision of an agent. `options` may name a deal and a rotation;
        others are ignored. Raises InputError for a deal or rotation that cannot be.
        """
        chosen = dict(options or {})
        for name in OPTIONS:
            value = chosen.get(name, 0)
            if isinstance(value, bool) or not isinstance(value, int) or value < 0:
                raise InputError(f"option {name}={value!r}: a whole number from 0 is allowed.")
        self._deal = chosen.get("deal", 0 if seed is not None else self._deal + 1)
        rotation = chosen.get("rotation", 0)
        if rotation >= self.sitting.seats:
            raise InputError(f"option rotation={rotation}: at this table it is at most {self.sitting.seats - 1}.")
        self.sitting.begin(self._deal, rotation, None if seed is None else seed % 2**64)
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self.agents[0]
        self._go_on()

    def observe(self, agent: str) -> Observation:
        """What the agent knows, and its legal actions: none where it is not to decide."""
        sitting, seat = self.sitting, self._seat[agent]
        mask = np.zeros(self._actions, np.int8)
        if sitting.actor == seat:
            options = sitting.legal()
            words = slice(int(options.start), int(options.stop))
            bits = np.unpackbits(options.mask[words].view(np.uint8), bitorder="little")
            mask[64 * words.start : 64 * words.stop] = bits
        row = self._layout.row(sitting.public, sitting.private[seat], seat)
        return {"observation": row, "action_mask": mask}

    def step(self, action: int | None) -> None:
        """The decision of the agent whose turn it is. Raises InputError for an illegal one; nothing happens then."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self.sitting.act(-1 if action is None else int(action))
        self._clear_rewards()
        self._cumulative_rewards[agent] = 0.0
        self._go_on()
        self._accumulate_rewards()

    def render(self) -> str:
        """The position in words, as the agent whose turn it is sees it."""
        return "\n".join(self.sitting.position(self._seat[self.agent_selection]))

    def close(self) -> None:
        """There is nothing to let go of."""

    def _go_on(self) -> None:
        """Play to the next decision of an agent that has a choice, or to the end."""
        sitting = self.sitting
        while sitting.actor >= 0:
            if sitting.actor in self._agent and sitting.legal().count > 1:
                self.agent_selection = self._agent[sitting.actor]
                return
            sitting.let_bot_decide()
        self.rewards = {agent: self._reward_of(self._seat[agent]) for agent in self.agents}
        self.terminations = dict.fromkeys(self.agents, True)
        self.agent_selection = self.agents[0]

    def _reward_of(self, seat: int) -> float:
        points, winners = self.sitting.points, self.sitting.winners
        if self._reward == "points":
            return float(points[seat])
        if self._reward == "wins":
            return (seat in winners) / len(winners)
        others = [points[other] for other in range(self.sitting.seats) if other != seat]
        return points[seat] - sum(others) / len(others)


def wrapped(
    game: str, card_set: CardSet, line_up: Sequence[str], agents: Sequence[int], reward: str, seed: int
) -> AECEnv:
    """The environment in the wrappers that PettingZoo's own games have."""
    raw = Environment(game, card_set, line_up, agents, reward, seed)
    return OrderEnforcingWrapper(AssertOutOfBoundsWrapper(TerminateIllegalWrapper(raw, ILLEGAL)))
