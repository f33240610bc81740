"""`Told`: what rules have told an agent since it last acted, where the turns of others lie between."""

from __future__ import annotations

from typing import Any

from griddsl.envs.infos import entry_value
from griddsl.envs.joint.game import Game


class Told:
    """Gathers over the steps of a game what an agent's infos say of one: rewards are gathered by who steps, likewise.

    Each turn is a step of the game, whose infos are of that turn alone. Who acts in every second one is told, as of its
    rewards, of all since: the last value of each name that a rule gave, and hidden rewards added up.
    """

    def __init__(self, game: Game, agent: str) -> None:
        self.game, self.agent = game, agent
        self._entries = [entry for entry in game.players[agent].info if entry.flag]
        self._values: dict[str, Any] = {}
        self._hidden = 0.0

    def clear(self, hidden: float = 0.0) -> None:
        """Forget all, as the agent acts; ``hidden`` is a hidden reward from before its first step."""
        self._values, self._hidden = {}, hidden

    def gathered(self, info: dict[str, Any]) -> dict[str, Any]:
        """Take in what the agent's info says of the last step of the game; return it with all since it last acted."""
        player = self.game.players[self.agent]
        for entry in self._entries:
            value = self.game._entry(player, entry)
            if value is not None:
                self._values[entry.name] = entry_value(entry, value)
        if "hidden_reward" not in info:
            return {**info, **self._values}
        self._hidden += info["hidden_reward"]
        return {**info, **self._values, "hidden_reward": self._hidden}
