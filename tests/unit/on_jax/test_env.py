"""Environments of JAX: what they take and refuse, their spaces, masks, levels, and failures."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import griddsl
from griddsl.diagnostics import SpecError

jax = pytest.importorskip("jax")

WALK = """
env: test/Walk-v0
map:
    @..
    .#G
legend: G = goal
actions: up, right, down, left
observe: cell
allow left: not agent.x == 0
each step: reward -0.1
on enter goal: end success
limit: 20 steps
"""
PAIR = """
env: test/Pair-v0
param limit: 9 in 1..9
agents: red, blue
map:
    R..B
legend: R = red, B = blue
actions: left, right
observe: position of self
each step: reward -1
limit: limit steps
"""
FULL = """
env: test/Full-v0
object ball:
map:
    @..
setup:
    place ball at random floor
    place ball at random floor
    place ball at random floor
actions: right
observe: cell
limit: 5 steps
"""


@pytest.fixture
def walk() -> Any:
    """An environment of six cells."""
    import griddsl.jax

    return griddsl.jax.make(WALK)


def test_reset__takes_keys_of_two_words_only(walk: Any) -> None:
    """What is no key, a batch of keys and keys of another generator are told apart."""
    walk.reset(jax.random.key(0))
    walk.reset(jax.random.PRNGKey(0))
    with pytest.raises(TypeError, match="a key is what"):
        walk.reset(0)
    with pytest.raises(TypeError, match="a key is what"):
        walk.reset(jax.random.key(0, impl="rbg"))
    with pytest.raises(TypeError, match="there are 3 keys: let"):
        walk.reset(jax.random.split(jax.random.PRNGKey(0), 3))


def test_step__takes_actions_of_its_space_only(walk: Any) -> None:
    """An action that is known while it is traced is looked at, and its dtype and shape always are."""
    _, state = walk.reset(jax.random.key(0))
    with pytest.raises(ValueError, match="4 is no action of agent; actions: 0 up, 1 right"):
        walk.step(None, state, 4)
    with pytest.raises(TypeError, match="an action of agent is a whole number"):
        walk.step(None, state, 0.5)
    for action in (True, np.True_, jax.numpy.asarray(True)):  # 1, as everywhere else
        assert int(walk.step(None, state, action)[0]) == int(walk.step(None, state, 1)[0]) == 1
    with pytest.raises(TypeError, match=r"not an array \(2,\) of int32"):
        jax.jit(walk.step)(None, state, np.array([0, 1], np.int32))


def test_states_and_levels__are_those_of_the_environment(walk: Any) -> None:
    """What is no state, one of another environment or a batch of them is refused before anything is traced."""
    import griddsl.jax

    other = griddsl.jax.make("griddsl/RandomMaze-v0")
    keys = jax.random.split(jax.random.key(0), 3)
    for use in (lambda state: walk.step(None, state, 0), walk.action_mask):
        with pytest.raises(TypeError, match=r"a state is what `reset` and `step` give, not \(1, 2\)"):
            use((1, 2))
        with pytest.raises(ValueError, match="this state is not one of test/Walk-v0: it has other slots"):
            use(other.reset(keys[0])[1])
        with pytest.raises(ValueError, match=r"this is a batch of states: let `jax.vmap` step each"):
            use(jax.vmap(walk.reset)(keys)[1])
    values = walk.level().values
    for wrong in ([0], np.zeros(1, np.float32)):
        with pytest.raises(ValueError, match=r"agent_cell of this level is .*, not an array of int8"):
            walk.reset(keys[0], level=griddsl.jax.Level({**values, "AGENT_CELL": wrong}))
    nothing: Any = [1]
    with pytest.raises(TypeError, match="a level is what"):
        walk.reset(keys[0], level=griddsl.jax.Level(nothing))
    with pytest.raises(TypeError, match=r"by its name: env\.level\(key=key\)"):
        walk.level(jax.random.key(0))
    with pytest.raises(ValueError, match="there is no level 'a': the map of test/Walk-v0 has no name"):
        walk.reset(keys[0], level="a")
    with pytest.raises(ValueError, match="'far' is no entry of info of test/Walk-v0; it has none"):
        walk.words("far")
    with pytest.raises(ValueError, match="Non-hashable static arguments"):
        jax.jit(walk.step, static_argnums=1)(keys[0], walk.reset(keys[0])[1], 0)


def test_levels_of_another_size__are_refused_where_only_places_are_kept() -> None:
    """Where no slot has an entry for each cell, the size of the map tells levels and states apart, under `jit` too."""
    import griddsl.jax
    from griddsl.jax import levels

    text = (
        "env: test/Two-v0\nmap small:\n    @..\nmap big:\n    @.....\nlevel: small\n"
        "actions: left, right\nobserve: cell\nlimit: none\n"
    )
    small, big = griddsl.jax.make(text), griddsl.jax.make(text, level="big")
    key = jax.random.key(0)
    assert small.level().values.keys() == big.level().values.keys()
    message = (
        r"is not one of test/Two-v0 as it is compiled here: its map has 6 x 1 cells, not 3 x 1; levels of"
    )
    level, (_, state) = levels.with_agent(big, big.level(), 5), big.reset(key)
    with pytest.raises(ValueError, match=f"this level {message}"):
        small.reset(key, level=level)
    with pytest.raises(ValueError, match=f"this level {message}"):
        jax.jit(lambda level: small.reset(key, level=level))(state.level)
    with pytest.raises(ValueError, match=f"this state {message}"):
        small.step(None, state, 0)
    with pytest.raises(ValueError, match=f"this state {message}"):
        small.step(None, big.from_state(big.to_state(state)), 0)
    with pytest.raises(ValueError, match="level 1 is of another environment or size"):
        levels.stacked([small.level(), big.level()])
    by_hand = griddsl.jax.Level(small.level().values)  # says nothing of its size
    assert int(small.reset(key, level=by_hand)[0]) == 0


def test_levels_of_failed_setups__stay_failed() -> None:
    """A level that a setup drew in vain under `jit` says so, and so does the episode that begins with it."""
    import griddsl.jax
    from griddsl.jax import levels

    text = (
        "env: test/Full-v0\nobject box:\nmap:\n    @..\nsetup:\n    choose n in 2..3\n"
        "    place n box at random floor\nactions: left, right\nobserve: cell\nlimit: 5 steps\n"
    )
    env = griddsl.jax.make(text)
    keys = jax.random.split(jax.random.key(0), 16)
    failed = np.asarray(jax.vmap(env.reset)(keys)[1].failed)
    assert 0 < failed.sum() < 16
    drawn = jax.vmap(lambda key: levels.moved(env, key, levels.generated(env, key)))(keys)
    np.testing.assert_array_equal(drawn.failed, failed)
    _, states = jax.vmap(lambda key, level: env.reset(key, level=level))(keys, drawn)
    np.testing.assert_array_equal(states.failed, failed)
    first = jax.tree.map(lambda array: array[failed.argmax()], (drawn, states))
    with pytest.raises(ValueError, match="the setup that made this level found no place for something"):
        env.reset(keys[0], level=first[0])
    with pytest.raises(ValueError, match="the setup of this episode found no place for something"):
        env.to_state(first[1])
    by_hand = griddsl.jax.Level(jax.tree.map(lambda array: array[failed.argmin()], drawn).values)
    assert levels.stacked([by_hand, first[0]]).failed.tolist() == [False, True]


def test_levels__of_another_environment_are_refused_before_they_are_changed() -> None:
    """Whatever changes a level says what is wrong with an environment, a level, a key and kinds of ground."""
    import griddsl.jax
    from griddsl.jax import levels

    env, key = griddsl.jax.make("griddsl/RandomMaze-v0", size=9), jax.random.key(0)
    level, keys = env.level(), jax.random.split(jax.random.key(0), 2)
    wrong = {
        "it has other slots": griddsl.jax.make(WALK).level(),
        "has the shape": griddsl.jax.make("griddsl/RandomMaze-v0", size=11).level(),
        "this is a batch of levels: let `jax.vmap` take": levels.stacked([level, level]),
    }
    for said, other in wrong.items():
        asked: list[Callable[[Any], Any]] = [
            lambda level: levels.tiles(env, level),
            lambda level: levels.with_tiles(env, level, np.zeros((9, 9), int)),
            lambda level: levels.free(env, level),
            lambda level: levels.flipped(env, key, level),
            lambda level: levels.with_agent(env, level, 18),
            lambda level: levels.moved(env, key, level),
            lambda level: env.reset(key, level=level),
        ]
        for ask in asked:
            with pytest.raises(ValueError, match=said):
                ask(other)
    number: Any = 3
    for change in (levels.flipped, levels.moved):
        with pytest.raises(TypeError, match=r"a key is what `jax.random.key\(seed\)` makes, not 3"):
            change(env, number, level)
        with pytest.raises(TypeError, match=r"there are 2 keys: let `jax.vmap` give one to each level"):
            change(env, keys, level)
        change(env, jax.random.key(0, impl="rbg"), level)
        change(env, jax.random.PRNGKey(0), level)
    kinds: Any = ("floor",)
    with pytest.raises(ValueError, match="kinds are two kinds of ground"):
        levels.flipped(env, key, level, kinds=kinds)
    assert (levels.free(env, level, "floor") == levels.free(env, level)).all()
    with pytest.raises(
        TypeError, match=r"the ground is whole numbers, the codes of kinds, not an array of float32"
    ):
        levels.with_tiles(env, level, np.ones((9, 9), np.float32))
    found = jax.jit(lambda code: levels.with_tiles(env, level, code))(np.full((9, 9), 77)).values["TILE"]
    assert found.tolist() == [max(levels.tile_codes(env).values())] * 81
    mine: Any = griddsl.make(WALK)
    with pytest.raises(TypeError, match=r"env is what `griddsl.jax.make` gives, not GridEnv"):
        levels.generated(mine, key)


def test_to_state__is_for_outside_of_jit(walk: Any) -> None:
    """What is not known yet is refused in words of ours."""
    with pytest.raises(TypeError, match="use `to_state` outside of `jit`"):
        jax.jit(walk.to_state)(walk.reset(jax.random.key(0))[1])


def test_removals__leave_what_is_there_in_its_place() -> None:
    """What is removed, in the middle and at the end, by one and by several at once, is gone as it is in Python."""
    import griddsl.jax

    text = (
        "env: test/Gone-v0\nobject coin: layer coins\nobject gem: layer gems\n"
        "map:\n    @cgcg\n    cgcgc\n    gcgcg\nlegend: c = coin, g = gem\nactions: up, right, down, left, zap\n"
        "on meet coin: reward 1, remove coin\non meet gem with chance 0.5: reward 2, remove gem\n"
        "on do zap:\n    each gem where gem.x == agent.x: remove gem\n"
        "    if no coin at (0, 0): place coin at (0, 0)\n"
        "observe: grid as planes (agent, coin, gem)\nlimit: 100 steps\n"
    )
    env, jax_env = griddsl.make(text, backend="python"), griddsl.jax.make(text)
    step = jax.jit(jax_env.step_env)
    for seed in range(2):
        env.reset(seed=seed)
        state = jax_env.from_state(env.get_state())
        for action in np.random.default_rng(seed).integers(0, 5, 90).tolist():
            _, reward, *_ = env.step(action)
            _, state, gained, *_ = step(None, state, action)
            assert (float(gained), jax_env.to_state(state)) == (reward, env.get_state())


def test_step__begins_the_next_episode_and_keeps_what_was_seen_last(walk: Any) -> None:
    """The observation is the new one, `final_observation` that of the end; infos have the same form always."""
    _, state = walk.reset(jax.random.key(0))
    forms = set()
    for action in (0, 1, 1, 2):
        observation, state, _, terminated, _, info = walk.step(None, state, action)
        forms.add(str(jax.tree.map(lambda value: (value.shape, value.dtype), info)))
    assert terminated and observation == 0 and info["final_observation"] == 5
    assert walk.outcomes[int(info["outcome"])] == "success" and info["is_success"]
    assert len(forms) == 1
    stays, _, _, _, _, _ = walk.step_env(None, walk.reset(jax.random.key(0))[1], 2)
    assert stays == 3


def test_masks__are_those_of_the_observation_that_is_returned(walk: Any) -> None:
    """In the first column `left` is not allowed."""
    _, state = walk.reset(jax.random.key(0))
    np.testing.assert_array_equal(walk.action_mask(state), [True, True, True, False])


def test_setup_that_fails__is_an_error_or_a_flag() -> None:
    """Outside of `jit` it raises; inside, the state and infos say so, and go on saying so."""
    import griddsl.jax

    env = griddsl.jax.make(FULL)
    with pytest.raises(ValueError, match="the setup of test/Full-v0 finds no place"):
        env.reset(jax.random.key(0))
    _, state = jax.jit(env.reset)(jax.random.key(0))
    assert state.failed
    _, _, _, _, _, info = jax.jit(env.step)(None, state, 0)
    assert info["failed"]


def test_make__refuses_what_no_array_says() -> None:
    """Pixels, plug-ins, long numbers, several agents and broken specs are refused: with the line, and what to write."""
    import griddsl.jax

    with pytest.raises(ValueError, match=r"^<text>:8: test/Walk-v0 is not for JAX: `pixels` observes pixels"):
        griddsl.jax.make(WALK.replace("observe: cell", "observe: pixels 8"))
    with pytest.raises(
        ValueError, match=r"^test/Walk-v0 is not for JAX: .* which are drawn by Python"
    ) as said:
        griddsl.jax.make(WALK, observation="pixels")
    for instead in ("grid as planes", "grid as minigrid"):  # what it says to write is something
        assert instead in str(said.value)
        griddsl.jax.make(WALK.replace("observe: cell", f"observe: {instead}"))
    assert 'observation="image"' in str(said.value) and griddsl.jax.make(WALK, observation="image")
    solved = WALK.replace(
        "actions:", "setup:\n    retry 9 until solvable:\n        place agent at random floor\nactions:"
    )
    with pytest.raises(
        ValueError,
        match=r"^<text>:8: .* the search for the shortest way \(`solvable`, `optimal_length`\), in Python",
    ):
        griddsl.jax.make(solved)
    told = WALK.replace("observe: cell", 'var far: 0 in 0..99999\nobserve: mission\nmission: "go {far}"')
    with pytest.raises(
        ValueError, match=r"^<text>:10: .* its mission shows `far`, from 0 to 99999; give it a"
    ):
        griddsl.jax.make(told)
    with pytest.raises(ValueError, match="is played by several: use"):
        griddsl.jax.make("griddsl/Tag-v0")
    with pytest.raises(ValueError, match="is played by one agent: use"):
        griddsl.jax.make_parallel(WALK)
    with pytest.raises(SpecError):
        griddsl.jax.make("env: broken\nmap:\n    @")


def test_states__come_from_environments_and_go_back(walk: Any) -> None:
    """`from_state` and `to_state` are each other's inverse; what is no state is refused as `set_state` refuses it."""
    env = griddsl.make(WALK, backend="python")
    env.reset(seed=3)
    env.step(2)
    state = env.get_state()
    assert walk.to_state(walk.from_state(state)) == state
    with pytest.raises(ValueError, match="this state is not one of"):
        walk.from_state(((1,), (), 0))
    with pytest.raises(ValueError, match="this is a batch of states"):
        walk.to_state(jax.vmap(walk.reset)(jax.random.split(jax.random.key(0), 2))[1])
    other: Any = type(walk)(f"{WALK}var bag: 1 in 0..3\neach step: bag = 2\n")
    with pytest.raises(ValueError, match="this state is not one of"):
        walk.to_state(other.reset(jax.random.key(0))[1])
    with pytest.raises(TypeError, match="a state is what `reset` and `step` give, not 3"):
        walk.to_state(3)


def test_turn__is_told_in_games_that_alternate() -> None:
    """The number of who is next is that of the game in Python, where one plays by itself and some go out."""
    text = PAIR.replace("agents: red, blue", "agents: red, guard, blue\nagent guard: moves random")
    text = text.replace("R..B", "RG.B").replace("R = red", "R = red, G = guard")
    text = text.replace(
        "left, right\n", "left, right, leave\nturns: alternate\non do leave with chance 0.2: out\n"
    )
    env, traced = griddsl.make_parallel(text, backend="python"), griddsl.jax.make_parallel(text)
    env.reset(seed=4)
    state, rng, told = traced.from_state(env.get_state()), np.random.default_rng(0), 0
    while env.agents:
        actions = {name: int(rng.integers(3)) for name in env.possible_agents}
        _, state, _, _, infos = traced.step_env(None, state, actions)
        env.step({name: actions[name] for name in env.agents})
        if env.agents:
            assert [env.possible_agents[row] for row in infos["turn"].tolist()] == [env.turn] * 2
            told += 1
    assert told > 3


def test_infos__are_those_of_all_turns_of_a_step() -> None:
    """What a rule told in one's own turn is told when another has played by itself since, and no longer."""
    text = PAIR.replace("agents: red, blue", "agents: red, guard, blue\nagent guard: moves random")
    text = text.replace("R..B", "RG.B").replace("R = red", "R = red, G = guard")
    text = text.replace("left, right\n", "left, right\nturns: alternate\n")
    text += "on do left: info gone = 3, hidden reward 2\neach step: hidden reward 1\n"
    envs = [griddsl.make_parallel(text, backend=backend) for backend in ("python", "auto")]
    traced, told = griddsl.jax.make_parallel(text), []
    for env in envs:
        env.reset(seed=4)
    state = traced.from_state(envs[0].get_state())
    for number in range(6):
        acts = {"red": number % 3 > 1, "blue": number % 2}
        _, state, _, _, infos = traced.step_env(None, state, acts)
        found = [
            [(info["gone"], info["hidden_reward"]) for info in env.step(acts)[4].values()] for env in envs
        ]
        found.append([*zip(infos["gone"].tolist(), infos["hidden_reward"].tolist(), strict=True)])
        assert found[1:] == found[:-1]
        told.append(found[0])
    assert told[:2] == [[(3, 4.0), (0, 2.0)], [(0, 1.0), (0, 1.0)]]


def test_from_state__says_who_takes_part() -> None:
    """Who is out is out in the state that comes of it: it is paid nothing, and draws no noise of its own."""
    text = PAIR.replace("left, right\n", "left, right, leave\n").replace(
        "position of self\n", "position of self as cell with chance 0.5 else 0\non do leave: out\n"
    )
    env, traced = griddsl.make_parallel(text, backend="python"), griddsl.jax.make_parallel(text)
    env.reset(seed=5)
    env.step({"red": 2, "blue": 0})
    state = traced.from_state(env.get_state())
    for _ in range(3):
        _, rewards, *_ = env.step({"blue": 1})
        _, state, given, dones, _ = traced.step_env(None, state, {"red": 0, "blue": 1})
        assert {name: float(value) for name, value in given.items()} == {"red": 0.0, **rewards}
        assert bool(dones["red"])
        assert not bool(dones["blue"])
        assert traced.to_state(state) == env.get_state()


@pytest.mark.parametrize(
    "rows",
    [
        "map:\n    @.k\n    gh.\n    lKG",
        "map walled:\n    +-----+\n    |@:.|k|\n    +- -  +\n    |g:h:.|\n    |l:K:G|\n    +-----+",
    ],
    ids=["open", "walled"],
)
def test_texts__are_the_numbers_of_their_characters(rows: str) -> None:
    """The board is drawn with the glyphs that fit: by attributes, ground and facing, with thin walls and without."""
    import griddsl.jax

    text = (
        "env: test/Text-v0\ntile gate: solid, dir in north | south\nobject key: portable, color in red | blue\n"
        f"agent: facing\n{rows}\n"
        "legend: G = goal, k = key(color=red), l = key(color=blue), K = key(color=red) on goal, "
        'g = gate(dir=north), h = gate(dir=south), "^" = agent(facing=north), ">" = agent(facing=east)\n'
        "actions: turn_left, turn_right, forward, pickup, drop\n"
        "each gate with chance 0.1: gate.dir becomes south\nobserve: text\nlimit: 200 steps\n"
    )
    env, jax_env = griddsl.make(text, backend="python"), griddsl.jax.make(text)
    seen, _ = env.reset(seed=1)
    state, step, shown = jax_env.from_state(env.get_state()), jax.jit(jax_env.step_env), set()
    assert jax_env.observation_space().shape == jax_env.reset(jax.random.key(0))[0].shape
    for action in np.random.default_rng(0).integers(0, 5, 80).tolist():
        seen, *_ = env.step(action)
        codes, state, *_ = step(None, state, action)
        assert "".join(map(chr, np.asarray(codes))).rstrip("\0") == seen
        shown |= set(seen)
    assert {"^", ">", "@", "k", "l", "h"} < shown


BOARD = """
env: test/Board-v0
object mark:
region board: (1..2, 0..1)
var said: quiet in quiet | yes | maybe
var total: 0 in 0..99
map:
    ....
    ....
    @###
{head}
    up
    put(spot in board where no mark at spot)
    throw(way in directions, far in 1..3)
    say(word in yes | maybe)
allow say: total > 2
on do put: place mark at spot
on do throw: total = far
on do throw if way is west: total += 10
on do say: said = word
observe tuple: grid as planes (mark), said, total, mask
limit: 50 steps
"""


@pytest.mark.parametrize("head", ["actions:", "actions as multidiscrete:"], ids=["flat", "axes"])
def test_arguments__of_actions_are_numbered_and_masked_as_in_python(head: str) -> None:
    """Actions that take something, in one number or on axes of their own, do what they do in Python."""
    import griddsl.jax

    text = BOARD.format(head=head)
    env, jax_env = griddsl.make(text, backend="python"), griddsl.jax.make(text)
    env.reset(seed=0)
    env.action_space.seed(0)
    state, step = jax_env.from_state(env.get_state()), jax.jit(jax_env.step_env)
    assert jax_env.num_actions == len(env.action_masks())
    masks = set()
    for _ in range(50):
        action = env.action_space.sample()
        seen, _, terminated, truncated, _ = env.step(action)
        found, state, _, ended, cut, info = step(None, state, np.asarray(action, np.int32))
        for mine, other in zip(found, seen, strict=True):
            np.testing.assert_array_equal(mine, other)
        assert (bool(ended), bool(cut)) == (terminated, truncated)
        np.testing.assert_array_equal(info["action_mask"], np.asarray(env.action_masks(), bool))
        np.testing.assert_array_equal(jax_env.action_mask(state), np.asarray(env.action_masks(), bool))
        assert jax_env.to_state(state) == env.get_state()
        masks.add(np.asarray(info["action_mask"]).tobytes())
    assert len(masks) > 3
    with pytest.raises(ValueError, match="is no action of agent; actions"):
        jax_env.step(None, state, np.full(np.shape(action), 99, np.int32))


def test_missions__are_bytes() -> None:
    """A mission with chosen words is shown as the environment says it."""
    import griddsl.jax

    text = WALK.replace("observe: cell", "observe: mission").replace(
        "each step",
        'setup: choose n in 8..12, way in "{n} steps" | "some way, of {n} steps"\nmission: "take {way}, then rest"\neach step',
    )
    env, jax_env = griddsl.make(text, backend="python"), griddsl.jax.make(text)
    for seed in range(6):
        env.reset(seed=seed)
        observation = jax_env.reset(jax.random.key(0), level=jax_env.from_state(env.get_state()))[0]
        assert bytes(np.asarray(observation).tolist()).rstrip(b"\0").decode() == env.mission()


def test_copies__are_the_environment_itself(walk: Any) -> None:
    """Nothing of it changes, so that a deep copy needs none."""
    assert copy.deepcopy(walk) is walk


@pytest.mark.parametrize("name", ["make", "make_parallel"])
def test_pickles__are_of_the_spec_and_its_parameters(name: str) -> None:
    """What is unpickled has the parameters that were given, and the same episodes."""
    import griddsl.jax

    walk = WALK.replace("limit: 20 steps", "param limit: 9 in 1..9\nlimit: limit steps")
    env: Any = getattr(griddsl.jax, name)(walk if name == "make" else PAIR, limit=3)
    again = pickle.loads(pickle.dumps(env))
    key = jax.random.key(3)
    starts = [each.reset(key) for each in (env, again)]
    assert type(again) is type(env) and again.program.limit == 3
    jax.tree.map(np.testing.assert_array_equal, *starts)


def test_spaces__say_of_anything_whether_it_is_an_element() -> None:
    """Texts, None and arrays of another shape are none; names of no agents are told with those that there are.

    These are our own spaces, which an environment has where neither Gymnax nor JaxMARL is installed.
    """
    import griddsl.jax
    from griddsl.jax import spaces

    found = spaces.Discrete(4)
    assert found.contains(3) and found.contains(np.int8(0)) and not found.contains(4)
    row = spaces.Box(np.zeros(2), np.ones(2), (2,))
    both = spaces.Dict({"a": found, "b": spaces.Tuple((found, row))})
    assert row.contains([0.5, 1.0]) and both.contains({"a": 1, "b": (2, [0.0, 0.0])})
    assert np.array_equal(jax.vmap(found.contains)(np.array([0, 3, 4])), [True, True, False])
    for none in ("x", None, 0.5, [[1], [1, 2]], {}, 2**70, {"a": 1}, {"a": 1, "b": (2,)}, [1.0, 2.0, 3.0]):
        assert not any(space.contains(none) for space in (found, row, both))
    pair = griddsl.jax.make_parallel(PAIR)
    for ask in (pair.observation_space, pair.action_space):
        with pytest.raises(KeyError, match="there is no agent 'zed'; agents: red, blue"):
            ask("zed")


def test_levels__are_data() -> None:
    """Levels are drawn, batched, changed and begun with; those of another size are refused."""
    import griddsl.jax
    from griddsl.jax import levels

    env = griddsl.jax.make("griddsl/RandomMaze-v0")
    many = jax.vmap(lambda key: levels.generated(env, key))(jax.random.split(jax.random.key(1), 3))
    _, states = jax.vmap(lambda key, level: env.reset(key, level=level))(
        jax.random.split(jax.random.key(2), 3), many
    )
    grounds = jax.vmap(lambda level: levels.tiles(env, level))(many)
    assert len({ground.tobytes() for ground in np.asarray(grounds)}) == 3
    np.testing.assert_array_equal(states.values["TILE"], many.values["TILE"])
    level = env.level(key=jax.random.key(1))
    changed = levels.flipped(env, jax.random.key(0), level, 5)
    assert int((levels.tiles(env, changed) != levels.tiles(env, level)).sum()) == 5
    moved = levels.moved(env, jax.random.key(4), level)
    place = int(moved.values["AGENT_CELL"][0])
    assert bool(levels.free(env, level).ravel()[place])
    assert levels.with_agent(env, level, np.int32(18)).values["AGENT_CELL"][0] == 18
    last = jax.jit(lambda cell: levels.with_agent(env, level, cell))(99_999).values["AGENT_CELL"][0]
    assert last == env.program.cells - 1  # what is found out later is clipped
    small = griddsl.jax.make("griddsl/RandomMaze-v0", size=9)
    half: Any = 1.5
    refused: list[tuple[Callable[[], Any], str]] = [
        (lambda: levels.with_agent(env, level, 99_999), "a cell is a whole number from 0 to"),
        (lambda: levels.with_agent(env, level, -1), "a cell is a whole number from 0 to"),
        (lambda: levels.with_agent(env, level, 3.7), "a cell is a whole number from 0 to"),
        (lambda: levels.with_agent(env, level, jax.numpy.int32(-1)), "a cell is a whole number from 0 to"),
        (lambda: levels.with_agent(env, level, 18, 99), "an agent is a whole number from 0 to 0, not 99"),
        (lambda: levels.moved(env, jax.random.key(4), level, agent=3), "an agent is a whole number from 0"),
        (lambda: levels.flipped(env, jax.random.key(4), level, -1), "flipped is a whole number from 0 to"),
        (lambda: levels.flipped(env, jax.random.key(4), level, 9999), "flipped is a whole number from 0 to"),
        (lambda: levels.flipped(env, jax.random.key(4), level, half), "flipped is a whole number from 0 to"),
        (lambda: levels.stacked([]), "1 level or more"),
        (lambda: levels.stacked([level, small.level()]), "level 1 is of another environment or size"),
    ]
    for wrong, said in refused:
        with pytest.raises(ValueError, match=said):
            wrong()
    none: Any = 3
    asked: list[Callable[[], Any]] = [
        lambda: levels.stacked([level, none]),
        lambda: levels.tiles(env, none),
        lambda: levels.with_tiles(env, none, levels.tiles(env, level)),
        lambda: levels.free(env, none),
        lambda: levels.flipped(env, jax.random.key(0), none),
        lambda: levels.with_agent(env, none, 18),
        lambda: levels.moved(env, jax.random.key(0), none),
    ]
    for ask in asked:
        with pytest.raises(TypeError, match=r"a level is what `env.level\(\)` gives, not 3"):
            ask()
    with pytest.raises(ValueError, match="levels of one environment have one size"):
        small.reset(jax.random.key(0), level=level)
    with pytest.raises(ValueError, match="there is no level 'nowhere'"):
        env.reset(jax.random.key(0), level="nowhere")
    with pytest.raises(ValueError, match="the ground of test/Walk-v0 never changes"):
        levels.tiles(griddsl.jax.make(WALK), griddsl.jax.make(WALK).level())


def test_action_of_several_groups__is_a_tuple_of_traced_numbers_too() -> None:
    """As the single environment takes it, in `jit` and outside; what does not fit is refused where it is traced."""
    env = griddsl.jax.make(
        "env: test/Lamp-v0\nmap:\n    @..\n    ...\nactions move: left, right\nactions lamp: off, on\nobserve: cell\n"
        "on do right: reward 1\non do on: reward 2\nlimit: 9 steps\n"
    )
    _, state = env.reset(jax.random.key(0))
    stepped = jax.jit(lambda state, action: env.step(None, state, action)[2])
    assert stepped(state, (1, 1)) == stepped(state, np.array([1, 1])) == env.step(None, state, (1, 1))[2] == 3
    for wrong in ((1, 1, 1), (1.0, 1), (np.array([1]), 1), {"move": 1}):
        with pytest.raises(TypeError, match="2 whole numbers in a row"):
            stepped(state, wrong)
