"""What rules and setup do: events, effects and what these make, place, choose and send elsewhere.

Importing this room lets `performing` know its effects.
"""

from griddsl.lowering.rules import (
    assigning,
    becoming,
    choosing,
    endings,
    letting,
    looping,
    placing,
    repeating,
    rewards,
    sending,
)

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
