"""The nodes of the language: what expressions, effects, triggers and items are, as frozen data.

The last field of a node is its span, which does not count when nodes are compared: two spellings of one thing
are equal wherever they stand.
"""

from griddsl.syntax.nodes.effects import *  # noqa: F403
from griddsl.syntax.nodes.expressions import *  # noqa: F403
from griddsl.syntax.nodes.items import *  # noqa: F403
from griddsl.syntax.nodes.node import PARTS, Node, walk
from griddsl.syntax.nodes.rewriting import each_part, rewritten, with_parts

__all__ = ["PARTS", "Node", "each_part", "rewritten", "walk", "with_parts"]
