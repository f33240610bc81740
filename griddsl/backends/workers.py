"""Threads that share the work on a batch, and a process that lost them in a fork."""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from typing import Any

_LOG = logging.getLogger("griddsl")
_said: list[int] = []  # the processes that were told that they have one thread


class Workers:
    """Carries out the parts of a work side by side, each in a thread of its own.

    A forked process has a copy of all memory and none of the threads: to wait for them is to wait for ever, so there
    the parts are carried out one after the other, with the same results.
    """

    def __init__(self, threads: int) -> None:
        self._process = os.getpid()
        self._pool = ThreadPoolExecutor(threads)

    def run(self, work: Callable[..., Any], parts: Sequence[tuple[Any, ...]]) -> list[Any]:
        """Return what the work gives for each part; what it raises is raised when all parts are done."""
        if os.getpid() != self._process:
            self._say()
            return [work(*part) for part in parts]
        jobs = [self._pool.submit(work, *part) for part in parts]
        wait(jobs)
        return [job.result() for job in jobs]

    def _say(self) -> None:
        if os.getpid() not in _said:
            _said[:] = [os.getpid()]
            _LOG.warning(
                "a batch with several threads was taken along by a fork, which threads are not: here it steps "
                "with one; make it in this process, or start processes by `spawn`"
            )
