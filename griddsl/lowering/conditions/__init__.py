"""What conditions say: logic, comparisons, relations, and the cells and things that are found by them.

Importing this room lets `meaning` know its nodes.
"""

from griddsl.lowering.conditions import (
    being,
    cells,
    comparing,
    logic,
    paths,
    ranging,
    relations,
    superlatives,
)

__all__ = ["being", "cells", "comparing", "logic", "paths", "ranging", "relations", "superlatives"]
