"""Solve: optimal values and policies, exactly, and what other policies come to."""

from griddsl.exact.solve.measures import Measures, measure, policy_rows
from griddsl.exact.solve.solution import Solution
from griddsl.exact.solve.solving import METHODS, solve

__all__ = ["METHODS", "Measures", "Solution", "measure", "policy_rows", "solve"]
