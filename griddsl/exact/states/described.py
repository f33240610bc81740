"""Described: a state in words, by what differs between the states of a process."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from griddsl.compass import COMPASS
from griddsl.exact.draws import Key
from griddsl.exact.states.words import slot_words
from griddsl.program import ir, keys
from griddsl.program.program import AttributeInfo, KindInfo, NameInfo, Program

_TOLD_OTHERWISE = {keys.TURN, keys.OBJECTS}  # by whose turn it is, and by the objects themselves


@dataclass(frozen=True)
class Describer:
    """What puts the states of a process in words; ``varies`` says of each number of a state whether others differ."""

    program: Program
    varies: Sequence[bool]

    @classmethod
    def of(cls, program: Program, states: Sequence[Key]) -> Describer:
        """Return what describes these states."""
        return cls(
            program, [any(state[at] != first for state in states) for at, first in enumerate(states[0])]
        )

    def words(self, state: Key) -> list[str]:
        """Return where the agents are, and what else there is to tell, a few words each."""
        return [*self._agents(state), *self._objects(state), *self._ground(state), *self._numbers(state)]

    def _at(self, key: ir.Key, index: int = 0) -> int | None:
        """Return where an entry of a slot stands in a state; None where no state keeps it."""
        at = self.program.layout.offsets.get(key)
        return None if at is None or at >= self.program.layout.saved else at + index

    def _changing(self, key: ir.Key, index: int = 0) -> int | None:
        """Return where an entry of a slot stands, if it differs from state to state."""
        at = self._at(key, index)
        return at if at is not None and self.varies[at] else None

    def _agents(self, state: Key) -> Iterator[str]:
        program, (start, hands) = self.program, (self._at(keys.AGENT_CELL), self._hands(keys.CARRIED))
        names = program.agent_names if len(program.agents) > 1 else ("agent",)
        kinds = {kind.name: kind for kind in program.kinds}
        for index, name in enumerate(names):
            cell = -1 if start is None else int(state[start + index])
            if start is not None and cell < 0 and len(names) > 1:
                continue
            at = self._changing(keys.FACING, index)
            facing = "" if at is None else f" facing {COMPASS[int(state[at])]}"
            told = self._attributes(kinds[program.agents[index]], index, state)
            held = self._held(state, keys.CARRIED, index, hands)
            if keys.AGENT_CELL in program.layout.offsets:
                yield f"{name}{told} at {self._cell(cell)}{facing}{held}"
            elif told or facing or held:  # it stands nowhere
                yield f"{name}{told}{facing}{held}"

    def _hands(self, key: ir.Key) -> int:
        """Return how many things each holds at most: of the agents, or of the objects."""
        lengths = {slot.key: slot.length for slot in self.program.slots}
        agents, objects = len(self.program.agents), lengths.get(keys.OBJECT_KIND, 0)
        return lengths.get(key, 0) // max(1, agents if key == keys.CARRIED else objects)

    def _held(self, state: Key, key: ir.Key, holder: int, hands: int) -> str:
        start = self._at(key, holder * hands)
        things = [int(state[start + hand]) for hand in range(hands)] if start is not None else []
        words = [self._thing(state, thing) for thing in things if thing >= 0]
        return f" with {' and '.join(words)}" if words else ""

    def _thing(self, state: Key, index: int) -> str:
        at = self._at(keys.OBJECT_KIND, index)
        code = -1 if at is None else int(state[at])
        kind = next((kind for kind in self.program.kinds if kind.code == code), None)
        return "nothing" if kind is None else f"{kind.name}{self._attributes(kind, index, state)}"

    def _objects(self, state: Key) -> Iterator[str]:
        """Yield the objects on the map that are not the same in all states, those that are alike together."""
        cells: dict[int, list[int]] = defaultdict(list)
        for layer in self.program.layers:
            start = self._at(layer)
            if start is None:
                continue
            for cell in range(self.program.cells):
                thing = int(state[start + cell])
                if thing >= 0 and (self.varies[start + cell] or self._differs(state, thing)):
                    cells[thing].append(cell)
        hands, alike = self._hands(keys.OBJECT_CARRIED), defaultdict[str, list[int]](list)
        for thing in sorted(cells):
            told = f"{self._thing(state, thing)}{self._held(state, keys.OBJECT_CARRIED, thing, hands)}"
            alike[told] += cells[thing]
        yield from self._placed(alike)

    def _differs(self, state: Key, thing: int) -> bool:
        hands = self._hands(keys.OBJECT_CARRIED)
        held = (self._changing(keys.OBJECT_CARRIED, thing * hands + hand) for hand in range(hands))
        if self._changing(keys.OBJECT_KIND, thing) is not None or any(at is not None for at in held):
            return True
        at = self._at(keys.OBJECT_KIND, thing)
        kind = next((kind for kind in self.program.kinds if at is not None and kind.code == state[at]), None)
        return kind is not None and bool(self._attributes(kind, thing, state))

    def _ground(self, state: Key) -> Iterator[str]:
        """Yield the tiles that are not the same in all states; those that are floor now are left out."""
        kinds, start = {kind.code: kind for kind in self.program.kinds}, self._at(keys.TILE)
        alike: defaultdict[str, list[int]] = defaultdict(list)
        level = self._at(keys.LEVEL)
        ground = self.program.ground[0 if level is None else int(state[level])]
        for cell in range(self.program.cells):
            kind = kinds[int(ground[cell] if start is None else state[start + cell])]
            told = self._attributes(kind, cell, state)
            if told or (self._changing(keys.TILE, cell) is not None and kind.name != "floor"):
                alike[f"{kind.name}{told}"].append(cell)
        yield from self._placed(alike)

    def _placed(self, alike: dict[str, list[int]]) -> Iterator[str]:
        for told, cells in alike.items():
            yield f"{told} at {', '.join(map(self._cell, cells))}"

    def _attributes(self, kind: KindInfo, index: int, state: Key) -> str:
        """Return the attributes that differ from state to state, in brackets."""
        told = []
        for attribute in kind.attributes:
            at = self._changing(attribute.holder, index) if attribute.is_slot else None
            if at is not None:
                told.append(f"{attribute.name}={_value(attribute, int(state[at]))}")
        return f"({', '.join(told)})" if told else ""

    def _numbers(self, state: Key) -> Iterator[str]:
        """Yield the variables, the chosen names and whatever else a state keeps one number for."""
        names = {info.slot: info for info in self.program.names}
        words, layout = slot_words(self.program), self.program.layout
        for slot in self.program.slots:
            if not slot.saved or slot.length > 1 or slot.key in _TOLD_OTHERWISE | {keys.AGENT_CELL}:
                continue
            if self._belongs_to_a_thing(slot.key):
                continue
            at = layout.offsets[slot.key] + (layout.saved if slot.type == "real" else 0)
            if not self.varies[at]:
                continue
            info = names.get(slot.key)
            if slot.key == keys.PREVIOUS_ACTION and self.program.players:
                actions = self.program.players[0].groups[0].actions
                yield f"after `{actions[int(state[at])].name}`" if state[at] >= 0 else "before any action"
            elif info is not None and not info.is_part:
                yield f"{info.label} {self._told(info, int(state[at]) if slot.type != 'real' else state[at])}"
            else:
                yield f"{words.get(slot.key, slot.name)} {state[at]:g}"

    def _belongs_to_a_thing(self, key: ir.Key) -> bool:
        layers, kinds = {*self.program.layers, keys.TILE}, self.program.kinds
        holders = {attribute.holder for kind in kinds for attribute in kind.attributes}
        mine = {keys.FACING, keys.CARRIED, keys.OBJECT_CARRIED, keys.OBJECT_KIND, keys.OBJECT_CELL}
        return key in layers | holders | mine

    def _told(self, info: NameInfo, value: float) -> str:
        if info.form == "words":
            return info.words[int(value)]
        if info.form == "cell":
            return self._cell(int(value))
        return str(bool(value)).lower() if info.form == "bool" else f"{value:g}"

    def _cell(self, cell: int) -> str:
        return f"({cell % self.program.width}, {cell // self.program.width})" if cell >= 0 else "no cell"


def _value(attribute: AttributeInfo, value: int) -> str:
    return attribute.words[value] if attribute.words else str(value)
