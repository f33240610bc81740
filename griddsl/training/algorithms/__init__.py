"""How a policy is learned: one file an algorithm, and what several share."""
