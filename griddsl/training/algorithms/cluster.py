"""Ray: started here, or joined at an address."""

from __future__ import annotations

import logging
import os
import socket
from typing import Any

from griddsl.training.failures import TrainingError

SECONDS = 10.0  # until an address is taken for one that does not answer


def connect(address: str | None = None, workers: int = 1) -> Any:
    """Return Ray with room for so many workers; raise `ImportError` where it is not installed.

    Raises `ValueError` where no cluster is at the address, or where it has fewer processors.
    """
    try:
        import ray
    except ImportError:
        raise ImportError("Ray is not installed: pip install 'griddsl[distributed]'") from None
    if not ray.is_initialized():
        if address is not None:
            _check_reachable(address)
        room = {} if address else {"num_cpus": max(workers, os.cpu_count() or 1)}
        try:
            ray.init(
                address=address or "local",
                include_dashboard=False,
                log_to_driver=False,
                logging_level=logging.ERROR,
                **room,
            )
        except (ConnectionError, ValueError, RuntimeError) as error:
            said = str(error).strip().partition("\n")[0]
            raise TrainingError(
                f"Ray cannot be joined at `{address}`: {said}" if address else f"Ray does not start: {said}",
                "RAY_AUTH_MODE=token in the environment joins a cluster that asks for a token"
                if address
                else None,
            ) from None
    found = int(ray.cluster_resources().get("CPU", 0))
    if found < workers:
        raise TrainingError(f"this Ray cluster has {found} processors, and {workers} workers are wanted")
    return ray


def _check_reachable(address: str) -> None:
    """Raise `TrainingError` where nothing answers at ``host:port``, which Ray takes minutes to find out."""
    host, colon, port = address.rpartition(":")
    if not colon or "/" in host or not port.isdigit():
        return
    try:
        socket.create_connection((host, int(port)), SECONDS).close()
    except (OSError, OverflowError) as error:
        raise TrainingError(
            f"nothing answers at `{address}`: {error}", "`ray start --head` starts a cluster"
        ) from None
