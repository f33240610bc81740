"""Taken names: what a parameter may be called by, but not in Python, where a function has an argument of that name."""

from __future__ import annotations

# What a call shows of a spec's parameters, and the arguments that it has beside them. Where several calls have an
# argument of one name, it stands with the one that is written most.
CALLS: dict[str, tuple[str, ...]] = {
    "griddsl.make(SPEC, {})": ("render_mode", "backend", "highlight", "policies", "spec"),
    "gymnasium.make(ID, {})": ("source", "id", "max_episode_steps", "disable_env_checker"),
    "gymnasium.make_vec(ID, {})": ("num_envs", "vectorization_mode", "vector_kwargs", "wrappers"),
    "griddsl.make_vec(SPEC, {})": ("autoreset_mode", "num_threads", "copy"),
    "griddsl.to_mdp(SPEC, {})": ("max_states", "with_step", "reward_of_step", "progress"),
    "griddsl.evaluate(POLICY, SPEC, {})": ("episodes", "seed", "horizon"),
    "griddsl.training.train(SPEC, {})": ("observation",),
}

BY_MAKING = frozenset({*CALLS["griddsl.make(SPEC, {})"], *CALLS["gymnasium.make(ID, {})"]})


def call_that_takes(name: str) -> str | None:
    """Return a call in which a keyword of this name is no parameter of the spec; None where there is none."""
    return next((call.format(f"{name}=...") for call, names in CALLS.items() if name in names), None)
