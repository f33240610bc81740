"""Making specs, playing them in every way, and what is kept of those that fail."""

from __future__ import annotations

import contextlib
import os
import re
import time
import traceback
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from tempfile import TemporaryDirectory

import griddsl
from griddsl.compiler import compile_text, compiled
from griddsl.compiling.cache import Compiled
from griddsl.diagnostics import Report
from griddsl.lowering.state import nearby
from griddsl.source import Source
from tests.fuzz.mutate import Hang, time_limit
from tests.fuzz.specs.chances import check_model, check_process, check_start
from tests.fuzz.specs.defining import check_reference
from tests.fuzz.specs.making import spec_of
from tests.fuzz.specs.on_jax import check_jax
from tests.fuzz.specs.playing import (
    check_backends,
    check_base,
    check_batches,
    check_claims,
    check_copies,
    check_javascript,
    check_pictures,
    check_structured,
    check_verified,
)
from tests.fuzz.specs.traces import STEPS, Case
from tests.fuzz.specs.writing import check_formats, check_words

Check = Callable[[Case], None]
FILES = Path(__file__).parent / "files"
CHECKS: tuple[Check, ...] = (
    check_base,
    check_reference,
    check_pictures,
    check_formats,
    check_words,
    check_backends,
    check_claims,
    check_verified,
    check_structured,
    check_copies,
    check_batches,
    check_javascript,
    check_model,
    check_start,
    check_process,
)
# What may take long because there is much to visit; running out of time is no fault of theirs, nor of JAX, which
# compiles.
PATIENT = {check_model, check_start, check_process, check_reference}
SECONDS_A_CHECK = 60.0
SLOW_RESETS = ("solvable", "optimal_length")  # at each reset all states are searched
SECONDS_OF_SEARCHES = 6.0  # those that end at all end in less
SECONDS_OF_PATIENCE = 1.0


@dataclass(frozen=True)
class Fault:
    """What went wrong with a spec: ``signature`` is the same for faults of one kind."""

    signature: str
    check: str
    text: str
    trace: str


@dataclass(frozen=True)
class Trial:
    """Whether a spec was accepted, what went wrong with it, and how many steps of environments were compared."""

    accepted: bool
    fault: Fault | None
    steps: int = 0


@dataclass
class Result:
    """What a run saw."""

    made: int = 0
    accepted: int = 0
    steps: int = 0  # of environments that were compared with another, or with the definition
    faults: list[Fault] = field(default_factory=list)


@contextmanager
def own_cache(folder: str) -> Iterator[None]:
    """Keep what is compiled in a folder of its own."""
    before = os.environ.get("GRIDDSL_CACHE")
    os.environ["GRIDDSL_CACHE"] = folder
    try:
        yield
    finally:
        if before is None:
            del os.environ["GRIDDSL_CACHE"]
        else:
            os.environ["GRIDDSL_CACHE"] = before


def source_of(text: str) -> Source:
    """Return a text as if it were a file of the folder that has what specs read: levels, a library, a sprite."""
    return Source(str(FILES / "shared.grid"), text)


def _played(case: Case) -> Case:
    """Return what of a spec is played: now and then a variant, and what draws once now and then as a trial of two."""
    spec = case.compiled
    if spec.model.variants and case.seed % 2:
        with contextlib.suppress(
            griddsl.SpecError
        ):  # what it sets may be refused where the file's own is not
            spec = compiled_text(case.text, spec.model.variants[case.seed % len(spec.model.variants)].id)
    if spec.program.keeps_draw and not spec.program.turns and not case.seed % 3:
        spec = compiled(spec, episodes=2)
    return replace(case, compiled=spec)


def compiled_text(text: str, variant: str = "") -> Compiled:
    """Compile a text, or one of its variants; raise `SpecError` where it is refused."""
    report = Report()
    spec, program = compile_text(replace(source_of(text), variant=variant), {}, report)
    report.raise_errors()
    assert spec is not None and program is not None
    return Compiled(program, spec)


nearby.FEWER = 0  # however small the maps are here, what is near is looked at alone wherever it can be


def tried(
    text: str, seed: int, native: bool = False, checks: Sequence[Check] = CHECKS, steps: int = STEPS
) -> Trial:
    """Play a spec in every way, up to the first thing that goes wrong. A refused spec has no fault."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        try:
            with time_limit(SECONDS_A_CHECK):
                case = Case(text, compiled_text(text), seed, native, steps)
        except griddsl.SpecError:
            return Trial(False, None)
        except (Exception, Hang) as error:
            return Trial(True, _fault("compile", text, error))
        faults = (_run(check, case) for check in checks)
        fault = next((fault for fault in faults if fault is not None), None)
        return Trial(True, fault, sum(case.compared))


def _run(check: Check, case: Case) -> Fault | None:
    longer = max(1.0, case.steps / STEPS)
    searches = check is not check_jax and any(word in case.text for word in SLOW_RESETS)
    seconds = (10 if case.native else 1) * (SECONDS_OF_SEARCHES if searches else SECONDS_A_CHECK * longer)
    if check in PATIENT:
        seconds = SECONDS_OF_PATIENCE * (longer if check is check_reference else 1)
    try:
        with time_limit(seconds):
            check(case if check is check_formats else _played(case))
    except Hang as error:
        return (
            None if check in (*PATIENT, check_jax) or searches else _fault(check.__name__, case.text, error)
        )
    except Exception as error:
        return _fault(check.__name__, case.text, error)
    return None


def _fault(check: str, text: str, error: BaseException) -> Fault:
    trace = "".join(traceback.format_exception(error)[-8:])
    return Fault(f"{check}: {signature_of(error)}", check, text, trace)


def signature_of(error: BaseException) -> str:
    """Return what faults of one kind have in common: what was raised and where, or what differs."""
    frames = traceback.extract_tb(error.__traceback__)
    ours = [frame for frame in frames if "griddsl/" in frame.filename and "/fuzz/" not in frame.filename]
    if isinstance(error, Hang):
        return "Hang"
    if isinstance(error, AssertionError) and not (ours and frames[-1] is ours[-1]):
        said = [line for line in str(error).strip().split("\n") if ":" in line or line.strip()]
        first = next((line for line in said if "Arrays are not equal" not in line), "")
        first = re.split(r"\[|\(<|: \(|: array| where ", first)[0] if " where " in first else first
        return "differs, " + re.sub(r"[-\d.]+|'[^']*'|\[.*", "", first)[:70].strip()
    place = ours[-1] if ours else frames[-1]
    return f"{type(error).__name__} at {Path(place.filename).name}:{place.name}"


def fuzz(
    seeds: Iterator[int],
    seconds: float,
    native: bool = False,
    show: Callable[[Fault, int], None] | None = None,
    steps: int = STEPS,
    checks: Sequence[Check] = CHECKS,
) -> Result:
    """Make and play specs for some seconds; each new kind of fault is shown once."""
    result, seen = Result(), set[str]()
    end = time.monotonic() + seconds
    with TemporaryDirectory() as folder, own_cache(folder):
        for seed in seeds:
            if time.monotonic() > end:
                break
            text = spec_of(seed)
            result.made += 1
            trial = tried(text, seed, native, checks, steps)
            result.accepted += trial.accepted
            result.steps += trial.steps
            fault = trial.fault
            if fault is None or fault.signature in seen:
                continue
            seen.add(fault.signature)
            result.faults.append(fault)
            if show is not None:
                show(fault, seed)
    return result
