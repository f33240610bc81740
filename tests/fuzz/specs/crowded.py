"""Crowded specs: a few cells, agents and things, and rules that send, place, remove and turn them on every event.

What one event does to another is seen where they follow each other, which is rare in specs with a little of all.
"""

from __future__ import annotations

import re

from tests.fuzz.specs.dice import Dice

GROUNDS = ("", "", "", "slide", "carry {way}", "drift {way} 1", "one_way {way}", "solid", "opaque")
THINGS = ("", "", "pushable", "pushable", "portable", "moves random", "moves toward {agent}", "solid")
WAYS = ("east", "south", "west", "north")
CHOICES = {
    "contested": ("share", "share", "block", "first", "random", "freeze_all"),
    "turns": ("simultaneous", "simultaneous", "in_order", "random_order", "alternate"),
    "swap": ("allow", "block"),
    "edge": ("stay", "wrap", "clip"),
    "order": ("agents, objects", "objects, agents"),
}


class Crowd:
    """A crowded spec under way."""

    def __init__(self, seed: int) -> None:
        self.dice = dice = Dice(f"crowded {seed}")
        self.seed = seed
        self.agents = ["agent"] if dice.chance(45) else ["ada", "bob", "cy"][: dice.between(2, 3)]
        self.tiles = ["pond", "rug", "vent"][: dice.between(1, 3)]
        self.things = ["box", "egg", "imp"][: dice.between(1, 3)]
        self.layers = {thing: dice.chance(35) for thing in self.things}
        self.width, self.height = dice.between(2, 5), dice.between(1, 3)
        self.portable = False
        self.moods = dice.chance(50)  # whether all agents and things have a `mood`, and rules ask for it
        self.quiet = dice.chance(35)  # whether rules on events send nothing: then what loops move goes alone

    @property
    def several(self) -> bool:
        """Whether there are several agents."""
        return len(self.agents) > 1

    def text(self) -> str:
        """Return the text of the spec."""
        dice = self.dice
        lines = [f"env: fuzz/Spec{self.seed}-v0"]
        lines += [f"agents: {', '.join(self.agents)}"] if self.several else []
        lines += [f"tile {tile}: {self._filled(dice.pick(GROUNDS))}".rstrip() for tile in self.tiles]
        lines += [self._thing(thing) for thing in self.things]
        if self.moods:
            lines += [f"{'' if who == 'agent' else 'agent '}{who}: mood in 0..2" for who in self.agents]
        lines += self._map()
        lines += [
            "actions: left, up, right = move right 2, down"
            if dice.chance(25)
            else "actions: left, up, right, down"
        ]
        if self.portable:
            lines[-1] += ", pickup, drop"
        for name, values in CHOICES.items():
            if dice.chance(60) and (self.several or name in {"edge", "order"}):
                lines.append(f"{name}: {dice.pick(values)}")
        for number in range(dice.between(4, 10)):
            lines.append(self._rule(number))
        lines += [
            "observe: grid",
            f"info: {', '.join(f'n_{thing} = count({thing})' for thing in self.things)}",
        ]
        return "\n".join([*lines, f"limit: {dice.between(5, 20)} steps"]) + "\n"

    def _filled(self, text: str) -> str:
        return text.format(way=self.dice.pick(WAYS), agent=self.dice.pick(self.agents))

    def _thing(self, thing: str) -> str:
        said = self._filled(self.dice.pick(THINGS))
        self.portable = self.portable or said == "portable"
        layer = "layer air" if self.layers[thing] else ""
        mood = "mood in 0..2" if self.moods else ""
        return f"object {thing}: {', '.join(part for part in (said, layer, mood) if part)}".rstrip()

    def _in_a_mood(self, kind: str) -> str:
        """Return a kind of agents or things, sometimes only those that are in a mood."""
        if not self.moods or not self.dice.chance(40):
            return kind
        return f"{kind}(mood={self.dice.between(0, 1)})"

    def _map(self) -> list[str]:
        dice = self.dice
        glyphs = dict(zip("pqrxyz", [*self.tiles, *self.things], strict=False))
        signs = "@" if not self.several else "".join(str(number) for number, _ in enumerate(self.agents, 1))
        cells = [dice.pick([*glyphs, ".", ".", "."]) for _ in range(self.width * self.height)]
        free = dice.shuffled(range(len(cells)))
        while len(cells) < len(signs):
            self.width += 1
            cells.append(".")
        for sign, cell in zip(
            signs, dice.shuffled(range(len(cells))) if len(free) < len(signs) else free, strict=False
        ):
            cells[cell] = sign
        self.width = -(-len(cells) // self.height)
        cells += ["."] * (self.width * self.height - len(cells))
        rows = ["".join(cells[row * self.width : (row + 1) * self.width]) for row in range(self.height)]
        used = {glyph: kind for glyph, kind in glyphs.items() if any(glyph in row for row in rows)}
        named = [f"{glyph} = {kind}" for glyph, kind in used.items()]
        named += (
            [f"{sign} = {agent}" for sign, agent in zip(signs, self.agents, strict=False)]
            if self.several
            else []
        )
        return ["map:", *(f"    {row}" for row in rows), *([f"legend: {', '.join(named)}"] if named else [])]

    # Rules

    def _rule(self, number: int) -> str:
        dice = self.dice
        subject, thing = dice.pick(["", *(self.agents if self.several else ())]), dice.pick(self.things)
        who = f"{subject} " if subject else ""
        ground = dice.pick([*self.tiles, *self.tiles, "floor"])
        other = dice.pick([each for each in (*self.tiles, *self.things) if each != thing] or ["floor"])
        met = self._in_a_mood(thing)
        rivals = [self._in_a_mood(agent) for agent in self.agents] if self.several else []
        heads = {
            f"on {who}enter {dice.pick((ground, met, *rivals[:1]))}": "agent",
            f"on {who}leave {dice.pick((ground, met, *rivals[:1]))}": "agent",
            f"on {who}bump {dice.pick((ground, met, 'edge', 'wall', *rivals[:1]))}": "agent",
            f"on {who}meet {dice.pick((met, met, *rivals))}": "agent",
            f"on {who}push {thing}": "agent",
            f"on {thing} enter {dice.pick((ground, 'floor'))}": thing,
            f"on {thing} leave {ground}": thing,
            f"on {thing} bump {dice.pick((other, 'edge', 'wall'))}": thing,
            f"on {thing} meet {dice.pick((*self.agents, other if other in self.things else self.agents[0]))}": thing,
            "each step": "none",
            f"each {thing}": thing,
            f"when count({thing}) > {dice.between(0, 2)}": "none",
        }
        if self.portable:
            heads |= {f"on {who}pickup {thing}": "agent", f"on {who}drop {thing}": "agent"}
        head = dice.pick(list(heads))
        about = heads[head]
        if not head.startswith("when") and dice.chance(35):
            head += f" if step mod {dice.between(2, 3)} == {dice.between(0, 1)}"
        elif not head.startswith("when") and dice.chance(15):
            seen = self._in_a_mood(dice.pick((*self.agents, *self.things)))
            head += f" if {'not ' if dice.chance(30) else ''}{seen} at {self._cell(drawn=False)}"
        named = thing if thing in re.split(r"[ (]", head) or about == thing else None
        after = head.startswith(("each", "when"))
        if self.quiet and after:
            lines = self._moving_loop(dice.between(1, 2))
        else:
            lines = [self._effect(about, named, not self.quiet) for _ in range(dice.between(1, 2))]
        lines.append(f"reward {10**number}" if number < 6 else f"reward {number}")
        if about == "none" or dice.chance(15):
            lines = self._in_a_loop(lines)
        return "\n".join([f"{head}:", *(f"    {line}" for line in lines)])

    def _moving_loop(self, depth: int) -> list[str]:
        """Return a loop over things that moves them, with another one in it, and what else happens in its rounds."""
        dice, thing = self.dice, self.dice.pick(self.things)
        order = dice.pick(("", "", f" by {thing}.x", f" by {thing}.y down", f" by {thing}.x / 2 - {thing}.y"))
        lines = [f"move {thing} {dice.pick(WAYS)}"] if dice.chance(85) else []
        if dice.chance(40):
            lines.append(self._effect("none", None, sends=False))
        if dice.chance(25):
            lines.append(f"if {thing}.x == {dice.between(0, 2)}: remove {thing}")
        if depth > 1 or not lines:
            inner = (
                self._moving_loop(depth - 1) if dice.chance(70) else [f"move {dice.pick(self.things)} east"]
            )
            lines[dice.between(0, len(lines)) : 0] = inner
        return [f"each {thing}{order}:", *(f"    {line}" for line in lines)]

    def _in_a_loop(self, lines: list[str]) -> list[str]:
        dice = self.dice
        if not dice.chance(50):
            return lines
        head = dice.pick(
            (f"repeat {dice.between(1, 3)}:", "each n in 0..1:", f"each {dice.pick(self.things)}:")
        )
        return [head, *(f"    {line}" for line in lines)]

    def _cell(self, drawn: bool = True) -> str:
        dice = self.dice
        if drawn and dice.chance(25):
            return f"random {dice.pick(('floor', 'free', *self.tiles))}"
        return f"({dice.between(0, self.width - 1)}, {dice.between(0, self.height - 1)})"

    def _effect(self, about: str, named: str | None, sends: bool = True) -> str:
        """Return an effect; ``sends`` says that it may put something elsewhere when the rule has run."""
        dice = self.dice
        agent, thing = dice.pick(self.agents), dice.pick(self.things)
        free = " if free" if dice.chance(50) else ""
        options = [
            *([f"place {agent} at {self._cell()}{free}"] if sends else []),
            f"place {thing} at {self._cell()}{free}",
            f"place {dice.pick(self.tiles)} at {self._cell()}",
        ]
        if sends:
            options += [
                f"each {thing}: move {thing} {dice.pick(WAYS)}",
                f"each {thing}: move {thing} to {self._cell()}",
            ]
        if about != "none" and sends:
            options += [f"go to {self._cell()}"] * 3 + (["go to start"] if about == "agent" else [])
        if named is not None:
            options += [f"remove {named}"]
            options += [f"move {named} to {self._cell()}", f"move {named} {dice.pick(WAYS)}"] if sends else []
            options += [f"{named} becomes {dice.pick((*self.things, *self.tiles))}"]
        if self.moods and about == "agent":
            options += ["self.mood = (self.mood + 1) mod 3"] * 2
        if self.moods and named is not None:
            options += [f"{named}.mood = ({named}.mood + 1) mod 2"] * 2
        if about == "agent" and self.several and dice.chance(20):
            options = ["out"]
        return dice.pick(options)


def crowded(seed: int) -> str:
    """Return the text of the crowded spec of a seed."""
    return Crowd(seed).text()
