"""Reductions that ask the same of things of several kinds become one: `any (key | ball) where ...` is one loop.

A clause that speaks of several kinds is said of each of them, and each looks through all things. Where what is asked
is the same but for the kind, one loop asks it of all of them, and the results of the others stay what they were.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from griddsl.program import ir
from griddsl.program.passes.normal import of_parts, renamed, with_names

Lets: TypeAlias = Mapping[str, ir.Expr]


def join_reductions(functions: Mapping[str, ir.Function]) -> None:
    """Join the reductions of a program that ask the same of several kinds, in place."""
    for function in functions.values():
        function.body[:] = _joined(function.body, _uses(function.body))


@dataclass(frozen=True, slots=True)
class _Use:
    """The one place where a result is asked for: which sum or choice it is a part of, and whether what is not so."""

    place: int
    operator: str
    inverted: bool

    def joins(self, how: str) -> bool:
        """Whether it is the same there to ask one reduction of several kinds as several of one each."""
        wanted = {"any": ("or", "and"), "all": ("and", "or")}.get(how, ("+", ""))
        return self.operator == wanted[self.inverted]


def _uses(block: ir.Block) -> dict[str, _Use]:
    """Return where each local is asked for that is asked for once, as a part of what is joined by one operator."""
    read = Counter(local.name for local in ir.locals_in(block))
    found: dict[str, _Use] = {}
    values = [
        part
        for statement in ir.statements(block)
        for value in ir.values_of(statement)
        for part in ir.parts(value)
    ]
    inside: set[int] = set()
    for place, value in enumerate(values):
        if not isinstance(value, ir.Op) or value.operator not in {"or", "and", "+"} or id(value) in inside:
            continue
        for part in _flat(value, value.operator, inside):
            negated = isinstance(part, ir.Op) and part.operator == "not"
            local = ir.inner(part)[0] if negated else part
            if isinstance(local, ir.Local) and read[local.name] == 1:
                found[local.name] = _Use(place, value.operator, negated)
    return found


def _flat(value: ir.Expr, operator: str, inside: set[int]) -> Iterator[ir.Expr]:
    """Yield what an operator joins, also where some of it is joined before; what is so is noted as ``inside``."""
    for part in ir.inner(value):
        if isinstance(part, ir.Op) and part.operator == operator:
            inside.add(id(part))
            yield from _flat(part, operator, inside)
        else:
            yield part


def _joined(block: ir.Block, uses: Mapping[str, _Use]) -> ir.Block:
    """Return a block in which neighbours, with nothing but locals set between them, are one."""
    made: ir.Block = []
    last: int | None = None  # where the reduction is that the next one may be joined with
    lets: dict[str, ir.Expr] = {}
    for statement in block:
        changed = ir.with_blocks(statement, lambda inner: _joined(inner, uses))
        match changed:
            case ir.Let(name, value):
                lets[name] = value
            case ir.Note():
                pass
            case ir.Reduce():
                first = None if last is None else made[last]
                found = None
                if isinstance(first, ir.Reduce) and _are_one(first, changed, uses):
                    found = _both(first, changed, lets)
                if last is not None and found is not None and _leave(made[last + 1 :], found, changed):
                    made[last] = found
                    continue
                last = len(made)
            case _:
                last, lets = None, {}
        made.append(changed)
    return made


def _are_one(first: ir.Reduce, second: ir.Reduce, uses: Mapping[str, _Use]) -> bool:
    """Whether the results of two reductions are asked for together, and so that one of all kinds says the same."""
    one, other = uses.get(first.result.name), uses.get(second.result.name)
    return one is not None and one == other and first.how == second.how and one.joins(first.how)


def _leave(between: Sequence[ir.Stmt], first: ir.Reduce, second: ir.Reduce) -> bool:
    """Whether what stands between two reductions sets nothing that they ask for."""
    begins = {second.result.name, getattr(second.high, "name", "")}
    asked = ir.locals_read([first, second]) - begins
    return not any(asked & set(ir.sets(statement)) for statement in between)


def _both(first: ir.Reduce, second: ir.Reduce, lets: Lets) -> ir.Reduce | None:
    """Return the reduction that does what two do, with the result of the first; None where they ask something else."""
    if first.low != second.low or first.result.type == "real":
        return None
    nothing = {"any": ir.FALSE, "all": ir.TRUE}.get(first.how, ir.const(0))
    if lets.get(second.result.name) != nothing or _end(first, lets) != _end(second, lets):
        return None
    one, other = _asked(first), _asked(second)
    if one is None or other is None or one.slot is not other.slot or one.codes & other.codes:
        return None
    if _canonical(first, one) != _canonical(second, other):
        return None
    # Each thing is of one kind, so that it is asked, and counted, once.
    kinds = ir.either(*one.kinds, *(with_names(kind, {second.name: first.name}) for kind in other.kinds))
    return replace(first, body=ir.when(ir.both(kinds, *one.rest), one.then))


def _end(loop: ir.Reduce, lets: Lets) -> ir.Expr:
    """Return what the end of a loop was set to, as far as it was set since the last thing was done."""
    return lets.get(loop.high.name, loop.high) if isinstance(loop.high, ir.Local) else loop.high


@dataclass(frozen=True, slots=True)
class _Asked:
    """What a reduction asks of each thing: which kinds are meant, by a slot, and what else, once they are known."""

    slot: ir.Slot
    kinds: tuple[ir.Expr, ...]
    rest: tuple[ir.Expr, ...]
    then: ir.Block

    @property
    def codes(self) -> set[ir.Expr]:
        """The numbers of these kinds."""
        return {ir.inner(kind)[1] for kind in self.kinds}


def _asked(loop: ir.Reduce) -> _Asked | None:
    match loop.body:
        case [ir.If(test, then, [])]:
            first, *rest = _parts("and", test)
            kinds = _parts("or", first)
            slots = {_slot_of(kind, loop.name) for kind in kinds}
            slot = slots.pop()
            if slot is None or slots:
                return None
            if len(kinds) == 1:  # what asks again is settled
                rest, then = [_given(each, first) for each in rest], _block_given(then, first)
            return _Asked(slot, kinds, tuple(rest), then)
    return None


def _parts(operator: str, value: ir.Expr) -> tuple[ir.Expr, ...]:
    return value.values if isinstance(value, ir.Op) and value.operator == operator else (value,)


def _slot_of(kind: ir.Expr, name: str) -> ir.Slot | None:
    """Return the slot that is compared with a number at the place of a round."""
    match kind:
        case ir.Op("==", (ir.Load(slot, ir.Local(place)), ir.Const())) if place == name:
            return slot
    return None


def _given(value: ir.Expr, fact: ir.Expr) -> ir.Expr:
    """Return a value where a fact holds."""
    if value == fact:
        return ir.TRUE
    inner = ir.inner(value)
    if not inner:
        return value
    parts = tuple(_given(part, fact) for part in inner)
    match value:
        case ir.Select():
            return ir.select(*parts)
        case ir.Op("and"):
            return ir.both(*parts)
        case ir.Op("or"):
            return ir.either(*parts)
        case ir.Op("not"):
            return ir.invert(parts[0])
    return value if parts == inner else of_parts(value, parts)


def _block_given(block: ir.Block, fact: ir.Expr) -> ir.Block:
    made: ir.Block = []
    for statement in block:
        changed = ir.with_values(statement, lambda value: _given(value, fact))
        changed = ir.with_blocks(changed, lambda inner: _block_given(inner, fact))
        if isinstance(changed, ir.If):
            made.extend(ir.when(changed.test, changed.then, changed.otherwise))
        else:
            made.append(changed)
    return made


def _canonical(loop: ir.Reduce, asked: _Asked) -> tuple[tuple[ir.Expr, ...], ir.Block]:
    """Return what is asked with its own locals numbered, so that what is the same is equal."""
    own = [loop.name, loop.result.name]
    own += [name for statement in ir.statements(asked.then) for name in ir.sets(statement)]
    names = {name: f"{number} of its own" for number, name in enumerate(dict.fromkeys(own))}
    return tuple(with_names(each, names) for each in asked.rest), renamed(asked.then, names)
