"""The vocabulary: every word of the language, what it means, and where it stands in a text."""
