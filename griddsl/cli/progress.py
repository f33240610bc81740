"""A line on the terminal that says how far a long count of states is."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext

BAR = 20
SECONDS_BETWEEN = 0.2
SECONDS_TO_A_LINE = 20.0


class Progress:
    """Shows how far a work is, on one bar: files and variants checked, states found so far, the steps of a solution.

    The bar never goes back; ``visits`` is the share of it that visiting the states has. Where standard error is no
    terminal there is no bar: what takes long is told in lines, of which each next one waits twice as long.
    """

    def __init__(self, visits: float = 1.0) -> None:
        self._is_shown = sys.stderr.isatty()
        self._last = time.monotonic()
        self._drew = False
        self._visits, self._share = visits, 0.0
        self._begun, self._files = 0, 1
        self._started, self._next_line = self._last, SECONDS_TO_A_LINE

    def __call__(self, found: int, done: int, transitions: int) -> None:
        """Show how many states were found, how many of them are done, and the transitions."""
        share = self._visits * done / max(1, found)
        if not found:
            self._show(share, "looking for the states that episodes start in", at_once=True)
            return
        text = f"{done:,} of {found:,} states found so far, {transitions:,} transitions"
        if time.monotonic() - self._started > SECONDS_TO_A_LINE:
            text += "; a smaller map and narrower ranges have fewer"
        self._show(share, text)

    def solving(self, done: int, steps: int) -> None:
        """Show how many steps of a horizon are done, of how many."""
        share = self._visits + (1 - self._visits) * done / max(1, steps)
        self._show(share, f"solved {done:,} of {steps:,} steps")

    def checking(self, done: int, files: int, name: str) -> None:
        """Show how many files are checked, of how many, and which is next; its variants divide its part of the bar."""
        self._begun, self._files = done, files
        of_all = f"{done + 1:,} of {files:,} files: " if files > 1 else ""
        self._show(done / files, f"checking {of_all}{name}", at_once=done == 0)

    def measuring(self, done: int, runs: int, name: str) -> None:
        """Show how many runs are measured, of how many, and which is next."""
        self._show(done / runs, f"measured {done:,} of {runs:,} runs; next is {name}", at_once=done == 0)

    def variant(self, done: int, variants: int, name: str) -> None:
        """Show how many variants of the file are checked, of how many, and which is next."""
        within = (done + 1) / (variants + 1)  # the file itself was first
        self._show(
            (self._begun + within) / self._files, f"checking variant {done + 1:,} of {variants:,}: {name}"
        )

    def _show(self, share: float, text: str, at_once: bool = False) -> None:
        self._share = max(self._share, share)
        now = time.monotonic()
        if not self._is_shown:
            if now - self._started >= self._next_line:
                self._next_line *= 2
                print(f"after {now - self._started:.0f} s: {text}", file=sys.stderr, flush=True)
            return
        if now - self._last < SECONDS_BETWEEN and not at_once:
            return
        self._last, self._drew = now, True
        filled = int(BAR * self._share)
        bar = "█" * filled + "░" * (BAR - filled)
        print(f"\r{bar} {text}", end="\x1b[K", file=sys.stderr, flush=True)

    def clear(self) -> None:
        """Take the line away."""
        if self._drew:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)
        self._drew = False


@contextmanager
def saying(what: str) -> Iterator[None]:
    """Say on the terminal what is being done, as long as it takes."""
    if not sys.stderr.isatty():
        yield
        return
    print(f"\r{what}", end="\x1b[K", file=sys.stderr, flush=True)
    try:
        yield
    finally:
        print("\r\x1b[K", end="", file=sys.stderr, flush=True)


def show_compiling() -> None:
    """From now on say on the terminal what is compiled to machine code, as long as it takes."""
    from griddsl.backends.native.library import on_compiling

    on_compiling(_compiling)


def _compiling(title: str) -> AbstractContextManager[object]:
    if not sys.stderr.isatty():
        return nullcontext()
    from rich.console import Console

    return Console(stderr=True).status(f"compiling {title} to machine code, once", spinner_style="dim")
