"""What is asked of things that lie at known places is asked once of each, and cut out for all places."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

jax = pytest.importorskip("jax")


@pytest.mark.parametrize("width", [3, 7, 12])
@pytest.mark.parametrize("steps", [(1, 0), (0, 1), (-1, 2), (-2, -1), (5, 5)])
def test_entries__of_neighbours_are_those_of_the_row(width: int, steps: tuple[int, int]) -> None:
    """Wherever the neighbour is inside, one row of places, several or many; what is outside may be anything."""
    from griddsl.backends.jax.arrays import entries

    cells = np.arange(width * 5)
    x, y = cells % width + steps[0], cells // width + steps[1]
    inside = (x >= 0) & (x < width) & (y >= 0) & (y < 5)
    places = np.where(inside, y * width + x, -1)
    row = np.random.default_rng(width).integers(0, 100, len(cells)).astype(np.int8)
    for several in (places, np.stack([places, cells, np.flip(cells)]), np.stack([places, cells] * 4)):
        found = jax.jit(lambda row, several=several: entries(row, several, len(cells), np.int8))(row)
        there = several >= 0
        assert (np.asarray(found)[there] == row[several[there]]).all() and found.shape == several.shape


def test_origins__answers_are_found_once_and_not_kept_beyond_a_loop() -> None:
    """What a compiled loop has found is nothing that may be used behind it."""
    from griddsl.backends.jax.origins import Origins

    origins, found = Origins(), []
    places = np.array([2, 1, -1, 0])

    def asked(kinds: Any, things: Any) -> Any:
        index = things[places]
        origins.note(index, things, places)
        origin = origins.of(index)
        assert origin is not None and origin[0] is things

        def once(total: Any, _: Any) -> Any:
            found.append(origins.through(kinds, things))
            return total + found[-1].sum(), None

        total, _ = jax.lax.scan(once, np.int32(0), None, length=2)
        found.extend(origins.through(kinds, things) for _ in range(2))
        return total + found[-1][0]

    kinds, things = np.array([7, 8, 9, 5], np.int32), np.array([3, 0, 1], np.int32)
    assert int(jax.jit(asked)(kinds, things)) == 2 * (5 + 7 + 8) + 5
    assert found[-1] is found[-2] and found[-1] is not found[0]


def test_origins__a_choice_with_a_known_test_keeps_them() -> None:
    """Where the test does not hold there is no index, so that anything may be read there."""
    from griddsl.backends.jax.origins import Origins

    origins, row, places = Origins(), np.arange(4), np.array([3, 2, 1])
    value, picked = np.zeros(3), np.zeros(3)
    origins.note(value, row, places)
    origins.note_where(picked, np.array([True, False, True]), value, -1)
    origin = origins.of(picked)
    assert origin is not None and origin[1].tolist() == [3, -1, 1]
    other = np.zeros(3)
    origins.note_where(other, np.array([True, False, True]), value, 0)
    assert origins.of(other) is None


def shapes_of(jaxpr: Any, name: str) -> list[tuple[int, ...]]:
    """Return the shapes of what a primitive makes, in functions that are called too."""
    found = []
    for equation in jaxpr.eqns:
        found += [each.aval.shape for each in equation.outvars if equation.primitive.name == name]
        for inner in equation.params.values():
            found += shapes_of(inner.jaxpr, name) if hasattr(inner, "jaxpr") else []
    return found


@pytest.mark.parametrize("sign", ["==", "and", "or"])
def test_origins__operators_on_what_was_read_at_places_work_on_the_row(sign: str) -> None:
    """Each entry is looked at once, however many places there are, and outside of the row there is what is said."""
    from griddsl.backends.jax.origins import Origins

    places = np.stack([np.arange(step, step + 9) for step in range(-4, 5)])
    places = np.where((places >= 0) & (places < 9), places, -1)

    def asked(row: Any, other: Any, number: Any) -> Any:
        origins, read = Origins(), []
        for each in (row, other):
            value = each[places]
            origins.note(value, each, places)
            read.append(origins.chosen(places >= 0, value, -1, "int", np.int32))
        first = origins.operated("==", [read[0], number], ["int", "int"], [0, 0], "bool", np.int32)
        if sign == "==":
            return first
        second = origins.operated(">=", [read[1], 3], ["int", "int"], [0, 0], "bool", np.int32)
        found = origins.operated(sign, [first, second], ["bool", "bool"], [0, 0], "bool", np.int32)
        return origins.chosen(found, read[0], 7, "int", np.int32)

    numbers = np.random.default_rng(1)
    for number in (-1, 2):
        row, other = numbers.integers(0, 5, (2, 9)).astype(np.int32)
        given = [np.where(places >= 0, each[places], -1) for each in (row, other)]
        both = {"==": given[0] == number, "and": (given[0] == number) & (given[1] >= 3)}
        both["or"] = (given[0] == number) | (given[1] >= 3)
        expected = both[sign] if sign == "==" else np.where(both[sign], given[0], 7)
        assert np.asarray(jax.jit(asked)(row, other, np.int32(number))).tolist() == expected.tolist()
    made = jax.make_jaxpr(asked)(row, other, np.int32(2)).jaxpr
    assert set(shapes_of(made, "eq")) == {(), (9,)}  # outside of the row, and in it
