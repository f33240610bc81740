"""``griddsl new``: a commented spec to start from."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Annotated

import typer

from griddsl.cli.failures import ERRORS, Refusal
from griddsl.writing import write_new

STARTER = """\
# Play it with `griddsl run {file}`, and edit it while you play: every save is followed.
env: {id}
    "Reach the goal, and mind the lava."

# One character a cell: `.` is floor, `#` a wall, `@` where the agent starts.
map:
    #########
    #@......#
    #..~~...#
    #..~~.#.#
    #.....#.#
    #...###.#
    #......G#
    #########
legend: "~" = lava, G = goal

# The order is the number of each action.
actions: up, right, down, left

# What the agent sees: here the number of its cell, y * width + x.
observe: cell

# Rules: a trigger, a colon, effects. `griddsl explain {file}` tells the order of a step.
each step: reward -0.1
on enter lava: reward -1, end failure
on enter goal: reward +1, end success

# An episode that has not ended by then is truncated.
limit: 100 steps
"""
_NAME = re.compile(
    r"(?:(?P<namespace>[A-Za-z0-9_-]+)/)?(?P<name>[A-Za-z][A-Za-z0-9_ -]*?)(?P<version>-v[0-9]+)?"
)


def command(
    name: Annotated[
        str, typer.Argument(metavar="NAME", help="A name such as CoinRoom, or mine/CoinRoom-v0.")
    ],
    folder: Annotated[Path, typer.Option("--in", help="The folder it is written to.")] = Path(),
) -> None:
    """Write ``NAME`` in snake case with the ending ``.grid``; a file that exists is never overwritten."""
    file, spec_id = names_of(name)
    path = folder / file
    if not folder.is_dir():
        raise Refusal(f"there is no folder `{folder}`")
    try:
        write_new(path, STARTER.format(id=spec_id, file=path))
    except FileExistsError:
        raise Refusal(f"`{path}` exists already", "choose another name, or remove it first", ERRORS) from None
    print(f"wrote {path}, with the id {spec_id}")
    print(f"play it: griddsl run {path}")


def names_of(name: str) -> tuple[str, str]:
    """Return the file and the id of a spec's name: ``coin_room.grid`` and ``mine/CoinRoom-v0`` of ``CoinRoom``."""
    found = _NAME.fullmatch(name.removesuffix(".grid").strip())
    if found is None:
        raise Refusal(
            f"`{name}` cannot name a spec", "a name is a letter, then letters, digits, `_` or `-`: CoinRoom"
        )
    words = re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+[a-z]*", found["name"])
    title = "".join(word[:1].upper() + word[1:] for word in words)
    spec_id = f"{found['namespace'] or 'mine'}/{title}{found['version'] or '-v0'}"
    return "_".join(word.lower() for word in words) + ".grid", spec_id
