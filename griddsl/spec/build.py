"""Build: from the statements of a document to a validated `GridSpec`."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from griddsl.diagnostics import Help, Label, Report, add, did_you_mean, listing, write
from griddsl.source import Fragment, Span
from griddsl.spec.models import (
    ActionGroup,
    Allow,
    Declaration,
    Definition,
    Drawing,
    GridSpec,
    KindDeclaration,
    Limit,
    Look,
    Observe,
    Region,
    Rule,
    Slip,
    Variant,
)
from griddsl.syntax import nodes as n
from griddsl.syntax.clause_nodes import unquote
from griddsl.syntax.clauses import LONGEST_CLAUSE, parse_clause, parse_effects
from griddsl.syntax.document import AXES, Document, Line, Statement
from griddsl.syntax.habits.foreign_words import foreign_letter
from griddsl.syntax.keywords import LEVEL_FILES, RESERVED, RULE_WORDS, STATEMENTS
from griddsl.syntax.meanings import called, parse_meaning

ID = re.compile(r"([A-Za-z0-9_-]+/)?[A-Za-z0-9_-]+-v[0-9]+")
NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
CALL = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\(.*\)")
CHOICES = {
    "edge": ("stay", "clip", "wrap"),
    "illegal": ("stay", "end", "act"),
    "turns": ("simultaneous", "in_order", "random_order", "alternate"),
    "contested": ("block", "first", "random", "freeze_all", "share"),
    "swap": ("allow", "block"),
    "rewards": ("own", "shared", "zero_sum"),
}
# What other games call a choice.
MEANT = {
    "edge": {
        **dict.fromkeys(("wraparound", "wrapped", "torus", "toroidal", "periodic", "pacman"), "wrap"),
        **dict.fromkeys(("block", "blocked", "solid", "wall", "stop", "bounce", "none"), "stay"),
    },
    "illegal": {
        **dict.fromkeys(("noop", "nothing", "ignore", "none", "skip", "block"), "stay"),
        **dict.fromkeys(("terminate", "fail", "failure", "lose", "error", "die"), "end"),
        **dict.fromkeys(("allow", "allowed", "do", "carry_out"), "act"),
    },
    "turns": {
        **dict.fromkeys(("alternating", "one_by_one", "take_turns"), "alternate"),
        **dict.fromkeys(("sequential", "ordered"), "in_order"),
        **dict.fromkeys(("random", "shuffled"), "random_order"),
        **dict.fromkeys(("parallel", "together", "at_once", "all"), "simultaneous"),
    },
    "contested": {
        **dict.fromkeys(("none", "nobody", "stay"), "block"),
        **dict.fromkeys(("all", "both", "shared", "allow"), "share"),
    },
    "swap": {
        **dict.fromkeys(("yes", "true", "allowed"), "allow"),
        **dict.fromkeys(("no", "false", "forbid"), "block"),
    },
    "rewards": {
        **dict.fromkeys(("team", "common", "cooperative", "global", "joint"), "shared"),
        **dict.fromkeys(("competitive", "adversarial", "opposed"), "zero_sum"),
        **dict.fromkeys(("individual", "separate", "local", "each"), "own"),
    },
}
_LISTS = {"block", "properties", "observations", "actions", "regions", "looks", "agents"}
_QUOTES = "['\"\u2018\u2019\u201c\u201d\u201e\u00ab\u00bb]"
MOST_BRANCHES = 64
MOST_STATEMENTS = 1_000
MOST_BLOCK_LINES = 2_000
ORDERS = ("agents, objects", "objects, agents")
EXAMPLES = {
    "limit": "100 steps",
    "observe": "cell",
    "actions": "up, right, down, left",
    "legend": "G = goal",
    "agents": "red, blue",
    "var": "0 in 0..9",
    "param": "0.5 in 0..1",
    "region": "(0..3, 0..3)",
    "variant": "size = 8",
    "sticky": "0.25",
    "slip": "0.1 left, 0.1 right",
    "allow": "agent on goal",
    "generate": "room(8, 8)",
    "info": "d = distance(agent, goal)",
    "score": "count(coin)",
    "look": "color red",
}


@dataclass(slots=True)
class _Builder:
    report: Report
    folder: Path | None
    fields: dict[str, Any] = field(default_factory=dict)
    lists: dict[str, list[Any]] = field(default_factory=dict)
    places: dict[str, Span] = field(default_factory=dict)
    seen: dict[tuple[str, str], Span] = field(default_factory=dict)

    def append(self, name: str, value: Any) -> None:
        self.lists.setdefault(name, []).append(value)


def build(document: Document, report: Report, folder: Path | None = None) -> GridSpec | None:
    """Return the model of a document with its libraries merged in; None where errors were reported."""
    from griddsl.spec.areas import with_areas
    from griddsl.spec.definitions import expanded
    from griddsl.spec.groups import ungrouped
    from griddsl.spec.layered import layered
    from griddsl.spec.legend import with_chosen_legend
    from griddsl.spec.libraries import merge_libraries
    from griddsl.spec.sums import with_sums
    from griddsl.spec.told_kinds import with_told_kinds

    builder = _Builder(report, folder)
    statements = merge_libraries(document, folder, report)
    if not _is_of_a_size(statements, report):
        return None
    defined = [statement.head.text for statement in statements if statement.keyword == "define"]
    report.defined = {head.partition("(")[0].strip(): head for head in defined}
    for statement in statements:
        _check_once(statement, builder)
        _check_head(statement, builder)
        _BUILDERS.get(statement.keyword, _ignore)(statement, builder)
        builder.places.setdefault(statement.keyword, statement.keyword_span)
    builder.lists["maps"] = list(layered(builder.lists.get("maps", ()), report))
    _check_needed(document, builder)
    _check_ids(builder)
    if report.has_errors:
        return None
    try:
        spec = GridSpec(**builder.fields, **{name: tuple(items) for name, items in builder.lists.items()})
    except ValidationError as error:
        for problem in error.errors():
            keyword = str(problem["loc"][0])
            place = builder.places.get(keyword, document.source.whole().span(0, 0))
            report.add("bad-value", place, reason=problem["msg"])
        return None
    spec._source = document.source
    spec._folder = folder
    spec._stands_alone = _stands_alone(spec, report)
    spec._places = builder.places
    summed = with_sums(spec, report)
    named = with_areas(summed or spec, report) or summed
    spec._plain = expanded(named or spec, report) or named
    if not report.has_errors:
        spec._plain = with_told_kinds(spec.plain) or spec._plain
        spec._plain = ungrouped(spec.plain, report) or spec._plain
        spec._plain = with_chosen_legend(spec.plain) or spec._plain
    return None if report.has_errors else spec


def _stands_alone(spec: GridSpec, report: Report) -> bool:
    """Whether no file beside the spec was read for it, nor will be for its looks; bundled libraries are everywhere."""
    from griddsl.spec.libraries import BUNDLED

    beside = [place for place, _ in report.sought if place != spec.source.name]
    sprites = [item for look in spec.looks for item in look.items if item.name == "sprite"]
    return not sprites and all(Path(place).parent == BUNDLED for place in beside)


def _is_of_a_size(statements: list[Statement], report: Report) -> bool:
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


def _check_once(statement: Statement, builder: _Builder) -> None:
    form = STATEMENTS[statement.keyword]
    if form.many:
        return
    key = (statement.keyword, statement.name)
    if key in builder.seen:
        what = f"{key[0]} {key[1]}".strip()
        labels = [Label(builder.seen[key], "first here")]
        help = "write what it says below the first one" if form.items in _LISTS else None
        builder.report.add("duplicate-statement", statement.span, what=what, labels=labels, help=help)
    builder.seen[key] = statement.span


def _check_head(statement: Statement, builder: _Builder) -> None:
    form = STATEMENTS[statement.keyword]
    head = statement.head.text
    if (form.head == "none" and head) or (statement.keyword == "limit" and head[:1].isdigit()):
        said = f"{statement.keyword}: {' '.join((head, statement.items.text)).strip()}"
        place = statement.keyword_span.to(statement.items.span())
        if statement.keyword == "once":
            said = f"when {head}: {statement.items.text}".strip()
            place = statement.keyword_span.to(
                statement.items.span() if statement.items.text else statement.head.span()
            )
            said = said if statement.items.text else said.removesuffix(":")
        whole = write(said, place=place)
        builder.report.add("unexpected-head", statement.head.span(), keyword=statement.keyword, help=whole)
    if form.head in {"name", "define", "id"} and not head:
        help = _head_meant(statement)
        builder.report.add("missing-head", statement.keyword_span, keyword=statement.keyword, help=help)


def _head_meant(statement: Statement) -> str:
    """Return how a declaration reads whose name stands behind its colon, or nowhere."""
    items = statement.items.text
    if statement.keyword == "variant":
        return f"for example `variant mine/Small-v0: {items[:40] or 'size = 5'}`"
    whole = statement.keyword_span.to(statement.items.span())
    if statement.keyword in {"tile", "object"} and NAME.fullmatch(items) and not statement.block:
        return write(f"{statement.keyword} {items}:", place=whole)
    named = re.fullmatch(r"([A-Za-z_]\w*)\s*[=:]\s*(.+)", items)
    if named is not None:
        return write(f"{statement.keyword} {named[1]}: {named[2]}", place=whole)
    items = items or EXAMPLES.get(statement.keyword, "")
    return f"for example `{statement.keyword} NAME: {items[:40]}`".replace(": `", ":`")


def _check_needed(document: Document, builder: _Builder) -> None:
    start = builder.places.get("env", document.source.whole().span(0, 0))
    if "env" not in builder.places:
        builder.report.add(
            "missing-statement", start, keyword="env", help="write `env: mine/MyWorld-v0` first"
        )
    if not builder.places:
        return
    if "observe" not in builder.places:
        help = "such as `observe: cell` or `observe: grid`"
        builder.report.add("missing-statement", start, keyword="observe", help=help)
    if not {"map", *LEVEL_FILES, "generate"} & set(builder.places):
        builder.report.add(
            "missing-statement",
            start,
            keyword="map",
            help="draw the grid under `map:`, or `generate: room(8, 8)`",
        )
    if "actions" not in builder.places:
        builder.report.add(
            "missing-statement",
            start,
            keyword="actions",
            help=add("actions: up, right, down, left", document.source),
        )


def _ignore(statement: Statement, builder: _Builder) -> None:
    """Pass over a statement that another stage reads."""


# Statements whose items are texts


def _env(statement: Statement, builder: _Builder) -> None:
    texts = statement.texts()
    ids = [text for text in texts if not text.text.startswith('"')]
    descriptions = [text for text in texts if text.text.startswith('"')]
    quoted = next((text for text in descriptions if ID.fullmatch(text.text.strip('"'))), None)
    if not ids and quoted is not None:
        bare = Help("an id stands without quotes", (quoted.text.strip('"'),), place=quoted.span())
        builder.report.add("bad-id", quoted.span(), id=quoted.text, help=bare)
        return
    if not ids and descriptions:
        help = "the text is a description; before it stands the id, as in `env: mine/MyWorld-v0`"
        builder.report.add("missing-items", statement.span, what="env", help=help)
        return
    if not ids:
        builder.report.add("missing-items", statement.span, what="env", help="write `env: mine/MyWorld-v0`")
        return
    if not ID.fullmatch(ids[0].text):
        builder.report.add(
            "bad-id",
            ids[0].span(),
            id=ids[0].text,
            help=write(_id_like(ids[0].text), ": namespace, name and version"),
        )
    for extra in ids[1:]:
        builder.report.add(
            "syntax", extra.span(), found=f"`{extra.text[:20]}`", expected="a quoted description"
        )
    builder.fields["id"] = ids[0].text
    builder.fields["description"] = " ".join(_text(text, builder.report) for text in descriptions)


def _id_like(text: str) -> str:
    namespace, _, name = text.rpartition("/")
    clean = re.sub(r"[^A-Za-z0-9_-]", "", name) or "MyWorld"
    prefix = re.sub(r"[^A-Za-z0-9_-]", "", namespace) or "mine"
    return f"{prefix}/{clean}" if re.search(r"-v[0-9]+$", clean) else f"{prefix}/{clean}-v0"


def _text(fragment: Fragment, report: Report) -> str:
    """Read a quoted text, or several joined by commas."""
    if len(fragment.text) > LONGEST_CLAUSE:
        report.add("too-long", fragment.span(0, 1), length=len(fragment.text), most=LONGEST_CLAUSE)
        return ""
    if not re.fullmatch(r'"(\\.|[^"\\\n])*"', fragment.text):
        if fragment.text.startswith('"') and fragment.text.count('"') == 1:
            report.add("open-text", fragment.span(), help='close it with `"`')
        else:
            help: str = 'texts stand in double quotes: "..."'
            inside = re.fullmatch(rf"[fFrRbBuU]?{_QUOTES}([^\"\\\\]*){_QUOTES}", fragment.text)
            if inside is not None and not fragment.source.is_toml:
                help = Help(help, (f'"{inside[1]}"',))
            elif '"' not in fragment.text and not fragment.source.is_toml:
                help = Help(help, (f'"{fragment.text}"',))
            found = f"`{fragment.text[:20]}`"
            report.add("syntax", fragment.span(), found=found, expected="a quoted text", help=help)
        return ""
    return unquote(fragment.text)


def _mission(statement: Statement, builder: _Builder) -> None:
    texts = statement.texts()
    if not texts:
        builder.report.add(
            "missing-items", statement.span, what="mission", help='write `mission: "reach the goal"`'
        )
        return
    builder.places["mission"] = texts[0].span()
    builder.fields["mission"] = " ".join(_mission_text(text, builder) for text in texts)


def _mission_text(text: Fragment, builder: _Builder) -> str:
    """Read a quoted text, alternatives of texts, or a call of a definition as the mission holds it: in braces."""
    from griddsl.spec.missions import alternatives_of, mission_of, told
    from griddsl.syntax.toml import ALTERNATIVES

    def keep(node: n.Expression) -> str:
        builder.append("tellings", node)
        return told(len(builder.lists["tellings"]))

    if CALL.fullmatch(text.text):
        return f"{{{text.text}}}"
    if ALTERNATIVES.fullmatch(text.text):
        return alternatives_of(text, keep, builder.report)
    return mission_of(_text(text, builder.report), text.span(), keep, builder.report)


# Maps


def _map(statement: Statement, builder: _Builder) -> None:
    words = statement.head.text.split()
    walled = bool(words) and words[0] == "walled"
    name = " ".join(words[1:] if walled else words)
    if name.startswith('"'):
        name = unquote(name)
    elif name and not NAME.fullmatch(name):
        builder.report.add(
            "syntax",
            statement.head.span(),
            found=f"`{name[:20]}`",
            expected="a name",
            help=f'write `map "{name}":`',
        )
        return
    if statement.items.text:
        row = statement.items.span()
        said = "the rows of a map stand below it, indented"
        builder.report.add(
            "syntax",
            row,
            found=f"`{statement.items.text[:20]}`",
            expected="the end of the line",
            help=said if row.source.is_toml else Help(said, (f"\n    {row.text}",), place=row),
        )
        return
    if not statement.rows:
        builder.report.add("empty-map", statement.span, help="draw the rows below `map:`, indented")
        return
    rows = tuple(row.text for row in statement.rows)
    spans = tuple(row.span() for row in statement.rows)
    builder.append("maps", Drawing(name or None, walled, rows, spans, statement.span))


def _generate(statement: Statement, builder: _Builder) -> None:
    call = _one(statement, "expression", builder)
    if call is None:
        return
    if not isinstance(call, n.Call | n.Name):
        builder.report.add("syntax", call.span, found="this", expected="a generator such as `room(8, 8)`")
        return
    builder.fields["generate"] = call


def _level(statement: Statement, builder: _Builder) -> None:
    texts = statement.texts()
    if len(texts) != 1:
        builder.report.add(
            "missing-items", statement.span, what="level", help="write `level: random` or a map's name"
        )
        return
    builder.fields["level"] = unquote(texts[0].text)
    builder.places["level"] = texts[0].span()


# Declarations


def _items(statement: Statement, start: str, builder: _Builder) -> tuple[Any, ...]:
    found: list[Any] = []
    for text in (statement.items, *(line.text for line in statement.block if not line.is_head)):
        if text.text:
            found.extend(parse_clause(start, text, builder.report) or ())
    if not statement.texts() and STATEMENTS[statement.keyword].items not in {"properties", "block", "rows"}:
        _report_empty(statement, builder)
    _refuse_nested(statement.block, builder)
    return tuple(found)


def _refuse_nested(block: Iterable[Line], builder: _Builder) -> None:
    for line in block:
        if line.is_head:
            builder.report.add(
                "wrong-place",
                line.text.span(),
                what="an `if`",
                where="here: blocks belong to rules and setup",
            )


def _report_empty(statement: Statement, builder: _Builder) -> None:
    title = _title(statement)
    example = EXAMPLES.get(statement.keyword)
    help = f"for example `{title}: {example}`" if example else None
    if statement.keyword == "legend" and statement.comment.lstrip("# ").startswith("="):
        help = "`#` begins a comment; in a map it is a wall by itself, so that no legend names it"
    builder.report.add("missing-items", statement.span, what=title, help=help)


def _title(statement: Statement) -> str:
    return f"{statement.keyword} {statement.head.text}".strip()


def _one(statement: Statement, start: str, builder: _Builder) -> Any:
    """Parse the only item of a statement."""
    texts = statement.texts()
    if not texts:
        _report_empty(statement, builder)
        return None
    for extra in texts[1:]:
        builder.report.add("syntax", extra.span(), found="a second item", expected="one item")
    _refuse_nested(statement.block, builder)
    return parse_clause(start, texts[0], builder.report)


def _declared(statement: Statement, builder: _Builder) -> str:
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
    word = re.sub(r"[ -]+", "_", name.strip())
    if NAME.fullmatch(word):
        return write(word)
    if "," in name:
        return f"write a statement for each: `{statement.keyword} {name.split(',')[0].strip()}:`"
    return None


def _variable(statement: Statement, builder: _Builder) -> None:
    name = _declared(statement, builder)
    item = _one(statement, "variable", builder)
    if item is not None:
        target = "variables" if statement.keyword == "var" else "params"
        builder.append(target, Declaration(name, item.default, item.domain, statement.head.span()))


def _define(statement: Statement, builder: _Builder) -> None:
    names = parse_clause("define_head", statement.head, builder.report) if statement.head.text else None
    value, effects = _meaning(statement, builder)
    if names is None:
        return
    for at, name in enumerate(names):
        twice = next((other for other in names[:at] if other.name == name.name), None)
        if name.name in RESERVED:
            help = f"choose another, such as `my_{name.name}`"
            builder.report.add("reserved-name", name.span, name=name.name, help=help)
        elif twice is not None:
            builder.report.add(
                "duplicate-name", name.span, name=name.name, labels=[Label(twice.span, "first here")]
            )
    parameters = tuple(name.name for name in names[1:])
    builder.append("definitions", Definition(names[0].name, parameters, value, effects, names[0].span))


def _meaning(statement: Statement, builder: _Builder) -> tuple[Any, tuple[n.Effect, ...]]:
    """Read what a definition says: one expression, or effects."""
    texts = statement.texts()
    if len(texts) == 1 and not any(line.is_head for line in statement.block):
        meaning = parse_meaning(texts[0], builder.report)
        return (None, meaning) if isinstance(meaning, tuple) else (meaning, called(meaning))
    if not texts:
        help = f"for example `define {statement.head.text or 'near_goal'}: agent within 1 of goal`"
        builder.report.add("missing-items", statement.span, what=_title(statement), help=help)
    effects = tuple(_effects(statement.items, statement.block, builder.report))
    return None, _not_too_deep(effects, builder.report)


def _kind(statement: Statement, builder: _Builder) -> None:
    name = _declared(statement, builder) or "agent"
    items = _items(statement, "properties", builder)
    place = statement.head.span() if statement.head.text else statement.keyword_span
    category: Any = statement.keyword
    builder.append("kinds", KindDeclaration(name, category, items, place))


def _variant(statement: Statement, builder: _Builder) -> None:
    items = _items(statement, "infos", builder)
    spec_id = statement.head.text
    if not spec_id:
        return
    if not ID.fullmatch(spec_id):
        help = write(_id_like(spec_id), ": namespace, name and version")
        builder.report.add("bad-id", statement.head.span(), id=spec_id, help=help)
        return
    builder.append("variants", Variant(spec_id, items, statement.head.span()))


def _check_ids(builder: _Builder) -> None:
    """Report a variant that has the id of the spec itself."""
    for variant in builder.lists.get("variants", ()):
        if variant.id == builder.fields.get("id"):
            labels = [Label(builder.places["env"], "the spec itself has it")]
            help = "choose another id, or change the defaults of the parameters"
            builder.report.add("duplicate-name", variant.span, name=variant.id, labels=labels, help=help)


def _region(statement: Statement, builder: _Builder) -> None:
    name = _declared(statement, builder)
    builder.append("regions", Region(name, _items(statement, "regions", builder), statement.head.span()))


def _actions(statement: Statement, builder: _Builder) -> None:
    items = _items(statement, "actions", builder)
    head = statement.head.text
    form = re.search(r"(?:^|\s)as\s+\S.*$|\sas$", head)
    if form is not None and not AXES.search(head):
        help = "`actions:` numbers them one after the other; `as multidiscrete` gives what they take axes"
        found = f"`{head[form.start() :].strip()[:30]}`"
        builder.report.add(
            "syntax", statement.head.span(), found=found, expected="`as multidiscrete`", help=help
        )
    builder.append(
        "actions",
        ActionGroup(AXES.sub("", head) or None, items, AXES.search(head) is not None, statement.span),
    )


def _score(statement: Statement, builder: _Builder) -> None:
    name = statement.head.text
    if name and not NAME.fullmatch(name):
        found, expected = f"`{name[:30]}`", "one name, of letters, digits and `_`"
        builder.report.add("syntax", statement.head.span(), found=found, expected=expected)
        return
    value = _one(statement, "told", builder)
    if value is not None:
        builder.append("scores", n.NamedValue(name, value, statement.head.span()))


def _slip(statement: Statement, builder: _Builder) -> None:
    condition = None
    if statement.head.text:
        condition = parse_clause("slip_head", statement.head, builder.report)
    builder.append("slip", Slip(condition, _items(statement, "slip", builder), statement.span))


def _allow(statement: Statement, builder: _Builder) -> None:
    condition = _one(statement, "expression", builder)
    if condition is not None:
        builder.append("allow", Allow(statement.head.text, condition, statement.head.span()))


def _choice(statement: Statement, builder: _Builder) -> None:
    choices = CHOICES[statement.keyword]
    texts = statement.texts()
    if len(texts) != 1 or texts[0].text not in choices:
        found = ", ".join(text.text for text in texts)[:30]
        span = texts[0].span() if texts else statement.span
        meant = MEANT.get(statement.keyword, {}).get(found.lower())
        help: str | None = (
            Help(f"did you mean `{meant}`?", (meant,), found) if meant else did_you_mean(found, choices)
        )
        if statement.keyword == "rewards" and help is None:
            help = "what a step or a place is worth is said by rules: `each step: reward -1`"
        builder.report.add("syntax", span, found=f"`{found}`", expected=listing(choices), help=help)
        return
    builder.fields[statement.keyword] = texts[0].text


def _rewards(statement: Statement, builder: _Builder) -> None:
    """``rewards: shared, scale 1/10, clip -1..1``: what they mean for the others, and what becomes of each."""
    texts = statement.texts()
    if len(texts) == 1 and not re.match(r"(clip|scale)\b", texts[0].text) and "," not in texts[0].text:
        _choice(statement, builder)
        return
    for item in _items(statement, "rewards", builder):
        if isinstance(item, n.RewardChange):
            builder.append("reward_changes", item)
        elif item.name not in CHOICES["rewards"] or "rewards" in builder.fields:
            help = did_you_mean(item.name, (*CHOICES["rewards"], "clip", "scale"))
            expected = listing((*CHOICES["rewards"], "clip -1..1", "scale 1/10"))
            builder.report.add("syntax", item.span, found=f"`{item.name}`", expected=expected, help=help)
        else:
            builder.fields["rewards"] = item.name


def _order(statement: Statement, builder: _Builder) -> None:
    order = ", ".join(part.strip() for text in statement.texts() for part in text.text.split(","))
    if order not in ORDERS:
        builder.report.add("syntax", statement.span, found=f"`{order[:30]}`", expected=listing(ORDERS))
        return
    builder.fields["order"] = order


def _clause(name: str, start: str) -> Callable[[Statement, _Builder], None]:
    def read(statement: Statement, builder: _Builder) -> None:
        value = _one(statement, start, builder)
        if value is not None:
            builder.fields[name] = value

    return read


def _legend(statement: Statement, builder: _Builder) -> None:
    for item in _items(statement, "legend", builder):
        kind = getattr(item.kind, "name", "")
        if len(item.glyph) > 1 and len(kind) == 1 and NAME.fullmatch(item.glyph) and item.tile is None:
            help = write(f"{kind} = {item.glyph}", ": the glyph stands first")
            builder.report.add("bad-glyph", item.span, glyph=f"`{item.glyph[:20]}`", help=help)
            continue
        builder.append("legend", item)


def _list(name: str, start: str) -> Callable[[Statement, _Builder], None]:
    def read(statement: Statement, builder: _Builder) -> None:
        for item in _items(statement, start, builder):
            builder.append(name, item)

    return read


def _observe(statement: Statement, builder: _Builder) -> None:
    items = _items(statement, "observations", builder)
    builder.append("observe", Observe(statement.head.text or None, items, statement.span))


def _limit(statement: Statement, builder: _Builder) -> None:
    value = _one(statement, "limit", builder)
    if value is None:
        return
    if statement.head.text[:1].isdigit():
        return
    if statement.head.text:
        builder.append("limits", Limit(statement.head.text, value, statement.head.span()))
    elif isinstance(value, n.Name) and value.name == "none":
        builder.fields["endless"] = True
    else:
        builder.fields["limit"] = value


def _look(statement: Statement, builder: _Builder) -> None:
    builder.append(
        "looks", Look(statement.head.text, _items(statement, "looks", builder), statement.head.span())
    )


# Rules and setup


def _not_too_deep(effects: tuple[n.Effect, ...], report: Report) -> tuple[n.Effect, ...]:
    """Return the effects; none, with a diagnostic, where blocks and their ``else if`` lines nest too deep to run."""
    deep = next((effect for effect in effects if _depth(effect) > MOST_BRANCHES), None)
    if deep is None:
        return effects
    report.add(
        "too-deep",
        deep.span,
        most=MOST_BRANCHES,
        help="each `else if` counts as a level; write several rules",
    )
    return ()


def _depth(effect: n.Effect) -> int:
    """Return how deep the blocks of an effect nest; each ``else if`` stands in the ``else`` of the one before."""
    if isinstance(effect, n.Retry | n.Repeat | n.Each):
        return 1 + max(map(_depth, effect.body), default=0)
    if not isinstance(effect, n.If):
        return 0
    return (
        max(at + 1 + max(map(_depth, body), default=0) for at, (_, body) in enumerate(effect.branches))
        if effect.branches
        else 0
    )


def _setup(statement: Statement, builder: _Builder) -> None:
    effects = tuple(_effects(statement.items, statement.block, builder.report))
    for effect in _not_too_deep(effects, builder.report):
        builder.append("setup", effect)


def _once(statement: Statement, builder: _Builder) -> None:
    effects = tuple(_effects(statement.items, statement.block, builder.report))
    for effect in _not_too_deep(effects, builder.report):
        builder.append("once", effect)


def _rule(statement: Statement, builder: _Builder) -> None:
    rule = rule_of(statement, builder.report)
    if rule is not None:
        builder.append("rules", rule)


def rule_of(statement: Statement, report: Report) -> Rule | None:
    """Return a statement as a rule; None, with a diagnostic, where its head cannot be read."""
    whole = (
        statement.keyword_span.to(statement.head.span()) if statement.head.text else statement.keyword_span
    )
    fragment = _joined(statement)
    head: n.RuleHead | None = parse_clause("rule", fragment, report)
    effects = tuple(_effects(statement.items, statement.block, report))
    effects = _not_too_deep(effects, report)
    if not statement.items.text and not statement.block:
        report.add("missing-items", whole, what=fragment.text, help="effects follow the colon: `reward -1`")
    if head is None:
        return None
    return Rule(fragment.text, head.trigger, head.condition, head.chance, effects, whole)


def _joined(statement: Statement) -> Fragment:
    """Return keyword and head as one fragment."""
    if not statement.head.text:
        return Fragment(statement.keyword_span.source, statement.keyword, statement.keyword_span.start)
    origin = [
        *(statement.keyword_span.start + i for i in range(len(statement.keyword))),
        statement.keyword_span.start + len(statement.keyword),
        *(statement.head.offset(i) for i in range(len(statement.head.text) + 1)),
    ]
    return Fragment(statement.head.source, f"{statement.keyword} {statement.head.text}", origin)


def _effects(items: Fragment, block: Iterable[Line], report: Report) -> Iterator[n.Effect]:
    if items.text:
        yield from parse_effects(items, report)
    yield from _block_effects(tuple(block), report)


def _block_effects(block: tuple[Line, ...], report: Report) -> Iterator[n.Effect]:
    at = 0
    while at < len(block):
        line = block[at]
        if not line.is_head:
            yield from parse_effects(line.text, report)
            at += 1
            continue
        word = line.text.text.split(None, 1)[0]
        if word == "else":
            report.add("lost-else", line.text.span(), help="start with `if C:`")
            at += 1
        elif word in {"retry", "repeat", "each"}:
            yield from _again(word, line, report)
            at += 1
        else:
            taken = 1
            while at + taken < len(block) and _continues(block[at + taken]):
                taken += 1
            yield from _if(block[at : at + taken], report)
            at += taken


def _continues(line: Line) -> bool:
    return line.is_head and line.text.text.split(None, 1)[0] == "else"


def _if(lines: tuple[Line, ...], report: Report) -> Iterator[n.If]:
    branches: list[tuple[n.Expression | None, tuple[n.Effect, ...]]] = []
    if len(lines) > MOST_BRANCHES:
        help = "write a rule for each"
        report.add("too-deep", lines[MOST_BRANCHES].text.span(), most=MOST_BRANCHES, help=help)
        lines = lines[:MOST_BRANCHES]
    for index, line in enumerate(lines):
        assert line.tail is not None
        text = line.text.text
        test: n.Expression | None = None
        if text.split() == ["else"]:
            if index != len(lines) - 1:
                report.add("lost-else", lines[index + 1].text.span(), help="`else:` comes last")
        else:
            test = parse_clause("if_head" if index == 0 else "else_if_head", line.text, report)
            if test is None:
                continue
        effects = tuple(_effects(line.tail, line.block, report))
        if not line.tail.text and not line.block:
            report.add("missing-items", line.text.span(), what=text, help="effects follow the colon")
        branches.append((test, effects))
    yield n.If(tuple(branches), lines[0].text.span())


def _again(word: str, line: Line, report: Report) -> Iterator[n.Retry | n.Repeat | n.Each]:
    assert line.tail is not None
    head = parse_clause(f"{word}_head", line.text, report)
    effects = tuple(_effects(line.tail, line.block, report))
    if word == "each":
        if not line.tail.text and not line.block:
            what = line.text.text
            report.add("missing-items", line.text.span(), what=what, help="effects follow the colon")
        if head is not None:
            over, where, by, down = head
            yield n.Each(over, where, by, down, effects, line.text.span())
        return
    if head is not None:
        yield (n.Retry if word == "retry" else n.Repeat)(head[0], head[1], effects, line.text.span())


_BUILDERS: dict[str, Callable[[Statement, _Builder], None]] = {
    "env": _env,
    "param": _variable,
    "define": _define,
    "variant": _variant,
    "map": _map,
    "generate": _generate,
    "level": _level,
    "legend": _legend,
    "tile": _kind,
    "object": _kind,
    "agent": _kind,
    "agents": _list("agents", "agents"),
    "var": _variable,
    "region": _region,
    "once": _once,
    "setup": _setup,
    "actions": _actions,
    "slip": _slip,
    "sticky": _clause("sticky", "expression"),
    "allow": _allow,
    **dict.fromkeys(CHOICES, _choice),
    "rewards": _rewards,
    "order": _order,
    **dict.fromkeys(RULE_WORDS, _rule),
    "observe": _observe,
    "info": _list("info", "infos"),
    "score": _score,
    "mission": _mission,
    "limit": _limit,
    "look": _look,
}
