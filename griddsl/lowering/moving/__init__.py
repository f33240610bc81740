"""How things and agents move: by their own choice, pushed, carried by belts, and against each other."""
