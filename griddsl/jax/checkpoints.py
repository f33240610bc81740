"""Checkpoints: states and levels among what flax writes, which asks to be told of dataclasses that are not its own."""

from __future__ import annotations

import sys
from dataclasses import fields, replace
from typing import Any

from griddsl.jax.state import Level, State

_OURS = (State, Level)


def tell_flax() -> None:
    """Tell `flax.serialization` of what states and levels are made, where it is loaded, so that `to_bytes` takes them.

    The size of the map is no array and is not written: what is read takes that of the state it is read into.
    """
    flax = sys.modules.get("flax.serialization")
    if flax is not None:
        for kind in _OURS:
            flax.register_serialization_state(kind, _written, _read, override=True)


def _arrays(whole: State | Level) -> list[str]:
    return [each.name for each in fields(whole) if not each.metadata.get("static")]


def _written(whole: State | Level) -> dict[str, Any]:
    flax = sys.modules["flax.serialization"]
    return {name: flax.to_state_dict(getattr(whole, name)) for name in _arrays(whole)}


def _read(whole: State | Level, found: dict[str, Any]) -> State | Level:
    flax = sys.modules["flax.serialization"]
    if set(found) != set(_arrays(whole)):
        raise ValueError(
            f"a {type(whole).__name__} has {', '.join(_arrays(whole))}; what was read has {', '.join(found)}"
        )
    return replace(
        whole,
        **{
            name: flax.from_state_dict(getattr(whole, name), found[name], name=name)
            for name in _arrays(whole)
        },
    )
