"""TOML specs: the same statements as `griddsl.syntax.layout` reads, from the tree of a TOML text.

``keyword NAME: items`` is ``[keyword] NAME = ...``; one item is a string, several an array, a block with
``if`` a string of several lines; only the legend is a table; rules are ``[[rules]]``, ``when`` and ``do``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

from griddsl.diagnostics import Report, did_you_mean
from griddsl.source import Fragment, Source
from griddsl.syntax.document import AXES, Document, Line, Statement
from griddsl.syntax.keywords import NAMED, RULE_WORDS, STATEMENTS, leading_word
from griddsl.syntax.layout import BLANK, MOST_LINES, opens_block, read_block
from griddsl.syntax.stray.near import near_statement
from griddsl.syntax.toml.habits import in_a_text, property_said, rule_of_a_text, trigger_meant
from griddsl.syntax.toml.reader import RULES, read_tree
from griddsl.syntax.toml.tree import Array, Entry, Key, String, Table
from griddsl.syntax.toml.values import (
    QUOTED,
    WORD,
    Origin,
    array_lines,
    concatenated,
    quoted_fragment,
    quoted_where_text,
    rows_of,
    shape_of,
    text_of,
    wanted_shape,
)

DESCRIPTION = "description"


def read_toml(source: Source, report: Report) -> Document:
    """Return the statements of a TOML text; what has no place in a spec is reported and passed over."""
    if source.text.count("\n") > MOST_LINES:
        report.add("too-many-lines", source.whole().span(0, 1), most=MOST_LINES)
        return Document(source, ())
    tree = read_tree(source, report)
    if tree is None:
        return Document(source, ())
    statements: list[Statement] = []
    descriptions: list[Entry] = []
    above = {entry.path[0].text for entry in tree.entries if len(entry.path) == 1}
    for entry in tree.entries:
        if report.is_full:
            break
        if _is_below(entry, above):
            _below(entry.path[1], f"[{entry.path[0].text}]", report)
            entry = replace(entry, path=entry.path[1:])
        if entry.path[0].text == DESCRIPTION:
            descriptions.append(entry)
        else:
            statements.extend(_statements(entry, report))
    for entry in descriptions:
        _describe(statements, entry, report)
    return Document(source, tuple(_joined(statements)), tree.below, tree.unread)


def _statements(entry: Entry, report: Report) -> Iterator[Statement]:
    keyword = entry.path[0]
    if keyword.text == RULES:
        yield from _rules(entry, report)
    elif keyword.text in RULE_WORDS:
        _refuse(
            entry.path,
            report,
            "a rule stands in `[[rules]]`",
            f'for example `when = "{keyword.text} ..."` and `do = "..."` there',
        )
    elif keyword.text not in STATEMENTS:
        known = (*(word for word in STATEMENTS if word not in RULE_WORDS), DESCRIPTION, RULES)
        help = near_statement(keyword.text, known)
        report.add("unknown-statement", keyword.span, keyword=keyword.text[:40], help=help)
    else:
        yield from _plain(Origin(entry, STATEMENTS[keyword.text], report))


_OWN_LIST = re.compile(r"\w+\s+\w+")  # `actions."red hand"`, of an agent and with a name of its own
_NEEDED = frozenset({"env", "actions", "observe", "limit"})  # one of which a table of names has swallowed
_IN_NO_RULE = _NEEDED | {
    "map",
    "maps",
    "generate",
    "legend",
    "mission",
    "use",
    "level",
    "edge",
    "slip",
    "sticky",
}


def _is_below(entry: Entry, above: set[str]) -> bool:
    """Whether a key of a table is a statement that stands too far down: the spec has none of its keyword above."""
    if len(entry.path) != 2 or entry.is_inline or entry.path[0].text not in STATEMENTS:
        return False
    table, name = (key.text for key in entry.path)
    if name in above or name == table or isinstance(entry.value, Table):
        return False
    if name == "limit" and not (isinstance(entry.value, String) and "steps" in entry.value.fragment.text):
        return False
    return name in (_IN_NO_RULE if table == "legend" else _NEEDED)


def _below(key: Key, table: str, report: Report) -> None:
    """Say of a statement that stands below a table, to which it belongs in TOML."""
    reason = f"`{key.text}` stands below `{table}`, and belongs to it"
    help = f"in TOML a table goes on to the next one: move this line above `{table}`"
    report.add("toml-shape", key.span, reason=reason, help=help)


def _refuse(path: Iterable[Key], report: Report, reason: str, help: str | None = None) -> None:
    spans = [key.span for key in path]
    report.add("toml-shape", spans[0].to(spans[-1]), reason=reason, help=help)


def _plain(place: Origin) -> Iterator[Statement]:
    """Read every statement but a rule."""
    entry, form = place.entry, place.form
    if isinstance(entry.value, Table):
        if entry.value.entries or form.keyword != "legend":
            _refuse(
                entry.path,
                place.report,
                f"a table stands where {wanted_shape(form)} is needed",
                shape_of(form),
            )
        return
    if form.keyword == "legend" and len(entry.path) > 1:
        yield from _legend_entry(place)
        return
    head = _head(place)
    if head is None:
        return
    if form.items == "raw" and form.many and isinstance(entry.value, Array):
        for item in entry.value.items:
            one = replace(entry, value=item.value, above=(*entry.above, *item.above), comment=item.comment)
            yield from _with_items(Origin(one, form, place.report), head)
            entry = replace(entry, above=())
        return
    yield from _with_items(place, head)


def _with_items(place: Origin, head: Fragment) -> Iterator[Statement]:
    entry, form = place.entry, place.form
    key = place.keyword
    empty = _empty_after(entry)
    base = Statement(form.keyword, key.span, head, empty, comment=entry.comment, above=entry.above)
    if form.items == "rows":
        rows = rows_of(entry.value, place)
        if rows is not None:
            yield replace(base, rows=rows)
        return
    if isinstance(entry.value, Array):
        block = tuple(array_lines(entry.value, place))
        yield replace(base, block=block, below=entry.value.below)
        return
    text = text_of(entry.value, place)
    if text is None:
        return
    text = quoted_where_text(text, entry.value, form)
    if "\n" in text.text or opens_block(text.text):
        yield replace(base, block=read_block(text, place.report))
    else:
        yield replace(base, items=text.strip())


def _empty_after(entry: Entry) -> Fragment:
    last = entry.path[-1].span
    return Fragment(last.source, "", last.end)


# Heads


def _head(place: Origin) -> Fragment | None:
    """Return what stands between keyword and colon; None, with a diagnostic, where the path does not fit."""
    entry, form = place.entry, place.form
    names = entry.path[1:]
    if form.keyword == "slip" and names and names[0].text in {"left", "right", "back"}:
        help = '`slip = ["0.1 left", "0.1 right"]`; below `[slip]` stands what holds under a condition: `"if C" = ...`'
        _refuse(
            names[:1],
            place.report,
            f"`slip` has no key `{names[0].text}`: a way stands behind its chance",
            help,
        )
        return None
    if len(names) > 1 or (names and form.head == "none"):
        if len(names) == 2 and form.items == "properties":
            said = property_said(names[1].text, entry.value)
            help = f'properties are texts: `{names[0].text} = "{said}"`, several in `[...]`'
            _refuse(names[:1], place.report, f"`{names[0].text}` has no keys of its own", help)
            return None
        if not names[0].text:
            _refuse(names, place.report, f"`{form.keyword}` takes no name", shape_of(form))
            return None
        # Said once of all keys of a table, by what it stands for.
        owner = entry.path[:1] if form.head == "none" else names[:1]
        text: str | None = (
            in_a_text(form.keyword, owner[-1].span)
            if entry.is_inline and entry.path[-2].span == owner[-1].span
            else None
        )
        reason = f"`{owner[-1].text}` has no keys of its own"
        if form.keyword in {"param", "var"}:
            text = text or f'for example `[{form.keyword}]`, and below it `{owner[-1].text} = "5 in 1..9"`'
        _refuse(owner, place.report, reason, text or shape_of(form))
        return None
    if not names and form.head in NAMED:
        _refuse(entry.path, place.report, f"`{form.keyword}` needs a name", shape_of(form))
        return None
    if not names or (not names[0].text and form.head in {"maybe", "slip"}):
        return Fragment(entry.path[0].span.source, "", entry.path[0].span.end)
    key = names[0]
    is_plain = WORD.fullmatch(key.text) or leading_word(key.text) == "walled" or QUOTED.fullmatch(key.text)
    if (
        form.head in {"slip", "define", "id", "look"}
        or is_plain
        or (form.keyword == "actions" and (AXES.search(key.text) or _OWN_LIST.fullmatch(key.text)))
    ):
        return key.fragment
    return quoted_fragment(key.fragment, key.span)


def _legend_entry(place: Origin) -> Iterator[Statement]:
    """Read ``C = "cliff"`` of the legend as the item ``C = cliff``."""
    entry = place.entry
    if len(entry.path) > 2 or not isinstance(entry.value, String):
        help = 'for example `legend = { C = "cliff", "$" = "box" }`'
        reason = "the legend gives each glyph one string"
        _refuse(entry.path[1:], place.report, reason, help)
        return
    key, value = entry.path[1], entry.value
    glyph = (
        key.fragment if re.fullmatch(r"[A-Za-z0-9]", key.text) else quoted_fragment(key.fragment, key.span)
    )
    kind = value.fragment.strip()
    text = concatenated([glyph, Fragment(glyph.source, " = ", [glyph.offset(len(glyph.text))] * 4), kind])
    own, shared = ("", entry.comment) if entry.is_inline else (entry.comment, "")
    line = Line(text, None, (), own, _comments(entry.above))
    nothing = _empty_after(entry)
    yield Statement("legend", place.keyword.span, nothing, nothing, (line,), (), shared, entry.above)


def _joined(statements: list[Statement]) -> Iterator[Statement]:
    """Yield the statements, the entries of the legend that stand together as one."""
    legend: Statement | None = None
    for statement in statements:
        if statement.keyword == "legend" and legend is not None and not statement.items.text:
            comment = legend.comment or statement.comment
            legend = replace(legend, block=(*legend.block, *statement.block), comment=comment)
            continue
        if legend is not None:
            yield legend
        legend = None
        if statement.keyword == "legend" and not statement.items.text:
            first = replace(statement.block[0], above=()) if statement.block else None
            legend = replace(statement, block=(first, *statement.block[1:])) if first else statement
        else:
            yield statement
    if legend is not None:
        yield legend


# Rules and descriptions


def _rules(entry: Entry, report: Report) -> Iterator[Statement]:
    shape = 'for example `[[rules]]`, and below it `when = "on enter goal"` and `do = "end success"`'
    if len(entry.path) > 1:
        _refuse(entry.path, report, "rules are an array of tables", shape)
    elif isinstance(entry.value, Table):
        yield from _rule(entry.value, entry, report)
    elif isinstance(entry.value, Array) and all(isinstance(item.value, Table) for item in entry.value.items):
        for item in entry.value.items:
            assert isinstance(item.value, Table)
            yield from _rule(item.value, replace(entry, above=item.above, comment=item.comment), report)
    else:
        help = rule_of_a_text(entry.value) or shape
        report.add("toml-shape", entry.value.span, reason="rules are an array of tables", help=help)


def _rule(table: Table, entry: Entry, report: Report) -> Iterator[Statement]:
    parts: dict[str, Entry] = {}
    for part in table.entries:
        name = part.path[0].text
        if name in {"when", "do"} and len(part.path) == 1:
            parts[name] = part
        elif name in _IN_NO_RULE and len(part.path) == 1:
            _below(part.path[0], "[[rules]]", report)
            yield from _statements(part, report)
        else:
            help = (
                trigger_meant(part)
                or _key_meant(name)
                or did_you_mean(name, ("when", "do"))
                or "conditions stand in `when`: `on enter goal if C`"
            )
            _refuse(part.path, report, "a rule has the keys `when` and `do`", help)
    if "when" not in parts:
        if table.is_whole and len(parts) == len(table.entries):
            report.add(
                "toml-shape",
                table.span,
                reason="a rule needs `when`",
                help='for example `when = "each step"`',
            )
        return
    when = parts["when"]
    if not isinstance(when.value, String):
        report.add(
            "toml-shape",
            when.value.span,
            reason="`when` is one string",
            help='for example `when = "each step"`',
        )
        return
    if "do" not in parts:
        if table.is_whole and len(parts) == len(table.entries):
            report.add(
                "toml-shape", table.span, reason="a rule needs `do`", help='for example `do = "reward -1"`'
            )
        return
    yield from _rule_statement(when.value.fragment.strip(), parts, entry, report)


def _key_meant(name: str) -> str | None:
    """Return what a rule says under another key: its trigger, or its effects."""
    examples = {"each": "each step", "every": "every 5 steps", "when": "when no coin left"}
    if name in {*RULE_WORDS, "trigger", "event", "condition", "rule"}:
        return f'the trigger stands in `when`, with its first word: `when = "{examples.get(name, "on enter goal")}"`'
    if name in {"then", "effect", "effects", "action", "actions", "does", "reward", "end"}:
        return 'the effects stand in `do`, as in `do = ["reward 1", "end success"]`'
    return None


def _rule_statement(
    text: Fragment, parts: dict[str, Entry], entry: Entry, report: Report
) -> Iterator[Statement]:
    keyword = leading_word(text.text)
    if keyword not in RULE_WORDS:
        help = did_you_mean(keyword, RULE_WORDS) or "a trigger is `each step`, `on enter goal`, `when C`, ..."
        place = text.span(0, len(keyword) or 1) if text.text else parts["when"].value.span
        report.add("unknown-statement", place, keyword=keyword[:40], help=help)
        return
    do = parts["do"]
    head = text.slice(len(keyword), len(text.text)).strip()
    above = (*_comments(entry.above), *_comments(parts["when"].above), *_comments(do.above))
    comments = [note for note in (entry.comment, parts["when"].comment, do.comment) if note]
    form = replace(STATEMENTS[keyword], head="none")
    for statement in _with_items(Origin(replace(do, comment=""), form, report), head):
        yield replace(
            statement,
            keyword_span=text.span(0, len(keyword)),
            above=(*above, *comments[1:]),
            comment=comments[0] if comments else "",
        )


def _comments(notes: Iterable[str]) -> tuple[str, ...]:
    return tuple(note for note in notes if note != BLANK)


def _describe(statements: list[Statement], entry: Entry, report: Report) -> None:
    """Add the description to the ``env`` statement, where it stands in a ``.grid`` file."""
    if len(entry.path) > 1 or not isinstance(entry.value, String):
        _refuse(
            entry.path, report, "the description is one string", 'write `description = "Reach the goal."`'
        )
        return
    text = quoted_fragment(entry.value.fragment, entry.value.span)
    line = Line(text, None, (), entry.comment, _comments(entry.above))
    for index, statement in enumerate(statements):
        if statement.keyword == "env":
            statements[index] = replace(statement, block=(*statement.block, line))
            return
    if report.has_errors:
        return  # the line of `env` may be what is wrong
    _refuse(
        entry.path, report, "a description belongs to an `env`", 'write `env = "mine/MyWorld-v0"` above it'
    )
