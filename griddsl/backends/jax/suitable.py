"""Which programs are not for JAX, and where in the spec that is decided."""

from __future__ import annotations

from griddsl.diagnostics import Refused
from griddsl.program import ir
from griddsl.program.program import Program


class Unsuitable(Refused):
    """The program is not one for JAX; the message says why, and what to write instead."""


def check(program: Program) -> None:
    """Raise `Unsuitable` where a program needs Python, or numbers that no array holds."""
    for plug_in in program.plug_ins.values():
        raise Unsuitable(f"{program.id} is not for JAX: {plug_in}, in Python")
    for player in program.players:
        for leaf in player.observation.leaves:
            if leaf.form == "pixels":
                raise Unsuitable(
                    f"{program.id} is not for JAX: `{leaf.name}` observes pixels, which are drawn by Python; "
                    "write `observe: grid as image` or `planes (...)`, which are arrays"
                )
            if leaf.form == "text":
                raise Unsuitable(
                    f"{program.id} is not for JAX: `{leaf.name}` observes the board as text; write `grid as codes`, "
                    "which shows the same as numbers"
                )
    for slot in program.slots:
        # Steps are counted in 31 bits everywhere, whatever bounds them.
        if (
            slot.key != "STEP"
            and slot.saved
            and slot.type == "int"
            and not -(2**31) <= slot.low <= slot.high < 2**31
        ):
            raise Unsuitable(
                f"{program.id} is not for JAX: {slot.name.lower()} may come to {slot.high}, beyond 32 bits; give "
                "it a range"
            )
    for function in program.functions.values():
        for statement in ir.statements(function.body):
            if isinstance(statement, ir.Ask):
                raise AssertionError(statement)
