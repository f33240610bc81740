"""The step and the reset: the phases of section 7 of the language, in order.

Importing this room lets `performing` know how things are handled, and `meaning` what an agent can do.
"""

from griddsl.lowering.step import ability, handling

__all__ = ["ability", "handling"]
