"""Words of other languages, and what says the same here."""

from __future__ import annotations

import re

from griddsl.diagnostics import Help, write
from griddsl.syntax.habits.mistake import CONDITIONS, Habits, Meant, Mistake

# What a word is replaced by; a text without a rewrite stands in `_SAID`.
_INSTEAD = {
    "contains": "has",
    "holds": "has",
    "carries": "has",
    "carrying": "has",
    "owns": "has",
    "near": "within 1 of",
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
_GONE = {"dies", "died", "disappears", "vanishes", "vanished"}
_COMPARISONS = (
    (r"(?:is\s+)?(?:greater|more|larger|bigger|higher)\s+than\s+or\s+equal\s+to\b", ">="),
    (r"(?:is\s+)?(?:less|fewer|smaller|lower)\s+than\s+or\s+equal\s+to\b", "<="),
    (r"(?:is\s+)?(?:greater|more|larger|bigger|higher|above)(?:\s+than)?\b", ">"),
    (r"(?:is\s+)?(?:less|fewer|smaller|lower|below)(?:\s+than)?\b", "<"),
    (r"(?:is\s+)?at\s+least\b", ">="),
    (r"(?:is\s+)?at\s+most\b", "<="),
    (r"is\s+equal\s+to\b", "=="),
)
OPERAND = r"[\w.]+(?:\([^()]*\))?"


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
    left = re.search(rf"({OPERAND})\s*(?:\bin\s*)?\Z", mistake.before)
    right = re.match(r"(?:in\b)?\s*(.+)", mistake.rest, re.DOTALL)
    if left is None or right is None or mistake.start not in CONDITIONS | {"effects"}:
        return None
    if mistake.start == "effects" and not re.search(r"\b(if|where|until)\b", mistake.before):
        return None
    at = mistake.text.find("in", left.end(1))
    if at < 0:  # nothing stands before the `in`
        return None
    cell = re.match(r"\s*(\([^(),|]+,[^(),|]+\))", mistake.text[at + 2 :])
    if cell is not None and (left[1] in {"agent", "self"} or mistake.is_kind(left[1])):
        help = write(f"{left[1]} at {cell[1]}")
        return Meant(help, at, at + 2, start=left.start(1), stop=at + 2 + cell.end())
    holder = re.match(r"\s*(agent|self|other)\b", mistake.text[at + 2 :])
    if holder is not None and mistake.is_kind(left[1]):
        help = write(f"{holder[1]} has {left[1]}")
        return Meant(help, at, at + 2, start=left.start(1), stop=at + 2 + holder.end())
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
    end = r"(-?\w+(?:\.[a-z]\w*)?)"
    ends = re.match(rf"\s*[\[(]?{end}\s*\.\.\s*{end}[\])]?", right)
    if ends is not None:
        name = "optimal_length" if name == "solvable" else name
        unit = re.match(r"\s*steps?\b", right[ends.end() :])
        return f"{name} >= {ends[1]} and {name} <= {ends[2]}", ends.end() + (unit.end() if unit else 0)
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


def in_other_words(mistake: Mistake) -> Meant | None:
    """`random floor near agent`, `in front of agent`, `agent stands on lava`, `the coin's worth`."""
    near = re.match(
        r"(?:near|beside|within\s+(\w+)\s+of|next\s+to|close\s+to)\s+(?:the\s+)?(\w+)", mistake.rest
    )
    if near is not None and re.search(r"\brandom\s+\w+\s*\Z", mistake.before):
        line = write(f"where here within {near[1] or 1} of {near[2]}")
        return Meant(line, stop=mistake.begin + near.end())
    front = re.search(r"\bplace\s+\w+\s+(in\s+(?:the\s+)?front)\s*\Z", mistake.before)
    if front is not None and (whose := re.match(r"of\s+(?:the\s+)?(\w+)", mistake.rest)) is not None:
        cell = f"({whose[1]}.x + dx({whose[1]}.facing), {whose[1]}.y + dy({whose[1]}.facing))"
        return Meant(write(f"at {cell}"), start=front.start(1), stop=mistake.begin + whose.end())
    stands = re.match(r"(?:stands?|standing|sits?|lies|stays|walks)\s+(?:up)?on\b", mistake.rest)
    if stands is not None:
        return Meant(write("on"), stop=mistake.begin + stands.end())
    own, whose = re.search(r"(?:\bthe\s+)?\b(\w+)\Z", mistake.before), re.match(r"'s\s+(\w+)", mistake.rest)
    if own is not None and whose is not None:
        return Meant(write(f"{own[1]}.{whose[1]}"), start=own.start(), stop=mistake.begin + whose.end())
    return None


def foreign_word(mistake: Mistake) -> Meant | None:
    """A word of another language, or a second `if`."""
    if mistake.found in {"if", "else"} and mistake.start == "rule":
        return Meant("a rule's head has one `if`, after its trigger")
    found = mistake.found
    before = re.search(r"\b(isn)\Z", mistake.before)
    if found.startswith("'t") or (before is not None and found == "'"):
        stop = mistake.begin + (2 if mistake.rest.startswith("'t") else 1)
        return Meant(write("is not"), before.start() if before else mistake.begin, stop)
    if found == "unless" and mistake.start == "properties":
        return None  # a condition of what takes none
    if found == "then":
        return _then(mistake)
    past = re.search(r"\b(was|previously|formerly)(\s+not)?\s*\Z", mistake.before)
    if past is not None and (what := re.match(r"[a-z_][\w.]*", mistake.rest)):
        word = f"{'not ' if past[2] else ''}prev({what[0]})"
        return Meant(write(word), start=past.start(1), stop=mistake.begin + what.end())
    by = re.match(r"on\s+(\w+)\s+(\w+)\s+by\s+(?:the\s+)?(\w+)", mistake.text)
    if by is not None and found == "by" and mistake.start == "rule":
        subject = "" if by[3] == "agent" else f"{by[3]} "
        return Meant(write(f"on {subject}{by[1]} {by[2]}"), start=0, stop=by.end())
    near = re.match(r"(next|close)\s+to\b|adjacent(?:\s+to)?\b|beside\b|by\b", mistake.rest)
    if near is not None and not re.match(r"each\s+\w+\s+in\s+cells\s", mistake.text):
        diagonally = ": diagonally too; `distance(a, b) == 1` is one of the four cells beside it"
        return Meant(write("within 1 of", diagonally), stop=mistake.begin + near.end())
    lasting = re.match(r"for\s+(?:at\s+least\s+)?\d+\s+(?:steps?|turns?|ticks?|rounds?)\b", mistake.rest)
    if lasting is not None:
        counted = "`each step: n = n + 1 if C else 0`, and `when n == 3: ...`"
        return Meant(f"how long something lasts is counted in a variable: {counted}")
    gone = re.search(r"(?:\bthe\s+)?\b([a-z_]\w*)\s*\Z", mistake.before)
    if found in _GONE and gone is not None and gone[1] == "agent":
        return Meant("the rule that kills it says so itself, `end failure`: after it there is nothing to ask")
    if found in _GONE and gone is not None:
        return Meant(write(f"no {gone[1]} left"), start=gone.start(), stop=mistake.begin + len(found))
    left = _none_left(mistake)
    if left is not None:
        return left
    if found == "exists" and (thing := re.search(r"(?:\bif\s+)?\b(\w+)\Z", mistake.before)):
        named = re.search(rf"\b(?:let|choose)\s+{thing[1]}\b", mistake.whole) is not None
        return Meant(
            write(f"{thing[1]}.x >= 0" if named else f"count({thing[1]}) > 0"),
            start=thing.start(1),
            stop=mistake.end,
        )
    if found == "unless" and mistake.start == "effects":
        paid = re.match(r"(?:hidden\s+)?reward\s[^,\n]*\Z", mistake.before[mistake.item_start() :])
        asked = mistake.text[mistake.begin : mistake.item_end()].removeprefix("unless").strip()
        if paid is not None and asked:
            return Meant(write(f"if not ({asked}) else 0"), stop=mistake.item_end())
    if found == "unless" and not re.search(r"\b(and|or|if)\b|[<>=]", mistake.rest):
        return Meant(write("if not"))
    if found in {"equals", "eq", "equal"}:
        number = re.match(r"\w+\s*(to\s+)?(-?\d|[\w.]+\s*[-+*/])", mistake.rest)
        if number is None:
            return Meant(_SAID[found])
    if found in {"touches", "touching"} and (what := re.match(r"\w+\s+(?:the\s+)?(\w+)", mistake.rest)):
        return Meant(write("within 1 of" if mistake.barred_events(what[1]) else "on"))
    if found in _INSTEAD:
        is_chance = _INSTEAD[found] == "chance" and "WITH" in mistake.expected
        return Meant(write("with chance" if is_chance else _INSTEAD[found]))
    if found == "while" and mistake.start in {"repeat_head", "retry_head"}:
        return _while(mistake)
    help = _SAID.get(found.lower())
    return Meant(help) if help is not None else None


def _while(mistake: Mistake) -> Meant:
    """`repeat 3 while n < 3`, `retry 9 while C`: a loop says when it is done."""
    condition = mistake.rest.removeprefix("while").strip()
    help = write(f"until not ({condition})", ": a loop says when it is done")
    return Meant(help, expected="`until`", stop=len(mistake.text.rstrip()))


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


def quoted_word(mistake: Mistake) -> Meant | None:
    """`door is "open"`: a name in quotes."""
    quoted = re.fullmatch(r'"(\w+)"', mistake.found)
    if quoted is None or "NAME" not in mistake.expected:
        return None
    return Meant(Help(f"a name stands without quotes: `{quoted[1]}`", (quoted[1],)))


# In the order in which they are asked: what is surest stands first.
HABITS: Habits = (in_other_words, superfluous_is, in_domain, comparison_in_words)
