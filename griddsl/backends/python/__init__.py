"""The Python backend, the reference for all others: the generated source, run as it stands."""

from griddsl.backends.python.emit import Machine, build

__all__ = ["Machine", "build"]
