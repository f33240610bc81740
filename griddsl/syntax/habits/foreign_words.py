"""Habits of other languages: their words and signs, and what says the same here."""

from __future__ import annotations

import re

from griddsl.diagnostics import Help, write
from griddsl.syntax.habits.mistake import CONDITIONS, Meant, Mistake, blanks

# What a word is replaced by; a text without a rewrite stands in `_SAID`.
_INSTEAD = {
    "contains": "has",
    "holds": "has",
    "carries": "has",
    "carrying": "has",
    "owns": "has",
    "near": "within 1 of",
    "touches": "on",
    "touching": "on",
    "inside": "on",
    "onto": "on",
    "isnt": "is not",
    "xor": "is not",
    "otherwise": "else",
    "probability": "chance",
    "prob": "chance",
    "equals": "==",
    "eq": "==",
    "neq": "!=",
    "lt": "<",
    "gt": ">",
    "AND": "and",
    "OR": "or",
    "NOT": "not",
    "And": "and",
    "Or": "or",
    "Not": "not",
}
_SAID = {
    "then": "write `:` in place of `then`",
    "isn": "write `is not`",
    "unless": "write `if not`",
    "elif": "write `else if`, on a line of its own",
    "when": "write `if`",
    "while": "write `if`",
    "exists": "write `any K ...` or `count(K) > 0`",
    "equal": "compare numbers with `==`, words with `is`",
    "equals": "compare numbers with `==`, words with `is`",
    "eq": "compare numbers with `==`, words with `is`",
}
_COMPARISONS = (
    (r"(?:is\s+)?(?:greater|more|larger|bigger|higher)\s+than\s+or\s+equal\s+to\b", ">="),
    (r"(?:is\s+)?(?:less|fewer|smaller|lower)\s+than\s+or\s+equal\s+to\b", "<="),
    (r"(?:is\s+)?(?:greater|more|larger|bigger|higher|above)(?:\s+than)?\b", ">"),
    (r"(?:is\s+)?(?:less|fewer|smaller|lower|below)(?:\s+than)?\b", "<"),
    (r"(?:is\s+)?at\s+least\b", ">="),
    (r"(?:is\s+)?at\s+most\b", "<="),
    (r"is\s+equal\s+to\b", "=="),
)
_OPERAND = r"[\w.]+(?:\([^()]*\))?"


def comparison_in_words(mistake: Mistake) -> Meant | None:
    """`energy is greater than 3`, `energy at least 3`."""
    for start in (mistake.begin, *(found.start() for found in re.finditer(r"\b(is|at)\b", mistake.text))):
        for pattern, sign in _COMPARISONS:
            found = re.compile(pattern).match(mistake.text, start)
            if found is not None and found.start() <= mistake.begin <= found.end():
                if found.group() == mistake.found and sign in "<>" and mistake.start not in CONDITIONS:
                    continue
                return Meant(write(sign), found.start(), found.end(), expected="a comparison")
    return None


def in_domain(mistake: Mistake) -> Meant | None:
    """`energy in 1..3`, `9 in range(10)`, `agent in home`: membership, as Python writes it."""
    if mistake.found != "in" and not re.search(r"\bin\s*\Z", mistake.before):
        return None
    left = re.search(rf"({_OPERAND})\s*(?:\bin\s*)?\Z", mistake.before)
    right = re.match(r"(?:in\b)?\s*(.+)", mistake.rest, re.DOTALL)
    if left is None or right is None or mistake.start not in CONDITIONS | {"effects"}:
        return None
    if mistake.start == "effects" and not re.search(r"\b(if|where|until)\b", mistake.before):
        return None
    at = mistake.text.find("in", left.end(1))
    if at < 0:  # nothing stands before the `in`
        return None
    written, taken = _membership(left[1], mistake.text[at + 2 :])
    if written is None:
        return Meant("compare with `>=` and `<=`, or with `is`", at, at + 2)
    help = write(written)
    return Meant(help, at, at + 2, start=left.start(1), stop=at + 2 + taken)


def _membership(name: str, right: str) -> tuple[str | None, int]:
    """Return what says that a value is in what stands behind `in`, and how much of the text that is."""
    counted = re.match(r"\s*range\(\s*(-?\w+)\s*(?:,\s*(-?\w+)\s*)?\)", right)
    if counted is not None:
        low, high = (counted[1], counted[2]) if counted[2] else ("0", counted[1])
        return f"{name} >= {low} and {name} < {high}", counted.end()
    ends = re.match(r"\s*[\[(]?(-?\w+)\s*\.\.\s*(-?\w+)[\])]?", right)
    if ends is not None:
        return f"{name} >= {ends[1]} and {name} <= {ends[2]}", ends.end()
    listed = re.match(r"\s*[\[({]\s*([\w\s,]+?)\s*[\])}]", right) or re.match(
        r"\s*(\w+(?:\s*\|\s*\w+)+)", right
    )
    if listed is not None:
        values = [value.strip() for value in re.split(r"[,|]", listed[1]) if value.strip()]
        tests = [f"{name} {'==' if value[0].isdigit() else 'is'} {value}" for value in values]
        return (f"({' or '.join(tests)})" if len(tests) > 1 else tests[0]), listed.end()
    place = re.match(r"\s*(?:the\s+)?([A-Za-z_]\w*)(?!\w|\s*\()", right)
    return (f"{name} on {place[1]}", place.end()) if place is not None else (None, 0)


def superfluous_is(mistake: Mistake) -> Meant | None:
    """`agent is on goal`, `agent is not on goal`, `agent is in home`."""
    written = mistake.text[: mistake.end]
    relation = re.search(r"(\w+)\s+(is)\s+(not\s+)?(on|at|ahead|within|has|left|in)(\s+\S+)?\Z", written)
    if relation is None:
        return None
    subject, _, negation, word, _ = relation.groups()
    word = "on" if word == "in" else word
    shown = f"not {subject[:20]} {word}" if negation else f"{subject[:20]} {word}"
    help = Help(f"leave `is` out: write `{shown} ...`", (shown,))
    return Meant(help, *relation.span(2), expected=f"`{word}`", start=relation.start(1), stop=relation.end(4))


def foreign_word(mistake: Mistake) -> Meant | None:
    """A word of another language, or a second `if`."""
    if mistake.found in {"if", "else"} and mistake.start == "rule":
        return Meant("a rule's head has one `if`, after its trigger")
    found = mistake.found
    before = re.search(r"\b(isn)\Z", mistake.before)
    if found.startswith("'t") or (before is not None and found == "'"):
        stop = mistake.begin + (2 if mistake.rest.startswith("'t") else 1)
        return Meant(write("is not"), before.start() if before else mistake.begin, stop)
    if found == "then":
        return _then(mistake)
    by = re.match(r"on\s+(\w+)\s+(\w+)\s+by\s+(?:the\s+)?(\w+)", mistake.text)
    if by is not None and found == "by" and mistake.start == "rule":
        subject = "" if by[3] == "agent" else f"{by[3]} "
        return Meant(write(f"on {subject}{by[1]} {by[2]}"), start=0, stop=by.end())
    near = re.match(r"(next|adjacent|close)\s+to\b|beside\b|by\b", mistake.rest)
    if near is not None:
        return Meant(write("within 1 of"), stop=mistake.begin + near.end())
    left = _none_left(mistake)
    if left is not None:
        return left
    if found == "exists" and (thing := re.search(r"(?:\bif\s+)?\b(\w+)\Z", mistake.before)):
        return Meant(write(f"count({thing[1]}) > 0"), start=thing.start(1), stop=mistake.end)
    if found == "unless" and not re.search(r"\b(and|or|if)\b|[<>=]", mistake.rest):
        return Meant(write("if not"))
    if found in {"equals", "eq", "equal"}:
        number = re.match(r"\w+\s*(to\s+)?(-?\d|[\w.]+\s*[-+*/])", mistake.rest)
        if number is None:
            return Meant(_SAID[found])
    if found in _INSTEAD:
        return Meant(write(_INSTEAD[found]))
    help = _SAID.get(found.lower())
    return Meant(help) if help is not None else None


def _then(mistake: Mistake) -> Meant:
    """`if C then: ...`, `A if C then B else D`."""
    if not mistake.rest[len("then") :].strip():
        help = Help("leave `then` out", ("",))
        return Meant(help, start=len(mistake.before))
    if mistake.start in {"rule", "if_head", "else_if_head"}:
        return Meant("write `:` in place of `then`")
    return Meant("a value reads `A if C else B`, and a block `if C:` with its effects below")


def _none_left(mistake: Mistake) -> Meant | None:
    """`no more coin left`, `all coins collected`, `number of coins == 0`."""
    more = re.search(r"\bno\s+(more)\s+\Z", mistake.text[: mistake.begin])
    if more is not None:
        return Meant(Help("leave `more` out", ("",)), *more.span(1), start=more.start(1), stop=mistake.begin)
    done = re.search(r"\ball\s+(?:the\s+)?(\w+?)s?\s+\Z", mistake.text[: mistake.begin])
    if done is not None and re.match(
        r"(?:are\s+)?(collected|gone|taken|eaten|removed|destroyed|picked)\b", mistake.rest
    ):
        word = re.match(r"(?:are\s+)?\w+(\s+up)?", mistake.rest)
        assert word is not None
        return Meant(write(f"no {done[1]} left"), start=done.start(), stop=mistake.begin + word.end())
    number = re.search(r"\b(?:the\s+)?(number|amount|count)\s+\Z", mistake.text[: mistake.begin])
    counted = re.match(r"of\s+(?:the\s+)?(\w+)", mistake.rest)
    if number is not None and counted is not None:
        return Meant(write(f"count({counted[1]})"), start=number.start(), stop=mistake.begin + counted.end())
    return None


# What a sign is replaced by (a pattern, and a rewrite or None), and the help.
_SIGNS: tuple[tuple[str, str | None, str], ...] = (
    (r"=>", ">=", ""),
    (r"=<", "<=", ""),
    (r"&&?", " and ", "write `and`"),
    (r"\|\|", " or ", "write `or`"),
    (r"!\s*(?=[\w(])", "not ", "write `not`"),
    (r"!\s*\Z", "", "leave `!` out"),
    (r"%", " mod ", "write `mod` for the remainder"),
    (r"\^", None, "there is no power: `x * x` is the square"),
    (r"\?", None, "write `A if C else B`"),
    (r"[–—−]", "-", ""),
    (r"×", "*", ""),
    (r"÷", "/", ""),
    (r"≤", "<=", ""),
    (r"≥", ">=", ""),
    (r"≠", "!=", ""),
    (r"…", "..", ""),
    (r"∞", None, "there is no infinity"),
    (r"\{", None, "there are no braces: a block is indented"),
    (r"\}", None, "there are no braces: a block is indented"),
    (r"[→⇒]", None, "effects follow `:`"),
    (r"\u00a0", " ", "it looks like a blank; write a plain one"),
    (r"[\u200b\u200c\u200d\u2060\ufeff]", "", "it is invisible: leave it out"),
)
# The same, of a sign whose first part was read already.
_SIGNS_AFTER: tuple[tuple[str, str, str | None, str], ...] = (
    ("<", r">", "!=", ""),
    ("==", r"=", "==", ""),
    ("-", r">", None, "`->` means nothing here; effects follow `:`"),
    ("*", r"\*", None, "there is no power: `x * x` is the square"),
    ("..", r"\.", "..", ""),
    ("reward +", r"=", "reward ", "write `reward 1`: it adds to the step's reward"),
    ("reward -", r"=", "reward -", "write `reward -1`: it adds to the step's reward"),
)


def foreign_sign(mistake: Mistake) -> Meant | None:
    """A sign of another language, or of a word processor."""
    for own in (_comment, _quotes, _counting, _point, _separator):
        fix = own(mistake)
        if fix is not None:
            return fix
    for pattern, rewrite, help in _SIGNS:
        match = re.compile(pattern).match(mistake.text, mistake.begin)
        if match is not None:
            # Only the sign itself is pointed at, not the blanks around it.
            stop = mistake.begin + len(match.group().rstrip()) if match.group().strip() else match.end()
            begin = len(mistake.before) if rewrite and rewrite.startswith(" ") else mistake.begin
            after = re.compile(r"\s*").match(mistake.text, match.end())
            last = after.end() if after and rewrite and rewrite.endswith(" ") else match.end()
            return Meant(_stated(rewrite, help), mistake.begin, stop, start=begin, stop=last)
    for before, pattern, rewrite, help in _SIGNS_AFTER:
        match = re.match(rf"{pattern}\s*" if before.startswith("reward") else pattern, mistake.rest)
        if mistake.text[: mistake.begin].endswith(before) and match is not None:
            begin = mistake.begin - len(before)
            stop = mistake.begin + match.end()
            return Meant(_stated(rewrite, help), begin, mistake.end, start=begin, stop=stop)
    return _equals(mistake) if mistake.found == "=" else None


def _stated(rewrite: str | None, help: str) -> str:
    if rewrite is None:
        return help
    return Help(help or f"write `{rewrite.strip()}`", (rewrite,))


def _comment(mistake: Mistake) -> Meant | None:
    """`observe: grid // the board`, `x // 2`: a comment, or whole division."""
    begin = mistake.begin - (1 if mistake.text[: mistake.begin].endswith("/") else 0)
    sign = re.compile(r"//|/\*").match(mistake.text, begin)
    if sign is None:
        return None
    rest = mistake.text[sign.end() :].strip()
    number = re.match(rf"(\d+|[\w.]*\.\w+|\([^()]*\)|{_OPERAND}(?=\s*[-+*<>=,)]))", rest)
    if sign.group() == "//" and number is not None and "SLASH" in mistake.expected | {"SLASH"}:
        return Meant(
            Help("write `div` for whole division", (" div ",)),
            begin,
            sign.end(),
            start=len(mistake.text[:begin].rstrip()),
            stop=sign.end() + blanks(mistake.text, sign.end()),
        )
    if sign.group() == "//" and re.fullmatch(r"\w+", rest) and mistake.start != "observations":
        return Meant("a comment starts with `#`; whole division is written `div`", begin, sign.end())
    return Meant(
        Help("a comment starts with `#`", ("#",)), begin, sign.end(), expected="`#`, or the end of the line"
    )


def _quotes(mistake: Mistake) -> Meant | None:
    """`'text'`, and the quotes of word processors."""
    prefixed = re.search(r"\b([fFrRbBuU])\Z", mistake.text[: mistake.begin])
    if prefixed is not None and mistake.found.startswith(('"', "'")):
        without = Help(f"texts stand in double quotes, without `{prefixed[1]}`", ("",))
        return Meant(without, prefixed.start(), prefixed.end())
    if re.match(r"['‘’“”„«»`]", mistake.rest) is None:
        return None
    help: str = 'texts stand in double quotes: "..."'
    whole = re.match(r"['‘’“”„«»`]([^'‘’“”„«»`\"\\\n]*)['‘’“”„«»`]", mistake.rest)
    if whole is not None:
        text = whole[1]
        rewrite = (
            text if re.fullmatch(r"[A-Za-z_]\w*", text) and "STRING" not in mistake.expected else f'"{text}"'
        )
        return Meant(Help(help, (rewrite,)), stop=mistake.begin + whole.end())
    return Meant(help)


def _counting(mistake: Mistake) -> Meant | None:
    """`count crate on target`, `energy++`, `energy *= 2`."""
    counted = re.search(r"\bcount\s+\Z", mistake.text[: mistake.begin])
    said = re.match(r"(\w+)\s+(?:on|at|is|in)\s+\w+(?=\s*(?:==|!=|[<>]=?))", mistake.rest)
    if counted is not None and said is not None and mistake.is_kind(said[1]):
        help = write(f"count({said[1]} where {said[0]})")
        return Meant(help, start=counted.start(), stop=mistake.begin + said.end())
    name = re.search(rf"({_OPERAND})\s*([+-]?)\Z", mistake.text[: mistake.begin])
    step = (
        re.match(r"\+\+|--", mistake.rest) if name is None or not name[2] else re.match(r"[+-]", mistake.rest)
    )
    if step is not None and name is not None and mistake.start == "effects":
        sign = step.group()[0]
        if name[2] in {"", sign} and re.fullmatch(
            rf"{re.escape(sign)}*\s*", mistake.text[mistake.begin : mistake.item_end()]
        ):
            help = write(f"{name[1]} {sign}= 1")
            return Meant(help, name.end(1), mistake.item_end(), start=name.start(1), stop=mistake.item_end())
    times = re.match(r"([*/%])=", mistake.rest) or (
        re.match(r"()=", mistake.rest) if re.search(r"[*/]\Z", mistake.before) else None
    )
    if times is None:
        return None
    owner = re.search(rf"({_OPERAND})\s*([*/]?)\Z", mistake.before)
    if owner is None:
        return Meant("write `NAME = NAME * 2`")
    sign = {"/": "div", "%": "mod"}.get(times[1] or owner[2], "*")
    value = mistake.text[mistake.begin + times.end() : mistake.item_end()].strip()
    begin, end = owner.end(1), mistake.begin + times.end()
    if not re.fullmatch(_OPERAND, value):
        return Meant("write `NAME = NAME * 2`", begin, end)
    help = write(f"{owner[1]} = {owner[1]} {sign} {value}")
    return Meant(help, begin, end, start=owner.start(1), stop=mistake.item_end())


def _point(mistake: Mistake) -> Meant | None:
    """`.5`, and `5.`."""
    if re.match(r"\.\d", mistake.rest) and not re.search(r"\w\Z", mistake.text[: mistake.begin]):
        number = re.match(r"\.\d+", mistake.rest)
        assert number is not None
        help = Help("write the 0 before the point", (f"0{number.group()}",))
        return Meant(help, mistake.begin, mistake.begin + number.end())
    return None


def _separator(mistake: Mistake) -> Meant | None:
    """`reward 1; end`: items, or statements, that a semicolon parts."""
    if not mistake.rest.startswith(";"):
        return None
    last = not mistake.rest[1:].strip()
    help = "nothing ends a line but its end" if last else "separate items with `,`"
    return Meant(Help(help, ("" if last else ",",)), mistake.begin, mistake.begin + 1)


def _equals(mistake: Mistake) -> Meant | None:
    inside = mistake.start in {"effects", "actions"} and re.search(r"\b(if|where|until)\b", mistake.before)
    if mistake.start not in CONDITIONS and not inside:
        return None
    help: str = "compare numbers with `==`, words with `is`"
    number = re.match(r"=\s*-?(\d|\w+\s*[-+*/]\s*\w)", mistake.rest)
    word = re.match(r"=\s*(true|false)\b", mistake.rest)
    if number is not None or word is not None:
        help = Help(help, ("==" if number is not None else "is",))
    return Meant(help)


def foreign_letter(text: str) -> str | None:
    """Return what to say of the first letter or digit that is not ASCII: it may look as one that is."""
    found = next((sign for sign in text if sign.isalnum() and not sign.isascii()), None)
    if found is None:
        return None
    from unicodedata import name

    called = name(found, "").lower()
    return f"`{found}` is U+{ord(found):04X}{called and f', {called}'}: names and numbers are ASCII"


def doubled_bar(mistake: Mistake) -> Meant | None:
    """`in red || blue`: values are joined by one `|`."""
    if mistake.found != "|" or not mistake.text[: mistake.begin].endswith("|"):
        return None
    help = Help("values are joined by one `|`", ("",))
    return Meant(help, mistake.begin, mistake.end, start=mistake.begin, stop=mistake.end)


def foreign_letters(mistake: Mistake) -> Meant | None:
    """A name with a letter that is not ASCII."""
    word = re.match(r"\w+", mistake.rest)
    help = foreign_letter(word.group()) if word else None
    if word is None or help is None:
        return None
    started = re.search(r"\w*\Z", mistake.text[: mistake.begin])
    assert started is not None
    return Meant(help, started.start(), mistake.begin + word.end())


def quoted_word(mistake: Mistake) -> Meant | None:
    """`door is "open"`: a name in quotes."""
    quoted = re.fullmatch(r'"(\w+)"', mistake.found)
    if quoted is None or "NAME" not in mistake.expected:
        return None
    return Meant(Help(f"a name stands without quotes: `{quoted[1]}`", (quoted[1],)))


def number(mistake: Mistake) -> Meant | None:
    """`1,000`, `1_000`, `3x`."""
    thousands = re.search(r"([1-9]\d*),(\d{3})\Z", mistake.before)
    if thousands is not None and not mistake.found and mistake.start == "effects":
        return Meant(
            write(f"{thousands[1]}{thousands[2]}"), *thousands.span(), expected="a number without `,`"
        )
    decimal = re.search(r"(\d+),(\d+)\Z", mistake.before)
    if decimal is not None and not mistake.found and mistake.start == "effects":
        return Meant(write(f"{decimal[1]}.{decimal[2]}"), *decimal.span(), expected="a number with a point")
    if re.fullmatch(r"\d[\d_]*", mistake.found) and "_" in mistake.found:
        return Meant(write(mistake.found.replace("_", "")))
    glued = re.fullmatch(r"(\d+(?:\.\d+)?)([A-Za-z_]\w*)", mistake.found)
    if glued is not None:
        return Meant(f"a name starts with a letter; a blank stands after a number: `{glued[1]} {glued[2]}`")
    return None


__all__ = [
    "comparison_in_words",
    "doubled_bar",
    "foreign_letter",
    "foreign_letters",
    "foreign_sign",
    "foreign_word",
    "in_domain",
    "number",
    "quoted_word",
    "superfluous_is",
]
