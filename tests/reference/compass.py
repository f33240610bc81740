"""The compass: the directions in the order of their codes (section 3), and what actions call them."""

COMPASS = ("east", "south", "west", "north", "southeast", "southwest", "northwest", "northeast")
STEPS = ((1, 0), (0, 1), (-1, 0), (0, -1), (1, 1), (-1, 1), (-1, -1), (1, -1))
QUARTERS = COMPASS[:4]
MOVES = {
    "up": "north",
    "right": "east",
    "down": "south",
    "left": "west",
    "up_right": "northeast",
    "up_left": "northwest",
    "down_right": "southeast",
    "down_left": "southwest",
}


def turned(direction: int, quarters: int) -> int:
    """Return a direction turned clockwise by quarters; a diagonal stays a diagonal."""
    return direction // 4 * 4 + (direction + quarters) % 4
