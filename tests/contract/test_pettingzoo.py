"""Specs of several agents keep PettingZoo's contracts, batches of them what their games do, one by one."""

from __future__ import annotations

import copy
import pickle
import warnings
from pathlib import Path
from typing import Any

import gymnasium as gym
import numpy as np
import pytest

import griddsl
from griddsl.backends.native.library import is_installed
from griddsl.compiler import compiled
from griddsl.envs.joint.parallel import GridParallelEnv
from tests.agreement.comparing import assert_same
from tests.contract.every_spec import spec_id_of

pettingzoo = pytest.importorskip("pettingzoo")
with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # Its tests load its own games in a way that it calls old.
    from pettingzoo.test import (
        api_test,
        max_cycles_test,
        parallel_api_test,
        parallel_seed_test,
        render_test,
        seed_test,
    )

ROOT = Path(__file__).parents[2]
ASKING = """
env: test/Asking-v0
agents: red, blue
turns: TURNS
legend: c = red, d = blue
map:
    ..c
    d..
actions: left, up, shell
on do left if blue.action is up: reward 3
on do up if red.action is shell: reward 7
observe tuple: self.x, red.action is up, blue.action is shell
limit: 9 steps
"""
TURNED = """
env: test/Turned-v0
agents: red, guard, blue
agent guard: moves random
map:
    1.g.2
    .....
legend: 1 = red, 2 = blue, g = guard
actions: left, right, leave
turns: alternate
on do leave with chance 0.3: out
observe: position of self
limit: 9 steps
"""
GOING = """
env: test/Going-v0
agents: red, blue
map:
    1..2
legend: 1 = red, 2 = blue
actions: left, right, leave
observe: position of self as cell with chance 0.5 else 0
each agent: reward 1
on do leave: out
limit: 6 steps
"""
TURNS = """
env: test/Turns-v0
    "Two race in turns; a guard between them walks by himself."
agents: red, guard, blue
agent guard: moves random with chance 0.5
map:
    1.....G
    2..g..G
legend: 1 = red, 2 = blue, g = guard, G = goal
actions: right, left, stay
allow left: self.x > 0
turns: alternate
rewards: zero_sum
on red enter goal: reward +1, reward -1 to blue, reward 0 to guard, end red_wins
on blue enter goal: reward +1, reward -1 to red, reward 0 to guard, end blue_wins
observe:
    me = position of self
    board = grid as planes
    left = mask
info: far = distance(red, blue)
limit: 60 steps
"""
LEAVING = """
env: test/Leaving-v0
    "Each leaves at the goal; a scout sees more and has a limit of its own."
agents: walker * 3, scout
map:
    @@@@..
    ....*G
legend: G = goal, "*" = mine
object mine: portable
actions: up, right, down, left
actions scout: run = move east 2, up, down, left, grab = pickup
on enter goal: reward +1, out
on pickup mine: reward 2, info mined = self.x
each walker: reward -0.1
observe: view 3x3 centered as planes
observe scout:
    board = grid
    here = cell
limit: 50 steps
limit scout: 12 steps
"""
WANDERING = """
env: griddsl/Wandering-v0
agents: hunter * 2, deer
agent deer: moves random 8
map:
    ......
    .1..3.
    ..2...
legend: 1 = hunter, 2 = hunter, 3 = deer
actions: up, right, down, left
actions say: quiet, ping
each hunter if hunter within 1 of deer: reward 1, hidden reward 0.5, info near = hunter.x
observe flat:
    sight = view 3x3 as codes (wall 1, hunter 2, deer 3)
limit: 20 steps
"""
AWAY = """
env: test/Away-v0
    "Who is touched sits out for a while; at times one leaves for good."
agents: red, blue, green * 2
tile spawn:
map:
    r.s.b
    ..s..
    g.s.g
legend: r = red, b = blue, g = green, s = spawn
actions: up, right, down, left, stay
contested: share
on agent meet agent: reward -1, out for 3 steps, back at random spawn
when step mod 7 == 3: red out for 2 steps
on green enter spawn with chance 0.2: out
observe:
    board = grid
    away = self.away
limit: 30 steps
"""
OWN = {"away": AWAY, "turns": TURNS, "leaving": LEAVING, "wandering": WANDERING}
SPECS: dict[str, Any] = OWN | {
    path.stem: path
    for path in sorted((ROOT / "specs").glob("*.grid"))
    if "\nagents:" in path.read_text(encoding="utf-8") and len(compiled(path).program.players) > 1
}
each_spec = pytest.mark.parametrize("name", SPECS)


@each_spec
def test_parallel__keeps_the_contract(name: str) -> None:
    """PettingZoo's own tests of the parallel interface pass, and the same seed gives the same game."""
    with warnings.catch_warnings():
        warnings.simplefilter(
            "ignore"
        )  # Names without numbers, and observations that are one number, are allowed.
        parallel_api_test(griddsl.make_parallel(SPECS[name]), num_cycles=100)
        parallel_seed_test(lambda **more: griddsl.make_parallel(SPECS[name], **more), num_cycles=20)


@each_spec
def test_aec__keeps_the_contract(name: str) -> None:
    """PettingZoo's own tests of the interface of turns pass."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        api_test(griddsl.make_aec(SPECS[name]), num_cycles=60)
        seed_test(lambda **more: griddsl.make_aec(SPECS[name], **more), num_cycles=20)


@pytest.mark.parametrize("name", [*OWN])
def test_pictures__keep_the_contract(name: str) -> None:
    """Frames and texts are what the render modes say."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        render_test(lambda **more: griddsl.make_aec(SPECS[name], **more))
    env = griddsl.make_parallel(SPECS[name], render_mode="rgb_array")
    env.reset(seed=1)
    frame = env.render()
    assert frame.dtype == np.uint8 and frame.ndim == 3


def test_cycles__end_with_the_limit() -> None:
    """A limit given as a parameter is the number of cycles."""
    text = TURNS.replace("limit: 60 steps", "param max_cycles: 60 in 1..1000\nlimit: max_cycles steps")
    text = text.replace("alternate", "in_order")

    class Module:
        """Has the two functions that PettingZoo's test looks for."""

        @staticmethod
        def env(max_cycles: int) -> Any:
            """Return the environment of turns."""
            return griddsl.make_aec(text, max_cycles=max_cycles)

        @staticmethod
        def parallel_env(max_cycles: int) -> Any:
            """Return the parallel environment."""
            return griddsl.make_parallel(text, max_cycles=max_cycles)

    max_cycles_test(Module)


@each_spec
def test_states__are_saved_and_restored(name: str) -> None:
    """A copy, a pickle and a restored state go on alike."""
    env = griddsl.make_parallel(SPECS[name])
    env.reset(seed=5)
    _play(env, 3, 0)
    state, going = env.get_state(), list(env.agents)  # none where an action that is not allowed has ended it
    copies = [copy.deepcopy(env), pickle.loads(pickle.dumps(env))]
    trails = [_play(each, 12, 1) for each in (env, *copies)]
    env.set_state(state)
    assert env.agents == going or not going
    env.agents = going
    assert env.get_state() == state
    assert trails[0] == trails[1] == trails[2] == _play(env, 12, 1)


@pytest.mark.parametrize("backend", ["python", *(["native"] if is_installed() else [])])
def test_set_state__says_who_takes_part(backend: str) -> None:
    """Who was out when the state was taken is out, and who left since is back, in another environment too."""
    one, other = (griddsl.make_parallel(GOING, backend=backend) for _ in range(2))
    one.reset(seed=5)
    start = one.get_state()
    one.step({"red": 2, "blue": 0})
    assert one.agents == ["blue"]
    other.reset(seed=1)
    other.set_state(one.get_state())
    assert other.agents == ["blue"]
    assert_same(other.step({"blue": 1}), one.step({"blue": 1}))
    one.set_state(start)
    assert one.agents == ["red", "blue"]


@pytest.mark.parametrize("turns", ["simultaneous", "in_order", "random_order", "alternate"])
def test_states__keep_what_was_done_where_it_is_asked_for_later(turns: str) -> None:
    """What another did before is asked for by whoever acts first, or in whose turn it does nothing: in a new game too."""
    text = ASKING.replace("TURNS", turns)
    one, other = (griddsl.make_parallel(text, backend="python") for _ in range(2))
    one.reset(seed=1)
    rng = np.random.default_rng(0)
    for _ in range(8):
        other.reset(seed=2)
        other.set_state(one.get_state())
        actions = {name: int(rng.integers(3)) for name in one.agents}
        assert_same(other.step(actions), one.step(actions))
        assert other.get_state() == one.get_state()


@pytest.mark.parametrize("mode", ["NextStep", "SameStep"])
@pytest.mark.parametrize("backend", ["python", "table", *(["native"] if is_installed() else [])])
def test_batches__say_whose_turn_it_is(backend: str, mode: str) -> None:
    """The number of who is next, among those that learn, is that of each game alone, where some go out as well."""
    batch = griddsl.make_parallel_vec(TURNED, 8, backend=backend, autoreset_mode=mode)
    games = [griddsl.make_parallel(TURNED, backend="python") for _ in range(8)]
    _, infos = batch.reset(seed=3)
    for number, game in enumerate(games):
        game.reset(seed=3 + number)
    rng, compared = np.random.default_rng(0), 0
    for _ in range(7):
        for number, game in enumerate(games):
            if game.agents:
                assert game.possible_agents[infos["turn"][number]] == game.turn
                compared += 1
        actions = rng.integers(0, 3, (8, 2))
        *_, infos = batch.step(actions)
        for row, game in zip(actions.tolist(), games, strict=True):
            chosen = dict(zip(game.possible_agents, row, strict=True))
            game.step({name: chosen[name] for name in game.agents})
    assert compared > 30


@pytest.mark.parametrize("backend", ["python", *(["native"] if is_installed() else [])])
def test_render__before_the_first_reset_is_refused(backend: str) -> None:
    """As by an environment of one agent; a reset, a state, and copies of either are something to be seen."""
    games = [griddsl.make_parallel(TURNS, backend=backend) for _ in range(2)]
    games[0].reset(seed=1)
    state = games[0].get_state()
    alone = griddsl.make(TURNS, policies={"blue": "random"})
    for env in (*games[1:], pickle.loads(pickle.dumps(games[1])), copy.deepcopy(games[1]), alone):
        with pytest.raises(gym.error.ResetNeeded, match=r"call reset\(\) before render"):
            env.render()
    alone.reset(seed=1)
    games[1].set_state(state)
    for env in (*games, *pickle.loads(pickle.dumps(games)), alone):
        assert env.render().shape[2] == 3


def _play(env: GridParallelEnv, steps: int, seed: int) -> list[Any]:
    """Play random actions; return what happened, to be compared."""
    rng = np.random.default_rng(seed)
    trail: list[Any] = []
    for _ in range(steps):
        if not env.agents:
            break
        actions = {agent: _action(env, agent, rng) for agent in env.agents}
        observations, rewards, ended, cut, _ = env.step(actions)
        trail.append((_plain(observations), rewards, ended, cut, env.get_state()))
    return trail


def _action(env: Any, agent: str, rng: np.random.Generator) -> Any:
    space = env.action_space(agent)
    if hasattr(space, "nvec"):
        return [int(rng.integers(count)) for count in space.nvec]
    return int(rng.integers(space.n))


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _plain(part) for key, part in value.items()}
    if isinstance(value, tuple):
        return [_plain(part) for part in value]
    return value.tolist() if hasattr(value, "tolist") else value


BACKENDS = ["python", *(["native"] if is_installed() else [])]


@pytest.mark.parametrize(
    ("name", "mode"),
    [(name, "NextStep") for name in SPECS]
    + [(name, mode) for name in OWN for mode in ("SameStep", "Disabled")],
)
@pytest.mark.parametrize("backend", BACKENDS)
def test_batches__are_their_games(name: str, backend: str, mode: str) -> None:
    """Game i of a batch seeded s is the game seeded s + i: observations, rewards, flags, masks, through restarts."""
    games = [griddsl.make_parallel(SPECS[name]) for _ in range(3)]
    try:
        batch = griddsl.make_parallel_vec(SPECS[name], 3, backend=backend, autoreset_mode=mode)
    except ValueError as refusal:
        assert "cannot be played in batches" in str(refusal)
        return
    assert batch.metadata["autoreset_mode"].value == mode
    names = batch.possible_agents
    first, _ = batch.reset(seed=11)
    for i, game in enumerate(games):
        seen, _ = game.reset(seed=11 + i)
        _compare(batch, first, i, seen)
    rng, over, restarts = np.random.default_rng(2), [False] * 3, 0
    for _ in range(130):
        drawn = [{agent: _action(game, agent, rng) for agent in names} for game in games]
        if mode == "Disabled" and any(over):
            with pytest.raises(gym.error.ResetNeeded, match="reset_mask"):
                batch.step(_batched(batch, drawn))
            again, _ = batch.reset(options={"reset_mask": np.array(over)})
            for i, game in enumerate(games):
                if over[i]:
                    _compare(batch, again, i, game.reset()[0])
            over = [False] * 3
        observations, rewards, ended, cut, infos = batch.step(_batched(batch, drawn))
        for i, game in enumerate(games):
            if over[i] and mode == "NextStep":
                seen, _ = game.reset()
                over[i] = False
                assert not rewards[i].any() and not ended[i].any() and not cut[i].any()
            else:
                live = list(game.agents)
                seen, got, ends, cuts, _ = game.step({agent: drawn[i][agent] for agent in live})
                over[i] = not game.agents
                restarts += over[i]
                for row, agent in enumerate(names):
                    expected = (
                        (got[agent], ends[agent], cuts[agent]) if agent in live else (0.0, False, False)
                    )
                    assert (rewards[i, row], ended[i, row], cut[i, row]) == pytest.approx(expected)
                told = infos["final_info"] if over[i] and mode == "SameStep" else infos
                if over[i]:
                    assert told["outcome"][i] == (
                        game.outcome or ("truncated" if any(cuts.values()) else "out")
                    )
                    assert told["is_success"][i] == (told["outcome"][i] == "success")
                if over[i] and mode == "SameStep":
                    assert infos["_final_obs"][i] and infos["_final_info"][i]
                    assert not told["alive"][i].any() and infos["outcome"][i] == ""
                    _compare(batch, infos["final_obs"], i, seen)
                    seen, _ = game.reset()
                    over[i] = False
                elif "_final_obs" in infos:
                    assert not infos["_final_obs"][i]
            assert infos["alive"][i].tolist() == [agent in game.agents for agent in names]
            _compare(batch, observations, i, seen)
    assert restarts or name not in OWN
    copies = [copy.deepcopy(batch), pickle.loads(pickle.dumps(batch))]
    drawn = _batched(batch, [{agent: _action(game, agent, rng) for agent in names} for game in games])
    futures = [_future(other, drawn) for other in (*copies, batch)]
    assert str(futures[0]) == str(futures[1]) == str(futures[2])


def _future(batch: Any, actions: Any) -> list[Any]:
    """Return what follows of the same actions, up to the end of a game where none starts anew by itself."""
    found = []
    for _ in range(60):
        try:
            found.append(batch.step(actions))
        except gym.error.ResetNeeded:
            break
    return found


@pytest.mark.parametrize("backend", BACKENDS)
def test_reset__of_some_games_leaves_the_others_alone(backend: str) -> None:
    """A mask and a level; a mask of another shape, and one before the first reset, are refused."""
    games = griddsl.make_parallel_vec(SPECS["pursuit_evasion"], 4, backend=backend)
    with pytest.raises(gym.error.ResetNeeded, match="without a mask first"):
        games.reset(options={"reset_mask": np.ones(4, bool)})
    games.reset(seed=3)
    before, *_ = games.step(games.sampled_actions(1))
    with pytest.raises(ValueError, match=r"\(4,\) bool"):
        games.reset(options={"reset_mask": np.ones(3, bool)})
    with pytest.raises(ValueError, match="no level 'nowhere'"):
        games.reset(options={"level": "nowhere"})
    which = np.array([True, False, False, True])
    after, infos = games.reset(seed=9, options={"reset_mask": which})
    fresh, _ = griddsl.make_parallel_vec(SPECS["pursuit_evasion"], 4, backend=backend).reset(seed=9)
    for old, new, other in zip(_arrays(before), _arrays(after), _arrays(fresh), strict=True):
        np.testing.assert_array_equal(new[~which], old[~which])
        np.testing.assert_array_equal(new[which], other[which])
    assert infos["alive"].all()


def _arrays(observation: Any) -> list[Any]:
    if isinstance(observation, dict | tuple):
        parts = observation.values() if isinstance(observation, dict) else observation
        return [array for part in parts for array in _arrays(part)]
    return [observation]


@pytest.mark.skipif(not is_installed(), reason="numba is not installed")
@each_spec
def test_native_games__are_the_reference(name: str) -> None:
    """Observations, rewards, flags, infos and states, where agents leave, through copies and restored states."""
    reference, native = (griddsl.make_parallel(SPECS[name], backend=b) for b in ("python", "native"))
    assert (reference.backend, native.backend) == ("python", "native")
    assert_same(native.reset(seed=5), reference.reset(seed=5))
    rng, kept = np.random.default_rng(3), reference.get_state()
    for number in range(150):
        if not reference.agents:
            assert_same(native.reset(), reference.reset(), f"reset before {number}")
        joint = {agent: _action(reference, agent, rng) for agent in reference.agents}
        assert_same(native.step(joint), reference.step(joint), f"step {number}")
        assert native.agents == reference.agents
        assert native.outcome == reference.outcome
        if number % 7 == 0:
            assert native.get_state() == reference.get_state()
        if number % 31 == 0:
            native = pickle.loads(pickle.dumps(native))
        if number == 90:
            reference.reset(seed=1)
            native.reset(seed=1)
            for env in (reference, native):
                env.set_state(kept)
            assert_same(native.reset(), reference.reset(), "the stream that was put in goes on")
            for env in (reference, native):
                env.set_state(kept)
            for agent in reference.agents:
                assert_same(native.observe(agent), reference.observe(agent))


@pytest.mark.skipif(not is_installed(), reason="numba is not installed")
@each_spec
def test_native_batches__are_the_reference(name: str) -> None:
    """All that a batch returns, on one thread and on two, where entries of info are set and where they are not."""
    try:
        batches = [
            griddsl.make_parallel_vec(SPECS[name], 5, backend=backend, num_threads=threads)
            for backend, threads in (("python", 1), ("native", 1), ("native", 2))
        ]
    except ValueError as refusal:
        assert "cannot be played in batches" in str(refusal)
        return
    first, *others = batches
    expected = first.reset(seed=8)
    for other in others:
        assert_same(other.reset(seed=8), expected)
    for number in range(70):
        actions = first.sampled_actions(number)
        stepped = first.step(actions)
        for other in others:
            assert_same(other.step(actions), stepped, f"step {number}")


def _batched(batch: Any, drawn: list[dict[str, Any]]) -> Any:
    parties = batch._interface.parties
    arrays = [np.array([[each[p.name] for p in party.players] for each in drawn]) for party in parties]
    return arrays[0] if len(parties) == 1 else dict(zip(batch._party_names(), arrays, strict=True))


def _compare(batch: Any, observations: Any, game: int, seen: dict[str, Any]) -> None:
    parties = batch._interface.parties
    for index, party in enumerate(parties):
        whole = observations if len(parties) == 1 else observations[batch._party_names()[index]]
        for row, player in enumerate(party.players):
            if player.name not in seen:
                continue
            if isinstance(whole, dict):
                mine: Any = {key: array[game, row] for key, array in whole.items()}
            elif isinstance(whole, tuple):
                mine = [array[game, row] for array in whole]
            else:
                mine = whole[game, row]
            assert _plain(mine) == _plain(seen[player.name])


def test_solo__is_a_gymnasium_environment() -> None:
    """One learner against policies keeps Gymnasium's contract, and the others do what their policies say."""
    from gymnasium.utils.env_checker import check_env

    asked: list[Any] = []

    def left(observation: Any) -> int:
        asked.append(observation)
        return 2

    env = griddsl.make(TURNS, policies={"blue": left})
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.filterwarnings("ignore", message=".*render.*")
        check_env(env, skip_render_check=True)
    env.reset(seed=1)
    total, ended = 0.0, False
    while not ended:
        _, reward, ended, truncated, info = env.step(0)
        total += reward
        assert not truncated
    assert (total, info["outcome"], info["result"]) == (1.0, "red_wins", "win")
    assert asked and set(asked[0]) == {"me", "board", "left"}


def test_solo__needs_one_agent_that_is_left() -> None:
    """None, two, or an agent that is not there: an error that names them."""
    for policies, words in (
        ({}, "red, blue"),
        ({"red": "random", "blue": "random"}, "none"),
        ({"green": "random"}, "there is no agent 'green'"),
    ):
        with pytest.raises(ValueError, match=words):
            griddsl.make(TURNS, policies=policies)


def test_one_agent__is_for_gymnasium_and_several_for_pettingzoo() -> None:
    """Each call names the other where it is the right one."""
    with pytest.raises(ValueError, match="make_parallel"):
        griddsl.make(TURNS)
    with pytest.raises(ValueError, match=r"griddsl\.make\(source\)"):
        griddsl.make_parallel(ROOT / "specs" / "cliff_walking.grid")
    with pytest.raises(ValueError, match="make_vec"):
        griddsl.make_parallel_vec(ROOT / "specs" / "cliff_walking.grid", 2)


@pytest.mark.parametrize(
    ("actions", "words"),
    [
        ({"red": 0}, "no action for 'blue'"),
        ({}, "no action for 'red', 'blue'"),
        ({"red": 0, "blue": 0, "green": 0}, "'green', which is no agent"),
        ({"red": 9, "blue": 0}, "9 is no action of 'red'"),
        ({"red": "up", "blue": 0}, "'up' is no action of 'red'"),
        ({"red": None, "blue": 0}, "gives 'red' no action"),
        ([0, 0], "a joint action is a dict"),
    ],
)
def test_joint_actions__are_checked_before_anything_is_done(actions: Any, words: str) -> None:
    """A wrong joint action is an error that says what is wrong, and the game goes on where it was."""
    env = griddsl.make_parallel(TURNS)
    env.reset(seed=3)
    before = env.get_state()
    with pytest.raises(ValueError, match=words):
        env.step(actions)
    assert env.get_state() == before
    assert env.step({"red": 0, "blue": 2})[1] == {"red": 0.0, "blue": 0.0}


@pytest.mark.parametrize("spec", [TURNS, LEAVING, "griddsl/Tag-v0"], ids=["turns", "leaving", "Tag"])
def test_turns__refuse_what_is_no_action_at_once(spec: str) -> None:
    """The agent that gave it may choose anew, and nothing of what was gained is lost."""
    env = griddsl.make_aec(spec)
    env.reset(seed=0)
    for _ in range(6):
        agent, gained = env.agent_selection, dict(env._cumulative_rewards)
        for wrong in (99, -1, None, "upwards"):
            with pytest.raises(ValueError, match=f"is no action of '{agent}'"):
                env.step(wrong)
        assert (env.agent_selection, env._cumulative_rewards) == (agent, gained)
        env.step(0)


def test_an_agent_that_is_gone__is_not_asked_again() -> None:
    """Who is out is no longer among the agents, and an action for it is an error."""
    env = griddsl.make_parallel(LEAVING)
    env.reset(seed=0)
    for _ in range(200):
        before = list(env.agents)
        env.step({agent: int(env.action_space(agent).sample()) for agent in before})
        if env.agents and len(env.agents) < len(before):
            gone = next(agent for agent in before if agent not in env.agents)
            with pytest.raises(ValueError, match="whose part has ended"):
                env.step(dict.fromkeys([*env.agents, gone], 0))
            return
        if not env.agents:
            env.reset()
    pytest.fail("nobody ever left before the others")


def test_registry__has_the_specs_of_several() -> None:
    """PettingZoo's own registry, where it has one, makes them by id, as registered before or after it was loaded."""
    if not hasattr(pettingzoo, "parallel_registry"):
        pytest.skip("this PettingZoo has no registry")
    folder = ROOT / "specs"
    for path in sorted(folder.glob("*.grid")):
        assert (spec_id_of(path) in pettingzoo.parallel_registry) == (
            path.stem in SPECS or "\nagents:" in path.read_text()
        )


def test_registry__takes_what_is_registered_later(tmp_path: Path) -> None:
    """A spec that `griddsl.register` brings is there at once, for both interfaces."""
    if not hasattr(pettingzoo, "parallel_registry"):
        pytest.skip("this PettingZoo has no registry")
    (tmp_path / "turns.grid").write_text(TURNS.lstrip(), encoding="utf-8")
    assert griddsl.register(tmp_path) == ["test/Turns-v0"]
    assert pettingzoo.make("parallel", "test/Turns-v0").possible_agents == ["red", "blue"]
    aec = pettingzoo.make("aec", "test/Turns-v0")
    aec.reset(seed=1)
    assert aec.agent_selection == "red"


def test_solo__a_state_has_the_same_future_draws_of_its_policies_included() -> None:
    """What a policy draws is part of the state: one that is gone back to plays on as before."""
    spec = "griddsl/Tag-v0"
    names = griddsl.make_parallel(spec).possible_agents
    env = griddsl.make(spec, policies=dict.fromkeys(names[1:], "random"))
    env.reset(seed=4)
    env.step(0)
    state = env.get_state()

    def future() -> list[Any]:
        return [(_plain(env.step(number % 4)[:2]), env.get_state()) for number in range(8)]

    first = future()
    env.set_state(pickle.loads(pickle.dumps(state)))
    assert env.get_state() == state and hash(env.get_state()) == hash(state)
    assert future() == first
    assert len({other for _, (_, other, _) in first}) > 1, "nothing was drawn for the policies"
    others: tuple[Any, ...] = (None, state[0], (*state[:2], None), (state[0], (1, 2), state[2]))
    for wrong in others:
        with pytest.raises(TypeError, match="state"):
            env.set_state(wrong)
    assert env.get_state() == first[-1][1]


TOLD = """
env: test/Told-v0
agents: red, blue
map:
    1....
    ..2..
legend: 1 = red, 2 = blue
actions: left, right, wait
turns: alternate
observe: grid
on do right if self is red: reward 1, hidden reward 1, info n = step
on do left if self is blue: reward 5 to red, hidden reward 2 to red
on do wait if self is red: reward 7 to blue, hidden reward 3 to blue
limit: 10 steps
"""


def test_solo__is_told_of_all_turns_of_its_step() -> None:
    """Its own turn and those of the others: rewards and hidden rewards added up, infos of any of them."""
    env = griddsl.make(TOLD, policies={"blue": lambda observation: 0})
    assert env.reset(seed=0)[1]["hidden_reward"] == 0.0
    _, reward, _, _, info = env.step(1)
    assert (reward, info["hidden_reward"], info["n"]) == (6.0, 3.0, 1)
    _, reward, _, _, info = env.step(2)
    assert (reward, info["hidden_reward"], info["n"]) == (5.0, 2.0, 0)


def test_solo__what_others_bring_before_its_first_turn_is_in_its_first_step() -> None:
    """A reset has no reward, so that what is paid in it would be lost."""
    env = griddsl.make(TOLD, policies={"red": lambda observation: 2})
    _, info = env.reset(seed=0)
    assert info["hidden_reward"] == 0.0
    paid = [(reward, info["hidden_reward"]) for _, reward, _, _, info in (env.step(1) for _ in range(3))]
    assert paid == [(14.0, 6.0), (7.0, 3.0), (7.0, 3.0)]


def test_aec__last_tells_of_all_turns_since_an_agent_acted() -> None:
    """As its rewards are those since then, so are what a rule told it and its hidden rewards."""
    env = griddsl.make_aec(TOLD)
    env.reset(seed=0)
    told = []
    for action in (1, 0, 2, 0, 1, 2):
        _, reward, _, _, info = env.last()
        told.append((env.agent_selection, reward, info["hidden_reward"], info["n"]))
        env.step(action)
    assert told == [
        ("red", 0.0, 0.0, 0), ("blue", 0.0, 0.0, 0), ("red", 6.0, 3.0, 1),
        ("blue", 7.0, 3.0, 0), ("red", 5.0, 2.0, 0), ("blue", 0.0, 0.0, 0),
    ]  # fmt: skip
