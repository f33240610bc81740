"""Rewriting: trees of nodes with other parts; what did not change is the same object, so that `is` tells."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass, replace
from typing import TYPE_CHECKING, Any, TypeVar

from griddsl.source import Span

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

    _Whole = TypeVar("_Whole", bound=DataclassInstance)


def with_parts(whole: _Whole, parts: Mapping[str, Any]) -> _Whole:
    """Return a node or a declaration with others in the place of some parts, by their names; itself where none are."""
    return replace(whole, **parts) if parts else whole


def each_part(whole: _Whole, rewrite: Callable[[object], object]) -> _Whole:
    """Return a node or a declaration with each of its parts rewritten, as what can stand in the same place."""
    changes = {}
    for each in fields(whole):
        old = getattr(whole, each.name)
        new = rewrite(old)
        if new is not old:
            changes[each.name] = new
    return with_parts(whole, changes)


def rewritten(tree: object, rewrite: Callable[[object], object]) -> object:
    """Return a tuple, node or declaration with each of its parts rewritten; whatever has no parts as it is."""
    if isinstance(tree, tuple):
        parts = tuple(map(rewrite, tree))
        return tree if all(new is old for new, old in zip(parts, tree, strict=True)) else parts
    if not is_dataclass(tree) or isinstance(tree, type | Span):
        return tree
    return each_part(tree, rewrite)
