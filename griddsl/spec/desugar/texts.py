"""Texts: what the braces of a text mean where definitions are put in the place of their calls."""

from __future__ import annotations

import re
from collections.abc import Callable

from griddsl.diagnostics import Report
from griddsl.source import Span
from griddsl.spec.desugar.calls import DefinitionCall, parsed_call
from griddsl.spec.desugar.defined_names import BRACES
from griddsl.spec.missions import mission_of, told, with_names
from griddsl.spec.models import GridSpec
from griddsl.syntax import nodes as n
from griddsl.syntax.printer import to_text

Rebuild = Callable[[n.Expression, DefinitionCall | None], object]


class Texts:
    """Puts what calls say into the braces of texts.

    ``tellings`` is what a mission is to tell beside what the spec has; ``is_telling`` says that a part of the mission
    is read, in which a call may be one of several texts.
    """

    def __init__(
        self, spec: GridSpec, report: Report, defined: set[str], rebuild: Rebuild, names: set[str]
    ) -> None:
        self._spec, self._report, self._defined, self._rebuild = spec, report, defined, rebuild
        self._names = names  # that definitions and setup give
        self.tellings: list[n.Expression] = []
        self.is_telling = False

    def within(self, text: str, span: Span, call: DefinitionCall) -> str:
        """Return a text of a definition with what its parameters mean: a word or number, or a name that is told."""

        def said(match: re.Match[str]) -> str:
            name = match.group(1).strip()
            given = call.arguments.get(name)
            if given is None:
                renamed = "{" + call.renamed[name] + "}" if name in call.renamed else match.group()
                return self.with_calls(renamed, span, call)
            if isinstance(given, n.Text):
                return given.value
            if isinstance(given, n.Name):
                return "{" + given.name + "}" if self._is_told(given.name) else given.name
            if isinstance(given, n.Number | n.Truth):
                return to_text(given)
            help = f"name it before, as in `choose {name} in ...`, or give a word"
            self._report.add("type", given.span, found="this", expected="a word or a name", help=help)
            return match.group()

        return BRACES.sub(said, text)

    def _is_told(self, name: str) -> bool:
        """Whether a name is one of a parameter, a variable or something chosen, and no word."""
        declared = {each.name for each in (*self._spec.params, *self._spec.variables)}
        return name in declared or name in self._names

    def mission(
        self, mission: str, tellings: tuple[n.Expression, ...]
    ) -> tuple[str, tuple[n.Expression, ...]]:
        """Return the mission with each call in braces as the text that it stands for, and all that it is to tell."""
        self.is_telling = True
        place = self._spec.place("mission")
        said = self.with_calls(mission, place, None)
        if said != mission:
            said = mission_of(said, place, self._tell, self._report)
        named = tuple(with_names(node, self._tell, self._report) for node in tellings)
        return said, (*named, *self.tellings)

    def _tell(self, node: n.Expression) -> str:
        """Keep what the mission is to tell; return the name that stands for it."""
        self.tellings.append(node)
        return told(len(self._spec.tellings) + len(self.tellings))

    def with_calls(self, text: str, span: Span, call: DefinitionCall | None) -> str:
        """Return a text with each call in its braces as the text that it stands for; in a mission as several."""

        def said(match: re.Match[str]) -> str:
            name = match.group(1).partition("(")[0].strip()
            if name not in self._defined:
                return match.group()
            place = span.word(match.group())
            node = parsed_call(match.group(1), place, self._report)
            if node is None:
                return match.group()
            value = self._rebuild(node, call)
            if isinstance(value, n.Text):
                return value.value
            if self.is_telling and isinstance(value, n.IfElse):
                return "{" + self._tell(with_names(value, self._tell, self._report)) + "}"
            if value is not node:
                help = f'for example `define {name}: "the box"`'
                self._report.add("type", place, found=f"`{name}`", expected="a text", help=help)
            return ""

        return BRACES.sub(said, text)
