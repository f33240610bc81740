"""Arguments: what an action takes, as the list of values that each argument can have."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from griddsl.compass import CARDINALS, DIAGONALS
from griddsl.diagnostics import Help, Label, Report, did_you_mean, write
from griddsl.lowering.world.constants import constant_number
from griddsl.lowering.world.domains import read_domain
from griddsl.lowering.world.kinds import ARTICLES, Kind
from griddsl.lowering.world.values import CELL, NUMBER, TRUTH, Kinds, ValueType, Words
from griddsl.source import Span
from griddsl.spec.desugar.ranging import ends_of_range
from griddsl.spec.models import GridSpec
from griddsl.spec.reckoned import Scalar
from griddsl.syntax import nodes as n
from griddsl.syntax.keywords import RESERVED
from griddsl.syntax.printer import to_text

MOST_VALUES = 10_000
# The type of a domain, the codes of its values, and how each is written.
Listed: TypeAlias = tuple[ValueType, tuple[int, ...], tuple[str, ...]]
LISTS = {"directions": CARDINALS, "diagonals": DIAGONALS}


@dataclass(frozen=True, slots=True)
class Argument:
    """What an action takes under a name: the code of each value it can have, how each is written, and what is legal.

    ``domain`` is the domain as it is written: arguments of one name and domain can share an axis.
    """

    name: str
    span: Span
    type: ValueType
    values: tuple[int, ...]
    words: tuple[str, ...]
    where: n.Expression | None
    domain: str

    @property
    def size(self) -> int:
        """The number of its values."""
        return len(self.values)


@dataclass(frozen=True, slots=True)
class ArgumentReader:
    """What arguments are read with; ``numbers`` are the constants by name, ``regions`` the cells of each."""

    spec: GridSpec
    numbers: Mapping[str, Scalar]
    kinds: Mapping[str, Kind]
    regions: Mapping[str, NDArray[np.bool_]]
    size: tuple[int, int]
    report: Report
    blamed: set[str] = field(default_factory=set)  # names of which it was said that they mean something else

    def arguments(self, item: n.ActionItem) -> tuple[Argument, ...]:
        """Return what an action takes; what cannot be read is reported, and left out."""
        found: list[Argument] = []
        seen: dict[str, Span] = {}
        for taken in item.arguments:
            name, place = taken.over.name, taken.over.span.word(taken.over.name)
            if name in seen:
                labels = [Label(seen[name], "first here")]
                help = f"each has a name of its own, such as `{name}_2`"
                self.report.add("duplicate-name", place, name=name, labels=labels, help=help)
            elif self._is_free(name, place):
                seen[name] = place
                argument = self._argument(taken)
                found += [] if argument is None else [argument]
        return tuple(found)

    def _is_free(self, name: str, place: Span) -> bool:
        """Whether a name means nothing yet; else it is reported."""
        what = None
        if name in RESERVED:
            self.report.add("reserved-name", place, name=name, help=f"choose another, such as `my_{name}`")
            return False
        if name in self.kinds:
            what = f"a kind, {ARTICLES[self.kinds[name].category]}"
        elif name in {each.name for each in self.spec.variables}:
            what = "a variable"
        elif name in {each.name for each in self.spec.params}:
            what = "a parameter"
        elif name in self.regions:
            what = "a region"
        if what is not None and name not in self.blamed:
            self.blamed.add(name)
            help = f"`{name}` is {what}: choose another name, such as `my_{name}`"
            self.report.add("duplicate-name", place, name=name, help=help)
        return what is None

    def _argument(self, taken: n.Taken) -> Argument | None:
        found = self._values(taken.over)
        if found is None:
            return None
        type, values, words = found
        domain = to_text(taken.over.domain)
        return Argument(taken.over.name, taken.span, type, values, words, taken.where, domain)

    def _values(self, over: n.Ranging) -> Listed | None:
        """Return the type of a domain, the codes of its values, and how each is written."""
        if isinstance(over.domain, n.RangeDomain):
            domain, _ = read_domain(None, over.domain, self.numbers, self.report, over.name)
            if domain is None:
                return None
            if domain.high - domain.low >= MOST_VALUES:
                return self._wrong(over, f"an action takes at most {MOST_VALUES:,} values")
            numbers = tuple(range(int(domain.low), int(domain.high) + 1))
            return NUMBER, numbers, tuple(map(str, numbers))
        cells = self._cells(over, over.domain)
        if cells is not None:
            if not cells:
                return self._wrong(over, f"the region `{to_text(over.domain)}` has no cells")
            width = self.size[0]
            return CELL, cells, tuple(f"({cell % width}, {cell // width})" for cell in cells)
        return self._listed(over, over.domain)

    def _cells(self, over: n.Ranging, domain: n.ChoiceDomain) -> tuple[int, ...] | None:
        """Return the cells of a domain that is `cells` or a region; None for another domain."""
        (first, *more) = domain.values
        if more or not isinstance(first, n.Name):
            return None
        if first.name in self.regions:
            return tuple(int(cell) for cell in np.flatnonzero(self.regions[first.name]))
        return None

    def _listed(self, over: n.Ranging, domain: n.ChoiceDomain) -> Listed | None:
        """Return the values of a list: words, kinds, whole numbers, or true and false."""
        if any(weight is not None for weight in domain.weights):
            return self._wrong(over, "the values of an action have no weights: who acts chooses among them")
        nodes = domain.values
        texts = [node for node in nodes if isinstance(node, n.Text)]
        if texts:
            bare = " | ".join(node.value for node in nodes if isinstance(node, n.Text))
            help = (
                write(bare) if len(texts) == len(nodes) and bare.replace(" | ", "").isidentifier() else None
            )
            return self._wrong(over, "the values of an action are words, and stand without quotes", help)
        if all(isinstance(node, n.Truth) for node in nodes):
            return TRUTH, (0, 1), ("false", "true")
        if len(nodes) == 1 and not self._is_list(nodes[0]):
            return self._alone(over, nodes[0])
        if all(isinstance(node, n.Name) and node.name not in self.numbers for node in nodes):
            return self._named(over, tuple(self._names(nodes)))
        if any(isinstance(node, n.Name) and node.name not in self.numbers for node in nodes):
            return self._wrong(over, "the values of an action are all words, all kinds or all numbers")
        numbers = [constant_number(node, self.numbers, self.report, "a value of an action") for node in nodes]
        whole = [number for number in numbers if number is not None]
        if len(whole) < len(numbers):
            return None
        if any(number.denominator != 1 for number in whole):
            return self._wrong(over, "the values of an action are whole numbers")
        if len(set(whole)) < len(whole):
            return self._wrong(over, "a value stands twice in this domain")
        return NUMBER, tuple(map(int, whole)), tuple(str(int(number)) for number in whole)

    def _named(self, over: n.Ranging, names: tuple[str, ...]) -> Listed | None:
        if len(set(names)) < len(names):
            twice = next(name for i, name in enumerate(names) if name in names[:i])
            return self._wrong(over, f"`{twice}` stands twice in this domain")
        areas = [name for name in names if name in self.regions]
        if areas:
            help = "one region can be all of them: `region both: (0..2, 0), (0, 0..2)`"
            return self._wrong(over, f"`{areas[0]}` is a list of cells, and stands alone", help)
        known = [name in self.kinds for name in names]
        if any(known) and not all(known):
            other = names[known.index(False)]
            help = did_you_mean(other, self.kinds) or f"declare `object {other}:` or `tile {other}:`"
            return self._wrong(over, f"`{other}` is no kind, as the others are", help)
        type: ValueType = Kinds(names) if all(known) else Words(names)
        return type, tuple(range(len(names))), names

    def _is_list(self, node: n.Expression) -> bool:
        return isinstance(node, n.Name) and node.name in LISTS

    def _names(self, nodes: tuple[n.Expression, ...]) -> Iterator[str]:
        for node in nodes:
            name = getattr(node, "name", "")
            yield from LISTS.get(name, (name,)) if self._is_list(node) else (name,)

    def _alone(self, over: n.Ranging, node: n.Expression) -> Listed | None:
        """Report what stands alone in a domain and is no list of values."""
        name = getattr(node, "name", "")
        if isinstance(node, n.Number):
            help: str = write(f"0..{int(node.value) - 1}", f": {int(node.value)} values from 0 on")
            return self._wrong(over, "a range has two ends", help if node.value > 1 else None)
        if isinstance(node, n.Call) and name == "range":
            return self._wrong(over, "a range is written with its two ends", ends_of_range(node))
        if isinstance(node, n.Name | n.Pattern) and name in self.kinds:
            cells = f"{over.name} in cells where {to_text(node)} at {over.name}"
            span = over.span
            where = re.match(r"\s+where\b(?![^,\n]*\bor\b)", span.source.text[span.end :])
            if where is not None:  # what else is asked goes on
                cells, span = (
                    f"{cells} and",
                    Span(span.source, span.start, span.end + where.end(), span.through),
                )
            help = Help(f"for the cells of one: `{cells}`", (cells,), place=span)
            return self._wrong(over, f"`{name}` is a kind, and no list of values", help)
        if isinstance(node, n.Name) and name not in self.numbers:
            known = [*LISTS, *self.regions]
            help = (
                did_you_mean(name, known)
                or "values are `cells`, a region, `directions`, a range `0..3`, or words `yes | no`"
            )
            self.report.add("unknown-name", node.span, where=f"`{over.name} in {name}`", name=name, help=help)
            return None
        return self._wrong(over, "an action takes values of a list: `cells`, `0..3`, `yes | no`")

    def _wrong(self, over: n.Ranging, reason: str, help: str | None = None) -> Listed | None:
        self.report.add("bad-domain", over.domain.span, reason=reason, help=help)
        return None
