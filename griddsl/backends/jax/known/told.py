"""What functions of a program tell of themselves: what they read and write, and which slots pass."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from griddsl.backends.jax.known.passing import passing
from griddsl.program import ir
from griddsl.program.passes.effects import EVERYTHING, STREAM, Known, of_block


@dataclass(frozen=True)
class Written:
    """What statements and functions write. What they put back is what they have written themselves since it was kept.

    Who puts back what was kept before, as another try of a loop does, has to see to that.
    """

    functions: Mapping[str, ir.Function]
    known: Known
    found: dict[str, set[str]] = field(default_factory=dict)

    def by(self, block: Sequence[ir.Stmt]) -> set[str]:
        """Return what a block writes."""
        writes: set[str] = set()
        for statement in block:
            match statement:
                case ir.If(_, then, otherwise):
                    writes |= self.by(then) | self.by(otherwise)
                case ir.For() | ir.ForEach() | ir.While() | ir.Reduce(slot=None):
                    writes |= self.by(statement.body)
                case ir.Generate(_, slot):
                    writes |= {slot.name, STREAM}
                case ir.Restore():
                    pass
                case ir.Do(ir.Call(name)) | ir.Bind(_, ir.Call(name)) if name in self.functions:
                    writes |= self._by_function(name)
                case _:
                    writes |= of_block([statement], self.known).writes
        return writes

    def _by_function(self, name: str) -> set[str]:
        if name not in self.found:
            self.found[name] = {EVERYTHING}  # one that calls itself
            self.found[name] = self.by(self.functions[name].body)
        return self.found[name]


@dataclass(frozen=True)
class Told:
    """The functions of a program in the structured form, and what is known of them."""

    functions: Mapping[str, ir.Function]
    known: Known
    written: Written
    passing: frozenset[str]
    asked: frozenset[
        str
    ]  # slots that are saved, or of which anything but what is next written to them depends

    @classmethod
    def by(cls, functions: Mapping[str, ir.Function], slots: Iterable[ir.Slot]) -> Told:
        """Return what is known of functions that work on these slots."""
        known, slots = Known(functions), list(slots)
        asked = _asked(functions).union(slot.name for slot in slots if slot.saved)
        return cls(functions, known, Written(functions, known), passing(functions, slots, known), asked)


def _asked(functions: Mapping[str, ir.Function]) -> frozenset[str]:
    """Return the slots that are read but to be written to themselves, as what counts and is asked by nobody is."""
    return frozenset(
        part.slot.name
        for function in functions.values()
        for statement in ir.statements(function.body)
        for value in ir.values_of(statement)
        for part in ir.parts(value)
        if isinstance(part, ir.Load)
        and not (isinstance(statement, ir.Store) and statement.slot.name == part.slot.name)
    )
