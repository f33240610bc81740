"""Suitable: which programs can be tables at all, and why others cannot."""

from __future__ import annotations

from griddsl.diagnostics import Refused
from griddsl.program import ir, keys
from griddsl.program.observing import is_noisy
from griddsl.program.program import Program, is_counter


class Unsuitable(Refused):
    """The program, or a state that it is put into, is not one for tables; the message says why."""


def refusal(program: Program) -> str | None:
    """Return why a program is none for tables, where that can be seen without running it."""
    if program.plug_ins:
        return f"{next(iter(program.plug_ins.values()))}, as Python"
    told = [entry for player in program.players for entry in player.info]
    if any(not entry.function for entry in told):
        return "its rules write infos, which are no part of the state"
    if keys.HIDDEN_REWARD in program.layout.offsets:
        return "its rules give hidden rewards, which are told and no part of the state"
    leaves = [leaf for player in program.players for leaf in player.observation.leaves]
    if any(leaf.form in {"pixels", "text", "mission"} for leaf in leaves):
        return "it observes pixels or texts"
    if any(slot.key == keys.TOTAL or is_counter(slot.key) for slot in program.slots):
        return "it tells the sums of an episode"
    if program.keeps_draw:
        return "what it draws once stays for many episodes"
    if is_noisy(program):
        return "it observes with noise, which is drawn anew each time"
    if keys.STEP in program.layout.offsets and _reads_steps(program):
        return "it uses the count of steps for more than its limit"
    return None


def _reads_steps(program: Program) -> bool:
    for name, function in program.functions.items():
        for statement in ir.statements(function.body):
            if isinstance(statement, ir.Store) and statement.slot.key == keys.STEP and name == "step":
                continue
            for value in ir.values_of(statement):
                if name == "step" and _cuts(statement) and _is_limit(value):
                    continue
                if any(isinstance(part, ir.Load) and part.slot.key == keys.STEP for part in ir.parts(value)):
                    return True
    return False


def _cuts(statement: ir.Stmt) -> bool:
    """Whether a statement says that the time is up: what a step of one agent returns, or keeps for each of several."""
    return isinstance(statement, ir.Return) or (
        isinstance(statement, ir.Store) and statement.slot.key == keys.CUT_SHORT
    )


def _is_limit(value: ir.Expr) -> bool:
    """Whether a value is the test of the limit, alone or beside `truncate`; 1 or 0 where several play."""
    if isinstance(value, ir.Select) and isinstance(value.otherwise, ir.Const):
        value = value.test
    if isinstance(value, ir.Op) and value.operator == "or":
        return any(_is_limit(part) for part in value.values)
    return (
        isinstance(value, ir.Op)
        and value.operator == ">="
        and isinstance(value.values[0], ir.Load)
        and value.values[0].slot.key == keys.STEP
        and isinstance(value.values[1], ir.Const)
    )
