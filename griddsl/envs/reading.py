"""Reading: what an agent observes, put together from the entries of its observation."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from griddsl.envs.base_env import BaseEnv
from griddsl.envs.spaces import space_of
from griddsl.program.spaces import Leaf, Observation, Text

Read = Callable[[], Any]


def observer(observation: Observation, goal: Mapping[str, Leaf], reader: Callable[[Leaf], Read]) -> Read:
    """Return what gives a whole observation; ``reader(leaf)`` gives what reads an entry."""
    readers = [reader(leaf) for leaf in observation.leaves]
    whole: Read
    if observation.form == "bare":
        whole = readers[0]
    elif observation.form == "dict":
        pairs = [(leaf.name, read) for leaf, read in zip(observation.leaves, readers, strict=True)]

        def whole() -> Any:
            return {name: read() for name, read in pairs}

    elif observation.form == "tuple":

        def whole() -> Any:
            return tuple(read() for read in readers)

    else:

        def whole() -> Any:
            return np.concatenate([np.asarray(read(), dtype=np.float32).reshape(-1) for read in readers])

    if not goal:
        return whole
    achieved, desired = (reader(goal[name]) for name in ("achieved", "desired"))

    def with_goal() -> Any:
        return {"observation": whole(), "achieved_goal": achieved(), "desired_goal": desired()}

    return with_goal


def assembled(observation: Observation, parts: Sequence[Any], axes: int) -> Any:
    """Return what many observe at once, from the entries of their observation.

    Each entry is an array whose first ``axes`` axes count those who observe, or a tuple of what they read.
    """
    if observation.form == "bare":
        return parts[0]
    if observation.form == "dict":
        return {leaf.name: part for leaf, part in zip(observation.leaves, parts, strict=True)}
    if observation.form == "tuple":
        return tuple(parts)
    arrays = [np.asarray(part, np.float32) for part in parts]
    return np.concatenate([array.reshape(*array.shape[:axes], -1) for array in arrays], axis=axes)


def shown_reader(env: BaseEnv, leaf: Leaf) -> Read | None:
    """Return what reads an entry that is made of pictures or words; None for one that a function gives."""
    if leaf.form == "pixels":
        shape = space_of(leaf.space).shape  # in a row, where networks are to take it
        return lambda: env.rasteriser(leaf.cell_pixels).draw(env.scene()).reshape(shape)
    if leaf.form == "text":
        return env.text
    if leaf.form == "mission":
        return _mission_reader(env, leaf)
    return None


def function_reader(leaf: Leaf, function: Callable[..., Any], *given: Any) -> Read:
    """Return what reads an entry by its function; ``given`` are the vectors of the state, and the agent if any."""
    if leaf.form == "value":
        return lambda: function(*given)
    space = space_of(leaf.space)
    shape, dtype = space.shape, space.dtype
    assert shape is not None
    size = int(np.prod(shape))
    if dtype == np.uint8:
        # The bytes are the array: no conversion, one copy.
        shown = bytearray(size)
        array = np.frombuffer(shown, dtype=np.uint8).reshape(shape)

        def copy() -> Any:
            function(*given, shown)
            return array.copy()

        return copy
    out: list[float] = [0] * size

    def read() -> Any:
        function(*given, out)
        return np.array(out, dtype=dtype).reshape(shape)

    return read


def _mission_reader(env: BaseEnv, leaf: Leaf) -> Read:
    if isinstance(leaf.space, Text):
        text = env.program.mission or ""
        return env.mission if "{" in text else lambda: text
    assert hasattr(leaf.space, "shape")
    length = leaf.space.shape[0]

    def tokens() -> Any:
        encoded = env.mission().encode()[:length]
        return np.frombuffer(encoded.ljust(length, b"\0"), dtype=np.uint8).copy()

    return tokens
