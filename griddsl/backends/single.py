"""What steps one environment faster than Python does: what adapters ask of it, and steps written for one program."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeAlias

from griddsl.backends.interface import leaf_ports
from griddsl.program import keys
from griddsl.program.program import InfoEntry, Program
from griddsl.program.spaces import Observation
from griddsl.program.stream import Stream

Step: TypeAlias = Callable[[Any], tuple[Any, float, bool, bool, dict[str, Any]]]


@dataclass(frozen=True, slots=True)
class Adapter:
    """What a step calls that it cannot do itself: that of the framework which the environment is for.

    ``numbers(action)`` are the numbers of an action, or raises; ``known`` is how many actions a plain ``int`` says, 0
    for none. ``observe()`` puts an observation together and ``readers`` read the entries that no function computes.
    ``info(ended)`` makes an info of the state; ``is_quiet`` says that only an end needs one. ``entry`` gives an entry
    of info in words, ``ending`` what is said of an end by its outcome, and ``silence`` makes what is said before it.
    """

    numbers: Callable[[Any], list[int]]
    known: int
    observe: Callable[[], Any]
    readers: Mapping[str, Callable[[], Any]]
    info: Callable[[bool], dict[str, Any]]
    is_quiet: bool
    entry: Callable[[InfoEntry, Any], Any]
    ending: Callable[[str], dict[str, Any]]
    silence: Callable[[], dict[str, Any]]

    def names(self) -> dict[str, Callable[..., Any]]:
        """Return what a written step calls, by its name there."""
        called = ("numbers", "observe", "info", "ending", "silence")
        return {name: getattr(self, name) for name in called} | dict(self.readers)


class Single(Protocol):
    """One environment on a backend: its state, and what is observed of it."""

    def reset(self, level: int, counter: int | None) -> None:
        """Start an episode on a level, -1 for one of the spec's; the stream goes on, or begins at a counter.

        Raises `SetupFailure` where setup finds no place.
        """

    def observe(self) -> None:
        """Find what is observed in the state."""

    def reader(self, place: int) -> Callable[[], Any]:
        """Return what reads an entry of the observation that a function computes, by its place among those."""

    def knows(self, integers: Sequence[int], reals: Sequence[float]) -> bool:
        """Whether it can go on from a state without having to find out about it first."""

    def standing(self) -> Sequence[int]:
        """Return the integers of the state, what is saved of it at least, to read and not to keep."""

    def take(self, s: list[int], f: list[float], r: Stream) -> None:
        """Write the state into lists, what is saved of it at least."""

    def put(self, s: list[int], f: list[float], r: Stream) -> None:
        """Go on from the state in lists."""

    def start_info(self, adapter: Adapter) -> dict[str, Any]:
        """Return the info of a reset."""

    def written_step(self, program: Program, adapter: Adapter) -> Step:
        """Return the step, written for this program."""


def made(lines: Sequence[str], argument: str = "action", **names: Any) -> Callable[[Any], Any]:
    """Return the function ``step`` of these lines, to which the names are known."""
    text = "".join(f"    {line}\n" for line in lines)
    doc = '    """Carry out one step, in the order that ``griddsl explain`` prints."""\n'
    exec(f"def step({argument}):\n{doc}{text}", names)
    step: Callable[[Any], Any] = names["step"]
    return step


def observation_text(program: Program, computed: list[str]) -> str:
    """Return what makes the observation, of what makes each entry that a function computes."""
    observation = program.observation
    if program.goal or observation.form == "flat":
        return "observe()"
    functions = [port.function for _, port in leaf_ports(program)]
    others = iter(f"read{k}()" for k in range(len(observation.leaves)))
    entries = [
        computed[functions.index(leaf.function)] if leaf.function else next(others)
        for leaf in observation.leaves
    ]
    return put_together(observation, entries)


def told_text(program: Program, adapter: Adapter, state: str) -> str:
    """Return what makes the info of a step, of what the integers of the state are called."""
    if not adapter.is_quiet:
        return "info(terminated or truncated)"
    # All that is said at an end is how it came: what else the state holds is left where it is.
    at = program.layout.offsets.get(keys.OUTCOME)
    how = "outcomes[0]" if at is None else f"outcomes[{state}[{at}]]"
    return f"ending({how}) if terminated or truncated else silence()"


def put_together(observation: Observation, entries: list[str]) -> str:
    """Return what makes an observation of its entries."""
    if observation.form == "bare":
        return entries[0]
    if observation.form == "tuple":
        return f"({', '.join(entries)},)"
    pairs = zip((leaf.name for leaf in observation.leaves), entries, strict=True)
    return "{" + ", ".join(f"{name!r}: {entry}" for name, entry in pairs) + "}"
