"""The door to scipy, which only solving and sparse matrices need."""

from __future__ import annotations

from typing import Any


def scipy_sparse() -> Any:
    """Return ``scipy.sparse``; raise `ImportError` in words where it is not installed."""
    try:
        import scipy.sparse
        import scipy.sparse.csgraph
        import scipy.sparse.linalg
    except ImportError:
        raise ImportError("scipy is not installed: pip install 'griddsl[exact]'") from None
    return scipy.sparse
