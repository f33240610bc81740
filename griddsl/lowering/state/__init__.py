"""State: the program under construction, and where it holds the state of the world."""
