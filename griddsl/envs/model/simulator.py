"""The simulator: a game that is put into any state, played on from there, and read as a value."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import numpy as np

from griddsl.backends.python import Machine, build
from griddsl.compass import COMPASS
from griddsl.compiling.cache import Compiled
from griddsl.diagnostics import Refused
from griddsl.envs.joint.game import Game, JointStep
from griddsl.exact.draws import Script, scripted
from griddsl.program import keys
from griddsl.program.program import KindInfo, NameInfo


class ModelState(NamedTuple):
    """A state as a value: immutable, hashable, comparable and picklable. The random stream is no part of it.

    ``integers`` and ``reals`` are what the program saves (see `GridModel.state_space`); ``agents`` are the names of
    those whose part goes on, none where the episode is over.
    """

    integers: tuple[int, ...]
    reals: tuple[float, ...]
    agents: tuple[str, ...]


def check_state(state: Any) -> None:
    """Raise `TypeError` for what is no state of a model."""
    if not isinstance(state, ModelState):
        raise TypeError(f"a model asks for a `ModelState`, not {type(state).__name__}")


class Simulator(Game):
    """One episode's vectors as a workplace: each question begins with `put`, so nothing is kept between two.

    With a ``script`` all draws follow it, and no random stream is read.
    """

    def __init__(self, compiled: Compiled, script: Script | None = None) -> None:
        self.compiled, self.program, self._script = compiled, compiled.program, script
        self._prepare()

    def _build(self) -> Machine:
        return build(self.program) if self._script is None else scripted(self.program, self._script)

    @property
    def turn(self) -> str | None:
        """The agent whose turn it is under ``turns: alternate``; None where all act at once, or only one is asked."""
        return super().turn if self._is_joint else None

    def put(self, state: ModelState, stream: int = 0) -> None:
        """Go to a state, and let the random stream begin with these 64 bits.

        Raises `TypeError` for what is no state of a model, and `ValueError` for one of another spec.
        """
        check_state(state)
        unknown = [name for name in state.agents if name not in self.players]
        if unknown:
            raise Refused(f"this state is not one of {self.program.id}: it has an agent {unknown[0]!r}")
        self.set_state((state.integers, state.reals, stream))

    def value(self, agents: tuple[str, ...]) -> ModelState:
        """Return the state it is in, with the agents whose part goes on."""
        layout = self.program.layout
        return ModelState(tuple(self._s[: layout.saved]), tuple(self._f[: layout.saved_reals]), agents)

    @property
    def stream(self) -> int:
        """How far the random stream has come."""
        return self._r[0]

    def set_out(self, start: Callable[[], None] | None = None) -> ModelState:
        """Start an episode; agents that play by themselves take their turns before the first that does not."""
        (start or self.start)()
        if self._is_joint:
            self.await_turn()
        return self.value(tuple(self.players))

    def restart(self) -> None:
        """Run setup, whose failure is not turned into a `SpecError`."""
        self._machine.functions["reset"](self._s, self._f, self._r, -1)

    def play(self, agents: tuple[str, ...], actions: Mapping[str, Any]) -> JointStep:
        """Carry out a joint step of the agents whose part goes on."""
        if not self._is_joint:
            (name,) = self.players
            numbers = self.numbers(name, actions[name])
            reward, ended, cut = self._step(self._s, self._f, self._r, *numbers)
            left = () if ended or cut else agents
            return JointStep({name: float(reward)}, {name: bool(ended)}, {name: bool(cut)}, left)
        return self.play_on(actions, agents)

    def tell(self, name: str, played: JointStep) -> dict[str, Any]:
        """Return the info of an agent after a step, as the environments give it."""
        info = self.info(name, played.terminated[name], played.truncated[name])
        if not self._is_joint:
            info.pop("result", None)
        elif self.program.turns == "alternate":
            info["turn"] = self.turn
        return info

    def ending(self, played: JointStep) -> str | None:
        """Return how the episode ended in this step; None while it goes on."""
        if played.agents:
            return None
        return self.outcome or ("truncated" if any(played.truncated.values()) else "out")

    def results(self, played: JointStep) -> tuple[str, ...]:
        """Return who won and who lost, of those whose part ended in this step."""
        return tuple(
            self.result(name) if played.terminated[name] or played.truncated[name] else ""
            for name in played.rewards
        )

    def described(self) -> dict[str, Any]:
        """Return the state it is in, in the spec's own words; see `GridModel.describe`."""
        s, offsets, program = self._s, self._offsets, self.program
        kinds = {kind.code: kind for kind in program.kinds} | {kind.name: kind for kind in program.kinds}
        agents: dict[str, dict[str, Any]] = {}
        for index, name in enumerate(program.agent_names):
            cell = s[offsets[keys.AGENT_CELL] + index] if keys.AGENT_CELL in offsets else -1
            agents[name] = {"position": self._position(cell)}
            if keys.FACING in offsets:
                agents[name]["facing"] = COMPASS[s[offsets[keys.FACING] + index]]
            agents[name] |= self._attributes(kinds[program.agents[index]], index)
        cells: dict[int, int] = {}
        for layer in program.layers:
            if layer in offsets:
                things = s[offsets[layer] : offsets[layer] + program.cells]
                cells |= {thing: cell for cell, thing in enumerate(things) if thing >= 0}
        lengths = {slot.key: slot.length for slot in program.slots}
        objects: list[dict[str, Any]] = []
        for index in range(lengths.get(keys.OBJECT_KIND, 0)):
            code = s[offsets[keys.OBJECT_KIND] + index]
            if code >= 0:
                thing = {"kind": kinds[code].name, "position": self._position(cells.get(index, -1))}
                objects.append(thing | self._attributes(kinds[code], index))
        names = {
            info.label: self._told(info, s[offsets[info.slot]]) for info in program.names if not info.is_part
        }
        return {"agents": agents, "objects": objects, "tiles": self._described_ground(kinds), "names": names}

    def _described_ground(self, kinds: Mapping[Any, KindInfo]) -> list[dict[str, Any]]:
        """Return the ground that may differ from state to state: what changes, and what has attributes that do."""
        s, offsets, program = self._s, self._offsets, self.program
        changes = keys.TILE in offsets
        codes = s[offsets[keys.TILE] :][: program.cells] if changes else program.ground[0]
        found: list[dict[str, Any]] = []
        for cell, code in enumerate(codes):
            kind = kinds[int(code)]
            if any(attribute.is_slot for attribute in kind.attributes) or (changes and kind.name != "floor"):
                tile = {"kind": kind.name, "position": self._position(cell)}
                found.append(tile | self._attributes(kind, cell))
        return found

    def _attributes(self, kind: KindInfo, index: int) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for attribute in kind.attributes:
            if attribute.is_slot:
                value = self._s[self._offsets[attribute.holder] + index]
            else:
                table = next(table for table in self.program.tables if table.key == attribute.holder)
                value = int(table.values[index])
            word = attribute.words[value] if attribute.words else value
            found[attribute.name] = word == "true" if attribute.words == ("false", "true") else word
        return found

    def _told(self, info: NameInfo, value: int) -> Any:
        if info.form == "words":
            return info.words[value]
        if info.form == "cell":
            return self._position(value)
        return bool(value) if info.form == "bool" else value

    def _position(self, cell: int) -> tuple[int, int] | None:
        return (cell % self.program.width, cell // self.program.width) if cell >= 0 else None


def frozen(observation: Any) -> Any:
    """Return an observation as a value that hashes: arrays as nested tuples, dicts as tuples of pairs."""
    if isinstance(observation, dict):
        return tuple((name, frozen(value)) for name, value in observation.items())
    if isinstance(observation, tuple):
        return tuple(frozen(value) for value in observation)
    if isinstance(observation, np.ndarray):
        return _tuples(observation.tolist())
    return observation.item() if isinstance(observation, np.generic) else observation


def _tuples(value: Any) -> Any:
    return tuple(_tuples(part) for part in value) if isinstance(value, list) else value
