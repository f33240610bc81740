"""What is raised where something cannot be done as it was asked for."""

from __future__ import annotations


class Refused(ValueError):
    """What cannot be done as it was asked for; the text says why, and is for whoever asked.

    Any other `ValueError` is a fault of the package, and nobody catches it.
    """
