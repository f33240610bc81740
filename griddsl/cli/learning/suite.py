"""``griddsl suite``: a policy or a learner in a set of environments, with normalised scores."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from griddsl.cli.failures import ERRORS, Refusal, note
from griddsl.cli.targets import check_target
from griddsl.files.writing import write


def command(
    name: Annotated[str, typer.Argument(metavar="NAME", help="tabular, safety or minigrid.")],
    policy: Annotated[
        str | None,
        typer.Option(
            metavar="WHO",
            help="random, optimal, MODULE:NAME, FILE.py:NAME, or a folder of policy files.",
            show_default=False,
        ),
    ] = None,
    learner: Annotated[
        str | None,
        typer.Option("--with", metavar="LEARNER", help="Train it in each: tabular, sb3, cleanrl or auto."),
    ] = None,
    steps: Annotated[int, typer.Option(min=1, help="The steps that a learner has in each.")] = 50_000,
    seeds: Annotated[int, typer.Option(min=1, max=1000, help="How many seeds.")] = 3,
    episodes: Annotated[int, typer.Option(min=1, help="The episodes of each judgement.")] = 100,
    output: Annotated[
        Path | None,
        typer.Option(metavar="FOLDER", help="Keep what is learned; what is there is not learned again."),
    ] = None,
    plot: Annotated[Path | None, typer.Option(metavar="OUT.svg", help="Draw the scores.")] = None,
) -> None:
    """Judge a policy or a learner in a suite: returns, normalised scores, and their interval over seeds."""
    from griddsl.playing.policies import load_policy_object
    from griddsl.suites import run_suite, suite_of

    suite = suite_of(name)
    check_target(plot, ".svg")
    if (policy is None) == (learner is None):
        raise Refusal("a suite judges a policy or a learner", "`--policy random`, or `--with tabular`")
    given = None
    if policy is not None:
        is_named = policy in {"random", "optimal"} or Path(policy).is_dir()
        if Path(policy).is_file() and not policy.endswith(".py"):
            raise Refusal(
                f"`{policy}` is one file, and a suite has many games",
                "name the folder of the policy files, or FILE.py:NAME",
            )
        given = policy if is_named else load_policy_object(policy)

    def progress(spec_id: str, seed: int) -> None:
        if sys.stderr.isatty():
            print(f"\r{spec_id}, seed {seed}", end="\x1b[K", file=sys.stderr, flush=True)

    try:
        report = run_suite(
            suite,
            policy=given,
            learner=learner,
            steps=steps,
            seeds=range(seeds),
            episodes=episodes,
            output=output,
            progress=progress,
        )
    except ImportError as error:
        raise Refusal(str(error), code=ERRORS) from None
    finally:
        if sys.stderr.isatty():
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)
    print(report)
    if plot is not None:
        write(plot, report.picture())
        note(f"wrote {plot}")
