"""Backends run programs; they all mean the same."""
