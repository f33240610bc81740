"""All outcomes of a step with their exact chances: the draws of a program replaced by a script that branches."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from typing import Any

from griddsl.backends.python import Machine, build
from griddsl.compiler import compiled
from griddsl.program.runtime import SetupFailure

State = tuple[tuple[int, ...], tuple[float, ...]]
Outcome = tuple[State, float, bool, bool]


class Draws:
    """The draws of one run: those of the script first, then always the first alternative, which is written down."""

    def __init__(self) -> None:
        self.script: list[tuple[int, int]] = []
        self.position = 0
        self.probability = Fraction(1)

    def branch(self, chances: Sequence[Fraction]) -> int:
        """Return the alternative to follow, and count its chance."""
        possible = [index for index, chance in enumerate(chances) if chance > 0]
        if self.position == len(self.script):
            self.script.append((0, len(possible)))
        chosen, _ = self.script[self.position]
        self.position += 1
        self.probability *= chances[possible[chosen]]
        return possible[chosen]

    def runs(self) -> Iterator[None]:
        """Yield once for every combination of alternatives."""
        while True:
            self.position, self.probability = 0, Fraction(1)
            yield
            del self.script[self.position :]
            while self.script and self.script[-1][0] + 1 == self.script[-1][1]:
                self.script.pop()
            if not self.script:
                return
            chosen, count = self.script[-1]
            self.script[-1] = (chosen + 1, count)


def machine_with(program: Any, draws: Draws) -> Machine:
    """Return a program's functions with every draw taken from a script."""

    def draw(r: Any, n: int) -> int:
        return draws.branch([Fraction(1, n)] * n)

    def odds(r: Any, wins: int, of: int) -> bool:
        return draws.branch([Fraction(of - wins, of), Fraction(wins, of)]) == 1

    def weighted(r: Any, totals: Sequence[int]) -> int:
        whole = totals[len(totals) - 1]
        return draws.branch([Fraction(b - a, whole) for a, b in zip([0, *totals], totals, strict=False)])

    def chance(r: Any, p: float) -> bool:
        exact = Fraction(p)
        return draws.branch([1 - exact, exact]) == 1

    return build(program, draw=draw, odds=odds, weighted=weighted, chance=chance)


class Enumerated:
    """A spec whose steps can be enumerated, state by state."""

    def __init__(self, source: Any, **params: Any) -> None:
        self.program = compiled(source, **params).program
        self.draws = Draws()
        self.machine = machine_with(self.program, self.draws)
        self.s, self.f, self.r = self.machine.new_state()

    def _state(self) -> State:
        layout = self.program.layout
        return tuple(self.s[: layout.saved]), tuple(self.f[: layout.saved_reals])

    def _restore(self, state: State) -> None:
        layout = self.program.layout
        self.s[:] = [*state[0], *self.machine.initial[layout.saved :]]
        self.f[: layout.saved_reals] = state[1]

    def starts(self) -> dict[State, float]:
        """Return the states that an episode can start in, with their chances; setups that fail have none."""
        found: dict[State, Fraction] = defaultdict(Fraction)
        for _ in self.draws.runs():
            try:
                self.machine.functions["reset"](self.s, self.f, self.r, -1)
            except SetupFailure:
                continue
            found[self._state()] += self.draws.probability
        return {state: float(chance) for state, chance in found.items()}

    def outcomes(self, state: State, action: int) -> dict[Outcome, float]:
        """Return what a step can lead to: state, reward and flags, with their chances."""
        found: dict[Outcome, Fraction] = defaultdict(Fraction)
        for _ in self.draws.runs():
            self._restore(state)
            reward, terminated, truncated = self.machine.functions["step"](self.s, self.f, self.r, action)
            found[self._state(), reward, terminated, truncated] += self.draws.probability
        return {outcome: float(chance) for outcome, chance in found.items()}

    def cell(self, state: State) -> int:
        """Return the agent's cell in a state."""
        return state[0][self.program.layout.offsets["AGENT_CELL"]]

    def reachable(self, key: Callable[[State], Any]) -> list[State]:
        """Return one state for each value of ``key`` that can be reached without an end in between."""
        seen = {key(state): state for state in self.starts()}
        queue = deque(seen.values())
        while queue:
            state = queue.popleft()
            for action in range(len(self.program.groups[0].actions)):
                for after, _, terminated, _ in self.outcomes(state, action):
                    if not terminated and key(after) not in seen:
                        seen[key(after)] = after
                        queue.append(after)
        return list(seen.values())
