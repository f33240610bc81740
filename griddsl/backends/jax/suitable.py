"""Which programs are not for JAX, and what in the spec decides it."""

from __future__ import annotations

from griddsl.diagnostics import Refused
from griddsl.program import ir, keys
from griddsl.program.program import Program

_PLUGGED = {"draws the map": "generate", "moves creatures": "kind", "finds the shortest way": "setup"}


class Unsuitable(Refused):
    """The program is not one for JAX; the message says why, and what to write instead.

    ``statement`` says what of a spec it is about, ``observe``, ``generate``, ``setup``, ``kind``, ``var`` or
    ``mission``, and ``word`` the word there.
    """

    def __init__(self, program: Program, why: str, statement: str, word: str) -> None:
        super().__init__(f"{program.id} is not for JAX: {why}")
        self.statement, self.word = statement, word


def check(program: Program) -> None:
    """Raise `Unsuitable` where a program needs Python, or numbers that no array holds."""
    for plug_in in program.plug_ins.values():
        word = "solvable" if plug_in.name == "shortest" else plug_in.name
        raise Unsuitable(program, f"{plug_in}, in Python", _PLUGGED[plug_in.task], word)
    for player in program.players:
        for leaf in player.observation.leaves:
            if leaf.form == "pixels":
                why = (
                    f"`{leaf.name}` observes pixels, which are drawn by Python; write `observe: grid as planes` or "
                    '`grid as minigrid`, or ask for `observation="image"`: they are arrays'
                )
                raise Unsuitable(program, why, "observe", "pixels")
    for slot in program.slots:
        # Steps are counted in 31 bits everywhere, whatever bounds them.
        if (
            slot.key != keys.STEP
            and slot.saved
            and slot.type == "int"
            and not -(2**31) <= slot.low <= slot.high < 2**31
        ):
            kind, name = ("", slot.key) if isinstance(slot.key, str) else (slot.key[0], str(slot.key[-1]))
            most = slot.high if slot.high >= 2**31 else slot.low
            why = (
                f"`{name.lower() if not kind else name}` may come to {most}, beyond 32 bits; give it a range"
            )
            raise Unsuitable(program, why, "var" if kind == keys.VAR else "kind", name)
    for function in program.functions.values():
        for statement in ir.statements(function.body):
            if isinstance(statement, ir.Ask):
                raise AssertionError(statement)
