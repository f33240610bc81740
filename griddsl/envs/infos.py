"""Entries of info, as a user reads them."""

from __future__ import annotations

from typing import Any

import numpy as np

from griddsl.backends.interface import Array
from griddsl.program.program import InfoEntry


def entry_value(entry: InfoEntry, value: Any) -> Any:
    """Return the value of an entry in words, as a bool, or as a number."""
    if entry.form == "words":
        return entry.words[value]
    if entry.form == "bool":
        return bool(value)
    return float(value) if entry.form == "real" else value


def unset_value(entry: InfoEntry) -> Any:
    """Return what an entry says where no rule has set it: the empty word, False, or zero."""
    return {"words": "", "bool": False, "real": 0.0}.get(entry.form, 0)


def ending(outcome: str) -> dict[str, Any]:
    """Return what info says of an episode's end; ``outcome`` is empty while it goes on.

    The keys are there from the first step on, always of the same types: what records infos needs them so.
    """
    return {"outcome": outcome, "is_success": outcome == "success"}


# Infos of a step in which nothing ends: a bound method, for every step has one made, and nothing makes it faster.
nothing_ends = ending("").copy


def no_endings(count: int) -> dict[str, Any]:
    """Return what the infos of a batch say where no episode ended: arrays that nobody can write to, for every step."""
    said = {
        "outcome": np.full(count, "", dtype=object),
        "_outcome": np.ones(count, np.bool_),
        "is_success": np.zeros(count, np.bool_),
        "_is_success": np.ones(count, np.bool_),
    }
    for array in said.values():
        array.flags.writeable = False
    return said


def converted(entry: InfoEntry, values: Array, said: Array, there: Array) -> Array:
    """Return an info entry as Gymnasium keeps it: nothing where it is not there, unset where no rule has set it."""
    if entry.form == "words":
        words = np.full(len(values), None, dtype=object)
        words[there] = unset_value(entry)
        for i in np.flatnonzero(said).tolist():
            words[i] = entry.words[values[i]]
        return words
    return np.where(said, values, 0).astype(np.bool_ if entry.form == "bool" else values.dtype)
