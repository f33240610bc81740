"""Habits in what is said of several values: comprehensions, quantifiers and strides of other languages."""

from __future__ import annotations

import re

from griddsl.diagnostics import Help, write
from griddsl.syntax.habits.mistake import CONDITIONS, QUOTED, Habits, Meant, Mistake, blanks, hidden

_LOOSE = re.compile(r"\b(?:or|xor|if|where)\b")
_ALL = {"forall", "for all", "for every", "for each", "every", "each"}
# What stands on both sides of `..` is bounded, so that a long text is read once and not for each of its words.
_LOW = r"(?P<low>[^,:|.]{1,80})"
_HIGH = r"(?P<high>(?:(?!\b(?:where|with|if|steps?|by|stride)\b|\.\.)[^,:|]){1,80})"
_STRIDED = rf"\b(\w+)\s+in\b{_LOW}\.\.{_HIGH}(?:(?:steps?|by|stride)\s+|\.\.\s*)(?P<stride>-?\w+)"


def asked_by_for(mistake: Mistake) -> Meant | None:
    """`any(C for i in 0..3)`, `all(C for coin)`, `any(coin where C)`, `any(coin)`: what is gone through comes first."""
    closings = _closings(mistake.text)
    for called in re.finditer(r"\b(any|all|no)\s*\(", mistake.text[: mistake.begin]):
        start, stop = called.start(), closings.get(called.end() - 1, 0)
        if mistake.begin >= stop:
            continue
        inside = mistake.text[called.end() : stop - 1].strip()
        written = _quantified(mistake, called[1], re.sub(r"\A\[(.*)\]\Z", r"\1", inside, flags=re.DOTALL))
        found, expected = f"`{called[1]}` in brackets", "what it goes through first, then `where`"
        if written is None:
            written = _asked_alone(mistake, called[1], inside)
            expected = "what is asked, without them" if written is not None else expected
        if written is not None:
            help: str = write(_bracketed(written, mistake.text[:start], mistake.text[stop:]))
            return Meant(help, start, stop, found, expected, start=start, stop=stop)
        if re.search(r"\bfor\b", inside):
            help = (
                f"what it goes through comes first: `{called[1]} i in 0..3 where C`, `{called[1]} K where C`"
            )
            return Meant(help, start, stop, found, expected)
    return None


def _closings(text: str) -> dict[int, int]:
    """Return where each opening bracket of a text is closed: the place behind its closing one."""
    opened, closings = list[int](), dict[int, int]()
    for sign in re.finditer(rf"{QUOTED}|[()]", text):
        if sign[0] == "(":
            opened.append(sign.start())
        elif sign[0] == ")" and opened:
            closings[opened.pop()] = sign.end()
    return closings


def _quantified(mistake: Mistake, word: str, inside: str) -> str | None:
    """Return what a comprehension asks, in the words of the language."""
    shown = hidden(inside)
    plain = re.match(r"(\w+)(\s+in\b.*?)?\s+where\b", shown)
    if plain is not None and not re.search(r"\bfor\b", shown) and (plain[2] or mistake.is_kind(plain[1])):
        return f"{word} {inside}"
    through = r"(?:each\s+|all\s+|every\s+)?(\w+)(?:\s+in\s+(.+?))?"
    parts = re.fullmatch(rf"(.+?)\s+for\s+{through}(?:\s+(?:if|where)\s+(.+))?", shown, re.DOTALL)
    if (
        parts is None
        or re.search(r"\bfor\b", shown[parts.start(2) :])
        or re.search(r"\bif\b(?!.*\belse\b)", parts[1])
    ):
        return None
    asked, name, domain, only = (
        None if at[0] < 0 else inside[slice(*at)] for at in map(parts.span, (1, 2, 3, 4))
    )
    assert asked is not None and name is not None
    kind = _kind(mistake, domain or name)
    if kind is None and domain is None:
        return None
    if kind is not None:
        asked = re.sub(rf"\b{name}\b", kind, asked)
        only = only and re.sub(rf"\b{name}\b", kind, only)
    goes = kind or f"{name} in {_domain(domain or '')}"
    return f"{word} {goes} where {_only(word, only, asked) if only else asked}"


def _asked_alone(mistake: Mistake, word: str, inside: str) -> str | None:
    """Return what `any(coin)`, `no(coins)`, `all(door is open)`, `any(coin.value > 3)` ask."""
    said = re.match(r"(\w+)(?:\(\s*\w+\s*=[^()]*\))?", inside)
    kind = said and _kind(mistake, said[1])
    if said is None or kind is None or re.search(r"\bfor\b|,", hidden(inside)):
        return None
    rest = inside[said.end(1) :]
    if said.end() == len(inside):
        none = f"no {kind} left" if not rest else f"count({kind}{rest}) == 0"
        return {"any": f"count({kind}{rest}) > 0", "no": none}.get(word)
    if re.match(r"[^.]*\s(?:is|on|at|has|ahead|within|sees)\b", rest) and not _LOOSE.search(f"{rest} "):
        return f"{word} {kind}{rest}"
    return f"{word} {kind} where {kind}{rest}" if said.end() == said.end(1) else None


def _kind(mistake: Mistake, word: str) -> str | None:
    """Return the kind that a word names, be it in the plural."""
    return mistake.singular(word)


def _domain(text: str) -> str:
    """Return a domain: `range(5)` and `[a, b]` as they are written here."""
    counted = re.fullmatch(r"range\(\s*(?:(-?\w+)\s*,)?\s*(-?\w+)\s*\)", text)
    if counted is not None:
        last = str(int(counted[2]) - 1) if re.fullmatch(r"-?\d+", counted[2]) else f"{counted[2]} - 1"
        return f"{counted[1] or 0}..{last}"
    listed = re.fullmatch(r"[\[({]([\w\s,]+)[\])}]", text)
    return " | ".join(each.strip() for each in listed[1].split(",") if each.strip()) if listed else text


def _only(word: str, only: str, asked: str) -> str:
    """Return the condition on those of some values that another condition chooses."""
    if word == "all":
        return f"not {_held(only)} or {_held(asked) if _LOOSE.search(asked) else asked}"
    return f"{_held(only)} and {_held(asked)}" if _LOOSE.search(only) else f"{only} and {_held(asked)}"


def _held(condition: str) -> str:
    return f"({condition})" if re.search(r"\b(?:or|xor|if|where|and)\b", hidden(condition)) else condition


def _bracketed(written: str, before: str, after: str) -> str:
    """Return a condition in brackets where what stands around it would be taken for a part of it, or tears it apart."""
    ends = re.match(r"\s*(?:\Z|[),:]|with\b)", after) is not None
    opens = re.search(r"(?:\A|\b(?:if|when|and|or|not|xor|where|until)|[(=,])\s*\Z", before) is not None
    return written if ends and opens else f"({written})"


def existing_value(mistake: Mistake) -> Meant | None:
    """`if exists i in 0..3 where C`, `forall i in 0..3 where C`, `when exists coin where C`: `any` and `all`."""
    if mistake.start not in CONDITIONS:
        return None
    words = (
        r"\b(exists|there\s+(?:exists|is)|for\s+some|some|forall|for\s+all|for\s+every|for\s+each|every|each)"
    )
    form = rf"{words}\s+(?:an?\s+|any\s+)?((\w+)\s+(?:in\b[^:]{{1,160}}?)?\bwhere\b)"
    for said in re.finditer(form, mistake.text):
        if said.start() == 0 or not said.start() <= mistake.begin <= said.end():
            continue
        if not (mistake.is_kind(said[3]) or re.match(r"\w+\s+in\b", said[2])):
            continue
        word = "all" if " ".join(said[1].split()) in _ALL else "any"
        start, stop = said.start(), len(mistake.text[: said.start(2)].rstrip())
        return Meant(write(word), *said.span(1), expected=f"`{word}`", start=start, stop=stop)
    return None


def strided(mistake: Mistake) -> Meant | None:
    """`any i in 0..9 step 2 where C`, `each i in 0..9 by 2`, `choose n in 0..9 step 3`: a range has no step."""
    for said in re.finditer(_STRIDED, mistake.text):
        begin = said.end("high")
        if not begin <= mistake.begin <= said.end():
            continue
        help = _without_stride(mistake, said)
        start, stop = len(mistake.text[:begin].rstrip()), _end(mistake, said)
        if mistake.start in _DOMAINS:
            start, stop = said.start("low") + blanks(mistake.text, said.start("low")), said.end()
        return Meant(help, begin, said.end(), expected="a range without a step", start=start, stop=stop)
    return None


_DOMAINS = ("properties", "variable")


def _end(mistake: Mistake, said: re.Match[str]) -> int:
    """Return where the condition ends that a stride becomes a part of: behind its `where`, or at the stride."""
    behind = re.compile(r"\s*where\s+").match(mistake.text, said.end())
    if behind is None:
        return said.end()
    return _condition(mistake, behind.end())


def _condition(mistake: Mistake, at: int) -> int:
    """Return where the condition that starts at a place ends: before a comma, a chance, or a bracket around it."""
    depth = 0
    for sign in re.compile(r"[(),:]|\s+with\s+chance\b|\s*\Z").finditer(mistake.text, at):
        depth += (sign[0] == "(") - (sign[0] == ")")
        if depth < 0 or (depth == 0 and sign[0] not in "()") or sign.end() == len(mistake.text):
            return sign.start() if sign[0] != ")" or depth < 0 else sign.end()
    return len(mistake.text)


def _without_stride(mistake: Mistake, said: re.Match[str]) -> str:
    """Return what to write in place of a range's step: a condition, or where none can stand the range alone."""
    name, low, high, stride = said[1], said["low"].strip(), said["high"].strip(), said["stride"]
    if mistake.start in _DOMAINS:
        return write(f"{low}..{high}", ": a domain has no step, and all between its ends are in it")
    if not re.fullmatch(r"\d+", stride) or int(stride) < 2:
        return f"a range has no step and goes up: a condition chooses, as in `where {name} mod 2 == 0`"
    chosen = (
        f"{name} mod {stride} == {int(low) % int(stride)}"
        if low.isdigit()
        else f"({name} - {low}) mod {stride} == 0"
    )
    behind = re.compile(r"\s*where\s+").match(mistake.text, said.end())
    if behind is None:
        return _stated(f" where {chosen}")
    rest = mistake.text[behind.end() : _condition(mistake, behind.end())]
    asked = re.search(r"\b(any|all|no)\s+\Z", mistake.text[: said.start()])
    if asked is not None and asked[1] == "all":
        return _stated(f" where not {chosen} or {rest}")
    return _stated(f" where {chosen} and {_held(rest)}")


def _stated(rewrite: str) -> Help:
    line = write(rewrite.strip(), ": a range has no step, a condition chooses with `mod`")
    return Help(line, (rewrite,))


# In the order in which they are asked: what is surest stands first.
HABITS: Habits = (strided, asked_by_for, existing_value)
