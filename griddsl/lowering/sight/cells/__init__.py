"""The cells that are seen, the whole grid or a view, and what is written of each."""
