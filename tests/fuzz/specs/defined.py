"""Definitions: conditions and blocks of a random spec, said under a name, with numbers of theirs for arguments."""

from __future__ import annotations

import re

from tests.fuzz.specs.dice import Dice
from tests.fuzz.specs.world import World

MARGIN = "    "
_NUMBER = re.compile(r"(?<![\w.\"%/])(?<!e-)(?<!e[+])\d+(?![\w.%\"/])")
_CHOICE = re.compile(r"choose (\w+) in (.*)")


def condition(world: World, text: str) -> str:
    """Return a condition, now and then as a call of a definition that says it."""
    if not world.dice.chance(12):
        return _handed(world, text)
    name, given, said = _with_parameter(world, text)
    world.say(f"define {name}: {said}")
    called = f"{name.partition('(')[0]}({given})" if given or world.dice.chance(40) else name
    return _passed_on(world, called, given)


def _handed(world: World, text: str) -> str:
    """Return a condition, now and then handed to a definition that goes through a kind of which it speaks outside."""
    own = Dice(f"handed {text} {len(world.statements)}")
    kinds = [kind.name for kind in world.kinds if re.search(rf"(?<![\w.\"]){kind.name}(?![\w\"])", text)]
    if not kinds or re.search(r"\b(?:prev|lowest)\(", text) or not own.chance(15):
        return text
    name, parameter = world.names.spare(), world.names.spare()
    world.say(
        f"define {name}({parameter}): {own.pick(('any', 'all', 'no'))} {own.pick(kinds)} where {parameter}"
    )
    return f"{name}(({text}))"


def block(world: World, lines: list[str]) -> list[str]:
    """Return effects, now and then as a call of a definition that says them."""
    if not world.dice.chance(12) or any("cancel" in line for line in lines):
        return lines
    name, given, said = _with_parameter(world, "\n".join(lines))
    said = "\n".join(MARGIN + line for line in said.split("\n"))
    world.say(f"define {name}:\n{said}")
    return [_passed_on(world, f"{name.partition('(')[0]}({given})", given)]


def named_by_call(world: World, line: str) -> str:
    """Return a line of setup that chooses a name, now and then as a call of a definition that is given the name."""
    match = _CHOICE.fullmatch(line)
    if match is None or not world.dice.chance(25):
        return line
    name, parameter = world.names.fresh(), world.names.fresh()
    said = re.sub(rf"\b{match[1]}\b", parameter, match[2])
    world.say(f"define {name}({parameter}): choose {parameter} in {said}")
    return f"{name}({match[1]})"


def _passed_on(world: World, call: str, given: str) -> str:
    """Return a call, now and then by a definition that calls the other one with what it is given itself."""
    own = Dice(f"passed {call} {len(world.statements)}")
    if not own.chance(30):
        return call
    name, parameter = world.names.spare(), world.names.spare()
    if not given:
        world.say(f"define {name}: {call}")
        return f"{name}()"
    world.say(f"define {name}({parameter}): {call.partition('(')[0]}({parameter})")
    return f"{name}({given})"


def _with_parameter(world: World, text: str) -> tuple[str, str, str]:
    """Return the head of a definition, what it is given, and a text in which its parameter stands for that."""
    name = world.names.fresh()
    own = Dice(f"defined {text} {len(world.statements)}")
    taken = [value.name for scope in world.taken.values() for value in scope.values]
    taken += [name for scope in world.taken.values() for name in (*scope.cells, *scope.kinds)]
    spoken = [each for each in taken if re.search(rf"(?<![\w.\"{{]){each}(?![\w\"}}])", text)]
    if spoken and own.chance(60):
        argument, parameter = own.pick(spoken), world.names.spare()
        said = re.sub(rf"(?<![\w.\"{{]){argument}(?![\w\"}}])", parameter, text)
        return f"{name}({parameter})", argument, said
    numbers = [] if "choose" in text or "place" in text else list(_NUMBER.finditer(text))
    if not numbers or world.dice.chance(40):
        return name, "", text
    number, parameter = world.dice.pick(numbers), world.names.fresh()
    said = f"{text[: number.start()]}{parameter}{text[number.end() :]}"
    return f"{name}({parameter})", number.group(), said
