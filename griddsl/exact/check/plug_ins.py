"""Plug-ins: whether what installed packages bring can be loaded, and a few resets go well with it."""

from __future__ import annotations

from griddsl.backends.python import build
from griddsl.program.program import PlugIn, Program
from griddsl.program.runtime import SetupFailure
from griddsl.refused import Refused

RESETS = 3


def failing(program: Program) -> SetupFailure | tuple[PlugIn, str] | None:
    """Return how a reset failed, or which plug-in did and why; None where all is well, and where there are none."""
    asked = [each for each in program.plug_ins.values() if each.span is not None and each.draws]
    if not asked:
        return None
    try:
        machine = build(program)
        for seed in range(RESETS):
            s, f, r = machine.new_state()
            r[0] = seed
            machine.functions["reset"](s, f, r, -1)
    except SetupFailure as failure:
        return failure
    except Refused as error:
        named = next((each for each in asked if str(error).startswith(str(each))), asked[0])
        return named, str(error).removesuffix(named.asked)
    return None
