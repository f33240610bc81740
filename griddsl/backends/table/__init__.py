"""The table backend: a program whose states can be enumerated becomes look-ups."""
