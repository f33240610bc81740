"""The table backend: a program whose states can be enumerated becomes look-ups.

It runs programs that draw whole numbers below a few thousand (`draw`, `odds`, `weighted`), whose observations and
infos depend on the saved state alone, and that read the count of steps for their limit only. Each state and action
has the tree of its draws, so that the stream and the trajectories are those of the reference backend, bit for bit.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from math import prod
from typing import Any, TypeAlias

import numpy as np

from griddsl.backends.interface import Interface, leaf_ports
from griddsl.backends.python import Machine, build
from griddsl.backends.table.suitable import Unsuitable
from griddsl.program import drawing, keys, runtime
from griddsl.program.program import Program

BOUND = 4_000_000  # runs of the program, which are at least one a state and action
AUTO_BOUND = 20_000  # for a batch, which is used long
SINGLE_BOUND = 10_000  # for one environment, whose first step should not wait: a tenth of a second
MOST_STATES = 200_000
MOST_TREES = 4_000_000  # one a state and action, of several players a joint one
MOST_DRAWN = 4_096
MOST_DRAWS = 64  # in one step or reset
BEFORE = -(10**9)

Key: TypeAlias = tuple[tuple[int, ...], tuple[float, ...]]
Tree: TypeAlias = "tuple[int, Any, Any, Any, int] | list[Any]"


class _Branch(Exception):
    """A draw that the script has no number for: the branches by what is drawn."""

    def __init__(self, branches: Sequence[int]) -> None:
        self.branches = branches


class Table:
    """The states of a program that were met, what each shows, and the tree of draws of each step and reset.

    A tree is the list of its branches by the number drawn, or a leaf: the next state, the reward, whether the
    episode ended or was cut by a rule, and the outcome; where several play, rewards and flags are tuples, one entry a
    player. States that an episode ends in are expanded when they are stepped from.

    ``actions`` are the numbers of each group's action; of several players, one such tuple for each.
    """

    def __init__(self, program: Program, bound: int) -> None:
        self.program = program
        self._bound, self._runs = bound, 0
        self._script: list[int] = []
        self._position = 0
        self._machine = self._scripted()
        self._s, self._f, self._r = self._machine.new_state()
        self.interface = Interface(program)
        self.writers = self.interface.writers
        self._at_step = program.layout.offsets.get(keys.STEP, -1)
        self._at_outcome = program.layout.offsets.get(keys.OUTCOME, -1)
        joint = prod(len(group.actions) for player in program.players for group in player.groups)
        if joint > min(bound, MOST_TREES):
            raise Unsuitable(f"it has {joint:,} joint actions")
        each = [
            product(*(range(len(group.actions)) for group in player.groups)) for player in program.players
        ]
        self.is_joint = self.interface.is_joint
        self.actions: list[tuple[Any, ...]] = list(product(*each) if self.is_joint else each[0])
        self.states: list[Key] = []
        self.numbers: dict[Key, int] = {}
        self.trees: list[Tree | None] = []  # a state's trees, one an action, state after state
        self.resets: dict[int, Tree] = {}
        self.shown: list[list[Any]] = []  # what each writer writes in a state: a number or a list
        self.columns: list[list[Any]] = [
            [] for _ in self.writers
        ]  # the same by writer, as numbers and arrays
        self.is_end: list[bool] = []  # whether no episode went on from a state yet
        self.waits: list[bool] = []  # whether it is the turn of an agent that plays by itself
        self.version = 0  # counts the changes

    def _scripted(self) -> Machine:
        def choose(branches: Sequence[int]) -> int:
            if self._position == len(self._script):
                raise _Branch(branches)
            self._position += 1
            return self._script[self._position - 1]

        def draw(r: Any, n: int) -> int:
            if n > MOST_DRAWN:
                raise Unsuitable(f"it draws among {n:,} numbers at once")
            return choose(range(n))

        def odds(r: Any, wins: int, of: int) -> bool:
            if of > MOST_DRAWN:
                raise Unsuitable(f"a chance has the denominator {of:,}")
            return bool(choose([int(drawn < wins) for drawn in range(of)]))

        def weighted(r: Any, totals: Sequence[int]) -> int:
            if totals[len(totals) - 1] > MOST_DRAWN:
                raise Unsuitable(f"weights sum to {totals[len(totals) - 1]:,}")
            bounds = np.asarray(totals)
            return choose(np.searchsorted(bounds, np.arange(bounds[-1]), side="right").tolist())

        def chance(r: Any, p: float) -> bool:
            raise Unsuitable("a chance is computed as it runs")

        return build(self.program, draw=draw, odds=odds, weighted=weighted, chance=chance, **self._carved())

    @staticmethod
    def _carved() -> dict[str, Any]:
        def carve(*_: Any) -> None:
            raise Unsuitable("its map is drawn at random")

        return dict.fromkeys(drawing.LOOPS, carve)

    def reset_tree(self, level: int) -> Tree:
        """Return the tree of a reset on a level."""
        if level not in self.resets:
            self.version += 1
            self._look_ahead(level)
            self.resets[level] = self._tree(None, (level,), [])
            self.expand()
        return self.resets[level]

    def number(self, integers: Sequence[int], reals: Sequence[float]) -> int:
        """Return the number of a state, expanded; a state that was never met joins the table."""
        number = self._met(self.key(integers, reals), False)
        self.expand(number)
        return number

    def key(self, integers: Sequence[int], reals: Sequence[float]) -> Key:
        """Return a saved state without its count of steps."""
        kept = list(integers)
        if self._at_step >= 0:
            kept[self._at_step] = 0
        return tuple(kept), tuple(reals)

    def expand(self, number: int | None = None) -> None:
        """Find the trees of all states that episodes go on in, and of one more state."""
        if number is not None and self.is_end[number]:
            self.is_end[number] = False
            self._expand_one(number)
        while (todo := self._next_todo()) is not None:
            self._expand_one(todo)

    def allow_more(self) -> None:
        """Lift the bound for what is expanded later: states after the end of an episode, and states put in."""
        self._bound = self._runs + BOUND

    _cursor = 0

    def _next_todo(self) -> int | None:
        while self._cursor < len(self.states):
            at = self._cursor
            self._cursor += 1
            if not self.is_end[at] and self.trees[at * len(self.actions)] is None:
                return at
        return None

    def _expand_one(self, at: int) -> None:
        self.version += 1
        count = len(self.actions)
        known: dict[tuple[Any, ...], Tree] = {}
        for index, action in enumerate(self.actions):
            if self.trees[at * count + index] is None:
                chosen = self._heeded(self.states[at], action) if self.is_joint else action
                if chosen not in known:
                    known[chosen] = self._tree(self.states[at], chosen, [])
                self.trees[at * count + index] = known[chosen]

    def _heeded(self, state: Key, action: tuple[Any, ...]) -> tuple[Any, ...]:
        """Return a joint action with None for agents whose choice means nothing: out, or not at their turn."""
        offsets, saved = self.program.layout.offsets, state[0]
        agents = [player.agent for player in self.program.players]
        heeded = [saved[offsets[keys.TURN]] == agent if keys.TURN in offsets else True for agent in agents]
        if keys.OUT in offsets:
            heeded = [
                is_so and not saved[offsets[keys.OUT] + agent]
                for is_so, agent in zip(heeded, agents, strict=True)
            ]
        return tuple(part if is_so else None for part, is_so in zip(action, heeded, strict=True))

    def _look_ahead(self, level: int) -> None:
        """Refuse at once a reset that surely draws more ways than are allowed, such as ten mines among eighty cells.

        The product of the branches along one way is a guess of the number of all ways (Knuth 1975); the least of three
        is taken, so that a tree that is bushy on one side only is still tried.
        """
        fewest = min(self._ways_beside(level, place) for place in (0.0, 0.5, 1.0))
        if fewest > self._bound:
            raise Unsuitable(f"its reset draws some {fewest:.1e} ways, more than {self._bound:,}")

    def _ways_beside(self, level: int, place: float) -> float:
        """Return the product of the branches along one way; ``place`` says which branch is taken, 0 first, 1 last."""
        script: list[int] = []
        product = 1.0
        while len(script) <= MOST_DRAWS:
            self._script, self._position = script, 0
            self._s[:], self._f[:] = self._machine.initial, self._machine.initial_reals
            try:
                self._machine.functions["reset"](self._s, self._f, self._r, level)
            except _Branch as branch:
                ways = sorted(set(branch.branches))
                product *= len(ways)
                script.append(ways[int(place * (len(ways) - 1))])
                continue
            except runtime.SetupFailure:
                pass  # what fails is said by the tree itself
            break
        return product

    def _step(self, action: tuple[Any, ...]) -> tuple[Any, Any, Any]:
        """Carry out a step; return what it gave and whether it ended or was cut: of several, for each player."""
        s, f, step = self._s, self._f, self._machine.functions["step"]
        if not self.is_joint:
            reward, ended, cut = step(s, f, self._r, *action)
            return float(reward), bool(ended), bool(cut)
        self.interface.choose(s, action)
        step(s, f, self._r)
        offsets, agents = self.program.layout.offsets, [player.agent for player in self.program.players]
        return (
            tuple(float(f[offsets[keys.REWARD] + agent]) for agent in agents),
            tuple(s[offsets[keys.TERMINATED] + agent] == 1 for agent in agents),
            tuple(s[offsets[keys.CUT_SHORT] + agent] == 1 for agent in agents),
        )

    def _is_over(self, ended: Any, cut: Any) -> bool:
        """Whether the episode is over with a step that set these flags."""
        if not self.is_joint:
            return bool(ended or cut)
        out = self.program.layout.offsets.get(keys.OUT)
        return all(
            ended[k] or cut[k] or (out is not None and self._s[out + player.agent] == 1)
            for k, player in enumerate(self.program.players)
        )

    def _tree(self, state: Key | None, arguments: tuple[Any, ...], script: list[int]) -> Tree:
        """Run a step from a state, or a reset, for all that can be drawn."""
        if len(script) > MOST_DRAWS:
            raise Unsuitable(f"it draws more than {MOST_DRAWS} times in a row")
        self._runs += 1
        if self._runs > self._bound:
            raise Unsuitable(f"its states were not enumerated by {self._bound:,} steps")
        self._script, self._position = script, 0
        s, f, layout = self._s, self._f, self.program.layout
        functions = self._machine.functions
        s[:], f[:] = self._machine.initial, self._machine.initial_reals
        try:
            if state is None:
                functions["reset"](s, f, self._r, *arguments)
                players = len(self.program.players)
                result: tuple[Any, Any, Any] = (0.0, False, False)
                if self.is_joint:
                    result = ((0.0,) * players, (False,) * players, (False,) * players)
            else:
                s[: layout.saved], f[: layout.saved_reals] = state
                if self._at_step >= 0:
                    s[self._at_step] = BEFORE
                result = self._step(arguments)
        except _Branch as branch:
            known: dict[int, Tree] = {}
            for drawn in branch.branches:
                if drawn not in known:
                    known[drawn] = self._tree(state, arguments, [*script, drawn])
            return [known[drawn] for drawn in branch.branches]
        reward, ended, cut = result
        if self._at_step >= 0:
            s[self._at_step] = 0
        outcome = s[self._at_outcome] if self._at_outcome >= 0 else 0
        shown = self._shown()
        key = (tuple(s[: layout.saved]), tuple(f[: layout.saved_reals]))
        at = self._met(key, self._is_over(ended, cut))
        if shown != self.shown[at]:
            raise Unsuitable("what it shows depends on more than the saved state")
        return at, reward, ended, cut, outcome

    def _met(self, key: Key, is_end: bool) -> int:
        number = self.numbers.get(key)
        if number is None:
            number = len(self.states)
            if number >= MOST_STATES:
                raise Unsuitable(f"it has more than {MOST_STATES:,} states")
            if len(self.trees) + len(self.actions) > MOST_TREES:
                raise Unsuitable(f"its states have more than {MOST_TREES:,} actions together")
            self.states.append(key)
            self.numbers[key] = number
            self.is_end.append(is_end)
            self.waits.append(self._waits(key))
            self.trees.extend([None] * len(self.actions))
            self._show(key)
        elif self.is_end[number] and not is_end:
            self.is_end[number] = False
            self._cursor = min(self._cursor, number)
        return number

    def _waits(self, key: Key) -> bool:
        if self.program.turns != "alternate" or not self.is_joint:
            return False
        turn = key[0][self.program.layout.offsets[keys.TURN]]
        return all(player.agent != turn for player in self.program.players)

    def _show(self, key: Key) -> None:
        layout = self.program.layout
        self._s[: layout.saved], self._f[: layout.saved_reals] = key
        self._s[layout.saved :] = self._machine.initial[layout.saved :]
        self.shown.append(self._shown())
        for column, value, writer in zip(self.columns, self.shown[-1], self.writers, strict=True):
            is_array = writer.form == "array" or self.is_joint
            shape = (-1,) if self.is_joint else writer.shape
            column.append(np.array(value, writer.dtype).reshape(shape) if is_array else value)

    def _shown(self) -> list[Any]:
        s, f, r, functions = self._s, self._f, self._r, self._machine.functions
        shown: list[Any] = []
        for writer in self.writers:
            found: list[Any] = []
            for row in writer.rows:
                given = (row,) if self.is_joint else ()
                if writer.form == "value":
                    found.append(functions[writer.source](s, f, r, *given))
                elif writer.form == "slot":  # of the state: whose turn it is
                    found.append(s[self.program.layout.offsets[writer.slot] + row])
                else:
                    out: list[float] = [0] * writer.size
                    functions[writer.source](s, f, r, *given, out)
                    found.extend(out)
            is_number = writer.form == "value" and not self.is_joint
            shown.append(found[0] if is_number else found)
        return shown


_tables: dict[str, Table | str] = {}


def affordable(program: Program, bound: int) -> int:
    """Return how many runs take the time of ``bound`` runs of a small program: each copies and shows the state.

    To copy 500 numbers takes as long as all else that one agent does; of several, each is shown and rewarded.
    """
    observed = sum(port.size for _, port in leaf_ports(program))
    alike = 50 if len(program.players) > 1 else 500
    return bound // (1 + (program.layout.size + observed) // alike)


def tabled(program: Program, bound: int) -> Table | str:
    """Return the table of a program, made once for equal programs; or why there is none."""
    key = f"{_identity(program)}:{bound}"
    if key not in _tables:
        if len(_tables) >= 64:
            _tables.clear()
        try:
            table = Table(program, bound)
            for level in range(-1, len(program.levels) if len(program.levels) > 1 else 0):
                table.reset_tree(level)
            table.allow_more()
            _tables[key] = table
        except (Unsuitable, RecursionError) as reason:
            _tables[key] = str(reason)
        except runtime.SetupFailure:
            _tables[key] = "its setup can fail"
    return _tables[key]


def _identity(program: Program) -> str:
    import hashlib

    digest = hashlib.sha256(program.source().encode())
    for table in program.tables:
        digest.update(f"{table.name}:{table.type}".encode() + np.asarray(table.values, dtype=float).tobytes())
    digest.update(
        repr(program.initial()).encode()
        + repr((program.limit, program.outcomes, program.info, program.groups, program.observation)).encode()
    )
    return digest.hexdigest()
