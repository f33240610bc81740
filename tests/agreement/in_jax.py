"""Episodes of JAX environments beside those of the reference backend, from the same streams and with the same actions."""

from __future__ import annotations

import contextlib
import random
from collections.abc import Iterable
from typing import Any

import numpy as np

import griddsl
from griddsl.envs.infos import unset_value
from griddsl.program import keys
from griddsl.program.program import InfoEntry, Player, Program


def pair(counter: int) -> Any:
    """Return the state of a stream as a key."""
    return np.array([counter >> 32, counter & 0xFFFFFFFF], np.uint32)


def streams(count: int) -> list[int]:
    """Return streams as the seeds from 0 on give them."""
    return [int(np.random.default_rng(seed).integers(0, 2**64, dtype=np.uint64)) for seed in range(count)]


def rows(tree: Any, *at: int) -> Any:
    """Return an entry of each array of a tree."""
    import jax

    return jax.tree.map(lambda array: array[at], tree)


def drawn_action(player: Player, draw: random.Random) -> Any:
    """Return a random action of a player, as both sides take it."""
    groups = player.groups
    if len(groups) == 1 and groups[0].joystick:
        return np.array([draw.uniform(-1, 1), draw.uniform(-1, 1)], np.float32)
    numbers = [draw.randrange(len(group.actions)) for group in groups]
    return np.array(numbers if len(numbers) > 1 else numbers[0], np.int32)


def assert_seen(found: Any, expected: Any, where: str) -> None:
    """Compare observations: the same numbers; texts as the bytes that they are."""
    if isinstance(expected, dict):
        assert found.keys() == expected.keys(), where
        for name, value in expected.items():
            assert_seen(found[name], value, f"{where}[{name!r}]")
    elif isinstance(expected, tuple):
        for place, value in enumerate(expected):
            assert_seen(found[place], value, f"{where}[{place}]")
    elif isinstance(expected, str):
        assert bytes(np.asarray(found).tolist()).rstrip(b"\0").decode() == expected, where
    else:
        np.testing.assert_array_equal(np.asarray(found), np.asarray(expected), err_msg=where)
        assert np.shape(found) == np.shape(expected), where


def told(entry: InfoEntry, value: Any) -> Any:
    """Return an entry of info that JAX gives as a number, as an environment says it."""
    if entry.form == "words":
        return unset_value(entry) if value < 0 else entry.words[int(value)]
    return bool(value) if entry.form == "bool" else float(value) if entry.form == "real" else int(value)


def assert_entries(entries: Iterable[InfoEntry], found: Any, expected: Any, wide: bool, where: str) -> None:
    """Compare the entries of an info that the spec names."""
    for entry in entries:
        value, said = told(entry, found[entry.name]), expected[entry.name]
        is_rounded = entry.form == "real" and not wide
        assert value == (np.float32(said) if is_rounded else said), f"{where}: {entry.name}: {value} {said}"


def assert_told(program: Program, outcomes: tuple[str, ...], found: Any, expected: Any, wide: bool) -> None:
    """Compare what is told of a step."""
    assert_entries(program.info, found, expected, wide, "info")
    if "hidden_reward" in expected:
        said = expected["hidden_reward"]
        assert found["hidden_reward"] == (said if wide else np.float32(said))
    assert outcomes[int(found["outcome"])] == expected["outcome"]
    assert bool(found["is_success"]) == expected["is_success"]
    assert not found["failed"]


def _begun(env: Any, program: Program, counter: int) -> None:
    """Begin an episode, with the first seed with which setup finds a place for all; the stream goes on from a counter.

    What was drawn with that seed, to be kept, is drawn again by the next reset, from this stream.
    """
    for seed in range(100):
        with contextlib.suppress(griddsl.SpecError):
            env.reset(seed=seed)
            break
    else:
        raise AssertionError("setup hardly ever finds a place for all")
    integers, reals, _ = env.get_state()
    if program.keeps_draw:
        at = program.layout.offsets[keys.DRAWN]
        integers = (*integers[:at], 0, *integers[at + 1 :])
    env.set_state((integers, reals, counter))


class Beside:
    """One environment of the reference backend that plays what JAX has played, and compares."""

    def __init__(self, source: Any, counter: int, jax_env: Any, wide: bool) -> None:
        self.env = griddsl.make(source, backend="python")
        self.jax_env, self.wide = jax_env, wide
        _begun(self.env, jax_env.program, counter)

    def begins(self, observation: Any, state: Any) -> None:
        """Compare a reset."""
        seen, _ = self.env.reset()
        assert_seen(observation, seen, "reset")
        assert self.jax_env.to_state(state) == self.env.get_state()

    def steps(self, action: Any, found: Any, where: str) -> bool:
        """Compare a step, and the reset where it ends an episode; return whether it did."""
        observation, state, reward, terminated, truncated, info = found
        seen, gained, ended, cut, said = self.env.step(action)
        assert (bool(terminated), bool(truncated)) == (ended, cut), where
        assert np.asarray(reward).dtype == (np.float64 if self.wide else np.float32)
        assert reward == (gained if self.wide else np.float32(gained)), f"{where}: {reward} {gained}"
        assert_seen(info["final_observation"], seen, where)
        assert_told(self.env.program, self.jax_env.outcomes, info, said, self.wide)
        if ended or cut:
            seen, said = self.env.reset()
        assert_seen(observation, seen, where)
        if "action_mask" in said:
            np.testing.assert_array_equal(info["action_mask"], said["action_mask"] != 0, err_msg=where)
        assert self.jax_env.to_state(state) == self.env.get_state(), where
        return bool(ended or cut)


def assert_batch_walks_alike(source: Any, games: int, steps: int, draw: random.Random) -> None:
    """Scan over a batch of episodes with random actions, and compare all that comes of it with the reference."""
    import jax

    import griddsl.jax

    env = griddsl.jax.make(source)
    counters = streams(games)
    actions = np.array([[drawn_action(env.player, draw) for _ in range(games)] for _ in range(steps)])
    step = jax.vmap(env.step, in_axes=(None, 0, 0))

    def once(state: Any, row: Any) -> Any:
        found = step(None, state, row)
        return found[1], found

    def played(keys: Any, actions: Any) -> Any:
        first = jax.vmap(env.reset)(keys)
        return first, jax.lax.scan(once, first[1], actions)[1]

    first, found = jax.device_get(jax.jit(played)(np.array([pair(counter) for counter in counters]), actions))
    for i, counter in enumerate(counters):
        beside = Beside(source, counter, env, wide=False)
        beside.begins(*rows(first, i))
        for t in range(steps):
            action = actions[t, i]
            beside.steps(action if action.ndim else int(action), rows(found, t, i), f"{i} {t}")


class GameBeside:
    """One game of several agents on the reference backend, which plays what JAX has played, and compares."""

    def __init__(self, source: Any, counter: int, jax_env: Any, wide: bool) -> None:
        self.game = griddsl.make_parallel(source, backend="python")
        self.jax_env, self.wide = jax_env, wide
        _begun(self.game, jax_env.program, counter)

    def begins(self, observations: Any, state: Any) -> None:
        """Compare a reset."""
        seen, _ = self.game.reset()
        assert_seen({name: observations[name] for name in seen}, seen, "reset")
        assert self.jax_env.to_state(state) == self.game.get_state()

    def steps(self, actions: Any, found: Any, masks: Any, where: str) -> None:
        """Compare a step, and the reset where it ends an episode for all."""
        game, acting = self.game, list(self.game.agents)
        row = {name: actions[name] if actions[name].ndim else int(actions[name]) for name in acting}
        seen, rewards, ended, cut, infos = game.step(row)
        observations, state, gained, dones, info = found
        assert_seen({name: info["final_observation"][name] for name in acting}, seen, where)
        players = {player.name: player for player in self.jax_env.program.players}
        for k, name in enumerate(self.jax_env.agents):
            if name not in acting:
                assert gained[name] == 0 and dones[name], f"{where} {name}: is out"
                continue
            reward = rewards[name] if self.wide else np.float32(rewards[name])
            assert gained[name] == reward, f"{where} {name}: reward"
            assert dones[name] == (ended[name] or cut[name]), f"{where} {name}: done"
            assert (info["terminated"][k], info["truncated"][k]) == (ended[name], cut[name]), (
                f"{where} {name}"
            )
            code = info["outcome"][k]
            outcome = self.jax_env.outcomes[code] if code >= 0 else "out"
            assert outcome == infos[name]["outcome"], f"{where} {name}: outcome: {outcome}"
            entries = players[name].info
            own = {entry.name: info[entry.name][k] for entry in entries}
            assert_entries(entries, own, infos[name], self.wide, f"{where} {name}")
        assert dones["__all__"] == (not game.agents), f"{where}: all are done"
        if not game.agents:
            seen, _ = game.reset()
        assert_seen(
            {name: observations[name] for name in game.agents},
            {name: seen[name] for name in game.agents},
            where,
        )
        for name in game.agents:
            np.testing.assert_array_equal(masks[name], game.mask(name), err_msg=f"{where} {name}: mask")
        assert self.jax_env.to_state(state) == game.get_state(), f"{where}: state"


def batch_beside(text: str, seeds: Iterable[int]) -> tuple[Any, list[Any], Any]:
    """Return an environment on JAX, games of the Python backend that were begun with seeds, and a batch of their states."""
    import jax

    import griddsl.jax

    env = griddsl.jax.make(text)
    games: list[Any] = []
    states = []
    for seed in seeds:
        game: Any = griddsl.make(text, backend="python")
        game.reset(seed=seed)
        games.append(game)
        states.append(env.from_state(game.unwrapped.get_state()))
    return env, games, jax.tree.map(lambda *rows: np.stack(rows), *states)


def first_numbers_of_batch(text: str, steps: int) -> set[int]:
    """Walk a batch of three games, each begun with its own seed, beside the Python backend; compare all that is observed.

    Return the first numbers that were observed.
    """
    import jax

    env, others, batch = batch_beside(text, range(3))
    step = jax.jit(jax.vmap(lambda state: env.step(None, state, 0)[:2]))
    found: set[int] = set()
    for _ in range(steps):
        seen, batch = step(batch)
        for place, other in enumerate(others):
            expected, *_ = other.step(0)
            assert np.asarray(seen)[place].tolist() == expected.tolist()
            found.add(int(expected[0]))
    return found
