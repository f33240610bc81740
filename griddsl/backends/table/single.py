"""One environment of the table backend: a step is a few list look-ups."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, TypeAlias

from griddsl.backends.interface import Writer, leaf_ports
from griddsl.backends.single import Adapter, Step, made, observation_text
from griddsl.backends.table.drawn import Drawn
from griddsl.backends.table.enumeration import Table
from griddsl.program import keys
from griddsl.program.program import Program
from griddsl.program.stream import Stream

Inform: TypeAlias = Callable[[int, tuple[int, bool] | None], dict[str, Any]]


class TableSingle:
    """One environment that walks a table: the number of its state, the count of its steps, what it draws."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.at, self.steps = 0, 0
        self.drawn = Drawn()
        self._inform: Inform
        self._at_step = table.program.layout.offsets.get(keys.STEP, -1)
        self.limit = table.program.limit if table.program.limit is not None else 2**62

    def reset(self, level: int, counter: int | None) -> None:
        """Start an episode; the stream goes on, or begins at a counter."""
        tree = self.table.reset_tree(level)
        if counter is not None:
            self.drawn.go_on_from(counter)
        while tree.__class__ is list:
            tree = tree[self.drawn.draw(len(tree))]
        assert isinstance(tree, tuple)
        self.at, self.steps = tree[0], 0

    def knows(self, integers: Sequence[int], reals: Sequence[float]) -> bool:
        """Whether the table has a state."""
        return self.table.key(integers, reals) in self.table.numbers

    def observe(self) -> None:
        """Find what is observed in the state: the table has it."""

    def reader(self, place: int) -> Callable[[], Any]:
        """Return what reads an entry of the observation that a function computes, by its place among those."""
        column = self.table.columns[place]
        (_, port) = leaf_ports(self.table.program)[place]
        if port.is_value:
            return lambda: column[self.at]
        return lambda: column[self.at].copy()

    def put(self, s: list[int], f: list[float], r: Stream) -> None:
        """Go on from the state in lists; one that was never met joins the table."""
        layout = self.table.program.layout
        self.at = self.table.number(s[: layout.saved], f[: layout.saved_reals])
        self.steps = s[self._at_step] if self._at_step >= 0 else 0
        self.drawn.go_on_from(r[0])

    def standing(self) -> Sequence[int]:
        """Return the saved integers of the state, to read and not to keep."""
        integers = list(self.table.states[self.at][0])
        if self._at_step >= 0:
            integers[self._at_step] = self.steps
        return integers

    def take(self, s: list[int], f: list[float], r: Stream) -> None:
        """Write what is saved of the state into lists."""
        r[0] = self.drawn.counter
        layout = self.table.program.layout
        integers, reals = self.table.states[self.at]
        s[: layout.saved], f[: layout.saved_reals] = integers, reals
        if self._at_step >= 0:
            s[self._at_step] = self.steps

    def start_info(self, adapter: Adapter) -> dict[str, Any]:
        """Return the info of a reset."""
        return self._inform(self.at, None)

    def written_step(self, program: Program, adapter: Adapter) -> Step:
        """Return the step, written for this program: look-ups in the table."""
        table, ports = self.table, [port for _, port in leaf_ports(program)]
        self._inform = self._informer(adapter)
        copied = ["" if port.is_value else ".copy()" for port in ports]
        shown = observation_text(program, [f"column{k}[at]{copy}" for k, copy in enumerate(copied)])
        told = [f"{writer.name!r}: {column}[at]" for column, writer in self._told("info")]
        told += [f"'action_mask': {column}[at].copy()" for column, _ in self._told("action_mask")]
        told += [f"{name!r}: {value!r}" for name, value in adapter.ending("").items()]
        info = "{" + ", ".join(told) + "}" if _needs_no_words(program) else "inform(at, None)"
        info = info if program.info or program.has_mask else "silence()"
        count = len(table.actions)
        is_counted = program.limit is not None or keys.STEP in program.layout.offsets
        counts = ["single.steps = steps = single.steps + 1"] if is_counted else []
        late = f"steps >= {self.limit}" if program.limit is not None else "False"
        lines = [
            f"if action.__class__ is not int or not 0 <= action < {count}:",
            "    action = number(action)",
            f"entry = trees[single.at * {count} + action]",
            "if entry is None:",
            "    entry = expanded(action)",
            "while entry.__class__ is list:",
            "    place = drawn.place",
            "    try:",
            "        entry = entry[below[len(entry)][place]]",
            "        drawn.place = place + 1",
            "    except (LookupError, TypeError):",
            "        entry = entry[drawn.draw(len(entry))]",
            "at, reward, terminated, truncated, outcome = entry",
            "single.at = at",
            *counts,
            f"if terminated or truncated or {late}:",
            f"    truncated = truncated or {late}",
            f"    return {shown}, reward, terminated, truncated, inform(at, (outcome, truncated))",
            f"return {shown}, reward, False, False, {info}",
        ]
        names: dict[str, Any] = {f"column{k}": column for k, column in enumerate(table.columns)}
        names |= adapter.readers
        return made(
            lines,
            single=self,
            trees=table.trees,
            expanded=self.expanded,
            drawn=self.drawn,
            below=self.drawn.below,
            number=partial(self._number, adapter),
            inform=self._inform,
            observe=adapter.observe,
            silence=adapter.silence,
            **names,
        )

    def _number(self, adapter: Adapter, action: Any) -> int:
        """Return the place of an action among the actions of all groups."""
        total = 0
        for part, group in zip(adapter.numbers(action), self.table.program.groups, strict=True):
            total = total * len(group.actions) + part
        return total

    def _told(self, role: str) -> list[tuple[str, Writer]]:
        """Return the names of the columns of what is told, by its role."""
        writers = enumerate(self.table.writers)
        return [(f"column{k}", writer) for k, writer in writers if writer.role == role]

    def _informer(self, adapter: Adapter) -> Inform:
        """Return what makes the info of a state; at an episode's end it is given the outcome's number and the cut."""
        table, program = self.table, self.table.program
        outcomes, columns = program.outcomes, dict(zip(table.writers, table.columns, strict=True))
        entries = [(writer.entry, column) for writer, column in columns.items() if writer.entry is not None]
        masks = [column for writer, column in columns.items() if writer.role == "action_mask"]

        def inform(at: int, over: tuple[int, bool] | None) -> dict[str, Any]:
            info = {entry.name: adapter.entry(entry, column[at]) for entry, column in entries}
            for column in masks:
                info["action_mask"] = column[at].copy()
            if over is None:
                info |= adapter.silence()
            else:
                info.update(adapter.ending(outcomes[over[0] - 1] if over[0] else "truncated"))
            return info

        return inform

    def expanded(self, action: int) -> Any:
        """Return the entry of an action that was not known yet."""
        self.table.expand(self.at)
        return self.table.trees[self.at * len(self.table.actions) + action]


def _needs_no_words(program: Program) -> bool:
    """Whether entries go into an info as the table has them."""
    return all(entry.form not in {"words", "bool", "real"} for entry in program.info)
