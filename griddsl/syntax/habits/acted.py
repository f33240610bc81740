"""Habits in rules on actions, and in numbers and values that stand where another order is."""

from __future__ import annotations

import re

from griddsl.diagnostics import Help, write
from griddsl.syntax.habits.brackets import value_alone
from griddsl.syntax.habits.mistake import Habits, Meant, Mistake


def joined_actions(mistake: Mistake) -> Meant | None:
    """`on do up or down`, `on do (up or down)`, `on fail pickup, drop`: a rule names one action."""
    said = re.match(
        r"on\s+(do|fail)\s+(\(\s*(\w+)\s*(?:or|and|,|\|)\s*(\w+)\s*\)|(\w+)\s*(?:or\b|and\b|,|\|)\s*(\w+))"
        r"\s*(?=\Z|\bif\b|\bwith\b)",
        mistake.text,
    )
    if mistake.start != "rule" or said is None or mistake.begin > said.end():
        return None
    event, first, second = said[1], said[3] or said[5], said[4] or said[6]
    help: str = f"a rule names one action: `on {event} {first}: ...`, and `on {event} {second}: ...` below it"
    start, stop = said.span(2)
    if event == "fail" or mistake.text[said.end() :].strip():
        return Meant(help, start, stop, found=f"`{said[2]}`", expected="one action")
    help = write(f"on act if self.action is {first} or self.action is {second}", ", or a rule for each")
    return Meant(help, start, stop, found=f"`{said[2]}`", expected="one action", start=0, stop=said.end())


def action_of_one(mistake: Mistake) -> Meant | None:
    """`on red do jump`, `on agent fail pickup`: whose action it is, a condition asks."""
    said = re.match(r"on\s+(\w+)\s+((?:do|fail)\s+\w+|act\b)\s*(if\b)?", mistake.text)
    if mistake.start != "rule" or said is None or mistake.begin > said.end(2):
        return None
    who, event = said[1], said[2]
    if who == "agent" or re.search(r"^agents\b", mistake.whole, re.MULTILINE) is None:
        line = write(f"on {event}" + (" if" if said[3] else ""), ": it is the agent that acts")
    else:
        line = write(f"on {event} if self is {who}" + (" and" if said[3] else ""))
    return Meant(line, *said.span(1), expected="an event", start=0, stop=len(said[0].rstrip()))


def condition_behind_with(mistake: Mistake) -> Meant | None:
    """`on pickup key with key.color is red`: a condition stands behind `if`."""
    said = re.fullmatch(r"(?!.*\bif\b).*\b(with)\s*", mistake.text[: mistake.begin])
    asked = re.match(r"[\w.]+\s*(?:is\b|[<>]=?|[=!]=|(?:on|at|has|within|ahead)\b)", mistake.rest)
    if mistake.start != "rule" or mistake.expected != {"CHANCE"} or said is None or asked is None:
        return None
    start, stop = said.span(1)
    help = write("if", ": `with` gives a chance")
    kind = re.search(r"\b(?:no|any|all)\s+(\w+)\s+\Z", mistake.text[:start])
    if kind is not None:
        owned = re.match(r"[a-z_]\w*(?![\w.])", mistake.rest)
        if owned is None or mistake.values_of(owned[0], kind[1]) is None:
            return Meant(
                write("where"), start, stop, found="`with`", expected="`where`", start=start, stop=stop
            )
        help = write(f"where {kind[1]}.{owned[0]}")
        end = mistake.begin + owned.end()
        return Meant(help, start, stop, found="`with`", expected="`where`", start=start, stop=end)
    return Meant(help, start, stop, found="`with`", expected="`if`", start=start, stop=stop)


def described_kind(mistake: Mistake) -> Meant | None:
    """`on pickup red key`: what a kind is like stands in brackets behind it."""
    said = re.match(r"on\s+(?:\w+\s+)?[a-z]+\s+((\w+)\s+(\w+))", mistake.text)
    if mistake.start != "rule" or said is None or mistake.begin != said.start(3):
        return None
    given = value_alone(mistake, said[3], said[2])
    if given is None:
        return None
    start, stop = said.span(1)
    help = write(f"{said[3]}({given})", ": what it is like stands in brackets")
    return Meant(help, start, stop, found=f"`{said[1]}`", expected="a kind", start=start, stop=stop)


def condition_of_event(mistake: Mistake) -> Meant | None:
    """`on pickup key is red`, `on pickup key red`, `on pickup key.color is red`, `on drop key where C`."""
    said = re.match(
        r"on\s+(?:\w+\s+)?(?:enter|leave|bump|push|pickup|drop|toggle|meet)\s+(\w+)", mistake.text
    )
    if mistake.start != "rule" or said is None or not said.end() <= mistake.begin <= said.end() + 1:
        return None
    kind, start = said[1], said.start(1)
    given = re.compile(
        r"(?:\.(\w+))?\s*(?:\b(?:is|are)\s+(not\s+)?|==?\s*|(?<=\s))(\w+)(?=\s*\Z|\s+(?:if|with)\b)"
    )
    word = given.match(mistake.text, said.end())
    value = None if word is None else value_alone(mistake, kind, word[3])
    if word is not None and word[1] is not None and word[3] in (mistake.values_of(word[1], kind) or ()):
        value = f"{word[1]}={word[3]}"
    if word is not None and value is not None and word[2] is None:
        help = write(f"{kind}({value})", ": what it is like stands in brackets")
        return Meant(help, expected="`if`, `with` or the end", start=start, stop=word.end())
    asked = re.compile(
        r"(?:\.\w+)?\s*(?:\bis\s+(?:not\s+)?[\w.]+|[=!<>]=\s*[\w.]+|[<>]\s*[\w.]+)(?=\s*\Z|\s+(?P<more>if|and|with)\b)"
    ).match(mistake.text, said.end())
    if asked is not None and not re.search(r"\bor\b", mistake.text[asked.end() :]):
        stop = asked.end("more") if asked["more"] == "if" else asked.end()
        further = " and" if asked["more"] == "if" else ""
        help = write(f"{kind} if {kind}{_spaced(asked[0])}{further}", ": a condition stands behind `if`")
        return Meant(help, expected="`if`, `with` or the end", start=start, stop=stop)
    if mistake.found in {"where", "when", "whose"} and not re.search(r"\bif\b", mistake.rest):
        return Meant(write("if", ": a condition stands behind `if`"), expected="`if`, `with` or the end")
    return None


def _spaced(asked: str) -> str:
    """Return what is asked of a kind as it stands behind it: an attribute at once, a relation after a blank."""
    word = re.fullmatch(r"\s*([=!])=\s*([A-Za-z_]\w*)", asked)
    if word is not None:
        return f" is {'not ' if word[1] == '!' else ''}{word[2]}"
    return asked if asked.startswith((".", " ")) else f" {asked}"


def without_else(mistake: Mistake) -> Meant | None:
    """`A if C else B if D`: the second `if` of a value has no `else`."""
    said = re.search(r"\belse\s+([\w.-]+)\s+if\b[^()]*\Z", mistake.text)
    if mistake.expected != {"ELSE"} or mistake.found or mistake.start == "effects" or said is None:
        return None
    end = len(mistake.text.rstrip())
    if not re.fullmatch(r"-?[\d.]+", said[1]):
        return Meant("each `if` of a value has an `else`: `A if C else B if D else E`", start=end, stop=end)
    help = Help("each `if` of a value has an `else`: add `else 0`", (" else 0",))
    return Meant(help, start=end, stop=end)


def times(mistake: Mistake) -> Meant | None:
    """`place key * 3 at random floor`: how many stands before the kind."""
    start = mistake.item_start()
    said = re.match(r"place\s+(\w+(?:\([^()]*\))?)\s*(?:\*|x\b)\s*(\w+)", mistake.text[start:])
    if mistake.start != "effects" or said is None or not mistake.found.startswith(("*", "x")):
        return None
    help = write(f"place {said[2]} {said[1]}", ": how many stands before the kind")
    return Meant(help, start=start, stop=start + said.end())


def random_called(mistake: Mistake) -> Meant | None:
    """`key(color=random())`: `random` takes no brackets."""
    said = re.search(r"\brandom\s*\(\s*\Z", mistake.text[: mistake.begin])
    if said is None or mistake.found != ")":
        return None
    help = write("random", ": it takes no brackets")
    return Meant(help, said.start(), mistake.end, found="`random()`", start=said.start(), stop=mistake.end)


def none_allowed(mistake: Mistake) -> Meant | None:
    """`when nothing allowed`, `if no legal moves left`: what can be done is asked of each action."""
    said = re.search(
        r"\b((?:nothing|none)\s+(?:is\s+)?(?:allowed|legal|possible)|no\s+(?:(?:action|move)s?\s+(?:is\s+|are\s+)?)?"
        r"(?:allowed|legal|possible|left)(?:\s+(?:action|move)s?)?(?:\s+left)?|no\s+(?:action|move)s?\s+left)"
        r"(?=\s*(?:\Z|:|\band\b|\bor\b|\bwith\b))",
        mistake.text,
    )
    if said is None or not said.start() <= mistake.begin <= said.end() or mistake.is_kind("move"):
        return None
    named = re.findall(r"^allow\s+(\w+)", mistake.whole, re.MULTILINE)
    named += re.findall(r"\b(\w+)\(\w+\s+in\b[^()]*\bwhere\b", mistake.whole)
    listed = re.search(
        r"^actions\b[^:\n]*:[ \t]*(\w+(?:[ \t]*,[ \t]*\w+)*)[ \t]*$", mistake.whole, re.MULTILINE
    )
    if not named and listed is not None:
        named = [name for name in re.findall(r"\w+", listed[1]) if name not in {"stay", "noop", "wait"}]
    several = re.search(r"^agents\s*:", mistake.whole, re.MULTILINE) is not None
    of_all = several and re.match(r"\s*(?:when|each\s+step|if)\b", mistake.text) is not None
    none = "no agent can" if of_all else "not can"
    asked = " and ".join(f"{none} {name}" for name in dict.fromkeys(named)) or f"{none} forward"
    return Meant(
        write(asked, ": it is asked of each action"),
        *said.span(),
        found=f"`{said[0]}`",
        expected="a condition",
        start=said.start(),
        stop=said.end(),
    )


# In the order in which they are asked: what is surest stands first.
HABITS: Habits = (
    joined_actions,
    action_of_one,
    condition_behind_with,
    described_kind,
    without_else,
    times,
    random_called,
    condition_of_event,
)
