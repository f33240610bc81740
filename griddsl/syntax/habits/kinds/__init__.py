"""Habits in `tile`, `object` and `var`: properties and movers in other words."""
