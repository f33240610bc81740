"""The workshop: runs the worker, gives it the newest of what is asked for, and stops it where it takes too long."""

from __future__ import annotations

import asyncio
import contextlib
import sys
import time
from collections.abc import Callable

from griddsl.diagnostics import Refused
from griddsl.editor.worker import LENGTH, Answer, Job, packed

OUTDATED_SECONDS = 2.0  # what a job that nobody waits for any more may still take
MOST_SECONDS = 30.0
LARGEST_ANSWER = 200_000_000  # bytes


class Workshop:
    """Jobs by what they are about: of several for one text only the last is done."""

    def __init__(self, took: Callable[[Job, Answer], None]) -> None:
        self._took = took
        self._waiting: dict[tuple[str, str], Job] = {}
        self._process: asyncio.subprocess.Process | None = None
        self._task: asyncio.Task[None] | None = None
        self._closed = False

    def ask(self, key: tuple[str, str], job: Job) -> None:
        """Let a job be done after those that wait; it takes the place of one with the same key."""
        if self._closed:
            return
        self._waiting[key] = job
        if self._task is None or self._task.done():
            self._task = asyncio.get_running_loop().create_task(self._work())

    async def close(self) -> None:
        """Stop the worker, and do nothing more."""
        self._closed = True
        self._waiting.clear()
        if self._task is not None:
            self._task.cancel()
        await self._stop()

    async def _work(self) -> None:
        with contextlib.suppress(Exception):  # it is started anew for the first job
            await self._started()
        while self._waiting:
            key = next(iter(self._waiting))
            job = self._waiting.pop(key)
            try:
                await self._do(job, key)
            except Exception:  # whatever it died of
                await self._stop()  # the next job has a new one
                self._took(job, Answer(job.number, True))

    async def _do(self, job: Job, key: tuple[str, str]) -> None:
        process = await self._started()
        assert process.stdin is not None and process.stdout is not None
        process.stdin.write(packed(job))
        await process.stdin.drain()
        started = time.monotonic()
        answering = asyncio.ensure_future(self._read(process.stdout))
        while True:
            done, _ = await asyncio.wait({answering}, timeout=0.2)
            if not done:
                passed = time.monotonic() - started
                if passed > MOST_SECONDS or (key in self._waiting and passed > OUTDATED_SECONDS):
                    answering.cancel()
                    with contextlib.suppress(asyncio.CancelledError, OSError, asyncio.IncompleteReadError):
                        await answering
                    raise EOFError
                continue
            answer = answering.result()
            if answer.number == job.number:
                self._took(job, answer)
                if answer.done:
                    return
            answering = asyncio.ensure_future(self._read(process.stdout))

    async def _read(self, stream: asyncio.StreamReader) -> Answer:
        import pickle

        (length,) = LENGTH.unpack(await stream.readexactly(LENGTH.size))
        if length > LARGEST_ANSWER:
            raise Refused("the answer is too long")
        answer = pickle.loads(await stream.readexactly(length))
        assert isinstance(answer, Answer)
        return answer

    async def _started(self) -> asyncio.subprocess.Process:
        if self._process is None or self._process.returncode is not None:
            # `-P`: modules that lie in the folder of somebody's specs are none of ours
            self._process = await asyncio.create_subprocess_exec(
                sys.executable,
                "-P",
                "-c",
                "from griddsl.editor.worker import main; main()",
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
            )
            assert self._process.stdout is not None
            await asyncio.wait_for(self._read(self._process.stdout), MOST_SECONDS)  # it is ready
        return self._process

    def warm_up(self) -> None:
        """Start the worker before anything is asked."""
        if self._task is None:
            self._task = asyncio.get_running_loop().create_task(self._work())

    async def _stop(self) -> None:
        process, self._process = self._process, None
        if process is not None and process.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                process.kill()
            await process.wait()
