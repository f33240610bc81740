"""What a player observes and is told, put together from the functions of the program."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax.numpy as jnp
import numpy as np
from jax import lax

from griddsl.backends.interface import Port, leaf_port
from griddsl.backends.jax.arrays import in_dtype
from griddsl.backends.jax.machine import Machine, Work
from griddsl.backends.jax.settling import settled
from griddsl.jax.board import Board
from griddsl.jax.mission import Mission
from griddsl.program import keys
from griddsl.program.program import InfoEntry, Player
from griddsl.program.spaces import Leaf

Read = Callable[[Work], Any]


class Sight:
    """What one player sees: ``observe(work)`` is its observation, ``mask(work)`` its actions, bool."""

    def __init__(self, machine: Machine, player: Player) -> None:
        self.machine, self.player = machine, player
        self.readers = [self._reader(leaf) for leaf in player.observation.leaves]
        goal = machine.program.goal if len(machine.program.players) == 1 else {}
        self.goal = {name: self._reader(leaf) for name, leaf in goal.items()}
        self.actions = sum(len(group.actions) for group in player.groups)

    def observe(self, work: Work) -> Any:
        """Return the observation; what is drawn for it moves the stream on."""
        form, leaves = self.player.observation.form, self.player.observation.leaves
        found = [read(work) for read in self.readers]
        whole: Any
        if form == "bare":
            (whole,) = found
        elif form == "dict":
            whole = {leaf.name: value for leaf, value in zip(leaves, found, strict=True)}
        elif form == "tuple":
            whole = tuple(found)
        else:
            whole = jnp.concatenate(
                [lax.convert_element_type(value, np.float32).reshape(-1) for value in found]
            )
        if not self.goal:
            return whole
        achieved, desired = self.goal["achieved"](work), self.goal["desired"](work)
        return {"observation": whole, "achieved_goal": achieved, "desired_goal": desired}

    def mask(self, work: Work) -> Any:
        """Return which actions are allowed, ``(actions,)`` bool, groups one after the other."""
        if not self.player.mask:
            return jnp.ones(self.actions, np.bool_)
        port = Port(self.player.mask, False, self.actions, "int8", (self.actions,))
        # Whoever chooses by it asks for each entry, and more than once.
        allowed: Any = settled(self.machine.array(work, port, self.player.arguments) != 0)
        return allowed

    def _reader(self, leaf: Leaf) -> Read:
        if leaf.form == "mission":
            return Mission(self.machine, leaf).read
        if leaf.form == "text":
            return Board(self.machine, leaf).read
        port, machine, arguments = leaf_port(leaf), self.machine, self.player.arguments
        if port.is_value:
            return lambda work: lax.convert_element_type(
                machine.value(work, port.function, arguments), np.int32
            )
        return lambda work: machine.array(work, port, arguments)

    def told(self, work: Work, wide: bool) -> dict[str, Any]:
        """Return the entries of info: words as numbers, -1 where no rule has set them; the rest as 0."""
        real = np.float64 if wide else np.float32
        info = {entry.name: self._entry(work, entry, real) for entry in self.player.info}
        if self.machine.has(keys.HIDDEN_REWARD):
            agent = self.player.agent if len(self.machine.program.agents) > 1 else 0
            info["hidden_reward"] = in_dtype(self.machine.slot(work, keys.HIDDEN_REWARD, agent), real)
        return info

    def _entry(self, work: Work, entry: InfoEntry, real: Any) -> Any:
        machine = self.machine
        kind = {"real": real, "bool": np.bool_}.get(entry.form, np.int32)
        if entry.function:
            return in_dtype(machine.value(work, entry.function, self.player.arguments), kind)
        agent = self.player.agent if len(machine.program.players) > 1 else 0
        is_set = machine.slot(work, entry.flag, agent) != 0
        value = in_dtype(machine.slot(work, entry.slot, agent), kind)
        unset = np.array(-1 if entry.form == "words" else 0, kind)
        return jnp.where(is_set, value, unset)
