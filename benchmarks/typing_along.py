"""Measure how long the language server takes to answer a change in 200 lines: `python benchmarks/typing_along.py`.

The clock is the processor's time; what the checker says as one types is measured, not what follows in the worker.
"""

from __future__ import annotations

import statistics
import time

from griddsl.editor.questions.problems import quick_check
from griddsl.editor.text import SpecText
from griddsl.syntax.clauses import remember_clauses

LINES, CHANGES = 200, 30


def long_spec(lines: int) -> str:
    """Return a spec of so many lines, no two of its rules alike."""
    head = "env: a/Long-v0\nvar energy: 9 in 0..99\nmap:\n    @....\nactions: left, right\nobserve: grid\n"
    rules = [
        f"on enter spot{n} if energy > {n} and agent.x != {n}: reward {n} / 10" for n in range(lines - 7)
    ]
    return head + "\n".join(rules) + "\nlimit: 50 steps\n"


def main() -> None:
    """Print the median and the worst answer in milliseconds."""
    remember_clauses(16_384)
    text = long_spec(LINES)
    quick_check(SpecText("file:///a.grid", "/a.grid", text))
    times = []
    for number in range(CHANGES):
        changed = text.replace("energy > 7 ", f"energy > 7{number} ")
        start = time.process_time()
        quick_check(SpecText("file:///a.grid", "/a.grid", changed))
        times.append(1000 * (time.process_time() - start))
    print(
        f"{LINES} lines, {CHANGES} changes: median {statistics.median(times):.1f} ms, worst {max(times):.1f} ms"
    )


if __name__ == "__main__":
    main()
