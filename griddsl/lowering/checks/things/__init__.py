"""Warnings about things: what is asked of those that are gone, elsewhere, not there yet, or looked at already."""
