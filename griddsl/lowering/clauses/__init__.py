"""What clauses say: things, expressions, conditions and cells, as expressions of the program.

Importing this room lets `meaning` know every node.
"""

from griddsl.lowering.clauses import (
    cells,
    expressions,
    functions,
    memory,
    naming,
    noise,
    paths,
    ranging,
    relations,
    superlatives,
)

__all__ = [
    "cells",
    "expressions",
    "functions",
    "memory",
    "naming",
    "noise",
    "paths",
    "ranging",
    "relations",
    "superlatives",
]
