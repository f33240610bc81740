"""The plain data that everything draws: what stands in each cell, as it looks."""

from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from griddsl.diagnostics import Refused
from griddsl.render.colors import Rgb

Stack = tuple["Sprite", ...]


@dataclass(frozen=True, slots=True)
class Sprite:
    """One thing as it looks. Its hash is kept, as a frame looks up one stack of sprites per cell."""

    kind: str
    shape: str  # a name in shapes.SHAPES
    color: Rgb
    direction: int | None = None  # 0..7: east, south, west, north, southeast, southwest, northwest, northeast
    state: str | None = None  # such as "open", "closed", "locked"
    image: str | None = None  # the absolute path of a picture that is drawn in place of the shape
    glyph: str | None = None  # the character that stands for it in a map
    place: tuple[int, int] = (0, 1)  # (1, 2) is the second of two that stand side by side in one cell
    _hash: int = field(init=False, repr=False, compare=False, default=0)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_hash", hash(self._fields()))

    def __hash__(self) -> int:
        return self._hash

    def __reduce__(self) -> tuple[object, ...]:
        # The hash of a string differs between processes, so an unpickled sprite must compute its own.
        return Sprite, self._fields()

    def sharing(self, number: int, count: int) -> "Sprite":
        """The sprite as it looks beside others in its cell, the one with a number among ``count``."""
        return replace(self, place=(number, count))

    def _fields(self) -> tuple[object, ...]:
        looks = (self.kind, self.shape, self.color, self.direction, self.state, self.image, self.glyph)
        return (*looks, self.place)


@dataclass(frozen=True, slots=True, eq=False)
class Scene:
    """A whole board at one moment, with what is laid over it."""

    width: int
    height: int
    cells: tuple[Stack, ...]  # width * height stacks, bottom (tile) to top (agent), cell number y * width + x
    barriers: frozenset[tuple[int, int]] = frozenset()  # (cell, 0 east | 1 south): a thin wall on that edge
    values: NDArray[np.floating] | None = None  # (height, width), NaN = none: a heat map
    policy: tuple[tuple[int, ...], ...] | None = None  # per cell the best directions, -1 = stay, empty = none
    dimmed: NDArray[np.bool_] | None = None  # (height, width): cells drawn darker, out of the agent's view

    def __post_init__(self) -> None:
        number, shape = self.width * self.height, (self.height, self.width)
        if len(self.cells) != number:
            raise Refused(
                f"a scene of {self.width} x {self.height} has {number} cells, not {len(self.cells)}"
            )
        if self.values is not None and self.values.shape != shape:
            raise Refused(f"values have the shape {self.values.shape}, the scene {shape}")
        if self.dimmed is not None and self.dimmed.shape != shape:
            raise Refused(f"dimmed has the shape {self.dimmed.shape}, the scene {shape}")
        if self.policy is not None and len(self.policy) != number:
            raise Refused(f"a policy over {number} cells has {number} entries, not {len(self.policy)}")

    def _repr_svg_(self) -> str:
        """The scene as notebooks show it."""
        from griddsl.render.svg import to_svg

        return to_svg(self)


def check_scene(given: object) -> None:
    """Raise `TypeError` for what is no scene."""
    if not isinstance(given, Scene):
        raise TypeError(
            f"what is drawn is a scene, as `env.unwrapped.scene()` gives it, not {type(given).__name__}"
        )
