"""Planes of expressions: what one asks of the thing in each cell, and what it asks of all things on the map."""

from __future__ import annotations

import numpy as np
import pytest

import griddsl
from tests.reference.beside import assert_plays_as_defined

CARS = """env: t/Cars-v0
object car: moves random, speed in 0..9
map:
    @.a
    b..
legend: a = car(speed=1), b = car(speed=3)
actions: left, right
observe: grid as planes ({}, wall)
limit: 30 steps
"""
ALL = [[1, 1, 1], [1, 1, 1]]


@pytest.mark.parametrize(
    ("plane", "shown"),
    [
        ("count(car where car.speed > 2)", ALL),
        ("count(car where car.x >= x)", [[2, 1, 1], [2, 1, 1]]),
        ("sum(car.speed for car)", [[4, 4, 4], [4, 4, 4]]),
        ("(the car with most car.speed).y", ALL),
        ("any car at (car.x, 0)", ALL),
        ("any car where car.speed > 2", ALL),
        ("car.speed", [[0, 0, 1], [3, 0, 0]]),
        ("car.speed + count(car where car.speed > 2)", [[0, 0, 2], [4, 0, 0]]),
        ("(any car where car.speed > 2) and car.speed > 0", [[0, 0, 1], [1, 0, 0]]),
    ],
)
def test_plane__asks_a_cell_for_what_no_clause_goes_through(plane: str, shown: list[list[int]]) -> None:
    """An attribute is that of the thing in the cell; behind `any`, `count`, `sum` and `the` it is of those looked at."""
    spec = CARS.format(plane)
    observation, _ = griddsl.make(spec, backend="python").reset(seed=0)
    assert np.asarray(observation)[..., 0].tolist() == shown
    assert_plays_as_defined(spec, steps=10)
