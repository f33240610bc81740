"""Passes: a program becomes another one that does the same, in a form that somebody asks for."""
