"""Levels as data: many at once, generated, changed and put together, for curricula and environment design.

A `Level` is an episode as it begins. All functions here are pure, and go through `jit` and `vmap`; ``env`` is what
`griddsl.jax.make` gave. What setup reckoned from the map, as a variable that counts cells, is not reckoned anew.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from griddsl.diagnostics import Refused
from griddsl.jax.env import Functions
from griddsl.jax.given import checked_key, level_of, number_of
from griddsl.jax.state import Level, State
from griddsl.program import keys
from griddsl.refused import whole_number

__all__ = [
    "flipped",
    "free",
    "generated",
    "moved",
    "stacked",
    "tile_codes",
    "tiles",
    "with_agent",
    "with_tiles",
]


def generated(env: Functions, key: jax.Array, name: str | None = None) -> Level:
    """Return a level as the setup of the spec draws it; under `jax.vmap` over keys, as many as there are keys."""
    return _made(env).level(name, key)


def stacked(levels: Sequence[Level | State]) -> Level:
    """Return levels as one batch: arrays with an axis in front.

    Raises `ValueError` for no levels, and for those of several environments or sizes, `TypeError` for what is none.
    """
    rows = [level_of(level) for level in levels]
    if not rows:
        raise Refused("a batch has 1 level or more")
    # Levels made by hand may say nothing of a failure and of their size.
    size = next((row.size for row in rows if row.size), None)
    rows = [row if row.failed is not None else replace(row, failed=jnp.asarray(False)) for row in rows]
    rows = [row if row.size else replace(row, size=size) for row in rows]
    shapes = [(row.size, jax.tree.map(jnp.shape, row.values)) for row in rows]
    for number, shape in enumerate(shapes):
        if shape != shapes[0]:
            raise Refused(
                f"level {number} is of another environment or size than level 0: no batch holds both"
            )
    found: Level = jax.tree.map(lambda *arrays: jnp.stack(arrays), *rows)
    return found


def tile_codes(env: Functions) -> dict[str, int]:
    """Return the code of each kind of ground, by its name."""
    return {kind.name: kind.code for kind in _made(env).program.kinds if kind.category == "tile"}


def tiles(env: Functions, level: Level) -> jax.Array:
    """Return the ground, ``(height, width)``: the code of a kind for each cell."""
    level, program = _looked_at(env, level), env.program
    return jnp.reshape(level.values[_ground(env)], (program.height, program.width))


def with_tiles(env: Functions, level: Level, ground: Any) -> Level:
    """Return a level with another ground, ``(height, width)`` codes of kinds; what stands on it stays where it is.

    Raises `ValueError` for another size, for codes (where they are known) that are no ground, and for a spec whose
    ground never changes, `TypeError` for what are no whole numbers. What is found out later counts as the nearest code.
    """
    level, name, program = _looked_at(env, level), _ground(env), env.program
    ground = ground if isinstance(ground, jax.Array) else np.asarray(ground)
    if ground.shape != (program.height, program.width):
        raise Refused(
            f"a map of {program.id} is {program.height} rows of {program.width}, not {ground.shape}"
        )
    known = not isinstance(ground, jax.core.Tracer)
    strange = (
        sorted(set(np.asarray(ground).ravel().tolist()) - set(tile_codes(env).values())) if known else []
    )
    if strange:
        raise Refused(f"{strange[0]} is no ground; codes: {tile_codes(env)}")
    if not jnp.issubdtype(ground.dtype, jnp.integer):
        raise TypeError(f"the ground is whole numbers, the codes of kinds, not an array of {ground.dtype}")
    codes = np.array(sorted(tile_codes(env).values()))
    row = jnp.asarray(codes)[jnp.abs(jnp.reshape(ground, (-1, 1)) - codes).argmin(-1)]
    row = row.astype(level.values[name].dtype)
    return replace(level, values={**level.values, name: row})


def free(env: Functions, level: Level, kinds: Sequence[str] = ("floor",)) -> Any:
    """Return in which cells nothing stands and the ground is of these kinds, ``(height, width)`` bool."""
    values, program = _looked_at(env, level).values, env.program
    drawn = np.asarray(program.ground[0])
    ground = values[_ground(env)] if _has_ground(env) else jnp.asarray(drawn)
    codes = np.array(_codes(env, kinds))
    empty = (ground[:, None] == codes).any(-1)
    cells = jnp.arange(program.cells)
    for key in (keys.AGENT_CELL, keys.OBJECT_CELL):
        if env.machine.has(key) and env.machine.slots[key].saved:
            standing = values[env.machine.slots[key].name]
            empty &= ~(cells[:, None] == standing).any(-1)
    return jnp.reshape(empty, (program.height, program.width))


def flipped(
    env: Functions, key: jax.Array, level: Level, count: int = 1, kinds: tuple[str, str] = ("floor", "wall")
) -> Level:
    """Return a level in which ``count`` cells drawn at random have become the other one of two kinds of ground.

    Cells in which something stands, those of other kinds and those of the border stay as they are.
    """
    level, name, program = _looked_at(env, level), _ground(env), env.program
    if isinstance(kinds, str) or len(kinds) != 2:
        raise Refused(f"kinds are two kinds of ground, as in ('floor', 'wall'), not {kinds!r}")
    (first, second), key = _codes(env, kinds), checked_key(key)
    ground = level.values[name]
    able = jnp.reshape(free(env, level, kinds), -1)
    x, y = np.arange(program.cells) % program.width, np.arange(program.cells) // program.width
    able &= (x > 0) & (x < program.width - 1) & (y > 0) & (y < program.height - 1)
    # The cells with the greatest of random numbers: a choice without replacement.
    count = whole_number("the count of cells that are flipped", count, 0, program.cells)
    score = jnp.where(able, jax.random.uniform(key, (program.cells,)), -1.0)
    _, chosen = jax.lax.top_k(score, count)
    drawn = jnp.zeros(program.cells, bool).at[chosen].set(True) & able
    other = jnp.where(ground == first, second, first).astype(ground.dtype)
    return replace(level, values={**level.values, name: jnp.where(drawn, other, ground)})


def with_agent(env: Functions, level: Level, cell: jax.Array | int, agent: int = 0) -> Level:
    """Return a level in which an agent begins in a cell, ``y * width + x``.

    It may be a wall: `free` tells them apart. Raises `ValueError` for a cell and an agent (where they are known) that
    there are not.
    """
    return _placed(env, level, number_of("a cell", cell, env.program.cells - 1), agent)


def _placed(env: Functions, level: Level, cell: jax.Array | int, agent: Any) -> Level:
    level, name = _looked_at(env, level), _places_of_agents(env)
    agent, places = number_of("an agent", agent, len(env.program.agents) - 1), level.values[name]
    placed = places.at[agent].set(jnp.asarray(cell).astype(places.dtype))
    return replace(level, values={**level.values, name: placed})


def moved(
    env: Functions, key: jax.Array, level: Level, kinds: Sequence[str] = ("floor",), agent: int = 0
) -> Level:
    """Return a level in which an agent begins in a free cell drawn at random; where there is none, in its own."""
    level, key = _looked_at(env, level), checked_key(key)
    able = jnp.reshape(free(env, level, kinds), -1)
    score = jnp.where(able, jax.random.uniform(key, able.shape), -1.0)
    agent = number_of("an agent", agent, len(env.program.agents) - 1)
    own = level.values[_places_of_agents(env)][agent]
    return _placed(env, level, jnp.where(able.any(), jnp.argmax(score), own), agent)


def _places_of_agents(env: Functions) -> str:
    """Return the name of what says where agents are; raise `ValueError` where they stand nowhere."""
    if not env.machine.has(keys.AGENT_CELL):
        raise Refused(f"the agents of {env.program.id} stand nowhere, and begin in no cell")
    return env.machine.slots[keys.AGENT_CELL].name


def _made(env: Functions) -> Functions:
    """Return an environment; raise `TypeError` for anything else."""
    if not isinstance(env, Functions):
        shown = repr(env) if isinstance(env, str) else type(env).__name__
        raise TypeError(f"env is what `griddsl.jax.make` gives, not {shown}")
    return env


def _looked_at(env: Functions, level: Any) -> Level:
    """Return a level of an environment; raise where one of the two is none, or the level is of another or a batch."""
    return _made(env).checked_level(level)


def _has_ground(env: Functions) -> bool:
    return env.machine.has(keys.TILE) and env.machine.slots[keys.TILE].saved


def _ground(env: Functions) -> str:
    if not _has_ground(env):
        raise Refused(
            f"the ground of {env.program.id} never changes, so it is no part of a level; a generated map "
            "(`generate: maze(9, 9)`, `rooms`, `caves`) or a rule that changes tiles makes it one"
        )
    return env.machine.slots[keys.TILE].name


def _codes(env: Functions, kinds: Sequence[str]) -> list[int]:
    kinds, codes = (kinds,) if isinstance(kinds, str) else kinds, tile_codes(env)
    unknown = [kind for kind in kinds if kind not in codes]
    if unknown:
        raise Refused(f"{env.program.id} has no ground `{unknown[0]}`; it has {', '.join(codes)}")
    return [codes[kind] for kind in kinds]
