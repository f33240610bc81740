"""What clauses say: things and expressions, as expressions of the program.

Importing this room lets `meaning` know its nodes.
"""

from griddsl.lowering.clauses import expressions, functions, memory, naming, noise

__all__ = ["expressions", "functions", "memory", "naming", "noise"]
