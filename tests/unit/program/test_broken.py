"""Programs that somebody else broke: reading one is a `ValueError`, proving it a `VerificationError`, and nothing else happens."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from griddsl.compiler import compiled
from griddsl.program.form import from_json, to_json
from griddsl.program.verify import VerificationError, verify

TAXI = Path(__file__).parents[3] / "specs" / "taxi.grid"
ZERO = {"is": "Const", "value": 0, "type": "int"}


def taxi() -> Any:
    """Return a program as the values of its JSON."""
    return json.loads(to_json(compiled(TAXI).program))


def local(name: str) -> dict[str, Any]:
    """Return a local of any whole number."""
    return {"is": "Local", "name": name, "type": "int", "low": -9, "high": 9}


def op(operator: str, *values: Any, low: float = 0, high: float = 1, type: str = "int") -> dict[str, Any]:
    """Return an operator on values."""
    return {"is": "Op", "operator": operator, "values": values, "type": type, "low": low, "high": high}


def let(value: Any) -> dict[str, Any]:
    """Return a statement that gives a value a name."""
    return {"is": "Let", "name": "a_name", "value": value}


def first(whole: Any) -> Any:
    """Return the list of statements of `reset`."""
    return whole["functions"]["reset"]["body"]


def put(statement: Any) -> Callable[[Any], None]:
    """Return what puts a statement at the begin of `reset`."""
    return lambda whole: first(whole).insert(0, statement)


def setting(*path: Any, to: Any) -> Callable[[Any], None]:
    """Return what sets a part of the whole."""

    def change(whole: Any) -> None:
        for key in path[:-1]:
            whole = whole[key]
        whole[path[-1]] = to

    return change


def _without_range(whole: Any) -> None:
    first(whole).insert(0, let({"is": "Local", "name": "level", "type": "int"}))


def deep(depth: int) -> Any:
    """Return a condition in so many others."""
    value: Any = {"is": "Const", "value": True, "type": "bool"}
    for _ in range(depth):
        value = op("not", value, type="bool")
    return value


def _text(whole: Any) -> str:
    """Return JSON, however deep it is."""
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(100_000)
    try:
        return json.dumps(whole)
    finally:
        sys.setrecursionlimit(before)


def drawn_map(generator: str, width: int, height: int) -> dict[str, Any]:
    """Return a statement that draws a map into the first slot."""
    values = [{**ZERO, "value": value} for value in (width, height, 0, 0)]
    return {"is": "Generate", "generator": generator, "slot": {"is": "Slot", "number": 0}, "values": values}


def two_of_one_name(whole: Any) -> None:
    """Give two parameters of a function one name."""
    functions = whole["functions"].values()
    given = next(each["parameters"] for each in functions if len(each["parameters"]) > 1)
    given[0]["name"] = given[1]["name"]


UNREADABLE: dict[str, Callable[[Any], None]] = {
    "a number for a statement": put(3),
    "an expression for a statement": put(ZERO),
    "a statement for an expression": put(let({"is": "Break"})),
    "a list for an expression": put(let([ZERO])),
    "a text for a bound": put(let({**local("level"), "low": "0"})),
    "no number for a bound": put(let({**local("level"), "low": {"is": "Real", "text": "nan"}})),
    "a real that is none": put(let({**ZERO, "value": {"is": "Real", "text": "x"}})),
    "a fraction of nothing": put(let({**ZERO, "value": {"is": "Fraction", "over": 1, "under": 0}})),
    "a local without its range": _without_range,
    "a slot from behind": put({"is": "Fill", "slot": {"is": "Slot", "number": -1}, "value": ZERO}),
    "a slot that is not there": put({"is": "Fill", "slot": {"is": "Slot", "number": 999}, "value": ZERO}),
    "a table for a slot": put({"is": "Fill", "slot": {"is": "Table", "number": 0}, "value": ZERO}),
    "a node of no name": put({"is": "Nothing"}),
    "a node with a part too many": put({"is": "Restart", "more": 1}),
    "a type that there is not": put(let({**ZERO, "type": "text"})),
    "a length that is no number": setting("slots", 0, "length", to="4"),
    "a start that is no number": setting("slots", 0, "initial", to=[{"is": "Break"}]),
    "functions in a list": setting("functions", to=[]),
}
UNSOUND: dict[str, Callable[[Any], None]] = {
    "an operator without its second value": put(let(op("==", ZERO, type="bool"))),
    "an operator that there is not": put(let(op("**", ZERO, ZERO))),
    "a draw from nothing": put(
        {
            "is": "Bind",
            "name": "a_name",
            "source": {"is": "Draw", "how": "draw", "values": [], "type": "int", "low": 0, "high": 1, "totals": None},
        }
    ),
    "a whole number that is none": put(let({**ZERO, "value": 0.5})),
    "a truth of seven": put(let({**ZERO, "value": 7, "type": "bool"})),
    "a range upside down": put(let({**local("level"), "low": 2, "high": 1})),
    "a number that no backend holds": put(let({**ZERO, "value": 10**30})),
    "a start out of its range": setting("slots", 0, "initial", 0, to=10**6),
    "a slot of nothing": setting("slots", 0, "length", to=0),
    "a table of reals for whole numbers": setting("tables", 0, "values", 0, to=0.5),
    "a function of another name": setting("functions", "step", "name", to="stop"),
    "bits of reals": put(let(op(">>", {**ZERO, "type": "real"}, {**ZERO, "type": "real"}))),
    "a whole number of reals": put(let(op("+", {**ZERO, "type": "real"}, ZERO))),
    "a truth of numbers": put(let(op("and", ZERO, ZERO, type="bool"))),
    "a map of nothing": put(drawn_map("draw_maze", 1, 1)),
    "a map without a hand that draws it": put(drawn_map("draw_sheep", 5, 5)),
    "a map larger than its slot": put(drawn_map("draw_caves", 500, 500)),
    "rooms that do not close": put(drawn_map("draw_rooms", 8, 8)),
    "two parameters of one name": two_of_one_name,
    "a player without eyes": setting("players", 0, "observation", "leaves", 0, "function", to="nowhere"),
    "a reset without a level of its own": setting("functions", "reset", "parameters", 0, "low", to=0),
    "a step without its last action": setting("functions", "step", "parameters", 0, "high", to=4),
    "a step that gives nothing": setting("functions", "step", "results", to=[]),
    "a local that nobody set": put(let(local("nobody"))),
    "a circle of calls": put({"is": "Do", "call": {"is": "Call", "function": "reset", "values": [local("level")], "type": "int", "low": 0, "high": 0}}),
}  # fmt: skip


@pytest.mark.parametrize("broken", UNREADABLE.values(), ids=UNREADABLE)
def test_form__refuses_what_is_no_program(broken: Callable[[Any], None]) -> None:
    """Whatever stands where something else belongs is a ValueError that says so."""
    whole = taxi()
    broken(whole)
    with pytest.raises(ValueError, match="no program of form 3"):
        from_json(json.dumps(whole))


def test_form__refuses_words_that_json_has_not() -> None:
    """`NaN` is no number, and a text of brackets is no program."""
    with pytest.raises(ValueError, match="NaN is no number"):
        from_json('{"form": NaN}')
    with pytest.raises(ValueError, match="no program of form 3"):
        from_json("[" * 100_000)


@pytest.mark.parametrize("broken", UNSOUND.values(), ids=UNSOUND)
def test_verify__tells_what_is_unsound(broken: Callable[[Any], None]) -> None:
    """A program that can be read and not be played is a VerificationError."""
    whole = taxi()
    broken(whole)
    program = from_json(json.dumps(whole))
    with pytest.raises(VerificationError):
        verify(program)


def test_verify__goes_as_deep_as_programs_are_read() -> None:
    """What was read can be proved, however deep it is; what is deeper is refused."""
    read = []
    for depth in (20, 100, 150, 200, 300, 2000):
        whole = taxi()
        first(whole).insert(0, let(deep(depth)))
        try:
            program = from_json(_text(whole))
        except ValueError as error:
            assert "no program of form 3" in str(error)
            continue
        verify(program)
        read.append(depth)
    assert read[:1] == [20] and read[-1] < 2000
