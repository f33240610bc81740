"""Diagonals: whether a spec, as it is written, speaks of one where that can turn an agent."""

from __future__ import annotations

from griddsl.compass import DIAGONAL_ARROWS, DIAGONALS
from griddsl.spec.models import GridSpec
from griddsl.syntax import nodes as n
from griddsl.syntax.nodes import walk

_WORDS = frozenset({*DIAGONALS, *DIAGONAL_ARROWS, "diagonals"})


def names_diagonals(spec: GridSpec) -> bool:
    """Whether what can turn an agent, or give it a facing, names a diagonal direction.

    It is asked of the text, before definitions and lists are put where they are used: how many directions
    `facing` counts does not depend on which values of a list make a difference.
    """
    parts = (
        [group.items for group in spec.actions],
        [kind.items for kind in spec.kinds],
        [(each.default, each.domain) for each in (*spec.variables, *spec.params)],
        spec.legend,
        spec.preparing,
        [(each.value, each.effects) for each in spec.definitions],
        [rule.effects for rule in spec.rules],
    )
    for node in walk(parts):
        if isinstance(node, n.Name | n.ActionItem | n.Primitive) and node.name in _WORDS:
            return True
        if isinstance(node, n.Joystick) and getattr(node.directions, "value", 8) == 8:
            return True
    return False
