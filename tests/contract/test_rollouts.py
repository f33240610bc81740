"""Every spec has a rollout: a drawing, frame by frame, that anyone can review; ``--update-cases`` draws it anew.

A case is a header (``spec``, ``params``, ``seed``, ``actions``), a line ``---``, then the frames: the action with
its reward and flags, and the board as text. Of several agents, a joint step is their actions joined by ``+``, with a
reward for each.
"""

from __future__ import annotations

import ast
import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import griddsl
from griddsl.registration.ids import bundled_folder
from griddsl.render import to_text
from tests.contract.every_spec import is_for_one

FOLDER = Path(__file__).parents[1] / "cases" / "rollouts"
CASES = sorted(FOLDER.glob("*.txt"))


def header_of(text: str) -> dict[str, str]:
    """Return the lines of a header by their names; an indented line goes on with the one above it."""
    found: dict[str, str] = {}
    name = ""
    for line in text.strip().split("\n"):
        if line.startswith(" "):
            found[name] += " " + line.strip()
        else:
            name, _, value = line.partition(":")
            found[name] = value.strip()
    return found


def params_of(text: str) -> dict[str, Any]:
    """Return ``size=5, slippery=True`` as keywords."""
    pairs = [pair.partition("=") for pair in text.split(",") if pair.strip()]
    return {name.strip(): ast.literal_eval(value.strip()) for name, _, value in pairs}


def flags_of(terminated: bool, truncated: bool, info: dict[str, Any]) -> str:
    """Return what ended in a step, with its outcome."""
    words = [word for word, holds in (("terminated", terminated), ("truncated", truncated)) if holds]
    return " ".join([*words, f"({info['outcome']})"]) if words else "-"


def frames(header: dict[str, str]) -> str:
    """Play a case; return its frames."""
    path = bundled_folder() / f"{header['spec']}.grid"
    if not is_for_one(path):
        return "\n".join(joint_frames(path, header))
    env = griddsl.make(path, **params_of(header.get("params", "")))
    names = [action.name.replace(" ", "") for action in env.program.groups[0].actions]
    env.reset(seed=int(header["seed"]))
    drawn = [f"start\n{textwrap.indent(to_text(env.scene()), '    ')}"]
    for word in header["actions"].split():
        _, reward, terminated, truncated, info = env.step(names.index(word))
        flags = flags_of(terminated, truncated, info)
        drawn.append(f"{word} {reward:g} {flags}\n{textwrap.indent(to_text(env.scene()), '    ')}")
        if terminated or truncated:
            env.reset()
            drawn.append(f"start\n{textwrap.indent(to_text(env.scene()), '    ')}")
    return "\n".join("\n".join(line.rstrip() for line in frame.split("\n")) for frame in drawn)


def joint_frames(path: Path, header: dict[str, str]) -> Iterator[str]:
    """Play a case of several agents; yield its frames."""
    env = griddsl.make_parallel(path, **params_of(header.get("params", "")))
    env.reset(seed=int(header["seed"]))
    yield frame("start", env)
    for word in header["actions"].split():
        joint = {}
        for name, action in zip(env.agents, word.split("+"), strict=True):
            names = [known.name.replace(" ", "") for known in env.players[name].groups[0].actions]
            joint[name] = names.index(action)
        _, rewards, ended, cut, infos = env.step(joint)
        flags = {name: flags_of(ended[name], cut[name], infos[name]) for name in joint}
        told = flags.values() if len(set(flags.values())) == 1 else (f"{n}: {f}" for n, f in flags.items())
        paid = " ".join(f"{reward:g}" for reward in rewards.values())
        yield frame(f"{word} {paid} {', '.join(dict.fromkeys(told))}", env)
        if not env.agents:
            env.reset()
            yield frame("start", env)


def frame(title: str, env: Any) -> str:
    """Return what happened, and the board after it."""
    board = textwrap.indent(to_text(env.scene()), "    ")
    return "\n".join(line.rstrip() for line in f"{title}\n{board}".split("\n"))


@pytest.mark.parametrize("case_file", CASES, ids=lambda path: path.stem, indirect=True)
def test_rollout__is_as_drawn(case_file: Any) -> None:
    """The frames of a case are those in its file."""
    header = header_of(case_file.input)
    assert case_file.path.stem.split("-")[0] == header["spec"]
    case_file.check(frames(header))


def test_rollout__there_is_one_for_every_spec() -> None:
    """No spec goes without a drawing."""
    specs = {path.stem for path in bundled_folder().glob("*.grid")}
    assert len(specs) >= 13
    assert specs == {path.stem.split("-")[0] for path in CASES}
