"""Habits in effects: words, forms and blocks that are none of the language, and what is most likely meant."""
