"""Functional models: states as values, chances, and what can be proved of them."""
