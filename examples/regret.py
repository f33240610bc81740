"""Learning curves with the exact optimum as a line: tabular Q-learning and Stable-Baselines3's DQN on one small world.

    python examples/regret.py                            # the 4x3 world of Russell & Norvig, chapter 17
    python examples/regret.py griddsl/CliffWalking-v0 --steps 30000

Every point of a curve is the greedy policy's return as `griddsl.evaluate` computes it, exactly, over every outcome of
every draw: what is left between a curve and the line is regret, and no noise of sampled episodes. Needs
`pip install 'griddsl[exact]'`; DQN is trained too where `griddsl[sb3]` is installed.
"""

from __future__ import annotations

import argparse
import math
import random
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image, ImageDraw, ImageFont

import griddsl

WORLD = """
env: examples/FourByThree-v0
    "Reach the goal past the pit; a move goes astray once in five (Russell & Norvig 2021, Figure 17.1)."
map:
    ...G
    .#.P
    @...
legend: G = goal, P = pit
actions: up, right, down, left
slip: 1/10 left, 1/10 right
observe: cell
each step: reward -0.04
on enter goal: reward 1, end success
on enter pit: reward -1, end failure
limit: 100 steps
"""
COLORS = ["#0072b2", "#d55e00"]  # told apart by everyone (Okabe & Ito 2008)
Curve = list[tuple[int, float]]


def main() -> None:
    """Train, say how far each learner is from the optimum, and draw the curves."""
    options = _options()
    mdp = griddsl.to_mdp(options.spec, reward_of_step=True)
    points = np.linspace(0, options.steps, options.points + 1).astype(int).tolist()
    curves = {"Q-learning": list(q_learning(options, mdp, points))}
    if find_spec("stable_baselines3") is None:
        print("DQN is left out: pip install 'griddsl[sb3]'")
    else:
        curves["DQN"] = list(dqn(options, points))
    optimum = griddsl.evaluate("optimal", options.spec, episodes=1).optimum
    assert optimum is not None
    for name, curve in curves.items():
        step, value = curve[-1]
        print(f"{name}: return {value:.4f} after {step} steps; regret {optimum - value:.4f}")
    print(f"the exact optimum: {optimum:.4f}")
    draw(options.png, options.spec, curves, optimum)
    print(f"wrote {options.png}")


def worth(policy: Any, spec: str) -> float:
    """Return the exact expected return of a policy."""
    value = griddsl.evaluate(policy, spec, episodes=1).returns
    assert value is not None
    return value


# The learners: each yields the steps taken so far and what its greedy policy is worth.


def q_learning(options: argparse.Namespace, mdp: Any, points: list[int]) -> Iterator[tuple[int, float]]:
    """Learn a table over the states of the process, exploring evenly (Watkins 1989)."""
    env = griddsl.make(options.spec)
    rng = random.Random(options.seed)
    q = np.zeros((mdp.n_states, mdp.n_actions))
    visits = np.zeros_like(q)
    env.reset(seed=options.seed)
    state = mdp.index(env.get_state())
    for step in range(options.steps + 1):
        if step in points:
            yield step, worth(q.argmax(axis=1), options.spec)
        action = rng.randrange(mdp.n_actions) if rng.random() < 0.3 else int(q[state].argmax())
        _, reward, terminated, truncated, info = env.step(action)
        after = mdp.index(env.get_state(), info["outcome"] if terminated else None)
        visits[state, action] += 1
        target = float(reward) + (0.0 if terminated else q[after].max())
        q[state, action] += (target - q[state, action]) / (1 + 0.05 * visits[state, action])
        state = after
        if terminated or truncated:
            env.reset()
            state = mdp.index(env.get_state())


def dqn(options: argparse.Namespace, points: list[int]) -> Iterator[tuple[int, float]]:
    """Train a network of two small layers (Mnih et al. 2015)."""
    import torch
    from stable_baselines3 import DQN
    from stable_baselines3.common.callbacks import BaseCallback

    torch.set_num_threads(1)  # small networks are fastest on one core
    model = DQN(
        "MlpPolicy",
        griddsl.make(options.spec),
        learning_rate=5e-4,
        learning_starts=200,
        train_freq=2,
        target_update_interval=200,
        exploration_fraction=0.5,
        exploration_final_eps=0.1,
        gamma=0.999,
        policy_kwargs={"net_arch": [64, 64]},
        seed=options.seed,
        device="cpu",
    )
    yield 0, worth(model, options.spec)
    curve: Curve = []

    class Measure(BaseCallback):
        """Measure in the midst of one training, whose share of random actions falls with the steps."""

        def _on_step(self) -> bool:
            if self.num_timesteps in points:
                curve.append((self.num_timesteps, worth(self.model, options.spec)))
            return True

    model.learn(total_timesteps=options.steps, callback=Measure())
    yield from curve


# The picture


def draw(path: Path, title: str, curves: dict[str, Curve], optimum: float) -> None:
    """Draw the curves, with the optimum as a dashed line, into a PNG of 800 x 480 pixels."""
    width, height, left, top, right, bottom = 800, 480, 70, 50, 30, 55
    picture = Image.new("RGB", (width, height), "white")
    pen, font = ImageDraw.Draw(picture), ImageFont.load_default(15)
    values = [value for curve in curves.values() for _, value in curve]
    low, high = min(optimum - 0.1, *values), max(optimum, *values)
    low, high = low - 0.05 * (high - low), high + 0.1 * (high - low)
    last = max(step for curve in curves.values() for step, _ in curve)

    def place(step: float, value: float) -> tuple[float, float]:
        x = left + (width - left - right) * step / max(1, last)
        return x, top + (height - top - bottom) * (high - value) / (high - low)

    for value in ticks(low, high):
        _, y = place(0, value)
        pen.line([(left, y), (width - right, y)], "#dddddd")
        pen.text((left - 8, y), f"{value:g}", "black", font, anchor="rm")
    for step in ticks(0, last):
        pen.text((place(step, 0)[0], height - bottom + 8), f"{step:,.0f}", "black", font, anchor="mt")
    pen.text((width / 2, height - 12), "steps in the environment", "black", font, anchor="mm")
    named = title if "\n" not in title else title.split("env: ")[1].split("\n")[0]
    pen.text((left, 22), f"{named}: exact return of the greedy policy", "black", font, anchor="lm")
    for number, (name, curve) in enumerate(curves.items()):
        color = COLORS[number % len(COLORS)]
        pen.line([place(step, value) for step, value in curve], color, 3, joint="curve")
        y = height - bottom - 45 + 22 * number
        pen.line([(width - 150, y), (width - 120, y)], color, 3)
        pen.text((width - 112, y), name, "black", font, anchor="lm")
    (x, y), (end, _) = place(0, optimum), place(last, optimum)
    pen.text((end, y - 6), f"the optimum, {optimum:.4g}", "black", font, anchor="rb")
    while x < end:
        pen.line([(x, y), (min(x + 8, end), y)], "black", 2)
        x += 16
    path.parent.mkdir(parents=True, exist_ok=True)
    picture.save(path)


def ticks(low: float, high: float) -> list[float]:
    """Return four to ten round numbers between two others."""
    size = 10 ** math.floor(math.log10(max(high - low, 1e-9) / 4))
    size *= next(factor for factor in (1, 2, 5, 10) if (high - low) / (size * factor) <= 8)
    return [number * size for number in range(math.ceil(low / size), math.floor(high / size + 1e-9) + 1)]


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("spec", nargs="?", default=WORLD, help="a registered id, or the path of a spec")
    parser.add_argument("--steps", type=int, default=20_000, help="training steps of each learner")
    parser.add_argument("--points", type=int, default=40, help="how often the policies are measured")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--png", type=Path, default=Path("regret.png"), help="where the picture is saved")
    return parser.parse_args()


if __name__ == "__main__":
    main()
