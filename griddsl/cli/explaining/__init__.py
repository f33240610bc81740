"""Verbs that say in words what a spec, a diagnostic and the registry mean."""
