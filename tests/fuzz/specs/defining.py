"""A spec beside the executable semantics: what is played is what the language means."""

from __future__ import annotations

from typing import Any

from tests.agreement.comparing import assert_same
from tests.fuzz.specs.traces import Case, base_trace, made, sampled
from tests.reference import Reference
from tests.reference.places import NoPlace
from tests.reference.text import board

PARTS = ("observation", "reward", "terminated", "truncated", "info")


def check_reference(case: Case) -> None:
    """Observations, rewards, flags, infos and draws are those of the interpreter, in every moment."""
    reference, env = Reference(case.compiled.model), made(case)
    numbers = iter(case.numbers)
    for index, moment in enumerate(base_trace(case)):
        if moment[0] == "step":
            _same(reference.step(_action(reference, env, next(numbers))), moment, PARTS)
        elif moment[0] == "reset":
            _same(_started(reference, None if index else case.seed), moment, (PARTS[0], PARTS[-1]))
        else:
            assert _started(reference, None if index else case.seed) is None, "the definition finds a place"
            return
        state = _state(moment)
        assert reference.stream.state == state[2], "the definition: what was drawn"
        env.set_state(state)  # where all things are, also those that nobody observes
        assert env.text() == board(reference.world), "the definition: the board"
        case.compared.append(moment[0] == "step")


def _started(reference: Reference, seed: int | None) -> Any:
    try:
        return reference.reset(seed=seed)
    except NoPlace:
        return None


def _same(expected: Any, moment: Any, parts: tuple[str, ...]) -> None:
    assert expected is not None, "the definition finds no place"
    for part, one, two in zip(parts, moment[1 : 1 + len(parts)], expected, strict=True):
        assert_same(one, two, f"the definition: {part}")


def _state(moment: Any) -> Any:
    return next(
        part
        for part in moment[1:]
        if isinstance(part, tuple) and len(part) == 3 and isinstance(part[0], tuple)
    )


def _action(reference: Reference, env: Any, number: int) -> Any:
    if not reference.is_joint:
        return sampled(env.action_space, number)
    return {name: sampled(env.action_space(name), number + k) for k, name in enumerate(reference.agents)}
