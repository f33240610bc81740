"""Verbs of a spec's text: it is checked, laid out, converted, begun."""
