"""States from outside: looked at before anything is done with them, whatever runs the environment."""

from __future__ import annotations

import pickle
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import griddsl
from griddsl.backends.native.library import is_installed
from griddsl.compiler import compiled
from griddsl.envs.batch.vector_env import GridVectorEnv
from griddsl.envs.joint.parallel import GridParallelEnv
from griddsl.envs.model.simulator import ModelState
from griddsl.envs.single.grid_env import GridEnv
from griddsl.envs.states import Over, checked
from griddsl.program.program import Program
from griddsl.registration.ids import bundled_folder

NATIVE = ["native"] if is_installed() else []
SINGLES = ["python", "table", *NATIVE]
SIMPLE = """
env: test/Room-v0
map:
    @..o
    ...G
object box: pushable
legend: G = goal, o = box
var seen: 0 in 0..3
actions: left, right
observe: cell
on enter goal: end success
each step if seen < 3: seen += 1
limit: 30 steps
"""
GAME = """
env: test/Game-v0
agents: red, blue
map:
    R...
    ...B
legend: R = red, B = blue
actions: up, right, down, left
observe: position of self
each step: reward -1
limit: 20 steps
"""
FADING = """
env: test/Fading-v0
object key: portable, color in red | blue
map:
    @.kiG
legend: k = key, i = ice, G = goal
actions: left, right
observe: cell
on leave ice: place hole at random ice
on enter hole: end failure
on enter goal: end success
limit: 30 steps
"""
GARBAGE: list[Any] = [
    None, 0, 1.5, "state", b"state", (), (1,), ((), ()), ((), (), 0, 0), {}, {1, 2, 3}, object(), [None] * 3,
    "abc", (0, 0, 0), ("abc", (), 0), (None, None, None), ([[]], [], 0), range(3), np.zeros(3), lambda: 0,
]  # fmt: skip


def wrong(state: Any) -> list[Any]:
    """Return states that are none, made of one that is."""
    integers, reals, stream = state
    changed = [
        (*integers[:at], value, *integers[at + 1 :]) for at in range(len(integers)) for value in HOSTILE
    ]
    return [
        *GARBAGE,
        *((given, reals, stream) for given in changed),
        (integers[:-1], reals, stream),
        (integers[1:], reals, stream),
        ((*integers, 0), reals, stream),
        (integers * 1000, reals, stream),
        ((), reals, stream),
        (integers, (*reals, 0.0), stream),
        (integers, (*reals[:-1], float("nan"), *([0.0] if not reals else [])), stream),
        (integers, reals, -1),
        (integers, reals, 2**64),
        (integers, reals, None),
        (integers, reals, 0.5),
        (integers, reals, "0"),
        (tuple(map(str, integers)), reals, stream),
        (tuple(map(float, integers)), reals, stream),
        (bytes(len(integers)), reals, stream),
        np.zeros((3, 3)),
    ]


HOSTILE: tuple[Any, ...] = (
    -(2**70),
    -(2**63),
    -(2**31) - 1,
    2**31 - 1,
    2**31,
    2**62 + 1,
    2**63,
    2**70,
    0.0,
    None,
    "1",
)


def assert_refused(put: Callable[[Any], Any], state: Any, kept: Callable[[], Any]) -> None:
    """Every wrong state is an error that says so, and leaves all as it was."""
    before = kept()
    for given in wrong(state):
        with pytest.raises((ValueError, TypeError), match=r"state|integer") as caught:
            put(given)
        assert len(str(caught.value)) < 300
        assert kept() == before


@pytest.mark.parametrize("backend", SINGLES)
def test_one_environment__refuses_what_is_no_state(backend: str) -> None:
    """Of another size, out of its ranges, of other types."""
    env = GridEnv(SIMPLE, backend=backend)
    env.reset(seed=0)
    env.step(1)
    assert_refused(env.set_state, env.get_state(), env.get_state)
    env.set_state(env.get_state())
    env.set_state([list(part) if isinstance(part, tuple) else part for part in env.get_state()])  # type: ignore[arg-type]
    env.set_state((np.array(env.get_state()[0]), *env.get_state()[1:]))  # type: ignore[arg-type]
    assert env.step(1)


@pytest.mark.parametrize("backend", SINGLES)
def test_batch__refuses_what_is_no_state(backend: str) -> None:
    """One wrong state among several changes none of them."""
    batch = GridVectorEnv(SIMPLE, 3, backend=backend)
    batch.reset(seed=0)
    state = batch.get_state()[1]
    assert_refused(lambda given: batch.set_state([state, given, state]), state, batch.get_state)
    assert_refused(lambda given: batch.set_state([given], [2]), state, batch.get_state)
    for states in (None, 3, "states", [state], [state] * 4, {1: state}):
        with pytest.raises((ValueError, TypeError), match="state"):
            batch.set_state(states)  # type: ignore[arg-type]
    for indices in ([3], [-1], [10**9]):
        with pytest.raises(IndexError, match="there is no environment"):
            batch.set_state([state], indices)
        with pytest.raises(IndexError, match="there is no environment"):
            batch.get_state(indices)


@pytest.mark.parametrize("backend", ["python", *NATIVE])
def test_game__refuses_what_is_no_state(backend: str) -> None:
    """A game of several, before its first episode and in it."""
    env = GridParallelEnv(GAME, backend=backend)
    assert_refused(env.set_state, env.get_state(), env.get_state)
    env.reset(seed=0)
    assert_refused(env.set_state, env.get_state(), env.get_state)
    env.set_state(env.get_state())
    assert env.step({"red": 1, "blue": 2})


@pytest.mark.parametrize("mode", ["NextStep", "SameStep", "Disabled"])
@pytest.mark.parametrize("backend", SINGLES)
def test_states_of_a_batch__keep_what_is_to_start_anew(backend: str, mode: str) -> None:
    """Put into its own states after every step, a reset between, a batch lives the same future."""
    batches = [griddsl.make_vec(SIMPLE, 3, backend=backend, autoreset_mode=mode) for _ in range(2)]
    for batch in batches:
        batch.reset(seed=0)
    kept: list[Any] = []
    for actions in np.random.default_rng(1).integers(0, 2, (60, 3)):
        kept += [state for state in batches[0].get_state() if isinstance(state, Over)]
        states = pickle.loads(pickle.dumps(batches[0].get_state()))
        batches[0].reset()
        batches[0].set_state(states)
        assert batches[0].get_state() == batches[1].get_state()
        for ours, theirs in zip(*(batch.step(actions)[:4] for batch in batches), strict=True):
            np.testing.assert_array_equal(ours, theirs)
    assert bool(kept) == (mode != "SameStep")
    assert all(state == (*state,) and hash(state) == hash((*state,)) for state in kept)


def test_states_of_a_batch__keep_the_resets_of_a_limit_from_outside() -> None:
    """What `max_episode_steps` cut short starts anew in the next step, which gives no reward."""
    batch = griddsl.make_vec(
        GAME.replace("red, blue", "red").replace(", B = blue", "").replace("B", "."), 2, max_episode_steps=1
    )
    start, _ = batch.reset(seed=0)
    _, _, _, cut, _ = batch.step(np.array([1, 1]))
    batch.set_state(batch.get_state())
    seen, reward, _, again, _ = batch.step(np.array([1, 1]))
    assert cut.all() and not again.any() and not reward.any() and np.array_equal(seen, start)


def test_model__refuses_what_is_no_state() -> None:
    """Every question about a state that is none."""
    model = griddsl.make_model(GAME)
    state = model.sample_initial_state(0)
    actions = {"red": 0, "blue": 0}
    questions: list[Callable[[Any], Any]] = [
        lambda given: model.step(given, actions, 0),
        lambda given: model.transition(given, actions),
        lambda given: model.action_masks(given, "red"),
        model.initial_observations,
        model.observation,
        model.describe,
        model.render,
        model.turn,
    ]
    for ask in questions:
        for given in [*GARBAGE, (*state,)]:
            with pytest.raises(TypeError, match="a model asks for a `ModelState`"):
                ask(given)
        wrong: list[Any] = [state.integers[:-1], (*state.integers, 0), (2**70, *state.integers[1:]), None]
        for integers in wrong:
            with pytest.raises((ValueError, TypeError), match="state"):
                ask(state._replace(integers=integers))
        with pytest.raises(ValueError, match="it has an agent 'white'"):
            ask(ModelState(state.integers, state.reals, ("white",)))


@pytest.mark.parametrize("path", sorted(bundled_folder().glob("*.grid")), ids=lambda path: path.stem)
def test_states_that_are_reached__are_states(path: Path) -> None:
    """Whatever a bundled spec comes to lies in the ranges that are checked."""
    program: Program = compiled(path).program
    env: Any = (
        griddsl.make_parallel(path, backend="python")
        if len(program.players) > 1
        else GridEnv(path, backend="python")
    )
    several = len(program.players) > 1
    rng = np.random.default_rng(0)
    for seed in range(3):
        env.reset(seed=seed)
        for _ in range(40):
            checked(program, env.get_state())
            if several:
                spaces = {agent: env.action_space(agent) for agent in env.agents}
                for space in spaces.values():
                    space.seed(int(rng.integers(2**31)))
                env.step({agent: space.sample() for agent, space in spaces.items()})
                if not env.agents:
                    break
            else:
                env.action_space.seed(int(rng.integers(2**31)))
                env.step(env.action_space.sample())
    checked(program, env.get_state())


@pytest.mark.parametrize("kept", [None, {}, [], "x", {"compiled": None}, {"compiled": 3, "state": None}])
@pytest.mark.parametrize("kind", ["env", "batch", "game", "games", "model"])
def test_pickle__of_something_else_is_said(kind: str, kept: Any) -> None:
    """What another version pickled, or nobody did, is an error in words."""
    made: dict[str, Callable[[], Any]] = {
        "env": lambda: GridEnv(SIMPLE, backend="python"),
        "batch": lambda: GridVectorEnv(SIMPLE, 2, backend="python"),
        "game": lambda: GridParallelEnv(GAME, backend="python"),
        "games": lambda: griddsl.make_parallel_vec(GAME, 2, backend="python"),
        "model": lambda: griddsl.make_model(GAME),
    }
    env = made[kind]()
    form: Any = type(env)
    with pytest.raises(ValueError, match="pickle"):
        form.__new__(form).__setstate__(kept)
    content = pickle.dumps(env)
    assert pickle.loads(content)


def test_pickle__with_a_wrong_state_is_refused() -> None:
    """A state in a pickle is looked at as any other."""
    env = GridEnv(SIMPLE, backend="python")
    env.reset(seed=0)
    kept: Any = env.__getstate__()
    integers, reals, stream = kept["state"]
    for state in ((integers[:-1], reals, stream), None, ((2**40, *integers[1:]), reals, stream)):
        with pytest.raises((ValueError, TypeError), match="state"):
            GridEnv.__new__(GridEnv).__setstate__({**kept, "state": state})


@pytest.mark.skipif(not NATIVE, reason="numba is not installed")
def test_states_within_their_ranges__do_no_harm_to_native_code() -> None:
    """However little sense a state makes, native code stays within its arrays: a process lives through thousands."""
    code = f"""
import numpy as np, griddsl
from griddsl.envs.single.grid_env import GridEnv
env = GridEnv({SIMPLE!r}, backend="native")
env.reset(seed=0)
low, high = env.program.bounds
rng = np.random.default_rng(0)
integers, reals, stream = env.get_state()
for number in range(3000):
    given = rng.integers(low, np.minimum(high, 10**6) + 1)
    keep = rng.random(len(low)) < 0.8
    env.set_state((tuple(np.where(keep, integers, given).tolist()), reals, number))
    for action in (0, 1, 0, 1):
        env.step(action)
print("alive")
"""
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert (found.returncode, found.stdout) == (0, "alive\n"), found.stderr[-500:]


@pytest.mark.parametrize("backend", ["python", *NATIVE])
def test_pickle_of_games__with_wrong_arrays_is_refused(backend: str) -> None:
    """Arrays of another size, or with impossible values, reach no machine code."""
    batch = griddsl.make_parallel_vec(GAME, 2, backend=backend)
    batch.reset(seed=0)
    kept: Any = batch.__getstate__()
    (integers, reals, stream), other = kept["states"]
    low, _ = batch.program.bounds
    for name, wrong_one in (
        ("stream", np.zeros(3, np.uint64)),
        ("alive", None),
        ("states", [*kept["states"], other]),
        ("states", [([99] * 999, [], 0), other]),
        ("states", [([int(low[0]) - 1, *integers[1:]], reals, stream), other]),
    ):
        with pytest.raises(ValueError, match=r"no pickle of a batch|state is not one of"):
            type(batch).__new__(type(batch)).__setstate__({**kept, name: wrong_one})
    assert pickle.loads(pickle.dumps(batch)).step(np.zeros((2, 2), np.int64))


def test_state_of_things_that_are_not_there__is_drawn() -> None:
    """A picture of a state that makes no sense is a picture all the same."""
    env = GridEnv(bundled_folder() / "sokoban.grid", backend="python")
    env.reset(seed=0)
    integers, reals, stream = env.get_state()
    at = env.program.layout.offsets["OBJECT_KIND"]
    low = env.program.bounds[0][at]
    env.set_state(((*integers[:at], int(low), *integers[at + 1 :]), reals, stream))
    assert env.text()
    assert env.render().shape


@pytest.mark.parametrize("backend", ["python", *NATIVE])
@pytest.mark.parametrize("kind", ["key", "agent"])
def test_state_whose_ground_is_an_object__is_refused(backend: str, kind: str) -> None:
    """The ranges of the slots let it in: the codes of objects and agents lie among those of the ground."""
    env = GridEnv(FADING, backend=backend)
    env.reset(seed=0)
    integers, reals, stream = env.get_state()
    at = env.program.layout.offsets["TILE"] + 2
    code = next(found.code for found in env.program.kinds if found.name == kind)
    with pytest.raises(ValueError, match=rf"tile\[2\] is {code}, and `{kind}` is no ground"):
        env.set_state(((*integers[:at], code, *integers[at + 1 :]), reals, stream))
    assert env.get_state() == (integers, reals, stream)
    assert env.render().shape
