"""Statements, and lines that open a block, without their colon: where it belongs."""

from __future__ import annotations

import re

from griddsl.diagnostics import Help, Report, domain_around, listing, write
from griddsl.source import Fragment
from griddsl.syntax.keywords import RULE_WORDS, STATEMENTS
from griddsl.syntax.stray.lines import OTHER_HELP
from griddsl.syntax.stray.words import is_named

_INSTEAD_OF_COLON = re.compile(r"\s(then|->|=>)(?=\s|$)")
_EQUALS_AFTER_HEAD = re.compile(r"\w+( +\w+(?:\([\w ,]*\))?)? *(=)(?!=)")
_LONGEST_LINE = 80
_EFFECT = re.compile(r"\b(reward|hidden|end|truncate|out|cancel|go|place|choose|remove|pickup|drop)\b")
_TRIGGER = re.compile(
    r"(on(\s+(?!reward|end)\w+)?\s+(enter|leave|bump|push|pickup|drop|toggle|meet|do|fail)|\w+)\s+"
)


def explain_no_colon(text: Fragment, keyword: str, report: Report) -> tuple[Fragment, Fragment]:
    """Report a statement, or a line that opens a block, without its ``:``; split it where that belongs."""
    opens_block = keyword in {"if", "else", "retry", "repeat", "each"}
    is_rule = keyword in RULE_WORDS or opens_block
    wide = text.text.find("：")
    if wide >= 0:
        help = Help("write `:`, as it is on the keyboard", (":",), place=text.span(wide, wide + 1))
        report.add("missing-colon", text.span(wide, wide + 1), keyword=text.text[:wide], help=help)
        return _split(text, wide, wide + 1)
    imported = keyword == "import" and re.fullmatch(r"import\s+[\w.]+(\s+as\s+\w+)?", text.text)
    if imported:
        report.add("missing-colon", text.span(0, len(keyword)), keyword=keyword, help=OTHER_HELP["import"])
        return _split(text, len(text.text), len(text.text))
    if re.fullmatch(r"variant\s+[\w./-]+", text.text):
        help = write(f"{text.text}:", place=text.span())
        report.add("missing-colon", text.span(0, len(keyword)), keyword=text.text, help=help)
        return _split(text, len(text.text), len(text.text))
    called = re.fullmatch(r"((?:object|tile|agent)\s+\w+)\s*\(([^()]*)\)\s*", text.text)
    if called is not None:
        help = write(f"{called[1]}: {called[2]}".rstrip(), place=text.span())
        report.add("missing-colon", text.span(called.end(1), called.end(1) + 1), keyword=called[1], help=help)
        return _split(text, called.end(1), called.end(1))
    enclosed = re.fullmatch(r"(legend|actions|observe|info|look\s+\w+)\s*[(\[]\s*(.*?)\s*[)\]]", text.text)
    if enclosed is not None and _open_bracket(f"{enclosed[2]}:") is None:
        help = write(f"{enclosed[1]}: {enclosed[2]}", ", without brackets around all", text.span())
        report.add("missing-colon", text.span(0, len(keyword)), keyword=keyword, help=help)
        return text.slice(0, enclosed.end(1)), text.slice(*enclosed.span(2)).strip()
    listed = re.fullmatch(r"((?:object|tile)\s+\w+)\s*,\s*(.+)", text.text)
    if listed is not None:
        help = _each_declared(listed[1], listed[2], text) or write(
            f"{listed[1]}: {listed[2]}", place=text.span()
        )
        report.add("missing-colon", text.span(0, len(keyword)), keyword=listed[1], help=help)
        return _split(text, listed.end(1), listed.start(2))
    bracket = _open_bracket(text.text)
    if bracket is not None:
        at, colon = bracket
        sign, closing = text.text[at], ")" if text.text[at] == "(" else "]"
        found, expected = f"`{sign}` that is never closed", f"its `{closing}`"
        report.add(
            "syntax", text.span(at, at + 1), found=found, expected=expected, help=f"close it with `{closing}`"
        )
        return _split(text, colon, colon + 1)
    counted = re.fullmatch(r"agents?\s*[*x]?\s*(\d+)", text.text)
    if counted is not None:
        help = write(f"agents: player * {counted[1]}", place=text.span())
        report.add("missing-colon", text.span(0, len(keyword)), keyword=keyword, help=help)
        return text.slice(0, len(keyword)), text.slice(len(text.text), len(text.text))
    heir = re.fullmatch(
        r"((?:object|tile|agent)\s+\w+)\s+(?:extends|inherits|is\s+an?|is\s+like|like)\s+(?:from\s+)?(\w+)",
        text.text,
    )
    if heir is not None:
        heirs = f"no kind takes over what `{heir[2]}` says: write its properties, as in `{heir[1]}: solid, pushable`"
        report.add("missing-colon", text.span(0, len(keyword)), keyword=heir[1], help=heirs)
        return _split(text, heir.end(1), len(text.text))
    described = re.fullmatch(
        r"((?:object|tile|agent)\s+\w+)\s*(?:\b(?:is|are|has|with)\s+(\S.*)|[\[{]\s*([^\[\]{}]*?)\s*[\]}])",
        text.text,
    )
    if described is not None:
        items = re.sub(r"\s*;\s*|\s+and\s+", ", ", described[2] or described[3]).rstrip(", ")
        help = write(f"{described[1]}: {items}", place=text.span())
        report.add("missing-colon", text.span(0, len(keyword)), keyword=described[1], help=help)
        part = text.slice(*described.span(2 if described[2] else 3)).strip()
        return text.slice(0, described.end(1)), part
    braces = re.fullmatch(r"([^{}]*?)\s*(\{)\s*([^{}]*?)\s*\}?", text.text)
    if braces is not None:
        start, end = braces.span(2)
        help = Help(
            "there are no braces: effects follow `:`",
            (
                f"{braces[1]}: {', '.join(each.strip() for each in braces[3].split(';') if each.strip())}".strip(),
            ),
            place=text.span(),
        )
        report.add("missing-colon", text.span(start, end), keyword=braces[1], help=help)
        return _split(text, start, end)
    number = re.fullmatch(r"(var|param)\s+(\w+)\s*=\s*(\d+)(\.\d+)?", text.text)
    if number is not None:
        domain = "0..1" if number[4] and not number[3].strip("0") else domain_around(number[3])
        start = text.text.index("=")
        whole = f"{number[1]} {number[2]}: {number[3]}{number[4] or ''} in {domain}"
        report.add(
            "missing-colon",
            text.span(start, start + 1),
            keyword=keyword,
            help=write(whole, place=text.span()),
        )
        return _split(text, start, start + 1)
    said = re.fullmatch(r"(var|param)\s+(\w+)\s+in\s+([^=:]+?)(?:\s*=\s*([\w.-]+))?\s*", text.text)
    if said is not None:
        start = said.end(2)
        whole = f"{said[1]} {said[2]}: {said[4] + ' ' if said[4] else ''}in {said[3]}"
        report.add(
            "missing-colon",
            text.span(0, start),
            keyword=text.text[:start],
            help=write(whole, place=text.span()),
        )
        return _split(text, start, len(text.text))
    instead = _INSTEAD_OF_COLON.search(text.text) if is_rule else _instead_of_colon(text.text, keyword)
    if instead is not None:
        start, end = instead.span(instead.lastindex or 0)
        before = len(text.text[:start].rstrip())
        help = Help(f"write `:` in place of `{text.text[start:end]}`", (":",), place=text.span(before, end))
        report.add("missing-colon", text.span(start, end), keyword=keyword, help=help)
        return _split(text, start, end)
    effect = _EFFECT.search(text.text, _after_trigger(text.text)) if is_rule else None
    if effect is not None:
        start, end = effect.span()
        head = _short(text.text[:start].rstrip(" ,"))
        before = len(text.text[:start].rstrip(" ,"))
        whole = f"{text.text[:before]}: {text.text[start:]}"
        shown = f"`{whole}`" if len(whole) <= _LONGEST_LINE else f"`:` before `{_short(text.text[start:])}`"
        help = Help(f"write {shown}", (": ",), place=text.span(before, start))
        report.add("missing-colon", text.span(start, end), keyword=head, help=help)
        return _split(text, start, start)
    loop = re.fullmatch(
        r"(each\s+\w+(?:\([^()]*\))?(?:\s+in\s+\S+)?)\s+(?!where\b|by\b|in\b)(\S.*)", text.text
    )
    if opens_block and loop is not None and keyword == "each":
        help = write(f"{loop[1]}: {loop[2]}", place=text.span())
        report.add("missing-colon", text.span(0, len(keyword)), keyword=loop[1], help=help)
        return _split(text, loop.end(1), loop.end(1))
    allowed = re.fullmatch(
        r"(allow\s+\w+)\s+(if|when|while|where|unless|provided|only\s+(?:if|when|where))\s+(\S.*)", text.text
    )
    if allowed is not None:
        asked = f"not ({allowed[3]})" if allowed[2] == "unless" else allowed[3]
        help = write(f"{allowed[1]}: {asked}", place=text.span())
        report.add("missing-colon", text.span(0, len(keyword)), keyword=allowed[1], help=help)
        return _split(text, allowed.end(1), allowed.start(3))
    defined = re.fullmatch(r"(define\s+\w+)\s*(\([\w\s,]*\))?\s*(.*)", text.text)
    if defined is not None:
        given = defined[2] if defined[2] is not None and re.search(r"\w", defined[2]) else ""
        headed = text.slice(0, defined.end(2) if given else defined.end(1))
        help = write(f"{defined[1]}{given}: {defined[3]}".rstrip(), place=text.span())
        report.add("missing-colon", text.span(0, len(keyword)), keyword=headed.text, help=help)
        return headed, text.slice(*defined.span(3)).strip()
    variant = re.fullmatch(r"(variant\s+\S+-v[0-9]+)\s*(?:\(|with\b|\s)\s*(\w+\s*=[^()]*)\)?", text.text)
    if variant is not None:
        help = write(f"{variant[1]}: {variant[2]}", place=text.span())
        report.add("missing-colon", text.span(0, len(keyword)), keyword=keyword, help=help)
        return text.slice(0, variant.end(1)), text.slice(*variant.span(2)).strip()
    ended = re.fullmatch(r"((?:object|tile|agent)\s+\w+)\s*;", text.text)
    if ended is not None:
        help = write(f"{ended[1]}:", ": nothing ends a line but its end", text.span())
        report.add("missing-colon", text.span(0, len(keyword)), keyword=ended[1], help=help)
        return _split(text, ended.end(1), len(text.text))
    takes_head = is_rule or STATEMENTS[keyword].head not in {"none", "maybe"} or is_named(text)
    split = len(text.text) if takes_head else len(keyword)
    items = text.text[split:].strip()
    line: str = f"write `{text.text}:`, and {'the effects' if is_rule else 'its items'} after it"
    if len(text.text) > _LONGEST_LINE:
        line = f"a `:` stands behind the head, and {'the effects' if is_rule else 'its items'} after it"
    named = re.match(r"map\s.*|\w+\s+\w+", text.text)
    if items:
        line = write(f"{keyword}: {items}", place=text.span())
    elif takes_head and not is_rule and named is not None:
        split = named.end()
        line = write(f"{named.group()}: {text.text[split:].strip()}".strip(), place=text.span())
    elif not is_rule:
        line = write(f"{text.text}:", ", and its items below", text.span())
    report.add("missing-colon", text.span(0, len(keyword)), keyword=keyword, help=line)
    return _split(text, split, split)


def _each_declared(first: str, others: str, text: Fragment) -> Help | None:
    """Return a statement for each of `object coin, gem`; None where the rest is said of the first."""
    from griddsl.syntax.habits.kinds.properties import WORDS_OF_PROPERTIES

    names = [name.strip() for name in others.split(",")]
    said = {*WORDS_OF_PROPERTIES, "portable", "slide", "facing"}
    if not all(re.fullmatch(r"[A-Za-z_]\w*", name) and name not in said for name in names):
        return None
    lines = [f"{each}:" for each in (first, *(f"{first.split()[0]} {name}" for name in names))]
    help = f"each has a statement of its own: write {listing(lines, 'and')}, on a line each"
    return Help(help, ("\n".join(lines),), place=text.span())


def _open_bracket(text: str) -> tuple[int, int] | None:
    """Return where a bracket is opened and not closed, and the colon that stands in it; None where there is none."""
    opened: list[int] = []
    for sign in re.finditer(r'"(?:\\.|[^"\\])*"|[(\[]|[)\]]|:', text):
        if sign.group() in {"(", "["}:
            opened.append(sign.start())
        elif sign.group() in {")", "]"} and opened:
            opened.pop()
        elif sign.group() == ":" and opened:
            return opened[-1], sign.start()
    return None


def _split(text: Fragment, start: int, end: int) -> tuple[Fragment, Fragment]:
    return text.slice(0, start).strip(), text.slice(end, len(text.text)).strip()


def _instead_of_colon(text: str, keyword: str) -> re.Match[str] | None:
    equals = _EQUALS_AFTER_HEAD.match(text)
    heads = {"name", "maybe", "define", "id"}
    if equals is not None and (equals.group(1) is None or STATEMENTS[keyword].head in heads):
        return equals
    return _INSTEAD_OF_COLON.search(text)


def _after_trigger(text: str) -> int:
    """Return where an effect can start: after the first words, for `on pickup` and `on do` name no effect."""
    match = _TRIGGER.match(text)
    return match.end() if match else 0


def _short(text: str) -> str:
    return text if len(text) <= 60 else f"{text[:57]}..."
