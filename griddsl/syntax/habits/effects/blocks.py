"""Blocks in effects: an `if` or a loop in other words, or where none can stand."""

from __future__ import annotations

import re

from griddsl.diagnostics import Help, write
from griddsl.syntax.habits.mistake import Meant, Mistake

BEHIND_IF = "; a condition stands behind `if`"
ELSE_IF = ("elif", "elseif", "elsif")


# A random number below another, as Python draws it.
_DRAWN = r"\Aif\s+(?:random|rand)(?:\.\w+)?\(\s*\)\s*<=?\s*(?P<p>[\d./]+%?)\s*:"


# What a condition on cells asks about.
_OF_CELL = re.compile(r"(?<![.\w])(?:x|y|here)\b")

_LONGEST_SHOWN = 80


def lonely_if(mistake: Mistake) -> Meant | None:
    """`reward 1 if C`: a condition behind an effect."""
    if mistake.start not in {"effects", "infos", "observations"}:
        return None
    at, start = mistake.begin, mistake.item_start()
    ifs = [match.start() for match in re.finditer(r"\bif\b", mistake.text[: mistake.begin])]
    ended = re.fullmatch(r"end\s+(if)\s+", mistake.text[start : mistake.begin])
    if ended is not None:
        at = start + ended.start(1)
    elif mistake.found != "if":
        if "ELSE" not in mistake.expected or not ifs or mistake.found not in {"", ",", ")"}:
            return None
        at = ifs[-1]
    if not mistake.text[start:at].strip():
        line = "`if C:` opens a line of its own in the rule's block: write its effects after the colon"
        return Meant(line, at, at + 2)
    otherwise = re.match(r",\s*(else)\b(\s+reward\b)?", mistake.text[mistake.begin :])
    if otherwise is not None:
        return Meant(
            Help("write `A if C else B`, without a comma", (" else",)),
            mistake.begin,
            mistake.begin + 1,
            expected="`else`",
            stop=mistake.begin + otherwise.end(),
        )
    help: str = "a condition stands in the rule's head (`on enter K if C: ...`) or opens a line (`if C: ...`)"
    if mistake.start != "effects":
        help = "write `A if C else B`"
    elif re.match(r"place\b.*\b(?:random|every)\b", mistake.text[start:at]) and _OF_CELL.search(
        mistake.text[at : mistake.item_end()]
    ):
        return Meant(write("where", ": which cells qualify"), at, at + 2, start=at, stop=at + 2)
    elif mistake.found != "if" and re.match(r"(hidden\s+)?reward\s+[^=\s]", mistake.text[start:]):
        item = mistake.text[start : mistake.begin].rstrip()
        closed = mistake.found if mistake.found == ")" else ""
        help = write(f"{item} else 0{closed}", ", or put the condition into the rule's head")
        return Meant(
            help,
            at,
            at + 2,
            "`if` without `else`",
            "`,` or the end",
            start=start,
            stop=start + len(item + closed),
        )
    if re.search(r"\belse\b", mistake.text[at : mistake.item_end()]) is not None:
        return Meant(help, at, at + 2, "`if`", "`,` or the end")
    if mistake.start == "effects":
        help = _opened(mistake, start, at) or help
    stop = len(mistake.text.rstrip())
    return Meant(help, at, at + 2, "`if` without `else`", "`,` or the end", start=0, stop=stop)


def _opened(mistake: Mistake, start: int, at: int) -> Help | None:
    """Return the lines in which ``E, F if C`` asks before it does F; None where F is not the last, or asks more."""
    stop, text = mistake.item_end(), mistake.text.strip()
    effect, asked = mistake.text[start:at].strip(), mistake.text[at + 2 : stop].strip()
    if mistake.text[stop:].strip() or not asked or re.search(r"\bwith\b|:", f"{effect} {asked}"):
        return None
    line, first = f"if {asked}: {effect}", mistake.text[:start].strip().rstrip(",")
    head = re.search(rf"^(\S[^:\n]*):[ \t]*{re.escape(text)}[ \t]*(?:#.*)?$", mistake.whole, re.MULTILINE)
    if head is None:
        alone = re.search(rf"^[ ]+{re.escape(text)}[ \t]*(?:#.*)?$", mistake.whole, re.MULTILINE)
        return write(line, ": a condition opens a line") if alone is not None and not first else None
    block = f"\n    {first}\n    {line}" if first else f"\n    {line}"
    if not first and head[1] == "each step":
        return Help(f"a rule asks in its head: `when {asked}: {effect}`", (block,))
    if not first and not re.search(r"\bif\b|\bwith\b|^when\b|^each\b", head[1]):
        return Help(f"a condition stands in the rule's head: `{head[1]} if {asked}: {effect}`", (block,))
    return Help(f"a condition opens a line of the rule's block: `{line}`", (block,))


def _in_the_head(mistake: Mistake) -> str:
    """Return how a rule of one condition and one effect asks it in its head; nothing where that says too much."""
    text = mistake.text.strip()
    said = re.fullmatch(r"if\s+([^:]+?)\s*:\s*([^:]+)", text)
    heads = re.findall(
        rf"^((?:each step|on\s)[^:\n]*):[ \t]*{re.escape(text)}[ \t]*$", mistake.whole, re.MULTILINE
    )
    if said is None or not heads or re.search(r"\b(?:if|with|chance|random|rand)\b", f"{heads[0]} {said[1]}"):
        return ""
    asked = f"when {said[1]}" if heads[0] == "each step" else f"{heads[0]} if {said[1]}"
    rule = f"{asked}: {said[2]}"
    return f", or is asked in the head: `{rule}`" if len(rule) <= _LONGEST_SHOWN else ""


def block_line(mistake: Mistake) -> Meant | None:
    """`on enter goal: if x: end`, `reward 1, if x: end`, `if C: reward 1 else: end`: a block's line among effects."""
    if mistake.start != "effects":
        return None
    at = mistake.item_start()
    word = re.match(r"(if|else|retry|repeat|each)\b" if at == 0 else r"(if|else)\b", mistake.text[at:])
    help: str
    if word is not None:
        if re.match(r"each\s+(?:step|turn)\b", mistake.text):
            line = "`each step` starts a rule, which stands by itself, in the first column"
            return Meant(line, 0, word.end(), expected="an effect")
        help = f"`{word.group()}` starts a line of its own, indented below"
        if at == 0 and ":" in mistake.text:
            lines = re.sub(r",?\s*\b(else(\s+if\b[^:]*)?):", r"\n    \1:", mistake.text.rstrip())
            lines = re.sub(_DRAWN, lambda said: f"if true with chance {said['p']}:", lines)
            help = Help(f"{help}{_in_the_head(mistake)}", (f"\n    {lines}",))
        return Meant(
            help, at, at + word.end(), expected="an effect", start=0, stop=len(mistake.text.rstrip())
        )
    if mistake.found == "else" and "ELSE" not in mistake.expected:
        rest = re.match(r"else\b:?\s*(.*)", mistake.rest)
        assert rest is not None
        help = Help(
            "`else:` starts a line of its own, below its `if`",
            (f"\nelse: {rest[1]}",) if not rest[1].startswith("if") else (),
        )
        stop = mistake.begin + rest.end()
        return Meant(help, expected="the end of the line", start=len(mistake.before), stop=stop)
    return None


def for_loop(mistake: Mistake) -> Meant | None:
    """`for coin in coins:`, `for c in coin:`, `for i in range(3):`, `foreach coin:`: `each` goes through them."""
    if mistake.start != "effects" or mistake.item_start() != 0:
        return None
    said = re.match(
        r"(?:for\s+(?:each\s+|every\s+|all\s+)?|foreach\s+|forall\s+)(\w+)(?:\s+in\s+([^:]+?))?\s*:\s*",
        mistake.text,
    )
    if said is None:
        return None
    name, among, rest = said[1], said[2] or said[1], mistake.text[said.end() :].rstrip()
    counted = re.fullmatch(r"range\(\s*(?:(-?\w+)\s*,)?\s*(-?\w+)\s*\)", among)
    kind = mistake.singular(re.sub(r"\Aall\s+", "", among))
    if counted is not None:
        last = str(int(counted[2]) - 1) if re.fullmatch(r"-?\d+", counted[2]) else f"{counted[2]} - 1"
        head = f"each {name} in {counted[1] or 0}..{last}"
    elif kind is not None:
        head, rest = f"each {kind}", re.sub(rf"(?<![.\w]){name}\b", kind, rest)
    elif said[2] and re.fullmatch(
        r"-?\w+\s*\.\.\s*-?\w+(?:\s*[-+*]\s*\w+)*|\w+(?:\s*\|\s*\w+)+|cells|directions", among
    ):
        head = f"each {name} in {among}"
    else:
        return None
    word = re.match(r"\w+", mistake.text)
    assert word is not None
    line = f"{head}: {rest}".rstrip()
    help = write(line, ", on a line of its own") if rest else write(line)
    if re.search(rf"^\w.*:[ \t]*{re.escape(mistake.text.strip())}", mistake.whole, re.MULTILINE):
        help = Help(help, (f"\n    {line}",))
    return Meant(help, *word.span(), unknown_effect=word[0], start=0, stop=len(mistake.text.rstrip()))
