"""What rules and setup do: events, effects and what these make, place, choose and send elsewhere.

Importing this room lets `performing` know its effects.
"""

from griddsl.lowering.rules import choosing, effects, letting, placing, repeating

__all__ = ["choosing", "effects", "letting", "placing", "repeating"]
