"""Desugaring: each pass returns the same spec without one of the forms that only say others shortly."""
