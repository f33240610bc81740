"""Episodes of a spec in Node, by the JavaScript module of its program, beside those of the Python backend."""

from __future__ import annotations

import json
import math
import shutil
import subprocess
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np

import griddsl
from griddsl.backends.javascript.emit import module
from griddsl.compiler import AnySpec, compiled
from griddsl.envs.spaces import snapped

NODE = shutil.which("node") or shutil.which("nodejs")
NODE = shutil.which("node") or shutil.which("nodejs")
EPISODES, STEPS = 3, 150
PLAYER = """
import { make } from "./game.mjs";
import { readFileSync } from "node:fs";
const game = make(), told = [];
const tell = (found) => told.push({ ...found, state: { ...game.state, stream: String(game.state.stream) } });
for (const { seed, actions, refused } of JSON.parse(readFileSync(0, "utf8"))) {
  try {
    tell(game.reset({ seed }));
    for (const action of actions) tell(game.step(action));
  } catch (error) {
    if (!refused) throw error;
    told.push({ refused });
  }
}
console.log(JSON.stringify(told));
"""
Told = list[dict[str, Any]]


def plain(value: Any) -> Any:
    """Return observations, infos and states as JSON holds them: arrays as lists, every number a float."""
    match value:
        case dict():
            return {key: plain(part) for key, part in value.items()}
        case list() | tuple():
            return [plain(part) for part in value]
        case np.ndarray():
            return plain(value.reshape(-1).tolist())
        case bool() | str() | None:
            return value
    return float(value) if math.isfinite(value) else None


def state_of(game: Any) -> dict[str, Any]:
    """Return a state by the names that the module gives its parts."""
    integers, reals, stream = game.get_state()
    return {"integers": integers, "reals": reals, "stream": str(stream)}


def episode_alone(env: Any, seed: int, steps: int, actions: list[Any], told: Told) -> None:
    """Note the actions of a random episode of one player, and what they gave, for as long as every setup succeeds."""
    group = env.program.groups[0]
    env.action_space.seed(seed)
    seen, info = env.reset(seed=seed)
    told.append({"observation": seen, "info": info, "state": state_of(env)})
    ended = cut = False
    while len(actions) < steps and not (ended or cut):
        action = env.action_space.sample()
        actions.append(snapped(group, action) if group.joystick else np.asarray(action).tolist())
        seen, reward, ended, cut, info = env.step(action)
        told.append({"observation": seen, "reward": reward, "terminated": ended, "truncated": cut})
        told[-1] |= {"info": info, "state": state_of(env)}


def episode_together(env: Any, seed: int, steps: int, actions: list[Any], told: Told) -> None:
    """Note the actions of a random episode of several players, and what they gave, as `episode_alone` does."""
    for name in env.possible_agents:
        env.action_space(name).seed(seed)
    seen, infos = env.reset(seed=seed)
    told.append({"observations": seen, "infos": infos, "state": state_of(env)})
    while env.agents and len(actions) < steps:
        drawn = {name: env.action_space(name).sample() for name in env.agents}
        actions.append({name: np.asarray(action).tolist() for name, action in drawn.items()})
        seen, rewards, ended, cut, infos = env.step(drawn)
        told.append({"observations": seen, "rewards": rewards, "terminated": ended, "truncated": cut})
        told[-1] |= {"infos": infos, "state": state_of(env)}


def assert_agrees(
    source: AnySpec, folder: Path, seeds: Iterable[int] = range(EPISODES), steps: int = STEPS
) -> int:
    """Play a spec in Python and in Node, and compare all that each step gives, and the states; return how many steps.

    A setup that fails fails in both, that of a later episode of a trial at the same step. Raises `Unsuitable` for what
    no module is written of.
    """
    assert NODE is not None
    program = compiled(source).program
    (folder / "game.mjs").write_text(module(program), encoding="utf-8")
    (folder / "play.mjs").write_text(PLAYER, encoding="utf-8")
    is_joint = len(program.players) > 1
    env: Any = (griddsl.make_parallel if is_joint else griddsl.make)(source, backend="python")
    plan: Told = []
    told: Told = []
    for seed in seeds:
        actions: list[Any] = []
        refused = False
        try:
            (episode_together if is_joint else episode_alone)(env, seed, steps, actions, told)
        except griddsl.SpecError:
            refused = True
            told.append({"refused": True})
        plan.append({"seed": seed, "actions": actions, "refused": refused})
    done = subprocess.run(
        [NODE, "play.mjs"], cwd=folder, input=json.dumps(plan), capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr[-2000:]
    shown = json.loads(done.stdout)
    assert len(shown) == len(told)
    for number, (ours, theirs) in enumerate(zip(plain(shown), plain(told), strict=True)):
        for key, value in theirs.items():
            assert ours[key] == value, f"in Node: {key} of line {number}: {ours[key]} where {value}"
    return sum(len(episode["actions"]) for episode in plan)
