"""Statements: a reader for each, from its words to a field of the model."""
