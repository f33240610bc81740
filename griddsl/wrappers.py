"""Wrappers that reshape what an environment observes."""

from __future__ import annotations

from typing import Any

import gymnasium as gym
import numpy as np

from griddsl.program import keys


class CellObservation(gym.ObservationWrapper[int, Any, Any], gym.utils.RecordConstructorArgs):
    """Observe the agent's cell alone: ``y * width + x`` of the position ``(x, y)`` in a ``Dict`` observation.

    Tables are then indexed by the observation itself. ``key`` names the entry, a ``MultiDiscrete`` of two numbers
    or a ``Box`` of two whole numbers from zero; the space becomes ``Discrete(width * height)``. Raises `TypeError`
    for another space, and `KeyError` where the entry is missing.
    """

    def __init__(self, env: gym.Env[Any, Any], key: str = "agent") -> None:
        gym.utils.RecordConstructorArgs.__init__(self, key=key)
        super().__init__(env)
        space = env.observation_space
        if not isinstance(space, gym.spaces.Dict):
            raise TypeError(f"CellObservation needs a Dict observation, and this is {space}")
        if key not in space.spaces:
            raise KeyError(f"the observation has no entry {key!r}; entries: {', '.join(space.spaces)}")
        self.key = key
        self.width, self.height = _sizes(space[key])
        self.observation_space: Any = gym.spaces.Discrete(self.width * self.height)

    def observation(self, observation: Any) -> int:
        """Return the number of the cell, counted row by row from the top left."""
        x, y = observation[self.key]
        return int(y) * self.width + int(x)


def _sizes(space: gym.Space[Any]) -> tuple[int, int]:
    """Return the columns and rows that a space of positions has."""
    if isinstance(space, gym.spaces.MultiDiscrete) and space.shape == (2,):
        sizes = np.asarray(space.nvec)
    elif _holds_positions(space):
        assert isinstance(space, gym.spaces.Box)
        sizes = space.high + 1
    else:
        raise TypeError(
            f"CellObservation needs a position (x, y) of whole numbers from zero, and this is {space}"
        )
    return int(sizes[0]), int(sizes[1])


def _holds_positions(space: gym.Space[Any]) -> bool:
    return (
        isinstance(space, gym.spaces.Box)
        and space.shape == (2,)
        and np.issubdtype(space.dtype, np.integer)
        and not space.low.any()
    )


class NetworkObservation(gym.ObservationWrapper[Any, Any, Any], gym.utils.RecordConstructorArgs):
    """Observe the same in forms that networks take: numbers, vectors, pictures, and a ``Dict`` of these.

    A board, which is no picture, becomes a vector of its type, and a text its bytes, with zeros at the end, as
    ``mission as tokens`` gives them. A ``Tuple`` becomes a ``Dict`` with the keys ``"0"``, ``"1"`` and so on; a
    ``Dict`` in a ``Dict``, one vector. What fits stays as it is. Stable-Baselines3 has a policy for every such space.
    """

    def __init__(self, env: gym.Env[Any, Any]) -> None:
        gym.utils.RecordConstructorArgs.__init__(self)
        super().__init__(env)
        self.observation_space: Any = _network_space(env.observation_space)

    def observation(self, observation: Any) -> Any:
        """Return the observation in its new form."""
        return _network_form(self.env.observation_space, observation)


SMALLEST_PICTURE = 36  # pixels a side, which the usual convolutions need


def _network_space(space: gym.Space[Any], inner: bool = False) -> gym.Space[Any]:
    match space:
        case gym.spaces.Dict() | gym.spaces.Tuple() if inner:
            return gym.spaces.flatten_space(space)
        case gym.spaces.Dict():
            return gym.spaces.Dict({name: _network_space(part, True) for name, part in space.items()})
        case gym.spaces.Tuple():
            return gym.spaces.Dict(
                {str(place): _network_space(part, True) for place, part in enumerate(space.spaces)}
            )
        case gym.spaces.Text():
            return gym.spaces.Box(0, 255, (_bytes_of(space),), np.uint8)
        case gym.spaces.Box() if len(space.shape) > 1 and not _is_picture(space):
            return gym.spaces.Box(space.low.ravel(), space.high.ravel(), dtype=space.dtype.type)
    return space


def _network_form(space: gym.Space[Any], observation: Any, inner: bool = False) -> Any:
    match space:
        case gym.spaces.Dict() | gym.spaces.Tuple() if inner:
            return gym.spaces.flatten(space, observation)
        case gym.spaces.Dict():
            return {name: _network_form(part, observation[name], True) for name, part in space.items()}
        case gym.spaces.Tuple():
            parts = enumerate(zip(space.spaces, observation, strict=True))
            return {str(place): _network_form(part, value, True) for place, (part, value) in parts}
        case gym.spaces.Text():
            written = np.zeros(_bytes_of(space), np.uint8)
            text = np.frombuffer(observation.encode(), np.uint8)
            written[: len(text)] = text
            return written
        case gym.spaces.Box() if len(space.shape) > 1 and not _is_picture(space):
            return observation.ravel()
    return observation


def _bytes_of(space: gym.spaces.Text) -> int:
    """Return how many bytes the longest text takes."""
    return space.max_length * max(len(sign.encode()) for sign in space.character_set)


def _is_picture(space: gym.spaces.Box) -> bool:
    whole = space.dtype == np.uint8 and not space.low.any() and bool((space.high == 255).all())
    return whole and len(space.shape) == 3 and min(space.shape[:2]) >= SMALLEST_PICTURE


class MiniGridCompatible(gym.Wrapper[Any, Any, Any, Any]):
    """What MiniGrid's wrappers ask of an environment beyond its observations, on an environment of ours.

    The environment observes ``image = view NxN as minigrid``, as every spec with ``use: minigrid`` does. Then
    ``minigrid.wrappers`` find here what they look for on ``env.unwrapped``: the size of grid and view, the agent's
    place, frames of the grid and of the view, and the encoded grid. (``ImgObsWrapper``, ``FlatObsWrapper`` and
    others that only reshape observations need no such help.) Raises `TypeError` for another observation.
    """

    def __init__(self, env: gym.Env[Any, Any], *, highlight: bool = True, tile_size: int = 32) -> None:
        super().__init__(env)
        space = env.observation_space
        image = space.spaces.get("image") if isinstance(space, gym.spaces.Dict) else None
        if image is None or image.shape is None or len(image.shape) != 3 or image.shape[0] != image.shape[1]:
            raise TypeError(
                f"MiniGridCompatible needs `image = view NxN as minigrid`, and this observes {space}"
            )
        base: Any = env.unwrapped
        self.base = base
        self.agent_view_size: int = image.shape[0]
        self.width: int = base.program.width
        self.height: int = base.program.height
        self.max_steps: int | None = base.program.limit
        self.highlight, self.tile_size, self.agent_pov = highlight, tile_size, False
        self._image: Any = np.zeros(image.shape, dtype=np.uint8)

    @property
    def unwrapped(self) -> Any:
        """This wrapper itself: wrappers outside of it find its attributes here."""
        return self

    @property
    def grid(self) -> MiniGridCompatible:
        """What ``env.grid.encode()`` is asked of."""
        return self

    def reset(self, **kwargs: Any) -> tuple[Any, dict[str, Any]]:
        """Start an episode."""
        observation, info = self.env.reset(**kwargs)
        self._image = observation["image"]
        return observation, info

    def step(self, action: Any) -> Any:
        """Carry out one step."""
        result = self.env.step(action)
        self._image = result[0]["image"]
        return result

    @property
    def agent_pos(self) -> tuple[int, int]:
        """The agent's position ``(x, y)``."""
        cell = self._slot(keys.AGENT_CELL)[0]
        return cell % self.width, cell // self.width

    @property
    def agent_dir(self) -> int:
        """The agent's direction: 0 to 3 for east, south, west and north."""
        return int(self._slot(keys.FACING)[0]) % 4

    @property
    def dir_vec(self) -> Any:
        """The step ahead, ``(x, y)``."""
        return np.array(((1, 0), (0, 1), (-1, 0), (0, -1))[self.agent_dir])

    @property
    def front_pos(self) -> Any:
        """The position ahead of the agent."""
        return np.array(self.agent_pos) + self.dir_vec

    @property
    def step_count(self) -> int:
        """The steps of this episode."""
        return int(self._slot(keys.STEP)[0])

    @property
    def mission(self) -> str:
        """The task of this episode."""
        return str(self.base.mission())

    def encode(self) -> Any:
        """Return the grid without the agent as MiniGrid encodes it, ``(width, height, 3)`` uint8."""
        from griddsl.lowering.sight.cells.minigrid import encoded

        return encoded(self.base.program, self.base.get_state()[0])

    def get_frame(self, highlight: bool = True, tile_size: int = 32, agent_pov: bool = False) -> Any:
        """Return the grid in our looks, ``tile_size`` pixels a cell; or what the agent sees, ahead upwards."""
        from griddsl.render.raster import Rasteriser

        seen = self._image[..., 0].T != 0  # Rows ahead first, as the view is seen.
        frame = Rasteriser(tile_size).draw(self.base.scene())
        size = self.agent_view_size
        padded = np.zeros(
            (self.height + 2 * size, self.width + 2 * size, tile_size, tile_size, 3), dtype=np.uint8
        )
        tiles = frame.reshape(self.height, tile_size, self.width, tile_size, 3).swapaxes(1, 2)
        padded[size:-size, size:-size] = tiles
        x, y = self.agent_pos
        turns = (self.agent_dir + 1) % 4  # Quarter turns that bring ahead upwards.
        left = x + size - (size // 2, 0, size // 2, size - 1)[turns]
        top = y + size - (size - 1, size // 2, 0, size // 2)[turns]
        window = padded[top : top + size, left : left + size]
        if agent_pov:
            turned = np.rot90(np.rot90(window, turns), turns, axes=(2, 3)).copy()
            turned[~seen] = 0
            return turned.swapaxes(1, 2).reshape(size * tile_size, size * tile_size, 3)
        if highlight:
            shown = np.rot90(seen, -turns)
            window[shown] = window[shown] + (0.3 * (255 - window[shown].astype(float))).astype(np.uint8)
        return padded[size:-size, size:-size].swapaxes(1, 2).reshape(frame.shape)

    def _slot(self, name: str) -> Any:
        program, state = self.base.program, self.base.get_state()[0]
        offset = program.layout.offsets[name]
        return state[offset : offset + 1]
