"""Loops as arrays: what is done for all rounds at once, and what is handed on where that cannot be."""
