"""``griddsl solve``: the optimal return and policy of a spec, exactly, and pictures of them."""

from __future__ import annotations

import re
import sys
import time
from dataclasses import replace
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from griddsl.cli.failures import ERRORS, Refusal, note
from griddsl.cli.learning.solve_on_disk import solve_on_disk
from griddsl.cli.options import Level, Params, Spec
from griddsl.cli.paint import is_colored, paint
from griddsl.cli.progress import Progress, saying
from griddsl.cli.sources import find_spec, parse_params
from griddsl.cli.targets import check_target

if TYPE_CHECKING:
    from griddsl.exact.mdp import TabularMDP
    from griddsl.exact.solve import Solution
    from griddsl.program.program import Program

MOST_STATES = 200_000
MOST_STEPS = 1_000_000
VISITS = 0.25  # of the bar: to solve to a horizon takes longer than to visit the states


class Method(StrEnum):
    """How a process is solved."""

    auto = "auto"
    value = "value"
    policy = "policy"
    modified = "modified"


class Objective(StrEnum):
    """What is made as large as it can be."""

    returns = "return"
    success = "success"


def command(
    spec: Spec,
    values: Annotated[
        bool, typer.Option("--values", help="Draw the values of the cells as a heat map.")
    ] = False,
    policy: Annotated[bool, typer.Option("--policy", help="Draw the optimal actions as arrows.")] = False,
    where: Annotated[
        str | None,
        typer.Option(
            metavar="COND", help="Draw the states in which this holds: 'agent has key'.", show_default=False
        ),
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option("-o", "--output", metavar="OUT", help="A .png or .svg picture, or .npz, .tra, .pomdp."),
    ] = None,
    discount: Annotated[float, typer.Option(min=0, max=1, help="1: the expected sum of rewards.")] = 1.0,
    horizon: Annotated[
        str | None, typer.Option(metavar="N|limit", help="At most so many steps.", show_default=False)
    ] = None,
    method: Annotated[Method, typer.Option(help="How it is solved.")] = Method.auto,
    objective: Annotated[
        Objective, typer.Option(help="The return, or the chance of success.")
    ] = Objective.returns,
    legal_only: Annotated[
        bool, typer.Option("--legal-only", help="Leave out the actions that `allow` forbids.")
    ] = False,
    param: Params = None,
    level: Level = None,
    max_states: Annotated[
        int | None, typer.Option(min=1, help="Refuse beyond so many states; by default 200,000.")
    ] = None,
    on_disk: Annotated[
        Path | None,
        typer.Option(metavar="FOLDER", help="Keep states and values in Parquet files, and go on with them."),
    ] = None,
    engine: Annotated[
        str | None, typer.Option(help="Of --on-disk: duckdb, or ray.", show_default=False)
    ] = None,
    address: Annotated[str | None, typer.Option(help="The Ray cluster to join.", show_default=False)] = None,
    memory: Annotated[str | None, typer.Option(help="Of --on-disk, such as 2GB.", show_default=False)] = None,
) -> None:
    """Solve a spec exactly; exits with 1 where it has too many states, or no optimum."""
    path = find_spec(spec)
    steps = _steps(horizon)
    if on_disk is not None:
        drawn = values or policy or where is not None or output is not None
        if drawn or legal_only or objective is not Objective.returns:
            raise Refusal("what is solved on disk is the return, and its values are files there")
        given = {"engine": engine, "address": address, "memory": memory, "max_states": max_states}
        solve_on_disk(path, on_disk, parse_params(param or (), level), given, discount, steps)
        return
    if engine is not None or address is not None or memory is not None:
        raise Refusal("an engine keeps states on disk", "add `--on-disk FOLDER`")
    check_target(output, ".png", ".svg", ".npz", ".tra", ".pomdp")
    progress = Progress(visits=VISITS)
    try:
        from griddsl.exact.mdp import mdp_of
        from griddsl.exact.process import need_an_optimum

        found = _lowered(path, where, parse_params(param or (), level))
        if objective is Objective.returns:
            need_an_optimum(found)
        mdp = mdp_of(found, max_states=max_states or MOST_STATES, reward_of_step=True, progress=progress)
        progress.clear()
        if len(mdp.agents) > 1 and (values or policy or where is not None or _is_picture(output)):
            raise Refusal(
                f"pictures of values and actions are of one agent; {mdp.program.id} has {len(mdp.agents)}",
                "`griddsl solve` without them prints the value; `-o FILE.npz` writes all states",
                ERRORS,
            )
        steps = _needed_horizon(mdp, steps, discount)
        started = time.perf_counter()
        with saying(f"solving {mdp.n_states:,} states{_in_steps(steps)}"):
            solution = mdp.solve(
                discount=discount,
                horizon=steps,
                method=method.value,
                objective=objective.value,
                legal_only=legal_only,
                progress=progress.solving,
            )
            report = _report(solution, time.perf_counter() - started)
    except ImportError as error:
        raise Refusal(str(error), code=ERRORS) from None
    finally:
        progress.clear()
    print(report)
    if output is not None and not _is_picture(output):
        with saying(f"writing {mdp.n_states:,} states"):
            written = mdp.save(output)
        for name in written:
            note(f"wrote {name}")
    elif values or policy or where is not None or output is not None:
        _draw(mdp, solution, where, output, values or not policy, policy or not values)


def _is_picture(output: Path | None) -> bool:
    return output is not None and output.suffix not in {".npz", ".tra", ".pomdp"}


def _in_steps(steps: Any) -> str:
    return "" if steps is None else " to the limit" if steps == "limit" else f", {steps:,} steps of each"


def _steps(text: str | None) -> Any:
    if text is None or text == "limit":
        return text
    if re.fullmatch(r"[0-9]{1,7}", text) and 0 < int(text) <= MOST_STEPS:
        return int(text)
    if re.fullmatch(r"[+-]?[0-9]+", text):
        shown = text if len(text) <= 30 else f"{text[:30]}..."
        raise Refusal(f"a horizon is a number of steps from 1 to {MOST_STEPS:,}, not `{shown}`")
    raise Refusal(f"`{text}` is no horizon", "write `--horizon limit`, or a number of steps")


def _lowered(path: Path, where: str | None, params: dict[str, Any]) -> Program:
    from griddsl.compiler import lower_spec
    from griddsl.diagnostics import Report
    from griddsl.exact.slices import with_condition
    from griddsl.loading import load

    model = load(path, **params)
    if where is not None:
        model = with_condition(model, where)
    report = Report()
    program = lower_spec(model, report)[1]
    report.raise_errors()
    assert program is not None
    return program


def _needed_horizon(mdp: TabularMDP, steps: Any, discount: float) -> Any:
    """Return the horizon: the limit where rewards speak of the step and none was asked for."""
    if steps is None and not mdp.has_stationary_rewards and mdp.program.limit is not None and discount == 1:
        print("note: rewards speak of `step`, so episodes end at the limit", file=sys.stderr)
        return "limit"
    return steps


def _report(solution: Solution, seconds: float) -> str:
    facts = solution.facts()
    facts[solution.title] = paint(facts[solution.title], "green", is_colored(sys.stdout))
    facts["solved by"] += f", {seconds:.2g} s"
    wide = max(map(len, facts))
    return "\n".join(f"{name:<{wide}}  {text}" for name, text in facts.items())


def _draw(
    mdp: TabularMDP, solution: Solution, where: str | None, output: Path | None, values: bool, policy: bool
) -> None:
    from griddsl.cli.playing.show import _write
    from griddsl.exact.pictures import scene_of_best
    from griddsl.exact.slices import like_the_start, states_where
    from griddsl.render.ansi import to_ansi

    with saying(f"drawing what is best in {mdp.n_states:,} states"):
        members = like_the_start(mdp) if where is None else states_where(mdp)
        scene = scene_of_best(mdp, solution.values, solution.soonest, members)
        scene = replace(
            scene, values=scene.values if values else None, policy=scene.policy if policy else None
        )
    if output is None:
        print()
        print(to_ansi(scene, color=is_colored(sys.stdout)))
    else:
        _write(scene, output, None)
        note(f"wrote {output}")
