"""Checking: all diagnostics of a spec, those that need every state visited among them."""

from __future__ import annotations

from typing import Any

from griddsl.compiler import AnySpec, compile_spec
from griddsl.diagnostics import Diagnostic, Report, SpecError
from griddsl.exact.analysis import Analysis, analyse, diagnose
from griddsl.exact.enumerate import MOST_STATES, Progress
from griddsl.loading import resolve


def check_exactly(
    source: AnySpec,
    *,
    max_states: int = MOST_STATES,
    progress: Progress | None = None,
    **params: Any,
) -> tuple[list[Diagnostic], Analysis | None]:
    """Return everything there is to say about a spec, by place, and its analysis; None for one with errors.

    Raises `ExactError` where the states cannot be enumerated.
    """
    report = Report()
    try:
        spec, program = compile_spec(resolve(source), params, report)
    except SpecError as error:
        return error.diagnostics, None
    if spec is None or program is None or report.has_errors:
        return list(report), None
    analysis = analyse(program, most_states=max_states, progress=progress)
    diagnose(spec, analysis, report)
    return list(report), analysis
