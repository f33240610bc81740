"""`GridModel`: a spec as a function of states, for planners and filters: nothing is kept between two questions."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import gymnasium as gym
import numpy as np

from griddsl.compiler import AnySpec, compiled
from griddsl.diagnostics import Refused
from griddsl.envs.joint.game import JointStep
from griddsl.envs.model.distributions import (
    Key,
    forgotten,
    initial_distribution,
    runs,
    step_distribution,
    sums,
)
from griddsl.envs.model.simulator import ModelState, Simulator, check_state, frozen
from griddsl.envs.model.symmetry import Walk, is_symmetric, walked
from griddsl.envs.seeding import new_stream, seeded
from griddsl.envs.states import unpickled
from griddsl.exact.draws import ExactError, Script
from griddsl.exact.states.step_need import begins_anew
from griddsl.loading import resolve
from griddsl.program.runtime import SetupFailure

if TYPE_CHECKING:
    from griddsl.spec.models import GridSpec

MOST_TRIES = 100_000


class JointTimestep(NamedTuple):
    """What one joint step gives. The dicts have a key for every agent that took part in the step."""

    state: ModelState  # the next state
    observations: dict[str, Any]
    rewards: dict[str, float]
    terminated: dict[str, bool]
    truncated: dict[str, bool]
    all_done: bool  # no agent's part goes on
    infos: dict[str, dict[str, Any]]
    outcome: str | None  # how the episode ended: the word of the first `end`, "truncated", "out"; None before


class GridModel:
    """A spec as a partially observable stochastic game: its functions, without an episode.

    Every question is answered from its arguments alone, so one model serves any number of searches, one after the
    other. ``rng`` is a `numpy.random.Generator`, of which each call takes 64 bits, or a whole number as seed: the
    same arguments give the same answer. Names follow posggym's ``POSGModel`` where it has the thing. Single-agent
    specs work too: there ``agents`` has one name. Raises `SpecError` where the spec has errors.
    """

    def __init__(self, source: AnySpec, /, **params: Any) -> None:
        self.compiled = compiled(resolve(source), **params)
        self.program = self.compiled.program
        self._prepare()

    def _prepare(self) -> None:
        self._simulator = Simulator(self.compiled)
        self.possible_agents: tuple[str, ...] = tuple(self._simulator.players)
        self.observation_spaces: dict[str, gym.Space[Any]] = self._simulator.observation_spaces
        self.action_spaces: dict[str, gym.Space[Any]] = self._simulator.action_spaces

    # What there is

    @property
    def spec_model(self) -> GridSpec:
        """The validated model of the spec, with its parameters bound."""
        return self.compiled.model

    @property
    def state_space(self) -> gym.spaces.Box:
        """The space of `vector`: ``(integers + reals,)``, int64, or float64 where states hold reals."""
        slots = [slot for slot in self.program.slots if slot.saved]
        whole = [slot for slot in slots if slot.type != "real"]
        low = np.repeat([slot.low for slot in whole], [slot.length for slot in whole])
        high = np.repeat([slot.high for slot in whole], [slot.length for slot in whole])
        reals = self.program.layout.saved_reals
        if not reals:
            return gym.spaces.Box(low.astype(np.int64), high.astype(np.int64), dtype=np.int64)
        any_real = np.full(reals, np.inf)
        return gym.spaces.Box(
            np.concatenate([low, -any_real]), np.concatenate([high, any_real]), dtype=np.float64
        )

    def vector(self, state: ModelState) -> np.ndarray[Any, np.dtype[Any]]:
        """Return a state as one row of numbers, as `state_space` describes it."""
        check_state(state)
        if self.program.layout.saved_reals:
            return np.array([*state.integers, *state.reals], dtype=np.float64)
        return np.array(state.integers, dtype=np.int64)

    @cached_property
    def reward_range(self) -> dict[str, tuple[float, float]]:
        """Bounds of what each agent can get in one step, the least and the most.

        Found by visiting every state that can be reached; ``(-inf, inf)`` where there are too many for that.
        """
        if self._walk is None:
            return dict.fromkeys(self.possible_agents, (-np.inf, np.inf))
        return {name: self._walk.reward_range(at) for at, name in enumerate(self.possible_agents)}

    @cached_property
    def is_symmetric(self) -> bool | None:
        """Whether agents may change places: the same chances for what each does, sees and gets.

        True is proved: for every two agents, each state is matched with one that is the same with the two exchanged
        (a probabilistic bisimulation), and setup gives both equal chances. False is proved as well: their spaces
        differ, or there is no such matching. None: there are too many states to tell.
        """
        first = self.possible_agents[0]
        for spaces in (self.observation_spaces, self.action_spaces):
            if any(spaces[name] != spaces[first] for name in self.possible_agents):
                return False
        if len(self.possible_agents) == 1:
            return True
        if self._walk is None:
            return None
        try:
            return is_symmetric(self._walk, [self._look(state) for state in self._walk.states])
        except ExactError:
            return None

    def _look(self, state: ModelState) -> tuple[Any, ...]:
        """Return what each agent sees, whether its part goes on, and what it may do."""
        seen = self.observation(state)
        return tuple(
            (frozenset(seen[name].items()), name in state.agents, self.action_masks(state, name).tobytes())
            for name in self.possible_agents
        )

    @cached_property
    def _walk(self) -> Walk | None:
        try:
            return walked(self.program)
        except ExactError:
            return None

    # Sampling

    def agents(self, state: ModelState) -> tuple[str, ...]:
        """Return the agents whose part goes on, in order of declaration; none where the episode is over."""
        check_state(state)
        return state.agents

    def turn(self, state: ModelState) -> str | None:
        """Return the agent whose turn it is under ``turns: alternate``; None where all act at once."""
        self._simulator.put(state)
        return self._simulator.turn

    def sample_initial_state(self, rng: np.random.Generator | int) -> ModelState:
        """Return a state as setup draws it. Raises `SpecError` where setup finds no place."""
        self._simulator.seed(_stream(rng))
        return self._simulator.set_out()

    def initial_observations(
        self, state: ModelState, rng: np.random.Generator | int | None = None
    ) -> dict[str, Any]:
        """Return what each agent observes at the start of an episode, as its space says.

        ``rng`` decides about sensor noise; without noise it is not needed, and with it, it is (`ValueError`).
        """
        stream = 0 if rng is None else _stream(rng)
        self._simulator.put(state, stream)
        seen = self._simulator.see(state.agents)
        if rng is None and self._simulator.stream != stream:
            raise Refused("what is observed here is drawn: pass an rng, initial_observations(state, rng)")
        return seen

    def sample_agent_initial_state(
        self, agent: str, observation: Any, rng: np.random.Generator | int, tries: int = MOST_TRIES
    ) -> ModelState:
        """Return an initial state drawn as setup does, given what one agent observes in it.

        States are drawn until one fits; raises `ValueError` where none of ``tries`` did.
        """
        if agent not in self.possible_agents:
            raise Refused(f"{agent!r} is no agent here: {', '.join(map(repr, self.possible_agents))}")
        wanted = frozen(observation)
        generator = _generator(rng)
        for _ in range(tries):
            self._simulator.seed(new_stream(generator))
            state = self._simulator.set_out()
            if frozen(self._simulator.see([agent])[agent]) == wanted:
                return state
        shown = repr(observation)
        shown = shown if len(shown) <= 80 else f"what was given ({type(observation).__name__})"
        raise Refused(f"none of {tries:,} initial states looks like {shown} to {agent!r}")

    def step(
        self, state: ModelState, actions: Mapping[str, Any], rng: np.random.Generator | int
    ) -> JointTimestep:
        """Return what a joint action leads to: one action for each agent whose part goes on.

        Under ``turns: alternate`` only the action of `turn` is needed. Raises `ValueError` for a state in which the
        episode is over, and for a joint action that lacks an agent, names another, or holds what is no action;
        `SpecError` where the next episode of a trial begins, and its setup finds no place for what it puts.
        """
        simulator = self._simulator
        simulator.put(state, _stream(rng))
        actions = self._checked(simulator, state, actions)
        try:
            played = simulator.play(state.agents, actions)
        except SetupFailure as failure:
            raise simulator.setup_error(failure) from None
        observations = simulator.see(state.agents)
        return JointTimestep(
            simulator.value(played.agents),
            observations,
            played.rewards,
            played.terminated,
            played.truncated,
            not played.agents,
            {name: simulator.tell(name, played) for name in state.agents},
            simulator.ending(played),
        )

    def action_masks(self, state: ModelState, agent: str) -> np.ndarray[Any, np.dtype[np.bool_]]:
        """Return which actions an agent may take, ``(actions,)`` bool, groups one after the other."""
        self._simulator.put(state)
        return self._simulator.mask(agent)

    def _checked(
        self, simulator: Simulator, state: ModelState, actions: Mapping[str, Any]
    ) -> Mapping[str, Any]:
        if not state.agents:
            raise Refused("the episode is over in this state: no agent has a part to play")
        turn = simulator.turn
        if turn is not None and isinstance(actions, Mapping):
            if turn not in actions:
                raise Refused(f"the joint action has no action for {turn!r}, whose turn it is")
            actions = {**dict.fromkeys(state.agents), **actions}
        if not isinstance(actions, Mapping) or actions.keys() != set(state.agents):
            simulator.check_actions(actions, state.agents)
        for name, action in actions.items():
            if action is None and (turn is None or name == turn):
                simulator.numbers(name, action)  # says that it is no action
        return actions

    # Looking at a state

    def describe(self, state: ModelState) -> dict[str, Any]:
        """Return what a state holds, in the spec's words.

        ``agents``: for each its ``position``, ``(x, y)``, its ``facing`` where it has one, its attributes.
        ``objects``: for each its ``kind``, ``position`` (None where it is carried) and attributes. ``tiles``:
        the ground that may differ, its ``kind``, ``position`` and attributes: what has attributes that change, and
        where ground does, all but plain floor. ``names``: variables, and what setup chose.
        """
        self._simulator.put(state)
        return self._simulator.described()

    def render(self, state: ModelState) -> np.ndarray[Any, np.dtype[np.uint8]]:
        """Return a picture of a state, ``(height, width, 3)`` uint8."""
        self._simulator.put(state)
        frame: np.ndarray[Any, np.dtype[np.uint8]] = self._simulator.render()
        return frame

    # Chances, where they can be enumerated

    def initial_belief(self) -> dict[ModelState, Fraction]:
        """Return the chances of all initial states; they sum to 1.

        Raises `ExactError`, a `ValueError`, for what cannot be enumerated.
        """
        simulator = self._exact_simulator
        return initial_distribution(lambda: simulator.set_out(simulator.restart), self._exact_script)

    def transition(self, state: ModelState, actions: Mapping[str, Any]) -> dict[ModelState, Fraction]:
        """Return the chances of all next states; they sum to 1 exactly.

        Raises as `step` does, and `ExactError`, a `ValueError`, for what cannot be enumerated: draws of a plug-in, or
        more than 100,000 ways for one step to go.
        """
        return self._ways(state, actions, lambda played: self._exact_simulator.value(played.agents))

    def reward(self, state: ModelState, actions: Mapping[str, Any]) -> dict[str, float]:
        """Return each agent's expected reward; raises as `transition` does."""
        check_state(state)
        totals = dict.fromkeys(state.agents, Fraction(0))
        for paid, chance in self._ways(state, actions, lambda played: tuple(played.rewards.items())).items():
            for name, reward in paid:
                totals[name] += chance * Fraction(reward)
        return {name: float(total) for name, total in totals.items()}

    def observation(self, state: ModelState) -> dict[str, dict[Any, Fraction]]:
        """Return the chances of what each agent observes in a state; given the state they are independent.

        Observations are keys as `key` makes them. Raises `ExactError`, a `ValueError`, for what cannot be enumerated,
        and where the observation tells of the last step what the state does not keep.
        """
        if self._forgotten:
            raise ExactError(
                f"what is observed depends on `{self._forgotten}` of the last step, which no state keeps",
                "use the observations of `step`",
            )
        simulator, script = self._exact_simulator, self._exact_script
        found: dict[str, dict[Any, Fraction]] = {}
        for name in self.possible_agents:

            def look(name: str = name) -> Any:
                simulator.put(state)
                return frozen(simulator.see([name])[name])

            found[name] = sums(runs(script, look))
        return found

    @staticmethod
    def key(observation: Any) -> Any:
        """Return an observation as a value that hashes and compares: arrays as nested tuples, dicts as pairs."""
        return frozen(observation)

    def _ways(
        self, state: ModelState, actions: Mapping[str, Any], told: Callable[[JointStep], Key]
    ) -> dict[Key, Fraction]:
        """Return what a joint step can come to, as ``told`` says while the simulator stands there, with the chances."""
        simulator = self._exact_simulator
        simulator.put(state)
        actions = self._checked(simulator, state, actions)

        def go() -> Key:
            simulator.put(state)
            return told(simulator.play(state.agents, actions))

        return step_distribution(go, self._exact_script, begins_anew(self.program))

    @cached_property
    def _exact_script(self) -> Script:
        return Script()

    @cached_property
    def _exact_simulator(self) -> Simulator:
        return Simulator(self.compiled, self._exact_script)

    @cached_property
    def _forgotten(self) -> str | None:
        return forgotten(self.program)

    # Copies

    def __getstate__(self) -> dict[str, Any]:
        return {"compiled": self.compiled}

    def __setstate__(self, kept: dict[str, Any]) -> None:
        unpickled(kept, type(self))
        self.compiled, self.program = kept["compiled"], kept["compiled"].program
        self._prepare()


def make_model(source: AnySpec, /, **params: Any) -> GridModel:
    """Return the functional model of a spec: a path, a text, a registered id, or a `GridSpec`.

    ``params`` are the spec's parameters, and ``level``.
    """
    return GridModel(source, **params)


def _generator(rng: np.random.Generator | int) -> np.random.Generator:
    if isinstance(rng, np.random.Generator):
        return rng
    if isinstance(rng, (int, np.integer)) and rng >= 0:
        return seeded(int(rng))
    raise Refused(f"rng is a numpy.random.Generator or a seed, a whole number from 0, not {rng!r}")


def _stream(rng: np.random.Generator | int) -> int:
    return new_stream(_generator(rng))
