"""MinAtar's five games beside ours: how fast each steps, alone and in a batch of 1,024, and how long each is.

Run with MinAtar installed (`pip install --no-deps minatar`): ``python benchmarks/minatar_games.py`` measures in turns
in one process, random actions, resets included; ``--write`` puts the table into docs/performance.md.
"""

from __future__ import annotations

import argparse
import ast
import inspect
import io
import logging
import re
import tokenize
import warnings
from importlib import import_module
from pathlib import Path
from typing import Any

import gymnasium as gym
import numpy as np
from timing import PAGE, Run, batch, compared, single

import griddsl

GAMES = {
    "Breakout": "breakout",
    "Freeway": "freeway",
    "Asterix": "asterix",
    "SpaceInvaders": "space_invaders",
    "Seaquest": "seaquest",
}
SPECS = Path(__file__).parent.parent / "specs"
MARK = "<!-- minatar -->"
HEAD = (
    "| game | `gym.make`, Python | `gym.make`, auto | the original | batch of 1,024 "
    "| nothing, `gym.make` | nothing, batch | spec, lines | its code |"
)
BATCH = 1024


def lines_of_code(text: str) -> int:
    """Return how many lines of Python say something: neither blank, nor a comment, nor a text that documents."""
    silent = {
        tokenize.COMMENT,
        tokenize.NL,
        tokenize.NEWLINE,
        tokenize.INDENT,
        tokenize.DEDENT,
        tokenize.ENDMARKER,
    }
    said: set[int] = set()
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type not in silent:
            said.update(range(token.start[0], token.end[0] + 1))
    for node in ast.walk(ast.parse(text)):
        if (
            isinstance(node, ast.Expr)
            and isinstance(node.value, ast.Constant)
            and isinstance(node.value.value, str)
        ):
            said -= set(range(node.lineno, (node.end_lineno or node.lineno) + 1))
    return len(said)


def lines_of_spec(text: str) -> int:
    """Return how many lines of a spec say something, the rows of its map included."""
    return sum(1 for line in text.split("\n") if line.strip() and not line.strip().startswith("#"))


class Nothing(gym.Env[Any, Any]):
    """A game in which nothing happens: a step clears a picture and gives a copy of it, as little as any can do."""

    def __init__(self, like: gym.Env[Any, Any]) -> None:
        self.observation_space, self.action_space = like.observation_space, like.action_space
        shape = like.observation_space.shape
        assert shape is not None
        self._bytes = bytearray(int(np.prod(shape)))
        self._picture = np.frombuffer(self._bytes, np.uint8).reshape(shape)

    def reset(self, *, seed: int | None = None, options: Any = None) -> tuple[Any, dict[str, Any]]:
        """Return the picture."""
        return self._picture.copy(), {}

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Clear the picture and return a copy."""
        self._bytes[:] = bytes(len(self._bytes))
        return self._picture.copy(), 0.0, False, False, {}


def nothing(like: gym.Env[Any, Any]) -> list[Run]:
    """Return runs of nothing, with pictures like a game's: one through `gym.make`, and a batch of pictures."""
    made: Any = Nothing
    gym.register("Nothing-v0", made, kwargs={"like": like})
    one = single(lambda: gym.make("Nothing-v0"))
    del gym.registry["Nothing-v0"]
    pictures = np.zeros((BATCH, *(like.observation_space.shape or ())), np.uint8)

    def many() -> None:
        pictures.fill(0)
        pictures.copy()

    return [one, (many, BATCH)]


def step_time(ours: Run, theirs: Run, repeats: int, seconds: float) -> tuple[float, float, float]:
    """Return the times of both in nanoseconds, and the median ratio."""
    mine, peer, quartiles = compared(ours, theirs, repeats, seconds)
    return mine, peer, quartiles[1]


def shown(nanoseconds: float) -> str:
    """Return a time in words."""
    return f"{nanoseconds / 1000:.2f} us" if nanoseconds >= 1000 else f"{nanoseconds:.0f} ns"


def row(name: str, module: str, repeats: int, seconds: float) -> str:
    """Measure a game; return its row."""
    theirs = single(lambda: gym.make(f"MinAtar/{name}-v1"))
    id = f"griddsl/MinAtar-{name}-v1"
    runs: list[Any] = [
        single(lambda: gym.make(id, backend="python")),
        single(lambda: gym.make(id)),
        batch(lambda: gym.make_vec(id, num_envs=BATCH)),
        *nothing(gym.make(id)),
    ]
    times = [step_time(run, theirs, repeats, seconds) for run in runs]
    python, auto, many, *least = (f"{shown(mine)}, {ratio:.3g}x" for mine, _, ratio in times)
    code = inspect.getsource(import_module(f"minatar.environments.{module}"))
    spec = (SPECS / f"minatar_{module}.grid").read_text(encoding="utf-8")
    return (
        f"| {name} | {python} | {auto} | {shown(times[0][1])} | {many} | {' | '.join(least)} "
        f"| {lines_of_spec(spec)} | {lines_of_code(code)} |"
    )


def main() -> None:
    """Measure all, and print or write the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=0.2)
    parser.add_argument("--write", action="store_true", help=f"put the table into {PAGE.name}")
    given = parser.parse_args()
    logging.disable(logging.WARNING)  # what draws MinAtar's frames need not be there
    warnings.simplefilter("ignore")
    import_module("minatar.gym").register_envs()
    assert griddsl.__version__
    rows = []
    for name, module in GAMES.items():
        rows.append(row(name, module, given.repeats, given.seconds))
        print(rows[-1], flush=True)
    table = "\n".join([HEAD, re.sub(r"[^|]+", "---", HEAD), *rows])
    if given.write:
        page = PAGE.read_text(encoding="utf-8")
        page = re.sub(f"{MARK}.*?{MARK}", lambda _: f"{MARK}\n\n{table}\n\n{MARK}", page, flags=re.DOTALL)
        PAGE.write_text(page, encoding="utf-8")


if __name__ == "__main__":
    main()
