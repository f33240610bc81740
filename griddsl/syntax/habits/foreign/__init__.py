"""Habits of other languages: their words and signs, and what says the same here."""
