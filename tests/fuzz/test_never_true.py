"""What is said never to be true is never true: random specs with such a warning are played by the interpreter."""

from __future__ import annotations

import random
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from itertools import count
from typing import Any, TypeAlias

import pytest

import griddsl
from griddsl.compiler import compile_text
from griddsl.compiling.cache import Compiled
from griddsl.diagnostics import Report
from tests.fuzz.mutate import Hang, time_limit
from tests.fuzz.specs.fuzzing import source_of
from tests.fuzz.specs.making import spec_of
from tests.fuzz.specs.traces import Case, made, sampled
from tests.reference import Reference
from tests.reference import conditions as meaning
from tests.reference.places import NoPlace

Place: TypeAlias = tuple[int, int]  # where a text starts, and where it ends
SPECS, CHUNK = 60, 6
STEPS = 40
LEAST_FOUND = 20  # in a chunk; else nothing much is tried
WORDS = ("calm", "cross", "glad")
GROUND = """env: a/Small-v0
object coin: portable, worth 2 in 0..5
object cat: moves random
map:
    @.c..
    .#..k
    ....c
legend: c = coin, k = cat
actions: up, right, down, left, pickup
observe: grid
limit: 30 steps
"""
STATES = """
var q_n: 3 in 0..9
var q_m: 1 in 0..4
var q_word: calm in calm | cross | glad
var q_lit: false
var q_still: 4 in 0..9
var q_mood: glad in calm | cross | glad
"""


def asking(seed: int) -> str:
    """Return rules that ask, and ask again, of variables that change in between, or do not."""
    draw, names = random.Random(seed), (f"q_{number}" for number in count())

    def one() -> str:
        match draw.randrange(8):
            case 0 | 1 | 2:
                sign = draw.choice(["<", "<=", ">", ">=", "==", "!="])
                name = draw.choice(["q_n", "q_n", "q_m", "q_still", "step", "q_n + q_m"])
                return f"{name} {sign} {draw.randrange(8)}"
            case 3 | 4:
                return f"q_word is {draw.choice(['', '', 'not '])}{draw.choice(WORDS)}"
            case 5:
                return f"q_mood is {draw.choice(['', '', 'not '])}{draw.choice(WORDS)}"
            case 6:
                return draw.choice(["q_lit", "not q_lit"])
        return f"({one()} {draw.choice(['or', 'and', 'xor'])} {one()})"

    def several() -> str:
        return " and ".join(one() for _ in range(draw.choice([1, 1, 1, 2, 3])))

    def sets() -> str:
        return draw.choice(
            [
                f"q_n = {draw.randrange(10)}",
                f"q_n += {draw.randrange(1, 4)}",
                "q_n -= 2",
                "q_m = random 0..4",
                "q_m += 1",
                f"q_word becomes {draw.choice(WORDS)}",
                "q_word becomes random",
                "q_lit = not q_lit",
                f"reward 1 if {one()} else 2 if {one()} else 3",
                f"q_m = 2 if {one()} else 1 if {one()} else 3",
            ]
        )

    def block(depth: int, indent: str) -> Iterator[str]:
        for _ in range(draw.randrange(1, 4)):
            kind = draw.randrange(7) if depth else 0
            if kind < 2:
                yield indent + sets()
            elif kind < 5:
                yield f"{indent}if {several()}{draw.choice(['', '', ' with chance 1/2'])}:"
                yield from block(depth - 1, indent + "    ")
                for _ in range(draw.randrange(3)):
                    yield f"{indent}else if {several()}:"
                    yield from block(depth - 1, indent + "    ")
            else:
                loop = draw.choice(["repeat 3", f"repeat 4 until {one()}", f"each {next(names)} in 0..2"])
                if loop.startswith("each"):
                    loop += draw.choice(["", f" where {several()}"])
                yield f"{indent}{loop}:"
                yield from block(depth - 1, indent + "    ")

    lines = []
    for _ in range(4):
        head = draw.choice(
            ["each step", f"when {several()}", f"each step if {several()}", f"on act if {several()}"]
        )
        lines += [f"{head}:", *block(3, "    ")]
    return "\n".join(lines) + "\n"


def found_in(text: str) -> tuple[Compiled | None, set[Place]]:
    """Return the compiled spec, and the places of what is never true by the text alone; none where it is refused."""
    report = Report()
    try:
        spec, program = compile_text(source_of(text), {}, report)
    except griddsl.SpecError:
        return None, set()
    if spec is None or program is None or report.has_errors:
        return None, set()
    said = {(each.span.start, each.span.end) for each in report.diagnostics if each.code == "never-true"}
    return Compiled(program, spec), said


def true_ones(compiled: Compiled, said: set[Place], seed: int, patch: Callable[..., None]) -> set[str]:
    """Play a spec, and return what held of that of which it was said that it never does."""
    own, held, source = meaning.holds, set[str](), compiled.model.source

    def holds(node: Any, scope: Any, binds: bool = False) -> bool:
        result = own(node, scope, binds)
        if result and (node.span.start, node.span.end) in said and node.span.source is source:
            held.add(node.span.text)
        return result

    for module in [module for name, module in sys.modules.items() if name.startswith("tests.reference")]:
        if getattr(module, "holds", None) is own:
            patch(module, "holds", holds)
    reference, env = Reference(compiled.model), made(Case("", compiled, seed))
    draw, over = random.Random(seed), True
    for step in range(STEPS):
        if over:
            try:
                reference.reset(seed=seed + step)
            except NoPlace:
                return held
        number = draw.randrange(2**31)
        action: Any
        if reference.is_joint:
            action = {
                name: sampled(env.action_space(name), number + k) for k, name in enumerate(reference.agents)
            }
        else:
            action = sampled(env.action_space, number)
        ended = reference.step(action)[2:4]
        over = any(all(each.values()) if isinstance(each, dict) else bool(each) for each in ended)
    return held


@pytest.mark.parametrize("first", range(0, SPECS, CHUNK))
def test_what_is_never_true__never_is(first: int) -> None:
    """No random spec comes to a state in which a condition holds that was said to be never true."""
    found = 0
    for seed in range(first, first + CHUNK):
        for text in (spec_of(seed), f"{GROUND}{STATES}{asking(seed)}"):
            compiled, said = found_in(text)
            if compiled is not None and said:
                found += len(said)
                with suppress(Hang), time_limit(5), pytest.MonkeyPatch.context() as patch:
                    assert true_ones(compiled, said, seed, patch.setattr) == set(), text
    assert found > LEAST_FOUND
