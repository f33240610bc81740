"""Track what cannot be seen: a particle filter on the model of a spec, beside the exact belief.

    python examples/particle_filter.py                    # RockSample: which rocks are worth it?
    python examples/particle_filter.py --particles 2000

A rover cannot see which rocks are good; its sensor is the less sure the farther a rock is. A particle is a state that
may be the true one. After each action every particle takes it too, and those live on that look as the world does.
The exact belief comes from the model's `transition` and `observation`, over all states instead of a sample.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from typing import Any

import numpy as np

import griddsl


def updated_particles(
    model: griddsl.GridModel,
    particles: list[Any],
    actions: dict[str, int],
    seen: Any,
    rng: np.random.Generator,
) -> list[Any]:
    """Return as many particles as there were: copies of those whose next observation is the one that was seen."""
    (agent,) = model.possible_agents
    survivors: list[Any] = []
    for state in particles:
        step = model.step(state, actions, rng)
        if model.key(step.observations[agent]) == seen:
            survivors.append(step.state)
    if not survivors:
        raise RuntimeError("no particle fits what was seen: take more of them")
    # Copies are shared out evenly: drawing them at random would let beliefs drift where nothing was learned.
    return [survivors[i * len(survivors) // len(particles)] for i in range(len(particles))]


def updated_belief(
    model: griddsl.GridModel, belief: Mapping[Any, float], actions: dict[str, int], seen: Any
) -> dict[Any, float]:
    """Return Bayes' rule: the chance of each next state, given what was seen in it."""
    (agent,) = model.possible_agents
    after: dict[Any, float] = {}
    for state, chance in belief.items():
        for reached, odds in model.transition(state, actions).items():
            after[reached] = after.get(reached, 0.0) + chance * float(odds)
    after = {
        state: chance * float(model.observation(state)[agent].get(seen, 0)) for state, chance in after.items()
    }
    whole = sum(after.values())
    return {state: chance / whole for state, chance in after.items() if chance}


def good_rocks(model: griddsl.GridModel, belief: Mapping[Any, float]) -> np.ndarray:
    """Return the chance that each rock is good, ``(rocks,)``."""
    is_good = [[rock["quality"] == "good" for rock in model.describe(state)["objects"]] for state in belief]
    chances: np.ndarray = np.array(list(belief.values())) @ np.array(is_good, float)
    return chances


def share_of_each(particles: list[Any]) -> dict[Any, float]:
    """Return the share of the particles that each state has."""
    return {state: particles.count(state) / len(particles) for state in set(particles)}


def main() -> None:
    """Let a rover check rocks while it wanders, and say what it believes in the end."""
    options = _options()
    model = griddsl.make_model(
        "griddsl/RockSample-v0", level=options.level, half_distance=options.half_distance
    )
    (agent,) = model.possible_agents
    rng = np.random.default_rng(options.seed)
    truth = model.sample_initial_state(rng)
    particles = [
        model.sample_agent_initial_state(agent, model.initial_observations(truth)[agent], rng)
        for _ in range(options.particles)
    ]
    exact: dict[Any, float] = {state: float(chance) for state, chance in model.initial_belief().items()}
    names = [action.name for action in model.program.groups[0].actions]
    rocks = len(model.describe(truth)["objects"])
    useful = [names.index(f"check_{rock + 1}") for rock in range(rocks)] + [
        names.index("up"),
        names.index("down"),
    ]
    for _ in range(options.steps):
        actions = {agent: int(rng.choice(useful))}
        step = model.step(truth, actions, rng)
        truth, seen = step.state, model.key(step.observations[agent])
        particles = updated_particles(model, particles, actions, seen, rng)
        exact = updated_belief(model, exact, actions, seen)
    guessed, known = good_rocks(model, share_of_each(particles)), good_rocks(model, exact)
    print(f"after {options.steps} steps, with {options.particles} particles:")
    for number, rock in enumerate(model.describe(truth)["objects"]):
        print(
            f"  rock {rock['number']} is {rock['quality']:<4}: "
            f"good with {guessed[number]:.2f} by particles, {known[number]:.2f} exactly"
        )
    is_good = np.array([rock["quality"] == "good" for rock in model.describe(truth)["objects"]])
    print(f"right about {((guessed > 0.5) == is_good).sum()} of {rocks} rocks")
    print(f"the particles differ from the exact belief by {abs(guessed - known).max():.3f} at most")


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--level", default="4x4", choices=["4x4", "7x8"])
    parser.add_argument(
        "--half-distance", type=int, default=8, help="cells after which the sensor is half as good"
    )
    parser.add_argument("--particles", type=int, default=2000)
    parser.add_argument("--steps", type=int, default=30)
    parser.add_argument("--seed", type=int, default=0)
    return parser.parse_args()


if __name__ == "__main__":
    main()
