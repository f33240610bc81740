"""The compass: directions by number, and the step that each takes on the grid."""

COMPASS = ("east", "south", "west", "north", "southeast", "southwest", "northwest", "northeast")
STEPS = ((1, 0), (0, 1), (-1, 0), (0, -1), (1, 1), (-1, 1), (-1, -1), (1, -1))
# What people call them where a picture lies before them.
SAID = {"right": "east", "down": "south", "left": "west", "up": "north"}
