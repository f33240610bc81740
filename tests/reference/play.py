"""Play: the interpreter as an environment: reset, step, and what each gives (sections 11, 13 and 14)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from griddsl.spec.models import GridSpec, Rule
from griddsl.syntax import nodes as n
from griddsl.syntax.nodes import walk
from tests.reference.actions import Chosen, has_mask, mask
from tests.reference.defining import without_definitions
from tests.reference.expressions import cell_of, evaluate
from tests.reference.game import Game, Group
from tests.reference.groups import heard
from tests.reference.numbers import plain
from tests.reference.observe import observe
from tests.reference.phases import carry_out
from tests.reference.randomness import Stream, first_state, generator_of
from tests.reference.scope import Scope
from tests.reference.setup import start
from tests.reference.sums import with_sums
from tests.reference.types import Type, type_in, type_of
from tests.reference.world import World


class Reference:
    """A spec, played by the definition: ``reset`` and ``step`` are those of Gymnasium where one agent learns.

    Where several do, they are those of a PettingZoo ``ParallelEnv``: dictionaries by agent.
    """

    def __init__(self, spec: GridSpec) -> None:
        self.game = Game(without_definitions(with_sums(spec)), written=spec)
        self.stream = Stream()
        self.world = World(self.game, self.stream)
        self.players = [self.game.agent_names[index] for index in self.game.learners]
        self.is_joint = len(self.players) > 1
        self.agents: list[str] = []
        self._is_seeded = False
        declared = {each.name for each in spec.params}
        self._episodes = 1 if "episodes" in declared else int(spec.arguments.get("episodes", 1))
        self._episode = 0
        self._whole = np.int64 if self.is_joint else int

    # The interface

    def reset(self, seed: int | None = None, options: Mapping[str, Any] | None = None) -> tuple[Any, Any]:
        """Start an episode: with the stream of a seed, or as the stream goes on."""
        follows = seed is None and self._is_seeded and not (options or {}).get("level")
        if self._episodes > 1:
            follows = False  # a reset begins another trial
        if not follows:
            self._episode = 0
        if seed is not None or not self._is_seeded:
            self.stream.state = first_state(generator_of(seed))
            self._is_seeded = True
        start(self.world, self._level(options), follows)
        self.agents = list(self.players)
        if not self.is_joint:
            return self._seen(self.players[0]), self._info(self.players[0], False, False)
        if self.game.turns == "alternate":
            while self._turn not in self.players:
                carry_out(self.world, {})
        seen = {name: self._seen(name) for name in self.agents}
        return seen, {name: self._info(name, False, False) for name in self.agents}

    def step(self, action: Any) -> tuple[Any, Any, Any, Any, Any]:
        """Carry out one step, or a joint one."""
        if self.is_joint:
            return self._joint_step(action)
        (name,) = self.players
        index = self.game.learners[0]
        carry_out(self.world, {index: self._chosen(index, action)})
        ended, cut = self._flags(index)
        if (ended or cut) and self._episode < self._episodes - 1:
            reward, hidden = self._reward(index), self.world.hidden
            start(self.world, None, follows=True)
            self.world.hidden = hidden
            self._episode += 1
            return self._seen(name), reward, False, False, self._info(name, False, False)
        return self._seen(name), self._reward(index), ended, cut, self._info(name, ended, cut)

    def _joint_step(self, actions: Mapping[str, Any]) -> tuple[Any, Any, Any, Any, Any]:
        playing = list(self.agents)
        rewards, ended, cut = self._step_of(actions, playing)
        left = [name for name in playing if not (ended[name] or cut[name])]
        while left and self.game.turns == "alternate" and self._turn not in self.players:
            more, ends, cuts = self._step_of({}, left)
            for name in left:
                rewards[name] += more[name]
                ended[name], cut[name] = ends[name], cuts[name]
            left = [name for name in left if not (ended[name] or cut[name])]
        self.agents = left
        seen = {name: self._seen(name) for name in playing}
        infos = {name: self._info(name, ended[name], cut[name]) for name in playing}
        return seen, rewards, ended, cut, infos

    def _step_of(
        self, actions: Mapping[str, Any], names: list[str]
    ) -> tuple[dict[str, float], dict[str, bool], dict[str, bool]]:
        index = {name: self.game.agent_names.index(name) for name in self.players}
        carry_out(
            self.world, {index[name]: self._chosen(index[name], actions.get(name)) for name in self.players}
        )
        flags = {name: self._flags(index[name]) for name in names}
        return (
            {name: self._reward(index[name]) for name in names},
            {name: ended for name, (ended, _) in flags.items()},
            {name: cut for name, (_, cut) in flags.items()},
        )

    @property
    def _turn(self) -> str:
        return self.game.agent_names[self.world.turn]

    def _reward(self, index: int) -> float:
        return float(self.world.given[index])

    def _flags(self, index: int) -> tuple[bool, bool]:
        """Return whether an agent's part has ended, and whether it was cut short."""
        world, limit = self.world, self.game.limit
        ended = world.ended or index in world.left
        over = limit is not None and world.step >= limit
        return ended, world.truncated or over or index in world.timed_out

    # Actions and levels

    def _chosen(self, index: int, action: Any) -> Chosen:
        groups = self.game.groups_of(self.game.agents[index])
        if action is None:
            return [None] * len(groups)
        if groups[0].joystick:
            return [snapped(groups[0], np.asarray(action, dtype=float))]
        return [int(number) for number in np.atleast_1d(action)]

    def _level(self, options: Mapping[str, Any] | None) -> int | None:
        if not options or "level" not in options:
            return None
        return [level.name for level in self.game.levels].index(options["level"])

    # What is seen and told

    def _seen(self, name: str) -> Any:
        return observe(self.world, self.world.agents[self.game.agent_names.index(name)], self._whole)

    def _info(self, name: str, ended: bool, cut: bool) -> dict[str, Any]:
        world = self.world
        agent = world.agents[self.game.agent_names.index(name)]
        scope = Scope(world, {}, agent)
        info = {each.name: told(each.value, scope) for each in reversed(self.game.spec.info)}
        info |= {"episode": self._episode} if self._episodes > 1 else {}
        info |= self._silence()
        info |= {key: self._told(key, value) for key, value in world.told[agent.index].items()}
        if any(isinstance(node, n.Reward) and node.hidden for node in walk(self._effects())):
            info["hidden_reward"] = float(world.hidden[agent.index])
        if has_mask(world, agent):
            info["action_mask"] = np.array(mask(world, agent), dtype=np.int8)
        over = ended or cut
        outcome = world.outcome or ("truncated" if cut and not ended else "out")
        info["outcome"] = outcome if over else ""
        info["is_success"] = info["outcome"] == "success"
        if self.is_joint:
            info["result"] = self._result(agent.index) if over else ""
        if self.is_joint and self.game.turns == "alternate":
            info["turn"] = self._turn
        return info

    def _rules(self) -> Iterator[Rule]:
        """Yield the rules, those about groups with each kind that they can mean."""
        for rule in self.game.spec.rules:
            yield from heard(rule, Scope(self.world, {}))

    def _effects(self) -> list[Any]:
        return [rule.effects for rule in self.game.spec.rules]

    def _told(self, name: str, value: Any) -> Any:
        """Return a value that a rule told, as the type that its expression has."""
        for rule in self._rules():
            for node in walk(rule.effects):
                if isinstance(node, n.Info) and node.name == name:
                    return in_type(value, type_in(rule, node.value, self.world), Scope(self.world, {}))
        return value

    def _silence(self) -> dict[str, Any]:
        """Return what the entries of rules say in a step in which no rule sets them."""
        found: dict[str, Any] = {}
        for rule in self._rules():
            for node in walk(rule.effects):
                if isinstance(node, n.Info):
                    found.setdefault(node.name, _silent(type_in(rule, node.value, self.world)))
        return found

    def _result(self, index: int) -> str:
        """Return ``win``, ``loss`` or ``draw``, where the outcome is ``draw`` or ``AGENT_wins``; else nothing."""
        outcome = self.world.outcome or ""
        if outcome == "draw":
            return "draw"
        own = {self.game.agents[index].name, self.game.agent_names[index]}
        everybody = {kind.name for kind in self.game.agents} | set(self.game.agent_names)
        winner = next((name for name in everybody if outcome == f"{name}_wins"), None)
        return "" if winner is None else "win" if winner in own else "loss"


def snapped(group: Group, stick: Any) -> int:
    """Return the action of a joystick: the nearest direction, or ``stay`` within a quarter of its middle."""
    import math

    from tests.reference.compass import STEPS

    x, y = (min(1.0, max(-1.0, float(value))) for value in stick)
    if math.hypot(x, y) < 0.25:
        return group.joystick
    ways = [(x * dx + y * dy) / math.hypot(dx, dy) for dx, dy in STEPS[: group.joystick]]
    return ways.index(max(ways))


def _silent(type: Type) -> Any:
    """Return the empty word, False, or zero."""
    if type.form == "cell":
        return 0
    if type.form in {"words", "text"}:
        return ""
    return False if type.form == "truth" else 0.0 if type.is_real else 0


def told(node: n.Expression, scope: Scope) -> Any:
    """Return the value of an entry of info."""
    type = type_of(node, scope)
    return in_type(evaluate(node, scope, as_word=type.form == "words"), type, scope)


def in_type(value: Any, type: Type | None, scope: Scope) -> Any:
    """Return a value as Python has its type: bool, text, float, or int (a cell's number)."""
    value = plain(value)
    if type is not None and type.form == "cell":
        cell = cell_of(value, scope)
        return -1 if cell is None else cell.number
    if type is not None and type.is_real:
        return float(value)
    return getattr(value, "number", value)
