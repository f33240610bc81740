"""The functional model: states are values, the rng given decides, and chances are exact where they are enumerated."""

from __future__ import annotations

import pickle
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import griddsl
from griddsl.envs.model.grid_model import GridModel
from griddsl.envs.seeding import new_stream, seeded
from griddsl.exact.draws import ExactError
from tests.typed import count_of

RACE = """
env: test/Race-v0
agents: red, blue
agent: facing
map:
    1.....
    2.....
legend: 1 = red, 2 = blue
object hurdle: solid
setup:
    choose a in 1..2, b in 1..2
    place hurdle at (a, 0)
    place hurdle at (b, 1)
actions:
    run = move east 2
    jump = move east 1 through hurdle with chance 0.9
when red.x == 5 or blue.x == 5:
    if red.x == blue.x: end draw
    else if red.x == 5: reward +1 to red, reward -1 to blue, end red_wins
    else: reward -1 to red, reward +1 to blue, end blue_wins
observe: hurdle ahead
limit: 50 steps
"""
TURNS = """
env: test/Turns-v0
agents: red, blue
map:
    1..G
    2..G
legend: 1 = red, 2 = blue, G = goal
actions: right, left
turns: alternate
rewards: zero_sum
on red enter goal: reward +1, end red_wins
on blue enter goal: reward +1, end blue_wins
observe:
    me = position of self
    board = grid as planes
limit: 20 steps
"""
LEAVING = """
env: test/Leaving-v0
agents: walker * 2
map:
    @@..
    ...G
legend: G = goal
actions: up, right, down, left
contested: random
on enter goal: reward +1, out
each agent: reward -0.1
observe: view 3x3 centered as planes
limit: 12 steps
"""
GUARDED = """
env: test/Guarded-v0
agents: thief * 2, guard
agent guard: moves random
map:
    @@...
    ....@
actions: up, right, down, left, stay
turns: alternate
on thief meet guard: reward -1, end failure
each agent: reward 0.5
observe: position of self
limit: 15 steps
"""
NOISY = """
env: test/Noisy-v0
map:
    @..G
legend: G = goal
var wind: calm in calm | strong
setup:
    choose w in calm | strong
    wind = w
actions: left, right
observe: wind is strong with chance 3/4 else wind is calm
on enter goal: end success
"""
HEIST = """
env: test/Heist-v0
agents: thief, guard
agent guard: moves random
map:
    T..#..
    .g.#..
    ......
    ...#.*
legend: T = thief, g = guard, "*" = gem
actions: up, right, down, left
contested: share
on thief meet guard: reward -1, end failure
on thief enter gem: reward +1, end success
observe:
    me = position of self
    guard = position of guard
limit: 30 steps
"""
SEVERAL = {"race": RACE, "turns": TURNS, "leaving": LEAVING, "guarded": GUARDED}
SINGLE = {
    "ice": "griddsl/FrozenLake-v0",
    "rocks": "griddsl/RockSample-v0",
    "obstacles": "griddsl/DynamicObstacles-v0",
    "heist": HEIST,
    "heist in turns": HEIST.replace("contested: share", "turns: alternate"),
}


def _actions(model: GridModel, state: Any, rng: np.random.Generator) -> dict[str, Any]:
    return {name: int(rng.integers(count_of(model.action_spaces[name]))) for name in model.agents(state)}


@pytest.mark.parametrize("name", SEVERAL)
def test_step__follows_the_parallel_environment(name: str) -> None:
    """With the same 64 bits before each step, model and environment give the same in everything."""
    model, env = griddsl.make_model(SEVERAL[name]), griddsl.make_parallel(SEVERAL[name])
    assert list(model.possible_agents) == env.possible_agents
    chosen = np.random.default_rng(1)
    for seed in range(30):
        state = model.sample_initial_state(seed)
        observations, _ = env.reset(seed=seed)
        assert model.key(model.initial_observations(state)) == model.key(observations)
        mine, its = np.random.default_rng(seed), np.random.default_rng(seed)
        while state.agents:
            actions = _actions(model, state, chosen)
            env.seed(new_stream(its))
            found, expected = model.step(state, actions, mine), env.step(actions)
            assert model.key(found.observations) == model.key(expected[0])
            assert (found.rewards, found.terminated, found.truncated) == expected[1:4]
            assert model.key(found.infos) == model.key(expected[4])
            assert model.vector(found.state).tolist() == env.state().tolist()
            assert list(found.state.agents) == env.agents and found.all_done == (not env.agents)
            state = found.state
        assert found.outcome in {info["outcome"] for info in found.infos.values()}


@pytest.mark.parametrize("name", SINGLE)
def test_step__follows_the_environment_for_one(name: str) -> None:
    """A spec for one agent has a model with one agent, which does as its environment does."""
    model, env = griddsl.make_model(SINGLE[name]), griddsl.make(SINGLE[name], backend="python")
    (agent,) = model.possible_agents
    chosen = np.random.default_rng(1)
    for seed in range(10):
        state = model.sample_initial_state(seed)
        env.reset(seed=seed)
        rng, stream = np.random.default_rng(seed), np.random.default_rng(seed)
        while state.agents:
            actions = _actions(model, state, chosen)
            env.set_state((*state[:2], new_stream(stream)))
            found = model.step(state, actions, rng)
            observation, reward, terminated, truncated, info = env.step(actions[agent])
            assert model.key(found.observations[agent]) == model.key(observation)
            assert (found.rewards[agent], found.terminated[agent], found.truncated[agent]) == (
                reward,
                terminated,
                truncated,
            )
            assert model.key(found.infos[agent]) == model.key(info)
            state = found.state
            assert state[:2] == env.get_state()[:2]


def test_rng__decides_alone() -> None:
    """The same seed gives the same, other questions in between or not; a generator gives 64 bits a call."""
    model = griddsl.make_model(RACE)
    state = model.sample_initial_state(3)
    first = model.step(state, {"red": 1, "blue": 1}, 5)
    for seed in range(20):
        model.step(model.sample_initial_state(seed), {"red": 0, "blue": 1}, seed)
    model.transition(state, {"red": 0, "blue": 1})
    again = model.step(state, {"red": 1, "blue": 1}, 5)
    assert model.sample_initial_state(3) == state and again == first
    assert model.sample_initial_state(seeded(3)) == state
    rng, other = np.random.default_rng(0), np.random.default_rng(0)
    model.step(state, {"red": 1, "blue": 1}, rng)
    new_stream(other)
    assert rng.integers(1 << 40) == other.integers(1 << 40)


def test_state__is_a_value() -> None:
    """States hash, compare and pickle; a model pickles without what it was asked."""
    model = griddsl.make_model(LEAVING)
    states = [model.sample_initial_state(seed) for seed in range(20)]
    assert len(set(states)) == 2 and pickle.loads(pickle.dumps(states)) == states
    assert sorted(states)[0] in set(states)
    twin = pickle.loads(pickle.dumps(model))
    actions = {"walker_0": 1, "walker_1": 2}
    assert model.key(twin.step(states[0], actions, 1)) == model.key(model.step(states[0], actions, 1))
    with pytest.raises(AttributeError):
        setattr(states[0], "agents", ())  # noqa: B010 - what no one may write down
    assert model.state_space.contains(model.vector(states[0]))


@pytest.mark.parametrize("name", ["race", "leaving", "guarded"])
def test_transition__agrees_with_sampling(name: str) -> None:
    """The chances of a step sum to 1 exactly, and are those with which it is sampled, within five errors."""
    model = griddsl.make_model(SEVERAL[name])
    rng = np.random.default_rng(0)
    number = 1_000
    for state, actions in _chancy(model, rng, 3):
        chances = model.transition(state, actions)
        assert sum(chances.values()) == 1
        steps = [model.step(state, actions, rng) for _ in range(number)]
        for after, chance in chances.items():
            share = sum(step.state == after for step in steps) / number
            assert abs(share - chance) <= 5 * (chance * (1 - chance) / number) ** 0.5
        assert {step.state for step in steps} <= chances.keys()
        for agent, mean in model.reward(state, actions).items():
            rewards = [step.rewards[agent] for step in steps]
            assert abs(np.mean(rewards) - mean) <= 5 * np.std(rewards) / number**0.5 + 1e-9


def _chancy(model: GridModel, rng: np.random.Generator, most: int) -> Iterator[tuple[Any, dict[str, Any]]]:
    """Yield states that random play comes to, with joint actions that can lead to several."""
    state, found = model.sample_initial_state(rng), 0
    while found < most:
        actions = _actions(model, state, rng)
        if len(model.transition(state, actions)) > 1:
            found += 1
            yield state, actions
        state = model.step(state, actions, rng).state
        if not state.agents:
            state = model.sample_initial_state(rng)


def test_transition__is_that_of_the_decision_process() -> None:
    """For one agent, chances and rewards are those that `to_mdp` finds."""
    model, mdp = griddsl.make_model("griddsl/FrozenLake-v0"), griddsl.to_mdp("griddsl/FrozenLake-v0")
    step_at = model.program.layout.offsets["STEP"]
    for number in range(0, mdp.n_states, 3):
        integers, reals = mdp.states[number][:2]
        if mdp.terminal[number]:
            continue
        state = model.sample_initial_state(0)._replace(integers=integers, reals=reals)
        for action in range(mdp.n_actions):
            expected: dict[Any, Fraction] = {}
            for chance, after, _, _ in mdp.outcomes(number, action):
                key = mdp.states[after][0]
                expected[key] = expected.get(key, Fraction(0)) + chance
            found = {
                (*after.integers[:step_at], 0, *after.integers[step_at + 1 :]): chance
                for after, chance in model.transition(state, {"agent": action}).items()
            }
            assert found == expected
            assert model.reward(state, {"agent": action})["agent"] == pytest.approx(mdp.R[action][number])


def test_initial_belief__is_what_setup_draws() -> None:
    """Setup's draws are initial states with their chances; an agent's view leaves those that fit it."""
    model = griddsl.make_model(RACE)
    belief = model.initial_belief()
    assert set(belief.values()) == {Fraction(1, 4)} and len(belief) == 4
    assert all(model.sample_initial_state(seed) in belief for seed in range(10))
    fitting = {model.sample_agent_initial_state("red", 1, seed) for seed in range(20)}
    assert len(fitting) == 2
    assert all(model.observation(state)["red"] == {1: 1} for state in fitting)
    with pytest.raises(ValueError, match="none of 10 initial states looks like 7 to 'red'"):
        model.sample_agent_initial_state("red", 7, 0, tries=10)
    with pytest.raises(ValueError, match="'green' is no agent here"):
        model.sample_agent_initial_state("green", 1, 0)


def test_observation__has_the_chances_of_sensor_noise() -> None:
    """Noise is drawn by the rng given, and has exact chances."""
    model = griddsl.make_model(NOISY)
    strong = {"agent": {1: Fraction(3, 4), 0: Fraction(1, 4)}}
    state = next(state for state in model.initial_belief() if model.observation(state) == strong)
    with pytest.raises(ValueError, match=r"drawn: pass an rng"):
        model.initial_observations(state)
    rng = np.random.default_rng(0)
    seen = [model.initial_observations(state, rng)["agent"] for _ in range(1000)]
    assert abs(np.mean(seen) - 0.75) < 0.07


def test_observation__refuses_what_no_state_keeps() -> None:
    """An observation of the last action is told by steps, and by states where others ask for it in their turns."""
    text = TURNS.replace("me = position of self", "did = self.action is right")
    model = griddsl.make_model(text)
    state = model.sample_initial_state(0)
    found = model.step(state, {"red": 0}, 0)
    assert found.observations["red"]["did"] == 1
    assert model.observation(found.state)["red"] == {model.key(found.observations["red"]): 1}
    model = griddsl.make_model(text.replace("turns: alternate\n", ""))
    with pytest.raises(ExactError, match=r"depends on `self.action` of the last step"):
        model.observation(model.sample_initial_state(0))


def test_turn__is_all_that_must_act() -> None:
    """Under `turns: alternate` the action of whose turn it is is enough; others' actions change nothing."""
    model = griddsl.make_model(TURNS)
    state = model.sample_initial_state(0)
    assert model.turn(state) == "red"
    alone = model.step(state, {"red": 0}, 0)
    assert model.turn(alone.state) == "blue"
    assert model.key(alone) == model.key(model.step(state, {"red": 0, "blue": 1}, 0))
    with pytest.raises(ValueError, match="no action for 'red', whose turn it is"):
        model.step(state, {"blue": 0}, 0)


def test_step__says_what_is_wrong() -> None:
    """A joint action that is none, and a state that is over, are errors; no action is lost silently."""
    model = griddsl.make_model(RACE)
    state = model.sample_initial_state(0)
    with pytest.raises(ValueError, match="no action for 'blue'"):
        model.step(state, {"red": 0}, 0)
    with pytest.raises(ValueError, match="names 'green', which is no agent here"):
        model.step(state, {"red": 0, "blue": 0, "green": 0}, 0)
    with pytest.raises(ValueError, match="None is no action of 'blue'"):
        model.step(state, {"red": 0, "blue": None}, 0)
    with pytest.raises(ValueError, match="2 is no action of 'red'"):
        model.transition(state, {"red": 2, "blue": 0})
    with pytest.raises(ValueError, match="a joint action is a dict"):
        model.step(state, [0, 0], 0)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="rng is a numpy"):
        model.step(state, {"red": 0, "blue": 0}, None)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="the episode is over in this state"):
        model.step(state._replace(agents=()), {}, 0)
    with pytest.raises(ValueError, match="not one of test/Race-v0"):
        model.step(state._replace(integers=(1,)), {"red": 0, "blue": 0}, 0)


def test_is_symmetric__is_proved_refuted_or_open(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who can change places is told by the whole game: its setup, its turns, its rules."""
    assert griddsl.make_model(RACE).is_symmetric is True
    assert griddsl.make_model(LEAVING).is_symmetric is True
    assert griddsl.make_model(TURNS).is_symmetric is False
    handicap = RACE.replace("place hurdle at (b, 1)", "place hurdle at (3, 1)")
    assert griddsl.make_model(handicap).is_symmetric is False
    paid = RACE.replace("else if red.x == 5: reward +1 to red", "else if red.x == 5: reward +2 to red")
    assert griddsl.make_model(paid).is_symmetric is False
    more = LEAVING.replace("walker * 2", "walker * 4").replace("@@..", "@@@@......")
    more = more.replace("...G", ".........G")
    assert griddsl.make_model("griddsl/CliffWalking-v0").is_symmetric is True
    monkeypatch.setattr("griddsl.envs.model.symmetry.MOST_RUNS", 10_000)
    assert griddsl.make_model(more).is_symmetric is None


def test_reward_range__bounds_every_step() -> None:
    """The range is found by visiting all states; without that it is open."""
    assert griddsl.make_model(RACE).reward_range == {"red": (-1, 1), "blue": (-1, 1)}
    assert griddsl.make_model("griddsl/CliffWalking-v0").reward_range == {"agent": (-100, -1)}
    low, high = griddsl.make_model("griddsl/DoorKey-v0").reward_range["agent"]
    assert (low, high) == (-np.inf, np.inf)


def test_describe__says_what_is_true_as_python_does() -> None:
    """Attributes of true and false are described as variables are: a text `false` would be true in a condition."""
    model = griddsl.make_model("""
env: test/Lit-v0
object lamp: lit in false | true, color in red | blue
agent: wet in true | false
var dark: true
map:
    @L
legend: L = lamp(color=blue)
actions: stay
on do stay: lamp becomes lit, dark = false
observe: flags(lamp is lit, dark, agent is wet, lamp is red)
limit: 3 steps
""")
    first = model.sample_initial_state(rng=0)
    after = model.describe(model.step(first, {"agent": 0}, rng=0).state)
    (lamp,) = after["objects"]
    assert model.describe(first)["objects"][0]["lit"] is False and lamp["lit"] is True
    assert lamp["color"] == "blue" and after["names"]["dark"] is False
    assert after["agents"]["agent"]["wet"] is False


def test_describe__tells_of_the_ground_that_may_differ() -> None:
    """Tiles with attributes that change, and tiles where ground changes; a board of floor and walls has none to tell."""
    life = """
env: test/Life-v0
tile soil: alive in false | true
map:
    #@.s
legend: s = soil(alive=true)
actions: stay
on do stay: each soil: soil.alive = not soil.alive
observe: flags(soil.alive)
limit: 3 steps
""".replace("on do stay: each soil: soil.alive", "on do stay:\n    each soil: soil.alive")
    model = griddsl.make_model(life)
    first = model.sample_initial_state(rng=0)
    assert model.describe(first)["tiles"] == [{"kind": "soil", "position": (3, 0), "alive": True}]
    after = model.step(first, {"agent": 0}, rng=0).state
    assert model.describe(after)["tiles"][0]["alive"] is False
    plain = griddsl.make_model("griddsl/CliffWalking-v0")
    assert plain.describe(plain.sample_initial_state(rng=0))["tiles"] == []
