"""Habits: what people write that is not the language, and what they most likely mean by it."""
