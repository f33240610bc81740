"""TOML specs: a tree that keeps positions, and the statements in it."""
