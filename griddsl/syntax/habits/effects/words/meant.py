"""Meant: what a word that is no effect most likely means, with what stands behind it."""

from __future__ import annotations

import re

from griddsl.diagnostics import Help, write
from griddsl.syntax.habits.effects.blocks import ELSE_IF

# What is written instead of an effect; `{}` is what stands behind the word.
_EFFECTS = {
    **dict.fromkeys(("goto", "go_to", "teleport", "jump", "warp"), "go to {}"),
    **dict.fromkeys(
        (
            "destroy",
            "delete",
            "kill",
            "killsprite",
            "eat",
            "consume",
            "erase",
            "despawn",
            "hide",
            "collect",
            "take",
            "grab",
            "get",
            "clear",
        ),
        "remove {}",
    ),
    **dict.fromkeys(
        ("spawn", "create", "put", "add", "make", "hatch", "sprout", "breed", "clone", "duplicate"),
        "place {}",
    ),
    **dict.fromkeys(
        (
            "terminate",
            "terminated",
            "finish",
            "done",
            "stop",
            "restart",
            "quit",
            "exit",
            "gameover",
            "game_over",
        ),
        "end",
    ),
    **dict.fromkeys(("win", "wins", "won", "victory", "success", "succeed"), "end success"),
    **dict.fromkeys(
        ("lose", "loses", "lost", "die", "dies", "dead", "death", "fail", "failure"), "end failure"
    ),
    **dict.fromkeys(("timeout", "truncated"), "truncate"),
    **dict.fromkeys(
        ("score", "points", "gain", "earn", "rewards", "give_reward", "scorechange", "add_score", "addscore"),
        "reward {}",
    ),
    **dict.fromkeys(("penalty", "penalize", "cost", "punish"), "reward -{}"),
    **dict.fromkeys(("release", "put_down"), "drop {}"),
    **dict.fromkeys(("pick_up", "pick"), "pickup {}"),
    **dict.fromkeys(("face", "rotate"), "turn to {}"),
    **dict.fromkeys(("turn_left", "turnleft", "rotate_left", "lt"), "turn left"),
    **dict.fromkeys(("turn_right", "turnright", "rotate_right", "rt"), "turn right"),
    **dict.fromkeys(("turn_around", "turn_back", "turnaround", "reversedirection"), "turn around"),
    **dict.fromkeys(("open", "unlock"), "{} becomes open"),
    **dict.fromkeys(("close", "shut"), "{} becomes closed"),
    **dict.fromkeys(("set", "let"), "{}"),
    **dict.fromkeys(("increase", "increment", "inc"), "{} += 1"),
    **dict.fromkeys(("decrease", "decrement", "dec", "reduce"), "{} -= 1"),
}
_BACK = {"reset", "respawn"}
_TAKING = {"collect", "take", "grab", "get"}
_WORDS = {
    "for": "a loop goes through things, `each K: ...`, or through values, `each i in 0..3: ...`",
    "foreach": "a loop goes through things, `each K: ...`, or through values, `each i in 0..3: ...`",
    "while": "a loop has a bound, `repeat 10 until C: ...`; a rule fires in every step, as in `when C: ...`",
    "unless": "`if not (C):` opens a line of the block",
    "when": "inside a block a condition starts with `if`",
    "change": "values are changed as in `K becomes WORD`, `NAME = VALUE`",
    "give": "`reward 1 to red` gives a reward, `place K in hunter` an object that it carries",
    "transform": "write `K becomes K2`",
    "replace": "write `K becomes K2`",
    "swap": "nothing changes places in one effect, nor do two of one layer: swap what they are, as in "
    "`let c = a.color`, `a.color = b.color`, `b.color = c`",
    "print": "write `info NAME = VALUE`: it stands in the info of the step",
    "log": "write `info NAME = VALUE`: it stands in the info of the step",
    "say": "what others can see is a variable: `said = hello`; `info NAME = VALUE` stands in the info of the step",
    "message": "write `info NAME = VALUE`: it stands in the info of the step",
    "random": "write `choose NAME in ...`",
    "break": "there is no `break`: a loop ends by its `until`, as in `repeat 9 until C:`, and `each` by its `where`",
    "continue": "there is no `continue`: what is done for some only, stands below an `if`",
    **dict.fromkeys(("pass", "nothing", "noop"), "leave the line out"),
    "return": "nothing is returned: `reward 1` and `end` are effects; "
    "a value is an expression, as in `define f(n): 1 if n > 2 else 0`",
    **dict.fromkeys(
        ("forward", "step_forward", "advance", "backward", "fd", "bk"),
        "an effect moves what it names: `move agent forward`, `move agent backward`",
    ),
    "wait": "nothing waits: `stay` is an action, and `every 3 steps` a trigger",
    **{
        word: f"a map is drawn by a statement, before `setup`: `generate: {word}(15, 15)`"
        for word in ("maze", "cave")
    },
    **dict.fromkeys(
        ("require", "assert", "ensure"),
        "setup draws again until it holds: `retry 100 until C:`, and what it draws below",
    ),
    "shuffle": "what is drawn is placed, `place K at random free`, or chosen, `choose NAME in ...`",
    "play": "there are no sounds",
    "sound": "there are no sounds",
    "killboth": "each is named: `remove A, remove B`, or whatever the two are called",
    **dict.fromkeys(("transformto", "transform_to"), "write `K becomes K2`"),
    **dict.fromkeys(
        ("stepback", "undoall", "undo", "revert", "rollback"),
        "nothing is undone by a rule; who may not go there is kept out: `tile rock: solid`, or `cancel` in `on act`",
    ),
    **dict.fromkeys(("clonesprite", "spawnifhasmore"), "write `place K at CELL`"),
    **dict.fromkeys(
        ("collectresource", "changeresource"),
        "what is counted is a variable: `var gems: 0 in 0..9` and `gems += 1`",
    ),
    **dict.fromkeys(("teleporttoexit", "teleport_to"), "write `go to K`"),
    **dict.fromkeys(
        ("bounceforward", "pullwithit", "wraparound"),
        "`pushable`, `carry` and `edge wrap` are said of kinds: `object box: pushable`",
    ),
    **dict.fromkeys(
        ("send", "broadcast", "tell", "signal", "emit", "shout"),
        "what others can see is a variable that they observe: `var said: quiet in quiet | hello`, `said = hello`",
    ),
    **dict.fromkeys(("fall", "drop_down", "sink"), "what falls, a rule moves: `each rock: move rock south`"),
    **dict.fromkeys(
        ("steal", "rob"),
        "what one has is taken away and given: `on thief meet owner: owner.n -= 1, thief.n += 1`",
    ),
    **dict.fromkeys(
        ("merge", "combine", "join"),
        "one of two that come together goes, the other changes: `remove K`, `K.n += 1`",
    ),
    "push": "what is pushed goes as the agent moves against it: `object box: pushable`",
    "block": "what cannot be entered is `solid`: `tile rock: solid`",
}


def effect_help(name: str, rest: str = "") -> str | None:
    """Return what a word that is no effect most likely means, with what stands behind it."""
    word = name.lower()
    if word in ELSE_IF:
        return write("else if")
    if word in _BACK:
        return _put_back(word, rest.strip())
    is_called = rest.lstrip().startswith("(") and "{}" not in _EFFECTS.get(word, "{}")
    if word in _EFFECTS and not is_called:
        return _written(word, rest.strip())
    return _WORDS.get(word)


def is_known(word: str) -> bool:
    """Whether a word is one that people write for an effect."""
    return word.lower() in {*_EFFECTS, *_WORDS, *_BACK, *ELSE_IF}


def end_or_reward(word: str) -> str:
    """Return how the effect is written that a word means; nothing where it means none."""
    return _EFFECTS.get(word.lower(), "")


def end_meant(word: str) -> str | None:
    """Return the effect that a word such as `wins` or `dies` means; None for one that ends nothing."""
    form = _EFFECTS.get(word, "")
    return form if form.startswith("end") else None


def _put_back(word: str, rest: str) -> str | None:
    """Return what `reset`, `reset agent`, `respawn coin` mean: alone, `reset` may be of the episode."""
    said = re.fullmatch(r"\(?\s*(?:the\s+)?(\w*)(?:\.?\s*position|\s+at\s+start|\s+to\s+start)?\s*\)?", rest)
    if said is None:
        return None
    who = said[1]
    if who not in {"", "agent", "player", "self", "position", "me"}:
        return write(f"move {who} to start")
    if who or word == "respawn":
        return write("go to start")
    line = "write `go to start` to put the agent back, `end` to end the episode"
    return Help(line, ("go to start", "end"))


def _written(word: str, rest: str) -> str:
    form = _EFFECTS[word]
    if word in {"kill", "destroy"} and re.fullmatch(r"\(?\s*(?:the\s+)?(?:agent|player|self)\s*\)?", rest):
        return write("end failure")
    if word == "set" and re.fullmatch(r"(?:the\s+)?(?:agent|player|self)\s+(?:to\s+)?start", rest):
        return write("go to start")
    rest = re.sub(r"\A\((.*)\)\Z", r"\1", rest)
    if form == "turn to {}" and re.fullmatch(r"(?:the\s+)?(?:agent|player|self|)", rest):
        return "a turn says where to: `turn left`, `turn around`, `turn to north`"
    if form == "pickup {}":
        rest = re.sub(r"\Aup\b\s*", "", rest)
    if form == "go to {}":
        rest = re.sub(r"\A(agent\s+)?(to\s+)?((the|an?)\s+)?", "", rest)
    if form == "place {}" and rest and not re.search(r"\b(at|in)\b", rest):
        rest = f"{rest} at random free"
    if form == "{}":
        rest = re.sub(r"\s+to\s+", " = ", rest.removeprefix("the "), count=1)
        rest = re.sub(r"\A(\w+)\s+([a-z]\w*)\Z", r"\1 becomes \2", rest)
        form = "{}" if "=" in rest or " becomes " in rest else "NAME = VALUE"
    by = re.fullmatch(r"(.+?)\s+by\s+(.+)", rest)
    if by is not None and form.endswith("1"):
        rest, form = by[1], f"{form[:-1]}{by[2]}"
    if "{}" in form and not rest:
        return f"write `{form.format('1' if form.startswith('reward') else 'K')}`"
    if "{}" in form and not re.fullmatch(r"[\w .()=,+*/-]+", rest):
        return f"write `{form.format('K')}`"
    more = f"; `pickup {rest}` lets the agent carry it" if word in _TAKING else ""
    return write(form.format(rest), more)
