"""What callers give: keys, actions, levels, each looked at when the call is traced."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from griddsl.backends.jax.values import quotient, rounded
from griddsl.diagnostics import Refused
from griddsl.jax.state import Level, State
from griddsl.program.program import ActionGroup, Player, Program
from griddsl.refused import whole_number

DEAD_ZONE = 0.25
# Octants of the angle, counted clockwise from east (y grows downwards), as codes of the compass.
OCTANTS = np.array([0, 4, 1, 5, 2, 6, 3, 7], np.int32)


def stream_of(key: jax.Array | None) -> jax.Array:
    """Return a key as a stream, ``(2,)`` uint32: its own bits.

    Raises `TypeError` for what is no key of two words, as `jax.random.key` and `jax.random.PRNGKey` make them.
    """
    if isinstance(key, jax.Array) and jnp.issubdtype(key.dtype, jax.dtypes.prng_key):
        key = jax.random.key_data(key)
    shape, dtype = getattr(key, "shape", None), getattr(key, "dtype", None)
    if shape == (2,) and dtype == np.uint32:
        return jnp.asarray(key)
    if dtype == np.uint32 and shape is not None and len(shape) > 1:
        raise TypeError(f"there are {shape[0]} keys: let `jax.vmap` give one to each environment")
    raise TypeError(
        "a key is what `jax.random.key(seed)` makes with JAX's default generator, two words of 32 bits, not "
        f"{_shown(key)}"
    )


def checked_key(key: jax.Array) -> jax.Array:
    """Return a key from which JAX draws, one of any of its generators; raise `TypeError` for anything else."""
    shape, dtype = getattr(key, "shape", None), getattr(key, "dtype", None)
    typed = isinstance(key, jax.Array) and jnp.issubdtype(key.dtype, jax.dtypes.prng_key)
    if shape is None or not (typed or (dtype == np.uint32 and shape)):
        raise TypeError(f"a key is what `jax.random.key(seed)` makes, not {_shown(key)}")
    if len(shape) > (0 if typed else 1):
        raise TypeError(f"there are {shape[0]} keys: let `jax.vmap` give one to each level")
    return key


def numbers_of(player: Player, action: Any) -> Any:
    """Return the numbers of an action, ``(groups,)`` int32.

    Raises `TypeError` where an action has another shape or dtype, and `ValueError` where it is known while it is
    traced and there is no such action. What is found out later counts as the nearest action.
    """
    groups = player.groups
    if len(groups) == 1 and groups[0].joystick:
        return snapped(groups[0], _joystick(player, action))[None]
    given = _as_array(action)
    given = given.astype(np.int32) if given.dtype == np.bool_ else given
    shape = () if len(groups) == 1 else (len(groups),)
    if not np.issubdtype(given.dtype, np.integer) or given.shape not in {shape, (*shape, 1)[:1]}:
        what = "a whole number" if len(groups) == 1 else f"{len(groups)} whole numbers in a row"
        raise TypeError(f"an action of {player.name} is {what}, not {_shown(action)}; {_named(player)}")
    counts = np.array([len(group.actions) for group in groups], np.int32)
    if not isinstance(given, jax.core.Tracer):
        row = np.asarray(given).reshape(-1)
        if (row < 0).any() or (row >= counts).any():
            raise Refused(f"{action!r} is no action of {player.name}; {_named(player)}")
    row = jnp.reshape(jnp.asarray(given), (len(groups),))
    return jnp.clip(row, 0, counts - 1).astype(np.int32)


def _as_array(action: Any) -> jax.Array | np.ndarray:
    """Return an action as an array; what `jit` traces, a number for each group, is no matter for numpy."""
    if isinstance(action, jax.Array | np.ndarray):
        return action
    parts = action if isinstance(action, tuple | list) else ()
    if any(isinstance(part, jax.Array) for part in parts) and all(np.ndim(part) == 0 for part in parts):
        return jnp.asarray(action)
    if any(isinstance(part, jax.core.Tracer) for part in parts):
        return np.empty(len(parts), object)  # rows in a row: its shape and dtype are refused
    return np.asarray(action)


def number_of(what: str, given: Any, most: int) -> Any:
    """Return a whole number from 0 to ``most``: what is known is checked, what is found out later is clipped.

    ``what`` begins the sentence of the error.
    """
    if isinstance(given, jax.core.Tracer):
        if given.shape != () or not jnp.issubdtype(given.dtype, jnp.integer):
            raise TypeError(f"{what} is a whole number, not {_shown(given)}")
        return jnp.clip(given, 0, most)
    is_array = isinstance(given, jax.Array | np.ndarray) and given.shape == ()
    return whole_number(what, given.item() if is_array else given, 0, most)


def _joystick(player: Player, action: Any) -> jax.Array:
    stick = jnp.asarray(action)
    if stick.shape != (2,) or not jnp.issubdtype(stick.dtype, jnp.floating):
        raise TypeError(f"an action of {player.name} is two numbers from -1 to 1, not {_shown(action)}")
    return stick


def snapped(group: ActionGroup, stick: jax.Array) -> jax.Array:
    """Return the action that a joystick's ``(x, y)`` is nearest to; the last one, staying, near its middle."""
    with jax.enable_x64(True):
        wide = jnp.clip(lax.convert_element_type(stick, np.float64), -1.0, 1.0)
        x, y = wide[0], wide[1]
        parts = np.float64(group.joystick)
        turn = jnp.round(quotient(jnp.arctan2(y, x), np.float64(2 * np.pi)) * parts)
        sector = lax.convert_element_type(turn, np.int32) % np.int32(group.joystick)
        moved = sector if group.joystick == 4 else jnp.asarray(OCTANTS)[sector]
        stays = rounded(x * x) + rounded(y * y) < np.float64(DEAD_ZONE * DEAD_ZONE)
        return jnp.where(stays, np.int32(group.joystick), moved)


def checked_state(program: Program, like: dict[str, Any], given: Any) -> State:
    """Return a state; raise where it is none, is one of another environment, or a batch."""
    if not isinstance(given, State):
        raise TypeError(f"a state is what `reset` and `step` give, not {_shown(given)}")
    if _in_front(like, given.values):
        raise Refused("this is a batch of states: let `jax.vmap` step each of them")
    _checked(program, like, given, "state")
    return given


def checked_level(program: Program, like: dict[str, Any], given: Any, beside: str = "") -> Level:
    """Return a level, that of a state too; raise where it is none, is one of another environment, or a batch.

    ``beside`` says what would do too.
    """
    level = level_of(given, beside)
    if _in_front(like, level.values):
        raise Refused("this is a batch of levels: let `jax.vmap` take each of them")
    _checked(program, like, level, "level")
    return level


def level_of(given: Any, beside: str = "") -> Level:
    """Return a level, that of a state too; raise `TypeError` for anything else."""
    level = given.level if isinstance(given, State) else given
    if not isinstance(level, Level) or not isinstance(level.values, dict):
        raise TypeError(f"a level is what `env.level()` gives,{beside} not {_shown(given)}")
    return level


def _in_front(like: dict[str, Any], values: dict[str, Any]) -> bool:
    """Return whether a slot has another axis in front of its own."""
    return any(np.shape(values.get(name, 0))[1:] == slot.shape for name, slot in like.items())


def _checked(program: Program, like: dict[str, Any], given: State | Level, what: str) -> None:
    values, size = given.values, (program.width, program.height)
    if set(values) != set(like):
        raise Refused(f"this {what} is not one of {program.id}: it has other slots")
    for name, slot in like.items():
        found = np.shape(values[name])
        if found != slot.shape:
            raise Refused(
                f"this {what} is not one of {program.id} as it is compiled here: {name.lower()} has the shape "
                f"{found}, not {slot.shape}; levels of one environment have one size"
            )
    # Where nothing in a state has an entry for each cell, no shape tells one size from another.
    if given.size not in {None, size}:
        raise Refused(
            f"this {what} is not one of {program.id} as it is compiled here: its map has {_by(given.size)} cells, not "
            f"{_by(size)}; levels of one environment have one size"
        )
    for name, slot in like.items():
        if getattr(values[name], "dtype", None) != slot.dtype:
            raise Refused(
                f"{name.lower()} of this {what} is {_shown(values[name])}, not an array of {slot.dtype}"
            )


def _by(size: Any) -> str:
    return " x ".join(map(str, size))


def _named(player: Player) -> str:
    shown = [
        ", ".join(f"{number} {action.name}" for number, action in enumerate(group.actions[:20]))
        for group in player.groups
    ]
    return "actions: " + "; ".join(shown)


def _shown(value: Any) -> str:
    shape, dtype = getattr(value, "shape", None), getattr(value, "dtype", None)
    if shape is not None and dtype is not None:
        return f"an array {tuple(shape)} of {dtype}"
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:60]}..."
