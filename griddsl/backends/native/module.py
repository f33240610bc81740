"""What machine code is made of: the text of a module, and the functions in it that Python calls."""

from __future__ import annotations

from dataclasses import dataclass, field

from griddsl.program.program import Program


@dataclass(frozen=True)
class Kernel:
    """A function that Python calls: its name, what it takes and what it gives.

    ``takes`` has a letter for each argument, ``i`` a whole number and ``a`` an array; the function is given numbers
    only, for an array the address of its values, and last the address where it writes what it gives: 64 bits for each
    letter of ``gives``, ``i`` a whole number, ``f`` a real, ``b`` a flag. Unless it ``keeps_lock`` other threads run
    meanwhile.
    """

    name: str
    takes: str
    gives: str
    keeps_lock: bool = False


@dataclass(frozen=True)
class Text:
    """The text of a module, whose it is, and the large tables beside it: name, values as bytes, and dtype.

    ``program`` is what it was made of, which is proved before it is compiled.
    """

    title: str
    code: str
    tables: tuple[tuple[str, bytes, str], ...] = ()
    program: Program | None = field(default=None, compare=False, repr=False)
