"""Checking: everything there is to say of a spec, what only its states can tell among it."""

from __future__ import annotations

import os
from typing import Any

from griddsl.compiler import compile_spec
from griddsl.diagnostics import Diagnostic, Report


def check(source: str | os.PathLike[str], **params: Any) -> list[Diagnostic]:
    """Return everything there is to say about a spec, by place; empty for a clean one. Never raises for a bad spec.

    That the rewards of ``rewards: zero_sum`` cancel is proved where the states are few, and else tried out.
    """
    report = Report()
    spec, program = compile_spec(source, params, report)
    if (
        program is not None
        and spec is not None
        and program.rewards == "zero_sum"
        and len(program.players) > 1
    ):
        from griddsl.exact.cancelling import diagnose_cancelling

        diagnose_cancelling(spec, program, report)
    return list(report)
