"""Spaces of JAX environments: Gymnax's classes where Gymnax is imported, so that its wrappers know them; else ours."""

from __future__ import annotations

import math
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from griddsl.program import spaces as plain
from griddsl.program.program import Player
from griddsl.program.spaces import Leaf, Observation

OTHERS = {"gymnax": "gymnax.environments.spaces", "jaxmarl": "jaxmarl.environments.spaces"}


@dataclass(frozen=True)
class Discrete:
    """Whole numbers from 0 to ``n - 1``, int32."""

    n: int
    dtype: Any = jnp.int32
    shape: tuple[int, ...] = ()

    def sample(self, key: jax.Array) -> jax.Array:
        """Return a random element."""
        return jax.random.randint(key, (), 0, self.n, self.dtype)

    def contains(self, x: Any) -> Any:
        """Return whether a value is an element, bool; of an array, of each of its entries."""
        found = _numbers(x)
        if found is None or jnp.issubdtype(found.dtype, jnp.floating):
            return False
        return (found >= 0) & (found < self.n)


@dataclass(frozen=True, eq=False)
class Box:
    """Arrays of a shape and dtype between bounds, which are numbers or arrays."""

    low: Any
    high: Any
    shape: tuple[int, ...]
    dtype: Any = jnp.float32

    def sample(self, key: jax.Array) -> jax.Array:
        """Return a random element."""
        if np.issubdtype(np.dtype(self.dtype), np.integer):
            low, high = np.asarray(self.low, np.int64), np.asarray(self.high, np.int64)
            return jax.random.randint(key, self.shape, low, high + 1, jnp.int32).astype(self.dtype)
        return jax.random.uniform(key, self.shape, self.dtype, self.low, self.high)

    def contains(self, x: Any) -> Any:
        """Return whether an array is an element, bool."""
        found = _numbers(x)
        if found is None or found.shape != self.shape:
            return False
        return jnp.all(found >= self.low) & jnp.all(found <= self.high)


@dataclass(frozen=True, eq=False)
class Dict:
    """Spaces by name."""

    spaces: dict[str, Any]

    def sample(self, key: jax.Array) -> dict[str, Any]:
        """Return a random element of each."""
        keys = jax.random.split(key, len(self.spaces))
        return {name: space.sample(keys[k]) for k, (name, space) in enumerate(self.spaces.items())}

    def contains(self, x: Any) -> Any:
        """Return whether each value is an element of its space, bool."""
        if not isinstance(x, Mapping) or x.keys() != self.spaces.keys():
            return False
        return jnp.all(jnp.array([space.contains(x[name]) for name, space in self.spaces.items()]))


@dataclass(frozen=True, eq=False)
class Tuple:
    """Spaces in a row."""

    spaces: tuple[Any, ...]

    def sample(self, key: jax.Array) -> tuple[Any, ...]:
        """Return a random element of each."""
        keys = jax.random.split(key, len(self.spaces))
        return tuple(space.sample(keys[k]) for k, space in enumerate(self.spaces))

    def contains(self, x: Any) -> Any:
        """Return whether each value is an element of its space, bool."""
        if not isinstance(x, tuple | list) or len(x) != len(self.spaces):
            return False
        return jnp.all(jnp.array([space.contains(part) for space, part in zip(self.spaces, x, strict=True)]))


def _numbers(given: Any) -> Any:
    """Return a value as an array of numbers or truth values; None where it is none."""
    try:
        found = given if isinstance(given, jax.Array) else np.asarray(given)
    except ValueError:  # rows of several lengths
        return None
    kinds = (jnp.integer, jnp.floating, jnp.bool_)
    return found if any(jnp.issubdtype(found.dtype, kind) for kind in kinds) else None


class Makers:
    """The classes of spaces to use now: those of a framework that is imported, else ours."""

    def __init__(self, framework: str) -> None:
        found = sys.modules.get(OTHERS[framework])
        self.discrete: Any = getattr(found, "Discrete", Discrete)
        self.box: Any = getattr(found, "Box", Box)
        self.dict: Any = getattr(found, "Dict", Dict)
        self.tuple: Any = getattr(found, "Tuple", Tuple)

    def leaf(self, leaf: Leaf) -> Any:
        """Return the space of an entry of an observation."""
        match leaf.space:
            case plain.Discrete(size, 0):
                return self.discrete(size)
            case plain.Discrete(size, start):
                return self.box(start, start + size - 1, (), jnp.int32)
            case plain.Box(low, high, shape, dtype):
                kind = np.dtype(dtype)
                if isinstance(low, tuple):
                    return self.box(
                        np.array(low, kind).reshape(shape), np.array(high, kind).reshape(shape), shape, kind
                    )
                return self.box(low, high, shape, kind)
            case plain.MultiDiscrete(sizes):
                return self.box(
                    np.zeros(len(sizes), np.int32), np.array(sizes, np.int32) - 1, (len(sizes),), jnp.int32
                )
            case plain.MultiBinary(size):
                return self.box(0, 1, (size,), jnp.int8)
            case plain.Text(length) if leaf.form == "text":
                return self.box(0, 0x10FFFF, (length,), jnp.int32)
            case plain.Text(length):
                return self.box(0, 255, (length,), jnp.uint8)
        raise AssertionError(leaf)

    def observation(self, observation: Observation) -> Any:
        """Return the space of an observation."""
        if observation.form == "flat":
            ends = [_bounds(leaf.space) for leaf in observation.leaves]
            low = np.concatenate([each[0] for each in ends])
            high = np.concatenate([each[1] for each in ends])
            return self.box(low, high, low.shape, jnp.float32)
        if observation.form == "bare":
            return self.leaf(observation.leaves[0])
        if observation.form == "tuple":
            return self.tuple(tuple(self.leaf(leaf) for leaf in observation.leaves))
        return self.dict({leaf.name: self.leaf(leaf) for leaf in observation.leaves})

    def actions(self, player: Player) -> Any:
        """Return the space of a player's actions."""
        first = player.groups[0]
        if len(player.groups) > 1:
            most = np.array([len(group.actions) - 1 for group in player.groups], np.int32)
            # Both bounds are arrays: Gymnax asks the lower one whether the upper one is one.
            return self.box(np.zeros_like(most), most, (len(player.groups),), jnp.int32)
        if first.joystick:
            return self.box(-1.0, 1.0, (2,), jnp.float32)
        return self.discrete(len(first.actions))


def _bounds(space: plain.Space) -> tuple[Any, Any]:
    """Return the bounds of a space's values in a row, float32."""
    match space:
        case plain.Discrete(size, start):
            return np.array([start], np.float32), np.array([start + size - 1], np.float32)
        case plain.Box(low, high, shape):
            size = math.prod(shape)
            return tuple(np.broadcast_to(np.asarray(end, np.float32).ravel(), size) for end in (low, high))  # type: ignore[return-value]
        case plain.MultiDiscrete(sizes):
            return np.zeros(len(sizes), np.float32), np.array(sizes, np.float32) - 1
        case plain.MultiBinary(size):
            return np.zeros(size, np.float32), np.ones(size, np.float32)
    raise AssertionError(space)
