"""One environment of the table backend: a step is a few list look-ups."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from griddsl.backends.table import Table
from griddsl.program.runtime import draw


class TableSingle:
    """One environment that walks a table: the number of its state, the count of its steps, its stream.

    ``show(number)`` returns what is observed in a state, and ``inform(number, ending)`` its info; ``ending`` is the
    outcome where an episode ended, else None. ``numbers`` makes action numbers of anything else than an int.
    """

    def __init__(self, table: Table) -> None:
        self.table = table
        self.at, self.steps = 0, 0
        self.stream = [0]
        self._at_step = table.program.layout.offsets.get("STEP", -1)
        self._limit = table.program.limit if table.program.limit is not None else 2**62

    def reset(self, level: int) -> None:
        """Start an episode."""
        tree = self.table.reset_tree(level)
        while tree.__class__ is list:
            tree = tree[draw(self.stream, len(tree))]
        assert isinstance(tree, tuple)
        self.at, self.steps = tree[0], 0

    def knows(self, integers: Sequence[int], reals: Sequence[float]) -> bool:
        """Whether the table has a state."""
        return self.table.key(integers, reals) in self.table.numbers

    def put(self, integers: list[int], reals: list[float]) -> None:
        """Go to a state."""
        self.at = self.table.number(integers, reals)
        self.steps = integers[self._at_step] if self._at_step >= 0 else 0

    def take(self) -> tuple[list[int], tuple[float, ...]]:
        """Return the saved state."""
        integers, reals = self.table.states[self.at]
        kept = list(integers)
        if self._at_step >= 0:
            kept[self._at_step] = self.steps
        return kept, reals

    def stepper(
        self,
        show: Callable[[int], Any] | list[Any],
        inform: Callable[[int, tuple[int, bool] | None], dict[str, Any]],
        quiet: bool,
        numbers: Callable[[Any], int],
    ) -> Callable[[Any], tuple[Any, float, bool, bool, dict[str, Any]]]:
        """Return the step function of an environment that was reset."""
        table, stream, limit = self.table, self.stream, self._limit
        trees, count = table.trees, len(table.actions)
        listed = show if isinstance(show, list) else None

        def step(action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
            """Carry out one step, in the order that ``griddsl explain`` prints."""
            if action.__class__ is not int or not 0 <= action < count:
                action = numbers(action)
            entry: Any = trees[self.at * count + action]
            if entry.__class__ is not tuple:
                if entry is None:
                    table.expand(self.at)
                    entry = trees[self.at * count + action]
                while entry.__class__ is list:
                    entry = entry[draw(stream, len(entry))]
            at, reward, ended, cut, outcome = entry
            self.at = at
            self.steps = steps = self.steps + 1
            if steps >= limit:
                cut = True
            if ended or cut:
                return show_(at), reward, ended, cut, inform(at, (outcome, cut))
            if quiet:
                return show_(at), reward, False, False, {}
            return show_(at), reward, False, False, inform(at, None)

        if listed is not None:
            show_: Callable[[int], Any] = listed.__getitem__
        else:
            assert callable(show)
            show_ = show
        return step
