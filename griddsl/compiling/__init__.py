"""Compiling: what the pipeline needs besides its stages: the rest of a broken text, and what was compiled before."""
