"""What is claimed of values, and what is noted where that does not follow."""

from __future__ import annotations

from dataclasses import dataclass, field

from griddsl.program import ir
from griddsl.program.printer import print_expression
from griddsl.program.program import Program
from griddsl.program.proof.ranges import Range, lies_in


@dataclass(frozen=True, slots=True)
class Fault:
    """A claim that does not follow: in which function, of what kind, and what was found."""

    function: str
    kind: str
    message: str

    def __str__(self) -> str:
        return f"{self.function}: {self.kind}: {self.message}"


@dataclass(slots=True, kw_only=True)
class Claims:
    """What the values of one function claim, and the faults that were found; none is noted where it ``is_quiet``."""

    program: Program
    function: str
    faults: list[Fault] = field(default_factory=list)
    is_quiet: int = 0
    own: frozenset[int] = frozenset()

    def __post_init__(self) -> None:
        self.own = frozenset(map(id, (*self.program.slots, *self.program.tables)))

    def fault(self, kind: str, message: str) -> None:
        """Note what cannot be proved."""
        if not self.is_quiet:
            self.faults.append(Fault(self.function, kind, message))

    def fits(self, found: Range, wanted: Range, type: ir.Type, what: str, given: ir.Type) -> None:
        """Prove that what is given is of a type, and lies in a range."""
        if type != "real" and not lies_in(found, wanted):
            self.fault("fit", f"{what} is from {found[0]} to {found[1]}, not {wanted[0]} to {wanted[1]}")
        if given != type and not (given == "int" and type == "real"):
            self.fault("type", f"{what} is {given}, not {type}")

    def of_program(self, *things: ir.Slot | ir.Table) -> None:
        """Prove that slots and tables are the program's own."""
        for thing in things:
            if id(thing) not in self.own:
                self.fault("name", f"{thing.name} is none of the program's")

    def is_of(self, value: ir.Expr, type: ir.Type) -> None:
        """Prove that a value is read as what it is."""
        if value.type != type:
            self.fault("type", f"{print_expression(value)} is {type} and read as {value.type}")
