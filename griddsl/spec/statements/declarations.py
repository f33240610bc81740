"""Statements that declare a name: kinds, variables, parameters, regions, definitions, variants."""

from __future__ import annotations

import re
from typing import Any

from griddsl.diagnostics import Label, write
from griddsl.spec.models import (
    Declaration,
    Definition,
    KindDeclaration,
    Region,
    Variant,
)
from griddsl.spec.statements.builder import ID, NAME, Builder, id_like, items_of, only_item, title_of
from griddsl.spec.statements.rules import effects_of, not_too_deep
from griddsl.syntax import nodes as n
from griddsl.syntax.clauses import parse_clause
from griddsl.syntax.document import Statement
from griddsl.syntax.habits.foreign.signs import foreign_letter
from griddsl.syntax.keywords import NEVER_DEFINED, RESERVED
from griddsl.syntax.meanings import called, parse_meaning


def _declared(statement: Statement, builder: Builder) -> str:
    """Return the name that a statement declares, after checking that it can be one."""
    name = statement.head.text
    if not name:
        return ""
    if not NAME.fullmatch(name):
        builder.report.add(
            "syntax",
            statement.head.span(),
            found=f"`{name[:30]}`",
            expected="one name, of letters, digits and `_`",
            help=foreign_letter(name) or _one_word(statement, name),
        )
    elif name in RESERVED:
        builder.report.add(
            "reserved-name", statement.head.span(), name=name, help=f"choose another, such as `my_{name}`"
        )
    return name


def _one_word(statement: Statement, name: str) -> str | None:
    """`var energy = 5:`, `tile deep water:`, `object coin, key:`: what the name may be."""
    counted = re.fullmatch(r"(\w+)\s*[*x:]\s*(\d+)", name)
    if counted is not None and statement.keyword == "object":
        placed = f"place {counted[2]} {counted[1]} at random free"
        how = f": how many there are is drawn in the map, or said in `setup:`, as in `{placed}`"
        return write(counted[1], how)
    has = re.fullmatch(r"(\w+)\s*\((\w+\s+in\b.*)\)", name)
    if has is not None and statement.keyword in {"object", "tile", "agent"}:
        said = f"{statement.keyword} {has[1]}: {has[2]}"
        return f"what it may be like stands behind the colon, among its properties: `{said}`"
    bare = re.fullmatch(r"(\w+)\s*\((\w\w+)\)", name)
    if bare is not None and statement.keyword in {"object", "tile"}:
        said = f"{statement.keyword} {bare[1]}: {bare[2]} in 0..9"
        return f"what it may be like stands behind the colon, with what it can be: `{said}`"
    if " and " in name and statement.keyword in {"object", "tile"}:
        each = " and ".join(f"`{statement.keyword} {word.strip()}:`" for word in name.split(" and "))
        return f"each has a statement of its own: {each}"
    drawn = re.fullmatch(r"(\w+)\s*[(\[]?\s*(\"[^\"]\"|\w)\s*[)\]]?", name)
    if drawn is not None and statement.keyword in {"object", "tile"} and not drawn[1].isdigit():
        legend = f"legend: {drawn[2]} = {drawn[1]}"
        return write(drawn[1], f": the letter that draws it stands in the legend, as in `{legend}`")
    if "," in name:
        return f"write a statement for each: `{statement.keyword} {name.split(',')[0].strip()}:`"
    word = re.sub(r"[ -]+", "_", name.strip(" \"'“”"))
    return write(word) if NAME.fullmatch(word) else None


def read_variable(statement: Statement, builder: Builder) -> None:
    """``var energy: 5 in 0..9``, and ``param`` alike."""
    name = _declared(statement, builder)
    if not statement.head.text:
        return  # its name may stand among the items, where it reads as none
    item = only_item(statement, "variable", builder)
    if item is not None:
        target = "variables" if statement.keyword == "var" else "params"
        builder.append(target, Declaration(name, item.default, item.domain, statement.head.span()))


def read_define(statement: Statement, builder: Builder) -> None:
    """``define near(k): agent within 1 of k``."""
    names = parse_clause("define_head", statement.head, builder.report) if statement.head.text else None
    value, effects = _meaning(statement, builder)
    if names is None:
        return
    for at, name in enumerate(names):
        twice = next((other for other in names[:at] if other.name == name.name), None)
        if name.name in (RESERVED if at else NEVER_DEFINED):
            help = f"choose another, such as `my_{name.name}`"
            builder.report.add("reserved-name", name.span, name=name.name, help=help)
        elif twice is not None:
            builder.report.add(
                "duplicate-name", name.span, name=name.name, labels=[Label(twice.span, "first here")]
            )
    parameters = tuple(name.name for name in names[1:])
    builder.append("definitions", Definition(names[0].name, parameters, value, effects, names[0].span))


def _meaning(statement: Statement, builder: Builder) -> tuple[n.Expression | None, tuple[n.Effect, ...]]:
    """Read what a definition says: one expression, or effects."""
    texts = statement.texts()
    if len(texts) == 1 and not any(line.is_head for line in statement.block):
        meaning = parse_meaning(texts[0], builder.report)
        return (None, meaning) if isinstance(meaning, tuple) else (meaning, called(meaning))
    if not texts:
        help = f"for example `define {statement.head.text or 'near_goal'}: agent within 1 of goal`"
        builder.report.add("missing-items", statement.span, what=title_of(statement), help=help)
    effects = tuple(effects_of(statement.items, statement.block, builder.report))
    return None, not_too_deep(effects, builder.report)


def read_kind(statement: Statement, builder: Builder) -> None:
    """``tile``, ``object`` or ``agent`` with its properties."""
    name = _declared(statement, builder) or "agent"
    items = items_of(statement, "properties", builder)
    place = statement.head.span() if statement.head.text else statement.keyword_span
    category: Any = statement.keyword
    builder.append("kinds", KindDeclaration(name, category, items, place))


def read_variant(statement: Statement, builder: Builder) -> None:
    """``variant mine/Small-v0: size = 5``."""
    spec_id = statement.head.text
    if not spec_id:
        return
    items = items_of(statement, "infos", builder)
    if not ID.fullmatch(spec_id):
        own = str(builder.fields.get("id", "")).rpartition("/")[0]
        beside = f"{own}/{spec_id}" if own and "/" not in spec_id else spec_id
        help: str = write(id_like(beside), ": namespace, name and version")
        first = beside.split()[0]
        if "," in spec_id:
            help = "each variant has a statement of its own, and a version: `variant mine/Small-v0: size = 5`"
        elif ID.fullmatch(first):
            help = write(first, ": a variant is one of this spec")
        builder.report.add("bad-id", statement.head.span(), id=spec_id, help=help)
        return
    builder.append("variants", Variant(spec_id, items, statement.head.span()))


def read_region(statement: Statement, builder: Builder) -> None:
    """``region left_half: (0..3, 0..7)``."""
    name = _declared(statement, builder)
    builder.append("regions", Region(name, items_of(statement, "regions", builder), statement.head.span()))
