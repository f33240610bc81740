"""States: what of a state matters, and what its parts are called."""
