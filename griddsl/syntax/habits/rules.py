"""Habits in the heads of rules: triggers and conditions in other words, and what is most likely meant by them."""

from __future__ import annotations

import re

from griddsl.diagnostics import Help, did_you_mean, listing, write
from griddsl.syntax.habits.mistake import CONDITIONS, Meant, Mistake

_EVENTS = "enter|leave|bump|push|pickup|drop|toggle|meet"
_COMPASS = frozenset({"north", "east", "south", "west"})
_UNITS = frozenset({"cell", "cells", "tile", "tiles", "square", "squares", "steps", "points", "times"})
_STEPPING = frozenset(
    {"step", "stepping", "walk", "walking", "standing", "stand", "land", "go", "move", "arrive"}
)


def other_trigger(mistake: Mistake) -> Meant | None:
    """`on push crate onto target`, `on drop rider at depot`, `on do sell at shop`, `on enter exit with gem`."""
    if mistake.start != "rule":
        return None
    for pattern, rewrite in (
        (r"on\s+(?:push\s+)?(\w+)\s+(?:onto|into|on|to)\s+(\w+)", "on {0} enter {1}"),
        (rf"(on\s+(?:{_EVENTS}|do)\s+\w+)\s+(?:at|on|in)\s+(\w+)", "{0} if agent on {1}"),
        (rf"(on\s+(?:{_EVENTS})\s+\w+)\s+with\s+(?:an?\s+|the\s+)?([a-z_]\w*)", "{0} if agent has {1}"),
    ):
        found = re.match(rf"{pattern}(?=\s*\Z|\s+(?:if|with)\b)", mistake.text)
        if found is not None and found.start(1) <= mistake.begin < found.end():
            if found[2] in {"chance", "probability", "prob", "start"}:
                continue
            if found[1] in {"agent", "player"} or (found[1] in _STEPPING and not mistake.is_kind(found[1])):
                return Meant(write(f"on enter {found[2]}"), start=0, stop=found.end())
            head, stop = rewrite.format(found[1], found[2]), found.end()
            if " if " in head and (more := re.match(r"\s+if\b", mistake.text[stop:])):
                rest = mistake.text[stop + more.end() :].strip()
                head, stop = (
                    f"{head} and {f'({rest})' if ' or ' in rest else rest}",
                    len(mistake.text.rstrip()),
                )
            return Meant(write(head), start=0, stop=stop)
    nothing = re.match(rf"on\s+({_EVENTS})\s+(?=if\b|with\b)", mistake.text)
    if nothing is not None:
        line = f"an event names what it is about: `on {nothing[1]} K`"
        return Meant(line, *nothing.span(1), expected="a kind after the event")
    if re.fullmatch(r"on\s+move(d|s)?\s*", mistake.text):
        help = write("each step", "; `on do up` is one action")
        return Meant(help, 3, len(mistake.text.rstrip()), start=0, stop=len(mistake.text.rstrip()))
    return None


def action_as_event(mistake: Mistake) -> Meant | None:
    """`on spray`, `on spray if C`: the name of an action without `do`."""
    named = re.match(r"on\s+(\w+)\s*(?=\Z|\bif\b|\bwith\b)", mistake.text)
    if mistake.start != "rule" or named is None or mistake.begin < named.end(1):
        return None
    if re.fullmatch(rf"{_EVENTS}|act|do|fail", named[1]) or not mistake.is_action(named[1]):
        return None
    return Meant(write(f"on do {named[1]}"), *named.span(1), expected="an event", start=0, stop=named.end(1))


def described_thing(mistake: Mistake) -> Meant | None:
    """`tree ahead is burning`, `no tree burning`, `each burning tree`: a word of a kind beside it."""
    if mistake.start not in CONDITIONS:
        return None
    before = mistake.text[: mistake.begin]
    each = re.match(r"each\s+(\w+)\s+\Z", before)
    if each is not None and mistake.is_word_of(each[1], mistake.found):
        more = re.match(r"\s+if\b(?!.*\bor\b)", mistake.text[mistake.end :])
        if more is None and re.match(r"\s+if\b", mistake.text[mistake.end :]):
            return None
        head = f"each {mistake.found} if {mistake.found} is {each[1]}{' and' if more else ''}"
        return Meant(write(head), start=0, stop=mistake.end + (more.end() if more else 0))
    ahead = re.search(r"(\bnot\s+|\b(?:no|any|all)\s+)?\b(\w+)\s+ahead\s+\Z", before)
    said = re.match(r"(?:is\s+)?(not\s+)?(\w+)", mistake.rest)
    if ahead is not None and said is not None and mistake.is_word_of(said[2], ahead[2]):
        if ahead[1]:
            return None
        described = f"{ahead[2]} ahead and {ahead[2]} is {said[1] or ''}{said[2]}"
        return Meant(write(described), start=ahead.start(2), stop=mistake.begin + said.end())
    beside = re.search(r"\b(no|any|all)\s+(\w+)\s+\Z", before)
    state = re.match(r"(?:are\s+)?(not\s+)?(\w+)", mistake.rest)
    if beside is not None and state is not None:
        kind = mistake.singular(beside[2]) or beside[2]
        if mistake.is_word_of(state[2], kind):
            described = f"{beside[1]} {kind} is {state[1] or ''}{state[2]}"
            return Meant(write(described), start=beside.start(), stop=mistake.begin + state.end())
    facing = re.search(r"(?<!any )(?<!all )(?<!no )\bagent\s+(?:is\s+facing\s+)?\Z", before)
    faced = None
    if facing is not None:
        looks = re.compile(
            r"agent\s+(?:is\s+)?(?:facing|faces)\s+(?:is\s+)?(?:towards?\s+)?(?:the\s+|an?\s+)?(\w+)"
        )
        faced = looks.match(mistake.text, facing.start())
    if facing is not None and faced is not None and faced[1] not in {"not", "in", "at", "and", "or"}:
        described = f"agent.facing is {faced[1]}" if faced[1] in _COMPASS else f"{faced[1]} ahead"
        return Meant(write(described), start=facing.start(), stop=faced.end())
    return None


def other_condition(mistake: Mistake) -> Meant | None:
    """`every crate on target`, `crate on target == 2`, `if has gem`, `has 1 gem`, `< 2 cells`, `guard sees agent`."""
    if mistake.start not in CONDITIONS:
        return None
    before = mistake.text[: mistake.begin]
    first = r"\A|" if mistake.start == "expression" else ""
    alone = re.search(rf"(?:{first}\A\s*when\s+|\b(?:if|and|or)\s+)(on)\s+\Z", before)
    if alone is not None:
        return Meant(write("agent on"), *alone.span(1), start=alone.start(1), stop=alone.end(1))
    truth = re.match(r"==\s*(true|True)\b", mistake.rest)
    if truth is not None and re.search(r"\bis\s+(?:not\s+)?\w+\s*\Z", before):
        help = Help("leave `== true` out: `is` is a condition already", ("",))
        return Meant(help, start=len(mistake.before), stop=mistake.begin + truth.end())
    word = re.search(r"(\w+)\s+\Z", before)
    name = mistake.attribute_with(word[1], mistake.found) if word is not None else None
    if word is not None and name is not None:
        help = write(f"{mistake.found}({name}={word[1]})")
        return Meant(help, *word.span(1), start=word.start(1), stop=mistake.end)
    every = re.search(r"\b(?:when|if|and|or|not)\s+(every|each)\s+\Z", before)
    if every is not None:
        return Meant(write("all"), *every.span(1), start=every.start(1), stop=every.end(1))
    counted = re.search(r"\b(\w+)\s+on\s+(\w+)\s*\Z", before)
    if counted is not None and re.match(r"[=!<>]=|[<>]", mistake.found):
        help = write(f"count({counted[1]} where {counted[1]} on {counted[2]}) {mistake.found}")
        return Meant(help, start=counted.start(1), stop=mistake.end)
    whose = re.search(r"(?:\b(?:if|and|or|when|not)\s+|\A\s*)(has)\s+\Z", before)
    if whose is not None:
        return Meant(write("agent has"), *whose.span(1), start=whose.start(1), stop=whose.end(1))
    how_many = re.search(r"\bhas\s+(\d+)\s+\Z", before)
    if how_many is not None and how_many[1] == "1":
        return Meant(
            Help("leave `1` out", ("",)), *how_many.span(1), start=how_many.start(1), stop=mistake.begin
        )
    if re.search(r"\d\s*\Z", before) and mistake.found in _UNITS:
        return Meant(Help(f"leave `{mistake.found}` out", ("",)), start=len(mistake.before), stop=mistake.end)
    sighted = re.fullmatch(r"on\s+(\w+)\s+sees?\s+(\w+)(.*)", mistake.text, re.DOTALL)
    if mistake.start == "rule" and sighted is not None:
        line = f"when {sighted[1]} sees {sighted[2]}"
        return Meant(write(line), start=0, stop=sighted.end(2))
    sees = re.search(r"\b(\w+)\s+\Z", before)
    seen = re.match(r"sees?\s+(\w+)", mistake.rest)
    if sees is not None and seen is not None:
        return Meant(f"how near they are is asked by `{sees[1]} within 3 of {seen[1]}`")
    return None


EVENTS = ("enter", "leave", "bump", "push", "pickup", "drop", "toggle", "meet")


_EVENT_WORDS = {
    **dict.fromkeys(("touch", "reach", "hit", "collide", "arrive", "step_on", "land"), "enter"),
    **dict.fromkeys(("visit", "eat", "in", "fall", "stand"), "enter"),
    **dict.fromkeys(("exit", "left", "depart", "out"), "leave"),
    **dict.fromkeys(("take", "grab", "pick", "collect", "get"), "pickup"),
    **dict.fromkeys(("put", "release"), "drop"),
    **dict.fromkeys(("open", "use", "press", "activate", "interact"), "toggle"),
    "shove": "push",
    **dict.fromkeys(("encounter", "catch"), "meet"),
}


def event(mistake: Mistake) -> Meant | None:
    """`on entr cliff`: the event is misspelt, or not the word of the language."""
    if mistake.start != "rule" or not {"ENTER", "LEAVE"} <= mistake.expected:
        return None
    opening = re.match(r"on\s+(each|every|when|step(?!\s+\d))\b", mistake.text)
    if opening is not None:
        shown = f"each {mistake.text[3:40]}" if opening.group(1) == "step" else mistake.text[3:40]
        stop = opening.end() if opening.group(1) == "step" else opening.start(1)
        without = ("each step" if opening.group(1) == "step" else "",)
        return Meant(
            Help(f"write `{shown}`, without `on`", without),
            0,
            2,
            expected="`each`, `every` or `when`",
            start=0,
            stop=stop,
        )
    places = [(mistake.begin, mistake.end)]
    if (word := mistake.last_word()) is not None:
        places.insert(0, word.span())
    expected = listing((*EVENTS, "act", "do", "fail"))
    for begin, end in reversed(places):
        written = mistake.text[begin:end]
        help: str | None = did_you_mean(written, EVENTS)
        about = re.match(r"\s+(\w+)(?=\s*\Z|\s+(?:if|with)\b)", mistake.text[end:])
        if (
            begin == len("on ")
            and about is not None
            and mistake.is_action(written)
            and mistake.is_kind(about[1])
        ):
            place, stop = mistake.where_met(about[1]), end + about.end()
            further = re.match(r"\s+if\s+(.*\S)", mistake.text[stop:])
            if further is not None and re.search(r"\b(?:or|else|with)\b", further[1]):
                return Meant(f"say where: `on do {written} if {place}`", begin, end, expected="an event")
            if further is not None:
                place, stop = f"{place} and {further[1]}", stop + further.end()
            help = write(f"on do {written} if {place}")
            return Meant(help, begin, end, expected="an event", start=0, stop=stop)
        acts = re.match(r"\s+do\s+(\w+)(?=\s*\Z)", mistake.text[end:])
        if (
            mistake.is_kind(written)
            and begin == len("on ")
            and acts is not None
            and mistake.is_action(acts[1])
        ):
            help = write(f"on do {acts[1]} if self is {written}")
            return Meant(help, begin, end, expected="an event", start=0, stop=end + acts.end())
        happens = re.match(r"\s+(\w+)\s+(?:with\s+|into\s+|the\s+)*(\w+)", mistake.text[end:])
        if (
            begin == len("on ")
            and happens is not None
            and happens[1] in _HAPPENS
            and mistake.is_kind(written)
        ):
            help = write(f"on {written} {_HAPPENS[happens[1]]} {happens[2]}")
            return Meant(help, start=0, stop=end + happens.end())
        called = re.match(rf"\s*\.\s*({_EVENTS})\s*\(\s*(\w+)\s*\)", mistake.text[end:])
        if mistake.is_kind(written) and called is not None:
            line = write(f"on {written} {called[1]} {called[2]}")
            return Meant(line, begin, end + called.end(), start=0, stop=end + called.end())
        if mistake.is_kind(written) and begin == len("on "):
            help = write(f"on enter {written}")
            return Meant(help, begin, end, expected="an event before the kind", start=0, stop=end)
        if written in _COMING_TOGETHER and about is not None and mistake.moves_by_itself(about[1]):
            help = Help("did you mean `meet`?", ("meet",))
        elif (
            written in _COMING_TOGETHER and about is not None and (barred := mistake.barred_events(about[1]))
        ):
            help = Help(f"did you mean {listing(barred)}?", barred)
        elif written in _EVENT_WORDS:
            help = Help(f"did you mean `{_EVENT_WORDS[written]}`?", (_EVENT_WORDS[written],))
        if help is not None:
            return Meant(help, begin, end, expected=expected)
    first = re.match(r"on\s+(\w+)\s+(\w+)\s*(?=\Z|\bif\b|\bwith\b)", mistake.text)
    if first is not None and first[1] in {"has", "have", "holding", "carrying"} and mistake.is_kind(first[2]):
        return Meant(
            write(f"when agent has {first[2]}"),
            *first.span(1),
            expected="an event",
            start=0,
            stop=first.end(2),
        )
    if first is None or first.start(2) != mistake.begin or mistake.is_kind(first[1]):
        return None
    if mistake.is_kind(first[2]) or first[2] in {"agent", "wall", "edge"}:
        return Meant(f"`{first[1]}` is none of the events", *first.span(1), expected=expected)
    return None


_COMING_TOGETHER = {"touch", "hit", "collide", "reach", "encounter", "catch"}
_HAPPENS = {
    **dict.fromkeys(("enters", "reaches", "touches", "gets", "hits", "finds", "arrives", "lands"), "enter"),
    **dict.fromkeys(("leaves", "exits"), "leave"),
    **dict.fromkeys(("bumps", "crashes"), "bump"),
    **dict.fromkeys(("pushes", "shoves"), "push"),
    **dict.fromkeys(("meets", "catches", "collides"), "meet"),
    **dict.fromkeys(("picks", "takes", "collects", "grabs"), "pickup"),
}


def event_as_condition(mistake: Mistake) -> Meant | None:
    """`when agent reaches goal`, `on collision with coin`: an event in other words."""
    if mistake.start != "rule":
        return None
    if (at := re.match(r"on\s+(?:the\s+)?step\s+(\d+)", mistake.text)) is not None:
        return Meant(write(f"when step == {at[1]}"), start=0, stop=at.end())
    found = re.match(
        r"when\s+(?:the\s+)?(\w+)\s+(\w+)\s+(?:up\s+|to\s+|at\s+|on\s+|with\s+|into\s+)?(?:the\s+|an?\s+)?(\w+)\s*\Z",
        mistake.text,
    )
    if found is not None and found[2] in {*_HAPPENS, "enter", "leave", "bump", "meet"}:
        subject = "" if found[1] in {"agent", "player", "self"} else f"{found[1]} "
        event = _HAPPENS.get(found[2], found[2])
        event = "meet" if event == "enter" and mistake.moves_by_itself(found[3]) else event
        if event == "enter" and (barred := mistake.barred_events(found[3])):
            event = barred[0]
        return Meant(
            write(f"on {subject}{event} {found[3]}"),
            start=0,
            stop=len(mistake.text.rstrip()),
        )
    contact = re.match(
        r"on\s+(?:(?:collision|contact|touching)\s+(?:with\s+|of\s+)?|(?:collide|touch)\s+(?:with|of)\s+)(?:the\s+)?(\w+)",
        mistake.text,
    )
    if contact is not None and mistake.begin <= contact.end():
        events = mistake.barred_events(contact[1]) or ("enter", "meet")
        rewrites = [f"on {each} {contact[1]}" for each in events]
        return Meant(Help(f"did you mean {listing(rewrites)}?", rewrites), start=0, stop=contact.end())
    return None


def chance_in_words(mistake: Mistake) -> Meant | None:
    """`with 50% chance`, `with a chance of 0.5`, `with probability 0.5`."""
    said = re.match(r"(?:an?\s+)?([\d./]+%?)\s+(?:chance|probability|prob)\b", mistake.rest) or re.match(
        r"(?:an?\s+)?(?:chance|probability|prob)\s+(?:of\s+)?([\d./]+%?)", mistake.rest
    )
    bare = re.match(r"(?:with\s+)?([\d./]+%|0?\.\d+)(?=\s*\Z|\s*,)", mistake.rest)
    behind = re.search(r"\bwith\Z", mistake.before) is not None
    if bare is not None and mistake.start == "rule" and (behind or "WITH" in mistake.expected):
        return Meant(write(f"{'' if behind else 'with '}chance {bare[1]}"), stop=mistake.begin + bare.end())
    if said is None or mistake.expected != {"CHANCE"}:
        return None
    return Meant(write(f"chance {said[1]}"), stop=mistake.begin + said.end())


def event_after_when(mistake: Mistake) -> Meant | None:
    """`when pickup coin`: an event, which has no duration."""
    found = re.match(rf"when\s+({_EVENTS})\s+(?:an?\s+|the\s+)?(\w+)\s*(?=\Z|\bif\b|\bwith\b)", mistake.text)
    if mistake.start != "rule" or found is None:
        return None
    return Meant(write(f"on {found[1]} {found[2]}"), start=0, stop=found.end(2))


def event_of_each(mistake: Mistake) -> Meant | None:
    """`each pellet enter agent: ...`: what happens to things is said of the agent."""
    found = re.match(rf"each\s+(\w+)\s+({_EVENTS}|touch|hit)(?:s|es)?\s+(?:the\s+)?agent\b", mistake.text)
    if mistake.start != "rule" or found is None:
        return None
    return Meant(write(f"on {_EVENT_WORDS.get(found[2], found[2])} {found[1]}"), start=0, stop=found.end())


def several_kinds(mistake: Mistake) -> Meant | None:
    """`on enter coin, gem`: two kinds in one trigger."""
    if (
        mistake.start != "rule"
        or not mistake.text.startswith("on")
        or mistake.found not in {",", "or", "and", "|"}
    ):
        return None
    if re.match(r",\s*(?:if|with)\b", mistake.rest):
        return Meant(Help("leave `,` out", ("",)))
    behind = re.match(r"(?:and|or)\s+(\w+)\s*(?=\Z|\bif\b|\bwith\b|[,|]|and\b|or\b)", mistake.rest)
    if mistake.found == "and" and behind is None:
        return Meant(Help("a condition stands behind `if`", ("if",)))
    named = re.search(
        rf"\b(?:{_EVENTS})\s+((\w+)\s*(?:,|or|and|\|)\s*(\w+))\s*(?=\Z|\bif\b|\bwith\b)", mistake.text
    )
    if named is None:
        return Meant("a rule names one kind, or several in brackets: `on enter (coin or gem)`")
    line = write(f"({named[2]} or {named[3]})")
    start, stop = named.span(1)
    return Meant(line, start, stop, found=f"`{named[1]}`", expected="one kind", start=start, stop=stop)


def nobody_of_an_event(mistake: Mistake) -> Meant | None:
    """`on pickup:`, `on enter:`: a rule says of what."""
    said = re.fullmatch(r"on\s+(enter|leave|meet|bump|push|pickup|drop|toggle)\s*", mistake.text)
    if mistake.start != "rule" or mistake.found or said is None:
        return None
    kind = re.search(r"^(?:object|tile)\s+(\w+)", mistake.whole, re.MULTILINE)
    named = f"on {said[1]} {kind[1]}" if kind is not None else f"on {said[1]} K"
    return Meant(f"say of what: `{named}:`", expected="a kind")


def missing_event(mistake: Mistake) -> Meant | None:
    """`on step_on goal`, `on goal`: a trigger without its event."""
    turned = re.fullmatch(rf"on\s+(\w+)\s+({'|'.join(EVENTS)})", mistake.text.strip())
    if mistake.start == "rule" and turned is not None and not mistake.found:
        return Meant(write(f"on {turned[2]} {turned[1]}"), start=0, stop=len(mistake.text.rstrip()))
    alone = re.fullmatch(r"on\s+(?!(?:do|fail|act)\Z)(\w+)", mistake.text.strip())
    if mistake.start != "rule" or alone is None or mistake.found or (word := alone[1]) in EVENTS:
        return None
    asks = re.search(rf"^(?:define|var)\s+{word}\b", mistake.whole, re.MULTILINE) is not None
    help = write(f"when {word}") if asks else write(f"on enter {word}", ", or another event")
    return Meant(help, start=0, stop=len(mistake.text.rstrip()))


def steps(mistake: Mistake) -> Meant | None:
    """`every 5`, `every coin`: a count of steps or a kind in other words."""
    if mistake.start != "rule":
        return None
    count = re.match(r"(each|every)\s+(\w+)(\s+\w+)?", mistake.text)
    if count is None or mistake.text.startswith("each step"):
        return None
    if count.group(2).isdigit():
        return Meant(write(f"every {count.group(2)} steps"), start=0, stop=count.end())
    if count.group(1) == "every":
        help = f"write `each {count.group(2)}`; `every` counts steps: `every 5 steps`"
        return Meant(Help(help, (f"each {count.group(2)}",)), 0, 5, start=0, stop=count.end(2))
    return None


def comparison_chain(mistake: Mistake) -> Meant | None:
    """`1 < n < 3`: two comparisons in one."""
    halved = re.search(r"([\w.]+(?:\([^()]*\))?)\s*(?:<=?|>=?|==|!=)\s*[\w.]+\s+(?:and|or)\Z", mistake.before)
    if halved is not None and re.fullmatch(r"<=?|>=?|==|!=", mistake.found):
        return Meant(write(f"{halved[1]} {mistake.found}", ": each comparison names both of its sides"))
    chain = re.search(r"(\S+)\s*(<=?|>=?|==)\s*(\S+)\Z", mistake.before)
    if chain is None or not re.fullmatch(r"<=?|>=?|==", mistake.found):
        return None
    left, sign, middle = (part[:20] for part in chain.groups())
    help = Help(
        f"write `{left} {sign} {middle} and {middle} {mistake.found} ...`",
        (f"and {chain.group(3)} {mistake.found}",),
    )
    return Meant(help)
