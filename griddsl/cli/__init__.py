"""The command line: one file a verb, and one table that all help is made from."""

from griddsl.cli.app import main

__all__ = ["main"]
