"""``griddsl evaluate``: what a policy is worth in a spec."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from griddsl.cli.failures import ERRORS, Refusal
from griddsl.cli.options import FirstSeed, Level, Params, Spec
from griddsl.cli.policies import policy_of
from griddsl.cli.progress import saying
from griddsl.cli.sources import find_spec, parse_params

MOST_STATES = 200_000


def command(
    spec: Spec,
    policy: Annotated[
        str,
        typer.Option(
            metavar="FILE",
            help="A file of `griddsl train`, MODULE:NAME, FILE.py:NAME, `random` or `optimal`.",
        ),
    ],
    episodes: Annotated[int, typer.Option(min=1, help="The episodes that are played.")] = 1000,
    seed: FirstSeed = 0,
    param: Params = None,
    level: Level = None,
    transfer: Annotated[
        bool, typer.Option("--transfer", help="Play a policy that was trained in another game.")
    ] = False,
    max_states: Annotated[
        int, typer.Option(min=1, help="No optimum where there are more states.")
    ] = MOST_STATES,
) -> None:
    """Play a policy and say what it is worth: return and success with intervals, the optimum, the regret."""
    path = find_spec(spec)
    params = parse_params(param or (), level)
    try:
        player, params = policy_of(policy, path, params, transfer)
        from griddsl.compiler import compiled
        from griddsl.training.scoring import score

        with saying(f"playing {episodes:,} episodes"):
            bound = compiled(path, **params)
            found = score(player, bound, episodes=episodes, seed=seed, max_states=max_states)
    except ImportError as error:
        raise Refusal(str(error), code=ERRORS) from None
    rows = [("policy", policy), ("episodes", f"{episodes:,}, seed {seed}"), *found.rows()]
    wide = max(len(name) for name, _ in rows)
    sys.stdout.write("\n".join(f"{name:<{wide}}  {text}" for name, text in rows) + "\n")
