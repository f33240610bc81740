"""Statements, and lines that open a block, without their colon: where it belongs."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from griddsl.diagnostics import Help, Report, domain_around, listing, shortened, write
from griddsl.source import Fragment, Span
from griddsl.syntax.keywords import NAMED, RULE_WORDS, STATEMENTS
from griddsl.syntax.stray.lines import OTHER_HELP
from griddsl.syntax.stray.words import is_named

_BLOCKS = frozenset({"if", "else", "retry", "repeat", "each"})
_LONGEST_LINE = 80


@dataclass(frozen=True, slots=True)
class Line:
    """A line without its ``:``, and the statement or the block that it begins."""

    fragment: Fragment
    keyword: str

    @property
    def text(self) -> str:
        """What is written."""
        return self.fragment.text

    @property
    def is_rule(self) -> bool:
        """Whether effects follow its ``:``."""
        return self.keyword in RULE_WORDS or self.keyword in _BLOCKS

    def around(self, start: int, end: int) -> tuple[Fragment, Fragment]:
        """Return what stands before a part of it, and what stands after."""
        return self.fragment.slice(0, start).strip(), self.fragment.slice(end, len(self.text)).strip()


@dataclass(frozen=True, slots=True)
class Answer:
    """What is wrong and where, what to write, and the head and the rest of the line as they are meant."""

    place: Span
    head: str
    help: str
    parts: tuple[Fragment, Fragment]
    unclosed: tuple[str, str] | None = None  # what was found and what was expected, where that is no colon


def explain_no_colon(text: Fragment, keyword: str, report: Report) -> tuple[Fragment, Fragment]:
    """Report a statement, or a line that opens a block, without its ``:``; split it where that belongs."""
    line = Line(text, keyword)
    answer = next(filter(None, (wording(line) for wording in WORDINGS)), None) or _as_it_stands(line)
    if answer.unclosed is not None:
        found, expected = answer.unclosed
        report.add("syntax", answer.place, help=answer.help, found=found, expected=expected)
    else:
        report.add("missing-colon", answer.place, help=answer.help, keyword=answer.head)
    return answer.parts


def _said(found: re.Match[str]) -> str:
    return f"{found['head']}: {found['rest'] or ''}".rstrip()


@dataclass(frozen=True, slots=True)
class Form:
    """Lines of a form with a ``head``, and a ``rest`` that is meant to follow it."""

    form: str
    line: Callable[[re.Match[str]], Help | str] = _said
    note: str = ""
    keyword: str = ""

    def __call__(self, line: Line) -> Answer | None:
        """Answer a line of this form."""
        found = re.fullmatch(self.form, line.text) if self.keyword in {"", line.keyword} else None
        if found is None:
            return None
        said = self.line(found)
        help = said if isinstance(said, Help) else write(said, self.note, line.fragment.span())
        rest = line.fragment.slice(*found.span("rest")).strip()
        parts = line.fragment.slice(0, found.end("head")), rest
        return Answer(line.fragment.span(0, found.end("head")), found["head"], help, parts)


def _wide_colon(line: Line) -> Answer | None:
    """`map：`, as some keyboards write it."""
    at = line.text.find("：")
    if at < 0:
        return None
    place = line.fragment.span(at, at + 1)
    help = Help("write `:`, as it is on the keyboard", (":",), place=place)
    return Answer(place, line.text[:at], help, line.around(at, at + 1))


def _import(line: Line) -> Answer | None:
    """`import babyai`."""
    if line.keyword != "import" or not re.fullmatch(r"import\s+[\w.]+(\s+as\s+\w+)?", line.text):
        return None
    end = len(line.text)
    place = line.fragment.span(0, len("import"))
    return Answer(place, "import", OTHER_HELP["import"], line.around(end, end))


def _in_brackets(line: Line) -> Answer | None:
    """`legend (c = coin)`, `actions [up, down]`."""
    form = r"(?P<head>legend|actions|observe|info|look\s+\w+)\s*[(\[]\s*(?P<rest>.*?)\s*[)\]]"
    found = re.fullmatch(form, line.text)
    if found is None or _open_bracket(f"{found['rest']}:") is not None:
        return None
    return Form(form, note=", without brackets around all")(line)


def _listed(line: Line) -> Answer | None:
    """`object coin, gem`, `object crate, solid`."""
    found = re.fullmatch(r"((?:object|tile)\s+\w+)\s*,\s*(.+)", line.text)
    if found is None:
        return None
    place = line.fragment.span()
    help = _each_declared(found[1], found[2], place) or write(f"{found[1]}: {found[2]}", place=place)
    parts = line.around(found.end(1), found.start(2))
    return Answer(line.fragment.span(0, len(line.keyword)), found[1], help, parts)


def _bracket(line: Line) -> Answer | None:
    """`look box(color=red: shape square`: the colon is there, within a bracket that is not closed."""
    found = _open_bracket(line.text)
    if found is None:
        return None
    at, colon = found
    sign, closing = line.text[at], ")" if line.text[at] == "(" else "]"
    unclosed = f"`{sign}` that is never closed", f"its `{closing}`"
    place = line.fragment.span(at, at + 1)
    return Answer(place, "", f"close it with `{closing}`", line.around(colon, colon + 1), unclosed)


def _counted_agents(line: Line) -> Answer | None:
    """`agents 3`."""
    found = re.fullmatch(r"(agents?)\s*[*x]?\s*(\d+)", line.text)
    if found is None:
        return None
    help = write(f"agents: player * {found[2]}", place=line.fragment.span())
    head, rest = line.fragment.slice(0, found.end(1)), line.around(0, len(line.text))[1]
    return Answer(line.fragment.span(0, len(line.keyword)), line.keyword, help, (head, rest))


def _braces(line: Line) -> Answer | None:
    """`on enter goal { reward 1; end }`."""
    found = re.fullmatch(r"([^{}]*?)\s*(\{)\s*([^{}]*?)\s*\}?", line.text)
    if found is None:
        return None
    effects = ", ".join(each.strip() for each in found[3].split(";") if each.strip())
    whole = f"{found[1]}: {effects}".strip()
    help = Help("there are no braces: effects follow `:`", (whole,), place=line.fragment.span())
    return Answer(line.fragment.span(*found.span(2)), found[1], help, line.around(*found.span(2)))


def _sign_instead(line: Line) -> Answer | None:
    """`on enter goal -> reward 1`, `if C then`, `define near = C`."""
    found = re.search(r"\s(then|->|=>)(?=\s|$)", line.text)
    equals = re.match(r"\w+( +\w+(?:\([\w ,]*\))?)? *(=)(?!=)", line.text)
    heads = {*NAMED, "maybe"}
    if equals is not None and not line.is_rule and (not equals[1] or STATEMENTS[line.keyword].head in heads):
        found = equals
    if found is None:
        return None
    start, end = found.span(found.lastindex or 0)
    place = line.fragment.span(len(line.text[:start].rstrip()), end)
    help = Help(f"write `:` in place of `{line.text[start:end]}`", (":",), place=place)
    parts = line.around(start, end)
    return Answer(line.fragment.span(start, end), shortened(parts[0].text), help, parts)


def _effect(line: Line) -> Answer | None:
    """`on enter goal reward 1`."""
    trigger = re.match(
        r"(on(\s+(?!reward|end)\w+)?\s+(enter|leave|bump|push|pickup|drop|toggle|meet|do|fail)|\w+)\s+",
        line.text,
    )  # for `on pickup` and `on do` name no effect
    words = re.compile(r"\b(reward|hidden|end|truncate|out|cancel|go|place|choose|remove|pickup|drop)\b")
    found = words.search(line.text, trigger.end() if trigger else 0) if line.is_rule else None
    if found is None:
        return None
    start, before = found.start(), len(line.text[: found.start()].rstrip(" ,"))
    whole = f"{line.text[:before]}: {line.text[start:]}"
    shown = f"`{whole}`" if len(whole) <= _LONGEST_LINE else f"`:` before `{shortened(line.text[start:])}`"
    help = Help(f"write {shown}", (": ",), place=line.fragment.span(before, start))
    head = shortened(line.text[:before])
    return Answer(line.fragment.span(*found.span()), head, help, line.around(start, start))


def _heir(found: re.Match[str]) -> Help:
    whole = f"{found['head']}: solid, pushable"
    return Help(f"no kind takes over what `{found[2]}` says: write its properties, as in `{whole}`", ())


def _number(found: re.Match[str]) -> str:
    whole, point, _ = found["rest"].partition(".")
    domain = "0..1" if point and not whole.strip("0") else domain_around(whole)
    return f"{_said(found)} in {domain}"


def _of_domain(found: re.Match[str]) -> str:
    domain, start = found["domain"], found["start"]
    return f"{found['head']}: {start + ' ' if start else ''}in {domain}"


def _properties(found: re.Match[str]) -> str:
    listed = re.sub(r"\s*;\s*|\s+and\s+", ", ", found["rest"])
    return f"{found['head']}: {listed.rstrip(', ')}"


def _allowed(found: re.Match[str]) -> str:
    return f"{found['head']}: " + (f"not ({found['rest']})" if found[2] == "unless" else found["rest"])


_KIND = r"(?P<head>(?:object|tile|agent)\s+\w+)"
_IF = r"(if|when|while|where|unless|provided|only\s+(?:if|when|where))"

# Each answers lines that are written in its way, and returns None for all others: the first that answers is taken.
WORDINGS: tuple[Callable[[Line], Answer | None], ...] = (
    _wide_colon,
    _import,
    Form(r"(?P<head>agent)\s+(?:is\s+|stands\s+)?(?P<rest>nowhere)", _properties),
    Form(r"(?P<head>variant\s+[\w./-]+)(?P<rest>)"),
    Form(rf"{_KIND}\s*\((?P<rest>[^()]*)\)\s*"),
    Form(r"(?P<head>look\s+\w+\s*\(\s*\w+\s*=[^()]*\))\s*(?P<rest>(?:color|shape|sprite)\b.*)"),
    _in_brackets,
    _listed,
    _bracket,
    _counted_agents,
    Form(rf"{_KIND}\s+(?:extends|inherits|is\s+an?|is\s+like|like)\s+(?:from\s+)?(\w+)(?P<rest>)", _heir),
    Form(rf"{_KIND}\s+(?:is|are|has|with)\s+(?P<rest>\S.*)", _properties),
    Form(rf"{_KIND}\s*[\[{{]\s*(?P<rest>[^\[\]{{}}]*?)\s*[\]}}]", _properties),
    _braces,
    Form(r"(?P<head>(?:var|param)\s+\w+)\s*=\s*(?P<rest>\d+(?:\.\d+)?)", _number),
    Form(
        r"(?P<head>(?:var|param)\s+\w+)\s+in\s+(?P<domain>[^=:]+?)(?:\s*=\s*(?P<start>[\w.-]+))?\s*(?P<rest>)",
        _of_domain,
    ),
    _sign_instead,
    _effect,
    Form(
        r"(?P<head>each\s+\w+(?:\([^()]*\))?(?:\s+in\s+\S+)?)\s+(?P<rest>(?!where\b|by\b|in\b)\S.*)",
        keyword="each",
    ),
    Form(rf"(?P<head>allow\s+\w+)\s+{_IF}\s+(?P<rest>\S.*)", _allowed),
    Form(r"(?P<head>define\s+\w+\s*\(\s*\w[\w\s,]*\))\s*(?P<rest>.*)"),
    Form(r"(?P<head>define\s+\w+)\s*(?:\([\s,]*\))?\s*(?P<rest>.*)"),
    Form(r"(?P<head>variant\s+\S+-v[0-9]+)\s*(?:\(|with\b|\s)\s*(?P<rest>\w+\s*=[^()]*)\)?"),
    Form(rf"{_KIND}\s*;(?P<rest>)", note=": nothing ends a line but its end"),
)


def _as_it_stands(line: Line) -> Answer:
    """Answer any other line: what follows the head is its items, or the effects."""
    takes_head = (
        line.is_rule or STATEMENTS[line.keyword].head not in {"none", "maybe"} or is_named(line.fragment)
    )
    split = len(line.text) if takes_head else len(line.keyword)
    items, behind = line.text[split:].strip(), "the effects" if line.is_rule else "its items"
    help: str = f"write `{line.text}:`, and {behind} after it"
    if len(line.text) > _LONGEST_LINE:
        help = f"a `:` stands behind the head, and {behind} after it"
    named = re.match(r"map\s.*|\w+\s+\w+", line.text)
    if items:
        help = write(f"{line.keyword}: {items}", place=line.fragment.span())
    elif takes_head and not line.is_rule and named is not None:
        split = named.end()
        whole = f"{named.group()}: {line.text[split:].strip()}".strip()
        help = write(whole, place=line.fragment.span())
    elif not line.is_rule:
        help = write(f"{line.text}:", ", and its items below", line.fragment.span())
    place = line.fragment.span(0, len(line.keyword))
    return Answer(place, line.keyword, help, line.around(split, split))


def _each_declared(first: str, others: str, place: Span) -> Help | None:
    """Return a statement for each of `object coin, gem`; None where the rest is said of the first."""
    from griddsl.syntax.habits.kinds.properties import WORDS_OF_PROPERTIES

    names = [name.strip() for name in others.split(",")]
    said = {*WORDS_OF_PROPERTIES, "portable", "slide", "facing"}
    if not all(re.fullmatch(r"[A-Za-z_]\w*", name) and name not in said for name in names):
        return None
    lines = [f"{each}:" for each in (first, *(f"{first.split()[0]} {name}" for name in names))]
    help = f"each has a statement of its own: write {listing(lines, 'and')}, on a line each"
    return Help(help, ("\n".join(lines),), place=place)


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
