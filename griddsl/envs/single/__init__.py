"""One environment for one agent, as Gymnasium has it."""
