"""Placed: what is put where the map shows that it cannot be: onto what is solid, or beside another of its layer.

Setup is followed from top to bottom, with what each cell can be by then: as drawn, and as placed. What an ``if`` or a
loop holds may happen or not; after an effect that could change anything else no more is said. The rest is found at
reset, where it happens.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from griddsl.diagnostics import Report
from griddsl.lowering.state.writer import Writer
from griddsl.lowering.traits import Traits, block_of, effects_in, of_rules, of_spec, traits
from griddsl.lowering.world.constants import constant_number
from griddsl.lowering.world.kinds import Kind
from griddsl.lowering.world.maps.generators import is_random
from griddsl.syntax import nodes as n
from griddsl.syntax.printer import to_text

_Spot: TypeAlias = n.Expression | n.CellChoice | None  # where something is placed


def placed_in_vain(writer: Writer) -> None:
    """Report each ``place`` that can never find its place."""
    _of_setup(writer)
    for rule in writer.world.spec.rules:
        _of_rule(writer, rule.effects)


def moved_in_vain(writer: Writer) -> None:
    """Warn of `move key to chest` where both lie on one layer, which holds one thing in a cell: it never goes there.

    What frees the cell in the same moment may be meant: then nothing is said.
    """
    spec, kinds = writer.world.spec, writer.world.kinds
    freed = kinds_freed(writer)
    for effect, _ in of_rules(spec):
        if not isinstance(effect, n.Move) or effect.span.source is not spec.source or effect.span.through:
            continue
        to = effect.destination
        if not isinstance(to, n.Name) or not isinstance(effect.subject, n.KindName) or freed is None:
            continue
        moved, other = kinds.get(effect.subject.name), kinds.get(to.name)
        if moved is None or other is None or other is moved or to.name in freed or other.moves is not None:
            continue
        if moved.category == other.category == "object" and moved.layer == other.layer:
            reason = f"where the `{other.name}` is there is no room for another object of its layer"
            help = f"`object {moved.name}: layer NAME` lets both lie in one cell"
            if other.carries:
                put = f"`place {moved.name} in {other.name}` and `remove {moved.name}`"
                help = f"{put} put it into what carries; {help}"
            writer.report.add("idle", effect.span, reason=reason, help=help)


def kinds_freed(writer: Writer, but: Sequence[n.Effect] = ()) -> set[str] | None:
    """Return the kinds whose things an effect may take out of their cells; None where one can be of any kind.

    ``but`` holds effects that are known to do nothing.
    """
    freed: set[str] = set()
    for effect, can in of_spec(writer.world.spec):
        if not (can.sends or can.changes or can.loses(effect)) or any(effect is each for each in but):
            continue
        name = _name_of(effect)
        if name is None or name not in writer.world.kinds:
            return None
        freed.add(name)
    return freed


def _turned(writer: Writer, effects: Iterable[tuple[n.Effect, Traits[n.Effect]]]) -> set[str | None]:
    """Return the kinds of what effects turn into something else; None is among them where one names no kind."""
    names = {_name_of(effect) for effect, can in effects if can.sets is not None and can.loses(effect)}
    return {name if name in writer.world.kinds else None for name in names}


def _name_of(effect: n.Effect) -> str | None:
    """Return the name of what an effect is about."""
    target = next(
        (getattr(effect, name) for name in ("subject", "kind", "target") if hasattr(effect, name)), None
    )
    return target.name if isinstance(target, n.KindName) else None


def _of_setup(writer: Writer) -> None:
    world = writer.world
    ground = _Ground(writer)
    if world.spec.generate is not None and is_random(world.spec.generate):
        ground.is_known = False
    for effect in world.spec.preparing:
        ground.follow(effect, surely=True)


def _of_rule(writer: Writer, effects: tuple[n.Effect, ...]) -> None:
    """A rule places when everything may have changed but what never does: a solid tile of a fixed map."""
    ground = _Ground(writer)
    ground.is_known, ground.things_stay = not writer.facts.dynamic_tiles, False
    changed = False
    told: dict[str, n.Expression] = {}  # what `let` names, as long as what is sent has not gone
    sent: set[str] = set()
    turned: set[str | None] = set()  # kinds of which one may be of another kind by now; None for any of them
    for effect, can in effects_in(effects):
        turned |= _turned(writer, of_spec(writer.world.spec) if can.sends else [(effect, can)])
        match effect:
            case n.Place(at=n.Name(name)) if _is_solid_thing(writer, name) and not turned & {name, None}:
                ground.check(effect, things_stay=True)  # wherever it is by now, it is in the way
            case n.Place(at=at) if at is not None and not isinstance(at, n.CellChoice) and not changed:
                owner = _whose_cell(_told(at, told))
                name, meant = "", effect
                if isinstance(owner, n.KindName):
                    name, meant = owner.name, replace(effect, at=replace(owner, span=at.span))
                ground.check(meant, things_stay=True, sent=name if name in sent else "")
            case n.Place():
                ground.check(effect, things_stay=not changed)
            case n.Let(name, value):
                told = {**told, name: _told(value, told)}
            case n.Move(subject=n.Name(name)):  # goes behind the round, or the rule: it stands there still
                sent.add(getattr(_told(effect.subject, told), "name", name))
            case _:
                changed = changed or can.moves or can.changes
                told = {} if can.repeats else told


def _told(node: n.Expression, told: Mapping[str, n.Expression]) -> n.Expression:
    """Return a place in which the names of `let` are what they were given."""
    match node:
        case n.Name(name) if name in told:
            return told[name]
        case n.Attribute(n.Name(name) as owner, _) if isinstance(told.get(name), n.Name):
            return replace(node, owner=replace(told[name], span=owner.span))
        case n.Position(x, y):
            return replace(node, x=_told(x, told), y=_told(y, told))
    return node


@dataclass(slots=True)
class _Ground:
    """What is known of the cells while setup runs: the tiles that each can have, the objects that surely lie there."""

    writer: Writer
    is_known: bool = True
    things_stay: bool = True
    _tiles: dict[int, set[str]] = field(default_factory=dict)  # of the cells that something was placed in
    _anywhere: set[str] = field(default_factory=set)  # tiles that may have been placed in any cell
    _placed: dict[tuple[int, str], Kind] = field(
        default_factory=dict
    )  # (cell, layer): what surely lies there

    def follow(self, effect: n.Effect, surely: bool) -> None:
        """Check an effect of setup, and note what it changes."""
        match effect:
            case n.Place():
                self.check(effect, self.things_stay)
                self._note(effect, surely)
            case n.If():
                self._follow_blocks(tuple(block for _, block in effect.branches))
            case _ if traits(effect).holds:
                self._follow_blocks((block_of(effect),))
            case n.Becomes(target=n.Name(name=name)) if name in self.writer.variables:
                pass
            case _ if traits(effect).moves or traits(effect).changes:
                self.is_known = self.things_stay = False

    def _follow_blocks(self, blocks: tuple[tuple[n.Effect, ...], ...]) -> None:
        """Check blocks that may run, after noting all that they may do: a loop comes back to its first line."""
        for part, can in effects_in(blocks):
            if isinstance(part, n.Place):
                self._note(part, surely=False)
            elif can.moves or can.changes:
                self.follow(part, surely=False)
        for block in blocks:
            for effect in block:
                self.follow(effect, surely=False)

    def check(self, effect: n.Place, things_stay: bool, sent: str = "") -> None:
        """Report a ``place`` that cannot succeed; ``sent`` is what stands in the way though it was told to move."""
        kind = self.writer.world.kinds.get(getattr(effect.kind, "name", ""))
        if kind is None or kind.category == "tile" or effect.if_free:
            return
        reason = self._reason(kind, effect, things_stay)
        if reason is not None:
            spot = effect.at or effect.area
            why, help = reason
            if sent:
                help = "`move` goes behind the last line of its block: say it in a loop or a rule below"
                help += f", or give `{kind.name}` a `layer NAME` of its own" if kind.name != sent else ""
            span = effect.span if spot is None else spot.span
            self.writer.report.add("no-place", span, what=f"`{kind.name}`", constraint=why, help=help)

    def _reason(self, kind: Kind, effect: n.Place, things_stay: bool) -> tuple[str, str] | None:
        """Return why it cannot succeed, and what to write instead; None where it can."""
        at = _whose_cell(effect.at)
        if isinstance(at, n.CellChoice):
            return _never_free(self.writer, kind, at.kind, things_stay)
        if isinstance(at, n.KindName):
            return _never_free(self.writer, kind, at, things_stay)
        several = isinstance(effect.count, n.Number) and effect.count.value > 1
        if at is not None and several and kind.category == "object":
            return (
                "only one object of a layer fits into a cell",
                "choose a place for each, as in `at random free`",
            )
        cell = _cell(self.writer, at)
        return None if cell is None else self._reason_at(kind, cell, to_text(at), things_stay)

    def _reason_at(self, kind: Kind, cell: int, place: str, things_stay: bool) -> tuple[str, str] | None:
        solid = self._solid_tile(cell)
        if solid is not None:
            help = f"make room first: `place floor at {place}`; with `if free` behind it, it is left out"
            return f"`{solid}` at {place} is solid", help
        other = self._thing_at(kind, cell) if things_stay and self.things_stay else None
        if other is None:
            return None
        if kind.category == "agent" or _is_always_solid(other):  # another layer would not help
            return f"`{other.name}` at {place} is solid", "choose another cell, or let `if free` follow"
        help = f"`object {kind.name}: layer NAME` lets both lie in one cell; or let `if free` follow"
        return f"a `{other.name}` lies at {place} already", help

    def _solid_tile(self, cell: int) -> str | None:
        """Return a tile that the cell surely has, or one of several, where all of them are solid always."""
        if not self.is_known:
            return None
        names = self._possible(cell)
        kinds = [self.writer.world.kinds[name] for name in sorted(names)]
        return kinds[0].name if kinds and all(map(_is_always_solid, kinds)) else None

    def _possible(self, cell: int) -> set[str]:
        if cell in self._tiles:
            return self._tiles[cell]
        by_code = {kind.code: kind.name for kind in self.writer.world.kinds.values()}
        return {by_code[int(level.tiles[cell])] for level in self.writer.world.levels} | self._anywhere

    def _thing_at(self, kind: Kind, cell: int) -> Kind | None:
        """Return the object that keeps another out of a cell, where one surely lies there."""
        for (where, layer), other in self._placed.items():
            if where == cell and (
                _is_always_solid(other) or (kind.category == "object" and layer == kind.layer)
            ):
                return other
        found = [
            next(
                (
                    thing.kind
                    for thing in level.objects
                    if thing.cell == cell
                    and (
                        _is_always_solid(thing.kind)
                        or (kind.category == "object" and thing.kind.layer == kind.layer)
                    )
                ),
                None,
            )
            for level in self.writer.world.levels
        ]
        return found[0] if all(other is not None for other in found) else None

    def _note(self, effect: n.Place, surely: bool) -> None:
        kind = self.writer.world.kinds.get(getattr(effect.kind, "name", ""))
        if kind is None:
            self.is_known = self.things_stay = False
            return
        cell = _cell(self.writer, effect.at)
        if kind.category == "object" and cell is not None and surely:
            self._placed[cell, kind.layer] = kind
        if kind.category != "tile":
            return
        if cell is None:
            self._anywhere.add(kind.name)
            for names in self._tiles.values():
                names.add(kind.name)
        elif surely:
            self._tiles[cell] = {kind.name}
        else:
            self._tiles[cell] = self._possible(cell) | {kind.name}


def _whose_cell(at: _Spot) -> _Spot:
    """Return what stands in the place of `(K.x, K.y)`, the cell of a K: its name; any other place as it is."""
    match at:
        case n.Position(n.Attribute(n.Name(name) as owner, "x"), n.Attribute(n.Name(other), "y")) if (
            name == other
        ):
            return owner
    return at


def _cell(writer: Writer, at: _Spot) -> int | None:
    """Return the cell that two constant numbers name; None for any other place."""
    world = writer.world
    if not isinstance(at, n.Position):
        return None
    parts = [constant_number(part, world.params, Report()) for part in (at.x, at.y)]
    if any(part is None or part.denominator != 1 for part in parts):
        return None
    x, y = (int(part) for part in parts if part is not None)
    return y * world.width + x if 0 <= x < world.width and 0 <= y < world.height else None


def _never_free(writer: Writer, kind: Kind, at: n.Expression, things_stay: bool) -> tuple[str, str] | None:
    """Say why a thing cannot be put where one of another kind is."""
    other = writer.world.kinds.get(getattr(at, "name", ""))
    if other is None or other.name in writer.named_things or other.name in writer.variables:
        return None
    if _is_always_solid(other) and (other.category == "tile" or things_stay):
        room = f"`remove {other.name}`" if other.category == "object" else "as in `place floor at (x, y)`"
        help = f"nothing is put where a `{other.name}` is; make room first, {room}"
        return f"`{other.name}` is solid", help
    if kind.category == other.category == "object" and kind.layer == other.layer and things_stay:
        if kind is other:
            return f"a `{other.name}` is there already", "a cell holds one object of a layer"
        return (
            f"where a `{other.name}` is there is no room for another object of its layer",
            f"`object {kind.name}: layer NAME` lets both lie in one cell, and `{other.name} becomes {kind.name}` "
            "puts the one in place of the other",
        )
    return None


def _is_solid_thing(writer: Writer, name: str) -> bool:
    kind = writer.world.kinds.get(name)
    return kind is not None and kind.category == "object" and _is_always_solid(kind)


def _is_always_solid(kind: Kind) -> bool:
    return kind.solid is not None and kind.solid.word == "always"
