"""The worker: a process of its own for what takes longer than a key press, which the server can stop at any time.

It reads requests from standard input and writes answers to standard output, each pickled behind its length.
"""

from __future__ import annotations

import os
import pickle
import struct
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

from griddsl.diagnostics import Diagnostic, Report
from griddsl.editor.facts import Facts
from griddsl.source import unsaved

LENGTH = struct.Struct("<Q")


@dataclass(frozen=True)
class Job:
    """What is asked: ``checked`` or ``picture`` of a file, as it and the others are while they are not saved."""

    number: int
    wanted: str
    name: str
    contents: dict[str, bytes]


@dataclass(frozen=True)
class Answer:
    """What is known so far; the last of a job's answers says that it is ``done``."""

    number: int
    done: bool
    found: list[Diagnostic] | None = None
    facts: Facts | None = None
    picture: str | None = None


def answers(job: Job) -> Iterator[Answer]:
    """Yield what can be said of a spec, first what its text says, then what its states do."""
    with unsaved({Path(name): content for name, content in job.contents.items()}):
        if job.wanted == "picture":
            yield Answer(job.number, True, picture=_picture(Path(job.name)))
            return
        yield from _checked(job)


def _checked(job: Job) -> Iterator[Answer]:
    from griddsl.checking import check_states
    from griddsl.compiler import compile_spec
    from griddsl.diagnostics import SpecError
    from griddsl.editor.facts import facts_of, with_ranges

    report = Report()
    try:
        spec, program = compile_spec(Path(job.name), {}, report)
    except SpecError as error:
        yield Answer(job.number, True, list(error.diagnostics))
        return
    if spec is None or program is None:
        yield Answer(job.number, True, list(report))
        return
    spec = spec.plain
    facts = facts_of(spec, program)
    yield Answer(job.number, False, list(report), facts)
    check_states(spec, program, report)
    yield Answer(job.number, False, list(report), facts)
    yield Answer(job.number, True, list(report), with_ranges(facts, spec, program))


def _picture(path: Path) -> str | None:
    """Return the first state as an SVG; None for a spec that has errors."""
    from griddsl.diagnostics import SpecError
    from griddsl.envs.making import env_of
    from griddsl.render import default_cell_pixels, to_svg

    try:
        scene = env_of(path, 0).scene()
    except SpecError:
        return None
    return to_svg(scene, default_cell_pixels(scene.width, scene.height))


def read(stream: BinaryIO) -> Any:
    """Return the next value of a stream; None at its end."""
    head = stream.read(LENGTH.size)
    if len(head) < LENGTH.size:
        return None
    return pickle.loads(stream.read(LENGTH.unpack(head)[0]))


def packed(value: Any) -> bytes:
    """Return a value as it is written to a stream."""
    content = pickle.dumps(value)
    return LENGTH.pack(len(content)) + content


def main() -> None:
    """Answer one request after the other until standard input ends."""
    import griddsl.checking
    import griddsl.exact.check.trying
    import griddsl.exact.enumerate
    import griddsl.lowering.lower
    from griddsl.syntax.clauses import remember_clauses

    del griddsl
    stdin, stdout = sys.stdin.buffer, os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # whatever else is printed is no answer
    remember_clauses(8_192)
    stdout.write(packed(Answer(0, True)))
    stdout.flush()
    while (job := read(stdin)) is not None:
        try:
            for answer in answers(job):
                stdout.write(packed(answer))
                stdout.flush()
        except Exception as error:  # a fault of ours must not silence the editor
            print(f"griddsl: {job.wanted} of {job.name}: {error!r}", file=sys.stderr)
            stdout.write(packed(Answer(job.number, True)))
            stdout.flush()
