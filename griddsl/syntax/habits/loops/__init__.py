"""Habits in loops and in what is said of several values: heads, comprehensions, quantifiers and strides."""
