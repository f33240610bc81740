"""What callers of Gymnasium and PettingZoo do beside playing: keys, seeds, options, sticks, closing, shared memory."""

from __future__ import annotations

import gc
import pickle
import re
import sys
import warnings
from collections.abc import Callable
from typing import Any, cast

import gymnasium as gym
import numpy as np
import pytest

import griddsl
from griddsl.envs.batch.vector_env import GridVectorEnv
from griddsl.envs.joint.parallel import GridParallelEnv
from griddsl.envs.joint.solo import SoloEnv
from griddsl.envs.keyboard import key_of
from griddsl.envs.single.grid_env import GridEnv

pygame = pytest.importorskip("pygame")

ROW = "env: test/Row-v0\nmap:\n    ..@..\nactions: {actions}\nobserve: cell\nlimit: 50 steps\n"
PAIR = """
env: test/Pair-v0
agents: red, blue
map:
    1....2
legend: 1 = red, 2 = blue
actions: left, right, stay
on enter goal: out
observe: self.x
setup: place goal at (1, 0)
limit: 3 steps
"""


# Keys


def pressed(env: gym.Env[Any, Any], keys: list[list[int]], **settings: Any) -> list[Any]:
    """Play with keys pressed down together, one after the other; return the actions that were played."""
    played: list[Any] = []
    rounds = iter(keys)

    def after(before: Any, now: Any, action: Any, *rest: Any) -> None:
        played.append(action)

    def events() -> list[Any]:
        found = next(rounds, None)
        if found is None:
            return [pygame.event.Event(pygame.QUIT)]
        down = [pygame.event.Event(pygame.KEYDOWN, key=key) for key in found]
        return [*before, *down] if (before := up(found)) else down

    def up(found: list[int]) -> list[Any]:
        kept = [pygame.event.Event(pygame.KEYUP, key=key) for key in held]
        held[:] = found
        return kept

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # that matplotlib is missing, which draws plots beside the game
        from gymnasium.utils.play import play

    held: list[int] = []
    original = pygame.event.get
    pygame.event.get = events
    try:
        play(env, callback=after, wait_on_player=True, fps=1000, seed=0, **settings)
    finally:
        pygame.event.get = original
    return played


def test_play__takes_the_keys_of_a_spec() -> None:
    """Arrows, letters, and keys with long names, each for its action."""
    env = gym.make("griddsl/DoorKey-v0", render_mode="rgb_array")
    keys = [pygame.K_LEFT, pygame.K_UP, pygame.K_PAGEUP, pygame.K_LSHIFT, pygame.K_SPACE, pygame.K_p]
    assert pressed(env, [[key] for key in keys]) == [0, 2, 3, 4, 5, 3]


def test_play__takes_keys_of_two_groups_together() -> None:
    """With two groups one key plays its group and the first of the other; two keys play both."""
    text = ROW.format(actions="left, right") + "actions say: quiet, ping\n"
    env = gym.make("griddsl/Spec-v0", spec=text, render_mode="rgb_array")
    found = pressed(env, [[pygame.K_RIGHT], [pygame.K_p], [pygame.K_RIGHT, pygame.K_p]])
    assert [action.tolist() for action in found] == [[1, 0], [0, 1], [1, 1]]


@pytest.mark.parametrize("ways", [4, 8])
def test_play__takes_keys_for_a_stick(ways: int) -> None:
    """A key pushes the stick all the way in its direction."""
    env = gym.make("griddsl/Spec-v0", spec=ROW.format(actions=f"joystick {ways}"), render_mode="rgb_array")
    found = pressed(env, [[pygame.K_RIGHT], [pygame.K_LEFT], [pygame.K_UP]])
    assert [action.tolist() for action in found] == [[1, 0], [-1, 0], [0, -1]]


def test_play__works_for_one_learner_among_several() -> None:
    """The keys of the agent that no policy plays."""
    env = gym.make("griddsl/HurdleRace-v0", policies={"blue": "random"}, render_mode="rgb_array")
    assert isinstance(env.unwrapped, SoloEnv)
    keys = env.unwrapped.get_keys_to_action()
    code = next(iter(keys))[0]
    number = ord(code) if isinstance(code, str) else code
    assert pressed(env, [[number]]) == [keys[(code,)]]


def test_keys__are_those_of_pygame() -> None:
    """Every key that has a name of its own has the code that pygame gives it."""
    names = [
        "left",
        "right",
        "up",
        "down",
        "home",
        "end",
        "insert",
        "delete",
        "tab",
        "return",
        "f1",
        "f9",
        "f12",
    ]
    names += ["escape", "backspace", "space"]
    names += [
        "page up",
        "page down",
        "left shift",
        "right shift",
        "left ctrl",
        "right ctrl",
        "left alt",
        "a",
        "1",
        ".",
    ]
    pygame.display.init()
    for name in names:
        key = key_of(name)
        assert (ord(key) if isinstance(key, str) else key) == pygame.key.key_code(name), name
    assert key_of("nowhere") is None


# Sticks, seeds and options


STICKS = [((3.0, 0.4), 0), ((0.0, 9.0), 2), ((-1.0001, 0.0), 4), ((0.1, 0.1), 8), ((7.0, 5.0), 1)]


@pytest.mark.parametrize(("stick", "moves"), STICKS)
def test_stick__outside_of_its_box_counts_as_its_edge(stick: tuple[float, float], moves: int) -> None:
    """As in Gymnasium's own environments of continuous actions; alone, in a batch, and among several."""
    clipped = np.clip(np.array(stick, np.float32), -1, 1)
    text = ROW.format(actions="joystick 8").replace("..@..", ".....\n    ..@..\n    .....")
    env = griddsl.make(text)
    batch = griddsl.make_vec(text, 1)
    found = []
    for given in (np.array(stick), clipped):
        env.reset(seed=0)
        batch.reset(seed=0)
        found += [env.step(given)[0], batch.step(np.array([given]))[0][0]]
    ways = [(1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1), (0, 0)]
    assert set(map(int, found)) == {5 + 2 + ways[moves][0] + 5 * ways[moves][1]}


@pytest.mark.parametrize("stick", [(float("nan"), 0.0), (float("inf"), 0.0), (1.0,), "left", None])
def test_stick__that_is_none_is_refused(stick: Any) -> None:
    """What is no pair of finite numbers is no action."""
    env = griddsl.make(ROW.format(actions="joystick 8"))
    env.reset(seed=0)
    with pytest.raises(ValueError, match="is not in Box"):
        env.step(stick)


SEEDS: list[Callable[[list[int]], Any]] = [list, tuple, np.array, lambda seeds: np.array(seeds, np.uint8)]


@pytest.mark.parametrize("form", SEEDS)
def test_seeds__may_be_an_array(form: Callable[[list[int]], Any]) -> None:
    """One seed an environment, as a list or in an array of any whole numbers; and one for all as an array of none."""
    int64: Any = np.int64(4)  # no `int` by its type
    halves: Any = [1.5, 2, 3]
    for batch in (
        griddsl.make_vec("FrozenLake", 3, backend="python"),
        griddsl.make_parallel_vec("HurdleRace", 3, backend="python"),
    ):
        expected, found = str(batch.reset(seed=[4, 5, 6])), str(batch.reset(seed=form([4, 5, 6])))
        assert found == expected == str(batch.reset(seed=np.array(4)))
        assert found == str(batch.reset(seed=int64))
        with pytest.raises(ValueError, match="there are 2 seeds for 3"):
            batch.reset(seed=form([4, 5]))
        with pytest.raises(TypeError, match="integer"):
            batch.reset(seed=halves)


@pytest.mark.parametrize("seed", ["a", b"a", 1.5, [1, "b", 3]])
def test_seeds__that_are_none_are_told(seed: Any) -> None:
    """A text is no list of seeds, and what is none is shown."""
    with pytest.raises(TypeError, match="a seed is an integer, or one for each in a list, not"):
        griddsl.make_vec("FrozenLake", 3, backend="python").reset(seed=seed)


@pytest.mark.parametrize("turns", ["Tag", "TicTacToe"])
def test_agents__that_there_are_not_are_told(turns: str) -> None:
    """Whatever is asked of an agent of another name, the names of all are said."""
    game: Any = griddsl.make_parallel(turns)
    game.reset(seed=0)
    for ask in (
        game.is_in, game.action_masks, game.observe, game.info, game.action_space, game.observation_space,
        griddsl.make_aec(turns).action_space,
    ):  # fmt: skip
        for name in ("nobody at all", 3):
            with pytest.raises(KeyError, match=f"there is no agent {name!r}; agents: {game.agents[0]}"):
                ask(name)


def test_model__asks_for_its_states() -> None:
    """A number is no state, for what reads one as for what goes on from it."""
    model, wrong = griddsl.make_model("FrozenLake"), cast("Any", 3)
    for ask in (model.vector, model.agents, model.turn, model.describe):
        with pytest.raises(TypeError, match="a model asks for a `ModelState`, not int"):
            ask(wrong)


@pytest.mark.parametrize("options", [5, "8x8", ["level"]])
def test_options__are_a_dict(options: Any) -> None:
    """Anything else is a `TypeError`, and the environment stays where it was."""
    for env in (
        griddsl.make("FrozenLake"),
        griddsl.make_vec("FrozenLake", 2),
        griddsl.make_parallel("HurdleRace"),
    ):
        env.reset(seed=0)
        before = env.get_state()
        with pytest.raises(TypeError, match="options is a dict"):
            env.reset(seed=1, options=options)
        assert env.get_state() == before


@pytest.mark.parametrize("key", ["lvl", "Level", "levels", "reset_masks"])
def test_options__are_spelt_right(key: str) -> None:
    """What looks like one that there is would be passed over in silence; keys of others are theirs."""
    for env in (
        griddsl.make("FrozenLake"),
        griddsl.make_vec("FrozenLake", 2),
        griddsl.make_parallel("HurdleRace"),
    ):
        env.reset(seed=0, options={"of_a_wrapper": 1})
        before = env.get_state()
        with pytest.raises(ValueError, match=f"no option '{key}' of a reset: did you mean"):
            env.reset(seed=1, options={key: "8x8"})
        assert env.get_state() == before


# Games of several


@pytest.mark.parametrize("backend", ["python", "auto"])
def test_step__of_a_game_that_is_over_takes_nothing_and_gives_nothing(backend: str) -> None:
    """Wrappers that keep agents to the end step on without any; before a reset, and with actions, that is an error."""
    game = griddsl.make_parallel(PAIR, backend=backend)
    with pytest.raises(gym.error.ResetNeeded, match="reset"):
        game.step({})
    game.reset(seed=0)
    with pytest.raises(ValueError, match="no action for 'red', 'blue'"):
        game.step({})
    while game.agents:
        game.step(dict.fromkeys(game.agents, 2))
    assert game.step({}) == ({}, {}, {}, {}, {})
    with pytest.raises(ValueError, match="whose part has ended"):
        game.step({"red": 0})


NO_POLICIES: list[tuple[Any, str]] = [
    ({"blue": "randm"}, "no policy 'randm', for 'blue'. Did you mean 'random'?"),
    ({"blue": "left"}, "The only one with a name is 'random'"),
    ({"blue": 0}, "0 is no policy for 'blue'"),
    ({"blue": None}, "None is no policy for 'blue'"),
    (["blue"], "policies is a dict of policies by agent, not list"),
    ("random", "policies is a dict of policies by agent, not str"),
]


@pytest.mark.parametrize(("policies", "words"), NO_POLICIES)
def test_policies__that_are_none_are_refused_before_the_first_step(policies: Any, words: str) -> None:
    """With the agent, and with what would be one."""
    for make in (griddsl.make, lambda name, **given: gym.make(f"griddsl/{name}-v0", **given)):
        with pytest.raises(TypeError, match=re.escape(words)):
            make("HurdleRace", policies=policies)


@pytest.mark.parametrize(("action", "words"), [(None, "None"), (7, "7"), ("left", "'left'")])
def test_policy__that_returns_no_action_is_named(action: Any, words: str) -> None:
    """A function without a ``return`` does not play on as an agent that does nothing."""
    env = griddsl.make("HurdleRace", policies={"blue": lambda observation: action})
    env.reset(seed=0)
    with pytest.raises(
        ValueError, match=f"the policy of 'blue' answers {words}, and an action here is one of Discrete"
    ):
        env.step(0)


def test_policies__of_a_batch_are_answered_with_the_batch_that_takes_them() -> None:
    """The batch in one call has none, and the one that the answer names works."""
    given: dict[str, Any] = {"num_envs": 2, "policies": {"blue": "random"}}
    with pytest.raises(TypeError, match="vectorization_mode='sync'"):
        gym.make_vec("griddsl/HurdleRace-v0", **given)
    with pytest.raises(TypeError, match="make_parallel_vec"):
        griddsl.make_vec("HurdleRace", **given)
    batch = gym.make_vec("griddsl/HurdleRace-v0", vectorization_mode="sync", **given)
    assert batch.reset(seed=0)[0].shape == (2,)


def test_np_random__is_the_generator_that_seeds_the_game() -> None:
    """As on a Gymnasium environment: there before the first reset, seeded by it, and what is set is used."""
    game, other = griddsl.make_parallel(PAIR), griddsl.make_parallel(PAIR)
    assert isinstance(game.np_random, np.random.Generator)
    game.reset(seed=3)
    assert game.np_random.integers(1000) == _after_one_stream(3).integers(1000)
    other.np_random = np.random.default_rng(3)
    other.reset()
    assert other.get_state() == game.get_state()
    turns = griddsl.make_aec(PAIR)
    turns.reset(seed=3)
    assert isinstance(turns.unwrapped.np_random, np.random.Generator)
    games = griddsl.make_parallel_vec(PAIR, 2)
    games.np_random = np.random.default_rng(3)
    games.reset()
    assert isinstance(games.np_random, np.random.Generator)


def _after_one_stream(seed: int) -> np.random.Generator:
    generator = gym.utils.seeding.np_random(seed)[0]
    generator.integers(0, 2**64, dtype=np.uint64)
    return generator


@pytest.mark.parametrize("name", ["HurdleRace", "LevelBasedForaging"])
def test_copy__of_a_game_before_its_first_reset_is_one(name: str) -> None:
    """Names that setup chooses have no value yet."""
    game = griddsl.make_parallel(name)
    copied = pickle.loads(pickle.dumps(game))
    assert str(copied.reset(seed=2)) == str(game.reset(seed=2)) and copied.get_state() == game.get_state()


# Constructors that fail


FAILING: list[Callable[[], Any]] = [
    lambda: griddsl.make("CliffWalking", nothing=1),
    lambda: griddsl.make("CliffWalking", render_mode="hologram"),
    lambda: griddsl.make("no such spec\n"),
    lambda: gym.make("griddsl/Spec-v0"),
    lambda: griddsl.make("HurdleRace"),
    lambda: griddsl.make("HurdleRace", policies={}),
    lambda: griddsl.make_vec("CliffWalking", 0),
    lambda: griddsl.make_vec("CliffWalking", 2, backend="quantum"),
    lambda: griddsl.make_vec("CliffWalking", 2, nothing=1),
    lambda: griddsl.make_vec("HurdleRace", 2),
    lambda: gym.make_vec("griddsl/CliffWalking-v0", num_envs=2, nothing=1),
    lambda: griddsl.make_parallel("CliffWalking"),
    lambda: griddsl.make_parallel("HurdleRace", backend="quantum"),
    lambda: griddsl.make_aec("CliffWalking"),
    lambda: griddsl.make_parallel_vec("CliffWalking", 2),
]


@pytest.mark.parametrize("make", FAILING)
def test_constructor__that_fails_leaves_nothing_behind(
    make: Callable[[], Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """No exception is raised, and printed as ignored, when what was half made is thrown away."""
    ignored: list[Any] = []
    monkeypatch.setattr(sys, "unraisablehook", ignored.append)
    with pytest.raises((ValueError, TypeError)):
        make()
    gc.collect()
    assert not ignored


@pytest.mark.parametrize("kind", [GridEnv, GridVectorEnv, GridParallelEnv])
def test_close__works_on_what_was_half_made(kind: Any) -> None:
    """Some versions of Gymnasium close a batch when it is thrown away, whether its constructor ran or not."""
    kind.__new__(kind).close()


# Shared memory


TEXTS = {
    "dict": ("observe: board = text, here = cell", lambda texts: {"board": texts, "here": None}),
    "tuple": ("observe tuple: text, cell", lambda texts: (texts, None)),
    "bare": ("observe: text", lambda texts: texts),
}


@pytest.mark.parametrize("form", TEXTS)
@pytest.mark.parametrize("copied", [True, False])
def test_async_batch__shares_texts_in_memory(form: str, copied: bool) -> None:
    """Gymnasium's shared memory looks at a ``Text`` once; ours is read when it is looked at."""
    line, whole = TEXTS[form]
    batch = gym.make_vec(
        "griddsl/Spec-v0",
        num_envs=2,
        vectorization_mode="async",
        vector_kwargs={"copy": copied, "context": "spawn"},  # JAX warns of forks, where a test beside has it
        spec=ROW.format(actions="left, right").replace("observe: cell", line),
    )
    try:
        seen = []
        for found in (
            batch.reset(seed=0)[0],
            batch.step(np.array([0, 1]))[0],
            batch.step(np.array([0, 0]))[0],
        ):
            texts = found["board"] if form == "dict" else found[0] if form == "tuple" else found
            seen.append(texts)
            assert len(texts) == 2 and all(isinstance(text, str) for text in texts)
        assert seen[2] == ("@....", "..@.."), whole
        if copied:
            assert seen[:2] == [("..@..", "..@.."), (".@...", "...@.")]
            assert all(type(texts) is tuple for texts in seen)
    finally:
        batch.close()
