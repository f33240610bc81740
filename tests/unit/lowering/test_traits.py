"""Traits: every effect says what it can do, where its meaning is written, and nobody keeps a list of effects."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path
from typing import get_args

import pytest

import griddsl.lowering.lower  # noqa: F401 - lets every effect be declared
from griddsl.lowering.rules.performing import performs
from griddsl.lowering.traits import EFFECTS, Traits, declare, effects_in, traits
from griddsl.syntax import nodes as n

ROOT = Path(__file__).parents[3] / "griddsl"
NAMES = {effect.__name__ for effect in EFFECTS}


def _effects_named(node: ast.AST) -> set[str]:
    """Return the effects that a tuple, a union or a pattern of alternatives lists."""
    parts: list[ast.AST] = []
    if isinstance(node, ast.Tuple | ast.List | ast.Set):
        parts = list(node.elts)
    elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr):
        return _effects_named(node.left) | _effects_named(node.right)
    elif isinstance(node, ast.MatchOr):
        parts = [part.cls for part in node.patterns if isinstance(part, ast.MatchClass)]
    elif isinstance(node, ast.Attribute):
        parts = [node]
    return {
        part.attr
        for part in parts
        if isinstance(part, ast.Attribute) and isinstance(part.value, ast.Name) and part.value.id == "n"
    } & NAMES


def _lists(tree: ast.AST) -> Iterator[tuple[int, set[str]]]:
    """Yield the lists of effects in a module; what parameters are annotated with is none."""
    annotations = {
        id(part)
        for node in ast.walk(tree)
        for each in (getattr(node, "annotation", None), getattr(node, "returns", None))
        if each is not None
        for part in ast.walk(each)
    }
    for node in ast.walk(tree):
        if id(node) not in annotations and len(found := _effects_named(node)) > 1:
            yield getattr(node, "lineno", 0), found


def test_every_effect__declares_its_traits() -> None:
    """What is an effect of the language has its traits declared beside the function that emits it."""
    assert set(EFFECTS) == set(get_args(n.Effect))
    lowered = set(EFFECTS) - {n.CarryOut}  # which is written out before: the block that it stands for
    assert all(isinstance(traits(object.__new__(effect)), Traits) for effect in lowered)


def test_effect_without_traits__is_refused() -> None:
    """A new effect cannot be taught without its traits, nor with others the second time, nor asked for before."""
    with pytest.raises(TypeError, match="traits"):
        performs(n.End)  # type: ignore[call-arg]
    with pytest.raises(AssertionError, match="declared twice"):
        declare(n.End, Traits())

    class Explode(n.Node):
        """An effect that nobody has declared."""

    with pytest.raises(LookupError, match="Explode"):
        traits(Explode())


def test_effects__are_listed_nowhere() -> None:
    """No module of the compiler asks for one of several effects by their classes: a new one would be forgotten."""
    files = [path for room in ("lowering", "exact") for path in (ROOT / room).rglob("*.py")]
    assert len(files) > 80
    found = [
        (str(path.relative_to(ROOT)), line, names)
        for path in [*files, ROOT / "checking.py"]
        for line, names in _lists(ast.parse(path.read_text(encoding="utf-8")))
    ]
    assert found == []


def test_rounds__are_the_effects_that_carry_out_a_block() -> None:
    """Who goes through blocks asks `Rounds`, in which every effect with a block has its place."""
    with_block = {effect for effect in EFFECTS if any(each.name == "body" for each in fields(effect))}
    assert with_block == {*get_args(n.Rounds)}


def test_list_of_effects__is_seen() -> None:
    """The search for lists sees tuples, unions and patterns, and leaves annotations alone."""
    text = "A = (n.End, n.Out)\nisinstance(x, n.Go | n.Move | int)\nmatch x:\n case n.If() | n.Retry():\n  pass\n"
    text += "def f(x: n.Retry | n.Repeat) -> None: ...\n"
    assert len({line for line, _ in _lists(ast.parse(text))}) == 3


def test_effects_in__yields_those_that_others_hold() -> None:
    """Effects in blocks of others are found, each with its own traits."""
    span = None
    inner = n.End(None, span)  # type: ignore[arg-type]
    outer = n.If(((None, (inner,)),), span)  # type: ignore[arg-type]
    assert [(effect, can.ends) for effect, can in effects_in((outer,))] == [(outer, False), (inner, True)]
