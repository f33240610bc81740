"""What functions take and return: types and ranges, from what they are given and from what they give back."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from griddsl.program import ir
from griddsl.program.program import Program


def calls_from_outside(program: Program) -> Iterator[tuple[str, Sequence[ir.Expr]]]:
    """Yield the functions that adapters call, each with the values that it may be given."""
    yield "reset", [ir.Local("level", "int", program.next_level, len(program.levels) - 1)]
    if "step" in program.functions and program.functions["step"].parameters:
        yield "step", [ir.Local("action", "int", 0, len(group.actions) - 1) for group in program.groups]
    for player in program.players:
        own = [ir.const(number) for number in player.arguments]
        for name in (
            player.mask,
            *(leaf.function for leaf in player.observation.leaves),
            *(entry.function for entry in player.info),
        ):
            yield name, own


def sign(functions: Mapping[str, ir.Function], from_outside: Iterator[tuple[str, Sequence[ir.Expr]]]) -> None:
    """Give every function its signature, in place.

    A parameter is what the function reads it as, which all calls have to keep; one that it does not read is what it
    is given. Results are what the returns claim.
    """
    given: dict[str, list[Sequence[ir.Expr]]] = {}
    for name, values in from_outside:
        given.setdefault(name, []).append(values)
    for function in functions.values():
        for part in ir.parts_of(function):
            if isinstance(part, ir.Call):
                given.setdefault(part.function, []).append(part.values)
    for name, function in functions.items():
        set_again = {name for s in ir.statements(function.body) for name in ir.assigned(s)}
        read: dict[str, list[ir.Expr]] = {}
        for part in ir.parts_of(function):
            if isinstance(part, ir.Local) and part.name not in set_again:
                read.setdefault(part.name, []).append(part)
        function.parameters = tuple(
            ir.hull(p.name, read.get(p.name) or [values[place] for values in given.get(name, [])])
            for place, p in enumerate(function.parameters)
        )
        returned = [s.values for s in ir.statements(function.body) if isinstance(s, ir.Return) and s.values]
        count = max(map(len, returned), default=0)
        function.results = tuple(
            ir.hull("", [values[place] for values in returned]) for place in range(count)
        )
