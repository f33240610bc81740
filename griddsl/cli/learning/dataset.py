"""``griddsl dataset``: a Minari dataset of a spec."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from griddsl.cli.failures import ERRORS, Refusal, note
from griddsl.cli.options import FirstSeed, Level, Params, Spec
from griddsl.cli.progress import saying
from griddsl.cli.sources import find_spec, parse_params


def command(
    spec: Spec,
    to: Annotated[str, typer.Option(metavar="NAME", help="The dataset, as in mine/lake-random-v0.")],
    policy: Annotated[
        str,
        typer.Option(
            metavar="WHO",
            help="random, optimal, a file of `griddsl train`, MODULE:NAME, FILE.py:NAME, or plays: FILE.jsonl.",
        ),
    ] = "random",
    recordings: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR", help="What people played in pages, instead of a policy.", show_default=False
        ),
    ] = None,
    episodes: Annotated[
        int | None, typer.Option(min=1, help="100 by default, and all of plays.", show_default=False)
    ] = None,
    seed: FirstSeed = 0,
    param: Params = None,
    level: Level = None,
    author: Annotated[str | None, typer.Option(help="Who made it.", show_default=False)] = None,
    transfer: Annotated[
        bool, typer.Option("--transfer", help="Play a policy that was trained in another game.")
    ] = False,
) -> None:
    """Record episodes as a Minari dataset, which loads on any machine that has griddsl."""
    path = find_spec(spec)
    params = parse_params(param or (), level)
    from griddsl.cli.policies import policy_of
    from griddsl.training.dataset import recorded
    from griddsl.training.plays import ENDING, fitting, read_plays

    who: Any
    try:
        if recordings is not None:
            who, policy = _recorded(recordings, path, params)[:episodes], "people"
        elif policy.endswith(ENDING):
            who = list(fitting(read_plays(policy), path, params))[:episodes]
        else:
            who, params = policy_of(policy, path, params, transfer)
        with saying("recording episodes"):
            made = recorded(
                path, to, params, policy=who, episodes=episodes, seed=seed, author=author, algorithm=policy
            )
    except ImportError as error:
        raise Refusal(str(error), code=ERRORS) from None
    print(f"{to}: {made.total_episodes:,} episodes, {made.total_steps:,} steps")
    note(f"wrote {made.storage.data_path}")


def _recorded(folder: Path, path: Path, params: dict[str, Any]) -> list[Any]:
    """Return what was played in pages, and say how much of it is left out."""
    from griddsl.web.human_plays import plays_in

    found, left_out = plays_in(folder, path, params)
    if left_out:
        print(
            f"left out: {left_out} episodes of other parameters, chosen levels, practice, or no step",
            file=sys.stderr,
        )
    return list(found)
