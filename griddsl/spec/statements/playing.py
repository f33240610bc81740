"""Statements of what can be done and seen: actions, masks, slips, observations, scores, limits, looks."""

from __future__ import annotations

import re
from collections.abc import Callable

from griddsl.diagnostics import Help, shortened
from griddsl.spec.models import (
    ActionGroup,
    Allow,
    Limit,
    Look,
    Observe,
    Slip,
)
from griddsl.spec.statements.builder import NAME, Builder, items_of, only_item
from griddsl.syntax import nodes as n
from griddsl.syntax.clauses import parse_clause
from griddsl.syntax.document import AXES, Statement


def read_actions(statement: Statement, builder: Builder) -> None:
    """``actions: up, down``, of a group of agents or of all, and the form of their space."""
    items = items_of(statement, "actions", builder)
    head = statement.head.text
    form = re.search(r"(?:^|\s)as\s+\S.*$|\sas$", head)
    if form is not None and not AXES.search(head):
        help = "`actions:` numbers them one after the other; `as multidiscrete` gives what they take axes"
        found = f"`{head[form.start() :].strip()[:30]}`"
        builder.report.add(
            "syntax", statement.head.span(), found=found, expected="`as multidiscrete`", help=help
        )
    name = AXES.sub("", head)
    name = _whose(statement, builder) or name if name else ""
    words = name.split()  # an agent, a list of its own, or both: `actions ann lamp: off, lit`
    if " as" not in f" {name}" and (len(words) > 2 or not all(map(NAME.fullmatch, words))):
        help = "each agent has a statement of its own: `actions ann: ...`"
        if re.match(r"\w+\s*\(", name):
            help = f"an action is an item of the list, with what it takes: `actions: {shortened(name)}`"
        expected = "the name of an agent, or of a list of its own"
        builder.report.add(
            "syntax", statement.head.span(), found=f"`{name[:30]}`", expected=expected, help=help
        )
    builder.append(
        "actions",
        ActionGroup(" ".join(words) or None, items, AXES.search(head) is not None, statement.span),
    )


def _whose(statement: Statement, builder: Builder) -> str | None:
    """Report `actions for bob:`, `limit (bob):`, and return the name that is meant; None for what is not so written."""
    form = r"(?:for|of|by|from)\s+(?:the\s+)?(\w+)|[\"'(\[]\s*(\w+)\s*[\"')\]]"
    said = re.fullmatch(form, statement.head.text)
    if said is None:
        return None
    name = str(said[1] or said[2])
    place = statement.head.span()
    blank = "" if place.source.text[place.start - 1 : place.start].isspace() else " "
    help = Help(f"write `{name}`", (blank + name,), place=place)
    found = f"`{statement.head.text[:30]}`"
    builder.report.add("syntax", statement.head.span(), found=found, expected="the name alone", help=help)
    return name


def read_score(statement: Statement, builder: Builder) -> None:
    """``score coins: count(coin)``."""
    name = statement.head.text
    if name and not NAME.fullmatch(name):
        found, expected = f"`{name[:30]}`", "one name, of letters, digits and `_`"
        builder.report.add("syntax", statement.head.span(), found=found, expected=expected)
        return
    value = only_item(statement, "told", builder)
    if value is not None:
        builder.append("scores", n.NamedValue(name, value, statement.head.span()))


def read_slip(statement: Statement, builder: Builder) -> None:
    """``slip: 0.1 left``, always or on some condition."""
    condition = None
    if statement.head.text:
        condition = parse_clause("slip_head", statement.head, builder.report)
    builder.append("slip", Slip(condition, items_of(statement, "slip", builder), statement.span))


def read_allow(statement: Statement, builder: Builder) -> None:
    """``allow throw: agent has ball``."""
    condition = only_item(statement, "expression", builder)
    if condition is not None:
        builder.append("allow", Allow(statement.head.text, condition, statement.head.span()))


def clause(name: str, start: str) -> Callable[[Statement, Builder], None]:
    """Return a reader of a statement that is one clause."""

    def read(statement: Statement, builder: Builder) -> None:
        value = only_item(statement, start, builder)
        if value is not None:
            builder.fields[name] = value

    return read


def list_of(name: str, start: str) -> Callable[[Statement, Builder], None]:
    """Return a reader of a statement whose items are one list."""

    def read(statement: Statement, builder: Builder) -> None:
        for item in items_of(statement, start, builder):
            builder.append(name, item)

    return read


def read_observe(statement: Statement, builder: Builder) -> None:
    """``observe: grid``, for a group of agents or for all."""
    items = items_of(statement, "observations", builder)
    name = _whose(statement, builder) or statement.head.text
    builder.append("observe", Observe(name or None, items, statement.span))


def read_limit(statement: Statement, builder: Builder) -> None:
    """``limit: 100 steps``, of the episode or of what its head names."""
    value = only_item(statement, "limit", builder)
    if value is None:
        return
    if statement.head.text[:1].isdigit():
        return
    if statement.head.text:
        if isinstance(value, n.Name) and value.name == "none":
            help = "leave it out: an agent without a limit of its own takes part to the end"
            reason = "`none` is said of the whole episode, `limit: none`"
            builder.report.add("bad-value", value.span, reason=reason, help=help)
            return
        name = _whose(statement, builder) or statement.head.text
        builder.append("limits", Limit(name, value, statement.head.span()))
    elif isinstance(value, n.Name) and value.name == "none":
        builder.fields["endless"] = True
    else:
        builder.fields["limit"] = value


def read_look(statement: Statement, builder: Builder) -> None:
    """``look goal: color green``, ``look door(state=open): shape arch``."""
    items = items_of(statement, "looks", builder)
    kind = parse_clause("look_head", statement.head, builder.report) if statement.head.text else None
    if kind is not None:
        builder.append("looks", Look(kind, items, statement.head.span()))
