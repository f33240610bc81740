"""What is asked of the statements of a spec together: their number, their heads, none twice, none missing."""

from __future__ import annotations

import re

from griddsl.diagnostics import Help, Label, Report, add, domain_around, write
from griddsl.source import Span
from griddsl.spec.statements.builder import EXAMPLES, NAME, Builder
from griddsl.syntax.document import Document, Statement
from griddsl.syntax.keywords import LEVEL_FILES, NAMED, RULE_WORDS, STATEMENTS

_LISTS = {"block", "properties", "observations", "actions", "regions", "looks", "agents"}
MOST_STATEMENTS = 1_000
MOST_BLOCK_LINES = 2_000


def is_of_a_size(statements: list[Statement], report: Report) -> bool:
    """Refuse what would take minutes to read; drawings are not counted, for a folder of levels may hold thousands."""
    said = [statement for statement in statements if not statement.rows]
    if len(said) > MOST_STATEMENTS:
        report.add(
            "too-many", said[MOST_STATEMENTS].span, what="statements", count=len(said), most=MOST_STATEMENTS
        )
        return False
    lines = 0
    for statement in said:
        pending = list(statement.block)
        while pending:
            line = pending.pop()
            pending.extend(line.block)
            lines += 1
        if lines > MOST_BLOCK_LINES:
            report.add("too-many", statement.span, what="lines in blocks", count=lines, most=MOST_BLOCK_LINES)
            return False
    return True


def check_once(statement: Statement, builder: Builder) -> None:
    """Report a second statement where one can say all."""
    form = STATEMENTS[statement.keyword]
    if form.many:
        return
    key = (statement.keyword, statement.name)
    if key in builder.seen:
        what = f"{key[0]} {key[1]}".strip()
        labels = [Label(builder.seen[key], "first here")]
        help = "write what it says below the first one" if form.items in _LISTS else None
        if key[0] == "allow":
            help = "conditions that hold at once are joined in one: `allow ACTION: A and B`"
        if key[0] == "variant":
            help = "write what it sets in the first one, behind a comma"
        if key[0] == "agents" and re.match(r"facing\b|carries\b|\w+\s+\S+\s+in\b", statement.items.text):
            help = write("agent", ": what all agents are like stands there", place=statement.keyword_span)
        builder.report.add("duplicate-statement", statement.span, what=what, labels=labels, help=help)
    builder.seen[key] = statement.span


def check_head(statement: Statement, builder: Builder) -> None:
    """Report a head that is missing, or stands where none can be."""
    form = STATEMENTS[statement.keyword]
    head = statement.head.text
    if (form.head == "none" and head) or (statement.keyword == "limit" and head[:1].isdigit()):
        said = f"{statement.keyword}: {' '.join((head, statement.items.text)).strip()}"
        place = statement.keyword_span.to(statement.items.span())
        if statement.keyword == "sticky" and statement.items.text:  # one chance is that of all actions
            said = f"sticky: {statement.items.text}"
        if statement.keyword == "illegal" and statement.items.text:
            said = f"allow {head}: not ({statement.items.text})"
        if statement.keyword == "once":
            said = f"when {head}: {statement.items.text}".strip()
            place = statement.keyword_span.to(
                statement.items.span() if statement.items.text else statement.head.span()
            )
            if head.split()[0] in RULE_WORDS:  # `once each step: ...`
                said = said.removeprefix("when ")
            said = said if statement.items.text else said.removesuffix(":")
        whole: str = write(said, place=place)
        if statement.keyword in {"once", "setup"}:
            whole = _block_meant(statement) or whole
        if statement.keyword == "agents" and head:
            place = statement.keyword_span
            whole = write(
                "agent", f": `agents` lists them, and what `{head[:30]}` is like has this word", place
            )
        if statement.keyword == "mission" and statement.items.text.startswith('"'):
            whole = f"one mission is told to all: `mission: {statement.items.text[:60]}`"
        builder.report.add("unexpected-head", statement.head.span(), keyword=statement.keyword, help=whole)
    if form.head in NAMED and not head:
        help = _head_meant(statement)
        builder.report.add("missing-head", statement.keyword_span, keyword=statement.keyword, help=help)


def _block_meant(statement: Statement) -> Help | None:
    """Return how `once if C: ...` and `setup once:` read: a condition opens a block, and the two are statements."""
    head, items = statement.head.text, statement.items.text
    if re.fullmatch(r"(?:(?:per|in)\s+)?(?:each|every|an|the|per)?\s*(?:episode|reset|game)", head):
        return Help(
            "write `setup`: it runs at every reset",
            ("setup",),
            place=statement.keyword_span.to(statement.head.span()),
        )
    if head in {"once", "setup"}:
        return Help(f"write `{head}:`", (head,), place=statement.keyword_span.to(statement.head.span()))
    if re.match(r"(?:per|every|for|in|at|during|by|the)\b", head):
        drawn = "`setup` runs at every reset, `once` at the first and at each with a seed"
        return Help(f"leave `{head[:40]}` out: {drawn}", ("",), place=_with_blank(statement))
    if head.startswith("if ") and not items:
        shown = f"a condition opens a block: `{statement.keyword}:`, below it `{head}:`, and its lines deeper"
        return Help(shown, ())
    if not head.startswith("if ") or statement.block:
        return None
    line = f"{statement.keyword}:\n    {head}: {items}"
    shown = f"a condition opens a block: write `{statement.keyword}:`, and below it `{head}: ...`"
    return Help(shown, (line,), place=statement.keyword_span.to(statement.items.span()))


def _with_blank(statement: Statement) -> Span:
    """Return the place of a statement's head with the blank before it."""
    head = statement.head.span()
    return Span(head.source, statement.keyword_span.end, head.end)


def _head_meant(statement: Statement) -> str:
    """Return how a declaration reads whose name stands behind its colon, or nowhere."""
    items = statement.items.text
    if statement.keyword == "variant":
        called = re.match(r"[\w./-]+-v\d+", items)
        given = re.fullmatch(r"[\w./-]+-v\d+\s*[,:]?\s*(\w+\s*=.*)", items)
        if called is not None and given is not None and not statement.block:
            line = f"variant {called[0]}: {given[1]}"
            return write(line, place=statement.keyword_span.to(statement.items.span()))
        if called is not None:
            return f"the id stands before the colon: `variant {called[0]}: size = 5`"
        return f"for example `variant mine/Small-v0: {items[:40] or 'size = 5'}`"
    whole = statement.keyword_span.to(statement.items.span())
    looked = re.fullmatch(r"(\w+)\s*[,:]?\s+((?:color|shape|sprite)\b.*)", items)
    if statement.keyword == "look" and looked is not None and not statement.block:
        return write(f"look {looked[1]}: {looked[2]}", place=whole)
    asked = re.fullmatch(r"([A-Za-z_]\w*)\s+(?:only\s+)?(?:if|when|where|while)\s+(.+)", items)
    if statement.keyword == "allow" and NAME.fullmatch(items):
        return f"say when it is legal: `allow {items}: C`; without an `allow` it always is"
    if statement.keyword == "allow" and asked is not None:
        return write(f"allow {asked[1]}: {asked[2]}", place=whole)
    owning = re.fullmatch(
        r"([A-Za-z_]\w*)[ ]+(\w+[ ]+(?:\w+[ ]+)?in[ ].*|(?:solid|pushable|portable)\b.*)", items
    )
    if statement.keyword in {"tile", "object"} and owning is not None and not statement.block:
        return write(f"{statement.keyword} {owning[1]}: {owning[2]}", place=whole)
    if statement.keyword in {"tile", "object"} and NAME.fullmatch(items) and not statement.block:
        return write(f"{statement.keyword} {items}:", place=whole)
    named = re.fullmatch(r"([A-Za-z_]\w*)\s*[=:]\s*(.+)", items)
    if named is None and statement.keyword in {"param", "var"}:
        named = re.fullmatch(r"([A-Za-z_]\w*)\s+((?:[\w.-]+\s+)?in\s.+)", items)
    if named is not None:
        return write(f"{statement.keyword} {named[1]}: {named[2]}", place=whole)
    if statement.keyword == "score" and items.isdigit():
        declared = write(f"var score: {items} in {domain_around(items)}", place=whole)
        return Help(f"to count it, {declared}", declared.rewrites, place=whole)
    items = items or EXAMPLES.get(statement.keyword, "")
    return f"for example `{statement.keyword} NAME: {items[:40]}`".replace(": `", ":`")


def _as_written(document: Document, keyword: str, items: str) -> str:
    """Return a statement as the format of a document has it."""
    return f'{keyword} = "{items}"' if document.source.is_toml else f"{keyword}: {items}"


def check_needed(document: Document, builder: Builder) -> None:
    """Report the statements that no spec does without."""
    start = builder.places.get("env", document.source.whole().span(0, 0))
    if "env" not in builder.places:
        help = f"write `{_as_written(document, 'env', 'mine/MyWorld-v0')}` first"
        if not {"actions", "observe", "map", "generate"} & set(builder.places) and document.statements:
            help += "; a file that specs bring by `use` needs none, and is checked with them"
        if not document.statements and not builder.report.has_errors:
            help = "the file says nothing yet: `griddsl new MyWorld` writes a spec to start from"
        builder.report.add("missing-statement", start, keyword="env", help=help)
    if not builder.places:
        return
    if "observe" not in builder.places:
        cell, grid = (_as_written(document, "observe", word) for word in ("cell", "grid"))
        help = f"such as `{cell}` or `{grid}`"
        builder.report.add("missing-statement", start, keyword="observe", help=help)
    if not {"map", *LEVEL_FILES, "generate"} & set(builder.places):
        drawn = "map = '''" if document.source.is_toml else "map:"
        builder.report.add(
            "missing-statement",
            start,
            keyword="map",
            help=f"draw the grid under `{drawn}`, or `{_as_written(document, 'generate', 'room(8, 8)')}`",
        )
    if "generate" in builder.places and "map" in builder.places:
        places = [builder.places["map"], builder.places["generate"]]
        if all(place.source is document.source for place in places):
            first, second = sorted(places, key=lambda place: place.start)
            reason = "`map` and `generate` both say what the grid is"
            labels = [Label(first, "first here")]
            builder.report.add(
                "bad-value", second, reason=reason, labels=labels, help="leave one of them out"
            )
    if "actions" not in builder.places:
        builder.report.add(
            "missing-statement",
            start,
            keyword="actions",
            help=add(_as_written(document, "actions", "up, right, down, left"), document.source),
        )


def check_ids(builder: Builder) -> None:
    """Report a variant that has the id of the spec itself."""
    for variant in builder.lists.get("variants", ()):
        if variant.id == builder.fields.get("id"):
            labels = [Label(builder.places["env"], "the spec itself has it")]
            help = "choose another id, or change the defaults of the parameters"
            builder.report.add("duplicate-name", variant.span, name=variant.id, labels=labels, help=help)
