"""Signs, letters and numbers of other languages, and what says the same here."""

from __future__ import annotations

import math
import re

from griddsl.diagnostics import Help, write
from griddsl.syntax.habits.foreign.words import OPERAND
from griddsl.syntax.habits.mistake import LISTS, QUOTED, Meant, Mistake, blanks

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
)


def foreign_sign(mistake: Mistake) -> Meant | None:
    """A sign of another language, or of a word processor."""
    for own in (_comment, _quotes, _counting, _point, _separator, _power):
        fix = own(mistake)
        if fix is not None:
            return fix
    dash = re.match(r"[–—−](?=\s*\d)", mistake.rest)
    if dash is not None and re.search(r"\bin\s+\d+\Z", mistake.before):
        return Meant(
            write("..", ": a range has two dots"),
            mistake.begin,
            mistake.begin + 1,
            expected="`..`",
            start=len(mistake.before),
            stop=mistake.begin + 1,
        )
    chosen = re.match(r"\?\s*([\w.+-]+)\s*:\s*([\w.+-]+)", mistake.rest)
    compared = r"[\w.]+\s*(?:[<>]=?|[=!]=)\s*|[\w.]+\s+is\s+(?:not\s+)?"
    asked = re.search(rf"(?:\A|[\s(=])((?:{compared})?[\w.]+)\s*\Z", mistake.before)
    if chosen is not None and asked is not None and asked[1] not in {"reward", "end", "if"}:
        either = write(f"{chosen[1]} if {asked[1]} else {chosen[2]}")
        return Meant(either, start=asked.start(1), stop=mistake.begin + chosen.end())
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
        match = re.match(pattern, mistake.rest)
        if mistake.text[: mistake.begin].endswith(before) and match is not None:
            begin = mistake.begin - len(before)
            stop = mistake.begin + match.end()
            return Meant(_stated(rewrite, help), begin, mistake.end, start=begin, stop=stop)
    return None


_BRACKETED = rf"(?:{OPERAND}|\([^()]*\))"


def _power(mistake: Mistake) -> Meant | None:
    """`x ** 2`, `0.99 ^ step`: a product, or a power of e."""
    sign = re.compile(r"\*\*|\^").match(
        mistake.text, mistake.begin - mistake.text.startswith("**", mistake.begin - 1)
    )
    if sign is None:
        return None
    base = re.search(rf"({_BRACKETED})\s*\Z", mistake.text[: sign.start()])
    exponent = re.compile(rf"\s*({_BRACKETED})").match(mistake.text, sign.end())
    if base is None or exponent is None:
        return None
    times, number = exponent[1], re.fullmatch(r"\d*\.?\d+", base[1])
    if times in {"2", "3", "4"}:
        help = write(f"({' * '.join([base[1]] * int(times))})", ": there is no power")
    elif number is not None and float(base[1]) > 0:
        rate = f"{math.log(float(base[1])):.9g}"
        help = write(f"exp({rate} * {times})", f": there is no power; the logarithm of {base[1]} is {rate}")
    else:
        return None
    return Meant(help, sign.start(), sign.end(), start=base.start(1), stop=exponent.end())


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
    number = re.match(rf"(\d+|[\w.]*\.\w+|\([^()]*\)|{OPERAND}(?=\s*[-+*<>=,)]))", rest)
    if sign.group() == "//" and number is not None and "SLASH" in mistake.expected | {"SLASH"}:
        return Meant(
            Help("write `div` for whole division", (" div ",)),
            begin,
            sign.end(),
            start=len(mistake.text[:begin].rstrip()),
            stop=sign.end() + blanks(mistake.text, sign.end()),
        )
    ended = re.search(r"\d\s*\Z", mistake.text[:begin]) is not None and not mistake.gives(rest)
    divides = re.fullmatch(r"\w+", rest) and mistake.start != "observations" and not ended
    if sign.group() == "//" and divides:
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
        owner = re.search(r"\b(\w+)\.(\w+)\s*=\s*\Z", mistake.text[: mistake.begin])
        if (
            owner is not None
            and mistake.start == "effects"
            and mistake.attribute_with(text, owner[1]) == owner[2]
        ):
            becomes = write(f"{owner[1]} becomes {text}")
            return Meant(becomes, start=owner.start(), stop=mistake.begin + whole.end())
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
    name = re.search(rf"({OPERAND})\s*([+-]?)\Z", mistake.text[: mistake.begin])
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
    there = r"\((?:[^()]|\([^()]*\))*\)\.\w+"  # `(the K at CELL).attribute`
    owner = re.search(rf"({there}|{OPERAND})\s*([*/]?)\Z", mistake.before)
    if owner is None:
        return Meant("write `NAME = NAME * 2`")
    sign = {"/": "div", "%": "mod"}.get(times[1] or owner[2], "*")
    value = mistake.text[mistake.begin + times.end() : mistake.item_end()].strip()
    begin, end = owner.end(1), mistake.begin + times.end()
    if not re.fullmatch(OPERAND, value):
        return Meant("write `NAME = NAME * 2`", begin, end)
    help = write(f"{owner[1]} = {owner[1]} {sign} {value}")
    return Meant(help, begin, end, start=owner.start(1), stop=mistake.item_end())


def _point(mistake: Mistake) -> Meant | None:
    """`.5`, and `5.`."""
    if re.match(r"\.+\d", mistake.rest) and mistake.before.endswith(".."):
        stop = mistake.begin + len(mistake.rest) - len(mistake.rest.lstrip("."))
        return Meant(write("..", ": a range has two dots"), mistake.begin - 2, stop)
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
    if not mistake.rest.strip("; "):
        return Meant(Help("nothing ends a line but its end", ("",)), mistake.begin, mistake.begin + 1,
                     start=mistake.begin, stop=len(mistake.text))  # fmt: skip
    parts = [part for part in re.findall(rf"(?:{QUOTED}|[^;])+", mistake.rest) if part.strip()]
    rest = ",".join(["", *(part.rstrip() for part in parts)])
    help = Help("separate items with `,`", (rest,))
    return Meant(help, mistake.begin, mistake.begin + 1, start=mistake.begin, stop=len(mistake.text))


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


def dashed(mistake: Mistake) -> Meant | None:
    """`- reward 1`: the lines of a block have no dashes."""
    said = re.match(r"-\s+(?=[A-Za-z_\"@#$])", mistake.text)
    if mistake.start not in LISTS or said is None:
        return None
    help = Help("leave `-` out: a line of a block has no dash", ("",))
    return Meant(help, 0, 1, expected="an item", start=0, stop=said.end())
