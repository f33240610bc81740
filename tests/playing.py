"""A game for tests: a spec's text, played by the names of its actions, read by drawing and by name."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

import griddsl
from griddsl.diagnostics import Diagnostic
from griddsl.envs.single.grid_env import GridEnv
from griddsl.program.ir import Key
from griddsl.render import to_text

NATIVE = pytest.param(
    "native", marks=pytest.mark.skipif(find_spec("numba") is None, reason="numba is not installed")
)
ENDINGS = ("outcome", "is_success", "result")
DEFAULTS = {"env": "env: test/Game-v0", "observe": "observe: cell", "limit": "limit: 1000 steps"}


def completed(text: str) -> str:
    """Return a text with the statements that it leaves out: an id, an observation, a limit."""
    keywords = {line.split(":")[0].split(" ")[0] for line in text.split("\n") if line[:1].isalpha()}
    return (
        "\n".join([text.strip("\n"), *(line for word, line in DEFAULTS.items() if word not in keywords)])
        + "\n"
    )


def problems(text: str) -> list[Diagnostic]:
    """Return what there is to say about a text, completed."""
    return griddsl.check(completed(text))


def is_proved(diagnostic: Diagnostic) -> bool:
    """Whether it was found by visiting every state: a fragment has rules that nothing in it makes fire."""
    return (diagnostic.help or "").startswith("proved by visiting")


def is_of_a_fragment(diagnostic: Diagnostic) -> bool:
    """Whether it says that something never, or always, comes about: in a fragment little does, and nobody picks up."""
    never = {"always-true", "never-true", "never-moves", "lies-there"}
    untaken = (diagnostic.help or "").startswith("nothing picks it up")
    return diagnostic.code in never or is_proved(diagnostic) or untaken


class Game:
    """One environment that is played: ``do`` takes steps, the rest tells what is there."""

    def __init__(self, source: str | Path, seed: int = 0, **params: Any) -> None:
        found = [] if isinstance(source, Path) else [d for d in problems(source) if not is_of_a_fragment(d)]
        assert not found, "\n".join(f"{d.code}: {d.message} at {d.span.text!r}" for d in found)
        self.env: GridEnv = griddsl.make(
            source if isinstance(source, Path) else completed(source), **{"backend": "python", **params}
        )
        self.names = [action.name for action in self.env.program.groups[0].actions]
        self.reset(seed)

    def reset(self, seed: int | None = None) -> Game:
        """Start an episode."""
        self.observation, self.info = self.env.reset(seed=seed)
        self.reward, self.terminated, self.truncated = 0.0, False, False
        return self

    def do(self, actions: str) -> Game:
        """Take steps, by the names of their actions."""
        for name in actions.split():
            step = self.env.step(self.names.index(name))
            self.observation, self.reward, self.terminated, self.truncated, self.info = step
        return self

    def rewards(self, actions: str) -> list[float]:
        """Take steps; return their rewards."""
        return [round(self.do(name).reward, 9) for name in actions.split()]

    @property
    def told(self) -> dict[str, Any]:
        """What the spec's own entries of info say; of the episode's end says `info`."""
        return {name: value for name, value in self.info.items() if name not in ENDINGS}

    @property
    def board(self) -> str:
        """The map as it is now, drawn by glyphs."""
        return "\n".join(line.rstrip() for line in to_text(self.env.scene()).split("\n"))

    def __getitem__(self, name: str) -> str:
        """Return a variable or a chosen name in words."""
        return self.env.value_of(name)

    def slot(self, key: Key) -> list[int]:
        """Return the numbers of a slot of the state."""
        (slot,) = (slot for slot in self.env.program.slots if slot.key == key)
        at = self.env.program.layout.offsets[key]
        return list(self.env._s[at : at + slot.length])


def drawing(text: str) -> str:
    """Return a drawing without its indentation."""
    import textwrap

    return "\n".join(line.rstrip() for line in textwrap.dedent(text).strip("\n").split("\n"))
