"""Specs of boards: those of a seed, without whatever needs a cell of who acts."""

from __future__ import annotations

import re
from collections.abc import Sequence

import griddsl
from tests.fuzz.specs.dice import Dice
from tests.fuzz.specs.world import World

ROUNDS = 25
KEPT = ("env", "agents", "map", "generate", "legend", "limit", "turns", "rewards", "param")


def is_nowhere(seed: int) -> bool:
    """Whether the agents of a seed's spec are to stand nowhere, if that can be."""
    return Dice(f"nowhere {seed}").chance(9)


def of_a_board(world: World, statements: Sequence[str]) -> list[str] | None:
    """Return statements in which agents stand nowhere, each line left out that is an error then; None without any."""
    names = {"agent", *(kind.name for kind in world.agents)}
    found = [_emptied(text, _glyphs(statements, names)) for text in statements]
    declared = next((text for text in found if text.startswith("agent: ")), "agent: ")
    found = [text for text in found if text != declared]
    found.insert(1, declared.replace("agent: ", "agent: nowhere, ", 1).rstrip(", "))
    for _ in range(ROUNDS):
        wrong = [each for each in griddsl.check("\n".join(found) + "\n") if each.severity == "error"]
        if not wrong:
            return found
        if not _leave_out(found, wrong[0].span.line):
            return None
    return None


def _glyphs(statements: Sequence[str], names: set[str]) -> set[str]:
    """Return the glyphs of agents: `@`, and what the legend says is one."""
    legend = " ".join(text for text in statements if text.startswith("legend"))
    listed = re.findall(r'(\w|"[^"]") = (\w+)', legend)
    return {"@", *(glyph.strip('"') for glyph, name in listed if name in names)}


def _emptied(text: str, glyphs: set[str]) -> str:
    """Return a map without agents, and an empty cell where each was; and actions without what they are made of."""
    if text.startswith("actions"):
        return re.sub(r" = [^,\n]*", "", text)
    if not text.startswith("map"):
        return text
    head, *rows = text.split("\n")
    return "\n".join([head, *("".join("." if mark in glyphs else mark for mark in row) for row in rows)])


def _leave_out(statements: list[str], line: int) -> bool:
    """Take out a line, or the statement that it begins or is all of; return whether that can be."""
    at = 0
    for index, text in enumerate(statements):
        lines = text.split("\n")
        if line <= at + len(lines):
            own = line - at - 1
            if own and _is_one_of_several(lines, own):
                statements[index] = "\n".join([*lines[:own], *lines[own + 1 :]])
            elif text.split(":")[0].split(" ")[0] in KEPT:
                return False
            elif text.startswith("observe"):
                if text == "observe: grid":
                    return False
                statements[index] = "observe: grid"
            else:
                del statements[index]
            return True
        at += len(lines)
    return False


def _is_one_of_several(lines: list[str], own: int) -> bool:
    """Whether a line heads no block, and is not all that its own block has."""

    def depth(text: str) -> int:
        return len(text) - len(text.lstrip())

    here = depth(lines[own])
    follows = depth(lines[own + 1]) if own + 1 < len(lines) else 0
    return follows == here or (follows < here and depth(lines[own - 1]) == here)
