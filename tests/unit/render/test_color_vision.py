"""Boards for eyes that lack one kind of cones: what looks different to most people looks different to all."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import combinations, islice, product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import griddsl
from griddsl.compiler import compiled
from griddsl.program.program import KindInfo, Program
from griddsl.render.colors import COLORS, Rgb
from griddsl.render.looks import SERIES, ground_of, look_of, own_color
from griddsl.render.raster import draw_stack
from griddsl.render.scene import Scene, Sprite, Stack

SPECS = sorted(Path(__file__).parents[3].joinpath("specs").glob("*.grid"))
CELL = 24  # pixels
# How linear red, green and blue come about in an eye without one kind of cones: Machado, Oliveira and Fernandes,
# "A Physiologically-based Model for Simulation of Color Vision Deficiency" (2009), severity 1.
EYES = {
    "all cones": np.eye(3),
    "protanopia": [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
    "deuteranopia": [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]],
    "tritanopia": [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]],
}  # fmt: skip
TO_XYZ = [
    [0.4124564, 0.3575761, 0.1804375],
    [0.2126729, 0.7151522, 0.0721750],
    [0.0193339, 0.1191920, 0.9503041],
]
D65 = [0.95047, 1.0, 1.08883]
APART = 16.0  # units of CIE L*a*b*; seven times what is just noticed side by side
ENOUGH = 0.012  # of a cell: a stroke of a digit
STEPS = 60


def as_seen(image: NDArray[np.uint8]) -> NDArray[np.float64]:
    """Return an sRGB image as each of `EYES` sees it, (eyes, pixels, 3) in CIE L*a*b*."""
    plain = image.reshape(-1, 3) / 255
    linear = np.where(plain <= 0.04045, plain / 12.92, ((plain + 0.055) / 1.055) ** 2.4)
    seen = np.stack([np.clip(linear @ np.asarray(eye).T, 0, 1) for eye in EYES.values()])
    scaled = seen @ np.asarray(TO_XYZ).T / D65
    f = np.where(scaled > 216 / 24389, np.cbrt(scaled), (24389 / 27 * scaled + 16) / 116)
    x, y, z = f[..., 0], f[..., 1], f[..., 2]
    return np.stack([116 * y - 16, 500 * (x - y), 200 * (y - z)], axis=-1)


def is_told_apart(one: NDArray[np.float64], other: NDArray[np.float64]) -> bool:
    """Whether every eye sees a difference in a part of the cell that is large enough."""
    differs = np.linalg.norm(one - other, axis=-1) > APART
    return bool((differs.mean(axis=1) >= ENOUGH).all())


def colors_apart(one: Any, other: Any) -> float:
    """Return how far apart two colours are to the eye that sees the least of it."""
    first, second = (as_seen(np.array(color, np.uint8)) for color in (one, other))
    return float(np.linalg.norm(first - second, axis=-1).min())


def scenes_of(path: Path) -> Iterator[tuple[Program, Scene]]:
    """Yield the boards of a random game on each level of a spec."""
    several = len(compiled(path).program.players) > 1
    env: Any = (
        griddsl.make_parallel(path, backend="python") if several else griddsl.make(path, backend="python")
    )
    for number, level in enumerate(env.program.levels):
        options = None if level is None else {"level": level}
        env.reset(seed=number, options=options)
        yield env.program, env.scene()
        for step in range(STEPS):
            if several:
                left = bool(env.agents)
                if left:
                    env.step({name: env.action_space(name).sample() for name in env.agents})
            else:
                left = not any(env.step(env.action_space.sample())[2:4])
            yield env.program, env.scene()
            if not left:
                env.reset(seed=1000 * number + step, options=options)


def casts_of(path: Path) -> list[dict[Stack, str]]:
    """Return all grounds of a spec, and for each of them what was met on it, with every word of its attributes."""
    grounds: dict[Stack, None] = {}
    met: dict[tuple[Stack, Sprite], None] = {}
    for found, scene in scenes_of(path):
        program = found
        for stack in dict.fromkeys(scene.cells):
            depth = 2 if len(stack) > 1 and stack[0] in ground_of(stack[1]) else 1
            grounds[stack[:depth]] = None
            met.update(dict.fromkeys((stack[:depth], sprite) for sprite in stack[depth:]))
    kinds = {kind.name: kind for kind in program.kinds}
    cast = {ground: {ground: ground[-1].kind} for ground in grounds}
    for ground, sprite in met:
        cast[ground].update({(*ground, look): name for look, name in worded(kinds[sprite.kind], sprite)})
    return [{ground: ground[-1].kind for ground in grounds}, *cast.values()]


def worded(kind: KindInfo, met: Sprite) -> Iterator[tuple[Sprite, str]]:
    """Yield how a kind looks by each choice of its words, and as it was met."""
    yield replace(met, glyph=None), kind.name
    chosen = [[(one.name, word) for word in one.words] for one in kind.attributes if one.words]
    for words in islice(product(*chosen), 1000):
        look = look_of(
            kind.name,
            category=kind.category,  # type: ignore[arg-type]
            properties=kind.properties,
            shape=kind.shape,
            color=kind.color,
            image=kind.image,
            attributes=dict(words),
            direction=met.direction,
        )
        yield look, f"{kind.name}({', '.join(word for _, word in words)})"


@pytest.mark.parametrize(
    "colors",
    [
        [COLORS[name] for name in ("red", "green", "blue", "purple", "yellow", "grey", "orange")],
        SERIES,
        [look_of("agent", category="agent").color, *SERIES[:8]],
    ],
    ids=["words", "numbers", "agents"],
)
def test_colors__that_tell_things_apart_do_so_for_every_eye(colors: Sequence[Rgb]) -> None:
    """The six of MiniGrid and orange, what numbers are coloured by, and what agents are coloured by."""
    assert min(colors_apart(one, other) for one, other in combinations(colors, 2)) > 18


def test_ground__of_any_name_is_no_floor_to_any_eye() -> None:
    """Ground whose name says nothing of its look differs from the floor."""
    floor = look_of("floor", category="tile").color
    assert min(colors_apart(floor, own_color(f"ground_{k}", "tile")) for k in range(300)) > APART


@pytest.mark.parametrize("path", SPECS, ids=lambda path: path.stem)
def test_cast__can_be_told_apart_by_every_eye(path: Path) -> None:
    """No two things of a bundled spec that are drawn differently look alike to somebody who lacks a kind of cones."""
    casts = casts_of(path)
    assert sum(map(len, casts)) > 2
    assert [pair for cast in casts for pair in alike(cast)] == []


def alike(cast: Mapping[Stack, str]) -> list[tuple[str, str]]:
    """Return the pairs that are drawn differently and that some eye cannot tell apart."""
    drawn = {draw_stack(stack, CELL).tobytes(): name for stack, name in cast.items()}
    seen = [(name, as_seen(np.frombuffer(pixels, np.uint8))) for pixels, name in drawn.items()]
    return [(a, b) for (a, one), (b, other) in combinations(seen, 2) if not is_told_apart(one, other)]
