"""The compass: the eight directions, the step that each takes on the grid, and what the keys with arrows call them.

The place of a direction in `COMPASS` is its number in states, tables and observations; `y` grows downwards.
"""

from __future__ import annotations

COMPASS = ("east", "south", "west", "north", "southeast", "southwest", "northwest", "northeast")
CARDINALS, DIAGONALS = COMPASS[:4], COMPASS[4:]
LISTS = {
    "directions": CARDINALS,
    "diagonals": DIAGONALS,
}  # words that stand for others, where values are listed
STEPS = ((1, 0), (0, 1), (-1, 0), (0, -1), (1, 1), (-1, 1), (-1, -1), (1, -1))
STEP_OF = dict(zip(COMPASS, STEPS, strict=True))
DIRECTION_OF = {step: direction for direction, step in STEP_OF.items()}
# What people call directions where a picture lies before them: the names of the actions that go there.
ARROWS = {"up": "north", "right": "east", "down": "south", "left": "west"}
# Every word by which a direction is meant.
MEANT_BY = {**{direction: direction for direction in COMPASS}, **ARROWS}
DIAGONAL_ARROWS = {
    "up_right": "northeast",
    "up_left": "northwest",
    "down_right": "southeast",
    "down_left": "southwest",
}
