"""What effects do: what they make, place, choose, change and send elsewhere.

Importing this room lets `performing` know its effects.
"""

from griddsl.lowering.effects import (
    assigning,
    becoming,
    endings,
    letting,
    looping,
    placing,
    repeating,
    rewards,
    sending,
)
from griddsl.lowering.effects.drawn import choosing

__all__ = [
    "assigning",
    "becoming",
    "choosing",
    "endings",
    "letting",
    "looping",
    "placing",
    "repeating",
    "rewards",
    "sending",
]
